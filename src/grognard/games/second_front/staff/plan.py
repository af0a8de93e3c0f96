"""What a plan of Second Front is worth: places, hexes held, attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from grognard.board.board import bits, each
from grognard.games.second_front.rules import armour
from grognard.games.second_front.rules.battle import LADDER
from grognard.games.second_front.rules.position import target as target_of
from grognard.games.second_front.rules.retreat import exits, sheltered
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.rules.strength import (
    Attacker,
    hex_lines,
    may_attack_across,
    side_lines,
    terrain_factor,
)
from grognard.games.second_front.staff.outlook import Outlook, code_of
from grognard.games.second_front.units import ALLIED, CM, NO_UNITS
from grognard.kernel.doctrine import Intent
from grognard.staff.front import FrontPlan
from grognard.staff.intents import attack_or_march, place_taken
from grognard.staff.plan import Target
from grognard.staff.terms import Once, Term

GOOD = code_of(LADDER.index(Fraction(3)), 0)
"""3:1 with nothing that changes the die: what one hopes to bring together."""


class SecondFrontPlan(FrontPlan):
    """Units are planned one by one. What has no strength goes behind the others."""

    view: Outlook

    def leads(self, unit: int) -> bool:
        counter = self.view.game.units[unit]
        return counter.type in NO_UNITS or not (counter.face.attack or counter.face.defence)

    def combatants(self) -> int:
        return bits(u for u in self.view.ours() if not self.leads(u))

    def arm(self) -> None:
        view = self.view
        self.strength = [view.piece(u).face.attack for u in self.units]
        turn = view.turn_name
        self.tanks = [float(armour.rating(view.piece(u), armour.AECA, turn).share) for u in self.units]
        self.neutral = [armour.rating(view.piece(u), armour.AECA, turn).neutral for u in self.units]
        self.size = [float(view.piece(u).re) for u in self.units]
        self.alone = [not view.piece(u).supported for u in self.units]
        self.leader = [view.piece(u).supports for u in self.units]
        self._seeking = bool(self.view.numbers["errands"]) and len(self.units) > 1
        """Whether each unit goes for a place of its own; whoever is asked alone looks for the nearest one."""
        self._factors: dict[tuple[int, int, int], float] = {}
        self._against: dict[int, int] = {}
        self._room: dict[tuple[int, int], bool] = {}
        self._held: dict[tuple[int, int], float] = {}

    def reach(self, unit: int, crowded: bool) -> int:
        view = self.view
        cells = view.reach(unit, view.state.left[unit])
        if crowded:
            full = [
                c
                for c in each(cells & self.state.occupied[view.side])
                if not self._fits(self.state.at[c], unit, c)
            ]
            cells &= ~bits(full)
        return cells

    def _fits(self, there: int, unit: int, cell: int) -> bool:
        units = [self.view.piece(u) for u in each(there | 1 << unit)]
        return fits(self.game.board.info[cell].terrain, units)

    def faces(self, cells: int) -> Mapping[int, int]:
        return {cell: self.state.at[cell] for cell in each(cells)}

    def ways_back(self, cell: int, face: int, escape: int) -> tuple[Sequence[int], int]:
        """9F1: of the unit that is worth most. Its own side's hexes are open to it; our zones bar them, too,
        but not to German c/m units."""
        view = self.view
        around, units = view.retreats, each(face)
        beaten = view.piece(max(units, key=lambda u: (view.weight(u, view.steps_of(u)), u)))
        found = exits(around, beaten, cell)
        barred = [n for n in found if not sheltered(around, beaten, n)]
        return barred, len(found) - len(barred)

    def mobile(self, unit: int) -> bool:
        return bool(self.game.units[unit].klass == CM)

    def goal(self, stack: int, cell: int) -> float:
        place = self.view.errands.get(self.units[stack]) if self._seeking else None
        return super().goal(stack, cell) if place is None else self.view.lore.way(place)[cell]

    def simplify(self) -> None:
        """See it as a beginner does: of the enemy's next move he counts the strength that is near, not who
        could come from farther; he fears for his units and not for the places that they hold; he does not
        think of the ground, of the points that losses cost, or of the end; and everybody goes for the
        nearest place."""
        self.view.simplify()
        self._seeking = False
        self._held.clear()
        self._deep.clear()
        self.price = [self.view.step(u) for u in self.units]
        self._merit = [{} for _ in self.stacks]
        self.terms = []
        for target in self.targets:
            target.memo.clear()
        self.hold_anew()

    def further_terms(self, places: Sequence[Sequence[int]]) -> list[Term]:
        """A line without gaps: ground of ours that the enemy could enter is covered by who stands on it or
        next to it, once; the nearer the enemy, and the more time he has to use it, the more it matters."""
        view, contact = self.view, self.contact
        time = min(1.0, view.game.turns_left(self.state) / view.common["time"])
        if not places or not view.numbers["cordon"] or not time:
            return []
        open_ground = each(view.mine & view.landing)
        number = {cell: n for n, cell in enumerate(open_ground)}
        near = [min(self.board.distance(cell, foe) for foe in each(view.foes)) for cell in open_ground]
        worth = [time * view.numbers["cordon"] / max(1, away) for away in near]
        stands = {cell for row in places for cell in row if cell >= 0} | set(each(self.ours))
        brings = {cell: [number[c] for c in (cell, *contact[cell]) if c in number] for cell in sorted(stands)}
        return [Once("cordon", brings, worth, each(self.ours))]

    # Room (8)

    def fits(self, stack: int, cell: int, there: int) -> bool:
        key = (there | self.masks[stack], self.game.board.info[cell].terrain == "mountain")
        found = self._room.get(key)
        if found is None:
            found = self._room[key] = self._fits(there, self.units[stack], cell)
        return found

    def has_room(self, stack: int, there: int) -> bool:
        units = [self.view.piece(u) for u in each(there | self.masks[stack])]
        return fits("clear", units)

    # Hexes

    def stand(self, stack: int, cell: int) -> float:
        value = super().stand(stack, cell)
        if cell >= 0 and self.view.threats.total[cell] and not self.hq[stack]:
            value -= self.view.numbers["shelter"] * self.view.shelter(cell)
        return value

    def hold(self, cell: int, members: int) -> float:
        """What the hex brings, less what the enemy's next attack on it would cost."""
        found = self._held.get((cell, members))
        if found is None:
            found = self._held[cell, members] = self._hold(cell, members)
        return found

    def _hold(self, cell: int, members: int) -> float:
        mine = bool(self.view.mine >> cell & 1)
        prize = self.view.prizes.get(cell, 0.0)
        if not members & self.fighters:
            return self._left_alone(cell, members, prize if mine else 0.0)
        taken = 0.0 if mine else prize
        return float(taken - self.view.numbers["care"] * self._feared(cell, members, prize))

    def _left_alone(self, cell: int, members: int, prize: float) -> float:
        """Nobody holds the hex: a place may be walked into, and what has no strength taken."""
        seen = prize and (self.view.landing >> cell & 1 or not self.view.plain)
        value = self.view.empty(cell) if seen else 0.0
        if members and self.view.landing >> cell & 1:
            value -= self.view.common["hq_alone"]
        return value

    def _feared(self, cell: int, members: int, prize: float) -> float:
        """9A: what the strongest attack that the enemy could bring there would be expected to cost."""
        view = self.view
        coming = view.landing | view.foes
        sides = sum(coming >> n & 1 for n in self.contact[cell])
        attack = min(view.threats.total[cell], sides * view.common["crowd"])
        if prize and view.numbers["screen"] and not view.plain:
            most = len(self.contact[cell]) * view.common["crowd"]
            attack = max(attack, view.numbers["screen"] * min(view.unscreened.total[cell], most))
        if not attack:
            return 0.0
        held = members & self.fighters
        code = code_of(view.lore.column(attack, view.force(held).strength), view.shelter(cell))
        if code < 0:
            return 0.0
        dear = 0.0 if view.plain else view.numbers["keep"] * prize
        fear = view.battle(members, code, False, dear, view.numbers["yield"])
        return float(fear)

    # Attacks

    def bears(self, stack: int, cell: int, target: Target) -> float:
        """9H The attack of a unit from a hex, as the ground leaves it."""
        key = (stack, cell, target.cell)
        found = self._factors.get(key)
        if found is None:
            at = target_of(self.game, self.state, target.cell)
            who = Attacker(self.view.piece(self.units[stack]), cell)
            found = 0.0
            if self.strength[stack] and may_attack_across(at, who):
                found = float(self.strength[stack])
                for line in (*hex_lines(at), *side_lines(at, cell)):
                    found *= float(terrain_factor(who.piece, line) or 0)
            self._factors[key] = found
        return found

    def defence(self, target: Target) -> float:
        return max(0.5, self.view.force(target.face).strength)

    def mass(self, target: Target, attackers: Sequence[int]) -> int:
        """11: who has no support counts half."""
        led = {self._place[s] for s in attackers if self.leader[s]}
        return int(
            sum(
                self.bears(s, self._place[s], target)
                / (2 if self.alone[s] and self._place[s] not in led else 1)
                for s in attackers
            )
        )

    def column(self, target: Target, attackers: Sequence[int]) -> int:
        """9A, 10: nearly as the rules reckon it."""
        view = self.view
        attack = self.mass(target, attackers)
        if not attack:
            return -1
        capable = sum(self.tanks[s] * self.size[s] for s in attackers)
        others = sum(self.size[s] for s in attackers if not self.neutral[s])
        share = capable / others if others else 0.0
        bonus = view.lore.armour(share, armour.hex_level(target_of(self.game, self.state, target.cell)))
        modifier = view.shelter(target.cell) + (bonus - self._antitank(target) if bonus else 0)
        return code_of(view.lore.column(attack, self.defence(target)), modifier)

    def _antitank(self, target: Target) -> int:
        """10C2: what the defenders' antitank weapons take off the die."""
        found = self._against.get(target.cell)
        if found is None:
            pieces = [self.view.piece(u) for u in each(target.face)]
            counted = armour.counted(pieces, armour.ATEC, self.view.turn_name)
            found = -armour.modifier(armour.ATEC, armour.best_share(counted))
            self._against[target.cell] = found
        return found

    def assault(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        able = [s for s in attackers if self.strength[s]]
        if not able:
            return 0.0
        key = (tuple(sorted((s, self._place[s]) for s in able)), exits)
        found: float | None = target.memo.get(key)
        if found is None:
            share = min(1.0, self.mass(target, able) / (3 * self.defence(target)))
            building = self.view.numbers["build_up"] * self._promised(target, GOOD, exits or 1) * share
            found = target.memo[key] = max(0.0, building, self._attack(target, able, exits))
        return found

    def _promised(self, target: Target, code: int, exits: int) -> float:
        view, ground, driven = self.view, self.prize(target), self.view.numbers["driven"]
        return float(view.battle(target.face, code, not exits, ground, driven))

    def bait(self, stack: int, target: Target) -> float:
        if self.hq[stack]:
            return 0.0
        return self._promised(target, GOOD, 1) * min(1.0, self.strength[stack] / self.defence(target))

    def _attack(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        code = self.column(target, attackers)
        strengths = self.mass(target, attackers), self.defence(target)
        return self._value(target, attackers, exits, code, *strengths)

    def _value(
        self, target: Target, attackers: Sequence[int], exits: int, code: int, attack: float, defence: float
    ) -> float:
        """9C: what it brings, less what exchanges and defeats cost the attackers."""
        if code < 0:
            return 0.0
        view, odds = self.view, self.view.lore.odds[code]
        value = view.numbers["attack"] * self._promised(target, code, exits)
        steps = sum(self.price[s] for s in attackers)
        share = min(1.0, defence / attack) if attack else 1.0
        lost = odds.wiped + odds.half / 2 + (odds.exchange + odds.half_exchange / 2) * share
        return float(value - lost * steps)

    def blow(self, target: Target, attackers: Sequence[int]) -> float:
        """An attack made now, by the rules' own reckoning."""
        able = [s for s in attackers if self.strength[s]]
        if not able:
            return 0.0
        code, attack, defence = self.view.exactly(target.cell, [self.units[s] for s in able])
        return self._value(target, able, target.exits, code, attack, defence)

    def clears(self, target: Target) -> float:
        code = self.column(target, target.attackers)
        if code < 0:
            return 0.0
        return sum(
            fate.chance for fate in self.view.lore.fates[code] if fate.defender.hexes or fate.defender.all
        )

    # What it is about

    def intent(self) -> Intent:
        """A place that is taken, else an attack, else where most of those who move are going."""
        view, attacks = self.view, [target for _, target in self.attacks()]
        ahead = "advance" if view.side == ALLIED else "cover"
        return place_taken(self, view.prizes, view.mine, len(attacks)) or attack_or_march(
            self, attacks, view.prizes, view.lore.way, ahead
        )
