"""7.0 Command: chits chosen in secret, drawn from one cup; an HQ's radius decides who may act."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from grognard.board.board import bits, each, union
from grognard.games.a_victory_lost.rules.setup import chits_present, option
from grognard.games.a_victory_lost.state import AXIS, IN_BOX, NO_CHIT, SOVIET, VictoryState
from grognard.kernel import RETURN, Action, ChanceDecision, Flow, Refusal, Role, Sealed, Verb, refusal
from grognard.mechanics import zones
from grognard.mechanics.choices import Choose
from grognard.mechanics.cups import even_draws
from grognard.mechanics.movement import rings
from grognard.mechanics.pieces import NOBODY

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class Activation(NamedTuple):
    """The HQs that a chit has set in motion."""

    hqs: tuple[int, ...]
    special: bool = False
    """The special combat sequence of turn 1: no movement (4.1.2)."""
    area: int = 0
    """The hexes within their radii at the moment of activation (7.3.3)."""


# 3.0 The Soviet chits for the whole game


Written: TypeAlias = tuple[Action, ...]
"""What a side has written down so far in secret."""


def written_chits(written: Written, verb: str) -> int:
    """The chits written down with a verb, as a set."""
    return bits(action[1] for action in written if action[0] == verb)


class ChooseFive(Sealed["AVictoryLost", VictoryState]):
    """3.0 The Soviet player secretly takes five chits for the whole game, besides STAVKA. To everybody else
    it is one answer, whether he takes the historical five or his own."""

    name = "choose-five"
    case = "3.0"
    verbs = {"take": Verb(("chit",)), "historical": Verb(())}

    def writers(self, game: AVictoryLost, state: VictoryState) -> tuple[int, ...]:
        """The Soviet player; nobody in a scenario with a few HQs, which gives him all of them."""
        return (SOVIET,) if chits_present(game, state, SOVIET) & ~state.pool[SOVIET] else ()

    def choices(self, game: AVictoryLost, state: VictoryState, side: int, written: Written) -> list[Action]:
        left = game.soviet_hq_chits & ~written_chits(written, "take")
        found: list[Action] = [("take", c) for c in each(left)]
        if not written:
            found.append(("historical",))
        return found

    def why_not(
        self, game: AVictoryLost, state: VictoryState, side: int, written: Written, action: Action
    ) -> Refusal | None:
        if action[0] == "historical":
            return refusal("chosen-already", "3.0") if written else None
        chit = action[1]
        if not game.soviet_hq_chits >> chit & 1:
            return refusal("not-a-choice", "3.0", chit=chit)
        if action in written:
            return refusal("chit-taken", "3.0", chit=chit)
        return None

    def finished(self, game: AVictoryLost, state: VictoryState, side: int, written: Written) -> bool:
        return written == (("historical",),) or len(written) == game.data.numbers["soviet_pool"]

    def reveal(self, game: AVictoryLost, state: VictoryState, answers: Mapping[int, Written]) -> Flow:
        if not answers:
            return None
        for action in answers[SOVIET]:
            state.pool[SOVIET] |= game.historical_chits if action[0] == "historical" else 1 << action[1]
        state.emit("five-chosen", "3.0", SOVIET, chits=tuple(each(state.pool[SOVIET])))
        return None


# 7.1 Selection


def gather_chits(game: AVictoryLost, state: VictoryState) -> None:
    """7.1.1 Every chit is back with its owner. 15.0.2 Manstein's may come now instead of at the end of the
    turn."""
    state.cup = state.played = state.refused = 0
    if option(state, "early_manstein"):
        receive_manstein(game, state, "15.0.2")
    state.chosen = [0, game.stavka & state.pool[SOVIET]]


def select_without_choice(game: AVictoryLost, state: VictoryState) -> None:
    """7.1.2 What leaves no choice is selected already: STAVKA, the plan made on the turn before (15.0.2), or
    all the chits of a side that has no more than it needs."""
    state.chosen[SOVIET] |= state.planned
    state.planned = 0
    for side in (AXIS, SOVIET):
        if not selected_ahead(state, side):
            open_ = selectable(state, side)
            if chits_to_select(game, state, side) == open_.bit_count():
                state.chosen[side] = open_


def selectable(state: VictoryState, side: int) -> int:
    """7.1.1 The chits that a side may put into the cup: all it has, but for one played before the selection
    (15.0.2)."""
    return state.pool[side] & ~state.played


def selected_ahead(state: VictoryState, side: int) -> bool:
    """15.0.2 Whether a side's selection was made on the turn before."""
    return side == SOVIET and option(state, "soviets_plan_ahead") and state.turn > 1


def receive_manstein(game: AVictoryLost, state: VictoryState, case: str) -> None:
    """11.1.2 The Manstein chits of this turn join the Axis pool."""
    for chit in each(game.manstein & ~state.pool[AXIS]):
        if game.chits[chit].turn == state.turn:
            state.pool[AXIS] |= 1 << chit
            state.emit("chit-received", case, chit=chit)


def chits_to_select(game: AVictoryLost, state: VictoryState, side: int) -> int:
    """7.1.2 How many chits a side puts into the cup this turn: those asked for, or all it has."""
    if side == SOVIET:
        wanted = game.data.numbers["soviet_selection"] + (game.stavka & state.pool[SOVIET]).bit_count()
    else:
        wanted = game.data.axis_chits[state.turn]
    return min(wanted, (state.pool[side] & ~first_chit(state)).bit_count())


def first_chit(state: VictoryState) -> int:
    """15.0.2 The chit that the Axis player has played before the selection, as a set; it is not among those
    selected."""
    return state.played & ~state.chosen[AXIS] & ~state.chosen[SOVIET]


def still_to_select(game: AVictoryLost, state: VictoryState, side: int, written: Written) -> int:
    """7.1.2 How many chits a side has yet to pick for the cup."""
    if selected_ahead(state, side):
        return 0
    picked = written_chits(written, "select") | state.chosen[side]
    return chits_to_select(game, state, side) - picked.bit_count()


def still_to_plan(game: AVictoryLost, state: VictoryState, side: int, written: Written) -> int:
    """15.0.2 How many chits a side has yet to write down for the next turn."""
    if side != SOVIET or not option(state, "soviets_plan_ahead") or not game.turns_left(state):
        return 0
    wanted = min(game.data.numbers["soviet_selection"], (state.pool[SOVIET] & ~game.stavka).bit_count())
    return wanted - written_chits(written, "plan").bit_count()


class SelectChits(Sealed["AVictoryLost", VictoryState]):
    """7.1.2 Both players secretly pick the chits that they put into the cup. 15.0.2 The Soviet player may
    have to write down his selection of the next turn after it."""

    name = "select-chits"
    case = "7.1.2"
    verbs = {"select": Verb(("chit",)), "plan": Verb(("chit",))}
    prompts = ("select-axis-chits", "select-soviet-chits", "plan-soviet-chits")

    def prompt(self, game: AVictoryLost, state: VictoryState, side: int) -> str:
        """15.0.2 Whoever has selected all and is still asked makes a plan."""
        selecting = still_to_select(game, state, side, state.written(side))
        return self.prompts[side] if selecting else "plan-soviet-chits"

    def writers(self, game: AVictoryLost, state: VictoryState) -> tuple[int, ...]:
        return (SOVIET, AXIS)

    def choices(self, game: AVictoryLost, state: VictoryState, side: int, written: Written) -> list[Action]:
        if still_to_select(game, state, side, written):
            picked = state.chosen[side] | written_chits(written, "select")
            return [("select", c) for c in each(selectable(state, side) & ~picked)]
        planned = game.stavka | written_chits(written, "plan")
        return [("plan", c) for c in each(state.pool[SOVIET] & ~planned)]

    def why_not(
        self, game: AVictoryLost, state: VictoryState, side: int, written: Written, action: Action
    ) -> Refusal | None:
        verb, chit = action
        selecting = still_to_select(game, state, side, written) > 0
        case = "7.1.1" if verb == "select" else "15.0.2"
        if not state.pool[side] >> chit & 1:
            return refusal("not-your-chit", case, chit=chit)
        if verb == "plan":
            if selecting:
                return refusal("plan-later", "15.0.2")
            planned = game.stavka | written_chits(written, "plan")
            return refusal("chit-taken", "15.0.2", chit=chit) if planned >> chit & 1 else None
        if not selectable(state, side) >> chit & 1:
            return refusal("chit-played", "15.0.2", chit=chit)
        if (state.chosen[side] | written_chits(written, "select")) >> chit & 1:
            return refusal("chit-taken", "7.1.2", chit=chit)
        return None if selecting else refusal("cup-complete", "7.1.2")

    def finished(self, game: AVictoryLost, state: VictoryState, side: int, written: Written) -> bool:
        return not still_to_select(game, state, side, written) and not still_to_plan(
            game, state, side, written
        )

    def reveal(self, game: AVictoryLost, state: VictoryState, answers: Mapping[int, Written]) -> None:
        for side in (SOVIET, AXIS):
            written = answers.get(side, ())
            selected, planned = written_chits(written, "select"), written_chits(written, "plan")
            if selected:
                state.chosen[side] |= selected
                state.emit("chits-selected", "7.1.2", side, chits=tuple(each(state.chosen[side])))
            if planned:
                state.planned = planned
                state.emit("chits-planned", "15.0.2", side, chits=tuple(each(planned)))


def fill_cup(game: AVictoryLost, state: VictoryState) -> None:
    """7.1.2 Both selections go into the same cup."""
    state.cup = state.chosen[AXIS] | state.chosen[SOVIET]
    state.emit(
        "cup-filled",
        "7.1.2",
        axis=state.chosen[AXIS].bit_count(),
        soviet=state.chosen[SOVIET].bit_count(),
    )


# 4.1.2 The special combat sequence


class SpecialCombat(Choose["AVictoryLost", VictoryState]):
    """4.1.2 Before the first draw of turn 1, any Soviet HQ on the map may lead an attack without moving."""

    name = "special-combat"
    case = "4.1.2"
    verbs = {"assault": Verb(("unit",)), "pass": Verb((), Role.PASS)}
    asked = SOVIET

    def __init__(self, before_selection: bool) -> None:
        self.before_selection = before_selection

    def able(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        if state.turn != 1 or self.before_selection != option(state, "axis_first_chit"):
            return []
        return [hq for hq in each(state.hqs & game.units_of[SOVIET]) if state.on_map(hq)]

    def why_not(self, game: AVictoryLost, state: VictoryState, unit: int) -> Refusal:
        return refusal("not-an-hq", "4.1.2", unit=unit)

    def take(self, game: AVictoryLost, state: VictoryState, unit: int) -> None:
        state.active = SOVIET
        state.local = Activation((unit,), special=True)


def special_activation(game: AVictoryLost, state: VictoryState) -> Activation:
    """4.1.2 The HQ named for the special combat sequence, if any."""
    named = state.local
    state.local = None
    return named if isinstance(named, Activation) else Activation((), special=True)


class PlayFirstChit(Choose["AVictoryLost", VictoryState]):
    """15.0.2 On turn 1 the Axis player plays one of his chits before the selection."""

    name = "play-first-chit"
    case = "15.0.2"
    verbs = {"play": Verb(("chit",))}
    asked = AXIS

    def able(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        return each(state.pool[AXIS])

    def why_not(self, game: AVictoryLost, state: VictoryState, chit: int) -> Refusal:
        return refusal("not-your-chit", "15.0.2", chit=chit)

    def take(self, game: AVictoryLost, state: VictoryState, chit: int) -> Flow:
        draw(game, state, chit, "15.0.2")
        return None


def first_chit_due(game: AVictoryLost, state: VictoryState) -> Flow:
    """15.0.2 Without the option, and after turn 1, nobody plays a chit before the selection."""
    return None if state.turn == 1 and option(state, "axis_first_chit") else RETURN


def first_chit_named(game: AVictoryLost, state: VictoryState) -> Flow:
    return None if state.drawn != NO_CHIT else RETURN


def after_first_chit(game: AVictoryLost, state: VictoryState) -> None:
    """15.0.2 Then both sides select as usual."""
    state.drawn = NO_CHIT
    state.activated = 0


# 7.2 Drawing


def anything_left(game: AVictoryLost, state: VictoryState) -> Flow:
    """4.1.2 step 4: the phase lasts as long as there are chits in the cup."""
    state.drawn = NO_CHIT
    return None if state.cup else RETURN


class DrawChit(ChanceDecision["AVictoryLost", VictoryState]):
    """7.2.1 One chit is drawn from the cup, each as likely as the others."""

    name = "draw-chit"
    case = "7.2.1"
    verbs = {"draw": Verb(("chit",))}

    def weights(self, game: AVictoryLost, state: VictoryState) -> list[tuple[Action, int]]:
        return even_draws("draw", state.cup)

    def apply(self, game: AVictoryLost, state: VictoryState, side: int, action: Action) -> Flow:
        draw(game, state, action[1], "7.2.1")
        return None


def draw(game: AVictoryLost, state: VictoryState, chit: int, case: str) -> None:
    """7.2.1 The chit is shown; its owner becomes the active player."""
    state.cup &= ~(1 << chit)
    state.played |= 1 << chit
    state.drawn = chit
    state.active = AXIS if game.chits[chit].axis else SOVIET
    if state.active == SOVIET:
        state.shown |= 1 << chit
    state.emit("chit-drawn", case, chit=chit, word_side=game.sides[state.active])


def activate_by_chit(game: AVictoryLost, state: VictoryState) -> Activation:
    """7.2.2 The HQ of the chit, or all Soviet HQs for STAVKA."""
    chit = state.drawn
    if game.stavka >> chit & 1:
        hqs = [hq for hq in each(state.hqs & game.units_of[SOVIET]) if can_be_activated(state, hq)]
    else:
        hq = game.chits[chit].hq
        if hq == NOBODY:  # Manstein: the HQ was named when the chit was accepted
            return state.local if isinstance(state.local, Activation) else Activation(())
        hqs = [hq] if can_be_activated(state, hq) else []
    return Activation(tuple(hqs))


def can_be_activated(state: VictoryState, hq: int) -> bool:
    """7.2.2, 11.2.2 An HQ on the map, or in its entry box."""
    return state.on_map(hq) or state.where[hq] == IN_BOX


class PlayManstein(Choose["AVictoryLost", VictoryState]):
    """7.2.2 The Axis player names any of his HQs, or puts the chit back, but not twice running."""

    name = "play-manstein"
    case = "7.2.2"
    verbs = {"lead": Verb(("unit",)), "put-back": Verb(())}
    asked = AXIS

    def pending(self, game: AVictoryLost, state: VictoryState) -> bool:
        return bool(game.manstein >> state.drawn & 1) and bool(self.options(game, state, AXIS))

    def able(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        return [hq for hq in each(state.hqs & game.units_of[AXIS]) if can_be_activated(state, hq)]

    def why_not(self, game: AVictoryLost, state: VictoryState, unit: int) -> Refusal:
        return refusal("not-an-hq", "7.2.2", unit=unit)

    def why_not_decline(self, game: AVictoryLost, state: VictoryState) -> Refusal | None:
        if first_chit(state) >> state.drawn & 1:
            return refusal("put-back-designated", "15.0.2")
        if state.local == "put-back":
            return refusal("put-back-once", "7.2.2")
        return None

    def take(self, game: AVictoryLost, state: VictoryState, unit: int) -> None:
        state.local = Activation((unit,))

    def decline(self, game: AVictoryLost, state: VictoryState) -> Flow:
        bit = 1 << state.drawn
        state.cup |= bit
        state.played &= ~bit
        state.refused |= bit
        state.emit("manstein-put-back", "7.2.2", chit=state.drawn)
        state.local = "put-back"
        return "left"


def after_activation(game: AVictoryLost, state: VictoryState) -> Flow:
    """4.1.2 step 4: back to the cup."""
    state.local = None
    state.activated = 0
    return "left"


# 7.3 Who acts


def command_area(game: AVictoryLost, hq: int, cell: int) -> int:
    """7.3.3, 7.3.4 The hexes within an HQ's radius. Enemies, their zones and the closed pocket do not
    matter; water stops it, and the hex beyond an unbridged major river is its last."""
    key = (cell, game.units[hq].radius)
    found = game.area_cache.get(key)
    if found is None:
        found = game.area_cache[key] = _flood(game, *key)
    return found


def led_area(game: AVictoryLost, state: VictoryState, side: int) -> int:
    """7.3.3 The hexes within the radius of any HQ of a side."""
    hqs = [hq for hq in each(state.hqs & game.units_of[side]) if state.on_map(hq)]
    return union(command_area(game, hq, state.where[hq]) for hq in hqs)


def _flood(game: AVictoryLost, cell: int, radius: int) -> int:
    free = inner = 0
    near = rings(game.board, game.data.dry, 1 << cell, game.board.everywhere)
    for away, ring in enumerate(islice(near, radius + 1)):
        free |= ring
        if away < radius:
            inner |= ring
    return free | zones.zone(game.board, game.data.fords, inner)


def under_command(game: AVictoryLost, state: VictoryState, hq: int) -> int:
    """7.3.2, 7.3.5, 11.2.3 The combat units that an HQ may activate where it stands, as a set."""
    side = game.side(hq)
    if state.where[hq] == IN_BOX:
        mates = game.units_of[side] & ~state.hqs
        return sum(1 << u for u in each(mates) if state.where[u] == IN_BOX)
    led = command_area(game, hq, state.where[hq]) & state.fighters[side]
    return union(state.at[cell] for cell in each(led)) & ~state.hqs & game.obeys[hq]


def why_not_active(game: AVictoryLost, state: VictoryState, unit: int, case: str) -> Refusal:
    """Why a unit of the active player may not act: an HQ, of a nation that the HQ does not command, in a box,
    or out of the radius."""
    if game.units[unit].hq:
        return refusal("hq-not-activated", "7.3.2", unit=unit)
    if state.where[unit] == IN_BOX:
        return refusal("waits-in-box", "11.2.2", unit=unit)
    commanding = state.activated & state.hqs
    if commanding and not any(game.obeys[hq] >> unit & 1 for hq in each(commanding)):
        return refusal("not-commanded", "7.3.5", unit=unit)
    return refusal("not-activated", case, unit=unit)


def activate(game: AVictoryLost, state: VictoryState) -> Flow:
    """7.3 The HQs and everybody in their radii, fixed at this moment (7.3.3)."""
    activation: Activation = state.local
    state.moved = 0
    state.activated = bits(activation.hqs) | union(under_command(game, state, hq) for hq in activation.hqs)
    on_map = [hq for hq in activation.hqs if state.on_map(hq)]
    state.local = activation._replace(area=union(command_area(game, hq, state.where[hq]) for hq in on_map))
    if not activation.hqs:
        if not activation.special:
            state.emit("no-hq", "7.2.2", chit=state.drawn)
        return RETURN
    case = "4.1.2" if activation.special else "7.3.1"
    state.emit("activation", case, units=activation.hqs, number=(state.activated & ~state.hqs).bit_count())
    return "combat" if activation.special else None
