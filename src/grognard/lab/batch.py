"""Many games between players of the machine. The same seed gives the same games, whatever the workers."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from grognard.kernel import Game
from grognard.kernel.registry import load_game
from grognard.players import player_names, seat


class BatchError(ValueError):
    """A batch that cannot be played as asked."""


class GameResult(NamedTuple):
    """How one game went."""

    seed: str
    winner: str | None
    level: str
    turns: int
    decisions: int
    """Answers given by the players; the dice are not counted."""
    hash: str
    seconds: float


class LongTurn(NamedTuple):
    """The turn of a game for which a player thought longest: all its answers of that turn together."""

    turn: int
    seconds: float


class Course(NamedTuple):
    """How a game was played, besides its end."""

    decisions: int
    longest: tuple[LongTurn, ...]
    """Of each side."""


class Played(NamedTuple):
    """A game of a batch: who sat where, how it went, and how long they thought."""

    number: int
    players: tuple[str, ...]
    """In the order of the sides."""
    result: GameResult
    longest: tuple[LongTurn, ...]


def play_game(game: Game[Any], seed: str, players: Sequence[str], scenario: str | None = None) -> GameResult:
    """One game to its end, without a log. Everything but the seconds follows from the arguments."""
    return _play_timed(game, seed, players, scenario)[0]


def _play_timed(
    game: Game[Any], seed: str, players: Sequence[str], scenario: str | None = None
) -> tuple[GameResult, tuple[LongTurn, ...]]:
    began = perf_counter()
    state = game.start(scenario or next(iter(game.scenarios)))
    course = play_out(game, state, seed, players)
    outcome = game.outcome(state)
    assert outcome is not None
    result = GameResult(
        seed=seed,
        winner=None if outcome.winner is None else game.sides[outcome.winner],
        level=outcome.level,
        turns=game.turn(state),
        decisions=course.decisions,
        hash=state.fingerprint(),
        seconds=round(perf_counter() - began, 4),
    )
    return result, course.longest


def play_out(game: Game[Any], state: Any, seed: str, players: Sequence[str]) -> Course:
    """Let players answer from a first position to the end."""
    game.settle(state, seed)
    # The dice and each player draw from sources of their own, so that no one's chance tells another's.
    seats = [seat(name, f"{seed}/{side}") for side, name in zip(game.sides, players, strict=True)]
    random = Random(f"{seed}/imagine") if game.hidden_information else None
    thought: list[dict[int, float]] = [{} for _ in game.sides]
    decisions = 0
    while (side := game.actor(state)) is not None:
        # A copy for each answer would only cost time where nothing is hidden, or to one who does not look.
        hidden = random if seats[side].looks else None
        shown = state if hidden is None else game.imagine(state, side, hidden)
        turn = game.turn(state)
        began = perf_counter()
        answer = seats[side].choose(game, shown, side)
        thought[side][turn] = thought[side].get(turn, 0.0) + perf_counter() - began
        game.apply(state, answer, side)
        decisions += 1
        game.settle(state, seed)
    return Course(decisions, tuple(_longest(turns) for turns in thought))


def _longest(turns: Mapping[int, float]) -> LongTurn:
    """Turn 0 if the side was never asked anything."""
    turn = max(turns, key=turns.__getitem__, default=0)
    return LongTurn(turn, round(turns.get(turn, 0.0), 4))


def seated(players: Sequence[str], number: int, swap: bool) -> tuple[str, ...]:
    """Who plays each side in game number so-and-so: with swapping, every second game the other way round."""
    return tuple(reversed(players)) if swap and number % 2 else tuple(players)


class _Worker(NamedTuple):
    """What a worker keeps between games: loading a game costs more than playing one."""

    game: Game[Any]
    seed: str
    players: tuple[str, ...]
    swap: bool
    scenario: str

    def play(self, number: int) -> Played:
        players = seated(self.players, number, self.swap)
        timed = _play_timed(self.game, f"{self.seed}-{number}", players, self.scenario)
        return Played(number, players, *timed)


_worker: _Worker | None = None


def _sit_down(
    game_id: str, override: Path | None, seed: str, players: tuple[str, ...], swap: bool, scenario: str
) -> None:
    global _worker
    _worker = _Worker(load_game(game_id, override), seed, players, swap, scenario)


def _play(number: int) -> Played:
    assert _worker is not None
    return _worker.play(number)


def check_players(game: Game[Any], players: Sequence[str]) -> None:
    """Whether these players can sit at the game's table."""
    if len(players) != len(game.sides):
        raise BatchError(f"{game.id} is played by {len(game.sides)} players, not {len(players)}")
    unknown = next((name for name in players if name not in player_names()), None)
    if unknown is not None:
        raise BatchError(f"no player {unknown!r}; there are: {', '.join(player_names())}")


def chosen_scenario(game: Game[Any], scenario: str | None) -> str:
    """The scenario of this id; the game's first if none is named."""
    chosen = scenario or next(iter(game.scenarios))
    if chosen not in game.scenarios:
        raise BatchError(f"{game.id} has no scenario {chosen!r}; there are: {', '.join(game.scenarios)}")
    return chosen


def check_swap(games: int) -> None:
    """Whether so many games can be shared out evenly between both ways of sitting."""
    if games % 2:
        raise BatchError(f"swapping the sides takes an even number of games, not {games}")


def play_batch(
    game_id: str,
    games: int,
    seed: str,
    players: Sequence[str],
    workers: int = 1,
    override: Path | None = None,
    swap: bool = False,
    scenario: str | None = None,
) -> Iterator[Played]:
    """Games number 0, 1, 2 ... of a batch, in that order as they end."""
    game = load_game(game_id, override)
    check_players(game, players)
    if swap:
        check_swap(games)
    chosen = chosen_scenario(game, scenario)
    return _results(_Worker(game, seed, tuple(players), swap, chosen), games, workers, override)


def _results(worker: _Worker, games: int, workers: int, override: Path | None) -> Iterator[Played]:
    if workers <= 1:
        yield from map(worker.play, range(games))
        return
    # A fresh interpreter for each worker: the same on every system, and nothing inherited by accident.
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers, _sit_down, (worker.game.id, override, *worker[1:])) as pool:
        yield from pool.imap(_play, range(games), chunksize=max(1, min(16, games // (workers * 8))))


def totals(results: Iterable[GameResult], seconds: float, workers: int) -> dict[str, Any]:
    """The batch in one line. Its hash is equal when all its games are."""
    played = list(results)
    number = len(played)
    summary = totals_of_lines([result._asdict() for result in played])
    decisions = summary["decisions"]
    return summary | {
        "workers": workers,
        "seconds": round(seconds, 3),
        "games_per_second": round(number / seconds, 2) if seconds else 0.0,
        "decisions_per_second": round(decisions / seconds) if seconds else 0,
    }


def totals_of_lines(played: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What follows from the games alone, whoever played them and how fast."""
    number = len(played)
    return {
        "games": number,
        "winners": dict(sorted(Counter(line["winner"] or "nobody" for line in played).items())),
        "levels": dict(sorted(Counter(line["level"] for line in played).items())),
        "turns": round(sum(line["turns"] for line in played) / number, 2) if number else 0,
        "decisions": sum(line["decisions"] for line in played),
        "hash": sha256("".join(line["hash"] for line in played).encode()).hexdigest()[:32],
    }
