"""11 Air power: the numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grognard.games.typhoon import data
from grognard.games.typhoon.derived import flyers
from grognard.games.typhoon.rules import air
from grognard.games.typhoon.rules.eligible import interdicted
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import AIR_DAMAGED as DAMAGED
from grognard.games.typhoon.state import AIR_DESTROYED as DESTROYED
from grognard.games.typhoon.state import AIR_FLOWN as FLOWN
from grognard.games.typhoon.state import AIR_READY as READY
from grognard.games.typhoon.state import AXIS, SOVIET
from tests.games.typhoon.ground import ground
from tests.games.typhoon.table import Table
from tests.rules import rule

FLYERS = {flyer.id: flyer for flyer in flyers()}
MESSERSCHMITT, STUKA, HEINKEL = (FLYERS[id_] for id_ in ("g-ii-jg-51", "g-i-stg-1", "g-ii-kg-53"))
DESTROYER = FLYERS["g-ii-zg-26"]
MIG, STORMOVIK, MOSCOW = (FLYERS[id_] for id_ in ("s-10-iap", "s-74-shap", "s-moscow-6-iak-16"))
AXIS_DECOY, SOVIET_DECOY = FLYERS["g-decoy-1"], FLYERS["s-decoy-1"]
DRY = Sky("dry")


@rule("typhoon", "11.1.1", "2.4")
def test_air_units_are_fighters_and_bombers_and_each_side_has_decoys() -> None:
    kinds = {(unit.side, unit.kind) for unit in FLYERS.values()}
    assert kinds == {(side, kind) for side in (AXIS, SOVIET) for kind in ("fighter", "bomber", "decoy")}
    assert (MESSERSCHMITT.combat, MIG.combat) == (4, 2), "11.2.2, the example"
    assert STUKA.support > MESSERSCHMITT.support == 0
    assert data.units().keys().isdisjoint(FLYERS), "no step of a land combat is one of theirs"


@rule("typhoon", "11.1.3")
def test_a_low_roll_brings_a_unit_one_box_up() -> None:
    assert air.readied(AXIS, FLOWN, 7, DRY) == READY
    assert air.readied(AXIS, FLOWN, 8, DRY) == FLOWN
    assert air.readied(SOVIET, FLOWN, 5, DRY) == READY
    assert air.readied(SOVIET, FLOWN, 6, DRY) == FLOWN
    assert air.readied(AXIS, DAMAGED, 4, DRY) == FLOWN, "one box, not two"
    assert air.readied(AXIS, DAMAGED, 5, DRY) == DAMAGED
    assert air.readied(SOVIET, DAMAGED, 4, DRY) == DAMAGED


@rule("typhoon", "11.1.3")
def test_weather_makes_readiness_harder_and_its_lines_add_up() -> None:
    assert [air.readiness_modifier(SOVIET, Sky(weather)) for weather in data.WEATHERS] == [0, 2, 0, 1, 2]
    assert air.readiness_modifier(SOVIET, Sky("snow", storm=True)) == 3
    assert air.readiness_modifier(AXIS, Sky("arctic", storm=True)) == 5, "the Axis suffers more"
    assert air.readied(AXIS, FLOWN, 6, Sky("rain")) == FLOWN
    assert air.readied(AXIS, FLOWN, 5, Sky("rain")) == READY


@rule("typhoon", "11.1.3")
def test_decoys_and_units_that_are_ready_or_destroyed_do_not_roll() -> None:
    assert [air.rolls_for_readiness(MIG, box) for box in range(4)] == [False, True, True, False]
    assert not any(air.rolls_for_readiness(SOVIET_DECOY, box) for box in range(4))


@rule("typhoon", "11.1.4")
def test_a_storm_grounds_units_that_were_ready() -> None:
    storm = Sky("snow", storm=True)
    assert [air.before_readiness(box, storm) for box in range(4)] == [FLOWN, FLOWN, DAMAGED, DESTROYED]
    assert [air.before_readiness(box, Sky("snow")) for box in range(4)] == list(range(4))


@rule("typhoon", "11.1.5", "11.1.6")
def test_three_ready_units_fly_a_mission_decoys_among_them() -> None:
    assert air.why_not_support(STUKA, READY, 2) is None
    assert air.why_not_support(AXIS_DECOY, READY, 3) == "mission-full"
    assert [air.why_not_support(MIG, box, 0) for box in (FLOWN, DAMAGED, DESTROYED)] == ["not-ready"] * 3


@rule("typhoon", "11.1.6", "11.4", "11.4.1")
def test_the_axis_interdicts_and_soviet_fighters_oppose() -> None:
    for unit in (MESSERSCHMITT, STUKA, AXIS_DECOY):
        assert air.why_not_interdict(unit, READY, 0) is None
        assert air.why_not_oppose(unit, READY, 0) == "fighters-oppose"
    assert air.why_not_interdict(STORMOVIK, READY, 0) == "axis-interdicts"
    assert air.why_not_oppose(MIG, READY, 0) is air.why_not_oppose(SOVIET_DECOY, READY, 0) is None
    assert air.why_not_oppose(STORMOVIK, READY, 0) == "fighters-oppose"
    assert air.why_not_oppose(MIG, READY, 3) == "mission-full"


@rule("typhoon", "11.1.7", "13.7.1", "13.7.2")
def test_moscow_s_air_defence_stays_within_ten_hexes_until_released() -> None:
    board = data.board()
    city, far = board.cell("M2928"), board.cell("P4034")
    assert air.moscow(board).bit_count() == 5
    city_hexes = [m for m in board.cells if _is(m)]
    edge = [c for c in board.cells if min(board.distance(c, m) for m in city_hexes) == 10]
    beyond = next(n for c in edge for n in board.adjacent[c] if not air.near_moscow(board) >> n & 1)
    assert edge and all(air.in_range(board, MOSCOW, cell, released=False) for cell in edge)
    assert air.in_range(board, MOSCOW, city, released=False)
    assert not air.in_range(board, MOSCOW, beyond, released=False)
    assert air.in_range(board, MOSCOW, far, released=True)
    assert air.in_range(board, MIG, far, released=False), "the others fly anywhere"


def _is(cell: int) -> bool:
    return bool(air.moscow(data.board()) >> cell & 1)


@rule("typhoon", "11.2.3")
def test_the_die_of_initiative() -> None:
    found = [air.initiative(die) for die in range(1, 11)]
    assert found[0] == (AXIS, True) and found[9] == (SOVIET, True)
    assert found[2] == (AXIS, False) and found[7] == (SOVIET, False)
    assert found[6] == (air.NOBODY, False), "the bombers get through"


@rule("typhoon", "11.2.2")
def test_the_example_of_the_two_fighters() -> None:
    """A Me 109 fires at a MiG-3 on column +2, and is fired at on column -2."""
    assert [air.fire(MESSERSCHMITT, MIG, die) for die in (2, 3, 7, 8)] == [DESTROYED, DAMAGED, FLOWN, None]
    assert [air.fire(MIG, MESSERSCHMITT, die) for die in (1, 2, 3, 4)] == [DAMAGED, DAMAGED, FLOWN, None]


@rule("typhoon", "11.2.2")
def test_only_fighters_fire_and_some_may_keep_their_bombs() -> None:
    assert [air.fires(unit) for unit in (MIG, DESTROYER, STUKA, SOVIET_DECOY)] == [True, True, False, False]
    assert air.may_hold_fire(DESTROYER, interdicting=False)
    assert not air.may_hold_fire(MESSERSCHMITT, interdicting=False)
    assert air.may_hold_fire(MESSERSCHMITT, interdicting=True)
    assert not air.may_hold_fire(MIG, interdicting=True), "it came to fight"
    assert not air.may_hold_fire(STUKA, interdicting=True)


@rule("typhoon", "11.2.2", "11.2.3")
def test_who_fired_flies_no_mission() -> None:
    assert not air.flies_on(DESTROYER, fired=True, interdicting=False)
    assert air.flies_on(DESTROYER, fired=False, interdicting=False)
    assert air.flies_on(STUKA, fired=False, interdicting=False)
    assert not air.flies_on(MESSERSCHMITT, fired=False, interdicting=False), "it has nothing to drop"
    assert air.flies_on(MESSERSCHMITT, fired=False, interdicting=True)
    assert not air.flies_on(AXIS_DECOY, fired=False, interdicting=True)


@rule("typhoon", "11.2.3")
def test_bombers_are_attacked_when_every_fighter_is_engaged() -> None:
    assert air.may_target(MIG, fighters_free=True)
    assert not air.may_target(STORMOVIK, fighters_free=True)
    assert air.may_target(STORMOVIK, fighters_free=False)
    assert not air.may_target(SOVIET_DECOY, fighters_free=False)


@rule("typhoon", "11.2.3")
def test_of_several_hits_the_worst_counts() -> None:
    assert air.worst([None, FLOWN, DESTROYED, DAMAGED]) == DESTROYED
    assert air.worst([None, None]) is air.worst([]) is None


@rule("typhoon", "11.3.2")
def test_who_fires_at_aircraft() -> None:
    units = data.units()
    soviet = {
        kind: next(u for u in units.values() if u.side == "soviet" and u.kind == kind)
        for kind in ("hq", "antiaircraft", "artillery", "armour")
    }
    division = next(u for u in units.values() if u.side == "soviet" and u.division)
    brigade = next(u for u in units.values() if u.side == "soviet" and u.size == "bde" and u.zone)
    assert all(air.fires_at_aircraft(unit, True) for unit in (division, soviet["hq"], soviet["antiaircraft"]))
    assert not air.fires_at_aircraft(brigade, True)
    assert not air.fires_at_aircraft(replace(soviet["artillery"], size="regt"), True)
    german = units["g-251-inf"]
    assert air.fires_at_aircraft(german, zone=True) and not air.fires_at_aircraft(german, zone=False)
    truck = next(u for u in units.values() if u.kind == "supply_truck")
    assert not air.fires_at_aircraft(truck, True)


@rule("typhoon", "11.3.3")
def test_the_modifiers_of_anti_aircraft_fire() -> None:
    division, guns = data.units()["g-251-inf"], _kind("antiaircraft")
    hq = _kind("hq")
    assert air.aa_modifier([division], MIG, False, DRY) == 0
    assert air.aa_modifier([division, guns], MIG, False, DRY) == -1
    assert air.aa_modifier([division], STORMOVIK, False, DRY) == -1, "it flies low"
    assert air.aa_modifier([division], MIG, True, DRY) == -1
    assert air.aa_modifier([hq], MIG, False, DRY) == 1
    assert air.aa_modifier([division], MIG, False, Sky("rain")) == 1
    assert air.aa_modifier([division], MIG, False, Sky("frost")) == 0


def _kind(kind: str) -> data.Unit:
    return next(unit for unit in data.units().values() if unit.kind == kind)


@rule("typhoon", "11.3.3")
def test_the_four_results_of_anti_aircraft_fire() -> None:
    assert [air.aa_fire(die, 0) for die in (1, 2, 3, 4, 5, 10)] == [
        DESTROYED,
        DAMAGED,
        FLOWN,
        FLOWN,
        None,
        None,
    ]
    assert air.aa_fire(2, -1) == DESTROYED and air.aa_fire(4, 1) is None
    assert air.aa_fire(1, -4) == DESTROYED and air.aa_fire(10, 4) is None, "beyond the table its last rows"


@rule("typhoon", "11.4.1", "11.5.3")
def test_what_a_unit_carries() -> None:
    assert air.carries(MESSERSCHMITT, interdicting=True) == 1 and air.carries(MESSERSCHMITT, False) == 0
    assert air.carries(STUKA, interdicting=True) == air.carries(STUKA, False) == 2
    assert air.carries(MIG, interdicting=True) == 0, "it opposes, and interdicts nothing"
    assert air.carries(AXIS_DECOY, interdicting=True) == 0


@rule("typhoon", "11.4.2")
def test_zones_of_interdiction_are_a_hex_and_those_around_it_and_overlap() -> None:
    table = Table("axis-movement", {}, interdicted=["1510", "1511"])
    game, state = table.game, table.state
    assert interdicted(game, state) == game.disc(table.cell("1510"), 1) | game.disc(table.cell("1511"), 1)
    cells = map(table.cell, ("1508", "1509", "1510"))
    assert [state.level(cell, game.disc(cell, 1)) for cell in cells] == [0, 1, 2]


@rule("typhoon", "11.4.3")
def test_the_radius_of_headquarters_shrinks_by_two_at_most() -> None:
    assert [air.command_radius(level) for level in (0, 1, 2, 3)] == [4, 3, 2, 2]


@rule("typhoon", "11.4.3")
def test_a_train_pays_twelve_for_an_interdicted_hex_and_no_more_for_two_zones() -> None:
    assert [air.rail_price(level) for level in (0, 1, 2)] == [1, 12, 12]


@rule("typhoon", "11.5.3")
def test_support_values_add_up_and_cancel_each_other() -> None:
    assert air.support_modifier([STUKA, HEINKEL], []) == -3
    assert air.support_modifier([], [STORMOVIK]) == 2
    assert air.support_modifier([STUKA], [STORMOVIK]) == 0
    assert air.support_modifier([MESSERSCHMITT], [SOVIET_DECOY]) == 0


@rule("typhoon", "11.6.1")
def test_who_goes_by_air() -> None:
    names = {unit.id for unit in data.units().values() if air.may_be_flown(unit) and unit.kind == "airborne"}
    assert names == {"g-koch", "s-10-abn-bde", "s-201-abn-bde", "s-214-abn-bde"}
    assert air.may_be_flown(_kind("hq")) and air.may_be_flown(_kind("supply_truck"))
    assert not air.may_be_flown(data.units()["g-251-inf"])


@rule("typhoon", "11.6.2", "11.6.4")
@pytest.mark.parametrize(
    ("place", "weather", "engineer", "lands"),
    [
        ("village", "dry", False, True),
        ("village", "rain", False, False),
        ("village", "rain", True, True),
        ("city", "rain", False, True),
        ("major_city", "rain", False, True),
        ("", "dry", True, False),
    ],
)
def test_where_aircraft_land(place: str, weather: str, engineer: bool, lands: bool) -> None:
    board = ground({"1203": place})
    assert air.has_airfield(board, board.cell("1203"), Sky(weather), engineer) is lands
