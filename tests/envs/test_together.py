"""The parallel interface: who is asked answers in the same step, and sides that write in secret together."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from grognard.envs import TogetherEnv, parallel_env
from grognard.kernel import IllegalActionError, Match
from tests.envs.walks import GAMES

pytestmark = [pytest.mark.filterwarnings("error::UserWarning")]


def word(e: TogetherEnv, *words: str) -> int:
    """A word that says a whole action."""
    (number,) = e.table.actions.words(e.table.game.decode(list(words)))
    return number


def laid(amber: int, cobalt: int) -> tuple[TogetherEnv, dict[str, Any]]:
    """Crossroads after both wagers: one step."""
    e = parallel_env("crossroads", seed=6)
    e.reset()
    words = {"amber": word(e, "stake", f"amber-{amber}"), "cobalt": word(e, "stake", f"cobalt-{cobalt}")}
    return e, e.step(words)[0]


def test_sides_that_write_in_secret_are_asked_in_the_same_step() -> None:
    e = parallel_env("crossroads", seed=6)
    seen, _ = e.reset()
    assert set(e.asked()) == {"amber", "cobalt"}
    for agent in e.agents:
        assert {word(e, "stake", f"{agent}-{number}") for number in (1, 2, 3)} <= set(e.asked()[agent])
        assert np.flatnonzero(seen[agent]["action_mask"]).tolist() == e.asked()[agent]
    e, seen = laid(1, 3)
    assert set(e.asked()) == {"cobalt"}, "Cobalt laid more, and marches first"
    assert not seen["amber"]["action_mask"].any() and seen["cobalt"]["action_mask"].any()
    e, _ = laid(2, 2)
    assert set(e.asked()) == {"amber"}


def test_what_one_writes_does_not_show_in_the_arrays_of_the_other() -> None:
    found = []
    for token in (2, 3):
        _, seen = laid(token, 1)
        found.append([array.tobytes() for array in seen["cobalt"]["observation"].values()])
    assert found[0] == found[1]


def test_who_has_not_finished_writing_is_asked_again_alone() -> None:
    """In A Victory Lost the sides write several answers each: one may be done before the other."""
    e = parallel_env("a_victory_lost", seed=1)
    e.reset()
    random, together, alone = Random(1), 0, 0
    for _ in range(40):
        asked = e.asked()
        if len(asked) == 2:
            together += 1
        elif together:
            alone += 1
        e.step({agent: random.choice(words) for agent, words in asked.items()})
    assert together and alone


def test_an_illegal_word_of_one_is_heard_of_nobody() -> None:
    e = parallel_env("crossroads", seed=6)
    e.reset()
    before = pickle.dumps(e)
    with pytest.raises(IllegalActionError) as error:
        e.step({"amber": word(e, "stake", "amber-1"), "cobalt": word(e, "stake", "amber-1")})
    assert error.value.reason.case == "2.1"
    assert pickle.dumps(e) == before
    with pytest.raises(IllegalActionError):
        e.step({"amber": word(e, "stake", "amber-1")})


def test_a_whole_game_can_be_saved_and_replayed() -> None:
    e = parallel_env("crossroads", seed=3)
    e.reset()
    random = Random(3)
    rewards: dict[str, float] = {}
    infos: dict[str, dict[str, Any]] = {}
    while e.agents:
        words = {agent: random.choice(words) for agent, words in e.asked().items()}
        _, rewards, ended, cut, infos = e.step(words)
    assert all(ended.values()) and not any(cut.values())
    assert sum(rewards.values()) == 0 and infos["amber"]["points"] == infos["cobalt"]["points"]
    assert Match.load(e.table.game, e.save()).over
    with pytest.raises(RuntimeError):
        e.step({})


@pytest.mark.parametrize("game", GAMES)
def test_the_parallel_api_is_kept(game: str) -> None:
    parallel_api_test(parallel_env(game, seed=1, max_steps=60), num_cycles=100)


def test_the_same_seed_gives_the_same_game_in_parallel() -> None:
    """The standard's own test of it says words that are masked."""
    games = []
    for _ in range(2):
        e, random = parallel_env("crossroads", seed=9), Random(9)
        e.reset()
        for _ in range(30):
            seen = e.step({agent: random.choice(words) for agent, words in e.asked().items()})[0]
        games.append((e.save(), [a.tobytes() for s in seen.values() for a in s["observation"].values()]))
    assert games[0] == games[1]
