"""What lies on the table of A Victory Lost, for whoever looks: only chits are hidden (7.1.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grognard.board.board import each, union
from grognard.games.a_victory_lost.data import read_result
from grognard.games.a_victory_lost.rules.combat import Attack
from grognard.games.a_victory_lost.rules.command import Activation, first_chit, written_chits
from grognard.games.a_victory_lost.rules.odds import attack_strength, defence_strength
from grognard.games.a_victory_lost.rules.pocket import pocket_closed, usable_ground
from grognard.games.a_victory_lost.rules.reach import Move, whole_moves
from grognard.games.a_victory_lost.rules.setup import OPTIONS, option, takes_part
from grognard.games.a_victory_lost.rules.supply import supplied_hexes
from grognard.games.a_victory_lost.state import (
    AXIS,
    DEAD,
    IN_BOX,
    ISOLATED,
    LIFTED,
    NO_CHIT,
    SOVIET,
    SUPPLIED,
    TO_COME,
    VictoryState,
)
from grognard.kernel import Role, table
from grognard.kernel.advice import Effects, Toll
from grognard.kernel.table import (
    Area,
    Badge,
    Company,
    Count,
    Flag,
    Group,
    GuideStep,
    Hand,
    Holders,
    Layer,
    Part,
    PartKind,
    Pool,
    Table,
    UnitView,
)
from grognard.mechanics.control import zone
from grognard.mechanics.counters import printed, shown_unit
from grognard.mechanics.supposing import exposed
from grognard.mechanics.tabletop import told

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost

STATUS = {TO_COME: table.TO_COME, DEAD: table.DEAD, IN_BOX: table.IN_BOX, LIFTED: table.OFF_MAP}

BADGES = (
    Badge("unsupplied", "disc", "warning"),
    Badge("isolated", "disc", "danger"),
    Badge("reduced", "bar", "info"),
    Badge("activated", "diamond", "info"),
    Badge("moved", "triangle", "spent"),
    Badge("fought", "square", "spent"),
)

CHIT_GROUPS = ("cup", "out-of-cup", "played", "put-back", "planned")

PARTS = (
    PartKind(Count, "cup", glyph="dot"),
    PartKind(Pool, "chit-in-play", groups=("in-play",), pieces="chit", tone="warning"),
    PartKind(Company, "acting"),
    PartKind(
        *(Pool, "chits", ("axis", "soviet"), CHIT_GROUPS, "chit"),
        tones=(("played", "spent"), ("put-back", "warning")),
    ),
    PartKind(Area, "radius"),
    PartKind(Area, "pocket", tone="warning"),
    PartKind(Holders, "cities", glyph="star"),
    PartKind(Flag, "special-combat"),
    *(PartKind(Flag, name) for name in OPTIONS),
)

LAYERS = (
    Layer("zones", "hatch"),
    Layer("supplied", "dots"),
    Layer("usable", "fill", sided=False),
    Layer("can-reach", "edge"),
    Layer("can-attack", "fill"),
)

SYMBOLS = {"hq": "headquarters", "panzer": "armour"}

GUIDE = (
    GuideStep("wait-soviet", side="soviet"),
    GuideStep("wait-axis", side="axis"),
    GuideStep("five", decisions=("choose-five",)),
    GuideStep("chits", decisions=("select-chits",)),
    GuideStep("special", decisions=("special-combat",)),
    GuideStep("move", decisions=("pick-unit", "move-unit")),
    GuideStep("fight", decisions=("choose-target",)),
    GuideStep("odds", (Role.AIM, Role.JOIN, Role.COMMIT), selected=True),
    GuideStep("loss", decisions=("lose-step", "fall-back", "hq-goes-with")),
    GuideStep("advance", decisions=("advance-unit", "advance-on", "bring-hq")),
)

EVENTS = told(
    turn="turn",
    phase="cup-filled activation",
    move="moved",
    arrival="chit-received entered in-box arrived",
    battle="attack hq-overrun",
    odds="odds",
    chance="chit-drawn",
    loss="reduced eliminated never-arrived trapped",
    retreat="retreated hq-retreated hq-repositioned hq-sent-back",
    advance="advanced hq-advanced",
    supply="supplied unsupplied isolated",
    score="city-taken sudden-death counted-lost verdict",
    other="pocket-open five-chosen chits-selected chits-planned manstein-put-back no-hq no-room hq-displaced "
    "hq-withdrawn",
)


def describe(game: AVictoryLost, state: VictoryState, side: int | None) -> Table:
    return Table(
        units=[_unit(game, state, unit) for unit in range(len(game.units))],
        scores={name: state.points[number] for number, name in enumerate(game.sides)},
        parts=tuple(_parts(game, state, side)),
    )


def _parts(game: AVictoryLost, state: VictoryState, side: int | None) -> list[Part]:
    number = game.board.number
    drawn = [game.chits[state.drawn].id] if state.drawn != NO_CHIT else []
    activation = state.frame("activation", Activation)
    holders = {
        number(c): game.sides[SOVIET if state.soviet_cities >> c & 1 else AXIS]
        for c in each(game.cities(state))
    }
    pocket = game.data.pocket if pocket_closed(game, state) else 0
    return [
        Count("cup", state.cup.bit_count()),
        Pool("chit-in-play", [Group("in-play", drawn)]),
        Company("acting", [game.units[hq].id for hq in activation.hqs] if activation else []),
        *(_chits(game, state, owner, side) for owner in (AXIS, SOVIET)),
        Area("radius", [number(c) for c in each(activation.area)] if activation else []),
        Area("pocket", [number(c) for c in each(pocket)], "hatch"),
        Holders("cities", holders),
        Flag("special-combat", bool(activation and activation.special)),
        *(Flag(name, option(state, name)) for name in OPTIONS),
    ]


def _chits(game: AVictoryLost, state: VictoryState, owner: int, side: int | None) -> Pool:
    """7.1.3 To the owner everything; to others what has been drawn, and how many there are. The Axis chits
    are known from the turn track; which of them are in the cup is not."""
    own, pool = game.chits_of[owner], state.pool[owner]
    going_on = bool(state.cup or state.played & ~first_chit(state))
    in_cup = state.cup & own
    played = state.played & own
    put_back = state.refused & in_cup

    def ids(chits: int) -> list[str]:
        return [game.chits[c].id for c in each(chits)]

    if side == owner:
        # Before the cup is filled they are only selected, and can be known to the owner alone.
        written = state.written(owner)
        pool |= written_chits(written, "take")
        selected = in_cup if going_on else state.chosen[owner] | written_chits(written, "select")
        planned = (state.planned if owner == SOVIET else 0) | written_chits(written, "plan")
        groups = [
            Group("cup", ids(selected & ~put_back)),
            Group("out-of-cup", ids(pool & ~selected & ~played)),
            Group("played", ids(played)),
            Group("put-back", ids(put_back)),
            Group("planned", ids(planned)),
        ]
    else:
        # While the Soviets choose their five (3.0), nobody is told how many they have chosen already.
        owned = pool.bit_count()
        if owner == SOVIET and not state.turn:
            owned = game.data.numbers["soviet_pool"] + 1
        known = pool if owner == AXIS else pool & (state.shown | game.stavka)
        # What is in the cup is one of those known, or one of those not: nobody can tell which.
        groups = [
            Group("cup", [], (in_cup & ~put_back).bit_count() if going_on else 0),
            Group("out-of-cup", ids(known & ~played & ~put_back), owned - known.bit_count()),
            Group("played", ids(played)),
            Group("put-back", ids(put_back)),
        ]
    return Pool("chits", groups, game.sides[owner])


def _unit(game: AVictoryLost, state: VictoryState, unit: int) -> UnitView:
    counter, cell = game.units[unit], state.where[unit]
    shown = shown_unit(game, unit, game.side(unit), cell, STATUS)
    badges = shown["badges"]
    if cell == DEAD and not takes_part(game, state, counter):
        # Whom a scenario leaves out has not been lost.
        shown["status"] = table.OFF_MAP
    shown["nation"] = counter.nation
    shown["attack"] = attack_strength(game, state, unit)
    shown["defence"] = defence_strength(game, state, unit)
    if counter.hq:
        shown["radius"] = counter.radius
    else:
        shown["steps"] = state.steps[unit]
        if 0 < state.steps[unit] < counter.steps:
            badges.append("reduced")
    if cell >= 0 and state.supply[unit] != SUPPLIED:
        badges.append("isolated" if state.supply[unit] == ISOLATED else "unsupplied")
    if cell == TO_COME:
        shown["turn"] = state.due[unit]
    if state.activated >> unit & 1:
        badges.append("activated")
        if state.moved >> unit & 1:
            badges.append("moved")
        if state.fought >> unit & 1:
            badges.append("fought")
    return shown


def in_hand(game: AVictoryLost, state: VictoryState) -> Hand | None:
    """The unit on the move, or the attack being put together."""
    if (move := state.top(Move)) is not None:
        return Hand((move.unit,), move.left)
    # The sequence remembers its last attack: it is in hand only while it is being put together.
    if (attack := state.top(Attack)) is not None and game.word_for(state, Role.JOIN) is not None:
        return Hand(attack=table.Attack((attack.target,), attack.attackers))
    return None


def layer(game: AVictoryLost, state: VictoryState, id_: str, side: int | None) -> list[int]:
    if id_ == "usable":
        return list(each(usable_ground(game, state)))
    if side is None:
        raise KeyError(id_)
    cells = LAYER_CELLS[id_]
    return list(each(cells(game, state, side)))


def _can_reach(game: AVictoryLost, state: VictoryState, side: int) -> int:
    moves = whole_moves(game, state, side)
    return union(cells for unit, cells in moves.items() if not game.units[unit].hq)


def _can_attack(game: AVictoryLost, state: VictoryState, side: int) -> int:
    """The enemy's hexes that a side's combat units could attack (9.0) after a whole move."""
    moves = whole_moves(game, state, side)
    reach = [cells for unit, cells in moves.items() if not game.units[unit].hq]
    return exposed(game.contact.__getitem__, state.fighters[side], reach, state.fighters[1 - side])


LAYER_CELLS = {
    "zones": zone,
    "supplied": supplied_hexes,
    "can-reach": _can_reach,
    "can-attack": _can_attack,
}


def effects(result: str) -> Effects:
    """9.4.1 Steps that the attacker loses, or steps and hexes of retreat for the defender."""
    told = read_result(result)
    defender = Toll(told.defender, told.retreat)
    attacker = Toll(told.attacker)
    return Effects("bad" if told.attacker else "good" if defender != Toll() else "mixed", defender, attacker)


def result_text(game: AVictoryLost, result: str, language: str) -> str:
    told = read_result(result)
    told_of = {"attacker": told.attacker, "defender": told.defender, "retreat": told.retreat}
    parts = [f"{what}-{number}" for what, number in told_of.items() if number]
    return ", ".join(game.catalogue.template("results", part, language) for part in parts or ["none"])


def counters(game: AVictoryLost, language: str) -> dict[str, dict[str, Any]]:
    """What is printed on every counter."""
    found = {}
    for index, unit in enumerate(game.units):
        strengths = [(unit.attack, unit.defence), (unit.reduced_attack, unit.reduced_defence)]
        faces = [pair if unit.mechanised else pair[:1] for pair in strengths[: unit.steps]]
        entry = "box" if unit.box else "rail" if unit.turn else ""
        common = printed(game, index, language, [[unit.radius]] if unit.hq else faces)
        found[unit.id] = {**common, "nation": unit.nation, "entry": entry}
    return found
