"""7A Railways: networks, yards, trains and what they carry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import ceil
from typing import NamedTuple

from grognard.board import Board
from grognard.games.second_front.books import charts
from grognard.games.second_front.units import Piece

MOST_LOW = 7
"""Hexes of low volume in a line of supply (12B3)."""
GREATER_GERMANY, FRANCE, ITALY = "Greater Germany", "Metropolitan France/Benelux", "Metropolitan Italy"
DISTRICTS = {
    "sicilia": "Sicily",
    "sardegna": "Sardinia",
    "corsica": "Corsica",
    "england": "England",
    "algeria": "North Africa",
    "tunisia": "North Africa",
    "denmark": GREATER_GERMANY,
    "bohemia": GREATER_GERMANY,
    "belgium": FRANCE,
    "netherlands": FRANCE,
    "paris": FRANCE,
}
"""The network of each district that has one of its own (7A4); the others go by their country."""
YARDS = frozenset(
    {"dot_city", "major_city_full", "major_city_partial", "port_standard", "port_major", "port_great"}
)
SMALL_YARDS = frozenset({"district_sardegna", "district_corsica"})
"""Where minor ports have yards too."""


class Line(NamedTuple):
    """A railway from one hex to the next."""

    to: int
    low: bool
    ferry: bool


@cache
def rail_lines(board: Board) -> Mapping[int, tuple[Line, ...]]:
    """The railways out of each hex that has any. The hexes of one city are joined by lines of high volume, a
    rail ferry is a line of low volume (37A2)."""
    found: dict[int, list[Line]] = {}
    for (a, b), features in board.sides.items():
        kind = next((f for f in ("rail_high", "rail_low", "rail_ferry") if f in features), None)
        if kind is not None:
            for here, there in ((a, b), (b, a)):
                found.setdefault(here, []).append(Line(there, kind != "rail_high", kind == "rail_ferry"))
    for a in board.cells:
        if not is_major(board, a):
            continue
        for b in board.adjacent[a]:
            if is_major(board, b):
                found.setdefault(a, []).append(Line(b, False, False))
    return {cell: tuple(sorted(set(lines))) for cell, lines in found.items()}


def is_major(board: Board, cell: int) -> bool:
    return not board.info[cell].features.isdisjoint({"major_city_full", "major_city_partial"})


@cache
def network_of(board: Board, cell: int) -> str | None:
    """7A4: the network in whose territory a hex lies."""
    features = board.info[cell].features
    district = next((f.removeprefix("district_") for f in features if f.startswith("district_")), "")
    if district in DISTRICTS:
        return DISTRICTS[district]
    if district.startswith("wk_"):
        return GREATER_GERMANY
    if district.startswith("mr_"):
        return FRANCE
    return ITALY if "country_italy" in features else None


def is_yard(board: Board, cell: int) -> bool:
    """7A: a marshalling yard, on a railway."""
    features = board.info[cell].features
    small = "port_minor" in features and bool(features & SMALL_YARDS)
    return cell in rail_lines(board) and (bool(features & YARDS) or small)


@cache
def yards(board: Board) -> Mapping[str, tuple[int, ...]]:
    """The marshalling yards of each network (7A)."""
    found: dict[str, list[int]] = {}
    for cell in rail_lines(board):
        network = network_of(board, cell)
        if network is not None and is_yard(board, cell):
            found.setdefault(network, []).append(cell)
    return {network: tuple(cells) for network, cells in found.items()}


class Track(NamedTuple):
    """What the trains of a side find."""

    board: Board
    owned: int
    enemy_zone: int
    broken: int = 0
    """Hexes whose line is cut (7A5)."""
    held: int = 0
    """Hexes where a friendly unit with a defence strength has been all through the phase: enemy zones there
    do not stop trains."""
    shut_ports: int = 0
    """Hexes whose ports do not operate: no ferry from there (37A2)."""

    @property
    def usable(self) -> int:
        return self.owned & ~self.broken & ~(self.enemy_zone & ~self.held)


class Ride(NamedTuple):
    """A train's way to a hex."""

    hexes: int
    low: bool
    """It has used a line of low volume."""
    networks: frozenset[str]


def rides(track: Track, start: int, most: int) -> dict[int, list[Ride]]:
    """Where a train can go with so many hexes: for each hex the shortest way without lines of low volume, if
    there is one, and the shortest of all."""
    if not track.usable >> start & 1 or start not in rail_lines(track.board):
        return {}
    shortest = _shortest(track, start, most, True)
    if not any(ride.low for ride in shortest.values()):
        return {cell: [ride] for cell, ride in shortest.items()}
    found = {cell: [ride] for cell, ride in _shortest(track, start, most, False).items()}
    for cell, ride in shortest.items():
        known = found.setdefault(cell, [])
        if not known or ride.hexes < known[0].hexes:
            known.append(ride)
    return found


def _shortest(track: Track, start: int, most: int, lows: bool) -> dict[int, Ride]:
    board, lines, usable = track.board, rail_lines(track.board), track.usable
    home = network_of(board, start)
    known = {start: Ride(0, False, frozenset({home} if home else ()))}
    ends = [start]
    for hexes in range(1, most + 1):
        before, ends = ends, []
        for here in before:
            _, low, networks = known[here]
            for line in lines[here]:
                there = line.to
                if there in known or not usable >> there & 1 or (line.low and not lows):
                    continue
                if line.ferry and (1 << here | 1 << there) & track.shut_ports:
                    continue
                network = network_of(board, there)
                through = networks if not network or network in networks else networks | {network}
                known[there] = Ride(hexes, low or line.low, through)
                ends.append(there)
    return known


def rate(kind: str) -> int:
    """7A1, 7A2: hexes for each movement point of operational movement, and of a strategic move."""
    found = charts()["rail_rates"].find(kind)["hexes_per_mp"]
    assert isinstance(found, int)
    return found


def points_for(hexes: int) -> int:
    """7A1: whole movement points for a ride."""
    return ceil(Fraction(hexes, rate("operational")))


# Capacity (7A3, 7A4)


def size_on_rail(piece: Piece, low: bool) -> Fraction:
    """7A3: double for cavalry and c/m units, and double again with a line of low volume."""
    return piece.transport_re * (2 if low else 1)


class Used(NamedTuple):
    """What a unit has taken of a network in a player turn."""

    network: str
    unit: int
    re: Fraction


def charge(used: Iterable[Used], unit: int, piece: Piece, ride: Ride) -> tuple[Used, ...]:
    """7A3: a unit counts once for each network, however often it rides, at the larger of its sizes."""
    found = {(each.network, each.unit): each.re for each in used}
    for network in ride.networks:
        size = size_on_rail(piece, ride.low)
        found[network, unit] = max(size, found.get((network, unit), Fraction(0)))
    return tuple(Used(*key, size) for key, size in sorted(found.items()))


def taken(used: Iterable[Used]) -> dict[str, Fraction]:
    """What each network carries."""
    found: dict[str, Fraction] = {}
    for each in used:
        found[each.network] = found.get(each.network, Fraction(0)) + each.re
    return found


def within(used: Iterable[Used], capacity: Mapping[str, int]) -> bool:
    """Whether no network carries more than it can. What is not used is lost (3C4)."""
    return all(size <= capacity.get(network, 0) for network, size in taken(used).items())


def temporary_limit(current: int) -> Fraction:
    """7A4a: at most half of the current capacity."""
    return Fraction(current, 2)


def temporary_cost(extra: Fraction) -> int:
    """7A4a: a resource point for each 10 RE or part."""
    return ceil(extra / 10)


PERMANENT_COST, PERMANENT_MOST = 3, 12
"""7A4b: resource points for one RE more, and the most for a network in an initial phase."""


def permanent_gain(points: int) -> int:
    if points > PERMANENT_MOST:
        raise ValueError(f"{points} resource points: a network takes {PERMANENT_MOST} in a phase")
    return points // PERMANENT_COST


def can_improve(track: Track, network: str, isolated: int) -> bool:
    """7A4a, 7A4b: two yards of one's own on the network, joined by rail and not isolated."""
    joined = track.owned & ~isolated
    mine = [cell for cell in yards(track.board).get(network, ()) if joined >> cell & 1]
    whole = track._replace(broken=0)
    everywhere = len(rail_lines(track.board))
    return any(other in rides(whole, yard, everywhere) for yard in mine for other in mine if other != yard)


def after_losses(board: Board, owned: int, capacity: Mapping[str, int]) -> dict[str, int]:
    """7A4c: who loses the last yard of a network loses its capacity at once."""
    kept = {network for network, cells in yards(board).items() if any(owned >> cell & 1 for cell in cells)}
    return {network: size if network in kept else 0 for network, size in capacity.items()}
