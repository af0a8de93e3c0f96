"""14.2 Withdrawals: units leave the game, or stay at a cost in points; 17.3.7b divisions that must go."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.games.typhoon.rules.plans import withdraws
from grognard.games.typhoon.state import AIR_GONE, AXIS, CADRE, ELIMINATED, GONE, SOVIET, TyphoonState
from grognard.kernel import (
    AGAIN,
    Action,
    Decision,
    Flow,
    Refusal,
    Role,
    Verb,
    ask,
    do,
    procedure,
    refusal,
    step,
)

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

DEAR = ("hq", "motorised", "engineer")
"""15.1.3: kinds whose last step costs two points."""
WANTED = {"Pz": 3, "Mot": 2}
"""17.3.7b: three Panzer and two motorised divisions."""
NEEDED = 3
"""9.2.3: elements without which a division has no integrity."""


class Leaving(NamedTuple):
    """Who is still to be decided on."""

    waiting: tuple[str, ...] = ()
    owed: tuple[tuple[str, int], ...] = ()
    """Divisions that must still leave, by kind (17.3.7b)."""


def side_of(game: Typhoon, id_: str) -> int:
    if id_ in game.flyer_index:
        return game.flyers[game.flyer_index[id_]].side
    return game.side(game.unit_index(id_))


def begin_withdrawals(game: Typhoon, state: TyphoonState) -> Flow:
    """14.2 The units that leave this turn, in the movement phase of their side."""
    due = [
        id_
        for id_, (turn, _) in game.outline(state).withdrawals.items()
        if turn == state.turn and side_of(game, id_) == state.active and _in_play(game, state, id_)
    ]
    hoepner = state.active == AXIS and state.scenario == "campaign" and withdraws(state.plan, state.turn)
    state.local = Leaving(tuple(due), tuple(WANTED.items()) if hoepner else ())
    return None


def _in_play(game: Typhoon, state: TyphoonState, id_: str) -> bool:
    if id_ in game.flyer_index:
        return state.air[game.flyer_index[id_]] != AIR_GONE
    return state.where[game.unit_index(id_)] != GONE


def cost_to_restore(kind: str, place: int) -> int:
    """14.2.2, 15.2.2, 15.2.3 What must be paid for a unit that is lost before it can leave."""
    if place not in (CADRE, ELIMINATED):
        return 0
    return (2 if kind in DEAR else 1) + (place == ELIMINATED)


class Withdraw(Decision["Typhoon", TyphoonState]):
    """14.2.1, 14.2.3 A unit leaves, wherever and however it is, or stays and the points change."""

    name = "withdraw"
    case = "14.2.1"
    verbs = {"withdraw": Verb(()), "retain": Verb((), Role.CHOOSE)}

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        leaving: Leaving = state.local
        return bool(leaving.waiting)

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return state.active

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        return [("withdraw",), ("retain",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        return None

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        leaving: Leaving = state.local
        id_ = leaving.waiting[0]
        state.local = leaving._replace(waiting=leaving.waiting[1:])
        if action[0] == "retain":
            points = game.outline(state).withdrawals[id_][1]
            state.points += points if side == SOVIET else -points
            state.emit("withdrawal-refused", "14.2.3", leaver=leaver(game, id_), n=points)
        elif id_ in game.flyer_index:
            state.air[game.flyer_index[id_]] = AIR_GONE
            state.emit("unit-withdrawn", "14.2.1", leaver=leaver(game, id_))
        else:
            withdraw(game, state, game.unit_index(id_))
        return AGAIN


def leaver(game: Typhoon, id_: str) -> int:
    """The number of a unit that leaves: air units are counted after the others."""
    if id_ in game.flyer_index:
        return len(game.units) + game.flyer_index[id_]
    return game.unit_index(id_)


def withdraw(game: Typhoon, state: TyphoonState, unit: int) -> None:
    """14.2.1, 14.2.2 A unit leaves for good. Replacement points make up for one that is lost, future ones if
    need be: a side may owe some."""
    side, bit = state.side(unit), 1 << unit
    state.replacements[side] -= cost_to_restore(game.units[unit].kind, state.where[unit])
    state.place(unit, GONE)
    state.emergency &= ~bit
    state.unsupplied &= ~bit
    state.garrison &= ~bit
    state.emit("unit-withdrawn", "14.2.1", leaver=unit)


# 17.3.7b


def kind_of(name: str) -> str:
    """SS Reich is a motorised division."""
    return "Pz" if " Pz " in f" {name} " else "Mot"


def whole(game: Typhoon, state: TyphoonState, name: str) -> bool:
    """17.3.7b, 9.2 Whether a division could claim integrity."""
    there = [u for u in game.elements[name] if state.where[u] >= 0 and not state.unsupplied >> u & 1]
    return len(there) >= NEEDED and (kind_of(name) == "Mot" or any(game.armour >> u & 1 for u in there))


def may_give_up(game: Typhoon, state: TyphoonState) -> list[str]:
    """The divisions that may be chosen now. Where too few are whole, any that is not gone will do."""
    leaving: Leaving = state.local
    found = []
    for kind, count in leaving.owed:
        names = [name for name in game.elements if kind_of(name) == kind and count]
        names = [name for name in names if any(state.where[u] != GONE for u in game.elements[name])]
        # 17.4.2 by ruling: Army Group North gives up nobody.
        names = [name for name in names if not game.outline(state).north >> game.elements[name][0] & 1]
        found += [name for name in names if whole(game, state, name)] or names
    return found


class GiveUpDivision(Decision["Typhoon", TyphoonState]):
    """17.3.7b Under Hoepner's plan divisions that could claim integrity leave on turn 36. For elements that
    are lost replacement points are paid."""

    name = "give-up-division"
    case = "17.3.7"
    verbs = {"give-up": Verb(("unit",))}

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return bool(may_give_up(game, state))

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return AXIS

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        return [("give-up", game.elements[name][0]) for name in may_give_up(game, state)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("division-not-whole", "17.3.7", unit=action[1])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        leaving: Leaving = state.local
        name = next(name for name, elements in game.elements.items() if elements[0] == action[1])
        for unit in game.elements[name]:
            if state.where[unit] != GONE:
                withdraw(game, state, unit)
        owed = tuple((kind, n - (kind == kind_of(name))) for kind, n in leaving.owed)
        state.local = leaving._replace(owed=owed)
        return AGAIN


WITHDRAWALS = procedure(
    "withdrawals",
    "14.2",
    step("begin", do(begin_withdrawals), "14.2"),
    step("withdraw", ask(Withdraw()), "14.2.1"),
    step("give-up", ask(GiveUpDivision()), "17.3.7"),
    values=Leaving,
)
"""What a movement phase begins with."""
