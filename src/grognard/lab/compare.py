"""Whether two batches differ for more than luck: a change of rules or numbers against what was before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from grognard.kernel.registry import load_game
from grognard.lab.batch import BatchError
from grognard.lab.run import Batch
from grognard.lab.statistics import Interval, fisher, holm, mean, newcombe, permutation
from grognard.lab.summary import balance, open_for_reading
from grognard.lab.tables import read
from grognard.lab.words import LabWords

LIMIT = 0.05
"""The risk that we take of calling luck a difference."""


class Comparison(NamedTuple):
    """Batch B against batch A, seen from the first side; where the players change sides, from the first
    player."""

    game: str
    side: str | None
    player: tuple[str, str] | None
    """The first player of each batch, where the comparison is of players."""
    games: tuple[int, int]
    wins: tuple[int, int]
    win_difference: float
    win_interval: Interval
    win_p: float
    points: tuple[float, float]
    points_difference: float
    points_interval: Interval
    points_p: float
    real: bool
    changed: dict[str, tuple[Any, Any]]

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "side": self.side,
            "player": None if self.player is None else {"a": self.player[0], "b": self.player[1]},
            "real": self.real,
            "limit": LIMIT,
            "games": {"a": self.games[0], "b": self.games[1]},
            "wins": {
                "a": self.wins[0],
                "b": self.wins[1],
                "difference": self.win_difference,
                "interval": list(self.win_interval),
                "p": self.win_p,
                "test": "Fisher's exact test, raised by Holm; interval by Newcombe",
            },
            "points": {
                "a": self.points[0],
                "b": self.points[1],
                "difference": self.points_difference,
                "interval": list(self.points_interval),
                "p": self.points_p,
                "test": "permutation test of the mean balance, raised by Holm; interval by Welch",
            },
            "changed": {key: {"a": a, "b": b} for key, (a, b) in self.changed.items()},
        }


def compare(a: Batch, b: Batch) -> Comparison:
    if a.spec.game != b.spec.game:
        raise BatchError(f"one batch is of {a.spec.game}, the other of {b.spec.game}")
    game, _ = open_for_reading(a)
    open_for_reading(b)
    lines = [read(batch.folder, "games").to_pylist() for batch in (a, b)]
    by_player = all(batch.spec.swap and len(set(batch.spec.players)) > 1 for batch in (a, b))
    # Whose side the comparison takes in each game.
    ours = [
        [_side_of(line, batch.spec.players[0], game.sides) if by_player else game.sides[0] for line in games]
        for batch, games in zip((a, b), lines, strict=True)
    ]
    won = [
        sum(line["winner"] == side for line, side in zip(*pair, strict=True))
        for pair in zip(lines, ours, strict=True)
    ]
    number = [len(games) for games in lines]
    points = [
        [
            float(balance(line, game.sides)) * (1 if side == game.sides[0] else -1)
            for line, side in zip(*pair, strict=True)
        ]
        for pair in zip(lines, ours, strict=True)
    ]
    moved = permutation(points[0], points[1])
    raised = holm({"wins": fisher(won[0], number[0], won[1], number[1]), "points": moved.p})
    old, new = (asdict(batch.spec) | {"own": batch.own_values()} for batch in (a, b))
    changed = {key: (old[key], new[key]) for key in old if old[key] != new[key]}
    return Comparison(
        game=game.id,
        side=None if by_player else game.sides[0],
        player=(a.spec.players[0], b.spec.players[0]) if by_player else None,
        games=(number[0], number[1]),
        wins=(won[0], won[1]),
        win_difference=won[1] / number[1] - won[0] / number[0],
        win_interval=newcombe(won[0], number[0], won[1], number[1]),
        win_p=raised["wins"],
        points=(mean(points[0]), mean(points[1])),
        points_difference=moved.difference,
        points_interval=moved.interval,
        points_p=raised["points"],
        real=min(raised.values()) < LIMIT,
        changed=changed,
    )


def _side_of(line: dict[str, Any], player: str, sides: Sequence[str]) -> str:
    return next(side for side in sides if line[f"player_{side}"] == player)


def verdict(found: Comparison, language: str) -> str:
    """The comparison in a few sentences."""
    words = LabWords(language)
    if found.side is not None:
        side = str(load_game(found.game).settings.get("sides", dict)[found.side][language])
    else:
        side = " → ".join(dict.fromkeys(found.player or ()))
    sentences = [
        words("compare", "real" if found.real else "unproven"),
        words(
            "compare",
            "wins",
            side=side,
            hits_a=found.wins[0],
            trials_a=found.games[0],
            hits_b=found.wins[1],
            trials_b=found.games[1],
            difference=words.signed(100 * found.win_difference),
            low=words.signed(100 * found.win_interval.low),
            high=words.signed(100 * found.win_interval.high),
            p=words.p_value(found.win_p),
        ),
        words(
            "compare",
            "points",
            side=side,
            difference=words.signed(found.points_difference),
            low=words.signed(found.points_interval.low),
            high=words.signed(found.points_interval.high),
            p=words.p_value(found.points_p),
        ),
        words("compare", "holm"),
    ]
    if found.changed:
        what = "; ".join(
            f"{words('plan', key)} {_plain(a)} → {_plain(b)}" for key, (a, b) in found.changed.items()
        )
        sentences.append(words("compare", "changed", what=what))
    else:
        sentences.append(words("compare", "same"))
    return " ".join(sentences)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "✓" if value else "–"
    return ", ".join(value) or "–" if isinstance(value, tuple | list) else str(value)
