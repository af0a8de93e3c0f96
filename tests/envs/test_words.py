"""Actions as numbers: each is said in exactly one way, and nothing that is offered is illegal."""

from __future__ import annotations

import pytest

from grognard.envs import TableEnv, env
from grognard.envs.actions import ActionTable
from grognard.kernel import Action
from grognard.kernel.registry import load_game
from tests.envs.walks import GAMES, marching, position, walk


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_action_is_said_in_one_way_and_every_word_offered_leads_to_one(game: str) -> None:
    e = env(game, seed=16)
    e.reset()
    long = 0
    for number in walk(e, 1500):
        if number % 5 == 0 and not e._said:
            long += check_round_trip(e)
    assert long, "no action of two words was met"


def check_round_trip(e: TableEnv) -> int:
    """Compare the words with the options of the game, and count the actions of two words."""
    actions, state = e.actions, position(e)
    options = e.game.options(state)
    sayings = {actions.words(option) for option in options}
    assert len(sayings) == len(options), "two actions are said alike"
    # Say everything that may be said, word by word: no more and no less comes out than the game offers.
    heard: list[tuple[tuple[int, ...], Action]] = []
    open_: list[tuple[tuple[int, ...], Action]] = [((), ())]
    while open_:
        spoken, said = open_.pop()
        offered = actions.choices(options, said)
        assert offered
        for word, after in offered.items():
            assert actions.after(said, word) == after
            assert 0 <= word < actions.size
            ended = actions.complete(after)
            (heard if ended else open_).append(((*spoken, word), after))
    assert {said for _, said in heard} == set(options)
    assert {spoken for spoken, _ in heard} == sayings
    assert all(e.game.refuse(state, said) is None for _, said in heard)
    assert all(actions.words(said) == spoken for spoken, said in heard)
    return sum(len(spoken) > 1 for spoken in sayings)


@pytest.mark.parametrize("game", GAMES)
def test_the_numbers_mean_the_same_always(game: str) -> None:
    one, other = ActionTable(load_game(game)), ActionTable(load_game(game))
    assert one.blocks == other.blocks
    assert sum(block.size for block in one.blocks) == one.size
    ends = [block.start + block.size for block in one.blocks]
    assert [block.start for block in one.blocks] == [0, *ends[:-1]]
    assert [one.spell(word) for word in range(one.size)] == [other.spell(word) for word in range(one.size)]
    # What a second word belongs to has been said: only there may two kinds of thing be spelled alike.
    firsts = [
        word for block in one.blocks if block.verb for word in range(block.start, block.start + block.size)
    ]
    assert len({tuple(one.spell(word)) for word in firsts}) == len(firsts)
    for block in one.blocks:
        words = range(block.start, block.start + block.size)
        assert len({tuple(one.spell(word)) for word in words}) == block.size


def test_the_ranges_stay_small() -> None:
    assert env("leningrad").actions.size < 5_000
    assert env("a_victory_lost").actions.size < 25_000


def test_chance_has_no_words() -> None:
    verbs = env("crossroads").actions.verbs.keys()
    assert not {"return", "cast", "throw"} & verbs
    assert {"stake", "snipe", "abstain", "storm"} <= verbs


def test_a_second_word_belongs_to_the_first() -> None:
    e = marching(seed=11)
    verb, unit = "alight", e.game.unit_index("second-amber")
    e.step(e.actions.words((verb, unit, e.game.board.cell("0101")))[0])
    assert e._said == (verb, unit)
    asked, other = e.agent_selection, next(a for a in e.agents if a != e.agent_selection)
    assert all(e.actions.spell(word)[0] == "" for word in e.words())
    seen, hidden = (e.observe(agent)["observation"] for agent in (asked, other))
    named = e.observer.unit_names.index("said")
    said = e.observer.global_names.index(f"said:{verb}")
    assert seen["units"][unit, named] == 1
    assert seen["globals"][said] == 1
    assert not hidden["units"][:, named].any()
    assert not hidden["globals"][said]
    assert not e.observe(other)["action_mask"].any()


def test_a_number_without_a_word_is_told_by_name() -> None:
    table = env("crossroads").actions
    with pytest.raises(ValueError, match="stake: there is no word for the token 99"):
        table.words(("stake", 99))


def test_the_mask_shows_the_words_that_may_be_said() -> None:
    e = env("crossroads", seed=11)
    e.reset()
    for number in walk(e, 200):
        if number % 4 == 0:
            assert e.observe(e.agent_selection)["action_mask"].nonzero()[0].tolist() == e.words()
