"""The small decisions of Stalingrad Roads about units: losses, retreats, arrivals, the fortress. Each has a
judgement of a few lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.combat import Battle, attackers_left, defenders_left
from grognard.games.stalingrad_roads.rules.losses import Losses
from grognard.games.stalingrad_roads.rules.odds import WORST, attack_factor, ground_kind, work_out_odds
from grognard.games.stalingrad_roads.rules.pocket import zone_about
from grognard.games.stalingrad_roads.rules.tactics import LEVELS, exploitation_cost
from grognard.games.stalingrad_roads.staff.lore import DEFENSIVE, TACTICAL
from grognard.games.stalingrad_roads.staff.outlook import Outlook
from grognard.games.stalingrad_roads.state import AXIS
from grognard.kernel import Action
from grognard.staff.answers import Answer, best, judged, prefer

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.staff.doctrine import RoadsDoctrine

NO_WAY = 50.0
"""What it costs to fall back where there is no way."""


class Troops:
    """What is done with units."""

    def __init__(self, doctrine: RoadsDoctrine) -> None:
        self.doctrine, self.game = doctrine, doctrine.game

    # Losses and retreats

    def lose(self, view: Outlook, option: Action) -> float:
        """The cheapest step of ours; if we say what the enemy loses, the dearest."""
        losses = view.state.local
        theirs = isinstance(losses, Losses) and losses.chooser == view.side
        price = view.step(option[1])
        return price if theirs and view.state.side(option[1]) != view.side else -price

    def discard(self, view: Outlook, option: Action) -> float:
        return -view.weight(option[1], view.state.steps[option[1]])

    def stand_or_retreat(self, view: Outlook, options: list[Action]) -> Action:
        """AR: one hex back unless we stand on something that matters."""
        battle: Battle = view.state.local
        units = attackers_left(view.state, battle)
        cells = {view.state.where[u] for u in units}
        lost = sum(view.prizes.get(c, 0.0) + (view.ring >> c & 1) * view.numbers["ring"] for c in cells)
        prices = sorted(view.step(u) for u in units)
        return ("stand",) if lost > sum(prices[:2]) + view.numbers["yield"] else ("retreat",)

    def hold_or_retreat(self, view: Outlook, options: list[Action]) -> Action:
        """F: nobody leaves for nothing. S: a step, or the hex with what it is worth."""
        battle: Battle = view.state.local
        if battle.defensive == "F":
            return ("stand",)
        cell, state = battle.target, view.state
        units = defenders_left(state, battle)
        troops = [u for u in units if not self.game.hqs >> u & 1] or units
        if not units:
            return options[0]
        ground = view.prizes.get(cell, 0.0) + (view.ring >> cell & 1) * view.numbers["ring"]
        ways = [n for n in view.lore.contact[cell] if not view.foes >> n & 1 and n not in battle.origins]
        ground += view.numbers["yield"] * len(units) + (NO_WAY if not ways else 0.0)
        return ("stand",) if ground > min(view.step(u) for u in troops) else ("retreat",)

    def fall_back(self, view: Outlook, options: list[Action]) -> Action:
        """Who goes first, and where he stands best; no farther than he must."""
        if ("stay",) in options:
            return max(options, key=lambda o: 0.0 if o[0] == "stay" else self._room(view, o))
        gains = {
            (unit, cell): gain
            for unit in sorted({o[1] for o in options})
            for cell, gain in self.doctrine.gains(view, unit, [o[2] for o in options if o[1] == unit]).items()
        }
        return max(options, key=lambda option: gains[option[1], option[2]])

    def _room(self, view: Outlook, option: Action) -> float:
        """Whoever is one too many goes on rather than that somebody dies."""
        return 1.0 if not view.zones >> option[2] & 1 else 0.5

    def advance(self, view: Outlook, options: list[Action]) -> Action:
        found, most = ("hold",), 1e-6
        for option in options:
            if option[0] == "advance":
                gain = self.doctrine.gains(view, option[1], [option[2]])[option[2]] + view.numbers["advance"]
                if gain > most:
                    found, most = option, gain
        return found

    def exploit(self, view: Outlook, option: Action) -> float:
        """The strong and the fast."""
        if option[0] == "finish":
            return 0.0
        battle: Battle = view.state.local
        unit = self.game.units[option[1]]
        value = 1.0 + attack_factor(self.game, view.state, option[1]) + 4 * (unit.black or unit.mixed)
        return value / exploitation_cost(self.game, view.state, battle, option[1])

    def react(self, view: Outlook, options: list[Action]) -> Action:
        """Whoever stands better elsewhere moves; whoever blocks the way of the enemy to a place of ours."""
        found, most = ("pass",), float(view.numbers["react"])
        for option in options:
            if option[0] != "react":
                continue
            cells = view.game.board.within((view.state.where[option[1]],), 2) & view.ground & ~view.foes
            gains = self.doctrine.gains(view, option[1], each(cells))
            gain = max(gains.values(), default=0.0)
            if gain > most:
                found, most = option, gain
        return found

    # Battles

    def declare(self, view: Outlook, options: list[Action]) -> Action:
        """8.6 Armour where exploitation is likely; an elite unit that can bear the first loss, where a choice
        of results matters; not both, so that the enemy does not choose who bleeds."""
        battle: Battle = view.state.local
        state, game = view.state, self.game
        kind = ground_kind(game, state, battle.target)
        if battle.elite >= 0 or battle.armoured:
            return ("finish",)
        wanted, reward = state.demand
        if ("armoured",) in options and reward > 0 and state.armoured_attacks < wanted and view.side == AXIS:
            return ("armoured",)  # 15.3 what a crisis has demanded restores Manstein
        drive = view.lore.drive[kind, battle.odds] if not state.mud else 0.0
        if ("armoured",) in options and drive >= view.common["armoured"]:
            return ("armoured",)
        elite = [o for o in options if o[0] == "use-elite" and state.steps[o[1]] > 1]
        if elite and battle.odds >= view.common["elite_attack"]:
            return min(elite, key=lambda o: view.step(o[1]))
        return ("finish",)

    def declare_defence(self, view: Outlook, options: list[Action]) -> Action:
        battle: Battle = view.state.local
        elite = [o for o in options if o[0] == "use-elite" and view.state.steps[o[1]] > 1]
        if elite and battle.odds >= view.common["elite_defence"]:
            return min(elite, key=lambda o: view.step(o[1]))
        return ("pass",)

    def result(self, view: Outlook, option: Action) -> float:
        """Of the results of a block the best as the ground changes it (8.10.2)."""
        battle: Battle = view.state.local
        code = self.game.result_codes[option[1]]
        changed = self.game.data.results[ground_kind(self.game, view.state, battle.target)].get(code, code)
        if view.side == view.state.active:
            return float(TACTICAL.index(changed)) if changed in TACTICAL else 0.0
        return float(DEFENSIVE.index(changed)) if changed in DEFENSIVE else 0.0

    def river(self, view: Outlook, options: list[Action]) -> Action:
        """Whichever leaves the attacker less."""
        battle: Battle = view.state.local
        results = self.game.data.results
        kind = ground_kind(self.game, view.state, battle.target)
        by_river = LEVELS.get(results["major_river"][battle.tactical], 0)
        return ("by-river",) if by_river < LEVELS.get(results[kind][battle.tactical], 0) else ("by-hex",)

    def defend_with(self, view: Outlook, options: list[Action]) -> Action:
        """Whatever lowers the column."""
        battle: Battle = view.state.local
        state, game = view.state, self.game

        def column(answered: Sequence[int], doubled: Sequence[int]) -> int:
            odds = work_out_odds(
                game, state, battle.attackers, battle.target, battle.called, answered, doubled
            )
            return odds.final

        now = column(battle.answered, battle.doubled)
        if now < WORST:
            return ("pass",)
        for option in options:
            if option[0] == "answer":
                index = next(i for i, m in enumerate(state.markers) if m.kind == option[1] and m.cell >= 0)
                if column((*battle.answered, index), battle.doubled) < now:
                    return option
            elif option[0] == "fly":
                event = game.planes[option[1]].id
                troops = [u for u in battle.defenders if state.enclosed >> u & 1]
                if event == "rattenkrieg" and now >= 2 and not battle.rats:
                    return option
                if event != "rattenkrieg" and column(battle.answered, troops) < now:
                    return option
        return ("pass",)

    # Arrivals and replacements

    def arrive(self, view: Outlook, options: list[Action]) -> Action:
        """The strongest first, where he stands best."""
        units = sorted({o[1] for o in options if o[0] != "pass"})
        unit = max(units, key=lambda u: (view.weight(u, self.game.units[u].steps), -u))
        cells = [o[2] for o in options if o[0] != "pass" and o[1] == unit]
        cell = min(cells, key=lambda c: (self._bad_entry(view, unit, c), c))
        return next(o for o in options if o[1:] == (unit, cell))

    def _bad_entry(self, view: Outlook, unit: int, cell: int) -> float:
        lonely = 0.0 if view.fed_hexes(unit) >> cell & 1 else 20.0
        exposed = view.threats.total[cell] / 10 if self.game.hqs >> unit & 1 else 0.0
        return view.goal(cell) + 10 * view.depth[cell] + lonely + exposed

    def arrive_in_city(self, view: Outlook, options: list[Action]) -> Action:
        """Only where the front is near: the reserve goes anywhere (17.1)."""
        arrivals = [o for o in options if o[0] == "arrive"]
        near = [o for o in arrivals if view.goal(o[2]) <= view.common["marching"]]
        return self.arrive(view, near) if near else ("pass",)

    def return_hq(self, view: Outlook, option: Action) -> float:
        """Where it leads most of ours, out of the enemy's reach."""
        led = view.led_from(option[1], option[2]) & view.state.occupied[view.side]
        return led.bit_count() - view.threats.total[option[2]] / 5

    def detrain(self, view: Outlook, option: Action) -> float:
        unit = view.state.local.units[0]
        return self.doctrine.gains(view, unit, [option[1]])[option[1]]

    def entrain(self, view: Outlook, options: list[Action]) -> Action:
        """New units go on to the front while there is rail."""
        far = [
            o
            for o in options
            if o[0] == "entrain" and view.goal(view.state.where[o[1]]) > view.common["by_rail"]
        ]
        return max(far, key=lambda o: view.weight(o[1], view.state.steps[o[1]]), default=("pass",))

    def rebuild(self, view: Outlook, option: Action) -> float:
        """The step that is worth most; armour costs a marker."""
        if option[0] == "end":
            return 0.0
        unit, steps = option[1], view.state.steps[option[1]]
        more = view.weight(unit, min(steps + 1, self.game.units[unit].steps)) - view.weight(unit, steps)
        return more - (view.common["marker"] if self.game.units[unit].armoured else 0.0)

    def retire(self, view: Outlook, option: Action) -> float:
        unit = option[1]
        near = view.state.where[unit] >= 0 and view.zones >> view.state.where[unit] & 1
        return -view.weight(unit, max(1, view.state.steps[unit])) - (1.0 if near else 0.0)

    def promote(self, view: Outlook, option: Action) -> float:
        """Whoever has most steps left, near the front."""
        cell = view.state.where[option[1]]
        return view.state.steps[option[1]] - (0.01 * view.goal(cell) if cell >= 0 else 0.5)

    def starve(self, view: Outlook, option: Action) -> float:
        if option[0] == "pass":
            return 0.0
        return sum(view.weight(u, view.state.steps[u]) for u in each(view.state.fighters_at(option[1])))

    # The fortress

    def declare_fortress(self, view: Outlook, options: list[Action]) -> Action:
        """10.1 At once: those who are cut off defend with half their factors, those of a fortress in full
        (10.3.2). Where its zone holds most of them, those in the city before all others."""
        state, game = view.state, self.game
        cut_off = [u for u in each(state.unsupplied & game.units_of[AXIS] & ~game.hqs) if state.where[u] >= 0]
        keep = float(view.numbers["keep"])
        worth = {
            u: view.weight(u, state.steps[u]) * (1 + keep * view.prizes.get(state.where[u], 0.0))
            for u in cut_off
        }

        def saved(cell: int) -> float:
            zone = zone_about(game, state, cell)
            watched = 0.1 if view.zones >> cell & 1 else 0.0
            return sum(worth[u] for u in cut_off if zone >> state.where[u] & 1) - watched

        declared = [o for o in options if o[0] == "declare"]
        return max(declared, key=lambda o: (saved(o[1]), -o[1]), default=("pass",))

    def station(self, view: Outlook, options: list[Action]) -> Action:
        """The weakest divisions are flown out; defenders' events go to the stacks in most danger."""
        state = view.state
        out = [o for o in options if o[0] == "evacuate"]
        if out:
            return max(out, key=lambda o: (self.game.units[o[1]].defence, -o[1]))
        stations = [o for o in options if o[0] == "station"]
        if not stations:
            return options[0]

        def danger(option: Action) -> float:
            cell = option[2]
            strength = max(1.0, view.force(state.at[cell]).strength)
            defensive = self.game.planes[option[1]].id in (
                "unit_resistance",
                "stack_resistance",
                "rattenkrieg",
            )
            return view.threats.total[cell] / strength * (1 if defensive else -1)

        return max(stations, key=lambda o: (danger(o), -o[1], -o[2]))


def answers(doctrine: RoadsDoctrine) -> Mapping[str, Answer]:
    t = Troops(doctrine)
    return {
        "lose-step": best(t.lose),
        "lose-excess": best(t.discard),
        "stand-or-retreat": judged(t.stand_or_retreat),
        "hold-or-retreat": judged(t.hold_or_retreat),
        "fall-back": judged(t.fall_back),
        "advance-unit": judged(t.advance),
        "mark-exploiters": best(t.exploit),
        "react-with": judged(t.react),
        "declare-attack": judged(t.declare),
        "declare-defence": judged(t.declare_defence),
        "pick-tactical": best(t.result),
        "pick-defensive": best(t.result),
        "river-or-hex": judged(t.river),
        "defend-with": judged(t.defend_with),
        "choose-target": prefer("end"),
        "surprise-target": prefer("pass"),
        "raise-kampfgruppe": prefer("raise"),
        "place-arrival": judged(t.arrive),
        "place-free-division": judged(t.arrive),
        "place-rebuilt": judged(t.arrive),
        "place-released": judged(t.arrive),
        "place-in-city": judged(t.arrive_in_city),
        "return-hq": best(t.return_hq),
        "detrain": best(t.detrain),
        "rail-arrivals": judged(t.entrain),
        "spend-replacements": best(t.rebuild),
        "retire": best(t.retire),
        "starve": best(t.starve),
        "promote": best(t.promote),
        "declare-fortress": judged(t.declare_fortress),
        "station-planes": judged(t.station),
        "fly-to-move": prefer("pass"),
        "fly-to-fight": prefer("pass"),
        "give-up": best(t.discard),
        "take-back": prefer("pass"),
    }
