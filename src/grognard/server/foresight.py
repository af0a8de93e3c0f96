"""What would come of an answer or a move that nobody has given yet: tried on a copy of the position, as far
as the rules alone decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grognard.kernel import Action, ChanceDecision, Event, Game, IllegalActionError, Order, Refusal, refusal
from grognard.kernel.actions import EVERYONE
from grognard.kernel.advice import Way
from grognard.kernel.events import Family
from grognard.server.present import mentioned, owners


def why_not_there(
    game: Game[Any], state: Any, units: Sequence[int], goal: int, ways: Mapping[int, Way]
) -> tuple[Refusal, ...]:
    """Why units cannot go to a hex that is not among their ways: what forbids the last step, or that the hex
    is too far, and what stops them where they come nearest to it. Empty if a way was found after all."""
    board = game.board
    starts = {state.where[unit] for unit in units if state.where[unit] >= 0}
    near = [cell for cell in (*starts, *ways) if board.distance(cell, goal) == 1]
    left = {cell: way.points_left for cell, way in ways.items()}
    if near:
        best = max(near, key=lambda cell: (cell in starts, left.get(cell, 0)))
        why = _try_step(game, state, units, ways, best, goal)
        return () if why is None else (why,)
    # Where they stand and where they get, the nearest to the goal; of equals, the one reached most cheaply.
    here = [*starts, *ways]
    if not here:
        return (refusal("out-of-reach", "", hex=goal),)
    nearest = min(here, key=lambda cell: (board.distance(cell, goal), -left.get(cell, 0), cell))
    beyond = min(
        board.adjacent[nearest],
        key=lambda cell: (board.distance(cell, goal), cell),
    )
    why = _try_step(game, state, units, ways, nearest, beyond)
    if nearest in starts:
        far = refusal("out-of-reach", why.case if why else "", hex=goal)
    else:
        far = refusal("out-of-reach-from", why.case if why else "", hex=goal, hex_near=nearest)
    return (far,) if why is None else (far, why)


def why_stuck(game: Game[Any], state: Any, units: Sequence[int]) -> Refusal | None:
    """Why units that have no way at all cannot take a step: the reason that holds for most directions."""
    starts = {state.where[unit] for unit in units if state.where[unit] >= 0}
    reasons: list[Refusal] = []
    for start in starts:
        for cell in game.board.adjacent[start]:
            why = _try_step(game, state, units, {}, start, cell)
            if why is not None:
                reasons.append(why)
    codes = [(why.case, why.code) for why in reasons]
    return max(reasons, key=lambda why: codes.count((why.case, why.code))) if reasons else None


def _try_step(
    game: Game[Any], state: Any, units: Sequence[int], ways: Mapping[int, Way], start: int, goal: int
) -> Refusal | None:
    """Why units that have gone to a hex may not go on to the next; None if they may."""
    path = [*(ways[start].cells if start in ways else ()), goal]
    order = {
        "order": Order.MOVE.value,
        "units": [game.unit_id(unit) for unit in units],
        "path": [game.board.number(cell) for cell in path],
        "halt": False,
    }
    tried = state.clone()
    try:
        for action in game.expand(tried, order):
            why = game.refuse(tried, action)
            if why is not None:
                return why
            game.apply(tried, action)
    except IllegalActionError as error:
        return error.reason
    return None


class LossAhead(NamedTuple):
    """Something that an answer would cost for certain."""

    event: Event
    chosen: bool
    """Whether somebody is to choose what it will be; then the event is one of several that are possible."""


MOST = 100
"""No answer costs more than this."""


def losses_ahead(game: Game[Any], state: Any, side: int, action: Action) -> list[LossAhead]:
    """What a legal answer would cost the side that gives it, for certain: by the rules alone, and by
    questions that can only be answered with another loss. What is written in secret tells nothing."""
    decision = game.decision_for(state, side, action)
    if decision is None or decision.secret:
        return []
    tried, lost = _after(game, state, side, action)
    found = [LossAhead(event, False) for event in lost]
    while len(found) < MOST:
        decision = game.decision(tried)
        if decision is None or decision.secret or isinstance(decision, ChanceDecision):
            break
        actor = decision.actor(game, tried)
        options = game.options(tried, actor)
        futures = [_after(game, tried, side, option, actor) for option in options]
        if not futures or not all(lost for _, lost in futures):
            break
        tried, lost = futures[0]
        found += [LossAhead(event, len(options) > 1) for event in lost]
    return found


def _after(
    game: Game[Any], state: Any, side: int, action: Action, by: int | None = None
) -> tuple[Any, list[Event]]:
    """The position after an answer, and what it cost a side."""
    tried = state.clone()
    told: list[Event] = []
    tried.log = told
    game.apply(tried, action, side if by is None else by)
    return tried, [event for event in told if _costs(game, event, side)]


def _costs(game: Game[Any], event: Event, side: int) -> bool:
    units = mentioned(game, event.facts)["units"]
    seen = game.family(event) is Family.LOSS and event.audience in (EVERYONE, side)
    return seen and any(owners(game)[unit] == game.sides[side] for unit in units)
