"""1 Units, steps, rounding, control and stacking."""

from __future__ import annotations

from grognard.games.stalingrad_roads.rules.stacking import height, too_many
from tests.games.stalingrad_roads.table import AXIS, SOVIET, Table, whole_game
from tests.rules import rule


@rule("stalingrad_roads", "1.1", "1.1.1", "1.1.2", "1.1.3", "1.1.4", "1.1.6", "1.1.8")
def test_the_counters_are_of_three_sorts() -> None:
    units = {unit.id: unit for unit in whole_game().units}
    assert units["hq-6a"].hq
    assert units["kg-pz-1"].kampfgruppe and units["kg-pz-1"].armoured
    assert not units["kg-inf-1"].armoured
    assert (units["s-13g"].attack, units["s-13g"].defence, units["s-13g"].movement) == (3, 4, 2)
    assert (units["s-13g"].reduced_attack, units["s-13g"].reduced_defence, units["s-13g"].steps) == (2, 2, 2)
    assert (units["s-45"].attack, units["s-45"].defence, units["s-45"].movement) == (2, 3, 2)
    assert units["s-4-tk"].armoured and units["s-4-tk"].black
    assert units["s-3-gkk"].mixed and not units["s-3-gkk"].armoured
    assert not units["s-45"].black and not units["s-45"].mixed


@rule("stalingrad_roads", "1.3", "1.3.1", "1.3.2", "1.3.3")
def test_steps_are_lost_one_by_one() -> None:
    units = {"s-1-tk": "1628", "s-26-tk": "1628", "s-51g": "1628", "g-44": "1629", "hq-6a": "1333"}
    table = Table("soviet-combat", units, superiority=0).attack("1629", "s-1-tk", "s-26-tk", "s-51g")
    table.do("finish", "roll 1 5", "lose s-51g")
    assert (table.steps("s-51g"), table.steps("s-1-tk")) == (1, 2)
    assert table.steps("g-44") == 1
    one_step = Table(
        "soviet-combat", {"s-1-tk": "1628", "s-26-tk": "1628", "g-213si": "1629", "hq-6a": "1333"}
    )
    one_step.attack("1629", "s-1-tk", "s-26-tk").do("finish", "roll 2 5")
    assert one_step.where("g-213si") == "dead"


@rule("stalingrad_roads", "1.3.4", "8.15.8", "10.2.3")
def test_enclosed_units_and_kampfgruppen_never_come_back() -> None:
    from grognard.games.stalingrad_roads.rules.losses import eliminate

    table = Table("soviet-combat", {"g-44": "1334", "kg-pz-1": "1434", "g-71": "1433"}, enclosed=["g-44"])
    for unit in ("g-44", "kg-pz-1", "g-71"):
        eliminate(table.game, table.state, table.unit(unit), "8.8.2")
    assert [table.where(u) for u in ("g-44", "kg-pz-1", "g-71")] == ["withdrawn", "withdrawn", "dead"]


@rule("stalingrad_roads", "1.9", "1.9.1", "1.9.2", "4.4.2")
def test_sums_come_before_halves_and_halves_are_rounded_up() -> None:
    units = {"s-45": "1528", "s-95": "1528", "s-138": "1528", "g-44": "1629"}
    table = Table("soviet-combat", units, unsupplied=["s-45", "s-95", "s-138"])
    assert table.odds("1629", "s-45", "s-95", "s-138").attack == 3
    assert table.odds("1629", "s-45").attack == 1
    lone = Table("soviet-combat", units | {"s-13g": "1528"}, unsupplied=["s-13g"])
    assert lone.odds("1629", "s-13g").attack == 2
    # Halved by the level of the fortress and doubled by a Ju 52, the defence stays as it was.
    half = Table("soviet-combat", units | {"g-16-pz": "1629"}, enclosed=["g-16-pz"], fortress="1333", level=5)
    from grognard.games.stalingrad_roads.rules.odds import defence_strength

    german = half.unit("g-16-pz")
    assert defence_strength(half.game, half.state, [german]) == 3
    assert defence_strength(half.game, half.state, [german], [german]) == 5


@rule("stalingrad_roads", "1.10", "1.10.1")
def test_a_hex_is_controlled_by_whoever_came_last() -> None:
    table = Table("soviet-movement", {"s-4-tk": "1628", "hq-south-west": "1928"})
    cell = table.cell("1529")
    assert not table.state.soviet_hexes >> cell & 1
    table.move("s-4-tk", "1529", "1429")
    assert table.state.soviet_hexes >> cell & 1


@rule("stalingrad_roads", "1.8.3", "14.2", "14.2.1", "14.2.2")
def test_stalingrad_is_taken_with_both_hexes() -> None:
    table = Table("soviet-movement", {"s-45": "1335", "s-95": "1435", "hq-stalingrad": "1235"}, rivers=2)
    table.move("s-45", "1334")
    assert table.events("major-success") == []
    assert table.asked == "pick-unit"
    table.move("s-95", "1434")
    assert len(table.events("major-success")) == 1
    assert table.asked == "choose-effect"
    table.do("suppress human-waves")
    assert table.state.superiority == 0b1101


@rule("stalingrad_roads", "14.2.3")
def test_a_major_city_retaken_restores_an_effect_once() -> None:
    units = {"g-14-pz": "2008", "s-45": "2310", "hq-lanz": "1901", "hq-voronezh": "2213"}
    table = Table("axis-movement", units, superiority=0b0111, soviet_hexes=["2108"])
    table.state.lost_major |= 1 << table.cell("2108")
    table.do("pick g-14-pz", "step 2108", "halt")
    assert table.asked == "choose-effect"
    assert table.actor == "axis"
    table.do("reactivate rout")
    assert table.state.superiority == 0b1111


@rule("stalingrad_roads", "1.11", "1.11.1", "1.11.2", "1.11.3")
def test_too_large_a_stack_is_cut_at_the_end_of_the_phase() -> None:
    units = {"s-45": "1729", "s-95": "1729", "s-138": "1729", "s-13g": "1829", "hq-south-west": "1928"}
    table = Table("soviet-movement", units, rivers=2)
    table.move("s-13g", "1729")
    table.do("end")
    assert table.asked == "lose-excess"
    assert table.offered("discard") == {"s-45", "s-95", "s-138", "s-13g"}
    assert table.refused("discard hq-south-west") == ("not-in-crowd", "1.11.2")
    table.do("discard s-45")
    assert table.where("s-45") == "dead"
    assert table.asked != "lose-excess"


@rule("stalingrad_roads", "1.11.2", "5.5.7")
def test_what_the_support_phase_overstacks_is_checked_after_movement() -> None:
    stack = ("s-45", "s-95", "s-138", "s-204")
    units = dict.fromkeys(stack, "1829") | {"hq-south-west": "1928", "g-44": "1333"}
    table = Table("soviet-supports", units, turn=3)
    while table.asked != "pick-unit":
        assert table.asked != "lose-excess"
        table.do("end" if "end" in table.options else sorted(table.options)[0])
    assert {table.where(unit) for unit in stack} == {"1829"}
    table.do("end")
    assert table.asked == "lose-excess"


@rule("stalingrad_roads", "1.11.4", "1.11.5", "1.11.6", "1.1.5")
def test_what_stacks() -> None:
    game = whole_game()

    def stack(*ids: str) -> int:
        return sum(1 << game.unit_index(id_) for id_ in ids)

    assert height(game, stack("7-pz-1", "7-pz-2", "g-44", "hq-6a")) == 2
    assert height(game, stack("7-pz-1", "gd-1", "gd-2")) == 2
    assert not too_many(game, stack("g-44", "g-71", "kg-pz-1", "hq-6a"))
    assert too_many(game, stack("g-44", "g-71", "kg-pz-1", "g-79"))
    assert too_many(game, stack("hq-6a", "hq-4pza"))
    assert too_many(game, stack("r-5", "h-6"))
    assert not too_many(game, stack("r-5", "i-3cel", "g-44"))


@rule("stalingrad_roads", "1.7", "1.7.1", "1.7.2", "1.7.3")
def test_nationality() -> None:
    game = whole_game()
    nations = {unit.nation for unit in game.units if unit.axis}
    assert nations == {"german", "italian", "romanian", "hungarian"}
    assert {unit.nation for unit in game.units if not unit.axis} == {"soviet"}
    assert game.side(game.unit_index("r-5")) == AXIS
    assert game.side(game.unit_index("s-45")) == SOVIET


@rule("stalingrad_roads", "1.8", "1.8.1", "1.8.2", "1.8.4")
def test_terrain() -> None:
    game = whole_game()
    data, cell = game.data, game.board.cell
    assert data.kind_of(cell("2109"), 0) == "clear"
    assert data.kind_of(cell("1334"), 0) == "major_city"
    assert not data.city >> cell("2111") & 1
    assert data.city >> cell("2213") & 1
    for water in ("0414", "0834", "0835"):
        assert not data.land >> cell(water) & 1
        assert all(not data.passable[d] >> cell(water) & 1 for d in range(6))
