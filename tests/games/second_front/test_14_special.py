"""14 Special units: engineers, long-range guns, police, commandos, movement counters."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grognard.games.second_front.rules.engineers import (
    builds,
    civil_labour,
    hands,
    may_have_airfield,
    may_have_fort,
    may_work,
    points_needed,
    share_of_movement,
    share_of_points,
    turns_needed,
)
from grognard.games.second_front.rules.ground import POINT, crossings
from grognard.games.second_front.rules.special import (
    agents_surprise,
    carries,
    fires_far,
    ignores_retreat,
    may_fire_far,
    may_surprise,
    retreats_before_combat,
    slips_through_zones,
    stiffened,
    succeeds,
    surprise,
    with_police,
)
from grognard.games.second_front.rules.supply import FOOT, Situation
from grognard.games.second_front.units import AXIS
from tests.games.second_front.field import CLEAR_SKY, allied, cells, field, piece
from tests.rules import rule

BUILDER = piece("0-1-5", "construction_engineer", "III")
COMBAT, ASSAULT = piece("1-6", "combat_engineer", "II"), piece("1-6", "assault_engineer", "II")
RAIL, PORT = piece("0-1-5", "rail_engineer", "III"), allied("0-1-5", "port_engineer", "III")
WORKS = ("fort", "airfield", "airbase", "port", "rail", "rebuild")


# 14A


@rule("second_front", "14", "14A", "14A1", "14A2", "14A3", "14A4", "14A5")
def test_five_kinds_of_engineers_build_different_things() -> None:
    able = {
        name: {work for work in WORKS if builds(who, work)}
        for name, who in (
            ("build", BUILDER),
            ("combat", COMBAT),
            ("assault", ASSAULT),
            ("rail", RAIL),
            ("port", PORT),
        )
    }
    everything = set(WORKS) - {"rebuild"}
    assert able == {
        "build": everything,
        "combat": everything,
        "assault": set(),
        "rail": {"rail"},
        "port": set(WORKS),
    }
    assert not builds(piece(), "rail")


@rule("second_front", "14A1")
def test_a_fort_takes_a_turn_in_easy_ground_and_two_elsewhere() -> None:
    assert [
        turns_needed("fort", terrain, "clear") for terrain in ("clear", "rough", "woods", "mountain")
    ] == [1, 1, 2, 2]
    board = field({"0505": "fortress", "0506": "sea", "0507": "westwall", "0508": "maginot"})
    possible = [may_have_fort(board, board.cell(f"050{n}"), 0, False) for n in (4, 5, 6, 7, 8)]
    assert possible == [True, False, False, False, False]
    assert not may_have_fort(board, board.cell("0504"), cells(board, "0504"), False)
    assert not may_have_fort(board, board.cell("0504"), 0, True), "nor beside a port fortification"


@rule("second_front", "14A1")
def test_repairs_and_temporary_airfields_take_points() -> None:
    assert [points_needed(work, "woods", "clear") for work in ("airbase", "port", "rail")] == [
        2 * POINT,
        4 * POINT,
        4 * POINT,
    ]
    assert points_needed("temporary", "rough", "clear") == 6 * POINT
    assert points_needed("temporary", "woods", "clear") == 12 * POINT


@rule("second_front", "14A1")
def test_airfields_have_room_for_twelve() -> None:
    """The example: a full city hex of 6 and an airfield of 6 leave no room."""
    board = field({"0505": "forest"})
    assert may_have_airfield(board, board.cell("0504"), 9) and not may_have_airfield(
        board, board.cell("0504"), 12
    )
    assert not may_have_airfield(board, board.cell("0505"), 0)


@rule("second_front", "14A1a")
@pytest.mark.parametrize("weather", ["mud", "frost", "winter", "snow"])
def test_bad_weather_doubles_the_work(weather: str) -> None:
    assert points_needed("airbase", "clear", weather) == 4 * POINT, "the example of the rule"
    assert turns_needed("airfield", "clear", weather) == 2
    temporary = points_needed("temporary", "clear", weather)
    assert temporary is None if weather == "mud" else temporary == 12 * POINT


@rule("second_front", "14A1b")
def test_two_engineers_share_the_work_and_no_more() -> None:
    """The examples: 2 points each for a railway, 4 in bad weather; 2½ each of two units of 0-1-5 for a
    fort."""
    two = [BUILDER, BUILDER]
    assert share_of_points(4 * POINT, two) == 2 * POINT and share_of_points(8 * POINT, two) == 4 * POINT
    assert share_of_movement(BUILDER, two) == Fraction(5, 2) * POINT
    assert hands([BUILDER] * 3) == 2 and hands([BUILDER]) == 1
    assert hands([piece("1-2-5", "construction_engineer", "X")]) == 2, "a strong brigade is two"
    assert hands([piece("0-1-5", "construction_engineer", "X")]) == 1
    assert hands([piece("1-2-6", "combat_engineer", "X")]) == 1, "but not one of combat engineers"


@rule("second_front", "14A1c")
def test_civilians_help_near_a_german_city_one_unit_each() -> None:
    board = field()
    at = Situation(board, CLEAR_SKY, AXIS, board.everywhere, 0, 0, 0)
    links, city = crossings(board, FOOT, CLEAR_SKY), cells(board, "0505")
    assert civil_labour(at, links, board.cell("0509"), city, 0) == board.cell("0505"), "four hexes"
    assert civil_labour(at, links, board.cell("0101"), city, 0) is None
    assert civil_labour(at, links, board.cell("0509"), city, city) is None, "taken"
    assert civil_labour(at._replace(owned=0), links, board.cell("0509"), city, 0) is None
    assert hands([BUILDER], labour=True) == 2


@rule("second_front", "14A1d")
def test_motorised_engineers_do_not_build_while_exploiting() -> None:
    wheeled = piece("1-10", "combat_engineer", "II", klass="c/m")
    assert may_work(wheeled, "rail", False) and not may_work(wheeled, "rail", True)


@rule("second_front", "14A5")
def test_a_port_is_rebuilt_in_two_turns_anywhere() -> None:
    assert turns_needed("rebuild", "clear", "clear") == turns_needed("rebuild", "mountain", "clear") == 2


# 14B2


@rule("second_front", "14B2")
def test_long_range_guns_fire_two_hexes_and_never_alone() -> None:
    board = field()
    gun, other = piece("6-1-0", "long_range_siege", "II"), piece("4-1-6", "siege_artillery", "II")
    far, near, target = board.cell("0503"), board.cell("0504"), board.cell("0505")
    assert fires_far(board, gun, far, target) and not fires_far(board, gun, near, target)
    assert not fires_far(board, other, far, target)
    assert not may_fire_far(board, [(gun, far)], target) and may_fire_far(
        board, [(gun, far), (piece(), near)], target
    )


# 14G


@rule("second_front", "14G")
def test_political_police_forbids_retreats() -> None:
    police = piece("1-8", "political_police", "II")
    assert with_police([piece(), police]) and not with_police([piece(), piece("1-6", "police", "III")])
    assert not with_police([piece("1-8", "political_police", "II", nation="Italian")])
    assert stiffened("AR", True) == "AS" and stiffened("DR", False) == "EX"
    assert stiffened("DE", False) == "DE" and stiffened("AE", True) == "AE" and stiffened("DR", True) == "DR"
    assert ignores_retreat("DH", False) and ignores_retreat("AH", True) and not ignores_retreat("DE", False)


# 14H


@rule("second_front", "14H", "14H1")
def test_who_slips_through_zones() -> None:
    """All commandos but Allied marines and Rangers, by the ruling on 14H1."""
    kinds = ("commando", "marine_commando", "para_commando", "mechanised_commando")
    assert [slips_through_zones(allied("1-6", kind, "II")) for kind in kinds] == [True, False, True, True]
    assert [slips_through_zones(piece("1-6", kind, "II")) for kind in kinds] == [True] * 4
    assert not slips_through_zones(piece())
    assert [die for die in range(1, 7) if succeeds("commando_zoc", die)] == [3, 4, 5, 6]


@rule("second_front", "14H2")
def test_every_commando_may_retreat_before_combat() -> None:
    kinds = (
        "commando",
        "marine_commando",
        "para_commando",
        "mechanised_commando",
        "mountain_commando",
        "oss",
    )
    assert all(retreats_before_combat(allied("1-6", kind, "II")) for kind in kinds)
    assert not retreats_before_combat(allied())


@rule("second_front", "14H3")
def test_german_commandos_may_surprise() -> None:
    assert may_surprise(piece("1-6", "commando", "II")) and not may_surprise(piece("0-1-6", "commando", "II"))
    assert not may_surprise(allied("1-6", "commando", "II"))
    assert not may_surprise(piece("1-6", "commando", "II", nation="Italian"))
    assert [surprise(die) for die in range(1, 7)] == [
        (0, True),
        (0, False),
        (0, False),
        (1, False),
        (1, False),
        (1, False),
    ]


@rule("second_front", "37D")
def test_agents_surprise_those_they_work_against() -> None:
    german, italian = piece(), piece(nation="Italian")
    assert agents_surprise("vs Germans", [italian, german]) and not agents_surprise("vs Germans", [italian])
    assert agents_surprise("vs Italians", [italian]) and not agents_surprise("N", [german, italian])


# 14J


@rule("second_front", "14J", "14J1", "14J2", "14J3")
def test_what_movement_counters_carry() -> None:
    truck, lvt, apc = (allied("0-0-10", kind, "X") for kind in ("truck", "lvt", "apc"))
    brigade, guns = allied("3-8", size="X"), allied("3-4-8", "artillery", "III")
    assert carries(truck, [brigade, guns], 3, "movement") and not carries(truck, [brigade], 3, "combat")
    assert not carries(truck, [allied("4-10", "tank", "X")], 3, "movement")
    assert not carries(truck, [brigade] * 4, 3, "movement"), "three RE"
    assert carries(lvt, [brigade], 1, "combat") and carries(apc, [brigade], 1, "combat")
    assert not carries(lvt, [guns], 1, "movement") and not carries(
        apc, [allied("3-8*", size="X")], 1, "movement"
    )
