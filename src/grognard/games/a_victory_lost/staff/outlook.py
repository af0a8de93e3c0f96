"""What a planner of A Victory Lost knows of a position before anybody moves: what units are worth, how far
the enemy reaches, where supply is safe, where to go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from grognard.board.board import each, union
from grognard.games.a_victory_lost.data import read_result
from grognard.games.a_victory_lost.rules import command, odds, pocket, reinforcements, supply, victory
from grognard.games.a_victory_lost.state import AXIS, ISOLATED, SOVIET, VictoryState
from grognard.mechanics.control import zone
from grognard.mechanics.dice import D6
from grognard.mechanics.movement import Ground, reach, sides_between
from grognard.mechanics.odds import halved_odds
from grognard.staff import outlook
from grognard.staff.battles import Blow
from grognard.staff.outlook import marches
from grognard.staff.threats import Threats, massed

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class Lore(outlook.Lore):
    game: AVictoryLost

    def __init__(self, game: AVictoryLost, numbers: Mapping[str, Any]) -> None:
        super().__init__(game, numbers)
        data = game.data
        self.shift = [sum(s.columns for s in game.shelter.get(c, ())) for c in range(game.board.size)]
        self.way = marches(game.board, data.costs, data.land, 2)
        self.read_table(data.crt, D6, _blows)

    def column(self, attack: int, defence: int, shift: int) -> int:
        """9.3 The column of a battle; -1 if it cannot be fought."""
        top = self.game.data.crt.columns[-1]
        initial = halved_odds(attack, defence) if defence else top
        return -1 if min(initial, initial + shift) < 0 else min(initial + shift, top)


def _blows(cell: str) -> tuple[Blow, Blow]:
    result = read_result(cell)
    return Blow(result.attacker), Blow(result.defender, result.retreat)


class Outlook(outlook.PlacesOutlook):
    game: AVictoryLost
    lore: Lore
    state: VictoryState

    def __init__(self, lore: Lore, state: VictoryState, side: int) -> None:
        super().__init__(lore, state, side)
        game = self.game
        self.zones, self.foes = zone(game, state, self.foe), state.fighters[self.foe]
        self.ground, self.cities = pocket.usable_ground(game, state), game.cities(state)
        self.last = game.turns_left(state) <= 0
        self.swing: float = 2 * game.victory(state).lines["city"] * self.common["city"]
        """What it is worth to take or keep a city: one side gains what the other loses (14.0.1)."""
        self.crowd = self.common["crowd_axis" if self.foe == AXIS else "crowd_soviet"]
        self.mine = state.soviet_cities if side == SOVIET else ~state.soviet_cities
        self.ring = game.board.spread(self.cities) & ~self.cities
        """Where a city is besieged, or covered."""
        self.narrow, self.onward = game.data.rivers, side == SOVIET

    # Hexes

    def prize(self, cell: int) -> float:
        """What it is worth to drive the enemy out of a hex."""
        if self.cities >> cell & 1:
            return self.swing
        return float(self.numbers["ring" if self.ring >> cell & 1 else "hex"])

    @cached_property
    def prizes(self) -> dict[int, float]:
        return dict.fromkeys(each(self.cities), self.swing)

    # Units

    def worth_of(self, unit: int, steps: int) -> float:
        """In points of victory."""
        u = self.game.units[unit]
        full = steps == u.steps
        strength = u.attack + u.defence if full else u.reduced_attack + u.reduced_defence
        power = self.numbers["power_axis" if u.axis else "power_soviet"]
        return float(victory.worth(self.game, self.state, unit) + power * strength / 2)

    def defence_of(self, units: Sequence[int]) -> float:
        """9.3.1 Isolated units are halved together."""
        strengths = [0, 0]
        for unit in units:
            isolated = self.state.supply[unit] == ISOLATED
            strengths[isolated] += odds.defence_strength(self.game, self.state, unit)
        return strengths[0] + strengths[1] // 2

    # The enemy's next move

    @cached_property
    def enemy(self) -> tuple[Threats, int]:
        """Whoever comes next to our units pays for their zone: all of it at the end, half of it on the way.
        Those under command come for certain, if their army has orders; by road (8.3) they come farther."""
        game, state, data, floods = self.game, self.state, self.game.data, self.lore.floods
        mine, ours, dear = state.fighters[self.side], zone(game, state, self.side), game.zone_in
        allowed, felt = self.ground & ~mine, ((ours, dear // 2),)
        shut = sides_between(game.board, data.major_sides, ours)
        fields = Ground(data.dry_costs, allowed, plus_in=felt, plus_out=felt, shut=shut)
        roads = Ground(data.road_costs, allowed & ~ours)
        commanded, chance = command.led_area(game, state, self.foe), self._chance_of_orders()

        def key(unit: int) -> tuple[int, int]:
            return state.where[unit], supply.allowance(game, state, unit)

        def likely(unit: int) -> float:
            return chance if commanded >> state.where[unit] & 1 else self.common["unled"]

        coming = floods.reaches(
            [u for cell in each(self.foes) for u in each(state.fighters_at(cell))],
            key,
            (allowed, ours),
            lambda unit, key: reach(fields, {key[0]: 0}, max(0, key[1] - dear)).cells,
        )
        led = [u for u in coming if commanded >> state.where[u] & 1]
        by_road = floods.reaches(
            [u for u in led if data.on_road & ~ours & 1 << state.where[u]],
            lambda unit: (*key(unit), "road"),
            (allowed, ours),
            lambda unit, key: reach(roads, {key[0]: 0}, key[1]).cells,
        )
        threats = massed(game.board, coming, partial(odds.attack_strength, game, state), likely, floods)
        landing = union(coming[u] for u in led) | union(by_road.values())
        # Where we stand they could come when we have left.
        return threats, landing | game.board.spread(landing) & mine

    @cached_property
    def trains(self) -> float:
        """11.1.1 How much to fear that trains bring enemies into a city: the later, the less."""
        game, common = self.game, self.common
        for later in range(int(common["trains_ahead"]) + 1):
            coming = reinforcements.due(game, self.state, self.foe, later)
            if any(not (game.units[u].hq or game.box_units >> u & 1) for u in coming):
                return self.swing * common["trains"] * common["trains_later"] ** later
        return 0.0

    def _chance_of_orders(self) -> float:
        """How likely it is that an enemy army acts before ours does again."""
        if self.foe == SOVIET:
            return 1.0
        pool = self.state.pool[AXIS].bit_count()
        if not pool or not self.state.turn:
            return self.common["orders"]
        return min(
            1.0, self.common["orders"] + 0.5 * command.chits_to_select(self.game, self.state, AXIS) / pool
        )

    @cached_property
    def fed(self) -> int:
        """Where one more unit is in supply."""
        return supply.fed_hexes(self.game, self.state, self.side)

    @cached_property
    def depth(self) -> list[float]:
        """How far every hex is from where lines of supply hold whatever the enemy does next."""
        game, state, side = self.game, self.state, self.side
        supplied = supply.supplied_hexes(game, state, side)
        lines = self.ground & ~state.occupied[self.foe] & ~(self.zones & ~game.board.spread(supplied))
        return self.depths(game.data.dry, game.data.sources[side], self.ground, lines)
