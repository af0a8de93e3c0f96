"""A position of Typhoon!: flat arrays indexed by unit; sets of hexes and units as integers."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from grognard.games.typhoon.rules.weather import Sky
from grognard.kernel.fields import derived, names, octets, row, shared, value
from grognard.mechanics.pieces import TO_COME, Pieces, box, members

__all__ = [
    "ACTIVE",
    "ATTACKING",
    "AXIS",
    "CADRE",
    "DEFENDING",
    "ELIMINATED",
    "GONE",
    "SOVIET",
    "SUBSTITUTES",
    "SUPPLY_POOL",
    "TO_COME",
    "Away",
    "Declared",
    "Head",
    "Mission",
    "Pontoon",
    "TyphoonState",
]

AXIS, SOVIET = 0, 1

CADRE = box(0)
"""8.5.4 Units that can come back for replacements (15.2.2)."""
ELIMINATED = box(1)
"""8.5.4 Units that must become cadres first (15.2.3)."""
ACTIVE = box(2)
"""15.2.2a Units restored that enter as reinforcements."""
LOST = (CADRE, ELIMINATED)
"""17.2.2 Whose steps count as lost."""
GONE = box(3)
"""14.2 Units withdrawn for good, or not of this scenario."""
SUPPLY_POOL = box(4)
"""6.5.1 Supply counters that may be used again."""
SUBSTITUTES = box(5)
"""15.3.4 Counters of substitute regiments not in use."""

AIR_READY, AIR_FLOWN, AIR_DAMAGED, AIR_DESTROYED, AIR_FLYING, AIR_TO_COME, AIR_GONE = range(7)
"""Where an air unit is (11.1.2): the four boxes, on a mission, not yet in play, withdrawn."""
AIR_NAMES = ("ready", "flown", "damaged", "destroyed")

INTERDICTION, CLOSE_SUPPORT = 0, 1
"""11.1.6 What a mission is for."""

ATTACKING, DEFENDING = 0, 1

COMPROMISE, HITLER, VON_BOCK, HOEPNER = range(4)
PLAN_NAMES = ("compromise", "hitler", "von_bock", "hoepner")
PLAN_MARKERS = (COMPROMISE, HITLER, HITLER, VON_BOCK, HOEPNER)
"""17.3.1 The five markers, by ruling."""

STAND, FLEE = 1, 2
"""8.8, 8.7 The options of retreat: none, and an additional hex."""


class Declared(NamedTuple):
    """An attack declared while moving (8.1.1), to be fought in the combat phase."""

    targets: tuple[int, ...]
    attackers: tuple[int, ...]
    option: int = 0
    """8.7.1, 8.8.1 What the defender has chosen for the units attacked."""
    guns: tuple[int, ...] = ()
    """10.1.5 The defender's guns that support them from elsewhere."""
    odds: int = 0
    """The column of the odds before reaction (16.1.1, 17.3.5)."""
    fought: bool = False


class Mission(NamedTuple):
    """Air units laid face down in a hex (11.1.7)."""

    cell: int
    purpose: int
    units: tuple[tuple[int, ...], tuple[int, ...]]
    """Those of the Axis and of the Soviets, by their numbers among air units; decoys among them."""


class Pontoon(NamedTuple):
    """13.2"""

    side: int
    cell: int
    towards: int
    """The hex beyond the side that it bridges."""


class Away(NamedTuple):
    """17.4.3 A division that has left the map (by ruling), and by which hex."""

    units: tuple[int, ...]
    cell: int
    back: bool = False
    """It has been called back, and enters there again."""


class Head(NamedTuple):
    """A railhead of the Axis (12.4.5)."""

    cell: int
    since: int
    """The turn on which it was laid: it is not moved in that turn (12.4.5c)."""
    spent: int = 0
    """Points of conversion spent on it this turn (12.4.4)."""
    behind: int = -1
    """The hex from which it came; -1 for one of the set-up."""


FIELDS = (
    *(
        shared("axis_units"),
        shared("others"),
        derived("zones"),
        derived("stale"),
        derived("around"),
        derived("traced"),
    ),
    derived("present", "{}"),
    *(value("turn"), value("active"), value("sky"), value("arctic_seen")),
    *(octets("steps"), octets("due"), value("emergency"), value("unsupplied"), value("fed")),
    *(value("moved"), value("activated"), value("marched"), value("overrun"), value("fought")),
    *(
        value("arrived"),
        value("refitting"),
        value("garrison"),
        value("held"),
        value("stirred"),
        value("dawn"),
    ),
    *(value("soviet_hexes"), row("forts"), row("works"), row("weak"), value("broken_lines")),
    *(value("stormed"), value("pontoons"), value("heads"), value("axis_rail"), value("cuts")),
    *(row("rail_left"), value("conversion"), row("supply_due"), row("transports")),
    *(value("attacks"), value("commanded")),
    *(octets("air"), value("missions"), value("interdicted"), value("moscow_flies")),
    *(row("replacements"), value("armour_steps"), value("air_steps"), value("guard_steps")),
    *(
        value("strongpoints"),
        value("event"),
        value("obligatory"),
        value("panics"),
        value("panic"),
        value("reserves"),
    ),
    *(value("plan"), value("plan_known"), value("plan_owed"), value("hqs_lost")),
    *(value("launched"), value("gone_north"), value("gone_south"), value("away")),
    *(value("shelled"), value("points")),
)


class TyphoonState(Pieces, fields=FIELDS):
    """What lies on the table. Axis units come first; `axis_units` says how many."""

    __slots__ = names(FIELDS)

    def __init__(self, axis_units: int, units: int, air: int, others: int) -> None:
        super().__init__((axis_units, units - axis_units))
        self.axis_units = axis_units
        self.others = others
        """Units that are no combat units (6.5.3), as a set."""
        self.zones: list[int | None] = [None, None]
        """The zones of control of each side, if worked out, as they were before the stacks in `stale` changed
        (see `rules.ground`)."""
        self.stale = [0, 0]
        """The hexes where stacks of each side have changed since its zones were worked out."""
        self.around: dict[tuple[int, int], int] = {}
        """The zones of single stacks, by side and hex, as far as they have been asked for."""
        self.present = 0
        """The units on the map, as a set."""
        self.traced: dict[Hashable, object] = {}
        """What has been worked out since a unit was last placed: routes of supply with what they depend on,
        hexes with combat units, hexes far from them (see `rules.ground` and `rules.eligible`)."""
        self.turn = 0
        self.active = AXIS
        """Whose segment it is: the phasing player."""
        self.sky: Sky = Sky("dry")
        self.arctic_seen = False
        """12.1.4 There has been a turn of arctic weather."""
        self.steps = bytearray(units)
        """Steps left; of a supply counter the points that it holds (6.5.2)."""
        self.due = bytearray(units)
        """The turn of arrival of units to come; 0 for those that wait for something else."""
        self.emergency = 0
        """6.3.3 Units under a marker of emergency supply, as a set."""
        self.unsupplied = 0
        """Units under a marker Unsupplied, as a set."""
        self.fed = 0
        """6.2.3 Supply counters spent this turn as temporary sources: the hexes, as a set."""
        self.moved = 0
        """Units that have moved in the phase in progress."""
        self.activated = 0
        """13.1.2a Units under an Activation marker: they move no more this turn's segment."""
        self.marched = 0
        """Units that have used strategic or rail movement this turn (7.6.2, 7.7.3)."""
        self.overrun = 0
        """7.8.4 Units under an Overrun marker, for the segment."""
        self.fought = 0
        """Units that have taken part in a combat in this segment (12.3.2, 15.2.1)."""
        self.arrived = 0
        """14.1.8 Units that have entered this turn: they are in general supply."""
        self.refitting = 0
        """15.2.1b Units marked to receive a replacement: they neither move nor attack."""
        self.garrison = 0
        """13.6 Units of garrisons not yet released, as a set."""
        self.held = 0
        """Units that a special rule keeps from moving for now, as a set."""
        self.stirred = 0
        """Units that were attacked and wait no longer, as a set."""
        self.dawn = 0
        """16.2.2 Places of victory that the Soviets held when the turn began, as a set of hexes."""
        self.soviet_hexes = 0
        """2.5.2 Hexes that the Soviets control."""
        self.forts = [0, 0]
        """12.1 Strongpoints of each side, finished, as sets of hexes."""
        self.works = [0, 0]
        """Strongpoints under construction (12.1.6)."""
        self.weak = [0, 0]
        """6.3.6 Strongpoints under a marker of emergency supply."""
        self.broken_lines = 0
        """12.2.3 Hexes whose fortified line is destroyed."""
        self.stormed = 0
        """12.2.3b Hexes of a fortified line attacked by engineers in this segment."""
        self.pontoons: tuple[Pontoon, ...] = ()
        self.heads: tuple[Head, ...] = ()
        self.axis_rail = 0
        """12.4.1 Hexes whose railway is converted to the Axis' gauge."""
        self.cuts = 0
        """12.4.6, 12.5.1 Converted hexes under a marker Rail Cut."""
        self.rail_left = [0, 0]
        """7.6.3 Rail capacity left this turn."""
        self.conversion = 0
        """12.4.3 Points of conversion left."""
        self.supply_due = [0, 0, 0]
        """6.5.1 Supply points received and not yet placed: of each side, and that of Moscow."""
        self.transports = [0, 0]
        """11.6.3 Missions of air transport left in the game."""
        self.attacks: tuple[Declared, ...] = ()
        self.commanded: tuple[tuple[int, int], ...] = ()
        """13.1.2 HQs and how much of their command value is used in the phase in progress."""
        self.air = bytearray(air)
        """Where each air unit is."""
        self.missions: tuple[Mission, ...] = ()
        """Their units are their owners' secret until air combat (11.1.7)."""
        self.interdicted: tuple[int, ...] = ()
        """11.4.1e Hexes with a marker of interdiction, one for each."""
        self.moscow_flies = False
        """13.7.2 The Moscow air defence is released this turn."""
        self.replacements = [0, 0]
        """15.1 Infantry points that each side has saved."""
        self.armour_steps = 0
        """15.1.4 Soviet points of type A, for this turn."""
        self.air_steps = 0
        """15.1.5 Soviet points of type V, for this turn."""
        self.guard_steps = 0
        """14.3.6 Steps for the NKVD or the Guards, for this turn."""
        self.strongpoints = 0
        """12.1.2 Strongpoints that the Soviets may still begin this turn."""
        self.event = ""
        """14.3 The event of the turn, as long as its choice is open."""
        self.obligatory = 0
        """16.1.3 Attacks ordered and not yet made."""
        self.panics = 0
        """14.3.2 How often Moscow has panicked."""
        self.panic = 0
        """Moscow panics, until the next roll on the table: 1 fully, 2 its supply point alone is lost."""
        self.reserves = 0
        """14.4 Groups of reserves taken, as a set of their numbers."""
        self.plan = COMPROMISE
        """17.3.1 The marker in force: the Axis' secret, but for the first."""
        self.plan_known = True
        """Whether the Soviets may see it."""
        self.plan_owed = False
        """17.3.2, 17.3.3 The Axis may draw another now."""
        self.hqs_lost = 0
        """17.2.2 Soviet HQs eliminated, even if they came back."""
        self.launched = 0
        """17.4.2 The turn on which the Axis declared the offensive of the 16th Army."""
        self.gone_north = 0
        """17.4.2 Divisions that left the map by its north edge."""
        self.gone_south = 0
        """17.4.3 Divisions that left it towards Voronezh, even if they came back."""
        self.away: tuple[Away, ...] = ()
        """17.4.3 Those that are there."""
        self.shelled = 0
        """17.4.4 Turns on which Moscow was shelled."""
        self.points = 0
        """17.2 Victory points gained or lost by what was done; those of places and losses come at the end."""

    def place(self, unit: int, place: int) -> None:
        old = self.where[unit]
        super().place(unit, place)
        self._changes(unit, old)
        self._changes(unit, place)
        if (old >= 0) != (place >= 0):
            self.present ^= 1 << unit
        self.traced.clear()

    def _changes(self, unit: int, place: int) -> None:
        """The zones of a side are not what they were around a place."""
        if place >= 0:
            side = AXIS if unit < self.axis_units else SOVIET
            self.stale[side] |= 1 << place
            self.around.pop((side, place), None)

    def _change_all(self, units: int) -> None:
        for unit in members(units):
            self._changes(unit, self.where[unit])

    def set_steps(self, unit: int, steps: int) -> None:
        """The only way to change what a unit on the map has left: some lose their zone with it (3.3.1)."""
        self.steps[unit] = steps
        self._changes(unit, self.where[unit])

    def mark_overrun(self, units: int) -> None:
        """7.8.4a Who was overrun has no zone."""
        self.overrun |= units
        self._change_all(units)

    def clear_overrun(self) -> None:
        self._change_all(self.overrun)
        self.overrun = 0

    def set_sky(self, sky: Sky) -> None:
        self.sky = sky
        self.zones[:] = None, None
        self.around.clear()
        self.traced.clear()

    def side(self, unit: int) -> int:
        return AXIS if unit < self.axis_units else SOVIET

    def own(self, side: int, cell: int) -> int:
        """The units of a side on a hex, as a set."""
        return self.at.get(cell, 0) & self.side_units[side]

    def fighters(self, side: int, cell: int) -> int:
        """The combat units of a side on a hex, as a set (6.5.3)."""
        return self.at.get(cell, 0) & self.side_units[side] & ~self.others

    def level(self, cell: int, near: int) -> int:
        """11.4.2 How heavily a hex is interdicted; `near` is the hex and those around it, as a set."""
        return sum(near >> marker & 1 for marker in self.interdicted)
