"""Play the games of the corpus anew: `python tools/corpus.py [game ...]`.

The corpus is what rules and data did when it was made. Do this only when they were meant to change. Positions
that differ for the same answers are another version of the rules: `tests/corpus/ledger.toml` has the digest
of each version's corpus, and one that is settled (released, or handed on) cannot be written again. Raise the
game's `rules_version` first; a game of the version before is then kept in `tests/corpus/past`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tomllib
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

from grognard.kernel import Match
from grognard.kernel.registry import load_game
from grognard.players import seat

CORPUS = Path(__file__).resolve().parents[1] / "tests" / "corpus"
LEDGER = CORPUS / "ledger.toml"
GAMES = {
    "leningrad": [("random", "random"), ("greedy", "random"), ("random", "greedy"), ("greedy", "greedy")],
    "a_victory_lost": [("random", "random"), ("random", "random")],
    "stalingrad_roads": [("random", "random"), ("random", "random"), ("random", "random")],
    "typhoon": [("random", "random"), ("random", "random")],
    "second_front": [("random", "random"), ("greedy", "greedy"), ("random", "random")],
}
SCENARIOS = {
    "stalingrad_roads": ("wintergewitter", "uranus", "backhand"),
    "typhoon": ("learning", "yelets"),
    "second_front": ("sicily", "sicily", "gustav"),
}
"""The scenarios of a game's corpus in turn; for other games their first."""
HEAD = """\
# The digest of each version's corpus: every answer of its games, and the position at their end. A version
# that is settled is never written again: whoever changes what it does raises the game's rules_version
# (tools/corpus.py).
"""

Ledger = dict[str, dict[str, dict[str, Any]]]


def digest(saves: Iterable[str]) -> str:
    """What the rules did in some games: answers, dice and the last position; not the names of files."""
    total = hashlib.sha256()
    for text in sorted(saves):
        save = json.loads(text)
        told = [save[key] for key in ("game", "rules", "scenario", "seed", "actions", "hash")]
        total.update(json.dumps(told).encode())
    return total.hexdigest()[:32]


def saves_of(game: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((CORPUS / game).glob("*.json"))]


def read_ledger() -> Ledger:
    return tomllib.loads(LEDGER.read_text(encoding="utf-8")) if LEDGER.exists() else {}


def write_ledger(ledger: Ledger) -> None:
    lines = [HEAD]
    for game, versions in ledger.items():
        for version, entry in versions.items():
            lines.append(f'[{game}."{version}"]')
            lines.append(f'digest = "{entry["digest"]}"')
            lines.append(f"settled = {str(entry['settled']).lower()}\n")
    LEDGER.write_text("\n".join(lines), encoding="utf-8")


def record(ledger: Ledger, game: str, rules: str, saves: Iterable[str]) -> None:
    """Note what a version of the rules does; a settled one does what it did."""
    found = digest(saves)
    versions = ledger.setdefault(game, {})
    known = versions.get(rules)
    if known is not None and known["settled"] and known["digest"] != found:
        raise SystemExit(f"{game}: version {rules} of the rules is settled and now plays otherwise; raise it")
    versions[rules] = {"digest": found, "settled": known is not None and known["settled"]}


def play_anew(game_id: str, pairs: list[tuple[str, str]]) -> dict[str, str]:
    """The corpus of a game as the rules play it now, by file name."""
    game = load_game(game_id)
    scenarios = SCENARIOS.get(game_id) or (next(iter(game.scenarios)),)
    found = {}
    for number, names in enumerate(pairs, 1):
        seed = f"corpus-{number}"
        match = Match(game, scenarios[(number - 1) % len(scenarios)], seed=seed)
        players = [seat(name, f"{seed}/{side}") for name, side in zip(names, game.sides, strict=True)]
        guesses = Random(seed)
        while (side := game.actor(match.state)) is not None:
            shown = game.imagine(match.state, side, guesses)
            reason = match.act(side, players[side].choose(game, shown, side))
            assert reason is None, reason
        found[f"{number}-{'-'.join(names)}.json"] = match.save()
        print(game_id, number, len(match.journal), game.outcome(match.state))
    return found


def keep_past(game: str, rules: str) -> None:
    """Keep a game of the version before, if the rules are of another."""
    first = min((CORPUS / game).glob("*.json"), default=None)
    if first is None:
        return
    before = json.loads(first.read_text(encoding="utf-8"))["rules"]
    if before != rules:
        kept = CORPUS / "past" / game / f"{before}.json"
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(first, kept)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="game", help="those to play anew; all, if none is named")
    parser.add_argument(
        "--settle", action="store_true", help="only note that the versions in use are settled"
    )
    options = parser.parse_args()
    ledger = read_ledger()
    for game in options.games or GAMES:
        rules = load_game(game).rules_version
        if options.settle:
            record(ledger, game, rules, saves_of(game))
            ledger[game][rules]["settled"] = True
            continue
        played = play_anew(game, GAMES[game])
        record(ledger, game, rules, played.values())
        keep_past(game, rules)
        folder = CORPUS / game
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in played.items():
            (folder / name).write_text(text, encoding="utf-8")
    write_ledger(ledger)


if __name__ == "__main__":
    main()
