"""A position of Second Front: units of the books by number; sets of hexes and units as integers."""

from __future__ import annotations

from grognard.games.second_front.rules.weather import CLEAR
from grognard.games.second_front.rules.zones import Zones
from grognard.kernel.fields import derived, names, octets, value
from grognard.mechanics.pieces import Pieces

GOING_ON, DECIDED = 0, 1

FIELDS = (
    *(value("turn"), value("active"), value("sky"), value("owned"), value("ending")),
    *(value("reduced"), octets("hunger"), value("fed"), value("isolated"), value("open_land")),
    *(value("moved"), octets("left"), value("marched"), value("entrained"), value("steady")),
    *(value("fought"), value("attacked"), value("retreated")),
    *(value("capacity"), value("rail_used"), value("broken")),
    *(value("forts"), value("spoiled"), value("wrecked"), value("resources")),
    derived("known_zones", "[None, None]"),
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
        self.known_zones: list[Zones | None] = [None, None]
        """The zones of each side, worked out when they are asked for."""

    def place(self, unit: int, place: int) -> None:
        super().place(unit, place)
        self.forget_zones()

    def forget_zones(self) -> None:
        """Something has changed that zones depend on."""
        self.known_zones = [None, None]
