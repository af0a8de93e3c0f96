"""What lies on the table of Second Front, for whoever looks: nothing is hidden in the land war."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.second_front.data import slug
from grognard.games.second_front.rules.attacking import Attack
from grognard.games.second_front.rules.movement import allowance, reachable
from grognard.games.second_front.rules.pools import PARTS as TWENTIETHS
from grognard.games.second_front.rules.pools import monthly
from grognard.games.second_front.rules.position import on_map, piece, situation, terrain, zones_of
from grognard.games.second_front.rules.stepping import Move
from grognard.games.second_front.rules.supply import elements, limited_sources, turn_of
from grognard.games.second_front.rules.upkeep import full_by_plan
from grognard.games.second_front.rules.victory import held, penalties
from grognard.games.second_front.rules.weather import ZONES
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED, AXIS, Unit, units
from grognard.kernel import Role, table
from grognard.kernel.advice import Effects, Toll
from grognard.kernel.events import EventKind, Family
from grognard.kernel.table import (
    Badge,
    Display,
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
from grognard.mechanics.pieces import DEAD, TO_COME, status
from grognard.mechanics.tabletop import told

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

BOTH = ("axis", "allied")

BADGES = (
    Badge("cadre", "bar", "info"),
    Badge("hungry", "disc", "warning"),
    Badge("isolated", "disc", "danger"),
    Badge("at-work", "square", "info"),
    Badge("aboard", "diamond", "info"),
    Badge("marching", "triangle", "info"),
    Badge("moved", "triangle", "spent"),
    Badge("fought", "square", "spent"),
)

STOCKS = {"infantry": "infantry", "armour": "armour", "pooled": "resources"}
"""Parts of the table, and the points of a pool that each shows (40B1)."""

FORCES = (
    *("German", "Italian", "RSI", "Other Axis"),
    *("American", "US/Canadian", "British", "Canadian", "Indian", "New Zealand", "South African"),
    *("French", "French African", "French colonial", "French metropolitan", "Polish", "Brazilian", "Greek"),
    *("Belgian", "Czechoslovak", "Dutch", "Norwegian", "Yugoslav", "Other Allied", "Belgium", "Netherlands"),
)
"""Who has points of replacement (40B3)."""

PARTS = (
    PartKind(Display, "weather", groups=(*(f"zone-{zone}" for zone in ZONES), "waters"), pieces="weather"),
    PartKind(Track, "score"),
    *(
        PartKind(Pool, name, sides=BOTH, groups=tuple(slug(force) for force in FORCES))
        for name in (*STOCKS, *(f"due-{name}" for name in STOCKS))
    ),
    PartKind(Display, "departures", sides=BOTH, groups=("leaving-now", "leaving-later")),
    PartKind(Display, "replacement-box", sides=BOTH, groups=("lost", "broken-down", "garrisons")),
    PartKind(Markers, "forts", glyph="fort"),
    PartKind(Markers, "works", sides=BOTH, glyph="fort", tone="spent"),
    PartKind(Markers, "airfields", glyph="plane"),
    PartKind(Markers, "resources", sides=BOTH, glyph="dot"),
    PartKind(Markers, "cut-lines", glyph="cross", tone="warning"),
    PartKind(Markers, "wrecked-ports", glyph="cross", tone="danger"),
    PartKind(Markers, "governments", sides=BOTH, glyph="star"),
    PartKind(Holders, "towns", glyph="star"),
)

SUPPLY = {"supply": "land", "supply-road": "road", "supply-rail": "rail", "supply-source": "sources"}
"""12B: layers of supply, and the element of a line that each shows."""

LAYERS = (
    Layer("supply", "fill"),
    Layer("supply-road", "fill"),
    Layer("supply-rail", "fill"),
    Layer("supply-source", "edge"),
    Layer("small-ports", "edge"),
    Layer("isolated-ground", "hatch"),
    Layer("zones", "hatch"),
    Layer("can-reach", "edge"),
    Layer("own-ground", "dots"),
)

SYMBOLS = {
    "light_infantry": "infantry",
    "static": "infantry",
    "coastal": "infantry",
    "fortress": "infantry",
    "penal": "infantry",
    "mixed": "infantry",
    "marine": "infantry",
    "commando": "infantry",
    "marine_commando": "infantry",
    "oss": "infantry",
    "parachute_infantry": "infantry",
    "high_mountain": "mountain",
    "ski": "mountain",
    "mountain_commando": "mountain",
    "police": "security",
    "ss_police": "security",
    "political_police": "security",
    "motorised_infantry": "motorised",
    "mechanised_infantry": "mechanised",
    "mechanised_commando": "mechanised",
    "mechanised_cavalry": "recon",
    "parachute": "airborne",
    "glider": "airborne",
    "para_commando": "airborne",
    "hq_division": "headquarters",
    "hq_airborne": "headquarters",
    **dict.fromkeys(
        [
            "panzer_division",
            "light_tank",
            "amphibious_tank",
            "assault_gun",
            "tank_destroyer",
            "flame_tank",
            "sturmpanzer",
        ],
        "armour",
    ),
    **dict.fromkeys(
        [
            "antitank",
            "antitank_mot",
            "heavy_aa",
            "heavy_aa_mot",
            "light_aa",
            "light_aa_mot",
            "positional_aa",
            "artillery_german",
            "artillery_mot",
            "mortar",
            "siege_artillery",
            "long_range_siege",
            "artillery_division_group",
            "port_fortification",
        ],
        "artillery",
    ),
    **dict.fromkeys(("v_weapon_lw", "v_weapon_army"), "rocket"),
    **dict.fromkeys(
        [
            "construction_engineer",
            "combat_engineer",
            "combat_engineer_mot",
            "assault_engineer",
            "rail_engineer",
            "port_engineer",
            "pipeline",
            "engineer_tank",
            "assault_engineer_tank",
            "rail_unit",
        ],
        "engineer",
    ),
    **dict.fromkeys(("truck", "lvt", "apc"), "supply"),
}
"""The sign on a counter, where the page has none of the type's own name."""

DRESSED = ("Waffen-SS", "Luftwaffe", "Kriegsmarine", "CCNN", "Italian Army")
"""Services of the Axis whose counters have a colour of their own."""
COMMONWEALTH = frozenset(
    {"Canadian", "Indian", "New Zealand", "South African", "Polish", "Greek", "Czechoslovak"}
)

GUIDE = (
    GuideStep("wait-axis", side="axis", scenarios=("sicily",)),
    GuideStep("wait-allied", side="allied", scenarios=("sicily",)),
    GuideStep("gustav-axis", side="axis", scenarios=("gustav",)),
    GuideStep("gustav-allied", side="allied", scenarios=("gustav",)),
    GuideStep("arrive", decisions=("place-arrival",)),
    GuideStep("rebuild", decisions=("rebuild",)),
    GuideStep("build", decisions=("begin-work",)),
    GuideStep("exploit", (Role.TAKE, Role.STEP), after=Family.RESULT, decisions=("pick-unit",)),
    GuideStep("move", (Role.TAKE,), decisions=("pick-unit",)),
    GuideStep("step", (Role.STEP,), decisions=("move-unit",)),
    GuideStep("aim", (Role.AIM,), decisions=("choose-target",)),
    GuideStep("odds", (Role.JOIN, Role.COMMIT), selected=True, decisions=("build-attack",)),
    GuideStep("loss", decisions=("attacker-losses", "defender-losses")),
    GuideStep("retreat", decisions=("fall-back",)),
    GuideStep("advance", decisions=("advance-after-combat",)),
)
LEVELS = {"decisive": 2.0, "marginal": 1.0}

TOLD = told(
    turn="turn",
    phase="player-turn",
    move="move rail loaded carried",
    battle="attack overrun",
    odds="odds",
    loss="eliminated cadre garrison-missing hopeless",
    retreat="retreat",
    advance="advance",
    arrival="arrival replaced rebuilt converted assembled mustered special-replacements",
    other="""freight stockpiled cut mended divided detached attached work-begun work-done port-repaired
        airstrip more-trains rail-improved taken-away disbanded aid wall-declared wall-restored
        government-seated""",
)
ROLLED = """weather sea-state attrition slip-through sneaked surprise flood no-flood government-escapes
    government-captured"""
EVENTS = {
    **TOLD,
    "result": EventKind(Family.RESULT, dice=(6,), table="ground_crt"),
    **{kind: EventKind(Family.CHANCE, dice=(6,)) for kind in ROLLED.split()},
}

RESULTS = ("AE", "AH", "AR", "AS", "EX", "HX", "DR", "DH", "DE")


def describe(game: SecondFront, state: FrontState, side: int | None) -> Table:
    due = {arrival.unit: arrival.turn for arrival in game.plan(state).arrivals}
    badges = _badges(state)
    shown = [
        _unit(game, state, unit, due, badges)
        for unit, place in enumerate(state.where)
        if place != TO_COME or unit in due
    ]
    points = held(game, state)
    return Table(units=shown, scores={"axis": -points, "allied": points}, parts=tuple(_parts(game, state)))


def _unit(
    game: SecondFront,
    state: FrontState,
    unit: int,
    due: dict[int, int],
    badges: tuple[tuple[str, int], ...],
) -> UnitView:
    """3A: the values that count now, as printed: with a battalion, or as a cadre."""
    counter, place = game.units[unit], state.where[unit]
    shown: UnitView = {
        "id": counter.id,
        "side": BOTH[counter.side],
        "kind": counter.type,
        "hex": game.board.number(place) if place >= 0 else None,
        "status": status(place),
        "badges": [],
        "nation": dress(counter),
    }
    if place == TO_COME:
        shown["turn"] = due[unit]
    if place < 0:
        if place != TO_COME and place != DEAD:
            shown["place"] = game.places.write(place) if game.places else ""
        return shown
    here = piece(game, state, unit)
    star, face = "*" if here.dot else "", here.face
    shown["attack"], shown["defence"] = face.attack, face.defence
    shown["face"] = [f"{face.attack}{star}", str(face.defence), str(face.movement)]
    shown["badges"] = [badge for badge, units in badges if units >> unit & 1]
    return shown


def dress(unit: Unit) -> str:
    """Whose colours a counter wears: a service's, or a nation's."""
    if unit.side == AXIS:
        if unit.service in DRESSED:
            return unit.service
        return "Italian Army" if unit.nation in ("Italian", "RSI") else "German"
    if unit.nation in COMMONWEALTH:
        return "British"
    return unit.nation if unit.nation in ("American", "British", "French", "Italian") else "Allied"


def _badges(state: FrontState) -> tuple[tuple[str, int], ...]:
    """What may be marked on a counter, in its order, and on which units on the map it is."""
    mine, unfed = state.side_units[state.active], state.side_units[AXIS] | state.side_units[ALLIED]
    unfed &= ~state.fed
    moving = state.within("movement-phase", "exploitation-phase")
    return (
        ("cadre", state.reduced),
        ("hungry", bits(unit for unit in each(unfed) if turn_of(state.hunger[unit]) > 0)),
        ("isolated", state.isolated),
        ("at-work", bits(unit for work in state.works for unit in work.units)),
        ("aboard", bits(cargo for _, cargo in state.mounted)),
        ("marching", state.marched),
        ("moved", state.moved & mine if moving else 0),
        ("fought", state.fought & mine if state.within("combat-phase") else 0),
    )


def _parts(game: SecondFront, state: FrontState) -> list[Part]:
    number = game.board.number

    def numbers(cells: int) -> list[str]:
        return [number(cell) for cell in each(cells)]

    sky = [Slot(f"zone-{zone}", pieces=[weather]) for zone, weather in zip(ZONES, state.sky, strict=True)]
    seas = [found for _, (found, _) in state.seas]
    strips = state.strips | sum(1 << cell for cell, _ in state.airfields)
    found: list[Part] = [
        Display("weather", [*sky, Slot("waters", pieces=seas)]),
        Track("score", held(game, state) - sum(penalties(game, state).values()), -20, 20),
        Markers("forts", numbers(state.forts)),
        Markers("airfields", numbers(strips)),
        Markers("cut-lines", numbers(state.broken)),
        Markers("wrecked-ports", numbers(state.wrecked | state.ruined)),
        Holders(
            "towns",
            {number(c): BOTH[state.owned[ALLIED] >> c & 1] for c in sorted(game.plan(state).places)},
        ),
    ]
    for side, name in enumerate(BOTH):
        own = state.side_units[side]
        lost = [unit for unit, place in enumerate(state.where) if place == DEAD and own >> unit & 1]
        away = [division for division, _ in state.split if own >> division & 1]
        waiting = [
            unit
            for garrison in game.garrisons
            if garrison.side == side
            for unit in state.stack(game.box(garrison.name))
        ]
        found += [
            *_stocks(game, state, side),
            _departures(game, state, side),
            Display(
                "replacement-box",
                [
                    Slot("lost", units=[game.units[unit].id for unit in lost]),
                    Slot("broken-down", units=[game.units[unit].id for unit in away]),
                    Slot("garrisons", units=[game.units[unit].id for unit in waiting]),
                ],
                name,
            ),
            Markers("works", [number(work.cell) for work in state.works if work.side == side], name),
            Markers("resources", [number(c) for c, owner, _ in state.resources if owner == side], name),
            Markers(
                "governments",
                [number(each_.cell) for each_ in state.governments if each_.side == side and each_.cell >= 0],
                name,
            ),
        ]
    return found


def _stocks(game: SecondFront, state: FrontState, side: int) -> list[Part]:
    """40B1: the whole points that each force of a side has, and those that the next month brings it."""
    now = {each_.force: each_._asdict() for each_ in state.pools if _has(side, each_.force)}
    names = game.turn_names[state.turn : game.scenarios[state.scenario].last]
    month = next((turn for turn in names if turn.split()[1] == "I"), None)
    due = monthly(game, state, side, month) if month else {}
    return [
        Pool(
            f"{prefix}{part}",
            [
                Group(slug(force), (), points[kind] // TWENTIETHS)
                for force, points in sorted(amounts.items())
                if points[kind] >= TWENTIETHS
            ],
            BOTH[side],
        )
        for prefix, amounts in (("", now), ("due-", due))
        for part, kind in STOCKS.items()
    ]


def _has(side: int, force: str) -> bool:
    """Italians are on either side, but never on both (3B1)."""
    nations = _nations(side)
    return force.split()[0] in nations or force in nations


@cache
def _nations(side: int) -> frozenset[str]:
    return frozenset(unit.nation for unit in units().values() if unit.side == side)


def _departures(game: SecondFront, state: FrontState, side: int) -> Display:
    """40A1: units on the map that the order of battle will take away in this scenario."""
    first, last = game.scenarios[state.scenario].first, game.scenarios[state.scenario].last
    leaving = [
        (turn, unit)
        for unit, turn in {**game.departing, **dict(game.plan(state).leaving)}.items()
        if state.side_units[side] >> unit & 1 and first < turn <= last and state.where[unit] >= 0
    ]
    soon = [game.units[unit].id for turn, unit in sorted(leaving) if turn <= state.turn + 1]
    later = [game.units[unit].id for turn, unit in sorted(leaving) if turn > state.turn + 1]
    return Display(
        "departures", [Slot("leaving-now", units=soon), Slot("leaving-later", units=later)], BOTH[side]
    )


def in_hand(game: SecondFront, state: FrontState) -> Hand | None:
    """The unit on the move with who rides in it, or the attack being put together."""
    if (move := state.top(Move)) is not None:
        return Hand((move.unit, *move.cargo), state.left[move.unit])
    if (attack := state.top(Attack)) is not None and game.word_for(state, Role.JOIN) is not None:
        return Hand(attack=table.Attack(attack.targets, attack.attackers))
    return None


def layer(game: SecondFront, state: FrontState, id_: str, side: int | None) -> list[int]:
    if side is None:
        raise KeyError(id_)
    if id_ in SUPPLY:
        lines = elements(situation(game, state, side), full_by_plan(game, state, side))
        return list(each(getattr(lines, SUPPLY[id_]) & game.plan(state).area))
    if id_ == "small-ports":
        return sorted(limited_sources(situation(game, state, side)))
    if id_ == "isolated-ground":
        return list(each(state.owned[side] & game.plan(state).area & ~state.open_land[side]))
    if id_ == "zones":
        return list(each(zones_of(game, state, side).all & game.plan(state).area))
    if id_ == "own-ground":
        return list(each(state.owned[side]))
    around, cells = terrain(game, state, side), 0
    for unit in on_map(state, side):
        who = piece(game, state, unit)
        cells |= reachable(around, who, state.where[unit], allowance(who)).cells
    return list(each(cells))


def effects(result: str) -> Effects:
    """9C: what a result does, as the attacker sees it."""
    attacker = {"AE": Toll(wiped=True), "AH": Toll(1, 1), "AR": Toll(0, 1), "EX": Toll(1), "HX": Toll(1)}
    defender = {"DE": Toll(wiped=True), "DH": Toll(1, 1), "DR": Toll(0, 1), "EX": Toll(1), "HX": Toll(1)}
    tone = "bad" if result[0] == "A" else "good" if result[0] == "D" else "mixed"
    return Effects(tone, defender.get(result, Toll()), attacker.get(result, Toll()))  # type: ignore[arg-type]


def result_text(game: SecondFront, result: str, language: str) -> str:
    return game.catalogue.template("results", result, language)


def counters(game: SecondFront, language: str) -> dict[str, dict[str, Any]]:
    """The counters as printed, both sides."""
    found = {}
    for unit in game.units:
        faces = [face for face in (unit.face, unit.cadre) if face is not None]
        found[unit.id] = {
            "side": BOTH[unit.side],
            "nation": dress(unit),
            "name": unit.names[language],
            "kind": unit.type,
            "size": unit.size,
            "movement": str(unit.face.movement),
            "faces": [[str(value) for value in face] for face in faces],
            "turn": 0,
            "entry": "",
            "provenance": {"kind": "reconstructed", "source": game.provenances[unit.id]},
        }
    return found
