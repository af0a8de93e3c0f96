"""What may lie on a table: parts in plain values, declarations, and that games show what they declare."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grognard.kernel import Game, Match
from grognard.kernel.events import Die, EventKind, Family
from grognard.kernel.registry import game_ids, load_game
from grognard.kernel.table import (
    GLYPHS,
    STATUSES,
    Area,
    Company,
    Count,
    Display,
    Flag,
    Group,
    Holders,
    Markers,
    Pool,
    Slot,
    Track,
    part_key,
    plain_part,
)
from grognard.kernel.text import Catalogue

PARTS = [
    (Markers("forts", ["0101"]), {"part": "markers", "id": "forts", "hexes": ["0101"]}),
    (
        Markers("attacks", ["0102"], arrows=[("0101", "0102")]),
        {"part": "markers", "id": "attacks", "hexes": ["0102"], "arrows": [("0101", "0102")]},
    ),
    (Area("zone", ["0101"], "fill"), {"part": "area", "id": "zone", "hexes": ["0101"], "style": "fill"}),
    (Holders("cities", {"0101": "red"}), {"part": "holders", "id": "cities", "hexes": {"0101": "red"}}),
    (Count("air", 2, 3, "red"), {"part": "count", "id": "air", "value": 2, "of": 3, "side": "red"}),
    (Flag("mud", True), {"part": "flag", "id": "mud", "on": True}),
    (
        Pool("cup", [Group("in", ["a"], 2)]),
        {"part": "pool", "id": "cup", "groups": [{"id": "in", "pieces": ["a"], "more": 2}]},
    ),
    (Track("supply", 3, 0, 9), {"part": "track", "id": "supply", "value": 3, "low": 0, "high": 9}),
    (
        Display("bases", [Slot("north", ["u1"])]),
        {"part": "display", "id": "bases", "slots": [{"id": "north", "units": ["u1"], "pieces": []}]},
    ),
    (Company("acting", ["u1"]), {"part": "company", "id": "acting", "units": ["u1"]}),
]


@pytest.mark.parametrize(("part", "plain"), PARTS, ids=lambda value: getattr(value, "part", ""))
def test_a_part_in_plain_values(part: Any, plain: dict[str, Any]) -> None:
    assert plain_part(part) == plain


def test_a_part_of_a_side_has_a_name_of_its_own() -> None:
    assert part_key(Count("air", 2)) == "air"
    assert part_key(Count("air", 2, side="red")) == "air:red"
    assert part_key(Flag("mud", False)) == "mud"


KERNEL_EVENTS = set(Catalogue().codes("events"))


def walk(game: Game[Any], seed: str, answers: int) -> Match[Any]:
    """Some random answers to the first scenario, as a match with its log."""
    match: Match[Any] = Match(game, next(iter(game.scenarios)), seed=seed)
    random = Random(seed)
    for _ in range(answers):
        side = game.actor(match.state)
        if match.over or side is None:
            break
        assert match.act(side, random.choice(game.options(match.state, side))) is None
    return match


@pytest.fixture(scope="module", params=game_ids())
def match(request: pytest.FixtureRequest) -> Match[Any]:
    return walk(load_game(request.param), "table", 600)


def test_what_lies_on_the_table_has_been_declared(match: Match[Any]) -> None:
    game = match.game
    kinds = {kind.id: kind for kind in game.parts}
    badges = {badge.id for badge in game.badges}
    for side in (*range(len(game.sides)), None):
        table = game.table(match.state, side)
        assert len({part_key(part) for part in table.parts}) == len(table.parts)
        for part in table.parts:
            kind = kinds[part.id]
            assert type(part) is kind.part
            owner = getattr(part, "side", None)
            assert owner in kind.sides if kind.sides else owner is None
            if isinstance(part, Pool):
                assert {group.id for group in part.groups} <= set(kind.groups)
        for unit in table.units:
            assert set(unit["badges"]) <= badges
            assert unit["status"] in STATUSES
            assert (unit["status"] == "on-map") == (unit["hex"] is not None)
        assert set(table.scores) == set(game.sides)


def test_every_event_has_been_declared(match: Match[Any]) -> None:
    assert {event.kind for event in match.log} <= set(match.game.events)
    # What the rules can say at all is what the texts have words for.
    assert set(match.game.events) == set(match.game.catalogue.codes("events")) - KERNEL_EVENTS


def test_declarations_make_sense(match: Match[Any]) -> None:
    game = match.game
    for kind in game.parts:
        assert kind.glyph in GLYPHS
        assert set(kind.sides) <= set(game.sides)
        assert bool(kind.groups) == (kind.part in (Pool, Display))
        assert not kind.pieces or game.values(kind.pieces)
    for extra in game.extras:
        assert game.argument_kinds(extra.verb) == ("number",)
    results = [kind for kind in game.events.values() if kind.family is Family.RESULT]
    assert any(kind.table for kind in results)
    assert all(kind.dice for kind in results)


def test_dice_and_where_they_were_looked_up(match: Match[Any]) -> None:
    """Every roll of a battle says its dice, the column and the row of the table, and what stands there."""
    game = match.game
    rolled = [event for event in match.log if game.events[event.kind].table]
    if not rolled:
        pytest.skip("a random game without a battle")
    for event in rolled:
        values = event.facts.get("dice") or (event.facts["die"],)
        thrown = game.events[event.kind].dice
        assert game.dice(event) == tuple(Die(n, value) for n, value in zip(thrown, values, strict=True))
        roll = game.roll_of(event)
        assert roll is not None
        # A game that changes the die says what it became.
        assert roll.row == str(event.facts.get("n", sum(values)))
        assert roll.result == event.facts["result"]
        text = game.result_text(roll.result, "en")
        assert text != game.result_text(roll.result, "fr")
        game.effects(roll.result)
    assert all(not game.dice(event) for event in match.log if not game.events[event.kind].dice)


def test_several_dice_are_told_one_by_one() -> None:
    from grognard.kernel.actions import Event

    game = load_game(game_ids()[0])
    event = Event("thrown", "", {"dice": (2, 5)})
    kind = EventKind(Family.CHANCE, dice=(6, 10))
    try:
        type(game).events = {**game.events, "thrown": kind}
        assert game.dice(event) == (Die(6, 2), Die(10, 5))
    finally:
        type(game).events = {k: v for k, v in game.events.items() if k != "thrown"}
