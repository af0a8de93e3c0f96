"""7.0 Command: selection, draws, activation."""

from __future__ import annotations

import pytest

from grognard.games.a_victory_lost.rules.command import command_area, led_area
from grognard.games.a_victory_lost.state import AXIS, SOVIET
from tests.games.a_victory_lost.table import Table
from tests.games.table_base import shown_groups, shown_part
from tests.rules import rule

SOVIET_FIVE = ["1gda", "2gda", "3gda", "5tka", "popov"]
AXIS_FIVE = ["4pza", "hollidt", "it8a", "h2a", "r3a"]


def command(turn: int = 3, **more: object) -> Table:
    return Table("command", {}, turn=turn, axis_chits=AXIS_FIVE, soviet_chits=SOVIET_FIVE, **more)  # type: ignore[arg-type]


@rule("a_victory_lost", "7.0")
def test_units_act_only_when_an_hq_has_activated_them() -> None:
    units = {"hq-4pza": "0808", "ge-6pz": "0809", "ge-23pz": "1808", "su-91": "1908"}
    table = Table("draw", units, cup=["4pza"]).do("draw chit-4pza")
    assert table.refused("pick ge-23pz") == ("not-activated", "7.0")
    table.do("pick ge-6pz", "halt", "end")
    assert table.refused("target 1908") == ("nobody-can-attack", "9.1.1")


@rule("a_victory_lost", "7.1", "7.1.1")
def test_all_of_a_sides_chits_may_be_selected_every_turn() -> None:
    table = command()
    assert (table.asked, table.actor) == ("select-soviet-chits", "soviet")
    assert table.offered("select") == {f"chit-{n}" for n in SOVIET_FIVE}
    assert table.refused("select chit-4pza") == ("not-your-chit", "7.1.1")
    table.do("select chit-1gda", "select chit-2gda", "select chit-popov")
    assert (table.asked, table.actor) == ("select-axis-chits", "axis")
    assert table.offered("select") == {f"chit-{n}" for n in AXIS_FIVE}


@rule("a_victory_lost", "7.1.2")
def test_the_soviets_select_stavka_and_three_others() -> None:
    table = command()
    assert table.refused("select chit-stavka") == ("chit-taken", "7.1.2")  # it goes without saying
    table.do("select chit-1gda", "select chit-2gda", "select chit-popov")
    table.do(*(f"select chit-{name}" for name in AXIS_FIVE[: table.game.data.axis_chits[table.state.turn]]))
    assert table.chits(table.state.chosen[SOVIET]) == {"stavka", "1gda", "2gda", "popov"}


@rule("a_victory_lost", "7.1.2")
def test_the_axis_selects_as_many_as_the_track_says() -> None:
    for turn, number in ((2, 3), (3, 4)):
        table = command(turn)
        assert table.game.data.axis_chits[turn] == number
        table.do("select chit-1gda", "select chit-2gda", "select chit-popov")
        for name in AXIS_FIVE[:number]:
            assert table.asked == "select-axis-chits"
            table.do(f"select chit-{name}")
        # everything is in one cup; with no HQ on the map, the draws come to nothing
        assert table.actor == "chance"
        assert table.chits(table.state.cup) == {"stavka", "1gda", "2gda", "popov", *AXIS_FIVE[:number]}


@rule("a_victory_lost", "7.1.2")
def test_the_track_runs_from_3_to_6() -> None:
    numbers = [number for _, number in sorted(command().game.data.axis_chits.items())]
    assert (min(numbers), max(numbers)) == (3, 6)


@rule("a_victory_lost", "7.1.2")
def test_a_side_with_too_few_chits_selects_what_it_has() -> None:
    table = Table("command", {}, turn=3, axis_chits=["4pza"], soviet_chits=["1gda"])
    assert table.chits(table.state.cup) == {"4pza", "1gda", "stavka"}


@rule("a_victory_lost", "7.2", "7.2.1")
def test_the_owner_of_the_chit_is_the_active_player_and_the_chit_is_used_up() -> None:
    units = {"hq-4pza": "0808", "ge-6pz": "0809", "hq-51a": "1808", "su-91": "1908"}
    table = Table("draw", units, cup=["4pza", "51a"]).do("draw chit-51a")
    assert (table.asked, table.actor) == ("pick-unit", "soviet")
    assert table.refused("pick ge-6pz") == ("not-yours", "8.0")
    assert table.chits(table.state.played) == {"51a"}
    table.do("end", "end", "draw chit-4pza")
    assert (table.asked, table.actor) == ("pick-unit", "axis")
    assert table.refused("pick hq-51a") == ("not-yours", "8.0")


@rule("a_victory_lost", "7.2.1", "7.3.1")
def test_an_hq_activates_no_other_hq() -> None:
    units = {"hq-4pza": "0808", "hq-kempf": "0809", "ge-6pz": "0809"}
    table = Table("draw", units, cup=["4pza"]).do("draw chit-4pza")
    assert table.refused("pick hq-kempf") == ("hq-not-activated", "7.3.2")
    assert table.refusal("pick hq-4pza") is None


STAVKA = {"hq-51a": "1808", "su-91": "1908", "hq-2gda": "1802", "su-98": "1902", "su-387": "1005"}


@rule("a_victory_lost", "7.2.2", "7.3.2")
def test_stavka_activates_all_soviet_hqs_at_once() -> None:
    table = Table("draw", STAVKA, cup=["stavka"]).do("draw chit-stavka")
    assert table.activated() == {"su-91", "su-98"}
    assert table.refusal("pick hq-51a") is None
    assert table.refusal("pick hq-2gda") is None
    # one movement sequence for all, each unit once
    table.do("pick su-91", "halt", "pick su-98", "halt")
    assert table.refused("pick su-91") == ("moved-already", "8.1.1")
    table.do("end")
    assert table.asked == "choose-target"


@rule("a_victory_lost", "7.2.2")
def test_stavka_activates_the_28th_army_in_its_box() -> None:
    table = Table("draw", STAVKA, in_box=["hq-28a", "su-34g"], cup=["stavka"]).do("draw chit-stavka")
    assert table.activated() == {"su-91", "su-98", "su-34g"}


MANSTEIN = {"hq-4pza": "0808", "ge-6pz": "0809", "hq-kempf": "0802", "ge-gd": "0803", "hq-51a": "1808"}


@rule("a_victory_lost", "7.2.2")
def test_manstein_leads_any_axis_hq() -> None:
    table = Table("draw", MANSTEIN, cup=["manstein-1"]).do("draw chit-manstein-1")
    assert (table.asked, table.actor) == ("play-manstein", "axis")
    assert table.offered("lead") == {"hq-4pza", "hq-kempf"}
    assert table.refused("lead hq-51a") == ("not-an-hq", "7.2.2")
    assert table.refused("lead hq-1pza") == ("not-an-hq", "7.2.2")  # it is not in the game yet
    assert table.do("lead hq-kempf").activated() == {"ge-gd"}


@rule("a_victory_lost", "7.3.1", "7.3.2")
def test_the_log_says_how_many_combat_units_an_hq_activates() -> None:
    units = {"hq-4pza": "0808", "ge-6pz": "0808", "ge-62": "0807", "ge-23pz": "0907"}
    table = Table("draw", units, cup=["4pza"]).do("draw chit-4pza")
    assert table.events("activation")[0]["number"] == 3


@rule("a_victory_lost", "7.2.1")
def test_no_chit_is_in_play_until_the_next_is_drawn() -> None:
    table = Table("draw", MANSTEIN, cup=["4pza", "kempf"])
    for chit in ("chit-4pza", "chit-kempf"):
        table.do(f"draw {chit}")
        assert shown_groups(table.game, table.state, "chit-in-play")["in-play"] == [chit]
        table.do("end", "end")
        assert not shown_groups(table.game, table.state, "chit-in-play")["in-play"]


@rule("a_victory_lost", "7.2.2")
def test_manstein_may_be_put_back_but_not_twice_running() -> None:
    table = Table("draw", MANSTEIN, cup=["manstein-1", "manstein-2", "4pza"])
    table.do("draw chit-manstein-1", "put-back")
    assert table.actor == "chance"
    assert table.offered("draw") == {"chit-manstein-1", "chit-manstein-2", "chit-4pza"}
    table.do("draw chit-manstein-2")  # the other one counts as well
    assert table.refused("put-back") == ("put-back-once", "7.2.2")
    table.do("lead hq-4pza", "end", "end", "draw chit-manstein-1")
    assert table.refusal("put-back") is None  # something else was played in between


@rule("a_victory_lost", "7.2.2")
def test_after_another_chit_manstein_may_be_put_back_again() -> None:
    table = Table("draw", MANSTEIN, cup=["manstein-1", "4pza"])
    table.do("draw chit-manstein-1", "put-back", "draw chit-4pza", "end", "end", "draw chit-manstein-1")
    table.do("put-back", "draw chit-manstein-1")
    assert table.refused("put-back") == ("put-back-once", "7.2.2")


@rule("a_victory_lost", "7.3", "7.3.2")
def test_names_and_colours_do_not_matter_for_activation() -> None:
    units = {"hq-51a": "1808", "su-91": "1908", "su-3g": "1807", "su-25g": "1709"}  # 51A, 2GdA, 40A
    table = Table("draw", units, cup=["51a"]).do("draw chit-51a")
    assert table.activated() == {"su-91", "su-3g", "su-25g"}


@rule("a_victory_lost", "7.3.2")
def test_a_unit_may_be_activated_again_by_another_hq() -> None:
    units = {"hq-4pza": "0808", "hq-kempf": "0811", "ge-6pz": "0809"}
    table = Table("draw", units, cup=["4pza", "kempf"])
    table.do("draw chit-4pza", "pick ge-6pz", "step 0810", "halt", "end", "end")
    table.do("draw chit-kempf", "pick ge-6pz", "step 0811", "halt")
    assert table.where("ge-6pz") == "0811"


@rule("a_victory_lost", "7.3.3")
def test_the_radius_counts_hexes_from_the_hq() -> None:
    units = {"hq-51a": "1208", "su-91": "1608", "su-126": "1708", "su-302": "1204", "su-87": "1203"}
    table = Table("draw", units, cup=["51a"])
    assert table.game.units[table.unit("hq-51a")].radius == 4
    assert table.do("draw chit-51a").activated() == {"su-91", "su-302"}


@rule("a_victory_lost", "7.3.3")
def test_the_radius_is_fixed_when_the_hq_is_activated() -> None:
    units = {"hq-51a": "1208", "su-91": "1608", "su-126": "1708"}
    table = Table("draw", units, cup=["51a"]).do("draw chit-51a", "pick hq-51a", "step 1308", "halt")
    assert table.refused("pick su-126") == ("not-activated", "7.0")
    table.do("pick su-91", "step 1708", "step 1808", "halt")  # activated, it may leave the radius


@rule("a_victory_lost", "7.2.2", "7.3.3")
def test_the_radius_is_shown_as_it_was_at_the_moment_of_activation() -> None:
    def radius(table: Table) -> set[str]:
        return set(shown_part(table.game, table.state, "radius").hexes)

    table = Table("draw", {"hq-51a": "1208", "su-91": "1608"}, cup=["51a"]).do("draw chit-51a")
    shown = radius(table)
    assert len(shown) == 1 + 6 * (1 + 2 + 3 + 4)
    assert {"1204", "1608"} <= shown and not {"1203", "1708"} & shown
    assert radius(table.do("pick hq-51a", "step 1308", "halt")) == shown
    both = Table("draw", {"hq-51a": "1208", "hq-1gda": "1211", "su-91": "1608"}, cup=["stavka"])
    assert radius(both.do("draw chit-stavka")) > shown


@rule("a_victory_lost", "7.3.4")
def test_the_radius_goes_one_hex_beyond_a_major_river_without_a_bridge() -> None:
    river = {"1208/1308": "major_river", "1208/1309": "major_river"}
    river |= {f"12{r:02}/13{r:02}": "major_river" for r in range(1, 16)}
    river |= {f"12{r:02}/13{r + 1:02}": "major_river" for r in range(1, 16)}
    units = {"hq-51a": "1208", "su-91": "1308", "su-126": "1408"}
    table = Table("draw", units, cup=["51a"], sides=river).do("draw chit-51a")
    assert table.activated() == {"su-91"}
    bridged = river | {"1208/1308": "major_river+bridge"}
    table = Table("draw", units, cup=["51a"], sides=bridged).do("draw chit-51a")
    assert table.activated() == {"su-91", "su-126"}


@rule("a_victory_lost", "7.3.4")
def test_water_and_impassable_sides_stop_the_radius() -> None:
    wall = {f"13{r:02}": "sea" for r in range(1, 17)}
    units = {"hq-51a": "1208", "su-126": "1408"}
    assert not Table("draw", units, cup=["51a"], terrain=wall).do("draw chit-51a").activated()
    shut = {f"12{r:02}/13{r:02}": "impassable" for r in range(1, 17)}
    shut |= {f"12{r:02}/13{r + 1:02}": "impassable" for r in range(1, 16)}
    assert not Table("draw", units, cup=["51a"], sides=shut).do("draw chit-51a").activated()


@rule("a_victory_lost", "7.3.4")
def test_supply_and_enemies_do_not_matter_for_the_radius() -> None:
    units = {"hq-51a": "1208", "su-126": "1508", "ge-6pz": "1308", "ge-23pz": "1407", "ge-62": "1309"}
    table = Table("draw", units, cup=["51a"], isolated=["su-126"]).do("draw chit-51a")
    assert table.activated() == {"su-126"}


@rule("a_victory_lost", "7.3.5")
def test_nations_limit_whom_allied_hqs_activate() -> None:
    units = {"hq-h2a": "0808", "hu-6": "0809", "ro-1": "0708", "it-trd": "0908", "ge-62": "0807"}
    assert Table("draw", units, cup=["h2a"]).do("draw chit-h2a").activated() == {"hu-6", "ge-62"}
    units = {"hq-4pza": "0808", "hu-6": "0809", "ro-1": "0708", "it-trd": "0908", "ge-62": "0807"}
    assert Table("draw", units, cup=["4pza"]).do("draw chit-4pza").activated() == set(units) - {"hq-4pza"}


@rule("a_victory_lost", "7.1.1", "7.2.1")
def test_chits_come_back_to_their_owners_every_turn() -> None:
    table = Table("draw", {}, cup=["4pza", "stavka"], turn=3, soviet_chits=["1gda"])
    table.do("draw chit-4pza", "draw chit-stavka")
    assert table.state.turn == 4
    assert table.chits(table.state.pool[AXIS]) == {"4pza"}
    assert table.chits(table.state.cup) == {"4pza", "1gda", "stavka"}


HQS = {"german": "4pza", "italian": "it8a", "hungarian": "h2a", "romanian": "r3a"}
ONE_OF_EACH = {"ge-62": "0807", "it-cos": "0809", "hu-6": "0707", "ro-1": "0908"}


@rule("a_victory_lost", "7.3.5")
@pytest.mark.parametrize("nation", HQS)
def test_whom_the_hq_of_each_nation_activates(nation: str) -> None:
    chit = HQS[nation]
    table = Table("draw", {f"hq-{chit}": "0808", **ONE_OF_EACH}, cup=[chit]).do(f"draw chit-{chit}")
    own = {"german": set(ONE_OF_EACH), "italian": {"it-cos"}, "hungarian": {"hu-6"}, "romanian": {"ro-1"}}
    assert table.activated() == own[nation] | {"ge-62"}


@rule("a_victory_lost", "11.3", "12.6")
@pytest.mark.parametrize("nation", HQS)
@pytest.mark.parametrize("unit", ONE_OF_EACH)
def test_whose_company_keeps_the_hq_of_each_nation(nation: str, unit: str) -> None:
    chit = HQS[nation]
    table = Table("end-of-turn", {f"hq-{chit}": "0808", unit: "0807"}, axis_chits=[chit])
    prefix = {"german": "", "italian": "it-", "hungarian": "hu-", "romanian": "ro-"}[nation]
    kept = unit.startswith((prefix, "ge-"))
    assert (table.where(f"hq-{chit}") == "0808") == kept
    assert (f"{chit}" in table.chits(table.state.pool[AXIS])) == kept


@rule("a_victory_lost", "7.3.3", "4.1.2")
def test_nobody_is_active_between_two_activations() -> None:
    units = {"hq-4pza": "0808", "ge-6pz": "0808"}
    table = Table("draw", units, cup=["4pza", "hollidt"]).do("draw chit-4pza", "end")
    if table.asked == "choose-target":
        table.do("end")
    assert table.actor == "chance"
    assert not table.state.activated


@rule("a_victory_lost", "7.3.3", "7.3.5")
def test_two_hqs_at_once_refuse_only_whom_neither_commands() -> None:
    units = {"hq-hollidt": "0808", "hq-it8a": "0812", "ro-1": "1808"}
    table = Table("axis-movement", units, activated=["hq-hollidt", "hq-it8a"])
    assert table.refused("pick ro-1") == ("not-activated", "7.0")
    table = Table("axis-movement", units, activated=["hq-it8a"])
    assert table.refused("pick ro-1") == ("not-commanded", "7.3.5")


@rule("a_victory_lost", "7.3.3")
def test_the_ground_that_a_side_leads_is_that_of_all_its_hqs_on_the_map() -> None:
    units = {"hq-4pza": "0808", "hq-hollidt": "1812", "hq-51a": "2303", "ge-6pz": "2412"}
    table = Table("axis-movement", units)
    game, state = table.game, table.state
    first, second = (game.unit_index(id_) for id_ in ("hq-4pza", "hq-hollidt"))
    led = command_area(game, first, state.where[first]) | command_area(game, second, state.where[second])
    assert led_area(game, state, AXIS) == led
