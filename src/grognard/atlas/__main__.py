"""`python -m grognard.atlas`: draft maps, and say which geodata that takes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grognard.atlas import overlay
from grognard.atlas.build import GAMES, build
from grognard.atlas.errors import AtlasError
from grognard.atlas.geodata import Dataset, datasets, locate


def needed_files(game_id: str) -> list[str]:
    """The geodata files that a map's overlays refer to."""
    content = overlay.read(overlay.FOLDER / game_id)
    sampling = content.settings.get("sampling", {})
    files: set[str] = set()
    for key in ("land", "lakes"):
        value = sampling.get(key, [])
        files.update([value] if isinstance(value, str) else value)
    for kind in ("polygons", "elevation", "table"):
        files.update(rule["file"] for rule in sampling.get(kind, []))
    for rule in sampling.get("seeds", []):
        files.update((rule["file"], rule["borders"]))
    for line in content.lines:
        for item in line.course:
            if item.startswith("geo:"):
                files.add(item[4:].partition("/")[0] + ".geojson")
    return sorted(files)


def list_geodata(folder: Path | None) -> int:
    """Print what is needed and what is missing; the exit status says whether anything is."""
    known = datasets()
    users: dict[str, list[str]] = {}
    for game_id in overlay.games():
        for file in needed_files(game_id):
            users.setdefault(file, []).append(game_id)
    missing = 0
    for file in sorted(users):
        there = folder is not None and (folder / file).is_file()
        missing += not there
        entry = known.get(file, Dataset(file, "not listed", "?", "?", "?"))
        print(f"{'present' if there else 'MISSING'}  {file}  (for {', '.join(users[file])})")
        print(f"         content: {entry.content}")
        print(f"         source:  {entry.source}")
        print(f"         licence: {entry.licence}")
        print(f"         get it:  {entry.get}")
    print(f"{len(users) - missing} of {len(users)} files present")
    return 1 if missing else 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m grognard.atlas", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    building = commands.add_parser("build", help="draft the map of a game")
    building.add_argument("game")
    building.add_argument("--geodata", type=Path, help="the geodata folder (else GROGNARD_GEODATA)")
    building.add_argument("--out", type=Path, help="where to write (else the game's own map folder)")
    listing = commands.add_parser("geodata", help="list the geodata files that the maps are made from")
    listing.add_argument("--dir", type=Path, help="the geodata folder (else GROGNARD_GEODATA)")
    options = parser.parse_args(arguments)
    try:
        if options.command == "geodata":
            try:
                folder = locate(options.dir)
            except AtlasError:
                folder = None
            return list_geodata(folder)
        out = options.out or GAMES / options.game / "map"
        build(options.game, locate(options.geodata), out)
        print(f"wrote {out}")
        return 0
    except AtlasError as error:
        print(f"atlas: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
