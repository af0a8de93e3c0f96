"""What holds for every map: it passes its check, rivers run to their mouths, history's ways can be walked."""

from __future__ import annotations

import pytest

from grognard.atlas import overlay
from grognard.board import Board, vocabulary
from grognard.board.checks import check_map
from grognard.files import Folder
from tests.atlas import walks

GAMES = overlay.games()
MAIN_HEXES = {
    "leningrad": {"Leningrad": "2605"},
    "typhoon": {"Moscow": "M2928"},
    "second_front": {"Paris": "17A:1604", "Berlin": "16A:1902", "Vienna": "16A:4302", "London": "17A:0104"},
}
"""Where the ways of a town of several hexes meet, if not in the first."""
ASKED = {
    "leningrad": "Western Dvina|Velikaya|Luga|Narva|Volkhov",
    "a_victory_lost": "Don|Donets|Chir|Oskol|Dnieper|Mius|Volga",
    "stalingrad_roads": "Don|Donets|Chir|Oskol|Dnieper|Mius|Volga",
    "typhoon": "Volga|Oka|Dnieper|Desna|Western Dvina|Moskva|Ugra|Nara",
    "second_front": "Rhine|Meuse|Seine|Loire|Rhône|Garonne|Elbe|Danube|Po|Tiber",
}
"""Rivers that no map may lose, whatever its list says."""
FROM_RIVERS = {"IJssel": {"Rhine"}, "Weser": {"Werra", "Fulda"}}
"""Rivers that do begin at others: an arm, and two streams that change their name where they meet."""


def cells(game: str, names: str) -> list[int]:
    """The hexes of a list of places or of hex numbers."""
    board = walks.board_of(game)
    known = walks.places(board) | {
        name: board.cell(number) for name, number in MAIN_HEXES.get(game, {}).items()
    }
    return [known[name] if name in known else board.cell(name) for name in filter(None, names.split("|"))]


def rivers() -> list[tuple[str, dict[str, str]]]:
    return [(game, row) for game in GAMES for row in walks.rows(walks.GAMES / game / "map" / "rivers.csv")]


def connections() -> list[tuple[str, dict[str, str]]]:
    return [(game, row) for game in GAMES for row in walks.rows(overlay.FOLDER / game / "connections.csv")]


@pytest.mark.parametrize("game", GAMES)
def test_the_map_passes_its_check(game: str) -> None:
    assert [str(problem) for problem in check_map(Folder(walks.GAMES / game / "map"))] == []


@pytest.mark.parametrize(
    ("game", "row"), rivers(), ids=lambda value: value if isinstance(value, str) else value["river"]
)
def test_a_river_is_one_chain_from_its_source_to_its_mouth(game: str, row: dict[str, str]) -> None:
    assert row["source"]
    walks.walk_river(walks.board_of(game), row["river"], row["mouth"], cells(game, row["past"]))


@pytest.mark.parametrize("game", GAMES)
def test_no_river_rises_from_another(game: str) -> None:
    """Two sources in neighbouring valleys must not meet: the map would show a river that forks."""
    board = walks.board_of(game)
    names = walks.river_names(board)
    wet = {name: walks.corners_of(board, walks.sides_of(board, walks.RIVERS, name)) for name in names}
    for of, row in rivers():
        if of == game:
            course = walks.walk_river(board, row["river"], row["mouth"], cells(game, row["past"]))
            first = set(walks.corners(board, *course[0]))
            source = first & set(walks.river_ends(board, row["river"]))
            others = names - {row["river"], row["mouth"]} - FROM_RIVERS.get(row["river"], set())
            met = {name for name in others if source & wet[name]}
            assert not met, f"the {row['river']} rises from {met}"


@pytest.mark.parametrize("game", GAMES)
def test_every_river_is_in_the_list(game: str) -> None:
    listed = [row["river"] for of, row in rivers() if of == game]
    assert sorted(listed) == sorted(walks.river_names(walks.board_of(game)))
    assert set(ASKED[game].split("|")) <= set(listed)


@pytest.mark.parametrize(
    ("game", "row"),
    connections(),
    ids=lambda value: value if isinstance(value, str) else f"{value['feature']}-{value['places'][:40]}",
)
def test_history_s_connections_can_be_walked(game: str, row: dict[str, str]) -> None:
    assert row["source"]
    # On the roads of Stalingrad a railway serves as a road.
    by_rail_too = row["feature"] == "road" and game == "stalingrad_roads"
    features = walks.WAYS if by_rail_too else _way(row["feature"])
    walks.walk_way(walks.board_of(game), features, cells(game, row["places"]))


@pytest.mark.parametrize("game", GAMES)
def test_ways_keep_to_the_land(game: str) -> None:
    board = walks.board_of(game)
    for a, b in walks.sides_of(board, walks.WAYS):
        assert walks.is_land(board, a) and walks.is_land(board, b)
        assert not walks.on_side(board, a, b) & walks.WATER


@pytest.mark.parametrize("game", GAMES)
def test_places_have_both_names_and_stand_on_land(game: str) -> None:
    board = walks.board_of(game)
    built_up = {*vocabulary.of_kind(board.settings, "town", "port"), "airfield"}
    for cell, info in board.info.items():
        if info.features & built_up:
            assert walks.is_land(board, cell), info.number
            assert info.names.get("en") and info.names.get("fr"), info.number


@pytest.mark.parametrize("game", GAMES)
def test_every_line_says_where_it_comes_from(game: str) -> None:
    board = walks.board_of(game)
    for info in board.info.values():
        assert info.provenance.source, info.number
    for (a, b), found in board.sides.items():
        for feature, side in found.items():
            assert side.provenance.source, (board.number(a), board.number(b), feature)


def _way(feature: str) -> tuple[str, ...]:
    """A railway may be of any kind."""
    return walks.RAILS if feature == "rail" else (feature,)


def _without(board: Board, *gone: walks.Side) -> Board:
    """The same map with some sides stripped."""
    features = [
        (board.axial(a), board.axial(b), feature, info.names, info.provenance)
        for (a, b), found in board.sides.items()
        if (a, b) not in gone
        for feature, info in found.items()
    ]
    hexes = {board.axial(cell): info for cell, info in board.info.items()}
    return Board(board.numbering, hexes, features, board.settings)


@pytest.mark.parametrize(
    ("game", "row"),
    [(game, row) for game, row in rivers() if row["river"] in ASKED[game].split("|")],
    ids=lambda value: value if isinstance(value, str) else value["river"],
)
def test_a_broken_river_is_noticed(game: str, row: dict[str, str]) -> None:
    """The walks above can fail: a river that loses a side in its middle or at its mouth is not walked."""
    board = walks.board_of(game)
    past = cells(game, row["past"])
    whole = walks.walk_river(board, row["river"], row["mouth"], past)
    for lost in {whole[len(whole) // 2], whole[-1]} - {whole[0]}:
        with pytest.raises(AssertionError):
            walks.walk_river(_without(board, lost), row["river"], row["mouth"], past)


@pytest.mark.parametrize("game", GAMES)
def test_a_cut_way_is_noticed(game: str) -> None:
    board = walks.board_of(game)
    cut = walks.places(board)[
        {"leningrad": "Luga", "second_front": "Lyon", "typhoon": "Rzhev"}.get(game, "Likhaya")
    ]
    damaged = _without(board, *(side for side in board.sides if cut in side))
    row = next(row for of, row in connections() if of == game and cut in cells(game, row["places"]))
    with pytest.raises(AssertionError, match="not joined"):
        walks.walk_way(damaged, _way(row["feature"]), cells(game, row["places"]))
