"""What a plan of Stalingrad Roads is worth: places, hexes held, attacks, supply of ours, enemies cut off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.approval import withdrawal_price
from grognard.games.stalingrad_roads.rules.command import hqs_on_map, lines
from grognard.games.stalingrad_roads.rules.foresight import supplied_if
from grognard.games.stalingrad_roads.rules.ground import pontoon_sides
from grognard.games.stalingrad_roads.rules.movement import rail_reach, why_cannot_move, why_not_entrain
from grognard.games.stalingrad_roads.rules.odds import (
    WORST,
    attached_markers,
    attack_factor,
    callable_markers,
    defence_factor,
    water_between,
)
from grognard.games.stalingrad_roads.rules.reach import within_reach
from grognard.games.stalingrad_roads.rules.stacking import too_many
from grognard.games.stalingrad_roads.staff.outlook import Outlook
from grognard.games.stalingrad_roads.state import AXIS, HUMAN_WAVES, OVERWHELMING, SOVIET, RoadsState
from grognard.kernel.doctrine import Intent, Joint
from grognard.mechanics.movement import line_to
from grognard.staff.intents import attack_or_march, place_taken
from grognard.staff.plan import NOWHERE, PlacementPlan, Target
from grognard.staff.terms import Chain, Command, Once, Term

WHOLE, FIGHT, ALONE = "whole", "fight", "alone"
"""What a plan is for: everybody's places; attacks only; the place of one unit, whatever the others do."""
Help = tuple[str, int, int]
"""A support that goes with a unit: its sort, the columns and the points it brings."""


class RoadsPlan(PlacementPlan):
    """Units are planned one by one: a stack is one unit."""

    zones = False
    crowding = True

    def __init__(
        self,
        view: Outlook,
        movers: Sequence[int],
        choices: Sequence[Sequence[int]] | None = None,
        done: Sequence[int] = (),
        crowded: bool = False,
        barred: int = 0,
        scope: str = WHOLE,
    ) -> None:
        """`choices`, if given, are the hexes between which each mover chooses, the first where it stands.
        Those who are `done` stay, but can still attack. `crowded` keeps to hexes that have room as things
        are; hexes that are `barred` are not attacked."""
        self.scope = scope
        self.view, self.state, self.game = view, view.state, view.game
        game, state, side = view.game, view.state, view.side
        self.units = [*movers, *done]
        self.hq = [bool(game.hqs >> u & 1) for u in self.units]
        self.mobile = [game.units[u].armoured for u in self.units]
        self.price = [view.step(u) for u in self.units]
        factors = [self._factor(u) for u in self.units]
        self.strength, self.cut = [f for f, _ in factors], [c for _, c in factors]
        self.helps = [self._helps(u) for u in self.units]
        self._room: dict[int, bool] = {}
        self._across: dict[tuple[int, int], tuple[int, int | None]] = {}
        self._bridges = pontoon_sides(game, state, side) if state.mud else set()
        starts = [max(-1, state.where[u]) for u in self.units]
        own = state.occupied[side]
        if scope == ALONE:
            own &= bits(c for row in (starts, *(choices or ())) for c in row if c >= 0)
        ours = {cell: state.at[cell] for cell in each(own)}
        fighters = game.units_of[side] & ~game.hqs
        stacks = [(u,) for u in self.units]
        super().__init__(game.board, view.lore.contact, ours, fighters, stacks, starts, view.weights)
        stay = [[state.where[u]] for u in done]
        reach = self._reaches(movers, crowded) if choices is None else [0] * len(movers)
        near = bits(c for c in {*starts, *(c for row in choices or () for c in row)} if c >= 0)
        for cells in reach:
            near |= cells
        prey = view.foes & game.board.spread(near) & ~barred if scope != ALONE else 0
        prey &= ~game.plan(state).pocket  # S1.4
        self.find_targets({cell: state.at[cell] for cell in each(prey)}, view.ground & ~view.foes)
        self.air = {t.cell: self._air(t.cell) for t in self.targets} if state.markers else {}
        common = view.common
        places = choices or [
            self.sift(
                n,
                cells,
                int(common["width_hq" if self.hq[n] else "width"]),
                int(common["width_attack"]),
                common["hint"],
            )
            for n, cells in enumerate(reach)
        ]
        terms: list[Term] = self._supply_terms() if scope == WHOLE and not view.plain else []
        if choices is None and movers and not view.plain:
            terms.append(self._cuts(places))
            if view.numbers["roads"]:
                terms.append(self._roads())
            if view.ring and view.numbers["ring_whole"]:
                terms.append(self._ring())
        valued = bits(view.prizes) & view.mine if scope == WHOLE else 0
        self.open([*places, *stay], {}, 0, valued, terms)

    def _factor(self, unit: int) -> tuple[int, int]:
        """8.5.3, 10.3.2 The attack factor of a unit and what it is divided by, rivers apart."""
        state, factor = self.state, attack_factor(self.game, self.state, unit)
        if state.enclosed >> unit & 1 and not state.full_power >> unit & 1:
            rule = self.game.data.fortress[state.level].attack
            if rule == "half":
                return factor, 2
            return (0 if rule == "none" else min(factor, 1)), 1
        return factor, 2 if state.unsupplied >> unit & 1 else 1

    def _helps(self, unit: int) -> tuple[Help, ...]:
        game, state = self.game, self.state
        if not state.markers:
            return ()
        kinds = [state.markers[i].kind for i in attached_markers(game, state, (unit,), "attack")]
        found = (game.supports[kind] for kind in kinds)
        return tuple((s.sort, s.shift, s.attack) for s in found if s.shift or s.attack)

    def _air(self, target: int) -> int:
        """5.5.2 The points of air that could be called against a hex."""
        game, state = self.game, self.state
        able = callable_markers(game, state, self.view.side, target, "attack", ())
        return max((game.supports[state.markers[i].kind].attack for i in able), default=0)

    def arm(self, state: RoadsState) -> None:
        """Take the markers into account that lie on the map in a position otherwise alike."""
        self.state = state
        self.helps = [self._helps(u) for u in self.units]
        self.air = {t.cell: self._air(t.cell) for t in self.targets} if state.markers else {}

    def _reaches(self, movers: Sequence[int], crowded: bool) -> list[int]:
        """Every hex that each unit can reach; the few who profit most also by rail (7.3)."""
        game, state, view = self.game, self.state, self.view
        found = [within_reach(game, state, u) for u in movers]
        if view.side == AXIS and state.rail and not state.within("exploitation"):
            wishes = []
            for n, unit in enumerate(movers):
                cell = state.where[unit]
                far = view.goal(cell)
                if far < view.common["by_rail"] or why_not_entrain(game, state, unit) is not None:
                    continue
                if why_cannot_move(game, state, unit) is None:
                    wishes.append((-far * view.weight(unit, state.steps[unit]), n))
            for _, n in sorted(wishes)[: state.rail]:
                found[n] |= rail_reach(game, state, state.where[movers[n]])
        if crowded:
            found = [
                bits(c for c in each(cells) if not too_many(game, state.at.get(c, 0) | 1 << unit))
                for unit, cells in zip(movers, found, strict=True)
            ]
        return found

    # Places

    def has_room(self, stack: int, there: int) -> bool:
        """1.11"""
        together = there | self.masks[stack]
        found = self._room.get(together)
        if found is None:
            found = self._room[together] = not too_many(self.game, together)
        return found

    def fits(self, stack: int, cell: int, there: int) -> bool:
        return self.has_room(stack, there)

    def stand(self, stack: int, cell: int) -> float:
        if cell < 0:
            return -100.0
        view, unit = self.view, self.units[stack]
        numbers, depth = view.numbers, view.depth[cell]
        exposed = view.zones >> cell & 1
        if self.hq[stack]:
            value = -numbers["hq_goal"] * view.post(unit, cell) - numbers["hq_depth"] * depth
            here = self.state.where[unit]
            if cell != here:
                value -= numbers["hq_move"]
                value -= view.common["approval"] * withdrawal_price(self.game, self.state, unit, here, cell)
            return float(value - (view.common["hq_exposed"] if exposed else 0.0))
        goal = max(0.0, view.goal(cell, self.mobile[stack]) - numbers["close"])
        value = 0.0 if view.last else -numbers["goal_mobile" if self.mobile[stack] else "goal"] * goal
        value -= numbers["depth"] * view.weight(unit, self.state.steps[unit]) * depth * depth
        if view.threats.total[cell]:
            value += numbers["shelter"] * view.shelter[cell]
        if self.state.enclosed >> unit & 1:
            value -= view.common["stray"] * view.weight(unit, self.state.steps[unit]) * view.astray(cell)
        return float(value)

    def hold(self, cell: int, members: int) -> float:
        """What the hex brings, and what those on it risk: what the enemy's next attack would cost."""
        view, numbers = self.view, self.view.numbers
        if self.scope == FIGHT:
            return 0.0
        prize = view.prizes.get(cell, 0.0)
        fighters = members & self.fighters
        if not fighters:
            value = view.empty(cell) if prize else 0.0
            if members:
                value -= numbers["hq_alone" if view.landing >> cell & 1 else "hq_unwatched"]
            return float(value)
        value = prize if prize and not view.mine >> cell & 1 else 0.0
        if view.ring >> cell & 1:
            value += numbers["ring"]
        value += view.stations.get(cell, 0.0)
        threat = view.threats.total[cell]
        if not threat:
            return value
        sides = sum(view.landing >> n & 1 for n in self.contact[cell])
        force = view.force(members)
        column = view.lore.column(
            int(min(threat, sides * view.common["crowd"])), int(force.strength) + view.shelter[cell], 0
        )
        if column < WORST:
            return value
        ground, driven = view.dear(cell), numbers["yield"]
        if view.ring >> cell & 1 and numbers["care"]:
            # No more is feared for it than it is worth: a weak ring is better than none.
            ground += numbers["ring_fear"] * numbers["ring"] / numbers["care"]
        risk = view.battle_at(members, cell, column, False, ground, driven, view.stormed(cell))
        return float(value - numbers["care"] * risk)

    # Attacks

    def _river(self, here: int, target: int) -> tuple[int, int | None]:
        """What attack factors are divided by across a side, and the points that it gives the defender if all
        attack across one like it; None: it gives none."""
        found = self._across.get((here, target))
        if found is None:
            data, state = self.game.data, self.state
            kind = water_between(self.game, state, here, target)
            if kind is None:
                found = (1, None)
            elif data.barrier(here, target, self.view.wet):
                barred = state.mud and (here, target) not in data.bridged
                cut = data.numbers["mud_bridge_divisor"] if state.mud else 2
                found = (0 if barred and (here, target) not in self._bridges else cut, None)
            else:
                frozen = self.view.wet != 0
                name = (
                    "major_river_frozen" if kind == "major_river" else "river_frozen" if frozen else "river"
                )
                found = (1, data.defence_points[name])
            self._across[here, target] = found
        return found

    def bears(self, stack: int, cell: int, target: Target) -> float:
        cut = self._river(cell, target.cell)[0]
        return 0.0 if self.hq[stack] or not cut else self.strength[stack] / (cut * self.cut[stack])

    def defence(self, target: Target) -> float:
        return self.view.force(target.face).strength + self.view.shelter[target.cell]

    def bait(self, stack: int, target: Target) -> float:
        if self.hq[stack]:
            return 0.0
        return self._battle(target, 2, 2) * min(1.0, self.strength[stack] / max(1.0, self.defence(target)))

    def _battle(self, target: Target, column: int, exits: int) -> float:
        view, ground = self.view, self.view.prize(target.cell)
        shut = not exits and not view.plain
        stormed, driven = view.stormed(target.cell), view.numbers["driven"]
        return view.battle_at(target.face, target.cell, column, shut, ground, driven, stormed)

    def odds(
        self, target: Target, attackers: Sequence[int], more: Sequence[Help] = ()
    ) -> tuple[int, int, int]:
        """8.5 Strengths of an attack by these stacks from where they are, and its shifts; `more` are supports
        besides those they have."""
        sums: dict[int, int] = {}
        best: dict[str, tuple[int, int]] = {}
        points: int | None = 99
        for stack in attackers:
            if self.hq[stack]:
                continue
            cut, shelter = self._river(self._place[stack], target.cell)
            if not cut:
                continue
            points = None if shelter is None or points is None else min(points, shelter)
            divisor = cut * self.cut[stack]
            sums[divisor] = sums.get(divisor, 0) + self.strength[stack]
            for sort, shift, attack in self.helps[stack]:
                best[sort] = max(best.get(sort, (0, 0)), (shift, attack))
        for sort, shift, attack in more:
            best[sort] = max(best.get(sort, (0, 0)), (shift, attack))
        attack = sum(-(-total // divisor) for divisor, total in sums.items())
        attack += sum(points_ for _, points_ in best.values()) + self.air.get(target.cell, 0) if sums else 0
        defence = int(self.view.force(target.face).strength) + self.view.shelter[target.cell]
        defence += points if points is not None and sums else 0
        return attack, defence, sum(shift for shift, _ in best.values())

    def assault(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        """A little even while too few are there."""
        odds = self.odds(target, attackers)
        fast = any(self.mobile[s] for s in attackers)
        key = (*odds, *self._at_stake(attackers), exits, fast)
        found: float | None = target.memo.get(key)
        if found is None:
            building = self.view.numbers["build_up"] * self._battle(target, 2, 2)
            building *= min(1.0, odds[0] / (3 * odds[1])) if odds[1] else 0.0
            found = target.memo[key] = max(0.0, building, self.promise(target, *key))
        return max(0.0, found - self.sortie(attackers))

    def promise(
        self,
        target: Target,
        attack: int,
        defence: int,
        shift: int,
        price: float,
        stake: float,
        exits: int,
        fast: bool,
    ) -> float:
        """What an attack at these odds brings. A step of the attackers is worth `price`; `stake` is lost if
        all of them are, a part of it if many are."""
        view, state = self.view, self.state
        column = view.lore.column(attack, defence, shift)
        if column < WORST:
            return 0.0
        drive = view.lore.drive[view.kind[target.cell], column]
        losses = view.lore.tolls[column]
        if view.side == SOVIET:
            germans = all(self.game.units[u].nation == "german" for u in each(target.face))
            losses += view.common["waves"] * (germans and state.superiority >> HUMAN_WAVES & 1)
        elif fast:
            drive += state.superiority >> OVERWHELMING & 1
        value = self._battle(target, column, exits) + view.numbers["exploit"] * drive * fast
        if view.side == SOVIET and column >= 0 and target.face & state.enclosed:
            value += view.numbers["level"] / self.game.data.numbers["fortress_attacks"]  # 10.3.3
        return float(view.numbers["attack"] * value - losses * price - losses * losses * stake)

    def blow(self, target: Target, attackers: Sequence[int]) -> float:
        return self.with_help(target, attackers, ())

    def with_help(self, target: Target, attackers: Sequence[int], more: Sequence[Help]) -> float:
        """What an attack promises that is made now, with some supports more."""
        fast, stake = any(self.mobile[s] for s in attackers), self._at_stake(attackers)
        found = self.promise(target, *self.odds(target, attackers, more), *stake, target.exits, fast)
        return found - self.sortie(attackers)

    def _at_stake(self, attackers: Sequence[int]) -> tuple[float, float]:
        """What a step of the attackers is worth, who lose in turn (8.8.2); and what the hexes are that they
        hold, by the square of all steps there: whoever attacks out of a place bleeds for it."""
        view, steps = self.view, self.state.steps
        price = sum(self.price[s] for s in attackers) / len(attackers)
        held: dict[int, int] = {}
        for stack in attackers:
            cell = self._place[stack]
            if view.stakes.get(cell):
                held[cell] = held.get(cell, self.at[cell] & self.fighters) | self.masks[stack]
        stakes = (view.stakes[cell] / sum(steps[u] for u in each(units)) ** 2 for cell, units in held.items())
        return price, sum(stakes)

    def sortie(self, attackers: Sequence[int]) -> float:
        """10.3.3 What it costs in supply if enclosed units attack, the first of a turn."""
        state = self.state
        if not state.enclosed or self.view.side == SOVIET or state.fortress_fights:
            return 0.0
        return float(self.view.numbers["level"]) * any(state.enclosed >> self.units[s] & 1 for s in attackers)

    def concentrations(self) -> Sequence[Joint]:
        """Fresh troops into the places that matter most, those who are spent out of them: no single move
        does that where a hex is full. Then the attacks."""
        return [*self._reliefs(), *super().concentrations()]

    def _reliefs(self) -> list[Joint]:
        view, found = self.view, []
        for cell in sorted(view.stakes):
            if view.stakes[cell] < view.common["relieved"] or not view.threats.total[cell]:
                continue
            inside = [s for s in range(len(self.stacks)) if self.place(s) == cell and not self.hq[s]]
            able = [s for s in range(len(self.stacks)) if cell in self._places[s] and not self.hq[s]]
            able = [s for s in able if s not in inside]
            for weak in sorted(inside, key=lambda s: (self._firmness(s), s))[:3]:
                others = [c for c in self._places[weak] if c != cell]
                if not others:
                    continue
                gains = {c: self.gain(weak, c) for c in others}
                away = max(others, key=lambda c: (gains[c], -c))
                for fresh in sorted(able, key=lambda s: (-self._firmness(s), s))[:5]:
                    if self._firmness(fresh) > self._firmness(weak):
                        found.append(Joint(NOWHERE, ((weak, away), (fresh, cell))))
        return found

    def _firmness(self, stack: int) -> float:
        unit = self.units[stack]
        return defence_factor(self.game, self.state, unit) + self.state.steps[unit]

    # Supply

    def _supply_terms(self) -> list[Term]:
        """4.3.1 Units in the radius of an HQ that may supply them: of the Axis, Germans by Germans and allies
        by anybody (the three guests of an allied HQ are not counted on)."""
        game = self.game
        if self.view.side == SOVIET:
            return [self._command("supply", lambda unit: True, lambda hq: True)]
        german = [u.nation == "german" for u in game.units]
        return [
            self._command("supply", german.__getitem__, german.__getitem__),
            self._command("supply-allies", lambda unit: not german[unit], lambda hq: True),
        ]

    def _command(self, name: str, counts: Callable[[int], bool], leads: Callable[[int], bool]) -> Command:
        game, state, view = self.game, self.state, self.view
        known = lines(game, state, view.side)
        hqs = [hq for hq in hqs_on_map(game, state, view.side) if leads(hq)]

        def head(unit: int) -> float:
            return view.weight(unit, state.steps[unit]) if counts(unit) else 0.0

        return Command(
            self,
            view.numbers["supply"] * view.weights.get("supply", 1.0),
            head,
            {n: 1.0 for n, u in enumerate(self.units) if self.hq[n] and leads(u)},
            lambda stack, cell: view.led_from(self.units[stack], cell),
            [*((1.0, view.led_from(hq, state.where[hq])) for hq in hqs), (1.0, known.source_area())],
            name,
        )

    def _cuts(self, places: Sequence[Sequence[int]]) -> Once:
        """Which enemies would lose their supply to one more hex of ours."""
        view, game, state, foe = self.view, self.game, self.state, self.view.foe
        ours, theirs = state.occupied[view.side], state.occupied[foe]
        hqs = [(hq, state.where[hq]) for hq in hqs_on_map(game, state, foe)]
        before = supplied_if(game, state, foe, theirs, ours, hqs)
        covered = game.board.spread(ours) | ours
        found: dict[int, list[int]] = {}
        reached = {c for n, row in enumerate(places) if not self.hq[n] for c in row if c >= 0}
        lifeline = before & (game.data.on_way | game.board.within(each(theirs & before), 1))
        for cell in sorted(reached - {*each(ours)}):
            if (game.board.spread(1 << cell) & ~covered | 1 << cell) & lifeline & ~theirs:
                after = supplied_if(game, state, foe, theirs, ours | 1 << cell, hqs)
                cut = theirs & before & ~after
                if cut:
                    found[cell] = [u for c in each(cut) for u in each(state.fighters_at(c))]
        worth, weight = [0.0] * len(game.units), view.weights.get("cut", 1.0)
        for unit in {u for units in found.values() for u in units}:
            worth[unit] = weight * view.weight(unit, state.steps[unit]) * view.numbers["sever"]
        return Once("cut", found, worth, each(ours), far=True)

    def _roads(self) -> Once:
        """4.1.1 The hexes of our HQs' lines that enemies could close by coming next to them: a unit that
        stands there keeps them open. A line is worth what the HQ leads, shared among its hexes in danger."""
        view, game, state = self.view, self.game, self.state
        known = lines(game, state, view.side)
        menaced = (game.board.spread(view.landing) | view.landing) & ~view.foes
        brings: dict[int, list[int]] = {}
        worth: list[float] = []
        ours = state.occupied[view.side]
        for hq in hqs_on_map(game, state, view.side):
            here = state.where[hq]
            line = line_to(game.board, game.data.ways, here, known.start, known.ground | 1 << here)
            exposed = [cell for cell in line or () if menaced >> cell & 1]
            if not exposed:
                continue
            led = each(view.led_from(hq, here) & ours)
            units = [u for cell in led for u in each(state.fighters_at(cell))]
            share = view.numbers["roads"] * sum(view.weight(u, state.steps[u]) for u in units) / len(exposed)
            for cell in exposed:
                brings.setdefault(cell, []).append(len(worth))
                worth.append(view.weights.get("roads", 1.0) * share)
        held = [cell for cell in each(ours) if self.at[cell] & self.fighters]
        return Once("roads", brings, worth, held)

    def _ring(self) -> Chain:
        view, numbers = self.view, self.view.numbers
        worth = view.weights.get("ring", 1.0) * numbers["ring_whole"]
        return Chain("ring", view.ring, self.ours, worth, view.common["ring_gap"])

    # What it is about

    def intent(self) -> Intent:
        view = self.view
        attacks = [target for _, target in self.attacks() if self.blow(target, target.attackers) > 0]
        number = len(attacks)
        taken = place_taken(self, view.prizes, view.mine, number)
        if taken:
            return taken
        gaps = [c for c in each(view.ring) if self.at[c] & self.fighters and not self.state.at.get(c, 0)]
        if view.side == SOVIET and gaps:
            return Intent("close-ring", {"hex": gaps[0], "number": number})
        if attacks and view.side == AXIS and view.ring >> attacks[0].cell & 1:
            best = attacks[0]
            return Intent("relieve", {"hex": best.cell, "number": number, "units": tuple(each(best.face))})
        ahead, back = ("cover", "fall-back") if view.side == AXIS else ("advance", None)
        return attack_or_march(self, attacks, view.prizes, partial(view.lore.way, view.wet), ahead, back)
