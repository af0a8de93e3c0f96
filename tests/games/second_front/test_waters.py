"""Second Front: natural sea routes and danger zones."""

from __future__ import annotations

import pytest

from grognard.games.second_front.books import STARTS, board, owners
from grognard.games.second_front.waters import PORTS, danger, is_water, steps, within
from tests.atlas import walks
from tests.rules import rule


def cell(number: str) -> int:
    return board().cell(number)


@rule("second_front", "27B5")
def test_ships_pass_where_there_is_water() -> None:
    assert cell("17A:0522") not in steps(cell("17A:0421"))
    assert cell("26:2214") not in steps(cell("26:2115"))
    assert cell("17A:2522") in steps(cell("17A:2422"))
    # Two waters lie in this hex (Corfu): a ship that enters goes no farther.
    assert cell("26:3806") in within([cell("26:3807")], 1)
    beyond = within([cell("26:3806")], 3)
    assert beyond == {cell("26:3806")}


@rule("second_front", "34F")
@pytest.mark.parametrize("start", STARTS)
def test_waters_within_nine_hexes_of_an_allied_port_are_dangerous_to_the_axis(start: str) -> None:
    allied = [
        c
        for c, info in board().info.items()
        if info.features & set(PORTS) and owners(start)[info.number] == "Allied"
    ]
    zone = danger(start, "Axis")
    assert zone == within(allied, 9) and all(map(is_water, zone))
    assert not danger(start, "Allied") & within(allied, 5), "near Allied ports the Allies are safe"


@rule("second_front", "34F")
def test_waters_near_germany_and_the_northern_mediterranean_are_dangerous_to_the_allies() -> None:
    zone = danger("Jul I 43", "Allied")
    towns = walks.places(board())
    assert {towns[name] for name in ("Wilhelmshaven", "Cuxhaven", "Kiel", "Genoa", "Toulon")} <= zone
    # France has no such zone on the Atlantic, and Sicily lies south of row 20.
    assert not {towns[name] for name in ("Brest", "Cherbourg", "Palermo")} & zone


@rule("second_front", "34F")
def test_the_adriatic_is_dangerous_while_italy_is_axis() -> None:
    adriatic = {c for c, info in board().info.items() if "adriatic" in info.features and is_water(c)}
    safe = within(
        [
            c
            for c, info in board().info.items()
            if info.features & set(PORTS) and owners("Jul I 43")[info.number] == "Allied"
        ],
        5,
    )
    assert adriatic - safe <= danger("Jul I 43", "Allied")
    assert not adriatic <= danger("Apr I 44", "Allied")
    assert cell("26:3307") in adriatic and cell("26:3310") in adriatic
