"""How the table looks: counters that can be read, a view that opens on one's own front, names above counters,
a small map in the corner, things found by typing, settings that are kept, and books to print."""

from __future__ import annotations

import math
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import FloatRect, expect

from tests.browser.conftest import NewPage, Sit
from tests.browser.house import LENINGRAD, House, Table
from tests.browser.table_page import TablePage
from tests.browser.test_barriers import barriers

both = pytest.mark.parametrize("lang", ["en", "fr"])

WIDTHS = "(all) => all.map((each) => each.getBoundingClientRect().width)"


@pytest.fixture
def fresh(house: House) -> Table:
    return house.table(**LENINGRAD, seats={"soviet": "random"})


def scale(table: TablePage) -> float:
    """Pixels a hex."""
    return math.dist(table.spot("0111"), table.spot("0112"))


def zoomed(table: TablePage, least: float, most: float) -> float:
    """Zoom by notches of the wheel until a hex is so many pixels wide."""
    table.calm()
    table.page.mouse.move(700, 450)
    for _ in range(200):
        found = scale(table)
        if least <= found <= most:
            break
        table.page.mouse.wheel(0, 12 if found > most else -12)
    return scale(table)


def in_counter(table: TablePage, hex_: str, size: float) -> Any:
    """What is drawn of the counter in a hex, in shades of grey, once the view rests."""
    x, y = table.spot(hex_)
    clip = FloatRect(x=x - size / 2, y=y - size / 2, width=size, height=size)
    before, picture = b"", table.page.screenshot(clip=clip)
    while picture != before:
        table.page.evaluate("() => new Promise((done) => setTimeout(done, 200))")
        before, picture = picture, table.page.screenshot(clip=clip)
    return Image.open(BytesIO(picture)).convert("L")


def test_numbers_can_be_read_at_36_pixels_a_hex(fresh: Table, sit: Sit) -> None:
    """White figures on brick, in the lower part of a Soviet counter: at least eight pixels high."""
    table = sit(fresh, "german")
    wide = zoomed(table, 34.5, 37.5)
    # A lone unit with nothing written near it.
    hex_ = next(
        u["hex"]
        for u in fresh.state("german")["view"]["units"]
        if u["side"] == "soviet" and u["hex"] == "0209"
    )
    picture = in_counter(table, hex_, 0.8 * wide)
    width, height = picture.size
    low = height // 2
    light = [
        y
        for y in range(low, height - 2)
        if sum(picture.getpixel((x, y)) > 150 for x in range(3, width - 3)) >= 2
    ]
    assert light
    assert light[-1] - light[0] + 1 >= 8 * wide / 36, (light, wide)


def test_from_afar_only_the_kind_is_drawn(fresh: Table, sit: Sit) -> None:
    """The foot of a counter holds its numbers or, when they could not be read, nothing."""
    table = sit(fresh, "german")

    def shades(least: float, most: float) -> int:
        wide = zoomed(table, least, most)
        picture = in_counter(table, "0209", 0.8 * wide).resize((48, 48))
        low, high = picture.crop((10, 39, 40, 43)).getextrema()
        return int(high - low)

    near, far = shades(30, 40), shades(15, 20)
    assert far < near - 25, (near, far)


def test_the_view_opens_on_ones_own_front_so_that_counters_can_be_read(fresh: Table, sit: Sit) -> None:
    table = sit(fresh, "german")
    assert 45 <= scale(table) <= 50
    for hex_ in ("0111", "0112", "0113"):
        assert table.in_window(hex_)


def test_what_is_typed_is_found(fresh: Table, sit: Sit) -> None:
    table = sit(fresh, "german")
    page = table.page
    page.keyboard.press("f")
    box = page.get_by_role("searchbox", name="Unit, place or hex number")
    expect(box).to_be_focused()
    box.fill("siauliai")
    found = page.get_by_role("list", name="Found").get_by_role("button")
    expect(found.first).to_contain_text("Šiauliai")
    assert barriers(page) == ""
    box.fill("leningrad")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(table.told).to_contain_text("Leningrad")
    hex_ = re.findall(r"\d{4}", table.told.inner_text())[0]
    table.bare(hex_)
    page.keyboard.press("f")
    box.fill("no such place")
    expect(page.get_by_role("status").filter(has_text="Nothing of that name")).to_be_visible()


def test_the_small_map_goes_where_it_is_pressed(house: House, sit: Sit) -> None:
    table = sit(house.table(game="a_victory_lost", seats={"axis": "random"}), "soviet")
    small = table.page.locator(".minimap")
    expect(small).to_be_visible()
    before = table.spot("3716")
    small.click(position={"x": 12, "y": 12})
    assert table.spot("3716") != before
    table.whole_map()
    expect(small).to_be_hidden()


@both
def test_settings_are_kept(fresh: Table, sit: Sit, lang: str) -> None:
    """A dark frame, larger counters, sounds: off at first, and there again after a reload."""
    table = sit(fresh, "german", lang=lang)
    page = table.page
    table.menu({"en": "Settings", "fr": "Réglages"}[lang])
    dialog = page.get_by_role("dialog")
    sounds = dialog.get_by_label({"en": "Sounds", "fr": "Sons"}[lang])
    expect(sounds).to_have_value("off")
    dialog.get_by_label({"en": "Bars and panels", "fr": "Barres et panneaux"}[lang]).select_option("dark")
    dialog.get_by_label({"en": "Size of counters", "fr": "Taille des pions"}[lang]).select_option("large")
    assert barriers(page) == ""
    page.reload()
    table.ready()
    expect(page.locator("html")).to_have_attribute("data-frame", "dark")
    for number in range(5):
        page.get_by_role("tab").nth(number).click()
        expect(page.get_by_role("tabpanel")).not_to_be_empty()
        assert barriers(page) == ""


def test_the_phase_is_a_strip_of_steps(fresh: Table, sit: Sit) -> None:
    table = sit(fresh, "german")
    steps = table.dock.get_by_role("list", name="Sequence of play")
    expect(steps.locator("[aria-current=step]")).to_have_text("German Movement Phase")
    names = steps.get_by_role("listitem").all_inner_texts()
    assert names.index("German Combat Phase") == names.index("German Movement Phase") + 1
    # One button stands out.
    expect(table.dock.locator("button.main")).to_have_count(1)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_bar_stays_as_it_is_while_others_move(house: House, sit: Sit, lang: str) -> None:
    """The date came and went with every answer, and everything beside it moved."""
    made = house.table(**LENINGRAD, seats={"german": "human", "soviet": "human"})
    boxes = []
    for side in ("german", "soviet"):
        table = sit(made, side, lang=lang)
        expect(table.bar.locator(".date")).to_be_visible()
        boxes.append(table.bar.locator(".turn").bounding_box())
        who = table.bar.locator(".who")
        assert who.evaluate("(who) => who.scrollWidth <= who.clientWidth")
    assert boxes[0] == boxes[1]


def test_d21_the_log_folds(house: House, sit: Sit) -> None:
    """Phases of turns gone by are closed; a click opens them."""
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    table = sit(made, "german")
    movement = table.log.locator("details").filter(has_text="German Movement Phase.").first
    table.whole_map()
    table.click("0112")
    table.wait_reach("0212")
    table.click("0212")
    expect(movement).to_have_attribute("open", "")
    movement.locator("summary").click()
    expect(movement).not_to_have_attribute("open", "")
    expect(table.log.get_by_role("button", name=re.compile("0112 to 0212"))).to_be_hidden()
    movement.locator("summary").click()
    expect(table.log.get_by_role("button", name=re.compile("0112 to 0212"))).to_be_visible()


@both
def test_m15_the_report_of_a_game(fresh: Table, sit: Sit, lang: str, tmp_path: Path) -> None:
    for words in (["pick", "1-inf"], ["step", "0212"], ["halt"]):
        fresh.act(words, "german")
    table = sit(fresh, "german", lang=lang)
    expect(table.log).to_contain_text("0212")
    with table.page.expect_download() as waiting:
        table.menu({"en": "Download the report of the game", "fr": "Télécharger le récit de la partie"}[lang])
    path = tmp_path / "report.md"
    waiting.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# Leningrad")
    assert {"en": "- 1 Inf: 0112 to 0212.", "fr": "- 1 DI\u00a0: de 0112 à 0212."}[lang] in text


@both
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_m14_the_rulebook_is_a_page_to_print(
    house: House, new_page: NewPage, lang: str, size: tuple[int, int]
) -> None:
    page = new_page(lang=lang, width=size[0], height=size[1])
    page.goto(f"{house.url}/rules/leningrad#10.6")
    heading = page.locator("[id='10.6'] h3")
    expect(heading).to_be_in_viewport()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Leningrad")
    # The title has a line to itself where there is no room beside it, and what follows a section's heading
    # stands below it: columns end with their section.
    title, pane = page.get_by_role("heading", level=1).bounding_box(), page.locator("main").bounding_box()
    assert title and pane and title["height"] < 60
    assert all(wide > 0.85 * pane["width"] for wide in page.locator(".columns h2").evaluate_all(WIDTHS))
    # Rules, rulings and charts, each reached from the contents; a case number leads to its case.
    contents = page.get_by_role("navigation").get_by_role("link")
    contents.filter(has_text=re.compile("^(Rulings|Décisions)$")).click()
    expect(page.locator("#rulings h2")).to_be_in_viewport()
    contents.filter(has_text="Tables").click()
    expect(page.locator("#charts table").first).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name=re.compile("Print|Imprimer"))).to_be_hidden()
    page.emulate_media(media="screen")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert barriers(page) == ""
