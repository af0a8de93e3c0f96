"""14 Special units as they are played: guns, commandos, agents, movement counters, units on rails."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from grognard.games.second_front.rules import losses
from grognard.games.second_front.rules.armour import AECA, rating
from grognard.games.second_front.rules.attacking import Attack, apply_losses, battle_of
from grognard.games.second_front.rules.ground import POINT, legs
from grognard.games.second_front.rules.position import move_to, piece, pieces, remove, target
from grognard.games.second_front.rules.strength import Attacker, attack_shares, defence_shares, total
from grognard.games.second_front.state import FrontState, Government
from grognard.games.second_front.units import ALLIED, AXIS, HALF_CAPABLE, NEUTRAL, units
from grognard.kernel.agenda import advance
from tests.games.second_front.table import Table
from tests.rules import rule

GELA, INLAND, CALTAGIRONE, VIZZINI, CALTANISSETTA, ENNA = (
    *("26:4130", "26:4129", "26:4128", "26:4127", "26:3929", "26:3928"),
)
US1, US3, US45, HG, LIVORNO, COAST = (
    *("US-inf-XX-1", "US-inf-XX-3", "US-inf-XX-45", "SF-G-FJ-HG", "SF-I-IT-004", "SF-I-IC-206"),
)
AROUND = {LIVORNO: "26:4030", "SF-I-IT-028": "26:4228"}
TRUCK, APC, LVT = "US-trk-cap3-QM-1", "GB-apc-cap1-Kangaroo-1", "US-lvt-cap1-LVT-1"
BRIGADE, GUNS, SAS = "GB-inf-X-231", "US-art-III-17", "GB-pco-II-SRS"


def a_unit(type_: str, side: int, **wanted: object) -> str:
    """The first counter of a type with some properties."""
    return next(
        u.id
        for u in units().values()
        if u.type == type_
        and u.side == side
        and all(getattr(u, name) == value for name, value in wanted.items())
    )


# 14B2


@rule("second_front", "14B2", "14F1")
def test_railway_guns_fire_two_hexes_with_somebody_beside_the_target() -> None:
    gun = a_unit("long_range_siege", AXIS)
    table = Table("combat", AXIS, {gun: VIZZINI, LIVORNO: CALTAGIRONE, US1: INLAND}, allied=[INLAND, GELA])
    table.do(f"assault {INLAND}", f"join {gun}")
    assert table.refused("fight") == ("guns-alone", "14B2")
    table.do(f"join {LIVORNO}", "fight")
    assert table.asked == "roll-combat"
    table.do("roll 1")
    while table.asked in ("attacker-losses", "defender-losses", "fall-back", "advance-after-combat"):
        option = sorted(table.options)[0]
        assert gun not in option.split() or table.asked == "none", "no result touches it"
        table.do(option)
    assert table.where(gun) == VIZZINI


@rule("second_front", "14B2")
def test_a_gun_alone_reaches_nobody() -> None:
    gun = a_unit("long_range_siege", AXIS)
    table = Table("combat", AXIS, {gun: VIZZINI, HG: ENNA, US1: INLAND}, allied=[INLAND, GELA])
    assert table.refused(f"assault {INLAND}") == ("nobody-can-attack", "9B")


# 14F1


@rule("second_front", "14F1", "7A2")
def test_units_on_rails_go_by_train_alone() -> None:
    gun = next(u.id for u in units().values() if u.by_rail_only and u.side == AXIS)
    table = Table("movement", AXIS, {gun: CALTANISSETTA, HG: ENNA})
    assert table.refused(f"move {gun}") == ("rails-only", "14F1")
    table.do(f"entrain {gun}")
    assert "26:3823" in table.offered("detrain")
    cut = Table("movement", AXIS, {gun: CALTANISSETTA, HG: ENNA})
    cut.state.broken = 1 << cut.cell(CALTANISSETTA)
    assert cut.refused(f"entrain {gun}") == ("no-train-here", "7A")


@rule("second_front", "14F1", "9F1")
def test_units_on_rails_retreat_along_the_line_or_are_lost() -> None:
    gun = next(u.id for u in units().values() if u.by_rail_only and u.side == AXIS)

    def beaten(broken: int) -> Table:
        table = Table("combat", ALLIED, {gun: CALTANISSETTA, LIVORNO: CALTANISSETTA, US1: "26:4029"})
        table.state.broken = broken
        unit = table.unit(gun)
        attack = Attack((table.cell(CALTANISSETTA),), (table.unit(US1),), (unit,), "DR", falling_back=(unit,))
        table.state.frames[-1] = ("combat-phase", "retreats", attack)
        return table

    table = beaten(0)
    ways = {option.split()[2] for option in table.options if option.startswith(f"retreat {gun}")}
    assert ways and ways <= {ENNA, "26:3930"}, "the next hexes of the railway"
    cell = table.cell(CALTANISSETTA)
    lost = beaten(1 << cell)
    advance(lost.game.procedures, lost.game, lost.state)
    assert lost.where(gun) is None


@rule("second_front", "14F2", "6")
def test_a_unit_without_movement_stays() -> None:
    fort = next(
        u.id for u in units().values() if not u.face.movement and not u.by_rail_only and u.side == AXIS
    )
    table = Table("movement", AXIS, {fort: CALTANISSETTA, HG: ENNA})
    assert table.refused(f"move {fort}") == ("cannot-move", "6")
    assert table.refused(f"entrain {fort}") == ("cannot-move", "6")


@rule("second_front", "14E3")
def test_schools_have_the_abilities_of_their_type() -> None:
    """A reserve division of infantry is infantry, a training brigade of tanks has tanks."""
    known = {u.school for u in units().values()}
    assert known == {"", "training", "reserve", "replacement"}
    reserve = next(u for u in units().values() if u.school == "reserve" and u.type == "infantry")
    plain = next(
        u for u in units().values() if not u.school and u.type == "infantry" and u.side == reserve.side
    )
    assert reserve.ratings == plain.ratings
    tanks = next(u for u in units().values() if u.school == "training" and u.type == "tank")
    assert tanks.ratings[0].share == 1


# 14H


@rule("second_front", "14H1", "6A")
def test_a_commando_leaves_a_zone_without_paying_if_the_die_allows() -> None:
    places = {SAS: INLAND, US1: GELA, HG: CALTAGIRONE}
    table = Table("movement", ALLIED, places, allied=[GELA, INLAND, "26:4229"])
    table.do(f"move {SAS}", "sneak 26:4229")
    assert table.asked == "sneak"
    table.do("sneak-die 3")
    full = table.game.units[table.unit(SAS)].face.movement
    assert table.where(SAS) == "26:4229"
    free = full * POINT - table.state.left[table.unit(SAS)]
    paid = Table("movement", ALLIED, places, allied=[GELA, INLAND, "26:4229"])
    paid.do(f"move {SAS}", "sneak 26:4229", "sneak-die 2")
    assert full * POINT - paid.state.left[paid.unit(SAS)] == free + 2 * POINT, "caught: it pays the zone"
    other = Table("movement", ALLIED, {US1: INLAND, HG: CALTAGIRONE})
    other.do(f"move {US1}")
    assert other.refused(f"sneak {GELA}") == ("no-commando", "14H1")
    quiet = Table("movement", ALLIED, {SAS: GELA})
    quiet.do(f"move {SAS}")
    assert quiet.refused(f"sneak {INLAND}") == ("nothing-to-slip", "14H1")


@rule("second_front", "14H1", "9F1")
def test_a_commando_leads_others_through_an_enemy_zone() -> None:
    """The example: it succeeds with 3 or more, then each of the others with 4 or more."""
    places = {SAS: INLAND, US1: INLAND, US3: INLAND, US45: GELA, HG: CALTAGIRONE, **AROUND}
    table = Table("combat", AXIS, places, allied=[INLAND, GELA])
    falling = tuple(table.unit(id_) for id_ in (SAS, US1, US3))
    attack = Attack((table.cell(INLAND),), (table.unit(HG),), falling, "DR", falling_back=falling)
    table.state.frames[-1] = ("combat-phase", "retreats", attack)
    assert f"retreat {SAS} {GELA}" in table.options
    table.do(f"retreat {SAS} {GELA}")
    assert table.asked == "slip-through"
    table.do("slip 3", f"retreat {US1} {GELA}", "slip 4", f"retreat {US3} {GELA}", "slip 3")
    assert table.where(SAS) == GELA and not table.has(US1, table.state.reduced)
    assert table.has(US3, table.state.reduced), "a 3 is not enough for the second"


@rule("second_front", "14H1", "9F1")
def test_without_a_commando_nobody_slips_through() -> None:
    places = {US1: INLAND, US45: GELA, HG: CALTAGIRONE, **AROUND}
    table = Table("combat", AXIS, places, allied=[INLAND, GELA])
    falling = (table.unit(US1),)
    attack = Attack((table.cell(INLAND),), (table.unit(HG),), falling, "DR", falling_back=falling)
    table.state.frames[-1] = ("combat-phase", "retreats", attack)
    table.do(f"retreat {US1} {GELA}")
    assert table.has(US1, table.state.reduced)


@rule("second_front", "14H3")
def test_a_german_commando_surprises_once_in_an_attack() -> None:
    commando = next(
        u.id for u in units().values() if u.type.endswith("commando") and u.german and u.face.attack >= 1
    )
    places = {commando: CALTAGIRONE, HG: CALTAGIRONE, US1: INLAND}

    def at_the_die() -> Table:
        table = Table("combat", AXIS, places, allied=[INLAND, GELA])
        return table.do(f"assault {INLAND}", f"join {HG}", f"join {commando}", "fight")

    table = at_the_die()
    assert table.asked == "surprise-attack" and table.refused(f"surprise {HG}") == ("no-surprise", "14H3")
    table.do(f"surprise {commando}", "strike 4")
    assert table.state.local.bonus == 1 and table.asked == "roll-combat"
    failed = at_the_die().do(f"surprise {commando}", "strike 2")
    assert failed.state.local.bonus == 0 and failed.where(commando) == CALTAGIRONE
    lost = at_the_die().do(f"surprise {commando}", "strike 1")
    assert lost.where(commando) is None and lost.state.local.attackers == (lost.unit(HG),)
    assert len(lost.events("odds")) == 2, "the odds are worked out again"
    silent = at_the_die().do("pass")
    assert silent.asked == "roll-combat"


@rule("second_front", "37D", "14H3")
def test_agents_surprise_those_they_work_against() -> None:
    agent = "OS-oss-II-2671_It"
    places = {agent: GELA, US1: GELA, LIVORNO: INLAND}
    table = Table("combat", ALLIED, places, allied=[GELA])
    table.do(f"assault {INLAND}", f"join {US1}", f"join {agent}", "fight")
    assert table.asked == "surprise-attack"
    germans = Table("combat", ALLIED, {agent: GELA, US1: GELA, HG: INLAND}, allied=[GELA])
    germans.do(f"assault {INLAND}", f"join {US1}", f"join {agent}", "fight")
    assert germans.asked == "roll-combat"


# 14J


@rule("second_front", "14J", "14J1")
def test_a_truck_takes_units_along_at_its_own_pace() -> None:
    table = Table(
        "movement", ALLIED, {TRUCK: GELA, BRIGADE: GELA, GUNS: GELA, US1: GELA, "US-arm-XX-2": GELA}
    )
    table.do(f"move {TRUCK}")
    assert table.refused("take-aboard US-arm-XX-2") == ("cannot-carry", "14J1")
    table.do(f"take-aboard {BRIGADE}", f"take-aboard {GUNS}")
    assert table.refused(f"take-aboard {US1}") == ("cannot-carry", "14J1"), "three RE"
    table.do(f"step {INLAND}", "halt")
    assert table.here(INLAND) == {TRUCK, BRIGADE, GUNS}
    assert table.refused(f"move {BRIGADE}") == ("moved-already", "6")
    assert table.state.mounted == (), "trucks carry nobody in combat"
    late = Table("movement", ALLIED, {TRUCK: GELA, BRIGADE: INLAND})
    late.do(f"move {BRIGADE}", f"step {GELA}", "halt", f"move {TRUCK}")
    assert late.refused(f"take-aboard {BRIGADE}") == ("moved-already", "14J"), "it did not begin there"
    exploiting = Table("exploitation", ALLIED, {TRUCK: GELA, BRIGADE: GELA})
    exploiting.do(f"move {TRUCK}", f"take-aboard {BRIGADE}", f"step {INLAND}", "halt")
    assert exploiting.where(BRIGADE) == INLAND


def mounted(counter: str, cargo: str) -> Callable[[FrontState], None]:
    def put(state: FrontState) -> None:
        state.mounted = ((Table.index(counter), Table.index(cargo)),)

    return put


@rule("second_front", "14J2", "14J3")
def test_lvt_and_apc_carry_their_cargo_into_combat() -> None:
    """A brigade of 3-8 in an APC attacks with 4, as a mechanised unit; in defence it is 3."""
    brigade = "CA-binf-X-A1"
    places = {APC: GELA, brigade: GELA, HG: INLAND, US1: GELA}
    table = Table("combat", ALLIED, places, allied=[GELA], before=mounted(APC, brigade))
    unit = table.unit(brigade)
    carried = piece(table.game, table.state, unit)
    assert rating(carried, AECA, "Jul II 43") == HALF_CAPABLE
    battle = battle_of(table.game, table.state, Attack((table.cell(INLAND),), (unit, table.unit(US1))))
    plain = battle_of(table.game, table.state, Attack((table.cell(INLAND),), (table.unit(US1),)))
    afoot = Table("combat", ALLIED, places, allied=[GELA])
    walked = battle_of(afoot.game, afoot.state, Attack((table.cell(INLAND),), (unit, table.unit(US1))))
    assert battle.attack_total - walked.attack_total > 0 and walked.attack_total > plain.attack_total
    assert carried.face.attack == 3, "no loss counts the APC"
    swimming = Table("combat", ALLIED, {LVT: GELA, brigade: GELA}, before=mounted(LVT, brigade))
    carried = piece(swimming.game, swimming.state, unit)
    assert rating(carried, AECA, "Jul II 43") == NEUTRAL and legs(carried).swims


@rule("second_front", "14J3")
def test_units_get_into_an_apc_when_it_moves_and_out_when_it_moves_again() -> None:
    table = Table("movement", ALLIED, {APC: GELA, BRIGADE: GELA, HG: VIZZINI})
    table.do(f"move {APC}")
    assert table.refused(f"take-aboard {BRIGADE}") == ("cannot-carry", "14J3"), (
        "it is supported, so it is heavy"
    )
    brigade = "CA-binf-X-A1"
    table = Table("movement", ALLIED, {APC: GELA, brigade: GELA, HG: VIZZINI})
    table.do(f"move {APC}", f"take-aboard {brigade}", f"step {INLAND}", "halt")
    assert table.state.mounted == ((table.unit(APC), table.unit(brigade)),)


@rule("second_front", "14J", "14J3", "9C")
def test_who_rides_in_combat_and_his_counter_are_one_unit() -> None:
    """Published answers: two brigades of 3-8, each in an APC, attack with 8; who is lost counts 3 and takes
    his APC along; in defence the point does not count."""
    one, two = "CA-binf-X-A1", "CA-binf-X-A2"
    first, second = APC, "GB-apc-cap1-Kangaroo-2"
    places = {first: GELA, second: GELA, one: GELA, two: GELA, HG: INLAND}

    def both(state: FrontState) -> None:
        state.mounted = tuple(
            sorted((Table.index(by), Table.index(cargo)) for by, cargo in ((first, one), (second, two)))
        )

    table = Table("combat", ALLIED, places, allied=[GELA], before=both)
    riders = pieces(table.game, table.state, [table.unit(one), table.unit(two)])
    at = target(table.game, table.state, table.cell(INLAND))
    attackers = [Attacker(rider, table.cell(GELA)) for rider in riders]
    assert total(attack_shares(at, attackers, naval=True)) == 8 and losses.printed(riders, 0) == 6
    assert total(defence_shares(at, riders, naval=True)) == sum(rider.unit.face.defence for rider in riders)
    move_to(table.game, table.state, table.unit(one), table.cell("26:4229"))
    assert table.where(first) == table.where(one) == "26:4229" and table.where(second) == GELA
    remove(table.game, table.state, table.unit(one), "9C")
    assert table.where(first) is None and table.where(second) == GELA


@rule("second_front", "14J", "9F1")
def test_a_movement_counter_retreats_with_its_cargo_and_not_by_itself() -> None:
    brigade = "CA-binf-X-A1"
    places = {APC: GELA, brigade: GELA, HG: INLAND, LIVORNO: INLAND}
    table = Table("combat", AXIS, places, allied=[GELA], before=mounted(APC, brigade))
    attack = Attack((table.cell(GELA),), (table.unit(HG),), (table.unit(APC), table.unit(brigade)), "DR")
    table.state.push("combat-phase", attack)
    apply_losses(table.game, table.state)
    assert table.state.local.falling_back == (table.unit(brigade),)


# 37G3


@rule("second_front", "37G3", "37G")
def test_troops_fight_at_half_strength_when_their_government_falls() -> None:
    def fallen(state: FrontState) -> None:
        state.governments = (Government("Italian", AXIS, -1, fallen=2, restored=3),)

    for turn, factor in ((2, Fraction(1, 2)), (3, Fraction(1, 2)), (4, Fraction(1))):
        table = Table("combat", ALLIED, {US1: GELA, LIVORNO: INLAND}, allied=[GELA], before=fallen, turn=turn)
        attack = Attack((table.cell(INLAND),), (table.unit(US1),))
        battle = battle_of(table.game, table.state, attack)
        printed = table.game.units[table.unit(LIVORNO)].face.defence
        assert battle.defence_total == printed * factor
