"""Who won how often: each side, each player, and each player on each side. Needs no other package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from grognard.lab.batch import LongTurn
from grognard.lab.statistics import Rate, rate
from grognard.lab.words import LabWords, markdown


class GameLine(NamedTuple):
    """What a game adds to the standings."""

    number: int
    players: Sequence[str]
    """In the order of the sides."""
    winner: str | None
    """A side; None for a draw."""
    longest: Sequence[LongTurn]


class Thought(NamedTuple):
    """The longest that somebody took for one turn, and when."""

    seconds: float
    player: str
    side: str
    game: int
    turn: int


class Score(NamedTuple):
    """How a player did on a side."""

    player: str | None
    """None: whoever it was."""
    side: str | None
    """None: on whichever side."""
    won: Rate
    drawn: int
    slowest: Thought | None

    def as_json(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "side": self.side,
            **_rate_as_json(self.won),
            "draws": self.drawn,
            "slowest_turn": None if self.slowest is None else self.slowest._asdict(),
        }


class Standings(NamedTuple):
    sides: Sequence[Score]
    players: Sequence[Score]
    """On whichever side. Empty where a player met itself: it wins what it loses."""
    seats: Sequence[Score]
    draws: Rate
    slowest: Thought | None

    def as_json(self) -> dict[str, Any]:
        return {
            "sides": [score.as_json() for score in self.sides],
            "players": [score.as_json() for score in self.players],
            "seats": [score.as_json() for score in self.seats],
            "draws": _rate_as_json(self.draws, "draws"),
            "slowest_turn": None if self.slowest is None else self.slowest._asdict(),
        }


def _rate_as_json(found: Rate, what: str = "wins") -> dict[str, Any]:
    return {
        what: found.hits,
        "games": found.trials,
        "share": round(found.share, 4),
        "interval": [round(end, 4) for end in found.interval],
    }


def standings(games: Iterable[GameLine], sides: Sequence[str]) -> Standings:
    trials: Counter[tuple[str | None, str | None]] = Counter()
    won: Counter[tuple[str | None, str | None]] = Counter()
    drawn: Counter[tuple[str | None, str | None]] = Counter()
    slowest: dict[tuple[str | None, str | None], Thought] = {}
    mirror = False
    for line in games:
        mirror = mirror or len(set(line.players)) < len(line.players)
        for player, side, longest in zip(line.players, sides, line.longest, strict=True):
            thought = Thought(longest.seconds, player, side, line.number, longest.turn)
            for key in ((None, None), (player, None), (None, side), (player, side)):
                trials[key] += 1
                won[key] += line.winner == side
                drawn[key] += line.winner is None
                if key not in slowest or thought.seconds > slowest[key].seconds:
                    slowest[key] = thought

    def score(player: str | None, side: str | None) -> Score:
        key = (player, side)
        return Score(player, side, rate(won[key], trials[key]), drawn[key], slowest.get(key))

    names = sorted({player for player, _ in trials if player is not None})
    number = trials[None, None] // len(sides)
    return Standings(
        sides=[score(None, side) for side in sides],
        players=[] if mirror else [score(player, None) for player in names],
        seats=[score(player, side) for player in names for side in sides if trials[player, side]],
        draws=rate(drawn[None, None] // len(sides), number),
        slowest=slowest.get((None, None)),
    )


def rows(found: Standings) -> list[Score]:
    """The scores worth reading: a total over one seat only would say the same again."""
    several = [s for s in found.players if sum(seat.player == s.player for seat in found.seats) > 1]
    swapped = len(found.seats) > len(found.sides)
    return [*several, *found.seats, *(found.sides if swapped else ())]


def table(found: Standings, names: Mapping[str, str], words: LabWords) -> list[list[str]]:
    """The scores in words, the head of the columns first. `names`: what the sides are called."""
    codes = ("player", "side", "wins", "share", "interval-head", "draws", "slowest")
    lines = [[words("standings", code) for code in codes]]
    for score in rows(found):
        lines.append(
            [
                score.player or words("standings", "anybody"),
                words("standings", "all-sides") if score.side is None else names[score.side],
                words.of(score.won),
                words.per_cent(score.won.share),
                words.between(score.won.interval),
                str(score.drawn),
                "–" if score.slowest is None else _when(score.slowest, words),
            ]
        )
    return lines


def _when(thought: Thought, words: LabWords) -> str:
    seconds = words.number(thought.seconds, 2)
    return words("standings", "when", seconds=seconds, game=thought.game, turn=thought.turn)


def told(found: Standings, names: Mapping[str, str], words: LabWords) -> str:
    """The standings for a terminal or a page of notes."""
    head, *body = table(found, names, words)
    parts = [markdown(head, body)]
    draws = found.draws
    parts.append(words("standings", "drawn", of=words.of(draws), between=words.between(draws.interval)))
    if found.slowest is not None:
        parts.append(
            words(
                "standings",
                "slowest-of-all",
                player=found.slowest.player,
                side=names[found.slowest.side],
                when=_when(found.slowest, words),
            )
        )
    return "\n\n".join([parts[0], " ".join(parts[1:])])
