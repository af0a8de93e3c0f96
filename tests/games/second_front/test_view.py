"""What is shown of the table."""

from __future__ import annotations

import pytest

from grognard.games.second_front.game import load
from grognard.games.second_front.rules.upkeep import check_isolation
from grognard.games.second_front.state import Pool, Work
from grognard.games.second_front.units import ALLIED, AXIS
from grognard.games.second_front.view import RESULTS
from grognard.kernel.table import Group
from grognard.kernel.text import LANGUAGES
from grognard.mechanics.pieces import DEAD
from tests.games.second_front.table import Table
from tests.games.table_base import shown_part, shown_units
from tests.rules import rule

GELA, INLAND, VIZZINI = "26:4130", "26:4129", "26:4127"
US1, US3, HG, CANADIANS = "US-inf-XX-1", "US-inf-XX-3", "SF-G-FJ-HG", "CA-inf-XX-1"


def table() -> Table:
    return Table("movement", ALLIED, {US1: GELA, CANADIANS: GELA, HG: VIZZINI}, cadres=[US1])


def test_units_show_what_they_count_for_now() -> None:
    shown = shown_units(table().game, table().state)
    assert shown[US1]["face"] == ["4", "4", "8"] and "cadre" in shown[US1]["badges"]
    assert shown[HG]["hex"] == VIZZINI and shown[HG]["attack"] == 14
    assert US3 not in shown, "counters that are not in play are not on the table"


def test_parts_of_divisions_show_their_dot_and_the_division_waits_beside_the_map() -> None:
    here = table().do(f"divide {CANADIANS}")
    shown = shown_units(here.game, here.state)
    assert shown["CA-binf-X-A1"]["face"] == ["3*", "3", "8"]
    box = shown_part(here.game, here.state, "replacement-box:allied")
    assert {slot.id: list(slot.units) for slot in box.slots}["broken-down"] == [CANADIANS]


def test_supply_losses_works_and_pools_are_shown() -> None:
    here = table()
    state, unit = here.state, here.unit(US1)
    state.fed, state.hunger[unit] = 0, 3
    state.works = (Work("fort", ALLIED, here.cell(GELA), (unit,), 3),)
    state.pools = (Pool("American", 50, 40, 20), Pool("German", 100))
    state.place(here.unit(US3), DEAD)
    badges = shown_units(here.game, state)[US1]["badges"]
    assert {"hungry", "at-work", "cadre"} <= set(badges)
    assert shown_part(here.game, state, "infantry:allied").groups == [Group("american", (), 2)]
    assert shown_part(here.game, state, "armour:allied").groups == [Group("american", (), 2)]
    assert shown_part(here.game, state, "pooled:allied").groups == [Group("american", (), 1)]
    assert shown_part(here.game, state, "infantry:axis").groups == [Group("german", (), 5)]
    assert shown_part(here.game, state, "works:allied").hexes == [GELA]
    lost = shown_part(here.game, state, "replacement-box:allied").slots[0]
    assert list(lost.units) == [US3]


def test_layers() -> None:
    here = table()
    zones = {here.game.board.number(cell) for cell in here.game.layer(here.state, "zones", AXIS)}
    assert INLAND not in zones and "26:4128" in zones
    reach = here.game.layer(here.state, "can-reach", ALLIED)
    assert here.cell(INLAND) in reach and here.cell(VIZZINI) not in reach
    assert here.game.layer(here.state, "supply", AXIS) and here.game.layer(here.state, "own-ground", ALLIED)
    with pytest.raises(KeyError):
        here.game.layer(here.state, "zones", None)


@rule("second_front", "40A1", "40B1")
def test_what_the_next_month_brings_and_who_will_leave_is_shown() -> None:
    """In Gustav to Rome the Germans get 8, 3 and 2 points a month; eight units leave on Jul I 44."""
    game = load()
    state = game.start("gustav")
    due = {
        name: shown_part(game, state, f"due-{name}:axis").groups for name in ("infantry", "armour", "pooled")
    }
    assert Group("german", (), 8) in due["infantry"] and Group("german", (), 3) in due["armour"]
    assert Group("german", (), 2) in due["pooled"]
    slots = {slot.id: list(slot.units) for slot in shown_part(game, state, "departures:allied").slots}
    assert not slots["leaving-now"] and "US-inf-XX-36" in slots["leaving-later"]
    state.turn = 24
    slots = {slot.id: list(slot.units) for slot in shown_part(game, state, "departures:allied").slots}
    assert "US-inf-XX-36" in slots["leaving-now"]
    state.turn = 25
    assert not shown_part(game, state, "due-infantry:axis").groups, "the scenario is over by then"


@rule("second_front", "12B", "12B1", "12B2", "12B3", "12C2", "3G")
def test_supply_is_shown_by_the_elements_of_its_lines() -> None:
    """Each element reaches farther than the one before; small ports and isolated ground have layers too."""
    game = load()
    state = game.start("gustav")
    game.settle(state, "layers")

    def layer(name: str, side: int) -> set[str]:
        return {game.board.number(cell) for cell in game.layer(state, name, side)}

    land, road, rail, sources = (
        layer(name, ALLIED) for name in ("supply", "supply-road", "supply-rail", "supply-source")
    )
    assert sources < rail < road < land
    assert "26:2422" in sources, "Naples: ships come there from Africa"
    assert "26:1825" in layer("small-ports", ALLIED) and not layer("small-ports", AXIS)
    assert "26:1825" not in layer("isolated-ground", ALLIED), "a limited source is a regular one"
    state.wrecked |= 1 << game.board.cell("26:1825")
    check_isolation(game, state)
    assert "26:1825" in layer("isolated-ground", ALLIED) and "26:1825" not in layer("small-ports", ALLIED)


def test_the_hand() -> None:
    here = table().do(f"move {US1}")
    hand = here.game.hand(here.state)
    assert hand is not None and hand.units == (here.unit(US1),)


def test_results_and_counters_in_both_languages() -> None:
    game = table().game
    for language in LANGUAGES:
        assert all(game.result_text(result, language) for result in RESULTS)
        assert game.counters(language)[US1]["faces"] == [["9", "9", "8"], ["4", "4", "8"]]
    assert game.effects("DE").defender.wiped and game.effects("AR").attacker.hexes == 1
