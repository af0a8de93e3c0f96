"""Run the tests: `python tools/test.py`, or `python tools/test.py tests/cli -x` for some of them.

The whole of them runs in four processes side by side, because most of the time of the doors' tests is spent
waiting for servers and browsers. What each of them says is printed when it has ended.

A few tests wait some seconds for a browser or a server, and four parts on two cores can make that too short.
What failed is therefore run once more, alone, when everything else has ended: what is broken fails again, and
what passes then is named at the end.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOGETHER = (("browser",), ("server",), ("cli", "envs", "lab"))
"""Folders of tests that go together; everything else is the last part."""
TESTS_FAILED = 1
"""What pytest answers when every test was run and some failed."""


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
    with tempfile.TemporaryDirectory() as memory:
        return _side_by_side(command, Path(memory))


def _side_by_side(command: list[str], memory: Path) -> int:
    running = []
    for number, part in enumerate(parts()):
        own = [*command, "-o", f"cache_dir={memory / str(number)}", *part]
        process = subprocess.Popen(own, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        running.append((own, process))
    codes = []
    for _own, process in running:
        said, _ = process.communicate()
        print(said, flush=True)
        codes.append(process.returncode)
    return max(
        _once_more(own) if code == TESTS_FAILED else code
        for (own, _process), code in zip(running, codes, strict=True)
    )


def _once_more(command: list[str]) -> int:
    """What failed, again, with the machine to itself."""
    print("What failed is run once more, alone:", flush=True)
    return subprocess.run([*command, "--last-failed", "-rA", "--tb=short"], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
