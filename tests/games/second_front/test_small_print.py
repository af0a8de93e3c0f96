"""More details of rules that the tests of the larger cases pass by: each was found by breaking the rule."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from grognard.games.second_front.books import board
from grognard.games.second_front.rules.attacking import Attack, battle_of, decide, defending
from grognard.games.second_front.rules.breakdown import part_sets
from grognard.games.second_front.rules.building import (
    PRICES,
    WORKS,
    finish_works,
    labour_for,
    why_not_repair,
)
from grognard.games.second_front.rules.dividing import attach, materials, why_not_assemble, why_not_attach
from grognard.games.second_front.rules.flooding import drain
from grognard.games.second_front.rules.garrisons import excused
from grognard.games.second_front.rules.losses import ATTACKER, Ledger, Toll
from grognard.games.second_front.rules.pools import PARTS, monthly
from grognard.games.second_front.rules.position import has_room, remove
from grognard.games.second_front.rules.rail import Used, within
from grognard.games.second_front.rules.rebuilding import spare
from grognard.games.second_front.rules.stocks import points_at
from grognard.games.second_front.state import FrontState, Work
from grognard.games.second_front.units import ALLIED, AXIS, units
from grognard.kernel import refusal
from tests.games.second_front.field import allied
from tests.games.second_front.table import Table
from tests.games.second_front.test_15_breakdown import strong_panzers
from tests.rules import rule

GELA, INLAND, CALTAGIRONE, ENNA, MESSINA, CITY = (
    *("26:4130", "26:4129", "26:4128", "26:3928", "26:3823", "26:4326"),
)
US1, US3, US9, US45, US2ARM, HG = (
    *("US-inf-XX-1", "US-inf-XX-3", "US-inf-XX-9", "US-inf-XX-45", "US-arm-XX-2", "SF-G-FJ-HG"),
)
SAPPERS, MORE_SAPPERS, LIVORNO, COAST = "US-eng-III-19", "US-eng-III-36", "SF-I-IT-004", "SF-I-IC-206"
CANADIANS, WEAK = "CA-inf-XX-1", "SF-I-IM-10S"


def stocked(points: int) -> Callable[[FrontState], None]:
    def put(state: FrontState) -> None:
        state.resources = ((board().cell(GELA), ALLIED, points),)
        state.fed = state.side_units[ALLIED]

    return put


# 9


@rule("second_front", "9B")
def test_a_new_combat_phase_remembers_no_other() -> None:
    def fought(state: FrontState) -> None:
        state.fought = state.attacked = state.retreated = 1 << Table.index(US1)

    state = Table("combat", ALLIED, {US1: INLAND, HG: CALTAGIRONE}, before=fought).state
    assert state.fought == state.attacked == state.retreated == 0


@rule("second_front", "9I", "14H2")
def test_it_is_told_who_slips_away_and_where_to() -> None:
    commando = next(u.id for u in units().values() if u.side == ALLIED and u.type == "marine_commando")
    table = Table("combat", AXIS, {HG: CALTAGIRONE, commando: INLAND, US1: CITY})
    table.do(f"assault {INLAND}", f"join {HG}", "fight", f"slip-away {commando} 26:4229")
    found = [event.facts for event in table.state.log or () if event.kind == "retreat"]
    assert found == [{"unit": table.unit(commando), "hex": table.cell("26:4229")}]


@rule("second_front", "9I", "9F1")
def test_who_slips_away_to_others_adds_nothing_to_them() -> None:
    commando = next(u.id for u in units().values() if u.side == ALLIED and u.type == "marine_commando")
    places = {HG: CALTAGIRONE, "SF-G-PZG-015": "26:4127", commando: INLAND, US1: "26:4228", US3: GELA}
    table = Table("combat", AXIS, places, allied=[INLAND, "26:4228", "26:4229", GELA])
    table.do(f"assault {INLAND}", f"join {HG}", "fight", f"slip-away {commando} {GELA}")
    assert table.has(commando, table.state.retreated)
    assert defending(table.state, table.cell(GELA)) == [table.unit(US3)]


@rule("second_front", "9F1", "8B")
def test_who_falls_back_on_a_full_hex_goes_on() -> None:
    full = dict.fromkeys((US3, US45, US9, US2ARM), GELA)
    around = {LIVORNO: "26:4030", "SF-I-IT-028": "26:4228", HG: CALTAGIRONE}
    table = Table("combat", AXIS, {US1: INLAND, **full, **around}, allied=[INLAND, GELA])
    unit = table.unit(US1)
    attack = Attack((table.cell(INLAND),), (table.unit(HG),), (unit,), "DR", falling_back=(unit,))
    table.state.frames[-1] = ("combat-phase", "retreats", attack)
    table.do(f"retreat {US1} {GELA}")
    assert table.asked == "fall-back" and table.where(US1) == GELA
    assert f"retreat {US1} {INLAND}" not in table.options, "not back"


@rule("second_front", "9J", "10C2")
def test_defenders_whose_armour_counted_bear_half_of_the_losses() -> None:
    """A panzer division attacks tanks and infantry: the tanks took something off its die."""
    table = Table("combat", AXIS, {HG: CALTAGIRONE, US2ARM: INLAND, US1: INLAND})
    tanks, foot = table.unit(US2ARM), table.unit(US1)
    attack = Attack((table.cell(INLAND),), (table.unit(HG),), (tanks, foot))
    table.state.push("combat-phase", attack)
    battle = battle_of(table.game, table.state, attack)
    assert battle.armour.defender_pays
    decide(table.game, table.state, battle, "DH", 3)
    assert tanks in table.state.local.special and foot not in table.state.local.special


@rule("second_front", "9J")
def test_where_everybody_is_lost_the_owner_chooses_the_order() -> None:
    troops = (allied("6-6"), allied("2-2-10", "tank", "X"))
    ledger = Ledger(ATTACKER, Toll(Fraction(8), everything=True), troops, (False, True))
    assert ledger.choices == [0, 1]


# 13


@rule("second_front", "13")
def test_only_hexes_with_enemies_are_overrun_and_only_those_who_charged_follow() -> None:
    table = Table("movement", ALLIED, {US1: INLAND, US2ARM: INLAND, US3: GELA, WEAK: CALTAGIRONE})
    assert table.offered("overrun") == {CALTAGIRONE}
    plan = f"overrun {CALTAGIRONE}"
    table.do(plan, f"join {US1}", f"join {US2ARM}", "charge")
    assert table.asked == "follow-charge"
    assert table.refused(f"advance {US3}") == ("cannot-advance", "13")


# 6B, 8


@rule("second_front", "6B")
def test_nobody_begins_a_march_next_to_an_enemy() -> None:
    """On either side of him: neither in the hex before nor in the hex after in the order of the map."""
    for here in ("26:4228", "26:4127", "26:4027", INLAND):
        table = Table("movement", ALLIED, {US1: here, HG: CALTAGIRONE}, allied=[here])
        assert table.refused(f"march {US1}") == ("march-near-enemy", "6B")
        assert f"march {US1}" not in table.options
    away = Table("movement", ALLIED, {US1: CITY, HG: CALTAGIRONE})
    assert f"march {US1}" in away.options


@rule("second_front", "8A")
def test_who_comes_to_a_full_hex_is_counted_himself() -> None:
    """Whatever the numbers of those who are there."""
    game = Table("movement", ALLIED, {}).game
    large = [n for n, u in enumerate(game.units) if u.side == ALLIED and u.size == "XX" and u.face.attack > 6]
    pairs = [(a, b) for a, b in pairwise(large) if b == a + 1]
    assert pairs
    for first, second in pairs[:3]:
        others = [n for n in large if n not in (first, second)][:3]
        table = Table("movement", ALLIED, {game.units[n].id: GELA for n in (second, *others)})
        assert not has_room(table.game, table.state, first, table.cell(GELA))


# 7


@rule("second_front", "7A3")
def test_every_network_keeps_within_its_capacity() -> None:
    used = [Used("a", 1, Fraction(3)), Used("b", 1, Fraction(3))]
    assert within(used, {"a": 3, "b": 3})
    assert not within(used, {"a": 3, "b": 2}) and not within(used, {"a": 2, "b": 3})


# 14A


@rule("second_front", "14A1", "14A5", "37B5")
def test_works_cost_a_point_and_the_westwall_two() -> None:
    assert [PRICES[work] for work in WORKS] == [1, 1, 1, 2]
    table = Table("initial", ALLIED, {SAPPERS: GELA, MORE_SAPPERS: GELA, US1: INLAND}, before=stocked(5))
    table.do(f"build {SAPPERS} airfield")
    assert points_at(table.state, ALLIED, table.cell(GELA)) == 4
    assert table.refused(f"build {MORE_SAPPERS} airfield") == ("work-begun", "14A1"), "one of a kind in a hex"
    table.do(f"build {MORE_SAPPERS} fort")


@rule("second_front", "14A1")
def test_the_same_work_may_be_begun_elsewhere() -> None:
    def begun(state: FrontState) -> None:
        stocked(5)(state)
        state.works = (Work("fort", ALLIED, board().cell(INLAND), (Table.index(MORE_SAPPERS),), 3),)

    table = Table("initial", ALLIED, {SAPPERS: GELA, MORE_SAPPERS: INLAND}, before=begun)
    table.do(f"build {SAPPERS} fort")
    assert len(table.state.works) == 2


@rule("second_front", "14A1")
def test_no_airstrip_in_a_forest() -> None:
    table = Table("movement", ALLIED, {SAPPERS: GELA})
    forest = next(c for c in board().cells if board().info[c].terrain == "forest")
    unit = table.unit(SAPPERS)
    assert why_not_repair(table.game, table.state, (unit,), "temporary") is None
    table.state.place(unit, forest)
    refusal = why_not_repair(table.game, table.state, (unit,), "temporary")
    assert refusal is not None and refusal.code == "no-airfield-here"


# 15


@rule("second_front", "15E")
def test_the_cadre_of_a_panzer_division_has_no_battalion_to_give() -> None:
    strong, _ = strong_panzers()
    table = Table("movement", AXIS, {strong: CALTAGIRONE}, cadres=[strong])
    assert table.refused(f"detach {strong}") == ("no-panthers", "15E")


@rule("second_front", "15E")
def test_it_is_told_which_battalion_joins_which_division() -> None:
    strong, _ = strong_panzers()
    table = Table("movement", AXIS, {strong: CALTAGIRONE})
    table.do(f"detach {strong}", "end", f"attach SF-G-PN-D01 {strong}")
    found = [event.facts for event in table.state.log or () if event.kind == "attached"]
    assert found == [{"unit": table.unit("SF-G-PN-D01"), "unit_other": table.unit(strong)}]


@rule("second_front", "15A", "15B")
def test_a_division_needs_all_its_parts_and_a_headquarters_or_their_own_support() -> None:
    def divided(led: bool) -> Table:
        table = Table("movement", ALLIED, {CANADIANS: GELA})
        return table.do(f"divide{'-led' if led else ''} {CANADIANS}")

    def whole(table: Table) -> bool:
        return materials(table.game, table.state, table.unit(CANADIANS)) is not None

    assert whole(divided(False)) and whole(divided(True))
    maimed = divided(True)
    remove(maimed.game, maimed.state, maimed.unit("CA-binf-X-A2"), "9C")
    assert not whole(maimed), "a brigade is gone"
    leaderless = divided(True)
    remove(leaderless.game, leaderless.state, leaderless.unit("CA-binf-HQ-A"), "9C")
    assert not whole(leaderless)
    leaderless.state.dotted |= 1 << leaderless.unit("CA-binf-X-A1")
    assert not whole(leaderless), "one brigade with support of its own is not enough"


@rule("second_front", "15B")
def test_only_divisions_whose_chart_has_a_headquarters_are_led() -> None:
    """German panzer-grenadiers have none; the Canadians have one."""
    without = next(known for known in part_sets() if not known.headquarters and known.divisions)
    id_ = sorted(without.divisions)[0]
    side = units()[id_].side
    table = Table("movement", side, {id_: ENNA, US1: GELA, HG: MESSINA})
    assert table.refused(f"divide-led {id_}") == ("no-headquarters", "15B")
    assert f"divide {id_}" in table.options and f"divide-led {id_}" not in table.options


@rule("second_front", "15A", "12")
def test_an_assembled_division_has_done_what_any_part_has_and_is_fed_if_all_are() -> None:
    def ready(*hungry: str) -> Table:
        table = Table("movement", ALLIED, {CANADIANS: GELA})
        table.do(f"divide {CANADIANS}")
        for id_ in hungry:
            table.state.fed &= ~(1 << table.unit(id_))
        return table

    table = ready()
    table.state.fought |= 1 << table.unit("CA-binf-X-A2")
    table.do("end", f"assemble {CANADIANS}")
    assert table.has(CANADIANS, table.state.fed) and table.has(CANADIANS, table.state.moved)
    assert table.state.left[table.unit(CANADIANS)] == 0 and not table.has(CANADIANS, table.state.entrained)
    assert table.where("CA-binf-X-A1") is None and not table.has("CA-binf-X-A1", table.state.dotted)
    hungry = ready("CA-binf-X-A3").do("end", f"assemble {CANADIANS}")
    assert not hungry.has(CANADIANS, hungry.state.fed)
    train = ready()
    train.state.entrained |= 1 << train.unit("CA-binf-X-A1")
    train.do("end", f"assemble {CANADIANS}")
    assert train.has(CANADIANS, train.state.entrained)


@rule("second_front", "15A")
def test_the_enemy_s_parts_are_not_put_together() -> None:
    table = Table("movement", ALLIED, {CANADIANS: GELA, HG: ENNA})
    table.do(f"divide {CANADIANS}")
    table.state.active = AXIS
    assert why_not_assemble(table.game, table.state, table.unit(CANADIANS)) == refusal(
        "not-yours", "15A", unit=table.unit(CANADIANS)
    )


@rule("second_front", "15E")
def test_one_battalion_joins_a_panzer_division_of_the_army_in_its_hex() -> None:
    strong, weak = strong_panzers()
    battalion, second = "SF-G-PN-D01", "SF-G-PN-D02"
    places = {strong: ENNA, weak: ENNA, battalion: ENNA, second: ENNA, HG: ENNA}
    table = Table("movement", AXIS, places)
    game, state = table.game, table.state

    def why(one: str, division: str) -> str | None:
        found = why_not_attach(game, state, table.unit(one), table.unit(division))
        return found.code if found is not None else None

    assert why(battalion, weak) is None, "whatever its strength"
    assert why(battalion, HG) == "cannot-attach" and why(HG, weak) == "no-panthers"
    state.hunger[table.unit(battalion)], state.hunger[table.unit(weak)] = 3, 1
    attach(game, state, table.unit(battalion), table.unit(weak))
    assert state.hunger[table.unit(weak)] == 3 and state.cargo(table.unit(weak)) == [table.unit(battalion)]
    assert why(second, weak) == "cannot-attach", "one each"
    state.place(table.unit(second), table.cell(MESSINA))
    assert why(second, strong) == "not-together"
    state.place(table.unit(second), -1)
    assert why(second, strong) == "not-together"


@rule("second_front", "14A1b")
def test_two_engineers_who_build_together_are_named_in_order() -> None:
    table = Table("initial", ALLIED, {SAPPERS: GELA, MORE_SAPPERS: GELA, US1: INLAND}, before=stocked(5))
    pairs = sorted(option for option in table.options if option.startswith("build-together"))
    one, two = sorted((SAPPERS, MORE_SAPPERS), key=table.unit)
    assert {pair.split()[1:3] == [one, two] for pair in pairs} == {True}
    assert table.refused(f"build-together {two} {one} fort") == ("not-together", "14A1b")
    table.do(f"build-together {one} {two} fort")
    assert table.state.works[0].units == (table.unit(one), table.unit(two))


@rule("second_front", "14A1c")
def test_civilians_help_germans_who_restore_no_wall() -> None:
    city = next(c for c in board().cells if board().info[c].names.get("en") == "Stuttgart")
    number, german = board().number(city), "SF-G-EN-771"
    italian = next(u.id for u in units().values() if u.nation == "Italian" and "engineer" in u.type)
    table = Table("movement", AXIS, {german: number, italian: number}, districts=["wk_v"], allied=[])
    game, state = table.game, table.state
    assert labour_for(game, state, table.unit(german)) == city
    assert labour_for(game, state, table.unit(italian)) is None
    state.place(table.unit(SAPPERS), city)
    assert labour_for(game, state, table.unit(SAPPERS)) is None
    state.restoration, state.wall_held = 2, 1 << city
    assert labour_for(game, state, table.unit(german)) is None


@rule("second_front", "14A1", "14A5", "37B5")
def test_what_is_finished_is_there_and_its_work_is_gone() -> None:
    table = Table("initial", ALLIED, {SAPPERS: GELA, MORE_SAPPERS: INLAND}, arrivals=())
    state, gela, inland = table.state, table.cell(GELA), table.cell(INLAND)
    builders = (table.unit(SAPPERS),)

    def finish(*works: Work) -> None:
        state.works = works
        finish_works(table.game, state)

    state.strips, state.airfields = 1 << gela | 1 << inland, ((gela, 3),)
    state.labour = 1 << gela
    finish(Work("airfield", ALLIED, gela, builders, 2))
    assert state.airfields == ((gela, 6),) and state.strips == 1 << inland and not state.labour
    state.ruined = 1 << gela | 1 << inland
    finish(Work("rebuild", ALLIED, gela, builders, 2), Work("fort", ALLIED, inland, builders, 3))
    assert state.ruined == 1 << inland and not state.forts and [w.kind for w in state.works] == ["fort"]
    finish(Work("westwall", ALLIED, inland, builders, 1))
    assert state.improved == 1 << inland and not state.works
    done = [event.facts["word_work"] for event in state.log or () if event.kind == "work-done"]
    assert done == ["airfield", "rebuild", "westwall"]


# 37


@rule("second_front", "37A4")
def test_a_swamp_costs_the_allies_a_point_when_the_axis_has_played_and_not_twice_a_turn() -> None:
    def wet(state: FrontState) -> None:
        state.marsh = 1 << board().cell(ENNA)

    for active, left in ((AXIS, 4), (ALLIED, 5)):
        table = Table("movement", active, {US1: GELA, HG: ENNA}, before=stocked(5))
        wet(table.state)
        drain(table.game, table.state)
        assert points_at(table.state, ALLIED, table.cell(GELA)) == left


@rule("second_front", "37E1")
def test_no_garrison_is_owed_where_an_axis_unit_is_near_or_a_city_is_the_axis() -> None:
    table = Table("movement", ALLIED, {HG: ENNA, US1: GELA}, allied=[GELA])
    cell = 1 << table.cell("26:4028")
    assert excused(table.game, table.state, cell), "a unit next to it"
    table.state.place(table.unit(HG), table.cell(MESSINA))
    assert not excused(table.game, table.state, cell), "no city there, nobody near"
    table.state.owned = table.game.plan(table.state).area, 0
    assert excused(table.game, table.state, 1 << table.cell("26:3530")), "Palermo is the Axis's"


# 40


@rule("second_front", "40B1")
def test_districts_out_of_play_produce_nothing() -> None:
    """In a war for Sicily alone the Axis has what Sicily makes."""
    table = Table("initial", AXIS, {}, turn=3, allied=[])
    table.state.open_land = table.state.owned
    here = monthly(table.game, table.state, AXIS)
    more = Table("initial", AXIS, {}, turn=3, allied=[], districts=["liguria"])
    more.state.open_land = more.state.owned
    assert here.get("Italian", {}).get("naval", 0) == 0
    assert monthly(more.game, more.state, AXIS)["Italian"]["naval"] == PARTS


@rule("second_front", "40C")
def test_a_counter_that_is_due_to_arrive_takes_nobodys_place() -> None:
    table = Table("initial", AXIS, {HG: ENNA})
    game, brittle = table.game, table.game.units[table.unit(LIVORNO)]
    first = spare(game, table.state, brittle, "3-6")
    assert first is not None
    arrival = game.plan(table.state).arrivals[0]._replace(unit=first)
    later = Table("initial", AXIS, {HG: ENNA}, arrivals=(arrival,))
    assert spare(later.game, later.state, brittle, "3-6") != first
