"""What is built and what is installed: the version, the lock, the archive and the wheel."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import grognard

HOME = Path(__file__).parents[1]
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
LOCKS = sorted((HOME / "requirements").glob("*.txt"))


def wanted(extra: str) -> Iterator[Requirement]:
    """What an extra asks for, with the extras of ours that it names."""
    for line in EXTRAS[extra]:
        requirement = Requirement(line)
        if requirement.name == "grognard":
            for other in requirement.extras:
                yield from wanted(other)
        else:
            yield requirement


def pins(path: Path) -> dict[str, str]:
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


@pytest.fixture(scope="module")
def built(page_built: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source archive, and the wheel made of it on a machine without Node."""
    folder = tmp_path_factory.mktemp("dist")
    program = "import dist, pathlib, sys; dist.build(pathlib.Path(sys.argv[1]))"
    bare = {"PATH": "", "PYTHONPATH": str(HOME / "tools")}
    subprocess.run([sys.executable, "-c", program, folder], env=bare, check=True)
    return next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))


def test_the_version_stands_in_one_place() -> None:
    assert "version" not in PROJECT["project"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/grognard/__init__.py"
    assert "version" not in json.loads((HOME / "web/package.json").read_text(encoding="utf-8"))
    changes = (HOME / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {grognard.__version__}" in changes


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_the_lock_fits_the_ranges(path: Path) -> None:
    pinned = pins(path)
    for requirement in [*wanted(path.stem), *map(Requirement, PROJECT["project"]["dependencies"])]:
        name = canonicalize_name(requirement.name)
        assert name in pinned, f"{path.name} lacks {name}: make lock"
        assert requirement.specifier.contains(pinned[name], prereleases=True), requirement


def test_locks_agree_with_each_other() -> None:
    everything = pins(HOME / "requirements/dev.txt")
    for path in LOCKS:
        for name, version in pins(path).items():
            assert everything.get(name, version) == version, (path.name, name)


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_the_lock_is_exact_and_names_no_index(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
    for entry in re.split(r"\n(?=[A-Za-z])", text.split("\n", 1)[1].strip()):
        assert re.match(r"[A-Za-z0-9._\[\]-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


def test_the_archive_and_the_wheel_carry_the_page(built: tuple[Path, Path]) -> None:
    archive, wheel = built
    with tarfile.open(archive) as contents:
        names = {name.split("/", 1)[1] for name in contents.getnames() if "/" in name}
    assert {"src/grognard/server/static/index.html", "web/package-lock.json", "hatch_build.py"} <= names
    assert "src/grognard/atlas/overlays/leningrad/atlas.toml" in names
    with zipfile.ZipFile(wheel) as files:
        inside = files.namelist()
        page = files.read("grognard/server/static/index.html").decode()
    for asset in re.findall(r'(?:src|href)="/(assets/[^"]+)"', page):
        assert f"grognard/server/static/{asset}" in inside
    assert "grognard/games/leningrad/game.toml" in inside
    assert not [name for name in inside if name.startswith("grognard/atlas/overlays/")]
    assert not [name for name in inside if not name.startswith(("grognard/", "grognard-"))]


def test_the_wheel_says_its_version_and_its_extras(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as files:
        name = next(name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        text = files.read(name).decode()
    assert f"\nVersion: {grognard.__version__}\n" in text
    extras = re.findall(r"^Provides-Extra: (\S+)$", text, re.MULTILINE)
    assert {"play", "server", "research", "lab"} <= set(extras)
