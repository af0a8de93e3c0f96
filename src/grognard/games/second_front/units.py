"""The land units as printed (3A): sizes, classes, ratings, and what their types can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from grognard.files.schema import Record, Value
from grognard.games.second_front.books import LAND, books, charts

AXIS, ALLIED = 0, 1
SIDES = ("Axis", "Allied")
"""As the books call them; the Axis has the first player turn (4)."""

NON_MOTORISED, ARTILLERY, CM = "non-motorised", "artillery", "c/m"
"""The three classes (3A2). `c/m` is combat/motorised."""
CARRIERS = frozenset({"truck", "lvt", "apc"})
NO_UNITS = frozenset({"positional_aa", *CARRIERS})
"""Counters that take no part in combat and have no class of their own: 22A2, 14J."""
HEADQUARTERS = frozenset({"hq_division", "hq_airborne"})
GUNS = frozenset({"artillery", "artillery_german", "artillery_mot", "rocket", "mortar"})
SIEGE = frozenset({"siege_artillery", "long_range_siege"})
"""14B1, 14B2."""
COMMANDOS = frozenset(
    {"commando", "marine_commando", "para_commando", "mechanised_commando", "mountain_commando", "oss"}
)
COMBAT_ENGINEERS = frozenset({"combat_engineer", "combat_engineer_mot"})
ASSAULT_ENGINEERS = frozenset({"assault_engineer", "assault_engineer_tank"})
SPECIAL_ARMOUR = frozenset({"flame_tank", "engineer_tank", "sturmpanzer", "assault_engineer_tank"})
"""14C."""
SCHOOLS = ("training", "reserve", "replacement")
"""14E3."""
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


class Face(NamedTuple):
    """The values of one side of a counter."""

    attack: int
    defence: int
    movement: int


class Rating(NamedTuple):
    """How capable a unit is in a category of rule 10: the share of its RE that counts as capable (10B1, 10B2,
    14I), or neutral (10B3)."""

    share: Fraction
    neutral: bool = False


FULL, HALF_CAPABLE, NEUTRAL, NONE = (
    Rating(Fraction(1)),
    Rating(HALF),
    Rating(Fraction(0), True),
    Rating(Fraction(0)),
)
RATINGS: Mapping[str, Rating] = {
    "full": FULL,
    "half": HALF_CAPABLE,
    "neutral": NEUTRAL,
    "none": NONE,
    "1/3 full": Rating(THIRD),
    "1/3 as tank": Rating(THIRD * HALF),
    "cargo half": HALF_CAPABLE,
    "cargo motorised": NEUTRAL,
    "not counted": NONE,
    "-": NONE,
}
CATEGORIES = ("aeca", "aecd", "atec")


@dataclass(frozen=True, slots=True)
class Unit:
    """A counter of the land war."""

    id: str
    side: int
    names: Mapping[str, str]
    nation: str
    type: str
    """Of the chart `unit_types`."""
    size: str
    face: Face
    cadre: Face | None
    """The other side of the counter, of divisions that have one (9E)."""
    re: Fraction
    """Regimental equivalents at full strength (3A3)."""
    klass: str
    dots: tuple[bool, bool]
    """The support dot (11), on the full side and on the cadre side."""
    by_rail_only: bool
    """An R in place of a movement rating (14F1)."""
    ratings: tuple[Rating, Rating, Rating]
    """Attack and defence of armour, defence against tanks (10A)."""
    service: str = ""
    """Army, air force, Waffen-SS ...: who may detach Panthers (15E)."""
    school: str = ""
    """14E3: training, reserve or replacement, beside its type; what asks for it is to come (43F1)."""
    flips: bool = False
    """It is part of a division that has broken down: its other side is the same with or without the dot
    (15B)."""

    @property
    def headquarters(self) -> bool:
        return self.type in HEADQUARTERS

    @property
    def german(self) -> bool:
        return self.nation == "German"

    @property
    def wheels(self) -> bool:
        """14E2: the added symbol of two wheels, on a type that has no motors of its own."""
        return self.klass == CM and charts()["unit_types"].find(self.type)["class"] != CM

    @property
    def gunners(self) -> bool:
        """14B: subject to the limit on artillery, whatever its class."""
        return self.klass == ARTILLERY or self.type in GUNS or self.type in SIEGE


class Piece(NamedTuple):
    """A unit as it lies on the table, as far as its values go."""

    unit: Unit
    reduced: bool = False
    """It lies on its cadre side."""
    hungry: int = 0
    """Which turn without supply it is in; 0 if it is supplied in this player turn, even by a special source
    (12C3, 12D)."""
    isolated: bool = False
    """As found at the last check (3G)."""
    dotted: bool = True
    """A part of a division lies on its supported side (15B)."""
    added: int = 0
    """What a battalion adds to its strength, or takes from it by its absence (15E)."""
    mount: str = ""
    """The kind of movement counter that carries it in combat: `lvt`, `apc` (14J)."""
    disheartened: bool = False
    """The government of its nation has fallen, or has just come back (37G3)."""

    @property
    def face(self) -> Face:
        """Printed values: losses are counted in them (9D), with those of an attached battalion (15E)."""
        found = self.unit.cadre if self.reduced and self.unit.cadre else self.unit.face
        if not self.added:
            return found
        return Face(max(found.attack + self.added, 0), max(found.defence + self.added, 0), found.movement)

    @property
    def divisional(self) -> bool:
        """3A1: a division on its full side; a headquarters or a cadre is none."""
        return self.unit.size == "XX" and not self.reduced

    @property
    def re(self) -> Fraction:
        """3A3: a cadre is one regimental equivalent."""
        return Fraction(1) if self.reduced else self.unit.re

    @property
    def transport_re(self) -> Fraction:
        """3A3: cavalry and c/m units take twice their size in trains and ships."""
        doubled = self.unit.klass == CM or self.unit.type == "cavalry"
        return self.re * 2 if doubled else self.re

    @property
    def dot(self) -> bool:
        return self.dotted if self.unit.flips else self.unit.dots[self.reduced]

    @property
    def supported(self) -> bool:
        """11: by nature, whoever is beside it."""
        unit = self.unit
        return self.divisional or unit.klass == ARTILLERY or unit.headquarters or self.dot

    @property
    def supports(self) -> bool:
        """11: the dot supports nobody else."""
        return self.supported and not self.dot

    @property
    def heavy(self) -> bool:
        """3A4: heavy equipment, by type, by wheels (14E2) or because it is supported."""
        said = charts()["unit_types"].find(self.unit.type)["heavy_equipment"]
        return said == "yes" or self.unit.wheels or self.supported


@cache
def units() -> Mapping[str, Unit]:
    """Every land counter of the books, the Axis first."""
    found: dict[str, Unit] = {}
    for side, name in enumerate(SIDES):
        for record in books()[LAND[name]].records:
            unit = _unit(side, record)
            found[unit.id] = unit
    return found


def unit_type(record: Record) -> str:
    """The type of the identification chart for what a book calls it."""
    row = charts()["book_types"].find(record["type"])
    found = str(row["division" if record["size"] == "XX" else "other"])
    return "artillery_german" if found == "artillery" and record.values.get("contingent") else found


def _unit(side: int, record: Record) -> Unit:
    type_ = unit_type(record)
    klass = str(record["class"])
    wheels = klass == CM and charts()["unit_types"].find(type_)["class"] != CM
    size = "HQ" if record["size"] in ("HQ", "XX HQ") else str(record["size"])
    cadre = None
    if record["cadre_rating"]:
        cadre = Face(*(_whole(record[f"cadre_{value}"]) for value in ("attack", "defence", "movement")))
    face = Face(*(_whole(record[value]) for value in ("attack", "defence", "movement")))
    re = record["re"]
    assert isinstance(re, int | Fraction)
    return Unit(
        str(record["id"]),
        side,
        {"en": str(record["name_en"]), "fr": str(record["name_fr"])},
        str(record["nation"]),
        type_,
        size,
        face,
        cadre,
        Fraction(re),
        klass if klass in (CM, ARTILLERY) else NON_MOTORISED,
        (record["self_supported"] == "yes", str(record["cadre_rating"] or "").endswith("*")),
        record["movement"] == "R",
        ratings_of(type_, wheels, side),
        str(record.values.get("contingent") or record.values.get("service") or ""),
        next((word for word in SCHOOLS if str(record["type"]).startswith(word)), ""),
        str(record["id"]) in part_ids(),
    )


@cache
def part_ids() -> frozenset[str]:
    """15C: the counters that are parts of divisions; headquarters and battalions have no other side."""
    found = set()
    for row in charts()["breakdown_sets"].records:
        found.update(str(row["parts"]).split("|"))
    return frozenset(found)


def ratings_of(type_: str, wheels: bool, side: int) -> tuple[Rating, Rating, Rating]:
    """14D: headquarters are always neutral."""
    if type_ in HEADQUARTERS:
        return NEUTRAL, NEUTRAL, NEUTRAL
    aeca, aecd, atec = (_rating(type_, category, wheels, side) for category in CATEGORIES)
    return aeca, aecd, atec


def _rating(type_: str, category: str, wheels: bool, side: int) -> Rating:
    """14E2: with wheels, what is not capable becomes neutral."""
    said = str(charts()["unit_types"].find(type_)[category])
    if said == "as artillery":
        guns = "artillery_german" if side == AXIS else "artillery"
        said = str(charts()["unit_types"].find(guns)[category])
    rating = RATINGS[said]
    return NEUTRAL if wheels and rating == NONE else rating


def _whole(value: Value) -> int:
    """Words in place of a number (R, transport only) are no points of movement."""
    return value if isinstance(value, int) else 0
