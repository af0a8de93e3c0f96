"""Flood fills on bit sets against plain searches, on random boards and on a real map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.board import bits, each
from grognard.mechanics.movement import (
    FORBIDDEN,
    Costs,
    Ground,
    Reach,
    connected,
    costs_to,
    reach,
    sides_between,
    way,
    ways,
    ways_to,
    within_cost,
)
from tests.mechanics.boards import Country, Step, cheapest, countries, real_country, small_board, subset

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
    """Every surcharge at once against a search hex by hex."""
    board = country.board
    starts = data.draw(
        st.dictionaries(st.sampled_from(board.cells), st.integers(0, 9), min_size=1, max_size=3)
    )
    begins = data.draw(st.booleans())
    allowed, stop = subset(data, board), subset(data, board)
    sets = [subset(data, board) for _ in range(6)]
    times = data.draw(st.sampled_from(((), ((bits(sets[0]), 2), (bits(sets[1]), 3)))))
    plus_in = data.draw(st.sampled_from(((), ((bits(sets[2]), 4), (bits(sets[3]), 1)))))
    plus_out = data.draw(st.sampled_from(((), ((bits(sets[4]), 3), (bits(sets[5]), 2)))))
    random = Random(data.draw(st.integers(0, 9999)))
    fords = data.draw(st.booleans())
    ford_prices = {step: random.randint(1, 5) for step in country.prices if fords and random.random() < 0.2}
    dry_prices = {step: price for step, price in country.prices.items() if step not in ford_prices}
    share = data.draw(st.sampled_from((0.0, 0.2)))
    closed = {step for step in country.prices if random.random() < share}
    budget = data.draw(st.integers(0, 20))

    def price(prices: Mapping[Step, int], here: int, there: int) -> int:
        factor = next((f for cells, f in times if cells >> there & 1), 1)  # the first set that holds it
        more = sum(points for cells, points in plus_in if cells >> there & 1)
        toll = sum(points for cells, points in plus_out if cells >> here & 1)
        return prices[here, there] * factor + more + toll

    def onwards(state: tuple[int, bool]) -> Iterable[tuple[tuple[int, bool], int]]:
        """Where to go from a hex, where a move may have begun."""
        here, fresh = state
        if here in stop and not fresh:
            return
        for there in board.adjacent[here]:
            if there in allowed and (here, there) in dry_prices and (here, there) not in closed:
                yield (there, False), price(dry_prices, here, there)

    expected: dict[int, int] = {}
    ends: dict[int, int] = {}
    for start, paid in starts.items():
        if paid > budget:
            continue
        fresh = begins and not paid
        for (cell, _), least in cheapest([(start, fresh)], onwards, budget - paid).items():
            expected[cell] = min(expected.get(cell, budget), paid + least)
        for there in board.adjacent[start] if fresh else ():
            step = (start, there)
            if there in allowed and step in ford_prices and step not in closed:
                least = price(ford_prices, start, there)
                if least <= budget:
                    ends[there] = min(ends.get(there, budget), least)

    def by_direction(steps: Iterable[Step]) -> list[int]:
        masks = [0] * 6
        for here, there in steps:
            masks[board.neighbours[here].index(there)] |= 1 << here
        return masks

    ground = Ground(
        Costs(board, lambda a, b: dry_prices.get((a, b))),
        bits(allowed),
        bits(stop),
        times,
        plus_in,
        plus_out,
        Costs(board, lambda a, b: ford_prices.get((a, b))) if fords else None,
        by_direction(closed) if closed else (),
    )
    found = reach(ground, starts, budget, begins)
    assert len(found.layers) == budget + 1
    for spent, layer in enumerate(found.layers):
        assert set(each(layer)) == {hex_ for hex_, least in expected.items() if least == spent}
    assert found.ends == ends
    assert set(each(found.cells)) == expected.keys() | ends.keys()
    everything = ways(ground, found)
    assert list(everything) == sorted(everything, key=lambda hex_: everything[hex_][0])
    assert everything.keys() == expected.keys() | ends.keys()
    for goal in board.cells:
        least_ = min((n for n in (expected.get(goal), ends.get(goal)) if n is not None), default=None)
        assert found.spent(goal) == least_
        if least_ is None:
            continue
        assert everything[goal][0] == least_
        for cells in (way(ground, found, goal), everything[goal][1]):
            first, *entered = cells
            assert cells[-1] == goal
            assert first in starts
            assert allowed.issuperset(entered)
            if len(cells) == 2 and tuple(cells) in ford_prices:
                assert not starts[first]
                assert begins
                assert price(ford_prices, *cells) == least_
                continue
            assert starts[first] + sum(price(dry_prices, a, b) for a, b in pairwise(cells)) == least_
            assert closed.isdisjoint(pairwise(cells))
            assert stop.isdisjoint(entered[:-1])
            assert len(cells) == 1 or first not in stop or (begins and not starts[first])


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
    ground = Ground(Costs(board, lambda a, b: 2), board.everywhere)
    layers = reach(ground, {board.cells[0]: 0}, 8).layers
    assert [each(layer) for layer in layers[::2]] == [[cell] for cell in board.cells]
    assert not any(layers[1::2])


def test_a_way_goes_round_what_is_dear() -> None:
    """Two hexes lie between start and goal: the way takes one of them or, if that is dear, the other."""
    board = small_board(3, 2)
    costs = Costs(board, lambda a, b: 2)
    start, goal = board.cell("0000"), board.cell("0200")
    free = Ground(costs, board.everywhere)
    cheap = way(free, reach(free, {start: 0}, 12), goal)
    for times, plus_in in ((((1 << cheap[1], 3),), ()), ((), ((1 << cheap[1], 1),))):
        dear = Ground(costs, board.everywhere, times=times, plus_in=plus_in)
        round_it = way(dear, reach(dear, {start: 0}, 12), goal)
        assert len(cheap) == len(round_it) == 3
        assert cheap[1] != round_it[1]


def test_a_step_that_ends_the_move_does_not_hide_the_longer_way_on() -> None:
    """The far bank is entered by a ford, where the move ends, or round about, from where it goes on."""
    board = small_board(3, 1)
    a, b, c = board.cells
    first = Costs(board, lambda here, there: 1 if (here, there) == (a, b) else None)
    others = Costs(board, lambda here, there: None if {here, there} == {a, b} else 3)
    ground = Ground(others, board.everywhere, first_only=first)
    found = reach(ground, {a: 0}, 9)
    assert found.ends == {b: 1}
    assert not found.cells >> c & 1
    bridged = Ground(Costs(board, lambda here, there: 3), board.everywhere, first_only=first)
    found = reach(bridged, {a: 0}, 9)
    assert (found.spent(b), found.spent(c)) == (1, 6)
    assert way(bridged, found, b) == (a, b)
    assert way(bridged, found, c) == (a, b, c)


def test_sides_between_two_hexes_of_a_set() -> None:
    board = small_board(3, 1)
    a, b, c = board.cells
    sides = [board.everywhere] * 6
    found = sides_between(board, sides, 1 << a | 1 << b)
    assert sum(mask.bit_count() for mask in found) == 2
    assert not any(mask >> c & 1 for mask in found)


def test_costs_of_some_sides_only() -> None:
    board = small_board(3, 1)
    a, b, c = board.cells
    costs = Costs(board, lambda here, there: 3)
    part = costs.only(sides_between(board, [board.everywhere] * 6, 1 << a | 1 << b))
    assert [part.step(a, b), part.step(b, a), part.step(b, c)] == [3, 3, FORBIDDEN]


def test_a_way_that_no_step_leads_to_is_an_error() -> None:
    board = small_board(4, 1)
    ground = Ground(Costs(board, lambda a, b: 2), board.everywhere)
    start, goal = board.cells[0], board.cells[3]
    with pytest.raises(ValueError, match="no way"):
        way(ground, Reach({start: 0}, True, [1 << start, 0, 1 << goal], {}), goal)
    with pytest.raises(ValueError, match="out of reach"):
        way(ground, reach(ground, {start: 0}, 2), goal)


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
