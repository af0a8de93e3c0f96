"""Flood fills on bit sets against plain searches, on random boards and on a real map."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.board import bits, each
from grognard.mechanics.movement import (
    FORBIDDEN,
    Costs,
    connected,
    costs_to,
    reach,
    way_back,
    ways_to,
    within_cost,
)
from tests.mechanics.boards import Country, cheapest, countries, real_country, small_board, subset

SOME = settings(max_examples=60, deadline=None)
FEW = settings(max_examples=15, deadline=None)


@SOME
@given(countries())
def test_a_step_costs_what_it_was_given(country: Country) -> None:
    costs = country.costs
    for a in country.board.cells:
        for b in country.board.cells:
            assert costs.step(a, b) == country.prices.get((a, b), FORBIDDEN)


def check_reach(country: Country, data: st.DataObject) -> None:
    board = country.board
    start = data.draw(st.sampled_from(board.cells))
    allowed, halting = subset(data, board), subset(data, board)
    double, triple = subset(data, board), subset(data, board)
    dearer = data.draw(st.sampled_from(((), ((bits(double), 2), (bits(triple), 3)))))
    budget = data.draw(st.integers(0, 20))

    def price(here: int, there: int) -> int:
        factor = next((f for cells, f in dearer if cells >> there & 1), 1)  # the first set that holds it
        return country.prices[here, there] * factor

    def onwards(here: int) -> Iterable[tuple[int, int]]:
        if here in halting and here != start:
            return
        for there in board.adjacent[here]:
            if there in allowed and (here, there) in country.prices:
                yield there, price(here, there)

    expected = cheapest([start], onwards, budget)
    costs = country.costs
    layers = reach(costs, start, budget, bits(allowed), bits(halting), dearer)
    assert len(layers) == budget + 1
    for spent, layer in enumerate(layers):
        assert set(each(layer)) == {hex_ for hex_, least in expected.items() if least == spent}
    for goal, least in expected.items():
        way = way_back(costs, layers, goal, bits(halting), dearer)
        assert way[-1:] == ((goal,) if goal != start else ())
        assert sum(price(a, b) for a, b in pairwise((start, *way))) == least
        assert allowed.issuperset(way)
        assert halting.isdisjoint(way[:-1])


@SOME
@given(countries(), st.data())
def test_reach_finds_what_dijkstra_finds(country: Country, data: st.DataObject) -> None:
    check_reach(country, data)


@FEW
@given(st.data())
def test_reach_finds_what_dijkstra_finds_on_a_real_map(data: st.DataObject) -> None:
    check_reach(real_country(), data)


def test_no_hex_is_reached_twice_when_every_price_is_even() -> None:
    """Costs that skip every other layer: a hex must not come back at a higher price."""
    board = small_board(5, 1)
    costs = Costs(board, lambda a, b: 2)
    layers = reach(costs, board.cells[0], 8, board.everywhere)
    assert [list(each(layer)) for layer in layers[::2]] == [[cell] for cell in board.cells]
    assert not any(layers[1::2])


def test_a_way_goes_round_what_is_dear() -> None:
    """Two hexes lie between start and goal: the way takes one of them or, if that is dear, the other."""
    board = small_board(3, 2)
    costs = Costs(board, lambda a, b: 2)
    start, goal = board.cell("0000"), board.cell("0200")
    cheap = way_back(costs, reach(costs, start, 12, board.everywhere), goal)
    dearer = ((1 << cheap[0], 3),)
    round_it = way_back(costs, reach(costs, start, 12, board.everywhere, 0, dearer), goal, 0, dearer)
    assert len(cheap) == len(round_it) == 2
    assert cheap[0] != round_it[0]


def test_a_way_that_no_step_leads_to_is_an_error() -> None:
    board = small_board(4, 1)
    costs = Costs(board, lambda a, b: 2)
    with pytest.raises(ValueError, match="no way"):
        way_back(costs, [1 << board.cells[0], 0, 1 << board.cells[3]], board.cells[3])


def check_ways(country: Country, data: st.DataObject) -> None:
    board = country.board
    goals, allowed = subset(data, board, 3), subset(data, board)
    double, triple = subset(data, board), subset(data, board)
    dearer = ((bits(double), 2), (bits(triple), 3))
    budget = data.draw(st.one_of(st.none(), st.integers(0, 20)))

    def expected(goals: set[int]) -> dict[int, int]:
        def backwards(there: int) -> Iterable[tuple[int, int]]:
            if there in allowed or there in goals:
                factor = 2 if there in double else 3 if there in triple else 1  # the first set that holds it
                for here in board.adjacent[there]:
                    if (here, there) in country.prices:
                        yield here, country.prices[here, there] * factor

        return cheapest(goals, backwards, budget)

    costs = country.costs
    layers = ways_to(costs, bits(goals), bits(allowed), dearer, budget)
    found = [(hex_, spent) for spent, layer in enumerate(layers) for hex_ in each(layer)]
    assert sorted(found) == sorted(expected(goals).items())
    if budget is None:
        assert costs_to(costs, bits(goals), bits(allowed), dearer) == expected(goals)
    else:
        inside = within_cost(costs, bits(goals), budget, bits(allowed), dearer)
        assert set(each(inside)) == set(expected(goals & allowed))


@SOME
@given(countries(), st.data())
def test_ways_to_goals_cost_what_dijkstra_says(country: Country, data: st.DataObject) -> None:
    check_ways(country, data)


@FEW
@given(st.data())
def test_ways_to_goals_cost_what_dijkstra_says_on_a_real_map(data: st.DataObject) -> None:
    check_ways(real_country(), data)


def check_connected(country: Country, data: st.DataObject) -> None:
    """The possible steps serve as one-way links."""
    board = country.board
    starts, allowed = subset(data, board, 4), subset(data, board)
    links = [
        bits(
            a
            for a in board.cells
            if board.neighbours[a][d] >= 0 and (a, board.neighbours[a][d]) in country.prices
        )
        for d in range(6)
    ]
    reached, edge = set(starts & allowed), list(starts & allowed)
    while edge:
        here = edge.pop()
        for there in board.adjacent[here]:
            if (here, there) in country.prices and there in allowed and there not in reached:
                reached.add(there)
                edge.append(there)
    assert set(each(connected(board, links, bits(starts), bits(allowed)))) == reached


@SOME
@given(countries(), st.data())
def test_a_net_is_followed_to_its_ends(country: Country, data: st.DataObject) -> None:
    check_connected(country, data)


@FEW
@given(st.data())
def test_a_net_is_followed_to_its_ends_on_a_real_map(data: st.DataObject) -> None:
    check_connected(real_country(), data)


def test_a_price_that_does_not_fit_is_an_error_not_a_bargain() -> None:
    with pytest.raises(ValueError, match="256"):
        Costs(small_board(2, 2), lambda a, b: 256)
