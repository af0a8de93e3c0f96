"""10 Artillery: which guns may support which combat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.typhoon.rules.ground import unit_state, zone
from grognard.games.typhoon.rules.odds import fires
from grognard.games.typhoon.state import AXIS, SOVIET, TyphoonState
from grognard.kernel import Refusal, refusal
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


def in_range(game: Typhoon, state: TyphoonState, gun: int, targets: Sequence[int]) -> bool:
    """10.1.3 Counted from the gun, its own hex left out, to the defender's hex: every one of them."""
    far = game.units[gun].range
    return all(game.board.distance(state.where[gun], cell) <= far for cell in targets)


def with_hq(game: Typhoon, state: TyphoonState, gun: int) -> bool:
    return bool(state.own(SOVIET, state.where[gun]) & game.hqs)


def engaged(game: Typhoon, state: TyphoonState, gun: int) -> bool:
    """10.2.3 Whether a gun is in an enemy zone or, in a major city, where no zone goes, next to enemies who
    have one (ruling)."""
    cell, foe = state.where[gun], 1 - state.side(gun)
    if not game.major_cities >> cell & 1:
        return bool(zone(game, state, foe) >> cell & 1)
    return any(
        unit_state(game, state, unit).has_zone
        for near in each(game.board.spread(1 << cell) & state.occupied[foe])
        for unit in members(state.fighters(foe, near))
    )


def too_many(game: Typhoon, state: TyphoonState, guns: Sequence[int], targets: Sequence[int]) -> str | None:
    """10.1.4, 13.4.1 The case that forbids so many guns together, or None. Siege guns are not counted. Soviet
    guns combine only beside headquarters or in the hex defended; interdiction takes none (ruling)."""
    counted = [gun for gun in guns if game.units[gun].special != "siege"]
    if len(counted) > game.numbers["artillery_limit"]:
        return "10.1.4"
    if len(counted) < 2 or state.side(counted[0]) == AXIS:
        return None
    for gun in counted:
        if state.where[gun] not in targets and not with_hq(game, state, gun):
            return "10.1.4"
    return None


def why_not_support_defence(
    game: Typhoon,
    state: TyphoonState,
    gun: int,
    targets: Sequence[int],
    others: Sequence[int],
    busy: Sequence[int],
) -> Refusal | None:
    """10.1.2, 10.1.3, 10.2.3, 10.2.4, 13.4.1 Whether a gun may support a defence from elsewhere."""
    side = 1 - state.active
    if state.side(gun) != side or state.where[gun] < 0 or not game.guns >> gun & 1:
        return refusal("no-gun", "10.1.2", unit=gun)
    if gun in busy:
        return refusal("gun-busy", "10.1.5", unit=gun)
    if state.where[gun] in targets:
        return refusal("gun-there", "10.2.2", unit=gun)
    if any(state.where[gun] in attack.targets for attack in state.attacks):
        return refusal("gun-attacked", "10.2.1", unit=gun)
    if not in_range(game, state, gun, targets):
        return refusal("out-of-range", "10.1.3", unit=gun, hex=targets[0])
    if game.units[gun].special == "siege":
        return refusal("siege-attacks", "13.4.1", unit=gun)
    if not fires(game, state, gun):
        case = "7.8.4" if state.overrun >> gun & 1 else "10.2.4"
        return refusal("gun-silent", case, unit=gun)
    if engaged(game, state, gun):
        return refusal("gun-in-zone", "10.2.3", unit=gun)
    inside = [u for cell in targets for u in members(state.fighters(side, cell) & game.guns)]
    case_ = too_many(game, state, [*others, *inside, gun], targets)
    return None if case_ is None else refusal("guns-in-excess", case_, unit=gun)


def why_not_support_attack(
    game: Typhoon, state: TyphoonState, gun: int, targets: Sequence[int], others: Sequence[int]
) -> Refusal | None:
    """10.1.1, 10.1.3, 10.1.4 Whether a gun of the attacker may join; its supply is another matter."""
    if state.side(gun) != state.active or state.where[gun] < 0 or not game.guns >> gun & 1:
        return refusal("no-gun", "10.1.1", unit=gun)
    if gun in others or state.fought >> gun & 1:
        return refusal("gun-busy", "8.1.5", unit=gun)
    if state.refitting >> gun & 1:
        return refusal("refitting", "15.2.1", unit=gun)
    if state.overrun >> gun & 1:
        return refusal("gun-silent", "7.8.4", unit=gun)
    if not in_range(game, state, gun, targets):
        return refusal("out-of-range", "10.1.3", unit=gun, hex=targets[0])
    case = too_many(game, state, [*others, gun], targets)
    return None if case is None else refusal("guns-in-excess", case, unit=gun)
