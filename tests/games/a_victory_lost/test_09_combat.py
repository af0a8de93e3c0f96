"""9.0 to 9.4: attacks, odds, losses."""

from __future__ import annotations

import pytest

from grognard.games.a_victory_lost.data import read_result
from grognard.games.a_victory_lost.rules.odds import IMPOSSIBLE
from grognard.mechanics.odds import halved_odds, halved_odds_name
from tests.games.a_victory_lost.table import Table, real_game
from tests.rules import rule

DUEL = {"su-1gm": "0808", "ge-6pz": "0908"}


def duel(attack: int, defence: int, **more: object) -> Table:
    """A Soviet unit on 0808 and a German on 0908 with these strengths; the attack has been put together."""
    strengths = {"su-1gm": f"{attack}-9", "ge-6pz": f"9-{defence}"}
    table = Table("soviet-combat", DUEL, strengths=strengths, **more)  # type: ignore[arg-type]
    return table.do("target 0908", "join su-1gm")


@rule("a_victory_lost", "9.0")
def test_empty_hexes_and_lone_hqs_are_not_attacked() -> None:
    table = Table("soviet-combat", {"su-1gm": "0808", "hq-4pza": "0908"})
    assert table.refused("target 0809") == ("nobody-to-attack", "9.0")
    assert table.refused("target 0908") == ("hq-alone", "9.0")


@rule("a_victory_lost", "9.0", "9.1.1")
def test_only_activated_units_next_to_the_target_attack() -> None:
    units = {"su-1gm": "0808", "su-2gm": "0807", "su-91": "0705", "ge-6pz": "0908"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "50-9"}, activated=["su-1gm", "su-91"])
    table.do("target 0908")
    assert table.offered("join") == {"su-1gm"}
    assert table.refused("join su-2gm") == ("not-activated", "9.1.1")
    assert table.refused("join su-91") == ("not-next-to-target", "9.0")


@rule("a_victory_lost", "9.1", "9.1.1")
def test_a_unit_fights_once_in_a_sequence() -> None:
    units = {"su-1gm": "0808", "ge-6pz": "0908", "ge-23pz": "0807", "su-2gm": "0806"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "20-9", "su-2gm": "20-9", "ge-6pz": "4-4"})
    table.do("target 0908", "join su-1gm", "fight", "roll 1")
    table.do("target 0807")
    assert table.refused("join su-1gm") == ("fought-already", "9.1.1")


@rule("a_victory_lost", "9.1.2")
def test_nobody_has_to_attack() -> None:
    table = Table("soviet-combat", DUEL).do("end")
    assert table.asked != "choose-target"


@rule("a_victory_lost", "9.1.3")
def test_stacked_units_may_attack_different_hexes() -> None:
    units = {"su-1gm": "0808", "su-2gm": "0808", "ge-6pz": "0908", "ge-23pz": "0807"}
    strong = {"su-1gm": "20-9", "su-2gm": "20-9", "ge-6pz": "4-4", "ge-23pz": "4-4"}
    table = Table("soviet-combat", units, strengths=strong)
    table.do("target 0908", "join su-1gm", "fight", "roll 1", "target 0807", "join su-2gm", "fight", "roll 1")
    assert len(table.events("attack")) == 2


@rule("a_victory_lost", "9.1.3")
def test_one_attack_is_against_one_hex() -> None:
    from grognard.kernel import IllegalActionError

    table = Table("soviet-combat", DUEL | {"ge-23pz": "0807"}, strengths={"su-1gm": "50-9"})
    order = {"order": "attack", "targets": ["0908", "0807"], "units": ["su-1gm"]}
    with pytest.raises(IllegalActionError, match=r"9\.1\.3"):
        list(table.game.expand(table.state, order))


@rule("a_victory_lost", "9.1.4")
def test_a_hex_is_attacked_once_in_a_sequence() -> None:
    units = DUEL | {"su-2gm": "0907"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "20-9", "su-2gm": "20-9", "ge-6pz": "9-5"})
    table.do("target 0908", "join su-1gm", "fight", "roll 1")
    assert table.refused("target 0908") == ("attacked-already", "9.1.4")


@rule("a_victory_lost", "9.1.4")
def test_units_of_several_hexes_attack_together() -> None:
    units = DUEL | {"su-2gm": "0907", "su-3gm": "0907"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "5-9", "su-2gm": "6-6", "su-3gm": "7-7"})
    table.do("target 0908", "join su-1gm", "join su-2gm", "join su-3gm")
    assert table.refused("join su-2gm") == ("joined-already", "9.1.3")
    assert table.odds().attack == 18


@rule("a_victory_lost", "9.1.5")
def test_a_stack_defends_together() -> None:
    units = DUEL | {"ge-23pz": "0908"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "20-9", "ge-6pz": "9-5", "ge-23pz": "9-3"})
    assert table.do("target 0908", "join su-1gm").odds().defence == 8


@rule("a_victory_lost", "9.1.6")
def test_nobody_attacks_across_an_impassable_side() -> None:
    units = DUEL | {"su-2gm": "0907"}
    table = Table("soviet-combat", units, sides={"0808/0908": "impassable"}, strengths={"su-2gm": "50-9"})
    table.do("target 0908")
    assert table.refused("join su-1gm") == ("impassable-between", "9.1.6")
    assert table.offered("join") == {"su-2gm"}


@rule("a_victory_lost", "9.2")
def test_declaration_odds_die() -> None:
    table = duel(9, 3)
    assert table.asked == "build-attack"
    table.do("fight")
    assert [e.kind for e in table.state.log or []] == ["attack", "odds"]
    assert table.actor == "chance"
    table.do("roll 1")
    assert table.events("result") == [{"die": 1, "result": "A1", "odds": 3}]


@rule("a_victory_lost", "9.2")
def test_an_attack_needs_attackers() -> None:
    table = Table("soviet-combat", DUEL, strengths={"su-1gm": "50-9"}).do("target 0908")
    assert table.refused("fight") == ("no-attackers", "9.2")


@rule("a_victory_lost", "9.3", "9.3.2")
@pytest.mark.parametrize(
    ("attack", "defence", "odds"),
    [(15, 5, "3-1"), (26, 9, "2-1"), (12, 7, "1.5-1"), (18, 13, "1-1"), (25, 2, "12-1")],
)
def test_the_examples_of_the_book(attack: int, defence: int, odds: str) -> None:
    table = duel(attack, defence)
    assert (table.odds().attack, table.odds().defence) == (attack, defence)
    assert halved_odds_name(table.odds().final) == odds


@rule("a_victory_lost", "9.3.1")
def test_only_those_behind_a_river_are_halved_bridge_or_not() -> None:
    for sides in ({"0808/0908": "river"}, {"0808/0908": "major_river+bridge"}):
        units = DUEL | {"su-2gm": "0907"}
        strengths = {"su-1gm": "9-9", "su-2gm": "6-6", "ge-6pz": "3-3"}
        table = Table("soviet-combat", units, sides=sides, strengths=strengths)
        table.do("target 0908", "join su-1gm", "join su-2gm")
        assert table.odds().attack == 4 + 6


@rule("a_victory_lost", "9.3.1", "10.2.2")
def test_units_out_of_supply_attack_at_half_and_defend_in_full() -> None:
    assert duel(9, 3, unsupplied=["su-1gm"]).odds().attack == 4
    assert duel(9, 3, unsupplied=["ge-6pz"]).odds().defence == 3


@rule("a_victory_lost", "9.3.1", "10.2.3")
def test_isolated_units_attack_and_defend_at_half() -> None:
    assert duel(9, 2, isolated=["su-1gm"]).odds().attack == 4
    assert duel(9, 5, isolated=["ge-6pz"]).odds().defence == 2


@rule("a_victory_lost", "9.3.1")
def test_river_and_supply_make_a_quarter() -> None:
    assert duel(11, 1, sides={"0808/0908": "river"}, unsupplied=["su-1gm"]).odds().attack == 2


@rule("a_victory_lost", "9.3.1")
def test_isolated_defenders_of_a_stack_are_added_up_before_they_are_halved() -> None:
    units = DUEL | {"ge-23pz": "0908"}
    strengths = {"su-1gm": "30-9", "ge-6pz": "9-5", "ge-23pz": "9-3"}
    table = Table("soviet-combat", units, strengths=strengths, isolated=["ge-6pz", "ge-23pz"])
    assert table.do("target 0908", "join su-1gm").odds().defence == 4


@rule("a_victory_lost", "9.3.3")
def test_rough_ground_and_a_victory_city_shift_two_columns() -> None:
    table = duel(15, 5, terrain={"0908": "rough+victory_city"})
    odds = table.odds()
    assert halved_odds_name(odds.initial) == "3-1"
    assert halved_odds_name(odds.final) == "1.5-1"
    assert sorted(s.code for s in odds.shifts) == ["rough", "victory_city"]


@rule("a_victory_lost", "9.3.3")
def test_above_ten_to_one_a_shift_is_one_whole_odds() -> None:
    table = duel(24, 2, terrain={"0908": "woods"})
    assert halved_odds_name(table.odds().initial) == "12-1"
    assert halved_odds_name(table.odds().final) == "11-1"


@rule("a_victory_lost", "9.3.4")
def test_below_one_to_one_there_is_no_attack() -> None:
    table = Table("soviet-combat", DUEL, strengths={"su-1gm": "4-9", "ge-6pz": "9-5"})
    assert table.refused("target 0908") == ("odds-too-low", "9.3.4")
    table = Table(
        "soviet-combat", DUEL, strengths={"su-1gm": "5-9", "ge-6pz": "9-5"}, terrain={"0908": "rough"}
    )
    assert table.refused("target 0908") == ("shifted-too-low", "9.3.4")
    units = DUEL | {"su-2gm": "0808"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "4-9", "su-2gm": "4-4", "ge-6pz": "9-5"})
    table.do("target 0908", "join su-1gm")
    assert table.refused("fight") == ("odds-too-low", "9.3.4")
    assert table.do("join su-2gm").refusal("fight") is None


@rule("a_victory_lost", "9.3.4")
def test_above_ten_to_one_the_last_column_is_read() -> None:
    table = duel(50, 2).do("fight", "roll 1")
    assert table.events("result") == [{"die": 1, "result": "2DR2", "odds": 10}]


@rule("a_victory_lost", "9.3.5")
def test_a_defence_of_nothing_is_fought_on_the_last_column_whatever_the_ground() -> None:
    table = duel(1, 1, isolated=["ge-6pz"], terrain={"0908": "rough+victory_city"})
    assert table.odds().defence == 0
    assert table.odds().final == 10
    assert table.odds().shifts == ()


def test_the_ladder_of_odds() -> None:
    assert [halved_odds(n, 10) for n in (9, 10, 14, 15, 19, 20, 29, 30, 125)] == [-1, 0, 0, 1, 1, 2, 2, 3, 12]
    assert IMPOSSIBLE == -1


@rule("a_victory_lost", "9.4", "9.4.1")
@pytest.mark.parametrize(
    ("cell", "meaning"),
    [
        ("-", (0, 0, 0)),
        ("A1", (1, 0, 0)),
        ("A2", (2, 0, 0)),
        ("DR", (0, 0, 1)),
        ("DR2", (0, 0, 2)),
        ("3DR2", (0, 3, 2)),
        ("1DR", (0, 1, 1)),
        ("4", (0, 4, 0)),
    ],
)
def test_results_are_steps_and_hexes(cell: str, meaning: tuple[int, int, int]) -> None:
    assert tuple(read_result(cell)) == meaning


@rule("a_victory_lost", "9.4.1")
def test_the_table_has_a_result_for_every_die_and_favours_the_higher_odds() -> None:
    crt = real_game().data.crt
    assert crt.columns == list(range(11))
    for die in range(1, 7):
        for column in range(10):
            left, right = (read_result(crt.result(c, die)) for c in (column, column + 1))
            assert left.attacker >= right.attacker
            assert left.defender + left.retreat <= right.defender + right.retreat


@rule("a_victory_lost", "9.4.1")
def test_an_attacker_pays_with_one_of_the_units_that_attacked() -> None:
    units = DUEL | {"su-2gm": "0808", "su-91": "0808"}
    units["su-91"] = "0807"
    table = Table("soviet-combat", units, strengths={"su-1gm": "5-9", "su-2gm": "5-5", "ge-6pz": "9-10"})
    table.do("target 0908", "join su-1gm", "join su-2gm", "fight", "roll 2")  # A1
    assert (table.asked, table.actor) == ("lose-step", "soviet")
    assert table.offered("lose") == {"su-1gm", "su-2gm"}
    assert table.refused("lose su-91") == ("not-affected", "9.4.2")
    table.do("lose su-2gm")
    assert table.steps("su-2gm") == 1
    assert table.asked == "choose-target"


@rule("a_victory_lost", "9.4.2")
@pytest.mark.parametrize(
    ("choice", "steps"), [(("ge-6pz", "ge-23pz"), (1, 1)), (("ge-6pz", "ge-6pz"), (0, 2))]
)
def test_the_owner_shares_out_losses_as_he_likes(choice: tuple[str, str], steps: tuple[int, int]) -> None:
    units = DUEL | {"ge-23pz": "0908"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "50-9", "ge-6pz": "9-3", "ge-23pz": "9-2"})
    table.do("target 0908", "join su-1gm", "fight", "roll 1")  # 2DR2
    assert (table.asked, table.actor) == ("lose-step", "axis")
    table.do(*(f"lose {unit}" for unit in choice))
    assert (table.steps("ge-6pz"), table.steps("ge-23pz")) == steps


@rule("a_victory_lost", "9.4.2")
def test_a_lone_full_unit_that_owes_two_steps_is_eliminated() -> None:
    table = duel(50, 2).do("fight", "roll 1")
    assert table.where("ge-6pz") == "dead"
