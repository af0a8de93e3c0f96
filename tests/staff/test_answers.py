"""Small decisions: the option worth most, the place where a unit stands best."""

from __future__ import annotations

from typing import Any

from grognard.kernel import Action
from grognard.staff.answers import best_place, most, prefer


def test_the_option_worth_most_is_taken_among_those_of_one_verb() -> None:
    answer = most(lambda view, option: view[option[1]] if len(option) > 1 else 99.0)
    assert answer({1: 3.0, 2: 5.0}, [("lead", 1), ("lead", 2), ("pass",)], None) == ("lead", 2)


def test_the_first_of_some_verbs_that_is_offered_is_taken() -> None:
    options: list[Action] = [("go", 1), ("go", 2), ("hold",), ("pass",)]
    assert prefer("hold", "go")(None, options, None) == ("hold",)
    assert prefer("fly", "go")(None, options, None) == ("go", 1)
    assert prefer("fly")(None, options, None) == ("pass",)


def gains(view: Any, unit: int, cells: list[int]) -> dict[int, float]:
    asked.append((unit, tuple(cells)))
    return {cell: view[unit, cell] for cell in cells}


asked: list[tuple[int, tuple[int, ...]]] = []


def test_a_unit_goes_where_it_stands_best_and_every_unit_is_looked_at_once() -> None:
    asked.clear()
    options: list[Action] = [("back", 7, 1), ("back", 7, 2), ("back", 8, 1)]
    answer = best_place(lambda view, option: (option[1], option[2:]), gains)
    assert answer({(7, 1): -3.0, (7, 2): -1.0, (8, 1): -2.0}, options, None) == ("back", 7, 2)
    assert asked == [(7, (1, 2)), (8, (1,))]


def test_nobody_moves_who_does_not_gain_by_it() -> None:
    answer = best_place(lambda view, option: (7, (1, 2)), gains)
    options: list[Action] = [("on",), ("stay",)]
    assert answer({(7, 1): 0.0, (7, 2): -1.0}, options, None) == ("stay",)
    assert answer({(7, 1): -5.0, (7, 2): 0.5}, options, None) == ("on",)
