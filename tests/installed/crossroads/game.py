"""Crossroads, put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from crossroads import view
from crossroads.advice import CrossroadsAdviser
from crossroads.doctrine import CrossroadsDoctrine
from crossroads.rules import PROCEDURES
from crossroads.state import TOKENS, CrossroadsState
from grognard.board import load_board
from grognard.files import HALVES, Folder, Provenance, read_settings, read_table
from grognard.kernel import Action, Game, Outcome
from grognard.kernel.advice import Effects
from grognard.kernel.scenario import read_calendar, read_scenarios
from grognard.kernel.table import Hand, Table
from grognard.kernel.text import Catalogue
from grognard.mechanics.dice import TWO_D6
from grognard.mechanics.movement import Costs
from grognard.mechanics.numbers import Numbers
from grognard.mechanics.odds import CombatTable, odds_name
from grognard.mechanics.orders import expand_order
from grognard.mechanics.pieces import Places, box, carrier

HERE = Path(__file__).parent
DATA_FILES = (
    "tables/crt.csv",
    "game.toml",
    "map/hexes.csv",
    "map/sides.csv",
    "tables/numbers.csv",
    "tables/terrain.csv",
    "tables/turns.csv",
    "tables/units.csv",
)

UNIT_COLUMNS = (
    "id",
    "side",
    "name_en",
    "name_fr",
    "kind",
    "size",
    "attack",
    "defence",
    "reduced",
    "steps",
    "movement",
    "place",
    "turn",
    "provenance",
    "source",
)


class Unit(NamedTuple):
    """A counter as it is printed."""

    id: str
    side: str
    names: dict[str, str]
    kind: str
    size: str
    attack: int
    defence: int
    reduced: int
    steps: int
    movement: int
    place: str
    turn: int
    provenance: Provenance


class Crossroads(Game[CrossroadsState]):
    """A dozen hexes, six units and three turns."""

    id = "crossroads"
    rules_version = "1"
    sides = ("amber", "cobalt")
    procedures = PROCEDURES
    events = view.EVENTS
    badges = view.BADGES
    parts = view.PARTS
    layers = view.LAYERS
    guide = view.GUIDE
    symbols = {"foot": "infantry", "horse": "cavalry", "wagon": "motorised"}
    units: Sequence[Unit]
    places: Places
    adviser: CrossroadsAdviser

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        self.board = load_board(folder.sub("map"))
        self.settings = read_settings(folder, "game.toml")
        self.catalogue = Catalogue(
            *((folder, f"text/{name}.toml") for name in ("messages", "verbs", "table"))
        )
        self.numbers = Numbers(folder, "tables/numbers.csv")
        self.units = [
            self._unit(row) for row in read_table(folder, "tables/units.csv", UNIT_COLUMNS, key=("id",))
        ]
        self.crt = CombatTable(folder, "tables/crt.csv", TWO_D6, frozenset(view.EFFECTS))
        self.places = Places(self.board, ("coppice",), [unit.id for unit in self.units])
        self.coppice = box(0)
        self.wagons = [n for n, unit in enumerate(self.units) if unit.kind == "wagon"]
        hexes = self.settings.get("places", dict)
        self.village = self.board.cell(hexes["village"])
        self.arrivals = [self.board.cell(number) for number in hexes["arrivals"]]
        price = {
            row.text("id"): row.points("cost", HALVES)
            for row in read_table(
                folder, "tables/terrain.csv", ("id", "cost", "provenance", "source"), key=("id",)
            )
        }
        self.costs = Costs(
            self.board,
            lambda a, b: (
                price["road"] if self.board.side_has(a, b, "road") else price[self.board.info[b].terrain]
            ),
        )
        self.data_digest = folder.digest(DATA_FILES)
        self.turns = read_calendar(folder)
        self.scenarios = read_scenarios(folder, self.settings, self.turns)
        self.adviser = CrossroadsAdviser(self)
        self.doctrine = CrossroadsDoctrine(self, dict(read_settings(folder, "doctrine.toml").data))

    def _unit(self, row: Any) -> Unit:
        return Unit(
            id=row.text("id"),
            side=row.choice("side", self.sides),
            names={"en": row.text("name_en"), "fr": row.text("name_fr")},
            kind=row.choice("kind", self.symbols),
            size=row.text("size"),
            attack=row.integer("attack"),
            defence=row.integer("defence"),
            reduced=row.integer("reduced"),
            steps=row.integer("steps", 1, 2),
            movement=row.points("movement", HALVES),
            place=row.text("place"),
            turn=row.integer("turn", default=0),
            provenance=row.provenance(),
        )

    # Positions

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> CrossroadsState:
        counts = [sum(unit.side == side for unit in self.units) for side in self.sides]
        state = CrossroadsState((counts[0], counts[1]), self.scenarios[scenario].last, bool(options["fog"]))
        state.scenario = scenario
        state.nerve = self.numbers["nerve_start"]
        for number, unit in enumerate(self.units):
            state.steps[number] = unit.steps
            state.place(number, self.places.read(unit.place))
        return state

    def side(self, unit: int) -> int:
        return self.sides.index(self.units[unit].side)

    def attack(self, state: CrossroadsState, unit: int) -> int:
        counter = self.units[unit]
        return counter.attack if state.steps[unit] == counter.steps else counter.reduced

    def defence(self, state: CrossroadsState, unit: int) -> int:
        counter = self.units[unit]
        return counter.defence if state.steps[unit] == counter.steps else counter.reduced

    def carrier(self, state: CrossroadsState, unit: int) -> int:
        return carrier(state.where[unit])

    def wagon_of(self, place: int) -> int:
        """The wagon whose load a place is; -1 if it is none."""
        return carrier(place) if carrier(place) in self.wagons else -1

    def turn(self, state: CrossroadsState) -> int:
        return state.turn

    def outcome(self, state: CrossroadsState) -> Outcome | None:
        if not state.over:
            return None
        amber, cobalt = state.scores
        ahead = amber - cobalt or state.nerve
        level = "drawn" if not ahead else "won"
        return Outcome(
            None if not ahead else int(ahead < 0), level, dict(zip(self.sides, state.scores, strict=True))
        )

    def imagine(self, state: CrossroadsState, side: int, random: Random) -> CrossroadsState:
        """2.1 The tokens that the other side holds are any of those that it may hold."""
        copy = state.clone()
        copy.forget_others(side)
        other = 1 - side
        own = list(range(other * TOKENS, (other + 1) * TOKENS))
        held = state.hands[other].bit_count()
        kept = random.sample(own, held)
        copy.hands[other] = sum(1 << t for t in kept)
        mine = sum(1 << t for t in range(side * TOKENS, (side + 1) * TOKENS))
        copy.cup = state.cup & mine | sum(1 << t for t in own if t not in kept)
        return copy

    # Words

    def exists(self, kind: str, value: int) -> bool:
        return 0 <= value < 2 * TOKENS if kind == "token" else super().exists(kind, value)

    def write_argument(self, kind: str, value: int) -> str:
        if kind == "token":
            return f"{self.sides[value // TOKENS]}-{value % TOKENS + 1}"
        return super().write_argument(kind, value)

    def read_argument(self, kind: str, word: str) -> int:
        if kind == "token":
            return {self.write_argument(kind, t): t for t in range(2 * TOKENS)}[word]
        return super().read_argument(kind, word)

    def render_fact(self, name: str, value: Any, language: str) -> str:
        if name == "token":
            side = self.settings.data["sides"][self.sides[value // TOKENS]][language]
            return f"{side} {value % TOKENS + 1}"
        if name.startswith("odds"):
            return odds_name(value)
        return super().render_fact(name, value, language)

    def prompt_facts(self, state: CrossroadsState, side: int | None = None) -> dict[str, Any]:
        hand = view.in_hand(self, state)
        facts: dict[str, Any] = {"turn": state.turn}
        if hand is not None and hand.units:
            facts |= {"unit": hand.units[0], "hex": state.where[hand.units[0]]}
            facts["points_left"] = hand.points_left
        if hand is not None and hand.attack is not None:
            facts |= {"hex": hand.attack.targets[0], "units": hand.attack.units}
        return facts

    # Views

    def table(self, state: CrossroadsState, side: int | None) -> Table:
        return view.describe(self, state, side)

    def expand(self, state: CrossroadsState, order: Mapping[str, Any]) -> Iterator[Action]:
        return expand_order(self, state, order)

    def hand(self, state: CrossroadsState) -> Hand | None:
        return view.in_hand(self, state)

    def phase_side(self, state: CrossroadsState) -> int | None:
        return state.active if state.within("side-turn") else None

    def layer(self, state: CrossroadsState, id_: str, side: int | None) -> list[int]:
        return view.layer(self, state, id_, side)

    def effects(self, result: str) -> Effects:
        return view.EFFECTS[result]

    def counters(self, language: str) -> dict[str, dict[str, Any]]:
        return {
            unit.id: {
                "side": unit.side,
                "name": unit.names[language],
                "kind": unit.kind,
                "size": unit.size,
                "movement": self.points.text(unit.movement),
                "faces": [
                    [str(a), str(d), self.points.text(unit.movement)]
                    for a, d in [(unit.attack, unit.defence), (unit.reduced, unit.reduced)][: unit.steps]
                ],
                "turn": unit.turn,
                "entry": [self.board.number(c) for c in self.arrivals] if unit.turn else [],
                "provenance": {"kind": unit.provenance.kind.value, "source": unit.provenance.source},
            }
            for unit in self.units
        }


def load(override: Path | None = None) -> Crossroads:
    """Crossroads with its own data, or with the player's laid over them."""
    return Crossroads(Folder(HERE, override))
