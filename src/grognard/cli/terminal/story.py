"""The log as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from grognard.cli.words import TerminalWords
from grognard.kernel import Event, Game
from grognard.kernel.actions import EVERYONE
from grognard.kernel.events import Family

HEADLINES = frozenset({Family.TURN, Family.PHASE})


def visible(events: Iterable[Event], sides: Iterable[int]) -> list[Event]:
    """The events that any of these sides may know."""
    readers = {EVERYONE, *sides}
    return [event for event in events if event.audience in readers]


def condensed(events: Iterable[Event]) -> Iterator[Event]:
    """A march of many steps as one line: from where to where."""
    held: Event | None = None
    for event in events:
        if (
            held is not None
            and event.kind == held.kind
            and "hex_from" in event.facts
            and event.facts["hex_from"] == held.facts["hex"]
            and _others(event) == _others(held)
        ):
            held = event._replace(facts={**event.facts, "hex_from": held.facts["hex_from"]})
            continue
        if held is not None:
            yield held
        held = event
    if held is not None:
        yield held


def _others(event: Event) -> dict[str, Any]:
    return {name: value for name, value in event.facts.items() if name not in ("hex", "hex_from")}


def story(game: Game[Any], events: Iterable[Event], language: str) -> Iterator[str]:
    """Lines of the log, each with its case; turns and phases stand out."""
    for event in condensed(events):
        sentence = game.tell(event, language)
        family = game.family(event)
        if family in HEADLINES:
            yield f"{'==' if family is Family.TURN else '--'} {sentence}"
        else:
            yield f"   {sentence} ({event.case})" if event.case else f"   {sentence}"


def outcome_line(game: Game[Any], state: Any, words: TerminalWords) -> str:
    outcome = game.outcome(state)
    assert outcome is not None
    points = ", ".join(
        f"{game.render_fact('word', name, words.language)} {value}"
        for name, value in outcome.points.items()
        if name in game.sides
    )
    level = game.render_fact("word", outcome.level, words.language)
    return words("play", "result", level=level, points=points)
