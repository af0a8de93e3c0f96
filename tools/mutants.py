"""Break the rules of a game in small ways and see whether its tests notice: `python tools/mutants.py GAME`.

Every module of the game's `rules` folder is broken in one place at a time: a comparison, a boolean
operator, a number, a condition, a branch, an early return, a statement. The game's tests that carry a case
(and so promise to fail when it is broken), or all of them with `--all-tests`, are collected once; each break
runs in a forked copy of that process, first the tests that noticed other breaks of the same function, then
those whose case is named near the broken line, then the others that reach it, quick ones first (at first
they alone, in copies of a process where their small maps are made already), up to the first failure or
until `--seconds` of the processor have passed. The files of the tree are never changed.

A break that no test notices survives. It is listed by module, line and case. If it changes nothing (the same
answer in every position), tests/games/GAME/mutants.toml says so with a reason:

    [[survivor]]
    where = "movement.py MoveStack.options"
    before = "if stack.units:"
    after = "if not stack.units:"
    reason = "..."

At most two in a hundred may survive without a reason. Results are kept in build/mutants/GAME.json, so that a
run can be interrupted and goes on where it was; what was noticed, and what survived with a reason, is tried
again only when its module changes.

With `--library` the parts that games share (mechanics/) are broken instead, by the tests of one game at a
time: what that game does not use, they do not notice.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import hashlib
import importlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
import types
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

ROOT = Path(__file__).resolve().parents[1]
ALLOWED = 0.02
"""The share of breaks that may survive without a reason."""
NOTICED = ("noticed", "killed")
"""How the word about a break begins that some test has noticed."""
PATIENCE = 5.0
"""Seconds of the processor that a test of a break may take beyond five times what it takes unbroken."""
MEMORY = 4 << 30
QUICK = 0.3
"""Seconds of the processor: a test that takes less is quick."""

Key: TypeAlias = tuple[str, str, str]
"""(module and function, statement before, statement after)."""
Change: TypeAlias = Callable[[Any], ast.AST]
"""Turns a node of a tree, which it may change, into what takes its place."""

# The breaks


@dataclass(frozen=True)
class Mutant:
    """One small break of one module."""

    module: str
    """File name within the rules folder."""
    function: str
    """Qualified name of the outermost function around it; nothing at the level of a module or a class."""
    line: int
    block: int
    """The first line of the block of statements that it stands in."""
    before: str
    after: str
    case: str
    """The case of the rulebook named nearest."""
    path: tuple[Any, ...] = field(repr=False)
    """Where in the tree of the module the break is."""
    change: Change = field(repr=False)

    def tree(self, source: str) -> ast.Module:
        """The module with the break in it."""
        found = ast.parse(source)
        _put(found, self.path, self.change(_get(found, self.path)))
        return ast.fix_missing_locations(found)

    @property
    def where(self) -> str:
        return f"{self.module} {self.function}".strip()

    @property
    def key(self) -> Key:
        return self.where, self.before, self.after


RELATIONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
TWINS = {"any": "all", "all": "any", "min": "max", "max": "min"}
STATEMENT_LISTS = ("body", "orelse", "finalbody")
CASE = re.compile(r"\b\d{1,2}\.\d{1,2}(?:\.\d{1,2})?\b")


def breaks_of(node: ast.AST, index: bool) -> Iterator[Change]:
    """Ways to break one expression. `index` says that it is the place of something in a list."""
    if isinstance(node, ast.Compare):
        for place, relation in enumerate(node.ops):
            for other in RELATIONS[type(relation)]:

                def relate(n: Any, place: int = place, other: type[ast.cmpop] = other) -> ast.AST:
                    n.ops[place] = other()
                    return n  # type: ignore[no-any-return]

                yield relate
    elif isinstance(node, ast.BoolOp):

        def exchange(n: Any) -> ast.AST:
            n.op = ast.Or() if isinstance(n.op, ast.And) else ast.And()
            return n  # type: ignore[no-any-return]

        yield exchange
        for place in range(len(node.values)):

            def leave_out(n: Any, place: int = place) -> ast.AST:
                rest = [value for i, value in enumerate(n.values) if i != place]
                return rest[0] if len(rest) == 1 else ast.BoolOp(n.op, rest)

            yield leave_out
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert | ast.USub):
        yield lambda n: n.operand  # type: ignore[attr-defined]
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield lambda n: ast.Constant(not n.value)  # type: ignore[attr-defined]
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        # The last of a list in place of the first is often the same one.
        for change in (1,) if index and not node.value else (1, -1):
            yield lambda n, change=change: ast.Constant(n.value + change)  # type: ignore[misc]
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:

        def operate(n: Any) -> ast.AST:
            n.op = OPERATORS[type(n.op)]()
            return n  # type: ignore[no-any-return]

        yield operate
    elif isinstance(node, ast.IfExp):

        def swap(n: Any) -> ast.AST:
            n.body, n.orelse = n.orelse, n.body
            return n  # type: ignore[no-any-return]

        yield swap
    elif isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):

            def admit(n: Any, place: int = place) -> ast.AST:
                del n.ifs[place]
                return n  # type: ignore[no-any-return]

            yield admit
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TWINS:

        def twin(n: Any) -> ast.AST:
            n.func.id = TWINS[n.func.id]
            return n  # type: ignore[no-any-return]

        yield twin


def statement_breaks_of(node: ast.stmt, last: bool) -> Iterator[Change]:
    """Ways to break a whole statement. `last` says that nothing of its function comes after it."""
    if isinstance(node, ast.If):
        if isinstance(node.test, ast.Compare) and len(node.test.ops) == 1:
            return  # its relation is turned round already
        if isinstance(node.test, ast.UnaryOp):
            return

        def turn_round(n: Any) -> ast.AST:
            n.test = ast.UnaryOp(ast.Not(), n.test)
            return n  # type: ignore[no-any-return]

        yield turn_round
        return
    removable = (
        (isinstance(node, ast.Return) and not last)
        or isinstance(node, ast.Continue | ast.Break)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        or (isinstance(node, ast.AugAssign))
        or (
            isinstance(node, ast.Assign)
            and all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)
        )
    )
    if removable:
        yield lambda n: ast.Pass()


def bare_statement(node: ast.stmt) -> Any:
    """A statement without the statements inside it."""
    bare: Any = copy.copy(node)
    for name in STATEMENT_LISTS:
        if getattr(bare, name, None):
            setattr(bare, name, [ast.Pass()] if name == "body" else [])
    if hasattr(bare, "decorator_list"):
        bare.decorator_list = []
    return bare


def header(bare: ast.AST) -> str:
    text = ast.unparse(ast.fix_missing_locations(bare))
    return text.removesuffix("pass").rstrip() if hasattr(bare, "body") else text


def header_lines(node: ast.stmt) -> tuple[int, int]:
    inner = [s.lineno for name in STATEMENT_LISTS for s in getattr(node, name, [])[:1]]
    last = node.end_lineno or node.lineno
    return node.lineno, max(node.lineno, min([last, *(line - 1 for line in inner)]))


def mutants_of(module: str, source: str) -> list[Mutant]:
    """Every break of a module, in the order of its lines."""
    tree = ast.parse(source)
    lines = source.split("\n")
    found: list[Mutant] = []

    def visit(path: tuple[Any, ...], node: ast.stmt, function: str, scope: str, last: bool) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert) or _for_types_only(node):
            return
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring
        name = f"{scope}.{node.name}".strip(".") if hasattr(node, "name") else scope
        inside = function
        if isinstance(node, ast.FunctionDef):
            inside = function or name
        case = _case(lines, tree, node, path)
        for spot, expression in _expressions(node):
            for change in breaks_of(expression, index=spot[-1] == "slice"):
                add(path + spot, node, change, inside, case)
        for change in statement_breaks_of(node, last):
            add(path, node, change, inside, case)
        for list_name in STATEMENT_LISTS:
            statements = getattr(node, list_name, [])
            for place, statement in enumerate(statements):
                final = (last or isinstance(node, ast.FunctionDef)) and place == len(statements) - 1
                visit((*path, list_name, place), statement, inside, name, final and _falls_out(node))

    def add(
        path: tuple[Any, ...],
        node: ast.stmt,
        change: Change,
        function: str,
        case: str,
    ) -> None:
        bare = bare_statement(node)
        inside = path[_statement_depth(path) :]
        if inside:
            broken = copy.deepcopy(bare)
            _put(broken, inside, change(_get(broken, inside)))
        else:
            broken = change(copy.deepcopy(bare))
        after = "(removed)" if isinstance(broken, ast.Pass) else header(broken)
        block = _block(tree, path)
        found.append(Mutant(module, function, node.lineno, block, header(bare), after, case, path, change))

    for place, statement in enumerate(tree.body):
        visit(("body", place), statement, "", "", False)
    return found


def _for_types_only(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _falls_out(node: ast.stmt) -> bool:
    """Whether the end of this statement's body is followed by whatever follows the statement."""
    return isinstance(node, ast.FunctionDef | ast.If | ast.With)


def _expressions(node: ast.stmt) -> Iterator[tuple[tuple[Any, ...], ast.AST]]:
    """Every expression of a statement itself, with the path that leads to it."""

    def walk(path: tuple[Any, ...], inner: ast.AST) -> Iterator[tuple[tuple[Any, ...], ast.AST]]:
        if isinstance(inner, ast.keyword) and inner.arg == "strict":
            return  # says, like an assertion, what is true anyway
        yield path, inner
        for name, value in ast.iter_fields(inner):
            if name in ("annotation", "returns", "type_comment"):
                continue
            if isinstance(value, ast.AST):
                yield from walk((*path, name), value)
            elif isinstance(value, list):
                for place, item in enumerate(value):
                    if isinstance(item, ast.AST):
                        yield from walk((*path, name, place), item)

    for name, value in ast.iter_fields(node):
        if name in (*STATEMENT_LISTS, "annotation", "returns", "decorator_list", "bases", "keywords"):
            continue
        if isinstance(value, ast.AST):
            yield from walk((name,), value)
        elif isinstance(value, list):
            for place, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from walk((name, place), item)


def _get(tree: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        tree = tree[part] if isinstance(part, int) else getattr(tree, part)
    return tree


def _put(tree: Any, path: tuple[Any, ...], value: Any) -> None:
    holder, part = _get(tree, path[:-1]), path[-1]
    if isinstance(part, int):
        holder[part] = value
    else:
        setattr(holder, part, value)


def _block(tree: ast.Module, path: tuple[Any, ...]) -> int:
    """The first line of the list of statements in which the innermost statement on a path stands."""
    return int(_get(tree, path[: _statement_depth(path) - 1])[0].lineno)


def noting(tree: ast.Module, module: str) -> ast.Module:
    """The module with a call of __note__ in every function and at the head of every block."""

    def visit(node: ast.AST, function: str, scope: str) -> None:
        name = f"{scope}.{node.name}".strip(".") if hasattr(node, "name") else scope
        inside = function or (name if isinstance(node, ast.FunctionDef) else "")
        for list_name in STATEMENT_LISTS:
            statements = getattr(node, list_name, [])
            for statement in statements:
                visit(statement, inside, name)
            if inside and statements:
                first = statements[0]
                told = [f"{module}:{first.lineno}"]
                if isinstance(node, ast.FunctionDef):
                    told.append(f"{module} {inside}")
                calls = ast.parse("\n".join(f"__note__({place!r})" for place in told)).body
                for call in calls:
                    ast.copy_location(call, first)
                place = int(isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant))
                statements[place:place] = calls

    visit(tree, "", "")
    return ast.fix_missing_locations(tree)


def _statement_depth(path: tuple[Any, ...]) -> int:
    """How much of a path leads to the innermost statement on it."""
    depth = 0
    while depth + 1 < len(path) and path[depth] in STATEMENT_LISTS and isinstance(path[depth + 1], int):
        depth += 2
    return depth


def _case(lines: list[str], tree: ast.Module, node: ast.stmt, path: tuple[Any, ...]) -> str:
    """The case in a comment on the statement or just above it, or in the nearest docstring around it."""
    first, last = header_lines(node)
    comments = [line.partition("#")[2] for line in lines[max(0, first - 2) : last]]
    for text in reversed(comments):
        if match := CASE.search(text):
            return match[0]
    for depth in range(len(path), -1, -2):
        around = _get(tree, path[:depth])
        if isinstance(around, ast.Module | ast.ClassDef | ast.FunctionDef):
            match = CASE.search(ast.get_docstring(around) or "")
            if match:
                return match[0]
    return ""


# What breaks are left alone


def reasons(path: Path) -> dict[Key, str]:
    if not path.exists():
        return {}
    listed = tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", [])
    return {(row["where"], row["before"], row["after"]): row["reason"] for row in listed}


# The tests


class Runner:
    """A plugin of pytest that runs the collected tests once for each break, in forked processes."""

    def __init__(self, options: argparse.Namespace, folder: Path, results: Results) -> None:
        self.options = options
        self.folder = folder
        self.results = results
        self.sources = {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.py"))}
        """As they are when the run begins; somebody may go on working on them."""
        self.session: Any = None
        self.items: list[Any] = []
        self.failed: list[str] = []
        self.reached: dict[str, dict[str, str]] = {}
        """For each function and each first line of a block (movement.py:12), the tests that reach it, with
        the version of the rules in which they did."""
        self.versions: dict[str, dict[str, str]] = {}
        """The digests of the modules in each version."""
        self.seconds: dict[str, float] = {}
        self.cases: dict[str, set[str]] = {}
        self.functions: list[types.FunctionType] = []
        """Those of the rules."""
        self.started = time.monotonic()

    # pytest's hooks

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtestloop(self, session: Any) -> bool:
        self.session = session
        for item in session.items:
            cases = {mark.args[1] for mark in item.iter_markers("rule")}
            if cases or self.options.all_tests:
                self.items.append(item)
                self.cases[item.nodeid] = cases
        self.functions = _functions_in(self.folder)
        self._learn()
        mutants = [m for name in self.sources for m in self._mutants(name)]
        if self.options.survivors:
            mutants = [m for m in mutants if m.key in self.results.survivors()]
        if self.options.sample and self.options.sample < len(mutants):
            chosen = Random(self.options.seed).sample(range(len(mutants)), self.options.sample)
            mutants = [mutants[i] for i in sorted(chosen)]
        self.results.begin(mutants)
        self._try_quickly([m for m in mutants if not self.results.settled(m)])
        self._try_all([m for m in mutants if not self.results.settled(m)])
        return True

    def _mutants(self, name: str) -> list[Mutant]:
        wanted = self.options.modules
        if wanted and name not in wanted and name.removesuffix(".py") not in wanted:
            return []
        return mutants_of(name, self.sources[name])

    # Which tests reach which line

    def _learn(self) -> None:
        """Run the tests unbroken, in a forked process, and note the places of the rules that each reaches.
        What is known of a file of tests holds until that file or one that tests share changes."""
        kept = self.results.path.with_suffix(".reach.json")
        known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        folder = self.results.tests
        shared = [f for part in (folder, folder.parent) for f in part.glob("*.py") if "test_" not in f.name]
        files = {file.name: _digest([file, *shared]) for file in folder.glob("test_*.py")}
        held = {name for name, digest in files.items() if known.get("files", {}).get(name) == digest}
        earlier = known.get("tests", {})
        tests = {
            i.nodeid: earlier[i.nodeid] for i in self.items if i.path.name in held and i.nodeid in earlier
        }
        fresh = [item for item in self.items if item.nodeid not in tests or not tests[item.nodeid][1]]
        if fresh:
            kept.parent.mkdir(parents=True, exist_ok=True)
            child = os.fork()
            if not child:
                self._quiet()
                version = str(len(known.get("rules", {})))
                known["rules"] = known.get("rules", {}) | {version: self.results.digests}
                known["tests"] = tests | self._visit(fresh, version)
                kept.write_text(json.dumps(known | {"files": files}), encoding="utf-8")
                os._exit(0)
            if os.waitpid(child, 0)[1]:
                raise SystemExit("the tests could not be run unbroken")
            known = json.loads(kept.read_text(encoding="utf-8"))
            tests = known["tests"]
        self.versions = known["rules"]
        for nodeid, (seconds, _, version, places) in tests.items():
            self.seconds[nodeid] = seconds
            for place in places:
                self.reached.setdefault(place, {})[nodeid] = version
        if failed := [nodeid for nodeid, (_, passed, _, _) in tests.items() if not passed]:
            raise SystemExit("these tests fail without any break:\n  " + "\n  ".join(failed))

    def _visit(self, items: list[Any], version: str) -> dict[str, tuple[float, bool, str, list[str]]]:
        """Seconds, success and places of tests. Every block of statements notes that it is reached."""
        places: set[str] = set()
        for name, source in self.sources.items():
            file = self.folder / name
            if module := _loaded(file):
                module.__dict__["__note__"] = places.add
                _replace_code(self.functions, compile(noting(ast.parse(source), name), str(file), "exec"))
        found = {}
        for place, item in enumerate(items):
            places.clear()
            self.failed.clear()
            begun = time.process_time()
            self._run(item, items[place + 1] if place + 1 < len(items) else None)
            found[item.nodeid] = (time.process_time() - begun, not self.failed, version, sorted(places))
        return found

    def _tests_for(self, mutant: Mutant) -> list[Any]:
        """The tests that reach a break: those that have noticed another break of its function first, then
        those of its case, then the quick ones."""
        now = self.results.digests[mutant.module]
        names = set(self.reached.get(f"{mutant.module}:{mutant.block}", {}))
        for nodeid, version in self.reached.get(mutant.where, {}).items():
            if self.versions[version].get(mutant.module) != now:  # its lines were others then
                names.add(nodeid)
        if self._at_import(mutant):
            names = set(self.cases)

        proven = self.results.noticed_in(mutant.where)

        def rank(item: Any) -> tuple[int, bool, float]:
            near = mutant.case in self.cases[item.nodeid] and self.seconds[item.nodeid] < 1
            return -proven[item.nodeid], not near, self.seconds[item.nodeid]

        chosen, seconds = [], 0.0
        for item in sorted((i for i in self.items if i.nodeid in names), key=rank):
            if chosen and seconds > self.options.seconds:
                break
            chosen.append(item)
            seconds += self.seconds[item.nodeid]
        return chosen

    def _at_import(self, mutant: Mutant) -> bool:
        """Whether a break shows, if at all, while modules are read: it stands outside functions, or in one
        that no test reaches afterwards, such as the constructor of a question."""
        return not mutant.function or mutant.where not in self.reached

    # Trying

    def _try_quickly(self, mutants: list[Mutant]) -> None:
        """Try breaks on the quick tests alone, forked from a process that has run these once and so has made
        their small maps. What it has made may hide a break: only what is noticed counts, and all else is
        tried again by a process that has run nothing."""
        mutants = [m for m in mutants if not self._at_import(m)]
        if len(mutants) < 50:
            return  # not worth the first run of the quick tests
        child = os.fork()
        if not child:
            self._quiet()
            self.items = [item for item in self.items if self.seconds[item.nodeid] < QUICK]
            for place, item in enumerate(self.items):
                self._run(item, self.items[place + 1] if place + 1 < len(self.items) else None)
            gc.freeze()
            self._try_all(mutants, survivors=False)
            os._exit(0)
        os.waitpid(child, 0)
        self.results.read()

    def _try_all(self, mutants: list[Mutant], survivors: bool = True) -> None:
        at_work: dict[int, tuple[Mutant, int]] = {}
        waiting = list(mutants)
        while waiting or at_work:
            out_of_time = self.options.minutes and time.monotonic() - self.started > 60 * self.options.minutes
            if waiting and not out_of_time and len(at_work) < self.options.workers:
                mutant = waiting.pop(0)
                reader, writer = os.pipe()
                child = os.fork()
                if not child:
                    os.close(reader)
                    self._try(mutant, writer)
                os.close(writer)
                at_work[child] = mutant, reader
                continue
            if not at_work:
                break
            child, status = os.wait()
            mutant, reader = at_work.pop(child)
            with os.fdopen(reader) as pipe:
                told = pipe.read()
            if os.WIFSIGNALED(status):
                told = f"killed by signal {os.WTERMSIG(status)}"
            if survivors or told.startswith(NOTICED):
                self.results.note(mutant, told)
        self.results.write()

    def _try(self, mutant: Mutant, writer: int) -> None:
        """In a forked process: break the module, run the tests that reach it, and tell which one noticed."""
        tests = self._tests_for(mutant)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        self._be_patient(sum(self.seconds[item.nodeid] for item in tests))  # a fresh process inherits it
        self._quiet()
        told = "survived" if tests else "reached by no test"
        try:
            if tests:
                self._break(mutant)
            for place, item in enumerate(tests):
                self._be_patient(self.seconds[item.nodeid])
                self._run(item, tests[place + 1] if place + 1 < len(tests) else None)
                if self.failed:
                    told = f"noticed by {self.failed[0]}"
                    break
        except _SurvivedError:
            pass
        except BaseException as error:  # whatever a broken module does, it was noticed
            told = f"noticed by {type(error).__name__}"
        os.write(writer, told.encode())
        os._exit(0)

    def _be_patient(self, seconds: float) -> None:
        """Kill this process if what comes next takes far longer than it should: of the processor, not of the
        clock, since a machine may be busy."""
        limit = int(time.process_time() + PATIENCE + 5 * seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))

    def _break(self, mutant: Mutant) -> None:
        file = self.folder / mutant.module
        tree = mutant.tree(self.sources[mutant.module])
        if self._at_import(mutant):
            self._import_again(mutant, tree)
        else:
            _replace_code(self.functions, compile(tree, str(file), "exec"), mutant.function)

    def _import_again(self, mutant: Mutant, tree: ast.Module) -> None:
        """Such a break shows only in a fresh process, which reads the modules anew."""
        tests = [item.nodeid for item in self._tests_for(mutant)]
        module = _loaded(self.folder / mutant.module)
        assert module is not None
        with tempfile.TemporaryDirectory() as folder:
            broken = Path(folder) / mutant.module
            broken.write_text(ast.unparse(tree), encoding="utf-8")
            argv = [sys.executable, __file__, "--broken", module.__name__, str(broken), *tests]
            status = subprocess.run(argv, check=False).returncode
        if status:
            raise ImportError(mutant.where)
        raise _SurvivedError

    def _run(self, item: Any, following: Any) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    def _quiet(self) -> None:
        plugins = self.session.config.pluginmanager
        if reporter := plugins.get_plugin("terminalreporter"):
            plugins.unregister(reporter)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)


class _SurvivedError(Exception):
    """All tests of a fresh process have passed."""


def _loaded(file: Path) -> types.ModuleType | None:
    """The module that was read from a file."""
    return next((m for m in sys.modules.values() if getattr(m, "__file__", "") == str(file)), None)


def _functions_in(folder: Path) -> list[types.FunctionType]:
    """The functions that were read from the files of a folder."""
    all_ = (thing for thing in gc.get_objects() if isinstance(thing, types.FunctionType))
    return [function for function in all_ if Path(function.__code__.co_filename).parent == folder]


def _replace_code(functions: list[types.FunctionType], module: types.CodeType, name: str = "") -> None:
    """Give every function that runs the old code of this name, or of any, the new one."""
    codes = (c for c in _codes(module) if (c.co_qualname == name if name else "<" not in c.co_qualname))
    new = {(c.co_filename, c.co_qualname, c.co_firstlineno): c for c in codes}
    done = 0
    for function in functions:
        old = function.__code__
        code = new.get((old.co_filename, old.co_qualname, old.co_firstlineno))
        if code is not None:
            function.__code__ = code
            done += 1
    if name and not done:
        raise LookupError(f"no function {name} to break")


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _digest(files: list[Path]) -> str:
    found = hashlib.sha256()
    for file in sorted(files):
        found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()[:16]


# Results


class Results:
    """What became of each break, kept in a file."""

    def __init__(self, path: Path, folder: Path, tests: Path, again: bool) -> None:
        self.path = path
        self.tests = tests
        self.explained = reasons(tests / "mutants.toml")
        self.digests = {file.name: _digest([file]) for file in folder.glob("*.py")}
        self.known: dict[str, dict[str, Any]] = {}
        if again:
            path.unlink(missing_ok=True)
        self.read()
        self.mutants: list[Mutant] = []
        self.written = time.monotonic()

    def read(self) -> None:
        if self.path.exists():
            self.known = json.loads(self.path.read_text(encoding="utf-8"))

    def begin(self, mutants: list[Mutant]) -> None:
        self.mutants = mutants
        print(f"{len(mutants)} breaks, {sum(self.settled(m) for m in mutants)} of them settled before")

    @staticmethod
    def _name(mutant: Mutant) -> str:
        return " | ".join((f"{mutant.module}:{mutant.line}", mutant.before, mutant.after))

    def survivors(self) -> set[Key]:
        """What no test has noticed in earlier runs, wherever it stands now."""
        left = (k for k in self.known.values() if not k["told"].startswith(NOTICED))
        return {(known["where"], known["before"], known["after"]) for known in left}

    def noticed_in(self, where: str) -> Counter[str]:
        """How many breaks of a function each test was the first to notice."""
        told = (k["told"] for k in self.known.values() if k["where"] == where)
        return Counter(text.removeprefix("noticed by ") for text in told)

    def settled(self, mutant: Mutant) -> bool:
        known = self.known.get(self._name(mutant))
        if known is None or known["digest"] != self.digests[mutant.module]:
            return False
        return known["told"].startswith(NOTICED) or mutant.key in self.explained

    def note(self, mutant: Mutant, told: str) -> None:
        self.known[self._name(mutant)] = {
            "where": mutant.where,
            "line": mutant.line,
            "case": mutant.case,
            "before": mutant.before,
            "after": mutant.after,
            "told": told,
            "digest": self.digests[mutant.module],
        }
        if not told.startswith(NOTICED):
            mark = "  (reason known)" if mutant.key in self.explained else ""
            print(f"{mutant.module}:{mutant.line} [{mutant.case}] {told}{mark}", flush=True)
            print(f"    {mutant.before}\n    {mutant.after}", flush=True)
        if time.monotonic() - self.written > 20:
            self.write()

    def write(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(self.known, indent=1, ensure_ascii=False), encoding="utf-8")
        self.written = time.monotonic()

    def report(self) -> int:
        """Survivors by module, line and case; whether there are too many without a reason."""
        tried = [(m, self.known[self._name(m)]["told"]) for m in self.mutants if self._name(m) in self.known]
        left = [(m, told) for m, told in tried if not told.startswith(NOTICED)]
        unexplained = [(m, told) for m, told in left if m.key not in self.explained]
        print()
        for mutant, told in unexplained:
            print(f"{mutant.module}:{mutant.line} [{mutant.case}] {told}")
            print(f"    {mutant.before}\n    {mutant.after}")
        share = len(unexplained) / max(1, len(tried))
        print(
            f"\n{len(tried)} of {len(self.mutants)} breaks tried: {len(tried) - len(left)} noticed, "
            f"{len(left) - len(unexplained)} left with a reason, {len(unexplained)} without ({share:.1%})"
        )
        return int(share > ALLOWED)


def run_broken(module: str, source: str, tests: list[str]) -> int:
    """In a fresh process: run tests with one module read from another file."""
    import pytest

    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
            return importlib.util.spec_from_file_location(name, source) if name == module else None

    sys.meta_path.insert(0, Finder())
    return int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests]))


def main() -> int:
    if sys.argv[1:2] == ["--broken"]:
        return run_broken(sys.argv[2], sys.argv[3], sys.argv[4:])
    parser = argparse.ArgumentParser(
        description="Break the rules of a game and see whether its tests notice."
    )
    parser.add_argument("game")
    parser.add_argument(
        "--library", action="store_true", help="break what games share (mechanics/) instead of the rules"
    )
    parser.add_argument("--modules", nargs="*", default=[], help="only these modules of the rules")
    parser.add_argument(
        "--sample", type=int, default=0, help="so many breaks, drawn at random (default: all)"
    )
    parser.add_argument("--seed", default="1", help="which sample")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    parser.add_argument("--seconds", type=float, default=20, help="of tests for one break, about")
    parser.add_argument("--all-tests", action="store_true", help="not only the tests marked with a case")
    parser.add_argument("--minutes", type=float, default=0, help="begin nothing after so many minutes")
    parser.add_argument("--survivors", action="store_true", help="only what survived in earlier runs")
    parser.add_argument("--again", action="store_true", help="forget the results of earlier runs")
    options = parser.parse_args()

    import pytest
    from hypothesis.configuration import set_hypothesis_home_dir

    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    library = "grognard.mechanics" if options.library else ""
    package = importlib.import_module(library or f"grognard.games.{options.game}.rules")
    folder = Path(package.__path__[0])
    tests = ROOT / "tests" / "games" / options.game
    name = f"{options.game}-library.json" if library else f"{options.game}.json"
    results = Results(ROOT / "build" / "mutants" / name, folder, tests, options.again)
    with tempfile.TemporaryDirectory() as home:
        set_hypothesis_home_dir(home)
        runner = Runner(options, folder, results)
        status = pytest.main([str(tests), "-q", "-p", "no:cacheprovider"], plugins=[runner])
    if not results.mutants:
        return int(status) or 1
    return results.report()


if __name__ == "__main__":
    import importlib.abc
    import importlib.util

    sys.exit(main())
