"""What lies on the table of Leningrad, for whoever looks at it. Nothing is hidden (14.0)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from grognard.board.board import each, union
from grognard.games.leningrad.rules import victory
from grognard.games.leningrad.rules.combat import Attack
from grognard.games.leningrad.rules.movement import MovingStack
from grognard.games.leningrad.rules.reach import whole_moves
from grognard.games.leningrad.rules.supply import supplied_hexes
from grognard.games.leningrad.state import DEAD, GERMAN, SOVIET, TO_COME, LeningradState
from grognard.kernel import Role, table
from grognard.kernel.advice import Effects, Toll
from grognard.kernel.events import Family
from grognard.kernel.table import (
    Badge,
    Count,
    Extra,
    Flag,
    GuideStep,
    Hand,
    Layer,
    Markers,
    PartKind,
    Table,
    UnitView,
)
from grognard.mechanics.control import zone
from grognard.mechanics.counters import printed, shown_unit
from grognard.mechanics.supposing import exposed
from grognard.mechanics.tabletop import told

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad

BADGES = (
    Badge("unsupplied", "disc", "warning"),
    Badge("untried", "diamond", "info"),
    Badge("reduced", "bar", "info"),
    Badge("moved", "triangle", "spent"),
    Badge("fought", "square", "spent"),
)

PARTS = (
    PartKind(Markers, "forts", glyph="fort"),
    PartKind(Markers, "interdicted", glyph="plane", tone="warning"),
    PartKind(Count, "forts-ready", sides=("soviet",), glyph="fort"),
    PartKind(Count, "air-ready", sides=("german",), glyph="plane"),
    PartKind(Flag, "surprise", tone="warning"),
)

LAYERS = (
    Layer("zones", "hatch"),
    Layer("supplied", "dots"),
    Layer("victory-hexes", "edge", sided=False),
    Layer("can-reach", "edge"),
    Layer("can-attack", "fill"),
)

# Ours: the book ranks the levels (18.3) and gives them no numbers; half lets a strategic victory be worth a
# risk and keeps any victory better than any defeat.
LEVELS = {"german-strategic": 1.0, "german-tactical": 0.5, "soviet-tactical": 0.5, "soviet-strategic": 1.0}

EXTRAS = (Extra("air", "commit"),)

GUIDE = (
    GuideStep("1", (Role.TAKE,), side="german"),
    GuideStep("2", (Role.TAKE, Role.STEP), selected=True),
    GuideStep("3", (Role.TAKE,), after=Family.MOVE, side="german"),
    GuideStep("4", (Role.AIM,), side="german"),
    GuideStep("5", (Role.AIM, Role.JOIN, Role.COMMIT), selected=True, side="german"),
    GuideStep("6", side="german"),
    GuideStep("soviet-wait", side="soviet"),
    GuideStep("soviet-loss", decisions=("lose-or-retreat", "fall-back"), side="soviet"),
    GuideStep("soviet-move", (Role.TAKE,), side="soviet"),
    GuideStep("soviet-fight", (Role.AIM, Role.JOIN, Role.COMMIT), side="soviet"),
)

EVENTS = told(
    turn="turn",
    phase="phase",
    move="moved",
    arrival="entered",
    battle="attack overrun",
    odds="odds",
    chance="revealed",
    loss="reduced eliminated trapped swept-away excess-destroyed",
    retreat="retreated",
    advance="advanced",
    score="verdict",
    other="surprise bound-to-march bound-to-attack air-support interdicted fort-built fort-destroyed "
    "regenerated",
)

MOST_SHOWN = 5_000
"""So many counters are remembered as they were shown."""

OFF_MAP = {TO_COME: table.TO_COME, DEAD: table.DEAD}


def describe(game: Leningrad, state: LeningradState, side: int | None) -> Table:
    number = game.board.number
    return Table(
        units=_shown(game, state),
        scores={
            "german": victory.german_points(game, state),
            "soviet": victory.soviet_points(game, state),
        },
        parts=(
            Markers("forts", [number(c) for c in each(state.forts)]),
            Markers("interdicted", [number(c) for c in state.interdicted]),
            Count("forts-ready", state.forts_ready, side="soviet"),
            Count("air-ready", state.air_ready, side="german"),
            Flag("surprise", state.surprise),
        ),
    )


def _units_done(state: LeningradState) -> tuple[int, int]:
    """The units that have moved (4.5) and fought (8.2) in the phase in progress."""
    return state.done if state.within("movement") else 0, state.fought if state.within("combat") else 0


class Facts(NamedTuple):
    """All that a unit's counter shows."""

    unit: int
    cell: int
    steps: int
    rating: int
    supplied: int
    moved: int
    fought: int


def _shown(game: Leningrad, state: LeningradState) -> list[UnitView]:
    """Units as they were shown before, where they have not changed since: nobody changes what is shown."""
    moved, fought = _units_done(state)
    lines = (supplied_hexes(game, state, GERMAN), supplied_hexes(game, state, SOVIET))
    units, germans = range(len(game.units)), state.germans
    facts = zip(
        units,
        state.where,
        state.steps,
        state.rating,
        [
            1 if cell < 0 else lines[unit >= germans] >> cell & 1
            for unit, cell in zip(units, state.where, strict=True)
        ],
        [moved >> unit & 1 for unit in units] if moved else repeat(0),
        [fought >> unit & 1 for unit in units] if fought else repeat(0),
        strict=False,
    )
    known = game.shown_units
    return [known.get(each) or _remembered(game, each) for each in facts]


def _remembered(game: Leningrad, facts: tuple[int, int, int, int, int, int, int]) -> UnitView:
    # Bounded: units return to few hexes.
    if len(game.shown_units) > MOST_SHOWN:
        game.shown_units.clear()
    found = game.shown_units[facts] = _unit(game, Facts(*facts))
    return found


def _unit(game: Leningrad, facts: Facts) -> UnitView:
    counter = game.units[facts.unit]
    shown = shown_unit(game, facts.unit, game.side(facts.unit), facts.cell, OFF_MAP)
    badges = shown["badges"]
    if not facts.supplied:
        badges.append("unsupplied")
    if counter.german:
        strength = counter.strength if facts.steps == 2 else counter.reduced
        shown["steps"] = facts.steps
        shown["attack"] = shown["defence"] = strength
        shown["face"] = [str(strength), game.points.text(counter.movement)]
        if facts.steps == 1:
            badges.append("reduced")
    elif facts.rating:
        drawn = game.data.untried[facts.rating - 1]
        shown["kind"] = drawn.kind
        shown["attack"], shown["defence"] = drawn.attack, drawn.defence
        shown["face"] = [str(drawn.attack), str(drawn.defence), game.points.text(counter.movement)]
    else:
        badges.append("untried")
        shown["face"] = ["?", "?", game.points.text(counter.movement)]
    if facts.moved:
        badges.append("moved")
    if facts.fought:
        badges.append("fought")
    if facts.cell == TO_COME:
        shown["turn"] = counter.turn
    return shown


def in_hand(game: Leningrad, state: LeningradState) -> Hand | None:
    """The stack on the move, or the attack being put together."""
    stack, attack = state.top(MovingStack), state.top(Attack)
    if stack is not None and stack.units:
        return Hand(stack.units, min(state.left[u] for u in stack.units))
    # The phase remembers its last attack: it is in hand only while it is being put together.
    if attack is not None and attack.targets and game.word_for(state, Role.JOIN) is not None:
        return Hand(attack=table.Attack(attack.targets, attack.attackers))
    return None


def extra_limits(state: LeningradState, side: int) -> Mapping[str, int]:
    """13.1 Air units that have not been used this turn."""
    return {"air": state.air_ready} if side == GERMAN and state.air_ready else {}


def layer(game: Leningrad, state: LeningradState, id_: str, side: int | None) -> list[int]:
    if id_ == "victory-hexes":
        return sorted({*game.victory(state).objectives, *game.leningrad})
    if side is None:
        raise KeyError(id_)
    cells = LAYER_CELLS[id_]
    return list(each(cells(game, state, side) & game.data.land))


def _can_reach(game: Leningrad, state: LeningradState, side: int) -> int:
    return union(whole_moves(game, state, side).values())


def _can_attack(game: Leningrad, state: LeningradState, side: int) -> int:
    """The enemy's hexes that a side could attack (8.1) after a whole move."""
    reach = whole_moves(game, state, side).values()
    return exposed(game.contact.__getitem__, state.occupied[side], reach, state.occupied[1 - side])


LAYER_CELLS: Mapping[str, Callable[[Leningrad, LeningradState, int], int]] = {
    "zones": zone,
    "supplied": supplied_hexes,
    "can-reach": _can_reach,
    "can-attack": _can_attack,
}


def effects(result: str) -> Effects:
    """9.5 Defender's share / attacker's share: steps or hexes, the owner's choice (10.1); E is everybody."""
    defender, attacker = (_toll(share) for share in result.split("/"))
    if attacker == Toll():
        return Effects("good", defender, attacker)
    return Effects("bad" if defender == Toll() else "mixed", defender, attacker)


def _toll(share: str) -> Toll:
    if share == "E":
        return Toll(wiped=True)
    owed = 0 if share == "-" else int(share)
    return Toll(owed, owed)


def result_text(game: Leningrad, result: str, language: str) -> str:
    shares = zip(("defender", "attacker"), result.split("/"), strict=True)
    parts = [f"{who}-{'none' if share == '-' else share}" for who, share in shares]
    return ", ".join(game.catalogue.template("results", part, language) for part in parts)


def counters(game: Leningrad, language: str) -> dict[str, dict[str, Any]]:
    """What is printed on every counter."""
    found = {}
    for index, unit in enumerate(game.units):
        faces = [[unit.strength], [unit.reduced]] if unit.german else []
        entry = [game.board.number(cell) for cell in unit.entries]
        found[unit.id] = {**printed(game, index, language, faces), "corps": unit.corps, "entry": entry}
    return found
