"""7 Movement."""

from __future__ import annotations

from tests.games.stalingrad_roads.table import Table
from tests.rules import rule

HQ = {"hq-south-west": "1928"}


@rule("stalingrad_roads", "7.1", "7.1.1", "7.1.2", "7.1.3")
def test_units_move_alone_or_stacked_one_after_the_other() -> None:
    table = Table("soviet-movement", HQ | {"s-4-tk": "1429", "s-51g": "1429", "s-45": "1329"})
    table.do("pick s-4-tk", "gather s-51g")
    assert table.left == 2  # the slower one's points
    assert table.refused("gather s-45") == ("not-same-start", "7.1.1")
    assert table.refused("gather s-51g") == ("in-hand-already", "7.1.1")
    assert table.refused("step 1333") == ("not-adjacent", "7.1.2")
    table.do("step 1330")
    assert table.where("s-4-tk") == table.where("s-51g") == "1330"
    assert table.refused("gather s-45") == ("not-same-start", "7.1.1")
    table.do("halt")
    assert table.refused("pick s-4-tk") == ("moved-already", "7.1.3")


@rule("stalingrad_roads", "7.1.4", "7.1.5")
def test_terrain_costs_points() -> None:
    game = Table("soviet-movement", HQ).game
    data = game.data
    clear = next(
        (a, b)
        for a in game.board.cells
        for b in game.board.adjacent[a]
        if data.kind_of(b, 0) == "clear"
        and (a, b) not in data.water_side
        and (a, b) not in data.bridged
        and data.costs[0].step(a, b)
    )
    forest = next(
        (a, b)
        for a in game.board.cells
        for b in game.board.adjacent[a]
        if data.kind_of(b, 0) == "forest"
        and (a, b) not in data.water_side
        and (a, b) not in data.bridged
        and data.costs[0].step(a, b)
    )
    assert data.costs[0].step(*clear) == 2
    assert data.costs[0].step(*forest) == 4


@rule("stalingrad_roads", "7.1.6", "7.1.7")
def test_through_friends_but_never_onto_enemies() -> None:
    table = Table("soviet-movement", HQ | {"s-4-tk": "1429", "s-45": "1330", "g-44": "1331"})
    table.do("pick s-4-tk", "step 1330")
    assert table.refused("step 1331") == ("enemy-there", "7.1.7")


@rule("stalingrad_roads", "7.1.8")
def test_one_hex_is_always_possible() -> None:
    game = Table("soviet-movement", HQ).game
    data = game.data
    a, b = next(
        (a, b)
        for a in game.board.cells
        for b in game.board.adjacent[a]
        if data.kind_of(b, 0) == "forest"
        and data.kind_of(a, 0) == "clear"
        and (a, b) not in data.water_side
        and (a, b) not in data.bridged
        and data.costs[0].step(a, b) == 4
    )
    number = game.board.number
    table = Table("soviet-movement", HQ | {"s-45": number(a)}, unsupplied=["s-45"])
    table.do("pick s-45")
    assert table.left == 1
    table.do(f"step {number(b)}")
    assert table.where("s-45") == number(b)


@rule("stalingrad_roads", "7.1.9")
def test_roads_and_railways_cost_half_a_point() -> None:
    table = Table("soviet-movement", HQ | {"s-4-tk": "1628"})
    table.do("pick s-4-tk", "step 1529")
    assert table.left == 2.5
    table.do("step 1429", "step 1330", "step 1229")
    assert table.left == 0.5  # marsh takes a whole point by road


@rule("stalingrad_roads", "7.1.10")
def test_an_hq_ends_its_move_in_supply() -> None:
    table = Table("soviet-movement", HQ)
    data = table.game.data
    table.do("pick hq-south-west")
    off = [
        n
        for n in table.game.board.adjacent[table.cell("1928")]
        if not data.on_way >> n & 1 and data.land >> n & 1
    ]
    number = table.game.board.number(off[0])
    table.do(f"step {number}")
    assert table.refused("halt") == ("hq-unsupplied", "7.1.10")
    table.do("step 1928", "halt")


@rule("stalingrad_roads", "7.1.11", "S3.13")
def test_no_axis_unit_ends_in_row_00() -> None:
    table = Table("axis-movement", {"g-23-pz": "0120", "s-4-tk": "0122", "hq-lanz": "0518"})
    table.do("pick g-23-pz", "step 0020")
    assert table.refused("halt") == ("edge-row", "7.1.11")
    soviet = Table("soviet-movement", {"s-4-tk": "0122", "hq-stalingrad": "1235"})
    soviet.do("pick s-4-tk", "step 0022", "halt")


@rule("stalingrad_roads", "7.2", "7.2.1", "7.2.2")
def test_strategic_movement() -> None:
    units = HQ | {"s-45": "1928", "s-95": "1828", "g-44": "1728"}
    table = Table("soviet-movement", units)
    assert table.refused("march s-95") == ("march-next-to-enemy", "7.2.2")
    assert table.refused("march hq-south-west") == ("hq-no-march", "7.2.2")
    table.do("march s-45")
    assert table.left == 4
    assert table.refused("step 1828") == ("march-bounds", "7.2.2")  # next to the enemy
    far = Table("soviet-movement", HQ | {"s-45": "0735"})
    assert far.refused("march s-45")[1] == "7.2.2"


@rule("stalingrad_roads", "7.3", "7.3.1", "7.3.2", "7.3.3", "7.3.4")
def test_rail_movement_of_the_axis() -> None:
    units = {"g-44": "1409", "g-71": "1310", "hq-lanz": "1409", "s-45": "1335"}
    table = Table("axis-supply", units)
    while table.asked != "pick-unit":
        table.do(
            "end"
            if "end" in table.options
            else "pass"
            if "pass" in table.options
            else sorted(table.options)[0]
        )
    assert table.state.rail == 4
    assert table.refused("entrain g-71") == ("no-railway", "7.3.3")
    table.do("entrain g-44")
    assert table.refused("detrain 1310") == ("not-on-line", "7.3.3")
    assert "2108" in table.offered("detrain")
    table.do("detrain 2108")
    assert (table.where("g-44"), table.state.rail) == ("2108", 3)
    assert table.refused("pick g-44") == ("moved-already", "7.1.3")
    cut = Table("axis-movement", units)
    cut.state.rail = 1
    cut.state.taken_cities |= 1 << cut.cell("2108")
    cut.do("entrain g-44")
    assert "2108" not in cut.offered("detrain")


@rule("stalingrad_roads", "7.4")
def test_ferries_and_great_rivers() -> None:
    table = Table("soviet-movement", {"s-45": "1435", "hq-stalingrad": "1235"})
    table.do("pick s-45", "step 1535")
    assert table.asked == "pick-unit"  # one point, and one for the ferry: the move is over
    river = Table("soviet-movement", {"s-4-tk": "1334", "hq-stalingrad": "1235"})
    river.do("pick s-4-tk")
    assert "1335" in river.offered("step")


@rule("stalingrad_roads", "S2.8", "S2.11", "S2.13", "S2.14")
def test_who_does_not_move_in_uranus() -> None:
    units = {"hq-south-west": "1928", "s-34g": "0132", "s-13g": "1335", "g-44": "1334", "s-1-tk": "1234"}
    table = Table("soviet-movement", units, scenario="uranus")
    assert table.refused("pick hq-south-west") == ("hq-frozen", "S2.8")
    zone = next(iter(table.hexes(table.game.data.zone_28 & table.game.data.land)))
    assert table.refused("pick s-13g") == ("holds-the-bank", "S2.14")
    table.do("pick s-1-tk")
    assert table.refused("step 1335") == ("no-armour-on-bank", "S2.14")
    inside = Table("soviet-movement", {"s-34g": zone}, scenario="uranus")
    assert inside.refused("pick s-34g") == ("zone-28", "S2.13")
    italian = Table("axis-movement", {"hq-8ita": "1523"}, scenario="uranus")
    assert italian.refused("pick hq-8ita") == ("hq-frozen", "S2.11")
