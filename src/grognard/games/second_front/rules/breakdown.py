"""15 Divisions that break down into parts, and Panther battalions that come and go: what the charts allow."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from grognard.files.schema import Record
from grognard.games.second_front.books import LAND, books, charts
from grognard.games.second_front.units import AXIS, Unit, ratings_of, units

PANTHER = 4
"""What a division loses when it detaches a battalion (15E)."""
DETACHES_FROM = 15
ARMY = "Heer"
GRENADIERS = "mechanised_infantry"
"""What a division counts as that has detached a battalion."""
PANTHERS = "SF-G-PN-D"
"""How the ids of the counters for detached battalions begin."""
SMALL = "II"


class PartSet(NamedTuple):
    """A set of counters for one division (15C)."""

    name: str
    divisions: frozenset[str]
    """The divisions that may use it."""
    headquarters: str
    """None: the division breaks down into supported parts only."""
    parts: tuple[str, ...]
    own: bool
    """15C2: it belongs to one division, which may use no other."""


@cache
def part_sets() -> tuple[PartSet, ...]:
    """15B, 15C: the charts of breakdown, with the divisions that each line names."""
    records = [record for table in LAND.values() for record in books()[table].records]
    return tuple(
        PartSet(
            str(row["set"]),
            frozenset(str(record["id"]) for record in records if _listed(row, record)),
            str(row["headquarters"] or ""),
            tuple(str(row["parts"]).split("|")),
            bool(row["division"]),
        )
        for row in charts()["breakdown_sets"].records
    )


@cache
def listed() -> frozenset[str]:
    """Every division of the charts."""
    return frozenset(id_ for each in part_sets() for id_ in each.divisions)


def _listed(row: Record, record: Record) -> bool:
    """Whether a line of the chart names a division: itself, or its nation, type and rating."""
    if row["division"]:
        return row["division"] == record["id"]
    service = record.values.get("contingent") or record.values.get("service")
    return (
        record["size"] == "XX"
        and str(record["nation"]) in _words(row, "nations")
        and str(record["type"]) in _words(row, "type")
        and (not row["ratings"] or str(record["rating"]) in _words(row, "ratings"))
        and (not row["contingents"] or str(service) in _words(row, "contingents"))
    )


def _words(row: Record, column: str) -> list[str]:
    return str(row[column] or "").split("|")


def free_set(division: str, used: Collection[int]) -> int | None:
    """15C1, 15C2: a set of counters for one more division: its own if it has one, or a lettered one that no
    other division uses and of which no counter is in play. `used`: sets that are not to be had."""
    return next((number for number in sets_of(division) if number not in used), None)


@cache
def sets_of(division: str) -> tuple[int, ...]:
    """15C1, 15C2: the sets that a division may use."""
    named = [number for number, each in enumerate(part_sets()) if division in each.divisions]
    own = [number for number in named if part_sets()[number].own]
    return tuple(own or named)


def supported(part: Unit, led: bool) -> bool:
    """15B: parts are supported, unless a headquarters leads them; battalions never are."""
    return not led and part.size != SMALL


def assembled_hunger(parts: Sequence[int]) -> int:
    """15A: the assembled unit is as hungry as the hungriest of its parts: player turns without supply."""
    return max(parts)


# 15D


class Brigade(NamedTuple):
    """A unit that is no division and is put together from others in play."""

    whole: tuple[str, ...]
    """Its counters."""
    part: tuple[str, ...]
    """The counters of which it is made."""
    needed: int


@cache
def brigades() -> tuple[Brigade, ...]:
    records = [record for table in LAND.values() for record in books()[table].records]
    found = []
    for row in charts()["brigades"].records:

        def ids(type_: str, rating: str, size: str | None, row: Record = row) -> tuple[str, ...]:
            return tuple(
                str(record["id"])
                for record in records
                if record["nation"] == row["nation"]
                and record["type"] == row[type_]
                and record["rating"] == row[rating]
                and record["size"] == (row["size"] if size is None else size)
            )

        count = row["parts"]
        assert isinstance(count, int)
        found.append(Brigade(ids("type", "rating", None), ids("part_type", "part_rating", SMALL), count))
    return tuple(found)


@cache
def divisible() -> frozenset[str]:
    """15B, 15D: every unit that may break down if there are counters for it."""
    return listed().union(*(line.whole for line in brigades()))


# 15E


def may_detach(unit: Unit, detached: bool) -> bool:
    """German Army panzer divisions of 15-10 and more, one battalion each."""
    return _panzers(unit) and unit.face.attack >= DETACHES_FROM and not detached


def may_attach(unit: Unit, attached: int) -> bool:
    """To panzer divisions of the German Army, one each; not to panzer-grenadiers."""
    return _panzers(unit) and not attached


def _panzers(unit: Unit) -> bool:
    return unit.german and unit.service == ARMY and unit.type == "panzer_division" and unit.size == "XX"


@cache
def lightened(id_: str) -> Unit:
    """A panzer division that has detached a battalion counts as panzer-grenadiers."""
    return replace(units()[id_], type=GRENADIERS, ratings=ratings_of(GRENADIERS, False, AXIS))


def change(battalion: Unit | None, detached: bool) -> int:
    """What a division's strength gains or loses: one strength, for losses too; the battalion neither stacks
    nor counts as RE."""
    return (battalion.face.attack if battalion else 0) - (PANTHER if detached else 0)
