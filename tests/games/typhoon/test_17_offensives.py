"""7.1.6 Divisions that leave the map: to the north and towards Voronezh (17.4.2, 17.4.3 by ruling)."""

from __future__ import annotations

from grognard.board.board import each
from grognard.games.typhoon.rules.offensives import elements_of, why_not_launch
from grognard.games.typhoon.rules.setup import units_to_come
from grognard.games.typhoon.rules.victory import loss_points
from grognard.games.typhoon.state import AXIS, SOVIET, Away
from grognard.kernel.agenda import advance
from grognard.mechanics.pieces import members
from tests.games.typhoon.table import Table, real_game
from tests.rules import rule

RULES = ("S5_16TH_ARMY", "S5_VORONEZH")
GATE, VORONEZH = "N2801", "P7014"


def first_panzer() -> tuple[str, ...]:
    game = real_game()
    return tuple(game.units[u].id for u in game.elements["1 Pz Div"])


def second() -> dict[str, str]:
    """A division that may go, so that the question stands."""
    game = real_game()
    return {game.units[u].id: "N2001" for u in game.elements["7 Pz Div"]}


def table(units: dict[str, str], turn: int = 8, **more: object) -> Table:
    return Table("axis-movement", units, turn=turn, scenario="whole", special=RULES, **more)  # type: ignore[arg-type]


@rule("typhoon", "7.1.6")
def test_a_whole_division_leaves_by_the_north_once_the_offensive_is_declared() -> None:
    t = table(dict.fromkeys(first_panzer(), GATE))
    lead = first_panzer()[0]
    assert t.asked == "offensives"
    assert t.refused(f"leave {lead}") == ("no-gate", "7.1.6")
    t.do("launch")
    assert t.refused("launch") == ("no-offensive", "7.1.6")
    t.do(f"leave {lead}")
    assert t.state.points == 3
    assert [t.where(u) for u in first_panzer()] == ["gone"] * 4


@rule("typhoon", "7.1.6")
def test_who_is_not_whole_or_stands_in_a_zone_stays() -> None:
    first, *rest = first_panzer()
    parted = table({**second(), first: GATE, **dict.fromkeys(rest, "N2802")}).do("launch")
    assert parted.refused(f"leave {first}") == ("no-gate", "7.1.6")
    two = table({**second(), **dict.fromkeys((first, rest[0]), GATE)}).do("launch")
    assert two.refused(f"leave {first}") == ("not-fit-to-leave", "7.1.6")
    watched = table({**second(), **dict.fromkeys(first_panzer(), GATE), "s-316-rd": "N2802"}).do("launch")
    assert watched.refused(f"leave {first}") == ("no-gate", "7.1.6")
    foot = table({**second(), "g-12-inf": GATE}).do("launch")
    assert foot.refused("leave g-12-inf") == ("not-fit-to-leave", "7.1.6")


@rule("typhoon", "7.1.6")
def test_three_divisions_leave_by_the_north_until_turn_18() -> None:
    lead = first_panzer()[0]
    t = table(dict.fromkeys(first_panzer(), GATE), turn=18)
    t.do("launch")
    assert t.refusal(f"leave {lead}") is None
    t.state.gone_north = 3
    assert t.refused(f"leave {lead}") == ("no-gate", "7.1.6")
    late = table(dict.fromkeys(first_panzer(), GATE), turn=19)
    late.state.launched = 18
    assert late.asked != "offensives"
    assert table({"g-12-inf": GATE}, turn=5).asked != "offensives"


@rule("typhoon", "7.1.6")
def test_divisions_go_to_voronezh_and_come_back_for_a_point() -> None:
    t = table({"g-45-inf": VORONEZH}, turn=30, steps={"g-45-inf": 2})
    t.do("leave g-45-inf")
    assert (t.state.points, t.where("g-45-inf")) == (2, "gone")
    back = table({"g-134-inf": "P6010"}, turn=31)
    unit = back.unit("g-45-inf")
    back.state.away = (Away((unit,), back.cell(VORONEZH)),)
    back.state.steps[unit] = 2
    back.state.frames.clear()
    back.state.frames += [("game", "turn", None), ("game-turn", "axis-movement", None)]
    advance(back.game.procedures, back.game, back.state)
    back.do("end", "recall g-45-inf")
    assert back.state.points == -1
    assert back.refusal(f"enter g-45-inf {VORONEZH}") is None
    assert back.refused("enter g-45-inf P7015") == ("not-an-entry", "14.1.2")
    back.do(f"enter g-45-inf {VORONEZH}")
    assert back.state.steps[unit] == 2


@rule("typhoon", "7.1.6")
def test_one_step_does_not_go_to_voronezh_nor_anybody_before_turn_21() -> None:
    weak = table({"g-45-inf": VORONEZH, "g-134-inf": "P7018"}, turn=21, steps={"g-45-inf": 1})
    assert weak.refused("leave g-45-inf") == ("not-fit-to-leave", "7.1.6")
    assert table({"g-45-inf": VORONEZH}, turn=20).asked != "offensives"
    full = table({"g-45-inf": VORONEZH}, turn=25)
    full.state.gone_south = 4
    assert full.refused("leave g-45-inf") == ("no-gate", "7.1.6")


@rule("typhoon", "7.1.6")
def test_with_two_divisions_towards_voronezh_code_s_comes_a_turn_late() -> None:
    game = real_game()
    state = game.start("campaign")
    unit = game.unit_index("s-40a")
    state.turn = game.outline(state).due[unit].turn
    assert unit in units_to_come(game, state, SOVIET)
    state.away = (Away((0,), 0), Away((1,), 0))
    assert unit not in units_to_come(game, state, SOVIET)
    state.turn += 1
    assert unit in units_to_come(game, state, SOVIET)


@rule("typhoon", "7.1.6")
def test_nobody_of_the_north_rides_or_flies_to_the_south_until_the_offensive() -> None:
    game = real_game()
    north = game.outlines["campaign"].north
    hq = next(game.units[u].id for u in members(north & game.hqs))
    places = (game.cities | game.villages) & game.on_rail
    home = next(c for c in each(places & game.north_rows) if game.board.number(c)[0] == "M")
    south = next(c for c in each(places & ~game.north_rows) if game.board.number(c)[0] == "M")
    here, there = game.board.number(home), game.board.number(south)

    def table() -> Table:
        t = Table("soviet-movement", {hq: here}, scenario="whole", special=RULES, prepares=True)
        t.state.transports = [0, 1]
        return t

    assert table().refused(f"airlift {hq} {there}") == ("north-stays", "18.0")
    assert f"{hq} {there}" not in table().offered("airlift")
    rows = table().hexes(game.north_rows)
    assert table().do("end", f"entrain {hq}").offered("detrain") <= rows
    free = table()
    free.state.launched = 1
    assert f"{hq} {there}" in free.offered("airlift")
    assert free.do("end", f"entrain {hq}").offered("detrain") - rows


@rule("typhoon", "7.1.6")
def test_the_north_stays_in_the_north_until_the_offensive() -> None:
    t = table({"g-12-inf": "N2020", "g-45-inf": "N2220"})
    t.do("end", "pick g-12-inf")
    assert t.refused("step N2021") == ("north-stays", "18.0")
    free = table({"g-12-inf": "N2020"}).do("launch", "pick g-12-inf")
    assert free.refusal("step N2021") is None
    other = table({"g-45-inf": "N2020"}).do("end", "pick g-45-inf")
    assert other.refusal("step N2021") is None


@rule("typhoon", "17.2.2")
def test_army_group_north_has_its_own_accounts() -> None:
    game = real_game()
    state = game.start("campaign")
    before = loss_points(game, state)
    for unit in game.elements["SS Totenkopf"]:
        state.place(unit, -3)
    assert loss_points(game, state) == before
    assert game.side(game.elements["SS Totenkopf"][0]) == AXIS


@rule("typhoon", "7.1.6")
def test_without_its_rule_there_is_no_offensive_of_the_16th_army() -> None:
    units = dict.fromkeys(first_panzer(), GATE)
    there = table(units)
    assert why_not_launch(there.game, there.state) is None
    plain = Table("axis-movement", units, turn=8, scenario="whole")
    refusal = why_not_launch(plain.game, plain.state)
    assert refusal is not None and refusal.code == "no-offensive"


@rule("typhoon", "7.1.6")
def test_only_divisions_of_the_axis_leave_the_map() -> None:
    game = real_game()
    assert elements_of(game, game.unit_index("g-harko-2")) == (), "guns are no division"
    assert elements_of(game, game.unit_index("s-126-rd")) == ()
    assert elements_of(game, game.unit_index("g-12-inf")) == (game.unit_index("g-12-inf"),)
