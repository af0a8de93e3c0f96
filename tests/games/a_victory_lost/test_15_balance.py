"""15.0 in the corners: each option does what it says, and nothing while it is off."""

from __future__ import annotations

import pytest

from grognard.games.a_victory_lost.state import AXIS, SOVIET
from tests.games.a_victory_lost.table import Table, real_game
from tests.games.table_base import shown_groups, shown_part
from tests.rules import rule

AXIS_FIVE = ["4pza", "hollidt", "it8a", "h2a", "r3a"]
SOVIET_FIVE = ["1gda", "2gda", "3gda", "5tka", "popov"]


def draw_all(table: Table) -> Table:
    """Empty the cup: no HQ is on the map, so the draws come to nothing."""
    while table.actor == "chance":
        table.do(sorted(table.options)[0])
    return table


def command(turn: int, *options: str, **more: object) -> Table:
    return Table("command", {}, turn=turn, options=options, **more)  # type: ignore[arg-type]


@rule("a_victory_lost", "15.0")
def test_an_option_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no option"):
        real_game().start("campaign", {"more_panzers": True})


@rule("a_victory_lost", "15.0", "15.0.1")
def test_panzer_points_change_the_german_mechanised_only() -> None:
    for unit, points in (("ge-6pz", 5), ("ge-62", 1), ("hu-1tk", 0), ("su-17tk", 0)):
        table = Table(
            "end-of-turn", {unit: "1208"}, turn=9, unsupplied=[unit], options=["panzer_points"], points=(9, 0)
        )
        assert table.points == (10 if unit == "su-17tk" else 9, points)


@rule("a_victory_lost", "15.0.1")
def test_the_administrative_point_is_lost_on_entering_a_zone_even_late_in_the_move() -> None:
    units = {"su-17tk": "1408", "ge-6pz": "0808"}  # 9 points, 10 with the bonus
    table = Table("soviet-movement", units, options=["administrative_movement"]).do("pick su-17tk")
    table.do("step 1308", "step 1208", "step 1108", "step 1008")
    assert table.left == 6
    table.do("step 0908")  # in the zone: 1 + 2, and the bonus gone
    assert table.left == 9 - 4 - 3


@rule("a_victory_lost", "15.0.1")
def test_the_administrative_point_serves_to_the_end_away_from_zones() -> None:
    table = Table("soviet-movement", {"su-91": "1208", "hq-51a": "1209"}, options=["administrative_movement"])
    table.do("pick su-91", *(f"step 12{r:02}" for r in (7, 6, 5, 4, 3, 2)))
    assert table.where("su-91") == "1202"
    assert table.asked == "pick-unit"
    assert table.do("pick hq-51a").left == 9


@rule("a_victory_lost", "15.0.1", "11.2.2")
def test_units_that_come_from_the_box_have_the_administrative_point_too() -> None:
    def entered(foes: dict[str, str]) -> Table:
        table = Table(
            "draw",
            foes,
            turn=5,
            in_box=["hq-28a", "su-34g"],
            cup=["28a"],
            options=["administrative_movement"],
        )
        return table.do("draw chit-28a")

    assert entered({}).do("enter su-34g 1716").left == 5
    assert entered({"ge-62": "1715"}).do("enter su-34g 1716").left == 5 - 1 - 2
    table = Table(
        "draw",
        {"ge-62": "1715"},
        turn=5,
        in_box=["hq-28a", "su-34g"],
        isolated=["su-34g"],
        cup=["28a"],
        options=["administrative_movement"],
    ).do("draw chit-28a")
    # of 2 + 1 points, the bonus does not help to pay 1 + 2 in a zone
    assert table.refused("enter su-34g 1716") == ("bonus-lost", "15.0.1")


@rule("a_victory_lost", "15.0.1", "11.2.1")
def test_the_late_army_goes_to_its_box_on_turn_5_with_its_chit() -> None:
    army = {"hq-1pza": 5, "ge-3pz": 5}
    for options, place in ((["late_first_panzer_army"], "in box"), ([], "to come")):
        table = Table(
            "end-of-turn",
            {"ge-6pz": "0208"},
            turn=5,
            to_come=army,
            options=options,
            sides={"0108/0208": "rail"},
        )
        if place == "in box":
            assert table.where("hq-1pza") == table.where("ge-3pz") == "in box"
            assert "1pza" in table.chits(table.state.pool[AXIS])
        else:  # a turn that is not its own: by rail
            assert table.asked == "choose-arrival"
    game = real_game()
    state = game.start("campaign", {"late_first_panzer_army": True})
    late = {u.id for i, u in enumerate(game.units) if state.due[i] != u.turn}
    assert late == {u.id for u in game.units if u.axis and u.box}


@rule("a_victory_lost", "15.0.2", "11.1.2")
def test_an_early_manstein_does_not_come_twice() -> None:
    table = Table("end-of-turn", {}, turn=4, options=["early_manstein"])
    assert table.chits(table.state.pool[AXIS]) == set()
    table = command(4, "early_manstein", axis_chits=AXIS_FIVE, soviet_chits=["1gda"])
    assert table.chits(table.state.pool[AXIS]) == {*AXIS_FIVE, "manstein-1"}
    for turn in (3, 5):
        table = command(turn, "early_manstein", axis_chits=AXIS_FIVE, soviet_chits=["1gda"])
        assert table.chits(table.state.pool[AXIS]) == set(AXIS_FIVE)


@rule("a_victory_lost", "15.0.2")
def test_the_plan_of_a_turn_is_its_selection_and_is_made_anew() -> None:
    table = command(1, "soviets_plan_ahead", axis_chits=["4pza"], soviet_chits=SOVIET_FIVE)
    assert table.asked == "select-soviet-chits"  # turn 1 as usual
    table.do("select chit-1gda", "select chit-2gda", "select chit-3gda")
    table.do("plan chit-1gda", "plan chit-5tka")
    assert table.refused("plan chit-5tka") == ("chit-taken", "15.0.2")
    assert table.refused("plan chit-4pza") == ("not-your-chit", "15.0.2")
    table.do("plan chit-popov")
    assert table.chits(table.state.cup) == {"4pza", "stavka", "1gda", "2gda", "3gda"}
    draw_all(table)
    assert (table.state.turn, table.asked) == (2, "plan-soviet-chits")
    assert table.offered("plan") == {f"chit-{n}" for n in SOVIET_FIVE}
    table.do("plan chit-2gda", "plan chit-3gda", "plan chit-5tka")
    assert table.chits(table.state.cup) == {"4pza", "stavka", "1gda", "5tka", "popov"}
    draw_all(table)
    assert table.chits(table.state.chosen[SOVIET]) == {"stavka", "2gda", "3gda", "5tka"}


@rule("a_victory_lost", "15.0.2")
def test_nothing_is_planned_on_the_last_turn() -> None:
    table = command(8, "soviets_plan_ahead", axis_chits=["4pza"], soviet_chits=SOVIET_FIVE)
    assert table.asked == "plan-soviet-chits"
    table.do("plan chit-1gda", "plan chit-2gda", "plan chit-3gda")
    shown = shown_groups(table.game, table.state, "chits:soviet", SOVIET)
    assert set(shown["planned"]) == {"chit-1gda", "chit-2gda", "chit-3gda"}
    draw_all(table)
    assert not shown_groups(table.game, table.state, "chits:soviet", SOVIET)["planned"]
    assert table.asked is None  # turn 9 has been played without another question


@rule("a_victory_lost", "15.0.2", "11.3")
def test_a_planned_chit_whose_hq_leaves_is_gone() -> None:
    units = {"hq-1gda": "1808"}
    table = Table(
        "command",
        units,
        turn=5,
        axis_chits=["4pza"],
        soviet_chits=SOVIET_FIVE,
        options=["soviets_plan_ahead"],
    )
    table.do("plan chit-1gda", "plan chit-2gda", "plan chit-3gda")
    while table.state.turn == 5:
        table.do("end" if "end" in table.options else sorted(table.options)[0])
    assert table.where("hq-1gda") == "dead"
    assert table.chits(table.state.chosen[SOVIET]) == {"stavka", "2gda", "3gda"}
    assert "chit-1gda" not in table.offered("plan")


@rule("a_victory_lost", "15.0.2", "11.3")
def test_nothing_is_selected_in_place_of_a_planned_chit_on_turn_2() -> None:
    units = {"hq-1gda": "1808"}
    table = Table(
        "command",
        units,
        turn=1,
        axis_chits=["4pza"],
        soviet_chits=SOVIET_FIVE,
        options=["soviets_plan_ahead"],
    )
    table.do("select chit-1gda", "select chit-2gda", "select chit-3gda")
    table.do("plan chit-1gda", "plan chit-5tka", "plan chit-popov")
    while table.state.turn == 1:
        table.do("end" if "end" in table.options else sorted(table.options)[-1])
    assert table.where("hq-1gda") == "dead"
    assert table.asked == "plan-soviet-chits"
    assert table.chits(table.state.chosen[SOVIET]) == {"stavka", "5tka", "popov"}


FIRST = {"hq-4pza": "0808", "ge-6pz": "0808", "hq-51a": "1808", "su-91": "1808"}


def first_chit(turn: int = 1, **more: object) -> Table:
    return Table(
        "command",
        FIRST,
        turn=turn,
        axis_chits=AXIS_FIVE,
        soviet_chits=SOVIET_FIVE,
        options=["axis_first_chit"],
        **more,  # type: ignore[arg-type]
    )


@rule("a_victory_lost", "15.0.2", "4.1.2")
def test_special_combat_then_the_first_chit_then_both_select() -> None:
    """The Axis designates one of its five before anything has been selected."""
    table = first_chit()
    assert (table.asked, table.actor) == ("special-combat", "soviet")
    table.do("assault hq-51a", "end")
    assert (table.asked, table.actor) == ("play-first-chit", "axis")
    assert table.offered("play") == {f"chit-{name}" for name in AXIS_FIVE}
    assert table.refused("play chit-1gda") == ("not-your-chit", "15.0.2")
    table.do("play chit-4pza")
    assert table.activated() == {"ge-6pz"}
    table.do("end", "end")
    assert table.asked == "select-soviet-chits"
    assert table.activated() == set()


@rule("a_victory_lost", "15.0.2", "7.1.2")
def test_the_first_chit_does_not_count_among_those_selected_and_is_not_selected_again() -> None:
    table = first_chit().do("pass", "play chit-4pza", "end", "end")
    table.do("select chit-1gda", "select chit-2gda", "select chit-3gda")
    assert table.offered("select") == {"chit-hollidt", "chit-it8a", "chit-h2a", "chit-r3a"}
    assert table.refused("select chit-4pza") == ("chit-played", "15.0.2")
    table.do("select chit-hollidt", "select chit-it8a", "select chit-h2a")  # three, as on the turn track
    assert table.actor == "chance"
    assert table.offered("draw") == {
        f"chit-{name}" for name in ("hollidt", "it8a", "h2a", "stavka", "1gda", "2gda", "3gda")
    }
    table.do("draw chit-hollidt")
    assert table.actor == "chance"  # no second free chit


@rule("a_victory_lost", "15.0.2")
def test_the_first_chit_is_a_matter_of_the_option_and_of_turn_1() -> None:
    plain = Table("command", FIRST, turn=1, axis_chits=["4pza"], soviet_chits=["1gda"])
    assert plain.asked == "special-combat"
    assert plain.do("pass").actor == "chance"
    later = first_chit(2)
    assert later.asked == "select-soviet-chits"


@rule("a_victory_lost", "15.0.2", "7.1.2")
def test_what_the_first_chit_leaves_is_selected_without_asking() -> None:
    table = Table(
        "command",
        FIRST,
        turn=1,
        axis_chits=["4pza", "hollidt"],
        soviet_chits=["1gda"],
        options=["axis_first_chit"],
    )
    table.do("pass", "play chit-4pza", "end", "end")
    assert table.offered("draw") == {"chit-hollidt", "chit-1gda", "chit-stavka"}


@rule("a_victory_lost", "15.0.2", "7.1.3")
def test_the_owner_sees_his_selection_while_the_first_chit_lies_face_up() -> None:
    table = first_chit().do("pass", "play chit-4pza", "end", "end", "select chit-1gda")
    shown = shown_groups(table.game, table.state, "chits:soviet", SOVIET)
    assert set(shown["cup"]) == {"chit-stavka", "chit-1gda"}
    assert shown_part(table.game, table.state, "cup").value == 0
    assert shown_groups(table.game, table.state, "chits:axis", AXIS)["played"] == ["chit-4pza"]


@rule("a_victory_lost", "15.0.2", "7.2.2")
def test_a_manstein_chit_played_by_choice_is_not_put_back() -> None:
    table = Table(
        "command",
        FIRST,
        turn=1,
        axis_chits=["manstein-1", "4pza"],
        soviet_chits=["1gda"],
        options=["axis_first_chit"],
    )
    table.do("pass", "play chit-manstein-1")
    assert table.asked == "play-manstein"
    assert table.refused("put-back") == ("put-back-designated", "15.0.2")
    assert table.do("lead hq-4pza").activated() == {"ge-6pz"}


@rule("a_victory_lost", "15.0.2", "4.1.2")
def test_without_an_axis_chit_the_game_goes_on_after_the_special_combat() -> None:
    table = Table("command", FIRST, turn=1, soviet_chits=["1gda"], options=["axis_first_chit"]).do("pass")
    assert table.offered("draw") == {"chit-1gda", "chit-stavka"}


@rule("a_victory_lost", "15.0.2", "7.3.3")
def test_nobody_is_active_while_chits_are_selected_after_the_first() -> None:
    table = first_chit().do("pass", "play chit-4pza", "end", "end")
    assert table.asked is not None
    assert not table.state.activated
    assert table.state.drawn == -1
