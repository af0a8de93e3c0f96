"""Whether two batches differ for more than luck: a change of rules or numbers against what was before."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, NamedTuple

from grognard.kernel.registry import load_game
from grognard.lab.batch import BatchError
from grognard.lab.report import Words
from grognard.lab.run import Batch
from grognard.lab.statistics import Interval, fisher, holm, mean, newcombe, permutation
from grognard.lab.summary import balance, open_for_reading
from grognard.lab.tables import read

LIMIT = 0.05
"""The risk that we take of calling luck a difference."""


class Comparison(NamedTuple):
    """Batch B against batch A, seen from the first side."""

    game: str
    side: str
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
    if a.plan.game != b.plan.game:
        raise BatchError(f"one batch is of {a.plan.game}, the other of {b.plan.game}")
    game, _ = open_for_reading(a)
    open_for_reading(b)
    lines = [read(batch.folder, "games").to_pylist() for batch in (a, b)]
    side = game.sides[0]
    won = [sum(line["winner"] == side for line in games) for games in lines]
    number = [len(games) for games in lines]
    points = [[float(balance(line, game.sides)) for line in games] for games in lines]
    moved = permutation(points[0], points[1])
    raised = holm({"wins": fisher(won[0], number[0], won[1], number[1]), "points": moved.p})
    old, new = asdict(a.plan), asdict(b.plan)
    changed = {key: (old[key], new[key]) for key in old if old[key] != new[key]}
    return Comparison(
        game=game.id,
        side=side,
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


def verdict(found: Comparison, language: str) -> str:
    """The comparison in a few sentences."""
    words = Words(language)
    game = load_game(found.game)
    side = str(game.settings.get("sides", dict)[found.side][language])
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
    return ", ".join(value) or "–" if isinstance(value, tuple | list) else str(value)
