"""The games that are installed, found by entry point, so that a sixth may come in a package of its own."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grognard.files import DataError, Folder
from grognard.kernel.game import Game

GROUP = "grognard.games"


class UnknownGameError(LookupError):
    """No game of this name is installed."""


def game_ids() -> list[str]:
    return sorted(entry.name for entry in entry_points(group=GROUP))


def package_folder(entry: EntryPoint, override: Path | None) -> Folder:
    """Where an installed game keeps its files, with the player's own laid over them."""
    spec = find_spec(entry.module)
    if spec is None or spec.origin is None:
        raise UnknownGameError(f"the package of {entry.name!r} is not installed")
    return Folder(Path(spec.origin).parent, override)


def own_folder(override: Path | None, id_: str) -> Path | None:
    """The player's own files for a game. A folder that does not exist is an error: it was
    probably mistyped."""
    if override is None:
        return None
    if not override.is_dir():
        raise DataError(str(override), None, "there is no such folder of overrides")
    return override / id_


def load_game(id_: str, override: Path | None = None) -> Game[Any]:
    """The game of this id, with the player's own data laid over ours if a folder is named. The folder holds
    one folder a game."""
    for entry in entry_points(group=GROUP):
        if entry.name == id_:
            loader: Callable[[Path | None], Game[Any]] = entry.load()
            own = own_folder(override, id_)
            if own is not None:
                package_folder(entry, own).check_override()
            return loader(own)
    raise UnknownGameError(f"no game {id_!r}; there are: {', '.join(game_ids())}")
