"""`grognard check` refuses damaged maps: each kind of damage done to a copy of a real map, and seen."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import grognard.games
from grognard.board.checks import check_map
from grognard.cli.main import main
from grognard.files import Folder

GAMES = Path(grognard.games.__file__).parent
MAPS = ("leningrad", "a_victory_lost", "stalingrad_roads")


class Copy:
    """A map folder that may be damaged."""

    def __init__(self, folder: Path, game: str) -> None:
        self.folder = folder / "map"
        shutil.copytree(GAMES / game / "map", self.folder)

    def problems(self) -> list[str]:
        return [str(problem) for problem in check_map(Folder(self.folder))]

    def lines(self, file: str) -> list[str]:
        return (self.folder / file).read_text(encoding="utf-8").splitlines()

    def add(self, file: str, *lines: str) -> None:
        (self.folder / file).write_text("\n".join([*self.lines(file), *lines]) + "\n", encoding="utf-8")

    def remove(self, file: str, *beginnings: str) -> None:
        kept = [line for line in self.lines(file) if not line.startswith(beginnings)]
        assert len(kept) == len(self.lines(file)) - len(beginnings)
        (self.folder / file).write_text("\n".join(kept) + "\n", encoding="utf-8")

    def change(self, file: str, old: str, new: str) -> None:
        text = (self.folder / file).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (self.folder / file).write_text(text.replace(old, new), encoding="utf-8")

    def start_of(self, file: str, *words: str) -> str:
        """The key of the first line that holds all these words."""
        line = next(line for line in self.lines(file) if all(word in line for word in words))
        return ",".join(line.split(",")[:3])


@pytest.fixture
def copy(tmp_path: Path) -> Callable[[str], Copy]:
    return lambda game: Copy(tmp_path, game)


@pytest.mark.parametrize("game", MAPS)
def test_the_command_passes_our_maps(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", game, "--lang", "en"]) == 0
    assert "no problems" in capsys.readouterr().out


# Rivers


@pytest.mark.parametrize(
    ("game", "river"),
    [("leningrad", "Luga"), ("a_victory_lost", "Donets"), ("stalingrad_roads", "Don")],
)
def test_a_river_with_a_gap_is_refused(copy: Callable[[str], Copy], game: str, river: str) -> None:
    damaged = copy(game)
    sides = [line for line in damaged.lines("sides.csv") if f"river,{river}," in line]
    damaged.remove("sides.csv", ",".join(sides[len(sides) // 2].split(",")[:3]))
    assert any(f"the {river} is in 2 pieces" in problem for problem in damaged.problems())


@pytest.mark.parametrize(
    ("game", "river", "last"),
    [
        ("leningrad", "Velikaya", "1709,1809"),
        ("stalingrad_roads", "Chir", "1129,1229"),
        ("stalingrad_roads", "Oskol", "1611,1711"),
    ],
)
def test_a_river_that_stops_before_its_mouth_is_refused(
    copy: Callable[[str], Copy], game: str, river: str, last: str
) -> None:
    damaged = copy(game)
    course = [line for line in damaged.lines("sides.csv") if f"river,{river}," in line]
    damaged.remove("sides.csv", next(line for line in course if line.startswith(last)))
    assert any(f"the {river} does not reach its mouth" in problem for problem in damaged.problems())


def test_a_river_that_touches_nothing_is_refused(copy: Callable[[str], Copy]) -> None:
    damaged = copy("leningrad")
    damaged.add("sides.csv", "1411,1412,river,,,found,a mistake")
    assert any("leads nowhere" in problem for problem in damaged.problems())


def test_a_river_that_no_list_knows_is_refused(copy: Callable[[str], Copy]) -> None:
    damaged = copy("leningrad")
    damaged.remove("rivers.csv", "Luga,")
    assert any("the river Luga is not in rivers.csv" in problem for problem in damaged.problems())


def test_a_river_that_forks_or_runs_past_the_wrong_places_is_refused(copy: Callable[[str], Copy]) -> None:
    damaged = copy("stalingrad_roads")
    damaged.change("rivers.csv", "Chir,Don,Bokovskaya|", "Chir,Don,Rostov|Bokovskaya|")
    damaged.change("rivers.csv", "Kazanskaya|Veshenskaya", "Veshenskaya|Kazanskaya")
    damaged.change("rivers.csv", "Mius,sea,", "Mius,lake,")
    problems = "\n".join(damaged.problems())
    assert "the Chir does not touch 0518" in problems
    assert "the Don comes to" in problems
    assert "the Mius does not reach its mouth (lake)" in problems


# Roads and railways


@pytest.mark.parametrize("game", MAPS)
@pytest.mark.parametrize("way", ["road", "rail"])
def test_a_way_that_ends_nowhere_is_refused(copy: Callable[[str], Copy], game: str, way: str) -> None:
    """Between two hexes without a place, far from the edge, with no other way there, a piece is taken out."""
    damaged = copy(game)
    quiet = _quiet_hexes(damaged, way)
    line = next(
        line
        for line in damaged.lines("sides.csv")
        if line.split(",")[2] == way and set(line.split(",")[:2]) <= quiet
    )
    a, b = line.split(",")[:2]
    bridge = [
        start
        for start in (f"{a},{b},bridge",)
        if any(x.startswith(start) for x in damaged.lines("sides.csv"))
    ]
    damaged.remove("sides.csv", f"{a},{b},{way},", *bridge)
    problems = damaged.problems()
    for number in (a, b):
        assert any(f"the {way} ends nowhere: {number}" in problem for problem in problems)


def _quiet_hexes(damaged: Copy, way: str) -> set[str]:
    """Nameless hexes that a way only passes through."""
    count: dict[str, int] = {}
    for line in damaged.lines("sides.csv"):
        a, b, feature = line.split(",")[:3]
        if feature == way:
            count[a] = count.get(a, 0) + 1
            count[b] = count.get(b, 0) + 1
    numbers = [line.split(",")[0] for line in damaged.lines("hexes.csv")[1:]]
    columns, rows = ({number[part] for number in numbers} for part in (slice(2), slice(2, 4)))
    rim = {min(columns), max(columns)}, {min(rows), max(rows)}
    plain = {
        cells[0]
        for cells in (line.split(",") for line in damaged.lines("hexes.csv")[1:])
        if not cells[3]
        and cells[0][:2] not in rim[0]
        and cells[0][2:] not in rim[1]
        and not any(word in cells[2] for word in ("supply", "entry", "victory", "strategic", "airfield"))
    }
    return {number for number, ways in count.items() if ways == 2} & plain


def test_a_reason_excuses_a_road_s_end_and_only_that(copy: Callable[[str], Copy]) -> None:
    damaged = copy("leningrad")
    damaged.add("sides.csv", "1411,1511,road,,,found,a track")
    before = damaged.problems()
    assert before and all("ends nowhere" in problem for problem in before)
    (damaged.folder / "exceptions.csv").write_text(
        "hex,feature,reason\n1411,road,a quarry\n1511,road,a camp\n", encoding="utf-8"
    )
    assert damaged.problems() == []
    damaged.add("exceptions.csv", "1410,road,nothing there")
    assert ["the exception can go" in problem for problem in damaged.problems()] == [True]


# Sides


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{a},{b},major_river,Don,Don,found,x", "the side already has river"),
        ("{a},{b},sea,,,found,x", "the side already has river"),
        ("{a},{b},river,Don,Don,found,x", "declared twice"),
        ("{b},{a},river,Don,Don,found,x", "the side already has river"),
        ("{a},{b},bridge,,,found,x", "carries no road and no railway"),
    ],
)
def test_a_side_declared_twice_with_other_features_is_refused(
    copy: Callable[[str], Copy], line: str, reason: str
) -> None:
    damaged = copy("stalingrad_roads")
    a, b, _ = damaged.start_of("sides.csv", "river,Chir,").split(",")
    taken = {x.split(",")[2] for x in damaged.lines("sides.csv") if x.startswith(f"{a},{b},")}
    assert taken == {"river"}
    damaged.add("sides.csv", line.format(a=a, b=b))
    assert any(reason in problem for problem in damaged.problems())


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["{a},{b},bridge,,,found,x"], "the bridge between {a} and {b} crosses no river"),
        (["{a},{b},ferry,,,found,x"], "the ferry between {a} and {b} crosses no river"),
    ],
)
def test_a_crossing_of_nothing_is_refused(copy: Callable[[str], Copy], lines: list[str], reason: str) -> None:
    damaged = copy("stalingrad_roads")
    dry = next(
        line.split(",")
        for line in damaged.lines("sides.csv")
        if line.split(",")[2] == "road"
        and sum(other.startswith(line[:9]) for other in damaged.lines("sides.csv")) == 1
    )
    damaged.add("sides.csv", *(line.format(a=dry[0], b=dry[1]) for line in lines))
    assert any(reason.format(a=dry[0], b=dry[1]) in problem for problem in damaged.problems())


def test_a_road_into_the_sea_and_a_road_over_an_impassable_side_are_refused(
    copy: Callable[[str], Copy],
) -> None:
    damaged = copy("leningrad")
    damaged.change(
        "map.toml",
        "[features.road]",
        '[features.impassable]\nen = "x"\nfr = "x"\nkind = "side"\n\n[features.road]',
    )
    sea = next(
        line.split(",")[0] for line in damaged.lines("hexes.csv") if ",sea," in line and line[2:4] == "03"
    )
    below = f"{sea[:2]}04"
    road = damaged.start_of("sides.csv", ",road,").split(",")
    damaged.add("sides.csv", f"{sea},{below},road,,,found,x", f"{road[0]},{road[1]},impassable,,,found,x")
    problems = "\n".join(damaged.problems())
    assert f"the road between {sea} and {below} runs into water" in problems
    assert f"the side between {road[0]} and {road[1]} is impassable and has" in problems


# What the rulebook says


def _swap(damaged: Copy, one: str, other: str) -> None:
    """Put the place of each hex into the other."""
    lines = damaged.lines("hexes.csv")
    found = {line[:4]: line for line in lines if line[:4] in (one, other)}
    swapped = {one: other + found[one][4:], other: one + found[other][4:]}
    text = "\n".join(sorted(swapped.get(line[:4], line) for line in lines[1:]))
    (damaged.folder / "hexes.csv").write_text(f"{lines[0]}\n{text}\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("game", "one", "other", "complaint"),
    [
        ("leningrad", "0908", "0909", "11.5: 0908 should be Riga"),
        ("leningrad", "2705", "2706", "18.2: 2705 should have victory"),
        ("leningrad", "2713", "2712", "2713 should have entry_soviet"),
        ("a_victory_lost", "1216", "1217", "1216 should be Kharkov"),
        ("stalingrad_roads", "0729", "0730", "0729 should be Kotelnikovo"),
        ("stalingrad_roads", "1229", "1230", "example 8: 1229 should be marsh"),
        ("stalingrad_roads", "0414", "0514", "0414 should be sea"),
    ],
)
def test_a_place_in_the_wrong_hex_is_refused(
    copy: Callable[[str], Copy], game: str, one: str, other: str, complaint: str
) -> None:
    damaged = copy(game)
    _swap(damaged, one, other)
    assert any(complaint in problem for problem in damaged.problems())


def test_a_missing_river_a_missing_bridge_and_a_grid_pushed_the_wrong_way_are_refused(
    copy: Callable[[str], Copy],
) -> None:
    damaged = copy("stalingrad_roads")
    damaged.remove("sides.csv", "1334,1335,major_river", "1330,1331,bridge")
    problems = "\n".join(damaged.problems())
    assert "1334/1335 should have a major_river between them" in problems
    assert "1330/1331 should have a bridge between them" in problems
    for file in ("sides.csv", "rivers.csv"):
        (damaged.folder / file).write_text(damaged.lines(file)[0] + "\n", encoding="utf-8")
    parity = int(next(line for line in damaged.lines("map.toml") if "shifted_parity" in line)[-1])
    damaged.change("map.toml", f"shifted_parity = {parity}", f"shifted_parity = {1 - parity}")
    assert any("should be neighbours" in problem for problem in damaged.problems())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("9999,land,,1.1", "no hex '9999'"),
        ("0908,holy,,1.1", "column 'kind'"),
        ("0908,adjacent,,1.1", "adjacent speaks of two hexes"),
        ("0908/0909,land,,1.1", "land speaks of one hex"),
        ("0908,land,,", "column 'case' is empty"),
    ],
)
def test_a_line_that_says_nothing_is_refused(copy: Callable[[str], Copy], line: str, reason: str) -> None:
    damaged = copy("leningrad")
    damaged.add("named.csv", line)
    assert any(reason in problem for problem in damaged.problems())


def test_the_command_fails_on_a_damaged_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "leningrad" / "map"
    own.mkdir(parents=True)
    (own / "hexes.csv").write_text("hex,terrain,name_en\n0908,sea,Rigga\n", encoding="utf-8")
    assert main(["check", "leningrad", "--overrides", str(tmp_path), "--lang", "en"]) == 1
    assert "0908 should be Riga" in capsys.readouterr().out
