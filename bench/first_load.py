"""What the first load of a table weighs, how soon its map is in sight on a slow line, and how long the map
stays blurred after a zoom.

    python bench/first_load.py [--games leningrad second_front/sicily] [--kilobits 1600] [--delay 150]
        [--fresh]

A window that knows nothing yet opens a table of each game. Everything that comes over the wire (compressed,
as it travels) is counted until the coarse picture of the map is on the canvas and the question is there. The
time is from the address to the first frame in which the canvas shows more than paper. The blur is measured
on a line without limits: from a step of zoom until everything in sight is drawn from tiles of its own size,
a second after the step before. With --fresh each game is opened on a server of its own that has drawn no
map yet, and the blur is not measured. Prints JSON.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright

HOME = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOME))

from tests.browser.conftest import FLAGS  # noqa: E402
from tests.browser.house import House  # noqa: E402

IN_SIGHT = """() => {
    const canvas = document.querySelector("[role=application]");
    if (!canvas?.width) return false;
    const pen = canvas.getContext("2d");
    const seen = new Set();
    const all = pen.getImageData(0, 0, canvas.width, canvas.height).data;
    for (let k = 0; k < all.length; k += 4 * 4099)
        seen.add(`${all[k] >> 3} ${all[k + 1] >> 3} ${all[k + 2] >> 3}`);
    return seen.size > 6;
}"""


UNTIL_SHARP = """async (name) => {
    const map = document.querySelector("[role=application]");
    const sharp = () => {
        const detail = { hex: "" };
        map.dispatchEvent(new CustomEvent("where", { detail }));
        return detail.sharp;
    };
    const began = performance.now();
    document.querySelector(`button[aria-label="${name}"], button[title^="${name}"]`).click();
    do await new Promise(requestAnimationFrame); while (!sharp());
    return performance.now() - began;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", nargs="+", default=["leningrad", "a_victory_lost"])
    parser.add_argument("--kilobits", type=float, default=1600)
    parser.add_argument("--delay", type=float, default=150, help="milliseconds there and back")
    parser.add_argument("--fresh", action="store_true", help="on servers that have drawn nothing yet")
    options = parser.parse_args()
    subprocess.run([sys.executable, HOME / "tools" / "page.py"], check=True, stdout=sys.stderr)
    chromium = subprocess.run(
        [HOME / "tools" / "ensure-chromium.sh"], check=True, text=True, stdout=subprocess.PIPE
    ).stdout.strip()
    found: dict[str, dict[str, Any]] = {}
    line = (options.kilobits, options.delay)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        house = House(Path(folder), HOME / "build" / "maps")
        fresh = Path(folder, "fresh")
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            for game in options.games:
                if options.fresh:
                    found[game] = load_fresh(fresh / game, browser, game, line)
                    print(game, found[game], file=sys.stderr, flush=True)
                    continue
                # Once before, so that every tile that will be asked for has been drawn.
                load(house, browser, game, None)
                slow = load(house, browser, game, line)
                found[game] = {**slow, "blur_ms": blur(house, browser, game)}
                print(game, found[game], file=sys.stderr, flush=True)
        finally:
            browser.close()
            house.kill()
    print(json.dumps(found, indent=2))


def _wish(game: str) -> dict[str, str]:
    """A game's campaign, or another scenario after a stroke."""
    id_, _, scenario = game.partition("/")
    return {"game": id_, "scenario": scenario or "campaign"}


def load_fresh(folder: Path, browser: Browser, game: str, line: tuple[float, float]) -> dict[str, Any]:
    """On a server of its own, as it is after it was installed: it draws ahead meanwhile."""
    folder.mkdir(parents=True)
    house = House(folder, folder / "maps", GROGNARD_DRAW_AHEAD="yes")
    try:
        return load(house, browser, game, line)
    finally:
        house.kill()


def load(house: House, browser: Browser, game: str, line: tuple[float, float] | None) -> dict[str, Any]:
    made = house.table(**_wish(game))
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    if line:
        rate = line[0] * 1000 / 8
        wire.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": line[1], "downloadThroughput": rate, "uploadThroughput": rate},
        )
    weight: dict[str, int] = {}
    tiles: set[str] = set()
    wire.on(
        "Network.responseReceived",
        lambda e: tiles.add(e["requestId"]) if "/tiles/" in e["response"]["url"] else None,
    )
    wire.on("Network.loadingFinished", lambda e: weight.__setitem__(e["requestId"], e["encodedDataLength"]))
    began = time.monotonic()
    page.goto(made.link(next(iter(made.tokens))), wait_until="commit")
    page.wait_for_function(IN_SIGHT, polling="raf", timeout=60_000)
    sight = time.monotonic() - began
    in_sight = sum(weight.values())
    expect(page.locator("footer .sentence")).not_to_be_empty(timeout=60_000)
    page.wait_for_timeout(300)
    told: dict[str, Any] = {
        "in_sight_s": round(sight, 2),
        "bytes_until_in_sight": in_sight,
        "bytes_without_tiles": sum(n for id_, n in weight.items() if id_ not in tiles),
        "bytes_of_tiles": sum(n for id_, n in weight.items() if id_ in tiles),
    }
    context.close()
    return told


def blur(house: House, browser: Browser, game: str) -> float:
    """The longest time from a step of zoom until all in sight is sharp, in milliseconds."""
    made = house.table(**_wish(game))
    longest = 0.0
    for warm in (True, False):
        context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
        page = context.new_page()
        page.goto(made.link(next(iter(made.tokens))))
        expect(page.get_by_role("application")).to_be_visible(timeout=60_000)
        # What is sent for ahead may have to be drawn the first time.
        page.wait_for_load_state("networkidle", timeout=300_000)
        for _ in range(6):
            took = page.evaluate(UNTIL_SHARP, "Zoom in")
            page.wait_for_timeout(1200)
            if not warm:
                longest = max(longest, took)
        context.close()
    return round(longest, 1)


if __name__ == "__main__":
    main()
