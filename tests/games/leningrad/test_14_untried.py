"""14.0 Untried Soviet units."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from grognard.games.leningrad import load
from grognard.games.leningrad.rules.untried import defence_spread, draws, expected_strength, known_armour
from grognard.kernel import ChanceDecision
from tests.games.leningrad.battles import announce, give
from tests.games.leningrad.table import Table
from tests.games.table_base import shown_units
from tests.rules import rule

FIELD = {"1-inf": "1512", "10-rd": "1511"}


def drawn(table: Table) -> dict[str, int]:
    """The lines of the pool that may be drawn now, by the counters of each."""
    decision = table.game.decision(table.state)
    assert isinstance(decision, ChanceDecision)
    lines = table.game.data.untried
    return {lines[a[2]].id: weight for a, weight in decision.weights(table.game, table.state) if weight}


def reveal(table: Table, unit: str, line: str) -> Table:
    number = [s.id for s in table.game.data.untried].index(line)
    return table.do(f"reveal {unit} {number}")


# 14.0


@rule("leningrad", "14.0")
def test_all_soviet_units_begin_the_game_untried() -> None:
    game = load()
    state = game.start("campaign")
    assert not any(state.rating)
    for side in (0, 1):
        units = shown_units(game, state, side).values()
        assert all("untried" in u["badges"] and "attack" not in u for u in units if u["side"] == "soviet")


@rule("leningrad", "14.0")
def test_there_is_one_strength_for_every_soviet_unit() -> None:
    game = load()
    units = Counter(u.kind for u in game.units if not u.german)
    pool: Counter[str] = Counter()
    for line in game.data.untried:
        pool[line.pool] += line.number
    assert units == pool


@rule("leningrad", "14.0")
def test_ruling_a_strength_is_drawn_from_what_is_left_of_the_pool_when_a_unit_is_revealed() -> None:
    table = Table("german-combat", {**FIELD, "90-rd": "1511"})
    announce(table, "1511", "1-inf")
    before = drawn(table)
    assert before["inf-4-4"] == 2
    reveal(table, "10-rd", "inf-4-4")
    after = drawn(table)
    assert after == {**before, "inf-4-4": 1}
    reveal(table, "90-rd", "inf-4-4")
    assert table.state.pool[[s.id for s in table.game.data.untried].index("inf-4-4")] == 0


@rule("leningrad", "14.0")
def test_a_line_that_is_used_up_is_not_drawn() -> None:
    units = {**FIELD, "90-rd": "1001", "125-rd": "1001"}
    table = Table("german-combat", units, strengths={"90-rd": "inf-4-4", "125-rd": "inf-4-4"})
    assert "inf-4-4" not in drawn(announce(table, "1511", "1-inf"))


# 14.1


@rule("leningrad", "14.1")
@pytest.mark.parametrize(
    ("phase", "before", "final"),
    [
        ("german-combat", ["target 1511", "join 1-inf"], "fight"),
        ("soviet-combat", ["target 1512", "join 10-rd"], "fight"),
        ("german-movement", ["pick 1-inf"], "overrun 1511"),
        ("soviet-movement", ["pick 10-rd"], "overrun 1512"),
    ],
)
def test_a_unit_is_revealed_when_an_attack_or_an_overrun_is_announced_and_not_before(
    phase: str, before: list[str], final: str
) -> None:
    table = Table(phase, FIELD).do(*before)
    assert table.state.rating[table.game.unit_index("10-rd")] == 0
    table.do(final)
    assert (table.asked, table.actor) == ("reveal", "chance")
    reveal(table, "10-rd", "inf-3-4")
    unit = shown_units(table.game, table.state, 0)["10-rd"]
    assert (unit["attack"], unit["defence"]) == (3, 4)


@rule("leningrad", "14.1")
@pytest.mark.parametrize("action", ["end", "join 11-inf", "also 1611", "target 1511"])
def test_a_battle_is_not_called_off_or_changed_once_units_are_revealed(action: str) -> None:
    table = Table("german-combat", {**FIELD, "11-inf": "1512", "90-rd": "1611"})
    announce(table, "1511", "1-inf")
    reveal(table, "10-rd", "inf-4-5")
    assert table.asked == "roll-die"
    assert table.refused(action)[0] == "not-now"


@rule("leningrad", "14.1")
def test_all_untried_units_of_the_battle_are_revealed_and_no_others() -> None:
    units = {**FIELD, "90-rd": "1511", "125-rd": "1510"}
    table = announce(Table("german-combat", units), "1511", "1-inf")
    reveal(table, "10-rd", "inf-2-3")
    assert table.asked == "reveal"
    reveal(table, "90-rd", "inf-2-3")
    assert table.asked == "roll-die"
    assert table.state.rating[table.game.unit_index("125-rd")] == 0


@rule("leningrad", "14.1")
def test_soviet_units_that_stay_out_of_an_attack_are_not_revealed() -> None:
    table = announce(Table("soviet-combat", {**FIELD, "90-rd": "1511"}), "1512", "10-rd")
    reveal(table, "10-rd", "inf-2-3")
    assert table.asked == "roll-die"
    assert table.state.rating[table.game.unit_index("90-rd")] == 0


@rule("leningrad", "14.1")
def test_a_revealed_unit_keeps_its_strength() -> None:
    table = announce(Table("german-combat", {**FIELD, "11-inf": "1411"}), "1511", "1-inf")
    reveal(table, "10-rd", "inf-4-5")
    give(table, "-/1").do("lose 1-inf", "end", "end")
    announce(table, "1512", "10-rd")
    assert table.asked == "roll-die"
    assert table.odds().attack == 4


# 14.2


@rule("leningrad", "14.2")
def test_infantry_and_armour_draw_from_different_pools() -> None:
    def pools(unit: str, **more: Any) -> set[str]:
        table = Table("german-combat", {"1-inf": "1512", unit: "1511"}, **more)
        return {line.split("-")[0] for line in drawn(announce(table, "1511", "1-inf"))}

    assert pools("10-rd") == {"inf"}
    assert pools("28-td") == {"arm", "mech"}
    assert pools("163-md") == {"arm", "mech"}


@rule("leningrad", "14.2", "12.2")
def test_ruling_an_unit_of_the_armour_pool_is_armoured_or_mechanised_only_once_revealed() -> None:
    for line, shifts in (("arm-3-2", {"defender-armour": -1}), ("mech-4-3", {})):
        table = announce(Table("german-combat", {"1-inf": "1512", "28-td": "1511"}), "1511", "1-inf")
        assert reveal(table, "28-td", line).shifts() == shifts


@rule("leningrad", "14.2")
def test_what_may_be_drawn_is_known_to_both_and_what_will_be_drawn_to_nobody() -> None:
    table = Table("german-combat", FIELD)
    views = [shown_units(table.game, table.state, side) for side in (0, 1)]
    assert views[0] == views[1]


@rule("leningrad", "14.2")
@pytest.mark.parametrize("attacking", [True, False])
@pytest.mark.parametrize(
    ("kind", "names"), [("infantry", ("10-rd", "90-rd", "125-rd")), ("armour", ("2-td", "5-td", "28-td"))]
)
def test_what_untried_units_may_turn_out_to_be_is_counted_draw_by_draw(
    kind: str, names: tuple[str, ...], attacking: bool
) -> None:
    table = Table("soviet-combat", dict.fromkeys(names[:2], "1507") | {names[2]: "1508"})
    game, state = table.game, table.state
    lines = [n for n, line in enumerate(game.data.untried) if line.pool == kind]
    for n in range(len(state.pool)):
        state.pool[n] = (lines.index(n) + 1) % 3 if n in lines else 0
    pool = [game.data.untried[n] for n in lines for _ in range(state.pool[n])]
    for count in (1, 2, 3):
        units = [game.unit_index(id_) for id_ in names[:count]]
        hands = list(combinations(pool, count))
        seen = Counter(
            (sum(s.attack if attacking else s.defence for s in hand), any(s.kind == "armour" for s in hand))
            for hand in hands
        )
        found = draws(game, state, units, attacking)
        assert set(found) == set(seen)
        for what, chance in found.items():
            assert chance == pytest.approx(seen[what] / len(hands))


@rule("leningrad", "14.0", "14.2")
def test_an_untried_unit_is_reckoned_at_the_mean_of_its_pool_and_a_tried_one_at_its_strength() -> None:
    units = {"10-rd": "1511", "90-rd": "1511", "2-td": "1508", "28-td": "1508", "1-inf": "1512"}
    tried = {"90-rd": "inf-2-3", "28-td": "arm-5-3"}
    table = Table("soviet-combat", units, strengths=tried)

    def reckoned(unit: str) -> tuple[float, float]:
        index = table.game.unit_index(unit)
        attack, defence = (expected_strength(table.game, table.state, index, a) for a in (True, False))
        return attack, defence

    def mean(pool: str) -> tuple[float, float]:
        drawn = [line for line in table.game.data.untried if line.pool == pool for _ in range(line.number)]
        return sum(s.attack for s in drawn) / len(drawn), sum(s.defence for s in drawn) / len(drawn)

    assert reckoned("90-rd") == (2, 3)
    assert reckoned("28-td") == (5, 3)
    assert reckoned("10-rd") == mean("infantry")
    assert reckoned("2-td") == mean("armour")
    assert reckoned("1-inf") == (4, 4)


@rule("leningrad", "12.2", "14.2")
def test_armour_is_known_of_revealed_tanks_and_of_nobody_else() -> None:
    units = {"2-td": "1508", "28-td": "1508", "5-td": "1508", "10-rd": "1511", "1-pz": "1512"}
    table = Table("soviet-combat", units, strengths={"28-td": "arm-5-3", "5-td": "mech-4-3"})
    known = [id_ for id_ in units if known_armour(table.game, table.state, table.game.unit_index(id_))]
    assert known == ["28-td", "1-pz"]


@rule("leningrad", "14.2", "12.2")
def test_a_defence_is_that_of_revealed_units_with_whatever_the_others_may_be() -> None:
    units = {"10-rd": "1511", "90-rd": "1511", "28-td": "1511", "2-td": "1508"}
    table = Table("german-combat", units, strengths={"10-rd": "inf-2-3", "28-td": "arm-3-2"})
    game, state = table.game, table.state
    lines = [line.id for line in game.data.untried]
    for n, line in enumerate(lines):
        state.pool[n] = {"inf-1-1": 1, "inf-4-5": 3, "mech-4-3": 1, "arm-2-1": 1}.get(line, 0)

    def spread(*ids: str) -> list[tuple[int, bool, float]]:
        return defence_spread(game, state, [game.unit_index(id_) for id_ in ids])

    assert spread("10-rd") == [(3, False, 1)]
    assert spread("10-rd", "28-td") == [(5, True, 1)]
    assert spread("90-rd", "10-rd") == [(4, False, 0.25), (8, False, 0.75)]
    assert spread("90-rd", "28-td") == [(3, True, 0.25), (7, True, 0.75)]
    assert spread("2-td", "10-rd") == [(4, True, 0.5), (6, False, 0.5)]
    both_pools = [(2, True, 0.125), (4, False, 0.125), (6, True, 0.375), (8, False, 0.375)]
    assert spread("2-td", "90-rd") == both_pools
