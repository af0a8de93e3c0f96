"""12E, 14A, 7A4a, 7A4b Engineers, resource points and railways, as they are played."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.second_front.books import board
from grognard.games.second_front.rules.ground import POINT
from grognard.games.second_front.rules.stocks import points_at
from grognard.games.second_front.state import FrontState, Work
from grognard.games.second_front.units import ALLIED, AXIS
from tests.games.second_front.table import Table
from tests.rules import rule

GELA, INLAND, CALTAGIRONE, VIZZINI, PALERMO, MESSINA = (
    *("26:4130", "26:4129", "26:4128", "26:4127", "26:3530", "26:3823"),
)
ENNA, CALTANISSETTA = "26:3928", "26:3929"
SAPPERS, MORE_SAPPERS, PORT_BUILDERS = "US-eng-III-19", "US-eng-III-36", "US-prt-III-1051"
US1, US2ARM, HG, LIVORNO = "US-inf-XX-1", "US-arm-XX-2", "SF-G-FJ-HG", "SF-I-IT-004"
FORT, AIRFIELD, REBUILD = "fort", "airfield", "rebuild"


def stock(side: int, **hexes: int) -> Callable[[FrontState], None]:
    """Resource points: stock(ALLIED, gela=2)."""
    named = {"gela": GELA, "inland": INLAND, "messina": MESSINA, "palermo": PALERMO, "enna": ENNA}

    def put(state: FrontState) -> None:
        state.resources = tuple(
            sorted((board().cell(named[name]), side, points) for name, points in hexes.items())
        )
        state.fed = state.side_units[side]

    return put


def cell(number: str) -> int:
    return board().cell(number)


# 14A1


@rule("second_front", "14A1", "12E")
def test_a_fort_is_begun_in_the_initial_phase_with_a_resource_point() -> None:
    units_ = {SAPPERS: GELA, MORE_SAPPERS: INLAND, US1: INLAND}
    table = Table("initial", ALLIED, units_, before=stock(ALLIED, gela=2))
    assert table.asked == "begin-work"
    assert table.refused(f"build {US1} fort") == ("cannot-build", "14A1")
    assert table.refused(f"build {SAPPERS} rebuild") == ("cannot-build", "14A5")
    table.do(f"build {SAPPERS} fort")
    assert points_at(table.state, ALLIED, cell(GELA)) == 1, "spent at once"
    assert table.state.works == (Work(FORT, ALLIED, cell(GELA), (table.unit(SAPPERS),), 3),), "clear ground"
    assert table.refused(f"build {SAPPERS} airfield") == ("at-work", "14A1")
    table.do("end")
    assert table.refused(f"move {SAPPERS}") == ("cannot-move", "6"), "it works with all its movement"


@rule("second_front", "14A1", "37B1")
def test_the_fort_is_there_in_the_initial_phase_of_the_next_turn() -> None:
    def begun(state: FrontState) -> None:
        state.works = (Work(FORT, ALLIED, cell(GELA), (unit,), 3),)

    unit = Table("movement", ALLIED, {SAPPERS: GELA}).unit(SAPPERS)
    early = Table("initial", ALLIED, {SAPPERS: GELA}, before=begun, turn=2)
    assert early.state.works and not early.state.forts
    done = Table("initial", ALLIED, {SAPPERS: GELA}, before=begun, turn=3, arrivals=())
    assert done.state.forts == 1 << cell(GELA) and not done.state.works
    axis = Table("initial", AXIS, {SAPPERS: GELA}, before=begun, turn=3, arrivals=())
    assert not axis.state.forts, "in the initial phase of its own side"


@rule("second_front", "14A1")
def test_the_work_is_given_up_when_the_engineers_leave() -> None:
    def begun(state: FrontState) -> None:
        units = unit, other
        state.works = (Work(FORT, ALLIED, cell(GELA), units, 3),)

    first = Table("movement", ALLIED, {SAPPERS: GELA, MORE_SAPPERS: GELA})
    unit, other = first.unit(SAPPERS), first.unit(MORE_SAPPERS)
    table = Table("movement", ALLIED, {SAPPERS: GELA, MORE_SAPPERS: GELA}, before=begun)
    assert table.state.left[unit] == 4 * POINT, "two of them work with half their movement"
    table.do(f"move {SAPPERS}", f"step {INLAND}", "halt")
    assert table.state.works == ()


@rule("second_front", "14A1", "14A1b")
def test_a_builder_must_be_supplied_together_and_have_a_point_in_reach() -> None:
    units = {SAPPERS: GELA, MORE_SAPPERS: INLAND, US1: INLAND}
    table = Table("initial", ALLIED, units, before=stock(ALLIED, gela=3))
    assert table.refused(f"build-together {SAPPERS} {MORE_SAPPERS} fort") == ("not-together", "14A1b")
    table.state.fed &= ~(1 << table.unit(SAPPERS))
    assert table.refused(f"build {SAPPERS} fort") == ("builder-unsupplied", "14A1")
    table.do(f"build {MORE_SAPPERS} fort")
    assert points_at(table.state, ALLIED, cell(GELA)) == 2, "along a line of supply"
    none = Table("initial", ALLIED, units, before=stock(AXIS, messina=3))
    assert none.asked != "begin-work"


@rule("second_front", "14A1")
def test_a_hex_takes_one_fort_and_airfields_up_to_twelve() -> None:
    def prepared(state: FrontState) -> None:
        stock(ALLIED, gela=5)(state)
        state.forts = 1 << cell(INLAND)
        state.airfields = ((cell(GELA), 9),)

    table = Table("initial", ALLIED, {SAPPERS: INLAND, MORE_SAPPERS: GELA}, before=prepared)
    assert table.refused(f"build {SAPPERS} fort") == ("no-fort-here", "14A1")
    assert table.refused(f"build {MORE_SAPPERS} airfield") == ("no-airfield-here", "14A1")
    table.do(f"build {SAPPERS} airfield")


@rule("second_front", "14A1", "14A1a")
def test_rough_ground_and_bad_weather_take_twice_as_long() -> None:
    def muddy(state: FrontState) -> None:
        stock(ALLIED, gela=5)(state)
        state.sky = ("mud",) * 4

    table = Table("initial", ALLIED, {SAPPERS: GELA}, before=muddy)
    table.do(f"build {SAPPERS} airfield")
    assert table.state.works[0].due == 4, "two turns instead of one"


@rule("second_front", "14A5")
def test_port_engineers_rebuild_a_destroyed_port_in_two_turns() -> None:
    def ruined(state: FrontState) -> None:
        stock(ALLIED, gela=2)(state)
        state.ruined = 1 << cell(GELA)

    table = Table("initial", ALLIED, {PORT_BUILDERS: GELA, SAPPERS: GELA}, before=ruined)
    assert table.refused(f"build {SAPPERS} rebuild") == ("cannot-build", "14A5")
    table.do(f"build {PORT_BUILDERS} rebuild")
    assert table.state.works[0].due == 4
    whole = Table("initial", ALLIED, {PORT_BUILDERS: GELA}, before=stock(ALLIED, gela=2))
    assert whole.refused(f"build {PORT_BUILDERS} rebuild") == ("no-ruins", "14A5")


@rule("second_front", "14A1", "14A5")
def test_a_hit_on_a_port_takes_four_points_and_a_ruin_is_not_repaired() -> None:
    def damaged(state: FrontState) -> None:
        state.hits, state.wrecked = ((cell(GELA), 1),), 1 << cell(GELA)

    table = Table("movement", ALLIED, {PORT_BUILDERS: GELA}, before=damaged)
    table.do(f"move {PORT_BUILDERS}", "repair-port")
    assert not table.state.hits and not table.state.wrecked
    assert table.state.left[table.unit(PORT_BUILDERS)] == 4 * POINT
    assert table.refused("repair-port") == ("port-sound", "14A1")

    def ruined(state: FrontState) -> None:
        damaged(state)
        state.ruined = 1 << cell(GELA)

    ruin = Table("movement", ALLIED, {PORT_BUILDERS: GELA}, before=ruined)
    ruin.do(f"move {PORT_BUILDERS}")
    assert ruin.refused("repair-port") == ("port-sound", "14A5")


@rule("second_front", "14A1", "14A1a")
def test_a_temporary_airfield_lasts_as_long_as_engineers_stay() -> None:
    table = Table("movement", ALLIED, {SAPPERS: GELA})
    table.do(f"move {SAPPERS}", "airstrip")
    assert table.state.strips == 1 << cell(GELA) and table.state.left[table.unit(SAPPERS)] == 2 * POINT
    assert table.refused("airstrip") == ("no-airfield-here", "14A1")
    table.do(f"step {INLAND}")
    assert not table.state.strips

    def muddy(state: FrontState) -> None:
        state.sky = ("mud",) * 4

    wet = Table("movement", ALLIED, {SAPPERS: GELA}, before=muddy)
    wet.do(f"move {SAPPERS}")
    assert wet.refused("airstrip") == ("too-muddy", "14A1a")


@rule("second_front", "14A1b", "14A4")
def test_two_engineers_share_the_repair_of_a_railway() -> None:
    """The example: 2 points each instead of 4."""

    def cut(state: FrontState) -> None:
        state.broken = 1 << cell(GELA)

    rails = "US-rail-III-704"
    table = Table("movement", ALLIED, {SAPPERS: GELA, rails: GELA, US1: GELA}, before=cut)
    table.do(f"move {SAPPERS}")
    assert table.refused(f"help {US1}") == ("no-engineers", "14A1b")
    table.do(f"help {rails}", "mend")
    assert [table.state.left[table.unit(id_)] for id_ in (SAPPERS, rails)] == [6 * POINT, 6 * POINT]
    assert not table.state.broken
    alone = Table("movement", ALLIED, {rails: GELA}, before=cut)
    alone.do(f"move {rails}")
    assert alone.refused("airstrip") == ("no-engineers", "14A1"), "rail engineers repair railways alone"
    alone.do("mend")
    assert alone.state.left[alone.unit(rails)] == 4 * POINT


@rule("second_front", "14A1c")
def test_civilians_of_a_german_city_help_one_engineer() -> None:
    """Frankfurt: an engineer repairs the railway for 2 points, a second one for 4."""
    city = next(c for c in board().cells if board().info[c].names.get("en") == "Stuttgart")
    number = board().number(city)
    builders = ["SF-G-EN-771", "SF-G-RE-1"]
    table = Table("movement", AXIS, {builders[0]: number}, districts=["wk_v"], allied=[])
    table.state.broken = 1 << city
    table.do(f"move {builders[0]}", "mend")
    full = table.game.units[table.unit(builders[0])].face.movement
    assert table.state.left[table.unit(builders[0])] == (full - 2) * POINT
    table.state.broken = 1 << city
    table.do("mend")
    assert table.state.left[table.unit(builders[0])] == (full - 2 - 4) * POINT, "the city has helped once"


# 12E


@rule("second_front", "12E")
def test_a_division_carries_resource_points_and_is_slower() -> None:
    """Up to its RE for one point of movement, up to twice as many for two."""
    table = Table("movement", ALLIED, {US1: GELA}, before=stock(ALLIED, gela=7))
    table.do(f"move {US1}")
    assert table.refused("load 7") == ("load-too-large", "12E")
    assert table.refused("load 8") == ("no-points", "12E")
    table.do("load 4")
    assert table.state.left[table.unit(US1)] == 6 * POINT
    assert table.refused("load 1") == ("load-first", "12E")
    table.do(f"step {INLAND}", "halt")
    assert (
        points_at(table.state, ALLIED, cell(INLAND)) == 4 and points_at(table.state, ALLIED, cell(GELA)) == 3
    )
    three = Table("movement", ALLIED, {US1: GELA}, before=stock(ALLIED, gela=3))
    three.do(f"march {US1}", "load 3")
    assert three.state.left[three.unit(US1)] == 7 * POINT, "in administrative movement too"


@rule("second_front", "12E", "7A3")
def test_a_resource_point_goes_by_train_alone() -> None:
    table = Table("movement", AXIS, {HG: CALTANISSETTA, LIVORNO: MESSINA}, before=stock(AXIS, messina=2))
    table.do(f"ship {MESSINA}")
    assert table.refused(f"send {GELA}") == ("no-freight-train", "12E")
    table.do(f"send {PALERMO}")
    assert points_at(table.state, AXIS, cell(PALERMO)) == 1
    assert [used[2] for used in table.state.rail_used] == [2 * 4], "2 RE on low volume"
    table.do(f"ship {MESSINA}", f"send {PALERMO}")
    assert points_at(table.state, AXIS, cell(PALERMO)) == 2 and len(table.state.rail_used) == 2
    late = Table("exploitation", AXIS, {HG: CALTANISSETTA}, before=stock(AXIS, messina=2))
    assert late.refused(f"ship {MESSINA}") == ("trains-in-movement", "12E")


# 7A4


@rule("second_front", "7A4a")
def test_resource_points_buy_trains_for_a_turn() -> None:
    """The island carries 10 RE: half as many again for a point, and no more."""
    table = Table("movement", AXIS, {HG: CALTANISSETTA}, before=stock(AXIS, messina=2))
    carried = next(both[AXIS] for name, *both in table.state.capacity if name == "Sicily")
    table.do("more-trains sicily")
    assert dict(table.state.rail_extra) == {"Sicily": carried // 2}
    assert points_at(table.state, AXIS, cell(MESSINA)) == 1
    assert table.refused("more-trains sicily") == ("rail-limit", "7A4a")
    assert table.refused("more-trains greater-germany") == ("rail-limit", "7A4a"), "nothing there"


@rule("second_front", "7A4b")
def test_three_resource_points_raise_a_network_for_good() -> None:
    units_ = {HG: CALTANISSETTA, "SF-G-EN-771": MESSINA}
    table = Table("initial", AXIS, units_, before=stock(AXIS, messina=20), arrivals=())
    before = {name: both[AXIS] for name, *both in table.state.capacity}["Sicily"]
    for _ in range(4):
        table.do("improve-rail sicily")
    after = {name: both[AXIS] for name, *both in table.state.capacity}["Sicily"]
    assert after == before + 4 and points_at(table.state, AXIS, cell(MESSINA)) == 20 - 12
    assert table.refused("improve-rail sicily") == ("rail-limit", "7A4b"), "12 points in a phase"
    poor = Table("initial", AXIS, {HG: CALTANISSETTA}, before=stock(AXIS, messina=2), arrivals=())
    assert poor.asked != "begin-work" or poor.refused("improve-rail sicily") == ("no-points", "7A4b")
