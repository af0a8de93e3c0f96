"""9.6 Advance after combat: into the hex set free, and one hex on for the mechanised."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.games.a_victory_lost.rules.combat import Battle
from grognard.games.a_victory_lost.rules.headquarters import overrun_hq
from grognard.games.a_victory_lost.rules.pocket import usable_ground
from grognard.games.a_victory_lost.rules.stacking import has_room, why_no_room
from grognard.games.a_victory_lost.rules.victory import enter_hex
from grognard.games.a_victory_lost.state import VictoryState
from grognard.kernel import RETURN, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.choices import Choose
from grognard.mechanics.pieces import NOBODY, NOWHERE

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class Advance(NamedTuple):
    """Who may still advance into the hex set free."""

    target: int
    units: tuple[int, ...]
    walker: int = NOBODY
    origin: int = NOWHERE
    """The hex the walker came from."""


def begin_advance(game: AVictoryLost, state: VictoryState) -> Advance:
    """9.6.1 Only if no combat unit is left in the hex attacked. An HQ that stayed behind alone is overrun
    (9.6.4). All attackers are alive then: no result hurts both sides (9.4.1)."""
    battle: Battle = state.local
    side = game.side(battle.attackers[0])
    free = not state.fighters[1 - side] >> battle.target & 1
    return Advance(battle.target, battle.attackers if free else ())


def second_hexes(game: AVictoryLost, state: VictoryState, unit: int, origin: int, target: int) -> list[int]:
    """9.6.3, 9.6.5 Where a mechanised unit may go on to: anywhere but over water, over a major river without
    a bridge, or into the enemy; not at all if it has just crossed such a river."""
    if not game.units[unit].mechanised or game.data.major.get((origin, target)) is False:
        return []
    foes = state.fighters[1 - game.side(unit)]
    ground = usable_ground(game, state) & ~foes
    return [
        there
        for there in game.board.adjacent[target]
        if game.data.costs.step(target, there)
        and ground >> there & 1
        and game.data.major.get((target, there)) is not False
        and has_room(game, state, unit, there)
    ]


def why_not_advance(game: AVictoryLost, state: VictoryState, advance: Advance, unit: int) -> Refusal | None:
    """9.6.1, 5.0.4 A unit may enter the hex if it can stay there or go on."""
    if unit not in advance.units:
        return refusal("no-advance", "9.6.1", unit=unit, hex=advance.target)
    goes_on = second_hexes(game, state, unit, state.where[unit], advance.target)
    return None if goes_on else why_no_room(game, state, unit, advance.target)


def anyone_left(game: AVictoryLost, state: VictoryState) -> Flow:
    """9.6.1 Ask as long as somebody can advance."""
    advance: Advance = state.local
    state.local = advance._replace(walker=NOBODY)
    able = any(why_not_advance(game, state, advance, u) is None for u in advance.units)
    return None if able else RETURN


class AdvanceUnit(Choose["AVictoryLost", VictoryState]):
    """9.6.2 The attacker advances one, several or none of the units that attacked."""

    name = "advance-unit"
    case = "9.6"
    verbs = {"advance": Verb(("unit",)), "hold": Verb((), Role.PASS)}
    always = True

    def able(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        advance: Advance = state.local
        return [u for u in advance.units if why_not_advance(game, state, advance, u) is None]

    def why_not(self, game: AVictoryLost, state: VictoryState, unit: int) -> Refusal | None:
        return why_not_advance(game, state, state.local, unit)

    def decline(self, game: AVictoryLost, state: VictoryState) -> Flow:
        return RETURN

    def take(self, game: AVictoryLost, state: VictoryState, unit: int) -> None:
        advance: Advance = state.local
        state.local = advance._replace(
            units=tuple(u for u in advance.units if u != unit), walker=unit, origin=state.where[unit]
        )
        overrun_hq(game, state, unit, advance.target)
        enter_hex(game, state, unit, advance.target)
        state.emit("advanced", "9.6", unit=unit, hex=advance.target)


class AdvanceOn(Choose["AVictoryLost", VictoryState]):
    """9.6.1, 9.6.3 A mechanised unit in the hex set free stays there or goes one hex on."""

    name = "advance-on"
    case = "9.6.3"
    verbs = {"on": Verb(("hex",), Role.PLACE), "stay": Verb((), Role.PASS)}
    prompts = ("advance-on", "advance-on-full")

    def prompt(self, game: AVictoryLost, state: VictoryState, side: int) -> str:
        """5.0.4 Who finds no room in the hex set free has to go on."""
        return self.name if self.why_not_decline(game, state) is None else "advance-on-full"

    def able(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        advance: Advance = state.local
        return second_hexes(game, state, advance.walker, advance.origin, advance.target)

    def why_not(self, game: AVictoryLost, state: VictoryState, cell: int) -> Refusal | None:
        advance: Advance = state.local
        unit = advance.walker
        if cell in game.board.adjacent[advance.target]:
            if game.data.major.get((advance.target, cell)) is False:
                return refusal("advance-over-river", "9.6.5", unit=unit, hex=cell)
            if not has_room(game, state, unit, cell):
                return why_no_room(game, state, unit, cell)
        return refusal("no-second-hex", "9.6.3", unit=unit, hex=cell)

    def why_not_decline(self, game: AVictoryLost, state: VictoryState) -> Refusal | None:
        return why_no_room(game, state, state.local.walker, state.local.target)

    def decline(self, game: AVictoryLost, state: VictoryState) -> Flow:
        return "hq"

    def take(self, game: AVictoryLost, state: VictoryState, cell: int) -> Flow:
        unit = state.local.walker
        overran = overrun_hq(game, state, unit, cell)
        enter_hex(game, state, unit, cell)
        state.emit("advanced", "9.6.3", unit=unit, hex=cell)
        return "overrun" if overran else "hq"


class BringHq(Choose["AVictoryLost", VictoryState]):
    """12.4 The HQ that was stacked with an advancing unit at the beginning of the sequence may come with
    it."""

    name = "bring-hq"
    case = "12.4"
    verbs = {"bring": Verb(("unit",)), "leave": Verb((), Role.PASS)}

    def able(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        """The HQ that could come; a unit that went back to its hex leads nobody anywhere."""
        advance: Advance = state.local
        cell = state.where[advance.walker]
        if cell == advance.origin:
            return []
        for hq, mates in state.companions:
            if mates >> advance.walker & 1 and state.where[hq] == advance.origin:
                return [hq] if has_room(game, state, hq, cell) else []
        return []

    def why_not(self, game: AVictoryLost, state: VictoryState, unit: int) -> Refusal:
        return refusal("not-its-hq", "12.4", unit=unit)

    def take(self, game: AVictoryLost, state: VictoryState, unit: int) -> None:
        cell = state.where[state.local.walker]
        enter_hex(game, state, unit, cell)
        state.emit("hq-advanced", "12.4", unit=unit, hex=cell)
