"""Composite orders, and advice on a position."""

from __future__ import annotations

import pytest

from grognard.kernel import IllegalActionError, Refusal
from tests.games.a_victory_lost.table import Table


def carry_out(table: Table, order: dict[str, object]) -> None:
    for action in table.game.expand(table.state, order):
        reason = table.game.refuse(table.state, action)
        assert reason is None, reason
        table.game.apply(table.state, action)


def test_units_move_along_a_path_one_after_the_other() -> None:
    table = Table("axis-movement", {"ge-6pz": "0808", "ge-23pz": "0808"})
    carry_out(table, {"order": "move", "units": ["ge-6pz", "ge-23pz"], "path": ["0908", "1008"]})
    assert table.where("ge-6pz") == table.where("ge-23pz") == "1008"
    assert table.asked == "pick-unit"


def test_a_march_order_uses_strategic_movement() -> None:
    table = Table("axis-movement", {"ge-62": "0408"}, sides={"0408/0508": "road", "0508/0608": "road"})
    carry_out(table, {"order": "move", "units": ["ge-62"], "path": ["0508", "0608"], "verb": "march"})
    assert table.where("ge-62") == "0608"


def test_a_boxed_unit_enters_by_the_first_hex_of_its_path() -> None:
    table = Table("draw", {}, turn=5, in_box=["hq-1pza", "ge-3pz"], cup=["1pza"]).do("draw chit-1pza")
    carry_out(table, {"order": "move", "units": ["ge-3pz"], "path": ["0716", "0715"]})
    assert table.where("ge-3pz") == "0715"


def test_an_attack_order_fights() -> None:
    table = Table("soviet-combat", {"su-1gm": "0808", "ge-6pz": "0908"}, strengths={"su-1gm": "20-9"})
    carry_out(table, {"order": "attack", "targets": ["0908"], "units": ["su-1gm"]})
    assert table.asked == "roll-die"


def test_an_arrival_order_places_a_reinforcement() -> None:
    table = Table("end-of-turn", {}, to_come={"ge-gd": 3, "ge-320": 3}, sides={"0108/0208": "rail"})
    carry_out(table, {"order": "move", "units": ["ge-gd"], "path": ["0208"]})
    assert table.where("ge-gd") == "0208"


@pytest.mark.parametrize(
    "order",
    [
        {},
        {"order": "fly", "units": ["ge-6pz"]},
        {"order": "move", "units": []},
        {"order": "move", "units": ["x"]},
        {"order": "move", "units": ["ge-6pz"], "path": ["9999"]},
        {"order": "attack", "units": ["ge-6pz"]},
    ],
)
def test_an_order_that_makes_no_sense_is_refused(order: dict[str, object]) -> None:
    table = Table("axis-movement", {"ge-6pz": "0808"})
    with pytest.raises(IllegalActionError):
        list(table.game.expand(table.state, order))


def test_reach_agrees_with_the_steps_on_offer_and_leaves_out_full_hexes() -> None:
    units = {"ge-6pz": "0808", "ge-62": "0908", "ge-294": "0908", "su-91": "1208"}
    table = Table("axis-movement", units)
    ways = table.game.adviser.reach(table.state, [table.unit("ge-6pz")]) if table.game.adviser else {}
    assert not isinstance(ways, Refusal)
    assert table.cell("0908") not in ways
    way = ways[table.cell("1008")]
    assert way.points_left == 16
    table.do("pick ge-6pz", *(f"step {table.game.board.number(c)}" for c in way.cells))
    assert 2 * table.left == way.points_left


def test_the_forecast_adds_up_and_refuses_poor_odds() -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "0808", "ge-6pz": "0908"},
        strengths={"su-1gm": "15-9", "ge-6pz": "9-5"},
        terrain={"0908": "rough"},
    )
    adviser = table.game.adviser
    assert adviser is not None
    forecast = adviser.forecast(table.state, [table.cell("0908")], [table.unit("su-1gm")], {})
    assert not isinstance(forecast, Refusal)
    assert forecast.columns == (("2-1", 1.0),)
    assert [s.code for s in forecast.shifts] == ["rough"]
    assert sum(chance for _, chance in forecast.results) == pytest.approx(1)
    weak = Table("soviet-combat", {"su-1gm": "0808", "ge-6pz": "0908"}, strengths={"su-1gm": "1-1"})
    assert weak.game.adviser is not None
    poor = weak.game.adviser.forecast(weak.state, [weak.cell("0908")], [weak.unit("su-1gm")], {})
    assert isinstance(poor, Refusal)
    assert poor.case == "9.3.4"


def test_a_supply_line_is_drawn_to_the_source() -> None:
    table = Table("axis-movement", {"ge-6pz": "0408", "su-91": "0608"}, terrain={"0308": "sea"})
    assert table.game.adviser is not None
    line = table.game.adviser.supply(table.state, table.unit("ge-6pz"))
    assert line.supplied
    assert table.game.board.number(line.line[-1]) == "0108"
    assert len(line.line) == 4 or len(line.line) == 3


def test_a_unit_in_hand_goes_on_and_may_stay_in_hand() -> None:
    table = Table("axis-movement", {"ge-6pz": "0808"}).do("pick ge-6pz")
    carry_out(table, {"order": "move", "units": ["ge-6pz"], "path": ["0908"], "halt": False})
    assert table.asked == "move-unit"
    carry_out(table, {"order": "move", "units": ["ge-6pz"], "path": ["1008"]})
    assert table.asked == "pick-unit"
    assert table.where("ge-6pz") == "1008"


def test_an_attack_begun_is_gone_on_with() -> None:
    table = Table("soviet-combat", {"su-1gm": "0808", "ge-6pz": "0908"}, strengths={"su-1gm": "20-9"})
    table.do("target 0908", "join su-1gm")
    carry_out(table, {"order": "attack", "targets": ["0908"], "units": ["su-1gm"]})
    assert table.asked == "roll-die"


def test_what_is_drawn_up_for_one_target_is_not_widened() -> None:
    units = {"su-1gm": "0808", "ge-6pz": "0908", "ge-62": "0807"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "20-9"})
    with pytest.raises(IllegalActionError) as refused:
        carry_out(table, {"order": "attack", "targets": ["0908", "0807"], "units": ["su-1gm"]})
    assert refused.value.reason.case == "9.1.3"
