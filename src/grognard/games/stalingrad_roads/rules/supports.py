"""5 Supports: drawn in secret, deployed on the map, used and returned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.data import BLIZZARD, Support
from grognard.games.stalingrad_roads.rules.approval import approve
from grognard.games.stalingrad_roads.rules.command import led_areas
from grognard.games.stalingrad_roads.rules.ground import held_by, near
from grognard.games.stalingrad_roads.rules.losses import lose_step
from grognard.games.stalingrad_roads.rules.pocket import (
    enclose,
    enclosed_hexes,
    flown_in,
    use_plane,
    zone_of_fortress,
)
from grognard.games.stalingrad_roads.rules.shortage import begin_test
from grognard.games.stalingrad_roads.state import (
    ALARM_BOX,
    AVAILABLE,
    AXIS,
    BOX_NAMES,
    MAJOR,
    MINOR_A,
    MINOR_B,
    SOVIET,
    STAVKA,
    STAVKA_RESERVE,
    Marker,
    RoadsState,
)
from grognard.kernel import (
    AGAIN,
    RETURN,
    Action,
    ChanceDecision,
    Decision,
    Flow,
    Refusal,
    Role,
    Sealed,
    Verb,
    refusal,
)
from grognard.mechanics.dice import D6, TWO_D6, Throw

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

SOVIET_BOXES = (STAVKA, MINOR_A, MINOR_B, MAJOR)
MARKER_OF_BOX = {MAJOR: 0, MINOR_A: 1, MINOR_B: 2}
"""The offensive marker of each box (5.3.1)."""
FIRST_SORTS = (("luftwaffe",), ("surprise_attack", "tank_brigade"))
"""5.5.7 What each side deploys before the rest."""
GUNS = ("artillery", "katyusha")


def boxes_of(side: int) -> tuple[int, ...]:
    return (AVAILABLE,) if side == AXIS else SOVIET_BOXES


# Return and acquisition


def return_played(game: StalingradRoads, state: RoadsState) -> Flow:
    """5.2.1 Markers played since the last time go back to the pool; those that stay, stay."""
    side = state.active
    state.stage = 0
    state.transferred = False
    state.surprised = 0
    kept = []
    for marker in state.markers:
        support = game.supports[marker.kind]
        if marker.unit < 0 and marker.cell < 0:
            continue
        if support.side == side and not support.stays:
            state.pool[marker.kind] += 1
        else:
            kept.append(marker)
    state.markers = tuple(kept)
    for kind, support in enumerate(game.supports):
        if support.side == side:
            state.pool[kind] += state.played[kind]
            state.played[kind] = 0
    if game.plan(state).keeps_supports:
        hand_out(game, state)
    if side == SOVIET and state.no_supports == state.turn:
        state.emit("no-supports", "10.2.6", word_side=game.sides[side])
        return RETURN
    return None


def hand_out(game: StalingradRoads, state: RoadsState) -> None:
    """S1.3 What lies in the pools goes to the boxes from which it can be deployed everywhere."""
    for kind, support in enumerate(game.supports):
        game.hold(state, kind, AVAILABLE if support.side == AXIS else MAJOR, state.pool[kind])
        state.pool[kind] = 0


class Acquiring(NamedTuple):
    """Boxes for which dice are still to be rolled, and markers still to be drawn for one."""

    boxes: tuple[int, ...]
    box: int = -1
    left: int = 0


def plan_acquisition(game: StalingradRoads, state: RoadsState) -> Acquiring:
    """5.3.2, 5.3.3, 5.4.1 For which boxes the phasing side draws."""
    if state.active == AXIS:
        return Acquiring((), AVAILABLE, 0 if state.no_draw else game.axis_supports(state))
    if game.plan(state).opens(state.turn) or game.plan(state).keeps_supports:
        return Acquiring(())
    boxes = [] if state.major_begun else [STAVKA]
    boxes += [box for box in (MINOR_A, MINOR_B) if state.offensives[MARKER_OF_BOX[box]] >= 0]
    return Acquiring(tuple(boxes))


def acquisition_modifier(game: StalingradRoads, state: RoadsState) -> int:
    """5.3.5 Offensives west of the Donets strain the lines."""
    west = game.data.west_of_donets
    total = game.data.numbers["major_west"] if state.gone_west else 0
    for number in (1, 2):
        cell = state.offensives[number]
        if cell >= 0 and west >> cell & 1:
            total += game.data.numbers["minor_west"]
    return total


def markers_won(game: StalingradRoads, total: int, box: int) -> int:
    """5.3.2 The table of acquisition."""
    row = max(2, min(12, total))
    return game.data.acquisition[row][0 if box == STAVKA else 1]


class RollAcquisition(Throw["StalingradRoads", RoadsState]):
    """5.3.2 Two dice for a box."""

    name = "roll-acquisition"
    case = "5.3.2"
    verbs = {"acquire": Verb(("number", "number"))}
    dice = TWO_D6

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        acquiring: Acquiring = state.local
        return bool(acquiring.boxes)

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        acquiring: Acquiring = state.local
        box = acquiring.boxes[0]
        change = acquisition_modifier(game, state)
        count = markers_won(game, action[1] + action[2] + change, box)
        state.local = Acquiring(acquiring.boxes[1:], box, count)
        state.emit(
            "acquired",
            "5.3.2",
            dice=(action[1], action[2]),
            change=change,
            n=count,
            word_box=BOX_NAMES[box],
        )
        return None


def drawn_before(support: Support) -> bool:
    """S4.6, S5.4 What can be chosen or drawn before play: neither politics, surrender nor shortage."""
    return support.sort not in ("politics", "surrender", "shortage")


def begin_draws(game: StalingradRoads, state: RoadsState) -> Flow:
    """S4.6, S5.4, S5.5 Markers that are drawn before play."""
    for box, count in reversed(game.plan(state).draws):
        state.push("draws-of-box", Acquiring((), box, count))
    return None


def draw_for_owner(game: StalingradRoads, state: RoadsState) -> Flow:
    acquiring: Acquiring = state.local
    state.active = AXIS if acquiring.box == AVAILABLE else SOVIET
    return None


class DrawSupport(ChanceDecision["StalingradRoads", RoadsState]):
    """5.1.2 A marker is drawn from the pool; only its owner sees which."""

    name = "draw-support"
    case = "5.1.2"
    verbs = {"draw": Verb(("support",))}

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        acquiring: Acquiring = state.local
        return acquiring.left > 0 and bool(self.weights(game, state))

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        acquiring: Acquiring = state.local
        return "roll" if acquiring.boxes else None

    def weights(self, game: StalingradRoads, state: RoadsState) -> list[tuple[Action, int]]:
        return [
            (("draw", kind), state.pool[kind])
            for kind, support in enumerate(game.supports)
            if support.side == state.active and state.pool[kind] and (state.turn or drawn_before(support))
        ]

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        acquiring: Acquiring = state.local
        kind, box = action[1], acquiring.box
        state.pool[kind] -= 1
        game.hold(state, kind, box, 1)
        state.local = acquiring._replace(left=acquiring.left - 1)
        state.emit("drawn", "5.1.2", audience=state.active, support=kind, word_box=BOX_NAMES[box])
        return AGAIN


def play_forced(game: StalingradRoads, state: RoadsState) -> Flow:
    """1.5.3 Markers with a white circle are played on the turn they are drawn. Where sections 12 and 15 are
    left out they have no effect (S2.1)."""
    quiet = "15" in game.plan(state).left_out
    for box in boxes_of(state.active):
        for kind, support in enumerate(game.supports):
            while support.forced and game.held(state, kind, box):
                if support.sort == "shortage":
                    state.push("shortage-test", begin_test(game, state, box))
                    continue
                game.hold(state, kind, box, -1)
                state.played[kind] += 1
                state.emit("forced", "1.5.3", support=kind)
                if not quiet:
                    state.politics = (*state.politics, kind)
    return None


class RollPolitics(Throw["StalingradRoads", RoadsState]):
    """5.5.7 A die for Stalin, or for discord at OKH."""

    name = "roll-politics"
    case = "5.5.7"
    verbs = {"politics": Verb(("number",))}
    dice = D6

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(state.politics)

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        kind, *rest = state.politics
        state.politics = tuple(rest)
        state.emit("politics", "5.5.7", support=kind, die=action[1])
        if game.supports[kind].side == AXIS:
            approve(game, state, -int(action[1] <= 3), "5.5.7")
        elif action[1] <= 2:
            state.stalin = True
        elif action[1] >= 5:
            state.push("acquisition", Acquiring((), STAVKA, 1))
        return AGAIN


# The choices before and on the first turn


class ChooseSupports(Sealed["StalingradRoads", RoadsState]):
    """S2.3, S2.7 A side chooses its first markers from the pool, in secret."""

    verbs = {"choose": Verb(("support",))}

    def __init__(self, side: int, before: bool = False) -> None:
        """`before`: the Soviet choice of scenarios that begin later (S5.4)."""
        self.side = side
        self.before = before
        self.name = "choose-supports-axis" if side == AXIS else "choose-supports-soviet"
        self.case = "S2.7" if side == AXIS else "S2.3"
        if before:
            self.name, self.case = "choose-supports-before", "S5.4"

    def _wanted(self, game: StalingradRoads, state: RoadsState) -> int:
        if self.before:
            return game.plan(state).chosen
        return game.data.numbers["opening_axis" if self.side == AXIS else "opening_supports"]

    def writers(self, game: StalingradRoads, state: RoadsState) -> tuple[int, ...]:
        plan = game.plan(state)
        if self.before:
            return (self.side,) if plan.chosen and not state.turn else ()
        # The Soviets choose in their own support phase, not in that of the Axis as well.
        due = plan.opening if self.side == AXIS else plan.opens(state.turn) and state.active == SOVIET
        return (self.side,) if due else ()

    def finished(
        self, game: StalingradRoads, state: RoadsState, side: int, written: tuple[Action, ...]
    ) -> bool:
        return len(written) >= self._wanted(game, state)

    def _guns_short(self, game: StalingradRoads, state: RoadsState, written: tuple[Action, ...]) -> bool:
        """S2.3 Whether only guns may still be chosen: four of the ten are."""
        if self.side == AXIS or self.before:
            return False
        guns = sum(game.supports[action[1]].sort in GUNS for action in written)
        left = self._wanted(game, state) - len(written)
        return game.data.numbers["opening_guns"] - guns >= left

    def choices(
        self, game: StalingradRoads, state: RoadsState, side: int, written: tuple[Action, ...]
    ) -> list[Action]:
        return [
            ("choose", kind)
            for kind in range(len(game.supports))
            if self.why_not(game, state, side, written, ("choose", kind)) is None
        ]

    def why_not(
        self, game: StalingradRoads, state: RoadsState, side: int, written: tuple[Action, ...], action: Action
    ) -> Refusal | None:
        kind = action[1]
        support = game.supports[kind]
        taken = sum(chosen[1] == kind for chosen in written)
        if support.side != self.side or state.pool[kind] <= taken:
            return refusal("not-in-pool", self.case, support=kind)
        if self.before and not drawn_before(support):
            return refusal("not-in-pool", self.case, support=kind)
        if self._guns_short(game, state, written) and support.sort not in GUNS:
            return refusal("guns-wanted", "S2.3", support=kind)
        return None

    def reveal(
        self, game: StalingradRoads, state: RoadsState, answers: Mapping[int, tuple[Action, ...]]
    ) -> Flow:
        written = answers.get(self.side, ())
        box = AVAILABLE if self.side == AXIS else STAVKA if self.before else MAJOR
        for action in written:
            state.pool[action[1]] -= 1
            game.hold(state, action[1], box, 1)
        if written:
            guns = sum(game.supports[action[1]].sort in GUNS for action in written)
            if self.side == SOVIET and not self.before:
                state.guns = (guns, 0, 0)
            state.emit("supports-chosen", self.case, n=len(written), word_side=game.sides[self.side])
        return None


# Deployment (5.5)


class Placing(NamedTuple):
    """A marker taken from a box."""

    kind: int
    box: int


def offensive_reach(game: StalingradRoads, state: RoadsState, box: int) -> int:
    """11.3.1, 5.5.6 The hexes where O markers of a box may be deployed."""
    if game.plan(state).opens(state.turn) or game.plan(state).keeps_supports:
        return game.data.land
    number = MARKER_OF_BOX[box]
    cell = state.offensives[number]
    if cell < 0:
        return 0
    radius = game.data.numbers["offensive_major" if number == 0 else "offensive_minor"]
    if state.stalingrad_face >> number & 1:
        radius += game.data.numbers["offensive_stalingrad"]
    return game.board.within((cell,), radius)


def reach_of(game: StalingradRoads, state: RoadsState, kind: int, box: int) -> int:
    """The hexes where a marker of a box may go as far as offensives are concerned."""
    if not game.supports[kind].offensive:
        return game.data.land
    return 0 if box == STAVKA else offensive_reach(game, state, box)


def why_not_attach(game: StalingradRoads, state: RoadsState, placing: Placing, unit: int) -> Refusal | None:
    """5.5 Whether a marker may go with a unit."""
    support, cell = game.supports[placing.kind], state.where[unit]
    if state.side(unit) != support.side or cell < 0:
        return refusal("not-yours", "5.5.3", unit=unit)
    if game.hqs >> unit & 1:
        return refusal("hq-takes-none", "5.5.3", unit=unit)
    if support.side == AXIS and game.units[unit].nation != "german":
        return refusal("germans-only", "5.5.3", unit=unit)
    if state.enclosed >> unit & 1 and not (
        flown_in(game, state, placing.kind) and zone_of_fortress(game, state) >> cell & 1
    ):
        return refusal("enclosed-takes-none", "10.2.3", unit=unit)
    if not reach_of(game, state, placing.kind, placing.box) >> cell & 1:
        return refusal("out-of-offensive", "5.5.6", unit=unit)
    if game.data.bank >> cell & 1 and game.plan(state).bank_rule:
        return refusal("bank-takes-none", "S2.14", unit=unit)
    if state.surprised >> unit & 1 and not support.leader:
        return refusal("surprised-takes-none", "5.5.7", unit=unit)
    if support.leader and any(
        marker.unit >= 0
        and state.where[marker.unit] == cell
        and game.supports[marker.kind].leader
        and game.supports[marker.kind].side == support.side
        for marker in state.markers
    ):
        return refusal("one-leader", "5.5.3", unit=unit)
    if support.sort in GUNS:
        return why_not_gun(game, state, placing, unit, cell)
    return None


def why_not_gun(
    game: StalingradRoads, state: RoadsState, placing: Placing, unit: int, cell: int
) -> Refusal | None:
    """S2.6 On the first turn guns are shared between north and south; 4.5.2 later those east of the Don cost
    one marker more."""
    if state.side(unit) != SOVIET:
        return None
    if game.plan(state).opens(state.turn):
        total, north, south = state.guns
        if game.data.north >> cell & 1:
            return refusal("guns-south", "S2.6", unit=unit) if north >= (total + 1) // 2 else None
        return refusal("guns-north", "S2.6", unit=unit) if south >= total // 2 else None
    if game.costs_extra(state, cell) and not can_pay_for_gun(game, state, placing):
        return refusal("no-marker-to-pay", "4.5.2", unit=unit)
    return None


def can_pay_for_gun(game: StalingradRoads, state: RoadsState, placing: Placing) -> bool:
    """4.5.2 Whether another marker is left to give for it."""
    return any(
        game.held(state, kind, box) > (kind == placing.kind and box == placing.box)
        for box in SOVIET_BOXES
        for kind in range(len(game.supports))
        if game.supports[kind].generic
    )


def spots(game: StalingradRoads, state: RoadsState, placing: Placing) -> int:
    """Where a marker that lies on a hex may go, as a set of hexes."""
    support, side = game.supports[placing.kind], state.active
    ground = game.plan(state).area & reach_of(game, state, placing.kind, placing.box)
    if support.air:
        if state.clouds == BLIZZARD:
            return 0
        return ground & (state.occupied[1 - side] | near(game, state, 1 - side) & game.data.land)
    if support.sort == "alarm":
        flown = enclosed_hexes(game, state) if flown_in(game, state, placing.kind) else 0
        return ground & (alarm_hexes(game, state) | (flown if state.at.get(ALARM_BOX) else 0))
    if support.sort == "surrender":
        return surrender_hexes(game, state)
    if support.sort == "raid":
        return held_by(game, state, AXIS, game.data.airfields) & ground
    if support.sort == "reserves":
        return reserve_hexes(game, state) if reserve_on_foot(game, state) else 0
    return ground & state.occupied[side]


def alarm_hexes(game: StalingradRoads, state: RoadsState) -> int:
    """On or next to a German HQ, or in an Axis city; not next to the enemy."""
    if not state.at.get(ALARM_BOX):
        return 0
    hqs = bits(
        state.where[hq]
        for hq in each(game.hqs & game.units_of[AXIS])
        if state.where[hq] >= 0 and game.units[hq].nation == "german"
    )
    cells = hqs | game.board.spread(hqs) | held_by(game, state, AXIS, game.data.city)
    shut = state.occupied[SOVIET] | near(game, state, SOVIET) | zone_of_fortress(game, state)
    return cells & game.data.land & ~shut & ~game.data.edge_row


def surrender_hexes(game: StalingradRoads, state: RoadsState) -> int:
    """Axis stacks out of supply outside the fortress, with a Soviet unit next to them (10.2.3)."""
    cells = bits(state.where[u] for u in each(state.unsupplied & game.units_of[AXIS]) if state.where[u] >= 0)
    return cells & near(game, state, SOVIET)


def reserve_on_foot(game: StalingradRoads, state: RoadsState) -> list[int]:
    """Whom a reserves marker can bring: armour costs two markers wherever it is paid for (11.4.2)."""
    return [unit for unit in each(state.at.get(STAVKA_RESERVE, 0)) if not game.units[unit].armoured]


def reserve_hexes(game: StalingradRoads, state: RoadsState) -> int:
    """With or next to a supplied HQ, not next to the enemy."""
    hqs = bits(state.where[hq] for hq, _ in led_areas(game, state, SOVIET))
    shut = state.occupied[AXIS] | near(game, state, AXIS)
    return (hqs | game.board.spread(hqs)) & game.data.land & game.plan(state).area & ~shut


def attach_hexes(game: StalingradRoads, state: RoadsState, placing: Placing) -> int:
    """5.5, S2.6, 4.5.2 The hexes with units of its side where a marker may go, as far as hexes matter."""
    support, side, plan = game.supports[placing.kind], state.active, game.plan(state)
    cells = state.occupied[side] & reach_of(game, state, placing.kind, placing.box)
    if plan.bank_rule:
        cells &= ~game.data.bank
    if support.leader:
        for marker in state.markers:
            other = game.supports[marker.kind]
            if marker.unit >= 0 and other.leader and other.side == side:
                cells &= ~(1 << state.where[marker.unit])
    if side == SOVIET and support.sort in GUNS:
        if plan.opens(state.turn):
            total, north, south = state.guns
            if north >= (total + 1) // 2:
                cells &= ~game.data.north
            if south >= total // 2:
                cells &= game.data.north
        elif not can_pay_for_gun(game, state, placing):
            cells = bits(cell for cell in each(cells) if not game.costs_extra(state, cell))
    return cells


def attachable(game: StalingradRoads, state: RoadsState, placing: Placing) -> list[int]:
    """5.5.3 The units with which a marker may go: those for whom `why_not_attach` has nothing to say."""
    units = 0
    for cell in each(attach_hexes(game, state, placing)):
        units |= state.at[cell]
    units &= ~game.hqs
    if not flown_in(game, state, placing.kind):
        units &= ~state.enclosed
    elif state.enclosed:
        outside = state.occupied[AXIS] & ~zone_of_fortress(game, state)
        for cell in each(outside):
            units &= ~(state.enclosed & state.at[cell])
    if state.active == AXIS:
        units &= game.of_nation["german"]
    if not game.supports[placing.kind].leader:
        units &= ~state.surprised
    return each(units)


def has_place(game: StalingradRoads, state: RoadsState, placing: Placing) -> bool:
    support = game.supports[placing.kind]
    if support.placement == "stack":
        return bool(attachable(game, state, placing))
    return bool(spots(game, state, placing))


def is_first(game: StalingradRoads, kind: int) -> bool:
    support = game.supports[kind]
    return support.sort in FIRST_SORTS[support.side]


def why_not_take(game: StalingradRoads, state: RoadsState, placing: Placing) -> Refusal | None:
    """5.5.7 Whether a marker may be deployed now."""
    support, side = game.supports[placing.kind], state.active
    if support.side != side or placing.box not in boxes_of(side) or not game.held(state, *placing):
        return refusal("not-available", "5.5.1", support=placing.kind)
    if support.placement == "box" or "never" in support.uses:
        return refusal("not-deployed", "5.5.1", support=placing.kind)
    if support.air and state.clouds == BLIZZARD:
        return refusal("grounded", "5.5.2", support=placing.kind)
    if support.offensive and placing.box == STAVKA:
        return refusal("offensive-only", "5.5.6", support=placing.kind)
    if is_first(game, placing.kind):
        if state.stage:
            return refusal("too-late", "5.5.7", support=placing.kind)
    elif must_still_play(game, state, first=True):
        return refusal("others-first-support", "S2.5", support=placing.kind)
    if not has_place(game, state, placing):
        return refusal("nowhere", "5.5.6", support=placing.kind)
    return None


def must_still_play(game: StalingradRoads, state: RoadsState, first: bool) -> bool:
    """S2.5 Whether O markers are left that have to be played on the first turn, those that come first or the
    others."""
    if not game.plan(state).opens(state.turn) or state.active != SOVIET:
        return False
    return any(
        game.held(state, kind, MAJOR)
        and is_first(game, kind) == first
        and not (first and state.stage)
        and has_place(game, state, Placing(kind, MAJOR))
        for kind, support in enumerate(game.supports)
        if support.offensive
    )


class DeployMarkers(Decision["StalingradRoads", RoadsState]):
    """5.5.7 The phasing side takes markers from its boxes one by one to deploy them."""

    name = "deploy-markers"
    case = "5.5.1"
    verbs = {
        "take": Verb(("support", "box")),
        "transfer": Verb(("support", "box")),
        "shed": Verb(("support", "box")),
        "end": Verb((), Role.END),
    }

    @property
    def prompts(self) -> tuple[str, ...]:
        return (self.name, "deploy-markers-all", "deploy-markers-chosen")

    def prompt(self, game: StalingradRoads, state: RoadsState, side: int) -> str:
        if side != state.active or not self._unplayed(game, state):
            return self.name
        return "deploy-markers-chosen" if side == AXIS else "deploy-markers-all"

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        found: list[Action] = []
        for box in boxes_of(side):
            for kind in range(len(game.supports)):
                if game.held(state, kind, box) and why_not_take(game, state, Placing(kind, box)) is None:
                    found.append(("take", kind, box))
        if side == SOVIET and not state.transferred:
            goals = [box for box, number in MARKER_OF_BOX.items() if state.offensives[number] >= 0]
            for kind in range(len(game.supports)) if goals else ():
                if game.held(state, kind, STAVKA) and game.supports[kind].offensive:
                    found += [("transfer", kind, box) for box in goals]
        shortage = game.support_index["s-shortage"]
        found += [("shed", shortage, box) for box in boxes_of(side) if game.held(state, shortage, box)]
        if not self._unplayed(game, state):
            found.append(("end",))
        return found

    def _unplayed(self, game: StalingradRoads, state: RoadsState) -> bool:
        if state.active == AXIS:
            return any(why_not_take(game, state, Placing(kind, AVAILABLE)) is None for kind in state.owed)
        return must_still_play(game, state, True) or must_still_play(game, state, False)

    def _why_not_transfer(
        self, game: StalingradRoads, state: RoadsState, kind: int, box: int
    ) -> Refusal | None:
        """5.5.6 One O marker may go from the STAVKA box to that of an offensive."""
        if state.active != SOVIET or box not in MARKER_OF_BOX or not game.supports[kind].offensive:
            return refusal("not-transferable", "5.5.6", support=kind)
        if state.transferred:
            return refusal("one-transfer", "5.5.6", support=kind)
        if not game.held(state, kind, STAVKA) or state.offensives[MARKER_OF_BOX[box]] < 0:
            return refusal("not-transferable", "5.5.6", support=kind)
        return None

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end":
            if not self._unplayed(game, state):
                return None
            return refusal("must-play-chosen", "16.3") if side == AXIS else refusal("must-play-all", "S2.5")
        if action[0] == "transfer":
            return self._why_not_transfer(game, state, action[1], action[2])
        if action[0] == "shed":
            sort = game.supports[action[1]].sort
            if sort == "shortage" and action[2] in boxes_of(side) and game.held(state, action[1], action[2]):
                return None
            return refusal("not-shed", "12.2", support=action[1])
        return why_not_take(game, state, Placing(action[1], action[2]))

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        if action[0] == "transfer":
            game.hold(state, action[1], STAVKA, -1)
            game.hold(state, action[1], action[2], 1)
            state.transferred = True
            state.emit("transferred", "5.5.6", word_box=BOX_NAMES[action[2]])
        elif action[0] == "shed":
            # 12.2 shortages may be kept or given back
            game.hold(state, action[1], action[2], -1)
            state.pool[action[1]] += 1
            state.emit("paid", "12.2", support=action[1])
        else:
            state.push("placing", Placing(action[1], action[2]))
        return AGAIN


class PlaceMarker(Decision["StalingradRoads", RoadsState]):
    """5.5 Where the marker in hand goes."""

    name = "place-marker"
    case = "5.5.3"
    verbs = {
        "attach": Verb(("unit",)),
        "lay": Verb(("hex",), Role.PLACE),
        "put-back": Verb((), Role.PASS),
    }

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        placing: Placing = state.local
        found: list[Action] = []
        if game.supports[placing.kind].placement == "stack":
            found += [("attach", unit) for unit in attachable(game, state, placing)]
        else:
            found += [("lay", cell) for cell in each(spots(game, state, placing))]
        return [*found, ("put-back",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        placing: Placing = state.local
        stack = game.supports[placing.kind].placement == "stack"
        if action[0] == "put-back":
            return None
        if action[0] == "attach":
            if not stack:
                return refusal("lies-on-hex", "5.5.3", support=placing.kind)
            return why_not_attach(game, state, placing, action[1])
        if stack:
            return refusal("goes-with-unit", "5.5.3", support=placing.kind)
        if spots(game, state, placing) >> action[1] & 1:
            return None
        return refusal("not-there", "5.5.1", support=placing.kind, hex=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        placing: Placing = state.local
        if action[0] == "put-back":
            return RETURN
        kind = placing.kind
        support = game.supports[kind]
        game.hold(state, kind, placing.box, -1)
        state.use_owed(kind)
        if not is_first(game, kind):
            state.stage = 1
        if action[0] == "attach":
            return self._attach(game, state, placing, action[1])
        cell = action[1]
        state.emit("laid", "5.5.1", support=kind, hex=cell)
        if support.sort == "alarm":
            unit = each(state.at[ALARM_BOX])[0]
            state.steps[unit] = 1
            state.place(unit, cell)
            if zone_of_fortress(game, state) >> cell & 1:
                use_plane(game, state, game.plane_index["support"], cell)
                state.unsupplied |= 1 << unit
                enclose(game, state, 1 << unit)
        elif support.sort == "surrender":
            state.played[kind] += 1
            for unit in each(state.at[cell] & state.unsupplied):
                lose_step(game, state, unit, "10.2.3")
        elif support.sort == "reserves":
            state.played[kind] += 1
            state.local = Reserve(cell)
            return "reserve"
        elif support.sort == "raid":
            state.played[kind] += 1
            return "raid"
        else:
            state.markers = (*state.markers, Marker(kind, placing.box, -1, cell))
        return RETURN

    def _attach(self, game: StalingradRoads, state: RoadsState, placing: Placing, unit: int) -> Flow:
        support, cell = game.supports[placing.kind], state.where[unit]
        state.emit("attached", "5.5.3", support=placing.kind, unit=unit)
        if support.sort == "surprise_attack":
            state.played[placing.kind] += 1
            stack = state.fighters_at(cell)
            state.surprised |= stack
            state.local = Surprise(cell)
            return "surprise"
        state.markers = (*state.markers, Marker(placing.kind, placing.box, unit, -1))
        if state.enclosed >> unit & 1:
            use_plane(game, state, game.plane_index["support"], cell)
        if support.sort in GUNS and state.active == SOVIET:
            if game.plan(state).opens(state.turn):
                total, north, south = state.guns
                up = game.data.north >> cell & 1
                state.guns = (total, north + up, south + (not up))
            elif game.costs_extra(state, cell):
                return "pay"
        return RETURN


class PayMarker(Decision["StalingradRoads", RoadsState]):
    """4.5.2 Guns east of the Don cost another marker, of whichever box."""

    name = "pay-marker"
    case = "4.5.2"
    verbs = {"pay": Verb(("support", "box"))}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [("pay", kind, box) for box in SOVIET_BOXES for kind in game.spendable(state, box)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("not-spendable", "4.5.2", support=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        game.hold(state, action[1], action[2], -1)
        state.pool[action[1]] += 1
        state.emit("paid", "4.5.2", support=action[1])
        return RETURN


class Reserve(NamedTuple):
    """A reserves marker on a hex: who comes."""

    cell: int


class CallReserve(Decision["StalingradRoads", RoadsState]):
    """A unit of the STAVKA reserve is put where the marker lies."""

    name = "call-reserve"
    case = "5.5.1"
    verbs = {"commit": Verb(("unit",))}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [("commit", unit) for unit in reserve_on_foot(game, state)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("not-in-reserve", "13.1", unit=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        reserve: Reserve = state.local
        state.place(action[1], reserve.cell)
        state.emit("released", "5.5.1", unit=action[1], hex=reserve.cell)
        return RETURN


class RollRaid(Throw["StalingradRoads", RoadsState]):
    """A raid on an airfield succeeds on 4 to 6 (10.4)."""

    name = "roll-raid"
    case = "10.4"
    verbs = {"raid": Verb(("number",))}
    dice = D6

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        state.raided = state.raided or action[1] >= 4
        state.emit("raid", "10.4", die=action[1])
        return RETURN


# Surprise attacks (5.5.7, example 4)


class Surprise(NamedTuple):
    """A stack that attacks by surprise."""

    cell: int


class Approach(Decision["StalingradRoads", RoadsState]):
    """5.5.7 The stack may first go to an adjacent hex, however many stand there."""

    name = "approach"
    case = "5.5.7"
    verbs = {"approach": Verb(("hex",), Role.PLACE), "keep": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def _why_not(self, game: StalingradRoads, state: RoadsState, there: int) -> Refusal | None:
        surprise: Surprise = state.local
        here, data = surprise.cell, game.data
        if there not in game.board.adjacent[here]:
            return refusal("not-adjacent", "5.5.7", hex=there)
        if not data.passable[data.direction[there - here]] >> here & 1:
            return refusal("impassable", "1.8.4", hex=there)
        if state.occupied[AXIS] >> there & 1:
            return refusal("enemy-there", "7.1.7", hex=there)
        if not game.plan(state).area >> there & 1:
            return refusal("outside-area", game.plan(state).area_case, hex=there)
        if game.plan(state).zone_28 and data.zone_28 >> there & 1:
            return refusal("zone-28-hex", "S2.13", hex=there)
        if data.bank >> there & 1 and game.plan(state).bank_rule:
            return refusal("no-armour-on-bank", "S2.14", unit=each(state.at[here])[0], hex=there)
        return None

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        surprise: Surprise = state.local
        found: list[Action] = [
            ("approach", there)
            for there in game.board.adjacent[surprise.cell]
            if self._why_not(game, state, there) is None
        ]
        return [*found, ("keep",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        return None if action[0] == "keep" else self._why_not(game, state, action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        from grognard.games.stalingrad_roads.rules.ground import enter_hex

        if action[0] == "keep":
            return None
        surprise: Surprise = state.local
        units = tuple(each(state.fighters_at(surprise.cell) & state.surprised))
        state.local = Surprise(action[1])
        for unit in units:
            enter_hex(game, state, unit, action[1])
        state.emit("moved", "5.5.7", units=units, hex_from=surprise.cell, hex=action[1])
        return None
