"""Make a virtual environment with pip in it, on machines that lack the usual parts.

Debian ships `python3` without `ensurepip`, so `python3 -m venv` fails there. Then virtualenv serves if there
is a pip to fetch it; failing that, pip's own wheel, fetched from PyPI, installs itself.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import urljoin

OLDEST = (3, 11)
PYPI = "https://pypi.org/pypi/pip/json"


def runs(*command: str | Path) -> bool:
    """Whether a command exists and succeeds."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


def with_virtualenv(folder: Path) -> bool:
    with tempfile.TemporaryDirectory() as scratch:
        install = (sys.executable, "-m", "pip", "install", "--quiet", "--target", scratch, "virtualenv")
        if not runs(*install):
            return False
        program = (
            f"import sys; sys.path.insert(0, {scratch!r});import virtualenv; virtualenv.cli_run(sys.argv[1:])"
        )
        return runs(sys.executable, "-c", program, folder)


def with_pip_wheel(folder: Path) -> bool:
    if not runs(sys.executable, "-m", "venv", "--without-pip", folder):
        return False
    with urllib.request.urlopen(PYPI) as answer:
        files = json.load(answer)["urls"]
    wheel = next(f for f in files if f["packagetype"] == "bdist_wheel")
    with urllib.request.urlopen(urljoin(PYPI, wheel["url"])) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != wheel["digests"]["sha256"]:
        raise SystemExit("The pip that came from PyPI is not the one it announces: not used.")
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / wheel["filename"]
        path.write_bytes(content)
        return runs(folder / "bin" / "python", path / "pip", "install", "--quiet", "--no-index", path)


def main() -> None:
    if sys.version_info < OLDEST:
        raise SystemExit(
            f"Grognard needs Python {OLDEST[0]}.{OLDEST[1]} or later; this is {sys.version.split()[0]}.\n"
            "If a later one is installed: make PYTHON=python3.11 play"
        )
    folder = Path(sys.argv[1])
    if runs(folder / "bin" / "python", "-m", "pip", "--version"):
        return
    for way in (lambda f: runs(sys.executable, "-m", "venv", f), with_virtualenv, with_pip_wheel):
        shutil.rmtree(folder, ignore_errors=True)
        try:
            if way(folder):
                return
        except OSError as error:
            print(error, file=sys.stderr)
    raise SystemExit(
        "No way to make a virtual environment here. On Debian or Ubuntu:\n    sudo apt install python3-venv"
    )


if __name__ == "__main__":
    main()
