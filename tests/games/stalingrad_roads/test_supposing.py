"""What if: attacks that nobody can make yet, by either side, in any phase."""

from __future__ import annotations

from grognard.games.stalingrad_roads.rules.reach import whole_moves, within_reach
from grognard.games.stalingrad_roads.view import layer
from grognard.kernel import Refusal
from grognard.kernel.advice import Forecast
from grognard.mechanics.supposing import Supposes
from tests.games.stalingrad_roads.table import AXIS, SOVIET, Table, real_game
from tests.rules import rule

UNITS = {
    "hq-don": "1831",
    "hq-hollidt": "1125",
    "g-44": "1529",
    "s-1-tk": "1629",
    "s-26-tk": "1730",
    "s-13g": "1730",
    "s-95": "1934",
}


def told(table: Table, target: str, *units: str) -> Forecast | Refusal:
    adviser = table.game.adviser
    assert isinstance(adviser, Supposes)
    return adviser.what_if(table.state, table.cell(target), [table.unit(unit) for unit in units], {})


def coming(table: Table, target: str) -> dict[str, str]:
    adviser = table.game.adviser
    assert isinstance(adviser, Supposes)
    found = adviser.approaches(table.state, table.cell(target))
    number = table.game.board.number
    return {table.game.units[unit].id: number(cell) for unit, cell in found.items()}


@rule("stalingrad_roads", "8.1.1", "8.5")
def test_who_could_come_and_what_it_would_promise() -> None:
    # In the movement of the Axis nobody attacks; the Soviets may be thought to.
    table = Table("axis-movement", UNITS)
    before = table.state.fingerprint()
    near = coming(table, "1529")
    assert near["s-1-tk"] == "1629"
    assert "s-26-tk" in near and "s-95" not in near and "hq-don" not in near
    alone, both = told(table, "1529", "s-1-tk"), told(table, "1529", "s-1-tk", "s-26-tk")
    assert isinstance(alone, Forecast) and isinstance(both, Forecast)
    assert both.attack[0][0] > alone.attack[0][0]
    assert abs(sum(chance for _, chance in both.results) - 1) < 1e-9
    far = told(table, "1529", "s-95")
    assert isinstance(far, Refusal) and (far.code, far.case) == ("not-next-to-target", "8.1.1")
    nobody = told(table, "1529")
    assert isinstance(nobody, Refusal) and nobody.case == "8.3.1"
    # The other way round, and against nobody.
    assert coming(table, "1629") == {"g-44": "1529"}
    assert coming(table, "1301") == {}
    assert table.state.fingerprint() == before


@rule("stalingrad_roads", "8.1.12", "1.11")
def test_neither_allies_nor_a_full_hex_are_mixed() -> None:
    units = {"hq-8ita": "1822", "hq-3rum": "1722", "s-45": "1726", "r-9": "1725", "i-2sf": "1825"}
    table = Table("soviet-movement", units)
    assert {"r-9", "i-2sf"} <= coming(table, "1726").keys()
    mixed = told(table, "1726", "r-9", "i-2sf")
    assert isinstance(mixed, Refusal) and (mixed.code, mixed.case) == ("allies-apart", "8.1.12")
    crowd = dict.fromkeys(("g-44", "g-71", "g-79", "g-94", "g-100", "g-113", "g-76"), "1427")
    full = Table("soviet-movement", crowd | {"hq-hollidt": "1125", "s-45": "1628"})
    places = list(coming(full, "1628").values())
    assert places and max(map(places.count, places)) <= 3


@rule("stalingrad_roads", "1.3.1", "4.4.2", "8.5")
def test_strengths_as_printed_and_as_they_count() -> None:
    table = Table("axis-movement", UNITS, reduced=["g-44"], unsupplied=["g-44"])
    adviser = table.game.adviser
    assert isinstance(adviser, Supposes)
    attack, defence = adviser.strengths(table.state, table.unit("g-44"))
    counter = table.game.units[table.unit("g-44")]
    assert (attack.printed, defence.printed) == (counter.attack, counter.defence)
    assert attack.counted == -(-counter.reduced_attack // 2)
    assert defence.counted == -(-counter.reduced_defence // 2)
    assert {code for code, _ in attack.reasons} == {"reduced", "halved-unsupplied"}
    plain, _ = adviser.strengths(table.state, table.unit("s-1-tk"))
    assert plain.printed == plain.counted and not plain.reasons
    gone, _ = adviser.strengths(table.state, table.unit("g-71"))
    assert gone.printed is not None


def test_whole_moves_are_moves_and_fill_the_layers() -> None:
    game = real_game()
    state = game.start("uranus")
    game.settle(state, "supposing")
    moves = whole_moves(game, state, SOVIET)
    state.active = SOVIET
    for unit in list(moves)[::12]:
        assert not within_reach(game, state, unit) & ~(moves[unit] | game.data.on_way)
    for side in (AXIS, SOVIET):
        reach = set(layer(game, state, "can-reach", side))
        prey = layer(game, state, "can-attack", side)
        assert prey and all(state.occupied[1 - side] >> cell & 1 for cell in prey)
        assert not reach & set(prey)
