"""Published answers to questions on the land rules that stand in no test of their cases."""

from __future__ import annotations

from grognard.games.second_front.rules.rail import size_on_rail
from grognard.games.second_front.rules.rebuilding import reorganisation
from grognard.games.second_front.rules.replacements import limits
from grognard.games.second_front.state import FrontState, Pool
from grognard.games.second_front.units import AXIS, SPECIAL_ARMOUR, Piece, units
from tests.games.second_front.field import piece
from tests.games.second_front.table import Table
from tests.games.second_front.test_14_play import APC, TRUCK
from tests.games.second_front.test_37_play import attacked, dutch
from tests.rules import rule

ENNA, MESSINA = "26:3928", "26:3823"
PANTHER, GRENADIERS = "SF-G-PN-D01", "SF-G-PZG-015"


@rule("second_front", "14J", "7A3")
def test_a_movement_counter_goes_by_train_as_one_re_or_two() -> None:
    """Its size is doubled for its motors: for 1 RE of cargo it is 1 RE, for 3 RE it is 2."""
    assert size_on_rail(Piece(units()[APC]), False) == 1
    assert size_on_rail(Piece(units()[TRUCK]), False) == 2


@rule("second_front", "15E")
def test_panthers_join_no_panzer_grenadiers() -> None:
    table = Table("movement", AXIS, {PANTHER: ENNA, GRENADIERS: ENNA})
    table.do("end")
    assert table.asked != "assemble" or not table.offered("attach")


@rule("second_front", "37A4", "37B1")
def test_a_flood_for_good_leaves_a_fort() -> None:
    """It goes when the enemy captures it, and not before."""
    wet, _ = dutch()
    table = attacked()
    table.state.forts |= 1 << table.cell(wet)
    table.do("flood-massively", "flood-die 4")
    table.do(sorted(table.options)[0])
    assert table.state.marsh == table.state.forts & table.state.marsh == 1 << table.cell(wet)


@rule("second_front", "40A2", "37E")
def test_a_division_in_garrison_does_not_reorganise() -> None:
    old = "SF-G-INF-076"

    def rich(state: FrontState) -> None:
        state.pools = (Pool("German", 0, 0, 20),)
        state.place(Table.index(old), Table.box("garrison_umbria"))

    table = Table("initial", AXIS, {GRENADIERS: MESSINA}, arrivals=(), cadres=[GRENADIERS], before=rich)
    assert reorganisation(table.game, table.state, table.unit(old)) is not None, "it could on the map"
    assert table.refusal(f"reorganise {old}") is not None
    assert old not in table.offered("reorganise")


@rule("second_front", "40B2", "40B3")
def test_specialised_armour_is_not_counted_with_the_engineers() -> None:
    for type_ in sorted(SPECIAL_ARMOUR):
        assert list(limits(piece("2-8", type_, "II"))) == ["specialised armour"]
    assert list(limits(piece("2-6", "combat_engineer", "III"))) == ["engineer"]
