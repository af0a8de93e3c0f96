"""9.1 to 9.4 in the corners: who may fight again, how strengths are halved, where columns end, who pays."""

from __future__ import annotations

import pytest

from grognard.mechanics.odds import halved_odds_name
from grognard.mechanics.supposing import Supposes
from tests.games.a_victory_lost.table import Table, plain_game
from tests.rules import rule


def attack(
    soviets: dict[str, str],
    strengths: dict[str, str],
    germans: dict[str, str] | None = None,
    **more: object,
) -> Table:
    """All these Soviets have joined an attack on 0908, held by the 6th Panzer alone unless said otherwise."""
    table = Table(
        "soviet-combat",
        {**soviets, **(germans or {"ge-6pz": "0908"})},
        strengths=strengths,
        **more,  # type: ignore[arg-type]
    )
    return table.do("target 0908", *(f"join {u}" for u in soviets if not u.startswith("hq")))


@rule("a_victory_lost", "2.2.3", "9.3.1", "1.3")
def test_the_adviser_says_what_a_strength_counts_and_why() -> None:
    units = {"su-1gm": "1008", "ge-6pz": "0908", "ge-62": "0808"}
    table = Table(
        "soviet-combat",
        units,
        strengths={"su-1gm": "9-7/5-3", "ge-6pz": "9-7"},
        reduced=["su-1gm"],
        unsupplied=["su-1gm"],
        isolated=["ge-6pz"],
    )
    adviser = table.game.adviser
    assert isinstance(adviser, Supposes)
    attack, defence = adviser.strengths(table.state, table.game.unit_index("su-1gm"))
    assert (attack.printed, attack.counted) == (9, 2)
    assert attack.reasons == (("reduced", "2.2.3"), ("halved-unsupplied", "9.3.1"), ("rounded-down", "1.3"))
    assert (defence.printed, defence.counted, defence.reasons) == (7, 3, (("reduced", "2.2.3"),))
    attack, defence = adviser.strengths(table.state, table.game.unit_index("ge-6pz"))
    assert (attack.printed, attack.counted) == (9, 4)
    assert (defence.printed, defence.counted) == (7, 3)
    assert defence.reasons == (("halved-isolated", "9.3.1"), ("rounded-down", "1.3"))
    whole, _ = adviser.strengths(table.state, table.game.unit_index("ge-62"))
    assert whole.printed == whole.counted and not whole.reasons


@rule("a_victory_lost", "9.1.1", "9.1.4")
def test_once_in_a_sequence_means_again_in_the_next() -> None:
    units = {"hq-51a": "1208", "hq-2gda": "1207", "su-1gm": "1008", "ge-6pz": "0908"}
    table = Table("draw", units, cup=["51a", "2gda"], strengths={"su-1gm": "12-9", "ge-6pz": "9-3"})
    table.do("draw chit-51a", "end", "target 0908", "join su-1gm", "fight", "roll 1")  # -
    assert table.refused("target 0908") == ("attacked-already", "9.1.4")
    table.do("end", "draw chit-2gda", "end", "target 0908", "join su-1gm", "fight")
    assert len(table.events("attack")) == 2


@rule("a_victory_lost", "9.1.1")
def test_units_that_advanced_have_had_their_fight() -> None:
    units = {"su-1gm": "1008", "ge-22pz": "0908", "ge-62": "0807", "su-2gm": "0707"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "50-9", "su-2gm": "50-9", "ge-22pz": "1-1/-"})
    table.do("target 0908", "join su-1gm", "fight", "roll 6", "advance su-1gm", "stay", "target 0807")
    assert table.offered("join") == {"su-2gm"}
    assert table.refused("join su-1gm") == ("fought-already", "9.1.1")


@rule("a_victory_lost", "9.1.4")
def test_it_is_the_hex_that_is_attacked_once_not_the_unit() -> None:
    units = {"su-1gm": "1008", "su-2gm": "0707", "ge-6pz": "0908"}
    strengths = {"su-1gm": "9-9", "su-2gm": "50-9", "ge-6pz": "9-3"}
    table = Table("soviet-combat", units, strengths=strengths, terrain={"0808": "sea", "0907": "sea"})
    table.do("target 0908", "join su-1gm", "fight", "roll 4", "fall-back ge-6pz 0807", "hold")
    assert table.refused("target 0908") == ("nobody-to-attack", "9.0")
    table.do("target 0807", "join su-2gm", "fight")


@rule("a_victory_lost", "9.0", "9.1")
def test_an_hq_does_not_attack() -> None:
    units = {"su-1gm": "1008", "hq-51a": "1008", "ge-6pz": "0908"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "50-9"}).do("target 0908")
    assert table.offered("join") == {"su-1gm"}
    assert table.refused("join hq-51a") == ("hq-does-not-fight", "2.3.1")
    assert table.refused("join ge-6pz") == ("not-yours", "9.0")
    assert table.refused("join su-2gm") == ("not-yours", "9.0")  # it is not on the map


@rule("a_victory_lost", "9.0")
def test_an_hq_with_company_adds_nothing_to_the_defence() -> None:
    table = attack(
        {"su-1gm": "1008"}, {"su-1gm": "9-9", "ge-6pz": "9-3"}, {"ge-6pz": "0908", "hq-4pza": "0908"}
    )
    assert table.odds().defence == 3
    assert table.do("fight").events("attack")[0]["units_target"] == (table.unit("ge-6pz"),)


BANK = {"0808/0908": "river", "0807/0908": "river"}


@rule("a_victory_lost", "9.3.1")
@pytest.mark.parametrize(
    ("first", "second", "attack_strength"),
    [("0808", "0808", 5), ("0808", "0807", 4), ("0808", "0907", 7)],
    ids=["one stack", "two stacks", "one dry"],
)
def test_what_is_stacked_is_added_up_before_halving_and_nothing_else(
    first: str, second: str, attack_strength: int
) -> None:
    strengths = {"su-1gm": "5-9", "su-2gm": "5-9", "ge-6pz": "9-1"}
    table = attack({"su-1gm": first, "su-2gm": second}, strengths, sides=BANK)
    assert table.odds().attack == attack_strength


@rule("a_victory_lost", "9.3.1")
def test_stacked_units_with_and_without_supply_are_reckoned_apart() -> None:
    strengths = {"su-1gm": "5-9", "su-2gm": "5-9", "ge-6pz": "9-1"}
    both = {"su-1gm": "0808", "su-2gm": "0808"}
    assert attack(both, strengths, unsupplied=["su-1gm"]).odds().attack == 2 + 5
    assert attack(both, strengths, unsupplied=["su-1gm"], sides=BANK).odds().attack == 1 + 2
    assert attack(both, strengths, unsupplied=["su-1gm"], isolated=["su-2gm"]).odds().attack == 5


@rule("a_victory_lost", "9.3.1")
def test_only_the_isolated_defender_of_a_stack_is_halved() -> None:
    strengths = {"su-1gm": "50-9", "ge-6pz": "9-5", "ge-23pz": "9-4"}
    germans = {"ge-6pz": "0908", "ge-23pz": "0908"}
    assert attack({"su-1gm": "1008"}, strengths, germans, isolated=["ge-6pz"]).odds().defence == 2 + 4
    assert attack({"su-1gm": "1008"}, strengths, germans, unsupplied=["ge-6pz"]).odds().defence == 9


@rule("a_victory_lost", "9.3.1")
def test_rivers_do_not_halve_the_defender() -> None:
    table = attack({"su-1gm": "0808"}, {"su-1gm": "20-9", "ge-6pz": "9-5"}, sides=BANK)
    assert (table.odds().attack, table.odds().defence) == (10, 5)


@rule("a_victory_lost", "9.3.1", "9.4.2")
def test_reduced_units_fight_with_their_reduced_strengths() -> None:
    strengths = {"su-1gm": "9-8/7-6", "ge-6pz": "5-4/3-2"}
    table = attack({"su-1gm": "1008"}, strengths, reduced=["su-1gm", "ge-6pz"])
    assert (table.odds().attack, table.odds().defence) == (7, 2)
    table = attack({"su-1gm": "1008"}, strengths)
    assert (table.odds().attack, table.odds().defence) == (9, 4)


@rule("a_victory_lost", "9.3.2")
@pytest.mark.parametrize(
    ("strength", "defence", "odds"),
    [
        *((10, 10, "1-1"), (14, 10, "1-1"), (15, 10, "1.5-1"), (19, 10, "1.5-1"), (20, 10, "2-1")),
        *((3, 2, "1.5-1"), (5, 3, "1.5-1"), (4, 3, "1-1"), (29, 10, "2-1"), (39, 4, "9-1"), (43, 4, "10-1")),
    ],
)
def test_odds_are_rounded_down_to_the_next_column(strength: int, defence: int, odds: str) -> None:
    table = attack({"su-1gm": "1008"}, {"su-1gm": f"{strength}-9", "ge-6pz": f"9-{defence}"})
    assert halved_odds_name(table.odds().final) == odds


@rule("a_victory_lost", "9.3.3")
@pytest.mark.parametrize(
    ("ground", "odds"),
    [
        *(("clear", "3-1"), ("marsh", "3-1"), ("clear+town", "3-1")),
        *(("rough", "2-1"), ("woods", "2-1"), ("clear+victory_city", "2-1"), ("woods+victory_city", "1.5-1")),
    ],
)
def test_the_ground_of_the_defender_shifts_the_column(ground: str, odds: str) -> None:
    strengths = {"su-1gm": "9-9", "ge-6pz": "9-3"}
    table = attack({"su-1gm": "1008"}, strengths, terrain={"0908": ground})
    assert halved_odds_name(table.odds().final) == odds
    # the attacker's own ground does not matter
    table = attack({"su-1gm": "1008"}, strengths, terrain={"1008": ground})
    assert halved_odds_name(table.odds().final) == "3-1"


@rule("a_victory_lost", "9.3.3", "9.3.4")
@pytest.mark.parametrize(
    ("strength", "odds", "result"),
    [(24, "10-1", "2DR2"), (22, "9-1", "1DR2"), (20, "8-1", "1DR"), (26, "11-1", "2DR2")],
)
def test_shifts_above_ten_to_one_are_counted_before_the_last_column_is_read(
    strength: int, odds: str, result: str
) -> None:
    table = attack(
        {"su-1gm": "1008"},
        {"su-1gm": f"{strength}-9", "ge-6pz": "9-2"},
        terrain={"0908": "rough+victory_city"},
    )
    assert halved_odds_name(table.odds().final) == odds
    assert table.do("fight", "roll 1").events("result")[0]["result"] == result


@rule("a_victory_lost", "9.3.4")
def test_a_shift_may_bring_odds_below_one_to_one() -> None:
    """1-1 in rough, 1.5-1 in a city on rough ground: no attack. One column more and there is."""
    for strength, ground, possible in (
        *((5, "rough", False), (8, "rough", True), (9, "rough+victory_city", False)),
        (10, "rough+victory_city", True),
    ):
        table = Table(
            "soviet-combat",
            {"su-1gm": "1008", "ge-6pz": "0908"},
            strengths={"su-1gm": f"{strength}-9", "ge-6pz": "9-5"},
            terrain={"0908": ground},
        )
        assert ("target 0908" in table.options) == possible
        if not possible:
            assert table.refused("target 0908") == ("shifted-too-low", "9.3.4")


@rule("a_victory_lost", "9.3.5")
def test_even_an_attack_of_nothing_beats_a_defence_of_nothing() -> None:
    table = attack(
        {"su-1gm": "1008"}, {"su-1gm": "1-9", "ge-6pz": "9-1"}, unsupplied=["su-1gm"], isolated=["ge-6pz"]
    )
    assert (table.odds().attack, table.odds().defence) == (0, 0)
    assert table.do("fight", "roll 1").events("result")[0]["result"] == "2DR2"


@rule("a_victory_lost", "9.3.5")
def test_two_isolated_ones_are_still_worth_one() -> None:
    strengths = {"su-1gm": "4-9", "ge-6pz": "9-1", "ge-23pz": "9-1"}
    germans = {"ge-6pz": "0908", "ge-23pz": "0908"}
    table = attack({"su-1gm": "1008"}, strengths, germans, isolated=["ge-6pz", "ge-23pz"])
    assert table.odds().defence == 1
    assert halved_odds_name(table.odds().final) == "4-1"


@rule("a_victory_lost", "9.3")
def test_the_forecast_is_the_battle() -> None:
    table = attack(
        {"su-1gm": "0808", "su-2gm": "1008"},
        {"su-1gm": "9-9", "su-2gm": "11-9", "ge-6pz": "9-5"},
        sides=BANK,
        terrain={"0908": "rough"},
    )
    adviser = table.game.adviser
    assert adviser is not None
    units = [table.unit("su-1gm"), table.unit("su-2gm")]
    forecast = adviser.forecast(table.state, [table.cell("0908")], units, {})
    table.do("fight")
    odds = table.events("odds")[0]
    assert (odds["attack"], odds["defence"], odds["odds_final"]) == (15, 5, 2)
    assert forecast.attack == ((15, 1.0),)  # type: ignore[union-attr]
    assert forecast.columns == (("2-1", 1.0),)  # type: ignore[union-attr]


@rule("a_victory_lost", "9.4.1")
def test_every_die_counts_and_is_as_likely_as_the_others() -> None:
    table = attack({"su-1gm": "1008"}, {"su-1gm": "9-9", "ge-6pz": "9-3"}).do("fight")
    assert table.offered("roll") == set("123456")
    seen = []
    for die in range(1, 7):
        table = attack({"su-1gm": "1008"}, {"su-1gm": "9-9", "ge-6pz": "9-3"}).do("fight", f"roll {die}")
        seen.append(table.events("result")[0]["result"])
    crt = plain_game().data.crt
    assert seen == [crt.result(3, die) for die in range(1, 7)]


STACK = {"ge-6pz": "0908", "ge-23pz": "0908"}
STACK_STRENGTHS = {"su-1gm": "50-9", "ge-6pz": "9-3", "ge-23pz": "9-2"}


@rule("a_victory_lost", "9.4.1", "9.4.2")
def test_three_steps_then_a_retreat_of_two_hexes() -> None:
    """The book's 3DR2."""
    table = attack({"su-1gm": "1008"}, STACK_STRENGTHS, STACK).do("fight", "roll 3")
    assert (table.asked, table.actor) == ("lose-step", "axis")
    table.do("lose ge-6pz", "lose ge-23pz")
    assert table.asked == "lose-step"
    table.do("lose ge-6pz")
    assert table.where("ge-6pz") == "dead"
    assert table.steps("ge-23pz") == 1
    table.do("fall-back ge-23pz 0808")
    assert table.asked == "fall-back"
    table.do("fall-back ge-23pz 0708")
    assert (table.asked, table.where("ge-23pz")) == ("advance-unit", "0708")


@rule("a_victory_lost", "9.4.2")
def test_a_dead_unit_takes_no_more_losses() -> None:
    table = attack({"su-1gm": "1008"}, STACK_STRENGTHS, STACK).do("fight", "roll 3")
    table.do("lose ge-6pz", "lose ge-6pz")
    assert table.refused("lose ge-6pz") == ("not-affected", "9.4.2")
    assert table.offered("lose") == {"ge-23pz"}


@rule("a_victory_lost", "9.4.2")
def test_losses_of_all_that_there_is_leave_no_choice() -> None:
    table = attack({"su-1gm": "1008"}, STACK_STRENGTHS, STACK).do("fight", "roll 6")  # 4DR2
    assert table.where("ge-6pz") == table.where("ge-23pz") == "dead"
    assert table.asked == "advance-unit"
    table = attack({"su-1gm": "1008"}, STACK_STRENGTHS | {"ge-6pz": "9-3/3-2"}, STACK, reduced=["ge-6pz"])
    table.do("fight", "roll 3")
    assert table.where("ge-6pz") == table.where("ge-23pz") == "dead"  # 3DR2 on three steps


@rule("a_victory_lost", "9.4.2")
def test_a_unit_without_a_reduced_side_is_eliminated_by_its_first_loss() -> None:
    strengths = {"su-1gm": "15-9", "ge-6pz": "9-3/-"}
    table = attack({"su-1gm": "1008"}, strengths).do("fight", "roll 4")  # 1DR at 5-1
    assert table.where("ge-6pz") == "dead"
    table = attack({"su-1gm": "1008"}, strengths | {"ge-6pz": "9-3/2-2"}).do("fight", "roll 4")
    assert table.steps("ge-6pz") == 1


@rule("a_victory_lost", "9.4.1", "9.4.2")
def test_two_steps_of_the_attacker_fall_on_whomever_he_likes_and_the_defender_stays() -> None:
    soviets = {"su-1gm": "1008", "su-2gm": "1007"}
    strengths = {"su-1gm": "5-9", "su-2gm": "5-9", "ge-6pz": "9-10"}
    table = attack(soviets, strengths).do("fight", "roll 1")  # A2
    table.do("lose su-1gm", "lose su-2gm")
    assert (table.steps("su-1gm"), table.steps("su-2gm")) == (1, 1)
    assert (table.where("ge-6pz"), table.steps("ge-6pz")) == ("0908", 2)
    assert table.asked == "choose-target"
    strengths |= {"su-1gm": "5-9/5-5", "su-2gm": "5-9/5-5"}
    table = attack(soviets, strengths, reduced=["su-1gm", "su-2gm"]).do("fight", "roll 1")
    assert table.where("su-1gm") == table.where("su-2gm") == "dead"


@rule("a_victory_lost", "9.4.1")
def test_no_effect_is_no_effect() -> None:
    germans = {"ge-6pz": "0908", "hq-4pza": "0908"}
    table = attack({"su-1gm": "1008", "hq-51a": "1008"}, {"su-1gm": "12-9", "ge-6pz": "9-3"}, germans)
    before = list(table.state.where), bytes(table.state.steps)
    table.do("fight", "roll 1")
    assert (list(table.state.where), bytes(table.state.steps)) == before
    assert table.asked == "choose-target"
