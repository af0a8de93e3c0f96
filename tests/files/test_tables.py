"""Tables and settings: every fault is named by file, line and reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.files import HALVES, DataError, Folder, ProvenanceKind, Row, read_settings, read_table

COLUMNS = ("id", "value", "provenance", "source")
GOOD = "id,value,provenance,source\na,1,rulebook,4.1\nb,2,found,an article\n"


class Desk:
    """A folder of data, and the player's own."""

    def __init__(self, root: Path) -> None:
        self.base, self.own = root / "game", root / "mine"
        self.base.mkdir()
        self.own.mkdir()

    def write(self, text: str | bytes, name: str = "table.csv", own: bool = False) -> Desk:
        raw = text if isinstance(text, bytes) else text.encode()
        ((self.own if own else self.base) / name).write_bytes(raw)
        return self

    @property
    def folder(self) -> Folder:
        return Folder(self.base, self.own)

    def rows(self, key: tuple[str, ...] = ("id",), more: bool = False) -> list[Row]:
        return read_table(self.folder, "table.csv", COLUMNS, key=key, more=more)

    def refusal(self, **options: object) -> DataError:
        with pytest.raises(DataError) as caught:
            for row in self.rows(**options):  # type: ignore[arg-type]
                row.integer("value", 0, 50)
                row.provenance()
        assert str(caught.value).startswith(caught.value.file)
        return caught.value


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_good_table_is_read(desk: Desk) -> None:
    rows = desk.write(GOOD).rows()
    assert [(r.text("id"), r.integer("value"), r.line) for r in rows] == [("a", 1, 2), ("b", 2, 3)]
    assert rows[1].provenance() == (ProvenanceKind.FOUND, "an article")


def test_spreadsheets_may_write_a_byte_order_mark_and_carriage_returns(desk: Desk) -> None:
    rows = desk.write(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()).rows()
    assert [(r.text("id"), r.text("source")) for r in rows] == [("a", "4.1"), ("b", "an article")]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "empty"),
        ("id,value,source\na,1,x\n", 1, "'provenance' is missing"),
        ("id,value,provenance,source,colour\na,1,found,x,red\n", 1, "unknown column 'colour'"),
        ("id,value,value,provenance,source\na,1,2,found,x\n", 1, "'value' is there twice"),
        (GOOD + "c,3,found\n", 4, "3 cells where the header has 4"),
        (GOOD + "c,3,found,x,y\n", 4, "5 cells"),
        (GOOD + "\n,,,\nc,3,found\n", 6, "3 cells"),
        (GOOD + "a,3,found,x\n", 4, "a is declared twice (first on line 2)"),
        (GOOD + " a ,3,found,x\n", 4, "declared twice"),
        (GOOD + "c,three,found,x\n", 4, "should be a whole number, not 'three'"),
        (GOOD + "c,,found,x\n", 4, "should be a whole number, not ''"),
        (GOOD + "c,1.5,found,x\n", 4, "whole number"),
        (GOOD + "c,٣,found,x\n", 4, "whole number"),
        (GOOD + f"c,{'9' * 5000},found,x\n", 4, "whole number"),
        (GOOD + "c,51,found,x\n", 4, "between 0 and 50, not 51"),
        (GOOD + "c,-1,found,x\n", 4, "between 0 and 50, not -1"),
        (GOOD + "c,3,guess,x\n", 4, "rulebook, found, reconstructed, not 'guess'"),
        (GOOD + "c,3,override,x\n", 4, "not 'override'"),
        (GOOD + "c,3,,x\n", 4, "column 'provenance' is empty"),
        (GOOD + "c,3,found,\n", 4, "column 'source' is empty"),
        (GOOD + 'c,3,found,"never closed\nd,4,found,x\n', 4, "not a table"),
        (GOOD + 'c,3,found,"two\nlines"\nd,x,found,x\n', 6, "whole number"),
    ],
)
def test_a_bad_table_is_refused_by_file_line_and_reason(
    desk: Desk, text: str, line: int, reason: str
) -> None:
    error = desk.write(text).refusal()
    assert (error.file, error.line) == ("game/table.csv", line)
    assert reason in error.reason


def test_a_missing_file_is_named(desk: Desk) -> None:
    error = desk.refusal()
    assert str(error) == "game/table.csv: the file is missing"


def test_bytes_that_are_not_utf8_are_pointed_at(desk: Desk) -> None:
    raw = GOOD.replace("an article", "café").encode("latin-1")
    error = desk.write(raw).refusal()
    assert (error.line, "UTF-8" in error.reason) == (3, True)
    error = desk.write(GOOD).write(raw, own=True).refusal()
    assert (error.file, error.line) == ("override mine/table.csv", 3)


@pytest.mark.parametrize(
    ("written", "halves"), [("0", 0), ("2", 4), ("1/2", 1), ("1 1/2", 3), ("12 1/2", 25), (" 3 ", 6)]
)
def test_points_are_counted_in_halves(written: str, halves: int) -> None:
    assert Row("f", 1, {"cost": written}).points("cost", HALVES) == halves


@pytest.mark.parametrize("written", ["", "x", "-1", "1/3", "11/2", "1.5", "1 /2", "½", "101"])
def test_what_is_not_points_is_refused(written: str) -> None:
    with pytest.raises(DataError, match="points"):
        Row("f", 7, {"cost": written}).points("cost", HALVES)


# Overrides


def test_cells_of_an_override_win_and_are_marked(desk: Desk) -> None:
    desk.write(GOOD).write("id,value\nb,20\n", own=True)
    a, b = desk.rows()
    assert (a.integer("value"), b.integer("value")) == (1, 20)
    assert a.provenance() == (ProvenanceKind.RULEBOOK, "4.1")
    assert b.provenance() == (ProvenanceKind.OVERRIDE, "override mine/table.csv: value")
    assert b.text("source") == "an article"


def test_an_empty_cell_of_an_override_changes_nothing(desk: Desk) -> None:
    desk.write(GOOD).write("id,value,source\nb,,\n", own=True)
    assert desk.rows()[1].provenance() == (ProvenanceKind.FOUND, "an article")


def test_a_further_column_can_be_overridden_too(desk: Desk) -> None:
    desk.write("id,value,3-1,provenance,source\na,1,x,found,s\n").write("id,3-1\na,y\n", own=True)
    assert desk.rows(more=True)[0].text("3-1") == "y"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("id,value\na,1\nz,3\n", 3, "z is not in table.csv"),
        ("id,colour\na,red\n", 1, "unknown column 'colour'"),
        ("value\n3\n", 1, "'id' is missing"),
        ("id,value\na,3\na,4\n", 3, "declared twice"),
        ("id,value\na,ten\n", 2, "whole number"),
        ("id,provenance\na,mine\n", 2, "not 'mine'"),
        ("", 1, "empty"),
    ],
)
def test_a_bad_override_is_refused_by_its_own_file_and_line(
    desk: Desk, text: str, line: int, reason: str
) -> None:
    error = desk.write(GOOD).write(text, own=True).refusal()
    assert (error.file, error.line) == ("override mine/table.csv", line)
    assert reason in error.reason


def test_a_fault_under_an_override_is_blamed_on_the_table_itself(desk: Desk) -> None:
    desk.write(GOOD.replace("found", "guess")).write("id,value\nb,20\n", own=True)
    error = desk.refusal()
    assert (error.file, error.line) == ("game/table.csv", 3)


def test_a_table_without_keys_is_replaced_whole(desk: Desk) -> None:
    desk.write(GOOD).write("id,value,provenance,source\nz,9,found,mine\n", own=True)
    rows = desk.rows(key=())
    assert [r.text("id") for r in rows] == ["z"]
    assert rows[0].provenance().kind == ProvenanceKind.OVERRIDE


# Digests


def test_the_digest_follows_the_data(desk: Desk) -> None:
    desk.write(GOOD)
    names = ("table.csv", "optional.csv")
    digests = [desk.folder.digest(names)]
    desk.write("id,value\na,7\n", own=True)
    digests.append(desk.folder.digest(names))
    desk.write("id,value\na,8\n", own=True)
    digests.append(desk.folder.digest(names))
    desk.write(GOOD.replace("b,2", "b,3"))
    digests.append(desk.folder.digest(names))
    desk.write("x", "optional.csv")
    digests.append(desk.folder.digest(names))
    assert len(set(digests)) == 5
    assert Folder(desk.base).digest(names) != digests[-1]
    assert desk.folder.digest(reversed(names)) == digests[-1]


def test_a_corrected_source_or_name_leaves_the_digest_alone(desk: Desk) -> None:
    text = "id,name_fr,value,provenance,source\na,Riga,1,rulebook,4.1\n"
    before = desk.write(text).folder.digest(("table.csv",))
    assert (
        desk.write(text.replace("Riga", "Rīga").replace("4.1", "4.2")).folder.digest(("table.csv",)) == before
    )
    assert desk.write(text.replace("a,Riga,1", "a,Riga,2")).folder.digest(("table.csv",)) != before


def test_the_digest_does_not_depend_on_line_ends(desk: Desk) -> None:
    before = desk.write(GOOD).folder.digest(["table.csv"])
    assert desk.write(GOOD.replace("\n", "\r\n")).folder.digest(["table.csv"]) == before


# Settings


def test_settings_are_laid_over_key_by_key(desk: Desk) -> None:
    desk.write('size = 3\n[title]\nen = "A"\nfr = "B"\n', "game.toml")
    desk.write('[title]\nfr = "C"\n', "game.toml", own=True)
    settings = read_settings(desk.folder, "game.toml")
    assert settings.get("size", int) == 3
    assert settings.get("title", dict) == {"en": "A", "fr": "C"}


@pytest.mark.parametrize(
    ("text", "line"),
    [("size = \n", 1), ("a = 1\nb = = 2\n", 2), ('a = 1\nb = """x\ny\n', 3), ("a = 1\na = 2\n", 2)],
)
def test_broken_settings_are_refused_by_line(desk: Desk, text: str, line: int) -> None:
    desk.write(text, "game.toml")
    with pytest.raises(DataError) as caught:
        read_settings(desk.folder, "game.toml")
    assert (caught.value.file, caught.value.line) == ("game/game.toml", line)
    desk.write("a = 1\n", "game.toml").write(text, "game.toml", own=True)
    with pytest.raises(DataError) as caught:
        read_settings(desk.folder, "game.toml")
    assert (caught.value.file, caught.value.line) == ("override mine/game.toml", line)


def test_a_setting_that_is_missing_or_of_the_wrong_type_is_refused(desk: Desk) -> None:
    desk.write('# a game\nsize = "three"\nflag = true\n', "game.toml")
    settings = read_settings(desk.folder, "game.toml")
    for key, place in (
        ("size", "game/game.toml:2"),
        ("flag", "game/game.toml:3"),
        ("turns", "game/game.toml:"),
    ):
        with pytest.raises(DataError) as caught:
            settings.get(key, int)
        assert str(caught.value).startswith(place)
    assert settings.get("turns", int, 12) == 12


def test_a_wrong_setting_of_an_override_is_found_in_the_override(desk: Desk) -> None:
    desk.write("size = 3\nturns = 4\n", "game.toml")
    desk.write('# mine\n\nsize = "x"\n', "game.toml", own=True)
    settings = read_settings(desk.folder, "game.toml")
    assert str(settings.error("size", "wrong")) == "override mine/game.toml:3: wrong"
    assert str(settings.error("turns", "wrong")) == "game/game.toml:2: wrong"
