"""13 The STAVKA reserve: units released to fronts, and units taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.command import hqs_on_map, supplied_units
from grognard.games.stalingrad_roads.rules.ground import enter_hex, near
from grognard.games.stalingrad_roads.rules.stacking import has_room
from grognard.games.stalingrad_roads.rules.supports import offensive_reach
from grognard.games.stalingrad_roads.state import MAJOR, SOVIET, STAVKA, STAVKA_RESERVE, RoadsState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.dice import D6, Throw

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


class Release(NamedTuple):
    """How the release of units stands."""

    fronts: tuple[int, ...] = ()
    """HQs that have been chosen; the first is the priority front."""
    front: int = -1
    """The HQ for which units are being released; -1 between two."""
    bonus: int = 0
    """Markers spent on its die."""
    left: int = 0
    friends: int = 0
    """On the turn of a major offensive: the hexes with Soviet units at the beginning of the phase."""


class Entry(NamedTuple):
    """How the way back into the reserve stands."""

    fronts: tuple[int, ...] = ()
    front: int = -1
    left: int = 0


def place_of(game: StalingradRoads, cell: int) -> str:
    """13.1 Where an HQ stands: major city, city or neither with a railway, or a road."""
    if game.data.on_rail >> cell & 1:
        if game.data.major_cities >> cell & 1:
            return "major_city"
        return "city" if game.data.city >> cell & 1 else "rail"
    return "road"


def weight(game: StalingradRoads, unit: int) -> int:
    """13.1.1 Armoured corps count as two units."""
    return 2 if game.units[unit].armoured else 1


def begin_release(game: StalingradRoads, state: RoadsState) -> Flow:
    if not state.at.get(STAVKA_RESERVE):
        return "entry"
    if state.major_begun:
        total = game.data.numbers["major_offensive_release"]
        state.local = Release(front=-2, left=total, friends=state.occupied[SOVIET])
        return "place"
    state.local = Release()
    return None


class ChooseFront(Decision["StalingradRoads", RoadsState]):
    """13.1.1 Two HQs may ask for units; the first named is the priority front."""

    name = "choose-front"
    case = "13.1.1"
    verbs = {"choose-front": Verb(("unit",)), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def _able(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        release: Release = state.local
        if len(release.fronts) >= game.data.stavka["headquarters"]:
            return []
        return [hq for hq in hqs_on_map(game, state, SOVIET) if hq not in release.fronts]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self._able(game, state)) and bool(state.at.get(STAVKA_RESERVE))

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        return "entry"

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("choose-front", hq) for hq in self._able(game, state)), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "pass" or action[1] in self._able(game, state):
            return None
        return refusal("not-a-front", "13.1.1", unit=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "pass":
            return "entry"
        release: Release = state.local
        state.local = Release((*release.fronts, action[1]), action[1])
        return None


class SpendOnRelease(Decision["StalingradRoads", RoadsState]):
    """13.1.1 Each marker of the STAVKA box given back adds one to the die."""

    name = "spend-on-release"
    case = "13.1.1"
    verbs = {"spend": Verb(("support", "box")), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        # On what everybody sees: a box of shortages looks like any other (5.1.3).
        return game.in_box(state, STAVKA) > 0

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("spend", kind, STAVKA) for kind in game.spendable(state, STAVKA)), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "pass" or action in self.options(game, state, side):
            return None
        return refusal("not-spendable", "13.1.1", support=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "pass":
            return None
        release: Release = state.local
        game.hold(state, action[1], STAVKA, -1)
        state.pool[action[1]] += 1
        state.local = release._replace(bonus=release.bonus + 1)
        state.emit("paid", "13.1.1", support=action[1])
        return AGAIN


def released(game: StalingradRoads, state: RoadsState, release: Release, die: int) -> int:
    """13.1.1 How many units a front gets."""
    table = game.data.stavka
    total = die + release.bonus + table[f"die_{place_of(game, state.where[release.front])}"]
    count = table[f"release_{max(1, min(6, total))}"]
    return count + (table["priority"] if release.fronts[0] == release.front else 0)


class RollRelease(Throw["StalingradRoads", RoadsState]):
    """13.1.1 One die for a front."""

    name = "roll-release"
    case = "13.1.1"
    verbs = {"release": Verb(("number",))}
    dice = D6

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        release: Release = state.local
        count = released(game, state, release, action[1])
        state.local = release._replace(left=count)
        state.emit("release-rolled", "13.1.1", die=action[1], n=count, unit=release.front)
        return None


def release_hexes(game: StalingradRoads, state: RoadsState, release: Release, unit: int) -> list[int]:
    """13.1.1, 13.1.2 With or next to the HQ; or within reach of the major offensive next to a friend. Not
    next to the enemy, and supplied."""
    if release.front >= 0:
        at = 1 << state.where[release.front]
        cells = at | game.board.spread(at)
    else:
        friends = release.friends
        cells = offensive_reach(game, state, MAJOR) & (friends | game.board.spread(friends))
    cells &= (
        game.data.land & game.plan(state).area & ~near(game, state, 1 - SOVIET) & ~state.occupied[1 - SOVIET]
    )
    if game.plan(state).bank_rule:
        cells &= ~game.data.bank
    if game.plan(state).zone_28:
        cells &= ~game.data.zone_28
    return [
        cell for cell in each(cells) if has_room(game, state, unit, cell) and fed_at(game, state, unit, cell)
    ]


def fed_at(game: StalingradRoads, state: RoadsState, unit: int, cell: int) -> bool:
    """Whether a unit would be supplied on a hex that no enemy watches."""
    old = state.where[unit]
    state.place(unit, cell)
    fed = supplied_units(game, state, state.side(unit), 1 << unit)
    state.place(unit, old)
    return bool(fed)


class PlaceReleased(Decision["StalingradRoads", RoadsState]):
    """13.1.1 Units leave the reserve one by one."""

    name = "place-released"
    case = "13.1.1"
    verbs = {"deploy": Verb(("unit", "hex"), Role.PLACE), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def _placements(self, game: StalingradRoads, state: RoadsState) -> list[Action]:
        release: Release = state.local
        found: list[Action] = []
        units = [u for u in each(state.at.get(STAVKA_RESERVE, 0)) if weight(game, u) <= release.left]
        if units:
            cells = release_hexes(game, state, release, units[0])
            found = [("deploy", unit, cell) for unit in units for cell in cells]
        return found

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self._placements(game, state))

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        release: Release = state.local
        return "front" if release.front >= 0 else None

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*self._placements(game, state), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        release: Release = state.local
        if action[0] == "pass" or action in self._placements(game, state):
            return None
        if state.where[action[1]] != STAVKA_RESERVE:
            return refusal("not-in-reserve", "13.1", unit=action[1])
        if weight(game, action[1]) > release.left:
            return refusal("beyond-release", "13.1.1", unit=action[1])
        return refusal("not-by-the-front", "13.1.1", unit=action[1], hex=action[2])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        release: Release = state.local
        if action[0] == "pass":
            return "front" if release.front >= 0 else None
        unit, cell = action[1], action[2]
        state.local = release._replace(left=release.left - weight(game, unit))
        enter_hex(game, state, unit, cell)
        state.emit("released", "13.1.1", unit=unit, hex=cell)
        return AGAIN


# Back into the reserve (13.1.3)


def begin_entry(game: StalingradRoads, state: RoadsState) -> Flow:
    state.local = Entry()
    return None


def neighbours_of(game: StalingradRoads, state: RoadsState, hq: int) -> int:
    """Units stacked with an HQ or next to it, as a set."""
    at = 1 << state.where[hq]
    units = 0
    for cell in each((at | game.board.spread(at)) & state.occupied[SOVIET]):
        units |= state.fighters_at(cell)
    if game.plan(state).bank_rule:
        units &= ~bits(u for c in each(game.data.bank) for u in each(state.at.get(c, 0)))
    return units & game.units_of[SOVIET]


class TakeBack(Decision["StalingradRoads", RoadsState]):
    """13.1.3 Units with or next to two HQs may enter the reserve."""

    name = "take-back"
    case = "13.1.3"
    verbs = {"collect": Verb(("unit",)), "withdraw": Verb(("unit",)), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def _fronts(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        entry: Entry = state.local
        if len(entry.fronts) >= game.data.stavka["headquarters"]:
            return []
        return [
            hq
            for hq in hqs_on_map(game, state, SOVIET)
            if hq not in entry.fronts and neighbours_of(game, state, hq)
        ]

    def _units(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        entry: Entry = state.local
        if entry.front < 0 or not entry.left:
            return []
        return each(neighbours_of(game, state, entry.front))

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self._fronts(game, state) or self._units(game, state))

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        found: list[Action] = [("withdraw", unit) for unit in self._units(game, state)]
        found += [("collect", hq) for hq in self._fronts(game, state)]
        return [*found, ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        if action[0] == "collect":
            return refusal("not-a-front", "13.1.3", unit=action[1])
        return refusal("not-by-hq", "13.1.3", unit=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "pass":
            return None
        entry: Entry = state.local
        if action[0] == "collect":
            hq = action[1]
            count = game.data.stavka[f"enter_{place_of(game, state.where[hq])}"]
            state.local = Entry((*entry.fronts, hq), hq, count)
            return AGAIN
        state.local = entry._replace(left=entry.left - 1)
        to_reserve(game, state, action[1], "13.1.3")
        return AGAIN


def to_reserve(game: StalingradRoads, state: RoadsState, unit: int, case: str) -> None:
    """13.2.2 A unit that enters the reserve is restored to full strength."""
    from grognard.games.stalingrad_roads.rules.losses import return_markers

    return_markers(game, state, unit)
    state.steps[unit] = game.units[unit].steps
    state.unsupplied &= ~(1 << unit)
    state.place(unit, STAVKA_RESERVE)
    state.emit("in-reserve", case, unit=unit)
