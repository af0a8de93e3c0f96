"""3.0 Setting up."""

from __future__ import annotations

from collections import defaultdict

from grognard.board.board import each
from grognard.games.a_victory_lost.state import AXIS, SOVIET
from grognard.kernel import Match
from tests.games.a_victory_lost.table import real_game
from tests.rules import rule

HISTORICAL = {"chit-1gda", "chit-2gda", "chit-3gda", "chit-5tka", "chit-popov"}
FIRST_AXIS = {"chit-4pza", "chit-hollidt", "chit-it8a", "chit-h2a", "chit-r3a"}


def ids(chits: int) -> set[str]:
    return {real_game().chits[c].id for c in each(chits)}


@rule("a_victory_lost", "3.0")
def test_the_game_begins_with_the_secret_choice_of_the_soviet_player() -> None:
    game = real_game()
    match = Match(game, "campaign")
    assert game.actor(match.state) == SOVIET
    assert ids(match.state.pool[SOVIET]) == {"chit-stavka"}
    assert ("historical",) in game.options(match.state)


@rule("a_victory_lost", "3.0")
def test_the_historical_five_are_taken_at_once() -> None:
    match = Match(real_game(), "campaign")
    assert match.act(SOVIET, ("historical",)) is None
    assert ids(match.state.pool[SOVIET]) == HISTORICAL | {"chit-stavka"}
    told = next(event for event in match.log if event.kind == "five-chosen")
    assert told.audience == SOVIET
    assert told.facts["chits"] == tuple(each(match.state.pool[SOVIET]))
    assert match.state.turn == 1


@rule("a_victory_lost", "3.0")
def test_any_five_may_be_chosen_one_by_one_even_of_hqs_still_to_come() -> None:
    game = real_game()
    match = Match(game, "campaign")
    for name in ("40a", "64a", "28a", "3tka"):
        assert match.act(SOVIET, ("take", game.chit_index(f"chit-{name}"))) is None
    assert match.act(SOVIET, ("historical",)) is not None
    reason = match.act(SOVIET, ("take", game.chit_index("chit-40a")))
    assert reason is not None
    assert reason.code == "chit-taken"
    reason = match.act(SOVIET, ("take", game.chit_index("chit-kempf")))
    assert reason is not None
    assert reason.code == "not-a-choice"
    assert match.act(SOVIET, ("take", game.chit_index("chit-popov"))) is None
    assert ids(match.state.pool[SOVIET]) == {
        f"chit-{n}" for n in ("40a", "64a", "28a", "3tka", "popov", "stavka")
    }


@rule("a_victory_lost", "3.0")
def test_the_axis_has_five_chits_and_all_the_cities() -> None:
    state = real_game().start("campaign")
    assert ids(state.pool[AXIS]) == FIRST_AXIS
    assert state.points == [25, 0]
    assert not state.soviet_cities


@rule("a_victory_lost", "3.0", "10.1.5")
def test_everybody_on_the_map_is_in_supply_at_the_start() -> None:
    state = real_game().start("campaign")
    assert not any(state.supply)


@rule("a_victory_lost", "3.0", "5.0.1", "5.0.3")
def test_the_set_up_keeps_the_stacking_limits() -> None:
    game = real_game()
    there = defaultdict(list)
    for unit in game.units:
        if not unit.turn:
            there[unit.setup].append(unit)
    for units in there.values():
        assert len({u.axis for u in units}) == 1
        assert sum(not u.hq for u in units) <= 2
        assert sum(u.hq for u in units) <= 1
        assert len({u.nation for u in units} - {"german"}) <= 1


@rule("a_victory_lost", "3.0")
def test_every_hq_at_the_start_commands_somebody_and_everybody_would_be_in_supply() -> None:
    """Of our own set-up, which the book leaves to the printed map."""
    from grognard.games.a_victory_lost.rules.command import under_command
    from grognard.games.a_victory_lost.rules.supply import supplied_hexes

    game = real_game()
    state = game.start("campaign")
    state.turn = 1
    supplied = [supplied_hexes(game, state, side) for side in (AXIS, SOVIET)]
    for unit, counter in enumerate(game.units):
        if counter.turn:
            continue
        assert supplied[game.side(unit)] >> state.where[unit] & 1, counter.id
        if counter.hq:
            assert under_command(game, state, unit), counter.id


@rule("a_victory_lost", "3.0")
def test_every_chit_not_taken_yet_is_on_offer() -> None:
    game = real_game()
    state = game.start("campaign")
    chits = list(each(game.soviet_hq_chits))
    assert set(game.options(state)) == {*(("take", c) for c in chits), ("historical",)}
    game.apply(state, ("take", chits[0]))
    assert set(game.options(state)) == {("take", c) for c in chits[1:]}
