"""`grognard provenance`: where every number of a game comes from."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from grognard.cli.arguments import add_json, add_language, add_overrides, command
from grognard.cli.console import output
from grognard.cli.words import TerminalWords
from grognard.files import Folder, ProvenanceKind, Row, read_table
from grognard.files.schema import declared_folders, declared_keys
from grognard.games.listing import game_folder

COLUMNS = ("provenance", "source")


class Origin(NamedTuple):
    """One line of a table and where it comes from."""

    table: str
    item: str
    kind: str
    source: str


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "provenance", words, run)
    parser.add_argument("--kind", choices=[k.value for k in ProvenanceKind], help=words("options", "kind"))
    add_overrides(parser, words)
    add_language(parser, words)
    add_json(parser, words)


def run(options: argparse.Namespace) -> int:
    words = TerminalWords(options.lang)
    origins = list(provenance(game_folder(options.game, options.overrides)))
    if not origins:
        print(words("check", "no-files", game=options.game))
        return 1
    counts: dict[str, Counter[str]] = {}
    for origin in origins:
        counts.setdefault(origin.table, Counter())[origin.kind] += 1
    total = Counter(origin.kind for origin in origins)
    if options.json:
        report = {
            "game": options.game,
            "total": dict(sorted(total.items())),
            "tables": {table: dict(sorted(kinds.items())) for table, kinds in counts.items()},
            "lines": [o._asdict() for o in origins if options.kind in (None, o.kind)],
        }
        print(json.dumps(report, ensure_ascii=False))
        return 0
    console = output()
    for table, kinds in [*counts.items(), (words("provenance", "total"), total)]:
        parts = ", ".join(f"{words('provenance', kind)} {number}" for kind, number in sorted(kinds.items()))
        console.print(f"{table}: {parts}")
    if options.kind:
        for origin in origins:
            if origin.kind == options.kind:
                console.print(f"  {origin.table} {origin.item}: {origin.source}", soft_wrap=True)
    else:
        console.print(words("provenance", "more"))
    return 0


def provenance(folder: Folder) -> Iterator[Origin]:
    """Every line that says where it comes from, in all the tables of a game and of its map."""
    declared = {
        f"{tables.base.name}/{name}.csv": key
        for tables in declared_folders(folder)
        for name, key in declared_keys(tables).items()
    }
    for path in sorted(folder.base.rglob("*.csv")):
        name = path.relative_to(folder.base).as_posix()
        header = next(csv.reader(io.StringIO(folder.text(name))), [])
        if path.name == "named.csv":  # what the rulebook says of single hexes and sides, fact by fact
            for row in read_table(folder, name, header, header):
                yield Origin(name, _item(row, header[:3]).strip(), "rulebook", row.cells["case"])
            continue
        if not set(COLUMNS) <= set(header):
            continue
        keys = list(declared.get(name, ())) or _keys(header)
        for row in read_table(folder, name, header, keys):
            kind, source = row.provenance()
            yield Origin(name, _item(row, keys), kind.value, source)


def _keys(header: list[str]) -> list[str]:
    """What tells the lines of a table apart: the columns before the first that holds a value."""
    if header[:2] == ["a", "b"]:
        return header[:3]
    return header[:2] if header[0] == "marker" else header[:1]


def _item(row: Row, keys: list[str]) -> str:
    return " ".join(row.cells[key] for key in keys)
