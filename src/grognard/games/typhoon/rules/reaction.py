"""7.5.2 Reaction: the other side moves near declared attacks, and says how it will defend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.typhoon.rules.command import able, may_order, order, spend
from grognard.games.typhoon.rules.eligible import why_not_react
from grognard.games.typhoon.rules.guns import why_not_support_defence
from grognard.games.typhoon.rules.movement import take_up
from grognard.games.typhoon.rules.odds import columns
from grognard.games.typhoon.rules.reach import REACTION
from grognard.games.typhoon.state import FLEE, HITLER, SOVIET, STAND, Declared, TyphoonState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


def must_stand(game: Typhoon, state: TyphoonState, attack: Declared) -> bool:
    """13.5.2 The NKVD does not leave a place; 17.3.5 nor the Axis under Hitler's plan at 5-1 or less."""
    side = 1 - state.active
    if side == SOVIET:
        towns = game.cities | game.major_cities | game.villages
        return any(towns >> cell & 1 and state.fighters(SOVIET, cell) & game.nkvd for cell in attack.targets)
    low = attack.odds < 0 or columns()[attack.odds][1] <= 5
    return state.plan == HITLER and game.outline(state).id == "campaign" and low


def begin_reaction(game: Typhoon, state: TyphoonState) -> Flow:
    """8.8.1 Options that nobody may choose are laid at once."""
    state.attacks = tuple(
        attack._replace(option=STAND) if must_stand(game, state, attack) else attack
        for attack in state.attacks
    )
    return None


def attack_on(state: TyphoonState, cell: int) -> Declared | None:
    return next((attack for attack in state.attacks if cell in attack.targets), None)


class React(Decision["Typhoon", TyphoonState]):
    """7.5.2, 8.7.1, 8.8.1, 10.1.5 Units react one by one; options of retreat and guns are chosen for each
    hex attacked."""

    name = "react"
    case = "7.5.2"
    verbs = {
        "react": Verb(("unit",), Role.TAKE),
        "hold": Verb(("hex",)),
        "yield": Verb(("hex",)),
        "back": Verb(("unit", "hex")),
        "end": Verb((), Role.END),
    }

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return bool(state.attacks)

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return 1 - state.active

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        movers = each(game.motorised & game.units_of[side])
        found: list[Action] = [("react", u) for u in movers if why_not_react(game, state, u) is None]
        cells = [attack.targets[0] for attack in state.attacks]
        found += [(verb, cell) for verb in ("hold", "yield") for cell in cells]
        guns = [u for u in members(game.guns & game.units_of[side]) if state.where[u] >= 0]
        found += [
            ("back", gun, cell)
            for cell in cells
            for gun in guns
            if game.disc(cell, game.units[gun].range) >> state.where[gun] & 1
        ]
        kept = [a for a in found if a[0] == "react" or self.refuse(game, state, side, a) is None]
        return [*kept, ("end",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        verb = action[0]
        if verb == "end":
            return None
        if verb == "react":
            return why_not_react(game, state, action[1])
        attack = attack_on(state, action[-1])
        if attack is None:
            return refusal("not-declared", "8.1.1", hex=action[-1])
        if verb == "back":
            busy = [gun for other in state.attacks for gun in other.guns]
            return why_not_support_defence(game, state, action[1], attack.targets, attack.guns, busy)
        if attack.option:
            return refusal("option-chosen", "8.8.1", hex=action[1])
        if not may_order(game, state, side, list(attack.targets)):
            return refusal("no-hq-order", "13.1.2", hex=action[1])
        return None

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        verb = action[0]
        if verb == "end":
            return None
        if verb == "react":
            if side == SOVIET:
                spend(game, state, able(game, state, state.where[action[1]])[0])
            state.push("move", take_up(game, state, action[1], REACTION))
            return AGAIN
        attack = attack_on(state, action[-1])
        assert attack is not None
        if verb == "back":
            changed = attack._replace(guns=(*attack.guns, action[1]))
            state.emit("guns-laid", "10.1.5", unit=action[1], hex=action[2])
        else:
            order(game, state, side, list(attack.targets))
            changed = attack._replace(option=STAND if verb == "hold" else FLEE)
            state.emit("will-hold" if verb == "hold" else "will-yield", "8.7.1", hex=action[1])
        state.attacks = tuple(changed if a is attack else a for a in state.attacks)
        return AGAIN
