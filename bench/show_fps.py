"""How smoothly the other side's turn is shown in headless Chromium: on A Victory Lost as it is played, and on
a made-up map of 6,565 hexes with 1,500 counters.

    python bench/show_fps.py [--hexes 6565] [--counters 1500] [--marches 60]

While the show runs, the timestamps of all animation frames are written down. The true turn is the computer's
first activation after ours; on the made-up map a message of the server's is made up as well, with marches of
five hexes each, so that what is measured is the page alone. Chromium runs as in the tests: headless, without
a GPU, 1440 by 900 pixels. Prints JSON as `page_fps.py` does; on a busy machine only the processor time of a
frame tells about the page.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect, sync_playwright

HOME = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOME))

from bench.page_fps import FLAGS, _processor_time, _worked, crowd  # noqa: E402
from tests.browser.house import House, answers  # noqa: E402

FRAMES = """async () => {
    const skips = (button) => button.textContent.trim() === "Skip";
    const running = () => [...document.querySelectorAll("footer button")].some(skips);
    const stamps = [];
    const end = performance.now() + 30000;
    while (!running() && performance.now() < end) await new Promise(requestAnimationFrame);
    while (running() && performance.now() < end) stamps.push(await new Promise(requestAnimationFrame));
    return stamps;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hexes", type=int, default=6565)
    parser.add_argument("--counters", type=int, default=1500)
    parser.add_argument("--marches", type=int, default=60)
    options = parser.parse_args()
    subprocess.run([sys.executable, HOME / "tools" / "page.py"], check=True, stdout=sys.stderr)
    chromium = subprocess.run(
        [HOME / "tools" / "ensure-chromium.sh"], check=True, text=True, stdout=subprocess.PIPE
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        house = House(Path(folder), HOME / "build" / "maps")
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            print(
                json.dumps(
                    {"true": true_turn(house, browser), "made_up": made_up(house, browser, options)}, indent=2
                )
            )
        finally:
            browser.close()
            house.kill()


def opened(browser: Browser) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.add_init_script("localStorage.setItem('grognard.guided', 'yes')")
    return page


def true_turn(house: House, browser: Browser) -> dict[str, Any]:
    """A Victory Lost: our units stay where they are until the computer's have moved."""
    made = house.table(game="a_victory_lost", seats={"axis": "regular"})
    page = opened(browser)
    page.goto(made.link("soviet"))
    expect(page.get_by_role("application")).to_be_visible(timeout=60_000)
    while True:
        state = made.state("soviet")
        if not state["decision"]:
            page.wait_for_timeout(50)
            continue
        offered = answers(state)
        page.evaluate("window.frames_seen = (" + FRAMES + ")().then((all) => (window.frames_done = all))")
        wire = page.context.new_cdp_session(page)
        wire.send("Performance.enable", {"timeDomain": "threadTicks"})
        before, spent = _worked(wire), _processor_time()
        made.act(next((each for each in offered if len(each) == 1), offered[0]), "soviet")
        page.wait_for_timeout(1500)
        if page.get_by_role("button", name="Skip", exact=True).is_visible():
            stamps = page.evaluate("window.frames_seen")
            found = told(stamps, _worked(wire) - before, _processor_time() - spent)
            page.close()
            return found
        page.reload()
        expect(page.get_by_role("application")).to_be_visible(timeout=60_000)


def made_up(house: House, browser: Browser, options: argparse.Namespace) -> dict[str, Any]:
    """A turn that never was, on a map that is none."""
    made = house.table(game="a_victory_lost", seats={"axis": "human", "soviet": "human"})
    kit = house.get("/api/games/a_victory_lost/kit")
    columns = 101
    numbers = [f"{k % columns:03}{k // columns:03}" for k in range(options.hexes)]
    kit["hexes"] = {
        number: {
            "centre": [0.866 * (k % columns), k // columns + 0.5 * (k % columns % 2)],
            "terrain": "clear",
            "features": [],
            "name": None,
        }
        for k, number in enumerate(numbers)
    }
    kit["map"]["box"] = [-1, -1, 0.866 * columns + 1, options.hexes / columns + 1]
    counters, units = crowd(kit, options.counters)
    kit["counters"].update(counters)
    kit["scenarios"] = [{**each, "area": []} for each in kit["scenarios"]]
    units = [{"badges": [], **unit} for unit in units]
    state = made.state("soviet")
    state["view"] = {"units": units, "scores": {}, "parts": []}
    state["decision"] = None
    state["log_length"] = 0
    after, lines = march(state, numbers, columns, options.marches)
    sockets: list[WebSocketRoute] = []
    page = opened(browser)
    page.route(re.compile("/kit"), lambda route: _instead(route, kit))
    page.route(re.compile(rf"/api/tables/{made.id}\?"), lambda route: _instead(route, state))
    page.route_web_socket(re.compile("/live"), sockets.append)
    page.goto(made.link("soviet"))
    expect(page.get_by_role("application")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Whole map").click()
    for _ in range(6):
        page.get_by_role("button", name="Zoom in").click()
    page.wait_for_timeout(3000)
    sockets[0].send(json.dumps({"type": "state", "state": state, "log": {"from": 0, "lines": lines[:1]}}))
    page.wait_for_timeout(1000)
    page.evaluate("window.frames_seen = (" + FRAMES + ")()")
    wire = page.context.new_cdp_session(page)
    wire.send("Performance.enable", {"timeDomain": "threadTicks"})
    before, spent = _worked(wire), _processor_time()
    sockets[0].send(json.dumps({"type": "state", "state": after, "log": {"from": 1, "lines": lines[1:]}}))
    stamps = page.evaluate("window.frames_seen")
    found = told(stamps, _worked(wire) - before, _processor_time() - spent)
    page.close()
    return {"hexes": options.hexes, "counters": options.counters, "marches": options.marches, **found}


def _instead(route: Route, body: Any) -> None:
    route.fulfill(json=body)


def march(
    state: dict[str, Any], numbers: list[str], columns: int, marches: int
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The position after marches of five hexes each, and the lines that tell of them."""
    after = json.loads(json.dumps(state))
    line = {"turn": 1, "kind": "made-up", "case": "", "dice": [], "roll": None, "units": [], "hexes": []}
    lines = [{**line, "n": 0, "family": "phase", "text": "Movement."}]
    axis = [unit for unit in after["view"]["units"] if unit["side"] != "soviet"]
    for unit in axis[:: max(1, len(axis) // marches)][:marches]:
        here = numbers.index(unit["hex"])
        for _ in range(5):
            there = here + columns if here + columns < len(numbers) else here - columns
            text = f"{unit['id']}: {numbers[here]} to {numbers[there]}."
            hexes = [numbers[here], numbers[there]]
            told = {"n": len(lines), "family": "move", "text": text, "units": [unit["id"]], "hexes": hexes}
            lines.append({**line, **told})
            here = there
        unit["hex"] = numbers[here]
    after["version"] += "-after"
    after["log_length"] = len(lines)
    return after, lines


def told(stamps: list[float], worked: float, spent: float) -> dict[str, Any]:
    gaps = [b - a for a, b in pairwise(stamps)]
    return {
        "shown_ms": round(stamps[-1] - stamps[0]),
        "frames": len(gaps),
        "fps": round(1000 * len(gaps) / (stamps[-1] - stamps[0]), 1),
        "median_ms": round(median(gaps), 2),
        "p95_ms": round(quantiles(gaps, n=20)[18], 2),
        "main_thread_ms": round(1000 * worked / len(gaps), 2),
        "all_threads_ms": round(1000 * spent / len(gaps), 2),
    }


if __name__ == "__main__":
    main()
