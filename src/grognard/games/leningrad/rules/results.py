"""10.0 Results: steps lost, retreats and advances, the defender first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.games.leningrad.rules.battle import Battle, attacking_side
from grognard.games.leningrad.state import LeningradState
from grognard.kernel import AGAIN, Flow, Refusal, Return, Role, Verb, refusal
from grognard.mechanics.choices import Choose, OwnersChoice
from grognard.mechanics.control import in_contact, in_enemy_zone
from grognard.mechanics.pieces import NOBODY, NOWHERE
from grognard.mechanics.retreat import farther_hexes, vacant_first

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


class SufferedResult(NamedTuple):
    """One side's share of a result, being suffered."""

    units: tuple[int, ...]
    defending: bool
    owed: int
    """Steps still to lose or hexes to retreat."""
    foes: tuple[int, ...]
    """10.7 The enemy's hexes when the battle was joined, whatever became of the enemy since."""
    may_retreat: bool = True
    hurt: bool = False
    hexes: int = 0
    """How far everybody retreats, once that is chosen."""
    to_go: tuple[int, ...] = ()
    """Units that have not retreated yet."""
    walking: int = NOBODY
    """The unit in the middle of its retreat."""
    walked: int = 0
    retreated_from: int = NOWHERE
    """The hex that the unit on its way left first."""
    retreated: tuple[int, ...] = ()
    passed: tuple[tuple[int, int], ...] = ()
    """As in a battle."""


def share(game: Leningrad, state: LeningradState, defending: bool) -> SufferedResult:
    """10.3 What one side suffers, the defender first."""
    battle: Battle = state.local
    result = battle.result.split("/")[not defending]
    units = battle.defenders if defending else battle.attackers
    foes = battle.origins if defending else battle.targets
    if result == "E":  # 10.4
        for unit in units:
            state.emit("eliminated", "10.4", unit=unit, hex=state.where[unit])
            state.kill(unit)
        return SufferedResult(units, defending, 0, foes, hurt=True)
    owed = 0 if result == "-" else int(result)
    # 7.6 after a successful overrun somebody has to advance: the overrunning stack pays in steps
    succeeded = (
        battle.overrun and not state.occupied[1 - attacking_side(game, battle)] >> battle.targets[0] & 1
    )
    return SufferedResult(units, defending, owed, foes, may_retreat=not succeeded)


def lose_step(game: Leningrad, state: LeningradState, unit: int, case: str = "10.5") -> None:
    """10.5 A German unit has two steps, a Soviet one has one."""
    if state.steps[unit] > 1:
        state.steps[unit] -= 1
        state.stay[unit] = state.turn
        state.emit("reduced", case, unit=unit, hex=state.where[unit])
    else:
        state.emit("eliminated", case, unit=unit, hex=state.where[unit])
        state.kill(unit)


def safe_hexes(
    game: Leningrad, state: LeningradState, unit: int, foes: tuple[int, ...], to_go: int
) -> list[int]:
    """10.7 The hexes open to a retreat of so many hexes more; 10.8 empty ones before others, as far as the
    retreat can be completed."""
    return vacant_first(_leading_on(game, state, unit, foes, to_go), state.occupied[game.side(unit)])


def _leading_on(
    game: Leningrad, state: LeningradState, unit: int, foes: tuple[int, ...], to_go: int
) -> list[int]:
    """10.2 The safe hexes from which the rest of the retreat can be made; all of them if there is none."""
    safe = _safe(game, state, unit, state.where[unit], foes)
    if to_go < 2:
        return safe
    return [c for c in safe if _safe(game, state, unit, c, foes)] or safe


def _safe(game: Leningrad, state: LeningradState, unit: int, here: int, foes: tuple[int, ...]) -> list[int]:
    """10.7 Farther from the enemy, with room, out of enemy zones unless a friend stands there."""
    side = game.side(unit)
    friends, enemies = state.occupied[side], state.occupied[1 - side]
    return [
        there
        for there in farther_hexes(game.board, here, foes, lambda a, b: in_contact(game, a, b))
        if not enemies >> there & 1
        and state.height(there) < game.stacking
        and (friends >> there & 1 or not in_enemy_zone(game, state, side, there))
    ]


class LoseOrRetreat(OwnersChoice["Leningrad", LeningradState]):
    """10.1, 10.2 The owner loses steps one at a time, or retreats everybody for what is left to pay."""

    name = "lose-or-retreat"
    case = "10.1"
    verbs = {"lose": Verb(("unit",)), "retreat": Verb(())}
    prompts = ("lose-or-retreat", "lose-after-overrun", "lose-without-retreat")

    def prompt(self, game: Leningrad, state: LeningradState, side: int) -> str:
        """Where nobody may retreat, the question says why."""
        why = self.why_not_decline(game, state)
        if why is None:
            return self.name
        return "lose-after-overrun" if why.code == "overrun-succeeded" else "lose-without-retreat"

    def pending(self, game: Leningrad, state: LeningradState) -> bool:
        return state.local.owed > 0 and bool(self.able(game, state))

    def able(self, game: Leningrad, state: LeningradState) -> list[int]:
        return [u for u in state.local.units if state.on_map(u)]

    def why_not(self, game: Leningrad, state: LeningradState, unit: int) -> Refusal:
        return refusal("not-affected", "10.1", unit=unit)

    def why_not_decline(self, game: Leningrad, state: LeningradState) -> Refusal | None:
        suffered: SufferedResult = state.local
        if not suffered.may_retreat:
            return refusal("overrun-succeeded", "7.6")
        if not any(_safe(game, state, u, state.where[u], suffered.foes) for u in self.able(game, state)):
            return refusal("nowhere-safe", "10.7")
        return None

    def take(self, game: Leningrad, state: LeningradState, unit: int) -> Flow:
        suffered: SufferedResult = state.local
        lose_step(game, state, unit, "10.1")
        state.local = suffered._replace(owed=suffered.owed - 1, hurt=True)
        return AGAIN if self.pending(game, state) else None

    def decline(self, game: Leningrad, state: LeningradState) -> None:
        suffered: SufferedResult = state.local
        alive = tuple(self.able(game, state))
        state.local = suffered._replace(owed=0, hurt=True, hexes=suffered.owed, to_go=alive)


def lose_the_trapped(game: Leningrad, state: LeningradState) -> Flow:
    """10.7 Who has no safe hex is eliminated: the unit on its way or, when nobody can go, all who must."""
    suffered: SufferedResult = state.local
    if suffered.walking != NOBODY:
        here = state.where[suffered.walking]
        if _safe(game, state, suffered.walking, here, suffered.foes):
            return "retreat"
        _trapped(state, suffered.walking)
        # 10.9 the hex where it was caught is left empty like one that it had passed
        passed = (*suffered.passed, (suffered.retreated_from, here))
        suffered = suffered._replace(walking=NOBODY, walked=0, passed=passed)
        state.local = suffered
    if any(_safe(game, state, u, state.where[u], suffered.foes) for u in suffered.to_go):
        return "retreat"
    for unit in suffered.to_go:
        _trapped(state, unit)
    return "report"


def _trapped(state: LeningradState, unit: int) -> None:
    state.emit("trapped", "10.7", unit=unit, hex=state.where[unit])
    state.kill(unit)


class FallBack(OwnersChoice["Leningrad", LeningradState]):
    """10.6 The owner retreats his units one at a time, in the order he likes."""

    name = "fall-back"
    case = "10.6"
    verbs = {"fall-back": Verb(("unit", "hex"), Role.PLACE)}
    always = True

    def able(self, game: Leningrad, state: LeningradState) -> list[tuple[int, int]]:
        suffered: SufferedResult = state.local
        going = (suffered.walking,) if suffered.walking != NOBODY else suffered.to_go
        to_go = suffered.hexes - suffered.walked
        return [(u, cell) for u in going for cell in safe_hexes(game, state, u, suffered.foes, to_go)]

    def why_not(self, game: Leningrad, state: LeningradState, thing: tuple[int, int]) -> Refusal:
        suffered: SufferedResult = state.local
        unit, cell = thing
        if unit not in suffered.to_go and unit != suffered.walking:
            return refusal("not-retreating", "10.6", unit=unit)
        if suffered.walking not in (NOBODY, unit):
            return refusal("one-at-a-time", "10.6", unit=suffered.walking)
        if cell in _leading_on(game, state, unit, suffered.foes, suffered.hexes - suffered.walked):
            return refusal("vacant-first", "10.8", unit=unit, hex=cell)
        if cell in _safe(game, state, unit, state.where[unit], suffered.foes):
            return refusal("leads-nowhere", "10.2", unit=unit, hex=cell)
        return refusal("not-safe", "10.7", unit=unit, hex=cell)

    def take(self, game: Leningrad, state: LeningradState, thing: tuple[int, int]) -> Flow:
        suffered: SufferedResult = state.local
        unit, cell = thing
        left = state.where[unit]
        state.place(unit, cell)
        state.emit("retreated", "10.6", unit=unit, hex_from=left, hex=cell)
        walked = suffered.walked + 1
        rest = tuple(u for u in suffered.to_go if u != unit)
        passed = (*suffered.passed, (suffered.retreated_from, left)) if walked > 1 else suffered.passed
        if walked < suffered.hexes:
            state.local = suffered._replace(
                to_go=rest, walking=unit, walked=walked, retreated_from=left, passed=passed
            )
        else:
            state.local = suffered._replace(
                to_go=rest, walking=NOBODY, walked=0, retreated=(*suffered.retreated, unit), passed=passed
            )
        return "trapped"


def report(game: Leningrad, state: LeningradState) -> Flow:
    """What has become of a side is told to the battle."""
    return Return(state.local)


def take_report(game: Leningrad, state: LeningradState, suffered: SufferedResult) -> None:
    """What the battle needs to know of what a side has suffered."""
    battle: Battle = state.local
    if suffered.defending:
        battle = battle._replace(defender_hurt=suffered.hurt)
    state.local = battle._replace(
        retreated=(*battle.retreated, *suffered.retreated), passed=(*battle.passed, *suffered.passed)
    )
    if battle.overrun and not suffered.defending:
        for unit in suffered.retreated:
            state.done |= 1 << unit  # 7.7 who retreats from an overrun moves no further


def lose_the_bystanders(game: Leningrad, state: LeningradState) -> None:
    """8.4 If the defenders suffered anything, units that had fallen back among them are destroyed."""
    battle: Battle = state.local
    if battle.defender_hurt:
        for unit in battle.bystanders:
            state.emit("swept-away", "8.4", unit=unit, hex=state.where[unit])
            state.kill(unit)


class Advance(Choose["Leningrad", LeningradState]):
    """10.9 Victorious units may enter the hexes set free; after an overrun one of them must (7.6)."""

    name = "advance"
    case = "10.9"
    verbs = {"advance": Verb(("unit", "hex"), Role.PLACE), "hold": Verb((), Role.PASS)}
    prompts = ("advance", "advance-after-overrun")

    def prompt(self, game: Leningrad, state: LeningradState, side: int) -> str:
        return self.name if self.why_not_decline(game, state) is None else "advance-after-overrun"

    def actor(self, game: Leningrad, state: LeningradState) -> int:
        battle: Battle = state.local
        attacker = attacking_side(game, battle)
        return 1 - attacker if _defender_won(battle) else attacker

    def able(self, game: Leningrad, state: LeningradState) -> list[tuple[int, int]]:
        battle: Battle = state.local
        if _defender_won(battle):
            winners, ground = battle.defenders, battle.origins
        else:
            winners, ground = battle.attackers, battle.targets
        enemies = state.occupied[1 - game.side(winners[0])]
        found = []
        for unit in winners:
            here = state.where[unit]
            if not state.on_map(unit):
                continue
            if unit in battle.advanced:
                ways = [cell for origin, cell in battle.passed if origin == here]
            else:
                # 10.7 who has retreated is out of contact with it
                ways = [cell for cell in ground if in_contact(game, here, cell)]
            for cell in dict.fromkeys(ways):
                if not enemies >> cell & 1 and state.height(cell) < game.stacking:
                    found.append((unit, cell))
        return found

    def why_not(self, game: Leningrad, state: LeningradState, thing: tuple[int, int]) -> Refusal:
        unit, cell = thing
        if unit in state.local.retreated:
            return refusal("retreated-itself", "10.9", unit=unit)
        if state.height(cell) >= game.stacking:
            return refusal("stacking", "4.6", hex=cell)
        return refusal("no-advance", "10.9", unit=unit, hex=cell)

    def why_not_decline(self, game: Leningrad, state: LeningradState) -> Refusal | None:
        battle: Battle = state.local
        if battle.overrun and not battle.advanced:
            return refusal("must-advance", "7.6", hex=battle.targets[0])
        return None

    def take(self, game: Leningrad, state: LeningradState, thing: tuple[int, int]) -> Flow:
        battle: Battle = state.local
        unit, cell = thing
        state.place(unit, cell)
        state.local = battle._replace(advanced=(*battle.advanced, unit))
        state.emit("advanced", "10.9", unit=unit, hex=cell)
        return AGAIN if self.pending(game, state) else None


def _defender_won(battle: Battle) -> bool:
    """10.3, 7.7, 10.9 Only an attacker hurt alone, in a regular attack, leaves ground to the defender."""
    return battle.result.startswith("-/") and not battle.overrun
