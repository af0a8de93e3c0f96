"""9.5, 9.6 and 12.2 to 12.4 in the corners: ways back, HQs in battle, advances."""

from __future__ import annotations

import pytest

from tests.games.a_victory_lost.table import Table
from tests.rules import rule

DR = "roll 4"
"""At 3-1."""


def battle(
    die: str,
    units: dict[str, str],
    *,
    attack: int = 9,
    defence: str = "9-3",
    strengths: dict[str, str] | None = None,
    **more: object,
) -> Table:
    """The 1st Guards Mechanised in 1008 attacks 0908 and the die falls."""
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", **units},
        strengths={"su-1gm": f"{attack}-9", "ge-6pz": defence, **(strengths or {})},
        **more,  # type: ignore[arg-type]
    )
    return table.do("target 0908", "join su-1gm", "fight", die)


def seas(*hexes: str) -> dict[str, str]:
    return dict.fromkeys(hexes, "sea")


# 9.5 Retreat


@rule("a_victory_lost", "9.5", "9.5.1")
def test_a_retreat_of_two_hexes_takes_two() -> None:
    table = battle("roll 5", {"ge-6pz": "0908"}, attack=15)  # 1DR2
    assert table.offered("fall-back") == {"ge-6pz 0807", "ge-6pz 0808"}
    table.do("fall-back ge-6pz 0807")
    assert table.asked == "fall-back"
    assert table.offered("fall-back") == {"ge-6pz 0707", "ge-6pz 0708"}
    table.do("fall-back ge-6pz 0707")
    assert table.asked == "advance-unit"


@rule("a_victory_lost", "9.5.2")
def test_fewer_zones_come_before_the_way_to_supply() -> None:
    # both hexes towards the source are in a zone, 0907 is not
    table = battle(DR, {"ge-6pz": "0908", "su-91": "0708"})
    assert table.refused("fall-back ge-6pz 0808") == ("fewer-zones", "9.5.2")
    assert table.offered("fall-back") == {"ge-6pz 0907"}


@rule("a_victory_lost", "9.5.2")
def test_the_way_to_supply_comes_before_room() -> None:
    full = {"ge-62": "0808", "ge-294": "0808", "ge-336": "0807", "ge-298": "0807"}
    table = battle(DR, {"ge-6pz": "0908", **full}, terrain=seas("1007"))
    assert table.offered("fall-back") == {"ge-6pz 0807", "ge-6pz 0808"}
    assert table.refused("fall-back ge-6pz 0907") == ("towards-supply", "9.5.2")


@rule("a_victory_lost", "9.5.2")
def test_every_hex_of_the_way_counts_not_only_the_last() -> None:
    """By 0907 and 0808... every step must lead nearer: two steps nearer beat one aside and one nearer."""
    table = battle("roll 5", {"ge-6pz": "0908"}, attack=15)  # 1DR2
    assert table.refused("fall-back ge-6pz 0907") == ("towards-supply", "9.5.2")
    table.do("fall-back ge-6pz 0808")
    assert table.refused("fall-back ge-6pz 0807") == ("towards-supply", "9.5.2")
    assert table.refused("fall-back ge-6pz 0908") == ("no-way-back", "9.5.8")


@rule("a_victory_lost", "9.5.2")
def test_the_soviets_retreat_towards_their_own_source() -> None:
    table = Table(
        "axis-combat",
        {"ge-6pz": "0808", "su-1gm": "0908"},
        strengths={"ge-6pz": "9-9", "su-1gm": "9-3"},
    )
    table.do("target 0908", "join ge-6pz", "fight", DR)
    assert table.actor == "soviet"
    assert table.offered("fall-back") == {"su-1gm 1007", "su-1gm 1008"}


@rule("a_victory_lost", "9.5.2")
def test_the_way_to_supply_leads_round_impassable_sides() -> None:
    walls = {f"07{r:02}/08{r:02}": "impassable" for r in range(5, 17)}
    walls |= {f"07{r + 1:02}/08{r:02}": "impassable" for r in range(4, 16)}
    table = battle(DR, {"ge-6pz": "0908"}, sides=walls)
    assert table.offered("fall-back") == {"ge-6pz 0807", "ge-6pz 0907"}
    assert table.refused("fall-back ge-6pz 0808") == ("towards-supply", "9.5.2")


@rule("a_victory_lost", "9.5.3")
@pytest.mark.parametrize(
    ("foes", "end"),
    [({}, "full"), ({"su-91": "0608"}, "reduced"), ({"su-91": "0608", "su-126": "0809"}, "dead")],
    ids=["no zone", "one zone", "two zones"],
)
def test_every_zone_on_the_way_costs_a_step(foes: dict[str, str], end: str) -> None:
    """The only way is 0808, where a friend stands, then 0708."""
    water = seas("0807", "0907", "0909", "1007", "0709", *({"0809"} - set(foes.values())))
    units = {"ge-6pz": "0908", "ge-62": "0908", "ge-23pz": "0808"}
    strengths = {"ge-6pz": "9-2", "ge-62": "1"}
    table = battle("roll 5", units | foes, attack=15, strengths=strengths, terrain=water)  # 1DR2
    table.do("lose ge-62", "fall-back ge-6pz 0808")
    if table.asked == "fall-back" and table.where("ge-6pz") == "0808":
        table.do("fall-back ge-6pz 0708")
    assert {0: "dead", 1: "reduced", 2: "full"}[table.steps("ge-6pz")] == end


@rule("a_victory_lost", "9.5.3", "14.0.1")
def test_who_dies_on_the_way_in_takes_no_city() -> None:
    others = {"su-91": "0707", "su-126": "0709", "su-87": "0906"}
    table = battle(
        DR,
        {"ge-6pz": "0908", **others},
        reduced=["ge-6pz"],
        defence="9-9/9-3",
        terrain={"0808": "+victory_city"} | seas("0807"),
        soviet_cities=["0808"],
        points=(20, 5),
    )
    table.do("fall-back ge-6pz 0808")
    assert table.where("ge-6pz") == "dead"
    assert table.points == (20, 5 + 3)


@rule("a_victory_lost", "9.5.4")
def test_who_finds_no_room_and_no_way_on_is_eliminated() -> None:
    full = {"ge-62": "0808", "ge-294": "0808"}
    ground = seas("0807", "0907", "0909", "1007", "0708", "0709", "0809")
    table = battle(DR, {"ge-6pz": "0908", **full}, terrain=ground)
    table.do("fall-back ge-6pz 0808")
    assert table.where("ge-6pz") == "dead"
    assert table.where("ge-62") == "0808"


@rule("a_victory_lost", "9.5.4")
def test_two_units_do_not_both_fit_where_there_is_room_for_one() -> None:
    units = {"ge-6pz": "0908", "ge-23pz": "0908", "ge-62": "0808"}
    strengths = {"ge-6pz": "9-2", "ge-23pz": "9-1"}
    table = battle(DR, units, strengths=strengths).do("fall-back ge-6pz 0808")
    assert table.offered("fall-back") == {"ge-23pz 0807"}
    assert table.refused("fall-back ge-23pz 0808") == ("room-first", "9.5.2")


@rule("a_victory_lost", "9.5.6")
def test_a_bridge_may_be_the_second_hex_of_a_retreat() -> None:
    river = dict.fromkeys(("0708/0808", "0709/0808", "0707/0807", "0708/0807"), "major_river")
    bridged = river | {"0708/0808": "major_river+bridge"}
    table = battle("roll 5", {"ge-6pz": "0908"}, attack=15, sides=bridged).do("fall-back ge-6pz 0808")
    assert table.offered("fall-back") == {"ge-6pz 0708"}


@rule("a_victory_lost", "9.5.6", "9.5.8")
def test_behind_a_river_between_zones_a_unit_is_lost() -> None:
    river = dict.fromkeys(
        ("0807/0908", "0808/0908", "0907/0908", "0908/0909", "0908/1007"), "major_river+bridge"
    )
    foes = {"su-91": "0707", "su-126": "0709", "su-3g": "1006", "su-24g": "0910"}
    table = battle(DR, {"ge-6pz": "0908", **foes}, sides=river)
    assert table.where("ge-6pz") == "dead"
    assert table.events("trapped")


@rule("a_victory_lost", "9.5.6")
def test_a_minor_river_is_no_bar_even_between_zones() -> None:
    river = {"0807/0908": "river", "0808/0908": "river"}
    table = battle(DR, {"ge-6pz": "0908", "su-91": "0707", "su-126": "0709", "su-87": "0906"}, sides=river)
    assert table.offered("fall-back") == {"ge-6pz 0807", "ge-6pz 0808"}


@rule("a_victory_lost", "9.5.8", "5.0.2")
def test_a_surrounded_unit_has_no_way_back() -> None:
    ring = {"su-91": "0807", "su-126": "0808", "su-3g": "0907", "su-24g": "0909", "su-33g": "1007"}
    assert battle(DR, {"ge-6pz": "0908", **ring}).where("ge-6pz") == "dead"


@rule("a_victory_lost", "9.5.8")
def test_only_the_unit_without_a_way_is_lost() -> None:
    """The Hungarians find no room among Romanians and nothing beyond; the Germans stay with them."""
    ground = seas("0807", "0907", "0909", "1007", "0708", "0709", "0809")
    units = {"ge-6pz": "0908", "hu-6": "0908", "ro-1": "0808"}
    strengths = {"ge-6pz": "9-2", "hu-6": "1"}
    table = battle(DR, units, terrain=ground, strengths=strengths)
    table.do("fall-back ge-6pz 0808", "fall-back hu-6 0808")
    assert table.where("hu-6") == "dead"
    assert table.where("ge-6pz") == "0808"
    # the other way round, too
    table = battle(DR, units, terrain=ground, strengths=strengths).do("fall-back hu-6 0808")
    assert table.where("hu-6") == "dead"
    assert table.options == {"fall-back ge-6pz 0808"}
    assert table.do("fall-back ge-6pz 0808").where("ge-6pz") == "0808"


# 12.2, 12.3 HQs in battle


@rule("a_victory_lost", "12.3")
def test_the_owner_says_with_whom_the_hq_goes() -> None:
    units = {"ge-6pz": "0908", "ge-23pz": "0908", "hq-4pza": "0908"}
    for choice, place in (("ge-6pz", "0808"), ("ge-23pz", "0807")):
        table = battle(DR, units, strengths={"ge-6pz": "9-2", "ge-23pz": "9-1"})
        table.do("fall-back ge-6pz 0808", "fall-back ge-23pz 0807")
        assert (table.asked, table.actor) == ("hq-goes-with", "axis")
        assert table.offered("go-with") == {"ge-6pz", "ge-23pz"}
        assert table.refused("go-with su-1gm") == ("not-retreating", "12.3")
        assert table.do(f"go-with {choice}").where("hq-4pza") == place


@rule("a_victory_lost", "12.3", "12.2")
def test_with_one_unit_dead_the_hq_goes_with_the_other() -> None:
    units = {"ge-6pz": "0908", "ge-23pz": "0908", "hq-4pza": "0908"}
    table = battle("roll 4", units, attack=15, strengths={"ge-6pz": "9-2/-", "ge-23pz": "9-1"})  # 1DR
    table.do("lose ge-6pz", "fall-back ge-23pz 0808")
    assert table.offered("go-with") == {"ge-23pz"}
    table.do("go-with ge-23pz")
    assert table.where("hq-4pza") == "0808"
    assert not table.events("hq-displaced")


@rule("a_victory_lost", "12.2")
def test_an_hq_stays_where_nobody_retreats() -> None:
    units = {"ge-6pz": "0908", "hq-4pza": "0908"}
    for die in ("roll 1", "roll 3"):  # A1, -
        table = battle(die, units)
        assert table.where("hq-4pza") == "0908"
        assert table.asked == "choose-target"


@rule("a_victory_lost", "12.2", "9.5.3")
def test_an_hq_whose_last_companion_dies_in_a_zone_is_repositioned() -> None:
    units = {"ge-6pz": "0908", "hq-4pza": "0908", "su-91": "0707", "su-126": "0709", "su-87": "0906"}
    table = battle(DR, units, reduced=["ge-6pz"], defence="9-9/9-3").do("fall-back ge-6pz 0808")
    assert table.where("ge-6pz") == "dead"
    assert table.where("hq-4pza") != "0908"
    assert table.events("hq-displaced")[0]["hex"] == table.cell("0908")


@rule("a_victory_lost", "12.2", "9.5.8")
def test_an_hq_whose_companions_cannot_retreat_is_repositioned() -> None:
    units = {"ge-6pz": "0908", "hq-4pza": "0908"}
    ring = {"su-91": "0807", "su-126": "0808", "su-3g": "0907", "su-24g": "0909", "su-33g": "1007"}
    table = battle(DR, units | ring)
    assert table.where("ge-6pz") == "dead"
    assert table.where("hq-4pza") not in ("0908", "dead")
    assert table.events("hq-displaced")


@rule("a_victory_lost", "12.2")
def test_an_hq_with_company_that_did_not_attack_stays_with_it() -> None:
    units = {"hq-51a": "1008", "su-91": "1008", "ge-6pz": "0908"}
    table = battle("roll 1", units, strengths={"su-1gm": "3-3/-"})  # A2
    assert table.where("su-1gm") == "dead"
    assert table.where("hq-51a") == "1008"
    assert not table.events("hq-displaced")


@rule("a_victory_lost", "12.3", "12.2")
def test_an_hq_that_finds_no_place_on_its_retreat_is_repositioned() -> None:
    """0808 has an HQ already, all else is water: not even back to the hex it left."""
    ground = seas("0807", "0907", "0909", "1007", "0708", "0709", "0809")
    units = {"ge-6pz": "0908", "hq-4pza": "0908", "hq-kempf": "0808"}
    table = battle(DR, units, terrain=ground).do("fall-back ge-6pz 0808", "go-with ge-6pz")
    assert table.events("hq-displaced")[0]["hex"] == table.cell("0808")
    assert table.where("hq-4pza") != "0808"
    assert table.where("hq-kempf") == "0808"


@rule("a_victory_lost", "12.3", "12.2")
def test_zones_do_not_hurt_an_hq_on_its_retreat() -> None:
    """0808 has an HQ already, and the only way on, 0708, is in a zone: a combat unit would lose a step."""
    ground = seas("0807", "0907", "0909", "1007", "0709", "0809")
    units = {"ge-6pz": "0908", "hq-4pza": "0908", "hq-kempf": "0808", "su-91": "0607"}
    table = battle(DR, units, terrain=ground).do("fall-back ge-6pz 0808", "go-with ge-6pz")
    assert table.offered("fall-back") == {"hq-4pza 0708"}
    table.do("fall-back hq-4pza 0708")
    assert table.where("hq-4pza") == "0708"
    assert not table.events("hq-displaced")


@rule("a_victory_lost", "12.3", "12.1")
def test_a_retreating_hq_does_not_enter_the_hex_of_an_enemy_hq() -> None:
    units = {"ge-6pz": "0908", "hq-4pza": "0908", "hq-kempf": "0808", "ge-62": "0807", "ge-294": "0807"}
    table = battle(DR, units | {"hq-51a": "0708"}).do("fall-back ge-6pz 0808", "go-with ge-6pz")
    assert table.offered("fall-back") == {"hq-4pza 0709"}
    assert table.refused("fall-back hq-4pza 0708") == ("no-way-back", "9.5.8")


@rule("a_victory_lost", "12.3", "9.5.5")
def test_an_allied_hq_does_not_stay_with_another_nation() -> None:
    units = {"ge-6pz": "0908", "hq-h2a": "0908", "ro-1": "0808", "ge-62": "0807", "ge-294": "0807"}
    table = battle(DR, units).do("fall-back ge-6pz 0808", "go-with ge-6pz")
    assert table.asked == "fall-back"
    table.do("fall-back hq-h2a 0708")
    assert table.where("hq-h2a") == "0708"


# 9.6, 12.4 Advance


def won(attackers: dict[str, str], others: dict[str, str] | None = None, **more: object) -> Table:
    """The Soviets have beaten the lone defender of 0908, who is dead."""
    strong = {u: "50" if u in ("su-3g", "su-24g") else "50-9" for u in attackers if not u.startswith("hq")}
    table = Table(
        "soviet-combat",
        {**attackers, "ge-22pz": "0908", **(others or {})},
        strengths={**strong, "ge-22pz": "1-1/-"},
        **more,  # type: ignore[arg-type]
    )
    joins = [f"join {u}" for u in attackers if not u.startswith("hq")]
    return table.do("target 0908", *joins, "fight", "roll 6")


@rule("a_victory_lost", "9.6.1", "9.6.2")
def test_only_attackers_advance_each_once() -> None:
    table = won({"su-1gm": "1008", "su-2gm": "1007"}, {"su-3gm": "1008"})
    assert table.options == {"advance su-1gm", "advance su-2gm", "hold"}
    assert table.refused("advance su-3gm") == ("no-advance", "9.6.1")
    table.do("advance su-1gm", "on 0808")
    assert table.refused("advance su-1gm") == ("no-advance", "9.6.1")


@rule("a_victory_lost", "9.6.1")
def test_a_mechanised_unit_goes_two_hexes_though_the_enemy_went_one() -> None:
    table = battle(DR, {"ge-6pz": "0908"}).do("fall-back ge-6pz 0807", "advance su-1gm", "on 0808")
    assert table.where("su-1gm") == "0808"


@rule("a_victory_lost", "9.6.3")
def test_the_second_hex_may_lie_anywhere_even_where_the_unit_came_from() -> None:
    table = won({"su-1gm": "1008"}).do("advance su-1gm")
    assert table.offered("on") == {"0807", "0808", "0907", "0909", "1007", "1008"}
    assert table.refused("on 0708") == ("no-second-hex", "9.6.3")
    assert table.do("on 1008").where("su-1gm") == "1008"


@rule("a_victory_lost", "9.6.3", "5.0.1")
def test_there_is_no_second_hex_without_room() -> None:
    table = won({"su-1gm": "1008"}, {"su-91": "0907", "su-126": "0907"}).do("advance su-1gm")
    assert table.refused("on 0907") == ("stacking", "5.0.1")


@rule("a_victory_lost", "9.6.3")
def test_cavalry_is_not_mechanised() -> None:
    table = Table(
        "soviet-combat", {"su-8c": "1008", "ge-22pz": "0908"}, strengths={"su-8c": "50", "ge-22pz": "1-1/-"}
    )
    table.do("target 0908", "join su-8c", "fight", "roll 6", "advance su-8c")
    assert (table.where("su-8c"), table.asked) == ("0908", "choose-target")


@rule("a_victory_lost", "9.6.4", "12.1")
def test_an_hq_with_company_is_not_overrun_by_an_advance() -> None:
    table = won({"su-1gm": "1008"}, {"hq-4pza": "0808", "ge-62": "0808"}).do("advance su-1gm")
    assert table.refused("on 0808") == ("no-second-hex", "9.6.3")


@rule("a_victory_lost", "9.6.5")
def test_minor_rivers_do_not_stop_an_advance() -> None:
    sides = {"0908/1008": "river", "0808/0908": "river"}
    table = won({"su-1gm": "1008"}, sides=sides).do("advance su-1gm", "on 0808")
    assert table.where("su-1gm") == "0808"


@rule("a_victory_lost", "9.6.5")
def test_only_those_who_crossed_the_river_must_stop() -> None:
    table = won({"su-1gm": "1008", "su-2gm": "1007"}, sides={"0908/1008": "major_river"})
    table.do("advance su-2gm", "on 0807", "advance su-1gm")
    assert (table.where("su-1gm"), table.asked) == ("0908", "choose-target")


@rule("a_victory_lost", "12.4")
def test_an_hq_follows_its_own_stack_not_that_of_another_attacker() -> None:
    table = won({"su-1gm": "1008", "su-2gm": "1007", "hq-51a": "1007"}).do("advance su-1gm", "stay")
    assert table.asked == "advance-unit"  # nobody asked about the HQ
    table.do("advance su-2gm", "on 0807")
    assert table.offered("bring") == {"hq-51a"}
    assert table.refused("bring su-2gm") == ("not-its-hq", "12.4")
    assert table.do("bring hq-51a").where("hq-51a") == "0807"


@rule("a_victory_lost", "12.4")
def test_an_hq_advances_once() -> None:
    attackers = {"su-1gm": "1008", "su-2gm": "1008", "hq-51a": "1008"}
    table = won(attackers).do("advance su-1gm", "stay", "bring hq-51a", "advance su-2gm", "on 0808")
    assert table.asked == "choose-target"
    assert table.where("hq-51a") == "0908"


@rule("a_victory_lost", "12.4")
def test_an_hq_left_behind_may_follow_the_next_unit() -> None:
    attackers = {"su-1gm": "1008", "su-2gm": "1008", "hq-51a": "1008"}
    table = won(attackers).do("advance su-1gm", "stay", "leave", "advance su-2gm", "on 0808", "bring hq-51a")
    assert table.where("hq-51a") == "0808"


@rule("a_victory_lost", "12.4", "5.0.1")
def test_an_hq_does_not_follow_to_another_hq() -> None:
    table = won({"su-1gm": "1008", "hq-51a": "1008"}, {"hq-2gda": "0907"}).do("advance su-1gm", "on 0907")
    assert table.asked == "choose-target"
    assert table.where("hq-51a") == "1008"


@rule("a_victory_lost", "12.4", "9.6.1")
def test_an_hq_follows_infantry_one_hex() -> None:
    table = won({"su-3g": "1008", "hq-51a": "1008"}).do("advance su-3g", "bring hq-51a")
    assert table.where("hq-51a") == "0908"


@rule("a_victory_lost", "12.4")
def test_an_hq_need_not_be_activated_to_follow() -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", "hq-51a": "1008", "ge-22pz": "0908"},
        activated=["su-1gm"],
        strengths={"su-1gm": "50-9", "ge-22pz": "1-1/-"},
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 6", "advance su-1gm", "stay", "bring hq-51a")
    assert table.where("hq-51a") == "0908"


@rule("a_victory_lost", "9.6.4", "12.4")
def test_the_enemy_repositions_before_the_hq_is_asked_about() -> None:
    attackers = {"su-1gm": "1008", "hq-51a": "1008"}
    table = won(attackers, {"hq-4pza": "0808"}).do("advance su-1gm", "on 0808")
    assert (table.asked, table.actor) == ("reposition-hq", "axis")
    table.do(sorted(table.options)[0])
    assert (table.asked, table.actor) == ("bring-hq", "soviet")


@rule("a_victory_lost", "9.6.3", "5.0.3")
@pytest.mark.parametrize(("second", "allowed"), [("ge-62", True), ("ro-1", False), ("hu-7", True)])
def test_allies_of_two_nations_do_not_advance_together(second: str, allowed: bool) -> None:
    table = Table(
        "axis-combat",
        {"hu-6": "1008", second: "1007", "su-91": "0908"},
        strengths={"hu-6": "50", second: "50", "su-91": "1/-"},
    )
    table.do("target 0908", "join hu-6", f"join {second}", "fight", "roll 6", "advance hu-6")
    if allowed:
        assert table.do(f"advance {second}").where(second) == "0908"
    else:
        assert table.asked == "choose-target"


@rule("a_victory_lost", "12.4", "9.6.3")
def test_a_unit_that_goes_back_where_it_came_from_does_not_move_its_hq() -> None:
    table = won({"su-1gm": "1008", "hq-51a": "1008"}).do("advance su-1gm", "on 1008")
    assert table.asked == "choose-target"
    assert table.where("hq-51a") == table.where("su-1gm") == "1008"
