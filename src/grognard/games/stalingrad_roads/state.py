"""A position of Stalingrad Roads: flat arrays indexed by unit; sets of hexes and units as integers."""

from __future__ import annotations

from typing import NamedTuple

from grognard.kernel.fields import derived, names, octets, row, shared, value
from grognard.mechanics.pieces import DEAD, TO_COME, Pieces, box

__all__ = [
    "ALARM_BOX",
    "ALL_FOUR",
    "AVAILABLE",
    "AXIS",
    "BOX_NAMES",
    "DEAD",
    "GOING_ON",
    "HQ_BOX",
    "HUMAN_WAVES",
    "IN_ITS_BOX",
    "KG_BOX",
    "MAJOR",
    "MINOR_A",
    "MINOR_B",
    "NOT_RECEIVED",
    "ON_POINTS",
    "OVERWHELMING",
    "PANZERS_TO_THE_RESCUE",
    "RETURNING",
    "ROUT",
    "SOVIET",
    "STAVKA",
    "STAVKA_RESERVE",
    "SUDDEN",
    "TO_COME",
    "WITHDRAWN",
    "Marker",
    "RoadsState",
]

AXIS, SOVIET = 0, 1

STAVKA_RESERVE = box(0)
WITHDRAWN = box(1)
"""Never to come back (1.3.4)."""
HQ_BOX = box(2)
"""HQs without a line of supply, to return in the same turn (4.1.2)."""
KG_BOX = box(3)
"""Kampfgruppen not yet raised (8.15)."""
ALARM_BOX = box(4)
"""Counters of alarm units whose markers are not played."""

STAVKA, MINOR_A, MINOR_B, MAJOR, AVAILABLE = range(5)
"""The boxes of available supports (5.3.1); the last one is the Axis'."""
BOX_NAMES = ("stavka", "minor-a", "minor-b", "major", "available")

NOT_RECEIVED, IN_ITS_BOX, RETURNING = -1, -2, -3
"""Where an offensive marker is, if not on a hex."""

PANZERS_TO_THE_RESCUE, HUMAN_WAVES, OVERWHELMING, ROUT = range(4)
"""The effects of German superiority (14.1)."""
ALL_FOUR = 0b1111

GOING_ON, SUDDEN, ON_POINTS = 0, 1, 2


class Marker(NamedTuple):
    """A support marker on the map."""

    kind: int
    box: int
    unit: int
    """Whom it goes with; -1 if it lies on a hex."""
    cell: int
    """The hex where it lies; -1 if it goes with a unit."""
    spent: bool = False
    """It has done its work this turn."""


FIELDS = (
    *(shared("axis_units"), shared("hqs"), derived("afoot", "{}")),
    *(value("options"), value("turn"), value("active")),
    *(value("mud"), value("rivers"), value("clouds"), value("mud_before")),
    *(octets("steps"), octets("due"), value("unsupplied"), value("enclosed")),
    value("pontoons"),
    *(value("soviet_hexes"), value("taken_cities"), value("lost_major"), value("regained_major")),
    *(value("successes"), value("recoveries")),
    *(value("moved"), value("fought"), value("attacked"), value("retreated"), value("exploiting")),
    *(value("pinned"), value("trios"), value("surprised"), value("off_road"), value("replaced")),
    *(
        octets("pool"),
        octets("held"),
        octets("played"),
        value("markers"),
        value("guns"),
        value("stage"),
        value("transferred"),
    ),
    *(row("offensives"), value("stalingrad_face"), value("major_begun"), value("gone_west")),
    *(value("superiority"), value("fortress"), value("level"), value("declared"), value("fortress_fights")),
    *(
        octets("planes"),
        value("flights"),
        value("airlift_open"),
        value("relief"),
        value("raided"),
        value("sorties"),
    ),
    *(value("ring_broken"), value("no_supports"), value("full_power"), value("hube")),
    *(value("rail"), value("lost_replacements")),
    *(value("approval"), value("manstein"), value("dismissed"), value("crisis"), value("crisis_rolled")),
    *(
        value("crisis_effect"),
        value("crisis_turn"),
        value("demand"),
        value("armoured_attacks"),
        value("risen"),
    ),
    *(value("mars"), value("mars_over"), value("politics"), value("stalin"), value("good_attack")),
    *(value("storm"), value("backhand"), value("backhand_score"), value("no_draw"), value("retired")),
    value("owed"),
    *(value("points"), value("ending"), value("winner")),
)


class RoadsState(Pieces, fields=FIELDS):
    """What lies on the table. Axis units come first; `axis_units` says how many."""

    __slots__ = names(FIELDS)

    def __init__(self, axis_units: int, units: int, hqs: int, supports: int, planes: int) -> None:
        super().__init__((axis_units, units - axis_units))
        self.axis_units = axis_units
        self.hqs = hqs
        """The HQs of both sides, as a set of units."""
        self.afoot = 0
        """The units on the map, as a set."""
        self.options = 0
        self.turn = 0
        self.active = SOVIET
        """Whose half of the turn it is."""
        self.mud = False
        self.rivers = 0
        self.clouds = 0
        self.mud_before = False
        """The last turn was one of mud, before FEB IV (3.4)."""
        self.steps = bytearray(units)
        self.due = bytearray(units)
        """The turn of arrival of units to come; 0 for those that wait for something else."""
        self.unsupplied = 0
        """Units marked OOS (4.4.1), as a set."""
        self.enclosed = 0
        """Units marked OOS-FS (10.2.3), as a set."""
        self.pontoons: tuple[tuple[int, int], ...] = ()
        """HQs turned to their pontoon side, and the hex to which the arrow points (4.1.3)."""
        self.soviet_hexes = 0
        """Hexes under Soviet control (1.10)."""
        self.taken_cities = 0
        """Cities that the Soviets have ever captured: the railway is cut there (7.3.3)."""
        self.lost_major = 0
        """Major cities that the Soviets have ever captured (14.2.1)."""
        self.regained_major = 0
        """Major cities that the Axis has retaken once (14.2.3)."""
        self.successes = 0
        """Major Soviet successes whose effect is still to be chosen (14.2.2)."""
        self.recoveries = 0
        """Major cities retaken whose effect is still to be chosen (14.2.3)."""
        self.moved = 0
        self.fought = 0
        self.attacked = 0
        self.retreated = 0
        """Units that have retreated in this combat phase: they defend with 1 (8.12.9)."""
        self.exploiting = 0
        self.pinned = 0
        """Soviet units that secure the pocket and may not move (10.2.4), as a set."""
        self.trios: tuple[int, ...] = ()
        """Stacks of three of which one may (10.2.4), as sets."""
        self.surprised = 0
        """Units that took part in a surprise attack this turn (5.5.7)."""
        self.off_road = False
        """Strategic movement off roads has been paid for (7.2.2)."""
        self.replaced: tuple[tuple[int, int], ...] = ()
        """Units that died in this combat and the Kampfgruppen that stand for them (8.15)."""
        self.pool = bytearray(supports)
        """Markers in the draw pools, by sort."""
        self.held = bytearray(supports * len(BOX_NAMES))
        """Markers in the boxes, by box and sort."""
        self.played = bytearray(supports)
        """Markers played, which go back to the pool in their owner's next support phase (5.2.1)."""
        self.markers: tuple[Marker, ...] = ()
        self.guns: tuple[int, ...] = ()
        """On the first turn: guns to share out north and south of row 15, and those laid north and south."""
        self.stage = 0
        """How far the order of deployment has come (5.5.7)."""
        self.transferred = False
        """A marker has gone from the STAVKA box to another this phase (5.5.6)."""
        self.offensives = [IN_ITS_BOX, NOT_RECEIVED, NOT_RECEIVED]
        """Where the markers of the major offensive and of minor A and B are."""
        self.stalingrad_face = 0
        """Which of them show their Stalingrad side, as a set."""
        self.major_begun = False
        """A major offensive has begun this turn (11.4.3)."""
        self.gone_west = False
        """The major offensive has been west of the Donets once (5.3.5)."""
        self.superiority = ALL_FOUR
        self.fortress = -1
        """The hex of the fortress marker."""
        self.level = 0
        """Its supply."""
        self.declared = 0
        """The turn on which it was declared first; 0 if never."""
        self.fortress_fights = 0
        """The hexes of enclosed stacks attacked at 1/1 or more this Soviet turn; in an Axis turn, those that
        enclosed units attacked (10.3.3)."""
        self.planes = bytearray(planes)
        """Ju 52 markers in their pool, by event."""
        self.flights: tuple[tuple[int, int], ...] = ()
        """Ju 52 markers on hexes: event and hex. Their events are the Axis' secret (10.4.3)."""
        self.airlift_open = 0
        """The turn from which the airlift works."""
        self.relief = False
        """An Axis armoured attack took place near the pocket last turn (10.4)."""
        self.raided = False
        """A raid on an airfield has succeeded this turn."""
        self.sorties = 0
        """Stacks chosen for a sortie this turn, as a set of units; the others may not act (10.4.3)."""
        self.ring_broken = False
        """A Soviet unit of the ring was attacked last Axis turn (10.2.4)."""
        self.no_supports = 0
        """The turn for which the Soviets have no supports, for want of a garrison (10.2.6)."""
        self.full_power = 0
        """Enclosed units that attack or move at full value this turn."""
        self.hube = False
        """General Hube leads the defence this Soviet turn."""
        self.rail = 0
        self.lost_replacements = 0
        """Sides that get no more replacements (18.1.2), as a set."""
        self.approval = 0
        """The box of the approval marker (15)."""
        self.manstein = 0
        """The box of Manstein's marker (16)."""
        self.dismissed = False
        self.crisis = False
        """A crisis at OKH has come and its dice are still to be thrown (15.3)."""
        self.crisis_rolled = False
        """Dice have been thrown for one since the last Axis supply phase."""
        self.crisis_effect = ""
        self.crisis_turn = 0
        """The turn on which it holds."""
        self.demand: tuple[int, int] = (0, 0)
        """Armoured attacks wanted before the next reinforcements, and what they mean for Manstein."""
        self.armoured_attacks = 0
        self.risen = 0
        """Approval has risen for armoured attacks: in this combat phase 1, in exploitation 2 (15.2.2)."""
        self.mars = 0
        """The box of Operation Mars (6.1), from collapse at -3 to breakthrough at 3."""
        self.mars_over = False
        self.politics: tuple[int, ...] = ()
        """Forced markers whose die is still to be thrown (5.5.7)."""
        self.stalin = False
        """Stalin wants an attack at 1/1 or better this turn."""
        self.good_attack = False
        self.storm = 0
        """Wintergewitter: 0 to come, 1 launched, 2 its reward received (16.3.1)."""
        self.backhand = 0
        """The turn on which the backhand blow was launched (16.3.2)."""
        self.backhand_score = 0
        """Hexes of major cities that the Axis has captured since, less those that it has lost."""
        self.no_draw = False
        """Markers were chosen by a Manstein offensive: none are drawn this turn."""
        self.owed: tuple[int, ...] = ()
        """Markers chosen by a Manstein offensive that must still be used this turn, by sort (16.3)."""
        self.retired: tuple[int, ...] = ()
        """How many units have left, by line of the list of withdrawals (18.1)."""
        self.points = 0
        """Victory points of the Soviets gathered during play."""
        self.ending = GOING_ON
        self.winner = -1

    def place(self, unit: int, place: int) -> None:
        super().place(unit, place)
        if place >= 0:
            self.afoot |= 1 << unit
        else:
            self.afoot &= ~(1 << unit)

    def side(self, unit: int) -> int:
        return AXIS if unit < self.axis_units else SOVIET

    def use_owed(self, kind: int) -> None:
        """16.3 A marker of this sort has been used."""
        if kind in self.owed:
            owed = list(self.owed)
            owed.remove(kind)
            self.owed = tuple(owed)

    def fighters_at(self, cell: int) -> int:
        """The units on a hex that are no HQs, as a set."""
        return self.at.get(cell, 0) & ~self.hqs

    def hq_at(self, cell: int) -> int:
        """An HQ on a hex, or -1."""
        return (self.at.get(cell, 0) & self.hqs).bit_length() - 1

    def pontoon(self, hq: int) -> int:
        """The hex to which a pontoon leads; -1 if the HQ is on its front."""
        return next((cell for unit, cell in self.pontoons if unit == hq), -1)
