"""A game in progress: refusals, undo, composite orders, saves and replays."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.kernel import Match, SaveError
from tests.kernel.toy import Toy, ToyState

GAME = Toy()


def fresh(seed: str = "7") -> Match[ToyState]:
    return Match(GAME, "short", seed=seed)


def shape(match: Match[ToyState]) -> tuple[Any, ...]:
    """All that a refused answer must leave alone."""
    return match.state.fingerprint(), list(match.journal), list(match.log), match.can_undo()


def play(match: Match[ToyState], *written: str) -> Match[ToyState]:
    for text in written:
        action = GAME.decode(text.split())
        actor = GAME.actor(match.state)
        assert actor is not None
        assert match.act(actor, action) is None, text
    return match


# Answers


def test_the_first_events_are_in_the_log() -> None:
    assert [event.kind for event in fresh().log] == ["turn"]


@pytest.mark.parametrize(
    ("side", "action", "code"),
    [
        (1, ("take", 1), "not-your-decision"),
        (7, ("take", 1), "not-your-decision"),
        (-1, ("take", 1), "not-your-decision"),
        (0, ("take", 4), "too-many"),
        (0, ("take", 0), "too-many"),
        (0, ("take", -1), "malformed"),
        (0, ("take", 1000), "malformed"),
        (0, ("take", True), "malformed"),
        (0, ("take", 1.0), "malformed"),
        (0, ("take", "1"), "malformed"),
        (0, ("take",), "malformed"),
        (0, ("take", 1, 1), "malformed"),
        (0, ("end", 1), "malformed"),
        (0, ("walk", -5), "malformed"),
        (0, ("walk", 10**9), "malformed"),
        (0, ("die", 6), "not-now"),
        (0, ("fly",), "not-now"),
        (0, (), "malformed"),
        (0, (3,), "malformed"),
        (0, ((),), "malformed"),
        (0, ["take", 1], "malformed"),
        (0, "take", "malformed"),
        (0, None, "malformed"),
    ],
)
def test_a_refused_answer_changes_nothing(side: int, action: Any, code: str) -> None:
    match = play(fresh(), "take 2")
    before = shape(match)
    reason = match.act(side, action)
    assert reason is not None
    assert reason.code == code
    assert GAME.explain(reason, "en")
    assert GAME.explain(reason, "fr")
    assert shape(match) == before


def test_a_finished_game_takes_no_answer() -> None:
    match = play(fresh(), *["end"] * 6)
    assert match.over
    for side in (0, 1):
        reason = match.act(side, ("end",))
        assert reason is not None
        assert reason.code == "game-over"
    assert not match.undo()
    outcome = GAME.outcome(match.state)
    assert outcome is not None
    assert outcome.winner is None


# Undo


def test_undo_goes_back_answer_by_answer_to_the_very_same_position() -> None:
    match = fresh()
    shapes = []
    for text in ("take 3", "walk 0102", "take 1", "walk 0101"):
        shapes.append(shape(match))
        play(match, text)
    while shapes:
        assert match.undo()
        assert shape(match) == shapes.pop()
    assert not match.can_undo()
    assert not match.undo()


def test_undo_stops_at_a_die() -> None:
    match = play(fresh(), "take 1", "take 1", "roll")
    before = shape(match)
    assert not match.can_undo()
    assert not match.undo()
    assert shape(match) == before
    play(match, "take 1")
    assert match.undo()
    assert shape(match) == before
    assert not match.undo()


class OpenToy(Toy):
    """Nothing is hidden in it."""

    hidden_information = False


def test_the_end_of_ones_turn_is_taken_back_until_the_other_side_has_answered() -> None:
    match = Match(OpenToy(), "short", seed="7")
    play(match, "take 1")
    before = match.state.fingerprint()
    play(match, "end")
    assert match.game.must_act(match.state) == {1}
    # It is his who ended it, not the other's.
    assert match.can_undo(0) and not match.can_undo(1) and not match.undo(1)
    assert match.undo(0)
    assert match.state.fingerprint() == before
    assert match.redo(0)
    assert match.game.must_act(match.state) == {1}
    assert match.undo_phase(0)
    assert not match.journal
    assert match.redo(0) and match.redo(0)
    play(match, "take 1")
    assert not match.can_undo(0) and not match.undo(0) and not match.undo_phase(0)
    assert match.undo(1) and not match.can_undo(0)


def test_with_something_hidden_a_change_of_hands_is_final() -> None:
    match = play(fresh(), "take 1", "take 1", "end")
    assert GAME.hidden_information
    assert not match.can_undo(0) and not match.undo(0)


def test_a_whole_phase_is_taken_back_to_its_beginning_or_to_the_last_die() -> None:
    match = fresh()
    before = shape(match)
    play(match, "take 1", "walk 0102", "take 1")
    assert match.undo_phase()
    assert shape(match) == before
    assert not match.undo_phase()
    play(match, "take 1", "roll")
    before = shape(match)
    play(match, "take 1", "take 2")
    assert match.undo_phase()
    assert shape(match) == before


def test_what_was_taken_back_is_given_again_to_the_very_same_position() -> None:
    match = fresh()
    shapes = [shape(match)]
    for text in ("take 3", "walk 0102"):
        play(match, text)
        shapes.append(shape(match))
    assert match.order(0, order("take 1", "walk 0101")) is None
    shapes.append(shape(match))
    assert not match.can_redo() and not match.redo()
    for _ in range(3):
        while match.undo():
            pass
        assert shape(match) == shapes[0]
        for expected in shapes[1:]:
            assert match.can_redo(0) and not match.can_redo(1)
            assert match.redo(0)
            assert shape(match) == expected
        assert not match.redo()
    assert Match.load(GAME, match.save()).state.fingerprint() == match.state.fingerprint()


@pytest.mark.parametrize("instead", ["take 1", "roll", "end"])
def test_nothing_is_given_again_after_another_answer(instead: str) -> None:
    match = play(fresh(), "take 3", "take 2")
    assert match.undo() and match.can_redo()
    play(match, instead)
    assert not any(match.can_redo(side) or match.redo(side) for side in (0, 1))


def test_a_refused_answer_leaves_what_can_be_given_again() -> None:
    match = play(fresh(), "take 3")
    match.undo()
    assert match.act(0, ("take", 9)) is not None
    assert match.order(0, order("take 1", "take 9")) is not None
    assert match.redo()
    assert match.journal == [(0, ("take", 3))]


def test_a_side_takes_back_its_own_answers_only() -> None:
    match = play(fresh(), "end", "take 2")
    assert not match.can_undo(0) and not match.undo(0)
    assert match.can_undo(1) and match.undo(1)
    assert not match.can_redo(0) and not match.redo(0)
    assert match.redo(1)


def test_a_version_names_what_everybody_has_seen() -> None:
    match = fresh()
    versions = [match.version(())]
    for text in ("take 3", "walk 0102", "roll", "end"):
        play(match, text)
        assert match.version((0,)) == match.version((0, 1)) == match.version(())
        versions.append(match.version(()))
    assert len(set(versions)) == len(versions)
    assert Match.load(GAME, match.save()).version(()) == versions[-1]
    assert fresh("8").version(()) != versions[0]
    play(match, "take 1")
    match.undo()
    assert match.version(()) == versions[-1]


def test_a_save_that_does_not_say_who_answered_is_read_and_written_anew() -> None:
    save = json.loads(saved())
    old = {**save, "format": 1, "actions": [words[1:] for words in save["actions"]]}
    assert Match.load(GAME, json.dumps(old)).save() == saved()


def test_what_is_played_after_an_undo_is_what_is_saved() -> None:
    match = play(fresh(), "take 3", "take 3")
    match.undo()
    play(match, "take 1", "roll", "end")
    assert shape(Match.load(GAME, match.save()))[:3] == shape(match)[:3]
    assert [GAME.encode(a)[0] for _, a in match.journal] == ["take", "take", "roll", "die", "end"]


def test_a_position_kept_by_somebody_is_not_changed_by_undo_or_play() -> None:
    match = play(fresh(), "take 1")
    kept = match.state.clone()
    before = kept.fingerprint()
    play(match, "take 2")
    match.undo()
    play(match, "roll")
    assert kept.fingerprint() == before


# Composite orders


def order(*texts: str) -> dict[str, Any]:
    return {"order": [text.split() for text in texts]}


def test_an_order_is_journalled_as_the_actions_it_stands_for_and_taken_back_whole() -> None:
    match, other = play(fresh(), "take 3"), play(fresh(), "take 3")
    before = shape(match)
    assert match.order(0, order("take 2", "walk 0102", "take 1")) is None
    play(other, "take 2", "walk 0102", "take 1")
    assert shape(match) == shape(other)
    assert match.undo()
    assert shape(match) == before
    assert match.undo()
    assert not match.can_undo()


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (("take 1", "take 2", "take 9"), "too-many"),
        (("take 1", "walk 0101"), "too-far"),
        (("take 1", "fly"), "unknown-verb"),
        (("take 1", "walk 9999"), "unknown-hex"),
        (("take 1", "die 6"), "not-now"),
        (("take x",), "malformed"),
    ],
)
def test_an_order_is_carried_out_whole_or_not_at_all(texts: tuple[str, ...], code: str) -> None:
    match = play(fresh(), "take 1", "roll", "take 1", "take 1")
    before = shape(match)
    reason = match.order(0, order(*texts))
    assert reason is not None
    assert reason.code == code
    assert shape(match) == before
    assert match.undo()
    assert match.undo()
    assert not match.undo()


def test_an_order_of_the_wrong_side_or_no_order_is_refused() -> None:
    match = play(fresh(), "take 1")
    before = shape(match)
    reason = match.order(1, order("take 1"))
    assert reason is not None
    assert reason.code == "not-your-decision"
    junk: list[Any] = [None, [], "take 1", 3]
    for nonsense in junk:
        reason = match.order(0, nonsense)
        assert reason is not None
        assert reason.code == "malformed"
    assert shape(match) == before


@pytest.mark.parametrize("before", [(), ("take 1",), ("take 1", "take 1")])
@pytest.mark.parametrize("ending", ["roll", "end"])
def test_a_die_or_a_change_of_hands_ends_an_order(ending: str, before: tuple[str, ...]) -> None:
    match = play(fresh(), *before)
    assert match.order(0, order("take 1", ending, "take 9")) is None
    played = [GAME.encode(a)[0] for _, a in match.journal[len(before) :]]
    assert played == (["take", "roll", "die"] if ending == "roll" else ["take", "end"])
    assert not match.can_undo()


# Saves


def test_a_save_is_one_readable_answer_a_line() -> None:
    text = play(fresh(), "take 2", "walk 0102").save()
    assert '  ["red", "take", "2"],\n' in text
    assert '  ["red", "walk", "0102"]\n' in text


actions = st.lists(st.integers(0, 11), max_size=40)


@settings(max_examples=40, deadline=None)
@given(actions, st.text(max_size=5).filter(lambda s: s.isprintable()))
def test_save_load_and_replay_lead_to_the_same_position(choices: list[int], seed: str) -> None:
    match = fresh(seed)
    for choice in choices:
        options = GAME.options(match.state)
        actor = GAME.actor(match.state)
        if actor is None:
            break
        if choice == 11:
            match.undo()
        else:
            assert match.act(actor, options[choice % len(options)]) is None
    loaded = Match.load(GAME, match.save())
    assert shape(loaded)[:3] == shape(match)[:3]
    assert loaded.save() == match.save()
    replayed = fresh(seed)
    replayed.replay(match.written())
    assert replayed.state.fingerprint() == match.state.fingerprint()


def saved() -> str:
    return play(fresh(), "take 2", "roll", "take 1", "end", "take 3", "roll", "end").save()


def changed(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda save: save.update({key: value})


def answer(position: int, words: Any) -> Callable[[dict[str, Any]], None]:
    def tamper(save: dict[str, Any]) -> None:
        save["actions"][position] = words

    return tamper


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (lambda s: s["actions"][2].__setitem__(2, str(int(s["actions"][2][2]) % 6 + 1)), "dice of this seed"),
        (answer(0, ["red", "take", "1"]), "not the saved one"),
        (answer(0, ["red", "take", "9"]), "answer 1 is refused: 1.2 too-many"),
        (answer(0, ["blue", "take", "2"]), "answer 1 is refused:  not-your-decision"),
        (answer(0, ["chance", "take", "2"]), "answer 1: no die is rolled here"),
        (answer(0, ["green", "take", "2"]), "answer 1: unknown-verb"),
        (answer(0, ["red", "fly"]), "answer 1: unknown-verb"),
        (answer(0, ["red"]), "answer 1: malformed"),
        (answer(0, "take 2"), "answer 1: malformed"),
        (answer(0, ["red", "take", 2]), "answer 1: malformed"),
        (answer(1, ["red", "end"]), "answer 3"),
        (lambda s: s["actions"][2].__setitem__(0, "red"), "dice of this seed"),
        (lambda s: s["actions"].pop(), "not the saved one"),
        (lambda s: s["actions"].pop(0), "not the saved one|refused|dice"),
        (lambda s: s["actions"].append(["blue", "take", "1"]), "not the saved one|not-your-decision"),
        (lambda s: s["actions"].extend([["end"]] * 9), "already over"),
        (lambda s: s.update(actions=s["actions"][:2]), "middle of a roll"),
        (changed("seed", "8"), "dice of this seed"),
        (changed("seed", 7), "'seed' is missing"),
        (changed("seed", "\ud800"), "'seed' is not text"),
        (changed("rules", "2"), "saved with version 2 of the rules; this is version 1"),
        (changed("data", "other"), "other data files"),
        (changed("game", "chess"), "a save of chess, not of toy"),
        (changed("format", 3), "save format 3 is not supported"),
        (changed("format", "1"), "'format' is missing"),
        (changed("hash", "0" * 32), "not the saved one"),
        (changed("scenario", "long"), "scenario or its options are unknown"),
        (changed("options", {"pile": "many"}), "scenario or its options are unknown"),
        (changed("options", {"cheat": True}), "scenario or its options are unknown"),
        (changed("options", {"quick": 1}), "scenario or its options are unknown"),
        (changed("actions", {}), "'actions' is missing"),
        (lambda s: s.pop("hash"), "'hash' is missing"),
    ],
)
def test_a_tampered_save_is_refused_with_the_reason(
    tamper: Callable[[dict[str, Any]], object], reason: str
) -> None:
    save = json.loads(saved())
    tamper(save)
    with pytest.raises(SaveError, match=reason):
        Match.load(GAME, json.dumps(save))


@pytest.mark.parametrize(
    "text", ["", "hello", "[]", "3", "null", "{}", "[" * 100_000, "9" * 5000, '"\\ud800"']
)
def test_what_is_not_a_save_is_refused(text: str) -> None:
    with pytest.raises(SaveError, match="not a save"):
        Match.load(GAME, text)


def test_a_truncated_save_is_refused_wherever_it_is_cut() -> None:
    text = saved().rstrip()
    Match.load(GAME, text)
    for cut in range(0, len(text), 7):
        with pytest.raises(SaveError):
            Match.load(GAME, text[:cut])


def test_options_are_saved_and_used() -> None:
    match = Match(GAME, "short", {"pile": 2}, "7")
    reason = match.act(0, ("take", 3))
    assert reason is not None
    assert reason.code == "too-many"
    assert Match.load(GAME, match.save()).state.pile == 2
