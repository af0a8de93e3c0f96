"""What lies on the table of Crossroads: one part of every kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossroads.rules import Storm, Walk
from crossroads.state import TOKENS, CrossroadsState
from grognard.board.board import each
from grognard.kernel import Role, table
from grognard.kernel.advice import Effects, Toll
from grognard.kernel.events import EventKind, Family
from grognard.kernel.table import (
    Area,
    Badge,
    Company,
    Count,
    Display,
    Flag,
    Group,
    GuideStep,
    Hand,
    Holders,
    Layer,
    Markers,
    PartKind,
    Pool,
    Slot,
    Table,
    Track,
    UnitView,
)
from grognard.mechanics.pieces import status

if TYPE_CHECKING:
    from crossroads.game import Crossroads

SIDES = ("amber", "cobalt")

BADGES = (
    Badge("shaken", "bar", "warning"),
    Badge("marched", "triangle", "spent"),
    Badge("stormer", "square", "spent"),
)

PARTS = (
    PartKind(Markers, "redoubts", glyph="fort"),
    PartKind(Area, "lanes", sides=("cobalt",)),
    PartKind(Holders, "villages"),
    PartKind(Count, "spades", sides=SIDES, glyph="fort"),
    PartKind(Flag, "murk", tone="warning"),
    PartKind(Pool, "tokens", SIDES, ("held", "in-cup"), "token", tones=(("in-cup", "spent"),)),
    PartKind(Track, "heart"),
    PartKind(Display, "reserve", groups=("coppice", "wagons")),
    PartKind(Company, "snipers"),
)

LAYERS = (Layer("sight", "hatch"), Layer("prize", "edge", sided=False))

GUIDE = (
    GuideStep("wager"),
    GuideStep("lift", (Role.TAKE,)),
    GuideStep("tread", (Role.TAKE, Role.STEP), selected=True),
    GuideStep("assail", (Role.AIM,)),
)

EVENTS = {
    "daybreak": EventKind(Family.TURN),
    "phase": EventKind(Family.PHASE),
    "wagered": EventKind(Family.CHANCE),
    "returned": EventKind(Family.CHANCE),
    "trod": EventKind(Family.MOVE),
    "mustered": EventKind(Family.ARRIVAL),
    "embarked": EventKind(Family.MOVE),
    "alighted": EventKind(Family.MOVE),
    "dug": EventKind(Family.OTHER),
    "sniped": EventKind(Family.BATTLE),
    "hit": EventKind(Family.LOSS, dice=(6,)),
    "missed": EventKind(Family.RESULT, dice=(6,)),
    "stormed": EventKind(Family.BATTLE),
    "outcome": EventKind(Family.RESULT, dice=(6, 6), table="crt"),
    "lost": EventKind(Family.LOSS),
    "held": EventKind(Family.SCORE),
}


def describe(game: Crossroads, state: CrossroadsState, side: int | None) -> Table:
    number = game.board.number
    village = {number(game.village): game.sides[s] for s in (0, 1) if state.occupied[s] >> game.village & 1}
    return Table(
        units=[_unit(game, state, unit) for unit in range(len(game.units))],
        scores=dict(zip(game.sides, state.scores, strict=True)),
        parts=(
            Markers("redoubts", [number(c) for c in each(state.redoubts)]),
            Area("lanes", [number(c) for c in game.arrivals], side="cobalt"),
            Holders("villages", village),
            *(
                Count("spades", game.numbers["redoubts"] - state.dug[s], game.numbers["redoubts"], name)
                for s, name in enumerate(game.sides)
            ),
            Flag("murk", state.fog),
            *(_tokens(game, state, owner, side) for owner in (0, 1)),
            Track("heart", state.nerve, -game.numbers["nerve_limit"], game.numbers["nerve_limit"]),
            Display(
                "reserve",
                (
                    Slot("coppice", [game.units[u].id for u in state.stack(game.coppice)]),
                    Slot("wagons", [game.units[u].id for w in game.wagons for u in state.cargo(w)]),
                ),
            ),
            Company("snipers", [game.units[u].id for u in each(state.shooters)]),
        ),
    )


def _tokens(game: Crossroads, state: CrossroadsState, owner: int, side: int | None) -> Pool:
    """2.1 To the owner his tokens; to others how many there are."""
    own = (1 << TOKENS) - 1 << owner * TOKENS
    groups = []
    for name, tokens in (("held", state.hands[owner]), ("in-cup", state.cup & own)):
        known = [game.write_argument("token", t) for t in each(tokens)] if side == owner else []
        groups.append(Group(name, known, 0 if side == owner else tokens.bit_count()))
    return Pool("tokens", groups, game.sides[owner])


def _unit(game: Crossroads, state: CrossroadsState, unit: int) -> UnitView:
    counter, place = game.units[unit], state.where[unit]
    badges = [
        *(["shaken"] if state.steps[unit] and state.steps[unit] < counter.steps else []),
        *(["marched"] if state.moved >> unit & 1 else []),
        *(["stormer"] if state.fought >> unit & 1 else []),
    ]
    shown: UnitView = {
        "id": counter.id,
        "side": game.sides[game.side(unit)],
        "kind": counter.kind,
        "hex": game.board.number(place) if place >= 0 else None,
        "status": status(place),
        "badges": badges,
        "steps": state.steps[unit],
        "attack": game.attack(state, unit),
        "defence": game.defence(state, unit),
    }
    if shown["status"] in (table.IN_BOX, table.ABOARD):
        shown["place"] = game.places.write(place)
    if counter.turn > state.turn:
        shown["turn"] = counter.turn
    return shown


def in_hand(game: Crossroads, state: CrossroadsState) -> Hand | None:
    walk, storm = state.top(Walk), state.top(Storm)
    if walk is not None:
        return Hand((walk.unit,), state.left[walk.unit])
    if storm is not None:
        return Hand(attack=table.Attack((storm.target,), storm.attackers))
    return None


def layer(game: Crossroads, state: CrossroadsState, id_: str, side: int | None) -> list[int]:
    if id_ == "prize":
        return [game.village]
    if id_ != "sight" or side is None:
        raise KeyError(id_)
    return sorted({n for c in each(state.occupied[side]) for n in game.board.adjacent[c]})


EFFECTS = {
    "AE": Effects("bad", Toll(), Toll(wiped=True)),
    "AL": Effects("bad", Toll(), Toll(1)),
    "-": Effects("mixed", Toll(), Toll()),
    "EX": Effects("mixed", Toll(1), Toll(1)),
    "DL": Effects("good", Toll(1), Toll()),
    "DE": Effects("good", Toll(wiped=True), Toll()),
}
