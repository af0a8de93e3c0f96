"""12.0 HQs, 13.0 the pocket."""

from __future__ import annotations

from tests.games.a_victory_lost.table import Table
from tests.rules import rule


@rule("a_victory_lost", "12.0", "12.1", "2.3.3")
def test_only_a_lone_hq_is_overrun_and_only_by_a_combat_unit() -> None:
    units = {"ge-6pz": "0808", "hq-4pza": "0708", "hq-51a": "0908", "su-91": "0807", "hq-2gda": "0807"}
    table = Table("axis-movement", units).do("pick ge-6pz")
    assert table.refused("step 0807") == ("enemy-there", "5.0.2")
    assert table.refusal("step 0908") is None
    table = Table("axis-movement", {"hq-4pza": "0808", "hq-51a": "0908"}).do("pick hq-4pza")
    assert table.refused("step 0908") == ("hq-cannot-overrun", "12.1")


def fight(attackers: dict[str, str], defenders: dict[str, str], die: int, **strengths: str) -> Table:
    given = {"su-1gm": "9-9", "ge-6pz": "9-3", **{k.replace("_", "-"): v for k, v in strengths.items()}}
    table = Table("soviet-combat", {**attackers, **defenders}, strengths=given)
    joins = [f"join {u}" for u in attackers if not u.startswith("hq")]
    return table.do("target 0908", *joins, "fight", f"roll {die}")


@rule("a_victory_lost", "12.2")
def test_an_hq_whose_stack_dies_defending_is_repositioned() -> None:
    table = fight({"su-1gm": "1008"}, {"ge-6pz": "0908", "hq-4pza": "0908"}, 6, su_1gm="50-9")
    assert table.where("ge-6pz") == "dead"
    assert (table.asked, table.actor) == ("reposition-hq", "axis")
    assert table.refused("reposition 0908") == ("not-a-rear-hex", "12.7")


@rule("a_victory_lost", "12.2", "12.3", "9.5.8")
def test_an_hq_whose_stack_dies_in_its_retreat_is_repositioned() -> None:
    ring = {"su-91": "0807", "su-126": "0808", "su-3g": "0907", "su-24g": "0909", "su-33g": "1007"}
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", "ge-6pz": "0908", "hq-4pza": "0908", **ring},
        strengths={"su-1gm": "9-9", "ge-6pz": "9-3"},
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 4")
    assert table.where("ge-6pz") == "dead"
    assert (table.asked, table.actor) == ("reposition-hq", "axis")


@rule("a_victory_lost", "12.2")
def test_an_hq_whose_stack_dies_attacking_is_repositioned() -> None:
    table = fight({"su-1gm": "1008", "hq-51a": "1008"}, {"ge-6pz": "0908"}, 1, su_1gm="3-3/-")
    assert table.where("su-1gm") == "dead"
    assert (table.asked, table.actor) == ("reposition-hq", "soviet")


@rule("a_victory_lost", "12.2")
def test_an_hq_loses_no_steps() -> None:
    table = fight({"su-1gm": "1008", "hq-51a": "1008"}, {"ge-6pz": "0908"}, 1, su_1gm="9-9")  # A1
    assert table.steps("su-1gm") == 1
    assert table.where("hq-51a") == "1008"


@rule("a_victory_lost", "12.3")
def test_an_hq_retreats_with_its_stack() -> None:
    table = fight({"su-1gm": "1008"}, {"ge-6pz": "0908", "hq-4pza": "0908"}, 4)
    table.do("fall-back ge-6pz 0808")
    assert table.asked == "hq-goes-with"
    table.do("go-with ge-6pz")
    assert table.where("hq-4pza") == "0808"


@rule("a_victory_lost", "12.3", "9.5.4")
def test_an_hq_that_finds_another_in_the_hex_goes_on() -> None:
    defenders = {"ge-6pz": "0908", "hq-4pza": "0908", "hq-kempf": "0808", "ge-62": "0807", "ge-294": "0807"}
    table = fight({"su-1gm": "1008"}, defenders, 4).do("fall-back ge-6pz 0808", "go-with ge-6pz")
    assert table.asked == "fall-back"
    assert table.offered("fall-back") == {"hq-4pza 0708", "hq-4pza 0709"}
    table.do("fall-back hq-4pza 0708")
    assert table.where("hq-4pza") == "0708"
    assert table.asked == "advance-unit"  # one hex and no more


@rule("a_victory_lost", "12.4")
def test_an_hq_may_follow_its_stack_as_far_as_it_goes() -> None:
    attackers = {"su-1gm": "1008", "hq-51a": "1008"}
    table = fight(attackers, {"ge-6pz": "0908"}, 6, su_1gm="50-9").do("advance su-1gm", "on 0808")
    assert table.asked == "bring-hq"
    assert table.do("bring hq-51a").where("hq-51a") == "0808"
    table = fight(attackers, {"ge-6pz": "0908"}, 6, su_1gm="50-9").do("advance su-1gm", "stay", "leave")
    assert table.where("hq-51a") == "1008"


@rule("a_victory_lost", "12.4")
def test_an_hq_does_not_follow_units_it_was_not_with() -> None:
    table = fight({"su-1gm": "1008", "hq-51a": "1007"}, {"ge-6pz": "0908"}, 6, su_1gm="50-9")
    table.do("advance su-1gm", "stay")
    assert table.asked == "choose-target"


def overrun(units: dict[str, str], **more: object) -> Table:
    table = Table("axis-movement", {"ge-6pz": "1008", "hq-51a": "1108", **units}, **more)  # type: ignore[arg-type]
    return table.do("pick ge-6pz", "step 1108")


@rule("a_victory_lost", "12.7")
def test_an_hq_goes_to_the_nearest_fit_hexes_four_away_and_closer_to_a_source() -> None:
    table = overrun({})
    board, origin, source = table.game.board, table.cell("1108"), table.cell("2408")
    places = [board.cell(n) for n in table.offered("reposition")]
    assert places
    for cell in places:
        assert board.distance(cell, origin) == 4
        assert board.distance(cell, source) < board.distance(origin, source)
    assert table.refused("reposition 1208") == ("not-a-rear-hex", "12.7")
    assert table.refused("reposition 1608") == ("not-a-rear-hex", "12.7")


@rule("a_victory_lost", "12.7")
def test_it_does_not_go_into_an_enemy_zone_or_to_another_hq() -> None:
    free = overrun({}).offered("reposition")
    assert "1508" in free
    table = overrun({"ge-62": "1608", "hq-2gda": "1506"})
    board = table.game.board
    near = {"1508", *(board.number(c) for c in board.adjacent[table.cell("1608")])}
    assert table.offered("reposition") == free - near - {"1506"}
    # a friend makes a hex in a zone good for supply, not for an HQ
    table = overrun({"ge-62": "1608", "su-126": "1508"})
    assert "1508" not in table.offered("reposition")


@rule("a_victory_lost", "12.7")
def test_it_goes_where_it_is_in_supply() -> None:
    sea = {f"18{r:02}": "sea" for r in range(1, 17)}
    table = overrun({}, terrain=sea)
    # cut off everywhere this side of the sea; beyond it is the nearest hex in supply
    assert {n[:2] for n in table.offered("reposition")} == {"19"} or table.where("hq-51a").startswith("19")


@rule("a_victory_lost", "12.7")
def test_an_hq_with_no_place_to_go_comes_back_as_a_reinforcement() -> None:
    table = overrun({"ge-62": "2408"}, turn=3)
    assert table.where("hq-51a") == "to come"
    assert table.state.due[table.unit("hq-51a")] == 4
    assert table.asked == "move-unit"


POCKET = {"0908": "+pocket", "0909": "+pocket", "1008": "+pocket"}


@rule("a_victory_lost", "13.0")
def test_nobody_enters_the_pocket_before_turn_5() -> None:
    for turn, closed in ((1, True), (4, True), (5, False)):
        table = Table("axis-movement", {"ge-6pz": "0808"}, terrain=POCKET, turn=turn).do("pick ge-6pz")
        if closed:
            assert table.refused("step 0908") == ("pocket", "13.0")
        else:
            assert table.refusal("step 0908") is None


@rule("a_victory_lost", "13.0")
def test_lines_arrivals_retreats_and_advances_keep_out_of_the_pocket() -> None:
    gap = {f"10{r:02}": "sea" for r in range(1, 17)} | {"1008": "+pocket"}
    for turn, supply in ((4, "unsupplied"), (5, "supplied")):
        assert Table("supply", {"ge-6pz": "1208"}, terrain=gap, turn=turn).supply("ge-6pz") == supply
    rail = {"0108/0208": "rail", "0208/0308": "rail"}
    table = Table("end-of-turn", {}, to_come={"ge-gd": 4}, turn=4, sides=rail, terrain={"0208": "+pocket"})
    assert table.offered("arrive") == {"ge-gd"}
    assert table.do("arrive ge-gd").offered("detrain") == {"0108"}
    units = {"su-1gm": "1008", "ge-6pz": "0908"}
    ground = {"0808": "+pocket"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "9-9", "ge-6pz": "9-3"}, terrain=ground)
    table.do("target 0908", "join su-1gm", "fight", "roll 4")
    assert table.offered("fall-back") == {"ge-6pz 0807"}
    table.do("fall-back ge-6pz 0807", "advance su-1gm")
    assert "0808" not in table.offered("on")


@rule("a_victory_lost", "13.0", "7.3.4")
def test_command_crosses_the_pocket() -> None:
    ground = {f"09{r:02}": "+pocket" for r in range(1, 17)}
    table = Table("draw", {"hq-4pza": "0808", "ge-6pz": "1008"}, terrain=ground, cup=["4pza"])
    assert table.do("draw chit-4pza").activated() == {"ge-6pz"}
