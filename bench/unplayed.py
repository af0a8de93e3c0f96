"""What games do not reach: functions of a game's rules that no game enters, verbs that nobody answers with,
events that never happen.

python -m bench.unplayed typhoon --players random,random --games 3 --store ../reached.json

With `--store` what was reached is kept and added to by the next run, so that players and scenarios can be
tried one after the other. A function is entered if any of its code runs.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from random import Random
from time import process_time
from types import CodeType, FrameType
from typing import Any

from grognard.kernel.actions import Event
from grognard.kernel.registry import load_game
from grognard.players import seat


def home(id_: str) -> Path:
    """The folder of a game."""
    found = find_spec(f"grognard.games.{id_}")
    assert found is not None and found.origin is not None
    return Path(found.origin).parent


def functions(folder: Path) -> dict[str, str]:
    """Functions and methods of a game's rules: their names, by file and line."""
    found: dict[str, str] = {}
    for path in sorted((folder / "rules").rglob("*.py")):
        module = f"rules.{path.stem}"

        def walk(node: ast.AST, owner: str, path: Path = path) -> None:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.FunctionDef):
                    first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                    found[f"{path}:{first}"] = f"{owner}.{child.name}"
                    walk(child, f"{owner}.{child.name}")
                elif isinstance(child, ast.ClassDef):
                    walk(child, f"{owner}.{child.name}")

        walk(ast.parse(path.read_text("utf-8")), module)
    return found


def watch(folder: Path, entered: set[CodeType]) -> None:
    """Notes every function of a folder's rules as it is entered."""
    inside = str(folder / "rules")
    names: dict[str, bool] = {}

    def called(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code not in entered:
            file = code.co_filename
            if names.setdefault(file, file.startswith(inside)):
                entered.add(code)

    sys.setprofile(called)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", action="append", help="default: random,random")
    parser.add_argument("--scenario", action="append")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", default="unplayed")
    parser.add_argument("--store", type=Path)
    asked = parser.parse_args()
    game, folder = load_game(asked.game), home(asked.game)
    known = functions(folder)
    entered: set[CodeType] = set()
    verbs: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    watch(folder, entered)
    for scenario in asked.scenario or game.scenarios:
        for pair in asked.players or ["random,random"]:
            for number in range(asked.games):
                began = process_time()
                seed = f"{asked.seed}-{number}"
                play(game, seed, pair.split(","), scenario, verbs, kinds)
                print(f"{scenario} {pair} {seed}: {process_time() - began:.0f} s", flush=True)
    sys.setprofile(None)
    places = {f"{code.co_filename}:{code.co_firstlineno}" for code in entered}
    reached = {known[place] for place in places if place in known}
    report(game, known, reached, verbs, kinds, asked.store)


def play(
    game: Any, seed: str, names: list[str], scenario: str, verbs: Counter[str], kinds: Counter[str]
) -> None:
    """One game, with its answers and events counted."""
    log: list[Event] = []
    state = game.start(scenario, log=log)
    random = Random(f"{seed}/imagine")
    seats = [seat(name, f"{seed}/{side}") for side, name in zip(game.sides, names, strict=True)]
    verbs.update(action[0] for action in game.settle(state, seed))
    while (side := game.actor(state)) is not None:
        shown = game.imagine(state, side, random) if seats[side].looks else state
        answer = seats[side].choose(game, shown, side)
        verbs[answer[0]] += 1
        game.apply(state, answer, side)
        verbs.update(action[0] for action in game.settle(state, seed))
        kinds.update(event.kind for event in log)
        log.clear()


def report(
    game: Any,
    known: dict[str, str],
    reached: set[str],
    verbs: Counter[str],
    kinds: Counter[str],
    store: Path | None,
) -> None:
    if store is not None:
        old = json.loads(store.read_text()) if store.exists() else {"reached": [], "verbs": {}, "kinds": {}}
        reached |= set(old["reached"])
        verbs += Counter(old["verbs"])
        kinds += Counter(old["kinds"])
        store.write_text(json.dumps({"reached": sorted(reached), "verbs": verbs, "kinds": kinds}, indent=1))
    missing = sorted(set(known.values()) - reached)
    print(f"{len(reached)} of {len(known)} functions entered; not: {' '.join(missing) or 'none'}")
    steps = [step for procedure in game.procedures.values() for step in procedure.steps.values()]
    words = {verb for step in steps if step.decision is not None for verb in step.decision.verbs}
    print("verbs:", dict(verbs.most_common()), "not:", *sorted(words - set(verbs)))
    told = set(game.catalogue.codes("events"))
    print("events:", dict(kinds.most_common()), "not:", *sorted(told - set(kinds)))


if __name__ == "__main__":
    main()
