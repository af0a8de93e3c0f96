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


class Result(NamedTuple):
    """How one game went."""

    seed: str
    winner: str | None
    level: str
    turns: int
    decisions: int
    """Answers given by the players; the dice are not counted."""
    hash: str
    seconds: float


def play_game(game: Game[Any], seed: str, players: Sequence[str], scenario: str | None = None) -> Result:
    """One game to its end, without a log. Everything but the seconds follows from the arguments."""
    began = perf_counter()
    state = game.start(scenario or next(iter(game.scenarios)))
    decisions = play_out(game, state, seed, players)
    outcome = game.outcome(state)
    assert outcome is not None
    return Result(
        seed=seed,
        winner=None if outcome.winner is None else game.sides[outcome.winner],
        level=outcome.level,
        turns=game.turn(state),
        decisions=decisions,
        hash=state.fingerprint(),
        seconds=round(perf_counter() - began, 4),
    )


def play_out(game: Game[Any], state: Any, seed: str, players: Sequence[str]) -> int:
    """Let players answer from a first position to the end; how many answers they gave."""
    game.settle(state, seed)
    # The dice and each player draw from sources of their own, so that no one's chance tells another's.
    seats = [seat(name, f"{seed}/{side}") for side, name in zip(game.sides, players, strict=True)]
    random = Random(f"{seed}/imagine") if game.hidden_information else None
    decisions = 0
    while (side := game.actor(state)) is not None:
        # A copy for each answer would only cost time where nothing is hidden, or to one who does not look.
        hidden = random if seats[side].looks else None
        shown = state if hidden is None else game.imagine(state, side, hidden)
        game.apply(state, seats[side].choose(game, shown, side))
        decisions += 1
        game.settle(state, seed)
    return decisions


class _Bench(NamedTuple):
    """What a worker keeps between games: loading a game costs more than playing one."""

    game: Game[Any]
    players: tuple[str, ...]


_bench: _Bench | None = None


def _sit_down(game_id: str, override: Path | None, players: tuple[str, ...]) -> None:
    global _bench
    _bench = _Bench(load_game(game_id, override), players)


def _play(seed: str) -> Result:
    assert _bench is not None
    return play_game(_bench.game, seed, _bench.players)


def check_players(game: Game[Any], players: Sequence[str]) -> None:
    """Whether these players can sit at the game's table."""
    if len(players) != len(game.sides):
        raise BatchError(f"{game.id} is played by {len(game.sides)} players, not {len(players)}")
    unknown = next((name for name in players if name not in player_names()), None)
    if unknown is not None:
        raise BatchError(f"no player {unknown!r}; there are: {', '.join(player_names())}")


def play_batch(
    game_id: str,
    games: int,
    seed: str,
    players: Sequence[str],
    workers: int = 1,
    override: Path | None = None,
) -> Iterator[Result]:
    """Games number 0, 1, 2 ... of a batch, in that order as they end."""
    game = load_game(game_id, override)
    check_players(game, players)
    return _results(game, games, seed, tuple(players), workers, override)


def _results(
    game: Game[Any], games: int, seed: str, players: tuple[str, ...], workers: int, override: Path | None
) -> Iterator[Result]:
    seeds = [f"{seed}-{number}" for number in range(games)]
    if workers <= 1:
        for one in seeds:
            yield play_game(game, one, players)
        return
    # A fresh interpreter for each worker: the same on every system, and nothing inherited by accident.
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers, _sit_down, (game.id, override, players)) as pool:
        yield from pool.imap(_play, seeds, chunksize=max(1, min(16, games // (workers * 8))))


def totals(results: Iterable[Result], seconds: float, workers: int) -> dict[str, Any]:
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
