"""Every game has the same shape: whoever knows one folder finds his way in the next."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import grognard
from grognard.games.listing import game_folder, listed_games
from grognard.kernel.registry import game_ids

ROOT = Path(__file__).resolve().parents[1]
GAMES = Path(grognard.__file__).parent / "games"
ABOUT_THE_BOOK = {"cases.csv", "exempt.csv", "to_come.csv", "words.csv"}
"""Lists of cases, beside rulings.md; those of a game in the making still to come; and words of what can
be looked at, beside exhibit.toml. Every other table of a game holds numbers and lies in tables/."""
SHAPE = (
    *("game.py", "state.py", "view.py", "advice.py"),
    *("game.toml", "livery.toml", "history.toml", "doctrine.toml", "cases.csv", "exempt.csv", "rulings.md"),
    *("tables/turns.csv", "tables/units.csv", "tables/terrain.csv", "tables/crt.csv", "tables/numbers.csv"),
    *("text/messages.toml", "text/verbs.toml", "text/table.toml", "text/rules.en.md", "text/rules.fr.md"),
    *("map/map.toml", "map/hexes.csv", "map/sides.csv"),
)
OTHERWISE = {
    "second_front": {
        "turns": "tables/calendar.csv",
        "units": "oob/axis_land.csv",
        "terrain": "tables/terrain_movement.csv",
        "crt": "tables/ground_crt.csv",
        "numbers": "tables/given.csv",
    }
}
"""Files that a game has under another name: its book has a chart of that name, or several."""


@pytest.mark.parametrize("id_", game_ids())
def test_a_playable_game_has_the_files_of_every_game(id_: str) -> None:
    base = game_folder(id_).base
    other = OTHERWISE.get(id_, {})
    missing = [name for name in SHAPE if not (base / other.get(Path(name).stem, name)).is_file()]
    assert not missing, f"{id_} lacks {missing}"
    assert list((base / "scenarios").glob("*.toml"))
    assert (base / "rules").is_dir() or (base / "rules.py").is_file()


OURS = [id_ for id_ in game_ids() if game_folder(id_).base.parent == GAMES]


@pytest.mark.parametrize("id_", OURS)
def test_a_game_is_put_together_in_a_file_that_is_read_at_a_glance(id_: str) -> None:
    """Data, tables derived from them, rules, prompts, views and secrets have files of their own."""
    lines = (game_folder(id_).base / "game.py").read_text(encoding="utf-8").count("\n")
    assert lines <= 150, f"{id_}/game.py has {lines} lines"


@pytest.mark.parametrize("id_", sorted({entry.id for entry in listed_games()} | set(game_ids())))
def test_tables_lie_in_their_folder(id_: str) -> None:
    base = game_folder(id_).base
    stray = sorted(path.name for path in base.glob("*.csv")) if base.is_dir() else []
    assert set(stray) <= ABOUT_THE_BOOK, f"{id_}: {stray} belong into tables/"


def test_the_layout_in_the_guide_for_designers_is_that_of_the_game_it_shows() -> None:
    text = (ROOT / "docs/designers.md").read_text(encoding="utf-8")
    block = text.split("src/grognard/games/leningrad/\n")[1].split("\n\n")[0]
    named = set(re.findall(r"[\w.]+\.(?:csv|toml|md|py)\b|\b[a-z]+/(?= )", block)) - {
        "exceptions.csv",
        "atlas.md",
    }
    there = {path.name for path in (GAMES / "leningrad").rglob("*")}
    assert named
    assert {name.rstrip("/") for name in named} <= there
    assert {name.split("/")[-1] for name in SHAPE} <= named
