"""12 Supply: lines of four elements, sources of three kinds, turns without; 3G isolation."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from grognard.board import Board
from grognard.board.board import bits, each
from grognard.games.second_front.books import charts
from grognard.games.second_front.rules.ground import ROADS, Legs, crossings, dry_land, marked
from grognard.games.second_front.rules.rail import MOST_LOW, network_of, rail_lines
from grognard.games.second_front.rules.weather import COLD, Sky, condition
from grognard.games.second_front.units import ALLIED, SIDES, Piece
from grognard.mechanics.movement import connected, rings
from grognard.mechanics.supply import open_ground

FOOT = Legs("other")
LARGE_PORTS = ("port_major", "port_great")
SMALL_PORTS = {"port_standard": "limited_standard_port", "port_minor": "limited_minor_port"}
PORTS = (*LARGE_PORTS, *SMALL_PORTS)
MAJOR_CITIES = ("major_city_full", "major_city_partial")
CITIES = (*MAJOR_CITIES, "dot_city", "reference_city")
ALLIED_SHORES = ("country_algeria", "country_tunisia", "country_great_britain")
ATTRITION_FROM = 4
"""The turn without supply from which isolated units may perish (12D)."""
RAIL_SUPPLY = 10
"""RE of capacity from which a network carries supply by itself (12B3)."""


class Situation(NamedTuple):
    """What a side's lines of supply depend on."""

    board: Board
    sky: Sky
    side: int
    owned: int
    """Its hexes (3D)."""
    friends: int
    """Hexes with its units."""
    enemies: int
    enemy_zone: int
    capacity: Mapping[str, int] = {}
    """Of each railway network, damage not counted."""
    spoiled: int = 0
    """Major cities that the enemy has owned at any time: no sources for ever (12C1)."""
    wrecked: int = 0
    """Hexes whose ports do not operate."""
    at_sea: bool = False
    """Whether this side's ships may bring supply: taken as given until the rules of the sea are there."""

    @property
    def open(self) -> int:
        """12A: no enemies, no enemy zone without a friendly unit, no prohibited terrain."""
        return open_ground(dry_land(self.board), self.enemies, self.enemy_zone, self.friends)


# The elements of a line (12B)


@cache
def length(side: int, element: str, weather: str) -> int:
    found = charts()["supply_lines"].find(SIDES[side], element, weather)["max_hexes"]
    assert isinstance(found, int)
    return found


@cache
def _by_length(board: Board, sky: Sky, side: int, element: str) -> tuple[tuple[int, int], ...]:
    """The lengths of an element in the weather of the map, and the hexes that allow at least as much."""
    lengths = {cell: length(side, element, condition(board, cell, sky)) for cell in board.cells}
    return tuple(
        (most, bits(cell for cell, here in lengths.items() if here >= most))
        for most in sorted(set(lengths.values()))
    )


def _element(at: Situation, element: str, links: Sequence[int], goals: int, allowed: int) -> int:
    """The hexes from which an element leads to the goals. Its length is that of the worst weather on it: the
    one that allows the fewest hexes (36D, ruling)."""
    found = 0
    for most, mild in _by_length(at.board, at.sky, at.side, element):
        for distance, ring in enumerate(rings(at.board, links, goals & mild, allowed & mild)):
            if distance > most:
                break
            found |= ring
    return found


def by_land(at: Situation, goals: int) -> int:
    """12B1: over anybody's ground."""
    return _element(at, "land", crossings(at.board, FOOT, at.sky), goals, at.open)


def by_road(at: Situation, goals: int) -> int:
    """12B2: along roads through hexes of one's own."""
    return _element(at, "road", _roads(at.board), goals, at.open & at.owned)


@cache
def _roads(board: Board) -> tuple[int, ...]:
    return board.side_masks(*ROADS)


def by_rail(at: Situation, goals: int) -> int:
    """12B3: along railways through hexes of one's own, with at most 7 hexes of low volume; broken lines do
    not matter. On a network with a capacity of less than 10 RE the line must also pass one that has more."""
    allowed = at.open & at.owned
    lines = rail_lines(at.board)
    strong = frozenset(name for name, capacity in at.capacity.items() if capacity >= RAIL_SUPPLY)
    best: dict[_Place, int] = {}
    came: dict[_Place, _Place | None] = {}
    queue: deque[_Place] = deque()
    for cell in each(goals & allowed):
        if cell in lines:
            start = cell, network_of(at.board, cell) in strong
            best[start], came[start] = 0, None
            queue.append(start)
    while queue:
        place = queue.popleft()
        for there, low, _ in lines[place[0]]:
            onward = there, place[1] or network_of(at.board, there) in strong
            used = best[place] + low
            if not allowed >> there & 1 or used > MOST_LOW or used >= best.get(onward, MOST_LOW + 1):
                continue
            if onward[1] and (there, False) in best and _passes(came, place, there):
                continue
            best[onward], came[onward] = used, place
            if low:
                queue.append(onward)
            else:
                queue.appendleft(onward)
    return bits(cell for cell, passed in best if passed)


_Place = tuple[int, bool]
"""A hex of a line, and whether the line has passed a network that carries supply by itself."""


def _passes(came: Mapping[_Place, _Place | None], place: _Place, cell: int) -> bool:
    """Whether a line has been on a hex already: it does not turn back."""
    here: _Place | None = place
    while here is not None:
        if here[0] == cell:
            return True
        here = came[here]
    return False


def by_sea(at: Situation, goals: int) -> int:
    """12B4: from friendly ports that operate, major or great, to one that is joined to a goal."""
    ports = marked(at.board, *LARGE_PORTS) & at.owned & ~at.wrecked
    return ports if at.at_sea and goals else 0


class Elements(NamedTuple):
    """12B: how far each element of the lines reaches, as sets of hexes; each has those before it in it."""

    sources: int
    """Sources and ports that ships join to them."""
    rail: int
    road: int
    land: int


def elements(at: Situation, sources: int) -> Elements:
    """12B: the hexes from which a line leads to the sources: land, then road, then rail and sea in any
    order."""
    ends = sources & at.open
    by_ship = ends | by_sea(at, ends)
    while True:
        more = ends | by_rail(at, ends) | by_sea(at, ends)
        if more == ends:
            break
        ends = more
    road = ends | by_road(at, ends)
    return Elements(by_ship, ends, road, by_land(at, road))


def traced(at: Situation, sources: int) -> int:
    """12B: the hexes from which a line of supply leads to the sources."""
    return elements(at, sources).land


# Sources (12C)


def connected_cities(at: Situation, cities: int) -> int:
    """12C1, 7A: those of some major cities that a line of rail joins to another of them."""
    found = 0
    usable = cities & at.owned & ~at.spoiled
    for city in each(usable):
        others = usable & ~_same_city(at.board, city)
        if not found >> city & 1 and (joined := by_rail(at, 1 << city) & others):
            found |= 1 << city | joined
    return found


def _same_city(board: Board, cell: int) -> int:
    """All hexes of a city of several hexes (3E2)."""
    cities = marked(board, *MAJOR_CITIES)
    links = (board.everywhere,) * 6
    return connected(board, links, 1 << cell, cities)


def full_sources(at: Situation, italian: bool = False, east_edge: int = 0) -> int:
    """12C1a to 12C1c. `east_edge`: the hexes of rail on the eastern edge of the map in Greater Germany."""
    board = at.board
    if at.side == ALLIED:
        shores = marked(board, *ALLIED_SHORES)
        england = marked(board, "country_great_britain") & marked(board, *CITIES)
        return (marked(board, *LARGE_PORTS) & shores | england) & at.owned
    cities = marked(board, *MAJOR_CITIES)
    found = east_edge & at.owned | connected_cities(at, cities & marked(board, "country_germany"))
    if italian:
        found |= connected_cities(at, cities & marked(board, "country_italy"))
    return found


def limited_sources(at: Situation) -> dict[int, Fraction]:
    """12C2: standard and minor ports of one's own that operate, with the RE that each supplies, where a line
    by sea leads on to a full source."""
    if not at.at_sea:
        return {}
    found = {}
    for feature, item in SMALL_PORTS.items():
        capacity = Fraction(str(charts()["supply_rules"].find(item)["value"]).split()[0])
        for cell in each(marked(at.board, feature) & at.owned & ~at.wrecked & at.open):
            found[cell] = capacity
    return found


def share_ports(
    needs: Mapping[int, tuple[Fraction, Sequence[int]]], ports: Mapping[int, Fraction]
) -> set[int]:
    """12C2: whom the limited sources supply. `needs` says of each unit its RE and the ports that it reaches.
    Units with the fewest ports come first, then the largest (ruling)."""
    left = dict(ports)
    found = set()
    order = sorted(needs.items(), key=lambda item: (len(item[1][1]), -item[1][0], item[0]))
    for unit, (size, reached) in order:
        port = max((p for p in reached if left[p] >= size), key=lambda p: (left[p], -p), default=None)
        if port is not None:
            left[port] -= size
            found.add(unit)
    return found


class Delivered(NamedTuple):
    """12C3a: supply points that aircraft or ships have brought to a hex."""

    cell: int
    points: int
    phases: int = 2
    """Initial phases through which they still lie there."""


def after_initial_phase(stores: Iterable[Delivered]) -> list[Delivered]:
    """12C3a: what is left at the end of an initial phase: the second is the last."""
    return [each_._replace(phases=each_.phases - 1) for each_ in stores if each_.phases > 1]


def kept(stores: Iterable[Delivered], owned: int) -> list[Delivered]:
    """12C3a: those whose hex the enemy has not taken."""
    return [each_ for each_ in stores if owned >> each_.cell & 1]


def fed_by_stores(
    at: Situation, stores: Sequence[Delivered], hungry: Mapping[int, tuple[Fraction, int]]
) -> set[int]:
    """12C3a: whom delivered points supply: a point for each RE that traces a land line to it. `hungry` says
    of each unit its RE and its hex."""
    reach = {number: by_land(at, 1 << store.cell) for number, store in enumerate(stores)}
    needs = {
        unit: (size, [number for number, cells in reach.items() if cells >> cell & 1])
        for unit, (size, cell) in hungry.items()
    }
    return share_ports(needs, {number: Fraction(store.points) for number, store in enumerate(stores)})


def overland(at: Situation, sources: int) -> int:
    """3G: the hexes that are not isolated: a land element of any length leads to a regular source."""
    return connected(at.board, crossings(at.board, FOOT, at.sky), sources & at.open, at.open)


# Effects (12D)


def counted(player_turns: int, regular: bool) -> int:
    """How many player turns in a row a unit has been without regular supply (ruling)."""
    return 0 if regular else player_turns + 1


def turn_of(player_turns: int) -> int:
    """Which turn without supply that is: two player turns make one."""
    return (player_turns + 1) // 2


def perishing(pieces: Iterable[tuple[int, Piece]]) -> Iterator[int]:
    """The units for which a die is thrown in an initial phase."""
    for number, piece in pieces:
        if piece.hungry >= ATTRITION_FROM and piece.isolated:
            yield number


def survives(board: Board, cell: int, sky: Sky, die: int, improved_fortress: bool = False) -> bool:
    """+3 in a major city or an improved fortress, otherwise -1 in the cold."""
    city = not board.info[cell].features.isdisjoint(MAJOR_CITIES)
    if city or improved_fortress:
        die += 3
    elif condition(board, cell, sky) in COLD:
        die -= 1
    needed = charts()["success_table"].find("attrition")["success_on_modified_die_at_least"]
    assert isinstance(needed, int)
    return die >= needed
