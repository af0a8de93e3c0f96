"""Actions in writing: how a game's verbs, units, hexes and places are called in journals and on the wire."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Protocol

from grognard.board import Board
from grognard.hexes import UnknownHexError
from grognard.kernel.actions import Action, Refusal, refusal
from grognard.kernel.verbs import Role, Verb


class PlaceNames(Protocol):
    """How a game's places are called: hexes, boxes beside the map, units that carry others."""

    def every(self) -> tuple[int, ...]: ...

    def exists(self, place: int) -> bool: ...

    def write(self, place: int) -> str: ...

    def read(self, word: str) -> int:
        """KeyError or UnknownHexError if nothing has this name."""
        ...


class Codec:
    """The two faces of an action: tuples of numbers for the rules, lists of words for everybody else."""

    board: Board
    units: Sequence[Any]
    """The counters, each with an `id` and its `names` by language. Rules call a unit by its place here."""
    places: PlaceNames | None = None
    """Of games whose verbs take places: arguments of the kind `place`."""
    occasions: tuple[str, ...]
    """The kinds of reactions on which a side may pass in advance."""

    _verbs: dict[str, Verb]

    def exists(self, kind: str, value: int) -> bool:
        if kind == "hex":
            return value in self.board.info
        if kind == "unit":
            return 0 <= value < self.unit_count()
        if kind == "place":
            return self.places is not None and self.places.exists(value)
        if kind == "occasion":
            return 0 <= value < len(self.occasions)
        return 0 <= value < 1000

    def values(self, kind: str) -> tuple[int, ...]:
        """Everything that an argument of this kind can be, in the game's own order."""
        if kind == "hex":
            return self.board.cells
        if kind == "place" and self.places is not None:
            return self.places.every()
        count = 0
        while self.exists(kind, count):
            count += 1
        return tuple(range(count))

    def unit_count(self) -> int:
        return len(self.units)

    def unit_id(self, unit: int) -> str:
        return str(self.units[unit].id)

    def unit_index(self, id_: str) -> int:
        """The unit of this id; KeyError if there is none."""
        return self._unit_index[id_]

    @cached_property
    def _unit_index(self) -> dict[str, int]:
        return {unit.id: index for index, unit in enumerate(self.units)}

    def argument_kinds(self, verb: str) -> tuple[str, ...]:
        """What the arguments of a verb are (hex, unit, number); KeyError if the game has no such verb."""
        return self._verbs[verb].kinds

    def role(self, action: Action) -> Role:
        """What an answer does, in any game."""
        return self._verbs[action[0]].role

    def roles(self, options: Iterable[Action]) -> set[Role]:
        """What can be done with these answers."""
        return {self._verbs[word].role for word in {option[0] for option in options}}

    def with_role(self, options: Iterable[Action], role: Role) -> list[Action]:
        """Those of some answers that do a certain thing."""
        return [option for option in options if self._verbs[option[0]].role is role]

    def verbs(self) -> list[str]:
        return list(self._verbs)

    def encode(self, action: Action) -> list[str]:
        """An action as it is written in journals and sent over the wire."""
        words = [str(action[0])]
        for kind, value in zip(self._verbs[action[0]].kinds, action[1:], strict=True):
            words.append(self.write_argument(kind, value))
        return words

    def write_argument(self, kind: str, value: int) -> str:
        """One argument of an action in writing. Games with kinds of their own (chits) extend it."""
        if kind == "hex":
            return self.board.number(value)
        if kind == "unit":
            return self.unit_id(value)
        if kind == "place" and self.places is not None:
            return self.places.write(value)
        if kind == "occasion":
            return self.occasions[value]
        return str(value)

    def read_argument(self, kind: str, word: str) -> int:
        """What a written argument means. KeyError or UnknownHexError if nothing of the kind has this name;
        ValueError if it is no name at all."""
        if kind == "hex":
            return self.board.cell(word)
        if kind == "unit":
            return self.unit_index(word)
        if kind == "place" and self.places is not None:
            return self.places.read(word)
        if kind == "occasion":
            return {name: number for number, name in enumerate(self.occasions)}[word]
        if word.isascii() and word.isdigit() and len(word) < 6:
            return int(word)
        raise ValueError(word)

    def decode(self, words: Any) -> Action | Refusal:
        """The action that a written one means, or why it means none."""
        if not isinstance(words, (list, tuple)) or not words or not all(isinstance(w, str) for w in words):
            return refusal("malformed", "")
        verb = self._verbs.get(words[0])
        if verb is None:
            return refusal("unknown-verb", "", verb=str(words[0])[:40])
        kinds = verb.kinds
        if len(words) != len(kinds) + 1:
            return refusal("malformed", "", verb=words[0])
        values: list[Any] = [words[0]]
        for kind, word in zip(kinds, words[1:], strict=True):
            try:
                values.append(self.read_argument(kind, word))
            except (KeyError, UnknownHexError):
                return refusal(f"unknown-{kind}", "", word=word[:40])
            except ValueError:
                return refusal("malformed", "", verb=words[0])
        return tuple(values)
