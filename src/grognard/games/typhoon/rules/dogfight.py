"""11.2, 11.3 One air mission from the die of initiative to its effect: air combat, anti-aircraft fire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import each
from grognard.games.typhoon.data import Unit
from grognard.games.typhoon.rules.air import (
    NOBODY,
    aa_fire,
    aa_modifier,
    fire,
    fires,
    fires_at_aircraft,
    flies_on,
    initiative,
    may_hold_fire,
    may_target,
    support_modifier,
    worst,
)
from grognard.games.typhoon.rules.ground import unit_state
from grognard.games.typhoon.rules.missions import LayInterdiction, LayOpposition
from grognard.games.typhoon.state import (
    AIR_FLOWN,
    AIR_FLYING,
    AIR_NAMES,
    AXIS,
    CLOSE_SUPPORT,
    INTERDICTION,
    SOVIET,
    Mission,
    TyphoonState,
)
from grognard.kernel import (
    AGAIN,
    RETURN,
    Action,
    Decision,
    Flow,
    Refusal,
    Return,
    Role,
    Sealed,
    Verb,
    ask,
    call,
    do,
    procedure,
    refusal,
    step,
)
from grognard.mechanics.dice import D10, Throw
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


class Flight(NamedTuple):
    """A mission that is being resolved. Nothing of it is hidden once the units are turned up."""

    mission: Mission
    attacker: int = AXIS
    """Whose attack close air support is about (11.5.3)."""
    first: int = NOBODY
    """Who has the initiative."""
    local: bool = False
    """He has a local tactical advantage."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Fighters and the units that they engage (11.2.3c)."""
    settled: tuple[int, ...] = ()
    """Sides that form no more pairs."""
    held: tuple[int, ...] = ()
    """Fighters that keep their bombs and do not fire (11.2.2c)."""
    fired: tuple[int, ...] = ()
    shots: tuple[tuple[int, int], ...] = ()
    """Who fires at whom, still to be rolled."""
    hits: tuple[tuple[int, int], ...] = ()
    """Units hit and the boxes they go to, until all have fired."""
    again: bool = False
    """The second round, of the local advantage (11.2.3f)."""
    sure: tuple[int, ...] = ()
    """Sides that have said who goes on (11.2.3g)."""
    targets: tuple[int, ...] = ()
    """Units at which anti-aircraft guns still fire."""

    @property
    def interdicting(self) -> bool:
        return self.mission.purpose == INTERDICTION

    def units(self, state: TyphoonState, side: int) -> list[int]:
        """Those of a side that are still on the mission."""
        return [n for n in self.mission.units[side] if state.air[n] == AIR_FLYING]

    def engaged(self) -> set[int]:
        return {n for pair in self.pairs for n in pair}


def send_home(state: TyphoonState, n: int, place: int = AIR_FLOWN) -> None:
    state.air[n] = place


def word_of(place: int | None) -> str:
    """What a shot has done, as a word of the catalogue."""
    return "hit-none" if place is None else "hit-abort" if place == AIR_FLOWN else f"hit-{AIR_NAMES[place]}"


# 11.2.3a Initiative


class RollInitiative(Throw["Typhoon", TyphoonState]):
    """11.2.3a Where both sides have units, a die says who forms the pairs, or that the bombers pass."""

    name = "roll-initiative"
    case = "11.2.3"
    verbs = {"initiative": Verb(("number",))}
    dice = D10

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        flight: Flight = state.local
        return all(flight.mission.units)

    def skip(self, game: Typhoon, state: TyphoonState) -> Flow:
        turn_up(game, state)
        return "home"

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        flight: Flight = state.local
        found = initiative(action[1])
        word = "nobody" if found.side == NOBODY else game.sides[found.side]
        if found.local:
            word += "-local"
        state.emit(
            "initiative", "11.2.3", die=action[1], word_result=f"initiative-{word}", hex=flight.mission.cell
        )
        turn_up(game, state)
        if found.side != NOBODY:
            state.local = flight._replace(first=found.side, local=found.local)
            return None
        for who in (AXIS, SOVIET):
            for n in flight.units(state, who):
                if game.flyers[n].kind == "fighter":
                    send_home(state, n)
        return "home"


def turn_up(game: Typhoon, state: TyphoonState) -> None:
    """11.2.3b The units are revealed; decoys have done their work."""
    flight: Flight = state.local
    for side in (AXIS, SOVIET):
        units = flight.mission.units[side]
        if units:
            state.emit(
                "turned-up", "11.2.3", word_side=game.sides[side], flyers=units, hex=flight.mission.cell
            )
        for n in units:
            if game.flyers[n].kind == "decoy":
                send_home(state, n)
    state.missions = tuple(m for m in state.missions if m != flight.mission)


# 11.2.3c Pairs


def free_fighters(game: Typhoon, state: TyphoonState, flight: Flight, side: int) -> list[int]:
    """Fighters of a side that are in no pair yet."""
    engaged = flight.engaged()
    return [n for n in flight.units(state, side) if fires(game.flyers[n]) and n not in engaged]


def may_engage(game: Typhoon, state: TyphoonState, flight: Flight, side: int) -> list[int]:
    """Enemy units that a fighter of a side may engage now: bombers when every fighter is engaged."""
    loose = bool(free_fighters(game, state, flight, 1 - side))
    return [n for n in flight.units(state, 1 - side) if may_target(game.flyers[n], loose)]


class PairFighters(Decision["Typhoon", TyphoonState]):
    """11.2.3c Who has the initiative sends his fighters against enemy units; then the other those of his that
    nobody has engaged. Several may engage one unit."""

    name = "pair-fighters"
    case = "11.2.3"
    verbs = {"engage": Verb(("flyer", "flyer")), "end": Verb((), Role.END)}

    def _asked(self, game: Typhoon, state: TyphoonState) -> int:
        flight: Flight = state.local
        for side in (flight.first, 1 - flight.first):
            if side in flight.settled:
                continue
            if free_fighters(game, state, flight, side) and may_engage(game, state, flight, side):
                return side
        return NOBODY

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return self._asked(game, state) != NOBODY

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return self._asked(game, state)

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        flight: Flight = state.local
        targets = may_engage(game, state, flight, side)
        pairs = [(f, t) for f in free_fighters(game, state, flight, side) for t in targets]
        return [*(("engage", f, t) for f, t in pairs), ("end",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        flight: Flight = state.local
        if action[0] == "end":
            return None
        if action[1] not in free_fighters(game, state, flight, side):
            return refusal("not-free", "11.2.3", flyer=action[1])
        if action[2] not in flight.units(state, 1 - side):
            return refusal("not-on-mission", "11.2.3", flyer=action[2])
        if action[2] not in may_engage(game, state, flight, side):
            return refusal("fighters-first", "11.2.3", flyer=action[2])
        return None

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        flight: Flight = state.local
        if action[0] == "end":
            state.local = flight._replace(settled=(*flight.settled, side))
        else:
            state.local = flight._replace(pairs=(*flight.pairs, (action[1], action[2])))
            state.emit("engaged", "11.2.3", flyer=action[1], flyer_target=action[2])
        return AGAIN


# 11.2.3d Fire


def undecided(game: Typhoon, flight: Flight, side: int) -> list[int]:
    """Fighters of a side in pairs that may keep their bombs instead of firing (11.2.2c)."""
    return [
        n
        for n in sorted(flight.engaged())
        if game.flyers[n].side == side and may_hold_fire(game.flyers[n], flight.interdicting)
    ]


class DeclareFire(Sealed["Typhoon", TyphoonState]):
    """11.2.3d Each player says which of his fighters fire. Who could still fly the mission may hold fire;
    both say so without knowing of the other."""

    name = "declare-fire"
    case = "11.2.2"
    verbs = {"open-fire": Verb(("flyer",)), "hold-fire": Verb(("flyer",))}

    def writers(self, game: Typhoon, state: TyphoonState) -> tuple[int, ...]:
        return (AXIS, SOVIET)

    def finished(self, game: Typhoon, state: TyphoonState, side: int, written: tuple[Action, ...]) -> bool:
        flight: Flight = state.local
        return len(written) >= len(undecided(game, flight, side))

    def choices(
        self, game: Typhoon, state: TyphoonState, side: int, written: tuple[Action, ...]
    ) -> list[Action]:
        flight: Flight = state.local
        n = undecided(game, flight, side)[len(written)]
        return [("open-fire", n), ("hold-fire", n)]

    def why_not(
        self, game: Typhoon, state: TyphoonState, side: int, written: tuple[Action, ...], action: Action
    ) -> Refusal | None:
        if action in self.choices(game, state, side, written):
            return None
        return refusal("must-fire", "11.2.2", flyer=action[1])

    def reveal(self, game: Typhoon, state: TyphoonState, answers: Mapping[int, tuple[Action, ...]]) -> Flow:
        flight: Flight = state.local
        held = tuple(sorted(a[1] for written in answers.values() for a in written if a[0] == "hold-fire"))
        shots = []
        for one, other in flight.pairs:
            for firer, target in ((one, other), (other, one)):
                if fires(game.flyers[firer]) and firer not in held:
                    shots.append((firer, target))
        fired = tuple(sorted({firer for firer, _ in shots}))
        state.local = flight._replace(held=held, shots=tuple(shots), fired=fired)
        return None


class RollFire(Throw["Typhoon", TyphoonState]):
    """11.2.2b A die for each shot. All fire together: hits are applied when the last has fired."""

    name = "roll-fire"
    case = "11.2.2"
    verbs = {"shoot": Verb(("number",))}
    dice = D10

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        flight: Flight = state.local
        return bool(flight.shots)

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        flight: Flight = state.local
        firer, target = flight.shots[0]
        place = fire(game.flyers[firer], game.flyers[target], action[1])
        hits = flight.hits if place is None else (*flight.hits, (target, place))
        state.emit(
            "shot", "11.2.2", flyer=firer, flyer_target=target, die=action[1], word_result=word_of(place)
        )
        state.local = flight._replace(shots=flight.shots[1:], hits=hits)
        return AGAIN


def take_losses(game: Typhoon, state: TyphoonState) -> Flow:
    """11.2.3e Units that were hit go to their boxes."""
    flight: Flight = state.local
    for target in sorted({n for n, _ in flight.hits}):
        place = worst(box for n, box in flight.hits if n == target)
        assert place is not None
        send_home(state, target, place)
    state.local = flight._replace(hits=())
    if flight.again or not flight.local or not second_fighters(game, state, state.local):
        return "home"
    return None


# 11.2.3f Local tactical advantage


def second_fighters(game: Typhoon, state: TyphoonState, flight: Flight) -> list[int]:
    """Fighters of the side with the advantage that nobody engages any more: all whom they were paired with
    have left (ruling)."""
    there = set(flight.units(state, 1 - flight.first))
    if not any(_is_target(game, n) for n in there):
        return []
    busy = {n for pair in flight.pairs if there & set(pair) for n in pair}
    chosen = {firer for firer, _ in flight.shots}
    return [
        n
        for n in flight.units(state, flight.first)
        if fires(game.flyers[n]) and n not in busy and n not in chosen and n not in flight.held
    ]


def _is_target(game: Typhoon, n: int) -> bool:
    return game.flyers[n].kind != "decoy"


class FireAgain(Decision["Typhoon", TyphoonState]):
    """11.2.3f Each of those fighters may choose a new target, which does not fire back."""

    name = "fire-again"
    case = "11.2.3"
    verbs = {"engage": Verb(("flyer", "flyer")), "end": Verb((), Role.END)}

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        flight: Flight = state.local
        return flight.first

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return bool(second_fighters(game, state, state.local))

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        flight: Flight = state.local
        targets = [n for n in flight.units(state, 1 - side) if _is_target(game, n)]
        found = [(f, t) for f in second_fighters(game, state, flight) for t in targets]
        return [*(("engage", f, t) for f, t in found), ("end",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        flight: Flight = state.local
        if action[0] == "end":
            return None
        if action[1] not in second_fighters(game, state, flight):
            return refusal("not-free", "11.2.3", flyer=action[1])
        if action[2] not in flight.units(state, 1 - side):
            return refusal("not-on-mission", "11.2.3", flyer=action[2])
        return None

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        flight: Flight = state.local
        if action[0] == "end":
            state.local = flight._replace(again=True)
            return None
        shots = (*flight.shots, (action[1], action[2]))
        state.local = flight._replace(shots=shots, fired=(*flight.fired, action[1]))
        return AGAIN

    def skip(self, game: Typhoon, state: TyphoonState) -> Flow:
        flight: Flight = state.local
        state.local = flight._replace(again=True)
        return None


# 11.2.3g Who goes on


def go_home(game: Typhoon, state: TyphoonState) -> Flow:
    """11.2.3g Who fired, and who has nothing to drop, has flown."""
    flight: Flight = state.local
    for side in (AXIS, SOVIET):
        for n in flight.units(state, side):
            if not flies_on(game.flyers[n], n in flight.fired, flight.interdicting):
                send_home(state, n)
    return None


class GoOn(Decision["Typhoon", TyphoonState]):
    """11.2.3g Both players say which units go on; the others turn back before the guns."""

    name = "go-on"
    case = "11.2.3"
    verbs = {"turn-back": Verb(("flyer",)), "end": Verb((), Role.END)}

    def _asked(self, game: Typhoon, state: TyphoonState) -> int:
        flight: Flight = state.local
        for side in (AXIS, SOVIET):
            if side in flight.sure or not flight.units(state, side):
                continue
            if guns_at(game, state, flight, 1 - side):
                return side
        return NOBODY

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return self._asked(game, state) != NOBODY

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return self._asked(game, state)

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        flight: Flight = state.local
        return [*(("turn-back", n) for n in flight.units(state, side)), ("end",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        flight: Flight = state.local
        if action[0] == "end" or action[1] in flight.units(state, side):
            return None
        return refusal("not-on-mission", "11.2.3", flyer=action[1])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        flight: Flight = state.local
        if action[0] == "end":
            state.local = flight._replace(sure=(*flight.sure, side))
        else:
            send_home(state, action[1])
            state.emit("recalled", "11.2.3", flyer=action[1])
        return AGAIN


# 11.3 Anti-aircraft fire


def guns_at(game: Typhoon, state: TyphoonState, flight: Flight, side: int) -> list[Unit]:
    """11.3.1, 11.3.2 The units of a side in and around the mission hex that fire at aircraft."""
    found = []
    for cell in each(game.contacts[flight.mission.cell] | 1 << flight.mission.cell):
        for unit in members(state.own(side, cell)):
            if fires_at_aircraft(game.units[unit], unit_state(game, state, unit).has_zone):
                found.append(game.units[unit])
    return found


def aim_guns(game: Typhoon, state: TyphoonState) -> Flow:
    """11.3.1 Units still on the mission are fired at where there is anybody to fire."""
    flight: Flight = state.local
    targets = [
        n
        for side in (AXIS, SOVIET)
        if guns_at(game, state, flight, 1 - side)
        for n in flight.units(state, side)
    ]
    state.local = flight._replace(targets=tuple(targets))
    return None


class RollAA(Throw["Typhoon", TyphoonState]):
    """11.3.3 One shot at each air unit, however many units fire."""

    name = "roll-aa"
    case = "11.3.3"
    verbs = {"flak": Verb(("number",))}
    dice = D10

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        flight: Flight = state.local
        return bool(flight.targets)

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        flight: Flight = state.local
        n, cell = flight.targets[0], flight.mission.cell
        guns = guns_at(game, state, flight, 1 - game.flyers[n].side)
        major = bool(game.major_cities >> cell & 1)
        modifier = aa_modifier(guns, game.flyers[n], major, state.sky)
        place = aa_fire(action[1], modifier)
        state.emit("flak", "11.3.3", flyer=n, die=action[1], modifier=modifier, word_result=word_of(place))
        if place is not None:
            send_home(state, n, place)
        state.local = flight._replace(targets=flight.targets[1:])
        return AGAIN


def carry_out(game: Typhoon, state: TyphoonState) -> Flow:
    """11.3.4 Who is left carries out the mission (11.4.1e, 11.5.4d); then all have flown."""
    flight: Flight = state.local
    left = [flight.units(state, side) for side in (AXIS, SOVIET)]
    for n in (*left[AXIS], *left[SOVIET]):
        send_home(state, n)
    if flight.interdicting:
        if left[AXIS]:
            state.interdicted = (*state.interdicted, flight.mission.cell)
            state.emit("interdicted", "11.4.1", hex=flight.mission.cell)
        return Return(0)
    mine, theirs = ([game.flyers[n] for n in left[side]] for side in (flight.attacker, 1 - flight.attacker))
    modifier = support_modifier(mine, theirs)
    if left[AXIS] or left[SOVIET]:
        state.emit("supported", "11.5.3", hex=flight.mission.cell, modifier=modifier)
    return Return(modifier)


AIR_MISSION = procedure(
    "air-mission",
    "11.2.1",
    step("initiative", ask(RollInitiative()), "11.2.3"),
    step("pair", ask(PairFighters()), "11.2.3"),
    step("declare", ask(DeclareFire()), "11.2.3"),
    step("fire", ask(RollFire()), "11.2.3"),
    step("losses", do(take_losses), "11.2.3"),
    step("again", ask(FireAgain()), "11.2.3"),
    step("second-fire", ask(RollFire()), "11.2.3"),
    step("second-losses", do(take_losses), "11.2.3"),
    step("home", do(go_home), "11.2.3"),
    step("go-on", ask(GoOn()), "11.2.3"),
    step("guns", do(aim_guns), "11.3.1"),
    step("flak", ask(RollAA()), "11.3.3"),
    step("carry-out", do(carry_out), "11.3.4"),
    values=Flight,
)


# The phases that use it


def more_interdiction(game: Typhoon, state: TyphoonState) -> Flow:
    """11.4.1 One mission after another, each to its end."""
    return None if state.missions else RETURN


INTERDICTION_PHASE = procedure(
    "interdiction-phase",
    "11.4",
    step("lay", ask(LayInterdiction()), "11.4.1"),
    step("oppose", ask(LayOpposition()), "11.4.1"),
    step("more", do(more_interdiction), "11.4.1"),
    step(
        "fly",
        call("air-mission", lambda game, state: Flight(state.missions[0]), lambda game, state, value: "more"),
        "11.4.1",
    ),
)


def support_flight(state: TyphoonState, targets: tuple[int, ...]) -> Flight:
    """11.5.4 The mission laid for a combat, to be flown before its die: the values of "air-mission", which
    returns what the air units do to the die. Where nobody came it returns nothing at once."""
    nobody = Mission(targets[0], CLOSE_SUPPORT, ((), ()))
    return Flight(next((m for m in state.missions if m.cell in targets), nobody), attacker=state.active)


def end_support(game: Typhoon, state: TyphoonState) -> Flow:
    """11.1.2 Units laid for a combat that did not come about have flown as well."""
    for mission in state.missions:
        for n in (*mission.units[AXIS], *mission.units[SOVIET]):
            send_home(state, n)
    state.missions = ()
    return None
