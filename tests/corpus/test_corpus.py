"""Finished games, replayed answer by answer: what the rules did once they do for ever.

If a test here fails, the rules or the data have changed for games already played. If that was meant, see
tools/corpus.py.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grognard.kernel import Game, Match
from grognard.kernel.registry import load_game

SAVES = sorted(Path(__file__).parent.glob("*/*.json"))

load = cache(load_game)


@pytest.mark.parametrize("path", SAVES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_finished_game_replays_to_the_same_end(path: Path) -> None:
    game: Game[Any] = load(path.parent.name)
    match = Match.load(game, path.read_text(encoding="utf-8"))
    assert match.over
    assert game.outcome(match.state) is not None
    assert match.save() == path.read_text(encoding="utf-8")


def test_every_playable_game_has_a_corpus() -> None:
    assert {path.parent.name for path in SAVES} >= {"leningrad", "a_victory_lost"}
