"""Makes the page's types from the description of the doors: `python tools/wire.py` after a change of
src/grognard/server/wire/. It needs Node and the page's development packages (make setup)."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from pathlib import Path

from grognard.server.api import create_app
from grognard.server.settings import ServerSettings

ROOT = Path(__file__).parents[1]
TYPES = ROOT / "web" / "src" / "lib" / "wire.ts"
GENERATOR = ROOT / "web" / "node_modules" / ".bin" / "openapi-typescript"


def description() -> str:
    """The description as a text that depends on it alone."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(ServerSettings("sqlite://", Path(folder), draw_ahead=False), {})
        app.state.store.close()
    return json.dumps(app.openapi(), indent=1, sort_keys=True)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def types(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "doors.json", Path(folder) / "wire.ts"
        # The page needs what is sent, not the addresses.
        shapes = {**json.loads(text), "paths": {}}
        source.write_text(json.dumps(shapes), encoding="utf-8")
        command = [
            str(GENERATOR),
            str(source),
            "-o",
            str(made),
            "--root-types",
            "--root-types-no-schema-prefix",
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        body = made.read_text(encoding="utf-8")
    return f"// Made by tools/wire.py from the description of the doors {digest(text)}.\n{body}"


if __name__ == "__main__":
    TYPES.write_text(types(description()), encoding="utf-8")
    print(TYPES.relative_to(ROOT))
