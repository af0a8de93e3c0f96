"""Make dist/ anew: the source archive, then the wheel from that archive alone, as an installer would.

So whatever the wheel needs is in the archive, the built page first of all.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    folder = ROOT / "dist"
    shutil.rmtree(folder, ignore_errors=True)
    for made in build(folder):
        print(f"{made.relative_to(ROOT)}  {made.stat().st_size / 1e6:.2f} MB")


def build(folder: Path) -> list[Path]:
    """The archive and the wheel, in this folder."""
    hatch = (sys.executable, "-m", "hatchling", "build", "--directory", str(folder))
    subprocess.run([*hatch, "--target", "sdist"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    archive = next(folder.glob("grognard-*.tar.gz"))
    with tempfile.TemporaryDirectory() as scratch:
        shutil.unpack_archive(archive, scratch)
        tree = next(Path(scratch).iterdir())
        subprocess.run([*hatch, "--target", "wheel"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    return [archive, next(folder.glob("grognard-*.whl"))]


if __name__ == "__main__":
    main()
