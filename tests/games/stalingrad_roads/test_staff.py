"""What planners are taught of Stalingrad Roads: facts that are those of the rules, sums that hold, good sense
in plain positions, and no answer that the rules refuse."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.command import line_net, supplied_units
from grognard.games.stalingrad_roads.rules.fortress import fortress_hexes
from grognard.games.stalingrad_roads.rules.movement import STRATEGIC, Move, after_step, price_of_step
from grognard.games.stalingrad_roads.rules.movement import why_not_halt as why_not_rest
from grognard.games.stalingrad_roads.rules.odds import attack_strength, work_out_odds
from grognard.games.stalingrad_roads.rules.pocket import pocket_closed, zone_about
from grognard.games.stalingrad_roads.rules.reach import flood, moves_of, resting
from grognard.games.stalingrad_roads.staff.answers import Troops
from grognard.games.stalingrad_roads.staff.arms import Arms
from grognard.games.stalingrad_roads.staff.doctrine import RoadsDoctrine
from grognard.games.stalingrad_roads.staff.outlook import Outlook
from grognard.games.stalingrad_roads.staff.plan import RoadsPlan
from grognard.games.stalingrad_roads.state import AXIS, SOVIET, RoadsState
from grognard.kernel import ChanceDecision, Refusal
from grognard.kernel.doctrine import NEVER, Intent
from grognard.players import seat
from grognard.staff.terms import Chain, Changes
from tests.games.stalingrad_roads.table import GAME_FOLDER, Table, real_game
from tests.rules import rule

GAME = "stalingrad_roads"
SEED = "s3"
"""With it Stalingrad does not fall at once."""


@cache
def game_of(scenario: str, players: tuple[str, str], turns: int) -> tuple[tuple[RoadsState, ...], str, int]:
    """The positions at which movement phases begin in the first turns of a game in which no answer is
    refused; the fingerprint at its end, and how many answers there were."""
    game = real_game()
    state = game.start(scenario)
    game.settle(state, SEED)
    seats = [seat(name, f"{SEED}/{side}") for side, name in enumerate(players)]
    random = Random(f"{SEED}/imagine")
    found: list[RoadsState] = []
    answers = 0
    last = game.scenario(state).first + turns
    while (side := game.actor(state)) is not None and state.turn < last:
        if state.frames[-1][:2] == ("movement-phase", "pick") and not state.moved:
            found.append(state.clone())
        action = seats[side].choose(game, game.imagine(state, side, random), side)
        assert game.refuse(state, action, side) is None
        game.apply(state, action, side)
        game.settle(state, SEED)
        answers += 1
    return tuple(found), state.fingerprint(), answers


def movements() -> tuple[RoadsState, ...]:
    """Uranus and Backhand Blow: snow with open rivers, and frost."""
    return (*game_of("uranus", ("greedy", "greedy"), 1)[0], *game_of("backhand", ("greedy", "greedy"), 1)[0])


def taught() -> RoadsDoctrine:
    doctrine = real_game().doctrine
    assert isinstance(doctrine, RoadsDoctrine)
    return doctrine


def view_of(table: Table, side: int) -> Outlook:
    return taught_of(table).view(table.state, side)


def plan_of(state: RoadsState) -> RoadsPlan:
    plan = taught().plan_movement(state, state.active)
    assert isinstance(plan, RoadsPlan)
    return plan


# Facts


def steps_by_the_rules(state: RoadsState, move: Move) -> set[int]:
    """Every hex where those in hand may end their move, step by step as the rules price it."""
    game = real_game()
    start = state.where[move.units[0]]
    best: dict[int, int] = {start: move.left}
    found: set[int] = set()
    queue = [(start, move)]
    while queue:
        here, hand = queue.pop()
        for there in game.board.adjacent[here]:
            price = price_of_step(game, state, hand, here, there)
            if isinstance(price, Refusal):
                continue
            onward = after_step(hand, *price)
            if why_not_rest(game, state, onward, there) is None:
                found.add(there)
            if onward.left > best.get(there, -1) and not onward.stopped:
                best[there] = onward.left
                queue.append((there, onward))
    return found - {start}


@rule(GAME, "7.1.4", "7.1.8", "7.2.2")
def test_floods_find_what_the_rules_allow_step_by_step() -> None:
    game, random, asked, marches = real_game(), Random("reach"), 0, 0
    for state in movements():
        units = [u for u in each(game.units_of[state.active]) if state.where[u] >= 0]
        for unit in random.sample(units, 16):
            for move in moves_of(game, state, unit):
                cells = resting(game, state, move, flood(game, state, move).cells)
                assert set(each(cells)) == steps_by_the_rules(state, move), game.units[unit].id
                asked += 1
                marches += move.mode == STRATEGIC
    assert asked > 40
    assert marches


@rule(GAME, "4.4.4")
def test_the_flood_of_a_hungry_unit_leads_nowhere_farther_from_its_hqs() -> None:
    table = Table(
        "axis-movement", {"g-44": "1715", "hq-2a": "1712", "s-64": "0320"}, unsupplied=["g-44"], rivers=2
    )
    state, unit = table.state, table.unit("g-44")
    (move, *_) = moves_of(table.game, state, unit)
    cells = resting(table.game, state, move, flood(table.game, state, move).cells)
    hq, board = state.where[table.unit("hq-2a")], table.game.board
    assert cells
    assert all(board.distance(c, hq) <= board.distance(state.where[unit], hq) for c in each(cells))


@rule(GAME, "4.3.1", "1.2.3")
def test_who_would_be_in_supply_is_in_supply_when_he_stands_there() -> None:
    """Every hex near some units: judged before they go as the rules judge it when they have gone."""
    game, random = real_game(), Random("supply")
    asked = beside = wrong = 0
    for state in movements():
        for side in (AXIS, SOVIET):
            view = taught().view(state, side)
            units = [u for u in each(game.units_of[side] & ~game.hqs) if state.where[u] >= 0]
            for unit in random.sample(units, 5):
                thought = view.fed_hexes(unit)
                near = game.board.within((state.where[unit],), 2) & view.ground & ~view.foes
                for cell in each(near):
                    trial = state.clone()
                    trial.place(unit, cell)
                    everybody = game.units_of[side] & ~game.hqs
                    true = bool(supplied_units(game, trial, side, everybody) >> unit & 1)
                    asked += 1
                    beside += bool(view.zones >> cell & 1)
                    wrong += bool(thought >> cell & 1) != true
    assert asked > 300
    assert beside > 40
    # Whoever comes may be the one who opens the road of an HQ, or who takes a guest's place at another one.
    assert wrong / asked < 0.01


@rule(GAME, "8.5.3", "8.5.6")
def test_odds_are_those_of_the_rules_when_the_plan_is_carried_out() -> None:
    game, seen = real_game(), 0
    for state in movements():
        plan = plan_of(state)
        plan.climb(1)
        plan.worth()
        then = state.clone()
        for stack, (unit,) in enumerate(plan.stacks):
            then.place(unit, plan.place(stack))
        for _, target in plan.attacks():
            units = [plan.units[s] for s in target.attackers if not plan.hq[s]]
            attack, defence, shift = plan.odds(target, target.attackers)
            true = work_out_odds(game, then, units, target.cell)
            assert defence == true.defence
            assert attack - plan.air.get(target.cell, 0) == true.attack
            assert shift == sum(s.columns for s in true.shifts)
            seen += 1
            assert attack_strength(game, then, units, target.cell) <= attack
    assert seen > 10


@rule(GAME, "10.2.5")
def test_the_ring_shuts_the_pocket_when_soviets_stand_on_it() -> None:
    game, tried = real_game(), 0
    for state in game_of("uranus", ("greedy", "greedy"), 1)[0]:
        ring = taught().view(state, SOVIET).ring
        if not ring:
            continue
        then = state.clone()
        for cell in each(ring):
            for unit in each(then.at.get(cell, 0) & game.units_of[AXIS]):
                then.place(unit, game.board.cell("0601"))
        idle = [u for u in each(game.units_of[SOVIET]) if then.where[u] < 0]
        for cell, unit in zip(each(ring & ~then.occupied[SOVIET]), idle, strict=False):
            then.place(unit, cell)
        assert ring & then.occupied[SOVIET] == ring
        assert pocket_closed(game, then)
        tried += 1
    assert tried


@rule(GAME, "10.2.5")
def test_the_ring_ends_at_the_volga_on_either_side() -> None:
    """Nobody but those who stand on it is needed: the pocket is closed as soon as they do, not before."""
    units = {"g-71": "1334", "g-79": "1434"}
    ring = each(view_of(Table("soviet-movement", units, scenario="uranus"), SOVIET).ring)
    soviets = [u.id for u in real_game().units if not u.axis and u.kind == "infantry"]
    number = real_game().board.number
    held = units | {unit: number(cell) for unit, cell in zip(soviets, ring, strict=False)}
    table = Table("soviet-movement", held, scenario="uranus")
    assert pocket_closed(table.game, table.state)
    for unit in list(held)[2:]:
        table = Table("soviet-movement", {u: h for u, h in held.items() if u != unit}, scenario="uranus")
        assert not pocket_closed(table.game, table.state)


@rule(GAME, "S2.17")
def test_a_weak_ring_is_better_than_none() -> None:
    units = {"g-71": "1334", "g-79": "1434", "g-305": "1332", "g-389": "1332", "s-45": "1231"}
    for turn in (2, 3):
        table = Table("soviet-movement", units, scenario="uranus", turn=turn)
        plan = plan_of(table.state)
        danger = [c for c in each(plan.view.ring) if plan.view.threats.total[c] > 10]
        assert danger
        for cell in danger:
            assert plan.hold(cell, 1 << table.unit("s-45")) > plan.hold(cell, 0) == 0.0


def test_a_ring_is_worth_most_when_it_is_whole() -> None:
    line, held = 0b1110, 0b0010
    chain = Chain("ring", line, held, worth=8.0, share=0.5)
    assert chain.values == [2.0] and chain.afresh() == 2.0
    changes: Changes = []
    assert chain.shift(0, 2, 1, True, 0, changes) == 2.0 and changes == [(chain.values, 0, 4.0)]
    chain.commit(0, 2, 1, True)
    assert chain.afresh() == 4.0
    assert chain.shift(0, 0, 1, True, 0, []) == 0.0, "a hex beside the line"
    assert chain.shift(0, 2, 1, False, 0, []) == 0.0, "one that is held already"
    assert list(chain.beyond(0, 3)) == [1, 2, 3] and not list(chain.beyond(0, 0))


@rule(GAME, "8.10.3")
def test_a_garrison_of_four_steps_is_not_safe_from_guards() -> None:
    """At 2-1 the worst result takes three steps; an elite unit picks the fourth in the same block."""
    units = {"g-71": "1334", "g-79": "1334", "g-295": "1334"}
    table = Table("axis-movement", units, scenario="uranus", turn=2)
    for unit in ("g-79", "g-295"):
        table.state.steps[table.unit(unit)] = 1
    table.state.level, table.state.enclosed = 8, table.state.at[table.cell("1334")]
    view, cell = view_of(table, AXIS), table.cell("1334")

    def risk(stormed: bool) -> float:
        costs = [view.battle_at(table.state.at[cell], cell, 1, False, g, 0.0, stormed) for g in (0.0, 1.0)]
        return round(costs[1] - costs[0], 4)

    assert risk(False) == 0.0
    assert risk(True) == round(6 / 36, 4)
    assert view.stormed(cell) and not view.stormed(table.cell("1333"))


@rule(GAME, "S2.8")
def test_an_hq_that_cannot_move_has_a_guard() -> None:
    units = {"hq-don": "1831", "s-45": "1732", "g-71": "1334", "g-79": "1434"}
    table = Table("soviet-movement", units, scenario="uranus", turn=2)
    plan, cell = plan_of(table.state), table.cell("1831")
    alone, guarded = table.state.at[cell], table.state.at[cell] | 1 << table.unit("s-45")
    assert not plan.view.landing >> cell & 1
    assert plan.hold(cell, alone) == -plan.view.numbers["hq_unwatched"] < 0 == plan.hold(cell, guarded)


# The planning table


def test_a_gain_is_the_difference_of_two_worths_and_a_look_changes_nothing() -> None:
    random, looks = Random("gains"), 0
    for state in movements():
        plan = plan_of(state)
        assert plan.worth() == pytest.approx(plan.afresh(), abs=1e-6)
        for _ in range(25):
            stack = int(random.random() * len(plan.stacks))
            places = plan.places(stack)
            cell = places[int(random.random() * len(places))]
            before, gain = plan.worth(), plan.gain(stack, cell)
            assert plan.worth() == pytest.approx(before, abs=1e-9)
            if gain == NEVER:
                continue
            plan.put(stack, cell)
            assert plan.worth() - before == pytest.approx(gain, abs=1e-9)
            assert plan.worth() == pytest.approx(plan.afresh(), abs=1e-6)
            looks += 1
    assert looks > 60


def test_a_march_brings_a_unit_where_it_was_sent() -> None:
    game, random, marches = real_game(), Random("march"), 0
    for state in movements():
        plan = plan_of(state)
        for _ in range(6):
            stack = int(random.random() * len(plan.stacks))
            cell = plan.places(stack)[int(random.random() * len(plan.places(stack)))]
            script = taught().march(state, plan.stacks[stack], cell)
            if cell == plan.places(stack)[0] or script is None:
                continue
            trial = state.clone()
            for action in script:
                if trial.frames[-1][0] in ("movement-phase", "battle"):
                    assert action[0] in ("pick", "march", "entrain", "halt")
                    if action == ("halt",):
                        break  # it has been set down already
                assert game.refuse(trial, action) is None
                game.apply(trial, action)
            assert trial.where[plan.stacks[stack][0]] == cell
            marches += 1
    assert marches > 10


# Good sense


def test_an_open_city_is_taken() -> None:
    table = Table("soviet-movement", {"s-64": "1218", "s-99": "1218", "g-44": "0705"})
    plan = taught_of(table).plan_movement(table.state, SOVIET)
    assert plan is not None
    plan.climb(2)
    taken = bits(plan.place(stack) for stack in range(len(plan.stacks)))
    assert taken >> table.cell("1217") & 1


@rule(GAME, "10.2.2")
def test_the_fortress_is_laid_where_its_zone_reaches_the_city() -> None:
    """Most divisions stand west of a Soviet wall; the zone does not run through it."""
    wall = {"s-45": "1333", "s-95": "1433", "s-138": "1532", "s-64": "1533"}
    cut_off = {"g-71": "1334", "g-79": "1434", "g-44": "1432", "g-113": "1432", "g-376": "1431"}
    table = Table("fortress", wall | cut_off, unsupplied=list(cut_off), scenario="uranus")
    state = table.state
    view = taught_of(table).view(state, AXIS)
    hexes = each(fortress_hexes(table.game, state))
    chosen = Troops(taught_of(table)).declare_fortress(view, [*(("declare", c) for c in hexes), ("pass",)])
    zone = zone_about(table.game, state, chosen[1])
    assert zone & table.game.data.stalingrad == table.game.data.stalingrad


@rule(GAME, "S2.16")
def test_no_place_is_left_because_it_may_be_lost() -> None:
    """A weak garrison under a great threat is still better than none."""
    units = {"kg-inf-1": "1434", "g-71": "1334", "g-79": "1333"}
    units |= {"s-13g": "1534", "s-4-mk": "1534", "s-13-mk": "1535", "s-1-tk": "1533", "s-26-tk": "1533"}
    table = Table("axis-movement", units, scenario="uranus", turn=2)
    plan = taught_of(table).plan_movement(table.state, AXIS)
    assert isinstance(plan, RoadsPlan)
    city = table.cell("1434")
    assert plan.hold(city, 1 << table.unit("kg-inf-1")) > plan.hold(city, 0)


@rule(GAME, "S2.16")
def test_after_the_last_turn_of_the_axis_nobody_strikes_back() -> None:
    """The Axis fears nothing then; the Soviets fear for all that the Axis can still take back."""
    units = {"kg-inf-1": "1434", "g-71": "1334", "g-79": "1333", "s-13g": "1534", "s-1-tk": "1533"}
    for turn, afraid in ((2, True), (3, False)):
        table = Table("axis-movement", units, scenario="uranus", turn=turn)
        view = taught_of(table).view(table.state, AXIS)
        assert bool(view.landing) == afraid
        assert bool(view.stakes) == afraid
        assert (view.empty(table.cell("1333")) < 0) == afraid
        assert view.empty(table.cell("1434")) < 0
    care = [
        taught_of(table).view(table.state, SOVIET).numbers["care"]
        for table in (Table("soviet-movement", units, scenario="uranus", turn=t) for t in (2, 3))
    ]
    assert care[0] < care[1] == 1.0


def test_who_attacks_out_of_a_place_bleeds_for_it_though_others_stay() -> None:
    units = {"g-71": "1434", "g-79": "1434", "g-295": "1334", "s-64": "1534"}
    table = Table("axis-combat", units, scenario="uranus", turn=2)
    plan = RoadsPlan(
        taught_of(table).view(table.state, AXIS), (), (), done=[table.unit(u) for u in units][:3]
    )
    alone = plan.units.index(table.unit("g-71"))
    garrison = sum(table.state.steps[table.unit(u)] for u in ("g-71", "g-79"))
    stake = plan.view.stakes[table.cell("1434")] / garrison**2
    assert plan._at_stake((alone,))[1] == stake > 0


def test_a_beginner_sees_neither_supply_nor_the_ring_nor_the_end() -> None:
    """The `simple` doctrine leaves out for recruit and greedy what docs/opponents.md says."""
    units = {"g-71": "1434", "g-79": "1334", "s-13g": "1534", "s-1-tk": "1432", "s-64": "1331"}
    table = Table("soviet-movement", units, scenario="uranus", turn=3)
    plan = taught_of(table).plan_movement(table.state, SOVIET)
    assert isinstance(plan, RoadsPlan)
    assert plan.terms and plan.view.ring and plan.view.last
    simple = taught_of(table).simple.plan_movement(table.state, SOVIET)
    assert isinstance(simple, RoadsPlan)
    assert simple.terms == [] and not simple.view.ring and not simple.view.last
    assert simple.worth() == pytest.approx(simple.afresh())


def test_a_beginner_lays_markers_for_attacks_from_where_he_stands() -> None:
    """Others for those that they are going to make."""
    units = {"g-71": "1434", "s-13g": "1535", "s-1-tk": "1631", "s-64": "1331", "hq-don": "1831"}
    table = Table("soviet-supports", units, scenario="uranus", turn=2)
    taught = taught_of(table)
    here = {table.unit("s-1-tk"): table.cell("1631")}
    for doctrine, moved in ((taught, True), (taught.simple, False)):
        plan = doctrine.prospect(table.state, SOVIET)
        assert plan is not None
        places = {plan.units[s]: plan.place(s) for s in range(len(plan.stacks))}
        assert any(places[unit] != cell for unit, cell in here.items()) == moved


@rule(GAME, "10.3.3")
def test_an_attack_out_of_the_fortress_costs_a_level() -> None:
    units = {"g-16-pz": "1333", "g-44": "1129", "hq-hollidt": "1125", "s-45": "1332", "s-95": "1130"}
    table = Table("axis-combat", units, enclosed=["g-16-pz"], fortress="1333", level=11)
    plan = taught_of(table).plan_combat(table.state, AXIS)
    level = plan.view.numbers["level"]
    assert level > 0
    inside, outside = (plan.units.index(table.unit(unit)) for unit in ("g-16-pz", "g-44"))
    assert (plan.sortie([inside]), plan.sortie([outside]), plan.sortie([inside, outside])) == (
        level,
        0,
        level,
    )
    (target,) = (t for t in plan.targets if t.cell == table.cell("1332"))
    whole = plan.blow(target, [inside])
    table.state.fortress_fights = 1 << table.cell("1232")  # the level is lost already
    assert plan.sortie([inside]) == 0
    assert plan.blow(target, [inside]) == pytest.approx(whole + level)


@rule(GAME, "4.1.1")
def test_the_road_of_an_hq_is_worth_a_guard() -> None:
    units = {"hq-hollidt": "1333", "g-44": "1333", "g-71": "1232", "s-4-tk": "1530"}
    table = Table("axis-movement", units)
    plan = taught_of(table).plan_movement(table.state, AXIS)
    assert isinstance(plan, RoadsPlan)
    roads = next(term for term in plan.terms if term.name == "roads")
    road = line_net(table.game, table.state, AXIS)
    stack = plan.units.index(table.unit("g-71"))
    guarded = [c for c in plan.places(stack) if roads.shift(stack, c, 1, True, 0, []) > 0]
    assert guarded and all(road >> cell & 1 for cell in guarded)
    # Far from the enemy nobody is needed.
    calm = Table("axis-movement", units | {"s-4-tk": "2735"})
    plan = taught_of(calm).plan_movement(calm.state, AXIS)
    assert isinstance(plan, RoadsPlan)
    assert not sum(next(term for term in plan.terms if term.name == "roads").values)


@rule(GAME, "8.10.1")
def test_nobody_is_thought_to_leave_a_great_city_for_a_result_s() -> None:
    """At 3-1 a great city has no worse result than S, a step or a hex as the owner likes."""
    units = {
        "g-71": "1334",
        "g-79": "1334",
        "g-295": "1334",
        "g-44": "1530",
        "g-376": "1530",
        "g-384": "1530",
    }
    table = Table("soviet-combat", units | {"s-45": "1234"})
    view = taught_of(table).view(table.state, SOVIET)

    def cost(number: str, ground: float) -> float:
        cell = table.cell(number)
        return view.battle_at(table.state.at[cell], cell, 3, False, ground, 0.0)

    assert cost("1334", 100.0) == cost("1334", 10.0) > 0
    assert cost("1530", 100.0) > 50.0


@rule(GAME, "S2.17")
def test_markers_that_count_at_the_end_are_spared_after_the_first_blow() -> None:
    units = {"s-45": "1335", "g-71": "1334"}

    def spared(turn: int, count: int) -> float:
        held = {"stavka": ["s-artillery-2"] * min(count, 3) + ["s-katyusha"] * max(0, count - 3)}
        table = Table("soviet-supports", units, scenario="uranus", turn=turn, held=held)
        doctrine = taught_of(table)
        return Arms(doctrine).spared(doctrine.view(table.state, SOVIET))

    assert (spared(1, 3), spared(2, 3), spared(3, 6), spared(3, 7)) == (0.0, 1.0, 1.0, 0.0)


@rule(GAME, "S2.14")
def test_corps_are_drawn_past_the_city_and_infantry_to_it() -> None:
    units = {"g-71": "1334", "g-79": "1434", "s-1-tk": "1729"}
    infantry = ("s-45", "s-95", "s-138", "s-64", "s-99", "s-116", "s-226", "s-299", "s-343", "s-284")
    table = Table("soviet-movement", units, scenario="uranus")
    ring = each(taught_of(table).view(table.state, SOVIET).ring)
    assert 0 < len(ring) <= len(infantry)
    number = table.game.board.info
    units |= {unit: number[cell].number for unit, cell in zip(infantry, ring, strict=False)}
    table = Table("soviet-movement", units, scenario="uranus")  # nobody is needed in the ring
    view = taught_of(table).view(table.state, SOVIET)
    city, away = table.cell("1434"), table.cell("1125")
    assert view.goal(city) == view.numbers["siege"] < view.goal(city, mobile=True)
    assert view.goal(away, mobile=True) == 0


@rule(GAME, "S4.8")
def test_a_hex_on_the_way_to_a_city_is_worth_an_attack() -> None:
    units = {"gd-1": "2105", "s-180": "2106", "s-160": "2108", "s-340": "2405", "s-232": "2708"}
    table = Table("axis-movement", units, scenario="backhand", soviet_hexes=["2106", "2108", "2405", "2708"])
    view = taught_of(table).view(table.state, AXIS)
    near, far = view.prize(table.cell("2106")), view.prize(table.cell("2405"))
    assert near > far > view.numbers["hex"]


def taught_of(table: Table) -> RoadsDoctrine:
    doctrine = table.game.doctrine
    assert isinstance(doctrine, RoadsDoctrine)
    return doctrine


# Games


@pytest.mark.parametrize("scenario", ["wintergewitter", "gallop"])
def test_no_answer_of_the_simplest_player_is_refused(scenario: str) -> None:
    """Uranus and Backhand Blow are played for the other tests."""
    assert game_of(scenario, ("greedy", "greedy"), 1)[2] > 30


def test_the_same_seed_gives_the_same_game() -> None:
    first = game_of("wintergewitter", ("regular", "recruit"), 2)
    assert game_of.__wrapped__("wintergewitter", ("regular", "recruit"), 2)[1:] == first[1:]


def test_hidden_markers_change_no_answer() -> None:
    """5.1.3 Two positions that differ in the enemy's boxes and pool alone are planned alike."""
    game = real_game()
    for state in movements()[:3]:
        side = state.active
        other = state.clone()
        kinds = [k for k, s in enumerate(game.supports) if s.side != side and state.pool[k]]
        other.pool[kinds[0]], other.pool[kinds[-1]] = other.pool[kinds[-1]], other.pool[kinds[0]]
        answers = []
        for position in (state, other):
            player = seat("greedy", "peek")
            shown = game.imagine(position, side, Random("imagine"))
            answers.append(player.choose(game, shown, side))
        assert answers[0] == answers[1]


# What it says


def test_every_intent_speaks_both_languages() -> None:
    game = real_game()
    source = (GAME_FOLDER / "staff" / "plan.py").read_text(encoding="utf-8")
    codes = set(re.findall(r'Intent\(\s*"([a-z-]+)"', source))
    codes |= {"take-place", "attack", "cut-off", "hold-line", "cover", "fall-back", "advance"}
    assert codes == set(game.catalogue.codes("intents"))
    cell = game.board.cell("0518")
    for code in sorted(codes):
        intent = Intent(code, {"hex": cell, "number": 3, "units": (10, 11)})
        sentences = {game.declare(intent, language) for language in ("en", "fr")}
        assert len(sentences) == 2
        assert not any("{" in sentence for sentence in sentences)


def test_every_decision_has_a_judgement() -> None:
    """But those that are planned, and dice."""
    game = real_game()
    planned = {"pick-unit", "pick-exploiter", "move-units", "build-attack"}
    asked = {d.name for d in game.decisions() if not isinstance(d, ChanceDecision)}
    assert asked - planned == set(taught().answers) - planned
