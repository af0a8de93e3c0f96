"""8.5 The ratio: factors, terrain, water, supply and markers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.stalingrad_roads.data import OVERCAST
from grognard.games.stalingrad_roads.rules.ground import pontoon_sides, water
from grognard.games.stalingrad_roads.state import RoadsState
from grognard.kernel import Refusal, refusal
from grognard.mechanics.odds import Odds, Shift, whole_odds

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

WORST, BEST = -1, 5
"""The first and the last column of the table, 1/2 and 6/1, on the scale of odds."""


def attack_factor(game: StalingradRoads, state: RoadsState, unit: int) -> int:
    counter = game.units[unit]
    return counter.reduced_attack if state.steps[unit] < counter.steps else counter.attack


def defence_factor(game: StalingradRoads, state: RoadsState, unit: int) -> int:
    counter = game.units[unit]
    return counter.reduced_defence if state.steps[unit] < counter.steps else counter.defence


def rounded(sums: dict[tuple[int, int], int]) -> int:
    """1.9 Factors that are doubled and cut alike, by how often and into how many parts, are added first, then
    cut, and rounded up."""
    return sum(-(-total * times // parts) for (times, parts), total in sums.items())


def water_between(game: StalingradRoads, state: RoadsState, here: int, there: int) -> str | None:
    """The water that an attack crosses; none at the last Soviet position in Stalingrad (S2.14)."""
    if (game.data.bank >> here | game.data.bank >> there) & 1 and game.plan(state).bank_rule:
        return None
    return game.data.water_side.get((here, there))


def attack_strength(game: StalingradRoads, state: RoadsState, units: Sequence[int], target: int) -> int:
    """8.5.3 The factors of some units against a hex, cut for supply and for open great rivers."""
    data, wet = game.data, water(state)
    river = data.numbers["mud_bridge_divisor"] if state.mud else 2
    sums: dict[tuple[int, int], int] = {}
    stacks = set()
    pocket = game.plan(state).pocket
    for unit in units:
        factor, parts = attack_factor(game, state, unit), 1
        here = state.where[unit]
        if pocket >> here & 1:
            factor = min(factor, 1)  # S1.4
        elif state.enclosed >> unit & 1 and not state.full_power >> unit & 1:
            rule = data.fortress[state.level].attack
            if rule == "half":
                parts = 2
            elif rule == "none" or (rule == "stack" and here in stacks):
                factor = 0
            else:
                factor = min(factor, 1)
            stacks.add(here)
        elif state.unsupplied >> unit & 1:
            parts = 2
        if water_between(game, state, here, target) and data.barrier(here, target, wet):
            parts *= river
        sums[1, parts] = sums.get((1, parts), 0) + factor
    return rounded(sums)


def ground_kind(game: StalingradRoads, state: RoadsState, cell: int) -> str:
    """1.8.1 The terrain that counts in combat; the last Soviet position is a part of the city (S2.14)."""
    if game.data.bank >> cell & 1 and game.plan(state).bank_rule:
        return "major_city"
    return game.data.kind_of(cell, water(state))


def defence_strength(
    game: StalingradRoads, state: RoadsState, units: Sequence[int], doubled: Sequence[int] = ()
) -> int:
    """8.5.2 The factors of the defenders before terrain and markers. `doubled` are those whom a Ju 52 event
    strengthens."""
    sums: dict[tuple[int, int], int] = {}
    for unit in units:
        factor, parts, times = defence_factor(game, state, unit), 1, 1
        if state.retreated >> unit & 1:
            factor = game.data.numbers["retreated_defence"]
        elif state.enclosed >> unit & 1:
            rule = game.data.fortress[state.level].defence
            if rule == "half":
                parts = 2
            elif rule == "one":
                factor = 1
        elif state.unsupplied >> unit & 1:
            parts = 2
        if unit in doubled:
            # 1.9.2 what is halved and doubled stays as it was
            parts, times = (1, 1) if parts == 2 else (1, 2)
        sums[times, parts] = sums.get((times, parts), 0) + factor
    return rounded(sums)


def shelter_of_hex(game: StalingradRoads, state: RoadsState, cell: int) -> int:
    """8.5.2 The defence points of a hex, whoever attacks it from wherever."""
    data = game.data
    points = data.defence_points[ground_kind(game, state, cell)]
    if "village" in data.board.info[cell].features and not data.bank >> cell & 1:
        points += data.defence_points["village"]
    return points


def shelter(game: StalingradRoads, state: RoadsState, cells: Sequence[int], target: int) -> int:
    """8.5.2, 3.4 The defence points of the hex, and of a river if all attack across one."""
    data, points = game.data, shelter_of_hex(game, state, target)
    sides = {water_between(game, state, here, target) for here in cells}
    if None not in sides and not any(data.barrier(here, target, water(state)) for here in cells):
        frozen = water(state) != 0
        worth = {
            "river": data.defence_points["river_frozen" if frozen else "river"],
            "major_river": data.defence_points["major_river_frozen"],
        }
        points += min(worth[str(side)] for side in sides)
    return points


# Markers


def best_of_each_sort(game: StalingradRoads, state: RoadsState, found: Sequence[int], use: str) -> list[int]:
    """5.5.4 Of several markers of one sort, or several leaders, the best alone counts."""
    best: dict[str, int] = {}
    for index in found:
        support = game.supports[state.markers[index].kind]

        def worth(number: int) -> tuple[int, int]:
            other = game.supports[state.markers[number].kind]
            return (other.shift + other.attack, -number) if use == "attack" else (other.defence, -number)

        sort = "leader" if support.leader else support.sort
        if sort not in best or worth(index) > worth(best[sort]):
            best[sort] = index
    return sorted(best.values())


def attached_markers(game: StalingradRoads, state: RoadsState, units: Sequence[int], use: str) -> list[int]:
    """The markers that go with some units and serve a use, not spent yet, by their numbers."""
    found = [
        index
        for index, marker in enumerate(state.markers)
        if marker.unit in units and not marker.spent and use in game.supports[marker.kind].uses
    ]
    return best_of_each_sort(game, state, found, use)


def callable_markers(
    game: StalingradRoads, state: RoadsState, side: int, target: int, use: str, called: Sequence[int]
) -> list[int]:
    """5.5.2, 3.3 Markers on hexes that can be called to a combat: air within one hex (its own when overcast),
    others in the hex itself; one of each sort."""
    sorts = {game.supports[state.markers[index].kind].sort for index in called}
    found = []
    for index, marker in enumerate(state.markers):
        support = game.supports[marker.kind]
        if (
            marker.cell < 0
            or marker.spent
            or support.side != side
            or use not in support.uses
            or support.sort in sorts
        ):
            continue
        reach = 1 if support.air and state.clouds < OVERCAST else 0
        if game.board.distance(marker.cell, target) <= reach:
            found.append(index)
    return found


def still_flying(
    game: StalingradRoads, state: RoadsState, called: Sequence[int], answered: Sequence[int]
) -> list[int]:
    """Of the markers called to an attack, those that anti-aircraft guns in the hex have not driven off: each
    battery cancels one marker of aircraft."""
    guns = sum("cancel_air" in game.supports[state.markers[index].kind].effects for index in answered)
    found = []
    for index in called:
        if guns and game.supports[state.markers[index].kind].air:
            guns -= 1
        else:
            found.append(index)
    return found


def work_out_odds(
    game: StalingradRoads,
    state: RoadsState,
    attackers: Sequence[int],
    target: int,
    called: Sequence[int] = (),
    answered: Sequence[int] = (),
    doubled: Sequence[int] = (),
) -> Odds:
    """8.5 The ratio of an attack. `called` and `answered` are the markers of hexes that the attacker and the
    defender have called."""
    defenders = each(state.at.get(target, 0))
    helping = [
        *attached_markers(game, state, attackers, "attack"),
        *still_flying(game, state, called, answered),
    ]
    shielding = [*attached_markers(game, state, defenders, "defence"), *answered]
    supports = [game.supports[state.markers[index].kind] for index in helping]
    attack = attack_strength(game, state, attackers, target) + sum(s.attack for s in supports)
    cells = sorted({state.where[unit] for unit in attackers})
    defence = defence_strength(game, state, defenders, doubled) + shelter(game, state, cells, target)
    defence += sum(game.supports[state.markers[index].kind].defence for index in shielding)
    initial = whole_odds(attack, defence) if attack else WORST - 99
    shifts = tuple(Shift(s.shift, "8.5.6", s.id) for s in supports if s.shift)
    final = initial + sum(shift.columns for shift in shifts)
    return Odds(attack, defence, initial, shifts, min(final, BEST))


def why_too_low(odds: Odds, target: int) -> Refusal | None:
    """8.5.8 Below 1/2 there is no attack."""
    return refusal("odds-too-low", "8.5.8", hex=target) if odds.final < WORST else None


def why_not_across(game: StalingradRoads, state: RoadsState, unit: int, target: int) -> Refusal | None:
    """3.2.2 In mud nobody attacks across water but by a bridge."""
    here = state.where[unit]
    if not state.mud or water_between(game, state, here, target) is None:
        return None
    side = (here, target)
    if side in game.data.bridged or side in pontoon_sides(game, state, state.side(unit)):
        return None
    return refusal("mud-attack", "3.2.2", unit=unit, hex=target)


# Why a strength is what it is, for whoever asks


def attack_reasons(
    game: StalingradRoads, state: RoadsState, unit: int, target: int
) -> tuple[tuple[str, str], ...]:
    """8.5.3 Why a unit brings less to an attack than is printed: codes with their cases."""
    here, found = state.where[unit], []
    if state.steps[unit] < game.units[unit].steps:
        found.append(("reduced", "1.3.1"))
    if game.plan(state).pocket >> here & 1:
        found.append(("pocket", "S1.4"))
    elif state.enclosed >> unit & 1 and not state.full_power >> unit & 1:
        found.append(("fortress", "10.3.2"))
    elif state.unsupplied >> unit & 1:
        found.append(("halved-unsupplied", "4.4.2"))
    if water_between(game, state, here, target) and game.data.barrier(here, target, water(state)):
        found.append(("halved-river", "3.2.2" if state.mud else "8.5.3"))
    return tuple(found)


def defence_reasons(game: StalingradRoads, state: RoadsState, unit: int) -> tuple[tuple[str, str], ...]:
    """8.5.2 Why a unit brings less to its defence than is printed."""
    found = [("reduced", "1.3.1")] if state.steps[unit] < game.units[unit].steps else []
    if state.retreated >> unit & 1:
        found.append(("retreated", "8.12.9"))
    elif state.enclosed >> unit & 1:
        found.append(("fortress", "10.3.2"))
    elif state.unsupplied >> unit & 1:
        found.append(("halved-unsupplied", "4.4.2"))
    return tuple(found)


def ground_reasons(
    game: StalingradRoads, state: RoadsState, attackers: Sequence[int], target: int
) -> list[tuple[str, str]]:
    """8.5.2 What gives the defence of a hex points."""
    data, found = game.data, []
    kind = ground_kind(game, state, target)
    if data.defence_points[kind]:
        found.append((f"shelter-{kind}", "8.5.2"))
    if "village" in data.board.info[target].features and not data.bank >> target & 1:
        found.append(("shelter-village", "8.5.2"))
    cells = [state.where[unit] for unit in attackers]
    sides = {water_between(game, state, here, target) for here in cells}
    if None not in sides and not any(data.barrier(here, target, water(state)) for here in cells):
        found.append(("shelter-river", "8.5.2"))
    return found
