"""What a game says: refusals, events, intents and names in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from grognard.board import Board
from grognard.files import HALVES, Scale
from grognard.kernel.actions import Event, Refusal
from grognard.kernel.doctrine import Intent
from grognard.kernel.text import Catalogue, fact_kind, signed


class Teller:
    """Sentences from codes and facts, and the names of what facts speak of."""

    board: Board
    units: Sequence[Any]
    catalogue: Catalogue
    points: ClassVar[Scale] = HALVES
    """The fraction in which points of movement and supply are counted."""

    def explain(self, reason: Refusal, language: str) -> str:
        """A refusal as a sentence, with its case number in front."""
        text = self._sentence("refusals", reason.code, reason.facts, language)
        return f"{reason.case}: {text}" if reason.case else text

    def tell(self, event: Event, language: str) -> str:
        """A line of the log."""
        return self._sentence("events", event.kind, event.facts, language)

    def declare(self, intent: Intent, language: str) -> str:
        """What a computer player is trying to do, in a sentence."""
        return self._sentence("intents", intent.code, intent.facts, language)

    def _sentence(self, section: str, code: str, facts: Mapping[str, Any], language: str) -> str:
        text = self.catalogue.sentence(section, code, facts, language, self.render_fact)
        return text[:1].upper() + text[1:]

    def render_fact(self, name: str, value: Any, language: str) -> str:
        """One fact in words. What a fact is follows from its name."""
        kind = fact_kind(name)
        if kind == "unit":
            return self.unit_name(value, language)
        if kind == "units":
            return ", ".join(self.unit_name(unit, language) for unit in value)
        if kind == "hex":
            return self.hex_name(value, language)
        if kind == "hexes":
            return ", ".join(self.hex_name(cell, language) for cell in value)
        if kind == "points":
            return self.points.text(value)
        if name == "shifts":
            return ", ".join(
                f"{self.catalogue.template('shifts', code, language)} {signed(columns)} ({case})"
                for code, columns, case in value
            ) or self.catalogue.template("words", "no-shift", language)
        if kind == "word" and self.catalogue.has("words", str(value)):
            return self.catalogue.template("words", str(value), language)
        return str(value)

    def unit_name(self, unit: int, language: str) -> str:
        return str(self.units[unit].names[language])

    def hex_name(self, cell: int, language: str) -> str:
        place = self.board.name(cell, language)
        number = self.board.number(cell)
        return f"{number} ({place})" if place else number
