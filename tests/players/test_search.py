"""How a commander searches and carries out what it found, on a drill ground small enough to see through.

Tokens stand on hexes that are mere numbers, and a token in hand goes anywhere in one step. What places are
worth together is a plain function: so it is known which plan is the best one, and who finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from grognard.kernel import Action, Role
from grognard.kernel.doctrine import NEVER, Intent, Joint, Plan
from grognard.players.commander import LEVELS, CommanderPlayer

ROLES = {"pick": Role.TAKE, "step": Role.STEP, "halt": Role.HALT, "target": Role.AIM, "end": Role.END}

Worth = Callable[[Sequence[int]], float]
"""What it is worth to have each stack on its hex."""


@dataclass
class Field:
    """The position: where tokens stand, and which one is in hand."""

    where: list[int]
    turn: int = 1
    hand: int | None = None
    done: set[int] = field(default_factory=set)


class Sketch:
    """A planning table that weighs whole plans and counts the looks."""

    def __init__(self, where: Sequence[int], worth: Worth, cells: Sequence[int], room: Mapping[int, int]):
        self.stacks = [(unit,) for unit in range(len(where))]
        self._places = [[here, *(c for c in cells if c != here)] for here in where]
        self._at = list(where)
        self._worth, self._room = worth, room
        self.joints: list[Joint] = []
        self.looks = 0
        self.targets: list[int | None] = []
        self.struck: list[int] = []

    def places(self, stack: int) -> Sequence[int]:
        return self._places[stack]

    def place(self, stack: int) -> int:
        return self._at[stack]

    def put(self, stack: int, cell: int, target: int | None = None) -> None:
        assert self._fits(stack, cell)
        self._at[stack] = cell
        self.targets.append(target)

    def save(self) -> list[int]:
        return self._at.copy()

    def restore(self, saved: list[int]) -> None:
        self._at = saved.copy()

    def gain(self, stack: int, cell: int) -> float:
        self.looks += 1
        if not self._fits(stack, cell):
            return NEVER
        then = self._at.copy()
        then[stack] = cell
        return self._worth(then) - self.worth()

    def best(self, stack: int, first: int = 0) -> tuple[float, int]:
        places = [*self._places[stack][first:], *self._places[stack][:first]]
        gain, _, cell = max((self.gain(stack, cell), -n, cell) for n, cell in enumerate(places))
        return (gain, cell) if gain > 1e-6 else (0.0, -1)

    def _fits(self, stack: int, cell: int) -> bool:
        others = [c for s, c in enumerate(self._at) if s != stack]
        return others.count(cell) < self._room.get(cell, 99)

    def concentrations(self) -> Sequence[Joint]:
        return self.joints

    def sectors(self) -> Sequence[Sequence[int]]:
        return [range(len(self.stacks))]

    def worth(self) -> float:
        return self._worth(self._at)

    def blows(self) -> Sequence[int]:
        return self.struck

    def intent(self) -> Intent:
        return Intent("drill", {"places": tuple(self._at)})


class Drill:
    """The game, and its own doctrine."""

    def __init__(
        self,
        worth: Worth,
        cells: Sequence[int] = range(8),
        room: Mapping[int, int] | None = None,
        joints: Sequence[Joint] = (),
    ) -> None:
        self.worth_of, self.cells, self.room, self.joints = worth, cells, room or {}, joints
        self.plans: list[tuple[bool, Sketch]] = []
        """Every planning table asked for, and whether it was for hexes as full as they are."""
        self.blow: Plan | None = None
        self.shut: Collection[int] = ()
        self.hated: Worth | None = None
        self.replies = 0
        self.doctrine = self

    # What a player asks of a game

    def turn(self, state: Field) -> int:
        return state.turn

    def phase_path(self, state: Field) -> tuple[str, ...]:
        return ("turn", "pick")

    def roles(self, options: Sequence[Action]) -> set[Role]:
        return {ROLES[option[0]] for option in options}

    def with_role(self, options: Sequence[Action], role: Role) -> list[Action]:
        return [option for option in options if ROLES[option[0]] is role]

    def options(self, state: Field, side: int = 0) -> list[Action]:
        if state.hand is None:
            return [*(("pick", u) for u in range(len(state.where)) if u not in state.done), ("end",)]
        return [*(("step", c) for c in self.cells if self._open(state, c)), ("halt",)]

    def _open(self, state: Field, cell: int) -> bool:
        return cell not in self.shut and state.where.count(cell) < self.room.get(cell, 99)

    def apply(self, state: Field, action: Action) -> None:
        if action[0] == "pick":
            state.hand = action[1]
            return
        assert state.hand is not None
        if action[0] == "step":
            state.where[state.hand] = action[1]
        else:
            state.done.add(state.hand)
            state.hand = None

    # What it asks of a doctrine

    def plan_movement(self, state: Field, side: int, crowded: bool = False) -> Sketch | None:
        ready = [u for u in range(len(state.where)) if u not in state.done]
        if state.hand is not None:
            ready = [u for u in ready if u == state.hand]
        if not ready:
            return None
        sketch = Sketch(state.where, self.worth_of, self.cells, self.room)
        for stack, here in enumerate(state.where):
            if stack not in ready:
                sketch._places[stack] = [here]
            elif crowded:
                sketch._places[stack] = [here, *(c for c in self.cells if self._open(state, c))]
        sketch.joints = list(self.joints)
        self.plans.append((crowded, sketch))
        return sketch

    def reply(self, state: Field, side: int, plan: Sketch) -> Sketch | None:
        """The enemy has one token, and hates or loves what was planned."""
        if self.hated is None:
            return None
        places = plan.save()
        self.replies += 1
        sketch = Sketch([0], lambda at: self.hated(places) * (at[0] == 1), range(2), {})  # type: ignore[misc]
        sketch.struck = [cell for cell in places if self.hated(places) > 0]
        return sketch

    def strike(self, state: Field, side: int) -> Plan | None:
        blow, self.blow = self.blow, None
        return blow

    def march(self, state: Field, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        (unit,) = units
        if not self._open(state, cell):
            return None
        go: tuple[Action, ...] = (("step", cell), ("halt",))
        return go if state.hand == unit else (("pick", unit), *go)

    def weigh(self, state: Field, side: int, random: Random | None = None) -> Action | None:
        return None


def carry_out(
    drill: Any, where: Sequence[int], level: str = "regular", seed: str = "drill", kicks: int | None = None
) -> tuple[Field, list[Action]]:
    """A whole movement phase; (the position at its end, the answers)."""
    player = CommanderPlayer(seed, level)
    if kicks is not None:
        player.level = player.level._replace(kicks=kicks)
    state = Field(list(where))
    answers: list[Action] = []
    while not answers or answers[-1] != ("end",):
        answer = player.choose(drill, state, 0)
        assert answer in drill.options(state)
        answers.append(answer)
        if answer != ("end",):
            drill.apply(state, answer)
        assert len(answers) < 100
    return state, answers


def together(at: Sequence[int]) -> float:
    """Two go to hexes 5 and 6 together; one alone there comes to grief."""
    there = (at[0] == 5) + (at[1] == 6)
    return 10.0 if there == 2 else -1.0 * there


PINCERS = Joint(9, ((0, 5), (1, 6)))


def test_a_stack_goes_where_it_does_best() -> None:
    state, answers = carry_out(Drill(lambda at: -abs(at[0] - 3) - abs(at[1] - 7)), [0, 0], "recruit")
    assert state.where == [3, 7]
    assert answers[-1] == ("end",)


def test_a_joint_move_is_found_that_no_single_move_finds() -> None:
    drill = Drill(together, joints=[PINCERS])
    state, _ = carry_out(drill, [0, 1], kicks=0)
    assert state.where == [5, 6]
    assert drill.plans[0][1].targets[:2] == [9, 9], "they go there to attack what the joint move is about"


def test_others_join_those_who_are_sent_ahead() -> None:
    """The joint move names one of the two. He would rather go home, until the other has come."""
    state, _ = carry_out(Drill(together, joints=[Joint(9, ((0, 5),))]), [0, 1], kicks=0)
    assert state.where == [5, 6]


def test_nobody_makes_room_who_was_sent_there_by_the_same_joint_move() -> None:
    crowd = Joint(9, (*PINCERS.moves, (2, 5)))
    state, _ = carry_out(Drill(together, room={5: 1}, joints=[crowd]), [0, 1, 4], kicks=0)
    assert state.where[:2] == [5, 6]


def test_who_tries_no_joint_moves_does_not_find_it() -> None:
    assert LEVELS["recruit"].concentrations == LEVELS["recruit"].kicks == 0
    state, answers = carry_out(Drill(together, joints=[PINCERS]), [0, 1], "recruit")
    assert answers == [("end",)]
    assert state.where == [0, 1]


def test_a_joint_move_that_makes_things_worse_is_taken_back() -> None:
    drill = Drill(lambda at: -float(at[0] in (5, 6)) - float(at[1] in (5, 6)), joints=[PINCERS])
    state, _ = carry_out(drill, [0, 1])
    assert not {5, 6} & set(state.where)
    assert drill.plans[0][1].worth() == 0


@pytest.mark.parametrize("seed", range(6))
def test_no_plan_gets_worse_by_thinking(seed: int) -> None:
    random = Random(seed)
    taste: dict[tuple[int, ...], float] = {}

    def worth(at: Sequence[int]) -> float:
        return taste.setdefault(tuple(at), random.random())

    joints = [
        Joint(9, tuple((s, random.randrange(5)) for s in random.sample(range(3), 2))) for _ in range(10)
    ]
    drill = Drill(worth, cells=range(5), room={2: 1, 3: 2}, joints=joints)
    plain = Drill(worth, cells=range(5), room={2: 1, 3: 2})
    carry_out(plain, [0, 1, 4], "recruit")
    carry_out(drill, [0, 1, 4], "regular")
    start, climbed, thought = worth([0, 1, 4]), plain.plans[0][1].worth(), drill.plans[0][1].worth()
    assert start <= climbed <= thought


def test_shaking_a_plan_up_finds_what_climbing_does_not() -> None:
    """Three in one hex win, and any fewer lose: nobody climbs there, and no joint move is given."""
    drill = Drill(lambda at: 10.0 if len(set(at)) == 1 else -float(at.count(1)), cells=range(3))
    state, _ = carry_out(drill, [0, 0, 2], "veteran")
    assert len(set(state.where)) == 1


@pytest.mark.parametrize("level", LEVELS)
def test_the_looks_are_counted(level: str) -> None:
    """Wherever a stack goes, elsewhere looks better: thinking ends when the looks are used up."""
    asked = 0

    def restless(at: Sequence[int]) -> float:
        nonlocal asked
        asked += 1
        return -float(asked)  # a new place is asked about before the old one

    drill = Drill(restless, cells=range(7))
    player = CommanderPlayer("looks", level)
    table: Any = drill
    player.choose(table, Field([0, 1, 2, 3, 4]), 0)
    looks = drill.plans[0][1].looks
    allowed = 5 * LEVELS[level].looks
    if LEVELS[level].rounds < 3:
        allowed = min(allowed, max(1, LEVELS[level].rounds) * 5 * len(drill.cells))
    assert allowed <= looks / LEVELS[level].drafts < allowed + len(drill.cells)


def test_greedy_asks_everybody_once() -> None:
    """Two would do well together on hex 3, and one on hex 1: nobody sees what the other is about to do."""
    drill = Drill(lambda at: 5.0 * (at.count(3) == 2) + (at[0] == 1) + (at[1] == 1), cells=range(5))
    state, _ = carry_out(drill, [0, 3], "greedy")
    assert state.where == [3, 1]
    assert drill.plans[0][1].looks <= 2 * 5 + 2


def test_the_veteran_asks_what_the_enemy_will_reply() -> None:
    """Two plans are worth the same; one of them invites a blow."""
    drill = Drill(lambda at: float(at[0] in (2, 5)), cells=range(6))
    drill.hated = lambda at: 10.0 * (at[0] == 2)
    ends = [carry_out(drill, [0], "veteran", seed=str(seed))[0].where[0] for seed in range(12)]
    assert set(ends) <= {2, 5}
    assert ends.count(5) > 9
    assert drill.replies
    drill.replies = 0
    carry_out(drill, [0], "regular")
    assert not drill.replies


@pytest.mark.parametrize(("thoughts", "end"), [(0, 2), (1, 5)])
def test_on_second_thoughts_the_veteran_leaves_where_it_would_be_struck(thoughts: int, end: int) -> None:
    """Hex 2 is the best place if nobody replies, so that every draft goes there; hex 5 is nearly as good."""
    drill = Drill(lambda at: {2: 1.0, 5: 0.9}.get(at[0], 0.0), cells=range(6))
    drill.hated = lambda at: 10.0 * (at[0] == 2)
    player = CommanderPlayer("thoughts", "veteran")
    player.level = player.level._replace(second_thoughts=thoughts)
    table: Any = drill
    state = Field([0])
    drill.apply(state, player.choose(table, state, 0))
    assert player.choose(table, state, 0) == ("step", end)


def test_on_second_thoughts_somebody_comes_to_help() -> None:
    """Hex 2 must be held, and alone it is struck: the other leaves the place that he likes best."""
    drill = Drill(lambda at: 5.0 * (at[0] == 2) + 1.0 * (at[1] == 4), cells=range(6))
    drill.hated = lambda at: 10.0 * (list(at).count(2) == 1)
    state, _ = carry_out(drill, [2, 4], "veteran")
    assert state.where == [2, 2]


OWN = {"simple": 1, "all": 2, "seasoned": 3}
"""The hex that each of three doctrines likes best."""


def liking(own: int) -> Worth:
    return lambda at: 1.0 * (at[0] == own)


@pytest.mark.parametrize(("level", "end"), [("recruit", 1), ("regular", 2), ("veteran", 3)])
def test_beginners_and_veterans_may_have_a_doctrine_of_their_own(level: str, end: int) -> None:
    """Each doctrine likes another hex best; whoever has none of his own takes the common one."""
    likes = {name: Drill(liking(own), cells=range(6)) for name, own in OWN.items()}
    drill: Any = likes["all"]
    assert carry_out(drill, [0], level)[0].where == [2]
    drill.simple, drill.seasoned = likes["simple"], likes["seasoned"]
    assert carry_out(drill, [0], level)[0].where == [end]


def test_a_higher_level_thinks_longer() -> None:
    levels = [LEVELS[name] for name in ("recruit", "regular", "veteran")]
    for less, more in pairwise(levels):
        assert less.looks < more.looks
        assert less.concentrations < more.concentrations
        assert less.kicks < more.kicks


def test_room_is_made_in_a_full_hex_and_who_waits_for_it_goes_later() -> None:
    """Hex 5 has room for one and is taken: for the pincers its owner must go, and go first."""
    drill = Drill(lambda at: together(at) + (at[2] == 5) + 0.5 * (at[2] == 3), room={5: 1}, joints=[PINCERS])
    state, answers = carry_out(drill, [0, 1, 5])
    assert state.where == [5, 6, 3]
    assert answers.index(("pick", 2)) < answers.index(("pick", 0))
    assert [crowded for crowded, _ in drill.plans] == [False], "the first plan did for all of it"


def test_two_may_not_change_places_where_there_is_no_room() -> None:
    """Each waits for the other: in the end both look again at hexes as full as they are, and stay."""
    drill = Drill(lambda at: 4.0 * (at == [1, 0]), cells=range(2), room={0: 1, 1: 1})
    drill.joints = [Joint(9, ((0, 1), (1, 0)))]
    state, answers = carry_out(drill, [0, 1])
    assert state.where == [0, 1]
    assert answers == [("end",)]


def test_whose_way_is_shut_for_good_looks_again() -> None:
    """Hex 7 is best and cannot be entered, which only the second look knows."""
    drill = Drill(lambda at: float(at[0]))
    drill.shut = {7}
    state, _ = carry_out(drill, [0])
    assert state.where == [6]
    assert [crowded for crowded, _ in drill.plans] == [False, True]


def test_a_phase_is_planned_once_and_the_next_one_afresh() -> None:
    drill = Drill(lambda at: -abs(at[0] - 3) - abs(at[1] - 4))
    player, state = CommanderPlayer("phases"), Field([0, 0])
    game: Any = drill
    while (answer := player.choose(game, state, 0)) != ("end",):
        drill.apply(state, answer)
    assert len(drill.plans) == 1
    assert player.intent == Intent("drill", {"places": (3, 4)})
    player.choose(game, Field([6, 6], turn=2), 0)
    assert len(drill.plans) == 2


def test_a_stack_in_hand_goes_on_as_long_as_it_gains_by_it() -> None:
    drill: Any = Drill(lambda at: -abs(at[0] - 3))
    for cell, answer in ((0, ("step", 3)), (3, ("halt",))):
        assert CommanderPlayer("hand").choose(drill, Field([cell], hand=0), 0) == answer


def test_a_stack_in_hand_with_nothing_to_plan_halts() -> None:
    drill: Any = Drill(lambda at: 0.0)
    assert CommanderPlayer("halt").choose(drill, Field([0], hand=0, done={0}), 0) == ("halt",)


def test_a_side_that_has_moved_ends_its_phase() -> None:
    drill: Any = Drill(lambda at: 0.0)
    assert CommanderPlayer("end").choose(drill, Field([0, 1], done={0}), 0) == ("end",)


@pytest.mark.parametrize("level", LEVELS)
def test_who_fights_while_moving_does_so_before_planning(level: str) -> None:
    drill = Drill(lambda at: 0.0)
    drill.blow = Plan(1.0, (("pick", 1), ("step", 2), ("halt",)), (1,))
    state, answers = carry_out(drill, [0, 0], level)
    assert (answers[:3] == [("pick", 1), ("step", 2), ("halt",)]) is LEVELS[level].strikes
    assert state.where == ([0, 2] if LEVELS[level].strikes else [0, 0])
    assert drill.plans[0][1].places(1)[0] == state.where[1]


def test_a_thought_is_told_as_it_goes_on_and_is_the_same_unheard() -> None:
    def places(watched: bool) -> tuple[int, ...]:
        drill: Any = Drill(together, joints=[PINCERS, PINCERS])
        player = CommanderPlayer("watch")
        player.watch = shares.append if watched else None
        player.choose(drill, Field([0, 1, 4]), 0)
        return tuple(drill.plans[0][1].save())

    shares: list[float] = []
    assert places(watched=True) == places(watched=False)
    assert len(shares) == 2 + LEVELS["regular"].kicks
    assert shares == sorted(set(shares)), "it goes forward"
    assert 0 <= shares[0] < shares[-1] <= 1


def test_the_same_seed_thinks_the_same() -> None:
    random = Random("taste")
    taste: dict[tuple[int, ...], float] = {}

    def worth(at: Sequence[int]) -> float:
        return taste.setdefault(tuple(at), random.random())

    def found(seed: str) -> list[int]:
        return carry_out(Drill(worth, range(12)), [0, 1, 2, 3], seed=seed)[0].where

    assert found("one") == found("one")
    # Among equals, too: nobody opens every game alike.
    equals = Drill(lambda at: float(at[0] > 5), range(12))
    assert len({carry_out(equals, [0], seed=str(seed))[0].where[0] for seed in range(8)}) > 2
    assert len({tuple(found(str(seed))) for seed in range(8)}) > 1
