"""10.0 Results: losses, retreats and advances.

1511 is attacked from 1512, to its south: it is farther from the enemy in 1510, 1410 and 1610.
"""

from __future__ import annotations

import pytest

from tests.games.leningrad.battles import attack, water_round
from tests.games.leningrad.table import Table
from tests.rules import rule

SOVIET_DEFENCE = {"1-inf": "1512", "11-inf": "1512", "10-rd": "1511", "90-rd": "1511"}
GERMAN_DEFENCE = {"10-rd": "1512", "1-inf": "1511", "11-inf": "1511"}
STRENGTHS = dict.fromkeys(("10-rd", "90-rd", "125-rd", "48-rd", "5-rd", "33-rd"), "inf-2-3")


def german_attack(result: str, units: dict[str, str] | None = None, by: str = "1-inf 11-inf") -> Table:
    return attack(Table("german-combat", units or SOVIET_DEFENCE, strengths=STRENGTHS), "1511", by, result)


def soviet_attack(result: str, units: dict[str, str] | None = None, by: str = "10-rd") -> Table:
    return attack(Table("soviet-combat", units or GERMAN_DEFENCE, strengths=STRENGTHS), "1511", by, result)


# 10.0


@rule("leningrad", "10.0")
def test_a_dash_leaves_the_attackers_alone() -> None:
    table = german_attack("1/-").do("retreat")
    while table.asked == "fall-back":
        table.do(f"fall-back {sorted(table.offered('fall-back'))[0]}")
    assert (table.asked, table.actor) == ("advance", "german")
    assert (table.steps("1-inf"), table.steps("11-inf")) == (2, 2)


@rule("leningrad", "10.0")
def test_a_dash_leaves_the_defenders_alone() -> None:
    table = german_attack("-/1")
    assert (table.asked, table.actor) == ("lose-or-retreat", "german")
    table.do("lose 1-inf")
    assert (table.where("10-rd"), table.where("90-rd")) == ("1511", "1511")


# 10.1


@rule("leningrad", "10.1")
def test_a_1_costs_one_unit_one_step() -> None:
    table = soviet_attack("1/-")
    assert table.options == {"lose 1-inf", "lose 11-inf", "retreat"}
    table.do("lose 11-inf")
    assert (table.steps("1-inf"), table.steps("11-inf")) == (2, 1)
    assert table.asked == "choose-target"
    assert table.where("1-inf") == table.where("11-inf") == "1511"


@rule("leningrad", "10.1")
def test_a_1_may_be_a_retreat_of_one_hex_by_everybody_instead() -> None:
    table = soviet_attack("1/-").do("retreat")
    table.do("fall-back 1-inf 1510")
    assert table.asked == "fall-back"
    table.do("fall-back 11-inf 1410")
    assert table.asked == "advance"
    assert (table.steps("1-inf"), table.steps("11-inf")) == (2, 2)


@rule("leningrad", "10.1")
def test_the_owner_of_the_affected_units_chooses() -> None:
    assert german_attack("1/-").actor == "soviet"
    assert german_attack("-/1").actor == "german"
    assert soviet_attack("1/-").actor == "german"
    assert soviet_attack("-/1").actor == "soviet"


@rule("leningrad", "10.1")
def test_only_affected_units_lose_steps() -> None:
    table = german_attack("-/1", by="1-inf")
    assert table.refused("lose 11-inf") == ("not-affected", "10.1")
    assert table.refused("lose 10-rd") == ("not-affected", "10.1")
    assert table.offered("lose") == {"1-inf"}


@rule("leningrad", "10.1")
def test_ruling_retreat_is_no_choice_when_nobody_has_a_safe_hex() -> None:
    around = {"21-inf": "1510", "61-inf": "1410", "291-inf": "1610"}
    table = german_attack("1/-", {**SOVIET_DEFENCE, **around})
    assert table.refused("retreat") == ("nowhere-safe", "10.7")
    assert table.options == {"lose 10-rd", "lose 90-rd"}


@rule("leningrad", "10.1")
def test_ruling_once_retreat_is_chosen_those_without_a_safe_hex_are_eliminated() -> None:
    # 1510 holds two friends in German zones: room for one more. 1410 and 1610 are German.
    units = {**SOVIET_DEFENCE, "21-inf": "1410", "61-inf": "1610", "125-rd": "1510", "48-rd": "1510"}
    table = german_attack("1/-", units).do("retreat", "fall-back 90-rd 1510")
    assert (table.where("90-rd"), table.where("10-rd")) == ("1510", "dead")


# 10.2


@rule("leningrad", "10.2")
def test_a_2_may_cost_two_units_a_step_each() -> None:
    table = soviet_attack("2/-").do("lose 1-inf", "lose 11-inf")
    assert (table.steps("1-inf"), table.steps("11-inf")) == (1, 1)
    assert table.asked == "choose-target"


@rule("leningrad", "10.2")
def test_a_2_may_cost_one_full_unit_its_two_steps() -> None:
    table = soviet_attack("2/-").do("lose 1-inf", "lose 1-inf")
    assert (table.where("1-inf"), table.steps("11-inf")) == ("dead", 2)


@rule("leningrad", "10.2")
def test_a_2_may_be_a_retreat_of_two_hexes_without_loss() -> None:
    table = soviet_attack("2/-").do("retreat", "fall-back 1-inf 1510", "fall-back 1-inf 1509")
    table.do("fall-back 11-inf 1410", "fall-back 11-inf 1409")
    assert (table.where("1-inf"), table.where("11-inf")) == ("1509", "1409")
    assert (table.steps("1-inf"), table.steps("11-inf")) == (2, 2)


@rule("leningrad", "10.2")
def test_a_2_may_be_a_step_and_then_a_retreat_of_one_hex() -> None:
    table = soviet_attack("2/-").do("lose 1-inf")
    assert table.asked == "lose-or-retreat"
    table.do("retreat", "fall-back 1-inf 1510", "fall-back 11-inf 1610")
    assert (table.where("1-inf"), table.where("11-inf")) == ("1510", "1610")
    assert (table.steps("1-inf"), table.steps("11-inf")) == (1, 2)
    assert table.asked == "advance"


@rule("leningrad", "10.2")
def test_in_a_2_the_step_comes_before_the_retreat() -> None:
    table = soviet_attack("2/-").do("retreat")
    assert table.refused("lose 1-inf")[0] == "not-now"
    table.do("fall-back 1-inf 1510")
    assert table.refused("lose 11-inf")[0] == "not-now"


@rule("leningrad", "10.2")
def test_a_2_costs_soviets_two_units_or_one_and_a_retreat() -> None:
    table = german_attack("2/-").do("lose 10-rd", "retreat", "fall-back 90-rd 1510")
    assert (table.where("10-rd"), table.where("90-rd")) == ("dead", "1510")
    table = german_attack("2/-").do("lose 10-rd", "lose 90-rd")
    assert (table.where("10-rd"), table.where("90-rd")) == ("dead", "dead")


@rule("leningrad", "10.2")
def test_a_lone_unit_that_is_gone_owes_nothing_more() -> None:
    units = {"1-inf": "1512", "11-inf": "1512", "10-rd": "1511"}
    table = german_attack("2/-", units).do("lose 10-rd")
    assert (table.asked, table.actor) == ("advance", "german")


@rule("leningrad", "10.2")
def test_a_retreat_of_two_hexes_is_open_only_to_those_who_can_begin_it() -> None:
    around = {"21-inf": "1510", "61-inf": "1410", "291-inf": "1610"}
    table = german_attack("2/-", {**SOVIET_DEFENCE, **around})
    assert table.refused("retreat") == ("nowhere-safe", "10.7")
    table.do("lose 10-rd")
    assert table.refused("retreat") == ("nowhere-safe", "10.7")


@rule("leningrad", "10.2")
def test_ruling_a_unit_with_no_second_safe_hex_is_eliminated() -> None:
    # 1510 is out of all zones; 1509, 1409 and 1609 behind it are not.
    units = {"1-inf": "1512", "10-rd": "1511", "21-inf": "1508", "61-inf": "1309", "291-inf": "1709"}
    table = german_attack("2/-", units, by="1-inf").do("retreat", "fall-back 10-rd 1510")
    assert table.where("10-rd") == "dead"
    assert len(table.events("trapped")) == 1


@rule("leningrad", "10.2", "10.7")
def test_a_unit_caught_on_its_way_does_not_shorten_or_lengthen_the_retreat_of_the_next() -> None:
    """From 1510 nothing leads on; the unit of the other hex has all the room it likes."""
    units = {"1-inf": "1512", "11-inf": "1512", "10-rd": "1511", "90-rd": "1611"}
    shores = {"1511/1610": "lake", "1510/1610": "lake", "1510/1609": "lake"}
    table = Table(
        "german-combat", units | {"21-inf": "1508", "61-inf": "1309"}, strengths=STRENGTHS, sides=shores
    )
    attack(table, "1511 1611", "1-inf 11-inf", "2/-").do("retreat", "fall-back 10-rd 1510")
    assert table.where("10-rd") == "dead"
    table.do("fall-back 90-rd 1711")
    assert table.asked == "fall-back"
    table.do("fall-back 90-rd 1811")
    assert (table.asked, table.where("90-rd")) == ("advance", "1811")


@rule("leningrad", "10.1", "10.2")
def test_who_is_lost_already_loses_nothing_more() -> None:
    table = german_attack("2/-").do("lose 10-rd")
    assert table.options == {"lose 90-rd", "retreat"}
    assert table.refused("lose 10-rd") == ("not-affected", "10.1")


@rule("leningrad", "10.2", "10.7")
def test_who_is_lost_already_neither_retreats_nor_is_caught_once_more() -> None:
    table = german_attack("2/-").do("lose 10-rd", "retreat")
    assert table.refused("fall-back 10-rd 1510") == ("not-retreating", "10.6")
    table.do("fall-back 90-rd 1510")
    assert (table.asked, table.events("trapped")) == ("advance", [])


# 10.3


@rule("leningrad", "10.3")
def test_in_a_shared_result_the_defender_suffers_first() -> None:
    table = german_attack("1/1")
    assert table.actor == "soviet"
    table.do("lose 10-rd")
    assert (table.asked, table.actor) == ("lose-or-retreat", "german")
    table.do("lose 1-inf")
    assert table.steps("1-inf") == 1


@rule("leningrad", "10.3")
@pytest.mark.parametrize(("result", "defender", "attacker"), [("1/2", 1, 2), ("2/1", 2, 1), ("2/2", 2, 2)])
def test_each_side_of_a_shared_result_has_its_own_number(result: str, defender: int, attacker: int) -> None:
    units = {**SOVIET_DEFENCE, "125-rd": "1511"}
    table = german_attack(result, units)
    for _ in range(defender):
        assert (table.asked, table.actor) == ("lose-or-retreat", "soviet")
        table.do(f"lose {sorted(table.offered('lose'))[0]}")
    for _ in range(attacker):
        assert (table.asked, table.actor) == ("lose-or-retreat", "german")
        table.do("lose 1-inf")
    assert table.asked == "choose-target"


@rule("leningrad", "10.3")
def test_after_a_shared_result_attackers_who_stayed_may_advance() -> None:
    units = {"1-inf": "1512", "11-inf": "1512", "10-rd": "1511"}
    table = german_attack("1/1", units).do("lose 10-rd", "lose 1-inf")
    assert table.offered("advance") == {"1-inf 1511", "11-inf 1511"}
    table.do("advance 1-inf 1511")
    assert table.where("1-inf") == "1511"


@rule("leningrad", "10.3")
def test_after_a_shared_result_attackers_who_retreated_do_not_advance() -> None:
    units = {"1-inf": "1512", "10-rd": "1511"}
    table = german_attack("1/1", units, by="1-inf").do("lose 10-rd", "retreat", "fall-back 1-inf 1513")
    assert table.asked == "choose-target"


@rule("leningrad", "10.3")
def test_attackers_do_not_advance_on_a_hex_still_held() -> None:
    table = german_attack("1/1").do("lose 10-rd", "lose 1-inf")
    assert (table.where("90-rd"), table.asked) == ("1511", "choose-target")


@rule("leningrad", "10.3")
def test_the_defender_never_advances_after_a_shared_result() -> None:
    table = soviet_attack("1/1").do("lose 1-inf", "lose 10-rd")
    assert table.where("10-rd") == "dead"
    assert table.asked == "choose-target"


# 10.4


@rule("leningrad", "10.4")
def test_e_eliminates_all_defenders_with_all_their_steps() -> None:
    table = soviet_attack("E/-")
    assert (table.where("1-inf"), table.where("11-inf")) == ("dead", "dead")
    assert table.steps("1-inf") == 0


@rule("leningrad", "10.4")
def test_e_eliminates_all_attackers_and_nobody_else() -> None:
    units = {**SOVIET_DEFENCE, "21-inf": "1411", "61-inf": "1512"}
    table = german_attack("-/E", units, by="1-inf 11-inf 21-inf")
    assert [table.where(u) for u in ("1-inf", "11-inf", "21-inf")] == ["dead"] * 3
    assert (table.where("61-inf"), table.where("10-rd")) == ("1512", "1511")


@rule("leningrad", "10.4")
def test_e_leaves_no_choice() -> None:
    table = german_attack("E/-")
    assert (table.asked, table.actor) == ("advance", "german")


# 10.5


@rule("leningrad", "10.5")
def test_a_german_unit_has_two_steps() -> None:
    units = {"10-rd": "1512", "1-inf": "1511"}
    table = soviet_attack("2/-", units).do("lose 1-inf")
    assert (table.where("1-inf"), table.steps("1-inf")) == ("1511", 1)
    table.do("lose 1-inf")
    assert table.where("1-inf") == "dead"


@rule("leningrad", "10.5")
def test_a_reduced_german_unit_is_eliminated_by_one_step() -> None:
    table = Table("soviet-combat", GERMAN_DEFENCE, strengths=STRENGTHS, reduced=["1-inf"])
    attack(table, "1511", "10-rd", "1/-").do("lose 1-inf")
    assert table.where("1-inf") == "dead"


@rule("leningrad", "10.5")
def test_a_reduced_german_unit_fights_with_its_reduced_strength() -> None:
    table = Table("german-combat", SOVIET_DEFENCE, strengths=STRENGTHS, reduced=["1-inf"])
    table.do("target 1511", "join 1-inf", "join 11-inf", "fight")
    assert table.odds().attack == 2 + 4


@rule("leningrad", "10.5")
def test_a_soviet_unit_is_eliminated_by_one_step() -> None:
    table = german_attack("1/-").do("lose 10-rd")
    assert table.where("10-rd") == "dead"
    lost = {"unit": table.game.unit_index("10-rd"), "hex": table.game.board.cell("1511")}
    assert table.events("eliminated") == [lost]


@rule("leningrad", "10.5")
def test_units_start_with_all_their_steps() -> None:
    game = Table("german-combat", SOVIET_DEFENCE).game
    state = game.set_up("campaign", {})
    assert {state.steps[u] for u in range(game.germans)} == {2}
    assert {state.steps[u] for u in range(game.germans, len(game.units))} == {1}


# 10.6


@rule("leningrad", "10.6")
def test_units_retreat_one_at_a_time_in_any_order_and_need_not_stay_together() -> None:
    for first, second in (("10-rd", "90-rd"), ("90-rd", "10-rd")):
        table = german_attack("1/-").do("retreat", f"fall-back {first} 1410")
        assert table.where(second) == "1511"
        table.do(f"fall-back {second} 1610")
        assert (table.where(first), table.where(second)) == ("1410", "1610")


@rule("leningrad", "10.6")
def test_a_unit_finishes_its_retreat_before_the_next_begins() -> None:
    table = german_attack("2/-").do("retreat", "fall-back 10-rd 1510")
    assert table.refused("fall-back 90-rd 1410") == ("one-at-a-time", "10.6")
    assert table.offered("fall-back") == {"10-rd 1409", "10-rd 1509", "10-rd 1609"}


@rule("leningrad", "10.6")
def test_the_owner_retreats_his_units() -> None:
    assert german_attack("1/-").do("retreat").actor == "soviet"
    assert german_attack("-/1").do("retreat").actor == "german"


@rule("leningrad", "10.6")
def test_units_that_need_not_retreat_stay() -> None:
    table = german_attack("-/1", by="1-inf").do("retreat")
    assert table.refused("fall-back 11-inf 1513") == ("not-retreating", "10.6")
    table.do("fall-back 1-inf 1513")
    assert table.where("11-inf") == "1512"


# 10.7


@rule("leningrad", "10.7")
def test_a_retreat_leads_away_from_the_enemy_who_caused_it() -> None:
    units = {"1-inf": "1512", "10-rd": "1511"}
    table = german_attack("1/-", units, by="1-inf").do("retreat")
    assert table.offered("fall-back") == {"10-rd 1410", "10-rd 1510", "10-rd 1610"}
    assert table.refused("fall-back 10-rd 1411") == ("not-safe", "10.7")
    assert table.refused("fall-back 10-rd 1509") == ("not-safe", "10.7")


@rule("leningrad", "10.7")
def test_the_nearest_of_the_enemies_counts() -> None:
    # Friends everywhere, so that neither zones nor empty hexes matter: 1410 is next to one attacker.
    friends = {"125-rd": "1410", "48-rd": "1510", "5-rd": "1610"}
    units = {"1-inf": "1512", "11-inf": "1411", "10-rd": "1511", **friends}
    table = german_attack("1/-", units).do("retreat")
    assert table.offered("fall-back") == {"10-rd 1510", "10-rd 1610"}


@rule("leningrad", "10.7")
def test_the_second_hex_of_a_retreat_leads_farther_away_again() -> None:
    units = {"1-inf": "1512", "10-rd": "1511"}
    table = german_attack("2/-", units, by="1-inf").do("retreat", "fall-back 10-rd 1410")
    assert table.offered("fall-back") == {"10-rd 1310", "10-rd 1409"}
    assert table.refused("fall-back 10-rd 1510") == ("not-safe", "10.7")


@rule("leningrad", "10.7")
def test_the_distance_is_measured_from_where_a_retreated_enemy_stood() -> None:
    table = german_attack("2/1", {"1-inf": "1512", "10-rd": "1511"}, by="1-inf")
    table.do("retreat", "fall-back 10-rd 1410", "fall-back 10-rd 1310", "retreat")
    # 1412 is no farther from 1310, where the defender is now, than 1512; but it is farther from 1511.
    assert table.offered("fall-back") == {"1-inf 1412", "1-inf 1513", "1-inf 1612"}


@rule("leningrad", "10.7")
def test_a_hex_with_three_friends_is_not_safe() -> None:
    full = {"125-rd": "1510", "48-rd": "1510", "5-rd": "1510"}
    units = {"1-inf": "1512", "10-rd": "1511", "21-inf": "1410", "61-inf": "1610"}
    table = german_attack("1/-", {**units, **full}, by="1-inf")
    assert table.refused("retreat") == ("nowhere-safe", "10.7")
    del full["5-rd"]
    table = german_attack("1/-", {**units, **full}, by="1-inf").do("retreat", "fall-back 10-rd 1510")
    assert table.where("10-rd") == "1510"


@rule("leningrad", "10.7")
def test_a_hex_in_an_enemy_zone_is_not_safe() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "21-inf": "1710"}  # next to 1610
    table = german_attack("1/-", units, by="1-inf").do("retreat")
    assert table.refused("fall-back 10-rd 1610") == ("not-safe", "10.7")
    assert table.offered("fall-back") == {"10-rd 1410", "10-rd 1510"}


@rule("leningrad", "10.7")
def test_a_friend_in_a_hex_cancels_the_enemy_zone_there() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "21-inf": "1410", "61-inf": "1610"}
    assert german_attack("1/-", units, by="1-inf").refused("retreat") == ("nowhere-safe", "10.7")
    table = german_attack("1/-", {**units, "125-rd": "1510"}, by="1-inf").do("retreat")
    assert table.offered("fall-back") == {"10-rd 1510"}


@rule("leningrad", "10.7")
def test_the_zone_of_an_attacker_counts_too() -> None:
    units = {"1-inf": "1512", "11-inf": "1411", "10-rd": "1511"}
    table = german_attack("1/-", units).do("retreat")
    assert table.refused("fall-back 10-rd 1410") == ("not-safe", "10.7")


@rule("leningrad", "10.7", "4.8")
def test_a_unit_that_could_only_leave_the_map_cannot_retreat() -> None:
    units = {"1-inf": "1502", "11-inf": "1401", "21-inf": "1601", "10-rd": "1501"}
    table = Table("german-combat", units, strengths=STRENGTHS)
    attack(table, "1501", "1-inf 11-inf 21-inf", "1/-")
    assert table.options == {"lose 10-rd"}


@rule("leningrad", "10.7", "4.8")
def test_a_unit_that_reaches_the_edge_and_must_go_on_is_eliminated() -> None:
    units, shore = {"1-inf": "1503", "10-rd": "1502"}, {"1401": "lake", "1601": "lake"}
    table = Table("german-combat", units, terrain=shore, strengths=STRENGTHS)
    attack(table, "1502", "1-inf", "2/-").do("retreat", "fall-back 10-rd 1501")
    assert table.where("10-rd") == "dead"


@rule("leningrad", "10.7")
def test_nobody_retreats_over_water() -> None:
    table = Table(
        "german-combat",
        {"1-inf": "1512", "10-rd": "1511"},
        strengths=STRENGTHS,
        terrain={"1410": "lake"},
        sides={"1510/1511": "sea"},
    )
    attack(table, "1511", "1-inf", "1/-").do("retreat")
    assert table.offered("fall-back") == {"10-rd 1610"}


@rule("leningrad", "10.7")
def test_a_hex_held_by_the_enemy_is_not_safe() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "21-inf": "1510", "125-rd": "1410"}
    table = german_attack("1/-", units, by="1-inf").do("retreat")
    assert table.refused("fall-back 10-rd 1510") == ("not-safe", "10.7")
    assert table.offered("fall-back") == {"10-rd 1410"}


@rule("leningrad", "10.7")
def test_ruling_all_enemies_of_the_battle_count_even_if_they_attacked_another_hex() -> None:
    # 1512 and 1610 attack 1511 and 1611 together; from 1511 only 1410 is away from both of them.
    units = {"1-inf": "1512", "11-inf": "1610", "10-rd": "1511", "90-rd": "1611"}
    friends = {"125-rd": "1410", "48-rd": "1510", "5-rd": "1411"}
    table = Table("german-combat", {**units, **friends}, strengths=STRENGTHS)
    attack(table, "1511 1611", "1-inf 11-inf", "1/-").do("retreat")
    assert {o for o in table.offered("fall-back") if o.startswith("10-rd")} == {"10-rd 1410"}


@rule("leningrad", "10.7")
def test_enemies_outside_the_battle_do_not_count_for_the_distance() -> None:
    # 1-inf alone attacks; the idle 21-inf in 1508 is nearer to 1510 but only its zone matters.
    units = {"1-inf": "1512", "10-rd": "1511", "21-inf": "1508"}
    table = german_attack("1/-", units, by="1-inf").do("retreat")
    assert "10-rd 1510" in table.offered("fall-back")


# 10.8


@rule("leningrad", "10.8")
def test_a_retreating_unit_takes_an_empty_safe_hex_first() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "125-rd": "1510"}
    table = german_attack("1/-", units, by="1-inf").do("retreat")
    assert table.offered("fall-back") == {"10-rd 1410", "10-rd 1610"}
    assert table.refused("fall-back 10-rd 1510") == ("vacant-first", "10.8")


@rule("leningrad", "10.8")
def test_a_retreating_unit_joins_friends_when_no_empty_hex_is_safe() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "125-rd": "1510", "48-rd": "1410", "5-rd": "1610"}
    table = german_attack("1/-", units, by="1-inf").do("retreat")
    assert table.offered("fall-back") == {"10-rd 1410", "10-rd 1510", "10-rd 1610"}


@rule("leningrad", "10.8")
def test_the_second_unit_of_a_stack_avoids_the_hex_the_first_has_taken() -> None:
    table = german_attack("1/-").do("retreat", "fall-back 10-rd 1510")
    assert table.refused("fall-back 90-rd 1510") == ("vacant-first", "10.8")


# 1510, empty, is out of all zones; the hexes behind it, 1509, 1409 and 1609, are not. 1410 and 1610 lead on,
# to 1310 and 1710, and are held by friends.
DEAD_END = {"1-inf": "1512", "10-rd": "1511", "21-inf": "1508", "125-rd": "1410", "48-rd": "1610"}


@rule("leningrad", "10.8", "10.2")
def test_ruling_an_empty_hex_that_leads_no_further_is_not_forced_on_a_retreat_of_two_hexes() -> None:
    table = german_attack("2/-", {**DEAD_END, "61-inf": "1408", "291-inf": "1608"}, by="1-inf").do("retreat")
    assert table.offered("fall-back") == {"10-rd 1410", "10-rd 1610"}
    assert table.refused("fall-back 10-rd 1510") == ("leads-nowhere", "10.2")
    table.do("fall-back 10-rd 1410", "fall-back 10-rd 1310")
    assert table.where("10-rd") == "1310"


@rule("leningrad", "10.8", "10.2")
def test_a_retreat_of_one_hex_goes_to_the_empty_hex_wherever_that_leads() -> None:
    table = german_attack("1/-", {**DEAD_END, "61-inf": "1408", "291-inf": "1608"}, by="1-inf").do("retreat")
    assert table.offered("fall-back") == {"10-rd 1510"}
    assert table.refused("fall-back 10-rd 1410") == ("vacant-first", "10.8")


@rule("leningrad", "10.8")
def test_the_empty_hex_comes_first_when_it_leads_on() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "125-rd": "1410", "48-rd": "1610"}
    table = german_attack("2/-", units, by="1-inf").do("retreat")
    assert table.offered("fall-back") == {"10-rd 1510"}
    assert table.refused("fall-back 10-rd 1410") == ("vacant-first", "10.8")


@rule("leningrad", "10.8")
def test_the_second_hex_of_a_retreat_is_empty_if_it_can_be() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "125-rd": "1509", "48-rd": "1409"}
    table = german_attack("2/-", units, by="1-inf").do("retreat", "fall-back 10-rd 1510")
    assert table.offered("fall-back") == {"10-rd 1609"}
    assert table.refused("fall-back 10-rd 1509") == ("vacant-first", "10.8")
    table = german_attack("2/-", {**units, "5-rd": "1609"}, by="1-inf").do("retreat", "fall-back 10-rd 1510")
    assert table.offered("fall-back") == {"10-rd 1509", "10-rd 1409", "10-rd 1609"}


@rule("leningrad", "10.2")
def test_ruling_a_retreat_that_can_be_completed_is_completed() -> None:
    """Of three empty hexes, one leads no further: it is no choice."""
    units = {"1-inf": "1512", "10-rd": "1511", "21-inf": "1508", "61-inf": "1408", "291-inf": "1608"}
    table = german_attack("2/-", units, by="1-inf").do("retreat")
    assert table.offered("fall-back") == {"10-rd 1410", "10-rd 1610"}


@rule("leningrad", "10.8", "10.7")
def test_a_friendly_hex_that_is_not_safe_is_refused_for_that_and_not_for_being_taken() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "125-rd": "1411", "48-rd": "1205"}
    table = german_attack("1/-", units, by="1-inf").do("retreat")
    assert table.refused("fall-back 10-rd 1411") == ("not-safe", "10.7")
    assert table.refused("fall-back 10-rd 1205") == ("not-safe", "10.7")


# 10.9


@rule("leningrad", "10.9")
def test_attackers_may_advance_into_the_hex_set_free_or_hold() -> None:
    table = german_attack("E/-")
    assert table.options == {"advance 1-inf 1511", "advance 11-inf 1511", "hold"}
    table.do("advance 1-inf 1511", "hold")
    assert (table.where("1-inf"), table.where("11-inf")) == ("1511", "1512")
    assert german_attack("E/-").do("hold").where("1-inf") == "1512"


@rule("leningrad", "10.9")
def test_no_more_than_three_units_advance_into_a_hex() -> None:
    units = {**SOVIET_DEFENCE, "21-inf": "1411", "61-inf": "1411"}
    table = german_attack("E/-", units, by="1-inf 11-inf 21-inf 61-inf")
    table.do("advance 1-inf 1511", "advance 11-inf 1511", "advance 21-inf 1511")
    assert table.asked == "choose-target"
    assert table.where("61-inf") == "1411"


@rule("leningrad", "10.9")
def test_only_units_that_took_part_advance() -> None:
    table = german_attack("E/-", by="1-inf")
    assert table.refused("advance 11-inf 1511") == ("no-advance", "10.9")
    assert table.offered("advance") == {"1-inf 1511"}


@rule("leningrad", "10.9")
def test_an_advance_is_made_before_the_next_battle_or_not_at_all() -> None:
    units = {**SOVIET_DEFENCE, "61-inf": "0809", "125-rd": "0808"}
    table = german_attack("E/-", units)
    assert table.refused("target 0808")[0] == "not-now"
    table.do("hold")
    assert table.refused("advance 1-inf 1511")[0] == "not-now"


@rule("leningrad", "10.9")
def test_after_a_retreat_of_two_hexes_the_winner_may_take_one_or_both() -> None:
    units = {"1-inf": "1512", "11-inf": "1512", "10-rd": "1511"}
    table = german_attack("2/-", units).do("retreat", "fall-back 10-rd 1510", "fall-back 10-rd 1509")
    assert table.offered("advance") == {"1-inf 1511", "11-inf 1511"}
    assert table.refused("advance 1-inf 1510") == ("no-advance", "10.9")
    table.do("advance 1-inf 1511")
    assert table.offered("advance") == {"1-inf 1510", "11-inf 1511"}
    table.do("advance 1-inf 1510")
    assert table.offered("advance") == {"11-inf 1511"}
    table.do("hold")
    assert (table.where("1-inf"), table.where("11-inf")) == ("1510", "1512")


@rule("leningrad", "10.9")
def test_ruling_the_second_hex_is_one_a_retreating_unit_passed_through() -> None:
    units = {"1-inf": "1512", "11-inf": "1512", "10-rd": "1511"}
    table = german_attack("2/-", units).do("retreat", "fall-back 10-rd 1510", "fall-back 10-rd 1509")
    table.do("advance 1-inf 1511")
    assert table.refused("advance 1-inf 1410") == ("no-advance", "10.9")
    assert table.refused("advance 1-inf 1509") == ("no-advance", "10.9")


@rule("leningrad", "10.9")
def test_ruling_the_second_hex_must_be_free_of_enemies() -> None:
    friends = {"125-rd": "1410", "48-rd": "1510", "5-rd": "1610"}
    table = german_attack("2/-", {"1-inf": "1512", "10-rd": "1511", **friends}, by="1-inf").do("retreat")
    table.do("fall-back 10-rd 1510", "fall-back 10-rd 1509", "advance 1-inf 1511")
    assert table.asked == "choose-target"


@rule("leningrad", "10.9")
def test_ruling_the_hex_where_a_retreat_came_to_its_end_is_open_to_the_winner() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "21-inf": "1508", "61-inf": "1309", "291-inf": "1709"}
    table = german_attack("2/-", units, by="1-inf").do("retreat", "fall-back 10-rd 1510")
    assert table.where("10-rd") == "dead"
    table.do("advance 1-inf 1511")
    assert table.offered("advance") == {"1-inf 1510"}
    assert table.do("advance 1-inf 1510").asked == "choose-target"


@rule("leningrad", "10.9")
def test_every_hex_that_a_retreat_led_through_is_open_to_the_winner() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "90-rd": "1511"}
    table = german_attack("2/-", units, by="1-inf").do("retreat")
    table.do("fall-back 10-rd 1510", "fall-back 10-rd 1509")
    table.do("fall-back 90-rd 1410", "fall-back 90-rd 1310", "advance 1-inf 1511")
    assert table.offered("advance") == {"1-inf 1410", "1-inf 1510"}


@rule("leningrad", "10.9")
def test_after_a_retreat_of_one_hex_the_winner_takes_one_hex() -> None:
    units = {"1-inf": "1512", "10-rd": "1511"}
    table = german_attack("1/-", units, by="1-inf").do("retreat", "fall-back 10-rd 1510")
    table.do("advance 1-inf 1511")
    assert table.asked == "choose-target"


@rule("leningrad", "10.2", "10.7")
def test_the_last_hex_of_a_retreat_need_not_lead_on() -> None:
    table = attack(
        Table(
            "german-combat",
            {"1-inf": "1512", "10-rd": "1511"},
            strengths=STRENGTHS,
            sides=water_round("1509", but="1510"),
        ),
        "1511",
        "1-inf",
        "2/-",
    ).do("retreat", "fall-back 10-rd 1510")
    assert table.offered("fall-back") == {"10-rd 1409", "10-rd 1509", "10-rd 1609"}
    assert table.do("fall-back 10-rd 1509").where("10-rd") == "1509"


@rule("leningrad", "10.9", "4.6")
def test_a_fourth_winner_finds_no_room() -> None:
    units = {"1-inf": "1512", "11-inf": "1512", "61-inf": "1512", "21-inf": "1411", "10-rd": "1511"}
    table = german_attack("2/-", units, by="1-inf 11-inf 61-inf 21-inf").do("retreat")
    table.do("fall-back 10-rd 1510", "fall-back 10-rd 1509")
    table.do("advance 1-inf 1511", "advance 11-inf 1511")
    assert "21-inf 1511" in table.offered("advance")
    table.do("advance 61-inf 1511")
    assert table.offered("advance") == {"1-inf 1510", "11-inf 1510", "61-inf 1510"}
    assert table.refused("advance 21-inf 1511") == ("stacking", "4.6")


@rule("leningrad", "10.9")
def test_after_elimination_the_winner_goes_no_farther_than_the_first_hex() -> None:
    table = german_attack("E/-").do("advance 1-inf 1511")
    assert table.offered("advance") == {"11-inf 1511"}


@rule("leningrad", "10.9")
def test_units_advance_through_enemy_zones_and_pay_nothing() -> None:
    units = {**SOVIET_DEFENCE, "125-rd": "1411", "48-rd": "1509"}
    table = german_attack("E/-", units).do("advance 1-inf 1511")
    assert table.where("1-inf") == "1511"


@rule("leningrad", "10.9")
def test_attackers_who_lost_a_step_may_advance() -> None:
    units = {"1-inf": "1512", "10-rd": "1511"}
    table = german_attack("1/1", units, by="1-inf").do("lose 10-rd", "lose 1-inf", "advance 1-inf 1511")
    assert (table.where("1-inf"), table.steps("1-inf")) == ("1511", 1)


@rule("leningrad", "10.9")
def test_victorious_defenders_may_advance_when_the_attacker_retreats() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "90-rd": "1511"}
    table = german_attack("-/1", units, by="1-inf").do("retreat", "fall-back 1-inf 1513")
    assert (table.asked, table.actor) == ("advance", "soviet")
    assert table.options == {"advance 10-rd 1512", "advance 90-rd 1512", "hold"}
    table.do("advance 90-rd 1512", "hold")
    assert (table.where("10-rd"), table.where("90-rd")) == ("1511", "1512")


@rule("leningrad", "10.9")
def test_victorious_defenders_may_follow_a_retreat_of_two_hexes() -> None:
    units = {"1-inf": "1511", "10-rd": "1510"}
    table = Table("german-combat", units, strengths=STRENGTHS)
    attack(table, "1510", "1-inf", "-/2").do("retreat", "fall-back 1-inf 1512", "fall-back 1-inf 1513")
    table.do("advance 10-rd 1511", "advance 10-rd 1512")
    assert table.where("10-rd") == "1512"


@rule("leningrad", "10.9")
def test_victorious_defenders_may_advance_when_the_attackers_are_eliminated() -> None:
    table = german_attack("-/E", {"1-inf": "1512", "10-rd": "1511"}, by="1-inf")
    assert table.offered("advance") == {"10-rd 1512"}


@rule("leningrad", "10.9")
def test_a_hex_still_held_by_others_is_not_entered() -> None:
    table = german_attack("-/1", by="1-inf").do("retreat", "fall-back 1-inf 1513")
    assert table.where("11-inf") == "1512"
    assert table.asked == "choose-target"


@rule("leningrad", "10.9")
def test_an_attacker_who_retreated_is_told_so() -> None:
    table = german_attack("-/1", {"1-inf": "1512", "10-rd": "1511"}, by="1-inf").do("retreat")
    table.do(f"fall-back {min(table.offered('fall-back'))}")
    assert (table.asked, table.actor) == ("advance", "soviet")
    assert table.refused("advance 1-inf 1512") == ("retreated-itself", "10.9")


@rule("leningrad", "10.9")
def test_units_that_retreated_do_not_advance() -> None:
    units = {"1-inf": "1512", "11-inf": "1411", "10-rd": "1511"}
    table = german_attack("1/1", units).do("lose 10-rd", "retreat")
    while table.asked == "fall-back":
        table.do(f"fall-back {sorted(table.offered('fall-back'))[0]}")
    assert table.asked == "choose-target"


@rule("leningrad", "10.9")
def test_a_winner_takes_one_of_two_attacked_hexes_and_not_the_other_too() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "90-rd": "1611"}
    table = Table("german-combat", units, strengths=STRENGTHS)
    attack(table, "1511 1611", "1-inf", "E/-").do("advance 1-inf 1511")
    assert table.where("1-inf") == "1511"
    assert table.asked == "choose-target"


@rule("leningrad", "10.9")
def test_winners_of_an_attack_on_two_hexes_may_enter_either() -> None:
    units = {"1-inf": "1512", "11-inf": "1512", "10-rd": "1511", "90-rd": "1611"}
    table = Table("german-combat", units, strengths=STRENGTHS)
    attack(table, "1511 1611", "1-inf 11-inf", "E/-").do("advance 1-inf 1511", "advance 11-inf 1611")
    assert (table.where("1-inf"), table.where("11-inf")) == ("1511", "1611")
