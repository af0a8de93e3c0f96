"""Putting an attack together: hexes named one after the other, and for each the units that join.

The two questions are the same in every book; what a hex or a unit must be like is the game's. A game declares
the verbs, and these classes find them by their roles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grognard.board.board import each
from grognard.kernel import (
    AGAIN,
    RETURN,
    Action,
    Decision,
    Flow,
    Procedure,
    Refusal,
    Role,
    ask,
    call,
    do,
    procedure,
    step,
)
from grognard.kernel.agenda import G, S
from grognard.mechanics.choices import TurnDecision
from grognard.mechanics.pieces import members


def attacks(
    begin: Callable[[Any, Any], Flow],
    aim: Decision[Any, Any],
    gather: Decision[Any, Any],
    announce: Callable[[Any, Any], Any],
    values: type,
    cases: tuple[str, str, str, str],
    gathering: str,
) -> Procedure:
    """The procedure `combat`: one attack after the other is put together and fought as a `battle`, until
    nobody names a target. `cases`: of the whole, its beginning, the battles, and going on;
    `gathering`: the step at which attackers are named."""
    whole, first, fight, again = cases
    return procedure(
        "combat",
        whole,
        step("begin", do(begin), first),
        step("target", ask(aim), aim.case),
        step(gathering, ask(gather), gather.case),
        step("battle", call("battle", announce), fight),
        step("again", do(lambda game, state: "target"), again),
        values=values,
    )


def next_to_all(contact: Mapping[int, int], targets: Sequence[int]) -> int:
    """The hexes in contact with every one of the targets, as a set."""
    near = contact[targets[0]]
    for target in targets[1:]:
        near &= contact[target]
    return near


def free_units(at: Mapping[int, int], hexes: int, ready: int) -> list[int]:
    """The units of a set that stand on some hexes, hex by hex."""
    found: list[int] = []
    for cell in each(hexes):
        found += members(at[cell] & ready)
    return found


class NameTarget(TurnDecision[G, S]):
    """A hex to attack, or the end of the attacks: verbs that aim and that end."""

    def exposed(self, game: G, state: S, side: int) -> int:
        """The hexes worth asking about, as a set."""
        raise NotImplementedError

    def why_not_target(self, game: G, state: S, side: int, cell: int) -> Refusal | None:
        raise NotImplementedError

    def why_not_end(self, game: G, state: S, side: int) -> Refusal | None:
        return None

    def attack_on(self, cell: int) -> Any:
        """The local values of an attack on a hex, as yet without attackers."""
        raise NotImplementedError

    def options(self, game: G, state: S, side: int) -> list[Action]:
        words = {verb.role: word for word, verb in self.verbs.items()}
        found: list[Action] = [
            (words[Role.AIM], cell)
            for cell in each(self.exposed(game, state, side))
            if self.why_not_target(game, state, side, cell) is None
        ]
        return found if self.why_not_end(game, state, side) is not None else [*found, (words[Role.END],)]

    def refuse(self, game: G, state: S, side: int, action: Action) -> Refusal | None:
        if self.verbs[action[0]].role is Role.END:
            return self.why_not_end(game, state, side)
        return self.why_not_target(game, state, side, action[1])

    def apply(self, game: G, state: S, side: int, action: Action) -> Flow:
        if self.verbs[action[0]].role is Role.END:
            return RETURN
        state.local = self.attack_on(action[1])
        return None


class GatherAttackers(TurnDecision[G, S]):
    """Units join one by one, then the attack is on: verbs that join, that commit and, where a battle may have
    several hexes, that widen. The local values have `attackers` and perhaps `targets`."""

    def joiners(self, game: G, state: S) -> list[int]:
        raise NotImplementedError

    def why_not_join(self, game: G, state: S, unit: int) -> Refusal | None:
        raise NotImplementedError

    def wider(self, game: G, state: S) -> list[int]:
        """Further hexes that the attack may be made on."""
        return []

    def why_not_widen(self, game: G, state: S, cell: int) -> Refusal | None:
        raise NotImplementedError

    def why_not_fight(self, game: G, state: S) -> Refusal | None:
        raise NotImplementedError

    def options(self, game: G, state: S, side: int) -> list[Action]:
        words = {verb.role: word for word, verb in self.verbs.items()}
        found: list[Action] = [(words[Role.JOIN], unit) for unit in self.joiners(game, state)]
        if Role.WIDEN in words:
            found += [(words[Role.WIDEN], cell) for cell in self.wider(game, state)]
        if self.why_not_fight(game, state) is None:
            found.append((words[Role.COMMIT],))
        return found

    def refuse(self, game: G, state: S, side: int, action: Action) -> Refusal | None:
        role = self.verbs[action[0]].role
        if role is Role.COMMIT:
            return self.why_not_fight(game, state)
        if role is Role.WIDEN:
            return self.why_not_widen(game, state, action[1])
        return self.why_not_join(game, state, action[1])

    def apply(self, game: G, state: S, side: int, action: Action) -> Flow:
        role, attack = self.verbs[action[0]].role, state.local
        if role is Role.COMMIT:
            return None
        if role is Role.WIDEN:
            state.local = attack._replace(targets=(*attack.targets, action[1]))
        else:
            state.local = attack._replace(attackers=(*attack.attackers, action[1]))
        return AGAIN
