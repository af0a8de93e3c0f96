"""4 Supply."""

from __future__ import annotations

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.command import source_area, sources
from grognard.games.stalingrad_roads.rules.ground import pontoon_sides
from tests.games.stalingrad_roads.table import AXIS, SOVIET, Table
from tests.rules import rule


@rule("stalingrad_roads", "4.1", "4.1.1", "4.1.2")
def test_an_hq_without_a_line_leaves_the_map_and_returns_in_the_same_turn() -> None:
    on_rail = Table("axis-supply", {"hq-6a": "1333", "g-44": "1334"})
    assert on_rail.where("hq-6a") == "1333"
    off_road = Table("axis-supply", {"hq-6a": "1310", "g-44": "1334"})
    assert off_road.where("hq-6a") == "hq box"
    back = Table("axis-reinforcements", {"g-44": "1409", "s-45": "1333"}, lifted=["hq-6a"])
    assert back.asked == "return-hq"
    assert back.refused("return hq-6a 1310") == ("hq-not-there", "4.1.2")
    assert back.refused("return hq-6a 1334") == ("hq-not-there", "4.1.2")
    back.do("return hq-6a 1409")
    assert back.where("hq-6a") == "1409"


@rule("stalingrad_roads", "4.1.3", "4.1.4", "1.1.7", "7.4")
def test_pontoons() -> None:
    units = {"hq-stalingrad": "1235", "s-45": "1235", "g-44": "1120"}
    table = Table("soviet-supply", units)
    assert table.asked == "lay-pontoon"
    assert "hq-stalingrad 1135" in table.offered("pontoon")
    assert table.refused("pontoon hq-stalingrad 1034") == ("no-water-side", "4.1.3")
    assert table.refused("pontoon s-45 1135") == ("not-an-hq", "4.1.3")
    table.do("pontoon hq-stalingrad 1135")
    assert table.state.pontoon(table.unit("hq-stalingrad")) == table.cell("1135")
    moving = Table("soviet-movement", units, pontoons={"hq-stalingrad": "1135"})
    assert moving.refused("pick hq-stalingrad") == ("pontoon-stays", "7.1.8")
    moving.do("pick s-45", "step 1135")
    assert moving.left == 1
    assert "1135" in moving.radius("hq-stalingrad")
    without = Table("soviet-movement", units)
    without.do("pick s-45", "step 1135")
    assert without.asked == "pick-unit"  # the great river takes the whole move
    # It bridges for its own side only.
    state = moving.state
    assert pontoon_sides(moving.game, state, SOVIET) == {
        (moving.cell("1235"), moving.cell("1135")),
        (moving.cell("1135"), moving.cell("1235")),
    }
    assert not pontoon_sides(moving.game, state, AXIS)
    struck = Table("soviet-supply", units, pontoons={"hq-stalingrad": "1135"})
    assert struck.asked == "strike-pontoon"
    struck.do("strike hq-stalingrad")
    assert struck.state.pontoon(struck.unit("hq-stalingrad")) == -1


@rule("stalingrad_roads", "4.2", "4.2.1")
def test_some_soviet_sources_open_later() -> None:
    unit = {"s-45": "0022"}
    assert Table("soviet-combat", unit, turn=9).supplied("s-45") == set()
    assert Table("soviet-combat", unit, turn=10).supplied("s-45") == {"s-45"}


@rule("stalingrad_roads", "4.2.3")
def test_a_source_reaches_four_whole_hexes() -> None:
    table = Table("axis-combat", {"g-44": "1409"})
    game, state = table.game, table.state
    reached = source_area(game, state, AXIS)
    assert reached & ~game.board.within(each(sources(game, state, AXIS)), 4) == 0
    assert reached & ~game.board.within(each(sources(game, state, AXIS)), 3)


@rule("stalingrad_roads", "4.3.1")
def test_whose_hq_supplies_whom() -> None:
    units = {
        "hq-3rum": "1324",
        "r-5": "1325",
        "i-3cel": "1326",
        "h-6": "1224",
        "g-44": "1225",
        "g-71": "1226",
    }
    units |= {"g-79": "1425", "g-94": "1426"}
    table = Table("axis-supply", units)
    fed = table.supplied(*(set(units) - {"hq-3rum"}))
    assert "r-5" in fed
    assert "h-6" not in fed  # Hungarians are not supplied by Romanians
    assert len(fed - {"r-5"}) == 3  # three guests, no more
    german = Table("axis-supply", {**units, "hq-3rum": "0001", "hq-6a": "1324"})
    assert german.supplied(*(set(units) - {"hq-3rum"})) == set(units) - {"hq-3rum"}
    soviets = Table("axis-supply", {"hq-don": "1831", "g-44": "1931"})
    assert soviets.supplied("g-44") == set()


@rule("stalingrad_roads", "4.4", "4.4.1", "4.4.2")
def test_units_out_of_supply_are_marked_until_the_next_supply_phase() -> None:
    table = Table("soviet-supply", {"s-45": "1120", "s-95": "1335"}, unsupplied=["s-95"])
    assert table.in_set(table.state.unsupplied) == {"s-45"}


@rule("stalingrad_roads", "4.4.2", "4.4.4")
def test_units_out_of_supply_move_half_and_not_away_from_hqs() -> None:
    units = {"s-1-tk": "1429", "s-3-gkk": "1429", "s-51g": "1429", "hq-south-west": "1928"}
    table = Table("soviet-movement", units, unsupplied=["s-1-tk", "s-3-gkk"])
    table.do("pick s-1-tk")
    assert table.left == 2
    assert table.refused("step 1330") == ("away-from-hqs", "4.4.4")
    table.do("step 1529", "halt", "pick s-3-gkk", "step 1330")
    assert table.where("s-3-gkk") == "1330"  # elite


@rule("stalingrad_roads", "4.4.3")
def test_units_out_of_supply_have_one_point_in_exploitation() -> None:
    units = {"s-1-tk": "1429", "hq-south-west": "1928"}
    table = Table("soviet-exploitation", units, unsupplied=["s-1-tk"], exploiting=["s-1-tk"])
    table.do("pick s-1-tk")
    assert table.left == 1


@rule("stalingrad_roads", "4.5.2")
def test_guns_east_of_the_don_cost_another_support() -> None:
    table = Table(
        "soviet-supports",
        {"s-45": "1234", "s-51g": "1928", "g-44": "1334", "g-71": "1434", "hq-stalingrad": "1235"},
        turn=2,
        offensives={1: "1334"},
        stalingrad_face=2,
        held={"minor-a": ["s-artillery-2", "s-aa"]},
    )
    while table.actor == "chance":
        table.do(sorted(table.options)[0])
    pooled = table.in_pool("s-aa")
    table.do("take s-artillery-2 minor-a", "attach s-45")
    assert table.asked == "pay-marker"
    table.do("pay s-aa minor-a")
    assert table.in_pool("s-aa") == pooled + 1


@rule("stalingrad_roads", "4.5.3", "7.2.2")
def test_a_support_frees_strategic_movement_from_roads() -> None:
    units = {"s-45": "2029", "hq-south-west": "1928", "g-44": "1333"}
    table = Table("soviet-movement", units, held={"stavka": ["s-aa"]})
    assert table.asked == "buy-strategic-movement"
    table.do("spend s-aa stavka", "march s-45")
    assert table.left == 4
    poor = Table("soviet-movement", units)
    assert poor.refused("march s-45")[1] == "7.2.2"


def test_soviet_headquarters_follow_the_same_rules() -> None:
    assert Table("soviet-combat", {"hq-don": "1831"}).supplied_hqs(SOVIET) == {"hq-don"}
