"""PettingZoo's own tests, and what its users rely on besides."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.render_test import render_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from grognard.envs import env
from grognard.kernel import IllegalActionError, Match, Outcome
from tests.envs.walks import GAMES, marching, position, walk

pytestmark = [
    pytest.mark.filterwarnings("error::UserWarning"),
    # Our agents are named by the sides, and what they see is several arrays: both allowed, both remarked on.
    pytest.mark.filterwarnings("ignore:We recommend agents to be named"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.mark.parametrize("game", GAMES)
def test_the_api_is_kept(game: str) -> None:
    api_test(env(game, seed=1), num_cycles=100)


def test_the_api_is_kept_to_the_end_of_a_game() -> None:
    # The last observation of a game offers nothing, and the standard's test wonders about it.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        api_test(env("crossroads", seed=1, max_steps=40), num_cycles=100)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_game(game: str) -> None:
    seed_test(lambda: env(game), num_cycles=50)


def test_it_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: env("crossroads", seed=1, render_mode=render_mode))
    assert "crossroads, turn 1" in capsys.readouterr().out
    with pytest.raises(ValueError, match="render_mode"):
        env("crossroads", render_mode="hologram")


@pytest.mark.parametrize("game", GAMES)
def test_the_picture_shows_what_a_spectator_may_see(game: str) -> None:
    e = env(game, seed=1, render_mode="ansi")
    e.reset()
    text = e.render()
    assert text is not None
    lines = text.splitlines()
    assert len(lines) <= 2 + e.observer.rows
    shown = sum(unit["hex"] is not None for unit in e.game.table(position(e), None).units)
    letters = {side[0].upper() for side in e.game.sides}
    counted = sum(
        int(line[n + 1]) for line in lines[2:] for n in range(0, len(line) - 1, 2) if line[n] in letters
    )
    assert counted == shown


def test_resets_go_through_a_series_of_games_that_a_seed_repeats() -> None:
    def prints(seed: int | None, steps: int = 600) -> str:
        e.reset(seed)
        for _ in walk(e, steps):
            pass
        return str(position(e).fingerprint())

    e = env("crossroads", seed=4)
    first, second = prints(None), prints(None)
    assert first != second
    assert [prints(4), prints(None)] == [first, second]
    e = env("crossroads", seed=4)
    assert prints(None) == first
    assert env("crossroads").game_seed != env("crossroads").game_seed


@pytest.mark.parametrize("game", GAMES)
def test_a_pickled_game_goes_on_as_it_would_have(game: str) -> None:
    e = env(game, seed=2)
    e.reset()
    for number in walk(e, 40):
        if number == 30:
            copied = pickle.dumps(e)
    assert len(copied) < 50_000
    twin = pickle.loads(copied)
    assert twin.game is e.game
    e = pickle.loads(copied)
    for _ in walk(e, 80, "on"):
        pass
    for _ in walk(twin, 80, "on"):
        pass
    assert position(twin).fingerprint() == position(e).fingerprint()
    assert (twin.agent_selection, twin.steps, twin.words()) == (e.agent_selection, e.steps, e.words())


def test_a_whole_game_ends_with_rewards_by_victory_and_level_and_can_be_saved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    e = env("crossroads", seed=5)
    monkeypatch.setattr(e.game, "levels", {"won": 0.75})
    e.reset()
    for _ in walk(e, 20_000):
        assert not any(e.rewards.values())
    assert all(e.terminations.values())
    assert not any(e.truncations.values())
    outcome = e.game.outcome(position(e))
    assert outcome is not None
    assert outcome.winner is not None
    winner, loser = e.game.sides[outcome.winner], e.game.sides[1 - outcome.winner]
    weight = 0.75
    assert outcome.level == "won"
    assert e.rewards == {winner: weight, loser: -weight}
    assert e.infos[loser] == {"winner": winner, "level": outcome.level, "points": dict(outcome.points)}
    replayed = Match.load(e.game, e.save())
    assert replayed.over
    assert replayed.state.fingerprint() == position(e).fingerprint()
    for _ in range(2):
        seen, reward, terminated, _, _ = e.last()
        assert terminated
        assert seen is not None
        assert not seen["action_mask"].any()
        assert reward == (weight if e.agent_selection == winner else -weight)
        e.step(None)
    assert not e.agents


@pytest.mark.parametrize(("graded", "weight"), [(True, 0.5), (False, 1.0)])
def test_levels_count_only_if_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, graded: bool, weight: float
) -> None:
    e = env("crossroads", seed=5, graded=graded)
    e.reset()
    monkeypatch.setattr(e.game, "levels", {"narrow": 0.5})
    monkeypatch.setattr(e.game, "outcome", lambda state: Outcome(0, "narrow", {}))
    position(e).frames.clear()
    e._finish()
    assert e.rewards == {"amber": weight, "cobalt": -weight}


def test_a_draw_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    e = env("crossroads", seed=5)
    e.reset()
    monkeypatch.setattr(e.game, "outcome", lambda state: Outcome(None, "drawn", {}))
    position(e).frames.clear()
    e._finish()
    assert e.rewards == {"amber": 0.0, "cobalt": 0.0}
    assert e.infos["amber"]["winner"] is None


def test_games_are_cut_off_by_steps_or_turns() -> None:
    e = env("crossroads", seed=1, max_steps=25)
    e.reset()
    assert len(list(walk(e, 100))) == 25
    assert all(e.truncations.values())
    assert not any(e.terminations.values())
    assert set(e.rewards.values()) == {0.0}
    e = env("crossroads", seed=1, max_turns=1)
    e.reset()
    for _ in walk(e, 5000):
        assert e.game.turn(position(e)) == 1
    assert all(e.truncations.values())
    assert e.game.turn(position(e)) == 2


def test_a_word_that_is_not_offered_is_refused_with_the_rule() -> None:
    e = marching(seed=1)
    before = (position(e).fingerprint(), e.steps, e.journal.copy())
    cobalt = e.actions.words(("lift", e.game.unit_count() - 1))[0]
    far = e.actions.words(("tread", e.game.board.cells[0]))[0]
    second = e.actions.blocks[-1].start
    for word, code in (
        (cobalt, "not-yours"),
        (far, "not-now"),
        (second, "malformed"),
        (-1, "malformed"),
        (e.actions.size, "malformed"),
        (None, "malformed"),
    ):
        assert word not in e.words()
        with pytest.raises(IllegalActionError) as caught:
            e.step(word)
        assert caught.value.reason.code == code
        assert e.agent_selection in caught.value.__notes__[0]
    assert (position(e).fingerprint(), e.steps, e.journal) == before


def test_the_standard_wrapper_for_illegal_actions_takes_it() -> None:
    wrapped = TerminateIllegalWrapper(env("crossroads", seed=1), illegal_reward=-1)
    wrapped.reset(seed=1)
    seen, *_ = wrapped.last()
    wrapped.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    assert wrapped.rewards["amber"] == -1
    assert all(wrapped.terminations.values())


def test_a_game_is_begun_before_it_is_played() -> None:
    e = env("crossroads")
    with pytest.raises(RuntimeError, match="reset"):
        e.step(0)
    with pytest.raises(RuntimeError, match="reset"):
        e.observe("amber")


def test_switches_of_a_scenario_can_be_set() -> None:
    e = env("crossroads", seed=1, switches={"fog": True})
    e.reset()
    name = e.observer.global_names.index("murk")
    assert e.observe("cobalt")["observation"]["globals"][name] == 1
    e.reset(options={"switches": {}})
    assert e.observe("cobalt")["observation"]["globals"][name] == 0
    with pytest.raises(ValueError, match="no option"):
        e.reset(options={"switches": {"more_tanks": True}})


def test_without_the_extra_the_way_to_get_it_is_told() -> None:
    program = "import sys; sys.modules['pettingzoo'] = None\nimport grognard.envs"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode
    assert 'pip install "grognard[research]"' in done.stderr
