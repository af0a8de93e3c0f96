"""How smoothly the map pans and zooms in headless Chromium, with 500 counters on our largest map.

    python bench/page_fps.py [--game a_victory_lost] [--counters 500] [--seconds 6]

A server is started with an empty database, and its answers are changed on their way to the page: the kit and
the state get as many made-up units as asked for, spread over the whole map. Then, in every animation frame,
one event that a hand would cause (a drag of some pixels, a notch of the wheel) is sent to the map, so that
each frame has to be painted anew, and the frames' timestamps are written down. Before that the same is done
once without being counted, so that pictures are decoded and counters drawn. Chromium runs as in the tests:
headless, without a GPU, 1440 by 900 pixels.

Prints JSON: for panning, zooming and both, frames a second over the whole run, the median and the 95th
percentile of the time between frames; and how much processor time a frame took in the page's main thread and
in all of Chromium. On a machine that is busy with other things the first numbers tell about those; the last
two do not: under 20 ms in all, one free core is enough for 50 frames a second.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import CDPSession, Page, Route, expect, sync_playwright

HOME = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOME))

from tests.browser.conftest import FLAGS  # noqa: E402
from tests.browser.house import House  # noqa: E402

from grognard.board.tiles import BLOCK  # noqa: E402

RUN = """async ([kind, seconds]) => {
    const map = document.querySelector("[role=application]");
    const middle = { x: innerWidth * 0.4, y: innerHeight * 0.5 };
    const point = (type, x, y, buttons) => map.dispatchEvent(new PointerEvent(type, {
        pointerId: 1, pointerType: "mouse", button: type === "pointermove" ? -1 : 1, buttons,
        clientX: x, clientY: y, bubbles: true, cancelable: true,
    }));
    map.setPointerCapture = () => undefined;
    const stamps = [];
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    const end = performance.now() + seconds * 1000;
    if (kind !== "zoom") point("pointerdown", middle.x, middle.y, 4);
    for (let k = 0; performance.now() < end; k++) {
        stamps.push(await frame());
        if (kind !== "zoom") {
            const turn = k / 25;
            point("pointermove", middle.x + 260 * Math.sin(turn), middle.y + 160 * Math.sin(turn * 1.7), 4);
        }
        if (kind !== "pan") {
            // In for a second and a half, out again as long.
            const deltaY = k % 180 < 90 ? -12 : 12;
            map.dispatchEvent(new WheelEvent("wheel", {
                deltaY, clientX: middle.x, clientY: middle.y, bubbles: true, cancelable: true,
            }));
        }
    }
    if (kind !== "zoom") point("pointerup", middle.x, middle.y, 0);
    return stamps;
}"""


def crowd(kit: dict[str, Any], count: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Made-up counters and units, up to three a hex, over the whole map."""
    dry = [number for number, hex_ in kit["hexes"].items() if hex_["terrain"] not in ("sea", "lake")]
    models = [c for c in kit["counters"].values() if c["faces"]] or list(kit["counters"].values())
    stacks = -(-count // 3)
    places = [dry[k * len(dry) // stacks] for k in range(stacks)]
    counters: dict[str, Any] = {}
    units = []
    for k in range(count):
        name, model = f"made-up-{k}", models[k % len(models)]
        counters[name] = {**model, "name": f"{k}"}
        face = [int(n) for n in (model["faces"] or [["1", "1"]])[0] if str(n).isdigit()] or [1]
        units.append(
            {
                "id": name,
                "side": model["side"],
                "kind": model["kind"],
                "hex": places[k // 3],
                "status": "on-map",
                "steps": 1 + k % 2,
                "attack": face[0],
                "defence": face[-1],
                "supplied": k % 9 > 0,
            }
        )
    return counters, units


def measure(page: Page, kind: str, seconds: float) -> dict[str, float]:
    page.evaluate(RUN, [kind, 5])
    wire = page.context.new_cdp_session(page)
    wire.send("Performance.enable", {"timeDomain": "threadTicks"})
    before, spent = _worked(wire), _processor_time()
    stamps = page.evaluate(RUN, [kind, seconds])
    worked, spent = _worked(wire) - before, _processor_time() - spent
    gaps = [b - a for a, b in pairwise(stamps)]
    return {
        "frames": len(gaps),
        "fps": round(1000 * len(gaps) / (stamps[-1] - stamps[0]), 1),
        "median_ms": round(median(gaps), 2),
        "p95_ms": round(quantiles(gaps, n=20)[18], 2),
        "main_thread_ms": round(1000 * worked / len(gaps), 2),
        "all_threads_ms": round(1000 * spent / len(gaps), 2),
    }


def _worked(wire: CDPSession) -> float:
    """Seconds that the main thread has computed, waiting for a processor not counted."""
    metrics = wire.send("Performance.getMetrics")["metrics"]
    return float(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))


def _processor_time() -> float:
    """Seconds that all processes of Chromium under this one have computed; 0 where there is no /proc."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = entry.read_text().partition(") ")
        except OSError:
            continue
        fields = rest.split()
        number = int(entry.parent.name)
        parents[number] = int(fields[1])
        if "chrom" in name:
            ticks[number] = int(fields[11]) + int(fields[12])

    def ours(number: int) -> bool:
        while number > 1:
            if number == os.getpid():
                return True
            number = parents.get(number, 0)
        return False

    return sum(spent for number, spent in ticks.items() if ours(number)) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--game", default="a_victory_lost")
    parser.add_argument("--counters", type=int, default=500)
    measured(parser, run)


def measured(
    parser: argparse.ArgumentParser, run: Callable[[House, str, argparse.Namespace], dict[str, Any]]
) -> None:
    """Print what a bench finds out at a server of its own, with the page as it is now."""
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--picture", type=Path, help="where to keep a picture of what was measured")
    options = parser.parse_args()
    subprocess.run([sys.executable, HOME / "tools" / "page.py"], check=True, stdout=sys.stderr)
    chromium = subprocess.run(
        [HOME / "tools" / "ensure-chromium.sh"], check=True, text=True, stdout=subprocess.PIPE
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder), HOME / "build" / "maps")
        try:
            print(json.dumps(run(house, chromium, options), indent=2))
        finally:
            house.kill()


def run(house: House, chromium: str, options: argparse.Namespace) -> dict[str, Any]:
    game = options.game
    # Tiles take long to draw: not while frames are counted. One of each block is enough.
    tiles = house.get(f"/api/games/{game}/kit")["map"]["tiles"]
    for number, level in enumerate(tiles["levels"]):
        for column in range(0, level["columns"], BLOCK):
            for row in range(0, level["rows"], BLOCK):
                house.fetch(tiles["url"].format(level=number, column=column, row=row))
    made = house.table(game=game)
    units: list[dict[str, Any]] = []

    def crowded_kit(route: Route) -> None:
        answer = route.fetch()
        kit = answer.json()
        counters, more = crowd(kit, options.counters)
        units[:] = more
        route.fulfill(response=answer, json={**kit, "counters": {**kit["counters"], **counters}})

    def crowded_state(route: Route) -> None:
        answer = route.fetch()
        state = answer.json()
        if not units:
            _, units[:] = crowd(house.get(f"/api/games/{game}/kit"), options.counters)
        state["view"]["units"] = units
        route.fulfill(response=answer, json=state)

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script("localStorage.setItem('grognard.guided', 'yes')")
        page.route(re.compile("/kit"), crowded_kit)
        page.route(re.compile(rf"/api/tables/{made.id}\?"), crowded_state)
        # News from the server would bring the true units back.
        page.route_web_socket(re.compile("/live"), lambda socket: None)
        page.goto(made.link(next(iter(made.tokens))))
        expect(page.get_by_role("application")).to_be_visible(timeout=60_000)
        # A little more than the window holds, so that there is something to pan; most counters are in sight.
        page.get_by_role("button", name="Whole map").click()
        for _ in range(2):
            page.get_by_role("button", name="Zoom in").click()
        page.wait_for_load_state("networkidle", timeout=60_000)
        result: dict[str, Any] = {
            "game": game,
            "counters": options.counters,
            "window": "1440x900",
            "chromium": browser.version,
            "idle": measure_idle(page),
        }
        for kind in ("pan", "zoom", "both"):
            result[kind] = measure(page, kind, options.seconds)
        if options.picture:
            page.screenshot(path=options.picture)
        browser.close()
    return result


def measure_idle(page: Page) -> dict[str, float]:
    """Frames a second with nothing to paint: what this machine can do at all."""
    stamps = page.evaluate(
        """async () => {
            const stamps = [];
            while (stamps.length < 120) stamps.push(await new Promise(requestAnimationFrame));
            return stamps;
        }"""
    )
    return {"fps": round(1000 * (len(stamps) - 1) / (stamps[-1] - stamps[0]), 1)}


if __name__ == "__main__":
    main()
