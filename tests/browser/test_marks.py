"""Marks on the map (M12): drawn by mouse, finger, keyboard or typing, and seen by whom they are meant for."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, Sit
from tests.browser.house import LENINGRAD, House, Table
from tests.browser.table_page import TablePage
from tests.browser.test_barriers import barriers

both = pytest.mark.parametrize("lang", ["en", "fr"])


@pytest.fixture
def made(house: House) -> Table:
    return house.table(**LENINGRAD, seats={"german": "human", "soviet": "human"})


def drawn(made: Table, seat: str) -> list[tuple[str, list[str], str]]:
    """The marks that a seat may see, as the server has them."""
    found = made.house.get(f"/api/tables/{made.id}/marks", made.tokens[seat])
    return [(mark["kind"], mark["hexes"], mark["text"]) for mark in found]


def listed(page: Page) -> list[str]:
    return page.locator(".marks li .where").all_inner_texts()


INK = """(canvas, [x, y]) => {
    const [ratio, side] = [canvas.width / canvas.clientWidth, 80];
    const box = [x - side / 2, y - side / 2, side, side].map((length) => length * ratio);
    const { data } = canvas.getContext("2d").getImageData(...box);
    const ink = [163, 16, 95];
    const like = (k) => ink.every((colour, n) => Math.abs(data[k + n] - colour) < 16);
    return Array.from({ length: data.length / 4 }, (_, k) => like(4 * k)).filter(Boolean).length;
}"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


def ink(table: TablePage, hex_: str) -> int:
    """How much of the marks' own ink lies round a hex."""
    table.calm()
    table.page.evaluate(PAINTED)
    found: int = table.map.evaluate(INK, list(table.spot(hex_)))
    return found


@both
def test_m12_marks_are_drawn_shared_taken_off_and_kept(made: Table, sit: Sit, lang: str) -> None:
    words = {
        "en": (
            "Marks on the map",
            "Ring",
            "Note",
            "Who sees it",
            "Text",
            "Draw",
            "Take the last off",
            "Clear mine",
        ),
        "fr": (
            "Repères sur la carte",
            "Cercle",
            "Note",
            "Visible par",
            "Texte",
            "Tracer",
            "Effacer le dernier",
            "Effacer les miens",
        ),
    }[lang]
    title, ring, note, audience, text, draw, undo, clear = words
    german, soviet = sit(made, "german", lang=lang), sit(made, "soviet", lang=lang)
    page = german.page
    frames: list[str] = []
    soviet.page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame)))
    )
    soviet.page.reload()
    soviet.ready()

    # An arrow from hex to hex, a ring by a click, a note by a click and words; nothing marches meanwhile.
    page.get_by_role("button", name=title).click()
    panel = page.get_by_role("region", name=title)
    assert barriers(page) == ""
    page.mouse.move(*german.bare("0112"))
    page.mouse.down()
    page.mouse.move(*german.spot("0210"), steps=4)
    page.mouse.up()
    expect(panel.get_by_role("listitem")).to_have_count(1)
    panel.get_by_role("button", name=ring, exact=True).click()
    german.click("0209")
    expect(panel.get_by_role("listitem")).to_have_count(2)
    assert ink(german, "0209") > 40
    assert ink(soviet, "0209") == 0
    panel.get_by_role("button", name=note, exact=True).click()
    german.click("0311")
    field = panel.get_by_label(text)
    expect(field).to_be_focused()
    field.fill("Fuel runs out here")
    page.keyboard.press("Enter")
    expect(panel.get_by_role("listitem")).to_have_count(3)
    expect(field).to_have_value("")
    assert drawn(made, "german") == [
        ("arrow", ["0112", "0210"], ""),
        ("ring", ["0209"], ""),
        ("note", ["0311"], "Fuel runs out here"),
    ]
    assert barriers(page) == ""

    # The other side has received nothing of them, and hears of what is shared.
    assert drawn(made, "soviet") == []
    panel.get_by_label(audience).select_option("players")
    field.fill("Parley?")
    german.click("0410")
    panel.get_by_role("button", name=draw).click()
    made.say("german", "look at 0410")
    expect(soviet.page.get_by_role("tab").last).to_contain_text("1")
    received = json.dumps(frames)
    assert "Parley?" in received and "Fuel" not in received and "arrow" not in received
    assert drawn(made, "soviet") == [("note", ["0410"], "Parley?")]
    soviet.hover("0410")
    expect(soviet.page.locator("aside.card")).to_contain_text("Parley?")

    # They are there after a reload; the last is taken off, one is, all are.
    page.reload()
    german.ready()
    page.keyboard.press("m")
    expect(panel.get_by_role("listitem")).to_have_count(4)
    panel.get_by_role("button", name=undo).click()
    expect(panel.get_by_role("listitem")).to_have_count(3)
    expect(soviet.page.locator("aside.card")).not_to_contain_text("Parley?")
    panel.get_by_role("button", name=re.compile("0209$")).last.click()
    expect(panel.get_by_role("listitem")).to_have_count(2)
    panel.get_by_role("button", name=clear).click()
    panel.get_by_role("button", name=re.compile("Really all|Vraiment tous")).click()
    expect(panel.get_by_role("listitem")).to_have_count(0)
    assert drawn(made, "german") == []
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_marks_from_the_keyboard_are_heard(made: Table, sit: Sit) -> None:
    """M begins, Enter draws at the cursor, Backspace takes off, Escape ends; what is drawn is told."""
    german = sit(made, "german")
    page = german.page
    german.map.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("m")
    start = re.findall(r"\d{4}", german.told.inner_text())[0]
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    expect(german.told).not_to_contain_text(start)
    page.keyboard.press("Enter")
    expect(german.told).to_contain_text(f"Arrow from {start}")
    assert [kind for kind, *_ in drawn(made, "german")] == ["arrow"]
    page.keyboard.press("Backspace")
    expect(german.told).not_to_contain_text("Arrow")
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name="Marks on the map")).to_be_hidden()


def test_marks_by_typing_on_the_text_board(made: Table, new_page: NewPage) -> None:
    page = new_page()
    page.goto(made.page("text") + "#" + made.tokens["german"])
    panel = page.get_by_role("region", name="Marks on the map")
    panel.get_by_label("From", exact=True).fill("0112")
    panel.get_by_label("To", exact=True).fill("9999")
    expect(panel.get_by_role("button", name="Draw")).to_be_disabled()
    panel.get_by_label("To", exact=True).fill("0310")
    panel.get_by_role("button", name="Draw").click()
    expect(panel.get_by_role("list", name="What is drawn")).to_contain_text("Arrow from 0112 to 0310")
    assert barriers(page) == ""


def test_marks_by_finger(made: Table, sit: Sit) -> None:
    table = sit(made, "german", width=390, height=844, has_touch=True)
    page = table.page
    page.get_by_role("button", name="Marks on the map").tap()
    panel = page.get_by_role("region", name="Marks on the map")
    panel.get_by_role("button", name="Ring", exact=True).tap()
    table.calm()
    hex_ = next(
        number
        for number in ("0306", "0307", "0207", "0206")
        if not page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y)?.tagName !== 'CANVAS'", list(table.spot(number))
        )
    )
    page.touchscreen.tap(*table.bare(hex_))
    expect(panel.get_by_role("listitem")).to_contain_text(f"Ring around {hex_}")
    assert barriers(page) == ""


def test_a_spectator_draws_nothing_and_sees_what_is_meant_for_all(made: Table, sit: Sit) -> None:
    watcher = sit(made, "watch")
    expect(watcher.page.get_by_role("button", name="Marks on the map")).to_have_count(0)
    for audience in ("me", "players", "all"):
        mark = {"kind": "note", "hexes": ["0311"], "text": f"for {audience}", "seen_by": audience}
        made.house.post(f"/api/tables/{made.id}/marks", mark, made.tokens["german"])
    watcher.hover("0311")
    card = watcher.page.locator("aside.card")
    expect(card).to_contain_text("for all")
    expect(card).not_to_contain_text("for me")
    expect(card).not_to_contain_text("for players")
