"""The rules of Crossroads, in the order of its rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from crossroads.state import AMBER, TOKENS, CrossroadsState
from grognard.board.board import each
from grognard.kernel import (
    AGAIN,
    RETURN,
    Action,
    ChanceDecision,
    Decision,
    Flow,
    Refusal,
    Return,
    Role,
    Sealed,
    SetWaivers,
    Verb,
    Window,
    ask,
    call,
    do,
    procedure,
    refusal,
    step,
)
from grognard.mechanics.dice import D6, TWO_D6
from grognard.mechanics.odds import whole_odds
from grognard.mechanics.pieces import aboard

if TYPE_CHECKING:
    from crossroads.game import Crossroads


class Walk(NamedTuple):
    """3.0 The unit on the march."""

    unit: int


class Sniping(NamedTuple):
    """3.4 Who has come into sight, and who fires."""

    target: int
    shooter: int = -1


class Storm(NamedTuple):
    """4.0 An attack being put together, then fought."""

    target: int
    attackers: tuple[int, ...] = ()


# 1.0 The turn


def begin_turn(game: Crossroads, state: CrossroadsState) -> Flow:
    state.turn += 1
    state.shooters = 0
    state.emit("daybreak", "1.0", turn=state.turn)
    return None


def next_turn(game: Crossroads, state: CrossroadsState) -> Flow:
    over = state.turn >= state.last_turn or abs(state.nerve) >= game.numbers["nerve_limit"]
    return None if over else "turn"


# 2.0 The wager


class Wager(Sealed["Crossroads", CrossroadsState]):
    """2.0 Each side lays one of its tokens face down; 2.1 the higher goes first, Amber on a tie."""

    name = "wager"
    case = "2.0"
    verbs = {"stake": Verb(("token",))}

    def writers(self, game: Crossroads, state: CrossroadsState) -> tuple[int, ...]:
        return tuple(side for side in (0, 1) if state.hands[side])

    def choices(
        self, game: Crossroads, state: CrossroadsState, side: int, written: tuple[Action, ...]
    ) -> list[Action]:
        return [] if written else [("stake", token) for token in each(state.hands[side])]

    def why_not(
        self,
        game: Crossroads,
        state: CrossroadsState,
        side: int,
        written: tuple[Action, ...],
        action: Action,
    ) -> Refusal | None:
        if written or not state.hands[side] >> action[1] & 1:
            return refusal("no-such-token", "2.1", token=action[1])
        return None

    def finished(
        self, game: Crossroads, state: CrossroadsState, side: int, written: tuple[Action, ...]
    ) -> bool:
        return bool(written)

    def reveal(
        self, game: Crossroads, state: CrossroadsState, answers: Mapping[int, tuple[Action, ...]]
    ) -> Flow:
        worth = [0, 0]
        for side, ((_, token),) in answers.items():
            state.hands[side] &= ~(1 << token)
            state.cup |= 1 << token
            worth[side] = token % TOKENS + 1
        state.first = int(worth[1] > worth[0])
        # 2.1 Who goes first is public; what was laid is not.
        state.emit("wagered", "2.1", word_side=game.sides[state.first])
        return None


class DrawToken(ChanceDecision["Crossroads", CrossroadsState]):
    """2.2 At the end of a turn one token comes back out of the cup. Everybody sees whose it is, and only the
    owner which."""

    name = "draw-token"
    case = "2.2"
    verbs = {"return": Verb(("token",))}

    def pending(self, game: Crossroads, state: CrossroadsState) -> bool:
        return state.cup != 0

    def weights(self, game: Crossroads, state: CrossroadsState) -> list[tuple[Action, int]]:
        return [(("return", token), 1) for token in each(state.cup)]

    def apply(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Flow:
        token, owner = action[1], action[1] // TOKENS
        state.cup ^= 1 << token
        state.hands[owner] |= 1 << token
        state.emit("returned", "2.2", word_side=game.sides[owner])
        return None


# 3.0 Marching


def begin_side(game: Crossroads, state: CrossroadsState) -> Flow:
    state.moved = state.fought = state.attacked = 0
    for unit, counter in enumerate(game.units):
        state.left[unit] = counter.movement
    state.emit("phase", "3.0", word_side=game.sides[state.active])
    return None


def room(state: CrossroadsState, cell: int) -> bool:
    return state.height(cell) < 2


def beside_enemy(game: Crossroads, state: CrossroadsState, side: int, cell: int) -> list[int]:
    """The enemies next to a hex."""
    foes = state.side_units[1 - side]
    return [u for n in sorted(game.board.adjacent[cell]) for u in state.stack(n) if foes >> u & 1]


class March(Decision["Crossroads", CrossroadsState]):
    """3.0 Units are taken up one at a time; 3.2 wagons load and unload; 3.3 reserves arrive; 5.0 redoubts."""

    name = "march"
    case = "3.0"
    verbs = {
        "lift": Verb(("unit",), Role.TAKE),
        "muster": Verb(("unit", "hex"), Role.ENTER),
        "embark": Verb(("unit", "place")),
        "alight": Verb(("unit", "hex"), Role.PLACE),
        "dig": Verb(("hex",), Role.PLACE),
        "dusk": Verb((), Role.END),
    }

    def actor(self, game: Crossroads, state: CrossroadsState) -> int:
        return state.active

    def options(self, game: Crossroads, state: CrossroadsState, side: int) -> list[Action]:
        units = list(each(state.side_units[side]))
        tried: list[Action] = [
            *(("lift", u) for u in units),
            *(("muster", u, c) for u in units for c in game.arrivals),
            *(("embark", u, aboard(w)) for u in units for w in units),
            *(("alight", u, c) for u in units for c in game.board.cells),
            *(("dig", c) for c in game.board.cells),
            ("dusk",),
        ]
        return [action for action in tried if self.refuse(game, state, side, action) is None]

    def refuse(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "dusk":
            return None
        if action[0] == "dig":
            return self._why_not_dig(game, state, side, action[1])
        unit = action[1]
        if not state.side_units[side] >> unit & 1:
            return refusal("not-yours", "3.0", unit=unit)
        if state.moved >> unit & 1:
            return refusal("has-moved", "3.0", unit=unit)
        check = {"lift": self._why_not_lift, "muster": self._why_not_muster}.get(action[0])
        if check is not None:
            return check(game, state, unit, action)
        return self._why_not_load(game, state, side, action)

    def _why_not_lift(
        self, game: Crossroads, state: CrossroadsState, unit: int, action: Action
    ) -> Refusal | None:
        return None if state.where[unit] >= 0 else refusal("not-on-map", "3.0", unit=unit)

    def _why_not_muster(
        self, game: Crossroads, state: CrossroadsState, unit: int, action: Action
    ) -> Refusal | None:
        if state.where[unit] != game.coppice or game.units[unit].turn > state.turn:
            return refusal("not-in-coppice", "3.3", unit=unit)
        if action[2] not in game.arrivals:
            return refusal("not-an-arrival", "3.3", hex=action[2])
        if state.occupied[1 - game.side(unit)] >> action[2] & 1 or not room(state, action[2]):
            return refusal("no-room", "3.3", hex=action[2])
        return None

    def _why_not_load(
        self, game: Crossroads, state: CrossroadsState, side: int, action: Action
    ) -> Refusal | None:
        verb, unit, place = action
        if verb == "alight":
            wagon = game.carrier(state, unit)
            if wagon < 0 or state.where[wagon] != place:
                return refusal("not-aboard-there", "3.2", unit=unit, hex=place)
            return None if room(state, place) else refusal("no-room", "3.2", hex=place)
        wagon = game.wagon_of(place)
        if wagon < 0 or not state.side_units[side] >> wagon & 1 or game.units[unit].kind != "foot":
            return refusal("cannot-embark", "3.2", unit=unit)
        if state.where[unit] < 0 or state.where[unit] != state.where[wagon] or state.cargo(wagon):
            return refusal("cannot-embark", "3.2", unit=unit)
        return None

    def _why_not_dig(self, game: Crossroads, state: CrossroadsState, side: int, cell: int) -> Refusal | None:
        if state.dug[side] >= game.numbers["redoubts"]:
            return refusal("no-redoubt-left", "5.0")
        if state.redoubts >> cell & 1:
            return refusal("redoubt-there", "5.0", hex=cell)
        own = [u for u in state.stack(cell) if state.side_units[side] >> u & 1]
        if not any(game.units[u].kind == "foot" for u in own):
            return refusal("nobody-digs", "5.0", hex=cell)
        return None

    def apply(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Flow:
        if action[0] == "dusk":
            return None
        if action[0] == "dig":
            state.redoubts |= 1 << action[1]
            state.dug[side] += 1
            state.emit("dug", "5.0", hex=action[1])
            return AGAIN
        unit = action[1]
        if action[0] == "lift":
            state.push("walk", Walk(unit))
        elif action[0] == "muster":
            state.place(unit, action[2])
            state.emit("mustered", "3.3", unit=unit, hex=action[2])
            state.push("walk", Walk(unit))
        else:
            state.place(unit, action[2])
            state.moved |= 1 << unit
            kind = "embarked" if action[0] == "embark" else "alighted"
            state.emit(kind, "3.2", unit=unit, hex=state.cell(unit))
        return AGAIN


class Tread(Decision["Crossroads", CrossroadsState]):
    """3.1 Hex by hex, as far as the points go."""

    name = "tread"
    case = "3.1"
    verbs = {"tread": Verb(("hex",), Role.STEP), "rest": Verb((), Role.HALT)}

    def pending(self, game: Crossroads, state: CrossroadsState) -> bool:
        walk: Walk = state.local
        return state.where[walk.unit] >= 0

    def actor(self, game: Crossroads, state: CrossroadsState) -> int:
        return state.active

    def options(self, game: Crossroads, state: CrossroadsState, side: int) -> list[Action]:
        here = state.where[state.local.unit]
        steps: list[Action] = [("tread", cell) for cell in sorted(game.board.adjacent[here])]
        return [*(s for s in steps if self.refuse(game, state, side, s) is None), ("rest",)]

    def refuse(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "rest":
            return None
        unit, cell = state.local.unit, action[1]
        here = state.where[unit]
        if cell not in game.board.adjacent[here]:
            return refusal("too-far", "3.1", hex=cell)
        if state.occupied[1 - side] >> cell & 1:
            return refusal("enemy-there", "3.1", hex=cell)
        price = game.costs.step(here, cell)
        if price > state.left[unit]:
            return refusal("too-dear", "3.1", hex=cell, points=price, points_left=state.left[unit])
        return None if room(state, cell) else refusal("no-room", "3.1", hex=cell)

    def apply(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Flow:
        unit = state.local.unit
        if action[0] == "rest":
            state.moved |= 1 << unit
            return RETURN
        here = state.where[unit]
        state.left[unit] -= game.costs.step(here, action[1])
        state.moved |= 1 << unit
        state.place(unit, action[1])
        state.emit("trod", "3.1", unit=unit, hexes=(here, action[1]))
        return None


def after_shot(game: Crossroads, state: CrossroadsState, hit: bool | None) -> Flow:
    """3.4 Who is hit goes no farther."""
    return RETURN if hit else "tread"


# 3.4 Snipers


class Snipe(Window["Crossroads", CrossroadsState]):
    """3.4 The other side may fire at who comes next to one of its units, each unit once a turn."""

    name = "snipe"
    case = "3.4"
    occasion = "sniping"
    passing = "abstain"
    verbs = {"snipe": Verb(("unit",)), "abstain": Verb((), Role.PASS)}

    def actor(self, game: Crossroads, state: CrossroadsState) -> int:
        return 1 - state.active

    def could(self, game: Crossroads, state: CrossroadsState, side: int) -> bool:
        return not state.fog and bool(self.reactions(game, state, side))

    def reactions(self, game: Crossroads, state: CrossroadsState, side: int) -> list[Action]:
        cell = state.where[state.local.target]
        near = beside_enemy(game, state, 1 - side, cell)
        return [("snipe", u) for u in near if self.why_not(game, state, side, ("snipe", u)) is None]

    def why_not(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Refusal | None:
        unit, cell = action[1], state.where[state.local.target]
        if unit not in beside_enemy(game, state, 1 - side, cell):
            return refusal("cannot-see", "3.4", unit=unit)
        if state.shooters >> unit & 1 or game.units[unit].kind == "wagon":
            return refusal("has-fired", "3.4", unit=unit)
        return None

    def react(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Flow:
        state.shooters |= 1 << action[1]
        state.local = state.local._replace(shooter=action[1])
        state.emit("sniped", "3.4", unit=action[1], unit_target=state.local.target)
        return None

    def decline(self, game: Crossroads, state: CrossroadsState, side: int) -> Flow:
        return Return(False)


class SnipeDie(ChanceDecision["Crossroads", CrossroadsState]):
    """3.4 A five or a six hits."""

    name = "snipe-die"
    case = "3.4"
    verbs = {"cast": Verb(("number",))}

    def weights(self, game: Crossroads, state: CrossroadsState) -> list[tuple[Action, int]]:
        return list(D6.outcomes("cast"))

    def apply(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Flow:
        hit = action[1] >= game.numbers["snipe_hit"]
        target = state.local.target
        state.emit("hit" if hit else "missed", "3.4", unit=target, die=action[1])
        if hit:
            state.lose_step(target)
        return Return(hit)


# 4.0 Storming


def odds_of(game: Crossroads, state: CrossroadsState, storm: Storm) -> int:
    """4.1 Attack to defence, a column less against a redoubt."""
    attack = sum(game.attack(state, u) for u in storm.attackers)
    defence = sum(game.defence(state, u) for u in state.stack(storm.target))
    return whole_odds(attack, defence) - (state.redoubts >> storm.target & 1) if attack else -9


def may_storm(game: Crossroads, state: CrossroadsState, side: int, target: int) -> list[int]:
    """4.0 Units next to the target that have not stormed yet."""
    own = state.side_units[side] & ~state.fought
    near = [u for n in sorted(game.board.adjacent[target]) for u in state.stack(n) if own >> u & 1]
    return [u for u in near if game.attack(state, u)]


class ChooseTarget(Decision["Crossroads", CrossroadsState]):
    name = "choose-target"
    case = "4.0"
    verbs = {"assail": Verb(("hex",), Role.AIM), "dusk": Verb((), Role.END)}

    def actor(self, game: Crossroads, state: CrossroadsState) -> int:
        return state.active

    def options(self, game: Crossroads, state: CrossroadsState, side: int) -> list[Action]:
        aims: list[Action] = [("assail", c) for c in each(state.occupied[1 - side])]
        return [*(a for a in aims if self.refuse(game, state, side, a) is None), ("dusk",)]

    def refuse(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "dusk":
            return None
        if not state.occupied[1 - side] >> action[1] & 1:
            return refusal("nobody-there", "4.0", hex=action[1])
        if state.attacked >> action[1] & 1:
            return refusal("stormed-already", "4.0", hex=action[1])
        able = may_storm(game, state, side, action[1])
        if odds_of(game, state, Storm(action[1], tuple(able))) < game.crt.columns[0]:
            return refusal("too-weak", "4.1", hex=action[1])
        return None

    def apply(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Flow:
        if action[0] == "dusk":
            return RETURN
        state.local = Storm(action[1])
        return None


class BuildStorm(Decision["Crossroads", CrossroadsState]):
    name = "build-storm"
    case = "4.1"
    verbs = {"rally": Verb(("unit",), Role.JOIN), "storm": Verb((), Role.COMMIT)}

    def actor(self, game: Crossroads, state: CrossroadsState) -> int:
        return state.active

    def options(self, game: Crossroads, state: CrossroadsState, side: int) -> list[Action]:
        able = may_storm(game, state, side, state.local.target)
        found: list[Action] = [("rally", u) for u in able if u not in state.local.attackers]
        return [*found, ("storm",)] if self.refuse(game, state, side, ("storm",)) is None else found

    def refuse(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Refusal | None:
        storm: Storm = state.local
        if action[0] == "storm":
            weak = odds_of(game, state, storm) < game.crt.columns[0]
            return refusal("too-weak", "4.1", hex=storm.target) if weak else None
        if action[1] in storm.attackers or action[1] not in may_storm(game, state, side, storm.target):
            return refusal("cannot-join", "4.0", unit=action[1])
        return None

    def apply(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Flow:
        storm: Storm = state.local
        if action[0] == "rally":
            state.local = storm._replace(attackers=(*storm.attackers, action[1]))
            return AGAIN
        for unit in storm.attackers:
            state.fought |= 1 << unit
        state.attacked |= 1 << storm.target
        defenders = tuple(state.stack(storm.target))
        state.emit("stormed", "4.0", units=storm.attackers, units_target=defenders, hex=storm.target)
        return None


class StormDice(ChanceDecision["Crossroads", CrossroadsState]):
    """4.2 Two dice, added up."""

    name = "storm-dice"
    case = "4.2"
    verbs = {"throw": Verb(("number", "number"))}

    def weights(self, game: Crossroads, state: CrossroadsState) -> list[tuple[Action, int]]:
        return list(TWO_D6.outcomes("throw"))

    def apply(self, game: Crossroads, state: CrossroadsState, side: int, action: Action) -> Flow:
        storm: Storm = state.local
        column = game.crt.column(odds_of(game, state, storm))
        result = game.crt.result(column, action[1] + action[2])
        defenders = tuple(state.stack(storm.target))
        state.emit("outcome", "4.2", dice=action[1:], odds=column, result=result)
        losers = {
            "AL": storm.attackers[:1],
            "AE": storm.attackers,
            "DL": defenders[:1],
            "DE": defenders,
            "EX": (*storm.attackers[:1], *defenders[:1]),
            "-": (),
        }[result]
        for unit in losers:
            steps = state.steps[unit] if result.endswith("E") else 1
            for _ in range(steps):
                state.lose_step(unit)
            state.emit("lost", "4.2", unit=unit)
        state.local = None
        return "target"


# 6.0 Nerve and the end


def end_turn(game: Crossroads, state: CrossroadsState) -> Flow:
    for side in (0, 1):
        if state.occupied[side] >> game.village & 1:
            state.scores[side] += game.numbers["village_points"]
            state.nerve += 1 if side == AMBER else -1
            state.emit("held", "6.0", word_side=game.sides[side], hex=game.village)
    limit = game.numbers["nerve_limit"]
    state.nerve = max(-limit, min(limit, state.nerve))
    return None


def first_side(game: Crossroads, state: CrossroadsState) -> None:
    state.active = state.first


def second_side(game: Crossroads, state: CrossroadsState) -> None:
    state.active = 1 - state.first


PROCEDURES = {
    p.name: p
    for p in (
        procedure(
            "game",
            "1.0",
            step("turn", call("game-turn"), "1.0"),
            step("next", do(next_turn), "6.0"),
        ),
        procedure(
            "game-turn",
            "1.0",
            step("begin", do(begin_turn), "1.0"),
            step("wagers", ask(Wager()), "2.0"),
            step("first-march", call("side-turn", first_side), "3.0"),
            step("second-march", call("side-turn", second_side), "3.0"),
            step("token", ask(DrawToken()), "2.2"),
            step("end", do(end_turn), "6.0"),
            standing=(SetWaivers("3.4"),),
        ),
        procedure(
            "side-turn",
            "3.0",
            step("begin", do(begin_side), "3.0"),
            step("march", ask(March()), "3.0"),
            step("storms", call("storms"), "4.0"),
        ),
        procedure(
            "walk",
            "3.1",
            step("tread", ask(Tread()), "3.1"),
            step(
                "sniped",
                call("sniping", lambda game, state: Sniping(state.local.unit), receive=after_shot),
                "3.4",
            ),
            values=Walk,
        ),
        procedure(
            "sniping",
            "3.4",
            step("ask", ask(Snipe()), "3.4"),
            step("die", ask(SnipeDie()), "3.4"),
            values=Sniping,
        ),
        procedure(
            "storms",
            "4.0",
            step("target", ask(ChooseTarget()), "4.0"),
            step("build", ask(BuildStorm()), "4.1"),
            step("dice", ask(StormDice()), "4.2"),
            values=Storm,
        ),
    )
}
