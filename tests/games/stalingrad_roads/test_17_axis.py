"""17.3 for the Axis, 13.1.2, and what is left of the campaign's special rules."""

from __future__ import annotations

from grognard.games.stalingrad_roads.rules.command import line_net, sources
from grognard.games.stalingrad_roads.state import AXIS, SOVIET
from grognard.kernel.agenda import advance
from tests.games.stalingrad_roads.table import Table, real_game
from tests.rules import rule

BASE = {"hq-lanz": "1409", "s-45": "1335"}


def rebuilding(units: dict[str, str], **more: object) -> Table:
    table = Table("axis-reinforcements", BASE | units, **more)  # type: ignore[arg-type]
    assert table.asked == "spend-replacements"
    return table


@rule("stalingrad_roads", "2")
def test_the_sequence_of_play() -> None:
    labels = [step for step in real_game().procedures["game-turn"].steps if not step.startswith("over")]
    order = [
        *("weather", "soviet-supply", "offensives", "soviet-supports", "mars", "stavka-reserve"),
        *("soviet-movement", "soviet-combat", "soviet-exploitation", "soviet-reinforcements"),
        *("axis-supply", "fortress", "axis-supports", "axis-movement", "axis-combat"),
        *("axis-exploitation", "axis-reinforcements"),
    ]
    assert [label for label in labels if label in order] == order


@rule("stalingrad_roads", "17.3.3", "17.3.8", "17.3.13")
def test_axis_divisions_come_back_step_by_step_and_allies_get_half() -> None:
    table = rebuilding({"hq-3rum": "1324"}, dead=["g-44", "r-5", "r-6"])
    assert table.state.local.left == 3
    table.do("rebuild g-44")
    assert table.refused("arrive g-44 1125") == ("not-entry", "17.3.13")
    table.do("arrive g-44 1409")
    assert table.steps("g-44") == 1
    table.do("rebuild r-5", "arrive r-5 1324")
    assert table.refused("rebuild r-6") == ("allied-half", "17.3.3")


@rule("stalingrad_roads", "17.3.5")
def test_a_point_brings_an_hq_back() -> None:
    table = rebuilding({}, dead=["hq-2a"])
    table.do("rebuild hq-2a")
    assert "hq-2a 2108" in table.offered("arrive")
    table.do("arrive hq-2a 2108")
    assert table.where("hq-2a") == "2108"


@rule("stalingrad_roads", "17.3.10", "17.3.11", "17.3.7")
def test_axis_armour_costs_a_support_or_a_kampfgruppe() -> None:
    poor = rebuilding({"g-44": "1410"}, dead=["g-14-pz"], reduced=["g-44"])
    assert poor.refused("rebuild g-14-pz") == ("no-support-for-armour", "17.3.7")
    table = rebuilding({"kg-pz-1": "1410"}, dead=["g-14-pz"], held={"available": ["a-hoth"]})
    table.do("rebuild g-14-pz")
    assert table.options == {"spend a-hoth available", "absorb kg-pz-1"}
    table.do("absorb kg-pz-1", "arrive g-14-pz 1409")
    assert (table.where("kg-pz-1"), table.steps("g-14-pz")) == ("withdrawn", 1)


@rule("stalingrad_roads", "13.1.2")
def test_a_major_offensive_brings_eight_units() -> None:
    reserve = ["s-1-tk", "s-6", "s-78", "s-243"]
    units = {"hq-don": "1831", "s-95": "1831", "g-44": "1530"}
    table = Table("stavka-reserve", units, turn=5, reserve=reserve, offensives={0: "1731"})
    table.state.major_begun = True
    table.state.frames = [("game", "turn", None), ("game-turn", "stavka-reserve", None)]
    advance(table.game.procedures, table.game, table.state)
    assert table.asked == "place-released"
    assert table.state.local.left == 8
    cells = {option.split()[1] for option in table.offered("deploy")}
    assert cells
    assert all(table.game.board.distance(table.cell(c), table.cell("1731")) <= 3 for c in cells)
    table.do(f"deploy s-1-tk {sorted(cells)[0]}")
    assert table.state.local.left == 6


@rule("stalingrad_roads", "8.10.5", "8.10.1")
def test_losses_from_results_are_taken_as_one_likes() -> None:
    units = {
        "hq-6a": "1333",
        "s-1-tk": "1628",
        "s-45": "1628",
        "g-44": "1529",
        "g-71": "1529",
        "hq-don": "1831",
    }
    table = Table("soviet-combat", units, superiority=0).attack("1529", "s-1-tk", "s-45").do("roll 3 3")
    while table.asked == "lose-step":
        table.do("lose s-45")
    table.do("stand")
    # One unit may take both steps.
    table.do("lose s-1-tk", "lose s-1-tk")
    assert table.where("s-1-tk") == "dead"


@rule("stalingrad_roads", "5.5.4")
def test_one_marker_of_each_class() -> None:
    units = {"s-1-tk": "1628", "s-26-tk": "1628", "g-44": "1529", "hq-6a": "1333"}
    both = {"s-artillery-2": "s-1-tk", "s-artillery-3": "s-26-tk", "s-katyusha": "s-1-tk"}
    table = Table("soviet-combat", units, attached=both)
    odds = table.odds("1529", "s-1-tk", "s-26-tk")
    assert odds.final - odds.initial == 2  # one artillery marker and the Katyusha


@rule("stalingrad_roads", "S2.15", "S4.7")
def test_lines_come_from_beyond_the_area() -> None:
    game = real_game()
    for scenario, side in (("uranus", AXIS), ("backhand", SOVIET)):
        state = game.start(scenario)
        assert line_net(game, state, side) & game.plan(state).area
        assert not sources(game, state, side) & game.plan(state).area or side == SOVIET


@rule("stalingrad_roads", "S3.4", "S3.5", "S3.12", "S3.14", "S3.16")
def test_the_campaign_shares_the_special_rules_of_uranus() -> None:
    game = real_game()
    plans = {name: game.plan(game.start(name)) for name in ("uranus", "campaign")}
    for plan in plans.values():
        assert plan.opens(1) and plan.zone_28 and plan.bank_rule
    hq = game.unit_index("hq-transcaucasus")
    assert plans["campaign"].due[hq] == 10
    assert plans["campaign"].entries[hq] == 1 << game.board.cell("0022")
    units = {"s-13g": "1335", "g-44": "1334", "s-45": "1928", "s-64": "1234", "hq-south-west": "1928"}
    table = Table("soviet-supports", units, turn=1, scenario="campaign")
    for support in ("s-artillery-2",) * 4 + ("s-vvs",) * 3 + ("s-aa",) * 2 + ("s-novikov",):
        table.do(f"choose {support}")
    assert table.refused("end") == ("must-play-all", "S2.5")
    # The question says why the phase cannot be ended, to nobody else.
    assert "S2.5" in game.prompt(table.state, "en") and "S2.5" in game.prompt(table.state, "fr", SOVIET)
    assert "S2.5" not in game.prompt(table.state, "fr", AXIS)
    table.do("take s-artillery-2 major")
    assert table.refused("attach s-13g") == ("bank-takes-none", "S2.14")
    table.do("attach s-45", "take s-artillery-2 major", "attach s-45")
    assert table.state.guns == (4, 2, 0)
    table.do("take s-artillery-2 major")
    assert table.refused("attach s-45") == ("guns-south", "S2.6")


@rule("stalingrad_roads", "17.2.3")
def test_a_free_division_once_stalingrad_is_lost() -> None:
    units = {"hq-lanz": "1409", "hq-3rum": "1324", "s-45": "1334", "s-95": "1434"}
    dead = ["g-44", "g-71", "r-5", "g-100", "g-14-pz"]
    table = Table("axis-reinforcements", units, dead=dead)
    assert table.asked == "place-free-division"
    # Ordinary infantry of any nation, where a rebuilt unit would return.
    assert {option.split()[0] for option in table.offered("arrive")} == {"g-44", "g-71", "r-5"}
    assert table.refused("arrive g-100 1409") == ("not-free-division", "17.2.3")
    assert table.refused("arrive g-14-pz 1409") == ("not-free-division", "17.2.3")
    assert table.refused("arrive g-44 1324") == ("not-entry", "17.3.13")
    table.do("arrive g-44 1409")
    assert (table.where("g-44"), table.steps("g-44")) == ("1409", 1)
    # One a phase, and it costs no point.
    assert table.asked == "spend-replacements"
    assert table.state.local.left == 3
    nobody = Table("axis-reinforcements", units, dead=["g-100", "g-14-pz"], held={"available": ["a-hoth"]})
    assert nobody.asked == "spend-replacements"
    half = Table("axis-reinforcements", units | {"s-95": "1435"}, dead=dead)
    assert half.asked == "spend-replacements"


@rule("stalingrad_roads", "17.2.2", "7.3.5")
def test_reinforcements_go_on_by_rail() -> None:
    units = {"g-44": "2108", "s-45": "1335"}
    table = Table("axis-reinforcements", units, turn=5, scenario="campaign", to_come={"g-302": 5})
    assert not table.state.rail  # the points of the turn are given at its beginning
    rich = Table("soviet-combat", units, turn=5, scenario="campaign", to_come={"g-302": 5})
    rich.state.rail, rich.state.active = 1, AXIS
    rich.state.frames = [("game", "turn", None), ("game-turn", "axis-reinforcements", None)]
    advance(rich.game.procedures, rich.game, rich.state)
    hexes = {option.split()[1] for option in rich.offered("arrive")}
    rich.do(f"arrive g-302 {sorted(hexes)[-1]}")
    assert rich.asked == "rail-arrivals"
    assert rich.refused("entrain g-44") == ("not-arrived", "17.2.2")
    rich.do("entrain g-302")
    assert "2108" in rich.offered("detrain")
    rich.do("detrain 2108")
    assert (rich.where("g-302"), rich.state.rail) == ("2108", 0)
