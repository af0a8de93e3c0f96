"""Firefox, driven by what it speaks itself: WebDriver BiDi over a WebSocket. Playwright drives only a Firefox
of its own making; this one is as its users have it."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.browser.house import PATIENCE

Json = dict[str, Any]

SETTINGS = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.accept_languages": "en-GB",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}
"""A browser that calls nobody but the page."""


class Firefox:
    """A window of Firefox, thrown away after."""

    def __init__(self, program: str, folder: Path, size: tuple[int, int] = (1440, 900)) -> None:
        lines = [f'user_pref("{name}", {json.dumps(value)});' for name, value in SETTINGS.items()]
        (folder / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--profile", str(folder)]
        command += ["--remote-debugging-port", "0", "about:blank"]
        self._log = folder / "said"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        self._numbers = count(1)
        self.errors: list[str] = []
        """What went wrong in the page, as the console has it."""
        self._ends = ExitStack()
        self._line: ClientConnection = self._ends.enter_context(connect(self._address(), max_size=None))
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        self._window: str = self.call("browsingContext.getTree")["contexts"][0]["context"]
        width, height = size
        self._here("browsingContext.setViewport", viewport={"width": width, "height": height})

    def _address(self) -> str:
        until = time.monotonic() + 2 * PATIENCE
        while time.monotonic() < until and self._process.poll() is None:
            if found := re.search(r"BiDi listening on (ws://\S+)", self._log.read_text(errors="replace")):
                return f"{found[1]}/session"
            time.sleep(0.05)
        self._process.kill()
        raise RuntimeError(f"Firefox did not start:\n{self._log.read_text(errors='replace')}")

    def __enter__(self) -> Firefox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ends.close()
        self._process.terminate()
        self._process.wait(PATIENCE)

    def call(self, method: str, **facts: Any) -> Json:
        """Ask for something, and take note of what is told meanwhile."""
        number = next(self._numbers)
        self._line.send(json.dumps({"id": number, "method": method, "params": facts}))
        while True:
            told: Json = json.loads(self._line.recv(PATIENCE))
            if told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
                self.errors.append(str(told["params"]["text"]))
            if told.get("id") == number:
                if told["type"] == "error":
                    raise RuntimeError(f"{method}: {told['error']}: {told['message']}")
                result: Json = told["result"]
                return result

    def _here(self, method: str, **facts: Any) -> Json:
        return self.call(method, context=self._window, **facts)

    def before_every_page(self, script: str) -> None:
        self.call("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    def open(self, url: str) -> None:
        self._here("browsingContext.navigate", url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """What an expression of the page's comes to, as far as JSON can say it."""
        found = self.call(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))",
            target={"context": self._window},
            awaitPromise=True,
        )
        if found["type"] == "exception":
            raise RuntimeError(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])

    def wait(self, expression: str) -> Any:
        """Until an expression is true."""
        until = time.monotonic() + PATIENCE
        while not (found := self.evaluate(expression)):
            if time.monotonic() > until:
                raise AssertionError(f"not seen in {PATIENCE} seconds: {expression}")
            time.sleep(0.05)
        return found

    def click(self, place: Sequence[float]) -> None:
        """Move the mouse to a place in the window and click there."""
        x, y = (round(number) for number in place)
        move = {"type": "pointerMove", "x": x, "y": y}
        press: list[Json] = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        mouse = {"type": "pointer", "id": "mouse", "actions": [move, *press]}
        self._here("input.performActions", actions=[mouse])

    def picture(self) -> bytes:
        return base64.b64decode(self._here("browsingContext.captureScreenshot")["data"])
