"""What the adviser says is what the rules do: reach, odds unit by unit, supply."""

from __future__ import annotations

from grognard.games.second_front.advice import FrontAdviser
from grognard.games.second_front.rules.attacking import battle_of
from grognard.games.second_front.units import ALLIED
from grognard.kernel import Refusal
from grognard.kernel.advice import Forecast
from grognard.mechanics.supposing import Supposes
from tests.games.second_front.table import Table
from tests.rules import rule

HG, LIVORNO = "SF-G-FJ-HG", "SF-I-IT-004"
US1, US3, US2ARM, GUNS = "US-inf-XX-1", "US-inf-XX-3", "US-arm-XX-2", "US-art-III-17"
GELA, CALTAGIRONE, INLAND, VIZZINI = "26:4130", "26:4128", "26:4129", "26:4227"
ENEMY = {HG: CALTAGIRONE}


def adviser(table: Table) -> FrontAdviser:
    return FrontAdviser(table.game)


@rule("second_front", "6", "6A")
def test_reach_is_where_a_unit_can_walk() -> None:
    table = Table("movement", ALLIED, {US2ARM: GELA, **ENEMY})
    found = adviser(table).reach(table.state, [table.unit(US2ARM)])
    assert not isinstance(found, Refusal) and len(found) > 10
    number = table.game.board.number
    for cell, way in found.items():
        walked = Table("movement", ALLIED, {US2ARM: GELA, **ENEMY}).do(f"move {US2ARM}")
        walked.do(*(f"step {number(step)}" for step in way.cells))
        assert walked.where(US2ARM) == number(cell)
        assert walked.state.left[walked.unit(US2ARM)] == way.points_left
    for cell in table.game.board.adjacent[table.cell(GELA)]:
        if cell not in found:
            assert table.do(f"move {US2ARM}").refused(f"step {number(cell)}"), "the rules refuse it too"
            break


@rule("second_front", "6")
def test_the_reach_of_the_unit_in_hand_is_what_it_has_left() -> None:
    table = Table("movement", ALLIED, {US2ARM: GELA, **ENEMY}).do(f"move {US2ARM}", "step 26:4030")
    found = adviser(table).reach(table.state, ())
    fresh = adviser(table).reach(
        Table("movement", ALLIED, {US2ARM: "26:4030", **ENEMY}).state, [table.unit(US2ARM)]
    )
    assert not isinstance(found, Refusal) and not isinstance(fresh, Refusal)
    assert set(found) < {*fresh, table.cell("26:4030"), table.cell(GELA)}
    nothing = adviser(table).reach(Table("movement", ALLIED, {US2ARM: GELA}).state, ())
    assert isinstance(nothing, Refusal) and nothing.code == "nothing-in-hand"


@rule("second_front", "9A", "10C", "11")
def test_a_forecast_has_the_odds_of_the_rules_unit_by_unit() -> None:
    units = {US1: INLAND, US2ARM: INLAND, LIVORNO: CALTAGIRONE}
    table = Table("combat", ALLIED, units)
    named = [table.unit(US1), table.unit(US2ARM)]
    found = adviser(table).forecast(table.state, [table.cell(CALTAGIRONE)], named, {})
    assert isinstance(found, Forecast)
    table.do(f"assault {CALTAGIRONE}", f"join {US1}", f"join {US2ARM}")
    battle = battle_of(table.game, table.state, table.state.local)
    assert found.attack == ((float(battle.attack_total), 1.0),)
    assert found.defence == ((float(battle.defence_total), 1.0),)
    assert sum(shift.columns for shift in found.shifts) == battle.modifier
    assert sum(share.counted or 0 for share in found.attackers) == float(battle.attack_total)
    assert abs(sum(chance for _, chance in found.results) - 1) < 1e-9
    armour = next(shift for shift in found.shifts if shift.case == "10C1")
    assert armour.code == f"armour {battle.armour.attack_share}", "the share of RE goes with it"
    told = table.game.catalogue.template("shifts", armour.code, "fr")
    assert told.endswith(f"({battle.armour.attack_share})") and "blindés" in told
    assert ("aeca-full", "10B") in found.attackers[1].reasons
    assert found.defenders[0].printed == table.game.units[table.unit(LIVORNO)].face.defence


@rule("second_front", "9A", "9B")
def test_what_cannot_be_attacked_is_refused_with_its_case() -> None:
    table = Table("combat", ALLIED, {US1: INLAND, HG: CALTAGIRONE, LIVORNO: "26:3928"})
    advice, unit = adviser(table), table.unit(US1)
    for targets, units, code, case in (
        ([GELA], [unit], "nobody-there", "9A"),
        (["26:3928"], [unit], "cannot-join", "9B"),
        ([CALTAGIRONE], [], "no-attackers", "9A"),
        ([CALTAGIRONE, "26:3928"], [unit], "one-hex", "9A"),
    ):
        found = advice.forecast(table.state, [table.cell(number) for number in targets], units, {})
        assert isinstance(found, Refusal) and (found.code, found.case) == (code, case)
        assert all("{" not in table.game.explain(found, language) for language in ("en", "fr"))


@rule("second_front", "13")
def test_while_units_move_the_forecast_is_that_of_an_overrun() -> None:
    weak = "SF-I-IM-10S"
    table = Table("movement", ALLIED, {US1: INLAND, US2ARM: INLAND, US3: GELA, weak: CALTAGIRONE})
    together = [table.unit(US1), table.unit(US2ARM)]
    found = adviser(table).forecast(table.state, [table.cell(CALTAGIRONE)], together, {})
    assert isinstance(found, Forecast)
    assert found.case == "13" and found.results == (("DE", 1.0),) and not found.shifts
    assert int(found.columns[0][0].split(":")[0]) >= 10
    strong = Table("movement", ALLIED, {US1: INLAND, HG: CALTAGIRONE})
    refused = adviser(strong).forecast(strong.state, [strong.cell(CALTAGIRONE)], [strong.unit(US1)], {})
    assert isinstance(refused, Refusal) and (refused.code, refused.case) == ("charge-too-weak", "13")


@rule("second_front", "9A", "8B")
def test_who_could_come_and_what_it_would_promise() -> None:
    table = Table("movement", ALLIED, {US1: GELA, US3: GELA, GUNS: GELA, LIVORNO: CALTAGIRONE})
    advice, cell = adviser(table), table.cell(CALTAGIRONE)
    assert isinstance(advice, Supposes)
    places = advice.approaches(table.state, cell)
    assert {table.unit(US1), table.unit(US3)} <= set(places)
    assert all(there in table.game.board.adjacent[cell] for there in places.values())
    found = advice.what_if(table.state, cell, [table.unit(US1), table.unit(US3)], {})
    alone = advice.what_if(table.state, cell, [table.unit(US1)], {})
    assert isinstance(found, Forecast) and isinstance(alone, Forecast)
    assert found.attack[0][0] > alone.attack[0][0]
    assert table.where(US1) == GELA, "nothing has moved"
    far = advice.what_if(table.state, cell, [table.unit(HG)], {})
    assert isinstance(far, Refusal)


@rule("second_front", "3A", "9E", "12D")
def test_strengths_as_printed_and_as_they_count() -> None:
    table = Table("movement", ALLIED, {US1: GELA}, cadres=[US1])
    attack, defence = adviser(table).strengths(table.state, table.unit(US1))
    counter = table.game.units[table.unit(US1)]
    assert counter.cadre is not None and attack.printed == counter.face.attack
    assert ("cadre", "9E") in attack.reasons and (attack.counted or 0) <= counter.cadre.attack
    assert defence.printed == counter.face.defence


@rule("second_front", "12B")
def test_supply_as_things_stand() -> None:
    table = Table("movement", ALLIED, {LIVORNO: "26:3824", US1: GELA})
    found = adviser(table).supply(table.state, table.unit(LIVORNO))
    assert found.supplied and found.line, "from the strait"
    cut = Table("movement", ALLIED, {LIVORNO: "26:3502", US1: "26:3632", US3: "26:3532", US2ARM: "26:3633"})
    assert not adviser(cut).supply(cut.state, cut.unit(LIVORNO)).supplied
