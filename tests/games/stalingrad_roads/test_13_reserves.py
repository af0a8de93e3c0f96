"""11, 13, 17 Offensives, the reserve, reinforcements and replacements."""

from __future__ import annotations

from tests.games.stalingrad_roads.table import SOVIET, Table, real_game
from tests.rules import rule


@rule("stalingrad_roads", "11.1", "11.1.1", "11.1.2", "S2.9")
def test_a_marker_has_to_lie_at_stalingrad() -> None:
    units = {"g-71": "1334", "g-79": "1434", "s-45": "1335", "hq-6a": "1333"}
    table = Table("offensives", units, turn=2, scenario="uranus")
    assert table.asked == "place-offensives"
    assert table.refused("end") == ("stalingrad-first", "11.1.2")
    assert table.refused("open minor-a 1125") == ("stalingrad-first", "11.1.2")
    assert table.refused("open minor-b 1334") == ("offensive-not-free", "11.1.1")
    table.do("open minor-a 1333")
    assert table.state.stalingrad_face == 2
    while table.asked == "place-offensives":
        table.do("end")


@rule("stalingrad_roads", "11.1.2", "11.4.2")
def test_while_stalingrad_is_supplied_the_major_offensive_begins_there() -> None:
    units = {"g-71": "1334", "g-79": "1434", "s-45": "1335", "hq-don": "1831"}
    held = {"stavka": ["s-vvs"] * 5 + ["s-aa"] * 5}
    fed = Table("offensives", units | {"hq-6a": "1333"}, turn=5, held=held, offensives={1: "1333"})
    fed.do("pass")
    assert fed.refused("end") == ("stalingrad-first", "11.1.2")
    assert fed.refused("launch 1125") == ("no-offensive-there", "11.1.2")
    assert {"1334", "1434", "1333"} <= fed.offered("launch")
    starved = Table("offensives", units, turn=5, held=held, offensives={1: "1333"}).do("pass")
    assert "end" in starved.options
    assert "1125" in starved.offered("launch")


@rule("stalingrad_roads", "11.2", "11.2.1", "11.2.2", "11.2.3")
def test_recalling_markers() -> None:
    units = {"g-71": "2108", "s-45": "1335", "g-79": "0518"}
    table = Table(
        "offensives", units, turn=5, offensives={1: "1125", 2: "2108"}, held={"minor-a": ["s-surprise"]}
    )
    table.state.soviet_hexes |= table.game.data.stalingrad
    pooled = table.in_pool("s-surprise")
    table.do("pass", "recall minor-a", "recall minor-b")
    assert table.in_pool("s-surprise") == pooled + 1
    assert "1125" in {o.split()[-1] for o in table.options}
    assert table.refused("open minor-b 2108") == ("offensive-not-free", "11.1.1")  # not before the turn's end
    assert table.refused("recall minor-a") == ("not-on-map-offensive", "11.2.1")
    table.do("open minor-a 1125")
    assert table.asked != "place-offensives"


@rule("stalingrad_roads", "13.1.1", "13.2", "13.2.1")
def test_supports_buy_better_dice() -> None:
    table = Table(
        "stavka-reserve",
        {"hq-voronezh": "2618", "g-44": "2617"},
        turn=4,
        reserve=["s-6", "s-78", "s-1-tk", "s-243"],
        held={"stavka": ["s-vvs", "s-aa"]},
    )
    table.do("choose-front hq-voronezh")
    assert table.asked == "spend-on-release"
    table.do("spend s-vvs stavka", "pass", "release 3")
    # 3, 1 for the city and 1 for the marker: two units, and one for the priority front
    assert table.state.local.left == 3
    assert table.refused("deploy s-6 1235") == ("not-by-the-front", "13.1.1")
    cells = {option.split()[1] for option in table.offered("deploy")}
    assert "2618" not in cells  # next to an enemy
    table.do(f"deploy s-1-tk {sorted(cells)[0]}")
    assert table.refused(f"deploy s-1-tk {sorted(cells)[0]}")[0] == "not-in-reserve"


@rule("stalingrad_roads", "13.1.3", "13.2.2")
def test_units_enter_the_reserve_restored() -> None:
    units = {"hq-voronezh": "2618", "s-6": "2618", "s-78": "2619", "s-243": "2620", "s-1-tk": "2618"}
    table = Table("stavka-reserve", units, turn=4, reduced=["s-6"])
    assert table.asked == "take-back"
    table.do("collect hq-voronezh")
    assert table.refused("withdraw s-243") == ("not-by-hq", "13.1.3")
    table.do("withdraw s-6", "withdraw s-1-tk")
    assert (table.where("s-6"), table.steps("s-6")) == ("reserve", 2)
    assert table.asked != "take-back"  # a city with a railway: two units


@rule("stalingrad_roads", "17.3", "17.3.1", "17.3.4", "17.3.6", "17.3.9", "17.3.13", "17.3.14", "13.2.3")
def test_soviet_replacements() -> None:
    units = {"hq-don": "1831", "s-45": "1831", "s-95": "1831", "s-138": "1631", "g-44": "1630"}
    table = Table("soviet-reinforcements", units, reduced=["s-45", "s-138"], dead=["s-6"])
    assert table.asked == "spend-replacements"
    assert table.refused("rebuild s-138") == ("cannot-receive", "17.3.14")
    assert table.refused("rebuild s-95") == ("at-full-strength", "17.3")
    table.do("rebuild s-45", "rebuild s-6")
    assert table.steps("s-45") == 2
    assert (table.where("s-6"), table.steps("s-6")) == ("reserve", 2)
    assert table.asked != "spend-replacements"


@rule("stalingrad_roads", "17.3.7", "17.3.12")
def test_armour_costs_a_support() -> None:
    units = {"hq-don": "1831", "s-1-tk": "1831"}
    poor = Table("soviet-reinforcements", units | {"s-45": "1831"}, reduced=["s-1-tk", "s-45"])
    assert poor.refused("rebuild s-1-tk") == ("no-support-for-armour", "17.3.7")
    table = Table(
        "soviet-reinforcements",
        units,
        reduced=["s-1-tk"],
        dead=["s-26-tk"],
        held={"major": ["s-vvs", "s-aa"]},
    )
    table.do("rebuild s-1-tk", "spend s-vvs major")
    assert table.steps("s-1-tk") == 2
    table.do("rebuild s-26-tk", "spend s-aa major")
    assert table.where("s-26-tk") == "reserve"


@rule("stalingrad_roads", "17.1", "17.2", "17.2.1", "S2.12")
def test_reinforcements_of_uranus() -> None:
    game = real_game()
    plan = game.plan(game.start("uranus"))
    assert plan.due[game.unit_index("s-87")] == 2
    assert game.unit_index("s-87") not in plan.entries
    table = Table("axis-reinforcements", {"s-45": "1335"}, turn=2, scenario="uranus", to_come={"g-7lw": 2})
    assert table.offered("arrive") == {"g-7lw 1125", "g-7lw 1126"}
    assert table.refused("arrive g-7lw 1127") == ("not-entry", "17.2.1")
    table.do("arrive g-7lw 1126")
    early = Table("axis-reinforcements", {"s-45": "1335"}, turn=1, scenario="uranus", to_come={"g-7lw": 1})
    assert early.where("g-7lw") == "to come"
    soviet = Table("soviet-reinforcements", {"s-45": "1335"}, turn=2, scenario="uranus", to_come={"s-87": 2})
    assert soviet.where("s-87") == "reserve"
    assert soviet.state.side(soviet.unit("s-87")) == SOVIET


@rule("stalingrad_roads", "17.1")
def test_a_reinforcement_in_a_major_city() -> None:
    units = {"s-45": "1335"}
    due = {"s-87": 7, "s-6": 7}
    coming = due | {"s-69": 7}
    table = Table("soviet-reinforcements", units, turn=7, to_come=coming, soviet_hexes=["1334", "1434"])
    assert table.asked == "place-in-city"
    assert table.offered("arrive") == {f"{unit} {cell}" for unit in due for cell in ("1334", "1434")}
    assert table.refused("arrive s-87 1335") == ("not-entry", "17.1")
    assert table.refused("arrive s-95 1334") == ("not-due", "17.1")
    # Reinforcements of Operation Mars go to the reserve.
    assert table.refused("arrive s-69 1334") == ("not-for-city", "17.1")
    table.do("arrive s-87 1334")
    assert table.where("s-69") == "reserve"
    # One unit; the others are in the reserve.
    assert (table.where("s-87"), table.where("s-6")) == ("1334", "reserve")
    declined = Table("soviet-reinforcements", units, turn=7, to_come=due, soviet_hexes=["1334", "1434"])
    declined.do("pass")
    assert (declined.where("s-87"), declined.where("s-6")) == ("reserve", "reserve")
    rostov = Table("soviet-reinforcements", units, turn=7, to_come=due, soviet_hexes=["0518"])
    assert rostov.offered("arrive") == {f"{unit} 0518" for unit in due}
    half = Table("soviet-reinforcements", units, turn=7, to_come=due, soviet_hexes=["1334"])
    units |= {"g-44": "1333"}
    watched = Table("soviet-reinforcements", units, turn=7, to_come=due, soviet_hexes=["1334", "1434"])
    for kept in (half, watched):
        assert (kept.where("s-87"), kept.where("s-6")) == ("reserve", "reserve")


@rule("stalingrad_roads", "S2.10")
def test_no_rail_points_in_uranus() -> None:
    table = Table("axis-movement", {"g-44": "1125", "hq-4pza": "1125"}, scenario="uranus")
    assert table.refused("entrain g-44") == ("no-rail-points", "7.3.1")


@rule("stalingrad_roads", "S2.16", "S2.17", "S2.18")
def test_victory_in_uranus() -> None:
    from grognard.games.stalingrad_roads.rules.victory import final_count, final_lines, verdict

    taken = Table("soviet-combat", {"s-45": "1335", "hq-stalingrad": "1235"}, turn=3, scenario="uranus")
    from grognard.games.stalingrad_roads.rules.ground import enter_hex

    enter_hex(taken.game, taken.state, taken.unit("s-45"), taken.cell("1334"))
    assert verdict(taken.game, taken.state).level == "soviet-decisive"
    units = {"g-71": "1334", "g-79": "1434", "hq-6a": "1333"}
    held = Table("axis-combat", units, turn=3, scenario="uranus")
    final_count(held.game, held.state)
    assert verdict(held.game, held.state).level == "axis-decisive"
    points = Table(
        "soviet-combat",
        {"s-45": "1129", "s-95": "1125", "hq-stalingrad": "1235", "hq-south-west": "1129"},
        turn=3,
        scenario="uranus",
        held={"stavka": ["s-vvs"] * 4},
        fortress="1334",
        level=3,
    )
    lines = dict(final_lines(points.game, points.state))
    assert lines["support"] == 4
    assert lines["fortress-level"] == -3
    assert (lines["small-place"], lines["large-place"]) == (2, 5)
    assert not lines.keys() & {"small-place-unsupplied", "large-place-unsupplied"}
    starving = Table("soviet-combat", {"s-45": "1129", "s-95": "1125"}, turn=3, scenario="uranus")
    lines = dict(final_lines(starving.game, starving.state))
    starving.state.fortress, starving.state.level = -1, 7
    assert "fortress-level" not in dict(final_lines(starving.game, starving.state))  # no fortress, no level
    assert (lines["small-place-unsupplied"], lines["large-place-unsupplied"]) == (1, 3)
    assert not lines.keys() & {"small-place", "large-place"}
    for total, level in (
        (6, "soviet-major"),
        (5, "soviet-minor"),
        (1, "draw"),
        (-2, "axis-minor"),
        (-6, "axis-major"),
    ):
        points.state.points, points.state.ending = total, 2
        assert verdict(points.game, points.state).level == level


@rule("stalingrad_roads", "S2.17")
def test_the_ground_between_the_rivers_is_their_corner() -> None:
    """(ruling) A supplied unit south of 15xx brings a point, or costs one; farther north it does not."""
    from grognard.games.stalingrad_roads.rules.victory import final_lines

    def counted(units: dict[str, str]) -> dict[str, int]:
        table = Table("soviet-combat", units, turn=3, scenario="uranus")
        return dict(final_lines(table.game, table.state))

    soviet = {"hq-south-west": "1628"}
    assert counted(soviet | {"s-45": "1429"})["between-soviet"] == 1
    assert "between-soviet" not in counted(soviet | {"s-45": "1529"})
    axis = {"hq-hollidt": "1125"}
    assert counted(axis | {"g-44": "1227"})["between-axis"] == -1
    assert "between-axis" not in counted(axis | {"g-44": "1526"})
