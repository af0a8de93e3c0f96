"""Play the games of the corpus anew: `python tools/corpus.py`.

The corpus is what rules and data did when it was made. Do this only when they were meant to change; then
raise the game's rules_version if positions can differ for the same answers.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from grognard.kernel import Match
from grognard.kernel.registry import load_game
from grognard.players import seat

CORPUS = Path(__file__).resolve().parents[1] / "tests" / "corpus"
GAMES = {
    "leningrad": [("random", "random"), ("greedy", "random"), ("random", "greedy"), ("greedy", "greedy")],
    "a_victory_lost": [("random", "random"), ("random", "random")],
}


def main() -> None:
    for game_id, pairs in GAMES.items():
        game = load_game(game_id)
        for number, names in enumerate(pairs, 1):
            seed = f"corpus-{number}"
            match = Match(game, next(iter(game.scenarios)), seed=seed)
            players = [seat(name, f"{seed}/{side}") for name, side in zip(names, game.sides, strict=True)]
            guesses = Random(seed)
            while (side := game.actor(match.state)) is not None:
                shown = game.imagine(match.state, side, guesses)
                reason = match.act(side, players[side].choose(game, shown, side))
                assert reason is None, reason
            path = CORPUS / game_id / f"{number}-{'-'.join(names)}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(match.save(), encoding="utf-8")
            print(path.relative_to(CORPUS), len(match.journal), game.outcome(match.state))


if __name__ == "__main__":
    main()
