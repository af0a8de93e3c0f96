"""Run the tests: `python tools/test.py`, or `python tools/test.py tests/cli -x` for some of them.

The whole of them runs in four processes side by side, because most of the time of the doors' tests is spent
waiting for servers and browsers. What each of them says is printed when it has ended.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOGETHER = (("browser",), ("server",), ("cli", "envs", "lab"))
"""Folders of tests that go together; everything else is the last part."""


def parts() -> list[list[str]]:
    """Every folder and file of tests, in one part or another."""
    found = sorted(path.name for path in (ROOT / "tests").iterdir() if _holds_tests(path))
    named = [name for part in TOGETHER for name in part]
    split = [*TOGETHER, [name for name in found if name not in named]]
    return [[f"tests/{name}" for name in part] for part in split]


def _holds_tests(path: Path) -> bool:
    if path.is_dir():
        return any(path.rglob("test_*.py"))
    return path.name.startswith("test_") and path.suffix == ".py"


def main(arguments: list[str]) -> int:
    command = [sys.executable, "-m", "pytest"]
    if arguments:
        return subprocess.run([*command, *arguments], cwd=ROOT, check=False).returncode
    running = [
        subprocess.Popen(
            [*command, *part], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for part in parts()
    ]
    codes = []
    for process in running:
        said, _ = process.communicate()
        print(said, flush=True)
        codes.append(process.returncode)
    return max(codes)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
