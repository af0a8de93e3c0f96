"""The player's own values: the files they come from, and what they change."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grognard.files import Folder

MOST = 40
"""How many changes are told one by one."""


def own_files(override: Path | None, game_id: str) -> dict[str, bytes]:
    """The player's files for a game, by name."""
    if override is None:
        return {}
    folder = override / game_id
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def write_files(override: Path, game_id: str, files: Mapping[str, bytes]) -> None:
    """The same files in another folder."""
    for name, data in files.items():
        path = override / game_id / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def own_values(folder: Folder) -> tuple[str, ...]:
    """What the player's files change, one value each: "tables/victory.csv city points: 5 → 6". A file that
    cannot be taken apart is named and no more."""
    if folder.override is None or not folder.override.is_dir():
        return ()
    found: list[str] = []
    for path in sorted(folder.override.rglob("*")):
        name = path.relative_to(folder.override).as_posix()
        if path.is_file():
            found += list(_changes(folder, name)) or [name]
    return (*found[:MOST], f"… +{len(found) - MOST}") if len(found) > MOST else tuple(found)


def _changes(folder: Folder, name: str) -> Iterator[str]:
    own = folder.override_text(name)
    if own is None or not (folder.base / name).is_file():
        return
    if name.endswith(".csv"):
        pairs = _cells(folder.text(name), own)
    elif name.endswith(".toml"):
        old, new = (dict(_leaves(tomllib.loads(text))) for text in (folder.text(name), own))
        pairs = ((key, old.get(key, "–"), value) for key, value in new.items())
    else:
        return
    for what, before, after in pairs:
        if before != after:
            yield f"{name} {what}: {before} → {after}"


def _cells(base: str, own: str) -> Iterator[tuple[str, str, str]]:
    """(line and column, ours, the player's) of every cell that an overriding table fills."""
    ours = list(csv.DictReader(io.StringIO(base)))
    theirs = list(csv.DictReader(io.StringIO(own)))
    keys = _keys(ours)
    if not keys or any(key not in line for line in theirs for key in keys):
        return
    lines = {tuple(line[key] for key in keys): line for line in ours}
    for line in theirs:
        identity = tuple(line[key].strip() for key in keys)
        for column, value in line.items():
            if column not in keys and value and value.strip():
                before = lines.get(identity, {}).get(column, "–")
                yield f"{' '.join(identity)} {column}", before, value.strip()


def _keys(lines: Sequence[Mapping[str, str]]) -> list[str]:
    """The first columns of a table, as many as it takes to tell its lines apart."""
    header = list(lines[0]) if lines else []
    for number in range(1, len(header) + 1):
        keys = header[:number]
        if len({tuple(line[key] for key in keys) for line in lines}) == len(lines):
            return keys
    return []


def _leaves(value: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from _leaves(inner, f"{above}{key}.")
        else:
            yield f"{above}{key}", str(inner)
