"""No door knows a game by its words.

Every verb, side, part, group, badge, layer, extra and event kind of every registered game is looked for among
the string literals of the code outside `games/` (and the maker's data of the maps), and of the page. A word
that the kernel itself uses in any game (a role, a family, a status, a glyph, a kind of argument, a field) is
not a game's word; nor is one by which a door finds a text of its own, or a word of HTML.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import grognard
from grognard.kernel.events import Family
from grognard.kernel.registry import game_ids, load_game
from grognard.kernel.table import GLYPHS, STATUSES
from grognard.kernel.verbs import Order, Role

SOURCE = Path(grognard.__file__).parent
PAGE = SOURCE.parents[1] / "web" / "src"
OUTSIDE = [
    path
    for path in sorted(SOURCE.rglob("*.py"))
    if path.relative_to(SOURCE).parts[0] not in ("games", "atlas")
]
SCRIPTS = [
    path for path in sorted(PAGE.rglob("*")) if path.suffix in (".ts", ".svelte") and path.name != "wire.ts"
]
TEXTS = [*SOURCE.glob("*/words.toml"), *SOURCE.glob("players/*.toml"), *SOURCE.glob("server/text/*.toml")]
HTML = frozenset({"select", "map", "area", "table", "button", "input", "main", "section", "label"})


@cache
def kernel_words() -> frozenset[str]:
    """What the kernel's own modules call things: their names are for any game."""
    declared = {*Role, *Family, *Order, *STATUSES, *GLYPHS, "hex", "unit", "number", "place", "occasion"}
    for path in sorted((SOURCE / "kernel").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                declared.add(node.target.id)  # fields of the kernel's types, sent over the wire by name
            elif isinstance(node, ast.Dict):  # verbs of the kernel's own decisions
                declared |= {key.value for key in node.keys if isinstance(key, ast.Constant)}
            elif isinstance(node, ast.ClassDef):
                declared.add(node.name.lower())  # Markers, Pool, Track: sorts of parts
    return frozenset(map(str, declared)) | own_texts() | HTML


@cache
def own_texts() -> frozenset[str]:
    """Sections and codes of the doors' own texts."""
    found: set[str] = set()
    for path in TEXTS:
        for section, entries in tomllib.loads(path.read_text(encoding="utf-8")).items():
            found |= {section, *entries, *(f"{section}.{code}" for code in entries)}
    return frozenset(found)


@cache
def words() -> dict[str, str]:
    """Every word of a game, with what it is there."""
    found: dict[str, str] = {}
    for id_ in game_ids():
        game = load_game(id_)
        groups = [group for part in game.parts for group in part.groups]
        for what, said in (
            ("verb", game.verbs()),
            ("side", game.sides),
            ("part", [part.id for part in game.parts]),
            ("group", groups),
            ("badge", [badge.id for badge in game.badges]),
            ("layer", [layer.id for layer in game.layers]),
            ("extra", [extra.id for extra in game.extras]),
            ("event", game.events),
            ("game", [id_]),
        ):
            found |= {word: f"{what} of {id_}" for word in said if word not in kernel_words()}
    return found


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """The string literals of a module, docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    prose = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    # What the staff room reads of a doctrine is a number's name, the same for every doctrine.
    prose |= {
        id(node.slice) for node in ast.walk(tree) if isinstance(node, ast.Subscript) and _of_numbers(node)
    }
    # Pieces of a longer text are no words.
    prose |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.lineno, node.value


def _of_numbers(node: ast.Subscript) -> bool:
    return ast.unparse(node.value).rpartition(".")[2] == "numbers"


def quoted(path: Path) -> Iterator[tuple[int, str]]:
    """What stands in quotation marks, or names a property by index, in a script of the page."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        code = re.sub(r"//.*$", "", line)
        for match in re.finditer(r"""(["'`])([^"'`]*)\1""", code):
            yield number, match[2]


def known(said: Iterator[tuple[int, str]]) -> list[str]:
    return [f"{number}: {word!r}, a {words()[word]}" for number, word in said if word in words()]


def test_games_have_words_to_look_for() -> None:
    assert {"fall-back", "german", "forts", "untried", "moved"} <= set(words())
    assert not {"turn", "step", "result"} & set(words()), "words of the kernel"


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_door_knows_a_game_by_its_words(path: Path) -> None:
    assert known(literals(path)) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(PAGE)))
def test_the_page_knows_no_game_by_its_words(path: Path) -> None:
    assert known(quoted(path)) == []
