"""What can be looked at of a game: its map with layers, set-ups from its books, its calendar and its charts.

A game needs no rules for it. Its folder says in `exhibit.toml` what there is, and where; a game with a map
alone needs no such file. Tables are read as they are declared (files/schema.py); cells that are words are
translated by `[words]`, features of hexes and names of towns by the map.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from grognard.board.board import Board
from grognard.board.drawing import outline
from grognard.files import Folder, read_settings
from grognard.files.rulebook import read_rulings
from grognard.files.schema import Record, Table, read_tables

SETTINGS = "exhibit.toml"
LIVERY = "livery.toml"
BOOKS = "en"
"""The language in which the books name places."""


def _short(name: str) -> str:
    """What fits on the edge of a counter: the number of a unit, or else the first letters of its words."""
    number = re.search(r"\d+", name)
    return number[0] if number else "".join(word[0] for word in name.split() if word[0].isupper())[:4]


class Exhibit:
    """A game's exhibits in one language."""

    def __init__(self, id_: str, folder: Folder, board: Board, language: str) -> None:
        self.id = id_
        self.board = board
        self.language = language
        self.folder = folder
        there = (folder.base / SETTINGS).is_file()
        self.about: Mapping[str, Any] = read_settings(folder, SETTINGS).data if there else {}
        self._read: dict[str, dict[str, Table]] = {}

    # What there is

    def summary(self) -> dict[str, Any]:
        """In the shape of wire.Exhibit, less what the listing and the pictures say."""
        livery = (self.folder.base / LIVERY).is_file()
        return {
            "notice": self.about.get("notice", {}).get(self.language),
            "flat": self.board.numbering.flat,
            "sides": [{"id": s["id"], "name": s[self.language]} for s in self.about.get("sides", ())],
            "liveries": dict(read_settings(self.folder, LIVERY).data) if livery else {},
            "layers": [self._layer(layer) for layer in self._layers()],
            "setups": [self._named(setup) for setup in self.about.get("setups", ())],
            "turns": [str(turn["name"]) for turn in self._calendar()],
            "charts": [self._named(chart) for chart in self.about.get("charts", ())],
        }

    def _named(self, entry: Mapping[str, Any]) -> dict[str, str]:
        return {"id": entry["id"], "name": entry[self.language]}

    def word(self, value: object) -> str:
        """A word of the books in the reader's language; a feature or terrain of the map by its name there."""
        text = "" if value is None else str(value)
        own = self.about.get("words", {}).get(self.language, {})
        if text in own:
            return str(own[text])
        for section in ("terrains", "features"):
            if text in self.board.settings.get(section, {}):
                return str(self.board.settings[section][text][self.language])
        return self._towns.get(text, text)

    @cached_property
    def _towns(self) -> Mapping[str, str]:
        """Names of places on the map, from the language of the books to the reader's."""
        named = [info.names for info in self.board.info.values() if info.names.get(BOOKS)]
        return {names[BOOKS]: names.get(self.language) or names[BOOKS] for names in named}

    # The map

    def _layers(self) -> list[Mapping[str, Any]]:
        """Those that the game declares, or else the groups that share its map out."""
        if "layers" in self.about:
            return list(self.about["layers"])
        groups = self.board.settings.get("groups", {})
        return [{"id": id_, "group": id_, **names} for id_, names in groups.items()]

    def _features(self, layer: Mapping[str, Any]) -> list[str]:
        declared = self.board.settings["features"]
        if "group" in layer:
            return [f for f, about in declared.items() if about.get("group") == layer["group"]]
        return list(layer["features"])

    def _layer(self, layer: Mapping[str, Any]) -> dict[str, Any]:
        features = self._features(layer)
        declared = self.board.settings["features"]
        kind = (
            "areas"
            if "group" in layer
            else "lines"
            if declared[features[0]].get("kind") == "side"
            else "marks"
        )
        return {
            **self._named(layer),
            "kind": kind,
            "features": [{"id": f, "name": declared[f][self.language]} for f in features],
        }

    def ground(self) -> dict[str, Any]:
        """In the shape of wire.ExhibitGround: lists side by side, so that thousands of hexes stay small."""
        hexes = outline(self.board, self.language)["hexes"]
        terrains = list(self.board.settings["terrains"])
        features = [f for f, about in self.board.settings["features"].items() if about.get("kind") != "side"]
        place = {hex_["hex"]: n for n, hex_ in enumerate(hexes)}
        order = {f: n for n, f in enumerate(features)}
        lines: dict[str, list[int]] = {}
        shown = {f for layer in self._layers() for f in self._features(layer)}
        for (a, b), found in self.board.sides.items():
            for feature in found.keys() & shown:
                lines.setdefault(feature, []).extend(place[self.board.number(cell)] for cell in (a, b))
        return {
            "hexes": [hex_["hex"] for hex_ in hexes],
            "x": [round(hex_["centre"][0], 3) for hex_ in hexes],
            "y": [round(hex_["centre"][1], 3) for hex_ in hexes],
            "names": {str(n): hex_["name"] for n, hex_ in enumerate(hexes) if hex_["name"]},
            "terrains": [{"id": t, "name": self.word(t)} for t in terrains],
            "terrain": [terrains.index(hex_["terrain"]) for hex_ in hexes],
            "features": [{"id": f, "name": self.word(f)} for f in features],
            "feature": [[order[f] for f in hex_["features"]] for hex_ in hexes],
            "lines": lines,
        }

    # The books

    def _table(self, name: str) -> Table:
        folder, _, table = name.partition("/")
        if folder not in self._read:
            self._read[folder] = read_tables(self.folder.sub(folder))
        return self._read[folder][table]

    def _calendar(self) -> list[Record]:
        calendar = self.about.get("calendar")
        return list(self._table(calendar["table"]).records) if calendar else []

    def setup(self, id_: str) -> dict[str, Any] | None:
        """In the shape of wire.ExhibitSetup; None if there is no such set-up."""
        setup = next((s for s in self.about.get("setups", ()) if s["id"] == id_), None)
        if setup is None:
            return None
        counters, units, boxes = [], [], dict[str, dict[str, Any]]()
        for book in self.about["books"]:
            columns = {**setup, **book.get(id_, {})}
            for record in self._table(book["table"]).records:
                where = self._cell(record, columns.get("hex"))
                place = self._cell(record, columns.get("place"))
                if not where and not place:
                    continue
                state = self._cell(record, columns.get("status"))
                box = self.word(self._cell(record, columns.get("box")) if where else place)
                counter = self._counter(book, record)
                counters.append(counter)
                if where and state not in setup.get("off_map", ()):
                    units.append({"id": counter["id"], "hex": where})
                elif state not in setup.get("left_out", ()):
                    name = " · ".join(filter(None, (self.word(state) if where else "", box)))
                    key = f"{book['side']}/{name}"
                    found = boxes.setdefault(key, {"side": book["side"], "name": name, "units": []})
                    found["units"].append(counter["id"])
        in_order = sorted(boxes.values(), key=lambda box: (box["side"], box["name"]))
        return {"counters": counters, "units": units, "boxes": in_order}

    @staticmethod
    def _cell(record: Record, column: str | None) -> str:
        return str(record.values.get(column) or "") if column else ""

    def _counter(self, book: Mapping[str, Any], record: Record) -> dict[str, Any]:
        """What is printed on a counter, in the notation of its game."""
        kind = str(record.values.get(book["kind"], ""))
        counter = {
            "id": str(record["id"]),
            "side": book["side"],
            "nation": str(record.values.get(book["nation"], "")),
            "name": (name := self._filled(book["name"], record)),
            "short": _short(name),
            "symbol": self._symbol(kind),
            "size": self._filled(book.get("size", ""), record),
            "face": self._filled(book["face"], record),
            "cadre": self._filled(book.get("cadre", ""), record),
            "count": int(str(record.values.get(book.get("count", ""), 1))),
        }
        return {key: value for key, value in counter.items() if value not in ("", None)}

    def _filled(self, template: str, record: Record) -> str:
        if not template:
            return ""
        cells = {name: self.word(value) for name, value in record.values.items()}
        return template.format_map({**cells, "name": cells.get(f"name_{self.language}", "")}).strip()

    def _symbol(self, kind: str) -> str:
        """The first symbol whose word is in the name of the type."""
        return next((symbol for word, symbol in self.about.get("symbols", ()) if word in kind), "")

    # The calendar

    def events(self) -> list[dict[str, Any]]:
        """In the shape of wire.ExhibitEvent: what arrives, leaves and changes, in the order of the turns."""
        turns = {str(turn["name"]): n for n, turn in enumerate(self._calendar())}
        known = {
            str(record["id"]): (book, record)
            for book in self.about.get("books", ())
            for record in self._table(book["table"]).records
        }
        found = [
            event for source in self.about.get("events", ()) for event in self._events(source, turns, known)
        ]
        return sorted(found, key=lambda event: event["turn"])

    def _events(
        self,
        source: Mapping[str, Any],
        turns: Mapping[str, int],
        known: Mapping[str, tuple[Mapping[str, Any], Record]],
    ) -> Iterator[dict[str, Any]]:
        kinds = self.about["event_kinds"]
        for record in self._table(source["table"]).records:
            turn = turns.get(self._cell(record, source["turn"]))
            kind = source.get("always") or self._cell(record, source.get("kind"))
            units = [u for u in self._cell(record, source["unit"]).split() if u in known]
            if turn is None or kind not in kinds or not units:
                continue
            for unit in units:
                book, row = known[unit]
                counter = self._counter(book, row)
                yield {
                    "turn": turn,
                    "side": source["side"],
                    "theatre": self.word(self._cell(record, source.get("theatre"))),
                    "way": kinds[kind]["way"],
                    "kind": kinds[kind][self.language],
                    "name": counter["name"],
                    "face": counter.get("face", ""),
                    "size": counter.get("size", ""),
                    "place": self._place(self._cell(record, source.get("place"))),
                }

    def _place(self, text: str) -> str:
        """A place word by word; what names counters by their codes is left out."""
        if any(mark in text for mark in ("conversion of", "->")):
            return ""
        return ", ".join(self.word(part.strip()) for part in text.split(",") if part.strip())

    # The charts

    def chart(self, id_: str) -> dict[str, Any] | None:
        """In the shape of wire.ExhibitChart; None if there is no such chart."""
        chart = next((c for c in self.about.get("charts", ()) if c["id"] == id_), None)
        if chart is None:
            return None
        table = self._table(chart["table"])
        kept = [r for r in table.records if all(str(r[c]) == v for c, v in chart.get("where", {}).items())]
        kept = [r for r in kept if r[table.key[0]] not in chart.get("without", ())]
        if "across" in chart:
            columns, rows = self._crossed(chart, kept)
        else:
            shown = [c for c in chart["columns"] if c in table.columns]
            columns = [self._head(c) for c in shown]
            rows = [[self.word(record[c]) for c in shown] for record in kept]
        sources = sorted({record.provenance.kind.value for record in kept})
        return {**self._named(chart), "columns": columns, "rows": rows, "sources": sources}

    def _crossed(self, chart: Mapping[str, Any], records: list[Record]) -> tuple[list[str], list[list[str]]]:
        """A table of two keys as a grid."""
        across, down, cell = chart["across"], chart["down"], chart["cell"]
        columns = list(dict.fromkeys(record[across] for record in records))
        cells = {(record[down], record[across]): record[cell] for record in records}
        rows = [
            [self.word(row), *(self.word(cells.get((row, column))) for column in columns)]
            for row in dict.fromkeys(record[down] for record in records)
        ]
        return [
            f"{self._head(down)} / {self._head(across)}",
            *(self.word(column) for column in columns),
        ], rows

    def _head(self, column: str) -> str:
        return str(self.about.get("columns", {}).get(column, {}).get(self.language, column))

    def rulings(self) -> list[dict[str, Any]]:
        """In the shape of wire.Ruling."""
        return [ruling._asdict() for ruling in read_rulings(self.folder, self.language)]
