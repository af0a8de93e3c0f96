"""Random games, watched closely.

Every check takes a game in progress and fails with an assertion; none of them knows the game. Most look at
every k-th position only, so that a whole game is checked in a second or so.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from itertools import product
from pickle import PicklingError
from random import Random
from typing import Any

from grognard.kernel import (
    CHANCE,
    Action,
    Answer,
    Game,
    Match,
    Refusal,
    SaveError,
    Sealed,
    State,
    Window,
)
from grognard.kernel.actions import EVERYONE
from grognard.kernel.agenda import advance
from grognard.kernel.state import canonical
from grognard.kernel.text import LANGUAGES
from grognard.kernel.windows import waived

TOO_LONG = 50_000
"""Answers after which a random game is held to be endless."""

AnyGame = Game[Any]
AnyMatch = Match[Any]


def check_game(game: AnyGame, seeds: Iterable[int], every: int = 40, derived: Collection[str] = ()) -> None:
    """Everything below, on one random game a seed, of each scenario. `derived` names the parts of a
    position that follow from the others (indexes, caches)."""
    for scenario in game.scenarios:
        check_chance_is_hidden(game, scenario)
        check_fingerprint(game.start(scenario), {"log", "turn_ended", *derived})
        for seed in seeds:
            match = Match(game, scenario, seed=secret(seed))
            for answer_number, actor in enumerate(play(match, Random(f"choices/{seed}"))):
                if answer_number % every == 0:
                    random = Random(f"checks/{seed}/{answer_number}")
                    check_questions_change_nothing(match, random)
                    check_options(game, match.state, random)
                    check_standing(game, match.state, random)
                    check_window(game, match.state)
                    check_sealed(match, random)
                    check_clone(game, match.state, random)
                    check_local_values(game, match.state)
                    check_views(match, random)
                    check_undo(match, actor, random)
                if answer_number % (every * 8) == every // 2:
                    check_save(match)
                    check_snapshot(match, Random(f"snapshots/{seed}/{answer_number}"))
            check_end(match)
            check_save(match)
            check_words(match)


def secret(seed: int) -> str:
    """A seed that would be recognised wherever it leaked."""
    return f"secret-{seed}-{seed * 7919 + 104729}"


def play(match: AnyMatch, random: Random) -> Iterator[int]:
    """Random legal answers to the end; stops before each of them, with the side that is asked."""
    game = match.game
    for _ in range(TOO_LONG):
        actor = game.actor(match.state)
        if actor is None:
            return
        yield actor
        # Who watches may have played on.
        if match.over:
            return
        give(match, *any_answer(match, random))
    raise AssertionError(f"a random game has not ended after {TOO_LONG} answers")


def any_option(match: AnyMatch, random: Random) -> Action:
    actor = match.game.actor(match.state)
    assert actor in range(len(match.game.sides)), "chance is answered by the referee, not by players"
    options = match.game.options(match.state)
    assert options, f"nobody can answer {at(match)}"
    return random.choice(options)


def any_answer(match: AnyMatch, random: Random) -> tuple[int, Action]:
    """A side and something that it may do: answer the question, if it is asked, or now and then something
    that stands open."""
    game, state = match.game, match.state
    asked = sorted(game.must_act(state))
    assert asked and asked[0] in range(len(game.sides)), "chance is answered by the referee, not by players"
    open_ = [(side, action) for side in range(len(game.sides)) for action in game.standing(state, side)]
    if open_ and random.random() < 0.2:
        return random.choice(open_)
    side = random.choice(asked)
    options = game.options(state, side)
    assert options, f"nobody can answer {at(match)}"
    return side, random.choice(options)


def give(match: AnyMatch, actor: int, action: Action) -> None:
    game, before = match.game, match.state.path()
    reason = match.act(actor, action)
    assert reason is None, f"{action} is offered and refused at {at(match)}: {reason}"
    decision = game.decision(match.state)
    if isinstance(decision, Window) and match.state.path() != before:
        side = decision.actor(game, match.state)
        assert not waived(game, match.state, side, decision.occasion), f"a waived window asks at {at(match)}"


def at(match: AnyMatch) -> str:
    """Where a game stands, for messages: enough to find the place again."""
    stack = " > ".join(f"{name}/{label}" for name, label, _ in match.state.frames)
    return f"{stack} (seed {match.seed}, answer {len(match.journal)})"


# Options


def check_options(game: AnyGame, state: Any, random: Random) -> None:
    """What a side may do is without duplicates, written and read back, and exactly what is not refused."""
    assert game.must_act(state) <= game.may_act(state)
    for side in range(len(game.sides)):
        options = game.options(state, side)
        assert bool(options) == (side in game.must_act(state)), "a decision without options"
        assert game.options(state, side) == options, "options come in another order the second time"
        standing = game.standing(state, side)
        assert side in game.may_act(state) or not standing
        offered = {*options, *standing}
        assert len(offered) == len(options) + len(standing), "the same option twice"
        before = state.fingerprint()
        for action in offered:
            assert game.decode(game.encode(action)) == action
            assert game.decode(json.loads(json.dumps(game.encode(action)))) == action
        for action in candidates(game, state, [*options, *standing], random):
            reason = game.refuse(state, action, side)
            assert (reason is None) == (action in offered), f"{game.encode(action)}: {reason}"
            if reason is not None and side in game.must_act(state):
                check_refusal(game, reason)
        assert state.fingerprint() == before, "a question changed the position"


def candidates(game: AnyGame, state: Any, options: list[Action], random: Random) -> Iterator[Action]:
    """Every verb that could be said now with every argument; a sample where there are two arguments or
    more."""
    decision = game.decision(state)
    assert decision is not None
    verbs = dict(decision.verbs)
    for name, _ in state.path():
        for open_ in game.procedures[name].standing:
            verbs |= open_.verbs
    for verb, (kinds, _) in verbs.items():
        values = [everything(game, kind) for kind in kinds]
        if len(kinds) < 2:
            yield from ((verb, *arguments) for arguments in product(*values))
            continue
        offered = [action for action in options if action[0] == verb]
        yield from offered
        # Pairs of arguments that are on offer, but perhaps not together, are the likeliest mistakes.
        seen = [sorted({action[n + 1] for action in offered}) or values[n] for n in range(len(kinds))]
        for _ in range(150):
            yield (
                verb,
                *(
                    random.choice(random.choice((near, all_)))
                    for near, all_ in zip(seen, values, strict=True)
                ),
            )


def everything(game: AnyGame, kind: str) -> list[int]:
    if kind == "hex":
        return list(game.board.cells)
    if kind == "unit":
        return list(range(game.unit_count()))
    if kind == "occasion":
        return list(range(len(game.occasions)))
    return list(range(40))


def check_refusal(game: AnyGame, reason: Refusal) -> None:
    """A refusal has a code, the case that it comes from, and a sentence in every language."""
    assert reason.code
    assert reason.case, f"{reason.code} names no case"
    for language in LANGUAGES:
        sentence = game.explain(reason, language)
        assert not sentence.casefold().endswith(f": {reason.code}"), (
            f"{reason.code} has no sentence in {language}"
        )
        assert "{" not in sentence, f"{reason.code} lacks a fact: {sentence}"


def check_questions_change_nothing(match: AnyMatch, random: Random) -> None:
    game, state = match.game, match.state
    before = state.fingerprint()
    events = len(match.log)
    for side in (*range(len(game.sides)), None):
        game.view(state, side)
    game.options(state)
    game.actor(state)
    game.outcome(state)
    for language in LANGUAGES:
        assert "{" not in game.prompt(state, language), game.prompt(state, language)
        assert game.prompt(state, language)
    for action in nonsense(game, state, random):
        reason = game.refuse(state, action)
        assert reason is not None, f"{action} is accepted"
        assert reason.code
    assert state.fingerprint() == before, f"a question changed the position at {at(match)}"
    assert len(match.log) == events


def nonsense(game: AnyGame, state: Any, random: Random) -> Iterator[Any]:
    """Things that are no action at all, or no action here."""
    yield from ((), None, 3, "end", [], ["end"], ("",), (None,), ("no such verb",), ({},), (("end",),))
    decision = game.decision(state)
    assert decision is not None
    for verb, (kinds, _) in decision.verbs.items():
        yield (verb, *(0 for _ in kinds), 0)
        yield (verb, *("1" for _ in kinds), "x")
        for n in range(len(kinds)):
            for wrong in (-1, -2, 10**9, True, 1.5, None, "0101", (), [1]):
                arguments: list[Any] = [random.choice(everything(game, kind)) for kind in kinds]
                arguments[n] = wrong
                yield (verb, *arguments)
    for other in game.procedures.values():
        for step in other.steps.values():
            if step.decision is not None and not step.decision.verbs.keys() & decision.verbs.keys():
                for verb, (kinds, _) in step.decision.verbs.items():
                    yield (verb, *(random.choice(everything(game, kind)) for kind in kinds))


# Several sides


def check_standing(game: AnyGame, state: Any, random: Random) -> None:
    """What stands open never moves the sequence on: it may begin something above, and no more."""
    before = state.path()
    for side in range(len(game.sides)):
        actions = game.standing(state, side)
        for action in random.sample(actions, min(6, len(actions))):
            copy = state.clone()
            game.apply(copy, action, side)
            assert copy.path()[: len(before)] == before, f"{action} moved the sequence on"
            if len(copy.path()) == len(before):
                assert game.must_act(copy) == game.must_act(state), f"{action} changed who is asked"


def check_window(game: AnyGame, state: Any) -> None:
    """Who has passed in advance is not asked, and it is as if he had passed."""
    decision = game.decision(state)
    if not isinstance(decision, Window):
        return
    side = decision.actor(game, state)
    waiver = (side, decision.occasion, 0)
    spared, passed = state.clone(), state.clone()
    spared.waivers = tuple(sorted({*state.waivers, waiver}))
    advance(game.procedures, game, spared)
    passed.waivers = spared.waivers
    default = decision.default(game, state, side)
    assert default is not None and default in game.options(state, side), "a window without a default"
    game.apply(passed, default, side)
    assert spared.fingerprint() == passed.fingerprint(), "passing in advance is not passing"


def check_sealed(match: AnyMatch, random: Random) -> None:
    """What a side writes in secret changes nothing for anybody else: no view, no version, no moment, no line
    of the log, nobody's guess. It is taken back and written again."""
    game = match.game
    decision = game.decision(match.state)
    if not isinstance(decision, Sealed):
        return
    sides = range(len(game.sides))
    for writer in sorted(game.must_act(match.state)):
        others = [side for side in (*sides, None) if side != writer]
        before = [known(match, side) for side in others]
        mine, place = known(match, writer), match.state.fingerprint()
        give(match, writer, random.choice(game.options(match.state, writer)))
        if not match.state.sealed:
            return  # that was the last answer
        assert [known(match, side) for side in others] == before, "what is written in secret shows"
        assert known(match, writer) != mine, "who writes does not see what he has written"
        written = match.state.fingerprint()
        for other in sides:
            assert other == writer or not match.state.written(other) or match.can_undo(other)
        assert match.undo(writer) and match.state.fingerprint() == place
        assert match.redo(writer) and match.state.fingerprint() == written
        assert match.undo(writer)


def known(match: AnyMatch, side: int | None) -> str:
    """All that reaches a side, or a spectator."""
    game, state = match.game, match.state
    own = () if side is None else (side,)
    lines = [str(event) for event in match.log if event.audience == EVERYONE or event.audience in own]
    seen: list[Any] = [
        game.view(state, side),
        game.shown_actors(state, side),
        match.version(own),
        match.moments,
        lines,
    ]
    if side is not None:
        copy = state.clone()
        copy.forget_others(side)
        seen += [copy.fingerprint(), match.can_undo(side), match.can_redo(side)]
    return json.dumps(seen)


# Copies


def check_clone(game: AnyGame, state: Any, random: Random) -> None:
    """A copy is equal, complete, independent, and leads to the same positions."""
    before = state.fingerprint()
    copy = state.clone()
    assert type(copy) is type(state)
    assert copy.fingerprint() == before
    assert copy.log is None
    for name in slots(type(state)):
        original, copied = getattr(state, name), getattr(copy, name)
        if name != "log":
            assert copied == original, f"{name} is not copied"
        if isinstance(original, (list, dict, set, bytearray)):
            assert copied is not original, f"a copy shares {name}"
    canonical(state.plain())
    twin = copy.clone()
    for _ in range(12):
        if not copy.frames:
            break
        side = random.choice(sorted(game.must_act(copy)))
        options = game.options(copy, side)
        assert game.options(twin, side) == options
        action = random.choice(options)
        game.apply(copy, action, side)
        game.settle(copy, "another seed")
        game.apply(twin, action, side)
        game.settle(twin, "another seed")
        assert copy.fingerprint() == twin.fingerprint()
        assert state.fingerprint() == before, "play on a copy changed the original"


def check_local_values(game: AnyGame, state: Any) -> None:
    """The local values of every procedure in progress are of the kind that it declares."""
    for name, _, local in state.frames:
        kinds = game.procedures[name].values
        assert local is None or isinstance(local, kinds), f"{name} holds a {type(local).__name__}"


def check_fingerprint(state: Any, derived: Collection[str]) -> None:
    """Whatever is changed in a position, its fingerprint changes."""
    before = state.fingerprint()
    for name in slots(type(state)):
        if name not in derived:
            copy = state.clone()
            setattr(copy, name, another(getattr(copy, name)))
            assert copy.fingerprint() != before, f"{name} does not count in the fingerprint"


def another(value: Any) -> Any:
    """A value of the same type that is not the same."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"not {value}"
        case list() | tuple() if value:
            return type(value)([another(value[0]), *value[1:]]) if type(value[0]) is int else value[:-1]
        case tuple():
            return (0,)
        case bytearray() if value:
            return bytearray([value[0] ^ 1]) + value[1:]
    raise AssertionError(f"a position holds {value!r}; name it as derived if it is")


def slots(type_: type[State]) -> list[str]:
    return [name for base in type_.__mro__ for name in getattr(base, "__slots__", ())]


# Journal


def check_undo(match: AnyMatch, actor: int, random: Random) -> None:
    """Answers are taken back to the very same position, journal and log; then given again, and taken back."""

    def here() -> tuple[str, list[Answer], list[int], int]:
        return match.state.fingerprint(), list(match.journal), list(match.moments), len(match.log)

    trail = []
    for _ in range(4):
        if actor not in match.game.must_act(match.state):
            break
        trail.append(here())
        give(match, actor, random.choice(match.game.options(match.state, actor)))
        if not match.can_undo(actor):
            before = match.state.fingerprint()
            assert not match.undo(actor)
            assert match.state.fingerprint() == before
            return
    trail.append(here())
    for _ in range(2):
        for place in reversed(trail[:-1]):
            assert match.undo(actor)
            assert here() == place
        for place in trail[1:]:
            assert match.can_redo(actor) and match.redo(actor), "what was taken back cannot be given again"
            assert here() == place
        assert not match.can_redo(actor)
    for _ in trail[1:]:
        match.undo(actor)


def check_save(match: AnyMatch) -> None:
    """A save, loaded, is the same game; written again, the same text."""
    text = match.save()
    try:
        loaded = Match.load(match.game, text)
    except SaveError as error:
        raise AssertionError(f"a save is refused at {at(match)}: {error}") from error
    assert loaded.state.fingerprint() == match.state.fingerprint()
    assert loaded.journal == match.journal
    assert loaded.log == match.log
    assert loaded.save() == text


def check_snapshot(match: AnyMatch, random: Random) -> None:
    """A match that goes on from a snapshot is the same match from there on."""
    game = match.game
    began = Match(game, match.scenario, match.options, match.seed)
    began.replay(match.written())
    try:
        taken = match.snapshot()
    except (AttributeError, PicklingError) as error:
        raise AssertionError(f"a position cannot be kept at {at(match)}: {error}") from error
    resumed = Match.resume(game, match.scenario, match.options, match.seed, taken)
    for _ in range(30):
        sides = [(), *((side,) for side in range(len(game.sides)))]
        assert resumed.state.fingerprint() == began.state.fingerprint(), f"another position at {at(began)}"
        assert [resumed.version(s) for s in sides] == [began.version(s) for s in sides]
        assert (resumed.length, resumed.moment) == (began.length, began.moment)
        assert resumed.log_length == began.log_length
        for side in (*range(len(game.sides)), None):
            assert game.view(resumed.state, side) == game.view(began.state, side)
        if began.over:
            return
        side, action = any_answer(began, random)
        give(began, side, action)
        give(resumed, side, action)
    assert resumed.written(taken.length) == began.written(taken.length)


# What players see


def check_views(match: AnyMatch, random: Random) -> None:
    """Views are JSON, hold no seed, and do not tell apart what a side cannot tell apart."""
    game, state = match.game, match.state
    asked = game.must_act(state)
    for side in (*range(len(game.sides)), None):
        view = game.view(state, side)
        text = json.dumps(view)
        assert json.loads(text) == view, "a view is not plain JSON"
        assert match.seed not in text, "a view tells the seed"
        assert bool(view["options"]) == (side in asked)
        if side is not None:
            imagined = game.imagine(state, side, random)
            assert imagined is not state
            assert game.view(imagined, side) == view, "what a side imagines is not what it sees"
            for answer in match.journal[-3:]:
                assert match.seed not in str(answer)
    assert match.seed not in str(match.log)
    assert match.seed not in canonical(state.plain())


def check_chance_is_hidden(game: AnyGame, scenario: str) -> None:
    """Two games with other dice and the same choices look the same until a die is cast."""
    one, other = (Match(game, scenario, seed=secret(n)) for n in (1, 2))
    random = Random("choices")
    for _ in range(500):
        actor = game.actor(one.state)
        if actor is None or one.state.draws or other.state.draws:
            return
        for side in (*range(len(game.sides)), None):
            same = game.view(one.state, side) == game.view(other.state, side)
            assert same, f"a view depends on dice not cast yet at {at(one)}"
        assert one.log == other.log
        side, action = any_answer(one, random)
        give(one, side, action)
        give(other, side, action)


# The end


def check_end(match: AnyMatch) -> None:
    game, state = match.game, match.state
    assert match.over
    assert game.actor(state) is None
    assert game.options(state) == []
    assert game.decision(state) is None
    outcome = game.outcome(state)
    assert outcome is not None, "a game ends without a result"
    assert outcome.winner is None or outcome.winner in range(len(game.sides))
    assert outcome.level
    before = state.fingerprint()
    for side in (*range(len(game.sides)), CHANCE):
        reason = match.act(side, ("end",))
        assert reason is not None
        assert reason.code == "game-over"
    assert state.fingerprint() == before
    json.dumps([game.view(state, side) for side in (*range(len(game.sides)), None)])


def check_words(match: AnyMatch) -> None:
    """Every event of the game can be told in every language."""
    for event in match.log:
        for language in LANGUAGES:
            sentence = match.game.tell(event, language)
            assert sentence.casefold() != event.kind, f"event {event.kind} has no sentence in {language}"
            assert "{" not in sentence, f"event {event.kind} lacks a fact: {sentence}"
