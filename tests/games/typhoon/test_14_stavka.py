"""14.3, 14.4, 16 The Soviet replacement table, reserves, obligatory attacks; 13.6 garrisons."""

from __future__ import annotations

import pytest

from grognard.games.typhoon import data
from grognard.games.typhoon.rules import garrisons, stavka
from grognard.games.typhoon.rules.garrisons import Watch
from tests.games.typhoon.table import real_game
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


@rule("typhoon", "16.1.1")
@pytest.mark.parametrize(
    ("attack", "defence", "counts"), [(3, 2, True), (29, 20, False), (30, 20, True), (40, 10, True)]
)
def test_an_obligatory_attack_is_made_at_three_to_two(attack: int, defence: int, counts: bool) -> None:
    assert stavka.is_obligatory_attack((attack, defence)) is counts


@rule("typhoon", "16.2.2")
def test_attacks_owed_become_points_when_the_axis_takes_a_place_and_stands_there() -> None:
    assert stavka.converts_to_points(captured=True, present=True)
    assert not stavka.converts_to_points(captured=True, present=False)
    assert not stavka.converts_to_points(captured=False, present=True)


@rule("typhoon", "13.6.2")
@pytest.mark.parametrize("why", Watch._fields)
def test_five_things_release_a_garrison(why: str) -> None:
    assert garrisons.is_released(Watch(**{why: True}))
    assert not garrisons.is_released(Watch())


@rule("typhoon", "13.6.4")
def test_the_nkvd_of_moscow_is_not_released_by_result_r() -> None:
    assert not garrisons.is_released(Watch(by_result=True), moscow_nkvd=True)
    assert garrisons.is_released(Watch(attacked=True), moscow_nkvd=True)


@rule("typhoon", "13.6.1", "13.6.4")
def test_where_garrisons_may_be() -> None:
    board = data.board()
    city, beside, far = board.cell("M2928"), board.cell("M2728"), board.cell("M2528")
    assert garrisons.may_stand(board, city, city, of_moscow=False)
    assert not garrisons.may_stand(board, city, board.cell("M2927"), of_moscow=False)
    assert garrisons.may_stand(board, city, board.cell("M2927"), of_moscow=True)
    assert garrisons.may_stand(board, city, beside, of_moscow=True)
    assert not garrisons.may_stand(board, city, far, of_moscow=True)
