"""How soon a large map is seen over a slow line, and how smoothly it pans with all its counters.

    python -m bench.look [--game second_front] [--setup apr44] [--seconds 6]

A server is started with an empty database; the tiles of the map are drawn before anything is measured, as
on a server that runs. A first visit at 1.6 Mbit/s and 60 ms: seconds until the whole map is on screen (the
page's mark `map-seen`) and until all has come, and the kilobytes that came over the line by then. Then the
map is panned as in page_fps.py. The load of the machine is told with the numbers: seconds and frames are
worth something when it is below the number of cores; processor time a frame always is.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

from bench.page_fps import measure, measure_idle, measured
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.browser.conftest import FLAGS
from tests.browser.house import House

LINE = {"offline": False, "latency": 60, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}


def first_visit(browser: Browser, url: str) -> tuple[Page, dict[str, float]]:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", LINE)
    came: list[tuple[float, float]] = []
    wire.on(
        "Network.loadingFinished",
        lambda event: came.append((time.monotonic(), event["encodedDataLength"] / 1000)),
    )
    began = time.monotonic()
    page.goto(url, wait_until="commit")
    # The page's policy forbids evaluation in it, which waiting for a function would be.
    while not (mark := page.evaluate("performance.getEntriesByName('map-seen')[0]?.startTime ?? 0")):
        page.wait_for_timeout(50)
    seen = time.monotonic()
    page.wait_for_load_state("networkidle", timeout=120_000)
    return page, {
        "map_seen_s": round(mark / 1000, 2),
        "map_seen_kb": round(sum(size for at, size in came if at <= seen)),
        "all_there_s": round(max(at for at, _ in came) - began, 2),
        "all_there_kb": round(sum(size for _, size in came)),
    }


def run(house: House, chromium: str, options: argparse.Namespace) -> dict[str, Any]:
    base = f"/api/games/{options.game}/exhibit"
    summary = house.get(f"{base}?lang=en")
    _draw(house, summary["map"]["tiles"])
    for part in ("/ground", f"/setups/{options.setup}"):
        counted = house.get(f"{base}{part}?lang=en")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        page, visit = first_visit(browser, f"{house.url}/look/{options.game}")
        expect(page.get_by_role("application")).to_be_visible(timeout=60_000)
        for _ in range(2):
            page.locator(".tools button").first.click()
        page.wait_for_load_state("networkidle")
        result = {
            "game": options.game,
            "counters": len(counted["units"]),
            "load": [round(n, 1) for n in os.getloadavg()],
            "cores": os.cpu_count(),
            "visit": visit,
            "idle": measure_idle(page),
            "pan": measure(page, "pan", options.seconds),
        }
        if options.picture:
            page.screenshot(path=options.picture)
        browser.close()
    return result


def _draw(house: House, tiles: dict[str, Any]) -> None:
    """Have the tiles made that a visit and the panning may ask for: all but the finest level."""
    for number, level in enumerate(tiles["levels"][:-1]):
        for row in range(level["rows"]):
            for column in range(level["columns"]):
                house.fetch(tiles["url"].format(level=number, column=column, row=row))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--game", default="second_front")
    parser.add_argument("--setup", default="apr44")
    measured(parser, run)


if __name__ == "__main__":
    main()
