"""The report: one page, in both languages, that says what the tables say."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grognard.cli.main import main
from grognard.files import Folder
from grognard.kernel.registry import load_game
from grognard.kernel.text import LANGUAGES, Catalogue, placeholders
from grognard.lab import report
from grognard.lab.charts import ticks
from grognard.lab.history import History
from grognard.lab.mapping import MapPicture, path
from grognard.lab.report import Report, write_report
from grognard.lab.run import Batch, run_batch
from grognard.lab.summary import fronts, open_for_reading, summarise
from grognard.lab.tables import read
from grognard.lab.words import LabWords

VOID = {"meta", "img", "input", "br"}


class Tags(HTMLParser):
    """Whether everything that is opened is closed, and what the page says."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.outside: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href") and not (value or "").startswith(("data:", "#")):
                self.outside.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        return

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def parsed(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    assert not tags.open
    return tags


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_whole_and_needs_nothing_else(crossroads: Batch, language: str) -> None:
    page = Report(crossroads, language).page()
    tags = parsed(page)
    assert not tags.outside
    assert not re.search(r"@import|url\((?!data:)", page)
    assert f'<html lang="{language}">' in page
    assert {"results", "turns", "front", "dated", "combats", "fates"} <= set(tags.ids)
    text = "".join(tags.text)
    assert "{" not in text.split("</style>")[-1].split("(() =>")[0].rpartition("}")[2]
    words = LabWords(language)
    for section in ("results", "turns", "front", "dated", "combats", "fates", "method"):
        assert words(section, "heading") in text


def test_the_page_says_what_the_tables_say(crossroads: Batch) -> None:
    text = " ".join("".join(parsed(Report(crossroads, "en").page()).text).split())
    game = load_game("crossroads")
    games = read(crossroads.folder, "games").to_pylist()
    won = sum(line["winner"] == "cobalt" for line in games)
    assert f"{won} of 12" in text
    assert f"{read(crossroads.folder, 'combats').num_rows} combats" in text
    for unit in range(game.unit_count()):
        assert game.unit_name(unit, "en") in text
    for event in History(game).events:
        assert event.names["en"] in text
        assert event.source in text
    assert "17 June 1815 (turn 2)" in text


def test_the_map_has_a_layer_for_every_turn(crossroads: Batch) -> None:
    page = Report(crossroads, "fr").page()
    assert re.findall(r'data-turn="(\d+)"', page) == [str(turn) for turn in range(4)]
    assert page.count("data:image/svg+xml;base64,") == 1
    assert 'data-label="Fin du tour 3 (à partir du 18 juin 1815)"' in page


def test_the_front_adds_up(crossroads: Batch) -> None:
    game, _ = open_for_reading(crossroads)
    lines = [line for line in read(crossroads.folder, "front").to_pylist() if line["turn"] == 2]
    front = next(one for one in fronts(crossroads, game) if one.turn == 2)
    assert front.games == 12
    for hex_ in ("0102", "0202", "0402"):
        held = sum(line["holder"] == "amber" for line in lines if line["hex"] == hex_)
        assert front.held["amber"].get(hex_, 0) == pytest.approx(held / 12)
    board = game.board
    holder = {(line["game"], line["hex"]): line["holder"] for line in lines}
    for hex_ in ("0202", "0302", "0203"):
        near = [board.number(cell) for cell in board.adjacent[board.cell(hex_)]]
        touched = sum(
            holder[number, hex_] is not None
            and any(holder.get((number, one)) not in (None, holder[number, hex_]) for one in near)
            for number in range(12)
        )
        assert front.line.get(hex_, 0) == pytest.approx(touched / 12)


def test_outlines_close_and_borders_do_not() -> None:
    board = load_game("crossroads").board
    picture = MapPicture(board, "en")
    assert picture.outline(["0202"]).count("L") == 6
    pair = picture.outline(["0202", board.number(board.adjacent[board.cell("0202")][0])])
    assert pair.count("M") == 1
    assert pair.count("L") == 10
    start, *_, end = re.findall(r"-?\d+ -?\d+", pair)
    assert start == end
    line = picture.border(["0202"], ["0203"])
    assert (line.count("M"), line.count("L")) == (1, 1)
    assert path([]) == ""


def test_a_table_that_lies_is_found_out(tmp_path: Path) -> None:
    fought = run_batch(tmp_path / "fought", "crossroads", 300, ["random", "random"], "tests")
    forged = tmp_path / "forged"
    shutil.copytree(fought.folder, forged)
    combats = read(forged, "combats")
    # In a column of many combats, every result of the bad kind becomes the good one.
    result = ["DL" if line == "-" else line for line in combats["result"].to_pylist()]
    place = combats.schema.get_field_index("result")
    field = combats.schema.field("result")
    column = pa.array(result).dictionary_encode().cast(field.type)
    pq.write_table(combats.set_column(place, field, column), forged / "combats.parquet")
    game, history = open_for_reading(fought)
    honest, lying = (summarise(Batch(one), game, history).combats for one in (fought.folder, forged))
    assert honest.table is not None
    assert honest.table.p > 0.001
    assert honest.dice is not None
    assert honest.dice.p > 0.001, "two dice added up are not one of eleven sides"
    assert lying.table is not None
    assert lying.table.p < 1e-6
    assert "do not fit" in "".join(parsed(Report(Batch(forged), "en").page()).text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_writes_the_page(
    crossroads: Batch, tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page.html"
    assert main(["lab", "report", str(crossroads.folder), "--lang", language, "--out", str(out)]) == 0
    assert str(out) in capsys.readouterr().out
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_in_plain_text(
    crossroads: Batch, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = sorted(crossroads.folder.glob("*.html"))
    assert main(["lab", "report", str(crossroads.folder), "--lang", language, "--table"]) == 0
    assert sorted(crossroads.folder.glob("*.html")) == pages, "no page was asked for"
    about, scores, dated = capsys.readouterr().out.strip().split("\n\n")
    assert crossroads.spec.doctrine in about
    for table in (scores, dated):
        assert len({line.count("|") for line in table.splitlines()}) == 1
        assert len({len(line) for line in table.splitlines()}) == 1
    words = LabWords(language)
    games = read(crossroads.folder, "games").to_pylist()
    won = sum(line["winner"] == "cobalt" for line in games)
    assert words("results", "of", hits=won, trials=12) in scores
    happened = read(crossroads.folder, "events").to_pylist()
    for event, line in zip(History(load_game("crossroads")).events, dated.splitlines()[2:], strict=True):
        assert event.names[language] in line
        turns = sorted(e["turn"] for e in happened if e["event"] == event.id and e["turn"] is not None)
        assert words("results", "of", hits=len(turns), trials=12) in line
        if len(turns) == 1:
            assert words("dated", "from-to", low=turns[0], high=turns[0]) in line
        assert (words("dated", "never") in line) == (event.day is None)


def test_own_values_are_named(tmp_path: Path) -> None:
    own = tmp_path / "mine" / "crossroads"
    (own / "tables").mkdir(parents=True)
    (own / "tables/units.csv").write_text("id,attack,reduced\nfirst-amber,5,\n", encoding="utf-8")
    (own / "doctrine.toml").write_text("[march]\nnearer = 21.0\n", encoding="utf-8")
    batch = run_batch(tmp_path / "b", "crossroads", 1, ["random"] * 2, "own", override=tmp_path / "mine")
    shutil.rmtree(tmp_path / "mine")
    # The batch keeps them: the folder they came from may change or go.
    game, _ = open_for_reading(batch)
    assert game.digest("morning") == batch.spec.data
    for told in (Report(batch, "en").page(), Report(batch, "en").notes()):
        assert "mine" in told
        assert "tables/units.csv first-amber attack: 3 → 5" in told
        assert re.search(r"doctrine.toml march.nearer: [\d.]+ → 21.0", told)
        assert "reduced:" not in told, "an empty cell changes nothing"


def test_a_page_lies_beside_its_tables(crossroads: Batch) -> None:
    assert write_report(crossroads, "fr") == crossroads.folder / "report.fr.html"


def test_both_languages_mention_the_same_facts() -> None:
    catalogue = Catalogue((Folder(Path(report.__file__).parent), "words.toml"))
    for section in (
        "report",
        "results",
        "standings",
        "turns",
        "front",
        "dated",
        "combats",
        "fates",
        "method",
        "compare",
        "plan",
    ):
        for code in catalogue.codes(section):
            english, french = (catalogue.template(section, code, language) for language in LANGUAGES)
            assert placeholders(english) == placeholders(french), f"{section}.{code}"


def test_numbers_as_each_language_writes_them() -> None:
    english, french = LabWords("en"), LabWords("fr")
    assert (english.number(-1.25, 1), french.number(-1.25, 1)) == ("−1.2", "−1,2")
    assert english.number(-0.01, 1) == "0.0"
    assert (english.signed(3.0), english.signed(0.0)) == ("+3.0", "0.0")
    assert (english.p_value(0.00001), french.p_value(0.0312)) == ("< 0.0001", "0,03")


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 7), (0, 92), (-110, 0), (0, 12345), (0, 0)])
def test_ticks_lie_within_and_are_few(low: float, high: float) -> None:
    found = ticks(low, high)
    assert 1 <= len(found) <= 6
    assert all(low <= tick <= max(high, low + 1) for tick in found)
