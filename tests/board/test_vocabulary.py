"""A map declares what its words stand for: kinds, ranks and zonings are read, checked and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grognard.board import Board, load_board, vocabulary
from grognard.board.checks import check_map
from grognard.board.draw_legend import legend_entries
from grognard.board.drawing import Scene, draw
from grognard.files import DataError, Folder

HEX_FEATURES = {
    "capital": 'draw = "town"\nrank = 5',
    "harbour": 'draw = "port"\nrank = 3',
    "keep": 'draw = "fortress"',
    "wall": 'draw = "bunker"',
    "north": 'group = "half"\ndraw = "none"',
    "south": 'group = "half"\ndraw = "none"',
    "red": 'group = "unseen"\ndraw = "none"',
    "blue": 'group = "unseen"\ndraw = "none"',
}
SIDE_FEATURES = {
    "river": "",
    "cut": 'draw = "canal"',
    "crest": 'draw = "ridge"\nrank = 2',
    "spur": 'draw = "ridge"\nrank = 1',
    "sound": 'draw = "strait"',
    "dyke": 'draw = "causeway"',
    "trunk": 'draw = "rail"\nrank = 2\nroad = true',
    "branch": 'draw = "rail"\nrank = 1\nroad = true',
    "boat_train": 'draw = "ferry"',
    "road": "",
    "sea": "",
    "fortified": "",
}
HEAD = """title_en = "Vocabulary"
title_fr = "Vocabulaire"

[grid]
orientation = "pointy"
shifted_parity = 0
columns_grow = "left"
rows_grow = "down"
order = "RRCC"
separator = ":"

[[grid.sheets]]
name = "A"
columns = [1, 6]
rows = [1, 5]

[terrains.clear]
en = "Clear"
fr = "Clair"

[terrains.sea]
en = "Sea"
fr = "Mer"

[groups.half]
en = "Line of the halves"
fr = "Ligne des moitiés"
rank = 2
"""


def written(folder: Path, *sides: str, hexes: dict[str, str] | None = None) -> Folder:
    """A map of 30 hexes: the north half and the south half, the last row sea."""
    kinds = [("hex", HEX_FEATURES), ("side", SIDE_FEATURES)]
    words = [
        f'[features.{word}]\nen = "{word}"\nfr = "{word}"\nkind = "{kind}"\n{more}\n'
        for kind, table in kinds
        for word, more in table.items()
    ]
    (folder / "map.toml").write_text(HEAD + "\n" + "\n".join(words), encoding="utf-8")
    lines = ["hex,terrain,features,name_en,name_fr,provenance,source"]
    for row in range(1, 6):
        for column in range(1, 7):
            number = f"A:{row:02d}{column:02d}"
            half = "north" if row <= 2 else "south"
            tint = "red" if column <= 3 else "blue"
            more = (hexes or {}).get(number, "")
            terrain = "sea" if row == 5 else "clear"
            features = "|".join(sorted(filter(None, [half, tint, *more.split("|")])))
            name = f"Town{number[2:]}" if more else ""
            lines.append(f"{number},{terrain},{features},{name},{name},reconstructed,drawn for the test")
    (folder / "hexes.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows = [f"A:{a},A:{b},{word},{word},{word},reconstructed,drawn" for a, b, word in map(str.split, sides)]
    (folder / "sides.csv").write_text(
        "\n".join(["a,b,feature,name_en,name_fr,provenance,source", *rows]) + "\n", encoding="utf-8"
    )
    return Folder(folder)


def items(scene: Scene, layer: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = next(x["items"] for x in scene["layers"] if x["name"] == layer)
    return found


def classes(scene: Scene, layer: str) -> set[str]:
    return {str(item["class"]) for item in items(scene, layer)}


def test_the_usual_words_are_known_and_others_say_what_they_are(tmp_path: Path) -> None:
    settings = load_board(written(tmp_path)).settings
    assert vocabulary.kind(settings, "river") == "river"
    assert vocabulary.kind(settings, "cut") == "canal"
    assert (vocabulary.kind(settings, "capital"), vocabulary.rank(settings, "capital")) == ("town", 5)
    assert vocabulary.kind(settings, "unheard_of") == ""
    assert vocabulary.of_kind(settings, "rail") == ("trunk", "branch")
    assert vocabulary.groups(settings) == {"half": ("north", "south"), "unseen": ("red", "blue")}


@pytest.mark.parametrize(
    "pair",
    ["trunk branch", "river cut", "crest spur", "sea trunk", "sea river", "sound road", "sound trunk"],
)
def test_a_side_cannot_be_two_things_that_exclude_each_other(tmp_path: Path, pair: str) -> None:
    one, other = pair.split()
    with pytest.raises(DataError, match=f"excludes {other}"):
        load_board(written(tmp_path, f"0202 0203 {one}", f"0202 0203 {other}"))


@pytest.mark.parametrize(
    "pair", ["sea boat_train", "dyke trunk", "dyke road", "crest trunk", "sound boat_train"]
)
def test_ferries_cross_water_and_causeways_carry_ways(tmp_path: Path, pair: str) -> None:
    one, other = pair.split()
    board = load_board(written(tmp_path, f"0202 0203 {one}", f"0202 0203 {other}"))
    assert board.side_has(board.cell("A:0202"), board.cell("A:0203"), other)


def test_a_ferry_over_dry_land_is_refused_and_one_over_the_sea_is_not(tmp_path: Path) -> None:
    ports = {"A:0202": "harbour", "A:0203": "harbour"}
    dry = check_map(written(tmp_path, "0202 0203 boat_train", hexes=ports))
    assert any("crosses no river" in str(problem) for problem in dry)
    assert check_map(written(tmp_path, "0202 0203 boat_train", "0202 0203 sea", hexes=ports)) == []


def test_a_road_may_end_on_a_railway_that_is_a_road_too(tmp_path: Path) -> None:
    line = ["0201 0202 trunk", "0202 0203 trunk", "0203 0204 trunk", "0204 0205 trunk", "0205 0206 trunk"]
    assert (
        check_map(written(tmp_path, *line, "0303 0203 road", "0403 0303 road", hexes={"A:0403": "keep"}))
        == []
    )
    lost = check_map(written(tmp_path, "0303 0203 road", hexes={"A:0303": "keep"}))
    assert any("the road ends nowhere: A:0203" in str(problem) for problem in lost)


def scene(folder: Path) -> tuple[Board, Scene]:
    hexes = {"A:0202": "capital|harbour", "A:0303": "keep|wall"}
    sides = ("0202 0203 trunk", "0203 0204 branch", "0103 0203 crest", "0302 0303 cut", "0304 0404 dyke")
    more = ("0205 0206 sound", "0304 0305 fortified", "0304 0404 branch")
    board = load_board(written(folder, *sides, *more, hexes=hexes))
    return board, draw(board)


def test_every_kind_has_its_own_look(tmp_path: Path) -> None:
    _, drawn = scene(tmp_path)
    assert {"track rank2", "track"} <= classes(drawn, "rail")
    assert {"ridge rank2", "ridge-peak rank2", "strait", "barrier fortified", "rampart-teeth"} <= classes(
        drawn, "barrier"
    )
    assert "causeway" in classes(drawn, "crossing")
    assert any("cut" in style for style in classes(drawn, "river"))
    assert {"port rank3", "fortress", "bunker rank0"} <= classes(drawn, "mark")
    assert "block rank5" in classes(drawn, "town")


def test_a_declared_zoning_is_drawn_where_two_zones_meet_and_others_are_not(tmp_path: Path) -> None:
    board, drawn = scene(tmp_path)
    assert classes(drawn, "zone") == {"zone half rank2"}
    heights = [float(c[-1]) for item in items(drawn, "zone") for c in item["commands"] if len(c) > 1]
    above = [hex_["centre"][1] for hex_ in drawn["hexes"] if "north" in hex_["features"]]
    below = [hex_["centre"][1] for hex_ in drawn["hexes"] if "south" in hex_["features"]]
    assert max(above) < min(heights) and max(heights) < min(below)
    assert ("zone", "half", "Line of the halves") in legend_entries(board, "en")
    assert ("zone", "half", "Ligne des moitiés") in legend_entries(board, "fr")
    assert not any(word in ("north", "south", "red", "blue") for _, word, _ in legend_entries(board, "en"))


def test_numbers_are_drawn_without_the_name_of_their_sheet(tmp_path: Path) -> None:
    _, drawn = scene(tmp_path)
    shown = {str(item["text"]) for item in items(drawn, "number")}
    assert "0101" in shown and not any(":" in text for text in shown)
    assert drawn["hexes"][0]["hex"] == "A:0101"
