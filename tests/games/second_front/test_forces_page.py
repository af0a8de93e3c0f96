"""Second Front: the page that counts the forces is the one that the books give."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[3]


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("forces_tool", ROOT / "tools" / "forces.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_page_of_the_forces_is_current() -> None:
    forces = tool()
    assert forces.PAGE.read_text(encoding="utf-8") == forces.page(), "run tools/forces.py"


def test_it_counts_what_is_in_the_books() -> None:
    forces = tool()
    assert forces.divisions("Jul I 43", "Axis", "German divisions in Italy and the islands") == 6
    assert "| Axis | German | 958 | 411 | 78 | 553 | 99 |" in forces.by_force()
