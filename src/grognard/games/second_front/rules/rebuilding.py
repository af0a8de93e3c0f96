"""40 The initial phase: units withdrawn, converted, reorganised; units replaced, cadres rebuilt, units
disbanded, aid given."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.files.schema import Record
from grognard.games.second_front.books import LAND, books, charts, turns
from grognard.games.second_front.rules.ground import marked
from grognard.games.second_front.rules.pools import (
    PARTS,
    can_pay,
    owe,
    pay,
    pool,
    twentieths,
    with_points,
)
from grognard.games.second_front.rules.position import on_map, piece, settle_ownership, side_of, zones_of
from grognard.games.second_front.rules.replacements import (
    Cost,
    cadre_cost,
    cost,
    disbanded,
    limits,
    may_rebuild,
    never_replaced,
    rebuild_cost,
    within_limits,
)
from grognard.games.second_front.rules.stocks import add_points
from grognard.games.second_front.rules.supply import CITIES
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import AXIS, SIDES, Piece, Unit
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.pieces import DEAD, TO_COME

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

END: Action = ("end",)
QUARTERS = 4


def cities_of(game: SecondFront, state: FrontState, side: int) -> int:
    """40B1: friendly cities of the area that are not isolated, as a set."""
    return marked(game.board, *CITIES) & state.owned[side] & state.open_land[side] & game.plan(state).area


def settled_in(game: SecondFront, state: FrontState, unit: int) -> bool:
    """40A1, 40B1a: in a city, in regular supply from a source that is not isolated, out of enemy zones."""
    cell = state.where[unit]
    side = side_of(state, unit)
    return cell >= 0 and may_rebuild(
        bool(marked(game.board, *CITIES) >> cell & 1),
        not state.hunger[unit] and bool(state.fed >> unit & 1),
        bool(state.isolated >> unit & 1),
        bool(zones_of(game, state, 1 - side).all >> cell & 1),
    )


def hunger_of_city(state: FrontState, side: int, cell: int) -> int:
    """40: who appears in a city without supply is as long without it as those who are there."""
    return max((state.hunger[unit] for unit in state.stack(cell)), default=0) if side >= 0 else 0


def appear(game: SecondFront, state: FrontState, unit: int, cell: int) -> None:
    """A unit comes into play."""
    state.hunger[unit] = hunger_of_city(state, side_of(state, unit), cell)
    state.place(unit, cell)
    bit = 1 << unit
    state.fed = state.fed & ~bit if state.hunger[unit] else state.fed | bit
    settle_ownership(game, state)


# 40C


def record_of(unit: Unit) -> Record:
    return books()[LAND[SIDES[unit.side]]].find(unit.id)


def substitute(game: SecondFront, state: FrontState, unit: int) -> int | None:
    """40C: the weaker division that takes the place of a brittle one: a counter of the rating that the order
    of battle names and that is not in play; the unit itself if it is not brittle; None if there is none."""
    said = re.search(r"comes back as (\S+)", str(record_of(game.units[unit]).values.get("reorganise") or ""))
    if said is None:
        return unit
    return spare(game, state, game.units[unit], said[1])


def spare(game: SecondFront, state: FrontState, like: Unit, rating: str) -> int | None:
    """A counter of the same nation and size with a rating, not in play and not due to arrive."""
    due = {arrival.unit for arrival in game.plan(state).arrivals}
    for other in game.units:
        number = game.unit_index(other.id)
        same = (other.nation, other.size, other.type) == (like.nation, like.size, like.type)
        if not same or state.where[number] != TO_COME or number in due:
            continue
        if record_of(other)["rating"] == rating and other.id != like.id:
            return number
    return None


# 40A1


def withdrawals(game: SecondFront, state: FrontState) -> list[int]:
    """The units that the order of battle takes away now, or that are sequestered: their turn has come since
    the scenario began."""
    first = game.scenarios[state.scenario].first
    leaving = {**game.departing, **dict(game.plan(state).leaving)}
    return [
        unit
        for unit, turn in leaving.items()
        if side_of(state, unit) == state.active
        and first < turn <= state.turn
        and (state.where[unit] >= 0 or state.where[unit] == DEAD)
    ]


def dated(game: SecondFront, column: str) -> dict[int, int]:
    """Units with a turn in a column of their order of battle."""
    number = turns()
    return {
        index: number[record_of(unit)[column]]
        for index, unit in enumerate(game.units)
        if record_of(unit).values.get(column)
    }


def equals(game: SecondFront, state: FrontState, unit: int) -> list[int]:
    """40A1: any unit of the same nation, size, type and strength that is on the map and not isolated."""
    like = game.units[unit]
    return [
        other
        for other in on_map(state, state.active)
        if (game.units[other].nation, game.units[other].size, game.units[other].type, game.units[other].face)
        == (like.nation, like.size, like.type, like.face)
        and not state.reduced >> other & 1
        and not state.isolated >> other & 1
    ]


class Withdraw(Decision["SecondFront", FrontState]):
    """40A1: a unit of the kind that the order of battle names leaves the game."""

    name = "withdraw"
    case = "40A1"
    verbs = {"withdraw": Verb(("unit",))}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        """Where no unit on the map can go, one of the replacement box does, and points are lost for it."""
        for unit in withdrawals(game, state):
            if self._able(game, state, unit):
                return True
            if state.where[unit] >= 0:
                continue
            pay(state, game.units[unit], cost(game.units[unit]))
            state.place(unit, game.box("counters"))
            state.emit("taken-away", "40A1", unit=unit)
        return False

    def _able(self, game: SecondFront, state: FrontState, unit: int) -> list[int]:
        return equals(game, state, unit)

    def _choices(self, game: SecondFront, state: FrontState) -> list[int]:
        for unit in withdrawals(game, state):
            if found := self._able(game, state, unit):
                return found
        return []

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [("withdraw", unit) for unit in self._choices(game, state)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[1] in self._choices(game, state):
            return None
        return refusal("not-withdrawn", "40A1", unit=action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        """Another unit of its kind may go in its place: the one named stays then, and has been counted."""
        named = next(u for u in withdrawals(game, state) if action[1] in self._able(game, state, u))
        leaving = action[1]
        if named != leaving and state.where[named] >= 0:
            place = state.where[named]
            state.place(leaving, place)
            leaving = named
        state.place(leaving, game.box("counters"))
        state.emit("taken-away", "40A1", unit=action[1])
        settle_ownership(game, state)
        return AGAIN


def convert(game: SecondFront, state: FrontState) -> Flow:
    """40A1: units become others on their turn, or as soon as they can from then on."""
    first = game.scenarios[state.scenario].first
    number = turns()
    for unit in on_map(state, state.active):
        record = record_of(game.units[unit])
        when, into = record.values.get("convert_turn"), record.values.get("convert_to")
        if (
            not when
            or not into
            or not first < number[when] <= state.turn
            or not settled_in(game, state, unit)
        ):
            continue
        new = game.unit_index(str(into))
        if state.where[new] == TO_COME:
            exchange(game, state, unit, new)
            state.emit("converted", "40A1", unit=unit, unit_other=new)
    return None


def exchange(game: SecondFront, state: FrontState, old: int, new: int) -> None:
    """One counter takes the place of another, which leaves the game without being a loss."""
    cell, cadre = state.where[old], state.reduced >> old & 1
    state.place(old, game.box("counters"))
    state.reduced &= ~(1 << old)
    appear(game, state, new, cell)
    if cadre and game.units[new].cadre is not None:
        state.reduced |= 1 << new
    settle_ownership(game, state)


def new_rating(game: SecondFront, state: FrontState, unit: int) -> str | None:
    """40A2: the last rating to which the order of battle lets a division reorganise by now."""
    said = str(record_of(game.units[unit]).values.get("reorganise") or "")
    number, found = turns(), None
    for rating, when in re.findall(r"(\d[\d-]+) from (\w+ I+ \d\d)", said):
        if number[when] <= state.turn:
            found = rating
    return found


def reorganisation(game: SecondFront, state: FrontState, unit: int) -> tuple[int, Fraction] | None:
    """40A2: the counter, and the infantry points that it takes (or gives, if less than 0)."""
    rating = new_rating(game, state, unit)
    new = spare(game, state, game.units[unit], rating) if rating else None
    if new is None:
        return None
    old_rating = str(record_of(game.units[unit])["rating"])
    for row in charts()["german_reorganisation"].records:
        listed = str(row["from"]).split(" ")[0], str(row["to"]).split(" ")[0]
        change = str(row["rp_change"])
        if listed == (old_rating, rating) and re.fullmatch(r"[+-]?\d+", change):
            return new, Fraction(-int(change))
    return new, Fraction(game.units[new].face.attack - game.units[unit].face.attack)


# 40B


def used_of(state: FrontState, nation: str, kinds: dict[str, int]) -> dict[str, Fraction]:
    """40B2, 40B3: what has been replaced of each limited kind in the months that count."""
    found = {}
    for kind, last in kinds.items():
        since = period_start(state.turn, last)
        found[kind] = sum(
            (
                Fraction(size, QUARTERS)
                for who, what, turn, size in state.replaced
                if who == nation and what == kind and turn >= since
            ),
            Fraction(0),
        )
    return found


def period_start(turn: int, length: int) -> int:
    """The first turn of the month or of the three months in which a turn lies: turn 1 is Jul I 43."""
    return turn - (turn - 1) % length


def why_not_replace(
    game: SecondFront, state: FrontState, unit: int, cell: int, cadre: bool
) -> Refusal | None:
    counter = game.units[unit]
    if not state.side_units[state.active] >> unit & 1 or state.where[unit] != DEAD:
        return refusal("not-in-box", "40B1a", unit=unit)
    if never_replaced(counter):
        return refusal("never-replaced", "40B3" if counter.side else "40B2", unit=unit)
    back = substitute(game, state, unit)
    if back is None or (cadre and game.units[back].cadre is None):
        return refusal("no-substitute" if back is None else "no-cadre", "40C", unit=unit)
    if not cities_of(game, state, state.active) >> cell & 1:
        return refusal("no-city", "40B1", hex=cell)
    limited = limits(Piece(counter))
    if not within_limits(Piece(counter, cadre), used_of(state, counter.nation, limited)):
        return refusal("replaced-enough", "40B3" if counter.side else "40B2", unit=unit)
    if not can_pay(state, counter, price_of(game.units[back], cadre)):
        return refusal("not-enough-points", "40B1a", unit=unit)
    return None


def price_of(unit: Unit, cadre: bool) -> Cost:
    return cadre_cost(unit) if cadre else cost(unit)


def replace_unit(game: SecondFront, state: FrontState, unit: int, cell: int, cadre: bool) -> None:
    counter, back = game.units[unit], substitute(game, state, unit)
    assert back is not None
    pay(state, counter, price_of(game.units[back], cadre))
    for kind in limits(Piece(counter)):
        entry = counter.nation, kind, state.turn, int(Piece(counter, cadre).re * QUARTERS)
        state.replaced = tuple(sorted((*state.replaced, entry)))
    if back != unit:
        state.place(unit, game.box("counters"))
    state.reduced = state.reduced | 1 << back if cadre else state.reduced & ~(1 << back)
    appear(game, state, back, cell)
    state.emit("replaced", "40B1a", unit=back, hex=cell)


def why_not_restore(game: SecondFront, state: FrontState, unit: int) -> Refusal | None:
    """A cadre on the map becomes its division again, a brittle one a weaker division (40C)."""
    if not state.side_units[state.active] >> unit & 1 or state.where[unit] < 0:
        return refusal("not-yours", "40B1a", unit=unit)
    if not state.reduced >> unit & 1:
        return refusal("no-cadre", "40B1a", unit=unit)
    if not settled_in(game, state, unit):
        return refusal("cannot-rebuild-here", "40B1a", unit=unit)
    back = substitute(game, state, unit)
    if back is None:
        return refusal("no-substitute", "40C", unit=unit)
    if not can_pay(state, game.units[unit], restoring(game, unit, back)):
        return refusal("not-enough-points", "40B1a", unit=unit)
    return None


def restoring(game: SecondFront, unit: int, back: int) -> Cost:
    """40B1a: the difference; to the substitute's strength if the division is brittle (40C)."""
    if back == unit:
        return rebuild_cost(game.units[unit])
    cadre = game.units[unit].cadre
    assert cadre is not None
    return Cost(Fraction(0), Fraction(max(game.units[back].face.attack - cadre.attack, 0)))


def restore(game: SecondFront, state: FrontState, unit: int) -> None:
    back = substitute(game, state, unit)
    assert back is not None
    pay(state, game.units[unit], restoring(game, unit, back))
    state.reduced &= ~(1 << unit)
    if back != unit:
        exchange(game, state, unit, back)
    state.forget_zones()
    settle_ownership(game, state)
    state.emit("rebuilt", "40B1a", unit=back, hex=state.where[back])


def why_not_disband(game: SecondFront, state: FrontState, unit: int) -> Refusal | None:
    """40D1: joined by land to a regular source, out of enemy zones."""
    if not state.side_units[state.active] >> unit & 1 or state.where[unit] < 0:
        return refusal("not-yours", "40D1", unit=unit)
    zone = zones_of(game, state, 1 - state.active).all
    if state.isolated >> unit & 1 or zone >> state.where[unit] & 1:
        return refusal("cannot-disband", "40D1", unit=unit)
    return None


def why_not_aid(game: SecondFront, state: FrontState, giver: str, taker: str) -> Refusal | None:
    """40D3: armour points between forces of a side; the Italians of the Axis give none."""
    forces = game.forces_of[state.active]
    if giver == taker or giver not in forces or taker not in forces:
        return refusal("no-such-aid", "40D3")
    if state.active == AXIS and giver == "Italian":
        return refusal("italians-give-nothing", "40D3")
    if pool(state, giver).armour < PARTS:
        return refusal("no-armour-points", "40D3", text_force=giver)
    return None


class Rebuild(Decision["SecondFront", FrontState]):
    """40A2, 40B, 40D: what points are used for, in any order."""

    name = "rebuild"
    case = "40B1a"
    verbs = {
        "rebuild": Verb(("unit",)),
        "bring-back": Verb(("unit", "hex"), Role.PLACE),
        "replace-cadre": Verb(("unit", "hex"), Role.PLACE),
        "reorganise": Verb(("unit",)),
        "disband": Verb(("unit",)),
        "aid": Verb(("force", "force")),
        "stockpile": Verb(("hex",), Role.PLACE),
        "end": Verb((), Role.END),
    }

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        """Nobody is asked only whether he disbands something, or shifts armour points about."""
        options = self.options(game, state, state.active)
        return any(option[0] not in ("disband", "aid", "end") for option in options)

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        found: list[Action] = []
        standing = on_map(state, side)
        for verb in ("rebuild", "reorganise", "disband"):
            found += [
                (verb, unit) for unit in standing if self.refuse(game, state, side, (verb, unit)) is None
            ]
        cities = list(each(cities_of(game, state, side)))
        for unit in fallen(game, state):
            for verb in ("bring-back", "replace-cadre"):
                possible = cities and self.refuse(game, state, side, (verb, unit, cities[0])) is None
                found += [(verb, unit, city) for city in cities if possible]
        forces = game.forces
        for giver, entry in enumerate(forces):
            if pool(state, entry).armour >= PARTS:
                found += [
                    ("aid", giver, taker)
                    for taker in range(len(forces))
                    if why_not_aid(game, state, entry, forces[taker]) is None
                ]
        found += [
            ("stockpile", city)
            for city in cities
            if self.refuse(game, state, side, ("stockpile", city)) is None
        ]
        return [*found, END]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action == END:
            return None
        if action[0] == "rebuild":
            return why_not_restore(game, state, action[1])
        if action[0] == "disband":
            return why_not_disband(game, state, action[1])
        if action[0] == "aid":
            return why_not_aid(game, state, game.forces[action[1]], game.forces[action[2]])
        if action[0] == "stockpile":
            return self._why_not_stockpile(game, state, action[1])
        if action[0] == "reorganise":
            return self._why_not_reorganise(game, state, action[1])
        return why_not_replace(game, state, action[1], action[2], action[0] == "replace-cadre")

    def _why_not_stockpile(self, game: SecondFront, state: FrontState, cell: int) -> Refusal | None:
        """40B1b: points wait in the pool and are used on the map: in any city that is not isolated."""
        if not cities_of(game, state, state.active) >> cell & 1:
            return refusal("no-city", "40B1b", hex=cell)
        if self._giver(game, state) is None:
            return refusal("no-pool", "40B1b")
        return None

    def _giver(self, game: SecondFront, state: FrontState) -> str | None:
        mine = game.forces_of[state.active]
        held = (each_.force for each_ in state.pools if each_.resources >= PARTS and each_.force in mine)
        return next(held, None)

    def _why_not_reorganise(self, game: SecondFront, state: FrontState, unit: int) -> Refusal | None:
        if not state.side_units[state.active] >> unit & 1 or state.where[unit] < 0:
            return refusal("not-yours", "40A2", unit=unit)
        found = reorganisation(game, state, unit)
        if found is None or state.reduced >> unit & 1:
            return refusal("cannot-reorganise", "40A2", unit=unit)
        if not settled_in(game, state, unit):
            return refusal("cannot-rebuild-here", "40A2", unit=unit)
        if not can_pay(state, game.units[unit], Cost(Fraction(0), max(found[1], Fraction(0)))):
            return refusal("not-enough-points", "40A2", unit=unit)
        return None

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action == END:
            return None
        if action[0] == "rebuild":
            restore(game, state, action[1])
        elif action[0] == "disband":
            owe(state, game.units[action[1]], disbanded(piece(game, state, action[1])))
            state.place(action[1], game.box("counters"))
            state.emit("disbanded", "40D1", unit=action[1])
            settle_ownership(game, state)
        elif action[0] == "aid":
            giver, taker = game.forces[action[1]], game.forces[action[2]]
            state.pools = with_points(state.pools, giver, armour=-PARTS)
            state.owing = with_points(state.owing, taker, armour=twentieths(Fraction(1)))
            state.emit("aid", "40D3", text_force=giver, text_to=taker)
        elif action[0] == "stockpile":
            giver_ = self._giver(game, state)
            assert giver_ is not None
            state.pools = with_points(state.pools, giver_, resources=-PARTS)
            add_points(state, side, action[1], 1)
            state.emit("stockpiled", "40B1b", hex=action[1])
        elif action[0] == "reorganise":
            self._reorganise(game, state, action[1])
        else:
            replace_unit(game, state, action[1], action[2], action[0] == "replace-cadre")
        return AGAIN

    def _reorganise(self, game: SecondFront, state: FrontState, unit: int) -> None:
        found = reorganisation(game, state, unit)
        assert found is not None
        new, points = found
        if points > 0:
            pay(state, game.units[unit], Cost(Fraction(0), points))
        else:
            owe(state, game.units[unit], Cost(Fraction(0), -points))
        exchange(game, state, unit, new)
        state.emit("converted", "40A2", unit=unit, unit_other=new)


def fallen(game: SecondFront, state: FrontState) -> list[int]:
    """The units in the replacement box of the phasing side."""
    first = 0 if state.active == AXIS else state.side_units[AXIS].bit_length()
    last = state.side_units[state.active].bit_length()
    return [unit for unit in range(first, last) if state.where[unit] == DEAD]
