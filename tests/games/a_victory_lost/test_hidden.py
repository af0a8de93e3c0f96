"""7.1.3 What a side may not know: the other's chosen and remaining chits."""

from __future__ import annotations

import json
from random import Random

from grognard.board.board import bits
from grognard.games.a_victory_lost.state import AXIS, SOVIET, VictoryState
from grognard.kernel import Match
from grognard.kernel.actions import EVERYONE
from tests.games.a_victory_lost.table import Table, real_game
from tests.games.table_base import shown_groups
from tests.rules import rule


def started(*five: str, soviet: tuple[str, ...] = (), axis: tuple[str, ...] = ()) -> Match[VictoryState]:
    """A game whose selections of turn 1 are made, at the Soviet special combat."""
    game = real_game()
    match = Match(game, "campaign", seed="hidden")
    for side, verb, names in ((SOVIET, "take", five), (SOVIET, "select", soviet), (AXIS, "select", axis)):
        for name in names:
            assert match.act(side, (verb, game.chit_index(f"chit-{name}"))) is None
    return match


def told(match: Match[VictoryState], side: int) -> str:
    """All that reaches a side: its view, and the events it may read."""
    log = [e for e in match.log if e.audience in (EVERYONE, side)]
    return json.dumps([match.game.view(match.state, side), [(e.kind, str(e.facts)) for e in log]])


ONE = started(
    *("40a", "6a", "1gda", "3gda", "5tka"), soviet=("40a", "6a", "1gda"), axis=("4pza", "hollidt", "it8a")
)
OTHER = started(
    *("popov", "64a", "28a", "51a", "2gda"), soviet=("28a", "51a", "2gda"), axis=("4pza", "hollidt", "it8a")
)
THIRD = started(
    *("40a", "6a", "1gda", "3gda", "5tka"), soviet=("40a", "6a", "1gda"), axis=("h2a", "r3a", "it8a")
)


@rule("a_victory_lost", "7.1.3", "3.0")
def test_the_axis_cannot_tell_which_five_the_soviets_chose_or_selected() -> None:
    assert told(ONE, AXIS) == told(OTHER, AXIS)
    assert told(ONE, SOVIET) != told(OTHER, SOVIET)


@rule("a_victory_lost", "7.1.3")
def test_the_soviets_cannot_tell_what_the_axis_selected() -> None:
    assert told(ONE, SOVIET) == told(THIRD, SOVIET)
    assert told(ONE, AXIS) != told(THIRD, AXIS)


@rule("a_victory_lost", "7.1.3")
def test_a_spectator_knows_neither() -> None:
    game = real_game()
    views = [json.dumps(game.view(m.state, None)) for m in (ONE, OTHER, THIRD)]
    assert len(set(views)) == 1


@rule("a_victory_lost", "7.1.3")
def test_while_a_side_selects_the_other_sees_nothing_of_it() -> None:
    game = real_game()
    seen = set()
    for name in ("40a", "6a", "popov"):
        match = Match(game, "campaign", seed="hidden")
        assert match.act(SOVIET, ("take", game.chit_index(f"chit-{name}"))) is None
        seen.add(told(match, AXIS))
    assert len(seen) == 1


@rule("a_victory_lost", "7.1.3")
def test_a_drawn_chit_is_known_from_then_on() -> None:
    table = Table("draw", {}, cup=["1gda", "4pza"], soviet_chits=["2gda", "3gda"])
    table.do("draw chit-1gda", "draw chit-4pza")
    assert table.state.turn == 4
    known = shown_groups(table.game, table.state, "chits:soviet", AXIS)
    assert {chit for chits in known.values() for chit in chits} == {"chit-1gda", "chit-stavka"}


@rule("a_victory_lost", "7.1.3")
def test_what_a_side_imagines_agrees_with_what_it_knows_and_covers_what_it_does_not() -> None:
    game = real_game()
    random = Random(7)
    cups, pools = set(), set()
    for _ in range(200):
        guess = game.imagine(ONE.state, AXIS, random)
        assert game.view(guess, AXIS) == game.view(ONE.state, AXIS)
        assert guess.cup.bit_count() == ONE.state.cup.bit_count()
        assert guess.cup & game.chits_of[AXIS] == ONE.state.cup & game.chits_of[AXIS]
        assert not guess.cup & ~(guess.pool[AXIS] | guess.pool[SOVIET])
        assert guess.cup & game.stavka
        cups.add(guess.cup)
        pools.add(guess.pool[SOVIET])
    seen = 0
    for pool in pools:
        seen |= pool
    assert seen == game.chits_of[SOVIET]
    assert len(pools) > 150
    assert len(cups) > 100


@rule("a_victory_lost", "7.1.3")
def test_the_soviets_imagine_axis_cups_of_the_known_pool() -> None:
    game = real_game()
    random = Random(7)
    cups = set()
    for _ in range(200):
        guess = game.imagine(ONE.state, SOVIET, random)
        assert game.view(guess, SOVIET) == game.view(ONE.state, SOVIET)
        assert guess.pool == ONE.state.pool
        assert guess.cup & game.chits_of[SOVIET] == ONE.state.cup & game.chits_of[SOVIET]
        cups.add(guess.cup & game.chits_of[AXIS])
    assert len(cups) == 10  # three of five


@rule("a_victory_lost", "7.1.3", "7.2.2")
def test_a_manstein_put_back_is_known_to_be_in_the_cup() -> None:
    table = Table(
        "draw",
        {"hq-4pza": "0808", "ge-6pz": "0808"},
        cup=["manstein-1", "4pza", "51a"],
        axis_chits=["kempf", "h2a"],
    )
    table.do("draw chit-manstein-1", "put-back", "draw chit-4pza")
    manstein = bits([table.game.chit_index("chit-manstein-1")])
    random = Random(1)
    assert all(table.game.imagine(table.state, SOVIET, random).cup & manstein for _ in range(30))


def test_nothing_of_the_secret_events_reaches_the_other_side() -> None:
    secret = [e for e in ONE.log if e.kind in ("five-chosen", "chits-selected", "chits-planned")]
    assert {e.kind for e in secret} == {"five-chosen", "chits-selected"}
    assert all(e.audience in (AXIS, SOVIET) for e in secret)
    assert all("chits" not in e.facts for e in ONE.log if e.audience == EVERYONE)
