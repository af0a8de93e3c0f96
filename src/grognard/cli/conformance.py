"""`grognard conformance`: which cases of a rulebook a test guards, which are exempt, which are left."""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grognard.cli.arguments import add_json, add_language, command
from grognard.cli.words import TerminalWords
from grognard.files import Folder, read_table
from grognard.games.listing import game_folder

MARK = "rule"
"""Tests carry @rule("leningrad", "10.7", ...)."""


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "conformance", words, run)
    parser.add_argument("--tests", type=Path, default=Path("tests"), help=words("options", "tests"))
    add_language(parser, words)
    add_json(parser, words)


def run(options: argparse.Namespace) -> int:
    words = TerminalWords(options.lang)
    folder = game_folder(options.game)
    report, exempt, unknown = conformance(folder, options.game, options.tests)
    if options.json:
        print(json.dumps(report))
    else:
        print(words("conformance", "counts", **{**report, "missing": len(report["missing"])}))
        for case, reason in exempt.items():
            print(words("conformance", "exempt", case=case, reason=reason))
        for case in report["missing"]:
            print(words("conformance", "missing", case=case))
    for test, case in unknown:
        print(words("conformance", "unknown", test=test, case=case), file=sys.stderr)
    return 1 if report["missing"] or unknown else 0


def conformance(
    folder: Folder, game_id: str, tests: Path
) -> tuple[dict[str, Any], dict[str, str], list[tuple[str, str]]]:
    """Every case of the index against the marks of the tests and the list of exemptions: the report, the
    exemptions in use with their reasons, and the marks that name a case the book does not have. Cases still
    to come, if a game lists some, are cases of the book that nothing is asked of yet."""
    cases = [row.text("case") for row in read_table(folder, "cases.csv", ("case", "title"), ("case",))]
    exempt = {}
    if (folder.base / "exempt.csv").is_file():
        for row in read_table(folder, "exempt.csv", ("case", "reason"), ("case",)):
            if row.text("case") not in cases:
                raise row.error(f"case {row.text('case')} is not in cases.csv")
            exempt[row.text("case")] = row.text("reason")
    marked: dict[str, list[str]] = {}
    for path in sorted(tests.rglob("test_*.py")):
        for test, game, case in marks(path):
            if game == game_id:
                marked.setdefault(case, []).append(f"{path.relative_to(tests)}::{test}")
    in_use = {case: reason for case, reason in exempt.items() if case not in marked}
    report = {
        "game": game_id,
        "cases": len(cases),
        "tested": sum(case in marked for case in cases),
        "exempt": len(in_use),
        "missing": [case for case in cases if case not in marked and case not in exempt],
    }
    to_come: list[str] = []
    if (folder.base / "to_come.csv").is_file():
        to_come = [
            row.text("case") for row in read_table(folder, "to_come.csv", ("case",), ("case",), more=True)
        ]
        report["to_come"] = len(to_come)
    known = {*cases, *to_come}
    unknown = [(test, case) for case, found in marked.items() if case not in known for test in found]
    return report, in_use, unknown


def marks(path: Path) -> Iterator[tuple[str, str, str]]:
    """(test, game, case) for every mark in a file of tests. The file is read, not run."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("test"):
            continue
        for decorator in node.decorator_list:
            if not isinstance(decorator, ast.Call) or _name(decorator.func) != MARK:
                continue
            words = [a.value for a in decorator.args if isinstance(a, ast.Constant)]
            for case in words[1:]:
                yield node.name, str(words[0]), str(case)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
