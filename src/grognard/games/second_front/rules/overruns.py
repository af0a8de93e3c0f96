"""13 Overruns: who can make one, what it takes, and who follows."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from grognard.games.second_front.rules.garrisons import alarm
from grognard.games.second_front.rules.movement import (
    BEST_ODDS,
    OVERRUN_ODDS,
    Overrun,
    ground,
    overrun,
    overrun_cost,
)
from grognard.games.second_front.rules.position import (
    has_room,
    move_to,
    piece,
    pieces,
    remove,
    settle_ownership,
    target,
    terrain,
    zones_of,
)
from grognard.games.second_front.rules.special import carrier_bonus
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.rules.strength import Attacker, attack_shares, defence_shares, total
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import Piece
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront


END: Action = ("end",)


class Charge(NamedTuple):
    """An overrun that is being put together (13)."""

    cell: int
    units: tuple[int, ...] = ()


def hunting_parties(game: SecondFront, state: FrontState, cell: int) -> dict[int, list[int]]:
    """The hexes from which some units, together, would overrun a hex, with the strongest party that may."""
    found = {}
    defence = total(defence_shares(target(game, state, cell), pieces(game, state, state.stack(cell))))
    for here in game.board.adjacent[cell]:
        if not state.occupied[state.active] >> here & 1:
            continue
        if most_attack(pieces(game, state, chargers(game, state, here))) < OVERRUN_ODDS * defence:
            continue
        for odds in range(BEST_ODDS, OVERRUN_ODDS - 1, -1):
            party = strongest_party(game, state, cell, runners(game, state, cell, here, odds))
            if party and _all_pay(game, state, cell, party):
                found[here] = party
                break
    return found


def runners(game: SecondFront, state: FrontState, cell: int, here: int, odds: int) -> list[int]:
    """Who of a hex could enter another and pay for an overrun at some odds."""
    lost = sum(1 << unit for unit in state.stack(cell))
    around = terrain(game, state, state.active)
    around = around._replace(
        enemies=around.enemies & ~(1 << cell), enemy_zones=zones_of(game, state, 1 - state.active, lost)
    )
    found = []
    for unit in chargers(game, state, here):
        who = piece(game, state, unit)
        entry = ground(around, who).price(here, cell)
        if entry and entry + overrun_cost(who, odds) <= state.left[unit]:
            found.append(unit)
    return found


def strongest_party(game: SecondFront, state: FrontState, cell: int, units: list[int]) -> list[int]:
    """8B: all of them, or those who are strongest together of as many as may stack in the hex."""
    kind, who = game.board.info[cell].terrain, {unit: piece(game, state, unit) for unit in units}
    if fits(kind, who.values()):
        return units
    at = target(game, state, cell)
    best: tuple[Fraction, list[int]] = (Fraction(0), [])
    for size in range(len(units) - 1, 0, -1):
        for party in combinations(units, size):
            if fits(kind, [who[unit] for unit in party]):
                attack = total(attack_shares(at, [Attacker(who[u], state.where[u]) for u in party]))
                if attack > best[0]:
                    best = attack, list(party)
    return best[1]


def _all_pay(game: SecondFront, state: FrontState, cell: int, party: list[int]) -> bool:
    plan = charge_of(game, state, cell, party)
    return plan is not None and all(
        price <= state.left[unit] for unit, price in zip(party, plan.costs, strict=True)
    )


def most_attack(party: Iterable[Piece]) -> int:
    """What some units attack with wherever it may be: most that ground, works and kind do for a unit is to
    double it (14A3, 14B1)."""
    return 2 * sum(one.face.attack + carrier_bonus(one) for one in party)


def chargers(game: SecondFront, state: FrontState, here: int) -> list[int]:
    """Units of a hex with points left that have not used administrative or strategic movement."""
    barred = state.marched | state.entrained
    return [unit for unit in state.stack(here) if state.left[unit] and not barred >> unit & 1]


def charge_of(game: SecondFront, state: FrontState, cell: int, units: list[int]) -> Overrun | None:
    here = state.where[units[0]]
    defenders = state.stack(cell)
    lost = sum(1 << unit for unit in defenders)
    return overrun(
        terrain(game, state, state.active),
        zones_of(game, state, 1 - state.active, lost),
        target(game, state, cell),
        here,
        pieces(game, state, units),
        pieces(game, state, defenders),
    )


class GatherCharge(Decision["SecondFront", FrontState]):
    """13: the units of one hex that overrun."""

    name = "gather-charge"
    case = "13"
    verbs = {"join": Verb(("unit",), Role.JOIN), "charge": Verb((), Role.COMMIT), "cancel": Verb(())}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def _able(self, game: SecondFront, state: FrontState) -> list[int]:
        """8B, 13: of one hex, as many as may stack in the other, and who could pay at the best odds."""
        charge_: Charge = state.local
        parties, kind = (
            hunting_parties(game, state, charge_.cell),
            game.board.info[charge_.cell].terrain,
        )
        if charge_.units:
            parties = {state.where[charge_.units[0]]: list(charge_.units)}
        return [
            unit
            for here in parties
            for unit in runners(game, state, charge_.cell, here, BEST_ODDS)
            if unit not in charge_.units and fits(kind, pieces(game, state, (*charge_.units, unit)))
        ]

    def _ready(self, game: SecondFront, state: FrontState) -> bool:
        charge_: Charge = state.local
        return bool(charge_.units) and _all_pay(game, state, charge_.cell, list(charge_.units))

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        found: list[Action] = [("join", unit) for unit in self._able(game, state)]
        if self._ready(game, state):
            found.append(("charge",))
        return [*found, ("cancel",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[0] == "join" and action[1] not in self._able(game, state):
            return refusal("cannot-charge", "13", unit=action[1])
        if action[0] == "charge" and not self._ready(game, state):
            return refusal("charge-too-weak", "13", hex=state.local.cell)
        return None

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        charge_: Charge = state.local
        if action[0] == "cancel":
            return RETURN
        if action[0] == "join":
            state.local = charge_._replace(units=(*charge_.units, action[1]))
            return AGAIN
        return None


def resolve_charge(game: SecondFront, state: FrontState) -> Flow:
    """13: everybody pays; what is left in the hex is eliminated without cadres. If all have retreated, nobody
    pays for the overrun itself."""
    charge_: Charge = state.local
    defenders = state.stack(charge_.cell)
    plan = charge_of(game, state, charge_.cell, list(charge_.units)) if defenders else None
    if defenders and plan is None:
        return RETURN
    for number, unit in enumerate(charge_.units):
        if plan is not None:
            price = plan.costs[number]
        else:
            price = ground(terrain(game, state, state.active), piece(game, state, unit)).price(
                state.where[unit], charge_.cell
            )
        state.left[unit] = max(state.left[unit] - price, 0)
        # Whether or not it enters the hex, it may move on with what is left.
        state.moved = state.moved & ~(1 << unit) if state.left[unit] else state.moved | 1 << unit
    for unit in defenders:
        remove(game, state, unit, "13")
    settle_ownership(game, state)
    state.emit("overrun", "13", hex=charge_.cell, units=charge_.units)
    return None


class FollowCharge(Decision["SecondFront", FrontState]):
    """13: those who have overrun may enter the hex, and move on if they have points left."""

    name = "follow-charge"
    case = "13"
    verbs = {"advance": Verb(("unit",), Role.PLACE), "end": Verb((), Role.END)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def _able(self, game: SecondFront, state: FrontState) -> list[int]:
        charge_: Charge = state.local
        return [
            unit
            for unit in charge_.units
            if state.where[unit] != charge_.cell and has_room(game, state, unit, charge_.cell)
        ]

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return bool(self._able(game, state)) and not state.occupied[1 - state.active] >> state.local.cell & 1

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [*(("advance", unit) for unit in self._able(game, state)), END]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action == END or action[1] in self._able(game, state):
            return None
        return refusal("cannot-advance", "13", unit=action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action == END:
            return None
        unit = action[1]
        state.steady &= ~(1 << unit)
        move_to(game, state, unit, state.local.cell)
        state.emit("advance", "13", unit=unit, hex=state.local.cell)
        alarm(game, state)
        return AGAIN
