"""Matches between players, with a count of the battles they fight. Can be stopped and taken up again.

    python -m bench.strength a_victory_lost --players regular,frozen --frozen ../frozen --games 40 --seed s \\
        --store ../matches --workers 2

A player is a name (`regular`), `frozen` or `frozen:greedy` (see bench/frozen.py), or a name with a folder of
own values (`regular@mine`: mine/<game>/doctrine.toml), of which only the doctrine may differ from the table's
data (`--overrides`). Sides are swapped in every second game, which is played with the same seed. Every answer
is checked by the rules.

Each line of a file is a game; games that are in it are not played again. With `--store` the file is found by
the match and by how its first game is played: a program that gives the same answers there adds to the games
of the one before, whatever has changed in its source; another one begins a file of its own. `--out` names a
file, and who names it answers for what is in it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from bench.frozen import Frozen

from grognard.games.listing import game_folder
from grognard.kernel import Game, Role
from grognard.kernel.registry import load_game
from grognard.kernel.table import DEAD
from grognard.lab.run import doctrine_digest, program
from grognard.players import seat


def play(
    game: Game[Any],
    games: list[Game[Any]],
    names: list[str],
    seed: str,
    scenario: str,
    frozen: list[Frozen | None],
    overrides: Path | None,
) -> dict[str, Any]:
    start = game.start(scenario)
    state = start.clone()
    game.settle(state, seed)
    seats: list[Any] = []
    for side, name in enumerate(names):
        if name.startswith("frozen"):
            guest = frozen[side]
            assert guest is not None
            guest.begin(game.id, overrides, scenario, seed, side, name.partition(":")[2] or "regular")
            seats.append(guest)
        else:
            seats.append(seat(name.partition("@")[0], f"{seed}/{game.sides[side]}"))
    random = Random(f"{seed}/imagine") if game.hidden_information else None
    attacks: list[Counter[int]] = [Counter(), Counter()]
    phases = [0, 0]
    steps = [0, 0]
    back = [0, 0]
    visited: list[dict[int, set[int]]] = [{}, {}]
    slowest = [0.0, 0.0]  # seconds of one core, the rules' own included; of a frozen player nothing is known
    thought: Counter[tuple[int, int]] = Counter()
    thinking, began = (0, 0), process_time()
    here: Any = None
    answers = hashlib.sha256()
    while (side := game.actor(state)) is not None:
        turn = game.turn(state)
        if (side, turn) != thinking:  # looking at this clock takes long enough not to do it at every answer
            since, began = began, process_time()
            thought[thinking] += began - since
            thinking = side, turn
        if isinstance(seats[side], Frozen):
            action = seats[side].choose(state)
        else:
            shown = state if random is None else game.imagine(state, side, random)
            action = seats[side].choose(games[side], shown, side)
        refusal = game.refuse(state, action, side)
        if refusal is not None:
            raise AssertionError(f"{seed}: {names[side]} answered {action}: {refusal}")
        answers.update(repr((side, action)).encode())
        role = game.role(action)
        now = (turn, game.phase_path(state), side)
        if now != here:
            here = now
            phases[side] += Role.TAKE in game.roles(game.options(state, side))
        if role is Role.COMMIT:
            attacks[side][turn] += 1
        if role is Role.STEP:
            unit = next((h for h in _in_hand(game, state)), -1)
            seen = visited[side].setdefault(unit, {state.where[unit]} if unit >= 0 else set())
            steps[side] += 1
            back[side] += action[1] in seen
            seen.add(action[1])
        for guest in seats:
            if isinstance(guest, Frozen):
                guest.told(action, side)
        game.apply(state, action, side)
        game.settle(state, seed)
    thought[thinking] += process_time() - began
    for (side, _), seconds in thought.items():
        slowest[side] = max(slowest[side], seconds)
    outcome = game.outcome(state)
    assert outcome is not None
    facts: dict[str, Any] = {
        "answers": answers.hexdigest()[:12],
        "winner": outcome.winner,
        "level": outcome.level,
        "turns": game.turn(state),
        "attacks": [dict(sorted(a.items())) for a in attacks],
        "phases": phases,
        "steps": steps,
        "back": back,
        "slowest": [round(s, 2) for s in slowest],
        "dead": _dead(game, start, state),
    }
    points = getattr(state, "points", None)
    if points is None or isinstance(points, int):  # worked out at the end, or one score, of one side
        points = [outcome.points.get(side, 0) for side in game.sides]
    facts["points"] = list(points)
    return facts


def _in_hand(game: Game[Any], state: Any) -> list[int]:
    hand = game.hand(state)
    return list(hand.units) if hand is not None else []


def _dead(game: Game[Any], start: Any, state: Any) -> dict[str, int]:
    """Units lost by side, nation and kind, and steps lost by side, as each side sees its own."""
    found: Counter[str] = Counter()
    for side, name in enumerate(game.sides):
        before = {unit["id"]: unit for unit in game.view(start, side)["table"]["units"]}
        for unit in game.view(state, side)["table"]["units"]:
            if unit["side"] != name:
                continue
            whole, dead = before.get(unit["id"], unit).get("steps", 1), unit["status"] == DEAD
            found[f"steps {name}"] += max(0, whole - (0 if dead else unit.get("steps", 1)))
            if dead:
                found[f"{unit.get('nation') or name} {unit['kind']}"] += 1
    return dict(sorted(found.items()))


_options: argparse.Namespace
_table: Any = None


def sit_down(options: argparse.Namespace) -> None:
    global _options, _table
    _options = options
    game = load_game(options.game, options.overrides)
    pair = options.players.split(",")
    own = [load_game(options.game, _doctrine(options, name)) if "@" in name else game for name in pair]
    _table = (game, pair, own)


def _doctrine(options: argparse.Namespace, name: str) -> Path:
    """The table's data with the player's own doctrine, in one folder."""
    from shutil import copytree
    from tempfile import mkdtemp

    folder = Path(mkdtemp(prefix="strength-"))
    if options.overrides:
        copytree(options.overrides, folder, dirs_exist_ok=True)
    copytree(name.partition("@")[2], folder, dirs_exist_ok=True)
    return folder


def one(number: int) -> dict[str, Any]:
    game, pair, own = _table
    order = (1, 0) if number % 2 else (0, 1)
    names = [pair[i] for i in order]
    frozen = [Frozen(_options.frozen) if n.startswith("frozen") else None for n in names]
    scenario = _options.scenario or next(iter(game.scenarios))
    # A player against itself has nothing to swap: every game has a seed of its own.
    deal = number // 2 if pair[0] != pair[1] else number
    try:
        found = play(
            game,
            [own[i] for i in order],
            names,
            f"{_options.seed}-{deal}",
            scenario,
            frozen,
            _options.overrides,
        )
    finally:
        for guest in frozen:
            if guest is not None:
                guest.close()
    return {"number": number, "names": names, **found}


def report(lines: list[dict[str, Any]], pair: list[str], sides: tuple[str, ...]) -> None:
    played = len(lines)
    score = wins = draws = 0.0
    by_side = Counter("nobody" if g["winner"] is None else sides[g["winner"]] for g in lines)
    for line in lines:
        mine = line["number"] % 2 if pair[0] != pair[1] else 0
        if line["winner"] is None:
            draws += 1
            score += 0.5
        elif line["winner"] == mine:
            wins += 1
            score += 1
    rate = score / played
    low, high = interval(score, played)
    print(f"{pair[0]} against {pair[1]}: {wins:.0f} won, {draws:.0f} drawn of {played}", end="; ")
    print(f"score {100 * rate:.0f} % (95 %: {100 * low:.0f} to {100 * high:.0f}); sides {dict(by_side)}")
    for seat_, side in enumerate(sides):
        mine = [g for g in lines if pair[0] != pair[1] and g["number"] % 2 == seat_]
        if mine:
            print(f"  {pair[0]} as {side}: {sum(g['winner'] == seat_ for g in mine)} of {len(mine)}")
        attacks = sum(sum(g["attacks"][seat_].values()) for g in lines) / played
        phases = sum(g["phases"][seat_] for g in lines) / played
        turns: Counter[str] = Counter()
        for g in lines:
            turns.update(g["attacks"][seat_])
        by_turn = [round(turns[t] / played, 1) for t in sorted(turns, key=int)]
        steps = sum(g["steps"][seat_] for g in lines)
        back = sum(g["back"][seat_] for g in lines)
        print(
            f"  {side}: attacks {attacks:.1f} a game in {phases:.1f} activations; by turn {by_turn}; "
            f"steps back {back}/{steps}; slowest turn {max(g['slowest'][seat_] for g in lines)} s"
        )
    both = sum(sum(sum(a.values()) for a in g["attacks"]) for g in lines)
    acts = sum(sum(g["phases"]) for g in lines)
    print(f"  attacks for each activation {both / max(1, acts):.2f}")
    dead: Counter[str] = Counter()
    for g in lines:
        dead.update(g["dead"])
    print("  lost a game:", {k: round(v / played, 1) for k, v in sorted(dead.items())})
    if all("points" in g for g in lines):
        margins = [g["points"][0] - g["points"][1] for g in lines]
        print(f"  margin {sum(margins) / played:.1f}")
        if pair[0] != pair[1]:
            # Both games of a seed together: what the sides are worth cancels out.
            own = [-m if g["number"] % 2 else m for g, m in zip(lines, margins, strict=True)]
            mean = sum(own) / played
            spread = math.sqrt(sum((m - mean) ** 2 for m in own) / max(1, played - 1) / played)
            low, high = mean - 1.96 * spread, mean + 1.96 * spread
            print(f"  margin of {pair[0]} {mean:.1f} (95 %: {low:.1f} to {high:.1f})")


def interval(won: float, games: int) -> tuple[float, float]:
    """Wilson's interval at 95 %."""
    z, p = 1.96, won / games
    middle = (p + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(p * (1 - p) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("--players", default="regular,regular")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--scenario")
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--out", type=Path, help="the file of the games")
    place.add_argument("--store", type=Path, help="a folder for the files of all matches")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--frozen", type=Path, help="the worktree of the frozen player")
    parser.add_argument("--overrides", type=Path)
    options = parser.parse_args()
    out = options.out or stored(options)
    lines = games_in(out)
    done = {line["number"] for line in lines}
    left = [n for n in range(options.games) if n not in done]
    with out.open("a") as file:
        for line in played(options, left):
            file.write(json.dumps(line) + "\n")
            file.flush()
    sides = load_game(options.game).sides
    lines = [game for game in games_in(out) if game["number"] < options.games]
    report(sorted(lines, key=lambda g: g["number"]), options.players.split(","), sides)


def played(options: argparse.Namespace, numbers: list[int]) -> Iterator[dict[str, Any]]:
    if options.workers == 1:
        sit_down(options)
        yield from map(one, numbers)
        return
    with multiprocessing.get_context("spawn").Pool(options.workers, sit_down, (options,)) as pool:
        yield from pool.imap_unordered(one, numbers)


def games_in(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]


def stored(options: argparse.Namespace) -> Path:
    """The file of a match in the store. How its first game is played is worked out once for each state of the
    source, the doctrine and the data."""
    options.store.mkdir(parents=True, exist_ok=True)
    match = "-".join((options.game, options.scenario or "first", options.players, options.seed))
    match = "".join(c if c.isalnum() else "-" for c in match)
    known = options.store / "programs.json"
    programs: dict[str, str] = json.loads(known.read_text()) if known.exists() else {}
    base, game = game_folder(options.game, options.overrides), load_game(options.game, options.overrides)
    own = [Path(name.partition("@")[2]) for name in options.players.split(",") if "@" in name]
    taught = [doctrine_digest(game_folder(options.game, folder)) for folder in (options.overrides, *own)]
    data = game.digest(options.scenario or next(iter(game.scenarios)))
    key = " ".join((match, program(base), data, *taught))
    if key not in programs:
        (first,) = played(argparse.Namespace(**{**vars(options), "workers": 1}), [0])
        programs[key] = first["answers"]
        known.write_text(json.dumps(programs, indent=1))
        path = options.store / f"{match}-{first['answers']}.jsonl"
        if not path.exists():
            path.write_text(json.dumps(first) + "\n")
    return Path(options.store / f"{match}-{programs[key]}.jsonl")


if __name__ == "__main__":
    main()
