"""Second Front as computer players are taught it. The numbers are in doctrine.toml."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from grognard.games.second_front.advice import FrontAdviser
from grognard.games.second_front.rules.attacking import ready
from grognard.games.second_front.rules.overruns import hunting_parties
from grognard.games.second_front.rules.position import has_room, overfull
from grognard.games.second_front.rules.stepping import Move, MoveUnit
from grognard.games.second_front.rules.victory import penalties
from grognard.games.second_front.staff.outlook import Lore, Outlook
from grognard.games.second_front.staff.plan import SecondFrontPlan
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED
from grognard.kernel import Action, Refusal
from grognard.kernel.doctrine import Plan
from grognard.mechanics.pieces import members
from grognard.staff.answers import BETTER, Answer, prefer
from grognard.staff.doctrine import StaffDoctrine

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront


class FrontDoctrine(StaffDoctrine):
    """See grognard.kernel.doctrine.Doctrine."""

    game: SecondFront
    lore: Lore
    outlook = Outlook

    def __init__(self, game: SecondFront, numbers: Mapping[str, Any]) -> None:
        super().__init__(game, Lore(game, numbers))
        self.adviser = FrontAdviser(game)
        self.answers: Mapping[str, Answer] = {
            "place-arrival": self._arrive,
            "rebuild": strongest("bring-back", "rebuild", "replace-cadre"),
            "muster": strongest("muster"),
            "muster-at-once": strongest("muster"),
            "withdraw": cheapest,
            "assemble": prefer("assemble", "end"),
            "attacker-losses": cheapest,
            "defender-losses": cheapest,
            "fall-back": self._best("retreat"),
            "advance-after-combat": self._best("advance"),
            "follow-charge": self._best("advance"),
            "surprise-attack": prefer("surprise"),
            "call-off": prefer("press-on"),
            **dict.fromkeys(("slip-away-from-attack", "slip-away-from-overrun", "flood"), prefer("pass")),
            **dict.fromkeys(("begin-work", "seat-government", "choose-target"), prefer("end")),
            **dict.fromkeys(("detrain", "send-freight", "gather-charge"), prefer("charge", "cancel")),
            "build-attack": prefer("fight", "cancel"),
            "pick-unit": self._make_room,
            "move-unit": self._leave,
        }

    # Plans

    def plan_movement(self, state: FrontState, side: int, crowded: bool = False) -> SecondFrontPlan | None:
        game, decision, move = self.game, self.game.decision(state), state.top(Move)
        if decision is None or decision.name not in ("pick-unit", "move-unit"):
            return None
        if move is not None:
            ways = self.adviser.reach(state, ())
            cells = [] if isinstance(ways, Refusal) else list(ways)
            places = [[state.where[move.unit], *cells]]
            return SecondFrontPlan(self.view(state, side), [move.unit], places, armed=False)
        view = self.view(state, side)
        movers = [option[1] for option in game.options(state, side) if option[0] == "move"]
        if not movers:
            return None
        moving = set(movers)
        done = [unit for unit in view.ours() if unit not in moving]
        # After the exploitation phase nobody fights until the next turn.
        armed = state.within("movement-phase")
        return SecondFrontPlan(view, movers, done=done, armed=armed, crowded=crowded)

    def plan_combat(self, state: FrontState, side: int) -> SecondFrontPlan:
        view, able = self.view(state, side), ready(self.game, state)
        near = self.game.board.spread(view.foes)
        done = [u for u in view.ours() if able >> u & 1 and near >> state.where[u] & 1]
        barred = 0
        for cell in {state.where[u] for u in members(state.attacked) if state.where[u] >= 0}:
            barred |= 1 << cell
        return SecondFrontPlan(view, (), (), done=done, barred=barred)

    def plan_still(self, state: FrontState, side: int) -> SecondFrontPlan:
        view = self.view(state, side)
        return SecondFrontPlan(view, (), (), done=view.ours(), armed=False)

    def plan_reply(self, state: FrontState, side: int) -> SecondFrontPlan | None:
        """13, 6: everybody may move on the next turn, with all his points."""
        view = self.view(state, side)
        return SecondFrontPlan(view, (), (), done=view.ours())

    def material(self, state: FrontState, side: int) -> float:
        """42: what the Allies lose costs them points besides."""
        view = self.view(state, side)
        whole = sum(view.weight(u, view.steps_of(u)) for u in view.ours())
        lost = sum(penalties(self.game, state).values()) if side == ALLIED else 0
        return float(whole - lost * view.common["place"])

    # Moves

    def march(self, state: FrontState, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        (unit,) = units
        in_hand = state.top(Move) is not None
        ways = self.adviser.reach(state, () if in_hand else units)
        if isinstance(ways, Refusal) or cell not in ways:
            return None
        first: tuple[Action, ...] = () if in_hand else (("move", unit),)
        return (*first, *(("step", c) for c in ways[cell].cells), ("halt",))

    def strike(self, state: FrontState, side: int) -> Plan | None:
        """13: who can be overrun is overrun by the fewest who can do it."""
        game, decision = self.game, self.game.decision(state)
        if decision is None or decision.name != "pick-unit":
            return None
        view = self.view(state, side)
        for option in game.options(state, side):
            if option[0] != "overrun":
                continue
            parties = hunting_parties(game, state, option[1])
            worth = sum(view.weight(u, view.steps_of(u)) for u in state.stack(option[1]))
            if parties and worth >= view.common["overrun"]:
                party = min(parties.values(), key=lambda units: (len(units), units))
                joined = (("join", unit) for unit in party)
                return Plan(worth, (option, *joined, ("charge",)), tuple(party))
        return None

    def announce(self, cell: int, units: Any) -> tuple[Action, ...]:
        return (("assault", cell), *(("join", u) for u in units), ("fight",))

    def plan_attack(self, state: FrontState, side: int) -> Plan | None:
        """9A: the most promising first, with those who add something."""
        decision = self.game.decision(state)
        if decision is None or decision.name != "choose-target":
            return None
        plan = self.plan_combat(state, side)
        for value, cell, stacks in self.attacks(plan, side):
            units = tuple(sorted(plan.units[s] for s in stacks if plan.strength[s]))
            script = self.announce(cell, units)
            if units and self._allowed(state, script):
                return Plan(value, script, units)
        return None

    def _allowed(self, state: FrontState, script: tuple[Action, ...]) -> bool:
        """8B, 9B: whether the rules let all of them attack together."""
        trial = state.clone()
        for action in script:
            if self.game.refuse(trial, action) is not None:
                return False
            if action != script[-1]:
                self.game.apply(trial, action)
        return True

    # Small answers

    def _make_room(self, view: Outlook, options: list[Action], _: Random | None) -> Action:
        """8B: nobody ends the phase while a hex is too full: the unit that is worth least there leaves it."""
        if ("end",) in options:
            return ("end",)
        game, state = self.game, view.state
        crowd = {u for cell in overfull(game, state, view.side) for u in state.stack(cell)}
        able = [o for o in options if o[0] == "move" and o[1] in crowd]
        able = [o for o in able if MoveUnit().ways(game, state, Move(o[1]))]
        return min(able, key=lambda option: (view.worth_of(option[1], 2), option))

    def _leave(self, view: Outlook, options: list[Action], _: Random | None) -> Action:
        """Who may not stay goes where he stands best."""
        steps = [option for option in options if option[0] == "step"]
        if ("halt",) in options or not steps:
            return ("halt",)
        unit, start = view.state.local.unit, view.state.where[view.state.local.unit]
        plan = SecondFrontPlan(view, [unit], [[start, *(step[1] for step in steps)]], armed=False)
        return max(steps, key=lambda step: (plan.gain(0, step[1]), step))

    def _arrive(self, view: Outlook, options: list[Action], _: Random | None) -> Action:
        """40A2: where the place that matters is nearest, and there is room."""
        game, state = self.game, view.state
        able = [o for o in options if o[0] == "arrive" and has_room(game, state, o[1], o[2])]
        return min(able, key=lambda o: (view.goal(o[2]), o)) if able else options[-1]

    def _best(self, verb: str) -> Answer:
        """Whoever stands best there goes, the best first; those who need not, stay if that is better."""

        def answer(view: Outlook, options: list[Action], _: Random | None) -> Action:
            moves = [option for option in options if option[0] == verb]
            if not moves:
                return options[-1]
            gains = {option: self._gain(view, option) for option in moves}
            best = max(moves, key=lambda option: (gains[option], option))
            return best if gains[best] > BETTER or len(moves) == len(options) else options[-1]

        return answer

    def _gain(self, view: Outlook, option: Action) -> float:
        """How much better a unit stands where an option puts it."""
        unit = option[1]
        cell = option[2] if len(option) > 2 else view.state.local.cell
        plan = SecondFrontPlan(view, [unit], [[view.state.where[unit], cell]], armed=False)
        return plan.gain(0, cell) + (view.numbers["advance"] if len(option) == 2 else 0.0)


def strongest(*verbs: str) -> Answer:
    """The option with one of these verbs that brings the strongest unit; else the last option."""

    def answer(view: Outlook, options: list[Action], _: Random | None) -> Action:
        found = [option for option in options if option[0] in verbs]
        if not found:
            return options[-1]
        return max(found, key=lambda option: (view.worth_of(option[1], 2), option))

    return answer


def cheapest(view: Outlook, options: list[Action], _: Random | None) -> Action:
    """9C: the unit that is missed least."""
    return min(options, key=lambda option: (view.step(option[1]), option[1]))
