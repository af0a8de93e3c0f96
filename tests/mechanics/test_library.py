"""The small parts that several rulebooks share: lines, draws, arrivals, attacks, odds told, dice thrown."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from grognard.board.board import bits, each, union
from grognard.files import DataError, Folder, Row
from grognard.kernel import AGAIN, RETURN, Action, Flow, Refusal, Role, State, Verb
from grognard.mechanics import control
from grognard.mechanics.arrivals import waiting
from grognard.mechanics.attacks import GatherAttackers, NameTarget, attacks, free_units, next_to_all
from grognard.mechanics.choices import Choose, OwnersChoice
from grognard.mechanics.control import ZonedPieces
from grognard.mechanics.counters import land_hex
from grognard.mechanics.cups import counted_draws, even_draws, sample
from grognard.mechanics.dice import D6, TWO_D6, Throw
from grognard.mechanics.movement import connected, line_to, once_for_alike, outward, rings
from grognard.mechanics.odds import CombatTable, Odds, Shift
from grognard.mechanics.pieces import DEAD, TO_COME
from grognard.mechanics.supply import half_allowance, lifelines, may_sever, open_ground, remembered
from grognard.mechanics.tabletop import by_name
from grognard.mechanics.zones import open_sides, zone
from tests.mechanics.boards import small_board


def test_a_line_passes_an_enemy_zone_only_where_a_friend_stands() -> None:
    ground, enemies, zone, friends = bits(range(6)), bits([0]), bits([0, 1, 2]), bits([2, 3])
    assert open_ground(ground, enemies, zone, friends) == bits([2, 3, 4, 5])


def test_a_friend_opens_no_hex_with_an_enemy_in_it_and_none_off_the_ground() -> None:
    assert open_ground(bits([1]), bits([1]), bits([1]), bits([1, 2])) == 0


def test_lines_are_traced_again_when_what_they_depend_on_changes() -> None:
    cache: list[tuple[Any, int] | None] = [None, None]
    traced = []

    def trace() -> int:
        traced.append(1)
        return len(traced)

    assert [remembered(cache, 0, key, trace) for key in ("a", "a", "b", "a")] == [1, 1, 2, 3]
    assert remembered(cache, 1, "a", trace) == 4, "each side has lines of its own"


@pytest.mark.parametrize(
    ("points", "parts", "half"), [(8, 2, 4), (10, 2, 4), (6, 2, 2), (7, 1, 3), (2, 2, 0)]
)
def test_half_of_a_movement_allowance_has_no_fractions(points: int, parts: int, half: int) -> None:
    assert half_allowance(points, parts) == half


def test_what_is_sure_not_to_fall_apart_does_not() -> None:
    """Regions with holes lose a hex and what is next to it: where the quick look says no, all the rest is
    still joined; where a part is cut off, it has said maybe."""
    random, sure, apart = Random("severed"), 0, 0
    board = small_board(12, 12)
    links = open_sides(board, "sea")
    cells = sorted(board.info)
    for _ in range(300):
        ground = bits(c for c in cells if random.random() < 0.7)
        source = 1 << random.choice(cells)
        region = connected(board, links, source, ground | source)
        middle = 1 << random.choice(cells)
        gone = (middle | board.spread(middle) & bits(random.sample(cells, 60))) & region & ~source
        whole = connected(board, links, source, region & ~gone) == region & ~gone
        maybe = may_sever(board, links, region, gone)
        assert maybe or whole
        sure += not maybe and bool(gone)
        apart += not whole
    assert sure > 60
    assert apart > 20


def test_nobody_is_cut_off_while_the_lifelines_stay_open() -> None:
    """One line to each end, as short as any; without the rest of the region all of them are still joined, and
    without one of their hexes somebody may not be."""
    random, apart = Random("lifelines"), 0
    board = small_board(12, 12)
    links = open_sides(board, "sea")
    cells = sorted(board.info)
    for _ in range(200):
        ground = bits(c for c in cells if random.random() < 0.7)
        sources = bits(random.sample(cells, 2))
        region = connected(board, links, sources, ground | sources)
        ends = bits(random.sample(cells, 4)) & region
        lines = lifelines(board, links, sources, region, ends)
        assert lines & ~region == 0
        assert connected(board, links, sources, lines) == lines
        longest = [n for n, ring in enumerate(rings(board, links, sources, region)) if ring & ends]
        within = [n for n, ring in enumerate(rings(board, links, sources, lines)) if ring & ends]
        assert longest == within
        assert ends & ~lines == 0
        for cell in each(lines & ~sources):
            apart += bool(ends & ~connected(board, links, sources, region & ~(1 << cell)))
    assert apart > 100


def test_there_are_no_lifelines_from_sources_that_are_shut() -> None:
    board = small_board(12, 12)
    assert lifelines(board, open_sides(board, "sea"), 1 << min(board.info), 0, 0) == 0


def test_draws_are_in_order_with_their_weights() -> None:
    assert even_draws("draw", bits([5, 2])) == [(("draw", 2), 1), (("draw", 5), 1)]
    assert counted_draws([3, 0, 1], (2, 0), "reveal", 7) == [(("reveal", 7, 2), 1), (("reveal", 7, 0), 3)]


def test_every_choice_of_a_sample_is_as_likely_as_the_others() -> None:
    random = Random("sample")
    counted = Counter(frozenset(sample([1, 2, 3, 4], 2, random)) for _ in range(6000))
    assert len(counted) == 6
    assert max(counted.values()) < 1.2 * min(counted.values())
    items = [4, 5]
    assert sorted(sample(items, 2, random)) == [4, 5]
    assert items == [4, 5], "what one samples from stays as it is"


def test_who_may_be_held_back_arrives_on_a_later_turn_too() -> None:
    where, turns = [TO_COME, TO_COME, TO_COME, 3, DEAD], [1, 2, 3, 2, 2]
    assert waiting(range(5), where, turns, 2, held_back=True) == [0, 1]
    assert waiting(range(5), where, turns, 2, held_back=False) == [1]


def test_who_joins_an_attack_is_next_to_all_its_targets_and_free() -> None:
    contact = {10: bits([1, 2, 3]), 11: bits([2, 3, 4])}
    near = next_to_all(contact, (10, 11))
    assert near == bits([2, 3])
    assert next_to_all(contact, (10,)) == bits([1, 2, 3])
    at = {2: bits([7, 5]), 3: bits([6])}
    assert free_units(at, near, bits([5, 6])) == [5, 6]
    assert free_units(at, near, ~bits([5])) == [7, 6]


class Plan(NamedTuple):
    targets: tuple[int, ...]
    attackers: tuple[int, ...] = ()


class Aim(NameTarget[Any, State]):
    """Hexes 1 to 4 are worth asking about, the odd ones may be attacked; the end only after hex 3."""

    name, case = "aim", "8"
    verbs = {"at": Verb(("hex",), Role.AIM), "enough": Verb((), Role.END)}

    def exposed(self, game: Any, state: State, side: int) -> int:
        return bits([1, 2, 3, 4])

    def why_not_target(self, game: Any, state: State, side: int, cell: int) -> Refusal | None:
        return None if cell % 2 else Refusal("even", "8.1", {})

    def why_not_end(self, game: Any, state: State, side: int) -> Refusal | None:
        return None if state.local == Plan((3,)) else Refusal("more", "8.2", {})

    def attack_on(self, cell: int) -> Plan:
        return Plan((cell,))


class Gather(GatherAttackers[Any, State]):
    """Two may join, two hexes at most, and nobody fights alone."""

    name, case = "gather", "9"
    verbs = {
        "with": Verb(("unit",), Role.JOIN),
        "and": Verb(("hex",), Role.WIDEN),
        "go": Verb((), Role.COMMIT),
    }

    def joiners(self, game: Any, state: State) -> list[int]:
        return [unit for unit in (7, 8) if unit not in state.local.attackers]

    def why_not_join(self, game: Any, state: State, unit: int) -> Refusal | None:
        return None if unit in self.joiners(game, state) else Refusal("joined", "9.1", {})

    def wider(self, game: Any, state: State) -> list[int]:
        return [cell for cell in (2, 3) if self.why_not_widen(game, state, cell) is None]

    def why_not_widen(self, game: Any, state: State, cell: int) -> Refusal | None:
        full = len(state.local.targets) > 1 or cell in state.local.targets
        return Refusal("wide", "9.2", {}) if full else None

    def why_not_fight(self, game: Any, state: State) -> Refusal | None:
        return None if len(state.local.attackers) > 1 else Refusal("alone", "9.3", {})


def deciding(local: Any) -> State:
    state = State()
    state.push("combat", local)
    return state


def test_targets_are_named_by_the_roles_of_a_game_s_own_verbs() -> None:
    aim, state = Aim(), deciding(None)
    assert aim.options(None, state, 0) == [("at", 1), ("at", 3)]
    assert aim.refuse(None, state, 0, ("at", 2)) == Refusal("even", "8.1", {})
    assert aim.refuse(None, state, 0, ("enough",)) == Refusal("more", "8.2", {})
    assert aim.apply(None, state, 0, ("at", 3)) is None
    assert state.local == Plan((3,))
    assert aim.options(None, state, 0) == [("at", 1), ("at", 3), ("enough",)]
    assert aim.apply(None, state, 0, ("enough",)) == RETURN


def test_an_attack_is_gathered_widened_and_made() -> None:
    gather, state = Gather(), deciding(Plan((2,)))
    assert gather.options(None, state, 0) == [("with", 7), ("with", 8), ("and", 3)]
    assert gather.refuse(None, state, 0, ("go",)) == Refusal("alone", "9.3", {})
    assert gather.refuse(None, state, 0, ("and", 2)) == Refusal("wide", "9.2", {})
    for answer in (("with", 8), ("and", 3), ("with", 7)):
        assert gather.refuse(None, state, 0, answer) is None
        assert gather.apply(None, state, 0, answer) == AGAIN
    assert state.local == Plan((2, 3), (8, 7))
    assert gather.refuse(None, state, 0, ("with", 7)) == Refusal("joined", "9.1", {})
    assert gather.options(None, state, 0) == [("go",)]
    assert gather.apply(None, state, 0, ("go",)) is None


def test_odds_are_told_with_every_shift_and_the_column_that_is_read() -> None:
    odds = Odds(12, 3, 3, (Shift(2, "9.4", "air"), Shift(-1, "9.3", "river")), 4)
    told = odds.facts()
    assert told["shifts"] == (("air", 2, "9.4"), ("river", -1, "9.3"))
    assert (told["attack"], told["defence"], told["odds_initial"], told["odds_final"]) == (12, 3, 3, 4)
    assert odds.facts(2)["odds_final"] == 2


def test_a_throw_has_every_face_of_its_dice() -> None:
    class Weather(Throw[Any, State]):
        name, case, verbs, dice = "weather", "3.1", {"weather": Verb(("number", "number"))}, TWO_D6

        def apply(self, game: Any, state: State, side: int, action: Action) -> Flow:
            return None

    outcomes = Weather().weights(None, State())
    assert len(outcomes) == 36
    assert outcomes[0] == (("weather", 1, 1), 1)
    assert sum(weight for action, weight in outcomes if action[1] + action[2] == 7) == 6


def test_a_throw_without_a_verb_of_its_own_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="unpack"):

        class Bad(Throw[Any, State]):
            name, case, verbs = "bad", "1", {"a": Verb(()), "b": Verb(())}


def test_a_counter_stands_on_land() -> None:
    board = small_board(3, 3)
    cell = board.cells[0]
    number, terrain = board.number(cell), board.info[cell].terrain
    row = Row("units.csv", 3, {})
    assert land_hex(board, row, number, ("sea",)) == cell
    with pytest.raises(DataError, match=r"units\.csv:3: .*is water"):
        land_hex(board, row, number, (terrain,))
    with pytest.raises(DataError, match=r"units\.csv:3"):
        land_hex(board, row, "9999", ("sea",))


class Give(Choose[Any, State]):
    """Unit 7 may be given up, 8 must not; nobody need be while nothing has happened."""

    name, case = "give", "9"
    verbs = {"give": Verb(("unit",)), "keep": Verb((), Role.PASS)}
    asked = 1

    def able(self, game: Any, state: State) -> list[int]:
        return [7] if state.local != 7 else []

    def why_not(self, game: Any, state: State, unit: int) -> Refusal:
        return Refusal("other", "9.4", {"unit": unit})

    def why_not_decline(self, game: Any, state: State) -> Refusal | None:
        return None if state.local is None else Refusal("must", "9.5", {})

    def take(self, game: Any, state: State, unit: int) -> Flow:
        state.local = unit
        return AGAIN


class Settle(Choose[Any, State]):
    """Units with their hexes, which cannot be declined."""

    name, case = "settle", "9"
    verbs = {"settle": Verb(("unit", "hex"), Role.PLACE)}

    def able(self, game: Any, state: State) -> list[tuple[int, int]]:
        return [(7, 1), (7, 2)]

    def why_not(self, game: Any, state: State, thing: tuple[int, int]) -> Refusal:
        return Refusal("not-there", "9.6", {"unit": thing[0], "hex": thing[1]})

    def take(self, game: Any, state: State, thing: tuple[int, int]) -> Flow:
        state.local = thing
        return None


def test_one_thing_is_named_or_the_question_is_declined() -> None:
    give, state = Give(), deciding(None)
    assert give.pending(None, state)
    assert give.options(None, state, 0) == [("give", 7), ("keep",)]
    assert give.refuse(None, state, 0, ("give", 7)) is None
    assert give.refuse(None, state, 0, ("give", 8)) == Refusal("other", "9.4", {"unit": 8})
    assert give.refuse(None, state, 0, ("keep",)) is None
    assert give.apply(None, state, 0, ("keep",)) is None
    assert give.options(None, state, 0) == [("give", 7), ("keep",)]
    assert give.apply(None, state, 0, ("give", 7)) == AGAIN
    assert state.local == 7
    assert not give.pending(None, state)
    assert give.refuse(None, state, 0, ("keep",)) == Refusal("must", "9.5", {})
    assert give.options(None, state, 0) == []


class Sure(Give):
    """Asked only where there is something to give: nobody looks before the question is put."""

    always = True

    def able(self, game: Any, state: State) -> list[int]:
        raise AssertionError


def test_what_is_certain_to_have_an_answer_is_not_looked_for() -> None:
    assert Sure().pending(None, deciding(None))


class Debt(NamedTuple):
    units: tuple[int, ...]


class Sides:
    def side(self, unit: int) -> int:
        return unit // 10


class Pay(OwnersChoice[Any, State]):
    name, case = "pay", "9"
    verbs = {"pay": Verb(("unit",))}


def test_the_owner_of_the_units_in_question_is_asked() -> None:
    assert Pay().actor(Sides(), deciding(Debt((12, 3)))) == 1
    assert Pay().actor(Sides(), deciding(Debt((3, 12)))) == 0


def test_a_thing_of_several_parts_is_named_whole() -> None:
    settle, state = Settle(), deciding(None)
    assert settle.options(None, state, 0) == [("settle", 7, 1), ("settle", 7, 2)]
    assert settle.refuse(None, state, 0, ("settle", 7, 2)) is None
    assert settle.refuse(None, state, 0, ("settle", 7, 3)) == Refusal(
        "not-there", "9.6", {"unit": 7, "hex": 3}
    )
    assert settle.apply(None, state, 0, ("settle", 7, 2)) is None
    assert state.local == (7, 2)


def test_the_side_whose_turn_it_is_is_asked_unless_it_is_always_the_same() -> None:
    class Turn(State):
        active = 0

    assert Settle().actor(None, Turn()) == 0
    assert Give().actor(None, Turn()) == 1


class Clash(NamedTuple):
    final: int
    result: str = ""


def test_a_battle_is_read_off_its_column_and_every_result_has_its_chance(tmp_path: Path) -> None:
    (tmp_path / "crt.csv").write_text(
        "die,1-1,2-1,provenance,source\n"
        + "".join(f"{die},{'A' if die < 3 else 'D'},D,rulebook,9\n" for die in range(1, 7)),
        encoding="utf-8",
    )
    table = CombatTable(Folder(tmp_path), "crt.csv", D6, frozenset("AD"))
    assert table.chances(0) == pytest.approx({"A": 2 / 6, "D": 4 / 6})
    assert table.chances(5) == pytest.approx({"D": 1.0})
    state = deciding(Clash(7))
    assert table.decide(state, 2) == {"die": 2, "result": "D", "odds": 1}
    assert state.local == Clash(7, "D")


class Ground:
    """A small board all of whose sides are open to zones."""

    def __init__(self) -> None:
        self.board = small_board(4, 4)
        self.zone_sides = open_sides(self.board, "sea")
        self.contact = {cell: bits(self.board.adjacent[cell]) for cell in self.board.cells}


def test_a_zone_is_worked_out_when_it_is_not_remembered() -> None:
    game, state = Ground(), ZonedPieces((1, 1))
    here, there = game.board.cells[5], game.board.cells[15]
    state.place(0, here)
    found = zone(game.board, game.zone_sides, 1 << here)
    assert control.zone(game, state, 0) == found == state.zone_cache[0]
    assert control.zone(game, state, 1) == 0
    assert control.in_enemy_zone(game, state, 1, game.board.adjacent[here][0])
    assert not control.in_enemy_zone(game, state, 1, here)
    state.zone_cache[0] = 1 << there  # nobody works it out again before the side has moved
    assert control.zone(game, state, 0) == 1 << there
    assert state.clone().zone_cache == state.zone_cache
    assert state.clone().zone_cache is not state.zone_cache


def test_neighbours_are_in_contact() -> None:
    game = Ground()
    here = game.board.cells[5]
    assert control.in_contact(game, here, game.board.adjacent[here][0])
    assert not control.in_contact(game, here, here)


def test_a_line_is_a_shortest_one_over_linked_sides() -> None:
    board = small_board(5, 5)
    links = open_sides(board, "sea")
    start, goal = board.cells[0], board.cells[-1]
    line = line_to(board, links, start, 1 << goal, board.everywhere)
    assert line is not None
    assert len(line) == board.distance(start, goal)
    assert line[-1] == goal
    assert all(b in board.adjacent[a] for a, b in pairwise((start, *line)))
    barred = board.everywhere & ~bits(board.adjacent[start])
    assert line_to(board, links, start, 1 << goal, barred) is None
    assert line_to(board, [0] * 6, start, 1 << goal, board.everywhere) is None
    assert line_to(board, links, start, 1 << start, 0) == ()


def test_those_who_are_alike_are_asked_once() -> None:
    asked: list[int] = []

    def far(unit: int) -> int:
        asked.append(unit)
        return unit * 10

    assert once_for_alike([4, 1, 6, 3], lambda unit: unit % 2, far) == {4: 40, 1: 10, 6: 40, 3: 10}
    assert asked == [4, 1]


def test_rings_lie_ever_farther_around_a_set_and_hold_the_whole_board() -> None:
    board = small_board(6, 6)
    start = board.cells[0]
    rings_around = list(outward(board, 1 << start))
    assert all(
        {board.distance(start, cell) for cell in each(ring)} == {away}
        for away, ring in enumerate(rings_around, 1)
    )
    assert union(rings_around) == board.everywhere & ~(1 << start)


def test_a_union_has_everything_of_its_sets() -> None:
    assert union([bits([1]), bits([1, 3]), 0]) == bits([1, 3])
    assert union([]) == 0


def test_attacks_follow_one_another_until_no_target_is_named() -> None:
    def announce(game: Any, state: Any) -> Flow:
        return None

    cases = ("8", "8.1", "9.1", "9.2")
    made = attacks(lambda game, state: None, Aim(), Gather(), announce, Plan, cases, gathering="build")
    assert (made.name, made.case, made.values) == ("combat", "8", (Plan,))
    labels = [(label, found.case, found.following) for label, found in made.steps.items()]
    assert labels == [
        ("begin", "8.1", "target"),
        ("target", "8", "build"),
        ("build", "9", "battle"),
        ("battle", "9.1", "again"),
        ("again", "9.2", RETURN),
    ]
    assert made.steps["battle"].calls == "battle"
    acts = {label: found.act for label, found in made.steps.items()}
    assert acts["battle"] == announce
    assert acts["again"] is not None
    assert acts["again"](None, State()) == "target"
    assert by_name(made) == {"combat": made}
