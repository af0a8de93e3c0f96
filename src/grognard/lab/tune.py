"""Judgement learnt from play: how much each term of a doctrine should count, fitted to the outcomes of games.

A folder holds `tune.json` (what is played), `parts/` (for each game that has ended, what its terms were at
the beginning of every turn, and who won) and, in the end, `weights.json`, `own/` (a folder of own values with
the weights in it, for --overrides) and the page `fit.html`. A game follows from its number alone, a part
appears whole or not at all, and the fit follows from the parts: killed and resumed, the weights are the same.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from grognard.games.listing import game_folder
from grognard.kernel import Game
from grognard.kernel.registry import load_game
from grognard.lab.batch import BatchError
from grognard.lab.fit import chance, fit, loss
from grognard.lab.own import own_files
from grognard.lab.run import doctrine_digest, program
from grognard.lab.words import LabWords
from grognard.players import seat

PLAYER = "regular"
HELD_OUT = 5
"""Of so many games one is kept to see whether the fit holds for games it has not seen."""
STIFFNESS = 4.0
"""How many games' worth of doubt there is about leaving the weights as they are."""
LEAST, MOST = 0.4, 2.5
"""No term is trusted more or less than this at a time: tune again with the new weights."""
REFERENCE = "material"
"""The term that the others are weighed against: it keeps its weight."""


class Fit(NamedTuple):
    """What came of it."""

    weights: dict[str, dict[str, float]]
    """By side and term."""
    games: int
    positions: int
    before: float
    """How badly the held-out games were foretold with one weight for everything."""
    after: float
    bins: list[tuple[float, float, int]]
    """For the held-out positions: foretold, what came, how many."""


def tune(
    folder: Path,
    game_id: str,
    games: int,
    seed: str,
    workers: int = 1,
    override: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    cluster: str | None = None,
) -> Fit:
    """Play what has not been played yet, fit, and write down what was found. With the address of a Ray
    `cluster`, its nodes play instead of this machine's `workers`."""
    (folder / "parts").mkdir(parents=True, exist_ok=True)
    of_game = game_folder(game_id, override)
    head = {
        "game": game_id,
        "seed": seed,
        "player": PLAYER,
        "doctrine": doctrine_digest(of_game),
        "program": program(of_game),
    }
    path = folder / "tune.json"
    if path.exists() and json.loads(path.read_text(encoding="utf-8")) != head:
        raise BatchError(f"{folder} was begun with another seed, doctrine or program")
    path.write_text(json.dumps(head, indent=1), encoding="utf-8")
    left = [n for n in range(games) if not _part(folder, n).exists()]
    if progress is not None:
        progress(games - len(left), games)
    for done, (number, part) in enumerate(_played(game_id, override, seed, left, workers, cluster), 1):
        draft = _part(folder, number).with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(part), encoding="utf-8")
        draft.replace(_part(folder, number))
        if progress is not None:
            progress(games - len(left) + done, games)
    parts = [json.loads(_part(folder, n).read_text(encoding="utf-8")) for n in range(games)]
    sides = load_game(game_id, override).sides
    found = fitted(parts, sides)
    (folder / "weights.json").write_text(json.dumps(found._asdict(), indent=1), encoding="utf-8")
    own = folder / "own" / game_id
    own.mkdir(parents=True, exist_ok=True)
    (own / "doctrine.toml").write_text(as_toml(found, head), encoding="utf-8")
    return found


def _part(folder: Path, number: int) -> Path:
    return folder / "parts" / f"{number:06d}.json"


# Games


def positions(game: Game[Any], seed: str) -> dict[str, Any]:
    """A game of the regular player against itself: the terms of both sides whenever a turn begins, and what
    came of it for the first side."""
    doctrine = game.doctrine
    if doctrine is None:
        raise BatchError(f"{game.id} has no doctrine to tune")
    state = game.start(next(iter(game.scenarios)))
    game.settle(state, seed)
    seats = [seat(PLAYER, f"{seed}/{side}") for side in game.sides]
    random = Random(f"{seed}/imagine")
    seen: list[list[Mapping[str, float]]] = []
    turn = -1
    while (side := game.actor(state)) is not None:
        if game.turn(state) != turn:
            turn = game.turn(state)
            seen.append([dict(doctrine.terms(state, s)) for s in range(len(game.sides))])
        answer = seats[side].choose(game, game.imagine(state, side, random), side)
        game.apply(state, answer, side)
        game.settle(state, seed)
    outcome = game.outcome(state)
    assert outcome is not None
    won = 0.5 if outcome.winner is None else float(outcome.winner == 0)
    return {"won": won, "terms": seen}


_game: Game[Any] | None = None


def _sit_down(game_id: str, override: Path | None) -> None:
    global _game
    _game = load_game(game_id, override)


def _play(task: tuple[int, str]) -> tuple[int, dict[str, Any]]:
    assert _game is not None
    return task[0], positions(_game, task[1])


def _play_there(game_id: str, files: dict[str, bytes], task: tuple[int, str]) -> tuple[int, dict[str, Any]]:
    """One game on a node of a cluster; its process keeps the loaded game."""
    from grognard.lab.cluster import unpacked

    if _game is None or _game.id != game_id:
        _sit_down(game_id, unpacked(game_id, files))
    return _play(task)


def _played(
    game_id: str, override: Path | None, seed: str, numbers: Sequence[int], workers: int, cluster: str | None
) -> Iterator[tuple[int, dict[str, Any]]]:
    tasks = [(number, f"{seed}-{number}") for number in numbers]
    if cluster is not None:
        from grognard.lab.cluster import spread_out

        yield from spread_out(_play_there, (game_id, own_files(override, game_id)), tasks, cluster)
        return
    if workers <= 1 or len(tasks) < 2:
        _sit_down(game_id, override)
        yield from map(_play, tasks)
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(min(workers, len(tasks)), _sit_down, (game_id, override)) as pool:
        yield from pool.imap_unordered(_play, tasks)


# The fit


def fitted(parts: Sequence[Mapping[str, Any]], sides: Sequence[str]) -> Fit:
    """Each term of each side has a weight; first one for all of them, then one for each, which has to be
    earned."""
    names = sorted({name for part in parts for both in part["terms"] for terms in both for name in terms})
    columns = [(side, name) for side in range(len(sides)) for name in names]
    rows, outcomes, counts, held = [], [], [], []
    for number, part in enumerate(parts):
        for both in part["terms"]:
            # A bias for who is favoured, then what each side has, the other side's against it.
            signs = ((1 if side == 0 else -1) * both[side].get(name, 0.0) for side, name in columns)
            rows.append([1.0, *signs])
            outcomes.append(float(part["won"]))
            counts.append(1 / len(part["terms"]))
            held.append(number % HELD_OUT == HELD_OUT - 1)
    scales = [1.0, *(_spread([row[n + 1] for row in rows]) for n in range(len(columns)))]
    rows = [[x / s for x, s in zip(row, scales, strict=True)] for row in rows]
    learn = [n for n, out in enumerate(held) if not out]
    check = [n for n, out in enumerate(held) if out] or learn

    def taken(numbers: Sequence[int], of: Sequence[Any]) -> list[Any]:
        return [of[n] for n in numbers]

    lines = [[row[0], sum(x * s for x, s in zip(row[1:], scales[1:], strict=True))] for row in rows]
    data = taken(learn, outcomes), taken(learn, counts)
    bias, common = fit(taken(learn, lines), *data, [0.0, 0.0], [0.01, 0.0001])
    common = max(common, 1e-4)
    prior = [bias, *(common * s for s in scales[1:])]
    stiff = [0.01, *(STIFFNESS / max(1e-6, (common * s) ** 2) for s in scales[1:])]
    found = fit(taken(learn, rows), *data, prior, stiff)
    test = taken(check, rows), taken(check, outcomes), taken(check, counts)
    raw = {c: found[n + 1] / scales[n + 1] / common for n, c in enumerate(columns)}
    weights = {}
    for side, label in enumerate(sides):
        base = max(LEAST, raw.get((side, REFERENCE), 1.0))
        shares = {name: min(MOST, max(LEAST, raw[side, name] / base)) for name in names if name != REFERENCE}
        weights[label] = {name: round(share, 2) for name, share in shares.items()}
    return Fit(
        weights,
        len(parts),
        len(rows),
        loss([bias, common], taken(check, lines), test[1], test[2]),
        loss(found, *test),
        _bins([(chance(found, row), outcome) for row, outcome in zip(test[0], test[1], strict=True)]),
    )


def _spread(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return max(1e-6, math.sqrt(sum((v - mean) ** 2 for v in values) / len(values)))


def _bins(pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float, int]]:
    """Foretold and true, in five heaps from the surest defeat to the surest victory."""
    ordered = sorted(pairs)
    found = []
    for n in range(5):
        heap = ordered[n * len(ordered) // 5 : (n + 1) * len(ordered) // 5]
        if heap:
            means = (sum(p for p, _ in heap) / len(heap), sum(o for _, o in heap) / len(heap))
            found.append((round(means[0], 3), round(means[1], 3), len(heap)))
    return found


# What is written down


def as_toml(found: Fit, head: Mapping[str, str]) -> str:
    """The weights as a doctrine takes them, with where they come from."""
    games = f"{found.games} games of {head['player']} against itself, seed {head['seed']}"
    made_by = f"doctrine {head['doctrine']}, program {head['program']}"
    lines = [
        f"# Weights of terms, fitted to {games} ({found.positions} positions).",
        f"# Made by {made_by}.",
        f"# Loss on games held out: {found.before:.3f} before, {found.after:.3f} after.",
    ]
    for side, weights in found.weights.items():
        lines += ["", f"[weights.{side}]", *(f"{name} = {weight}" for name, weight in weights.items())]
    return "\n".join(lines) + "\n"


def fit_page(found: Fit, game: Game[Any], language: str) -> str:
    """The fit as a page."""
    words = LabWords(language)
    style = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    title = words("fit", "title", game=game.settings.get("title", dict)[language])
    names = {side: str(name[language]) for side, name in game.settings.get("sides", dict).items()}
    terms = sorted({name for weights in found.weights.values() for name in weights})

    def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"

    weights = table(
        [words("fit", "term"), *(names[side] for side in found.weights)],
        [[t, *(words.number(w.get(t, 1.0), 2) for w in found.weights.values())] for t in terms],
    )
    bins = table(
        [
            words("fit", "foretold"),
            words("fit", "true", side=names[game.sides[0]]),
            words("fit", "positions"),
        ],
        [[words.per_cent(p), words.per_cent(o), str(n)] for p, o, n in found.bins],
    )
    intro = words("fit", "intro", games=found.games, positions=found.positions)
    losses = words("fit", "loss", before=words.number(found.before, 3), after=words.number(found.after, 3))
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>\n{style}</style></head>\n"
        f"<body><header><h1>{escape(title)}</h1><p>{escape(intro)}</p></header>\n<main>"
        f"<section><h2>{escape(words('fit', 'weights'))}</h2>{weights}</section>"
        f"<section><h2>{escape(words('fit', 'held-out'))}</h2><p>{escape(losses)}</p>{bins}</section>"
        "</main></body></html>\n"
    )
