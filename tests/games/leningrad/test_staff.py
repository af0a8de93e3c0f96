"""What planners are taught of Leningrad: sums that hold, ways that can be gone, good sense.

What things are worth is in doctrine.toml and may change: no test here depends on the numbers there, only on
their order where that is common sense (to live is better than to die).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest

from grognard.board.board import bits, each
from grognard.games.leningrad import Leningrad
from grognard.games.leningrad.advice import LeningradAdviser
from grognard.games.leningrad.rules.reach import full_hexes, within_reach
from grognard.games.leningrad.rules.results import safe_hexes
from grognard.games.leningrad.rules.supply import supplied_hexes
from grognard.games.leningrad.staff.doctrine import LeningradDoctrine
from grognard.games.leningrad.staff.outlook import Foe, Lore
from grognard.games.leningrad.staff.plan import LeningradPlan
from grognard.games.leningrad.state import DEAD, GERMAN, SOVIET, LeningradState, members
from grognard.kernel import Action, Match, Refusal
from grognard.kernel.advice import Forecast, Way
from grognard.kernel.doctrine import NEVER
from grognard.kernel.registry import load_game
from grognard.mechanics.control import zone
from grognard.players import seat
from grognard.staff.cuts import cut_off
from tests.games.leningrad.battles import announce, attack, road
from tests.games.leningrad.table import Table
from tests.rules import rule


@cache
def real_game() -> Leningrad:
    game = load_game("leningrad")
    assert isinstance(game, Leningrad)
    return game


@cache
def positions() -> tuple[LeningradState, ...]:
    """Every position of a whole game in which somebody may take up a unit, or choose what to attack."""
    game = real_game()
    state = game.start("campaign")
    game.settle(state, "staff")
    seats = [seat("recruit", f"staff/{side}") for side in game.sides]
    found: list[LeningradState] = []
    while (side := game.actor(state)) is not None:
        if state.frames[-1][:2] in (("movement", "pick"), ("combat", "target")):
            found.append(state.clone())
        action = seats[side].choose(game, state, side)
        assert game.refuse(state, action) is None
        game.apply(state, action)
        game.settle(state, "staff")
    return tuple(found)


def free(state: LeningradState) -> bool:
    """Whether a side does as it likes: surprised Soviets do not (17.1)."""
    return not real_game().soviets_surprised(state, state.active)


def movements() -> list[LeningradState]:
    return [state for state in positions() if state.frames[-1][0] == "movement" and free(state)]


def first_movements() -> list[LeningradState]:
    """One for each movement phase, when nobody has moved yet."""
    return list({(s.turn, s.active): s for s in reversed(movements())}.values())[::-1]


def combats() -> list[LeningradState]:
    return [state for state in positions() if state.frames[-1][0] == "combat" and free(state)]


def taught(game: Leningrad) -> LeningradDoctrine:
    assert isinstance(game.doctrine, LeningradDoctrine)
    return game.doctrine


def adviser(game: Leningrad) -> LeningradAdviser:
    assert isinstance(game.adviser, LeningradAdviser)
    return game.adviser


def lore() -> Lore:
    return taught(real_game()).lore


def plan_of(state: LeningradState) -> LeningradPlan:
    plan = taught(real_game()).plan_movement(state, state.active)
    assert plan is not None
    return plan


def combat(table: Table, side: int) -> LeningradPlan:
    return taught(table.game).plan_combat(table.state, side)


def picked(random: Random, things: Any) -> Any:
    return things[int(random.random() * len(things))]


# What an attack promises


Shares = tuple[float, ...]
"""How likely one, two, everything are: for the defender, then for the attacker."""


def hear(plan: LeningradPlan, cell: int, stacks: Iterable[int]) -> Shares:
    """The shares of an attack on a hex by these stacks and nobody else, from where they stand."""
    on = sorted(stacks)
    target = next(t for t in plan.targets if t.cell == cell)
    attack, shift = plan.odds(target, on)
    total = [0.0] * 6
    for column, chance in plan.columns(target, attack, shift):
        both = (*lore().shares[column, False], *lore().shares[column, True])
        total = [t + chance * share for t, share in zip(total, both, strict=True)]
    return tuple(total)


def shares_of(forecast: Forecast | Refusal) -> Shares:
    assert isinstance(forecast, Forecast)
    chances = dict.fromkeys(("1/", "2/", "E/", "/1", "/2", "/E"), 0.0)
    for result, chance in forecast.results:
        defender, attacker = result.split("/")
        for share in (f"{defender}/", f"/{attacker}"):
            if share in chances:
                chances[share] += chance
    return tuple(chances.values())


def test_the_shares_of_a_column_are_those_of_the_table() -> None:
    columns = real_game().data.crt.columns
    shares = {c: (*lore().shares[c, False], *lore().shares[c, True]) for c in columns}
    assert shares[0] == pytest.approx((2 / 6, 2 / 6, 0, 3 / 6, 3 / 6, 0))  # 1-1
    assert shares[2] == pytest.approx((4 / 6, 2 / 6, 0, 3 / 6, 1 / 6, 0))  # 3-1
    assert shares[-3] == pytest.approx((0, 0, 0, 0, 2 / 6, 4 / 6))  # 1-4
    assert shares[9] == pytest.approx((0, 1 / 6, 5 / 6, 0, 0, 0))  # 10-1


def test_the_shares_of_a_column_add_up() -> None:
    table = real_game().data.crt
    for column in table.columns:
        shares = (*lore().shares[column, False], *lore().shares[column, True])
        results = [table.result(column, die) for die in table.rows]
        hurt = sum(not result.startswith("-") for result in results)
        struck_back = sum(not result.endswith("-") for result in results)
        assert sum(shares[:3]) == pytest.approx(hurt / 6)
        assert sum(shares[3:]) == pytest.approx(struck_back / 6)


UNTRIED = {"1-inf": "1512", "11-inf": "1512", "10-rd": "1511", "28-td": "1511"}
KNOWN = {"28-td": "arm-4-3", "10-rd": "inf-2-3"}
WEAK = {"10-rd": "inf-1-1"}
PANZERS = {"1-pz": "1512", "6-pz": "1512", "36-mot": "1512", "10-rd": "1511"}
RED_ATTACK = {"10-rd": "1512", "28-td": "1512", "1-inf": "1511", "8-pz": "1511"}
TANKS = {"28-td": "arm-6-4", "2-td": "arm-5-3", "23-td": "arm-4-3"}
RED_ON_A_CORPS = {**dict.fromkeys(TANKS, "1512"), "1-pz": "1511", "6-pz": "1511", "36-mot": "1511"}


@pytest.mark.parametrize(
    ("phase", "units", "shifts", "more"),
    [
        ("german", UNTRIED, {"defender-armour"}, {}),
        ("german", {**UNTRIED, "90-rd": "1511"}, {"defender-armour"}, {}),
        ("german", UNTRIED, {"defender-armour"}, {"reduced": ["1-inf"], "strengths": KNOWN}),
        ("german", UNTRIED, {"defender-terrain", "defender-armour"}, {"terrain": {"1511": "marsh"}}),
        ("german", UNTRIED, {"defender-terrain", "fort"}, {"terrain": {"1511": "+town"}, "forts": ["1511"]}),
        ("german", UNTRIED, {"soviet-city"}, {"terrain": {"1511": "+soviet_city"}}),
        ("german", UNTRIED, {"river"}, {"sides": {"1511/1512": "river"}}),
        ("german", UNTRIED, {"attacker-unsupplied"}, {"supply_range": 5}),
        ("german", PANZERS, {"attacker-corps", "attacker-armour"}, {}),
        ("german", PANZERS, {"attacker-corps"}, {"terrain": {"1511": "+town"}}),
        (
            "german",
            {**PANZERS, "10-rd": "2604", "1-inf": "2605"},
            {"soviet-city", "attacker-air"},
            {"air": 1},
        ),
        ("soviet", RED_ATTACK, {"attacker-armour", "defender-armour"}, {"strengths": KNOWN}),
        ("soviet", RED_ATTACK, {"surprise"}, {"strengths": KNOWN}),
        ("soviet", RED_ATTACK, {"river"}, {"strengths": KNOWN, "sides": {"1511/1512": "river"}}),
        ("soviet", RED_ATTACK, {"attacker-unsupplied"}, {"strengths": KNOWN, "supply_range": 5}),
        ("soviet", RED_ON_A_CORPS, {"defender-corps", "defender-armour"}, {"strengths": TANKS}),
    ],
)
def test_an_attack_promises_what_the_odds_panel_says(
    phase: str, units: dict[str, str], shifts: set[str], more: dict[str, Any]
) -> None:
    """Known and untried defenders, and every shift: the same chances by two roads."""
    if "attacker-air" in shifts:
        units = {**units, "1-pz": "2505", "6-pz": "2505", "36-mot": "2505"}
    table = Table(f"{phase}-combat", units, **more)
    table.state.surprise = "surprise" in shifts
    side = GERMAN if phase == "german" else SOVIET
    plan = combat(table, side)
    cell = table.game.board.cell("2604" if "attacker-air" in shifts else "1511")
    fighters = tuple(u for stack in plan.stacks for u in stack)
    forecast = adviser(table.game).forecast(table.state, (cell,), fighters, {"air": table.state.air_ready})
    assert isinstance(forecast, Forecast)
    assert shifts <= {shift.code for shift in forecast.shifts}
    assert hear(plan, cell, range(len(plan.stacks))) == pytest.approx(shares_of(forecast))


def test_defenders_out_of_supply_are_seen_to_be() -> None:
    units = {"1-inf": "1512", "11-inf": "1510", "21-inf": "1410", "61-inf": "1611", "10-rd": "1511"}
    table = Table("german-combat", units, supply_range=3, sides=road(*[f"15{n:02}" for n in range(1, 14)]))
    cell = table.game.board.cell("1511")
    plan = combat(table, GERMAN)
    fighters = tuple(u for stack in plan.stacks for u in stack)
    forecast = adviser(table.game).forecast(table.state, (cell,), fighters, {})
    assert isinstance(forecast, Forecast)
    assert "defender-unsupplied" in {shift.code for shift in forecast.shifts}
    assert hear(plan, cell, range(len(plan.stacks))) == pytest.approx(shares_of(forecast))


def test_attacks_of_a_real_game_promise_what_the_odds_panel_says() -> None:
    """All but those of untried Soviets: of them a plan takes the mean."""
    game, random, seen = real_game(), Random("attacks"), 0
    for state in combats():
        side = state.active
        plan = taught(game).plan_combat(state, side)
        for cell in [target.cell for target in plan.targets]:
            near = [s for s in range(len(plan.stacks)) if game.contact[cell] >> plan.place(s) & 1]
            on = [s for s in near if random.random() < 0.6]
            units = tuple(u for s in on for u in plan.stacks[s])
            if not on or (side == SOVIET and not all(state.rating[u] for u in units)):
                continue
            air = state.air_ready if side == GERMAN and cell in game.leningrad else 0
            forecast = adviser(game).forecast(state, (cell,), units, {"air": air})
            assert hear(plan, cell, on) == pytest.approx(shares_of(forecast))
            seen += 1
    assert seen > 20


# What plans hold to be so


@rule("leningrad", "11.0", "11.3")
def test_who_would_be_in_supply_is_in_supply_when_he_stands_there() -> None:
    """Every hex that a unit might go to, in positions of a game: judged before he goes as the rules judge it
    when he has gone, his old hex given up. Also next to the enemy, where whoever comes opens his own hex."""
    game, random = real_game(), Random("supply")
    asked = beside_the_enemy = wrong = 0
    for state in first_movements()[::2]:
        side = state.active
        view = taught(game).view(state, side)
        units = [u for u in members(game.units_of[side]) if state.where[u] >= 0]
        for unit in random.sample(units, 6):
            near = game.board.within((state.where[unit],), 3)
            for cell in each(near & game.data.land & ~state.occupied[1 - side]):
                trial = state.clone()
                trial.place(unit, cell)
                asked += 1
                beside_the_enemy += view.zones >> cell & 1 and not state.occupied[side] >> cell & 1
                wrong += view.fed >> cell & 1 != supplied_hexes(game, trial, side) >> cell & 1
    assert asked > 1000
    assert beside_the_enemy > 100
    # Whoever goes may take the line with him that passed through his old hex.
    assert wrong / asked < 0.01


@rule("leningrad", "11.0", "11.3")
def test_whom_a_unit_would_cut_off_is_out_of_supply_when_it_stands_there() -> None:
    game, asked = real_game(), 0
    for state in first_movements():
        side = state.active
        ours, theirs = state.occupied[side], state.occupied[1 - side]
        before = supplied_hexes(game, state, 1 - side)
        unit = next(u for u in members(game.units_of[side]) if state.where[u] < 0 or state.steps[u])
        view = taught(game).view(state, side)
        for cell, prey in cut_off(view.lines, view.foes, ours, each(~ours & game.data.land)).items():
            if theirs >> cell & 1:
                continue
            trial = state.clone()
            trial.place(unit, cell)
            # The hex that it leaves may open a line: put somebody else there.
            if state.where[unit] >= 0 and not trial.occupied[side] >> state.where[unit] & 1:
                continue
            after = supplied_hexes(game, trial, 1 - side)
            assert prey == theirs & before & ~after
            asked += 1
    assert asked > 20


@rule("leningrad", "5.0", "10.7")
def test_zones_and_ways_back_are_those_of_the_rules() -> None:
    """When a plan is carried out: what it covers is what our units hold or have in their zones, and a target
    has as many ways back as are out of them."""
    game, targets, shut = real_game(), 0, 0
    for state in first_movements()[::2]:
        plan = plan_of(state)
        climb(plan)
        plan.worth()
        then = state.clone()
        for stack, units in enumerate(plan.stacks):
            for unit in units:
                if plan.place(stack) >= 0:
                    then.place(unit, plan.place(stack))
        covered = zone(game, then, state.active) | then.occupied[state.active]
        for cell in each(game.data.land):
            assert bool(plan.cover[cell]) == bool(covered >> cell & 1)
        for target in plan.targets:
            near = game.contact[target.cell] & ~covered & ~then.occupied[1 - state.active]
            assert target.exits == min(2, near.bit_count())
            targets += 1
            shut += not near
    assert targets > 60
    assert shut


# Ways


def ready(state: LeningradState) -> list[int]:
    game = real_game()
    return [u for u in members(game.units_of[state.active] & ~state.done) if state.where[u] >= 0]


def alone_in_a_zone(state: LeningradState, unit: int) -> bool:
    """6.3 It may not leave."""
    cell = state.where[unit]
    return bool(zone(real_game(), state, 1 - state.active) >> cell & 1) and state.height(cell) == 1


def plain_ways(state: LeningradState, unit: int) -> tuple[dict[int, Way], set[int]]:
    """What the adviser finds, and which of it by a way that no planner thinks of: 6.1 German mobile units may
    enter an enemy zone where a friend stands and leave it again."""
    game = real_game()
    ways = adviser(game).reach(state, (unit,))
    assert not isinstance(ways, Refusal)
    enemy_zone = zone(game, state, 1 - state.active)
    through = {goal for goal, way in ways.items() if any(enemy_zone >> c & 1 for c in way.cells[:-1])}
    assert not through or game.disengages_freely[unit]
    return ways, through


def found(state: LeningradState, unit: int) -> set[int]:
    full = full_hexes(real_game(), state, (unit,))
    return set(each(within_reach(real_game(), state, (unit,), full)))


def under_fire(state: LeningradState, random: Random) -> LeningradState:
    """The same position with two of the Soviet hexes, or one of them twice, under interdiction (13.3)."""
    shot = state.clone()
    hexes = list(each(state.occupied[SOVIET]))
    shot.interdicted = (picked(random, hexes), picked(random, hexes[:3]))
    return shot


def looked_at(random: Random) -> Iterator[tuple[LeningradState, int]]:
    """Units about to move, some of them where movement is dear."""
    for state in movements()[::2]:
        shot = under_fire(state, random) if state.active == SOVIET else state
        for position in (state, shot):
            able = ready(state)
            for unit in {picked(random, able) for _ in range(2)} if able else ():
                yield position, unit
        for unit in ready(shot):
            if state.active == SOVIET and shot.where[unit] in shot.interdicted:
                yield shot, unit


def test_the_staff_finds_the_ways_that_the_adviser_finds() -> None:
    random, lone = Random("reach"), 0
    for state, unit in looked_at(random):
        ways, through = plain_ways(state, unit)
        if alone_in_a_zone(state, unit):
            assert not ways
            lone += 1
            continue
        assert set(ways) - through <= found(state, unit) <= set(ways)
    assert lone


def test_a_march_is_a_cheapest_way_and_every_step_of_it_legal() -> None:
    game, random, farthest = real_game(), Random("march"), 0
    for state, unit in looked_at(random):
        ways, through = plain_ways(state, unit)
        here, reach = state.where[unit], found(state, unit) & set(ways)
        for cell in [picked(random, sorted(reach)) for _ in range(3)] if reach else ():
            trial = follow(game, state, taught(game).march(state, (unit,), cell))
            assert trial.where[unit] == cell
            assert trial.left[unit] == ways[cell].points_left or cell in through
            farthest = max(farthest, len(ways[cell].cells))
        for cell in (picked(random, list(each(game.data.land))), *each(game.contact[here])):
            if cell != here and cell not in ways:
                assert taught(game).march(state, (unit,), cell) is None
    assert farthest > 3


def follow(game: Leningrad, state: LeningradState, script: Iterable[Action] | None) -> LeningradState:
    """The position at the end of a script, every answer of which has been found legal."""
    assert script is not None
    trial = state.clone()
    for action in script:
        if action == ("halt",) and trial.frames[-1][0] != "move":
            break  # it has been set down already
        assert game.refuse(trial, action) is None, action
        game.apply(trial, action)
    return trial


def test_a_unit_in_hand_is_led_on_with_what_it_has_left() -> None:
    game, random, went_on = real_game(), Random("hand"), 0
    for state in movements()[::8]:
        if not (able := ready(state)):
            continue
        unit = picked(random, able)
        ways, _ = plain_ways(state, unit)
        for way in [way for way in ways.values() if len(way.cells) == 2][:2]:
            trial = follow(game, state, (("pick", unit), ("step", way.cells[0])))
            if trial.frames[-1][0] != "move":
                continue
            onward, through = plain_ways(trial, unit)
            if not alone_in_a_zone(trial, unit):
                assert set(onward) - through <= found(trial, unit) <= set(onward)
            for goal in sorted(found(trial, unit) & set(onward))[:3]:
                end = follow(game, trial, taught(game).march(trial, (unit,), goal))
                assert end.where[unit] == goal
                went_on += 1
    assert went_on > 10


def test_a_corps_marches_as_one() -> None:
    table = Table("german-movement", PANZERS)
    corps = tuple(table.game.unit_index(u) for u in ("1-pz", "6-pz", "36-mot"))
    assert taught(table.game).march(table.state, corps, table.game.board.cell("1809")) is None  # in contact
    table = Table("german-movement", {**PANZERS, "10-rd": "2002"})
    goal = table.game.board.cell("1809")
    end = follow(table.game, table.state, taught(table.game).march(table.state, corps, goal))
    assert {end.where[u] for u in corps} == {goal}
    assert end.done & bits(corps) == bits(corps)


def test_whose_goal_is_full_waits_until_there_is_room() -> None:
    crowd = {"1-inf": "1510", "11-inf": "1511", "21-inf": "1511", "61-inf": "1511", "10-rd": "2002"}
    table = Table("german-movement", crowd)
    unit, goal = table.game.unit_index("1-inf"), table.game.board.cell("1511")
    assert taught(table.game).march(table.state, (unit,), goal) is None
    table.do("pick 11-inf", "step 1512", "halt")
    assert (
        follow(table.game, table.state, taught(table.game).march(table.state, (unit,), goal)).where[unit]
        == goal
    )


def test_whoever_holds_a_hex_alone_waits_to_be_relieved() -> None:
    """6.3 Somebody stays in an enemy zone."""
    table = Table("german-movement", {"1-inf": "1512", "11-inf": "1513", "10-rd": "1511"})
    unit, goal = table.game.unit_index("1-inf"), table.game.board.cell("1413")
    assert taught(table.game).march(table.state, (unit,), goal) is None
    table.do("pick 11-inf", "step 1512", "halt")
    script = taught(table.game).march(table.state, (unit,), goal)
    assert follow(table.game, table.state, script).where[unit] == goal


def test_reinforcements_come_on() -> None:
    table = Table("german-movement", {"10-rd": "2002"}, turn=2, to_come=["58-inf"])
    plan = taught(table.game).plan_movement(table.state, GERMAN)
    assert plan is not None
    assert plan.places(0)[0] == -1
    for cell in plan.places(0)[1:]:
        script = taught(table.game).march(table.state, plan.stacks[0], cell)
        assert script is not None
        assert script[0] == ("enter", plan.stacks[0][0], cell)
        assert follow(table.game, table.state, script).where[plan.stacks[0][0]] == cell


# The planning table


def shuffled(plan: LeningradPlan, random: Random, moves: int) -> Iterator[tuple[int, int, float]]:
    """Put stacks here and there, half of them where they do best: (stack, hex, what it was said to gain)."""
    for _ in range(moves):
        stack = int(random.random() * len(plan.stacks))
        places = plan.places(stack)
        cell = picked(random, places)
        if random.random() < 0.5:
            cell = max(places, key=lambda c: plan.gain(stack, c))
        gain = plan.gain(stack, cell)
        if gain > NEVER:
            plan.put(stack, cell)
            assert plan.place(stack) == cell
            yield stack, cell, gain


def test_a_look_changes_nothing() -> None:
    random = Random("looks")
    for state in first_movements():
        plan = plan_of(state)
        list(shuffled(plan, random, 20))
        before, saved = plan.worth(), plan.save()
        for stack in range(len(plan.stacks)):
            plan.gain(stack, picked(random, plan.places(stack)))
        plan.concentrations()
        plan.intent()
        assert plan.worth() == before
        assert plan.save() == saved


def test_what_is_remembered_of_places_is_what_a_fresh_look_says() -> None:
    random, better = Random("memory"), 0
    for state in first_movements()[::6]:
        plan = plan_of(state)
        for number, _ in enumerate(shuffled(plan, random, 24)):
            asked = [int(random.random() * len(plan.stacks)) for _ in range(6)]
            said = [(plan.best(s), plan.best(s)) for s in asked]
            if number % 4:
                continue
            fresh = plan_of(state)
            fresh.restore(plan.save())
            for stack, (once, again) in zip(asked, said, strict=True):
                gains = [fresh.gain(stack, cell) for cell in fresh.places(stack)]
                assert once == again
                assert once[0] == pytest.approx(max(gains) if max(gains) > 1e-6 else 0.0, abs=1e-9)
                assert not once[0] or fresh.gain(stack, once[1]) == pytest.approx(once[0], abs=1e-9)
                better += once[0] > 0
    assert better > 10


def test_a_gain_is_the_difference_of_two_worths() -> None:
    """Without exception, and the sum that is kept is the sum worked out from nothing."""
    random = Random("gains")
    looks = [0, 0]
    for state in first_movements():
        plan = plan_of(state)
        before = plan.worth()
        assert before == pytest.approx(plan.afresh(), abs=1e-6)
        for _, _, gain in shuffled(plan, random, 60):
            after = plan.worth()
            assert after - before == pytest.approx(gain, abs=1e-9)
            assert after == pytest.approx(plan.afresh(), abs=1e-6)
            looks[state.active] += 1
            before = after
    assert min(looks) > 300


def test_a_plan_is_worth_the_same_however_it_came_about() -> None:
    """What is kept in step with every move equals what is worked out afresh."""
    random = Random("afresh")
    for state in first_movements()[::2]:
        plan = plan_of(state)
        list(shuffled(plan, random, 60))
        other = plan_of(state)
        other.restore(plan.save())
        assert other.worth() == pytest.approx(plan.worth(), abs=1e-6)


def test_a_plan_can_be_put_back_as_it_was() -> None:
    random = Random("back")
    for state in first_movements()[::2]:
        plan = plan_of(state)
        list(shuffled(plan, random, 20))
        before, saved = plan.worth(), plan.save()
        list(shuffled(plan, random, 20))
        assert plan.save() != saved
        plan.restore(saved)
        assert plan.worth() == pytest.approx(before, abs=1e-6)
        assert plan.save() == saved


def test_no_plan_is_against_the_rules() -> None:
    """4.6 No hex is filled beyond its limit; 6.3 somebody stays where an enemy zone is."""
    game, random, held = real_game(), Random("rules"), 0
    for state in first_movements():
        plan = plan_of(state)
        enemy_zone = zone(game, state, 1 - state.active)
        for _ in shuffled(plan, random, 40):
            pass
        height: dict[int, int] = {}
        stayed: dict[int, int] = {}
        moving = 0
        for stack, units in enumerate(plan.stacks):
            moving |= bits(units)
            cell = plan.place(stack)
            height[cell] = height.get(cell, 0) + len(units)
            if cell == plan.places(stack)[0]:
                stayed[cell] = stayed.get(cell, 0) + len(units)
        for cell, units_there in height.items():
            still = (state.at.get(cell, 0) & ~moving).bit_count() if cell >= 0 else 0
            # Where too many stand at the start (turn 1), nobody is added to them.
            assert cell < 0 or units_there + still <= max(game.stacking, state.height(cell))
        for cell in each(state.occupied[state.active] & enemy_zone):
            assert stayed.get(cell, 0) or state.at[cell] & ~moving
            held += 1
    assert held > 10


def test_what_a_plan_for_crowded_hexes_says_can_be_done_now() -> None:
    """Every place of a plan for hexes as full as they are is a march away."""
    game, random = real_game(), Random("carried")
    for state in first_movements()[::2]:
        plan = taught(game).plan_movement(state, state.active, crowded=True)
        assert plan is not None
        for stack in range(0, len(plan.stacks), 3):
            (unit,) = plan.stacks[stack]
            cell = picked(random, plan.places(stack))
            if cell == plan.places(stack)[0] or state.where[unit] < 0 or alone_in_a_zone(state, unit):
                continue
            assert follow(game, state, taught(game).march(state, (unit,), cell)).where[unit] == cell


# Good sense


def climb(plan: LeningradPlan) -> dict[int, int]:
    """Where everybody is put when each stack in turn takes the place where it does best."""
    for _ in range(4):
        for stack in range(len(plan.stacks)):
            best = max(plan.places(stack), key=lambda cell: plan.gain(stack, cell))
            if plan.gain(stack, best) > 1e-6:
                plan.put(stack, best)
    return {unit: plan.place(stack) for stack, units in enumerate(plan.stacks) for unit in units}


def minded(game: Leningrad, **numbers: Any) -> LeningradDoctrine:
    """The doctrine with other numbers for what the Germans plan by."""
    changed = deepcopy(taught(game).numbers)
    changed["plan"]["german"] |= numbers
    return LeningradDoctrine(game, changed)


def play(table: Table, player: str = "commander", until: str = "combat") -> list[Action]:
    """The answers of the side to move, up to a phase; the other side gives the first that comes to mind."""
    game, state = table.game, table.state
    side, one = state.active, seat(player, "sense")
    answers: list[Action] = []
    while not table.turn_phase.endswith(until) and state.active == side:
        if game.actor(state) == side:
            answers.append(one.choose(game, state, side))
            assert game.refuse(state, answers[-1]) is None
            game.apply(state, answers[-1])
        else:
            game.apply(state, game.options(state)[0])
        game.settle(state, "sense")
    return answers


def test_a_stack_that_can_be_surrounded_is_attacked_rather_than_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """10.7 Weak divisions in the open, strong ones about them, and nothing that calls those elsewhere: they
    come from several sides, so that the weak have nowhere to fall back to."""
    prey = dict.fromkeys(("10-rd", "90-rd", "125-rd"), "1511")
    hunters = {"1-inf": "1513", "11-inf": "1413", "21-inf": "1613", "61-inf": "1713", "1-pz": "1313"}
    table = Table("german-movement", {**hunters, **prey}, strengths=dict.fromkeys(prey, "inf-1-1"))
    game = table.game
    nothing = dict.fromkeys(("armour", "mechanised", "infantry"), 0.0)
    at_leisure = {"goal": nothing, "alert": nothing}
    monkeypatch.setattr(game, "doctrine", minded(game, **at_leisure))
    play(table)
    state = table.clone()
    answers = play(table, until="interdiction")
    assert ("target", game.board.cell("1511")) in answers
    origins = tuple({state.where[answer[1]] for answer in answers if answer[0] == "join"})
    assert not safe_hexes(game, state, game.unit_index("10-rd"), origins, 1)


def test_the_enemy_s_reply_is_imagined_when_our_attacks_have_been_made() -> None:
    """Whoever will most likely be driven out is not thought to strike from where he stood; whoever is not
    attacked stays."""
    units = {**PANZERS, "90-rd": "1807", "1-inf": "1513", "11-inf": "1513"}
    table = Table("german-movement", units, strengths={**WEAK, "90-rd": "inf-3-3"})
    game, doctrine = table.game, taught(table.game)
    plan = doctrine.plan_movement(table.state, GERMAN)
    assert plan is not None
    struck, other = game.board.cell("1511"), game.board.cell("1807")
    assert struck in plan.blows()
    (target,) = (t for _, t in plan.attacks() if t.cell == struck)
    assert plan.clears(target) > 0.9
    reply = doctrine.reply(table.state, GERMAN, plan)
    assert reply is not None
    starts = {unit: reply.places(stack)[0] for stack, units in enumerate(reply.stacks) for unit in units}
    assert starts.get(game.unit_index("10-rd")) != struck
    assert starts[game.unit_index("90-rd")] == other
    assert table.where("10-rd") == "1511", "the position itself is left alone"


def test_the_same_strength_promises_more_from_two_sides_than_from_one() -> None:
    promises = []
    for second in ("1512", "1510"):
        units = {"1-inf": "1512", "11-inf": second, "10-rd": "1511"}
        table = Table("german-combat", units, strengths=KNOWN)
        plan = combat(table, GERMAN)
        (target,) = plan.targets
        promises.append(plan.blow(target, (0, 1)))
    assert promises[0] < promises[1]


def test_the_strong_attack_is_made_and_the_hopeless_one_is_not() -> None:
    table = Table("german-combat", PANZERS, strengths=KNOWN)
    plan = taught(table.game).plan_attack(table.state, GERMAN)
    assert plan is not None
    assert plan.actions[0] == ("target", table.game.board.cell("1511"))
    follow(table.game, table.state, plan.actions)
    table = Table("soviet-combat", PANZERS, strengths=KNOWN)
    assert taught(table.game).plan_attack(table.state, SOVIET) is None


def test_nobody_is_attacked_twice() -> None:
    """8.2 Who has been attacked is no target any more, however tempting."""
    table = Table("german-combat", {**PANZERS, "1-inf": "1510", "11-inf": "1510"}, strengths=KNOWN)
    cell = table.game.board.cell("1511")
    table.state.attacked |= table.state.at[cell]
    assert taught(table.game).plan_attack(table.state, GERMAN) is None
    assert not combat(table, GERMAN).targets


def test_every_attack_planned_in_a_real_game_can_be_made() -> None:
    game, made = real_game(), 0
    for state in combats():
        plan = taught(game).plan_attack(state, state.active)
        if plan is not None:
            follow(game, state, plan.actions)
            made += 1
    assert made > 10


def test_every_overrun_planned_in_a_real_game_can_be_made() -> None:
    """Also the foolish ones, of a doctrine that likes to overrun whatever it may gain."""
    game, made = real_game(), 0
    rash = minded(game, overrun=-1000.0)
    for state in first_movements():
        plan = rash.strike(state, state.active)
        if plan is not None:
            assert plan.actions[-1][0] == "overrun"
            follow(game, state, plan.actions)
            made += 1
    assert made


def test_no_german_is_left_in_a_crowd_on_the_first_turn() -> None:
    """4.6 The Soviet player destroys what is too many in East Prussia: everybody finds a place."""
    table = Table("german-movement", {"1-inf": "0111"}, game=real_game())
    table.state = table.game.start("campaign")
    table.game.settle(table.state, "crowd")
    assert any(table.state.height(cell) > table.game.stacking for cell in table.state.at)
    play(table)
    assert table.turn_phase == "german-combat"
    assert all(table.state.height(cell) <= table.game.stacking for cell in table.state.at)
    assert DEAD not in table.state.where[: table.game.germans]


@pytest.mark.parametrize("seed", ["one", "other"])
def test_the_surprised_do_not_march_to_and_fro(seed: str) -> None:
    """17.2 They go straight to where they may halt: no hex is entered twice by one unit, and none of them is
    led by trial and error."""
    game = real_game()
    state = game.start("campaign")
    game.settle(state, seed)
    seats = [seat("commander", f"{seed}/{side}") for side in game.sides]
    been: dict[int, set[int]] = {}
    while game.turn(state) == 1 and (side := game.actor(state)) is not None:
        action = seats[side].choose(game, state, side)
        assert game.refuse(state, action) is None
        if side == SOVIET and action[0] == "step":
            hand = game.hand(state)
            assert hand is not None
            for unit in hand.units:
                seen = been.setdefault(unit, {state.where[unit]})
                assert action[1] not in seen
                seen.add(action[1])
        game.apply(state, action)
        game.settle(state, seed)
    assert len(been) > 10


def moved(state: LeningradState, level: str, seed: str) -> tuple[int, ...]:
    """Where everybody stands when the side to move has moved; nobody has gone to and fro."""
    game, state, side = real_game(), state.clone(), state.active
    player, been = seat(level, seed), dict[int, set[int]]()
    while str(game.phase(state).id).endswith("movement"):
        if game.actor(state) != side:
            action = game.options(state)[0]
        else:
            action = player.choose(game, state, side)
            hand = game.hand(state)
            for unit in hand.units if action[0] == "step" and hand is not None else ():
                seen = been.setdefault(unit, {state.where[unit]})
                assert action[1] not in seen
                seen.add(action[1])
        game.apply(state, action)
        game.settle(state, "variety")
    return tuple(state.where)


@pytest.mark.parametrize("number", [7, 10], ids=["german", "soviet"])
def test_another_seed_makes_another_plan_and_so_does_another_level(number: int) -> None:
    state = first_movements()[number]
    ways = [("recruit", "a"), ("recruit", "b"), ("regular", "a"), ("regular", "b")]
    assert len({moved(state, level, seed) for level, seed in ways}) == 4


def test_one_too_many_has_more_reason_to_go() -> None:
    gains = []
    for crowd in (("1-inf", "11-inf", "21-inf"), ("1-inf", "11-inf", "21-inf", "61-inf")):
        table = Table("german-movement", {**dict.fromkeys(crowd, "0511"), "10-rd": "2705"}, turn=1)
        plan = taught(table.game).plan_movement(table.state, GERMAN)
        assert plan is not None
        gains.append(plan.gain(0, table.game.board.cell("0411")))
    assert gains[1] > gains[0] + 1e-6


# 2110 is attacked from 2111, to its south. It falls back to 2109, 2009 or 2209, and farther to one of these.
BEYOND = {"2109": {"2108", "2008", "2208"}, "2009": {"2008", "1909"}, "2209": {"2208", "2309"}}
SHORE = set().union(*BEYOND.values())


def struck(result: str, lake: Iterable[str] = (), **more: Any) -> Table:
    units = {"10-rd": "2111", "1-inf": "2110", **more.pop("units", {})}
    terrain = dict.fromkeys(lake, "lake")
    return attack(
        Table("soviet-combat", units, strengths=KNOWN, terrain=terrain, **more), "2110", "10-rd", result
    )


def test_nobody_falls_back_to_where_he_would_be_trapped_if_a_step_is_cheaper() -> None:
    """10.7 Two hexes back, and the second one is a lake: the stack loses its steps and lives."""
    table = struck("2/-", SHORE, units={"11-inf": "2110"})
    assert "retreat" in table.options
    answer = taught(table.game).weigh(table.state, GERMAN)
    assert answer is not None
    assert answer[0] == "lose"


def test_who_would_lose_his_last_step_falls_back() -> None:
    table = struck("1/-", reduced=["1-inf"])
    assert taught(table.game).weigh(table.state, GERMAN) == ("retreat",)


@pytest.mark.parametrize(("first", "second"), [("2109", "2108"), ("2009", "1909"), ("2209", "2309")])
def test_who_can_fall_back_as_far_as_he_must_does_so_rather_than_die(first: str, second: str) -> None:
    table = struck("2/-", SHORE - {second}, reduced=["1-inf"])
    assert taught(table.game).weigh(table.state, GERMAN) == ("retreat",), "there is one way out"
    table.do("retreat", f"fall-back 1-inf {first}", f"fall-back 1-inf {second}")
    assert table.where("1-inf") == second


def test_aircraft_go_where_they_change_most() -> None:
    """13.1 The corps against one weak division is at the end of the table already; the infantry is not."""
    units = {**PANZERS, **dict.fromkeys(("1-inf", "11-inf", "21-inf"), "0513"), "90-rd": "0512"}
    strengths = {**WEAK, "90-rd": "inf-3-3"}
    for hex_, fighters, number in (("1511", "1-pz 6-pz 36-mot", 0), ("0512", "1-inf 11-inf 21-inf", 2)):
        table = announce(Table("german-combat", units, strengths=strengths, air=2), hex_, fighters)
        assert table.asked == "commit-air"
        assert taught(table.game).weigh(table.state, GERMAN) == ("commit", number)


def test_a_garrison_does_not_walk_out_of_leningrad_for_nothing() -> None:
    table = Table("soviet-movement", {"10-rd": "2604", "1-pz": "2305", "6-pz": "2305", "36-mot": "2305"})
    plan = taught(table.game).plan_movement(table.state, SOVIET)
    assert plan is not None
    assert climb(plan)[table.game.unit_index("10-rd")] in table.game.leningrad


def open_city() -> tuple[Table, LeningradPlan]:
    """Two panzer corps could be in Leningrad on their next turn; two divisions stand behind it."""
    germans = dict.fromkeys(("1-pz", "6-pz", "36-mot"), "2307") | dict.fromkeys(("8-pz", "3-mot"), "2208")
    table = Table("soviet-movement", {**germans, "10-rd": "2704", "90-rd": "2704"})
    plan = taught(table.game).plan_movement(table.state, SOVIET)
    assert plan is not None
    return table, plan


def test_leningrad_is_not_left_open_however_many_could_storm_it() -> None:
    """Whoever holds a hex must be attacked: into an empty one the enemy walks."""
    table, plan = open_city()
    went = climb(plan)
    found = {went[table.game.unit_index(name)] for name in ("10-rd", "90-rd")}
    assert found == set(table.game.victory(table.state).objectives)


def test_a_beginner_expects_to_be_stormed() -> None:
    _, plan = open_city()
    _, yielding = open_city()
    yielding.simplify()
    heart = plan.game.victory(plan.state).objectives
    for cell in heart:
        assert yielding.gain(0, cell) < plan.gain(0, cell)
    for stack, cell in zip((0, 1), heart, strict=True):
        before, gain = yielding.worth(), yielding.gain(stack, cell)
        yielding.put(stack, cell)
        assert yielding.worth() == pytest.approx(before + gain)
    assert yielding.worth() == pytest.approx(yielding.afresh())


def test_a_beginner_fears_more_and_who_looks_ahead_no_more_than_he_foresees() -> None:
    """Two divisions on open ground that two panzer corps reach: nothing else makes a difference there."""
    _, plan = open_city()
    risks = []
    for see in (lambda plan: plan.simplify(), lambda plan: None, lambda plan: plan.look_ahead()):
        _, plan = open_city()
        see(plan)
        cell = next(c for c in plan.places(0) if plan.view.danger(c) and c not in plan.view.important)
        risks.append(plan.hold(cell, plan.masks[0]))
        gain, before = plan.gain(0, cell), plan.worth()
        plan.put(0, cell)
        assert plan.worth() == pytest.approx(before + gain)
        assert plan.worth() == pytest.approx(plan.afresh())
    assert risks[0] < risks[1] < risks[2] == 0


def worth_at(plan: LeningradPlan, unit: str, cell: str) -> float:
    """What a plan is worth with one more unit on a hex, what stands there apart."""
    stack, where = plan.stacks.index((plan.game.unit_index(unit),)), plan.game.board.cell(cell)
    gain = plan.gain(stack, where)
    return gain - plan.stand(stack, where) - plan.hold(where, plan.masks[stack])


def german_plan(units: Mapping[str, str], **how: Any) -> LeningradPlan:
    table = Table("german-movement", units, **how)
    plan = taught(table.game).plan_movement(table.state, GERMAN)
    assert plan is not None
    return plan


STRAY = {"1-inf": "1012", "58-inf": "1212", "11-inf": "2008", "21-inf": "2008", "61-inf": "2008"}


@rule("leningrad", "11.3")
def test_an_enemy_left_behind_is_watched_by_one_and_supply_is_guarded_where_it_comes_from() -> None:
    """One division behind the army can close its only road: somebody stays near, somebody at the source."""
    plan = german_plan({**STRAY, "10-rd": "0812"})
    far, near, closer = (worth_at(plan, "58-inf", cell) for cell in ("1412", "1013", "0912"))
    assert near == far < closer  # 1-inf watches already, from two hexes away
    plan.put(plan.stacks.index((plan.game.unit_index("1-inf"),)), plan.game.board.cell("1412"))
    assert worth_at(plan, "58-inf", "1013") > worth_at(plan, "58-inf", "1412")
    assert plan.worth() == pytest.approx(plan.afresh())
    ahead = german_plan({**STRAY, "10-rd": "2205"})
    assert ahead.parts()["watch"] == 0.0


def test_a_division_stays_at_the_source_while_there_is_an_enemy_in_the_rear() -> None:
    units = {**STRAY, "ss-polizei": "0112"}
    base = taught(Table("german-movement", units).game).numbers["plan"]["german"]["base"]
    assert german_plan({**units, "10-rd": "0812"}).parts()["watch"] > base
    assert german_plan({**units, "10-rd": "2205"}).parts()["watch"] == 0.0
    plan = german_plan({**units, "10-rd": "0812"})
    before = plan.parts()["watch"]
    plan.put(plan.stacks.index((plan.game.unit_index("ss-polizei"),)), plan.game.board.cell("0312"))
    assert plan.parts()["watch"] == pytest.approx(before - base)


@rule("leningrad", "18.2", "11.3")
@rule("leningrad", "18.1", "18.3")
def test_who_has_lost_the_campaign_as_it_stands_has_nothing_to_lose() -> None:
    """Tanks are points for the enemy; without a hex of the city the Germans have lost, with them or not."""
    armour = dict.fromkeys(("1-pz", "6-pz", "36-mot"), "2307") | dict.fromkeys(("8-pz", "3-mot"), "2208")
    armour |= dict.fromkeys(("ss-totenkopf", "12-pz", "20-mot"), "2108")
    outside = {**armour, "1-inf": "2207", "10-rd": "2705"}
    inside = {**armour, "1-inf": "2705", "10-rd": "2901"}

    def tank(units: Mapping[str, str], turn: int) -> float:
        table = Table("german-movement", units, turn=turn)
        return float(taught(table.game).view(table.state, GERMAN).worth([table.game.unit_index("1-pz")]))

    assert tank(outside, 3) > tank(outside, 11) > tank(outside, 12)
    assert tank(inside, 12) > 4 * tank(outside, 12)


def test_defenders_of_the_city_are_worth_attacking_step_by_step() -> None:
    """A full stack is never cleared at once: each division gone counts towards the fall of its hex."""
    units = {"1-inf": "2506", "10-rd": "2605", "90-rd": "2606"}
    table = Table("german-movement", units, turn=10)
    view = taught(table.game).view(table.state, GERMAN)
    city, outside = (Foe(view, table.game.board.cell(cell)) for cell in ("2605", "2606"))
    assert city.force.losses[1] > outside.force.losses[1]


@pytest.mark.parametrize("level", ["greedy", "recruit", "regular"])
@pytest.mark.parametrize("seed", ["1", "2"])
def test_nobody_is_left_where_there_is_no_room(level: str, seed: str) -> None:
    """4.6: on turn 1 stacks begin over the limit, and who makes room for whom shows only as they march."""
    game = real_game()
    match = Match(game, "campaign", seed=seed)
    player = seat(level, seed)
    while game.phase(match.state).id == "german-movement":
        match.act(0, player.choose(game, match.state, 0))
    assert "excess-destroyed" not in {event.kind for event in match.log}
