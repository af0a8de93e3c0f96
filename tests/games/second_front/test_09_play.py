"""Movement and combat as they are played: what is offered, refused, and done."""

from __future__ import annotations

from grognard.board.board import each
from grognard.games.second_front.rules.attacking import Attack, battle_of, carried_off
from grognard.games.second_front.rules.battle import result
from grognard.games.second_front.rules.ground import POINT
from grognard.games.second_front.rules.position import piece, target
from grognard.games.second_front.rules.strength import defence_shares, total
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED, AXIS
from tests.games.second_front.table import Table
from tests.rules import rule

US1, US3, US9, US45, US2ARM = "US-inf-XX-1", "US-inf-XX-3", "US-inf-XX-9", "US-inf-XX-45", "US-arm-XX-2"
GUNS = ["US-art-III-17", "US-art-III-36", "US-art-III-18", "US-art-III-77"]
HG, LIVORNO, COAST, BATTALION = "SF-G-FJ-HG", "SF-I-IT-004", "SF-I-IB-18", "SF-G-EN-771"
TRAPANI, TIGERS = "27:3502", "SF-G-HT-504A"
GELA, INLAND, CALTAGIRONE, VIZZINI = "26:4130", "26:4129", "26:4128", "26:4127"


# Movement


@rule("second_front", "6", "6A")
def test_a_unit_walks_hex_by_hex_and_pays() -> None:
    table = Table("movement", ALLIED, {US1: GELA, HG: VIZZINI})
    unit = table.game.unit_index(US1)
    table.do(f"move {US1}", f"step {INLAND}")
    assert table.state.left[unit] == 7 * POINT, "along the road"
    table.do(f"step {CALTAGIRONE}")
    assert table.state.left[unit] == 6 * POINT and table.where(US1) == CALTAGIRONE
    assert table.refused(f"step {VIZZINI}") == ("enemy-there", "6")
    assert table.refused("step 26:3530") == ("not-adjacent", "6")
    table.do("step 26:4228")
    assert table.state.left[unit] == 3 * POINT, "two points more out of the zone"
    table.do("halt")
    assert table.refused(f"move {US1}") == ("moved-already", "6")


@rule("second_front", "6")
def test_one_hex_for_everything() -> None:
    """A coastal division of movement 2 leaves a zone for rough ground: 2 and 2 are more than it has."""
    table = Table("movement", AXIS, {"SF-I-IC-206": INLAND, US1: GELA}, allied=[GELA])
    table.do("move SF-I-IC-206", "step 26:4028")
    assert table.refused("step 26:4027") == ("one-hex-only", "6")
    table.do("halt")


@rule("second_front", "6B")
def test_a_march_keeps_away_from_the_enemy_and_does_nothing_else() -> None:
    table = Table("movement", ALLIED, {US1: "26:4327", US3: GELA, HG: CALTAGIRONE})
    table.do(f"march {US1}")
    assert table.has(US1, table.state.marched)
    table.do("step 26:4326")
    assert table.refused("cut") == ("march-does-nothing", "6B")
    table.do("step 26:4226")
    assert table.refused("step 26:4126") == ("march-enemy-ground", "6B"), "the Axis owns it"
    table.do("halt")
    near = Table("movement", ALLIED, {US1: INLAND, HG: CALTAGIRONE})
    assert near.refused(f"march {US1}") == ("march-near-enemy", "6B")


@rule("second_front", "6B", "5", "3D")
def test_who_marches_has_no_zone_until_the_phase_ends() -> None:
    table = Table("movement", ALLIED, {US1: "26:4327"}, allied=["26:4327", "26:4326", "26:4226"])
    assert table.owner("26:4227") == ALLIED, "by its zone"
    table.do(f"march {US1}", "step 26:4326", "step 26:4226", "halt")
    assert table.owner("26:4126") == AXIS
    table.do("end")
    assert table.owner("26:4126") == ALLIED


@rule("second_front", "8B")
def test_nobody_ends_a_move_in_a_full_hex_and_some_pass_through() -> None:
    full = {US3: INLAND, US9: INLAND, US45: INLAND}
    table = Table("movement", ALLIED, {US1: GELA, **full})
    table.do(f"move {US1}", f"step {INLAND}")
    assert table.refused("halt") == ("no-room", "8B")
    table.do(f"step {CALTAGIRONE}", "halt")


@rule("second_front", "4A4", "6", "14I")
def test_motors_alone_move_in_the_exploitation_phase() -> None:
    table = Table("exploitation", ALLIED, {US1: GELA, US2ARM: GELA})
    assert table.refused(f"move {US1}") == ("no-motors", "6")
    assert table.refused(f"march {US2ARM}") == ("march-in-movement", "6B")
    assert table.offered("move") == {US2ARM} and table.offered("entrain") == set()


# Trains


@rule("second_front", "7A", "7A2", "7A3")
def test_strategic_rail_takes_capacity_and_ends_the_player_turn_of_the_unit() -> None:
    table = Table("movement", AXIS, {HG: "26:3929", "SF-I-IT-026": "26:3530", US1: GELA})
    table.do("entrain SF-I-IT-026")
    assert "26:3823" in table.offered("detrain"), "along the coast to Messina"
    table.do("detrain 26:3823")
    assert table.where("SF-I-IT-026") == "26:3823" and table.has("SF-I-IT-026", table.state.entrained)
    assert table.state.rail_used == (("Sicily", table.game.unit_index("SF-I-IT-026"), 4 * 6),), (
        "6 RE on low volume"
    )
    table.do(f"entrain {HG}")
    assert table.offered("detrain") == set(), "a panzer division is 12 RE, and 4 are left"
    table.do("cancel", "end", "end", "end")


@rule("second_front", "7A2")
def test_who_came_by_strategic_rail_does_not_attack() -> None:
    table = Table("movement", AXIS, {LIVORNO: "26:3929", US1: GELA, US3: "26:4030"})
    table.do(f"entrain {LIVORNO}")
    assert "26:3930" not in table.offered("detrain"), "not into an enemy zone"
    table = Table("movement", AXIS, {LIVORNO: "26:3929", "SF-I-IB-29": "26:3930", US3: "26:4030"})
    table.do(f"entrain {LIVORNO}", "detrain 26:3930", "end")
    assert table.asked == "choose-target"
    assert table.refused("assault 26:4030") == ("nobody-can-attack", "9B")


@rule("second_front", "7A1")
def test_operational_rail_costs_whole_points_and_mixes_with_walking() -> None:
    table = Table("movement", AXIS, {LIVORNO: "26:3929", US1: GELA})
    unit = table.game.unit_index(LIVORNO)
    table.do(f"move {LIVORNO}", "ride 26:3928")
    assert table.state.left[unit] == 7 * POINT
    table.do("step 26:3828")
    assert table.state.left[unit] == 6 * POINT


@rule("second_front", "7A5")
def test_cutting_a_line_takes_two_points_and_stops_trains() -> None:
    table = Table("movement", AXIS, {LIVORNO: "26:3929", "SF-I-IT-026": "26:3931", US1: GELA})
    table.do(f"move {LIVORNO}", "cut")
    assert table.state.left[table.game.unit_index(LIVORNO)] == 6 * POINT
    assert table.refused("cut") == ("no-line", "7A5")
    table.do("halt", "entrain SF-I-IT-026")
    assert "26:3929" not in table.offered("detrain") and "26:3930" in table.offered("detrain")


# Overruns


@rule("second_front", "13")
def test_an_overrun_eliminates_and_may_be_followed_and_gone_on_from() -> None:
    table = Table("movement", ALLIED, {US2ARM: GELA, COAST: INLAND})
    table.do(f"overrun {INLAND}", f"join {US2ARM}", "charge")
    assert table.where(COAST) is None and table.asked == "follow-charge"
    table.do(f"advance {US2ARM}")
    assert table.where(US2ARM) == INLAND
    assert table.state.left[table.game.unit_index(US2ARM)] == (10 - 1 - 2) * POINT, "the road, and 12:1"
    table.do(f"move {US2ARM}", f"step {CALTAGIRONE}", "halt")


@rule("second_front", "13")
def test_no_overrun_at_less_than_ten_to_one() -> None:
    table = Table("movement", ALLIED, {US2ARM: GELA, LIVORNO: INLAND})
    assert table.refused(f"overrun {INLAND}") == ("no-overrun", "13")
    slow = Table("movement", ALLIED, {US1: GELA, COAST: INLAND})
    slow.do(f"overrun {INLAND}", f"join {US1}", "charge", f"advance {US1}")
    assert slow.state.left[slow.game.unit_index(US1)] == (8 - 1 - 3) * POINT


@rule("second_front", "13", "8B")
def test_of_a_stack_that_is_too_large_for_the_hex_a_part_overruns() -> None:
    """Three divisions and two regiments are as many as a plain bears, and more than a mountain does."""
    stack = dict.fromkeys((US1, US3, US9, GUNS[0], "US-eng-III-36"), "26:3828")
    table = Table("movement", ALLIED, {**stack, COAST: "26:3827"}, allied=["26:3828"])
    table.do("overrun 26:3827", f"join {US1}", f"join {US3}")
    assert table.refused(f"join {US9}") == ("cannot-charge", "13"), "two units of any kind"
    assert table.refused(f"join {GUNS[0]}") == ("cannot-charge", "13"), "six points of mountain, and the rest"
    table.do("join US-eng-III-36", "charge")
    assert table.where(COAST) is None


@rule("second_front", "13", "6B", "7A2")
def test_who_does_not_follow_an_overrun_may_still_move_on_with_what_is_left() -> None:
    table = Table("movement", ALLIED, {US2ARM: GELA, COAST: INLAND})
    table.state.capacity = (("Sicily", 0, 60),)
    table.do(f"overrun {INLAND}", f"join {US2ARM}", "charge", "end")
    assert table.refused(f"march {US2ARM}") == ("march-alone", "6B")
    assert table.refused(f"entrain {US2ARM}") == ("rail-alone", "7A2")
    table.do(f"move {US2ARM}", "step 26:4229", "halt")
    assert table.where(US2ARM) == "26:4229"
    assert table.state.left[table.game.unit_index(US2ARM)] == (10 - 1 - 2 - 1) * POINT


@rule("second_front", "6B", "7A1")
def test_who_marches_keeps_away_from_enemies_on_the_train_too() -> None:
    """A battalion of the Axis has no zone, and the train passes beside it."""
    units = {US1: "26:4030", "SF-I-IM-10B": "26:3829"}
    train, march = (
        Table("movement", ALLIED, units, allied=["26:4030", "26:3930", "26:3931"]) for _ in range(2)
    )
    for table, verb in ((train, "move"), (march, "march")):
        table.state.capacity = (("Sicily", 0, 60),)
        table.do(f"{verb} {US1}")
    assert "26:3930" in train.offered("ride") and "26:3930" not in march.offered("ride")
    assert "26:4130" in march.offered("ride"), "away from the enemy it goes by train"


# Attacks


def attack(defenders: dict[str, str], attackers: dict[str, str], die: int, **more: list[str]) -> Table:
    table = Table("combat", ALLIED, {**defenders, **attackers}, **more)  # type: ignore[arg-type]
    target = next(iter(defenders.values()))
    table.do(f"assault {target}", *(f"join {id_}" for id_ in attackers), "fight", f"roll {die}")
    return table


@rule("second_front", "9A", "9C", "9E", "9F2")
def test_a_beaten_division_becomes_a_cadre_and_retreats_and_the_attacker_follows() -> None:
    """Three divisions of 9, 9 and 16 against one of 4: 8:1, with a third of the RE armour."""
    table = attack({LIVORNO: CALTAGIRONE}, {US1: INLAND, US3: INLAND, US2ARM: "26:4228"}, 6)
    assert [event["text_odds"] for event in table.events("odds")] == ["8:1"]
    assert table.events("result")[0]["result"] == "DE"
    assert table.has(LIVORNO, table.state.reduced) and table.asked == "fall-back" and table.actor == "axis"
    goal = sorted(table.offered("retreat"))[0].split()[1]
    table.do(f"retreat {LIVORNO} {goal}")
    assert table.asked == "advance-after-combat" and table.actor == "allied"
    table.do(f"advance {US1}", "end")
    assert table.where(US1) == CALTAGIRONE and table.asked == "choose-target"


@rule("second_front", "9B")
def test_units_attack_once_and_are_attacked_once() -> None:
    table = attack({HG: CALTAGIRONE}, {US1: INLAND}, 1)
    while table.asked == "attacker-losses" or table.asked == "fall-back":
        table.do(sorted(table.options)[0])
    assert table.refused(f"assault {CALTAGIRONE}")[1] == "9B"


@rule("second_front", "9B")
def test_less_than_one_to_four_needs_no_die() -> None:
    table = Table("combat", ALLIED, {HG: CALTAGIRONE, GUNS[0]: INLAND, "US-inf-XX-45": GELA})
    table.do(f"assault {CALTAGIRONE}", f"join {GUNS[0]}", "fight")
    assert table.events("hopeless") == [{"hex": table.cell(CALTAGIRONE)}] and not table.events("result")
    assert table.where(GUNS[0]) is None


@rule("second_front", "8B", "9B")
def test_the_limit_of_the_hex_holds_for_attackers_from_each_hex() -> None:
    """Hex 3827 is mountain: two units, two RE, one RE of artillery from each hex."""
    full = {US1: "26:3927", US3: "26:3927", US9: "26:3927"}
    table = Table("combat", ALLIED, {LIVORNO: "26:3827", **full})
    table.do("assault 26:3827", f"join {US1}", f"join {US3}")
    assert table.refused(f"join {US9}") == ("attackers-limit", "8B")


@rule("second_front", "9G")
def test_zero_strength_neither_attacks_alone_nor_stands() -> None:
    table = Table("combat", AXIS, {COAST: INLAND, US1: GELA})
    assert table.refused(f"assault {GELA}") == ("nobody-can-attack", "9B")
    helpless = Table("combat", ALLIED, {"SF-I-PA-01": INLAND, US1: GELA})
    helpless.do(f"assault {INLAND}", f"join {US1}", "fight")
    assert helpless.where("SF-I-PA-01") is None and helpless.asked == "advance-after-combat"


@rule("second_front", "9C", "9J")
def test_in_an_exchange_armour_bears_its_half() -> None:
    """16 and 9 against the 10 of a division: half of the RE are armour, so that the tanks pay."""
    results = []
    for die in range(1, 7):
        table = attack({"SF-G-PZG-015": CALTAGIRONE}, {US2ARM: INLAND, US1: INLAND}, die)
        results.append(table.events("result")[0]["result"])
        if results[-1] in ("EX", "HX"):
            assert table.asked == "attacker-losses" and table.offered("lose") == {US2ARM}
            assert table.refused(f"lose {US1}") == ("not-this-loss", "9J")
            table.do(f"lose {US2ARM}")
            assert table.has(US2ARM, table.state.reduced) and table.where(US2ARM) == INLAND
    assert "EX" in results or "HX" in results


@rule("second_front", "9F1")
def test_a_unit_without_a_way_out_is_eliminated() -> None:
    around = ["26:4127", "26:4129", "26:4228", "26:4227", "26:4028", "26:4027"]
    allies = dict(zip((US1, US3, US9, US45, US2ARM, "GB-inf-XX-5"), around, strict=True))
    table = Table("combat", ALLIED, {LIVORNO: CALTAGIRONE, **allies})
    table.do(f"assault {CALTAGIRONE}", *(f"join {unit}" for unit in allies), "fight", "roll 6")
    assert table.where(LIVORNO) is None, "cadre and all"


@rule("second_front", "9F1")
def test_those_who_retreated_add_nothing_to_the_next_battle() -> None:
    """A division beaten out of Caltagirone joins a battalion at Vizzini: the battalion defends alone."""
    table = Table(
        "combat",
        ALLIED,
        {LIVORNO: CALTAGIRONE, BATTALION: VIZZINI, US1: INLAND, US3: INLAND, US9: "26:4227", US45: "26:4227"},
    )
    table.do(f"assault {CALTAGIRONE}", f"join {US1}", f"join {US3}", "fight", "roll 6")
    while table.asked == "fall-back":
        table.do(sorted(table.options)[0])
    state, unit = table.state, table.game.unit_index(LIVORNO)
    assert state.where[unit] >= 0, "it lives"
    state.place(unit, table.game.board.cell(VIZZINI))
    if table.asked == "advance-after-combat":
        table.do("end")
    table.do(f"assault {VIZZINI}", f"join {US9}", "fight")
    assert table.events("odds")[-1]["text_defence"] == "1/2"


@rule("second_front", "9I", "14H2")
def test_commandos_may_leave_before_they_are_attacked() -> None:
    units = {u.id: u for u in Table("combat", AXIS, {}).game.units}
    commando = next(id_ for id_, u in units.items() if u.side == ALLIED and u.type == "marine_commando")
    table = Table("combat", AXIS, {HG: CALTAGIRONE, commando: INLAND, US1: "26:4326"})
    table.do(f"assault {INLAND}", f"join {HG}", "fight")
    assert table.asked == "slip-away-from-attack" and table.actor == "allied"
    goal = sorted(table.offered("slip-away"))[0]
    assert table.refused(f"slip-away {US1} 26:4226") == ("cannot-slip-away", "9I")
    table.do(f"slip-away {goal}")
    assert table.where(commando) == goal.split()[1]
    assert table.asked == "advance-after-combat", "the hex is empty, and the attackers are committed"
    table.do("end")
    assert table.refused(f"assault {goal.split()[1]}")[1] == "9B"


@rule("second_front", "9I", "9B", "9F1")
def test_commandos_who_left_for_an_empty_hex_defend_it() -> None:
    units = {u.id: u for u in Table("combat", AXIS, {}).game.units}
    commando = next(id_ for id_, u in units.items() if u.side == ALLIED and u.type == "marine_commando")
    table = Table("combat", AXIS, {HG: CALTAGIRONE, TIGERS: "26:4228", commando: INLAND, US1: "26:4326"})
    table.do(f"assault {INLAND}", f"join {HG}", "fight", f"slip-away {commando} 26:4229", "end")
    table.do("assault 26:4229", f"join {TIGERS}", "fight", "pass")
    assert table.where(commando) == "26:4229" and table.asked == "roll-combat", "not eliminated without a die"
    strength = units[commando].face.defence
    at = target(table.game, table.state, table.cell("26:4229"))
    shares = defence_shares(at, [piece(table.game, table.state, table.unit(commando))])
    assert strength and table.events("odds")[-1]["text_defence"] == str(total(shares))


@rule("second_front", "12E", "9F1")
def test_resource_points_go_along_in_a_retreat_that_leaves_nobody_behind() -> None:
    alone = Table("combat", ALLIED, {LIVORNO: CALTAGIRONE, US1: INLAND, US3: INLAND})
    alone.state.resources = ((alone.cell(CALTAGIRONE), AXIS, 8),)
    alone.do(f"assault {CALTAGIRONE}", f"join {US1}", f"join {US3}", "fight", "roll 4")
    assert alone.asked == "fall-back", alone.events("result")
    alone.do(f"retreat {LIVORNO} 26:4027")
    assert (alone.cell("26:4027"), AXIS, 6) in alone.state.resources, "twice its size"
    alone.do(f"advance {US1}")
    assert [points for _, _, points in alone.state.resources] == [6], "the rest is captured"
    table = Table("combat", ALLIED, {LIVORNO: CALTAGIRONE, BATTALION: CALTAGIRONE, US1: INLAND})
    table.state.resources = ((table.cell(CALTAGIRONE), AXIS, 8),)
    some = Attack((table.cell(CALTAGIRONE),), falling_back=(table.unit(LIVORNO),))
    assert not carried_off(table.game, table.state, some, table.unit(LIVORNO)), "they stay with who stays"


@rule("second_front", "9I", "13")
def test_commandos_may_leave_before_they_are_overrun_and_then_nobody_pays_for_it() -> None:
    units = {u.id: u for u in Table("combat", AXIS, {}).game.units}
    commando = next(id_ for id_, u in units.items() if u.side == ALLIED and u.type == "marine_commando")
    table = Table("movement", AXIS, {HG: CALTAGIRONE, commando: INLAND, US1: "26:4326"})
    table.do(f"overrun {INLAND}", f"join {HG}", "charge")
    table.do(f"slip-away {sorted(table.offered('slip-away'))[0]}")
    table.do(f"advance {HG}")
    assert table.state.left[table.game.unit_index(HG)] == 9 * POINT, "the road alone"


@rule("second_front", "8B")
def test_arrivals_may_crowd_a_hex_until_the_movement_phase_ends() -> None:
    full = {HG: "26:4025", "SF-G-PZG-015": "26:4025", LIVORNO: "26:4025", US1: GELA}
    table = Table("initial", AXIS, full)
    table.do("arrive SF-G-FJ-01 26:4025")
    assert table.asked == "pick-unit"
    assert table.refused("end") == ("too-full", "8B")
    table.do("move SF-G-FJ-01")
    assert table.refused("halt") == ("no-room", "8B")
    table.do("step 26:3925", "halt", "end")


# The initial phase


@rule("second_front", "40A2")
def test_reinforcements_arrive_where_the_book_says_on_ground_of_their_own() -> None:
    table = Table("initial", AXIS, {US1: GELA}, turn=2)
    assert table.asked == "place-arrival" and table.offered("arrive") == {
        "SF-G-FJ-01 26:4025",
        "SF-G-FJ-01 26:3823",
    }
    assert table.refused("arrive SF-G-PZG-029 26:3823") == ("not-due", "40A2")
    assert table.refused("arrive SF-G-FJ-01 26:3530") == ("not-its-place", "40A2")
    table.do("arrive SF-G-FJ-01 26:4025")
    assert table.where("SF-G-FJ-01") == "26:4025"


@rule("second_front", "12B", "12C2", "12D")
def test_supply_is_looked_at_and_hunger_counted() -> None:
    table = Table("initial", ALLIED, {US1: GELA, LIVORNO: "26:3929"})
    assert table.has(US1, table.state.fed) and table.has(LIVORNO, table.state.fed)
    inland = Table("initial", ALLIED, {US1: "26:3629", HG: "26:3630", LIVORNO: "26:3728"}, allied=[])
    assert not inland.has(US1, inland.state.fed) and inland.has(US1, inland.state.isolated)
    assert inland.state.hunger[inland.game.unit_index(US1)] == 1


@rule("second_front", "12B", "12B3", "12C2")
def test_trains_carry_what_a_small_port_brings() -> None:
    """Only Syracuse works; in snow neither land nor road leads as far as Trapani, but for a railway."""

    def fed(capacity: int) -> bool:
        def before(state: FrontState) -> None:
            state.sky, state.capacity = ("snow",) * 4, (("Sicily", 0, capacity),)
            ports = board.with_feature("port_minor", "port_standard", "port_major")
            state.wrecked = ports & ~(1 << board.cell("26:4226"))

        table = Table("initial", ALLIED, {US1: TRAPANI}, allied=island, before=before)
        return table.has(US1, table.state.fed)

    board = Table("combat", AXIS, {}).game.board
    island = [board.number(cell) for cell in each(board.with_feature("district_sicilia"))]
    assert fed(10) and not fed(9)


@rule("second_front", "12C3", "12C3b")
def test_a_port_fortification_feeds_its_hex_while_the_count_goes_on() -> None:
    fort = next(u.id for u in Table("combat", AXIS, {}).game.units if u.type == "port_fortification")
    ring = {US1: "26:3531", US3: "26:3629", US9: "26:3630"}
    table = Table("initial", AXIS, {fort: "26:3530", LIVORNO: "26:3530", **ring}, allied=["26:3628"])
    unit = table.game.unit_index(LIVORNO)
    assert table.state.hunger[unit] == 1 and table.has(LIVORNO, table.state.fed)


@rule("second_front", "12D")
def test_attrition_is_thrown_for_one_after_the_other() -> None:
    table = Table(
        "exploitation", ALLIED, {LIVORNO: "26:3929", US1: "26:3928", US3: "26:3930", US9: "26:3829"}
    )
    state = table.state
    unit = table.game.unit_index(LIVORNO)
    state.hunger[unit], state.fed = 6, 0
    table.do("end")
    while table.asked not in ("roll-attrition", "roll-weather"):
        table.do(sorted(table.options)[0])
    if table.asked == "roll-weather":
        table.do("weather 1", "sea-die 1")
    assert table.asked == "roll-attrition", table.asked
    table.do("starve 1")
    assert table.where(LIVORNO) is None


# What changes hands


@rule("second_front", "12E", "37B1", "7A4c")
def test_what_is_captured_is_lost() -> None:
    table = Table("movement", ALLIED, {US1: "26:3631", LIVORNO: "26:3823"}, allied=[])
    cell = table.game.board.cell("26:3530")
    point = (cell, AXIS, 3)
    table.state.resources = (point,)
    table.state.forts |= 1 << cell
    assert {name: axis for name, axis, _ in table.state.capacity}["Sicily"] == 10
    table.do(f"move {US1}", "step 26:3531", "halt")
    assert point not in table.state.resources and not table.state.forts >> cell & 1
    assert table.state.spoiled >> cell & 1, "Palermo has been Allied"
    assert {name: axis for name, axis, _ in table.state.capacity}["Sicily"] == 10, "Messina is left"


@rule("second_front", "14A1", "14A4", "7A5")
def test_engineers_repair_a_railway_for_four_points() -> None:
    engineers = "SF-I-IE-1"
    table = Table("movement", AXIS, {engineers: "26:3929", LIVORNO: "26:3928", US1: GELA})
    table.state.broken = 1 << table.game.board.cell("26:3929") | 1 << table.game.board.cell("26:3928")
    table.do(f"move {engineers}", "mend")
    assert table.state.left[table.game.unit_index(engineers)] == 2 * POINT
    assert not table.state.broken >> table.game.board.cell("26:3929") & 1
    assert table.refused("mend") == ("nothing-broken", "14A1")
    table.do("halt", f"move {LIVORNO}")
    assert table.refused("mend") == ("no-engineers", "14A1")


@rule("second_front", "14G")
def test_with_political_police_nobody_gives_way() -> None:
    police = next(u.id for u in Table("combat", AXIS, {}).game.units if u.type == "political_police")
    expected = []
    for die in range(1, 7):
        units = {LIVORNO: CALTAGIRONE, police: CALTAGIRONE, US1: INLAND, US3: INLAND}
        table = Table("combat", ALLIED, units)
        table.do(f"assault {CALTAGIRONE}", f"join {US1}", f"join {US3}", "fight")
        battle = battle_of(table.game, table.state, table.state.local)
        expected.append(result(battle.column, die + battle.modifier))
        table.do(f"roll {die}")
        found = table.events("result")[0]["result"]
        assert found == ("EX" if expected[-1] == "DR" else expected[-1])
        if found == "DH":
            while table.asked == "defender-losses":
                table.do(sorted(table.options)[0])
            assert table.asked != "fall-back" and table.where(LIVORNO) == CALTAGIRONE
    assert {"DR", "DH"} <= set(expected)


@rule("second_front", "9F1")
def test_the_owner_retreats_his_units_in_the_order_he_likes() -> None:
    results = []
    for die in range(1, 7):
        table = attack({LIVORNO: CALTAGIRONE, "SF-I-IT-054": CALTAGIRONE}, {US1: INLAND, US2ARM: INLAND}, die)
        results.append(table.events("result")[0]["result"])
        if results[-1] == "DR":
            units = {option.split()[0] for option in table.offered("retreat")}
            assert units == {LIVORNO, "SF-I-IT-054"}
            assert table.refused(f"retreat {US1} {GELA}") == ("not-its-turn-to-retreat", "9F1")
    assert "DR" in results
