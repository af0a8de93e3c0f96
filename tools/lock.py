"""Write requirements/*.txt: exact versions and hashes of all that `make setup` and `make play` install.

    python tools/lock.py            # keeps the versions that still fit pyproject.toml
    python tools/lock.py --upgrade  # takes the newest

pyproject.toml has ranges, for those who install the package beside others. The files written here hold for
every Python and system that we support, and name no index: pip takes the files from where it is set up to.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "requirements"
EXTRAS = ("dev", "play", "node")
"""Those that come later keep to the versions of those that come earlier."""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for extra in EXTRAS:
        write(extra)


def write(extra: str) -> None:
    out = FOLDER / f"{extra}.txt"
    command = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--extra", extra, "--quiet"]
    command += [
        "--universal",
        "--python-version",
        "3.11",
        "--generate-hashes",
        "--no-header",
        "--no-annotate",
    ]
    command += ["--no-emit-index-url", "--no-emit-find-links", "--output-file", str(out)]
    if extra != EXTRAS[0]:
        command += ["--constraint", str(FOLDER / f"{EXTRAS[0]}.txt")]
    if "--upgrade" in sys.argv and extra == EXTRAS[0]:
        command.append("--upgrade")
    subprocess.run(command, cwd=ROOT, check=True)
    text = out.read_text(encoding="utf-8")
    out.write_text(HEADER.format(extra=extra) + text, encoding="utf-8")


HEADER = "# Written by tools/lock.py: the extra {extra!r} of pyproject.toml. Do not edit.\n"


if __name__ == "__main__":
    main()
