"""Games outlive releases: a table goes on with the data it was made with, or stays as it is.

The files that a game's rules read are kept in the database, under the digest that tables name. A table whose
data are no longer those in use is played with the files kept. Words and colours are always the newest.

A table made with another version of the rules is read with the present ones (after the game's readers, if it
has any, have rewritten its journal). If every answer and every die still fits, it goes on. If not, it is
pinned: it can be looked at as far as it fits, downloaded whole and resigned, but not played on.
"""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from grognard.files import DataError, Folder
from grognard.games.listing import game_folder
from grognard.kernel import Game, Match, SaveError
from grognard.kernel.registry import UnknownGameError
from grognard.server.store import Store, TableRow

KEPT = 4
"""Games with other data than those in use that are held in memory."""
NEWEST = ("text/", "staff/", "livery.toml", "doctrine.toml", "history.toml", "cases.csv", "exempt.csv")
"""Files that no position depends on."""

_log = logging.getLogger(__name__)


# Data


def pack(folder: Folder) -> bytes:
    """The files of a folder that positions depend on, the player's own apart, as one short text."""
    files = {"base": _texts(folder.base), "own": _texts(folder.override)}
    return zlib.compress(json.dumps(files, sort_keys=True, ensure_ascii=False).encode(), 9)


def _texts(folder: Path | None) -> dict[str, str]:
    if folder is None or not folder.is_dir():
        return {}
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.suffix in (".csv", ".toml") and not name.startswith(NEWEST):
            found[name] = path.read_text(encoding="utf-8-sig")
    return found


def unpack(packed: bytes, newest: Folder, into: Path) -> Folder:
    """Lay out a folder with the files that were packed, and the newest words."""
    files: dict[str, dict[str, str]] = json.loads(zlib.decompress(packed))
    here = _texts(newest.base)
    for name, text in _moved(files["base"], here).items():
        _write(into / "base" / name, text)
    for path in newest.base.rglob("*"):
        name = path.relative_to(newest.base).as_posix()
        kept = name in here or path.is_dir() or "__pycache__" in name or path.suffix == ".py"
        if not kept:
            (into / "base" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, into / "base" / name)
    for name, text in _moved(files["own"], here).items():
        _write(into / "own" / name, text)
    return Folder(into / "base", into / "own" if files["own"] else None)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _moved(old: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """The files where they are looked for now: one that has moved since is known by its last name."""
    places = {name: name for name in old}
    for name in now.keys() - old.keys():
        same = [other for other in old.keys() - now.keys() if Path(other).name == Path(name).name]
        if len(same) == 1:
            places[same[0]] = name
    return {places[name]: text for name, text in old.items()}


class Releases:
    """The games as they are now, and as tables remember them."""

    def __init__(self, store: Store, games: Mapping[str, Game[Any]], overrides: Path | None = None) -> None:
        self.store, self.games, self._overrides = store, games, overrides
        self._older: OrderedDict[tuple[str, str], Game[Any] | None] = OrderedDict()
        self._loading = Lock()

    def keep_current(self) -> None:
        """Keep the data in use, so that tables made with them can go on when they are no longer in use."""
        for game in self.games.values():
            digests = {game.digest(scenario) for scenario in game.scenarios}
            missing = digests - self.store.editions(game.id)
            if missing:
                try:
                    packed = pack(game_folder(game.id, self._overrides))
                except UnknownGameError:
                    continue  # a game of the tests, without files
                self.store.keep_editions(game.id, sorted(missing), packed)

    def game_for(self, row: TableRow) -> Game[Any] | None:
        """The game with the data that a table was made with; None if there is none."""
        game = self.games.get(row.game)
        if game is None:
            return None
        if row.scenario in game.scenarios and game.digest(row.scenario) == row.data:
            return game
        with self._loading:
            key = (row.game, row.data)
            if key not in self._older:
                self._older[key] = self._load(game, row)
                while len(self._older) > KEPT:
                    self._older.popitem(last=False)
            self._older.move_to_end(key)
            return self._older[key]

    def _load(self, game: Game[Any], row: TableRow) -> Game[Any] | None:
        packed = self.store.edition(row.game, row.data)
        if packed is None:
            return None
        try:
            with tempfile.TemporaryDirectory(prefix="grognard-") as place:
                newest = game_folder(row.game, self._overrides)
                found: Game[Any] = type(game)(unpack(packed, newest, Path(place)))  # type: ignore[call-arg]
        except (DataError, UnknownGameError, KeyError, ValueError) as error:
            _log.warning("data %s of %s can no longer be read: %s", row.data, row.game, error)
            return None
        if row.scenario not in found.scenarios or found.digest(row.scenario) != row.data:
            _log.warning("data %s of %s are not what they were", row.data, row.game)
            return None
        return found


# Rules


class Fit(NamedTuple):
    """How a table fits the present release."""

    game: Game[Any]
    words: list[list[str]]
    """Its journal, as the present rules read it."""
    pinned: str = ""
    """Why it cannot be played on: a code of the table's denials; empty if it can."""

    @property
    def renewed(self) -> bool:
        return not self.pinned


Journal = list[list[str]]
Readers = Mapping[str, tuple[str, Callable[[Journal], Journal]]]
"""How journals of an earlier version of the rules are rewritten: version -> the next version, and the way to
it. A game that has any keeps them in its attribute `readers`."""


def rewritten(game: Game[Any], rules: str, words: Journal) -> Journal:
    """A journal of other rules as the present ones write it, by the readers that the game has."""
    readers: Readers = getattr(game, "readers", {})
    seen = {rules}
    while rules != game.rules_version and rules in readers:
        rules, read = readers[rules]
        words = read(words)
        if rules in seen:
            break
        seen.add(rules)
    return words


def fit(releases: Releases, row: TableRow, words: list[list[str]]) -> Fit | None:
    """How a table fits; None if its game is not here at all."""
    game = releases.game_for(row)
    if game is None:
        present = releases.games.get(row.game)
        if present is None or row.scenario not in present.scenarios:
            return None
        # Without its own data it may still fit the present ones: then nothing that was played depends on what
        # has changed. It is not played on, because what comes might.
        return Fit(present, prefix(present, row, words), "pinned-data")
    kept = rewritten(game, row.rules, words)
    # A rule that was repaired without a new version shows here, too.
    whole = prefix(game, row, kept)
    if len(whole) == len(kept):
        return Fit(game, kept)
    return Fit(game, whole, "pinned-rules")


def prefix(game: Game[Any], row: TableRow, words: list[list[str]]) -> list[list[str]]:
    """As much of a journal as the rules still accept."""
    try:
        match: Match[Any] = Match(game, row.scenario, row.options, row.seed)
    except (KeyError, ValueError):
        return []
    try:
        match.replay(words)
        return words
    except SaveError:
        pass
    except Exception:
        _log.warning("a journal of %s breaks the rules of today", game.id, exc_info=True)
    length = match.length
    while length:
        # A cut in the middle of a roll, or after an answer that broke a rule half way, goes back a little.
        try:
            Match(game, row.scenario, row.options, row.seed).replay(words[:length])
            return words[:length]
        except Exception:
            length -= 1
    return []


# What an upgrade would do


def survey(store: Store, releases: Releases) -> Counter[str]:
    """How many tables are over, go on as they are, go on with kept data or under new rules, or are pinned."""
    found: Counter[str] = Counter()
    for row in store.all_tables():
        found["tables"] += 1
        if row.over or row.resigned:
            found["over"] += 1
        try:
            how = fit(releases, row, store.journal(row.id))
        except Exception:
            _log.warning("a table cannot be read", extra={"table": row.id}, exc_info=True)
            found["unreadable"] += 1
            continue
        found[_verdict(releases, row, how)] += 1
    return found


def _verdict(releases: Releases, row: TableRow, how: Fit | None) -> str:
    if how is None:
        return "unknown"
    if how.pinned:
        return "pinned"
    if row.rules != how.game.rules_version:
        return "migrated"
    return "replayed" if how.game is releases.games[row.game] else "kept"
