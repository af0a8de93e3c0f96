"""The small decisions of Stalingrad Roads about supports, offensives, the reserve and politics."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.stalingrad_roads.data import Support
from grognard.games.stalingrad_roads.rules.command import supplied_units
from grognard.games.stalingrad_roads.rules.major import Mustering
from grognard.games.stalingrad_roads.rules.odds import WORST
from grognard.games.stalingrad_roads.rules.stavka import Release, place_of
from grognard.games.stalingrad_roads.rules.supports import Placing, Surprise, attachable, spots
from grognard.games.stalingrad_roads.staff.outlook import Outlook
from grognard.games.stalingrad_roads.staff.plan import FIGHT, Help, RoadsPlan
from grognard.games.stalingrad_roads.state import AXIS, SOVIET, STAVKA, STAVKA_RESERVE, RoadsState
from grognard.kernel import Action
from grognard.staff.answers import Answer, best, judged, prefer
from grognard.staff.plan import Target

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.staff.doctrine import RoadsDoctrine


class Arms:
    """What is done with markers."""

    def __init__(self, doctrine: RoadsDoctrine) -> None:
        self.doctrine, self.game = doctrine, doctrine.game
        order = [*doctrine.numbers["supports"]["soviet"], *doctrine.numbers["supports"]["axis"]]
        self.rank = {self.game.support_index[name]: n for n, name in enumerate(order)}

    def precious(self, kind: int) -> float:
        """The higher the more: by the order of the doctrine."""
        return -float(self.rank.get(kind, len(self.rank)))

    # Chosen, handed in, paid

    def choose(self, view: Outlook, options: list[Action], random: Random | None) -> Action:
        """The list of the doctrine, as far as it goes; now and then another, that nobody may know (S2.3)."""
        wanted = self.doctrine.numbers["supports"]["opening"][self.game.sides[view.side]]
        left = [self.game.support_index[name] for name in wanted]
        for written in view.state.written(view.side):
            if written[1] in left:
                left.remove(written[1])
        offered = {o[1]: o for o in options}
        likely = [offered[kind] for kind in left if kind in offered]
        if random is not None and random.random() < view.common["surprise"]:
            return options[int(random.random() * len(options))]
        return likely[0] if likely else max(options, key=lambda o: self.precious(o[1]))

    def pay(self, view: Outlook, option: Action) -> float:
        """The least precious."""
        if option[0] == "absorb":
            return -view.weight(option[1], view.state.steps[option[1]])
        return -self.precious(option[1])

    def gain(self, view: Outlook, option: Action) -> float:
        return self.precious(option[1])

    def swap(self, view: Outlook, options: list[Action]) -> Action:
        chosen = min if options[0][0] == "hand-in" else max
        return chosen(options, key=lambda o: self.precious(o[1]))

    def effect(self, view: Outlook, option: Action) -> float:
        order = self.doctrine.numbers["effects"]
        return -float(order.index(self.game.write_argument("effect", option[1])))

    # Where markers go

    def deploy(self, view: Outlook, options: list[Action]) -> Action:
        """The marker that does most good; what has to be played goes first (S2.5)."""
        spared = self.spared(view)
        values = {
            o: self._use(view, o[1], o[2])[0] - (spared if o[2] == STAVKA else 0.0)
            for o in options
            if o[0] == "take"
        }
        found = max(values, key=lambda o: (values[o], o), default=None)
        if found is not None and (("end",) not in options or values[found] > view.common["marker"]):
            return found
        moved = {o: self._use(view, o[1], o[2])[0] - spared for o in options if o[0] == "transfer"}
        better = max(moved, key=lambda o: (moved[o], o), default=None)
        if better is not None and moved[better] > view.common["transfer"]:
            return better
        return ("end",) if ("end",) in options else options[0]

    def spared(self, view: Outlook) -> float:
        """What a marker brings that stays in the STAVKA box (S2.17); the first blow comes first."""
        game, state = self.game, view.state
        points, first = game.scenario(state).points, state.turn in game.plan(state).no_stavka
        if (
            view.plain
            or view.side == AXIS
            or first
            or game.in_box(state, STAVKA) > points.get("support-most", 0)
        ):
            return 0.0
        return float(points.get("support", 0))

    def place(self, view: Outlook, options: list[Action]) -> Action:
        placing: Placing = view.state.local
        found = self._use(view, placing.kind, placing.box)[1]
        return found if found in options else options[0]

    def _use(self, view: Outlook, kind: int, box: int) -> tuple[float, Action | None]:
        """The best place for a marker of a box and what it does there."""
        game, state, support = self.game, view.state, self.game.supports[kind]
        placing = Placing(kind, box)
        if support.placement == "stack":
            units = attachable(game, state, placing)
            if support.sort == "surprise_attack":
                values = {("attach", u): self._surprise(view, state.where[u])[0] for u in units}
            else:
                values = self._attach(view, support, units)
        else:
            values = self._lay(view, support, spots(game, state, placing))
        found = max(values, key=lambda o: (values[o], -o[1]), default=None)
        return (values[found], found) if found is not None else (0.0, None)

    def _attacks(self, view: Outlook) -> tuple[RoadsPlan | None, list[Target]]:
        plan = self.doctrine.prospect(view.state, view.side)
        return plan, [t for _, t in plan.attacks()] if plan is not None else []

    def _help(self, plan: RoadsPlan, target: Target, support: Support) -> float:
        """What a marker adds to a planned attack."""
        more: tuple[Help, ...] = ((support.sort, support.shift, support.attack),)
        value = plan.with_help(target, target.attackers, more)
        value -= max(0.0, plan.with_help(target, target.attackers, ()))
        effects = plan.view.numbers["exploit"] * ("exploitation_plus_1" in support.effects)
        return float(value + effects / 2 + plan.view.common["leader"] * support.leader)

    def _attach(self, view: Outlook, support: Support, units: list[int]) -> dict[Action, float]:
        values: dict[Action, float] = {("attach", u): 0.0 for u in units}
        if "attack" in support.uses:
            plan, targets = self._attacks(view)
            for target in targets:
                assert plan is not None
                value = self._help(plan, target, support)
                for stack in target.attackers:
                    option = ("attach", plan.units[stack])
                    if option in values:
                        # With the strongest, who is surest to be there.
                        values[option] = max(values[option], value + plan.strength[stack] / 100)
        if "defence" in support.uses and support.defence:
            for unit in units:
                shield = self._shield(view, view.state.where[unit], support.defence)
                values["attach", unit] = max(values["attach", unit], shield)
        return values

    def _shield(self, view: Outlook, cell: int, points: int) -> float:
        """What some defence points more save on a hex of ours."""
        members, threat = view.state.at.get(cell, 0), view.threats.total[cell]
        if not members or not threat or view.state.side(each(members)[0]) != view.side:
            return 0.0
        strength = int(view.force(members).strength) + view.shelter[cell]
        attack = int(min(threat, 3 * view.common["crowd"]))
        ground = view.dear(cell)
        losses = []
        for defence in (strength, strength + points):
            column = view.lore.column(attack, defence, 0)
            driven = view.numbers["yield"]
            losses.append(
                view.battle_at(members, cell, column, False, ground, driven) if column >= WORST else 0.0
            )
        return float(view.numbers["shield"] * (losses[0] - losses[1]))

    def _lay(self, view: Outlook, support: Support, cells: int) -> dict[Action, float]:
        state = view.state
        values: dict[Action, float] = {("lay", c): 0.0 for c in each(cells)}
        if support.attack and "attack" in support.uses:
            plan, targets = self._attacks(view)
            for target in targets:
                assert plan is not None
                if ("lay", target.cell) in values:
                    values["lay", target.cell] = self._help(plan, target, support)
        for option in values:
            cell = option[1]
            if support.sort == "alarm":
                values[option] = -view.empty(cell) - 0.01 * view.goal(cell) if not state.at.get(cell) else 0.0
            elif support.sort == "surrender":
                values[option] = sum(view.step(u) for u in each(state.at[cell] & state.unsupplied))
            elif support.sort == "reserves":
                values[option] = max(0.2, 2.0 - 0.05 * view.goal(cell))
            elif support.sort in ("raid", "aa") or support.id == "a-goering":
                values[option] = max(values[option], view.common["airlift"] if state.fortress >= 0 else 0.0)
            elif "defence" in support.uses:
                points = support.defence or 1
                values[option] = max(values[option], self._shield(view, cell, points))
        return values

    # Surprise attacks (5.5.7)

    def _surprise(self, view: Outlook, cell: int) -> tuple[float, Action]:
        """The best surprise attack of the stack on a hex, and where it goes first."""
        state = view.state
        units = [u for u in each(state.fighters_at(cell)) if state.side(u) == view.side]
        if not units:
            return 0.0, ("keep",)
        area = [n for n in view.lore.contact[cell] if not view.foes >> n & 1 and view.ground >> n & 1]
        best_: tuple[float, Action] = (0.0, ("keep",))
        for there in (cell, *area):
            if not view.lore.game.board.spread(1 << there) & view.foes:
                continue
            for value in self._strikes(view, units, cell, there):
                if value > best_[0]:
                    best_ = (value, ("keep",) if there == cell else ("approach", there))
        return best_

    def _strikes(self, view: Outlook, units: list[int], cell: int, there: int) -> list[float]:
        plan = RoadsPlan(view, units, [[cell, there]] * len(units), scope=FIGHT)
        found = []
        for target in plan.targets:
            if there in plan.contact[target.cell]:
                for stack in range(len(units)):
                    plan._place[stack] = there
                found.append(plan.with_help(target, range(len(units)), ()))
        return found

    def approach(self, view: Outlook, options: list[Action]) -> Action:
        surprise: Surprise = view.state.local
        found = self._surprise(view, surprise.cell)[1]
        return found if found in options else ("keep",)

    # Offensives

    def offensive(self, view: Outlook, options: list[Action]) -> Action:
        """Back with those that have no enemy in reach; the major one as soon as it can begin; the minor ones
        where most can be done."""
        for option in options:
            if option[0] == "recall" and self._idle(view, option[1]):
                return option
        for verb in ("launch", "open"):
            hexes = [o for o in options if o[0] == verb]
            if hexes:
                return max(hexes, key=lambda o: (self._stage(view, o[-1], 3 if verb == "launch" else 2), o))
        return ("end",) if ("end",) in options else options[0]

    def _idle(self, view: Outlook, number: int) -> bool:
        """No enemy is left in reach of an offensive: what lies in its box helps nobody there (11.3.1)."""
        reach = self.game.board.within((view.state.offensives[number],), 4 if number == 0 else 3)
        return not reach & view.foes

    def _stage(self, view: Outlook, cell: int, radius: int) -> float:
        """How much could be done about a hex: our strength near it against the enemy's, and what is there."""
        state, board = view.state, self.game.board
        reach = board.within((cell,), radius + 1)
        ours = sum(
            self.game.units[u].attack
            for c in each(reach & state.occupied[SOVIET])
            for u in each(state.fighters_at(c))
        )
        theirs = sum(view.force(state.at[c]).strength for c in each(reach & view.foes))
        prizes = sum(value for c, value in view.prizes.items() if reach >> c & 1 and not view.mine >> c & 1)
        others = [c for c in state.offensives if c >= 0]
        alone = (
            1.0 if all(board.distance(cell, c) > 2 * radius for c in others) else view.common["shared_stage"]
        )
        return alone * min(ours, 2 * theirs) * (1 + prizes / 5 + 0.2 * (reach & view.ring).bit_count())

    def muster(self, view: Outlook, options: list[Action]) -> Action:
        """11.4.2 What is of little use in an attack is exchanged, two for one; the rest is kept for it."""
        mustering: Mustering = view.state.local
        if options[0][0] in ("pay-for", "obtain"):
            chosen = min if options[0][0] == "pay-for" else max
            return chosen(options, key=lambda o: self.precious(o[1]))
        given = [o for o in options if o[0] == "give"]
        if mustering.given:
            return min(given, key=lambda o: self.precious(o[1]))
        game = self.game
        poor = [o for o in given if not game.supports[o[1]].offensive]
        count = sum(game.held(view.state, o[1], STAVKA) for o in poor)
        if count >= 2:
            return min(poor, key=lambda o: self.precious(o[1]))
        return ("keep-all",)

    # The reserve

    def front(self, view: Outlook, option: Action) -> float:
        """An HQ near the place that it leads to, on a railway, with few units about it."""
        if option[0] == "pass":
            return -99.0
        state, common = view.state, view.common
        cell = state.where[option[1]]
        rail = {"major_city": 6.0, "city": 4.0, "rail": 2.0}.get(place_of(self.game, cell), 0.0)
        about = self.game.board.within((cell,), int(common["front_width"])) & state.occupied[SOVIET]
        crowd = sum(state.fighters_at(c).bit_count() for c in each(about))
        goal = view.numbers["front_goal"] * view.post(option[1], cell)
        return float(rail - goal - view.numbers["front_crowd"] * crowd)

    def speed_up(self, view: Outlook, options: list[Action]) -> Action:
        """A marker or two for the release of a full reserve, if there are more than the major offensive needs
        or the reserve is overfull."""
        release: Release = view.state.local
        waiting = view.state.at.get(STAVKA_RESERVE, 0).bit_count()
        rich = self.game.in_box(view.state, STAVKA) > self.game.data.numbers["major_offensive_supports"]
        rich = rich and waiting >= view.common["crowded_reserve"]
        if rich or (waiting >= view.numbers["overfull"] and release.bonus < 2):
            return max((o for o in options if o[0] == "spend"), key=lambda o: self.pay(view, o))
        return ("pass",)

    def call(self, view: Outlook, option: Action) -> float:
        return view.weight(option[1], self.game.units[option[1]].steps)

    # Pontoons (4.1.3)

    def bridge(self, view: Outlook, options: list[Action]) -> Action:
        """Where it brings several units more into supply; the HQ then stays."""
        before = self._fed(view.state, view.side)
        found, most = ("end",), before + view.common["pontoon"]
        for option in options:
            if option[0] == "pontoon":
                then = view.state.clone()
                then.pontoons = tuple(sorted((*then.pontoons, (option[1], option[2]))))
                fed = self._fed(then, view.side)
                if fed >= most:
                    found, most = option, fed + 1
        return found

    def strike(self, view: Outlook, options: list[Action]) -> Action:
        before = self._fed(view.state, view.side)
        for option in options:
            if option[0] == "strike":
                then = view.state.clone()
                then.pontoons = tuple(entry for entry in then.pontoons if entry[0] != option[1])
                if self._fed(then, view.side) > before - view.common["pontoon"]:
                    return option
        return ("end",)

    def _fed(self, state: RoadsState, side: int) -> int:
        units = self.game.units_of[side] & ~self.game.hqs
        return supplied_units(self.game, state, side, units).bit_count()

    # Manstein

    def storm(self, view: Outlook, options: list[Action]) -> Action:
        """Wintergewitter when there is somebody to relieve."""
        return ("storm",) if view.state.fortress >= 0 else ("pass",)

    def backhand(self, view: Outlook, options: list[Action]) -> Action:
        """Once a lost major city is within reach of enough strength: the attack factors that could come to
        it within a turn or two, against those who hold it. Before the next crisis that would cost Manstein
        his command in any case."""
        game, state = self.game, view.state
        if ("pass",) not in options:
            return options[0]
        if state.manstein <= 1 and state.approval <= view.common["last_credit"]:
            return ("backhand",)
        for cell in each(game.data.major_cities & ~game.data.stalingrad & state.soviet_hexes & view.ground):
            near = game.board.within((cell,), int(view.common["backhand_reach"]))
            ours = sum(
                game.units[u].attack
                for c in each(near & state.occupied[AXIS])
                for u in each(state.fighters_at(c))
            )
            held = view.force(state.at[cell]).strength if state.occupied[SOVIET] >> cell & 1 else 0
            if ours >= view.common["backhand_odds"] * (held + view.shelter[cell]):
                return ("backhand",)
        return ("pass",)


def arms(doctrine: RoadsDoctrine) -> Mapping[str, Answer]:
    a = Arms(doctrine)
    return {
        "choose-supports-axis": a.choose,
        "choose-supports-soviet": a.choose,
        "choose-supports-before": a.choose,
        "choose-effect": best(a.effect),
        "strike-pontoon": judged(a.strike),
        "lay-pontoon": judged(a.bridge),
        "play-maskirovka": prefer("pass"),
        "shift-markers": prefer("finish"),
        "place-offensives": judged(a.offensive),
        "muster": judged(a.muster),
        "spend-on-mars": prefer("pass"),
        "choose-front": best(a.front),
        "spend-on-release": judged(a.speed_up),
        "forfeit": best(a.pay),
        "deploy-markers": judged(a.deploy),
        "place-marker": judged(a.place),
        "pay-marker": best(a.pay),
        "pay-for-armour": best(a.pay),
        "call-reserve": best(a.call),
        "approach": judged(a.approach),
        "launch-wintergewitter": judged(a.storm),
        "launch-backhand": judged(a.backhand),
        "choose-markers": judged(a.swap),
        "buy-strategic-movement": prefer("pass"),
    }
