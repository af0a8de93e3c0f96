"""The ground on the map: it is to be seen before any picture has come, and nothing stays blurred (D27).

What is counted is tiles and frames; how long a tile takes is measured by bench/first_load.py."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, Request, Route

from tests.browser.conftest import NewPage
from tests.browser.house import LENINGRAD, House
from tests.browser.table_page import TablePage

TILES = "**/tiles/**"
MAP = "document.querySelector('[role=application]')"
COLOURS = """(canvas, spots) => {
    const ratio = canvas.width / canvas.clientWidth, box = canvas.getBoundingClientRect();
    const pen = canvas.getContext("2d");
    const hex = (n) => n.toString(16).padStart(2, "0");
    return spots.map(([x, y]) => {
        const [r, g, b] = pen.getImageData((x - box.left) * ratio, (y - box.top) * ratio, 1, 1).data;
        return `#${hex(r)}${hex(g)}${hex(b)}`;
    });
}"""
SHARP = """async (name) => {
    const map = document.querySelector("[role=application]");
    const frames = [];
    if (name) document.querySelector(`button[aria-label="${name}"]`).click();
    for (let k = 0; k < 6; k++) {
        await new Promise(requestAnimationFrame);
        const detail = { hex: "" };
        map.dispatchEvent(new CustomEvent("where", { detail }));
        frames.push(detail.sharp);
    }
    return frames;
}"""
FORESEEN = """() => {
    const detail = { hex: "" };
    document.querySelector("[role=application]").dispatchEvent(new CustomEvent("where", { detail }));
    return detail.foreseen;
}"""
LINE = """const timing = PerformanceResourceTiming.prototype;
    Object.defineProperty(timing, "requestStart", { get() { return this.startTime; } });
    Object.defineProperty(timing, "responseEnd", { get() { return this.startTime + %d; } });"""
"""Every tile comes after so many milliseconds, for all that the page knows: how quick the line of a test is
depends on what else the machine does."""
PATHS = """window.most = { lineTo: 0, closePath: 0 };
    const pen = CanvasRenderingContext2D.prototype, now = {};
    const counted = (name) => {
        const plain = pen[name];
        pen[name] = function (...places) {
            window.most[name] = Math.max(window.most[name], now[name] = (now[name] ?? 0) + 1);
            plain.apply(this, places);
        };
    };
    const { beginPath } = pen;
    pen.beginPath = function () { now.lineTo = now.closePath = 0; beginPath.call(this); };
    counted("lineTo");
    counted("closePath");"""
"""The most lines of one path, and the most outlines that were shut in one."""
STEPS = 4
FINEST = 4
"""The level of tiles that the first sight of a table never wants."""


class Line:
    """The tiles that a page sends for, and whether they have come. They can be held back."""

    def __init__(self, page: Page, held: bool = False) -> None:
        self.sent: list[str] = []
        self.open: set[Request] = set()
        self.at_once: list[int] = []
        """How many were on their way when each was sent for, itself among them."""
        self._held: list[Route] | None = [] if held else None
        page.on("request", self._asked)
        page.on("requestfinished", lambda request: self.open.discard(request))
        page.route(TILES, self._pass)

    def _pass(self, route: Route) -> None:
        if self._held is None:
            route.continue_()
        else:
            self._held.append(route)

    def hold(self) -> None:
        self._held = []

    def let_go(self) -> None:
        held, self._held = self._held or [], None
        for route in held:
            route.continue_()

    def _asked(self, request: Request) -> None:
        if "/tiles/" in request.url:
            self.sent.append(request.url)
            self.open.add(request)
            self.at_once.append(len(self.open))

    def rest(self, page: Page) -> None:
        """Until nothing has been sent for for a while, and all of it has come."""
        before = -1
        while before != len(self.sent) or self.open:
            before = len(self.sent)
            page.wait_for_timeout(400)


def test_the_ground_is_in_sight_before_any_picture_of_it(house: House, new_page: NewPage) -> None:
    """A server that has just been installed draws its maps for a while: until then hexes have the colours of
    their terrain."""
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    kit = house.get("/api/games/leningrad/kit?lang=en")
    page = new_page()
    line = Line(page, held=True)
    table = TablePage(page).open(made.link("watch"))
    table.whole_map()
    table.calm()
    page.wait_for_timeout(300)
    taken = {unit["hex"] for unit in made.state("watch")["view"]["units"]}
    towns = {number for number, hex_ in kit["hexes"].items() if hex_.get("name") or hex_.get("features")}
    plain = [number for number in kit["hexes"] if number not in taken | towns and table.in_window(number)]
    seen = table.map.evaluate(COLOURS, [table.spot(number) for number in plain])
    wanted = [kit["map"]["ground"][kit["hexes"][number]["terrain"]] for number in plain]
    assert len(plain) > 50 and len(set(wanted)) > 2
    # Whatever stands next to a hex may reach into it.
    same = sum(a == b for a, b in zip(seen, wanted, strict=True))
    assert same > 0.9 * len(plain), list(zip(plain, seen, wanted, strict=True))
    # When the pictures come they take its place.
    assert line.sent
    line.let_go()
    page.wait_for_function(
        f"([spots, before]) => ({COLOURS})({MAP}, spots).join() !== before",
        arg=[[list(table.spot(number)) for number in plain], ",".join(seen)],
    )


def zoom_in(page: Page, line: Line, foreseen: bool = False) -> list[list[bool]]:
    """For each step of zoom, whether each frame after it shows the ground sharply."""
    found = []
    for _ in range(STEPS):
        if foreseen:
            page.wait_for_function(FORESEEN, timeout=300_000)
        line.rest(page)
        found.append(page.evaluate(SHARP, "Zoom in"))
    return found


def test_d27_no_frame_after_a_step_of_zoom_is_blurred(house: House, new_page: NewPage) -> None:
    """What a step of zoom will show has come before it is made."""
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    page = new_page(ahead=True)
    page.add_init_script(LINE % 1)
    line = Line(page)
    TablePage(page).open(made.link("watch")).whole_map()
    assert zoom_in(page, line, foreseen=True) == [[True] * 6] * STEPS
    assert len(line.sent) == len(set(line.sent)), "no tile is sent for twice"


def test_d27_where_the_line_is_slow_tiles_are_sent_for_ahead_one_by_one(
    house: House, new_page: NewPage
) -> None:
    """The first tiles come late because much else is on its way: that must not be the last word."""
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    page = new_page(ahead=True)
    page.add_init_script(LINE % 1000)
    line = Line(page)
    TablePage(page).open(made.link("watch"))
    assert zoom_in(page, line, foreseen=True) == [[True] * 6] * STEPS
    ahead = [n for n, url in zip(line.at_once, line.sent, strict=True) if f"/{FINEST}/" in url]
    assert ahead
    assert set(ahead) == {1}


def test_no_outline_is_shut_behind_a_thousand_others(house: House, new_page: NewPage) -> None:
    """To shut one, browsers measure all of the path before it. Of the map of Second Front six thousand hexes
    lie outside a small scenario and are shaded: every picture of it took a fifth of a second."""
    made = house.table(game="second_front", scenario="sicily", seats={"axis": "random"})
    page = new_page()
    page.add_init_script(PATHS)
    table = TablePage(page).open(made.link("watch"))
    table.whole_map()
    table.calm()
    page.evaluate(SHARP, "Zoom in")
    most = page.evaluate("window.most")
    assert most["lineTo"] > 10_000, "otherwise nothing was shaded"
    assert most["closePath"] < 100


def test_d27_what_is_in_sight_is_sharp_when_the_server_has_answered(house: House, new_page: NewPage) -> None:
    """Whoever saves data is sent what he looks at: blurred until the answer, and sharp with it."""
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    page = new_page()
    line = Line(page)
    table = TablePage(page).open(made.link("watch"))
    table.whole_map()
    blurred = 0
    for _ in range(STEPS):
        line.rest(page)
        before = len(line.sent)
        line.hold()
        frames: list[Any] = page.evaluate(SHARP, "Zoom in")
        page.wait_for_timeout(200)
        asked = len(line.sent) - before
        assert frames == [not asked] * 6, "nothing is sent for but what is missing"
        blurred += bool(asked)
        line.let_go()
        line.rest(page)
        assert page.evaluate(SHARP, "") == [True] * 6
    assert blurred, "otherwise nothing was tried"
