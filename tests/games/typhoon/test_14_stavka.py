"""14.3, 14.4, 16 The Soviet replacement table, reserves, obligatory attacks; 13.6 garrisons."""

from __future__ import annotations

from typing import Any

from grognard.board.board import bits, each
from grognard.games.typhoon import data
from grognard.games.typhoon.rules import stavka
from tests.games.typhoon.table import Table, real_game
from tests.rules import rule


@rule("typhoon", "14.3")
def test_a_die_gives_strongpoints_points_and_an_event() -> None:
    assert stavka.report("campaign", 1, 0) == (1, 3, "M")
    assert stavka.report("campaign", 8, 0) == (3, 7, "R")
    assert stavka.report("vyazma_bryansk", 8, 0) == (2, 5, "R"), "each scenario has its table"
    assert {stavka.report("campaign", die, 0).event for die in range(1, 11)} == set("AMNRSV")


@rule("typhoon", "16.2.1")
def test_each_attack_still_owed_takes_one_off_the_die() -> None:
    assert stavka.report("campaign", 8, 2) == stavka.report("campaign", 6, 0)
    assert stavka.report("campaign", 1, 3) == (0, 2, "M"), "nothing below the first line"


@rule("typhoon", "14.3.2")
def test_result_m_changes_its_meaning_with_the_turn() -> None:
    found = {turn: stavka.meaning_of_m(turn) for turn in (1, 5, 6, 19, 20, 43)}
    assert found == {1: "", 5: "", 6: "panic", 19: "panic", 20: "obligatory", 43: "obligatory"}
    assert stavka.panic(6, "M", 0) and stavka.panic(19, "M", 2)
    assert not stavka.panic(5, "M", 0) and not stavka.panic(20, "M", 0)
    assert not stavka.panic(10, "R", 0)
    assert not stavka.panic(10, "M", 3), "three panics count"
    assert [stavka.panic_is_held(count) for count in (1, 2, 3)] == [False, True, True]


def names(kind: str, turn: int, taken: int = 0) -> list[str]:
    reserves = real_game().outlines["campaign"].reserves
    return [reserve.group for reserve in stavka.available(reserves, kind, taken, turn)]


@rule("typhoon", "14.4", "14.4.1", "14.1.5")
def test_a_group_is_available_from_its_turn_on_and_once() -> None:
    reserves = real_game().outlines["campaign"].reserves
    assert names("special", 28) == []
    early = names("special", 29)
    assert len(early) == 3
    first = next(n for n, reserve in enumerate(reserves) if reserve.group == early[0])
    assert names("special", 29, 1 << first) == early[1:]
    assert len(names("special", 32)) == 10


@rule("typhoon", "14.4.2", "14.3.1", "14.3.3")
def test_armour_and_special_armies_are_separate_reserves() -> None:
    armour = names("armour", 43)
    assert len(armour) == 8 and all(name.startswith("armour-") for name in armour)
    assert set(names("special", 43)).isdisjoint(armour)
    assert names("armour", 7) == []


@rule("typhoon", "14.1.6", "14.4")
def test_some_groups_cost_points() -> None:
    groups = {group.group: group for group in real_game().outlines["campaign"].reserves}
    assert groups["special-60A"].points == 2 and groups["special-10A"].points == 0
    assert {group.points for group in groups.values() if group.kind == "axis"} == {1}
    listed = {arrival.group for arrival in data.scenario("campaign").arrivals}
    assert groups.keys() <= listed, "every group has its units"
    assert groups.keys() <= set(stavka.reserve_names())


@rule("typhoon", "16.2.2")
def test_attacks_owed_become_points_when_the_axis_takes_a_place_and_stands_there() -> None:
    assert stavka.converts_to_points(captured=True, present=True)
    assert not stavka.converts_to_points(captured=True, present=False)
    assert not stavka.converts_to_points(captured=False, present=True)


# 13.6 Garrisons

POLICE, RIFLE, INF = "s-34-nkvd-regt", "s-126-rd", "g-251-inf"


def garrison(units: dict[str, str], **more: Any) -> Table:
    """Garrisons in a Soviet movement phase, on the map of the campaign."""
    posts = [unit for unit in units if unit.startswith("s-")]
    return Table("soviet-movement", units, scenario="whole", garrison=posts, **more)


@rule("typhoon", "13.6.1")
def test_a_garrison_does_not_leave_its_hex() -> None:
    table = garrison({POLICE: "M1115"})
    assert table.refused(f"pick {POLICE}") == ("garrison-stays", "13.6.1")
    assert POLICE not in table.offered("pick")


@rule("typhoon", "13.6.2")
def test_a_garrison_is_released_when_it_is_attacked() -> None:
    table = Table("axis-movement", {INF: "1509", POLICE: "1510", RIFLE: "1710"}, garrison=[POLICE, RIFLE])
    table.attack("1510", INF)
    assert table.in_set(table.state.garrison) == {RIFLE}


@rule("typhoon", "13.6.2")
def test_a_garrison_is_released_when_it_is_found_unsupplied() -> None:
    units = {POLICE: "1510", RIFLE: "1520", INF: "2020"}
    sources: tuple[list[str], list[str]] = (["3001"], ["1520"])
    table = Table("supply", units, garrison=[POLICE, RIFLE], emergency=[POLICE, RIFLE], sources=sources)
    while (table.asked or "").startswith("place-supply"):
        table.do("forgo")
    assert table.in_set(table.state.unsupplied) == {POLICE}
    assert table.in_set(table.state.garrison) == {RIFLE}


@rule("typhoon", "13.6.1", "13.6.2")
def test_a_garrison_is_released_when_an_enemy_comes_next_to_it_with_all_of_its_hex() -> None:
    units = {INF: "1507", POLICE: "1510", RIFLE: "1510"}
    table = Table("axis-movement", units, garrison=[POLICE, RIFLE]).do(f"pick {INF}", "step 1508")
    assert table.in_set(table.state.garrison) == {POLICE, RIFLE}
    assert not table.do("step 1509").state.garrison


@rule("typhoon", "13.6.4")
def test_the_garrison_of_moscow_moves_in_the_city_and_beside_it() -> None:
    division = "s-omsdon-nkvd-div"
    table = garrison({division: "M2928"}).do(f"pick {division}", "step M2927")
    outside = next(
        c
        for c in each(table.game.near_moscow & ~table.game.moscow)
        if table.game.near_moscow & bits(table.game.board.adjacent[c]) & table.game.moscow
    )
    assert table.offered("step") <= table.hexes(table.game.near_moscow)
    there = garrison({division: table.game.board.number(outside)}).do(f"pick {division}")
    beyond = next(c for c in table.game.board.adjacent[outside] if not table.game.near_moscow >> c & 1)
    assert there.refused(f"step {table.game.board.number(beyond)}") == ("moscow-garrison", "13.6.4")


@rule("typhoon", "13.6.4")
def test_the_garrison_of_moscow_does_not_ride_away() -> None:
    division = "s-omsdon-nkvd-div"
    table = garrison({division: "M2928"}).do(f"entrain {division}")
    near = table.hexes(table.game.near_moscow)
    assert table.offered("detrain") and table.offered("detrain") <= near
    table.state.garrison = 0
    assert table.offered("detrain") - near, "others may"
