"""Reading a map folder: map.toml, hexes.csv, sides.csv (see docs/atlas.md for the format)."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.board import vocabulary
from grognard.board.board import Board, HexInfo
from grognard.files import DataError, Folder, Provenance, Row, read_settings, read_table
from grognard.hexes import Axial, Numbering, UnknownHexError, distance

HEX_COLUMNS = ("hex", "terrain", "features", "name_en", "name_fr", "provenance", "source")
SIDE_COLUMNS = ("a", "b", "feature", "name_en", "name_fr", "provenance", "source")

WATER = frozenset({"sea", "lake"})


def load_board(folder: Folder) -> Board:
    """The map in a folder, every line of it checked against the grid and the declared vocabulary."""
    settings = read_settings(folder, "map.toml")
    grid = settings.get("grid", dict)
    try:
        numbering = Numbering.from_mapping(grid)
    except KeyError as error:
        raise settings.error("grid", f"the grid has no {error}") from None
    except (TypeError, AttributeError, ValueError) as error:
        raise settings.error("grid", f"the grid is wrong: {error}") from None
    declared = settings.get("features", dict, {})
    for word, meaning in declared.items():
        if not isinstance(meaning, dict) or meaning.get("kind") not in ("hex", "side"):
            raise settings.error(word, f"feature {word!r} should be of kind hex or side")
    hex_words = {k for k, v in declared.items() if v["kind"] == "hex"}
    side_words = {k for k, v in declared.items() if v["kind"] == "side"}
    terrains = set(settings.get("terrains", dict, {}))

    hexes: dict[Axial, HexInfo] = {}
    lines: dict[Axial, int] = {}
    for row in read_table(folder, "hexes.csv", HEX_COLUMNS, key=("hex",)):
        hex_ = _hex(numbering, row, "hex")
        if hex_ in hexes:  # by its number on another sheet
            raise row.error(f"hex {row.text('hex')} is declared twice (first on line {lines[hex_]})")
        lines[hex_] = row.line
        features = row.words("features")
        _check_words(row, features, hex_words)
        terrain = row.choice("terrain", sorted(terrains))
        hexes[hex_] = HexInfo(
            numbering.number(hex_), terrain, frozenset(features), _names(row), row.provenance()
        )
    missing = next((h for h in numbering.hexes() if h not in hexes), None)
    if missing is not None:
        raise DataError(folder.label("hexes.csv"), None, f"hex {numbering.number(missing)} has no line")

    sides: list[tuple[Axial, Axial, str, Mapping[str, str], Provenance]] = []
    kinds = {word: vocabulary.kind(settings.data, word) for word in side_words}
    seen: dict[frozenset[Axial], dict[str, int]] = {}
    for row in read_table(folder, "sides.csv", SIDE_COLUMNS, key=("a", "b", "feature")):
        a, b = _hex(numbering, row, "a"), _hex(numbering, row, "b")
        if distance(a, b) != 1:
            raise row.error(f"{row.text('a')} and {row.text('b')} are not neighbours")
        feature = row.text("feature")
        _check_words(row, (feature,), side_words)
        before = seen.setdefault(frozenset((a, b)), {})
        clash = next((f for f in before if _contradict(kinds, f, feature)), None)
        if clash is not None:
            raise row.error(f"the side already has {clash} (line {before[clash]}), which excludes {feature}")
        before[feature] = row.line
        sides.append((a, b, feature, _names(row), row.provenance()))
    return Board(numbering, hexes, sides, settings.data)


def _contradict(kinds: Mapping[str, str], one: str, other: str) -> bool:
    """Water that fills a side excludes everything else there but a ferry; a river is of one class only, and
    so are a railway and a ridge."""
    pair = {kinds[one], kinds[other]}
    if one == other or (pair & vocabulary.OPEN_WATER and "ferry" not in pair):
        return True
    return pair == {"river", "canal"} or (len(pair) == 1 and bool(pair & vocabulary.ONE_OF_A_KIND))


def _hex(numbering: Numbering, row: Row, column: str) -> Axial:
    try:
        return numbering.parse(row.text(column))
    except UnknownHexError as error:
        raise row.error(str(error)) from None


def _check_words(row: Row, words: tuple[str, ...], known: set[str]) -> None:
    for word in words:
        if word not in known:
            raise row.error(f"unknown feature {word!r}; map.toml declares {', '.join(sorted(known))}")


def _names(row: Row) -> dict[str, str]:
    return {
        language: row.cells[f"name_{language}"].strip()
        for language in ("en", "fr")
        if row.cells[f"name_{language}"].strip()
    }
