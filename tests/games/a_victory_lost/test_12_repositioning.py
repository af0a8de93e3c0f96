"""12.1 and 12.5 to 12.7 in the corners: who overruns, where HQs go, how they come back."""

from __future__ import annotations

import pytest

from grognard.games.a_victory_lost.rules.supply import source_distance
from grognard.games.a_victory_lost.state import AXIS, SOVIET
from tests.games.a_victory_lost.table import Table, real_game
from tests.rules import rule


def overrun(units: dict[str, str] | None = None, **more: object) -> Table:
    """The 6th Panzer has driven over the HQ of the 51st Army in 1108."""
    table = Table("axis-movement", {"ge-6pz": "1008", "hq-51a": "1108", **(units or {})}, **more)  # type: ignore[arg-type]
    return table.do("pick ge-6pz", "step 1108")


def places(table: Table) -> set[str]:
    """Where the HQ may go: the choice offered, or the only place, already taken."""
    return table.offered("reposition") or {table.where("hq-51a")}


@rule("a_victory_lost", "12.1", "8.1.4")
def test_the_unit_goes_on_after_an_overrun() -> None:
    table = overrun()
    assert (table.asked, table.actor) == ("reposition-hq", "soviet")
    table.do(sorted(table.options)[0])
    assert (table.asked, table.actor) == ("move-unit", "axis")
    assert table.left == 9  # an overrun costs the hex and no more
    table.do("step 1208", "halt")
    assert table.where("ge-6pz") == "1208"


@rule("a_victory_lost", "12.1")
def test_an_hq_overrun_is_not_eliminated_and_scores_nothing() -> None:
    table = overrun()
    table.do(sorted(table.options)[0])
    assert table.points == (25, 0)
    assert table.where("hq-51a") not in ("dead", "to come", "lifted")


@rule("a_victory_lost", "12.1")
def test_a_lone_hq_is_no_target() -> None:
    table = Table(
        "axis-combat", {"ge-6pz": "1008", "hq-51a": "1108", "su-91": "1007"}, strengths={"ge-6pz": "50-9"}
    )
    assert table.refused("target 1108") == ("hq-alone", "9.0")
    assert table.offered("target") == {"1007"}


@rule("a_victory_lost", "12.7")
def test_the_place_is_chosen_by_the_owner_among_the_nearest_that_are_fit() -> None:
    """On open ground: exactly the hexes four away that are closer to 2408."""
    table = overrun()
    board, origin, source = table.game.board, table.cell("1108"), table.cell("2408")
    fit = {
        board.number(cell)
        for cell in board.cells
        if board.distance(cell, origin) == 4
        and board.distance(cell, source) < board.distance(origin, source)
        and board.distance(cell, table.cell("1108")) > 1
    }
    assert len(fit) > 3
    assert places(table) == fit


@rule("a_victory_lost", "12.7")
def test_four_hexes_are_the_least_even_if_three_would_be_fit() -> None:
    table = overrun()
    board = table.game.board
    for number in ("1208", "1308", "1408"):
        assert board.distance(table.cell(number), table.cell("1108")) < 4
        assert table.refused(f"reposition {number}") == ("not-a-rear-hex", "12.7")


@rule("a_victory_lost", "12.7")
def test_when_nothing_at_four_hexes_is_fit_five_will_do() -> None:
    """Other HQs stand on every fit hex of the ring of four."""
    names = ("40a", "6a", "1gda", "3gda", "5tka", "5sha", "2gda", "28a", "popov", "3tka", "60a", "69a", "64a")
    near = sorted(places(overrun()))
    table = overrun({f"hq-{name}": number for name, number in zip(names, near, strict=False)})
    board, origin = table.game.board, table.cell("1108")
    assert len(near) <= len(names)
    assert {board.distance(table.cell(n), origin) for n in places(table)} == {5}


@rule("a_victory_lost", "12.7")
def test_zones_and_friends_in_the_way() -> None:
    """An enemy zone bars a hex even if a friend stands there, who keeps it in supply."""
    free = places(overrun())
    assert "1508" in free
    assert "1508" not in places(overrun({"ge-62": "1608", "su-91": "1508"}))
    assert "1508" in places(overrun({"su-91": "1508", "su-126": "1508"}))  # a full hex has room for an HQ
    assert "1508" not in places(overrun({"hq-2gda": "1508"}))


@rule("a_victory_lost", "12.7")
def test_a_single_fit_place_is_taken_without_asking() -> None:
    """A lane of land, one hex wide, leads to the source."""
    lane = {f"{c:02}{r:02}": "sea" for c in range(12, 24) for r in range(1, 17) if r != 8}
    table = overrun(terrain=lane)
    assert table.where("hq-51a") == "1508"
    assert table.asked == "move-unit"


@rule("a_victory_lost", "12.7")
def test_a_place_must_be_in_supply() -> None:
    """A German division on the source of the Soviets leaves no place at all; the HQ comes back next turn."""
    table = overrun({"ge-62": "2308"}, turn=5)
    assert table.where("hq-51a") == "to come"
    assert table.state.due[table.unit("hq-51a")] == 6
    events = table.events("hq-sent-back")
    assert events == [{"unit": table.unit("hq-51a"), "turn": 6}]


@rule("a_victory_lost", "12.7", "5.0.3")
def test_nations_keep_apart_when_hqs_are_repositioned() -> None:
    units = {"su-1gm": "1408", "hq-h2a": "1308"}

    def offered(extra: dict[str, str]) -> set[str]:
        table = Table("soviet-movement", units | extra).do("pick su-1gm", "step 1308")
        return table.offered("reposition")

    assert "0908" in offered({})
    assert "0908" in offered({"hu-6": "0908"})
    assert "0908" in offered({"ge-62": "0908"})
    assert "0908" not in offered({"ro-1": "0908"})


@rule("a_victory_lost", "12.7")
def test_closer_means_closer_to_the_nearest_source_by_land() -> None:
    """Behind a wall of sea with a gap at the top, the way to the source leads through the gap."""
    gap = {f"18{r:02}": "sea" for r in range(3, 17)}
    table = overrun(terrain=gap)
    distance = source_distance(table.game, table.state, SOVIET)
    origin = table.cell("1108")
    assert places(table)
    for number in places(table):
        assert distance[table.cell(number)] < distance[origin]
    down = {n for n in places(overrun()) if n[2:] > "10"}
    assert down
    assert not down & places(table)


@rule("a_victory_lost", "12.7", "14.0.1")
def test_an_hq_put_back_in_a_city_holds_it() -> None:
    table = overrun(terrain={"1508": "+victory_city"}, points=(25, 0)).do("reposition 1508")
    assert table.points == (20, 5)
    assert table.state.soviet_cities >> table.cell("1508") & 1


@rule("a_victory_lost", "12.7")
def test_two_hqs_overrun_in_one_move_are_put_back_one_by_one() -> None:
    table = overrun({"hq-2gda": "1208"})
    table.do("reposition 1508", "step 1208")
    assert (table.asked, table.actor) == ("reposition-hq", "soviet")
    assert "1508" not in table.offered("reposition")
    table.do(sorted(table.options)[0])
    assert table.where("hq-2gda") != "1208"


@rule("a_victory_lost", "12.5", "12.7")
def test_an_hq_without_supply_loses_its_marker_with_its_place() -> None:
    sea = {f"10{r:02}": "sea" for r in range(1, 17)}
    table = Table("supply", {"hq-4pza": "1208", "ge-6pz": "1208"}, terrain=sea)
    place = sorted(table.offered("reposition"))[0] if table.asked == "reposition-hq" else ""
    if place:
        table.do(f"reposition {place}")
    assert table.where("hq-4pza") not in ("1208", "lifted")
    assert table.supply("hq-4pza") == "supplied"
    assert table.supply("ge-6pz") == "unsupplied"


RAIL = {f"0{c}08/0{c + 1}08": "rail" for c in range(1, 6)}


@rule("a_victory_lost", "12.7", "11.1.1")
@pytest.mark.parametrize("hq", ["hq-4pza", "hq-1pza"])
def test_an_hq_sent_back_arrives_by_rail_with_its_chit_kept(hq: str) -> None:
    """Even that of an army which first came by a box."""
    table = Table(
        "end-of-turn",
        {"ge-6pz": "0309"},
        turn=6,
        to_come={hq: 6},
        sides=RAIL,
        axis_chits=["4pza", "1pza"],
        terrain={},
    )
    assert table.options == {f"arrive {hq}"}
    table.do(f"arrive {hq}", "detrain 0308")
    assert table.where(hq) == "0308"
    assert table.chits(table.state.pool[AXIS]) >= {"4pza", "1pza"}


@rule("a_victory_lost", "12.7")
def test_even_an_hq_of_the_set_up_comes_back() -> None:
    """On the real map, where it was never a reinforcement before."""
    game = real_game()
    assert not game.units[game.unit_index("hq-4pza")].turn
    table = Table("end-of-turn", {}, game=game, turn=6, to_come={"hq-4pza": 6}, axis_chits=["4pza"])
    assert table.options == {"arrive hq-4pza"}


@rule("a_victory_lost", "12.1", "9.5.7", "12.7")
def test_the_way_back_over_an_hq_is_free() -> None:
    """A retreating unit overruns without losing its way: its second hex comes after the HQ is put back."""
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", "ge-6pz": "0908", "hq-2gda": "0808"},
        strengths={"su-1gm": "15-9", "ge-6pz": "9-3"},
        terrain=dict.fromkeys(("0807", "0907", "0909", "1007"), "sea"),
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 5", "fall-back ge-6pz 0808")  # 1DR2
    assert (table.asked, table.actor) == ("reposition-hq", "soviet")
    table.do(sorted(table.options)[0])
    assert (table.asked, table.actor) == ("fall-back", "axis")
    table.do(sorted(table.options)[0])
    assert table.asked == "advance-unit"


@rule("a_victory_lost", "12.7", "10.3")
def test_an_hq_that_waits_for_its_turn_stands_where_it_was() -> None:
    """Both sides have an HQ without supply. The Soviet one stands in the only gap of a wall of water, and
    the Axis HQ, which goes first, finds the gap closed to lines."""
    walls = {f"{column}{r:02}": "sea" for column in ("06", "18") for r in range(1, 17)}
    walls |= {"0608": "clear"}
    units = {"hq-4pza": "1208", "ge-6pz": "1208", "hq-51a": "0608"}
    table = Table("supply", units, terrain=walls, axis_chits=["4pza"], soviet_chits=["51a"])
    places = table.offered("reposition") or {table.where("hq-4pza")}
    assert {number[:2] for number in places} == {"05"}
    while table.asked == "reposition-hq":
        assert table.where("hq-51a") == "0608" or table.actor == "soviet"
        table.do(sorted(table.options)[0])
    assert table.where("hq-51a") != "0608"


@rule("a_victory_lost", "12.7", "10.3")
def test_an_hq_is_taken_from_its_hex_when_its_turn_comes() -> None:
    walls = {f"{column}{r:02}": "sea" for column in ("06", "18") for r in range(1, 17)}
    units = {"hq-4pza": "1208", "hq-kempf": "1308"}
    table = Table("supply", units, terrain=walls, axis_chits=["4pza", "kempf"])
    assert (table.asked, table.where("hq-4pza"), table.where("hq-kempf")) == (
        "reposition-hq",
        "lifted",
        "1308",
    )
    place = sorted(table.offered("reposition"))[0]
    table.do(f"reposition {place}")
    assert (table.asked, table.where("hq-4pza"), table.where("hq-kempf")) == (
        "reposition-hq",
        place,
        "lifted",
    )


@rule("a_victory_lost", "12.7")
def test_of_two_fit_hexes_the_owner_chooses() -> None:
    units = {"ge-6pz": "1008", "hq-51a": "1108"}
    game = Table("axis-movement", units).game
    others = [u.id for u in game.units if u.hq and not u.axis and u.id != "hq-51a"]
    free = sorted(Table("axis-movement", units).do("pick ge-6pz", "step 1108").offered("reposition"))
    assert 2 < len(free) <= len(others)
    for kept in (2, 1):
        taken = dict(
            zip(others, free[kept:], strict=False)
        )  # where an HQ stands there is no room for another
        table = Table("axis-movement", units | taken).do("pick ge-6pz", "step 1108")
        if kept == 2:
            assert table.offered("reposition") == set(free[:2])
        else:
            assert table.where("hq-51a") == free[0]  # nothing to choose
