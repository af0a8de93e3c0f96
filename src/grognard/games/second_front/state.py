"""A position of Second Front: units of the books by number; sets of hexes and units as integers."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.second_front.rules.weather import CLEAR
from grognard.games.second_front.rules.zones import Zones
from grognard.kernel.fields import derived, names, octets, value
from grognard.mechanics.pieces import Pieces

GOING_ON, DECIDED = 0, 1
CAPTURED, ESCAPED, FALLING = -1, -2, -3
"""In the place of a government's hex (37G2); the last until a die has been thrown."""


class Work(NamedTuple):
    """Something that takes engineers turns, not movement points (14A1, 14A5)."""

    kind: str
    side: int
    cell: int
    units: tuple[int, ...]
    due: int
    """The turn in whose initial phase it is finished."""


class Pool(NamedTuple):
    """Points of a force, in twentieths: quarters and fifths are exact in them (3C1, 40B4)."""

    force: str
    infantry: int = 0
    armour: int = 0
    resources: int = 0
    naval: int = 0


class Government(NamedTuple):
    """37G."""

    nation: str
    side: int
    cell: int
    """Its hex, a box, CAPTURED or ESCAPED."""
    fallen: int = 0
    """The turn in which its hex was lost."""
    restored: int = 0
    """The turn in which it came back."""


FIELDS = (
    *(value("turn"), value("active"), value("sky"), value("owned"), value("ending")),
    *(value("reduced"), octets("hunger"), value("fed"), value("isolated"), value("open_land")),
    *(value("moved"), octets("left"), value("marched"), value("entrained"), value("steady")),
    *(value("fought"), value("attacked"), value("retreated")),
    *(value("capacity"), value("rail_used"), value("broken")),
    *(value("forts"), value("spoiled"), value("wrecked"), value("resources")),
    *(value("split"), value("dotted"), value("lightened"), value("mounted")),
    *(value("works"), value("airfields"), value("strips"), value("hits"), value("ruined"), value("labour")),
    *(value("rail_extra"), value("rail_spent"), value("stores")),
    *(value("pools"), value("owing"), value("salvage"), value("replaced")),
    *(value("governments"), value("alarmed"), value("seas")),
    *(value("flooded"), value("marsh"), value("drowned")),
    *(value("improved"), value("restoration"), value("wall_held")),
    derived("known_zones"),
)


class FrontState(Pieces, fields=FIELDS):
    """What lies on the table. The units of the Axis come first."""

    __slots__ = names(FIELDS)

    def __init__(self, axis_units: int, units: int) -> None:
        super().__init__((axis_units, units - axis_units))
        self.turn = 0
        self.active = 0
        """Whose player turn it is (4B)."""
        self.sky: tuple[str, ...] = (CLEAR,) * 4
        """The weather of each zone, remembered from turn to turn (36B)."""
        self.owned = (0, 0)
        """The hexes of each side (3D)."""
        self.ending = GOING_ON
        self.reduced = 0
        """Units on their cadre side (9E)."""
        self.hunger = bytearray(units)
        """Player turns in a row without regular supply (12D)."""
        self.fed = 0
        """Units supplied in this player turn, even by a special source (12C3)."""
        self.isolated = 0
        """Units found isolated at the last check (3G)."""
        self.open_land = (0, 0)
        """The hexes that were not isolated for each side at the last check (3G)."""
        self.moved = 0
        """Units whose move in this phase is over."""
        self.left = bytearray(units)
        """Movement points left in this phase, in halves."""
        self.marched = 0
        """Units in administrative movement: without zone for the rest of the phase (6B)."""
        self.entrained = 0
        """Units that have used strategic rail movement: they neither attack nor exploit (7A2)."""
        self.steady = 0
        """Units that have not left their hexes in this movement phase (7A)."""
        self.fought = 0
        """Units that have attacked in this phase (9B)."""
        self.attacked = 0
        """Units that have been attacked in this phase (9B)."""
        self.retreated = 0
        """Units that have retreated in this phase: they add nothing where they are (9F1)."""
        self.capacity: tuple[tuple[str, int, int], ...] = ()
        """Of each railway network, for each side (7A4)."""
        self.rail_used: tuple[tuple[str, int, int], ...] = ()
        """Network, unit, quarters of RE, in this player turn (7A3)."""
        self.broken = 0
        """Hexes whose railway is cut (7A5)."""
        self.forts = 0
        """Hexes with forts (37B1)."""
        self.spoiled = 0
        """Major cities that have been Allied: no sources of the Axis for ever (12C1)."""
        self.wrecked = 0
        """Hexes whose ports do not operate."""
        self.resources: tuple[tuple[int, int, int], ...] = ()
        """Hex, side, resource points (12E)."""
        self.split: tuple[tuple[int, int], ...] = ()
        """Divisions that have broken down, and the set of counters that each uses (15)."""
        self.dotted = 0
        """Parts of divisions on their supported side (15B)."""
        self.lightened = 0
        """Panzer divisions that have detached a battalion (15E)."""
        self.mounted: tuple[tuple[int, int], ...] = ()
        """Movement counter and the unit that it carries in combat, until its side moves again (14J)."""
        self.works: tuple[Work, ...] = ()
        """What engineers are building (14A1)."""
        self.airfields: tuple[tuple[int, int], ...] = ()
        """Hex and capacity of the permanent airfields that engineers have built or enlarged (14A1)."""
        self.strips = 0
        """Hexes with temporary airfields (14A1)."""
        self.hits: tuple[tuple[int, int], ...] = ()
        """Hex and hits of damaged ports: those that still operate (30A2)."""
        self.ruined = 0
        """Hexes whose ports have been destroyed: they are rebuilt before their hits are repaired (14A5)."""
        self.labour = 0
        """Major cities whose people have helped engineers in this player turn (14A1c)."""
        self.rail_extra: tuple[tuple[str, int], ...] = ()
        """Network and RE of capacity bought for this player turn (7A4a)."""
        self.rail_spent: tuple[tuple[str, int], ...] = ()
        """Network and resource points spent on it in this initial phase (7A4b)."""
        self.stores: tuple[tuple[int, int, int, int], ...] = ()
        """Side, hex, supply points and initial phases left of delivered supply (12C3a)."""
        self.pools: tuple[Pool, ...] = ()
        """Replacement, resource and naval repair points of each force (40B1)."""
        self.owing: tuple[Pool, ...] = ()
        """Points that can be used from the owner's next initial phase on (40A1, 40D1, 40D3)."""
        self.salvage: tuple[tuple[int, str, int], ...] = ()
        """Side, nation and attack strength lost in combat since its last initial phase (40B4)."""
        self.replaced: tuple[tuple[str, str, int, int], ...] = ()
        """Nation, limited kind, turn and quarters of RE replaced (40B2, 40B3)."""
        self.governments: tuple[Government, ...] = ()
        """Where governments are, and what has happened to them (37G)."""
        self.alarmed: tuple[str, ...] = ()
        """Garrisons of which a part has come into play at once (37E)."""
        self.seas: tuple[tuple[str, tuple[str, int]], ...] = ()
        """The state of each sea, and the turn for which it was thrown (36C)."""
        self.flooded = 0
        """Hexes that are swamps for the rest of this player turn (37A3)."""
        self.marsh = 0
        """Hexes that are swamps for good (37A4)."""
        self.drowned: tuple[tuple[int, int], ...] = ()
        """Hex and player turns for which nobody enters it (37A4)."""
        self.improved = 0
        """Hexes of the Westwall that have been improved (37B5)."""
        self.restoration = 0
        """The turn in which the Axis has declared that it restores the Westwall; 0: it has not (37B5)."""
        self.wall_held = 0
        """The hexes of the Westwall that the Axis has held since then."""
        self.known_zones: list[Zones | None] = [None, None]
        """The zones of each side, worked out when they are asked for."""

    def place(self, unit: int, place: int) -> None:
        super().place(unit, place)
        self.forget_zones()

    def forget_zones(self) -> None:
        """Something has changed that zones depend on."""
        self.known_zones = [None, None]
