"""How smoothly the other side's turn is shown in headless Chromium: on A Victory Lost as it is played, and on
a made-up map of 6,565 hexes with 1,500 counters.

    python -m bench.show_fps [--hexes 6565] [--counters 1500] [--marches 60] [--frames FOLDER]

The true turn is an activation of the computer's in turn 2, found in a game played beforehand; on the made-up
map the message of the server's is made up as well, with marches of five hexes each, so that what is measured
is the page alone. While the show runs, the timestamps of all animation frames are written down, and Chromium
traces what the page's main thread does. Chromium runs as in the tests: headless, without a GPU, 1440 by 900
pixels. With `--frames` a picture is kept every half second.

Prints JSON: frames a second, and the processor time of the main thread between two frames (mean, 95th
percentile, longest; scripts, layout and painting, what the frame waits for). On a machine that is busy with
other things the frames a second tell about those; the processor time does not: under 16.7 ms, the page is
ready for 60 frames a second.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import re
import sys
import time
from bisect import bisect_right
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from bench.page_fps import crowd, measured
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect, sync_playwright
from tests.browser.conftest import FLAGS
from tests.browser.house import House, Rehearsal

from grognard.kernel.registry import load_game
from grognard.players import seat as computer

Json = dict[str, Any]

WATCH = """() => {
    window.stamps = [];
    let running = false;
    const step = (now) => {
        const runs = !!document.querySelector(".stage");
        if (runs !== running) performance.mark(runs ? "show-begins" : "show-ends");
        running = runs;
        if (runs) window.stamps.push(now);
        requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
}"""
STAGE = ".stage"
TRACED = ["disabled-by-default-devtools.timeline", "devtools.timeline", "blink.user_timing"]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hexes", type=int, default=6565)
    parser.add_argument("--counters", type=int, default=1500)
    parser.add_argument("--marches", type=int, default=60)
    parser.add_argument("--parts", nargs="+", default=["true", "made_up"])
    parser.add_argument("--frames", type=Path, help="a folder for a picture every half second")
    measured(parser, run)


def run(house: House, chromium: str, options: argparse.Namespace) -> Json:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        result: Json = {"load": [round(n, 1) for n in os.getloadavg()], "cores": os.cpu_count()}
        for name, part in (
            ("true", lambda: true_turn(house, browser, options.frames)),
            ("made_up", lambda: made_up(house, browser, options)),
        ):
            if name not in options.parts:
                continue
            result[name] = part()
            print(name, result[name], file=sys.stderr, flush=True)
        browser.close()
    return result


def opened(browser: Browser) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.add_init_script("localStorage.setItem('grognard.guided', 'yes')")
    return page


def true_turn(house: House, browser: Browser, frames: Path | None) -> Json:
    """A Victory Lost, turn 2: our last answer before the computer marches."""
    game = load_game("a_victory_lost")
    told = list(played(Rehearsal(game, "show"), 3))
    last = max(range(len(told)), key=lambda k: steps_after(told, k))
    before = Rehearsal(game, "show")
    for _ in zip(range(last), played(before, 3), strict=False):
        pass
    made = house.resume(before, seats={"axis": "greedy"})
    page = opened(browser)
    # A share of this browser's would change the dice.
    page.add_init_script(f"localStorage.setItem('grognard.share.{made.id}', 'none')")
    page.goto(made.link("soviet"))
    expect(page.get_by_role("application")).to_be_visible(timeout=60_000)
    page.wait_for_load_state("networkidle", timeout=300_000)
    return shown(browser, page, lambda: made.act(told[last][2], "soviet"), frames)


def played(game: Rehearsal, end: int) -> Any:
    """A game of the computer with itself: turn, side and answer, one after the other."""
    players = [computer("greedy", side) for side in game.game.sides]
    while (turn := game.game.turn(game.match.state)) < end:
        side = min(game.game.must_act(game.match.state))
        answer = players[side].choose(game.game, game.match.state, side)
        assert game.match.act(side, answer) is None
        yield turn, game.game.sides[side], game.game.encode(answer)


def steps_after(told: list[tuple[int, str, list[str]]], k: int) -> int:
    """How many steps the other side makes after we have ended something, before we are asked again."""
    turn, side, words = told[k]
    if (turn, side, words) != (2, "soviet", ["end"]):
        return 0
    theirs = itertools.takewhile(lambda each: each[1] == "axis", told[k + 1 :])
    return sum(words[0] == "step" for _, _, words in theirs)


def shown(browser: Browser, page: Page, begin: Any, frames: Path | None = None) -> Json:
    """What a show cost that something begins."""
    page.evaluate(WATCH)
    browser.start_tracing(page=page, categories=TRACED)
    begin()
    page.wait_for_selector(STAGE, state="attached", timeout=60_000)
    number, until = 0, time.monotonic() + 60
    while page.query_selector(STAGE) and time.monotonic() < until:
        if frames:
            frames.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=frames / f"show-{number:02}.png")
        number += 1
        page.wait_for_timeout(500)
    trace = json.loads(browser.stop_tracing())["traceEvents"]
    stamps: list[float] = page.evaluate("window.stamps")
    page.close()
    gaps = [b - a for a, b in itertools.pairwise(stamps)]
    return {
        "shown_ms": round(stamps[-1] - stamps[0]),
        "frames": len(gaps),
        "fps": round(1000 * len(gaps) / (stamps[-1] - stamps[0]), 1),
        "median_ms": round(median(gaps), 2),
        "p95_ms": round(quantiles(gaps, n=20)[18], 2),
        "main_thread_ms": work(trace),
    }


def work(trace: list[Json]) -> Json:
    """Processor time of the main thread between the beginnings of two frames, in milliseconds."""
    first = min(e["ts"] for e in trace if e["name"] == "show-begins")
    last = max((e["ts"] for e in trace if e["name"] == "show-ends"), default=math.inf)
    begins = sorted(
        e["ts"]
        for e in trace
        if e["name"] == "AnimationFrame" and e["ph"] == "b" and first <= e["ts"] <= last
    )
    spent = [0.0] * (len(begins) + 1)
    threads = {
        (e["pid"], e["tid"])
        for e in trace
        if e["name"] == "thread_name" and e["args"].get("name") == "CrRendererMain"
    }
    for event in trace:
        if event["name"] == "RunTask" and (event["pid"], event["tid"]) in threads:
            spent[bisect_right(begins, event["ts"])] += event.get("tdur", event.get("dur", 0)) / 1000
    whole = spent[1:-1]
    return {
        "mean": round(mean(whole), 2),
        "p95": round(quantiles(whole, n=20)[18], 2),
        "longest": round(max(whole), 1),
        "over_16_7": sum(each > 16.7 for each in whole),
        "frames": len(whole),
    }


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
    begun = {**state, "log_length": 1}
    sockets: list[WebSocketRoute] = []
    page = opened(browser)
    page.route(re.compile("/kit"), lambda route: _instead(route, kit))
    page.route(re.compile(rf"/api/tables/{made.id}\?"), lambda route: _instead(route, state))
    page.route_web_socket(re.compile("/live"), lambda socket: sockets.append(socket))
    page.goto(made.link("soviet"))
    expect(page.get_by_role("application")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Whole map").click()
    for _ in range(6):
        page.get_by_role("button", name="Zoom in").click()
    page.wait_for_timeout(3000)
    sockets[0].send(json.dumps({"type": "state", "state": begun, "log": {"from": 0, "lines": lines[:1]}}))
    page.wait_for_timeout(1000)
    found = shown(
        browser,
        page,
        lambda: sockets[0].send(
            json.dumps({"type": "state", "state": after, "log": {"from": 1, "lines": lines[1:]}})
        ),
    )
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


if __name__ == "__main__":
    main()
