"""The games there are: where each keeps its files, and how far it has come. It knows games by name only."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import NamedTuple

from grognard.files import Folder, read_settings
from grognard.kernel.registry import GROUP, UnknownGameError, own_folder, package_folder
from grognard.kernel.text import LANGUAGES

GAMES = Path(__file__).parent


class Listing(NamedTuple):
    """A line of the list of games."""

    id: str
    title: dict[str, str]
    publisher: str
    state: str
    """playable, map or planned."""
    about: dict[str, str]


def listed_games() -> list[Listing]:
    """Our games in the order in which they are made, then those that other packages bring."""
    settings = read_settings(Folder(GAMES), "listing.toml")
    found = [
        Listing(
            id_,
            # Our games are called what their boxes say, in any language.
            dict.fromkeys(LANGUAGES, line["title"]),
            line["publisher"],
            line["state"],
            {language: line[language] for language in LANGUAGES},
        )
        for id_, line in settings.data.items()
    ]
    ours = {entry.id for entry in found}
    return found + [_guest(point) for point in entry_points(group=GROUP) if point.name not in ours]


def _guest(point: EntryPoint) -> Listing:
    """A game that another package brings: what its game.toml says of it."""
    data = read_settings(package_folder(point, None), "game.toml").data
    return Listing(point.name, data["title"], data.get("publisher", ""), "playable", data["subtitle"])


def game_folder(id_: str, override: Path | None = None) -> Folder:
    """A game's folder of files, with the player's own laid over it."""
    laid_over = own_folder(override, id_)
    for point in entry_points(group=GROUP):
        if point.name == id_:
            return package_folder(point, laid_over)
    if id_ in {entry.id for entry in listed_games()}:
        return Folder(GAMES / id_, laid_over)
    raise UnknownGameError(f"no game {id_!r}; there are: {', '.join(entry.id for entry in listed_games())}")
