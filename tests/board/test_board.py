"""The compiled map: cells, neighbours, sets and sides agree with the geometry they were made from."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grognard.games.leningrad as leningrad
from grognard.board import Board, load_board
from grognard.board.board import OFF_MAP, bits, each
from grognard.files import DataError, Folder
from grognard.hexes import UnknownHexError, distance
from grognard.hexes.geometry import opposite

LENINGRAD = Folder(Path(leningrad.__file__).parent / "map")

TWO_SHEETS = """
[grid]
orientation = "flat"
shifted_parity = 1
columns_grow = "right"
rows_grow = "down"
order = "CCRR"
[[grid.sheets]]
name = "N"
columns = [1, 3]
rows = [1, 3]
[[grid.sheets]]
name = "M"
columns = [1, 3]
rows = [1, 3]
column_offset = 2
[terrains.clear]
en = "Clear"
[features.road]
kind = "side"
[features.town]
kind = "hex"
"""
HEADER = "hex,terrain,features,name_en,name_fr,provenance,source"
SIDES = "a,b,feature,name_en,name_fr,provenance,source\n"


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(LENINGRAD)


def two_sheets(folder: Path, sides: str = "", extra: str = "", settings: str = TWO_SHEETS) -> Board:
    numbers = [f"N{c:02d}{r:02d}" for c in (1, 2, 3) for r in (1, 2, 3)]
    numbers += [f"M{c:02d}{r:02d}" for c in (2, 3) for r in (1, 2, 3)]
    lines = [HEADER, *(f"{n},clear,,,,found,test" for n in numbers)]
    (folder / "map.toml").write_text(settings)
    (folder / "hexes.csv").write_text("\n".join(lines) + "\n" + extra)
    (folder / "sides.csv").write_text(SIDES + sides)
    return load_board(Folder(folder))


def test_cells_are_in_the_order_of_their_numbers(board: Board) -> None:
    numbers = [board.number(cell) for cell in board.cells]
    assert numbers == sorted(numbers)
    assert [board.cell(number) for number in numbers] == list(board.cells)
    assert list(each(board.everywhere)) == sorted(board.cells)


def test_neighbours_are_the_hexes_one_away(board: Board) -> None:
    for a in board.cells:
        near = {b for b in board.cells if distance(board.axial(a), board.axial(b)) == 1}
        assert set(board.adjacent[a]) == near
        for direction, b in enumerate(board.neighbours[a]):
            assert b == OFF_MAP or board.neighbours[b][opposite(direction)] == a


def test_a_step_over_the_edge_lands_on_no_hex(board: Board) -> None:
    for cell in board.cells:
        for direction, step in enumerate(board.steps):
            assert (cell + step in board.info) == (board.neighbours[cell][direction] != OFF_MAP)
            assert 0 <= cell + step < board.size


@given(st.data())
def test_a_set_spreads_to_its_neighbours(board: Board, data: st.DataObject) -> None:
    cells = data.draw(st.sets(st.sampled_from(board.cells), max_size=8))
    assert set(each(board.spread(bits(cells)))) == {n for c in cells for n in board.adjacent[c]}
    radius = data.draw(st.integers(0, 4))
    near = {c for c in board.cells if any(board.distance(c, centre) <= radius for centre in cells)}
    assert set(each(board.within(cells, radius))) == near


@given(st.sets(st.integers(0, 2000)))
def test_a_set_of_cells_gives_back_its_members_in_order(cells: set[int]) -> None:
    assert list(each(bits(cells))) == sorted(cells)


def test_sides_are_the_same_from_both_hexes(board: Board) -> None:
    roads = board.side_masks("road")
    count = 0
    for a in board.cells:
        for direction, b in enumerate(board.neighbours[a]):
            if b == OFF_MAP:
                assert not roads[direction] >> a & 1
                continue
            assert board.side_has(a, b, "road") == board.side_has(b, a, "road")
            assert bool(roads[direction] >> a & 1) == board.side_has(a, b, "road")
            count += board.side_has(a, b, "road")
    assert count == 2 * sum("road" in features for features in board.sides.values()) > 0


def test_terrain_and_features_are_found(board: Board) -> None:
    assert {board.number(c) for c in each(board.with_feature("soviet_city"))} >= {"2604", "2705"}
    water = board.with_terrain("sea", "lake")
    assert water == bits(c for c, info in board.info.items() if info.terrain in ("sea", "lake"))
    assert water & board.with_terrain("clear") == 0


def test_a_number_that_is_not_there_is_refused(board: Board) -> None:
    for number in ("0000", "9999", "", "abcd"):
        with pytest.raises(UnknownHexError):
            board.cell(number)


# A map of two sheets that share a column


def test_a_hex_on_two_sheets_is_one_cell(tmp_path: Path) -> None:
    board = two_sheets(tmp_path, "M0101,M0201,road,,,found,test\n")
    assert len(board.cells) == 15
    shared = board.cell("N0301")
    assert board.cell("M0101") == shared
    assert board.number(shared) == "N0301"
    assert board.side_has(shared, board.cell("M0201"), "road")


@pytest.mark.parametrize(
    ("extra", "sides", "reason"),
    [
        ("M0101,clear,,,,found,test\n", "", "hex M0101 is declared twice (first on line 8)"),
        ("", "N0301,M0201,road,,,found,x\nM0201,M0101,road,,,found,x\n", "already has road (line 2)"),
        ("", "N0101,N0103,road,,,found,x\n", "not neighbours"),
        ("", "N0101,N0102,town,,,found,x\n", "unknown feature 'town'; map.toml declares road"),
    ],
)
def test_two_names_for_one_hex_do_not_hide_a_second_declaration(
    tmp_path: Path, extra: str, sides: str, reason: str
) -> None:
    with pytest.raises(DataError) as caught:
        two_sheets(tmp_path, sides, extra)
    assert reason in caught.value.reason
    assert caught.value.line is not None


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('columns_grow = "right"', 'columns_grow = "east"', "columns_grow should be"),
        ("columns = [1, 3]", "columns = 3", "columns of a sheet"),
        ('kind = "side"', 'kind = "edge"', "kind hex or side"),
        ('[features.road]\nkind = "side"', '[features]\nroad = "side"', "kind hex or side"),
        ("rows = [1, 3]", "rows = [3, 1]", "rows of a sheet"),
    ],
)
def test_a_wrong_map_file_is_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in TWO_SHEETS
    with pytest.raises(DataError) as caught:
        two_sheets(tmp_path, settings=TWO_SHEETS.replace(old, new, 1))
    assert reason in caught.value.reason
    assert caught.value.line is not None
