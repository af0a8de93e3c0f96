"""Composite orders: a whole move or a whole attack, spelled out in the small actions of any game's rules.

    {"order": "move", "units": [...], "path": [...]}
    {"order": "attack", "targets": [...], "units": [...], "extras": {"air": 2}}

What to say is found by the roles of the verbs on offer. An order begins where things stand: units in hand
already are not taken up again, an attack begun already is gone on with. A move may name the `verb` that takes
the units up, where there are several; with `halt` false it leaves them in hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grognard.hexes import UnknownHexError
from grognard.kernel import Action, Game, IllegalActionError, Order, Refusal, Role, refusal
from grognard.mechanics.pieces import Pieces


def expand_order(game: Game[Any], state: Pieces, order: Mapping[str, Any]) -> Iterator[Action]:
    """The small actions of an order. Each is to be carried out before the next is asked for."""
    kind = order.get("order")
    if kind == Order.MOVE:
        word = order.get("verb")
        if word is not None and word not in game.verbs():
            raise IllegalActionError(refusal("unknown-verb", "", verb=str(word)[:40]))
        units, path = read_units(game, order), read_hexes(game, order, "path")
        yield from _move(game, state, units, path, word, order.get("halt") is not False)
    elif kind == Order.ATTACK:
        targets, units = read_hexes(game, order, "targets"), read_units(game, order)
        extras = read_extras(game, order)
        yield from _attack(game, state, targets, units)
        yield from _add_extras(game, state, extras)
    else:
        raise IllegalActionError(refusal("unknown-order", "", word=str(kind)[:40]))


# Moves


def _move(
    game: Game[Any], state: Pieces, units: list[int], path: list[int], word: str | None, down: bool
) -> Iterator[Action]:
    """Take units up, together if the rules let them go together, else one after the other; walk them along
    the path; set them down."""
    left = list(units)
    while left:
        unit = left.pop(0)
        way = list(path)
        if not _holds(game, state, unit):
            action = _take_up(game, state, unit, path, word)
            yield action
            if action[-1] == path[0] and len(action) > 2:
                way = path[1:]
        gather = game.word_for(state, Role.GATHER)
        while gather is not None and left:
            other = left.pop(0)
            if not _holds(game, state, other):
                yield (gather, other)
            gather = game.word_for(state, Role.GATHER)
        if (place := game.word_for(state, Role.PLACE)) is not None and _takes(game, place) == ("hex",):
            yield (place, path[-1])  # an arrival: chosen, then put where it comes to
            continue
        for cell in way:
            yield (_word(game, state, Role.STEP), cell)
        # Who cannot go on has been set down already.
        if (down or left) and (halt := game.word_for(state, Role.HALT)) is not None:
            yield (halt,)


def _take_up(game: Game[Any], state: Pieces, unit: int, path: list[int], word: str | None) -> Action:
    """The answer that takes a unit up: of those that the rules allow, the first; if they allow none, the
    one whose refusal says why."""
    on_map = state.where[unit] >= 0
    wanted = (Role.TAKE,) if on_map else (Role.ENTER, Role.GATHER)
    words = [word] if word is not None else _words(game, state, (*wanted, Role.PLACE))
    found: list[Action] = []
    for verb in words:
        takes = _takes(game, verb)
        if takes == ("unit",):
            found.append((verb, unit))
        elif takes == ("unit", "hex"):
            found.append((verb, unit, path[0]))
    allowed = [action for action in found if game.refuse(state, action) is None]
    if allowed:
        return allowed[0]
    return found[0] if found else (_word(game, state, Role.TAKE), unit)


def _holds(game: Game[Any], state: Pieces, unit: int) -> bool:
    hand = game.hand(state)
    return hand is not None and unit in hand.units


# Attacks


def _attack(game: Game[Any], state: Pieces, targets: list[int], units: list[int]) -> Iterator[Action]:
    """Aim, let units join, widen the attack, and make it; or strike with what is in hand."""
    strike = game.word_for(state, Role.STRIKE)
    if strike is not None:
        yield (strike, targets[0])
        return
    hand = game.hand(state)
    begun = hand.attack if hand is not None else None
    if begun is None:
        yield (_word(game, state, Role.AIM), targets[0])
    aimed_at = targets[:1] if begun is None else begun.targets
    for unit in units:
        if begun is None or unit not in begun.units:
            yield (_word(game, state, Role.JOIN), unit)
    for cell in targets:
        if cell not in aimed_at:
            if game.word_for(state, Role.WIDEN) is None:
                raise IllegalActionError(_why_one_target(game, state, targets, units))
            yield (_word(game, state, Role.WIDEN), cell)
    yield (_word(game, state, Role.COMMIT),)


def _why_one_target(game: Game[Any], state: Pieces, targets: list[int], units: list[int]) -> Refusal:
    """Where attacks cannot be widened, the adviser knows the case that says so."""
    if game.adviser is not None:
        reason = game.adviser.forecast(state, targets, units, {})
        if isinstance(reason, Refusal):
            return reason
    return refusal("malformed", "")


def _add_extras(game: Game[Any], state: Pieces, extras: Mapping[str, int]) -> Iterator[Action]:
    """Answer what the rules then ask about extras that the order speaks of."""
    for extra in game.extras:
        decision = game.decision(state)
        if extra.id in extras and decision is not None and extra.verb in decision.verbs:
            yield (extra.verb, extras[extra.id])


# Verbs by role


def _words(game: Game[Any], state: Pieces, roles: tuple[Role, ...]) -> list[str]:
    """The verbs on offer that have one of these roles, the first role's first."""
    decision = game.decision(state)
    verbs = decision.verbs if decision is not None else {}
    return [word for role in roles for word, verb in verbs.items() if verb.role is role]


def _word(game: Game[Any], state: Pieces, role: Role) -> str:
    """The verb on offer of this role. If there is none, any of the game's: it will be refused, with the case
    of the question on the table."""
    found = game.word_for(state, role)
    if found is None:
        found = next((word for word in game.verbs() if game.role((word,)) is role), None)
    if found is None:
        raise IllegalActionError(refusal("malformed", ""))
    return found


def _takes(game: Game[Any], word: str) -> tuple[str, ...]:
    return game.argument_kinds(word)


# Reading


def read_words(order: Mapping[str, Any], key: str) -> list[str]:
    """A list of names in an order; anything else is refused."""
    words = order.get(key)
    if not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
        raise IllegalActionError(refusal("malformed", "", verb=key))
    return words


def read_units(game: Game[Any], order: Mapping[str, Any]) -> list[int]:
    found = []
    for word in read_words(order, "units"):
        try:
            found.append(game.unit_index(word))
        except KeyError:
            raise IllegalActionError(refusal("unknown-unit", "", word=word[:40])) from None
    return found


def read_hexes(game: Game[Any], order: Mapping[str, Any], key: str) -> list[int]:
    found = []
    for word in read_words(order, key):
        try:
            found.append(game.board.cell(word))
        except UnknownHexError:
            raise IllegalActionError(refusal("unknown-hex", "", word=word[:40])) from None
    return found


def read_extras(game: Game[Any], order: Mapping[str, Any]) -> dict[str, int]:
    """How many of each extra an order speaks of."""
    extras = order.get("extras", {})
    known = {extra.id for extra in game.extras}
    if not isinstance(extras, Mapping) or not set(extras) <= known:
        raise IllegalActionError(refusal("malformed", "", verb="extras"))
    if not all(type(number) is int and 0 <= number < 1000 for number in extras.values()):
        raise IllegalActionError(refusal("malformed", "", verb="extras"))
    return dict(extras)
