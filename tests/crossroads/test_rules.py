"""The rules of Crossroads, case by case."""

from __future__ import annotations

import pytest

from grognard.kernel.advice import Forecast
from grognard.kernel.table import Pool
from tests.crossroads.table import Table, game
from tests.rules import rule


@rule("crossroads", "1.0")
def test_a_turn_has_a_wager_two_marches_and_a_count() -> None:
    table = Table()
    assert table.state.turn == 1
    for _ in range(3):
        assert game().must_act(table.state) == {0, 1}
        table.wager(*(max(table.state.hands[side].bit_length() - 3 * side, 1) for side in (0, 1)))
        first = table.state.active
        for side in (first, 1 - first):
            table.do(side, "dusk")
            table.do(side, "dusk")
    assert table.match.over
    assert table.kinds().count("daybreak") == 3
    skirmish = Table("skirmish")
    skirmish.wager()
    for side in (0, 0, 1, 1):
        skirmish.do(side, "dusk")
    assert skirmish.match.over


@rule("crossroads", "2.0")
@pytest.mark.parametrize(("amber", "cobalt", "first"), [(3, 1, 0), (1, 2, 1), (2, 2, 0)])
def test_the_higher_wager_goes_first(amber: int, cobalt: int, first: int) -> None:
    table = Table()
    table.wager(amber, cobalt)
    assert table.state.active == first


@rule("crossroads", "2.1")
def test_tokens_are_their_owners_secret_and_their_number_is_not() -> None:
    table = Table()
    assert table.refused(0, "stake", "cobalt-1") == ("2.1", "no-such-token")
    table.do(0, "stake", "amber-3")
    table.do(1, "stake", "cobalt-2")
    pools = {part.side: part for part in game().table(table.state, 1).parts if isinstance(part, Pool)}
    held, in_cup = pools["amber"].groups
    assert (held.pieces, held.more, in_cup.pieces, in_cup.more) == ([], 2, [], 1)
    held, in_cup = pools["cobalt"].groups
    assert (held.pieces, in_cup.pieces) == (["cobalt-1", "cobalt-3"], ["cobalt-2"])


@rule("crossroads", "2.2")
def test_one_token_comes_back_at_the_end_of_a_turn() -> None:
    table = Table()
    table.wager()
    for side in (0, 0, 1, 1):
        table.do(side, "dusk")
    assert table.state.turn == 2
    assert table.state.cup.bit_count() == 1
    assert "returned" in table.kinds()


@rule("crossroads", "3.0")
def test_a_unit_marches_once_and_only_its_owners() -> None:
    table = Table()
    table.wager()
    assert table.refused(0, "lift", "first-cobalt") == ("3.0", "not-yours")
    assert table.refused(1, "lift", "first-cobalt")[1] == "not-your-decision"
    table.walk(0, "first-amber", "0202")
    table.do(0, "rest")
    assert table.refused(0, "lift", "first-amber") == ("3.0", "has-moved")


@rule("crossroads", "3.1")
def test_ground_has_its_price_and_hexes_their_room() -> None:
    table = Table(fog=True)
    table.wager()
    unit = game().unit_index("first-amber")
    table.walk(0, "first-amber", "0202", "0302")
    assert table.state.left[unit] == 4
    table.do(0, "tread", "0303")
    assert table.state.left[unit] == 0
    assert table.refused(0, "tread", "0302") == ("3.1", "too-dear")
    assert table.refused(0, "tread", "0101") == ("3.1", "too-far")
    assert table.refused(0, "tread", "0402") == ("3.1", "enemy-there")
    table = Table(fog=True)
    table.wager()
    table.put("second-amber", "0202")
    table.put("amber-wagon", "0202")
    table.do(0, "lift", "first-amber")
    assert table.refused(0, "tread", "0202") == ("3.1", "no-room")


@rule("crossroads", "3.2")
def test_a_wagon_carries_one_unit_of_foot() -> None:
    table = Table(fog=True)
    table.wager()
    second = game().unit_index("second-amber")
    table.walk(0, "amber-wagon", "0102", "0202")
    table.do(0, "rest")
    assert table.state.cell(second) == game().village
    assert table.refused(0, "alight", "second-amber", "0102") == ("3.2", "not-aboard-there")
    table.do(0, "alight", "second-amber", "0202")
    assert table.state.where[second] == game().village
    assert table.refused(0, "lift", "second-amber") == ("3.0", "has-moved")
    table.walk(0, "first-amber", "0201")
    table.do(0, "rest")
    table.put("first-amber", "0101")
    table.state.moved = 0
    assert table.refused(0, "embark", "first-amber", "aboard:amber-wagon") == ("3.2", "cannot-embark")
    table.do(0, "embark", "second-amber", "aboard:amber-wagon")
    assert table.state.cargo(game().unit_index("amber-wagon")) == [second]


@rule("crossroads", "3.3")
def test_the_horse_waits_in_the_coppice_until_turn_2() -> None:
    table = Table(fog=True)
    table.wager(1, 3)
    assert table.refused(1, "muster", "cobalt-horse", "0401") == ("3.3", "not-in-coppice")
    for side in (1, 1, 0, 0):
        table.do(side, "dusk")
    table.wager(3 if table.state.hands[0] >> 2 & 1 else 2, 1)
    for side in (0, 0):
        table.do(side, "dusk")
    assert table.refused(1, "muster", "cobalt-horse", "0301") == ("3.3", "not-an-arrival")
    table.do(1, "muster", "cobalt-horse", "0401")
    table.do(1, "tread", "0301")


@rule("crossroads", "3.4")
def test_who_comes_near_may_be_fired_at_once_by_each_unit() -> None:
    table = Table()
    table.wager()
    table.put("first-cobalt", "0302")
    table.walk(0, "first-amber", "0202")
    assert game().must_act(table.state) == {1}
    assert table.refused(1, "snipe", "second-cobalt") == ("3.4", "cannot-see")
    table.do(1, "snipe", "first-cobalt")
    hit = "hit" in table.kinds()
    assert hit != ("missed" in table.kinds())
    unit = game().unit_index("first-amber")
    assert table.state.steps[unit] == (1 if hit else 2)
    # 3.4 Who is hit goes no farther; who is missed is still on the march.
    assert table.state.within("walk") != hit
    if not hit:
        table.do(0, "rest")
    table.walk(0, "amber-wagon", "0201")
    assert game().must_act(table.state) == {0}


@rule("crossroads", "3.4")
def test_nobody_fires_in_fog_or_after_passing_in_advance() -> None:
    for table in (Table(fog=True), Table()):
        table.wager()
        table.put("first-cobalt", "0302")
        if not table.state.fog:
            table.do(1, "waive", "sniping", "0")
        table.walk(0, "first-amber", "0202")
        assert game().must_act(table.state) == {0}
        assert "sniped" not in table.kinds()


def storm(attackers: tuple[str, ...], target: str = "first-cobalt") -> Table:
    """Amber about to storm a unit at 0302 from 0202."""
    table = Table(fog=True)
    table.wager()
    table.put(target, "0302")
    for unit in attackers:
        table.put(unit, "0202")
    table.do(0, "dusk")
    return table


@rule("crossroads", "4.0")
def test_each_unit_storms_once_and_each_hex_once() -> None:
    table = storm(("first-amber", "second-amber"))
    assert table.refused(0, "assail", "0403")[0] == "4.1"
    assert table.refused(0, "assail", "0101") == ("4.0", "nobody-there")
    table.do(0, "assail", "0302")
    assert table.refused(0, "rally", "amber-wagon") == ("4.0", "cannot-join")
    table.do(0, "rally", "first-amber")
    table.do(0, "rally", "second-amber")
    table.do(0, "storm")
    assert table.state.fought.bit_count() == 2
    if table.state.occupied[1] >> game().board.cell("0302") & 1:
        assert table.refused(0, "assail", "0302") == ("4.0", "stormed-already")


@rule("crossroads", "4.1")
def test_odds_are_of_sums_and_a_redoubt_costs_a_column() -> None:
    table = storm(("first-amber", "second-amber"))
    cell = game().board.cell("0302")
    units = [game().unit_index(u) for u in ("first-amber", "second-amber")]
    forecast = game().adviser.forecast(table.state, [cell], units, {})
    assert isinstance(forecast, Forecast)
    assert forecast.columns == (("2-1", 1.0),)
    table.state.redoubts |= 1 << cell
    forecast = game().adviser.forecast(table.state, [cell], units, {})
    assert isinstance(forecast, Forecast)
    assert forecast.columns == (("1-1", 1.0),)
    table.put("second-cobalt", "0302")
    table.put("second-amber", "dead")
    assert table.refused(0, "assail", "0302") == ("4.1", "too-weak")


@rule("crossroads", "4.2")
def test_two_dice_are_added_and_read_in_the_column() -> None:
    seen = set()
    for seed in range(40):
        table = Table(fog=True, seed=f"dice-{seed}")
        table.wager()
        table.put("first-cobalt", "0302")
        table.put("first-amber", "0202")
        table.do(0, "dusk")
        table.do(0, "assail", "0302")
        table.do(0, "rally", "first-amber")
        table.do(0, "storm")
        event = next(event for event in table.match.log if event.kind == "outcome")
        result = game().crt.result(event.facts["odds"], sum(event.facts["dice"]))
        assert event.facts["result"] == result
        seen.add(result)
        lost = [table.state.steps[game().unit_index(u)] for u in ("first-amber", "first-cobalt")]
        assert lost == {"AL": [1, 2], "-": [2, 2], "EX": [1, 1], "DL": [2, 1]}[result]
    assert seen == {"AL", "-", "EX", "DL"}


@rule("crossroads", "5.0")
def test_a_side_digs_once_where_it_has_foot() -> None:
    table = Table()
    table.wager()
    assert table.refused(0, "dig", "0101") == ("5.0", "nobody-digs")
    assert table.refused(0, "dig", "0402") == ("5.0", "nobody-digs")
    table.do(0, "dig", "0102")
    assert table.state.redoubts == 1 << game().board.cell("0102")
    assert table.refused(0, "dig", "0102") == ("5.0", "no-redoubt-left")


@rule("crossroads", "6.0")
def test_the_village_is_worth_300_a_turn_and_gives_heart() -> None:
    table = Table("skirmish", fog=True)
    table.wager()
    table.walk(0, "first-amber", "0202")
    table.do(0, "rest")
    for side in (0, 0, 1, 1):
        table.do(side, "dusk")
    outcome = game().outcome(table.state)
    assert outcome is not None
    assert (outcome.winner, outcome.points) == (0, {"amber": 300, "cobalt": 0})
    assert table.state.nerve == 1


@rule("crossroads", "6.0")
def test_the_game_ends_when_a_side_loses_its_nerve() -> None:
    table = Table(fog=True)
    table.state.nerve = 5
    table.wager()
    table.walk(0, "first-amber", "0202")
    table.do(0, "rest")
    for side in (0, 0, 1, 1):
        table.do(side, "dusk")
    assert table.match.over
