"""The table in a browser, as a player handles it."""

from __future__ import annotations

import re

from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.house import PATIENCE

ASK = """(canvas, hex) => {
    const asked = { hex };
    canvas.dispatchEvent(new CustomEvent("where", { detail: asked }));
    return { x: asked.at?.x ?? null, y: asked.at?.y ?? null, left: asked.left ?? null };
}"""
CALM = """(version) => {
    const map = document.querySelector("[role=application]");
    const asked = { hex: "" };
    map?.dispatchEvent(new CustomEvent("where", { detail: asked }));
    return asked.calm && (!version || asked.version === version);
}"""
TOP = """([x, y]) => {
    const top = document.elementFromPoint(x, y);
    if (!top) return "the edge of the window";
    return top.getAttribute("role") === "application" ? "" : top.outerHTML.slice(0, 200);
}"""

# Turn and phase as words. What the bar has room for beside them (the date) comes and goes.
WHEN = """() => [...document.querySelectorAll("header .turn strong, header .turn .phase")]
    .map((each) => each.textContent).join(" · ")"""
ENDED = f"""(before) => ({WHEN})() !== before
    || /is over|est terminée/.test(document.querySelector("footer .sentence").textContent)"""
PRESSED = f"""(before) => document.querySelector("footer .armed") || document.querySelector("dialog[open]")
    || ({ENDED})(before)"""


def words(english: str, french: str) -> re.Pattern[str]:
    return re.compile(f"^({re.escape(english)}|{re.escape(french)})$")


class TablePage:
    """A page with a table open in it."""

    ALL_THE_SAME = re.compile("do it all the same|continuer malgré tout")

    def __init__(self, page: Page) -> None:
        self.page = page
        self.map = page.get_by_role("application")
        self.dock = page.get_by_role("contentinfo")
        self.sentence = self.dock.locator(".sentence")
        self.refusal = self.dock.get_by_role("alert")
        self.log = page.get_by_role("log")
        self.odds = page.get_by_role("region", name=words("Odds", "Rapport de force"))
        self.news = page.locator(".news")
        self.told = page.locator("#map-told")
        self.strip = page.locator(".strip")
        self.bar = page.locator("header.bar")

    def open(self, link: str) -> TablePage:
        self.page.goto(link)
        return self.ready()

    def ready(self) -> TablePage:
        expect(self.map).to_be_visible()
        expect(self.sentence).not_to_be_empty()
        return self

    # The map

    def whole_map(self) -> None:
        self.page.get_by_role("button", name=words("Whole map", "Toute la carte")).click()

    def _ask(self, hex_number: str) -> dict[str, float | None]:
        found: dict[str, float | None] = self.map.evaluate(ASK, hex_number)
        return found

    def spot(self, hex_number: str) -> tuple[float, float]:
        """Where a hex is in the window."""
        found = self._ask(hex_number)
        x, y = found["x"], found["y"]
        assert x is not None
        assert y is not None
        return x, y

    def on_map(self, place: str) -> bool:
        """Whether a place is a hex of the map, and no box beside it."""
        return self._ask(place)["x"] is not None

    def calm(self, version: str = "") -> None:
        """Until everything asked and sent has been answered and the view rests; at a position, if named."""
        self.page.wait_for_function(CALM, arg=version)

    def bare(self, hex_number: str) -> tuple[float, float]:
        """The place of a hex, where nothing must cover it."""
        self.calm()
        spot = self.spot(hex_number)
        cover = self.page.evaluate(TOP, list(spot))
        assert not cover, f"{hex_number} lies under {cover}"
        return spot

    def reaches(self, hex_number: str) -> bool:
        """Whether what is selected could go there."""
        return self._ask(hex_number)["left"] is not None

    def in_window(self, hex_number: str) -> bool:
        """Whether a hex lies between the bars."""
        x, y = self.spot(hex_number)
        size, dock, bar = self.page.viewport_size, self.dock.bounding_box(), self.bar.bounding_box()
        assert size is not None
        assert dock is not None
        assert bar is not None
        return 60 < x < size["width"] - 380 and bar["height"] < y < dock["y"]

    def hovered(self) -> str | None:
        """The hex that the page takes the pointer to be in: where it is, or that of a counter fanned out."""
        found: str | None = self.map.evaluate(
            """(map) => { const detail = { hex: "" };
                map.dispatchEvent(new CustomEvent("where", { detail })); return detail.over ?? null; }"""
        )
        return found

    def hover(self, hex_number: str) -> None:
        self.page.mouse.move(*self.bare(hex_number))

    def click(self, hex_number: str) -> None:
        self.page.mouse.click(*self.bare(hex_number))

    def wait_reach(self, hex_number: str) -> float:
        """The points that a move there would leave, once the page knows them."""
        ask = f"(hex) => ({ASK})(document.querySelector('[role=application]'), hex).left"
        self.page.wait_for_function(f"(hex) => ({ask})(hex) !== null", arg=hex_number)
        left: float = self.page.evaluate(ask, hex_number)
        return left

    def picture(self, hex_number: str, radius: float = 14) -> bytes:
        """What is drawn in a hex."""
        x, y = self.spot(hex_number)
        return self.page.screenshot(
            clip=FloatRect(x=x - radius, y=y - radius, width=2 * radius, height=2 * radius)
        )

    def wait_drawn(self, hex_number: str, before: bytes) -> None:
        """Until something else is drawn in a hex. Drawing leaves no trace in the document to wait for."""
        for _ in range(int(PATIENCE * 60)):
            if self.picture(hex_number) != before:
                return
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
        raise AssertionError(f"nothing changed in {hex_number}")

    # Around it

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button of the dock."""
        return self.dock.get_by_role("button", name=name, exact=isinstance(name, str))

    def unit(self, name: str) -> Locator:
        """A counter in the strip under the map."""
        return self.strip.get_by_role("button", name=re.compile(rf"\b{re.escape(name)}(,|$)"))

    def menu(self, item: str) -> None:
        self.page.get_by_role("button", name=words("Table menu", "Menu de la table")).click()
        self.page.get_by_text(item, exact=True).click()

    def speak(self, language: str) -> None:
        self.page.get_by_role("button", name=re.compile(f": {language}$", re.IGNORECASE)).click()

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    @property
    def when(self) -> str:
        """Turn and phase."""
        found: str = self.page.evaluate(WHEN)
        return found

    def end_phase(self) -> None:
        """Press the main button, and once more where it asks whether we mean it or says what it costs; until
        another phase has come, or the end of the game."""
        button = self.button(words("End phase", "Terminer la phase"))
        expect(button).to_be_enabled()
        before = self.when
        button.click()
        self.page.wait_for_function(PRESSED, arg=before)
        if self.page.get_by_role("dialog").is_visible():
            self.page.get_by_role("dialog").get_by_role("button", name=self.ALL_THE_SAME).click()
        elif self.dock.locator(".armed").is_visible():
            self.dock.locator(".armed").click()
        self.page.wait_for_function(ENDED, arg=before)
