"""What is published works: the wheel, installed into an empty environment, serves the page to a real browser.

No Node, no source tree and no picture library are needed there."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import HOME, NewPage
from tests.browser.house import PATIENCE, _free_port

MAP_COLOURS = 15_000
"""Counters on bare paper have some 6,000 colours, on a map 35,000."""


def pip(python: Path, *words: str | Path) -> None:
    """Our pip, at work in another environment, which needs none of its own."""
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*command, "--disable-pip-version-check", *map(str, words)], check=True)


@pytest.fixture(scope="module")
def installed(
    page_built: None, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Path:
    """The Python of an environment with `grognard[play]` in it, from the wheel alone."""
    folder = tmp_path_factory.mktemp("installed")
    hatch = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    subprocess.run(hatch, cwd=HOME, check=True, capture_output=True)
    wheel = next(folder.glob("*.whl"))
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    python = folder / "env" / "bin" / "python"
    lock = HOME / "requirements" / "play.txt"
    # The packages of the lock are fetched once and kept; the environment is new each time.
    assert pytestconfig.cache is not None
    kept = Path(pytestconfig.cache.mkdir(f"wheels-{hashlib.sha256(lock.read_bytes()).hexdigest()[:12]}"))
    if not (kept / "all-here").is_file():
        fetch = (sys.executable, "-m", "pip", "download", "--quiet", "--dest", kept, "--requirement", lock)
        subprocess.run(fetch, check=True)
        (kept / "all-here").touch()
    pip(python, "--no-index", "--find-links", kept, "--no-deps", "--requirement", lock)
    # Nothing may be missing now: the lock has all that the extra asks for.
    pip(python, "--no-index", f"grognard[play] @ {wheel.as_uri()}")
    return python


@contextmanager
def served(python: Path, home: Path, maps: Path, more: Path | None = None) -> Iterator[str]:
    """`grognard serve` of that environment, in a folder of its own, without our sources and without Node.
    Modules in the folder `more` come before those that are installed, in every process."""
    port = _free_port()
    variables = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "GROGNARD_DATABASE")}
    variables |= {
        "GROGNARD_HOME": str(home),
        "GROGNARD_CACHE": str(maps),
        "PATH": str(python.parent),
        "GROGNARD_DRAW_AHEAD": "no",
    }
    if more is not None:
        variables["PYTHONPATH"] = str(more)
    command = [str(python), "-m", "grognard.cli.main", "serve", "--port", str(port)]
    log = home / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=home, env=variables, stdout=out, stderr=out)
    url = f"http://127.0.0.1:{port}"
    until = time.monotonic() + 2 * PATIENCE
    try:
        while True:
            try:
                urllib.request.urlopen(f"{url}/api/tables", timeout=PATIENCE).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"the server did not start:\n{log.read_text()}") from None
                time.sleep(0.05)
        yield url
    finally:
        process.kill()
        process.wait()


def colours(page: Page) -> int:
    """How many colours the table shows."""
    picture = Image.open(BytesIO(page.locator("canvas").first.screenshot())).convert("RGB")
    return len(picture.getcolors(picture.width * picture.height) or ())


def see_a_table(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("canvas").first).to_be_visible()
    until = time.monotonic() + PATIENCE
    while colours(page) < MAP_COLOURS and time.monotonic() < until:
        page.wait_for_timeout(200)
    assert colours(page) >= MAP_COLOURS


def test_the_wheel_serves_the_page(installed: Path, new_page: NewPage, tmp_path: Path, maps: Path) -> None:
    where = subprocess.run(
        [installed, "-c", "import grognard; print(grognard.__file__)"],
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.startswith(str(installed.parents[1]))
    with served(installed, tmp_path, maps) as url:
        see_a_table(new_page(), url)


def test_without_a_picture_library_the_map_is_drawn_by_the_browser(
    installed: Path, new_page: NewPage, tmp_path: Path
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    missing = "import sys; sys.modules['resvg_py'] = None\n"
    (bare / "sitecustomize.py").write_text(missing, encoding="utf-8")
    with served(installed, tmp_path, tmp_path / "maps", bare) as url:
        page = new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        see_a_table(page, url)
        assert any("map.svg" in address for address in asked)
        assert not any("/tiles/" in address for address in asked)
        assert not list((tmp_path / "maps").rglob("*.webp"))
