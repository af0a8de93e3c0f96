"""Random positions against a second opinion: what the program offers is what the book allows (oracle.py).

Positions come from random play and from units strewn over a piece of the real map. GROGNARD_ORACLE=20 tries
twenty times as many.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from grognard.games.leningrad import Leningrad, load
from grognard.games.leningrad.state import LeningradState
from grognard.kernel import Action, ChanceDecision
from tests.games.leningrad import oracle
from tests.games.leningrad.battles import give
from tests.games.leningrad.oracle import COUNTERS, GERMANS, Position
from tests.games.leningrad.table import Table
from tests.rules import rule

TIMES = int(os.environ.get("GROGNARD_ORACLE", "1"))
RESULTS = ["1/-", "2/-", "-/1", "-/2", "1/1", "1/2", "2/1", "2/2"]
ALL_RESULTS = [*RESULTS, "2/-", "2/-", "-/2", "E/-", "-/E"]


@cache
def real_game() -> Leningrad:
    return load()


def at(game: Leningrad, state: LeningradState) -> Table:
    table = Table.__new__(Table)
    table.game, table.state = game, state
    return table


def look(table: Table) -> Position:
    """A position as the oracle sees it: what lies on the table and nothing else."""
    game, state = table.game, table.state
    number = game.board.number
    return Position(
        turn=state.turn,
        where={game.unit_id(u): number(cell) for u, cell in enumerate(state.where) if cell >= 0},
        reduced={game.unit_id(u) for u in range(state.germans) if state.steps[u] == 1},
        strengths={
            game.unit_id(u): (drawn.attack, drawn.defence, drawn.kind)
            for u, line in enumerate(state.rating)
            if line
            for drawn in [game.data.untried[line - 1]]
        },
        forts={number(cell) for cell in game.board.cells if state.forts >> cell & 1},
        interdicted=[number(cell) for cell in state.interdicted],
        surprise=state.surprise,
    )


# Positions


def strewn(random: Random, phase: str) -> Table:
    """Units of both sides strewn over a piece of the real map, with forts, interdiction and losses."""
    game = real_game()
    german = phase.startswith("german")
    turn = random.choice([1, 2, 5, 7]) if not german else random.choice([2, 5, 8])
    dry = [hex_ for hex_, ground in oracle.GROUND.items() if ground not in ("sea", "lake")]
    centre = random.choice(dry)
    near = [hex_ for hex_ in dry if oracle.distances(centre)[hex_] <= random.choice([2, 3, 4])] or [centre]
    camps = {True: random.sample(near, max(1, len(near) // 3))}
    camps[False] = [hex_ for hex_ in near if hex_ not in camps[True]] or [
        hex_ for hex_ in dry if hex_ not in camps[True]
    ]
    where: dict[str, str] = {}
    height: dict[str, int] = {}
    for unit in random.sample(sorted(COUNTERS), 26):
        hex_ = random.choice(camps[unit in GERMANS])
        if height.get(hex_, 0) < 3:
            where[unit] = hex_
            height[hex_] = height.get(hex_, 0) + 1
    for corps in oracle.CORPS.values():
        if random.random() < 0.5:
            where = {u: h for u, h in where.items() if u not in corps}
            home = next((h for h in camps[True] if h not in where.values()), None)
            where |= dict.fromkeys(corps, home) if home else {}
    pools = {
        pool: random.sample(counters, len(counters))
        for pool in ("armour", "infantry")
        for counters in [[s.id for s in game.data.untried if s.pool == pool for _ in range(s.number)]]
    }
    return Table(
        phase,
        where,
        game=game,
        turn=turn,
        reduced=[u for u in where if u in GERMANS and random.random() < 0.3],
        strengths={u: pools[COUNTERS[u]["kind"]].pop() for u in where if u not in GERMANS},
        forts=[h for h in near if h not in camps[True] and random.random() < 0.15],
        interdicted=random.choices(near, k=random.choice([0, 1, 2])) if not german else [],
        air=random.choice([0, 1, 2]),
    )


def played(random: Random, decision: str, wanted: int, share: float) -> Iterator[Table]:
    """Copies of a share of the positions of random games at which a decision is asked."""
    game = real_game()
    seen = 0
    while True:
        state = game.start("campaign")
        seed = str(random.random())
        while state.frames:
            asked = game.decision(state)
            assert asked is not None
            if isinstance(asked, ChanceDecision):
                game.settle(state, seed)
                continue
            chosen = asked.name == decision and random.random() < share
            if chosen and len(game.options(state)) > 1:
                yield at(game, state.clone())
                seen += 1
                if seen >= wanted:
                    return
            game.apply(state, random.choice(game.options(state)))


def words(table: Table, action: Action) -> list[str]:
    return [str(word) for word in table.game.encode(action)]


# 4.0, 6.0, 7.0, 17.2


def check_moves(table: Table, random: Random) -> int:
    """Pick up units, walk them about and set some down; at every step the two opinions agree."""
    seen = 0
    picks = sorted(table.offered("pick"))
    for unit in random.sample(picks, min(3, len(picks))):
        if unit not in table.offered("pick"):
            continue
        book = look(table)
        frozen = book.turn == 1 and unit not in GERMANS and book.where[unit] in ("0205", "2204")
        assert not frozen
        table.do(f"pick {unit}")
        hand = [unit]
        mates = sorted(table.offered("add"))
        for mate in random.sample(mates, random.randint(0, min(2, len(mates)))):
            table.do(f"add {mate}")
            hand.append(mate)
        for u in hand:
            book.points[u] = book.allowance(u)
        aside: list[str] = []
        while table.asked == "move-stack":
            if not hand:  # 4.5 those set down, and those whom an overrun has parted, go on
                assert table.offered("take") == set(aside)
                if not aside or ("halt" in table.options and random.random() < 0.2):
                    table.do("halt")
                    break
                hand = [aside.pop(random.randrange(len(aside)))]
                table.do(f"take {hand[0]}")
                together = [u for u in aside if book.where[u] == book.where[hand[0]]]
                assert table.offered("add") == set(together)
                for mate in random.sample(together, random.randint(0, len(together))):
                    table.do(f"add {mate}")
                    hand.append(mate)
                    aside.remove(mate)
            ways, prey = book.steps(hand), book.overruns(hand)
            assert table.offered("step") == set(ways), (hand, book)
            assert table.offered("overrun") == prey, (hand, book)
            assert [table.left(u) for u in hand] == [float(book.points[u]) for u in hand]
            seen += 1
            if len(hand) > 1 and random.random() < 0.2:
                dropped = random.choice(hand)
                table.do(f"drop {dropped}")
                hand.remove(dropped)
                if dropped in book.spent:
                    aside.append(dropped)
            elif prey and random.random() < 0.6:
                hand, parted = overrun(table, book, random, hand, random.choice(sorted(prey)))
                aside += parted
            elif not ways or random.random() < 0.1:
                if "halt" not in table.options:
                    return seen  # turn 1: a stack that cannot go on together
                table.do("halt")
                hand = []
                if not aside:
                    break
            else:
                there = random.choice(sorted(ways))
                table.do(f"step {there}")
                book.walk(hand, there, ways[there])
    return seen


def overrun(
    table: Table, book: Position, random: Random, hand: list[str], target: str
) -> tuple[list[str], list[str]]:
    """7.0 Overrun a hex with a random result. Who goes on at once, and who was parted from whom."""
    defenders = book.units_in(target)
    start = dict(book.where)
    table.do(f"overrun {target}")
    for unit in hand:
        book.points[unit] -= 3
    book.spent |= set(hand)
    air = 0
    if table.asked == "commit-air":
        air = random.randint(0, table.state.air_ready)
        table.do(f"commit {air}")
    while table.asked == "reveal":
        table.game.apply(table.state, random.choice(table.game.options(table.state)))
    book.strengths = look(table).strengths
    battle = table.battle()
    assert (battle.initial, battle.final) == book.column(hand, [target], defenders, True, air)
    give(table, random.choice([*RESULTS, "E/-", "E/-", "-/E"]))
    check_retreats(table, random, {start[hand[0]]}, {target}, set(defenders))
    held = [
        u
        for u, hex_ in look(table).where.items()
        if hex_ == target and (u in GERMANS) != (hand[0] in GERMANS)
    ]
    retreated = {u for u in hand if u in look(table).where and look(table).where[u] != start[u]}
    while table.asked == "advance":
        assert ("hold" in table.options) == any(
            look(table).where[u] != start[u] for u in hand if u in look(table).where
        )
        table.do(random.choice(sorted(table.options)))
    after = look(table)
    book.where, book.reduced, book.forts = after.where, after.reduced, after.forts
    able = [u for u in hand if u in after.where and u not in retreated]
    book.away |= {u for u in able if after.where[u] != start[u]}
    if not held:  # 4.7 who made an overrun that succeeded is free, unless he came into another zone
        enemy_zone = book.zone(hand[0] not in GERMANS)
        book.stopped -= set(able)
        book.stopped |= {u for u in able if u in book.away and after.where[u] in enemy_zone}
    if len({after.where[u] for u in able}) > 1:
        return [], able
    return able, []


@rule("leningrad", "4.1", "4.2", "4.3", "4.4", "4.6", "4.7", "4.9", "6.1", "6.2", "6.3", "6.4", "7.3", "11.1")
@pytest.mark.parametrize("phase", ["german-movement", "soviet-movement"])
def test_steps_and_overruns_of_strewn_units(phase: str) -> None:
    seen = 0
    for number in range(25 * TIMES):
        random = Random(f"strewn {phase} {number}")
        seen += check_moves(strewn(random, phase), random)
    assert seen > 100


@rule("leningrad", "4.1", "4.7", "6.2", "11.0", "13.4", "17.2")
def test_steps_and_overruns_of_random_games() -> None:
    random = Random("random games")
    seen = sum(check_moves(table, random) for table in played(random, "pick-unit", 30 * TIMES, 0.03))
    assert seen > 60


@rule("leningrad", "17.2", "17.1", "4.3")
def test_the_march_of_turn_1() -> None:
    seen = 0
    for number in range(8 * TIMES):
        random = Random(f"turn 1 {number}")
        table = strewn(random, "soviet-movement")
        table.state.turn = 1
        seen += check_moves(table, random)
    assert seen > 10


# 8.0, 9.0, 10.0


def check_battle(table: Table, random: Random, fates: list[str]) -> bool:
    """One attack put together at random: who may join, the column, and the retreats."""
    targets = sorted(table.offered("target"))
    if not targets:
        return False
    aimed = [random.choice(targets)]
    table.do(f"target {aimed[0]}")
    book = look(table)
    attacked = {table.game.unit_id(u) for u in range(len(table.state.where)) if table.state.attacked >> u & 1}
    more = sorted(table.offered("also"))
    if more and random.random() < 0.4 and book.turn != 1:
        aimed.append(random.choice(more))
        table.do(f"also {aimed[1]}")
    german = table.actor == "german"
    done = {table.game.unit_id(u) for u in range(len(table.state.where)) if table.state.fought >> u & 1}
    able = {
        u
        for u, hex_ in book.where.items()
        if (u in GERMANS) == german and u not in done and all(t in oracle.about(hex_) for t in aimed)
    }
    assert table.offered("join") == able
    attackers = random.sample(sorted(able), random.randint(1, len(able)))
    for unit in attackers:
        table.do(f"join {unit}")
    if "fight" not in table.options:
        return False  # 17.3
    there = [u for u, hex_ in book.where.items() if hex_ in aimed]
    defenders = [u for u in there if u not in attacked]
    table.do("fight")
    air = 0
    if table.asked == "commit-air":
        air = random.randint(0, table.state.air_ready)
        table.do(f"commit {air}")
    while table.asked == "reveal":
        table.game.apply(table.state, random.choice(table.game.options(table.state)))
    book.strengths = look(table).strengths
    battle = table.battle()
    assert (battle.initial, battle.final) == book.column(attackers, aimed, defenders, False, air), (
        attackers,
        aimed,
        book,
    )
    origins = {book.where[u] for u in attackers}
    fate = random.choice(fates)
    give(table, fate)
    fled, passed = check_retreats(table, random, origins, set(aimed), set(defenders))
    winners, ground = (defenders, origins) if fate.startswith("-/") else (attackers, set(aimed))
    check_advance(table, random, [u for u in winners if u not in fled], ground, passed)
    return True


def check_advance(
    table: Table, random: Random, winners: list[str], ground: set[str], passed: set[tuple[str, str]]
) -> None:
    """10.9 Into hexes set free, and on into hexes that a retreat led through."""
    advanced: set[str] = set()
    while True:
        book = look(table)
        open_ = set()
        for unit in winners:
            here = book.where.get(unit)
            if here is None:
                continue
            goals = (
                {c for o, c in passed if o == here} if unit in advanced else set(oracle.about(here)) & ground
            )
            if unit in advanced and here not in ground:
                goals = set()
            for goal in goals:
                there = book.units_in(goal)
                if len(there) < 3 and all((u in GERMANS) == (unit in GERMANS) for u in there):
                    open_.add(f"{unit} {goal}")
        assert table.asked == "advance" or not open_, (winners, ground, passed, book)
        if table.asked != "advance":
            return
        assert table.offered("advance") == open_, (winners, ground, passed, book)
        choice = random.choice(["hold", *(f"advance {o}" for o in sorted(open_))])
        table.do(choice)
        if choice == "hold":
            return
        advanced.add(choice.split()[1])


def check_retreats(
    table: Table, random: Random, origins: set[str], aimed: set[str], defenders: set[str]
) -> tuple[set[str], set[tuple[str, str]]]:
    """Lose or retreat at random until that is over: who retreated, and the hexes that retreats led through,
    each behind the hex it was entered from."""
    to_go: dict[str, int] = {}
    fled: set[str] = set()
    passed: set[tuple[str, str]] = set()
    hexes = 0
    while table.asked in ("lose-or-retreat", "fall-back"):
        book = look(table)
        if table.asked == "lose-or-retreat":
            hexes = table.state.local.owed
            units = [o.split()[1] for o in table.options if o.startswith("lose")]
            foes = origins if units[0] in defenders else aimed
            possible = any(book.refuges(u, foes, 1) for u in units)
            won = (
                table.battle().overrun
                and units[0] not in defenders
                and not any(book.units_in(t) for t in aimed)
            )
            assert ("retreat" in table.options) == (possible and not won), book  # 10.1, 7.6
            if "retreat" in table.options and random.random() < 0.8:
                table.do("retreat")
                to_go = dict.fromkeys(units, hexes)
            else:
                table.do(f"lose {random.choice(units)}")
            continue
        offered = table.offered("fall-back")
        moving = {o.split()[0] for o in offered}
        foes = origins if moving & defenders else aimed
        part_way = [u for u in to_go if to_go[u] < hexes and u in book.where and to_go[u]]
        going = part_way or [u for u in to_go if to_go[u] and u in book.where]
        assert offered == {f"{u} {c}" for u in going for c in book.refuges(u, foes, to_go[u])}, (book, to_go)
        choice = random.choice(sorted(offered))
        unit, there = choice.split()
        table.do(f"fall-back {choice}")
        to_go[unit] -= 1
        if to_go[unit]:
            passed.add((book.where[unit], there))
        else:
            fled.add(unit)
        # 10.7 nobody who had a way was lost; who is lost had none
        after = look(table)
        if unit not in after.where:
            ended = choice.split()[1]
            book.where[unit] = ended
            assert to_go[unit] and not book.refuges(unit, foes, to_go[unit])
    return fled, passed


@rule(
    "leningrad",
    "8.1",
    "8.5",
    "9.0",
    "9.2",
    "9.4",
    "9.6",
    "10.2",
    "10.7",
    "10.8",
    "11.2",
    "12.1",
    "12.2",
    "12.3",
)
@pytest.mark.parametrize("phase", ["german-combat", "soviet-combat"])
def test_columns_and_retreats_of_strewn_units(phase: str) -> None:
    seen = 0
    for number in range(45 * TIMES):
        random = Random(f"battles {phase} {number}")
        seen += check_battle(strewn(random, phase), random, ALL_RESULTS)
    assert seen > 25


@rule("leningrad", "8.2", "9.6", "10.7", "10.8", "13.1", "14.1")
def test_columns_and_retreats_of_random_games() -> None:
    random = Random("random battles")
    seen = sum(
        check_battle(table, random, ALL_RESULTS)
        for table in played(random, "choose-target", 15 * TIMES, 0.15)
    )
    assert seen > 8


# 5.0, 11.0


@rule("leningrad", "5.0", "11.0", "11.3", "11.5", "11.6", "13.3", "15.2")
@pytest.mark.parametrize("phase", ["german-movement", "soviet-movement"])
def test_zones_and_supply_everywhere(phase: str) -> None:
    for number in range(6 * TIMES):
        random = Random(f"supply {phase} {number}")
        table = strewn(random, phase)
        book, game = look(table), table.game
        land = [hex_ for hex_, ground in oracle.GROUND.items() if ground not in ("sea", "lake")]
        for side, german in enumerate((True, False)):
            shown = {game.board.number(c) for c in game.layer(table.state, "zones", side)}
            assert shown == book.zone(german)
            shown = {game.board.number(c) for c in game.layer(table.state, "supplied", side)}
            near = {there for hex_ in book.where.values() for there in oracle.about(hex_)}
            for hex_ in {*random.sample(land, 25), *random.sample(sorted(near), min(15, len(near)))}:
                assert (hex_ in shown) == book.supplied(german, hex_), (hex_, german, book)
