"""tools/mutants.py: what it breaks, and that the reasons for breaks left alone still speak of the rules."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT / "src" / "grognard" / "games"
REASONS = sorted((ROOT / "tests" / "games").glob("*/mutants.toml"))


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutants_tool", ROOT / "tools" / "mutants.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SOURCE = '''
"""4.0 A rule."""

def may_enter(height: int, enemy: bool) -> bool:
    """4.6 Three at most."""
    if enemy:
        return False
    # 4.4 nobody there
    return height < 3 and not enemy
'''


def test_every_break_is_one_small_change_with_its_line_and_case() -> None:
    found = {(m.line, m.case, m.before, m.after) for m in tool().mutants_of("rule.py", SOURCE)}
    last = "return height < 3 and (not enemy)"
    assert found == {
        (6, "4.6", "if enemy:", "if not enemy:"),
        (7, "4.6", "return False", "return True"),
        (7, "4.6", "return False", "(removed)"),
        (9, "4.4", last, "return height < 3 or not enemy"),
        (9, "4.4", last, "return height < 3"),
        (9, "4.4", last, "return not enemy"),
        (9, "4.4", last, "return height <= 3 and (not enemy)"),
        (9, "4.4", last, "return height >= 3 and (not enemy)"),
        (9, "4.4", last, "return height < 4 and (not enemy)"),
        (9, "4.4", last, "return height < 2 and (not enemy)"),
        (9, "4.4", last, "return height < 3 and enemy"),
    }


def test_a_broken_module_differs_where_the_break_says_and_nowhere_else() -> None:
    mutant = next(m for m in tool().mutants_of("rule.py", SOURCE) if m.after == "if not enemy:")
    names: dict[str, object] = {}
    exec(compile(mutant.tree(SOURCE), "rule.py", "exec"), names)
    may_enter = names["may_enter"]
    assert callable(may_enter)
    assert (may_enter(1, False), may_enter(1, True)) == (False, False)


def test_every_function_and_every_block_notes_that_it_is_reached() -> None:
    reached: list[str] = []
    names: dict[str, object] = {"__note__": reached.append}
    exec(compile(tool().noting(ast.parse(SOURCE), "rule.py"), "rule.py", "exec"), names)
    may_enter = names["may_enter"]
    assert callable(may_enter)
    assert may_enter(1, False)
    assert reached == ["rule.py:5", "rule.py may_enter"]
    assert not may_enter(1, True)
    assert reached[2:] == [*reached[:2], "rule.py:7"]
    assert {(m.line, m.block) for m in tool().mutants_of("rule.py", SOURCE)} == {(6, 5), (7, 7), (9, 5)}


@pytest.mark.parametrize("path", REASONS, ids=lambda path: path.parent.name)
def test_every_reason_speaks_of_one_break_that_can_still_be_made(path: Path) -> None:
    """Two like statements of a function share a key: a reason for one would excuse the other."""
    mutants = tool()
    rules = GAMES / path.parent.name / "rules"
    possible = Counter(
        mutant.key
        for file in rules.glob("*.py")
        for mutant in mutants.mutants_of(file.name, file.read_text(encoding="utf-8"))
    )
    listed = mutants.reasons(path)
    assert all(listed.values())
    assert not [(key, possible[key]) for key in listed if possible[key] != 1]
