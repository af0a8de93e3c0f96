"""A real browser at a real server. The page is built first if its sources have changed."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from grognard.kernel import Game
from grognard.kernel.registry import load_game
from grognard.players import seat as computer
from tests.browser.house import PATIENCE, House, Rehearsal, Table
from tests.browser.table_page import TablePage
from tests.server.letterbox import Letterbox

HOME = Path(__file__).parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

SHOTS = os.environ.get("GROGNARD_SHOTS", "")
"""A folder for a picture of every window as its test left it, for those who want to look."""

expect.set_options(timeout=PATIENCE * 1000)

NewPage = Callable[..., Page]
Sit = Callable[..., TablePage]


@pytest.fixture(scope="session")
def maps(pytestconfig: pytest.Config) -> Path:
    """Pictures of maps take seconds to draw; they are named after what they show, so they can be kept."""
    return Path(pytestconfig.cache.mkdir("maps")) if pytestconfig.cache else HOME / "build" / "maps"


@pytest.fixture(scope="package")
def letterbox() -> Iterator[Letterbox]:
    """Where the server hands in its mail."""
    box = Letterbox()
    yield box
    box.stop()


@pytest.fixture(scope="package")
def house(
    page_built: None, maps: Path, letterbox: Letterbox, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    mail = {"GROGNARD_MAIL": letterbox.url, "GROGNARD_MAIL_FROM": "table@grognard.example"}
    house = House(tmp_path_factory.mktemp("house"), maps, **mail)
    yield house
    house.kill()


# Playwright keeps an event loop running while it is open: it is closed before other tests run theirs.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = subprocess.run(
        [HOME / "tools" / "ensure-chromium.sh"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.skip(f"no Chromium can be had here: {found.stderr.strip()}")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found.stdout.strip(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[NewPage]:
    """Opens windows that share nothing, as on different machines. Errors in a page fail the test."""
    contexts = []
    wrong: list[str] = []

    def make(
        lang: str = "en",
        width: int = 1440,
        height: int = 900,
        guided: bool = False,
        shown: bool = False,
        forced: bool = False,
        curtain: bool = False,
        ahead: bool = False,
        **more: Any,
    ) -> Page:
        locale = {"en": "en-GB", "fr": "fr-FR"}[lang]
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale=locale, accept_downloads=True, **more
        )
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        if not guided:
            context.add_init_script("localStorage.setItem('grognard.guided', 'yes')")
        if not shown:
            # What the other side did is not acted out: most tests want the position.
            context.add_init_script("localStorage.setItem('grognard.show', 'off')")
        if not forced:
            # Answers without a choice are left to the test.
            context.add_init_script("localStorage.setItem('grognard.forced', 'off')")
        if not curtain:
            # Nor is the screen passed from one player to the other at a table of two sides.
            context.add_init_script("localStorage.setItem('grognard.curtain', 'off')")
        if not ahead:
            # Whoever saves data is sent the tiles in sight and no others: hundreds of windows need no more.
            context.add_init_script(
                "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
            )
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        return page

    yield make
    for number, context in enumerate(contexts):
        if SHOTS:
            for page in context.pages:
                page.screenshot(path=Path(SHOTS) / f"{request.node.name}-{number}.png")
        context.close()
    assert not wrong


@pytest.fixture
def sit(new_page: NewPage) -> Sit:
    """A seat at a table, in a window of its own."""

    def take(
        table: Table, seat: str, before: Callable[[Page], object] | None = None, **window: Any
    ) -> TablePage:
        page = new_page(**window)
        if table.known_dice:
            # A share of this browser's would change them.
            page.add_init_script(f"localStorage.setItem('grognard.share.{table.id}', 'none')")
        if before is not None:
            before(page)
        return TablePage(page).open(table.link(seat))

    return take


@pytest.fixture(scope="session")
def leningrad() -> Game[Any]:
    return load_game("leningrad")


@pytest.fixture(scope="session")
def to_combat(leningrad: Game[Any]) -> Callable[[str], Rehearsal]:
    """The German first movement, played by the computer up to the combat phase."""

    def rehearse(seed: str) -> Rehearsal:
        game = Rehearsal(leningrad, seed)
        player = computer("greedy", "rehearsal")
        while game.phase == "german-movement":
            actor = leningrad.actor(game.match.state)
            assert actor is not None
            answer = leningrad.encode(player.choose(leningrad, game.match.state, actor))
            if answer == ["end"] and _make_room(game):
                continue
            game.act(*answer)
        return game

    return rehearse


def _make_room(game: Rehearsal) -> bool:
    """Move a unit out of a hex that holds too many, so that nobody is asked which of them is destroyed."""
    where = {unit["id"]: unit["hex"] for unit in game.units("german") if unit["hex"]}
    crowd = Counter(where.values())
    for words in game.options:
        if words[0] != "pick" or crowd[where[words[1]]] <= 3:
            continue
        game.act(*words)
        steps = [each for each in game.options if each[0] == "step" and crowd[each[1]] < 3]
        if steps:
            game.act(*steps[0])
            if ["halt"] in game.options:
                game.act("halt")
            return True
        game.act("halt")
    return False
