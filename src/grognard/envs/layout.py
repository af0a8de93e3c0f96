"""What a game's own part of a view means for arrays: a small file a game; a game without one does without."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from grognard.files import Folder, Settings, read_settings

HERE = Path(__file__).parent / "layouts"

Path_ = tuple[str, ...]
"""Where to look in Game.describe, key by key."""


class Layout(NamedTuple):
    """Names of arrays' rows, and where in the game's description their contents are."""

    planes: dict[str, Path_] = {}
    """Lists of hexes."""
    holders: dict[str, Path_] = {}
    """Hexes with the side that holds each."""
    unit_sets: dict[str, Path_] = {}
    """Lists of units."""
    numbers: dict[str, Path_] = {}
    sets: dict[str, tuple[Path_, str]] = {}
    """One word or several, of a kind."""
    levels: dict[str, float] = {}
    """What a victory of a level counts; 1 if it is not named."""


def read_layout(game_id: str) -> Layout:
    """The layout of a game; an empty one if nobody has written it."""
    if not (HERE / f"{game_id}.toml").is_file():
        return Layout()
    settings = read_settings(Folder(HERE), f"{game_id}.toml")
    return Layout(
        planes=_paths(settings, "planes"),
        holders=_paths(settings, "holders"),
        unit_sets=_paths(settings, "unit_sets"),
        numbers=_paths(settings, "numbers"),
        sets={
            name: (tuple(entry["at"].split(".")), entry["kind"])
            for name, entry in settings.get("sets", dict, {}).items()
        },
        levels={name: float(share) for name, share in settings.get("levels", dict, {}).items()},
    )


def _paths(settings: Settings, section: str) -> dict[str, Path_]:
    return {name: tuple(at.split(".")) for name, at in settings.get(section, dict, {}).items()}


def look_up(table: Any, path: Path_) -> Any:
    """What a description has at a path; None if it says nothing there (to this side, or now)."""
    for key in path:
        if not isinstance(table, dict):
            return None
        table = table.get(key)
    return table
