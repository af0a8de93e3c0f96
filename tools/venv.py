"""Make a virtual environment with pip in it, on machines that lack the usual parts.

Debian ships `python3` without `ensurepip`, so `python3 -m venv` fails there. Then virtualenv serves if there
is a pip to fetch it; failing that, Debian's own package is installed, where we may.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

OLDEST = (3, 11)


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


def with_apt(folder: Path) -> bool:
    """Debian's own package, where we may install it."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    runs("apt-get", "update", "-q")
    return runs("apt-get", "install", "-y", "-q", package) and runs(sys.executable, "-m", "venv", folder)


def main() -> None:
    if sys.version_info < OLDEST:
        raise SystemExit(
            f"Grognard needs Python {OLDEST[0]}.{OLDEST[1]} or later; this is {sys.version.split()[0]}.\n"
            "If a later one is installed: make PYTHON=python3.11 play"
        )
    folder = Path(sys.argv[1])
    if runs(folder / "bin" / "python", "-m", "pip", "--version"):
        return
    for way in (lambda f: runs(sys.executable, "-m", "venv", f), with_virtualenv, with_apt):
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
