"""9.5 Retreats."""

from __future__ import annotations

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.retreat import entering, passable
from grognard.games.a_victory_lost.rules.supply import source_distance
from grognard.games.a_victory_lost.state import AXIS, SOVIET, TO_COME
from grognard.mechanics.control import in_enemy_zone, zone
from tests.games.a_victory_lost.table import Sides, Table, Terrain, real_game
from tests.rules import rule

DR, DR2 = "roll 4", "roll 6"
"""Dice that give DR at 3-1, and at 5-1 a retreat of two hexes."""


def beaten(
    die: str = DR,
    defenders: dict[str, str] | None = None,
    others: dict[str, str] | None = None,
    attack: int = 9,
    strengths: dict[str, str] | None = None,
    terrain: Terrain | None = None,
    sides: Sides | None = None,
    **more: object,
) -> Table:
    """A Soviet attack from 1008 on Germans in 0908 whose defence adds up to 3, with this die."""
    defenders = defenders or {"ge-6pz": "0908"}
    given = {"su-1gm": f"{attack}-9", "ge-6pz": "9-3", **(strengths or {})}
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", **defenders, **(others or {})},
        strengths=given,
        terrain=terrain,
        sides=sides,
        **more,  # type: ignore[arg-type]
    )
    return table.do("target 0908", "join su-1gm", "fight", die)


@rule("a_victory_lost", "9.5", "9.5.1")
def test_a_retreat_takes_one_hex_and_no_points() -> None:
    table = beaten(sides={"0808/0908": "river"}, terrain={"0808": "rough", "0807": "woods"})
    assert (table.asked, table.actor) == ("fall-back", "axis")
    assert table.offered("fall-back") == {"ge-6pz 0807", "ge-6pz 0808"}
    table.do("fall-back ge-6pz 0808")
    assert table.where("ge-6pz") == "0808"
    assert table.asked == "advance-unit"


@rule("a_victory_lost", "9.5.1")
def test_units_of_a_stack_may_go_different_ways() -> None:
    table = beaten(
        defenders={"ge-6pz": "0908", "ge-23pz": "0908"}, strengths={"ge-6pz": "9-2", "ge-23pz": "9-1"}
    )
    table.do("fall-back ge-23pz 0807", "fall-back ge-6pz 0808")
    assert (table.where("ge-23pz"), table.where("ge-6pz")) == ("0807", "0808")


@rule("a_victory_lost", "9.5.1")
def test_whoever_begins_goes_the_whole_way_first() -> None:
    table = beaten(
        "roll 5",  # 1DR2
        attack=15,
        defenders={"ge-6pz": "0908", "ge-23pz": "0908"},
        strengths={"ge-6pz": "9-2", "ge-23pz": "9-1"},
    )
    table.do("lose ge-6pz", "fall-back ge-23pz 0808")
    assert {option.split()[0] for option in table.offered("fall-back")} == {"ge-23pz"}
    table.do("fall-back ge-23pz 0708")
    assert {option.split()[0] for option in table.offered("fall-back")} == {"ge-6pz"}


@rule("a_victory_lost", "9.5.1")
def test_one_unit_ends_its_retreat_before_the_next_begins() -> None:
    table = beaten(
        "roll 4",
        attack=18,
        defenders={"ge-6pz": "0908", "ge-23pz": "0908"},
        strengths={"ge-6pz": "9-2", "ge-23pz": "9-1"},
    )  # 1DR2 at 6-1
    table.do("lose ge-6pz", "fall-back ge-6pz 0808")
    assert table.refused("fall-back ge-23pz 0807") == ("not-retreating", "9.5.1")
    table.do("fall-back ge-6pz 0708")
    assert table.refusal("fall-back ge-23pz 0807") is None


@rule("a_victory_lost", "9.5.2", "9.5.3")
def test_the_fewest_zones_come_before_everything() -> None:
    # 0807 is in the zone of 0707; 0808 is not
    table = beaten(others={"su-91": "0707"})
    assert table.offered("fall-back") == {"ge-6pz 0808"}
    assert table.refused("fall-back ge-6pz 0807") == ("fewer-zones", "9.5.2")


@rule("a_victory_lost", "9.5.2")
def test_zones_count_over_the_whole_way() -> None:
    # both first hexes are free, but from 0807 every second hex towards supply is in a zone
    table = beaten("roll 5", attack=15, others={"su-91": "0607"})  # 1DR2 at 5-1
    assert table.steps("ge-6pz") == 1
    assert table.offered("fall-back") == {"ge-6pz 0808"}


@rule("a_victory_lost", "9.5.2")
def test_then_each_hex_leads_towards_a_source() -> None:
    table = beaten()
    assert table.refused("fall-back ge-6pz 0909")[1] in ("9.5.2", "9.5.8")
    table = beaten(terrain={"0807": "sea", "0808": "sea"})
    # nothing leads to the source: whatever has the fewest zones will do
    assert table.asked == "fall-back"
    assert table.offered("fall-back") <= {"ge-6pz 0907", "ge-6pz 0909", "ge-6pz 1007"}


@rule("a_victory_lost", "9.5.2")
def test_then_there_must_be_room_but_supply_comes_first() -> None:
    full = {"ge-62": "0808", "ge-294": "0808"}
    table = beaten(others=full)
    assert table.offered("fall-back") == {"ge-6pz 0807"}
    assert table.refused("fall-back ge-6pz 0808") == ("room-first", "9.5.2")
    both = full | {"ge-336": "0807", "ge-298": "0807"}
    table = beaten(others=both)
    assert table.offered("fall-back") == {"ge-6pz 0807", "ge-6pz 0808"}
    assert table.refused("fall-back ge-6pz 0907") in (
        ("fewer-zones", "9.5.2"),
        ("towards-supply", "9.5.2"),
    )


@rule("a_victory_lost", "9.5.3")
def test_every_zone_entered_costs_a_step_even_with_a_friend_there() -> None:
    table = beaten(others={"su-91": "0707", "su-126": "0709", "su-87": "0906", "ge-62": "0808"})
    assert table.offered("fall-back") == {"ge-6pz 0807", "ge-6pz 0808"}
    table.do("fall-back ge-6pz 0808")
    assert table.steps("ge-6pz") == 1


@rule("a_victory_lost", "9.5.3")
def test_a_unit_without_steps_to_lose_dies_in_a_zone() -> None:
    table = beaten(
        others={"su-91": "0707", "su-126": "0709", "su-87": "0906"},
        reduced=["ge-6pz"],
        strengths={"ge-6pz": "9-9/9-3"},
    )
    table.do("fall-back ge-6pz 0808")
    assert table.where("ge-6pz") == "dead"


@rule("a_victory_lost", "9.5.4")
def test_a_full_hex_means_one_hex_more_and_again() -> None:
    full = {"ge-62": "0808", "ge-294": "0808", "ge-336": "0807", "ge-298": "0807"}
    full |= {"ge-168": "0708", "ge-7lw": "0708", "ge-8lw": "0709", "ge-15lw": "0709"}
    table = beaten(others=full).do("fall-back ge-6pz 0808")
    assert table.asked == "fall-back"
    table.do("fall-back ge-6pz 0708")
    assert table.asked == "fall-back"
    assert "ge-6pz 0708" not in table.offered("fall-back")
    table.do("fall-back ge-6pz 0608")
    assert table.where("ge-6pz") == "0608"
    assert table.asked == "advance-unit"


@rule("a_victory_lost", "9.5.5")
def test_an_ally_goes_on_from_a_hex_of_another_nation() -> None:
    others = {"ro-1": "0808", "ro-2": "0807"}
    table = beaten(defenders={"hu-6": "0908"}, others=others, strengths={"hu-6": "3-3"})
    table.do("fall-back hu-6 0808")
    assert table.asked == "fall-back"
    table.do(sorted(table.options)[0])
    assert table.asked == "advance-unit"


@rule("a_victory_lost", "9.5.2")
def test_zones_and_steps_away_from_supply_are_counted_apart() -> None:
    table = beaten(others={"su-91": "0707"})
    game, state, walker = table.game, table.state, table.unit("ge-6pz")
    distance = source_distance(game, state, AXIS)
    here = state.where[walker]
    for there in game.board.adjacent[here]:
        zones, back, crowd = entering(game, state, walker, here, there, (3, 1, 2))
        assert zones == 3 + in_enemy_zone(game, state, AXIS, there)
        assert back == 1 + (distance[there] >= distance[here])
        assert crowd == 2


RIVER = {"0807/0908": "major_river", "0808/0908": "major_river"}


@rule("a_victory_lost", "9.5.6")
def test_a_major_river_may_be_crossed_from_the_bank() -> None:
    table = beaten(sides=RIVER)
    assert table.offered("fall-back") == {"ge-6pz 0807", "ge-6pz 0808"}


@rule("a_victory_lost", "9.5.6")
def test_a_major_river_is_not_crossed_from_zone_to_zone_even_by_a_bridge() -> None:
    bridges = {"0807/0908": "major_river+bridge", "0808/0908": "major_river+bridge"}
    table = beaten(sides=bridges, others={"su-91": "0707"})
    assert table.refused("fall-back ge-6pz 0807") == ("no-way-back", "9.5.8")
    assert table.offered("fall-back") == {"ge-6pz 0808"}


@rule("a_victory_lost", "9.5.6")
def test_every_bridge_of_the_map_is_shut_between_two_zones_only() -> None:
    game = real_game()
    bridges = [pair for pair, bridged in game.data.major.items() if bridged]
    soviets = [n for n, unit in enumerate(game.units) if game.side(n) == SOVIET and not unit.hq]
    walker = game.unit_index("ge-6pz")
    cleared = game.set_up("campaign", {})
    for unit in range(len(game.units)):
        cleared.place(unit, TO_COME)
    shut = 0
    for here, there in bridges:
        for enemy in {*game.board.adjacent[here], *game.board.adjacent[there]} - {here, there}:
            state = cleared.clone()
            state.place(soviets[0], enemy)
            held = set(each(zone(game, state, SOVIET)))
            both = {here, there} <= held
            shut += both
            assert passable(game, state, walker, here, there, here) is not both, (here, there, enemy)
    assert shut


@rule("a_victory_lost", "9.5.7", "12.1")
def test_a_retreating_unit_overruns_an_hq() -> None:
    table = beaten(others={"hq-51a": "0808", "ge-62": "0807", "ge-294": "0807"})
    table.do("fall-back ge-6pz 0808")
    assert (table.asked, table.actor) == ("reposition-hq", "soviet")
    table.do(sorted(table.options)[0])
    assert table.asked == "advance-unit"
    assert table.where("ge-6pz") == "0808"


@rule("a_victory_lost", "9.5.7")
def test_a_unit_that_dies_in_a_zone_overruns_nobody() -> None:
    others = {"su-91": "0707", "su-126": "0709", "su-87": "0906", "hq-51a": "0808"}
    table = beaten(others=others, reduced=["ge-6pz"], strengths={"ge-6pz": "9-9/9-3"})
    table.do("fall-back ge-6pz 0808")
    assert table.where("ge-6pz") == "dead"
    assert table.where("hq-51a") == "0808"


@rule("a_victory_lost", "9.5.8")
def test_a_unit_with_nowhere_to_go_is_eliminated() -> None:
    water = dict.fromkeys(("0807", "0808", "0907", "0909", "1007"), "sea")
    assert beaten(terrain=water).where("ge-6pz") == "dead"
    walls = {"0807/0908": "impassable", "0808/0908": "impassable", "0907/0908": "lake", "0908/0909": "lake"}
    walls |= {"0908/1007": "impassable"}
    assert beaten(sides=walls).where("ge-6pz") == "dead"


@rule("a_victory_lost", "9.5.8")
def test_a_retreat_of_two_hexes_that_ends_after_one_is_no_retreat() -> None:
    water = dict.fromkeys(("0807", "0907", "0909", "1007"), "sea")
    water |= dict.fromkeys(("0708", "0709", "0809", "0909"), "sea")
    assert beaten("roll 5", attack=15, terrain=water).where("ge-6pz") == "dead"


@rule("a_victory_lost", "9.5.8")
def test_nobody_retreats_off_the_map() -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "0202", "su-2gm": "0102", "ge-6pz": "0101"},
        terrain={"0201": "sea"},
        strengths={"su-2gm": "9-9", "ge-6pz": "9-3"},
    )
    table.do("target 0101", "join su-2gm", "fight", DR)
    assert table.where("ge-6pz") == "dead"


@rule("a_victory_lost", "9.5.6", "9.5.3")
def test_a_major_river_may_be_crossed_into_a_zone_from_a_hex_that_is_in_none() -> None:
    """The second hex of the retreat lies over a bridge and in a zone, the first in none."""
    water = dict.fromkeys(("0807", "0907", "0909", "1007", "0709", "0809"), "sea")
    units = {"su-1gm": "1008", "ge-6pz": "0908", "ge-62": "0908", "su-91": "0608"}
    table = Table(
        "soviet-combat",
        units,
        strengths={"su-1gm": "15-9", "ge-6pz": "9-2", "ge-62": "1/-"},
        terrain=water,
        sides={"0708/0808": "major_river+bridge"},
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 5", "lose ge-62")  # 1DR2
    table.do("fall-back ge-6pz 0808", "fall-back ge-6pz 0708")
    assert (table.where("ge-6pz"), table.steps("ge-6pz")) == ("0708", 1)
