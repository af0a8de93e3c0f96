"""Documents say what is there: every file and folder that they name exists."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
ENDINGS = "py|ts|svelte|toml|md|csv|json|css|html"
LEFT_OUT = {".git", ".venv", "node_modules", "build", "dist", "batches"}
MADE = {
    *("src/grognard/server/static/", "dist/", "own/", "parts/", "batch.json", "build/mutants/"),
    *("weights.json", "fit.html"),
}
"""What commands make: not in the repository."""
OPTIONAL = {"exceptions.csv", "map/exceptions.csv"}
"""What a game may have and none has today."""
PLACEHOLDER = re.compile(r"[<>*{}…]|\.\.\.|my_|^mine/")
"""Names that stand for any file, or for one of the reader's own."""


def named(text: str) -> set[str]:
    """Files and folders in code marks, and targets of links. Blocks of commands and examples are left
    out, and so are whole paths, which are somebody's machine."""
    text = re.sub(r"^( {4}|```).*$", "", text, flags=re.M)
    marked = re.findall(rf"`([\w./-]+(?:/|\.(?:{ENDINGS})))`", text)
    linked = [target for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in target]
    ours = {path for path in [*marked, *linked] if not path.startswith("/")}
    return {path for path in ours if not PLACEHOLDER.search(path)} - MADE - OPTIONAL


@cache
def tree() -> frozenset[str]:
    """Every file and folder of the repository by every end of its path: `kernel/agenda.py`, `agenda.py`."""
    found = set()
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        if not LEFT_OUT & set(parts):
            found |= {"/".join(parts[n:]) for n in range(len(parts))}
    return frozenset(found)


def exists(path: str, document: Path) -> bool:
    return path.rstrip("/") in tree() or (document.parent / path).exists()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_path_that_a_document_names_exists(document: Path) -> None:
    missing = sorted(p for p in named(document.read_text(encoding="utf-8")) if not exists(p, document))
    assert not missing, f"{document.relative_to(ROOT)} names what is not there: {missing}"


def test_a_path_that_is_not_there_is_noticed() -> None:
    text = "See `kernel/agenda.py`, `kernel/nothing.py` and [this](nowhere.md)."
    assert {p for p in named(text) if not exists(p, ROOT / "README.md")} == {
        "kernel/nothing.py",
        "nowhere.md",
    }
