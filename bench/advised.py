"""Whole games played by advice alone: every piece of advice is legal, changes nothing and can be said.

python -m bench.advised leningrad --games 2
"""

from __future__ import annotations

import argparse
from time import process_time

from grognard.kernel import Match
from grognard.kernel.registry import load_game
from grognard.kernel.text import LANGUAGES
from grognard.players.advice import Suggester, suggestion_text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--scenario")
    asked = parser.parse_args()
    game = load_game(asked.game)
    for number in range(asked.games):
        began = process_time()
        match = Match(game, asked.scenario or next(iter(game.scenarios)), seed=f"advised-{number}")
        suggesters = [Suggester(game, side, f"advised-{number}") for side in range(len(game.sides))]
        while not match.over:
            side = game.actor(match.state)
            assert side is not None
            before = match.state.fingerprint()
            found = suggesters[side].suggest(match.state, match.journal)
            assert match.state.fingerprint() == before, "asking has changed something"
            for language in LANGUAGES:
                text = suggestion_text(game, found.actions, language)
                assert text.endswith(".") and "{" not in text, text
            for action in found.actions:
                assert match.act(side, action) is None, action
        print(f"{match.length} answers by advice alone, {process_time() - began:.0f} s of processor time")


if __name__ == "__main__":
    main()
