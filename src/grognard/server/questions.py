"""Questions about a position, and their answers from what the asker may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

from grognard.hexes import UnknownHexError
from grognard.kernel import Action, Event, Game, Refusal, refusal
from grognard.kernel.advice import Adviser, Forecast, Share
from grognard.mechanics.supposing import Supposes
from grognard.server.foresight import losses_ahead, why_not_there, why_stuck
from grognard.server.hands import extras_in_hand, reach_tree
from grognard.server.layers import Wish, layer
from grognard.server.present import mentioned, owners, refused
from grognard.server.room import Room

GUESSES = 3
"""How many positions that fit what somebody knows are looked at."""
MOST_UNITS = 100
"""So many may be asked about together."""


class Asked(NamedTuple):
    """A question about a position, and who wants to know."""

    game: Game[Any]
    state: Any
    sides: Sequence[int]
    words: Mapping[str, Any]
    language: str

    def units(self, key: str) -> list[int]:
        words = self.words[key]
        if not isinstance(words, list) or not 0 < len(words) <= MOST_UNITS:
            raise ValueError(key)
        return [self.unit(word) for word in words]

    def unit(self, word: Any) -> int:
        unit = self.game.unit_index(str(word))
        if self.game.hidden_information:
            self._may_know(self.game.sides.index(owners(self.game)[str(word)]))
        return unit

    def hexes(self, key: str) -> list[int]:
        words = self.words[key]
        if not isinstance(words, list) or not 0 < len(words) <= 20:
            raise ValueError(key)
        return [self.game.board.cell(str(word)) for word in words]

    def extras(self) -> dict[str, int]:
        """What is added to an attack: {"extras": {id: how many}}."""
        words = self.words.get("extras", {})
        if not isinstance(words, dict) or len(words) > 10:
            raise ValueError("extras")
        known = {extra.id for extra in self.game.extras}
        return {id_: int(number) for id_, number in words.items() if id_ in known}

    def _may_know(self, side: int) -> None:
        """Where something is hidden, advice is for one's own side: the other's would tell what is there."""
        if side not in self.sides:
            raise _NoAdviceError

    @property
    def adviser(self) -> Adviser:
        if self.game.adviser is None:
            raise _NoAdviceError
        return self.game.adviser

    @property
    def supposes(self) -> Supposes:
        if not isinstance(self.game.adviser, Supposes):
            raise _NoAdviceError
        return self.game.adviser

    @property
    def imagined(self) -> Any:
        """The position as the asker may think of it: where something is hidden from him, any that fits what
        he knows. What is worked out from it tells nothing else, whichever side's units it is about."""
        if not self.game.hidden_information:
            return self.state
        if not self.sides:
            raise _NoAdviceError
        return self.game.imagine(self.state, self.sides[0], Random(0))


class _NoAdviceError(Exception):
    """The game gives no such advice, or not to this seat."""


Answer: TypeAlias = dict[str, Any] | Refusal


def answer(room: Room, sides: Sequence[int], question: Mapping[str, Any], language: str) -> Answer:
    """The answer to a question about the position, from what the seat may know."""
    handler = _QUESTIONS.get(str(question.get("ask")))
    if handler is None:
        return refusal("unknown-question", "", word=str(question.get("ask"))[:40])
    if room.shown.state.over:
        return refusal("game-over", "")
    # A copy: questions are answered in threads, and positions keep what they have worked out.
    asked = Asked(room.game, room.shown.state.clone(), sides, question, language)
    try:
        return handler(asked)
    except _NoAdviceError:
        return refusal("no-advice", "")
    except (KeyError, TypeError, ValueError, OverflowError, UnknownHexError):
        return refusal("malformed", "")


def reach_of_hand(room: Room, sides: Sequence[int], language: str) -> Callable[[], Answer | None]:
    """How far what a seat has in its hand gets in the position that is shown now, to be worked out
    elsewhere; None if it has nothing there that walks."""
    game, state = room.game, room.shown.state
    held = None if room.over or room.side_for(sides) is None else game.hand(state)
    if held is None or not held.units or held.attack is not None:
        return lambda: None
    words = {"units": [game.unit_id(unit) for unit in held.units]}
    asked = Asked(game, state.clone(), sides, words, language)

    def worked_out() -> Answer | None:
        try:
            found = _reach(asked)
        except _NoAdviceError:
            return None
        return None if isinstance(found, Refusal) else found

    return worked_out


def _why(asked: Asked) -> Answer:
    meant = _answer_meant(asked)
    if isinstance(meant, Refusal):
        return meant
    side, action = meant
    why = asked.game.refuse(asked.state, action, side)
    return {"legal": True} if why is None else {"legal": False, **refused(asked.game, why, asked.language)}


def _answer_meant(asked: Asked) -> tuple[int, Action] | Refusal:
    """The answer that is asked about, and which of the asker's sides would give it."""
    action = asked.game.decode(asked.words.get("action"))
    if isinstance(action, Refusal):
        return action
    side = _who_answers(asked, action)
    return refusal("not-your-decision", "") if side is None else (side, action)


def _who_answers(asked: Asked, action: Action) -> int | None:
    """The asker's side to which an answer belongs; else the one that is asked something."""
    game = asked.game
    able = (side for side in asked.sides if game.decision_for(asked.state, side, action))
    mine = (side for side in asked.sides if side in game.must_act(asked.state))
    return next(able, next(mine, None))


def _ahead(asked: Asked) -> Answer:
    """What an answer would cost the asker at once."""
    game, meant = asked.game, _answer_meant(asked)
    if isinstance(meant, Refusal):
        return meant
    side, action = meant
    why = game.refuse(asked.state, action, side)
    if why is not None:
        return why
    found = [losses_ahead(game, state, side, action) for state in _guesses(asked, side, action)]
    certain = [loss for loss in found[0] if all(loss in other for other in found)] if found else []
    return {"losses": [_loss(asked, event, chosen) for event, chosen in certain]}


def _guesses(asked: Asked, side: int, action: Action) -> list[Any]:
    """Positions as the asker may think of them; where something is hidden from him, several: what depends on
    it is not certain."""
    game = asked.game
    if not game.hidden_information:
        return [asked.state]
    guessed = [game.imagine(asked.state, side, Random(number)) for number in range(GUESSES)]
    return [state for state in guessed if game.refuse(state, action, side) is None]


def _loss(asked: Asked, event: Event, chosen: bool) -> dict[str, Any]:
    told = {"case": event.case, "text": asked.game.tell(event, asked.language)}
    return {**told, **mentioned(asked.game, event.facts), "chosen": chosen}


def _reach(asked: Asked) -> Answer:
    """How far units get together; with `fewer`, as many of them as get anywhere together, the first ones."""
    game, units = asked.game, asked.units("units")
    fewer = asked.words.get("fewer") is True
    found = asked.adviser.reach(asked.state, units)
    while fewer and len(units) > 1 and (isinstance(found, Refusal) or not found):
        units = units[:-1]
        found = asked.adviser.reach(asked.state, units)
    if isinstance(found, Refusal):
        return found
    stuck = why_stuck(game, asked.state, units) if not found else None
    told: dict[str, Any] = {} if stuck is None else {"why": refused(game, stuck, asked.language)}
    if fewer:
        told["units"] = [game.unit_id(unit) for unit in units]
    return {"hexes": reach_tree(game, found), **told}


def _go(asked: Asked) -> Answer:
    """Whether units may go to a hex now; if not, why not, about that hex."""
    game, units, (goal,) = asked.game, asked.units("units"), asked.hexes("hexes")
    found = asked.adviser.reach(asked.state, units)
    if isinstance(found, Refusal):
        return {"legal": False, **refused(game, found, asked.language)}
    if goal in found:
        return {"legal": True}
    reasons = why_not_there(game, asked.state, units, goal, found)
    if not reasons:
        return {"legal": True}
    first, *more = (refused(game, why, asked.language) for why in reasons)
    # The case of the second sentence is that of the first.
    rest = [told["text"].removeprefix(f"{told['case']}: ") for told in more]
    return {"legal": False, **first, "text": " ".join([first["text"], *rest])}


def _forecast(asked: Asked) -> Answer:
    extras = asked.extras()
    found = asked.adviser.forecast(asked.state, asked.hexes("targets"), asked.units("units"), extras)
    return found if isinstance(found, Refusal) else _told_forecast(asked, found)


def _told_forecast(asked: Asked, found: Forecast) -> dict[str, Any]:
    game = asked.game
    return {
        "case": found.case,
        "attack": found.attack,
        "defence": found.defence,
        "columns": found.columns,
        "results": _results(asked, found.results),
        "shifts": [
            {**s._asdict(), "text": game.catalogue.template("shifts", s.code, asked.language)}
            for s in found.shifts
        ],
        "attackers": [_share(asked, share) for share in found.attackers],
        "defenders": [_share(asked, share) for share in found.defenders],
    }


def _share(asked: Asked, share: Share) -> dict[str, Any]:
    game = asked.game
    reasons = [
        {"case": case, "text": game.catalogue.template("shares", code, asked.language)}
        for code, case in share.reasons
    ]
    units = [game.unit_id(unit) for unit in share.units]
    return {"units": units, "printed": share.printed, "counted": share.counted, "reasons": reasons}


def _results(asked: Asked, results: Iterable[tuple[str, float]]) -> list[dict[str, Any]]:
    """Results with what they do."""
    lines = []
    for code, chance in results:
        effects = asked.game.effects(code)
        lines.append(
            {
                "code": code,
                "chance": chance,
                "text": asked.game.result_text(code, asked.language),
                "tone": effects.tone,
                "defender": effects.defender._asdict(),
                "attacker": effects.attacker._asdict(),
            }
        )
    return lines


def _what_if(asked: Asked) -> Answer:
    """Who could attack a hex after a whole move, and what an attack by some of them would promise."""
    game, supposes = asked.game, asked.supposes
    target = game.board.cell(str(asked.words["hex"]))
    state = asked.imagined
    places = supposes.approaches(state, target)
    units = [game.unit_index(str(word)) for word in _few(asked.words.get("units", []))]
    answer: dict[str, Any] = {
        "from": {game.unit_id(unit): game.board.number(cell) for unit, cell in places.items()},
        "extras": _extras_of(asked, state, places),
        "forecast": None,
    }
    if units:
        found = supposes.what_if(state, target, units, asked.extras())
        if isinstance(found, Refusal):
            return {**answer, "why": refused(game, found, asked.language)}
        answer["forecast"] = _told_forecast(asked, found)
    return answer


def _few(words: Any) -> list[Any]:
    if not isinstance(words, list) or len(words) > MOST_UNITS:
        raise ValueError("units")
    return words


def _extras_of(asked: Asked, state: Any, places: Mapping[int, int]) -> list[dict[str, Any]]:
    """What the attackers could add to the attack."""
    game = asked.game
    side = next((game.sides.index(owners(game)[game.unit_id(unit)]) for unit in places), None)
    return [] if side is None else extras_in_hand(game, state, side, asked.language)


def _strengths(asked: Asked) -> Answer:
    """A unit's strengths, as printed and as they count now, with what changed them."""
    unit = asked.game.unit_index(str(asked.words["unit"]))
    attack, defence = asked.supposes.strengths(asked.imagined, unit)
    return {"attack": _share(asked, attack), "defence": _share(asked, defence)}


def _supply(asked: Asked) -> Answer:
    game = asked.game
    found = asked.adviser.supply(asked.state, asked.unit(asked.words["unit"]))
    return {
        "case": found.case,
        "supplied": found.supplied,
        "points": game.points.number(found.points),
        "line": [game.board.number(c) for c in found.line],
        "road": [game.board.number(c) for c in found.road],
    }


def _layer(asked: Asked) -> Answer:
    side = asked.words.get("side")
    wish = Wish(str(asked.words["layer"]), None if side is None else str(side))
    found = layer(asked.game, asked.state, asked.sides, wish)
    return refusal("no-advice", "") if found is None else {"hexes": found}


_QUESTIONS: dict[str, Callable[[Asked], Answer]] = {
    "why": _why,
    "go": _go,
    "ahead": _ahead,
    "reach": _reach,
    "forecast": _forecast,
    "what-if": _what_if,
    "strengths": _strengths,
    "supply": _supply,
    "layer": _layer,
}
