"""15 Breakdown and assembly: at the beginning and at the end of the phases in which units move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.second_front.rules.breakdown import (
    PANTHERS,
    assembled_hunger,
    brigades,
    divisible,
    free_set,
    listed,
    may_attach,
    may_detach,
    part_sets,
    sets_of,
    supported,
)
from grognard.games.second_front.rules.phases import ready_to_move
from grognard.games.second_front.rules.position import on_map, parts_of, settle_ownership
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import units as books_units
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.pieces import TO_COME, aboard

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

END: Action = ("end",)


def counters_box(game: SecondFront) -> int:
    """Where a division waits whose parts are in play."""
    return game.box("counters")


def to_be_had(game: SecondFront, state: FrontState, ids: tuple[str, ...]) -> list[int]:
    """Counters that are not in play and that no order of battle brings in (15D)."""
    due = {arrival.unit for arrival in game.plan(state).arrivals}
    places = (TO_COME, counters_box(game))
    found = [game.unit_index(id_) for id_ in ids]
    return [unit for unit in found if state.where[unit] in places and unit not in due]


# Breaking down


def why_not_divide(game: SecondFront, state: FrontState, unit: int, led: bool) -> Refusal | None:
    if not state.side_units[state.active] >> unit & 1 or state.where[unit] < 0:
        return refusal("not-yours", "15A", unit=unit)
    if game.units[unit].id not in divisible():
        return refusal("not-on-chart", "15B", unit=unit)
    number = set_for(game, state, unit)
    if number is None:
        if smaller_parts(game, state, unit) and not led:
            return None
        if game.units[unit].id in listed():
            return refusal("no-counters", "15C", unit=unit)
        return refusal("not-on-chart", "15B", unit=unit)
    if state.reduced >> unit & 1 or state.lightened >> unit & 1 or state.cargo(unit):
        return refusal("not-whole", "15B", unit=unit)
    if led and not part_sets()[number].headquarters:
        return refusal("no-headquarters", "15B", unit=unit)
    return None


def set_for(game: SecondFront, state: FrontState, unit: int) -> int | None:
    """15C: a set of which no counter is in play."""
    if game.units[unit].id not in listed():
        return None
    used = {number for _, number in state.split}
    used |= {
        number
        for number in sets_of(game.units[unit].id)
        if any(state.where[part] != TO_COME for part in parts_of(game, number))
    }
    return free_set(game.units[unit].id, used)


def smaller_parts(game: SecondFront, state: FrontState, unit: int) -> list[int]:
    """15D: the battalions that a brigade or a regiment becomes, if enough counters are to be had."""
    for line in brigades():
        if game.units[unit].id in line.whole:
            found = to_be_had(game, state, line.part)[: line.needed]
            return found if len(found) == line.needed else []
    return []


def divide(game: SecondFront, state: FrontState, unit: int, led: bool) -> None:
    """15A: the parts stand where the division stood, in the same supply, and may move in this phase."""
    number, here = set_for(game, state, unit), state.where[unit]
    if number is None:
        parts = smaller_parts(game, state, unit)
    else:
        parts = [game.unit_index(id_) for id_ in part_sets()[number].parts]
        state.split = tuple(sorted((*state.split, (unit, number))))
        state.dotted |= sum(1 << part for part in parts if supported(game.units[part], led))
        if led:
            parts.append(game.unit_index(part_sets()[number].headquarters))
    for part in parts:
        if led:
            state.dotted &= ~(1 << part)
        take_over(state, unit, part)
        state.place(part, here)
    state.place(unit, counters_box(game))
    for part in parts:
        ready_to_move(game, state, part)
    settle_ownership(game, state)


def take_over(state: FrontState, old: int, new: int) -> None:
    """A counter takes the place of another: supply and isolation are the same."""
    state.hunger[new] = state.hunger[old]
    for name in ("fed", "isolated", "steady"):
        bits = getattr(state, name)
        setattr(state, name, bits | 1 << new if bits >> old & 1 else bits & ~(1 << new))


# 15E


def panthers(game: SecondFront, state: FrontState) -> list[int]:
    """The counters of detached battalions that are not in play."""
    return to_be_had(game, state, tuple(id_ for id_ in books_units() if id_.startswith(PANTHERS)))


def why_not_detach(game: SecondFront, state: FrontState, unit: int) -> Refusal | None:
    if not state.side_units[state.active] >> unit & 1 or state.where[unit] < 0:
        return refusal("not-yours", "15E", unit=unit)
    if state.cargo(unit):
        return None
    if not may_detach(game.units[unit], bool(state.lightened >> unit & 1)) or state.reduced >> unit & 1:
        return refusal("no-panthers", "15E", unit=unit)
    return None if panthers(game, state) else refusal("no-counters", "15E", unit=unit)


def detach(game: SecondFront, state: FrontState, unit: int) -> None:
    """A battalion that was attached leaves first; otherwise the division's own does."""
    attached = state.cargo(unit)
    battalion = attached[0] if attached else panthers(game, state)[0]
    if not attached:
        state.lightened |= 1 << unit
    take_over(state, unit, battalion)
    state.place(battalion, state.where[unit])
    ready_to_move(game, state, battalion)
    settle_ownership(game, state)


def why_not_attach(game: SecondFront, state: FrontState, battalion: int, unit: int) -> Refusal | None:
    counter = game.units[battalion]
    if state.where[battalion] < 0 or state.where[battalion] != state.where[unit]:
        return refusal("not-together", "15E", unit=battalion, unit_other=unit)
    if not counter.id.startswith(("SF-G-PN-D", "SF-G-PN-P4")):
        return refusal("no-panthers", "15E", unit=battalion)
    if not may_attach(game.units[unit], len(state.cargo(unit))):
        return refusal("cannot-attach", "15E", unit=unit)
    return None


def attach(game: SecondFront, state: FrontState, battalion: int, unit: int) -> None:
    """A division that had detached its own is whole again."""
    if state.lightened >> unit & 1 and game.units[battalion].id.startswith(PANTHERS):
        state.lightened &= ~(1 << unit)
        state.place(battalion, TO_COME)
    else:
        state.place(battalion, aboard(unit))
    state.hunger[unit] = assembled_hunger([state.hunger[unit], state.hunger[battalion]])
    settle_ownership(game, state)


# Assembling


def why_not_assemble(game: SecondFront, state: FrontState, unit: int) -> Refusal | None:
    if not state.side_units[state.active] >> unit & 1:
        return refusal("not-yours", "15A", unit=unit)
    if materials(game, state, unit) is None:
        return refusal("parts-apart", "15A", unit=unit)
    return None


def materials(game: SecondFront, state: FrontState, unit: int) -> list[int] | None:
    """The counters that a unit is put together from, all in one hex; None if it cannot be."""
    for division, number in state.split:
        if division == unit:
            alive = [part for part in parts_of(game, number) if state.where[part] >= 0]
            needed = [game.unit_index(id_) for id_ in part_sets()[number].parts]
            led = len(alive) > len(needed)
            together = len({state.where[part] for part in alive}) == 1
            supported_parts = all(
                state.dotted >> part & 1 or not supported(game.units[part], False) for part in needed
            )
            whole = all(part in alive for part in needed) and (led or supported_parts)
            return alive if together and whole else None
    for line in brigades():
        if game.units[unit].id not in line.whole or unit not in to_be_had(game, state, line.whole):
            continue
        if unit != to_be_had(game, state, line.whole)[0]:
            return None
        battalions = {game.unit_index(id_) for id_ in line.part}
        for cell in each(state.occupied[state.active]):
            here = [one for one in state.stack(cell) if one in battalions]
            if len(here) >= line.needed:
                return here[: line.needed]
    return None


def assemble(game: SecondFront, state: FrontState, unit: int) -> None:
    """15A: in the worst supply of its parts."""
    parts = materials(game, state, unit)
    assert parts
    here = state.where[parts[0]]
    hunger = assembled_hunger([state.hunger[part] for part in parts])
    take_over(state, parts[0], unit)
    state.hunger[unit] = hunger
    every = [1 << part for part in parts]
    fed = all(state.fed & bit for bit in every)
    state.fed = state.fed | 1 << unit if fed else state.fed & ~(1 << unit)
    divided = any(division == unit for division, _ in state.split)
    state.split = tuple(entry for entry in state.split if entry[0] != unit)
    for part in parts:
        state.dotted &= ~(1 << part)
        state.place(part, TO_COME if divided else counters_box(game))
    state.place(unit, here)
    state.moved |= 1 << unit
    state.left[unit] = 0
    for name in ("entrained", "fought"):
        if getattr(state, name) & sum(every):
            setattr(state, name, getattr(state, name) | 1 << unit)
    settle_ownership(game, state)


class Assemble(Decision["SecondFront", FrontState]):
    """15A, 15E: parts become divisions again, Panthers join divisions."""

    name = "assemble"
    case = "15A"
    verbs = {
        "assemble": Verb(("unit",)),
        "attach": Verb(("unit", "unit")),
        "end": Verb((), Role.END),
    }

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return len(self.options(game, state, state.active)) > 1

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        found: list[Action] = []
        wholes = [division for division, _ in state.split]
        wholes += [one for line in brigades() for one in to_be_had(game, state, line.whole)[:1]]
        for unit in wholes:
            if why_not_assemble(game, state, unit) is None:
                found.append(("assemble", unit))
        battalions = [u for u in on_map(state, side) if game.units[u].id.startswith("SF-G-PN-")]
        for battalion in battalions:
            for unit in state.stack(state.where[battalion]):
                if why_not_attach(game, state, battalion, unit) is None:
                    found.append(("attach", battalion, unit))
        return [*found, END]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action == END:
            return None
        if action[0] == "attach":
            return why_not_attach(game, state, action[1], action[2])
        return why_not_assemble(game, state, action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action == END:
            return None
        if action[0] == "attach":
            attach(game, state, action[1], action[2])
            state.emit("attached", "15E", unit=action[1], unit_other=action[2])
        else:
            assemble(game, state, action[1])
            state.emit("assembled", "15A", unit=action[1], hex=state.where[action[1]])
        return AGAIN
