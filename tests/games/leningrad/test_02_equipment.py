"""2.0 What is in the box."""

from __future__ import annotations

import pytest

from grognard.games.leningrad import load
from tests.games.leningrad.table import Table
from tests.games.table_base import shown_units
from tests.rules import rule

FIGHT = ("target 1509", "join 1-pz", "fight")


def battle_of_one_panzer(die: int = 0, defender: str = "inf-4-5") -> Table:
    """1-pz attacks one Soviet division over clear ground: 6 against its defence, one column right."""
    table = Table("german-combat", {"1-pz": "1510", "10-rd": "1509"}, strengths={"10-rd": defender})
    table.do(*FIGHT)
    return table.do(f"roll {die}") if die else table


# 2.0, 2.1


@rule("leningrad", "2.0")
def test_the_game_is_played_with_one_six_sided_die() -> None:
    table = battle_of_one_panzer()
    assert table.actor == "chance"
    assert table.offered("roll") == {"1", "2", "3", "4", "5", "6"}
    assert table.refused("roll 7") == ("impossible-outcome", "9.0")
    assert table.refused("roll 0") == ("impossible-outcome", "9.0")


@rule("leningrad", "2.1")
def test_the_map_is_a_grid_of_29_columns_of_13_hexes() -> None:
    board = load().board
    expected = [f"{column:02}{row:02}" for column in range(1, 30) for row in range(1, 14)]
    assert [board.number(cell) for cell in board.cells] == expected


@rule("leningrad", "2.1")
def test_even_columns_stand_half_a_hex_lower() -> None:
    board = load().board
    around = {board.number(n) for n in board.adjacent[board.cell("1510")]}
    assert around == {"1509", "1511", "1409", "1410", "1609", "1610"}
    around = {board.number(n) for n in board.adjacent[board.cell("1410")]}
    assert around == {"1409", "1411", "1310", "1311", "1510", "1511"}


@rule("leningrad", "2.1")
def test_a_unit_goes_from_a_hex_to_one_of_its_neighbours() -> None:
    table = Table("german-movement", {"1-pz": "1510"}).do("pick 1-pz")
    assert table.offered("step") == {"1509", "1511", "1409", "1410", "1609", "1610"}
    assert table.refused("step 1508") == ("not-adjacent", "4.0")
    assert table.refused("step 1510") == ("not-adjacent", "4.0")


# 2.2, 2.3: the tables


@rule("leningrad", "2.2")
def test_every_number_of_the_terrain_chart_is_the_printed_one() -> None:
    clear = {"infantry": "1", "mobile": "1"}
    built_up = {"infantry": "1", "mobile": "1/2"}
    rough = {"infantry": "2", "mobile": "2"}
    lines = load().data.folder.text("tables/terrain.csv").splitlines()[1:]
    chart = {w[0]: {"infantry": w[1], "mobile": w[2]} for w in (line.split(",") for line in lines)}
    assert chart == {
        "clear": clear,
        "road": built_up,
        "town": built_up,
        "soviet_city": built_up,
        "marsh": rough,
        "hill": rough,
    }


@rule("leningrad", "2.3")
@pytest.mark.parametrize(
    ("die", "result"), [(1, "-/1"), (2, "1/2"), (3, "2/2"), (4, "1/1"), (5, "2/1"), (6, "1/-")]
)
def test_a_battle_is_settled_by_the_die_on_the_combat_table(die: int, result: str) -> None:
    table = battle_of_one_panzer(die)  # 6 against 5 is 1-1; armour on clear ground makes it 2-1
    assert table.events("result") == [{"die": die, "result": result, "odds": 1}]


# 2.4: the counters


@rule("leningrad", "2.4")
def test_there_are_units_of_three_types_and_fort_and_air_counters() -> None:
    game = load()
    assert {u.kind for u in game.units if u.german} == {"armour", "mechanised", "infantry"}
    assert {s.kind for s in game.data.untried} == {"armour", "mechanised", "infantry"}
    counters = {
        kind: sum(n for (k, _), n in game.data.markers.items() if k == kind) for kind in ("fort", "air")
    }
    assert counters == {"fort": 12, "air": 2}


@rule("leningrad", "2.4")
def test_a_german_counter_has_a_full_and_a_reduced_side() -> None:
    full = Table("german-combat", {"1-pz": "1510", "6-pz": "1510", "10-rd": "1509"}, reduced=["6-pz"])
    shown = shown_units(full.game, full.state, 0)
    assert (shown["1-pz"]["steps"], shown["6-pz"]["steps"]) == (2, 1)
    assert shown["6-pz"]["attack"] < shown["1-pz"]["attack"]


@rule("leningrad", "2.4")
@pytest.mark.parametrize("side", [0, 1, None])
def test_a_soviet_counter_shows_its_strengths_only_on_its_revealed_side(side: int | None) -> None:
    table = Table("soviet-movement", {"10-rd": "1509", "90-rd": "1509"}, strengths={"90-rd": "inf-2-3"})
    shown = shown_units(table.game, table.state, side)
    assert "untried" in shown["10-rd"]["badges"]
    assert not {"attack", "defence"} & shown["10-rd"].keys()
    assert (shown["90-rd"]["attack"], shown["90-rd"]["defence"]) == (2, 3)


@rule("leningrad", "2.4", "5.0")
def test_forts_and_air_units_are_no_units_and_control_nothing() -> None:
    table = Table("german-movement", {"1-inf": "1510"}, forts=["1508"])
    table.do("pick 1-inf", "step 1509", "step 1609")
    assert table.left("1-inf") == 6 - 1 - 1
    table = Table("soviet-movement", {"10-rd": "1510"}, interdicted=["1508"])
    table.do("pick 10-rd", "step 1509", "step 1609")
    assert table.left("10-rd") == 5 - 1 - 1


# 2.5, 2.6: strengths


@rule("leningrad", "2.5")
@pytest.mark.parametrize("reduced", [False, True])
def test_a_german_unit_attacks_and_defends_with_one_strength(reduced: bool) -> None:
    where = {"1-pz": "1510", "10-rd": "1509"}
    shape = {"strengths": {"10-rd": "inf-2-3"}, "reduced": ["1-pz"] if reduced else []}
    attack = Table("german-combat", where, **shape).do(*FIGHT)  # type: ignore[arg-type]
    defence = Table("soviet-combat", where, **shape)  # type: ignore[arg-type]
    defence.do("target 1510", "join 10-rd", "fight")
    counter = attack.game.units[attack.game.unit_index("1-pz")]
    strength = counter.reduced if reduced else counter.strength
    assert attack.odds().attack == defence.odds().defence == strength


@rule("leningrad", "2.6")
def test_a_soviet_unit_attacks_with_one_strength_and_defends_with_another() -> None:
    where = {"1-pz": "1510", "10-rd": "1509"}
    attacking = Table("soviet-combat", where, strengths={"10-rd": "inf-2-3"})
    attacking.do("target 1510", "join 10-rd", "fight")
    defending = Table("german-combat", where, strengths={"10-rd": "inf-2-3"}).do(*FIGHT)
    assert attacking.odds().attack == 2
    assert defending.odds().defence == 3


@rule("leningrad", "2.6")
def test_circumstances_move_columns_and_never_change_strengths() -> None:
    where = {"1-inf": "1510", "10-rd": "1509"}
    plain = Table("german-combat", where, strengths={"10-rd": "inf-2-3"})
    hard = Table(
        "german-combat",
        where,
        strengths={"10-rd": "inf-2-3"},
        terrain={"1509": "marsh"},
        sides={"1509/1510": "river"},
        supply_range=0,
    )
    for table in (plain, hard):
        table.do("target 1509", "join 1-inf", "fight")
    assert plain.odds()[:3] == hard.odds()[:3] == (4, 3, 0)
    assert plain.odds().final != hard.odds().final


# 2.7, 2.8


@rule("leningrad", "2.7")
@pytest.mark.parametrize("unit", ["1-pz", "36-mot", "1-inf", "10-rd", "28-td"])
def test_a_unit_may_cross_as_many_clear_hexes_as_its_allowance_says(unit: str) -> None:
    phase = "soviet-movement" if unit in ("10-rd", "28-td") else "german-movement"
    table = Table(phase, {unit: "1513"}).do(f"pick {unit}")
    allowance = table.game.units[table.game.unit_index(unit)].movement // 2
    assert table.left(unit) == allowance
    table.do(*(f"step 15{13 - n:02}" for n in range(1, allowance + 1)))
    assert table.left(unit) == 0
    assert table.asked == "pick-unit"  # it can go no farther
    assert table.where(unit) == f"15{13 - allowance:02}"


@rule("leningrad", "2.8", "12.1")
def test_panzer_corps_are_the_only_designations_that_matter() -> None:
    def corps_shift(*units: str, idle: str = "") -> int:
        table = Table(
            "german-combat",
            {**dict.fromkeys((*units, idle) if idle else units, "1510"), "10-rd": "1509"},
            strengths={"10-rd": "inf-2-3"},
        )
        table.do("target 1509", *(f"join {u}" for u in units), "fight")
        return table.shifts().get("attacker-corps", 0)

    assert corps_shift("1-pz", "6-pz", "36-mot") == 1  # all of the 41st
    assert corps_shift("1-pz", "6-pz", "8-pz") == 0  # of two corps
    assert corps_shift("1-pz", "6-pz", idle="36-mot") == 0  # not all of it
    assert corps_shift("291-inf", "61-inf", "217-inf") == 0  # one infantry corps in history


@rule("leningrad", "2.8")
def test_a_turn_is_a_week_and_a_hex_is_32_kilometres_across() -> None:
    game = load()
    assert len(game.turns) == 12
    assert {(turn.last_day - turn.first_day).days for turn in game.turns} == {6}
    assert game.board.settings["georeference"]["hex_km"] == pytest.approx(32, abs=1)
