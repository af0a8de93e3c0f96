"""7.1.3 in play: change what a side may not know, and nothing that reaches it changes."""

from __future__ import annotations

import json
from random import Random

import pytest

from grognard.board.board import bits, each
from grognard.games.a_victory_lost.state import AXIS, SOVIET, VictoryState
from grognard.kernel import Match, Refusal
from grognard.kernel.actions import EVERYONE
from grognard.players import seat
from tests.contract.checks import any_option, give
from tests.games.a_victory_lost.table import Table, real_game
from tests.games.table_base import shown_groups, shown_part
from tests.rules import rule


def told(table: Table, side: int | None) -> str:
    """All that reaches a side or a spectator: the view, the prompt and the lines of the log."""
    game, state = table.game, table.state
    log = [
        (e.kind, e.case, str(e.facts), game.tell(e, "en"), game.tell(e, "fr"))
        for e in state.log or []
        if e.audience in (EVERYONE, side)
    ]
    prompts = [game.prompt(state, language) for language in ("en", "fr")] if table.actor != "nobody" else []
    return json.dumps([game.view(state, side), prompts, log])


UNITS = {"hq-51a": "1808", "su-91": "1808", "hq-4pza": "0808", "ge-6pz": "0808"}
SOVIET_HQS = {"hq-1gda": "1801", "hq-2gda": "1802", "hq-3gda": "1803", "hq-popov": "1804", "hq-5tka": "1805"}


def after_a_draw(soviet: list[str], axis: list[str], soviet_pool: list[str], axis_pool: list[str]) -> Table:
    """One chit of each side has been drawn; these are still in the cup, and those in the pools besides."""
    table = Table(
        "draw",
        UNITS | SOVIET_HQS,
        cup=["51a", "4pza", *soviet, *axis],
        soviet_chits=soviet_pool,
        axis_chits=axis_pool,
    )
    return table.do("draw chit-51a", "end", "end", "draw chit-4pza")


@rule("a_victory_lost", "7.1.3")
def test_what_is_left_in_the_cup_is_hidden_from_the_other_side() -> None:
    one = after_a_draw(["1gda"], ["h2a"], ["2gda"], ["r3a"])
    soviets_differ = after_a_draw(["2gda"], ["h2a"], ["1gda"], ["r3a"])
    axis_differs = after_a_draw(["1gda"], ["r3a"], ["2gda"], ["h2a"])
    assert told(one, AXIS) == told(soviets_differ, AXIS)
    assert told(one, SOVIET) != told(soviets_differ, SOVIET)
    assert told(one, SOVIET) == told(axis_differs, SOVIET)
    assert told(one, AXIS) != told(axis_differs, AXIS)
    assert told(one, None) == told(soviets_differ, None) == told(axis_differs, None)


@rule("a_victory_lost", "7.1.3", "3.0")
def test_chits_never_chosen_are_hidden_too() -> None:
    """Which chits the Soviets took for the whole game shows only as they are drawn."""
    one = after_a_draw(["1gda"], ["h2a"], ["2gda", "3gda"], ["r3a"])
    other = after_a_draw(["popov"], ["h2a"], ["5tka", "3gda"], ["r3a"])
    assert told(one, AXIS) == told(other, AXIS)
    assert told(one, None) == told(other, None)
    known = shown_part(one.game, one.state, "chits:soviet", AXIS)
    groups = {group.id: group for group in known.groups}
    seen = [chit for group in known.groups for chit in group.pieces]
    assert set(seen) == {"chit-stavka", "chit-51a"}
    assert len(seen) + groups["out-of-cup"].more == 5
    assert not groups["cup"].pieces
    assert "planned" not in groups


@rule("a_victory_lost", "7.1.3", "7.1.2")
def test_a_selection_under_way_does_not_show() -> None:
    def selecting(*names: str) -> Table:
        five = ["1gda", "2gda", "3gda", "5tka", "popov"]
        table = Table(
            "command",
            SOVIET_HQS,
            turn=3,
            axis_chits=["4pza", "h2a", "r3a", "it8a", "kempf"],
            soviet_chits=five,
        )
        return table.do(*(f"select chit-{n}" for n in names))

    nothing, one, other = selecting(), selecting("1gda"), selecting("popov")
    assert one.actor == "soviet"
    for side in (AXIS, None):
        views = [json.dumps(t.game.view(t.state, side)) for t in (nothing, one, other)]
        assert len(set(views)) == 1
    done, otherwise = selecting("1gda", "2gda", "3gda"), selecting("5tka", "popov", "3gda")
    assert done.actor == "axis"
    assert told(done, AXIS) == told(otherwise, AXIS)
    assert told(done.do("select chit-4pza"), SOVIET) == told(
        selecting("1gda", "2gda", "3gda").do("select chit-r3a"), SOVIET
    )


@rule("a_victory_lost", "7.1.3", "15.0.2")
def test_a_plan_is_as_secret_as_a_selection() -> None:
    def planned(*names: str) -> Table:
        five = ["1gda", "2gda", "3gda", "5tka", "popov"]
        table = Table(
            "command",
            SOVIET_HQS,
            turn=1,
            axis_chits=["4pza", "h2a", "r3a", "it8a"],
            soviet_chits=five,
            options=["soviets_plan_ahead"],
        )
        return table.do(
            "select chit-1gda", "select chit-2gda", "select chit-3gda", *(f"plan chit-{n}" for n in names)
        )

    for names in (("1gda",), ("1gda", "2gda", "3gda")):
        one, other = planned(*names), planned(*("popov", "5tka", "2gda")[: len(names)])
        for side in (AXIS, None):
            assert json.dumps(one.game.view(one.state, side)) == json.dumps(
                other.game.view(other.state, side)
            )
        assert told(one, SOVIET) != told(other, SOVIET)
        logs = [[e for e in t.state.log or [] if e.audience in (EVERYONE, AXIS)] for t in (one, other)]
        assert logs[0] == logs[1]
    guesses = set()
    random = Random(3)
    one = planned("1gda", "2gda", "3gda").do("select chit-4pza", "select chit-h2a", "select chit-r3a")
    for _ in range(100):
        guess = one.game.imagine(one.state, AXIS, random)
        assert guess.planned.bit_count() == 3
        assert not guess.planned & ~guess.pool[SOVIET]
        assert not guess.planned & one.game.stavka
        guesses.add(guess.planned)
    assert len(guesses) > 5


@rule("a_victory_lost", "7.1.3")
def test_an_undrawn_chit_is_never_on_offer_to_anybody() -> None:
    """Who draws is chance: no player sees the outcomes."""
    table = Table("draw", UNITS, cup=["51a", "4pza"])
    for side in (AXIS, SOVIET, None):
        view = table.game.view(table.state, side)
        assert view["options"] == []
        assert view["actor"] is None


@rule("a_victory_lost", "7.1.3")
def test_guesses_keep_what_has_been_drawn_and_vary_the_rest() -> None:
    table = after_a_draw(["1gda"], ["h2a"], ["2gda", "3gda"], ["r3a"])
    game, state = table.game, table.state
    random = Random(11)
    drawn = bits(game.chit_index(f"chit-{n}") for n in ("51a", "4pza"))
    pools, cups = set(), set()
    for _ in range(150):
        guess = game.imagine(state, AXIS, random)
        assert game.view(guess, AXIS) == game.view(state, AXIS)
        assert guess.played == state.played == drawn
        assert guess.pool[SOVIET] & drawn  # the one that was seen
        assert not guess.cup & drawn
        assert guess.pool[AXIS] == state.pool[AXIS]
        assert guess.chosen[SOVIET] & ~guess.pool[SOVIET] == 0
        assert guess.cup == (guess.chosen[AXIS] | guess.chosen[SOVIET]) & ~guess.played
        pools.add(guess.pool[SOVIET])
        cups.add(guess.cup & game.chits_of[SOVIET])
    assert len(pools) > 5
    assert len(cups) > 3
    for chit in each(game.soviet_hq_chits):  # an HQ out of the game took its chit with it
        if table.where(game.units[game.chits[chit].hq].id) == "dead":
            assert not any(pool >> chit & 1 for pool in pools)


@rule("a_victory_lost", "7.1.3")
def test_imagining_changes_nothing_and_can_be_repeated() -> None:
    table = after_a_draw(["1gda"], ["h2a"], ["2gda"], ["r3a"])
    before = table.state.fingerprint()
    for side in (AXIS, SOVIET):
        one, other = (table.game.imagine(table.state, side, Random(5)) for _ in range(2))
        assert one.fingerprint() == other.fingerprint()
        assert one is not table.state
    assert table.state.fingerprint() == before


@rule("a_victory_lost", "7.1.3")
@pytest.mark.parametrize(
    "options", [{}, {"soviets_plan_ahead": True, "early_manstein": True}], ids=["plain", "aided"]
)
def test_in_whole_games_guesses_and_secrets_keep_apart(options: dict[str, bool]) -> None:
    """At every stage of a random game: views do not tell true positions from guessed ones, and no line of the
    log that everybody reads names a chit that has not been drawn or received."""
    game = real_game()
    match, random = Match(game, "campaign", options, seed="whole"), Random(2)
    names = {c.id: i for i, c in enumerate(game.chits)}
    for number in range(1500):
        actor = game.actor(match.state)
        if actor is None:
            break
        give(match, actor, any_option(match, random))
        if number % 25 or not match.state.frames:
            continue
        state = match.state
        for side in (AXIS, SOVIET):
            guess = game.imagine(state, side, random)
            assert game.view(guess, side) == game.view(state, side)
            assert guess.pool[SOVIET].bit_count() == state.pool[SOVIET].bit_count()
            other = shown_groups(game, state, f"chits:{game.sides[1 - side]}", side)
            shown = bits(names[c] for c in (*other["played"], *other["put-back"]))
            if side == AXIS:
                seen = bits(names[c] for chits in other.values() for c in chits)
                assert not seen & ~(state.shown | game.stavka)
            assert not shown & ~(state.played | state.refused)
            assert not other["cup"]
            assert "planned" not in other
    for event in match.log:
        if event.audience == EVERYONE:
            assert "chits" not in event.facts
            if "chit" in event.facts:
                assert event.kind in ("chit-drawn", "chit-received", "manstein-put-back", "no-hq")


OWN_FIVE = ("1gda", "2gda", "3gda", "5tka", "popov")


def chosen(*words: str, seed: str = "five") -> Match[VictoryState]:
    """A game whose first answers are these Soviet ones."""
    game = real_game()
    match = Match(game, "campaign", seed=seed)
    for text in words:
        action = game.decode(text.split())
        assert not isinstance(action, Refusal)
        assert match.act(SOVIET, action) is None
    return match


@rule("a_victory_lost", "3.0", "7.1.3")
def test_the_five_are_one_answer_to_everybody_else() -> None:
    """One answer or five: nobody but the Soviets can tell, then or later."""
    game = real_game()
    takes = [f"take chit-{n}" for n in OWN_FIVE]
    fresh, begun = chosen(), chosen(*takes[:3])
    for viewer in (AXIS, None):
        sides = () if viewer is None else (viewer,)
        assert game.view(begun.state, viewer) == game.view(fresh.state, viewer)
        assert begun.version(sides) == fresh.version(sides)
    assert begun.version((SOVIET,)) != fresh.version((SOVIET,))
    assert begun.moments == fresh.moments
    matches = chosen("historical"), chosen(*takes), chosen(*reversed(takes))
    assert [len(match.journal) for match in matches] == [1, 5, 5]
    for match in matches:
        assert len(match.moments) == 2
        assert game.view(match.state, AXIS) == game.view(matches[0].state, AXIS)
        assert match.version((AXIS,)) == matches[0].version((AXIS,)) == match.version(())
        public = [e for e in match.log if e.audience in (EVERYONE, AXIS)]
        assert public == [e for e in matches[0].log if e.audience in (EVERYONE, AXIS)]


@rule("a_victory_lost", "7.1.2", "7.1.3")
def test_both_select_at_once_and_each_may_think_again() -> None:
    match = chosen("historical")
    game = match.game
    assert game.must_act(match.state) == {AXIS, SOVIET}
    before = match.state.fingerprint()
    views = [game.view(match.state, None)]
    for side in (AXIS, SOVIET, AXIS):
        action = game.options(match.state, side)[0]
        assert match.act(side, action) is None
        views.append(game.view(match.state, None))
    assert all(view == views[0] for view in views), "who has written what does not show"
    assert game.shown_actors(match.state, None) == (SOVIET, AXIS)
    assert match.undo(SOVIET) and not match.undo(SOVIET)
    assert len(match.state.written(AXIS)) == 2, "what the other has written stays"
    assert match.redo(SOVIET) and match.undo(SOVIET)
    assert match.undo(AXIS) and match.undo(AXIS) and not match.undo(AXIS)
    assert match.state.fingerprint() == before
    while AXIS in game.must_act(match.state):
        assert match.act(AXIS, game.options(match.state, AXIS)[-1]) is None
    assert game.view(match.state, SOVIET)["actor"] == "soviet"
    assert game.view(match.state, AXIS)["options"] == []
    assert match.can_undo(AXIS), "as long as the other has not finished"
    while SOVIET in game.must_act(match.state) and match.state.doing("command-phase") and not match.state.cup:
        assert match.act(SOVIET, game.options(match.state, SOVIET)[0]) is None
    assert match.state.cup
    assert not match.can_undo(AXIS) and not match.can_undo(SOVIET)


@rule("a_victory_lost", "3.0", "7.1.3")
def test_the_computers_five_vary() -> None:
    game = real_game()
    fives = set()
    for number in range(8):
        player, state = seat("recruit", f"seat {number}"), game.start("campaign")
        while not state.turn:
            game.apply(state, player.choose(game, game.imagine(state, SOVIET, Random(1)), SOVIET), SOVIET)
        fives.add(state.pool[SOVIET])
    assert len(fives) > 3
