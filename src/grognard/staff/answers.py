"""Answers to small decisions, made from a judgement of single options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from grognard.kernel import Action

Answer = Callable[[Any, list[Action], Random | None], Action]
"""The answer to a small decision: from what a side knows of the position, the options, and a source of chance
for answers that should not be foreseen."""

BETTER = 1e-6
"""Who is asked whether he moves moves if he gains by it, by more than rounding."""


def most(value: Callable[[Any, Action], float]) -> Answer:
    """The option worth most among those with the verb of the first one."""

    def answer(view: Any, options: list[Action], _: Random | None) -> Action:
        alike = [option for option in options if option[0] == options[0][0]]
        return max(alike, key=lambda option: value(view, option))

    return answer


def best(value: Callable[[Any, Action], float]) -> Answer:
    """The option worth most, whatever its verb, of equals the first."""
    return lambda view, options, _: max(options, key=lambda option: value(view, option))


def judged(judge: Callable[[Any, list[Action]], Action]) -> Answer:
    """What a judgement of all options says, that leaves nothing to chance."""
    return lambda view, options, _: judge(view, options)


def prefer(*verbs: str) -> Answer:
    """The first option with one of these verbs, the verbs in their order; else the last option."""

    def answer(view: Any, options: list[Action], _: Random | None) -> Action:
        for verb in verbs:
            for option in options:
                if option[0] == verb:
                    return option
        return options[-1]

    return answer


def if_worth(verb: str, value: Callable[[Any, Action], float]) -> Answer:
    """The option with this verb worth most, if it is worth anything; else the first with another verb."""

    def answer(view: Any, options: list[Action], _: Random | None) -> Action:
        others = [option for option in options if option[0] != verb]
        worth = {option: value(view, option) for option in options if option[0] == verb}
        best = max(worth, key=worth.__getitem__, default=None)
        return best if best is not None and (worth[best] > 0 or not others) else others[0]

    return answer


def drawn(verb: str, preferred: Sequence[int], times: float) -> Answer:
    """One of the options with this verb, so many times as likely one that is preferred: what is always the
    same is no secret. Without a source of chance it is the first that is preferred."""

    def answer(view: Any, options: list[Action], random: Random | None) -> Action:
        some = [option for option in options if option[0] == verb]
        if random is None:
            rank = {thing: n for n, thing in enumerate(preferred)}
            return min(some, key=lambda option: rank.get(option[1], len(rank)))
        return random.choices(some, [times if option[1] in preferred else 1 for option in some])[0]

    return answer


def best_place(
    where: Callable[[Any, Action], tuple[int, Iterable[int]]],
    gains: Callable[[Any, int, list[int]], dict[int, float]],
) -> Answer:
    """The option that puts a unit where it stands best: `where` says which unit an option moves and where it
    could get by it, `gains` how much better it would stand there. Options with another verb than the first
    leave it where it is."""

    def answer(view: Any, options: list[Action], _: Random | None) -> Action:
        moves = {option: where(view, option) for option in options if option[0] == options[0][0]}
        moves = {option: (unit, list(cells)) for option, (unit, cells) in moves.items()}
        found = {
            unit: gains(view, unit, [c for other, cells in moves.values() if other == unit for c in cells])
            for unit in dict.fromkeys(unit for unit, _ in moves.values())
        }

        def gain(option: Action) -> float:
            unit, cells = moves.get(option, (0, ()))
            return max((found[unit][cell] for cell in cells), default=BETTER)

        return max(options, key=gain)

    return answer
