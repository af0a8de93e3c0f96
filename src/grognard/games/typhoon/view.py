"""What lies on the table of Typhoon!, for whoever looks: air units on missions and the plan are hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.declaring import Attack
from grognard.games.typhoon.rules.ground import routes, zone
from grognard.games.typhoon.rules.hand import Move
from grognard.games.typhoon.rules.odds import hexes_of
from grognard.games.typhoon.rules.offensives import VORONEZH
from grognard.games.typhoon.rules.results import read_result
from grognard.games.typhoon.state import (
    ACTIVE,
    AIR_FLYING,
    AIR_NAMES,
    AIR_READY,
    AXIS,
    CADRE,
    ELIMINATED,
    GONE,
    PLAN_NAMES,
    SOVIET,
    SUBSTITUTES,
    SUPPLY_POOL,
    TO_COME,
    TyphoonState,
)
from grognard.kernel import Role, table
from grognard.kernel.advice import Effects, Toll
from grognard.kernel.events import EventKind, Family
from grognard.kernel.table import (
    Badge,
    Count,
    Display,
    GuideStep,
    Hand,
    Holders,
    Layer,
    Markers,
    Part,
    PartKind,
    Slot,
    Table,
    Track,
    UnitView,
)
from grognard.mechanics.counters import shown_unit

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

STATUS = {
    TO_COME: table.TO_COME,
    CADRE: table.IN_BOX,
    ELIMINATED: table.DEAD,
    ACTIVE: table.TO_COME,
    GONE: table.OFF_MAP,
    SUPPLY_POOL: table.OFF_MAP,
    SUBSTITUTES: table.OFF_MAP,
}

BADGES = (
    Badge("emergency", "disc", "info"),
    Badge("unsupplied", "disc", "warning"),
    Badge("step-loss", "bar", "info"),
    Badge("overrun", "diamond", "danger"),
    Badge("garrison", "square", "info"),
    Badge("refitting", "triangle", "info"),
    Badge("activated", "triangle", "spent"),
    Badge("moved", "triangle", "spent"),
    Badge("attacking", "diamond", "info"),
    Badge("fought", "square", "spent"),
)

BOTH = ("axis", "soviet")
PARTS = (
    PartKind(Display, "weather", groups=("sky",), pieces="weather"),
    PartKind(Track, "points"),
    PartKind(Display, "air", sides=BOTH, groups=(*AIR_NAMES, "flying"), pieces="flyer"),
    PartKind(Markers, "missions", sides=BOTH, glyph="plane"),
    PartKind(Markers, "interdiction", glyph="cross", tone="danger"),
    PartKind(Markers, "attacks", glyph="star", tone="warning"),
    PartKind(Markers, "strongpoints", sides=BOTH, glyph="fort"),
    PartKind(Markers, "works", sides=BOTH, glyph="fort", tone="spent"),
    PartKind(Markers, "broken-lines", glyph="cross", tone="spent"),
    PartKind(Markers, "pontoons", sides=BOTH, glyph="dot"),
    PartKind(Markers, "railheads", glyph="wheel"),
    PartKind(Markers, "cuts", glyph="cross", tone="warning"),
    PartKind(Display, "cadres", sides=BOTH, groups=("cadre", "eliminated")),
    PartKind(Count, "rail", sides=BOTH, glyph="wheel"),
    PartKind(Count, "replacements", sides=BOTH),
    PartKind(Display, "plan", groups=("plan",), pieces="plan"),
    PartKind(Holders, "towns", glyph="star"),
)

LAYERS = (Layer("supply", "fill"), Layer("zones", "hatch"))

SYMBOLS = {
    "hq": "headquarters",
    "assault_gun": "armour",
    "armoured_train": "armour",
    "antiaircraft": "artillery",
    "antitank": "artillery",
    "motorcycle": "recon",
    "ski": "mountain",
    "supply_truck": "supply",
    "supply_wagon": "supply",
}

LESSON = ("learning",)
GUIDE = (
    GuideStep("aims-axis", side="axis"),
    GuideStep("aims-soviet", side="soviet"),
    GuideStep("wait-axis", side="axis", scenarios=LESSON),
    GuideStep("wait-soviet", side="soviet", scenarios=LESSON),
    GuideStep("supply", decisions=("place-supply-axis", "place-supply-soviet")),
    GuideStep("prepare", decisions=("prepare",)),
    GuideStep("move", decisions=("pick-unit", "move-units")),
    GuideStep("declare", (Role.AIM,), after=Family.MOVE, decisions=("pick-unit",)),
    GuideStep(
        "odds",
        (Role.AIM, Role.JOIN, Role.COMMIT),
        selected=True,
        decisions=("pick-unit", "build-attack"),
    ),
    GuideStep("react", decisions=("react",)),
    GuideStep("air", decisions=("lay-interdiction", "lay-opposition", "lay-support")),
    GuideStep("battle", decisions=("choose-combat", "prepare-attack")),
    GuideStep("loss", decisions=("lose-step", "fall-back")),
    GuideStep("advance", decisions=("advance-units",)),
)

EVENTS = {
    "turn": EventKind(Family.TURN),
    "weather-rolled": EventKind(Family.CHANCE, dice=(10,)),
    "weather-given": EventKind(Family.CHANCE),
    "supply-lost": EventKind(Family.SUPPLY),
    "supply-spent": EventKind(Family.SUPPLY),
    "garrison-released": EventKind(Family.OTHER),
    "maintained": EventKind(Family.CHANCE, dice=(10,)),
    "flyer-rebuilt": EventKind(Family.ARRIVAL),
    "mission-laid": EventKind(Family.OTHER),
    "initiative": EventKind(Family.CHANCE, dice=(10,)),
    "turned-up": EventKind(Family.OTHER),
    "engaged": EventKind(Family.OTHER),
    "shot": EventKind(Family.CHANCE, dice=(10,)),
    "recalled": EventKind(Family.OTHER),
    "flak": EventKind(Family.CHANCE, dice=(10,)),
    "interdicted": EventKind(Family.OTHER),
    "supported": EventKind(Family.OTHER),
    "reported": EventKind(Family.CHANCE, dice=(10,)),
    "panic": EventKind(Family.OTHER),
    "attack-ordered": EventKind(Family.OTHER),
    "deserted": EventKind(Family.LOSS),
    "group-called": EventKind(Family.ARRIVAL),
    "air-released": EventKind(Family.OTHER),
    "fed": EventKind(Family.SUPPLY),
    "plan-shown": EventKind(Family.OTHER),
    "plan-returned": EventKind(Family.OTHER),
    "plan-drawn": EventKind(Family.CHANCE),
    "unit-withdrawn": EventKind(Family.OTHER),
    "withdrawal-refused": EventKind(Family.SCORE),
    "fort-begun": EventKind(Family.OTHER),
    "fort-finished": EventKind(Family.OTHER),
    "fort-destroyed": EventKind(Family.OTHER),
    "line-destroyed": EventKind(Family.OTHER),
    "rail-converted": EventKind(Family.SUPPLY),
    "rail-repaired": EventKind(Family.SUPPLY),
    "rail-cut": EventKind(Family.SUPPLY),
    "rail-taken-back": EventKind(Family.SUPPLY),
    "step-restored": EventKind(Family.ARRIVAL),
    "cadre-saved": EventKind(Family.ARRIVAL),
    "cadre-raised": EventKind(Family.ARRIVAL),
    "supply-arrived": EventKind(Family.SUPPLY),
    "supplied": EventKind(Family.SUPPLY),
    "emergency": EventKind(Family.SUPPLY),
    "unsupplied": EventKind(Family.SUPPLY),
    "fort-decayed": EventKind(Family.OTHER),
    "lightened": EventKind(Family.OTHER),
    "combined": EventKind(Family.OTHER),
    "moved": EventKind(Family.MOVE),
    "railed": EventKind(Family.MOVE),
    "arrived": EventKind(Family.ARRIVAL),
    "declared": EventKind(Family.OTHER),
    "attack-withdrawn": EventKind(Family.OTHER),
    "will-hold": EventKind(Family.OTHER),
    "will-yield": EventKind(Family.OTHER),
    "guns-laid": EventKind(Family.OTHER),
    "attack": EventKind(Family.BATTLE),
    "odds": EventKind(Family.ODDS),
    "reduced": EventKind(Family.LOSS),
    "to-cadre": EventKind(Family.LOSS),
    "eliminated": EventKind(Family.LOSS),
    "retreated": EventKind(Family.RETREAT),
    "advanced": EventKind(Family.ADVANCE),
    "overrun": EventKind(Family.BATTLE),
    "result": EventKind(Family.RESULT, dice=(10,), table="crt"),
    "broke-out": EventKind(Family.RETREAT, dice=(10,)),
    "broken": EventKind(Family.RETREAT, dice=(10,)),
    "overrun-rolled": EventKind(Family.CHANCE, dice=(10,)),
    "surrendered": EventKind(Family.LOSS, dice=(10,)),
    "holds-out": EventKind(Family.CHANCE, dice=(10,)),
    "source-fed": EventKind(Family.SUPPLY),
    "detached": EventKind(Family.OTHER),
    "rejoined": EventKind(Family.OTHER),
    "named-for-refit": EventKind(Family.OTHER),
    "bridged": EventKind(Family.OTHER),
    "airlifted": EventKind(Family.MOVE),
    "attacks-forfeited": EventKind(Family.SCORE),
    "parade": EventKind(Family.SCORE),
    "moscow-shelled": EventKind(Family.SCORE),
    "offensive-declared": EventKind(Family.OTHER),
    "left-the-map": EventKind(Family.SCORE),
    "called-back": EventKind(Family.SCORE),
    "counted": EventKind(Family.SCORE),
    "verdict": EventKind(Family.SCORE),
}


def describe(game: Typhoon, state: TyphoonState, side: int | None) -> Table:
    return Table(
        units=[_unit(game, state, unit) for unit in range(len(game.units))],
        scores={game.sides[AXIS]: state.points, game.sides[SOVIET]: -state.points},
        parts=tuple(_parts(game, state, side)),
    )


def _parts(game: Typhoon, state: TyphoonState, side: int | None) -> list[Part]:
    number, area = game.board.number, game.outline(state).area

    def numbers(cells: int) -> list[str]:
        return [number(cell) for cell in each(cells)]

    towns = game.cities | game.major_cities | bits(cell for cell, *_ in game.outline(state).places)
    holders = {
        number(c): game.sides[SOVIET if state.soviet_hexes >> c & 1 else AXIS] for c in each(towns & area)
    }
    found: list[Part] = [
        Display("weather", [Slot("sky", pieces=[state.sky.weather])]),
        Track("points", state.points, -60, 99),
        Markers("interdiction", [number(cell) for cell in state.interdicted]),
        _declared(game, state),
        Markers("broken-lines", numbers(state.broken_lines)),
        Markers("railheads", [number(head.cell) for head in state.heads]),
        Markers("cuts", numbers(state.cuts)),
        Holders("towns", holders),
    ]
    if state.plan_known or side == AXIS:
        found.append(Display("plan", [Slot("plan", pieces=[PLAN_NAMES[state.plan]])]))
    else:
        found.append(Display("plan", [Slot("plan")]))
    for owner in (AXIS, SOVIET):
        name = game.sides[owner]
        found += [
            _air(game, state, owner, side),
            Markers("missions", [number(m.cell) for m in state.missions for _ in m.units[owner]], name),
            Markers("strongpoints", numbers(state.forts[owner]), name),
            Markers("works", numbers(state.works[owner]), name),
            Markers("pontoons", [number(p.cell) for p in state.pontoons if p.side == owner], name),
            Display(
                "cadres",
                [
                    Slot("cadre", units=_ids(game, state.at.get(CADRE, 0) & game.units_of[owner])),
                    Slot("eliminated", units=_ids(game, state.at.get(ELIMINATED, 0) & game.units_of[owner])),
                    *_away(game, state, owner),
                ],
                name,
            ),
            Count("rail", state.rail_left[owner], side=name),
            Count("replacements", state.replacements[owner], side=name),
        ]
    return found


def _declared(game: Typhoon, state: TyphoonState) -> Markers:
    """8.1.2 The attacks that are declared and not yet fought: where they come from, and what they are on."""
    number, open_ = game.board.number, [a for a in state.attacks if not a.fought]
    return Markers(
        "attacks",
        [number(cell) for cell in each(bits(cell for a in open_ for cell in a.targets))],
        arrows=[
            (number(start), number(cell))
            for a in open_
            for start in hexes_of(state, [unit for unit in a.attackers if state.where[unit] >= 0])
            for cell in a.targets
        ],
    )


def _away(game: Typhoon, state: TyphoonState, owner: int) -> list[Slot]:
    """17.4.3 Divisions on the way to Voronezh, where a scenario sends any."""
    if owner != AXIS or VORONEZH not in game.outline(state).special:
        return []
    return [Slot("away", units=_ids(game, bits(u for a in state.away if not a.back for u in a.units)))]


def _ids(game: Typhoon, units: int) -> list[str]:
    return [game.units[unit].id for unit in each(units)]


def _air(game: Typhoon, state: TyphoonState, owner: int, side: int | None) -> Display:
    """11.1.2, 11.1.7 The boxes of air units lie open; who is on a mission only its owner knows. To others
    those on missions lie with those that are ready."""
    slots = []
    for place, name in enumerate(AIR_NAMES):
        inside = {place} if place != AIR_READY or side == owner else {AIR_READY, AIR_FLYING}
        slots.append(Slot(name, pieces=_flyers(game, state, owner, inside)))
    flying = _flyers(game, state, owner, {AIR_FLYING}) if side == owner else []
    return Display("air", [*slots, Slot("flying", pieces=flying)], game.sides[owner])


def _flyers(game: Typhoon, state: TyphoonState, owner: int, boxes: set[int]) -> list[str]:
    return [f.id for n, f in enumerate(game.flyers) if f.side == owner and state.air[n] in boxes]


def _unit(game: Typhoon, state: TyphoonState, unit: int) -> UnitView:
    counter, cell = game.units[unit], state.where[unit]
    shown = shown_unit(game, unit, game.side(unit), cell, STATUS)
    badges, bit = shown["badges"], 1 << unit
    if cell == TO_COME and state.due[unit]:
        shown["turn"] = state.due[unit]
    if cell < 0:
        return shown
    shown["steps"] = state.steps[unit]
    if 0 < state.steps[unit] < counter.steps:
        badges.append("step-loss")
    for badge, units in (
        ("emergency", state.emergency),
        ("unsupplied", state.unsupplied),
        ("overrun", state.overrun),
        ("garrison", state.garrison),
        ("refitting", state.refitting),
        ("activated", state.activated),
        ("fought", state.fought),
    ):
        if units & bit:
            badges.append(badge)
    if state.moved & bit and state.within("movement-phase", "motorised-phase"):
        badges.append("moved")
    if any(unit in attack.attackers for attack in state.attacks if not attack.fought):
        badges.append("attacking")
    return shown


def in_hand(game: Typhoon, state: TyphoonState) -> Hand | None:
    """Those on the move, or the attack being put together."""
    if (move := state.top(Move)) is not None:
        return Hand(move.units, move.left)
    if (attack := state.top(Attack)) is not None:
        return Hand(attack=table.Attack(attack.targets, attack.attackers))
    return None


def layer(game: Typhoon, state: TyphoonState, id_: str, side: int | None) -> list[int]:
    if side is None:
        raise KeyError(id_)
    if id_ == "supply":
        return each(routes(game, state, side).supplied)
    return each(zone(game, state, side))


def effects(result: str) -> Effects:
    """8.4.2 What a result does, as the attacker sees it."""
    own, other = read_result(result)
    good = other.retreat or other.wiped
    bad = own.retreat or own.wiped or own.steps > other.steps
    tone = "good" if good and not own.steps else "bad" if bad and not good else "mixed"
    tolls = [Toll(half.steps, 2 if half.retreat else 0, half.wiped) for half in (other, own)]
    return Effects(tone, *tolls)  # type: ignore[arg-type]


def result_text(game: Typhoon, result: str, language: str) -> str:
    parts = []
    for who, half in zip(("attacker", "defender"), read_result(result), strict=True):
        parts += [f"{who}-{half.steps}"] if half.steps else []
        parts += [f"{who}-retreats"] if half.retreat else []
        parts += [f"{who}-eliminated"] if half.wiped else []
        parts += ["star"] if half.star else []
    return ", ".join(game.catalogue.template("results", part, language) for part in parts or ["none"])


def counters(game: Typhoon, language: str) -> dict[str, dict[str, Any]]:
    found = {}
    for index, unit in enumerate(game.units):
        movement = str(unit.movement)
        first = unit.support if unit.kind == "artillery" else unit.attack
        second = unit.reduced_support if unit.kind == "artillery" else unit.reduced_attack
        pairs = [(first, unit.defence), (second, unit.reduced_defence)]
        faces = [[*map(str, pair), movement] for pair in pairs[: 2 if unit.steps > 1 else 1]]
        found[unit.id] = {
            "side": game.sides[game.side(index)],
            "nation": unit.side,
            "name": unit.names[language],
            "kind": unit.kind,
            "size": unit.size,
            "movement": movement,
            "faces": faces,
            "turn": 0,
            "entry": "",
            "provenance": {"kind": unit.provenance.kind.value, "source": unit.provenance.source},
        }
    return found
