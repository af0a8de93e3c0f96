"""What the first load of a table weighs, how soon its map is in sight on a slow line, and how long the map
stays blurred after a zoom.

    python bench/first_load.py [--games leningrad a_victory_lost] [--kilobits 1600] [--delay 150]

A window that knows nothing yet opens a table of each game. Everything that comes over the wire (compressed,
as it travels) is counted until the coarse picture of the map is on the canvas and the question is there. The
time is from the address to the first frame in which the canvas shows more than paper. The blur is measured
on a line without limits: from a step of zoom until everything in sight is drawn from tiles of its own size,
a second after the step before. Prints JSON.
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
    for (let k = 1; k < 12; k++) {
        const [r, g, b] = pen.getImageData((canvas.width * k) / 18, (canvas.height * k) / 14, 1, 1).data;
        seen.add(`${r >> 3} ${g >> 3} ${b >> 3}`);
    }
    return seen.size > 4;
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
    options = parser.parse_args()
    subprocess.run([sys.executable, HOME / "tools" / "page.py"], check=True, stdout=sys.stderr)
    chromium = subprocess.run(
        [HOME / "tools" / "ensure-chromium.sh"], check=True, text=True, stdout=subprocess.PIPE
    ).stdout.strip()
    found = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        house = House(Path(folder), HOME / "build" / "maps")
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            for game in options.games:
                # Once before, so that every tile that will be asked for has been drawn.
                load(house, browser, game, None)
                slow = load(house, browser, game, (options.kilobits, options.delay))
                found[game] = {**slow, "blur_ms": blur(house, browser, game)}
                print(game, found[game], file=sys.stderr, flush=True)
        finally:
            browser.close()
            house.kill()
    print(json.dumps(found, indent=2))


def load(house: House, browser: Browser, game: str, line: tuple[float, float] | None) -> dict[str, Any]:
    made = house.table(game=game)
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
    told = {
        "in_sight_s": round(sight, 2),
        "bytes_until_in_sight": in_sight,
        "bytes_without_tiles": sum(n for id_, n in weight.items() if id_ not in tiles),
        "bytes_of_tiles": sum(n for id_, n in weight.items() if id_ in tiles),
    }
    context.close()
    return told


def blur(house: House, browser: Browser, game: str) -> float:
    """The longest time from a step of zoom until all in sight is sharp, in milliseconds."""
    made = house.table(game=game)
    longest = 0.0
    for warm in (True, False):
        context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
        page = context.new_page()
        page.goto(made.link(next(iter(made.tokens))))
        expect(page.get_by_role("application")).to_be_visible(timeout=60_000)
        page.wait_for_load_state("networkidle")
        for _ in range(6):
            took = page.evaluate(UNTIL_SHARP, "Zoom in")
            page.wait_for_timeout(1200)
            if not warm:
                longest = max(longest, took)
        context.close()
    return round(longest, 1)


if __name__ == "__main__":
    main()
