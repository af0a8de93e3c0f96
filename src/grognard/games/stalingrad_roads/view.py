"""What lies on the table of Stalingrad Roads, for whoever looks: markers in boxes and the events of Ju 52 are
hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grognard.board.board import each
from grognard.games.stalingrad_roads.data import read_cell
from grognard.games.stalingrad_roads.rules.combat import Attack
from grognard.games.stalingrad_roads.rules.command import (
    led_areas,
    line_net,
    source_area,
)
from grognard.games.stalingrad_roads.rules.fortress import Airlift
from grognard.games.stalingrad_roads.rules.movement import Move
from grognard.games.stalingrad_roads.rules.odds import attack_factor, defence_factor
from grognard.games.stalingrad_roads.rules.pocket import zone_of_fortress
from grognard.games.stalingrad_roads.rules.reach import whole_moves
from grognard.games.stalingrad_roads.rules.reinforcements import Rebuilding
from grognard.games.stalingrad_roads.rules.weather import CLOUDS, WATER
from grognard.games.stalingrad_roads.state import (
    ALARM_BOX,
    AVAILABLE,
    AXIS,
    BOX_NAMES,
    DEAD,
    HQ_BOX,
    KG_BOX,
    MAJOR,
    SOVIET,
    STAVKA_RESERVE,
    TO_COME,
    WITHDRAWN,
    RoadsState,
)
from grognard.kernel import Role, table
from grognard.kernel.advice import Effects, Toll
from grognard.kernel.events import EventKind, Family
from grognard.kernel.table import (
    Area,
    Badge,
    Count,
    Display,
    Flag,
    Group,
    GuideStep,
    Hand,
    Holders,
    Layer,
    Markers,
    Part,
    PartKind,
    Pool,
    Slot,
    Table,
    Track,
    UnitView,
)
from grognard.mechanics.counters import shown_unit
from grognard.mechanics.supposing import exposed

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

STATUS = {
    TO_COME: table.TO_COME,
    DEAD: table.DEAD,
    WITHDRAWN: table.OFF_MAP,
    STAVKA_RESERVE: table.IN_BOX,
    HQ_BOX: table.IN_BOX,
    KG_BOX: table.OFF_MAP,
    ALARM_BOX: table.OFF_MAP,
}

BADGES = (
    Badge("unsupplied", "disc", "warning"),
    Badge("enclosed", "disc", "danger"),
    Badge("reduced", "bar", "info"),
    Badge("exploiting", "diamond", "info"),
    Badge("pontoon", "square", "info"),
    Badge("supported", "triangle", "info"),
    Badge("moved", "triangle", "spent"),
    Badge("fought", "square", "spent"),
)

SOVIET_GROUPS = BOX_NAMES[:AVAILABLE]
SUPERIORITY = ("panzers-to-the-rescue", "human-waves", "overwhelming-attack", "rout")

PARTS = (
    PartKind(Display, "weather", groups=("soil", "clouds", "waters"), pieces="weather"),
    PartKind(Pool, "supports", sides=("axis", "soviet"), groups=BOX_NAMES, pieces="support"),
    PartKind(Pool, "deployed", sides=("axis", "soviet"), groups=("deployed",), pieces="support"),
    PartKind(Markers, "attached", sides=("axis", "soviet"), glyph="star"),
    PartKind(Markers, "air", sides=("axis", "soviet"), glyph="plane"),
    PartKind(Markers, "major", glyph="flag"),
    PartKind(Markers, "minor-a", glyph="flag"),
    PartKind(Markers, "minor-b", glyph="flag"),
    PartKind(Display, "reserve", groups=("reserve",)),
    *(PartKind(Flag, name) for name in SUPERIORITY),
    PartKind(Markers, "fortress-marker", glyph="fort", tone="warning"),
    PartKind(Area, "fortress-zone", tone="warning"),
    PartKind(Track, "fortress-level", tone="warning"),
    PartKind(Markers, "ju52", glyph="plane"),
    PartKind(Pool, "flights", groups=("flights",), pieces="plane"),
    PartKind(Track, "approval"),
    PartKind(Track, "operation-mars"),
    PartKind(Track, "manstein"),
    PartKind(Count, "replacements", sides=("axis", "soviet")),
    PartKind(Count, "rail", glyph="wheel"),
    PartKind(Holders, "towns", glyph="star"),
)

LAYERS = (
    Layer("command", "fill"),
    Layer("supply-lines", "dots"),
    Layer("can-reach", "edge"),
    Layer("can-attack", "fill"),
)

SYMBOLS = {
    "hq": "headquarters",
    "panzer": "armour",
    "kg-armour": "armour",
    "kg-infantry": "infantry",
    "alarm": "infantry",
}

LESSON = ("wintergewitter",)
GUIDE = (
    GuideStep("aims-axis", side="axis"),
    GuideStep("aims-soviet", side="soviet"),
    GuideStep("wait-axis", side="axis", scenarios=LESSON),
    GuideStep("wait-soviet", side="soviet", scenarios=LESSON),
    GuideStep("supports", decisions=("deploy-markers", "place-marker")),
    GuideStep("move", decisions=("pick-unit", "move-units")),
    GuideStep("move-axis", decisions=("pick-unit", "move-units"), side="axis", scenarios=LESSON),
    GuideStep("move-soviet", decisions=("pick-unit", "move-units"), side="soviet", scenarios=LESSON),
    GuideStep("fight", decisions=("choose-target",)),
    GuideStep("odds", (Role.AIM, Role.JOIN, Role.COMMIT), selected=True),
    GuideStep("declare", decisions=("declare-attack", "declare-defence")),
    GuideStep("loss", decisions=("lose-step", "fall-back", "stand-or-retreat", "hold-or-retreat")),
    GuideStep("advance", decisions=("advance-unit",)),
    GuideStep("exploit", decisions=("mark-exploiters", "pick-exploiter")),
    GuideStep("replace", decisions=("spend-replacements", "pay-for-armour")),
)

EVENTS = {
    "turn": EventKind(Family.TURN),
    "weather-rolled": EventKind(Family.CHANCE, dice=(6, 6)),
    "weather-given": EventKind(Family.CHANCE),
    "captured": EventKind(Family.SCORE),
    "sudden-death": EventKind(Family.SCORE),
    "major-success": EventKind(Family.SCORE),
    "major-recovery": EventKind(Family.SCORE),
    "effect-ended": EventKind(Family.OTHER),
    "effect-restored": EventKind(Family.OTHER),
    "fortress-moved": EventKind(Family.OTHER),
    "fortress-gone": EventKind(Family.OTHER),
    "fortress-declared": EventKind(Family.OTHER),
    "fortress-relieved": EventKind(Family.SUPPLY),
    "level": EventKind(Family.SUPPLY),
    "airlift": EventKind(Family.CHANCE, dice=(6,)),
    "plane-drawn": EventKind(Family.CHANCE),
    "plane-laid": EventKind(Family.OTHER),
    "plane-played": EventKind(Family.OTHER),
    "evacuated": EventKind(Family.OTHER),
    "surrender": EventKind(Family.LOSS),
    "garrison-missing": EventKind(Family.OTHER),
    "no-supports": EventKind(Family.OTHER),
    "supplied": EventKind(Family.SUPPLY),
    "unsupplied": EventKind(Family.SUPPLY),
    "enclosed": EventKind(Family.SUPPLY),
    "hq-removed": EventKind(Family.SUPPLY),
    "hq-returned": EventKind(Family.ARRIVAL),
    "pontoon-laid": EventKind(Family.OTHER),
    "pontoon-struck": EventKind(Family.OTHER),
    "acquired": EventKind(Family.CHANCE, dice=(6, 6)),
    "drawn": EventKind(Family.CHANCE),
    "forced": EventKind(Family.OTHER),
    "supports-chosen": EventKind(Family.OTHER),
    "transferred": EventKind(Family.OTHER),
    "attached": EventKind(Family.OTHER),
    "laid": EventKind(Family.OTHER),
    "answered": EventKind(Family.OTHER),
    "paid": EventKind(Family.OTHER),
    "raid": EventKind(Family.CHANCE, dice=(6,)),
    "masked": EventKind(Family.OTHER),
    "revealed": EventKind(Family.OTHER),
    "obtained": EventKind(Family.OTHER),
    "offensive-received": EventKind(Family.ARRIVAL),
    "offensive-recalled": EventKind(Family.OTHER),
    "offensive-opened": EventKind(Family.OTHER),
    "release-rolled": EventKind(Family.CHANCE, dice=(6,)),
    "released": EventKind(Family.ARRIVAL),
    "in-reserve": EventKind(Family.ARRIVAL),
    "march-bought": EventKind(Family.OTHER),
    "moved": EventKind(Family.MOVE),
    "railed": EventKind(Family.MOVE),
    "attack": EventKind(Family.BATTLE),
    "odds": EventKind(Family.ODDS),
    "called-off": EventKind(Family.OTHER),
    "elite-declared": EventKind(Family.OTHER),
    "armoured": EventKind(Family.OTHER),
    "result": EventKind(Family.RESULT, dice=(6, 6), table="crt"),
    "rattenkrieg": EventKind(Family.CHANCE, dice=(6,)),
    "result-picked": EventKind(Family.OTHER),
    "engaged": EventKind(Family.CHANCE, dice=(6, 6)),
    "reduced": EventKind(Family.LOSS),
    "eliminated": EventKind(Family.LOSS),
    "kampfgruppe": EventKind(Family.ARRIVAL),
    "trapped": EventKind(Family.LOSS),
    "retreated": EventKind(Family.RETREAT),
    "advanced": EventKind(Family.ADVANCE),
    "exploits": EventKind(Family.OTHER),
    "support-received": EventKind(Family.ARRIVAL),
    "arrived": EventKind(Family.ARRIVAL),
    "restored": EventKind(Family.ARRIVAL),
    "approval": EventKind(Family.SCORE),
    "manstein": EventKind(Family.SCORE),
    "crisis": EventKind(Family.CHANCE, dice=(6, 6)),
    "dismissed": EventKind(Family.SCORE),
    "mars-rolled": EventKind(Family.CHANCE, dice=(6, 6)),
    "shortage": EventKind(Family.SUPPLY),
    "politics": EventKind(Family.CHANCE, dice=(6,)),
    "storm": EventKind(Family.OTHER),
    "backhand": EventKind(Family.OTHER),
    "backhand-counted": EventKind(Family.SCORE),
    "replacements-lost": EventKind(Family.OTHER),
    "retired": EventKind(Family.OTHER),
    "upgraded": EventKind(Family.ARRIVAL),
    "scored": EventKind(Family.SCORE),
    "unused": EventKind(Family.OTHER),
    "relieved": EventKind(Family.SCORE),
    "verdict": EventKind(Family.SCORE),
}


def describe(game: StalingradRoads, state: RoadsState, side: int | None) -> Table:
    return Table(
        units=[_unit(game, state, unit) for unit in range(len(game.units))],
        scores={game.sides[AXIS]: -state.points, game.sides[SOVIET]: state.points},
        parts=tuple(_parts(game, state, side)),
    )


def _parts(game: StalingradRoads, state: RoadsState, side: int | None) -> list[Part]:
    number = game.board.number
    towns = game.data.city | game.data.stars | game.data.airfields
    holders = {
        number(c): game.sides[SOVIET if state.soviet_hexes >> c & 1 else AXIS]
        for c in each(towns & game.plan(state).area)
    }
    reserve = [game.units[u].id for u in each(state.at.get(STAVKA_RESERVE, 0))]
    plan = game.plan(state)
    # In the order of the hexes: that of the events would tell something of them.
    flights = sorted(cell for _, cell in state.flights)
    found: list[tuple[str, Part]] = [
        *(("5", _supports(game, state, owner, side)) for owner in (AXIS, SOVIET)),
        *(("5", part) for owner in (AXIS, SOVIET) for part in _deployed(game, state, owner)),
        *(
            ("11", Markers(name, [number(cell)] if (cell := state.offensives[n]) >= 0 else []))
            for n, name in enumerate(("major", "minor-a", "minor-b"))
        ),
        ("13", Display("reserve", [Slot("reserve", units=reserve)])),
        *(("14", Flag(name, bool(state.superiority >> n & 1))) for n, name in enumerate(SUPERIORITY)),
        ("10", Markers("fortress-marker", [number(state.fortress)] if state.fortress >= 0 else [])),
        (
            "10.2",
            Area(
                "fortress-zone",
                [number(c) for c in each(zone_of_fortress(game, state) | plan.pocket)],
                "hatch",
            ),
        ),
        ("10", Track("fortress-level", state.level, 0, 11)),
        ("10", Markers("ju52", [number(cell) for cell in flights])),
        ("10", _flights(game, state, side)),
        ("6", Track("operation-mars", state.mars, -3, 3)),
        ("15", Track("approval", state.approval, 0, 8)),
        ("16", Track("manstein", state.manstein, 0, 8)),
        *(
            ("17.3", Count("replacements", _replacements(game, state, owner), side=game.sides[owner]))
            for owner in (AXIS, SOVIET)
        ),
        ("7.3", Count("rail", state.rail)),
        ("1.10", Holders("towns", holders)),
    ]
    sky = [
        Slot("soil", pieces=["mud" if state.mud else "snow"]),
        Slot("clouds", pieces=[CLOUDS[state.clouds]]),
        Slot("waters", pieces=[WATER[state.rivers]]),
    ]
    # What belongs to a section that the scenario leaves out is not shown.
    return [Display("weather", sky), *(part for section, part in found if section not in plan.left_out)]


def _replacements(game: StalingradRoads, state: RoadsState, owner: int) -> int:
    """Those left of the phase in progress, or those of the turn."""
    if state.active == owner and (rebuilding := state.frame("replacements", Rebuilding)) is not None:
        return rebuilding.left
    return game.replacement_points(state, owner) if state.turn else 0


def _supports(game: StalingradRoads, state: RoadsState, owner: int, side: int | None) -> Pool:
    """5.1.4 To the owner his markers; to others how many lie in each box."""
    boxes: Sequence[int] = (AVAILABLE,) if owner == AXIS else range(AVAILABLE)
    if owner == SOVIET and "11" in game.plan(state).left_out:
        boxes = (MAJOR,)
    groups = []
    for box in boxes:
        if side == owner:
            held = [
                support.id
                for kind, support in enumerate(game.supports)
                for _ in range(game.held(state, kind, box))
            ]
            if (owner == AXIS) == (box == AVAILABLE) and box in (AVAILABLE, MAJOR):
                held += [game.supports[action[1]].id for action in state.written(owner)]
            groups.append(Group(BOX_NAMES[box], held))
        else:
            groups.append(Group(BOX_NAMES[box], [], game.in_box(state, box)))
    return Pool("supports", groups, game.sides[owner])


def _deployed(game: StalingradRoads, state: RoadsState, owner: int) -> list[Part]:
    """Markers on the map lie face up."""
    number = game.board.number
    own = [m for m in state.markers if game.supports[m.kind].side == owner]
    lying = [m for m in own if m.unit >= 0 or m.cell >= 0]
    return [
        Pool("deployed", [Group("deployed", [game.supports[m.kind].id for m in lying])], game.sides[owner]),
        Markers("attached", [number(state.where[m.unit]) for m in lying if m.unit >= 0], game.sides[owner]),
        Markers("air", [number(m.cell) for m in lying if m.cell >= 0], game.sides[owner]),
    ]


def _flights(game: StalingradRoads, state: RoadsState, side: int | None) -> Pool:
    """10.4.3 Ju 52 lie face down: the Axis knows their events."""
    drawn = airlift.drawn if (airlift := state.frame("fortress-phase", Airlift)) is not None else ()
    if side == AXIS:
        events = [game.planes[event].id for event, _ in state.flights]
        return Pool("flights", [Group("flights", [*events, *(game.planes[event].id for event in drawn)])])
    return Pool("flights", [Group("flights", [], len(state.flights) + len(drawn))])


def _unit(game: StalingradRoads, state: RoadsState, unit: int) -> UnitView:
    counter, cell = game.units[unit], state.where[unit]
    shown = shown_unit(game, unit, game.side(unit), cell, STATUS)
    badges = shown["badges"]
    shown["nation"] = counter.nation
    if counter.hq:
        shown["radius"] = counter.radius
        if state.pontoon(unit) >= 0:
            badges.append("pontoon")
    else:
        shown["attack"] = attack_factor(game, state, unit)
        shown["defence"] = defence_factor(game, state, unit)
        shown["steps"] = state.steps[unit]
        if 0 < state.steps[unit] < counter.steps:
            badges.append("reduced")
    if cell == TO_COME and state.due[unit]:
        shown["turn"] = state.due[unit]
    bit = 1 << unit
    for badge, units in (
        ("unsupplied", state.unsupplied),
        ("enclosed", state.enclosed),
        ("exploiting", state.exploiting),
    ):
        if units & bit and cell >= 0:
            badges.append(badge)
    if any(marker.unit == unit for marker in state.markers):
        badges.append("supported")
    if cell >= 0 and state.side(unit) == state.active:
        if state.moved & bit and state.within("movement-phase", "exploitation"):
            badges.append("moved")
        if state.fought & bit and state.within("combat-phase", "exploitation"):
            badges.append("fought")
    return shown


def in_hand(game: StalingradRoads, state: RoadsState) -> Hand | None:
    """Those on the move, or the attack being put together."""
    if (move := state.top(Move)) is not None:
        return Hand(move.units, move.left)
    if (attack := state.top(Attack)) is not None and game.word_for(state, Role.JOIN) is not None:
        return Hand(attack=table.Attack((attack.target,), attack.attackers))
    return None


def layer(game: StalingradRoads, state: RoadsState, id_: str, side: int | None) -> list[int]:
    if side is None:
        raise KeyError(id_)
    if id_ == "supply-lines":
        return each(line_net(game, state, side))
    if id_ in ("can-reach", "can-attack"):
        moves = whole_moves(game, state, side)
        if id_ == "can-reach":
            return sorted({cell for cells in moves.values() for cell in each(cells)})
        return each(exposed(game.contacts.__getitem__, 0, moves.values(), state.occupied[1 - side]))
    area = source_area(game, state, side)
    for _, reach in led_areas(game, state, side):
        area |= reach
    return each(area)


def effects(result: str) -> Effects:
    """8.7 What a cell of the combat table does, as the attacker sees it, before terrain and superiority."""
    cell = read_cell(result)
    hexes = {"DR": 1, "DR2": 2, "DR3": 3, "S": 1}.get(cell.defensive, 0)
    defender = Toll(cell.defender + (cell.tactical == "D1"), hexes)
    attacker = Toll(cell.attacker, int(cell.tactical == "AR"))
    good = cell.tactical.startswith("E") and cell.tactical != "Eng"
    tone = "good" if good else "bad" if cell.tactical == "AR" or not cell.defender else "mixed"
    return Effects(tone, defender, attacker)  # type: ignore[arg-type]


def result_text(game: StalingradRoads, result: str, language: str) -> str:
    cell = read_cell(result)
    parts = []
    if cell.attacker:
        parts.append(f"attacker-{cell.attacker}")
    if cell.defender:
        parts.append(f"defender-{cell.defender}")
    parts += [f"tactical-{cell.tactical}"] if cell.tactical != "-" else []
    parts += [f"defensive-{cell.defensive}"] if cell.defensive != "-" else []
    return ", ".join(game.catalogue.template("results", part, language) for part in parts or ["none"])


def counters(game: StalingradRoads, language: str) -> dict[str, dict[str, Any]]:
    found = {}
    for index, unit in enumerate(game.units):
        movement = str(unit.movement)
        if unit.hq:
            faces = [[str(unit.radius), str(unit.defence), movement]]
        else:
            pairs = [(unit.attack, unit.defence), (unit.reduced_attack, unit.reduced_defence)]
            faces = [[*map(str, pair), movement] for pair in pairs[: unit.steps]]
        found[unit.id] = {
            "side": game.sides[game.side(index)],
            "nation": unit.nation,
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
