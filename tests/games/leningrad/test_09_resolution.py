"""9.0 Resolving battles: odds, shifts and the die.

Most battles here are fought round 1511. Its neighbours, from the north and anticlockwise, are 1510, 1410,
1411, 1512, 1611 and 1610.
"""

from __future__ import annotations

from typing import Any

import pytest

from grognard.board.board import each
from grognard.games.leningrad import load
from grognard.kernel import ChanceDecision
from tests.games.leningrad.battles import announce, final_odds, give, initial_odds, net_shift
from tests.games.leningrad.table import Table
from tests.rules import rule

AGAINST_1511 = {"1-inf": "1512", "11-inf": "1512", "10-rd": "1511"}


# 9.0


@rule("leningrad", "9.0")
def test_the_attackers_total_is_divided_by_the_total_of_all_defenders() -> None:
    table = Table(
        "german-combat",
        {**AGAINST_1511, "21-inf": "1411", "90-rd": "1511"},
        strengths={"10-rd": "inf-2-3", "90-rd": "inf-1-2"},
    )
    announce(table, "1511", "1-inf 11-inf 21-inf")
    assert (table.odds().attack, table.odds().defence) == (12, 5)
    assert initial_odds(table) == "2-1"


@rule("leningrad", "9.0")
def test_the_defenders_of_all_attacked_hexes_are_added_up() -> None:
    table = Table(
        "german-combat",
        {**AGAINST_1511, "90-rd": "1611"},
        strengths={"10-rd": "inf-2-3", "90-rd": "inf-3-4"},
    )
    assert announce(table, "1511 1611", "1-inf").odds().defence == 3 + 4


@rule("leningrad", "9.0")
def test_a_soviet_attack_compares_attack_strength_with_german_combat_strength() -> None:
    table = Table(
        "soviet-combat",
        {"1-inf": "1512", "11-inf": "1512", "10-rd": "1511", "90-rd": "1511"},
        reduced=["11-inf"],
        strengths={"10-rd": "inf-3-4", "90-rd": "inf-4-5"},
    )
    announce(table, "1512", "10-rd 90-rd")
    assert (table.odds().attack, table.odds().defence) == (7, 4 + 2)


@rule("leningrad", "9.0")
def test_one_die_with_six_equal_faces_decides() -> None:
    table = announce(
        Table("german-combat", AGAINST_1511, strengths={"10-rd": "inf-2-3"}), "1511", "1-inf 11-inf"
    )
    decision = table.game.decision(table.state)
    assert isinstance(decision, ChanceDecision)
    assert table.actor == "chance"
    assert decision.weights(table.game, table.state) == [(("roll", n), 1) for n in range(1, 7)]


@rule("leningrad", "9.0")
def test_a_result_is_applied_before_the_next_attack() -> None:
    table = Table(
        "german-combat",
        {**AGAINST_1511, "61-inf": "0809", "90-rd": "0808"},
        strengths={"10-rd": "inf-2-3", "90-rd": "inf-2-3"},
    )
    give(announce(table, "1511", "1-inf 11-inf"), "1/-")
    assert table.asked == "lose-or-retreat"
    assert table.refused("target 0808")[0] == "not-now"
    table.do("lose 10-rd", "hold")
    assert table.offered("target") == {"0808"}


@rule("leningrad", "9.0")
def test_the_player_ends_his_combat_phase_when_he_likes() -> None:
    table = Table("german-combat", AGAINST_1511)
    table.do("end")
    assert table.turn_phase != "german-combat"


@rule("leningrad", "9.0")
def test_ruling_an_attack_of_strength_zero_is_fought_on_the_lowest_column_whatever_the_shifts() -> None:
    table = Table(
        "soviet-combat",
        {"1-inf": "1512", "10-rd": "1511"},
        strengths={"10-rd": "inf-0-1"},
        supply_range=0,
    )
    announce(table, "1512", "10-rd")
    table.state.surprise = True
    assert net_shift(table) == 4
    assert (initial_odds(table), final_odds(table)) == ("1-4", "1-4")
    assert table.events("odds")[-1]["odds_final"] == -3


@rule("leningrad", "9.0")
def test_ruling_a_defence_of_strength_zero_is_fought_on_the_highest_column(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table("german-combat", AGAINST_1511, strengths={"10-rd": "inf-0-1"}, terrain={"1511": "marsh"})
    data = table.game.data
    helpless = [line._replace(defence=0) if line.id == "inf-0-1" else line for line in data.untried]
    monkeypatch.setattr(data, "untried", helpless)
    announce(table, "1511", "1-inf 11-inf")
    assert net_shift(table) == -1
    assert (initial_odds(table), final_odds(table)) == ("10-1", "10-1")


# 9.1


@rule("leningrad", "9.1")
def test_an_attack_without_attackers_is_refused() -> None:
    table = Table("german-combat", AGAINST_1511).do("target 1511")
    assert table.refused("fight") == ("no-attackers", "9.1")
    assert "fight" not in table.options
    table.do("join 1-inf")
    assert table.refusal("fight") is None


@rule("leningrad", "9.1")
def test_only_units_announced_take_part() -> None:
    table = Table("german-combat", AGAINST_1511, strengths={"10-rd": "inf-2-3"})
    announce(table, "1511", "11-inf")
    assert table.odds().attack == 4
    give(table, "-/E")
    assert (table.where("1-inf"), table.where("11-inf")) == ("1512", "dead")


@rule("leningrad", "9.1")
def test_untried_units_are_named_first_then_revealed_then_the_odds_are_announced_then_the_die_rolls() -> None:
    table = Table("soviet-combat", {"1-inf": "1512", "10-rd": "1511"})
    table.do("target 1512", "join 10-rd")
    assert table.events("revealed") == []
    table.do("fight")
    assert table.asked == "reveal"
    line = sorted(table.offered("reveal"))[0]
    table.do(f"reveal {line}")
    assert table.asked == "roll-die"
    table.do("roll 1")
    told = [e.kind for e in table.state.log or []]
    order = ["attack", "revealed", "odds", "result"]
    assert [kind for kind in told if kind in order] == order


@rule("leningrad", "9.1")
def test_both_the_initial_and_the_final_odds_are_announced_with_every_shift() -> None:
    table = Table("german-combat", AGAINST_1511, strengths={"10-rd": "inf-2-2"}, terrain={"1511": "marsh"})
    announce(table, "1511", "1-inf 11-inf")
    told = table.events("odds")[0]
    assert (told["attack"], told["defence"]) == (8, 2)
    assert (told["odds_initial"], told["odds_final"]) == (3, 2)  # 4-1, then 3-1
    assert told["shifts"] == (("defender-terrain", -1, "9.6"),)


@rule("leningrad", "9.1")
@pytest.mark.parametrize("order", [("1511", "0808"), ("0808", "1511")])
def test_attacks_are_resolved_in_the_order_the_attacker_likes(order: tuple[str, str]) -> None:
    table = Table(
        "german-combat",
        {**AGAINST_1511, "61-inf": "0809", "90-rd": "0808"},
        strengths={"10-rd": "inf-2-3", "90-rd": "inf-2-3"},
    )
    attackers = {"1511": "1-inf", "0808": "61-inf"}
    for target in order:
        give(announce(table, target, attackers[target]), "-/1")
        table.do(f"lose {attackers[target]}")
    assert [e["hexes"] for e in table.events("attack")] == [(table.game.board.cell(t),) for t in order]


# 9.2 and 9.3


@rule("leningrad", "9.2")
def test_odds_above_the_table_are_shifted_from_where_they_really_are() -> None:
    table = Table(
        "german-combat",
        {**AGAINST_1511, "21-inf": "1512"},
        strengths={"10-rd": "inf-0-1"},
        terrain={"1511": "marsh"},
        sides={"1511/1512": "river"},
        forts=["1511"],
    )
    announce(table, "1511", "1-inf 11-inf 21-inf")
    assert initial_odds(table) == "12-1"
    assert net_shift(table) == -3
    assert final_odds(table) == "9-1"


@rule("leningrad", "9.2")
def test_odds_below_the_table_are_shifted_from_where_they_really_are() -> None:
    table = Table(
        "german-combat",
        {"ss-polizei": "1512", "10-rd": "1511", "90-rd": "1511"},
        reduced=["ss-polizei"],
        strengths={"10-rd": "inf-2-3", "90-rd": "inf-3-3"},
        air=2,
    )
    announce(table, "1511", "ss-polizei").do("commit 2")
    assert initial_odds(table) == "1-6"
    assert final_odds(table) == "1-4"


@rule("leningrad", "9.3")
@pytest.mark.parametrize(("die", "result"), [(1, "2/-"), (2, "E/-"), (6, "E/-")])
def test_final_odds_above_the_table_are_read_on_the_last_column(die: int, result: str) -> None:
    table = Table("german-combat", {**AGAINST_1511, "21-inf": "1512"}, strengths={"10-rd": "inf-0-1"})
    announce(table, "1511", "1-inf 11-inf 21-inf")
    assert final_odds(table) == "12-1"
    assert table.events("odds")[0]["odds_final"] == 9  # 10-1
    table.do(f"roll {die}")
    assert table.events("result")[0]["result"] == result


@rule("leningrad", "9.3")
@pytest.mark.parametrize(("die", "result"), [(1, "-/E"), (4, "-/E"), (5, "-/2"), (6, "-/2")])
def test_final_odds_below_the_table_are_read_on_the_first_column(die: int, result: str) -> None:
    table = Table(
        "german-combat",
        {"ss-polizei": "1512", "10-rd": "1511", "90-rd": "1511"},
        reduced=["ss-polizei"],
        strengths={"10-rd": "inf-2-3", "90-rd": "inf-3-3"},
    )
    announce(table, "1511", "ss-polizei")
    assert final_odds(table) == "1-6"
    table.do(f"roll {die}")
    assert table.events("result")[0]["result"] == result


# 9.4


@rule("leningrad", "9.4")
def test_eleven_against_four_is_two_to_one() -> None:
    table = Table(
        "german-combat",
        {"ss-totenkopf": "1512", "1-inf": "1512", "11-inf": "1512", "10-rd": "1511"},
        reduced=["11-inf"],
        strengths={"10-rd": "inf-3-4"},
    )
    announce(table, "1511", "ss-totenkopf 1-inf 11-inf")
    assert (table.odds().attack, table.odds().defence) == (11, 4)
    assert initial_odds(table) == "2-1"


@rule("leningrad", "9.4")
@pytest.mark.parametrize(
    ("reduced", "strengths", "odds"),
    [
        ([], ("inf-4-4", "inf-3-4"), "1-1"),  # 8 against 8
        ([], ("inf-4-4", "inf-2-3"), "1-1"),  # 8 against 7
        ([], ("inf-4-5", "inf-3-4"), "1-2"),  # 8 against 9: anything below even is 1-2
        (["1-inf", "11-inf"], ("inf-4-5", "inf-3-4"), "1-3"),  # 4 against 9
        (["1-inf", "11-inf"], ("inf-3-4", "inf-4-4"), "1-2"),  # 4 against 8
        ([], ("inf-1-1", "inf-1-2"), "2-1"),  # 8 against 3
        ([], ("inf-0-1", "inf-1-1"), "4-1"),  # 8 against 2
    ],
)
def test_odds_are_rounded_in_favour_of_the_defender(
    reduced: list[str], strengths: tuple[str, str], odds: str
) -> None:
    table = Table(
        "german-combat",
        {**AGAINST_1511, "90-rd": "1511"},
        reduced=reduced,
        strengths=dict(zip(("10-rd", "90-rd"), strengths, strict=True)),
    )
    announce(table, "1511", "1-inf 11-inf")
    assert initial_odds(table) == odds


# 9.5

PRINTED = """
    1-4 1-3 1-2 1-1 2-1 3-1 4-1 5-1 6-1 7-1 8-1 9-1 10-1
1   -/E -/E -/E -/2 -/1 1/1 2/2 1/1 2/1 1/- 1/- 2/- 2/-
2   -/E -/E -/2 -/1 1/2 2/2 1/1 2/1 1/- 1/- 2/- 2/- E/-
3   -/E -/2 -/2 1/2 2/2 1/1 2/1 1/- 1/- 2/- 2/- E/- E/-
4   -/E -/2 -/1 2/2 1/1 2/1 1/- 1/- 2/- 2/- E/- E/- E/-
5   -/2 -/2 1/2 1/1 2/1 1/- 1/- 2/- 2/- E/- E/- E/- E/-
6   -/2 1/2 2/2 2/1 1/- 1/- 2/- 2/- E/- E/- E/- E/- E/-
"""


@rule("leningrad", "9.5")
@pytest.mark.parametrize("die", range(1, 7))
def test_results_are_those_of_the_printed_table(die: int) -> None:
    table = Table("german-combat", AGAINST_1511)
    crt = table.game.data.crt
    row = PRINTED.split("\n")[die + 1].split()
    assert row[0] == str(die)
    assert [crt.result(column, die) for column in range(-3, 10)] == row[1:]


@rule("leningrad", "9.5")
@pytest.mark.parametrize(
    ("die", "result"), [(1, "-/1"), (2, "1/2"), (3, "2/2"), (4, "1/1"), (5, "2/1"), (6, "1/-")]
)
def test_the_die_is_read_on_the_column_of_the_final_odds(die: int, result: str) -> None:
    table = Table("german-combat", AGAINST_1511, strengths={"10-rd": "inf-2-3"})
    announce(table, "1511", "1-inf 11-inf")
    assert final_odds(table) == "2-1"
    table.do(f"roll {die}")
    assert table.events("result")[0]["result"] == result


@rule("leningrad", "9.5")
def test_ruling_three_to_one_and_a_one_is_a_shared_loss_of_one_as_printed() -> None:
    table = Table("german-combat", AGAINST_1511)
    assert table.game.data.crt.result(2, 1) == "1/1"


# 9.6


def german_attack(
    targets: str = "1511", units: str = "1-inf 11-inf", place: dict[str, str] | None = None, **more: Any
) -> Table:
    """Infantry in 1512 attacks infantry in 1511, or in 1511 and 1611; `place` adds units."""
    table = Table(
        "german-combat",
        {**AGAINST_1511, "90-rd": "1611", **(place or {})},
        strengths={"10-rd": "inf-2-3", "90-rd": "inf-2-3"},
        **more,
    )
    return announce(table, targets, units)


@rule("leningrad", "9.6")
def test_no_circumstance_no_shift() -> None:
    assert german_attack().shifts() == {}


@rule("leningrad", "9.6")
@pytest.mark.parametrize("ground", ["marsh", "hill", "+town", "hill+town"])
def test_a_defender_in_town_marsh_or_hill_shifts_one_left(ground: str) -> None:
    assert german_attack(terrain={"1511": ground}).shifts() == {"defender-terrain": -1}


@rule("leningrad", "9.6")
@pytest.mark.parametrize("ground", ["+village", "+woods", "+village+woods"])
def test_villages_and_woods_shift_nothing(ground: str) -> None:
    assert german_attack(terrain={"1511": ground}).shifts() == {}


@rule("leningrad", "9.6")
def test_the_ground_of_the_attacker_shifts_nothing() -> None:
    assert german_attack(terrain={"1512": "marsh"}).shifts() == {}


@rule("leningrad", "9.6")
def test_a_soviet_defender_in_a_soviet_city_shifts_one_left() -> None:
    assert german_attack(terrain={"1511": "+soviet_city"}).shifts() == {"soviet-city": -1}


@rule("leningrad", "9.6", "12.3", "4.9")
def test_ruling_the_soviet_cities_are_the_cities_that_feed_the_soviets() -> None:
    """11.5 The four hexes of Leningrad, Riga and Tallinn; 17.2's garrison towns and the others are towns."""
    game = load()
    cities = {game.board.number(c) for c in each(game.soviet_cities)}
    assert cities == {"2505", "2604", "2605", "2705", "0908", "1601"}
    assert not game.rough_ground & game.soviet_cities


@rule("leningrad", "9.6", "12.3")
def test_ruling_a_german_defender_in_a_soviet_city_has_no_shift_for_the_ground() -> None:
    table = Table(
        "soviet-combat",
        {"1-inf": "1512", "10-rd": "1511"},
        strengths={"10-rd": "inf-2-3"},
        terrain={"1512": "+soviet_city"},
    )
    assert announce(table, "1512", "10-rd").shifts() == {}


@rule("leningrad", "9.6")
def test_a_german_defender_in_a_town_shifts_one_left() -> None:
    table = Table(
        "soviet-combat",
        {"1-inf": "1512", "10-rd": "1511"},
        strengths={"10-rd": "inf-2-3"},
        terrain={"1512": "+town"},
    )
    assert announce(table, "1512", "10-rd").shifts() == {"defender-terrain": -1}


@rule("leningrad", "9.6", "15.1")
def test_a_soviet_defender_in_a_fort_shifts_one_left() -> None:
    assert german_attack(forts=["1511"]).shifts() == {"fort": -1}


@rule("leningrad", "9.6")
def test_a_defender_behind_a_river_shifts_one_left() -> None:
    assert german_attack(sides={"1511/1512": "river"}).shifts() == {"river": -1}


@rule("leningrad", "9.6")
def test_ruling_a_bridge_does_not_take_the_river_shift_away() -> None:
    assert german_attack(sides={"1511/1512": "river+road"}).shifts() == {"river": -1}


@rule("leningrad", "9.6")
def test_the_river_counts_only_if_all_attackers_are_across_it() -> None:
    place = {"21-inf": "1411"}
    river = {"1511/1512": "river"}
    assert german_attack(place=place, units="1-inf 21-inf", sides=river).shifts() == {}
    both = {"1511/1512": "river", "1411/1511": "river"}
    assert german_attack(place=place, units="1-inf 21-inf", sides=both).shifts() == {"river": -1}


@rule("leningrad", "9.6")
def test_ruling_the_river_counts_only_if_all_attacked_hexes_are_behind_it() -> None:
    one = {"1511/1512": "river"}
    assert german_attack("1511 1611", sides=one).shifts() == {}
    both = {"1511/1512": "river", "1512/1611": "river"}
    assert german_attack("1511 1611", sides=both).shifts() == {"river": -1}


@rule("leningrad", "9.6")
def test_ruling_one_hex_of_rough_ground_among_several_is_enough_and_more_add_nothing() -> None:
    assert german_attack("1511 1611", terrain={"1611": "hill"}).shifts() == {"defender-terrain": -1}
    both = {"1511": "+town", "1611": "marsh"}
    assert german_attack("1511 1611", terrain=both).shifts() == {"defender-terrain": -1}


@rule("leningrad", "9.6")
def test_ruling_one_fort_among_several_hexes_is_enough_and_more_add_nothing() -> None:
    assert german_attack("1511 1611", forts=["1611"]).shifts() == {"fort": -1}
    assert german_attack("1511 1611", forts=["1511", "1611"]).shifts() == {"fort": -1}


@rule("leningrad", "9.6")
def test_ruling_one_soviet_city_among_several_hexes_is_enough_and_more_add_nothing() -> None:
    one, both = {"1611": "+soviet_city"}, {"1511": "+soviet_city", "1611": "+soviet_city"}
    assert german_attack("1511 1611", terrain=one).shifts() == {"soviet-city": -1}
    assert german_attack("1511 1611", terrain=both).shifts() == {"soviet-city": -1}


@rule("leningrad", "9.6")
def test_town_city_and_fort_lines_add_up_across_hexes() -> None:
    ground = {"1511": "+soviet_city", "1611": "hill"}
    assert german_attack("1511 1611", terrain=ground, forts=["1611"]).shifts() == {
        "defender-terrain": -1,
        "soviet-city": -1,
        "fort": -1,
    }


@rule("leningrad", "9.6")
def test_two_shifts_right_and_three_left_make_one_left() -> None:
    table = german_attack(air=2, terrain={"1511": "marsh"}, sides={"1511/1512": "river"}, forts=["1511"]).do(
        "commit 2"
    )
    shifts = table.shifts()
    assert sum(n for n in shifts.values() if n > 0) == 2
    assert sum(n for n in shifts.values() if n < 0) == -3
    assert table.odds().final == table.odds().initial - 1


@rule("leningrad", "9.6", "7.1", "11.2", "12.1", "12.2", "13.1", "15.1", "17.4")
def test_the_table_of_shifts_has_the_printed_sizes() -> None:
    shifts = Table("german-combat", AGAINST_1511).game.data.shifts
    assert {name: columns for name, (columns, _) in shifts.items()} == {
        "overrun": -2,
        "attacker-unsupplied": -2,
        "defender-terrain": -1,
        "fort": -1,
        "river": -1,
        "defender-armour": -1,
        "soviet-city": -1,
        "defender-corps": -1,
        "defender-air": -1,
        "attacker-armour": 1,
        "attacker-corps": 1,
        "attacker-air": 1,
        "defender-unsupplied": 2,
        "surprise": 4,
    }
