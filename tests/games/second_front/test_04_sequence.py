"""4 The sequence of play, and a whole game of Sicily, ashore."""

from __future__ import annotations

from functools import cache
from random import Random

from grognard.games.second_front.game import load
from grognard.games.second_front.rules.position import stack
from grognard.games.second_front.rules.sequence import PROCEDURES, ToCome
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED, AXIS
from grognard.kernel import Event, Window
from grognard.kernel.text import LANGUAGES
from tests.games.second_front.table import Table
from tests.rules import rule

ORDER = ["initial", "movement", "combat", "exploitation"]


@cache
def played(seed: int) -> tuple[FrontState, tuple[Event, ...]]:
    """A game of random answers. Every fortieth position is looked at closely."""
    game = load()
    log: list[Event] = []
    state = game.start("sicily", log=log)
    game.settle(state, str(seed))
    random, count = Random(seed), 0
    while (actor := game.actor(state)) is not None:
        options = game.options(state)
        assert options, game.decision(state)
        if count % 40 == 0:
            before = state.fingerprint()
            assert all(game.refuse(state, option) is None for option in options[:20])
            assert state.clone().fingerprint() == before == state.fingerprint()
            assert game.prompt(state, "en", actor) != game.prompt(state, "fr", actor)
        game.apply(state, random.choice(options))
        game.settle(state, str(seed))
        count += 1
    return state, tuple(log)


@rule("second_front", "4", "4A", "4A1", "4A2", "4A3", "4A4", "4B")
def test_a_turn_is_two_player_turns_of_four_phases() -> None:
    assert [label for label in PROCEDURES["player-turn"].steps if label in ORDER] == ORDER
    _, log = played(1)
    told = [(event.kind, event.facts.get("turn", event.facts.get("word_side"))) for event in log]
    assert [each for each in told if each[0] in ("turn", "player-turn")] == [
        ("turn", 2),
        ("player-turn", "axis"),
        ("player-turn", "allied"),
        ("turn", 3),
        ("player-turn", "axis"),
        ("player-turn", "allied"),
        ("turn", 4),
        ("player-turn", "axis"),
        ("player-turn", "allied"),
    ]


def test_a_game_ends_by_itself_and_is_decided() -> None:
    game = load()
    state, log = played(1)
    outcome = game.outcome(state)
    assert state.over and outcome is not None and outcome.winner in (AXIS, ALLIED)
    for event in log:
        for language in LANGUAGES:
            assert "{" not in game.tell(event, language)


@rule("second_front", "8B", "3D")
def test_at_the_end_no_hex_is_shared_or_too_full_and_all_are_owned() -> None:
    game = load()
    state, _ = played(1)
    area = game.plan(state).area
    assert state.owned[AXIS] ^ state.owned[ALLIED] == area and not state.owned[AXIS] & state.owned[ALLIED]
    for cell, units in state.at.items():
        if cell >= 0:
            assert not (units & state.side_units[AXIS] and units & state.side_units[ALLIED])
            assert fits(game.board.info[cell].terrain, stack(game, state, cell))
            assert area >> cell & 1


def test_the_same_answers_lead_to_the_same_game() -> None:
    state, log = played(1)
    played.cache_clear()
    again, told = played(1)
    assert state.fingerprint() == again.fingerprint() and log == told


@rule("second_front", "4C")
def test_nothing_is_done_out_of_sequence() -> None:
    table = Table("movement", ALLIED, {"US-inf-XX-1": "26:4130", "SF-G-FJ-HG": "26:4128"})
    assert table.asked == "pick-unit" and table.actor == "allied"
    assert table.refused("assault 26:4128")[0] == "not-now"
    assert table.refused("move SF-G-FJ-HG") == ("not-yours", "6")


@rule("second_front", "4A3", "3G")
def test_isolation_is_looked_at_before_combat_and_supply_before_movement() -> None:
    labels = list(PROCEDURES["initial-phase"].steps)
    assert labels[:4] == ["isolation", "deliveries", "supply", "attrition"]
    combat = list(PROCEDURES["combat-phase"].steps)
    assert combat[0] == "isolation"
    support = ["defensive-air-support", "ground-support", "defensive-gunfire", "target"]
    assert [label for label in combat if label in support] == support


def test_there_is_a_window_wherever_the_other_side_may_act() -> None:
    """Part 6 of the digest, as far as the land war passes there."""
    windows = [d for d in load().decisions() if isinstance(d, Window)]
    assert {window.occasion for window in windows} == {
        *("garrison", "crowded-bases", "combat-air-patrol", "harassment", "naval-patrol", "naval-reaction"),
        *("landing-reaction", "air-operations", "defensive-air-support", "ground-support", "antiaircraft"),
        *("defensive-gunfire", "flooding", "retreat-before-combat", "air-escape", "port-demolition"),
        "return-of-patrols",
    }
    assert set(load().occasions) == {window.occasion for window in windows}
    state = played(1)[0]
    for window in windows:
        if isinstance(window, ToCome):
            assert not window.could(load(), state, window.actor(load(), state))


def test_the_set_up_is_legal() -> None:
    game = load()
    state = game.start("sicily")
    game.settle(state, "set-up")
    for cell in state.at:
        assert cell < 0 or fits(game.board.info[cell].terrain, stack(game, state, cell))
    assert game.plan(state).area.bit_count() == 62
    assert state.at[game.board.cell("26:4128")], "the Hermann Goering division is at Caltagirone"
    fed = [u for u in range(len(game.units)) if state.where[u] >= 0 and not state.fed >> u & 1]
    assert [game.units[u].id for u in fed] == [], "nobody begins hungry"
