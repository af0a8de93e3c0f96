"""The house: imports point downwards, nothing is deep-copied, and every code has its words."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

import grognard
from grognard.files import Folder
from grognard.kernel.registry import game_ids, load_game
from grognard.kernel.text import LANGUAGES, Catalogue, placeholders

SOURCE = Path(grognard.__file__).parent

CORE = {"hexes", "files", "board", "kernel", "mechanics"}
MAY_IMPORT: dict[str, set[str]] = {
    "hexes": set(),
    "files": set(),
    "board": {"hexes", "files"},
    "kernel": {"hexes", "files", "board"},
    "mechanics": {"hexes", "files", "board", "kernel"},
    "staff": CORE,
    "games": CORE | {"staff"},
    # Maps are made with it; nobody needs it to play.
    "atlas": {"hexes", "files", "board"},
    # These find games through the registry, so that a game may come in a package of its own.
    "players": CORE,
    "lab": CORE | {"staff", "players"},
    "envs": CORE | {"players"},
    "server": CORE | {"players"},
    "cli": CORE | {"players", "lab", "envs", "server", "atlas"},
}
NOT_A_GAME = "grognard.games.listing"
"""Lists what is installed, by name; the doors may ask it."""
WITHOUT_DEPENDENCIES = CORE | {"staff", "games", "players"}
MODULES = sorted(SOURCE.rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def name_of(path: Path) -> str:
    return ".".join(("grognard", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


def room(module: str) -> str:
    """The second part of a module's name; the package itself has none."""
    return module.split(".")[1] if "." in module else ""


def imports(path: Path, at_once: bool = False) -> Iterator[tuple[int, str]]:
    """Every module named by an import, wherever it stands in a file, with its line. `at_once`: only those
    that importing the file loads."""
    for node in tree(path).body if at_once else ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}:{node.lineno}: relative imports hide the direction"
            assert node.module is not None
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def test_every_room_is_known() -> None:
    assert {room(name_of(path)) for path in MODULES} - {""} <= MAY_IMPORT.keys()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_downwards(path: Path) -> None:
    here = room(name_of(path))
    if not here:
        return
    for line, module in imports(path):
        if module.split(".")[0] != "grognard" or room(module) in ("", here, "__version__"):
            continue
        if module.startswith(NOT_A_GAME) and here in ("server", "cli", "lab"):
            continue
        assert room(module) in MAY_IMPORT[here], f"{path.name}:{line}: {here} imports {module}"


@pytest.mark.parametrize("path", [p for p in MODULES if room(name_of(p)) == "games"], ids=name_of)
def test_a_game_imports_no_other_game(path: Path) -> None:
    parts = name_of(path).split(".")
    for line, module in imports(path):
        other = module.split(".")
        if other[:2] == ["grognard", "games"] and len(other) > 2 and len(parts) > 2:
            assert other[2] == parts[2], f"{path.name}:{line}: imports {module}"


def test_the_kernel_stays_small() -> None:
    lines = sum(p.read_text(encoding="utf-8").count("\n") for p in MODULES if room(name_of(p)) == "kernel")
    assert lines < 3000


ALIKE = 10
"""So many lines in a row may stand in two games, imports apart. More belong to `mechanics/`."""


@cache
def runs_of(game: Path) -> dict[tuple[str, ...], str]:
    """Every run of one line more than that in a game's source, the game's own names left out; where it is."""
    own = re.compile(rf"{game.name}|{game.name.replace('_', '')}|Leningrad|Victory|Roads|Typhoon|Europa")
    found = {}
    for path in sorted(game.rglob("*.py")):
        nodes = [n for n in ast.walk(tree(path)) if isinstance(n, ast.Import | ast.ImportFrom)]
        imported = {line for node in nodes for line in range(node.lineno, (node.end_lineno or 0) + 1)}
        source = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        lines = [own.sub("", line).strip() for n, line in source if line.strip() and n not in imported]
        for n in range(len(lines) - ALIKE):
            found[tuple(lines[n : n + ALIKE + 1])] = f"{path.relative_to(SOURCE)}: {lines[n]}"
    return found


GAMES = sorted(p for p in (SOURCE / "games").iterdir() if (p / "game.toml").is_file())


@pytest.mark.parametrize(("one", "other"), list(combinations(GAMES, 2)), ids=lambda p: p.name)
def test_no_long_run_of_like_lines_stands_in_two_games(one: Path, other: Path) -> None:
    alike = runs_of(one).keys() & runs_of(other).keys()
    assert not alike, "\n".join(f"{runs_of(one)[run]} / {runs_of(other)[run]}" for run in sorted(alike))


@pytest.mark.parametrize("game", ["leningrad", "a_victory_lost"])
def test_a_game_says_what_it_knows_in_few_lines(game: str) -> None:
    """How it is planned and played is the staff room's."""
    folder = SOURCE / "games" / game / "staff"
    assert sum(p.read_text(encoding="utf-8").count("\n") for p in folder.glob("*.py")) <= 450


@pytest.mark.parametrize(
    "path",
    [p for p in MODULES if room(name_of(p)) in ("kernel", "mechanics", "staff", "server")],
    ids=name_of,
)
def test_functions_can_be_taken_in_at_a_glance(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            length = node.end_lineno - node.lineno + 1
            assert length <= 60, f"{path.name}:{node.lineno}: {node.name} has {length} lines"


def test_no_choice_between_two_calls_stands_alone() -> None:
    """PyPy 7.3.19 compiles a conditional expression wrongly that is a statement of its own."""
    found = [
        f"{path.name}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.IfExp)
    ]
    assert not found


DOORS = ("players", "server", "cli", "lab", "envs")


@cache
def verbs_of_all_games() -> frozenset[str]:
    return frozenset(verb for id_ in game_ids() for verb in load_game(id_).verbs())


@pytest.mark.parametrize("path", [p for p in MODULES if room(name_of(p)) in DOORS], ids=name_of)
def test_a_door_knows_no_verb(path: Path) -> None:
    """No action is spelled out, and none is compared with a verb: doors go by roles."""
    types = {id(node.slice) for node in ast.walk(tree(path)) if isinstance(node, ast.Subscript)}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Tuple) and node.elts and id(node) not in types:
            words = node.elts[:1]
        elif isinstance(node, ast.Compare) and any(map(_is_first_part, (node.left, *node.comparators))):
            words = [part for part in ast.walk(node) if isinstance(part, ast.Constant)]
        else:
            continue
        said = {word.value for word in words if isinstance(word, ast.Constant)} & verbs_of_all_games()
        assert not said, f"{path.name}:{node.lineno}: knows the verbs {said}"


def _is_first_part(node: ast.expr) -> bool:
    """`action[0]`"""
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == 0


@pytest.mark.parametrize("path", [p for p in MODULES if room(name_of(p)) not in ("", "kernel")], ids=name_of)
def test_only_the_kernel_handles_frames(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute) and node.attr == "frames":
            raise AssertionError(f"{path.name}:{node.lineno}: reaches into the agenda")


@pytest.mark.parametrize(
    "path", [p for p in MODULES if room(name_of(p)) in WITHOUT_DEPENDENCIES], ids=name_of
)
def test_the_rules_need_python_alone(path: Path) -> None:
    for line, module in imports(path, at_once=True):
        top = module.split(".")[0]
        assert top in sys.stdlib_module_names or top == "grognard", f"{path.name}:{line}: imports {module}"


def test_playing_does_not_load_the_atlas() -> None:
    program = (
        "import sys, grognard.cli.main, grognard.players\n"
        "from grognard.kernel.registry import load_game\n"
        "load_game('leningrad')\n"
        "print([m for m in sys.modules if m.startswith(('grognard.atlas', 'shapely', 'pyproj'))])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_masks_are_shifted_where_decision_2_says() -> None:
    decision = SOURCE.parents[1] / "docs" / "decisions" / "0002-bit-boards.md"
    cost = decision.read_text(encoding="utf-8").split("**Cost.**")[1].split("a test")[0]
    shifting = re.compile(r"(<<|>>) -?step\b")
    found = {str(p.relative_to(SOURCE)) for p in MODULES if shifting.search(p.read_text(encoding="utf-8"))}
    assert found == set(re.findall(r"`([\w/]+\.py)`", cost))


WRITES_POSITIONS = "grognard.files.dumps"
"""Positions are kept as bytes there, and read again by a reader that knows positions only."""


@pytest.mark.parametrize("path", [p for p in MODULES if name_of(p) != WRITES_POSITIONS], ids=name_of)
def test_nothing_is_deep_copied(path: Path) -> None:
    for node in ast.walk(tree(path)):
        names = {
            getattr(node, "id", None),
            getattr(node, "attr", None),
            *(alias.name for alias in getattr(node, "names", []) if isinstance(alias, ast.alias)),
        }
        assert not names & {"deepcopy", "pickle"}, f"{path.name}:{getattr(node, 'lineno', 0)}"


# Words


class Said(NamedTuple):
    """A refusal or an event as the source gives it."""

    section: str
    code: str
    facts: frozenset[str] | None
    """None if they cannot be told from the source."""
    place: str


def said(path: Path) -> Iterator[Said]:
    """refusal("code", "case", fact=...), Refusal("code", "case", {...}), emit("kind", "case", fact=...)."""
    for node in ast.walk(tree(path)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
        first = node.args[0]
        section = {"refusal": "refusals", "Refusal": "refusals", "emit": "events"}.get(str(called))
        if section is None or not isinstance(first, ast.Constant) or not isinstance(first.value, str):
            continue
        facts: frozenset[str] | None
        if called == "Refusal":
            given = node.args[2] if len(node.args) > 2 else None
            keys = given.keys if isinstance(given, ast.Dict) else [None]
            known = [k.value for k in keys if isinstance(k, ast.Constant)]
            facts = frozenset(map(str, known)) if len(known) == len(keys) else None
        elif any(keyword.arg is None for keyword in node.keywords):
            facts = None
        else:
            facts = frozenset(str(k.arg) for k in node.keywords) - {"audience"}
        yield Said(section, first.value, facts, f"{name_of(path)}:{node.lineno}")


def spoken_in(folder: Path) -> list[Said]:
    return [found for path in sorted(folder.rglob("*.py")) for found in said(path)]


GAMES = [folder.parent.parent for folder in sorted(SOURCE.glob("games/*/text/messages.toml"))]


def sentences(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    for section in ("refusals", "events", "prompts", "words", "shifts"):
        yield from ((section, code) for code in catalogue.codes(section))


def check_words(catalogue: Catalogue, spoken: list[Said]) -> None:
    assert spoken
    dumb = [f"{s.place}: {s.section}.{s.code}" for s in spoken if not catalogue.has(s.section, s.code)]
    assert not dumb, "codes without a sentence: " + ", ".join(dumb)
    for one in spoken:
        for language in LANGUAGES:
            wanted = placeholders(catalogue.template(one.section, one.code, language))
            assert wanted is not None
            if one.facts is not None:
                lacking = wanted - one.facts
                assert not lacking, f"{one.place}: {one.code} ({language}) wants {sorted(lacking)}"


def test_what_the_kernel_and_the_doors_say_has_its_words() -> None:
    rooms = ("kernel", "mechanics", "players", "lab", "server", "cli")
    check_words(Catalogue(), [s for r in rooms for s in spoken_in(SOURCE / r)])
    for kind in ("hex", "unit", "place"):
        assert Catalogue().has("refusals", f"unknown-{kind}")


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: str(folder.name))
def test_what_a_game_says_has_its_words(folder: Path) -> None:
    check_words(Catalogue((Folder(folder), "text/messages.toml")), spoken_in(folder))


@pytest.mark.parametrize("folder", [None, *GAMES], ids=lambda folder: folder.name if folder else "kernel")
def test_both_languages_mention_the_same_facts(folder: Path | None) -> None:
    catalogue = Catalogue(*([(Folder(folder), "text/messages.toml")] if folder else []))
    found = list(sentences(catalogue))
    assert found
    for section, code in found:
        english, french = (catalogue.template(section, code, language) for language in ("en", "fr"))
        assert placeholders(english) == placeholders(french), f"{section}.{code}"
        assert english.strip() == english != ""
        assert french.strip() == french != ""


@pytest.mark.parametrize("id_", game_ids())
def test_every_decision_of_a_game_has_a_prompt_and_every_step_a_case(id_: str) -> None:
    game = load_game(id_)
    for procedure in game.procedures.values():
        assert procedure.case
        for step in procedure.steps.values():
            assert step.case, f"{procedure.name}/{step.label}"
            if step.decision is not None:
                assert step.decision.case
                assert all(game.catalogue.has("prompts", code) for code in step.decision.prompts)
