"""Details of rules on which the tests of the larger cases pass by: each was found by breaking the rule."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from grognard.games.second_front.books import board
from grognard.games.second_front.rules.attacking import candidates
from grognard.games.second_front.rules.battle import COLUMNS, fight
from grognard.games.second_front.rules.engineers import may_work
from grognard.games.second_front.rules.governments import RollCapture
from grognard.games.second_front.rules.losses import ATTACKER, Ledger, Toll
from grognard.games.second_front.rules.pools import PARTS, monthly
from grognard.games.second_front.rules.position import piece, target
from grognard.games.second_front.rules.rail import Ride, Track, rides
from grognard.games.second_front.rules.rebuilding import appear, equals
from grognard.games.second_front.rules.stocks import store_for
from grognard.games.second_front.rules.strength import Attacker, Target
from grognard.games.second_front.rules.supply import share_ports
from grognard.games.second_front.rules.trains import freight_charge
from grognard.games.second_front.state import CAPTURED, ESCAPED, FALLING, FrontState, Government, Pool
from grognard.games.second_front.units import ALLIED, AXIS, CM, units
from tests.games.second_front.field import CLEAR_SKY, allied, field
from tests.games.second_front.table import Table
from tests.rules import rule

GELA, INLAND, CALTAGIRONE, ENNA, MESSINA, CITY = (
    *("26:4130", "26:4129", "26:4128", "26:3928", "26:3823", "26:4326"),
)
US1, US3, US45, GB5, HG = "US-inf-XX-1", "US-inf-XX-3", "US-inf-XX-45", "GB-inf-XX-5", "SF-G-FJ-HG"
TRUCK, BRIGADE, SAPPERS, SAS = "US-trk-cap3-QM-1", "GB-inf-X-231", "US-eng-III-36", "GB-pco-II-SRS"


def initial(side: int, placed: dict[str, str], **more: object) -> Table:
    return Table("initial", side, placed, **{"arrivals": (), "stocks": (), **more})  # type: ignore[arg-type]


def hungry(*ids: str) -> Callable[[FrontState], None]:
    def put(state: FrontState) -> None:
        for id_ in ids:
            state.fed &= ~(1 << Table.index(id_))

    return put


# 9


@rule("second_front", "9A")
def test_nothing_attacks_in_the_lowest_column_and_nothing_defends_in_the_highest() -> None:
    table = Table("combat", ALLIED, {US1: INLAND, HG: CALTAGIRONE})
    at, turn = target(table.game, table.state, table.cell(CALTAGIRONE)), table.game.turn_name(table.state)
    attackers = [Attacker(piece(table.game, table.state, table.unit(US1)), table.cell(INLAND))]
    defenders = [piece(table.game, table.state, table.unit(HG))]
    assert fight(at, attackers, (), turn).column == len(COLUMNS) - 1
    assert fight(at, (), defenders, turn).column < 1


@rule("second_front", "9B", "14J")
def test_a_truck_next_to_the_enemy_attacks_nobody() -> None:
    table = Table("combat", ALLIED, {US1: INLAND, TRUCK: INLAND, HG: CALTAGIRONE})
    assert candidates(table.game, table.state, table.cell(CALTAGIRONE)) == [table.unit(US1)]


@rule("second_front", "9J")
def test_a_third_of_the_losses_is_less_than_their_half() -> None:
    """Of 6 points the armour bears 3; with 2 it goes on."""
    troops = (allied("6-6"), allied("2-2-10", "tank", "X"), allied("2-2-10", "tank", "X"))
    ledger = Ledger(ATTACKER, Toll(Fraction(6)), troops, (False, True, True))
    assert ledger.losing(1).choices == [2]
    assert ledger.losing(1).losing(2).choices == [0]


# 7


@rule("second_front", "7A3")
def test_a_train_may_take_the_long_way_round_a_line_of_low_volume() -> None:
    """One hex by a line of low volume, two without: both are known."""
    board = field({}, {"0501/0601": "rail_low", "0501/0502": "rail_high", "0502/0601": "rail_high"})
    found = rides(Track(board, board.everywhere, 0), board.cell("0501"), 9)
    assert sorted((ride.low, ride.hexes) for ride in found[board.cell("0601")]) == [(False, 2), (True, 1)]


@rule("second_front", "12E", "7A3")
def test_a_resource_point_takes_an_re_of_a_line_and_two_of_one_of_low_volume() -> None:
    state = Table("movement", ALLIED, {US1: GELA}).state
    network = frozenset({"Sicily"})
    assert [used.re for used in freight_charge(state, Ride(3, False, network))] == [1]
    assert [used.re for used in freight_charge(state, Ride(3, True, network))] == [2]


@rule("second_front", "7A3", "3C4")
def test_what_trains_have_carried_counts_until_the_next_movement_phase() -> None:
    def carried(state: FrontState) -> None:
        state.rail_used = (("Sicily", 1, Fraction(3)),)  # type: ignore[assignment]

    assert Table("exploitation", ALLIED, {US1: GELA, "US-arm-XX-2": GELA}, before=carried).state.rail_used
    assert not Table("movement", ALLIED, {US1: GELA}, before=carried).state.rail_used


# 12, 3G


@rule("second_front", "12C2")
def test_of_equal_units_the_first_counter_is_fed() -> None:
    needs = {5: (Fraction(2), [9]), 3: (Fraction(2), [9])}
    assert share_ports(needs, {9: Fraction(2)}) == {3}


@rule("second_front", "12", "12D")
def test_who_is_supplied_is_in_no_turn_without_supply() -> None:
    table = Table("movement", ALLIED, {US1: GELA})
    assert piece(table.game, table.state, table.unit(US1)).hungry == 0


@rule("second_front", "3G")
def test_a_city_that_is_cut_off_when_the_game_ends_counts_nothing() -> None:
    """It was not at the last check, and nobody checks again before the end."""
    table = Table("exploitation", ALLIED, {"US-arm-XX-2": ENNA, HG: "26:4127"}, allied=[ENNA], turn=4)
    assert table.game.score(table.state) > 0
    while table.game.actor(table.state) is not None:
        table.game.apply(table.state, ("end",))
        table.game.settle(table.state, "cut off")
    assert table.game.score(table.state) == 0


# 14


@rule("second_front", "14A1d")
def test_only_engineers_with_motors_rest_in_the_exploitation_phase() -> None:
    sappers = allied("2-2-8", "combat_engineer", "III")
    motors = allied("2-2-8", "combat_engineer", "III", klass=CM)
    assert may_work(sappers, "rail", True) and may_work(sappers, "rail", False)
    assert not may_work(motors, "rail", True) and may_work(motors, "rail", False)


@rule("second_front", "14A1", "12E")
def test_points_of_the_enemy_build_nothing() -> None:
    table = Table("initial", ALLIED, {SAPPERS: GELA, US1: INLAND})
    cell = table.cell(INLAND)
    table.state.resources = ((cell, AXIS, 3),)
    assert store_for(table.game, table.state, ALLIED, table.cell(GELA), 1) is None
    table.state.resources = ((cell, ALLIED, 3),)
    assert store_for(table.game, table.state, ALLIED, table.cell(GELA), 1) == cell
    table.state.resources = ((cell, AXIS, 3),)
    assert table.refused(f"build {SAPPERS} fort") == ("no-points", "14A1")


@rule("second_front", "14J", "14J1")
def test_who_has_moved_beside_a_truck_is_not_taken_along() -> None:
    table = Table("movement", ALLIED, {TRUCK: GELA, BRIGADE: GELA})
    table.state.moved |= 1 << table.unit(BRIGADE)
    table.do(f"move {TRUCK}")
    assert table.refused(f"take-aboard {BRIGADE}") == ("moved-already", "14J")


@rule("second_front", "7A1")
def test_no_train_goes_where_no_line_leads() -> None:
    table = Table("movement", ALLIED, {US1: GELA})
    table.do(f"move {US1}")
    assert table.refused(f"ride {MESSINA}") == ("no-train", "7A1")


@rule("second_front", "14H1")
def test_the_die_of_a_commando_is_told() -> None:
    places = {SAS: INLAND, US1: GELA, HG: CALTAGIRONE}
    table = Table("movement", ALLIED, places, allied=[GELA, INLAND, "26:4229"])
    table.do(f"move {SAS}", "sneak 26:4229", "sneak-die 3")
    assert [event.facts["die"] for event in table.state.log or () if event.kind == "sneaked"] == [3]


@rule("second_front", "13")
def test_who_is_in_an_overrun_is_not_counted_twice() -> None:
    table = Table("movement", ALLIED, {US1: INLAND, US3: INLAND, "SF-I-IB-19": CALTAGIRONE})
    table.do(f"overrun {CALTAGIRONE}", f"join {US1}")
    assert table.refused(f"join {US1}")[0]


# 15


@rule("second_front", "15A", "12")
def test_parts_of_a_hungry_division_are_hungry() -> None:
    table = Table("movement", ALLIED, {US1: GELA, US3: GELA}, before=hungry(US1))
    before = set(table.here(GELA))
    table.do(f"divide {US1}")
    parts = table.here(GELA) - before
    assert parts and not any(table.has(id_, table.state.fed) for id_ in parts)
    assert not any(table.has(id_, table.state.isolated) for id_ in parts)
    assert all(table.has(id_, table.state.steady) for id_ in parts)


@rule("second_front", "15E")
def test_a_panzer_division_of_fourteen_keeps_its_panthers() -> None:
    panzers = [u for u in units().values() if u.type == "panzer_division" and u.service == "Heer"]
    fourteen = next(u.id for u in panzers if u.face.attack == 14 and u.size == "XX")
    fifteen = next(u.id for u in panzers if u.face.attack == 15 and u.size == "XX")
    table = Table("movement", AXIS, {fourteen: CALTAGIRONE, fifteen: ENNA})
    assert table.refused(f"detach {fourteen}") == ("no-panthers", "15E")
    table.do(f"detach {fifteen}")


# 37G


@rule("second_front", "37G2")
def test_one_government_falls_and_the_others_stay() -> None:
    table = Table("movement", ALLIED, {US1: GELA})
    state, cell = table.state, table.cell(ENNA)
    others = [Government(nation, AXIS, cell) for nation in ("Italian", "RSI", "German")]
    state.governments = (others[0], others[1]._replace(cell=FALLING), others[2])
    RollCapture().apply(table.game, state, AXIS, ("seize", 6))
    assert state.governments[::2] == (others[0], others[2]) and len(state.governments) == 3
    assert state.governments[1].cell in (CAPTURED, ESCAPED)


# 40


@rule("second_front", "40B1", "40B2")
def test_a_district_repairs_ships() -> None:
    """Liguria: a naval repair point a month."""
    table = Table("initial", AXIS, {}, turn=3, districts=["liguria"], allied=[])
    table.state.open_land = table.state.owned
    assert monthly(table.game, table.state, AXIS)["Italian"]["naval"] == PARTS


@rule("second_front", "40B1a", "12")
def test_who_comes_back_is_fed_and_takes_nobodys_supply() -> None:
    def dead(state: FrontState) -> None:
        state.pools = (Pool("American", 20 * PARTS),)
        state.place(Table.index(US3), -2)

    table = initial(ALLIED, {US1: CITY, GB5: "26:4226"}, before=dead)
    table.do(f"bring-back {US3} {CITY}")
    assert all(table.has(id_, table.state.fed) for id_ in (US1, US3, GB5))


@rule("second_front", "40A1")
def test_a_unit_that_is_isolated_does_not_go_for_another() -> None:
    table = Table("initial", ALLIED, {US3: CITY, US45: "26:4226"}, arrivals=())
    game, state = table.game, table.state
    assert set(equals(game, state, table.unit(US3))) == {table.unit(US3), table.unit(US45)}
    state.isolated = 1 << table.unit(US45)
    assert equals(game, state, table.unit(US3)) == [table.unit(US3)]


@rule("second_front", "40A1")
def test_it_is_told_who_is_taken_away() -> None:
    game = Table("movement", ALLIED, {US1: GELA}).game
    unit, turn = next((u, t) for u, t in game.departing.items() if game.units[u].side == ALLIED and t > 2)
    table = initial(ALLIED, {game.units[unit].id: CITY, US1: GELA}, turn=turn)
    table.do(f"withdraw {game.units[unit].id}")
    assert [event.facts["unit"] for event in table.state.log or () if event.kind == "taken-away"] == [unit]


@rule("second_front", "40D1")
def test_who_is_isolated_is_not_disbanded() -> None:
    def cut(state: FrontState) -> None:
        state.pools = (Pool("American", 9 * PARTS),)

    table = initial(ALLIED, {GB5: "26:4226", US45: CITY}, cadres=[US45], before=cut)
    assert table.refusal(f"disband {GB5}") is None
    table.state.isolated = 1 << table.unit(GB5)
    assert table.refused(f"disband {GB5}") == ("cannot-disband", "40D1")


@rule("second_front", "40D3")
def test_a_single_armour_point_may_be_given() -> None:
    def one(state: FrontState) -> None:
        state.pools = (Pool("American", 9 * PARTS, PARTS),)

    table = initial(ALLIED, {US1: CITY}, cadres=[US1], before=one)
    assert "american french" in table.offered("aid")


# 37E


@rule("second_front", "37E1")
def test_an_allied_garrison_stays_while_no_enemy_is_near() -> None:
    box = "garrison_allied_corsica"

    def guard(state: FrontState) -> None:
        state.place(Table.index(GB5), Table.box(box))

    corsica = [board().number(c) for c in board().cells if "district_corsica" in board().info[c].features]
    table = initial(ALLIED, {}, before=guard, districts=["corsica"], allied=corsica)
    assert table.asked != "muster" and table.state.where[table.unit(GB5)] == Table.box(box)


@rule("second_front", "40", "12D")
def test_who_appears_in_a_hungry_city_is_hungry_and_the_others_are_fed() -> None:
    table = Table("movement", ALLIED, {US1: CITY, GB5: "26:4226"})
    state, cell = table.state, table.cell(CITY)
    state.hunger[table.unit(US1)] = 3
    appear(table.game, state, table.unit(US3), cell)
    assert state.hunger[table.unit(US3)] == 3 and not table.has(US3, state.fed)
    assert table.has(US1, state.fed) and table.has(GB5, state.fed)


@rule("second_front", "9H")
def test_a_mountain_helps_against_guns_alone() -> None:
    """Nobody climbs with them: half of nobody are no mountain troops."""
    board = field({"0505": "mountain"})
    at = Target(board, board.cell("0505"), CLEAR_SKY)
    guns = Attacker(allied("3-4-8", "artillery", "III"), board.cell("0504"))
    foot = Attacker(allied("8-8"), board.cell("0504"))
    dice = [sum(m.value for m in fight(at, [who], [allied()], "Jul II 43").modifiers) for who in (guns, foot)]
    assert dice[0] == dice[1] < 0
