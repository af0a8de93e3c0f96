"""37A3, 37A4 Flooding: the owner of a hex of canals answers an attack with water."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.second_front.rules.attacking import Attack
from grognard.games.second_front.rules.position import settle_ownership
from grognard.games.second_front.rules.stocks import add_points, points_at
from grognard.games.second_front.rules.supply import PORTS
from grognard.games.second_front.rules.works import floods, may_flood, may_flood_massively, relief
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED, AXIS
from grognard.kernel import Action, Decision, Flow, Refusal, Role, Verb, Window, refusal
from grognard.mechanics.dice import Throw

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

PARTIAL, MASSIVE, DONE = "flood", "flood-massively", "flooded"
DROWNED_FOR = 2
"""Player turns in which nobody enters a hex after massive flooding."""


class Flood(Window["SecondFront", FrontState]):
    """37A3, 37A4: after the attack has been announced."""

    name = "flood"
    case = "37A3"
    occasion = "flooding"
    verbs = {PARTIAL: Verb(()), MASSIVE: Verb(()), "pass": Verb((), Role.PASS)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return 1 - state.active

    def could(self, game: SecondFront, state: FrontState, side: int) -> bool:
        return bool(self.reactions(game, state, side))

    def reactions(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [(word,) for word in (PARTIAL, MASSIVE) if self.why_not(game, state, side, (word,)) is None]

    def why_not(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        cell = state.local.cell
        if action[0] == MASSIVE:
            able = side == AXIS and may_flood_massively(game.board, cell, state.active == ALLIED)
            return None if able else refusal("cannot-flood-massively", "37A4", hex=cell)
        wet = (state.flooded | state.marsh) >> cell & 1
        return None if may_flood(game.board, cell) and not wet else refusal("cannot-flood", "37A3", hex=cell)

    def react(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        state.local = state.local._replace(flood=action[0])
        return None


class RollFlood(Throw["SecondFront", FrontState]):
    """The success table."""

    name = "roll-flood"
    case = "37A3"
    verbs = {"flood-die": Verb(("number",))}

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return state.local.flood in (PARTIAL, MASSIVE)

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        attack: Attack = state.local
        cell, massive = attack.cell, attack.flood == MASSIVE
        dutch = "country_netherlands" in game.board.info[cell].features
        done = floods(action[1], dutch, massive)
        case = "37A4" if massive else "37A3"
        state.emit("flood" if done else "no-flood", case, hex=cell, die=action[1])
        state.local = attack._replace(flood=DONE if done else "")
        if not done:
            return None
        pay_relief(state, relief(game.board, cell, massive))
        if not massive:
            state.flooded |= 1 << cell
            return None
        state.drowned = (*state.drowned, (cell, DROWNED_FOR))
        state.marsh |= 1 << cell
        if game.board.info[cell].features & set(PORTS):
            state.wrecked |= 1 << cell
        state.local = state.local._replace(falling_back=tuple(state.stack(cell)), result="DR")
        settle_ownership(game, state)
        return "retreats"


def pay_relief(state: FrontState, points: int) -> None:
    """37A3, 37A4: relief for the people costs the Allies resource points on the map, as far as they have
    any."""
    for cell, owner, _ in state.resources:
        taken = min(points, points_at(state, ALLIED, cell)) if owner == ALLIED else 0
        if taken:
            add_points(state, ALLIED, cell, -taken)
            points -= taken


class CallOff(Decision["SecondFront", FrontState]):
    """37A3: the attacker may call the attack off; its units attack nobody else in this phase."""

    name = "call-off"
    case = "37A3"
    verbs = {"call-off": Verb(()), "press-on": Verb(())}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return bool(state.local.flood == DONE)

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [("call-off",), ("press-on",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        return None

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        state.local = state.local._replace(flood="")
        return "next" if action[0] == "call-off" else None


def drain(game: SecondFront, state: FrontState) -> Flow:
    """At the end of a player turn: partial floods are over, drowned hexes become swamps, and massive
    floods cost the Allies a point in each of their initial phases (37A4)."""
    state.flooded = 0
    state.drowned = tuple((cell, turns - 1) for cell, turns in state.drowned if turns > 1)
    if state.active == AXIS:
        pay_relief(state, state.marsh.bit_count())
    return None
