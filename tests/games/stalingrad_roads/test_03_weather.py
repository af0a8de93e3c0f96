"""3 Weather."""

from __future__ import annotations

import pytest

from grognard.games.stalingrad_roads.data import (
    ALL_FROZEN,
    BLIZZARD,
    CLEAR_SKY,
    MUD,
    OVERCAST,
    RIVERS_FROZEN,
    Sky,
)
from grognard.games.stalingrad_roads.rules.weather import set_weather
from tests.games.stalingrad_roads.table import Table, whole_game
from tests.rules import rule


@rule("stalingrad_roads", "3.1", "3.1.1", "3.1.2", "3.5", "3.3")
@pytest.mark.parametrize(
    ("turn", "dice", "mud", "rivers", "clouds"),
    [
        (2, (1, 1), False, 0, CLEAR_SKY),
        (2, (5, 5), False, 0, BLIZZARD),
        (4, (3, 4), False, RIVERS_FROZEN, OVERCAST),
        (5, (3, 4), False, ALL_FROZEN, OVERCAST),
        (13, (6, 6), False, ALL_FROZEN, BLIZZARD),
        (14, (6, 5), True, 0, OVERCAST),
        (17, (3, 3), True, 0, CLEAR_SKY),
    ],
)
def test_the_weather_of_a_turn(turn: int, dice: tuple[int, int], mud: bool, rivers: int, clouds: int) -> None:
    table = Table("weather", {}, turn=turn).do(f"weather {dice[0]} {dice[1]}")
    state = table.state
    assert (state.mud, state.rivers, state.clouds) == (mud, rivers, clouds)


@rule("stalingrad_roads", "3.4")
def test_a_thaw_before_feb_iv_keeps_great_rivers_open_on_the_next_turn() -> None:
    table = Table("soviet-movement", {}, turn=12)
    set_weather(table.game, table.state, Sky(True, 0, 0))
    assert table.state.mud_before
    table.state.turn = 13
    set_weather(table.game, table.state, Sky(False, ALL_FROZEN, 0))
    assert table.state.rivers == RIVERS_FROZEN
    table.state.turn = 14
    set_weather(table.game, table.state, Sky(True, 0, 0))
    set_weather(table.game, table.state, Sky(False, ALL_FROZEN, 0))
    assert table.state.rivers == ALL_FROZEN


@rule("stalingrad_roads", "3.2", "3.2.1", "3.4")
def test_ice_changes_rivers_and_marsh() -> None:
    data = whole_game().data
    board = data.board
    river = next(
        pair
        for pair, kind in data.water_side.items()
        if kind == "river" and pair not in data.bridged and data.costs[0].step(*pair)
    )
    great = next(
        pair
        for pair, kind in data.water_side.items()
        if kind == "major_river"
        and pair not in data.bridged
        and pair not in data.ferries
        and data.costs[ALL_FROZEN].step(*pair)
    )
    ground = data.plain_cost(river[1], 0)
    assert [data.costs[w].step(*river) for w in (0, 1, 2)] == [ground + 2, ground, ground]
    assert data.costs[MUD].step(*river) == 0
    assert [data.costs[w].step(*great) for w in (0, 1)] == [0, 0]
    assert data.costs[ALL_FROZEN].step(*great) == data.plain_cost(great[1], ALL_FROZEN) + 2
    marsh = next(
        cell for cell, info in board.info.items() if info.terrain == "marsh" and "city" not in info.features
    )
    assert [data.kind_of(marsh, w) for w in (0, 1, 2)] == ["marsh", "marsh", "forest"]
    assert [data.plain_cost(marsh, w) for w in (0, 2)] == [6, 4]


@rule("stalingrad_roads", "3.2.2")
def test_mud() -> None:
    table = Table("soviet-movement", {"s-4-tk": "1628", "hq-south-west": "1928", "g-44": "1732"}, mud=True)
    table.do("pick s-4-tk")
    assert table.left == 2
    assert table.refused("pick s-4-tk")[0] == "not-now"
    table.do("halt")
    marching = Table("soviet-movement", {"s-45": "1928", "hq-south-west": "1928"}, mud=True)
    assert marching.refused("march s-45") == ("mud-no-march", "3.2.2")


@rule("stalingrad_roads", "3.2.2")
def test_mud_and_combat() -> None:
    units = {"s-1-tk": "1628", "s-26-tk": "1628", "g-44": "1629", "hq-6a": "1333", "s-27g": "1730"}
    table = Table("soviet-combat", units, mud=True)
    table.do("target 1629")
    assert table.refused("join s-27g") == ("mud-attack", "3.2.2")
    table.do("join s-1-tk", "join s-26-tk", "fight", "finish", "roll 3 5")
    battle = table.battle()
    assert (battle.exploitation, battle.tactical, battle.one_sided) == (0, "Eng", True)
