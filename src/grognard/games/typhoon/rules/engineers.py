"""12 The engineer phase: strongpoints, lines destroyed, railways converted and cut, replacements."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.attack_supply import counters, fed_from
from grognard.games.typhoon.rules.ground import (
    armed,
    intact_forts,
    routes,
    spend_point,
    supplied_hexes,
    zone,
)
from grognard.games.typhoon.rules.plans import digs
from grognard.games.typhoon.rules.railways import (
    Track,
    advance_head,
    conversion_cost,
    head_for,
    heads_after_soviets,
    lines,
    why_not_convert,
)
from grognard.games.typhoon.rules.replacements import SpendReplacements
from grognard.games.typhoon.rules.works import (
    FINISHED,
    Site,
    begun_as,
    destroys,
    is_finished,
    may_work,
    why_not_begin,
)
from grognard.games.typhoon.state import AXIS, PLAN_NAMES, SOVIET, TyphoonState
from grognard.kernel import (
    AGAIN,
    Action,
    Decision,
    Flow,
    Refusal,
    Role,
    Verb,
    ask,
    do,
    procedure,
    refusal,
    step,
)
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

CASES = {
    "strongpoint-there": "12.1.1",
    "site-unsupplied": "12.1.1",
    "plan-forbids-strongpoints": "12.1.3",
    "no-engineer-there": "12.1.3",
    "no-strongpoints-left": "12.1.2",
    "frozen-ground": "12.1.4",
    "no-railway": "12.4.2",
    "converted-already": "12.4.2",
    "not-at-railhead": "12.4.3",
    "railhead-new": "12.4.5",
    "railhead-spent": "12.4.4",
    "rail-unsupplied": "12.4.3",
    "rail-in-zone": "12.4.3",
    "rail-fortified": "12.4.3",
    "no-points-left": "12.4.3",
}
"""The case of each refusal."""


class Engineering(NamedTuple):
    """What has been done in this phase."""

    fallen: int = 0
    """Hexes whose fortification fell in it: their railway waits (12.4.3)."""
    tired: int = 0
    """Engineers that have converted a railway (12.3.2), as a set."""
    shelled: bool = False
    """Moscow has been shelled in it (S5_SIEGE_GUNS)."""
    raised: int = 0
    """Cities where a cadre has come back (15.2.2), as a set of hexes."""


def integrity_in(game: Typhoon, state: TyphoonState, cell: int) -> bool:
    """12.1.9, 12.2.3 Whether a hex holds three elements of one Panzer or motorised division, supplied."""
    here = state.own(AXIS, cell) & ~state.unsupplied
    for name, elements in game.elements.items():
        there = here & bits(elements)
        if there.bit_count() >= 3 and (there & game.armour or " Pz " not in f" {name} "):
            return True
    return False


def free_engineers(game: Typhoon, state: TyphoonState, side: int, cell: int, tired: int) -> list[int]:
    """12.3.2, 12.3.3, 12.4.7 Engineers in a hex that can work: in supply, and not spent by other things."""
    found = []
    for unit in members(state.own(side, cell) & game.engineers & ~state.unsupplied):
        bit = 1 << unit
        if may_work(bool(state.fought & bit), bool(state.marched & bit), False, bool(tired & bit)):
            found.append(unit)
    return found


# What happens by itself


def begin_engineers(game: Typhoon, state: TyphoonState) -> Flow:
    """12.1.6, 12.1.9, 12.2.3 Works are finished; fortifications under enemy divisions and engineers fall."""
    side = state.active
    _finish(game, state, side)
    state.local = Engineering(_destroy(game, state, side))
    return None


def _finish(game: Typhoon, state: TyphoonState, side: int) -> None:
    supplied = supplied_hexes(game, state, side)
    for cell in each(state.works[side]):
        engineer = bool(free_engineers(game, state, side, cell, 0))
        if is_finished(game.sides[side], bool(supplied >> cell & 1), engineer):
            state.works[side] &= ~(1 << cell)
            state.forts[side] |= 1 << cell
            state.emit("fort-finished", "12.1.6", hex=cell)


def _destroy(game: Typhoon, state: TyphoonState, side: int) -> int:
    fallen = 0
    for cell in each(state.forts[1 - side] & armed(state, side)):
        units = [game.units[u] for u in members(state.fighters(side, cell))]
        if destroys(units, side == AXIS and integrity_in(game, state, cell)):
            state.forts[1 - side] &= ~(1 << cell)
            fallen |= 1 << cell
            state.emit("fort-destroyed", "12.1.9", hex=cell)
    if side == AXIS:
        for cell in each(game.lines & ~state.broken_lines & armed(state, AXIS)):
            engineers = state.fighters(AXIS, cell) & game.engineers
            if engineers or state.stormed >> cell & 1:
                fallen |= 1 << cell
                break_line(state, cell)
    state.traced.clear()
    return fallen


def break_line(state: TyphoonState, cell: int) -> None:
    """12.2.3, 12.2.4 A fortified line is destroyed for good."""
    state.broken_lines |= 1 << cell
    state.emit("line-destroyed", "12.2.3", hex=cell)


# What the player orders


def track(game: Typhoon, state: TyphoonState, fallen: int) -> Track:
    """What Axis conversion depends on as things stand."""
    found = routes(game, state, AXIS)
    mine, theirs = armed(state, AXIS), armed(state, SOVIET)
    shut = zone(game, state, SOVIET) & ~mine | theirs
    fortified = intact_forts(game, state, SOVIET) | fallen
    return Track(state.axis_rail, state.cuts, found.rail_net, found.supplied, shut, fortified)


SHELLINGS = 3
"""S5_SIEGE_GUNS: how often shelling Moscow counts in a game."""


def why_not_shell(game: Typhoon, state: TyphoonState, gun: int, counter: int) -> Refusal | None:
    """13.4.2, 17.4.4 by ruling: a siege battery in range of Moscow that supported no attack in this segment
    may shell the city for a supply point."""
    engineering: Engineering = state.local
    outline, here = game.outline(state), state.where[gun]
    if "S5_SIEGE_GUNS" not in outline.special or game.units[gun].special != "siege" or here < 0:
        return refusal("cannot-shell", "13.4", unit=gun)
    if engineering.shelled or state.shelled >= SHELLINGS or state.fought >> gun & 1:
        return refusal("shelled-enough", "13.4", unit=gun)
    if not game.disc(here, game.units[gun].range) & game.moscow & state.soviet_hexes:
        return refusal("cannot-shell", "13.4", unit=gun)
    if counter not in counters(game, state, AXIS) or not fed_from(game, state, counter) >> here & 1:
        return refusal("shelling-needs-supply", "13.4", unit=gun)
    return None


def shellings(game: Typhoon, state: TyphoonState) -> list[Action]:
    guns = [u for u in range(game.axis_units) if game.units[u].special == "siege" and state.where[u] >= 0]
    points = counters(game, state, AXIS) if guns else []
    return [("shell", g, c) for g in guns for c in points if why_not_shell(game, state, g, c) is None]


class Engineer(Decision["Typhoon", TyphoonState]):
    """12 What a side builds, destroys, converts and cuts, one after another."""

    name = "engineer"
    case = "12.0"
    verbs = {
        "fortify": Verb(("hex",), Role.PLACE),
        "raze": Verb(("hex",), Role.PLACE),
        "convert": Verb(("hex",), Role.PLACE),
        "cut": Verb(("hex",), Role.PLACE),
        "shell": Verb(("unit", "unit")),
        "end": Verb((), Role.END),
    }

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return state.active

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        # 17.3.1 What the Axis may build depends on its plan: it is asked under each of them, or its silence
        # would tell which.
        hidden = state.active == AXIS and state.scenario == "campaign"
        return hidden or len(self.options(game, state, state.active)) > 1

    # Strongpoints

    def _site(self, game: Typhoon, state: TyphoonState, side: int, cell: int, supplied: int) -> Site:
        engineering: Engineering = state.local
        return Site(
            supplied=bool(supplied >> cell & 1),
            taken=bool((state.forts[0] | state.forts[1] | state.works[0] | state.works[1]) >> cell & 1),
            engineer=bool(free_engineers(game, state, side, cell, engineering.tired)),
            frozen=state.arctic_seen,
        )

    def _why_not_fortify(self, game: Typhoon, state: TyphoonState, side: int, cell: int) -> Refusal | None:
        supplied = supplied_hexes(game, state, side) & ~state.occupied[1 - side]
        planned = state.scenario != "campaign" or digs(state.plan)
        site = self._site(game, state, side, cell, supplied)
        reason = why_not_begin(game.sides[side], site, state.strongpoints, planned)
        return None if reason is None else refusal(reason, CASES[reason], hex=cell)

    def _sites(self, game: Typhoon, state: TyphoonState, side: int) -> list[int]:
        """The hexes where a strongpoint may be begun, without asking each hex of the map."""
        if side == SOVIET and not state.strongpoints:
            return []
        if side == AXIS or state.arctic_seen:
            cells = {state.where[u] for u in members(game.engineers & game.units_of[side])}
            return sorted(c for c in cells if c >= 0 and self._why_not_fortify(game, state, side, c) is None)
        taken = state.forts[0] | state.forts[1] | state.works[0] | state.works[1]
        return each(supplied_hexes(game, state, side) & ~state.occupied[AXIS] & ~taken)

    # Lines

    def _why_not_raze(self, game: Typhoon, state: TyphoonState, side: int, cell: int) -> Refusal | None:
        """12.2.3c By declaration, where an Axis division stands."""
        if side != AXIS or not game.lines & ~state.broken_lines & 1 << cell:
            return refusal("no-line-there", "12.2.3", hex=cell)
        units = [game.units[u] for u in members(state.fighters(AXIS, cell))]
        if destroys(units, integrity_in(game, state, cell)):
            return None
        return refusal("no-division-there", "12.2.3", hex=cell)

    # Railways

    def _why_not_convert(self, game: Typhoon, state: TyphoonState, side: int, cell: int) -> Refusal | None:
        engineering: Engineering = state.local
        if side == AXIS:
            found = track(game, state, engineering.fallen)
            reason = why_not_convert(
                game.board, found, state.heads, cell, state.sky, state.turn, state.conversion
            )
            return None if reason is None else refusal(reason, CASES[reason], hex=cell)
        if not free_engineers(game, state, SOVIET, cell, engineering.tired):
            return refusal("no-engineer-there", "12.4.7", hex=cell)
        if not state.axis_rail >> cell & 1:
            return refusal("converted-already", "12.4.2", hex=cell)
        net = routes(game, state, SOVIET).rail_net & ~state.axis_rail
        if any(net >> there & 1 for there in lines(game.board)[cell]):
            return None
        return refusal("no-net-there", "12.4.2", hex=cell)

    def _convertible(self, game: Typhoon, state: TyphoonState, side: int) -> list[int]:
        if side == AXIS:
            if not state.conversion:
                return []
            near = {there for head in state.heads for there in lines(game.board).get(head.cell, ())}
            cells = near | set(each(state.cuts))
        else:
            cells = {state.where[u] for u in members(game.engineers & game.units_of[SOVIET])}
        area = game.outline(state).area
        inside = sorted(c for c in cells if c >= 0 and area >> c & 1)
        return [c for c in inside if self._why_not_convert(game, state, side, c) is None]

    def _why_not_cut(self, game: Typhoon, state: TyphoonState, side: int, cell: int) -> Refusal | None:
        """12.5.1, 12.5.2"""
        if side == AXIS:
            return refusal("axis-cuts-nothing", "12.5.2")
        if not state.axis_rail & ~state.cuts & 1 << cell:
            return refusal("nothing-to-cut", "12.5.1", hex=cell)
        if state.fighters(SOVIET, cell):
            return None
        return refusal("nobody-to-cut", "12.5.1", hex=cell)

    # The decision

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        found: list[Action] = [("fortify", cell) for cell in self._sites(game, state, side)]
        if side == AXIS:
            held = each(game.lines & ~state.broken_lines & armed(state, AXIS))
            found += [("raze", cell) for cell in held if self._why_not_raze(game, state, side, cell) is None]
        found += [("convert", cell) for cell in self._convertible(game, state, side)]
        if side == AXIS:
            found += shellings(game, state)
        if side == SOVIET:
            found += [("cut", cell) for cell in each(state.axis_rail & ~state.cuts & armed(state, SOVIET))]
        return [*found, ("end",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end":
            return None
        if action[0] == "shell":
            if side != AXIS:
                return refusal("cannot-shell", "13.4", unit=action[1])
            return why_not_shell(game, state, action[1], action[2])
        if not game.outline(state).area >> action[1] & 1:
            return refusal("not-in-play", "18.0", hex=action[1])
        ask_ = {
            "fortify": self._why_not_fortify,
            "raze": self._why_not_raze,
            "convert": self._why_not_convert,
            "cut": self._why_not_cut,
        }[action[0]]
        return ask_(game, state, side, action[1])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        cell = action[1]
        engineering: Engineering = state.local
        if action[0] == "shell":
            spend_point(state, action[2])
            worth = game.outline(state).event("siege_of_moscow", PLAN_NAMES[state.plan])
            state.shelled += 1
            state.points += worth
            state.local = engineering._replace(shelled=True)
            state.emit("moscow-shelled", "13.4", unit=action[1], n=worth)
        elif action[0] == "fortify":
            self._fortify(game, state, side, cell)
        elif action[0] == "raze":
            break_line(state, cell)
            state.local = engineering._replace(fallen=engineering.fallen | 1 << cell)
        elif action[0] == "cut":
            state.cuts |= 1 << cell
            state.emit("rail-cut", "12.5.1", hex=cell)
        elif side == AXIS:
            self._convert(game, state, cell)
        else:
            self._convert_back(game, state, cell)
        state.traced.clear()
        return AGAIN

    def _fortify(self, game: Typhoon, state: TyphoonState, side: int, cell: int) -> None:
        engineering: Engineering = state.local
        engineer = bool(free_engineers(game, state, side, cell, engineering.tired))
        if side == SOVIET:
            state.strongpoints -= 1
        if begun_as(game.sides[side], engineer) == FINISHED:
            state.forts[side] |= 1 << cell
            state.emit("fort-finished", "12.3.2", hex=cell)
        else:
            state.works[side] |= 1 << cell
            state.emit("fort-begun", "12.1.6", hex=cell)

    def _convert(self, game: Typhoon, state: TyphoonState, cell: int) -> None:
        cost = conversion_cost(game.board, cell, state.sky)
        state.conversion -= cost
        if state.cuts >> cell & 1:
            state.cuts &= ~(1 << cell)
            state.emit("rail-repaired", "12.4.3", hex=cell)
            return
        head = head_for(game.board, state.heads, cell, state.turn, cost)
        assert head is not None
        state.heads = advance_head(game.board, state.heads, head, cell, state.axis_rail, state.turn, cost)
        state.axis_rail |= 1 << cell
        state.emit("rail-converted", "12.4.3", hex=cell, n=state.conversion)

    def _convert_back(self, game: Typhoon, state: TyphoonState, cell: int) -> None:
        engineering: Engineering = state.local
        worker = free_engineers(game, state, SOVIET, cell, engineering.tired)[0]
        state.local = engineering._replace(tired=engineering.tired | 1 << worker)
        state.axis_rail &= ~(1 << cell)
        state.cuts &= ~(1 << cell)
        state.heads = heads_after_soviets(game.board, state.heads, cell, state.axis_rail, state.turn)
        state.emit("rail-taken-back", "12.4.7", hex=cell)


ENGINEER_PHASE = procedure(
    "engineer-phase",
    "12.0",
    step("begin", do(begin_engineers), "12.1.6"),
    step("work", ask(Engineer()), "12.0"),
    step("replacements", ask(SpendReplacements()), "15.2"),
    values=Engineering,
)
