"""8.6, 8.7 Retreats: hex by hex away from the combat, through one enemy zone at most, and then by the die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from grognard.games.typhoon.data import Unit
from grognard.games.typhoon.rules.costs import costs, river_crossings
from grognard.games.typhoon.rules.eligible import is_depot
from grognard.games.typhoon.rules.ground import armed, enter, zone
from grognard.games.typhoon.rules.losses import Losses, remove
from grognard.games.typhoon.rules.reach import mover_of
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.rules.zones import shut_for_retreat
from grognard.games.typhoon.state import AXIS, CADRE, ELIMINATED, TyphoonState
from grognard.kernel import RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.dice import D10, Throw
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

Path = tuple[int, ...]


class Retreat(NamedTuple):
    """Units that fall back, hex by hex."""

    to_go: tuple[int, ...]
    hexes: int
    mover: int
    """The side that says where: the owner, the enemy for an extra retreat (8.7.2) or an overrun (7.8.3f)."""
    zones: bool = True
    """8.6.3 They may pass through a hex of an enemy zone, at a price."""
    overrun: bool = False
    group: tuple[int, ...] = ()
    """Those on the way now."""
    origin: int = -1
    walked: Path = ()
    hot: bool = False
    """They have passed through an enemy zone."""


def _stack(found: Sequence[int], game: Typhoon) -> list[Unit]:
    return [game.units[unit] for unit in found]


def _passable(game: Typhoon, state: TyphoonState, unit: int, a: int, b: int) -> bool:
    """8.6.1, 13.3.3 Ground that a unit could cross were it its move; a train keeps to its rails."""
    if game.trains >> unit & 1:
        return game.board.side_has(a, b, "rail")
    mover, artillery = mover_of(game, unit)
    sky = state.sky
    if costs(game.board, mover, sky, artillery).step(a, b):
        return True
    return bool(river_crossings(game.board, mover, sky, artillery).step(a, b))


class Ways:
    """8.6 The ways open to a group that falls back."""

    def __init__(self, game: Typhoon, state: TyphoonState, retreat: Retreat, group: Path) -> None:
        side = state.side(group[0])
        self.game, self.state, self.retreat, self.group = game, state, retreat, group
        self.side = side
        self.foes = armed(state, 1 - side)
        self.hot = shut_for_retreat(zone(game, state, 1 - side), armed(state, side))
        self.area = game.outline(state).area
        self.origin = retreat.origin if retreat.walked else state.where[group[0]]

    def step_open(self, here: int, there: int, walked: Path) -> bool:
        distance = self.game.board.distance
        if not self.area >> there & 1 or self.foes >> there & 1:
            return False
        if distance(there, self.origin) <= distance(here, self.origin):
            return False
        if self.hot >> there & 1 and (not self.retreat.zones or any(self.hot >> cell & 1 for cell in walked)):
            return False
        return all(_passable(self.game, self.state, unit, here, there) for unit in self.group)

    def crowded(self, cell: int) -> bool:
        """8.6.4 Whether the group would be too many there."""
        there = [u for u in members(self.state.own(self.side, cell)) if u not in self.group]
        return excess(_stack([*there, *self.group], self.game)) > 0

    def paths(self, length: int, walked: Path) -> Iterator[Path]:
        """The whole ways of some length that go on from what has been walked."""
        here = walked[-1] if walked else self.origin
        if len(walked) >= length:
            if len(walked) == length:
                yield walked
            return
        for there in self.game.board.adjacent[here]:
            if self.step_open(here, there, walked):
                yield from self.paths(length, (*walked, there))

    def good(self) -> list[Path]:
        """Ways that end where there is room; one hex longer if there are no others (8.6.4)."""
        full = self.retreat.hexes
        found = [p for p in self.paths(full, self.retreat.walked) if not self.crowded(p[-1])]
        if found:
            return found
        return [p for p in self.paths(full + 1, self.retreat.walked) if not self.crowded(p[-1])]

    def leads_off(self) -> bool:
        """7.1.6 Whether what bars the way is the edge of the map."""
        board = self.game.board
        cells = [self.origin, *(p[-1] for p in self.paths(1, ()))]
        return any(
            there < 0 or not self.area >> there & 1 for cell in cells for there in board.neighbours[cell]
        )


def next_group(game: Typhoon, state: TyphoonState) -> Flow:
    """8.6, 8.6.5 Those of a hex go together if they can, else one by one; who cannot go is lost. Depots are
    removed. Where there is one way only, nobody is asked."""
    retreat: Retreat | None = state.local
    if retreat is None:
        return RETURN
    left = tuple(u for u in retreat.to_go if state.where[u] >= 0)
    for unit in left:
        if is_depot(game, state, unit):
            remove(game, state, unit, CADRE, "8.6.5")
    left = tuple(u for u in left if state.where[u] >= 0)
    if not left:
        return RETURN
    cell = state.where[left[0]]
    group = tuple(u for u in left if state.where[u] == cell)
    retreat = retreat._replace(to_go=left, origin=cell, walked=(), hot=False)
    while group:
        ways = Ways(game, state, retreat, group)
        if ways.good():
            break
        if len(group) == 1:
            unit = group[0]
            off = ways.leads_off()
            state.local = retreat._replace(to_go=tuple(u for u in left if u != unit))
            remove(game, state, unit, CADRE if off else ELIMINATED, "7.1.6" if off else "8.6")
            return "next"
        group = group[:1]
    state.pontoons = tuple(p for p in state.pontoons if p.cell != cell or p.side != state.side(group[0]))
    state.local = retreat._replace(group=group)
    return None


class FallBack(Decision["Typhoon", TyphoonState]):
    """8.6 The next hex of a retreat; one of the group may be set apart to go another way."""

    name = "fall-back"
    case = "8.6"
    verbs = {"fall-back": Verb(("hex",), Role.PLACE), "part": Verb(("unit",), Role.RELEASE)}

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        retreat: Retreat = state.local
        return retreat.mover

    def _hexes(self, game: Typhoon, state: TyphoonState) -> list[int]:
        retreat: Retreat = state.local
        found = Ways(game, state, retreat, retreat.group).good()
        return sorted({path[len(retreat.walked)] for path in found if len(path) > len(retreat.walked)})

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        retreat: Retreat = state.local
        found: list[Action] = [("fall-back", cell) for cell in self._hexes(game, state)]
        if len(retreat.group) > 1 and not retreat.walked:
            found += [
                ("part", unit)
                for unit in retreat.group
                if self.refuse(game, state, side, ("part", unit)) is None
            ]
        return found

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        retreat: Retreat = state.local
        if action[0] == "part":
            if action[1] not in retreat.group or len(retreat.group) < 2 or retreat.walked:
                return refusal("not-in-hand", "8.6", unit=action[1])
            return None
        if action[1] in self._hexes(game, state):
            return None
        ways = Ways(game, state, retreat, retreat.group)
        if ways.hot >> action[1] & 1 and not ways.foes >> action[1] & 1:
            return refusal("retreat-zone", "8.6.2", hex=action[1])
        return refusal("no-retreat-there", "8.6.1", hex=action[1])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        retreat: Retreat = state.local
        if action[0] == "part":
            # The others of the group go after it.
            rest = tuple(u for u in retreat.to_go if u != action[1])
            state.local = retreat._replace(to_go=(action[1], *rest), group=(action[1],))
            return "ask"
        walked = (*retreat.walked, action[1])
        ways = Ways(game, state, retreat, retreat.group)
        here = retreat.walked[-1] if retreat.walked else retreat.origin
        hot = retreat.hot or bool(ways.hot >> action[1] & 1)
        retreat = retreat._replace(walked=walked, hot=hot)
        state.local = retreat
        ends = any(len(path) == len(walked) for path in Ways(game, state, retreat, retreat.group).good())
        state.emit("retreated", "8.6", units=retreat.group, hex_from=here, hex=action[1])
        if not ends:
            return "ask"
        return "arrive"


def arrive(game: Typhoon, state: TyphoonState) -> Flow:
    """The group is where it goes; 8.6.3 through an enemy zone only if the die lets it."""
    retreat: Retreat = state.local
    for unit in retreat.group:
        enter(game, state, unit, retreat.walked[-1])
    if retreat.overrun:
        state.mark_overrun(sum(1 << u for u in retreat.group if not game.supplies >> u & 1))
    if retreat.hot:
        return None
    return _done(state, retreat)


def _done(state: TyphoonState, retreat: Retreat) -> str:
    rest = tuple(u for u in retreat.to_go if u not in retreat.group)
    state.local = retreat._replace(to_go=rest, group=(), walked=(), hot=False, origin=-1)
    return "next"


class RollRetreat(Throw["Typhoon", TyphoonState]):
    """8.6.3 Through an enemy zone: the Axis needs five or less, the Soviets three, two more in woods. Who
    gets through loses a step, who does not becomes a cadre."""

    name = "roll-retreat"
    case = "8.6.3"
    verbs = {"break-out": Verb(("number",))}
    dice = D10

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        retreat: Retreat = state.local
        own = state.side(retreat.group[0])
        woods = any(game.woods >> cell & 1 for cell in retreat.walked)
        die = action[1] + (game.numbers["retreat_die_woods"] if woods else 0)
        limit = game.numbers["retreat_die_axis" if own == AXIS else "retreat_die_soviet"]
        fine = die <= limit
        state.emit("broke-out" if fine else "broken", "8.6.3", die=action[1], n=die, units=retreat.group)
        group = retreat.group
        _done(state, retreat)
        if not fine:
            for unit in group:
                remove(game, state, unit, CADRE, "8.6.3")
        elif any(not game.supplies >> u & 1 for u in group):
            troops = tuple(u for u in group if not game.supplies >> u & 1)
            state.push("losses", Losses(troops, 1, case="8.6.3"))
        return "next"
