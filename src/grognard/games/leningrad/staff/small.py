"""Small decisions: forts, aircraft, steps or ground, where to fall back to."""

from __future__ import annotations

from grognard.games.leningrad.rules.armour import corps_involved
from grognard.games.leningrad.rules.battle import Battle
from grognard.games.leningrad.staff.office import Staff
from grognard.games.leningrad.staff.plan import LeningradPlan
from grognard.games.leningrad.staff.promise import Target
from grognard.games.leningrad.state import SOVIET, LeningradState
from grognard.kernel import Action


def small_decision(staff: Staff, state: LeningradState, side: int) -> Action | None:
    """Forts, aircraft and interdiction by rule of thumb; the rest is worth trying out."""
    game = staff.game
    decision = game.decision(state)
    assert decision is not None
    if decision.name == "fortify":
        sites = [action[1] for action in decision.options(game, state, side) if action[0] == "fortify"]
        if not sites:
            return ("end",)
        return ("fortify", max(sites, key=lambda c: (_fort_value(staff, state, c), -c)))
    if decision.name == "interdict":
        return ("end",)
    if decision.name == "commit-air":
        return ("commit", _air_to_commit(staff, state, side))
    if decision.name in ("lose-or-retreat", "fall-back", "advance"):
        return _try_out(staff, state, side, decision.options(game, state, side))
    return None


def _air_to_commit(staff: Staff, state: LeningradState, side: int) -> int:
    """13.1 All or nothing: the aircraft go to the battle where they change most."""
    battle: Battle = state.local
    if staff.game.side(battle.attackers[0]) != side or battle.overrun:
        return state.air_ready if not battle.overrun else 0
    plan = LeningradPlan(staff, state, side, combat=True)
    plan.share_out()
    elsewhere = max((plan.lifted(cell, on) for _, cell, on in plan.attacks()), default=0.0)
    target = Target(staff, state, side, battle.targets[0], battle.defenders)
    attack = int(sum(staff.attack_of(state, u) for u in battle.attackers))
    shift = target.base + corps_involved(staff.game, state, battle.attackers)
    here = plan.columns_worth(target, attack, shift, state.air_ready)
    return state.air_ready if here >= elsewhere else 0


def _try_out(staff: Staff, state: LeningradState, side: int, options: list[Action]) -> Action:
    """Follow each answer through until the battle's result has been suffered, and compare the positions."""
    plan = LeningradPlan(staff, state, side, combat=True)
    scores = [plan.appraise(_follow_through(staff, plan, state, side, option)) for option in options]
    return options[scores.index(max(scores))]


def _follow_through(
    staff: Staff, plan: LeningradPlan, state: LeningradState, side: int, option: Action
) -> LeningradState:
    """The position once the result of a battle has been suffered, our side answering by what looks best at
    once, the other not at all."""
    game = staff.game
    trial = state.clone()
    game.apply(trial, option)
    while True:
        decision = game.decision(trial)
        if decision is None or decision.name not in ("lose-or-retreat", "fall-back"):
            return trial
        if decision.actor(game, trial) != side:
            return trial
        answers = decision.options(game, trial, side)
        if decision.name == "lose-or-retreat":
            # Whoever began to lose steps goes on doing so: the cheapest first.
            losses = [a for a in answers if a[0] == "lose"]
            answer = min(losses, key=lambda a: (staff.worth_of(trial, a[1]), a[1]))
        else:
            answer = max(answers, key=lambda a: (plan.stand(a[1], a[2]), a))
        game.apply(trial, answer)


def _fort_value(staff: Staff, state: LeningradState, cell: int) -> float:
    game = staff.game
    value = -float(staff.doctrine.way(state).get(cell, 400))
    if cell in game.victory(state).objectives:
        value += 40
    elif game.leningrad_set >> cell & 1:
        value += 30
    if state.occupied[SOVIET] >> cell & 1:
        value += 4
    return value + 2 * (game.contact[cell] & game.leningrad_set).bit_count()
