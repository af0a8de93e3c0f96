"""3F, 12C3a, 36C, 37E, 37G Garrisons, governments, theatres, stores and the sea, as they are played."""

from __future__ import annotations

from collections.abc import Callable

from grognard.board.board import each
from grognard.games.second_front.books import board
from grognard.games.second_front.rules.attacking import Attack, stands_fast
from grognard.games.second_front.rules.garrisons import garrisons, towns
from grognard.games.second_front.rules.pools import PARTS, pool
from grognard.games.second_front.rules.position import piece
from grognard.games.second_front.state import CAPTURED, ESCAPED, FrontState, Government
from grognard.games.second_front.units import ALLIED, AXIS
from grognard.mechanics.pieces import DEAD
from tests.games.second_front.table import Table
from tests.rules import rule

GELA, INLAND, CALTANISSETTA, ENNA, MESSINA = "26:4130", "26:4129", "26:3929", "26:3928", "26:3823"
US1, US3, HG, LIVORNO = "US-inf-XX-1", "US-inf-XX-3", "SF-G-FJ-HG", "SF-I-IT-004"
GUARDS = ("SF-I-IB-29", "SF-I-IB-18", "SF-I-IB-N", "SF-I-IB-E")


def in_garrison(*ids: str, box: str = "garrison_umbria") -> Callable[[FrontState], None]:
    def put(state: FrontState) -> None:
        for id_ in ids:
            state.place(Table.index(id_), Table.box(box))

    return put


def hexes_of(district: str) -> list[str]:
    return [board().number(c) for c in board().cells if f"district_{district}" in board().info[c].features]


def border() -> tuple[str, str]:
    """A hex of Lazio and one of Umbria beside it."""
    for number in hexes_of("umbria"):
        for near in board().adjacent[board().cell(number)]:
            info = board().info[near]
            if "district_lazio" in info.features and info.terrain not in ("sea", "lake", "mountain"):
                return board().number(near), number
    raise AssertionError


# 37E


@rule("second_front", "37E")
def test_half_of_a_garrison_musters_when_the_enemy_enters_its_district() -> None:
    lazio, umbria = border()
    table = Table(
        "movement",
        ALLIED,
        {US1: lazio},
        districts=["lazio", "umbria"],
        allied=[lazio],
        before=in_garrison(*GUARDS),
    )
    total = sum(piece(table.game, table.state, table.unit(id_)).re for id_ in GUARDS)
    table.do(f"move {US1}", f"step {umbria}")
    assert table.asked == "muster-at-once" and table.actor == "axis"
    city = sorted(option.split()[2] for option in table.options if option.startswith("muster"))[0]
    assert table.refused(f"muster {GUARDS[0]} {lazio}") == ("cannot-muster", "37E")
    came = 0
    while table.asked == "muster-at-once" and table.offered("muster"):
        table.do(sorted(option for option in table.options if option.startswith("muster"))[0])
        came += 1
    assert came == int(total // 2) and table.here(city)
    assert table.asked == "move-unit" and table.actor == "allied", "the move goes on"
    table.do("halt")
    assert table.state.alarmed == ("garrison_umbria",), "once"


@rule("second_front", "37E", "4A1")
def test_the_rest_musters_in_the_initial_phase_with_the_enemy_next_door() -> None:
    lazio, _ = border()
    table = Table(
        "initial",
        AXIS,
        {US1: lazio},
        districts=["lazio", "umbria"],
        allied=[lazio],
        before=in_garrison(*GUARDS),
    )
    assert table.asked == "muster"
    guard = next(each_ for each_ in table.game.garrisons if each_.name == "garrison_umbria")
    assert len(table.offered("muster")) == len(GUARDS) * towns(table.game, table.state, guard).bit_count()
    option = sorted(table.offered("muster"))[0]
    table.do(f"muster {option}", "end")
    far = Table(
        "initial", AXIS, {HG: lazio}, districts=["lazio", "umbria"], allied=[], before=in_garrison(*GUARDS)
    )
    assert far.asked != "muster", "no enemy near"


@rule("second_front", "37E")
def test_a_garrison_is_lost_with_the_last_city_of_its_district() -> None:
    lazio, _ = border()
    umbria = hexes_of("umbria")
    table = Table(
        "initial",
        AXIS,
        {US1: lazio},
        districts=["lazio", "umbria"],
        allied=[lazio, *umbria],
        before=in_garrison(*GUARDS),
    )
    assert all(table.state.where[table.unit(id_)] == DEAD for id_ in GUARDS)
    assert garrisons(table.game, table.state, AXIS) == []


@rule("second_front", "37E1")
def test_the_allies_pay_for_garrisons_that_are_missing() -> None:
    """Tunisia: 3 RE of British and of French troops; a point for each 3 RE or part."""
    tunis = next(number for number in hexes_of("tunisia"))
    where = {"districts": ["tunisia"], "allied": hexes_of("tunisia"), "duties": ("Initial",)}
    table = Table("initial", ALLIED, {"GB-inf-X-231": tunis}, **where)  # type: ignore[arg-type]
    assert pool(table.state, "British").infantry == pool(table.state, "French").infantry == -PARTS
    full = Table("initial", ALLIED, {"GB-inf-XX-5": tunis}, **where)  # type: ignore[arg-type]
    assert pool(full.state, "British").infantry == 0
    threatened = Table("initial", ALLIED, {HG: tunis}, **where)  # type: ignore[arg-type]
    assert pool(threatened.state, "British").infantry == 0, "not with the Axis there"


# 37G


def seated(nation: str, side: int, cell: int) -> Callable[[FrontState], None]:
    def put(state: FrontState) -> None:
        state.governments = (Government(nation, side, cell),)

    return put


@rule("second_front", "37G", "37G1")
def test_a_government_moves_to_another_city() -> None:
    enna = board().cell(ENNA)
    table = Table(
        "initial", AXIS, {HG: MESSINA}, before=seated("Italian", AXIS, enna), arrivals=(), stocks=()
    )
    assert table.asked == "seat-government"
    assert table.refused(f"install 0 {GELA}") == ("no-seat", "37G1"), "Allied"
    table.do(f"install 0 {MESSINA}")
    assert table.state.governments[0].cell == table.cell(MESSINA) and table.state.governments[0].restored == 0
    idle = Table("initial", AXIS, {HG: MESSINA}, before=seated("Italian", AXIS, enna), arrivals=(), stocks=())
    idle.do("end")
    assert idle.state.governments[0].cell == enna


@rule("second_front", "37G2", "37G3")
def test_a_government_escapes_or_is_captured_with_its_hex() -> None:
    for die, found in ((2, ESCAPED), (3, CAPTURED)):
        inland = board().cell("26:4128")
        table = Table(
            "movement",
            ALLIED,
            {US1: GELA, LIVORNO: ENNA},
            before=seated("Italian", AXIS, inland),
            allied=[GELA],
        )
        table.do(f"move {US1}", f"step {INLAND}", "halt", "end")
        assert table.asked == "roll-capture"
        table.do(f"seize {die}")
        government = table.state.governments[0]
        assert (government.cell, government.fallen) == (found, 2)
        assert piece(table.game, table.state, table.unit(LIVORNO)).disheartened
    back = Table(
        "initial",
        AXIS,
        {HG: MESSINA},
        before=seated("Italian", AXIS, CAPTURED),
        turn=3,
        arrivals=(),
        stocks=(),
    )
    assert back.refused("end") == ("government-homeless", "37G2")
    back.do(f"install 0 {MESSINA}")
    assert back.state.governments[0].restored == 3


# 3F


@rule("second_front", "3F")
def test_nobody_enters_a_theatre_that_his_side_does_not_control() -> None:
    """The Alps: the Axis that controls the South alone stays south of them."""
    ground = board()
    for here in ground.cells:
        if "district_venezia_giulia" not in ground.info[here].features:
            continue
        for there in ground.adjacent[here]:
            if "district_wk_xviii" in ground.info[there].features:
                area = ground.with_feature("district_venezia_giulia", "district_wk_xviii")
                south = ground.with_feature("district_venezia_giulia")
                table = Table(
                    "movement",
                    AXIS,
                    {HG: ground.number(here)},
                    districts=["venezia_giulia", "wk_xviii"],
                    allied=[],
                    ground=(south, area),
                )
                table.do(f"move {HG}")
                assert table.refused(f"step {ground.number(there)}") == ("other-theatre", "3F")
                return
    raise AssertionError


@rule("second_front", "3F", "37C", "3B3")
def test_the_ground_of_a_scenario_leaves_out_other_theatres_and_neutrals() -> None:
    table = Table("movement", ALLIED, {US1: GELA})
    plan = table.game.plan(table.state)
    assert plan.ground == (plan.area, plan.area), "Sicily is South and Mediterranean"
    assert not any("country_switzerland" in board().info[cell].features for cell in each(plan.area))


# 36C


@rule("second_front", "36C")
def test_the_sea_is_thrown_for_once_a_turn() -> None:
    table = Table("exploitation", ALLIED, {US1: GELA, HG: ENNA})
    table.do("end", "weather 6")
    assert table.asked == "roll-sea"
    table.do("sea-die 6")
    ((name, (found, turn)),) = table.state.seas
    assert (name, turn) == ("Mediterranean", 3) and found in ("calm", "rough", "storm")
    assert table.asked != "roll-sea" and table.events("sea-state")[0]["die"] == 6


# 12C3a


@rule("second_front", "12C3", "12C3a")
def test_delivered_supply_feeds_for_two_initial_phases() -> None:
    """A point feeds an RE that traces a land line to it, and does not reset the count."""

    def delivered(state: FrontState) -> None:
        state.stores = ((ALLIED, board().cell(INLAND), 3, 2),)
        state.hunger[Table.index(US1)] = 3

    lone = {US1: INLAND, HG: "26:4128", LIVORNO: "26:4030", "SF-I-IT-028": GELA}
    table = Table(
        "initial", ALLIED, lone, allied=[INLAND], before=delivered, at_sea=(False, False), arrivals=()
    )
    assert table.has(US1, table.state.fed) and table.state.hunger[table.unit(US1)] == 4
    assert table.state.stores == ((ALLIED, table.cell(INLAND), 3, 1),)

    def last(state: FrontState) -> None:
        delivered(state)
        state.stores = ((ALLIED, board().cell(INLAND), 2, 1),)

    gone = Table("initial", ALLIED, lone, allied=[INLAND], before=last, at_sea=(False, False), arrivals=())
    assert not gone.has(US1, gone.state.fed), "two points are not enough for three RE"
    assert gone.state.stores == ()


# 37A3, 37A4


def dutch() -> tuple[str, str]:
    """A hex of Dutch canals by the sea, and a dry neighbour of it."""
    ground = board()
    for cell in ground.cells:
        info = ground.info[cell]
        if info.terrain == "intensive_canal" and {"country_netherlands", "coastal"} <= info.features:
            for near in ground.adjacent[cell]:
                if (
                    "district_netherlands" in ground.info[near].features
                    and ground.info[near].terrain != "sea"
                ):
                    return ground.number(cell), ground.number(near)
    raise AssertionError


def attacked(side: int = ALLIED) -> Table:
    """An attack on a hex of Dutch canals, announced."""
    wet, dry = dutch()
    mine, theirs = (US1, LIVORNO) if side == ALLIED else (LIVORNO, US1)
    held = [dry] if side == ALLIED else [wet]

    def stocked(state: FrontState) -> None:
        state.resources = ((board().cell(dry if side == ALLIED else wet), ALLIED, 9),)

    table = Table(
        "combat", side, {mine: dry, theirs: wet}, districts=["netherlands"], allied=held, before=stocked
    )
    return table.do(f"assault {wet}", f"join {mine}", "fight")


@rule("second_front", "37A3", "37A")
def test_the_defender_floods_canals_and_the_attacker_may_call_it_off() -> None:
    wet, _ = dutch()
    table = attacked()
    assert table.asked == "flood" and table.actor == "axis"
    table.do("flood", "flood-die 3")
    assert table.state.flooded == 1 << table.cell(wet) and table.asked == "call-off"
    table.do("press-on")
    assert table.asked == "roll-combat"
    off = attacked().do("flood", "flood-die 3", "call-off")
    assert off.asked == "choose-target" and off.refused(f"assault {wet}") == ("nobody-can-attack", "9B")
    dry = attacked().do("flood", "flood-die 2")
    assert not dry.state.flooded and dry.asked == "roll-combat"
    off.do("end", "end")
    assert not off.state.flooded, "for this player turn alone"


@rule("second_front", "37A4")
def test_the_axis_drowns_dutch_ground_for_good() -> None:
    wet, _ = dutch()
    table = attacked().do("flood-massively", "flood-die 4")
    assert table.asked == "fall-back", "the defenders retreat as after DR"
    table.do(sorted(table.options)[0])
    assert table.asked == "choose-target", "nobody advances"
    assert table.state.resources[0][2] == 9 - 7, "relief"
    table.do("end")
    cell = table.cell(wet)
    assert table.state.marsh == 1 << cell and dict(table.state.drowned) == {cell: 2}
    table.do("end")
    assert dict(table.state.drowned) == {cell: 1}
    allies = attacked(AXIS)
    assert allies.asked == "flood" and allies.refused("flood-massively") == ("cannot-flood-massively", "37A4")


# 37B5


def at_the_wall(
    before: Callable[[FrontState], None] | None = None, phase: str = "initial"
) -> tuple[Table, str]:
    wall = next(c for c in board().cells if "westwall" in board().info[c].features)
    district = next(f for f in board().info[wall].features if f.startswith("district_")).removeprefix(
        "district_"
    )
    number = board().number(wall)
    near = next(
        board().number(c)
        for c in board().adjacent[wall]
        if f"district_{district}" in board().info[c].features
    )
    table = Table(
        phase,
        AXIS,
        {"SF-G-EN-771": number, HG: number, US1: near},
        districts=[district],
        allied=[near],
        before=before,
        ferries=(1 << wall, 0),
    )
    return table, number


@rule("second_front", "37B5", "37B")
def test_engineers_improve_the_westwall() -> None:
    def rich(state: FrontState) -> None:
        wall = next(c for c in board().cells if "westwall" in board().info[c].features)
        state.resources = ((wall, AXIS, 3),)

    table, number = at_the_wall(rich)
    assert table.refused("build SF-G-EN-771 fort") == ("no-fort-here", "14A1")
    table.do("build SF-G-EN-771 westwall")
    assert table.state.resources[0][2] == 1, "two points"
    terrain = board().info[table.cell(number)].terrain
    assert table.state.works[0].due == 2 + (2 if terrain in ("clear", "rough") else 4)


@rule("second_front", "37B5")
def test_the_axis_restores_the_westwall_once() -> None:
    table, number = at_the_wall()
    table.do("restore-westwall")
    assert table.state.restoration == 2 and table.state.wall_held >> table.cell(number) & 1

    def declared(state: FrontState) -> None:
        state.restoration = 2
        state.wall_held = 1 << board().cell(number)
        state.turn = 4

    late, _ = at_the_wall(declared)
    assert late.state.improved == 1 << late.cell(number) and late.state.wall_held == 0
    assert late.asked != "begin-work" or late.refused("restore-westwall") == ("no-restoration", "37B5")


@rule("second_front", "37B5")
def test_nobody_is_driven_out_of_an_improved_hex() -> None:
    table, number = at_the_wall(phase="combat")
    table.state.improved = 1 << table.cell(number)
    unit = table.unit(HG)
    for result, stays in (("DR", True), ("DH", True), ("DE", False)):
        attack = Attack((table.cell(number),), (table.unit(US1),), (unit,), result)
        assert stands_fast(table.game, table.state, attack, 1, unit) is stays
