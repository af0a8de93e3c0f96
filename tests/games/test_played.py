"""A rule that only tests call is no rule of the game: whatever the rules define is reached from play."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import grognard.games

GAMES = Path(grognard.games.__path__[0])
NOT_YET: dict[str, dict[str, str]] = {
    "second_front": {
        "owner_nation": "3D: tells Germans from Italians for 30A3 and 38B, which are to come",
    },
    "typhoon": {},
}
"""By game, names of rules that nothing in play reaches yet, and why."""


def defined(tree: ast.Module) -> dict[str, ast.AST]:
    """Functions, classes and values of a module."""
    found: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                found |= {name.id: node for name in ast.walk(target) if isinstance(name, ast.Name)}
    return found


def names_in(node: ast.AST) -> set[str]:
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return found | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


def reached(folder: Path, *starts: str) -> tuple[set[str], set[str]]:
    """(functions and classes of rules/, those that some modules reach by the names they use)."""
    uses: dict[str, set[str]] = {}
    rules: set[str] = set()
    for path in sorted(folder.rglob("*.py")):
        for name, node in defined(ast.parse(path.read_text("utf-8"))).items():
            uses.setdefault(name, set()).update(names_in(node) - {name})
            if path.parent.name == "rules" and isinstance(node, ast.FunctionDef | ast.ClassDef):
                rules.add(name)
    todo = [name for start in starts for name in defined(ast.parse((folder / start).read_text("utf-8")))]
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += uses.get(name, set())
    return rules, seen


@pytest.mark.parametrize(
    ("game", "starts"), [("second_front", ("game.py", "view.py")), ("typhoon", ("game.py",))]
)
def test_every_rule_is_reached_from_play(game: str, starts: tuple[str, ...]) -> None:
    rules, seen = reached(GAMES / game, *starts)
    assert {name for name in rules - seen if not name.startswith("_")} == set(NOT_YET[game])


def test_the_check_finds_a_rule_that_nobody_uses(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "game.py").write_text("from rules.a import used\n\ndef play():\n    return used()\n")
    (tmp_path / "rules" / "a.py").write_text(
        "def used():\n    return helper()\n\ndef helper():\n    return 1\n\n"
        "def idle():\n    return helper()\n"
    )
    rules, seen = reached(tmp_path, "game.py")
    assert rules - seen == {"idle"}
