"""What can be looked at of a game: its map with layers, set-ups from its books, its calendar and its charts.

A game needs no rules for it. Its folder says in `exhibit.toml` what there is, and where; a game with a map
alone needs no such file. Tables are read as they are declared (files/schema.py); cells that are words are
translated by `words.csv`, features of hexes and names of towns by the map. What no table holds is worked out
by functions of the game, which `exhibit.toml` names as `module:function`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from typing import Any
from unicodedata import combining, normalize

from grognard.board.board import Board
from grognard.board.drawing import outline
from grognard.files import Folder, read_settings, read_table
from grognard.files.rulebook import read_rulings
from grognard.files.schema import Record, Table, Value, read_tables
from grognard.kernel.text import LANGUAGES

SETTINGS = "exhibit.toml"
WORDS = "words.csv"
LIVERY = "livery.toml"
BOOKS = "en"
"""The language in which the books name places."""
SEPARATOR = " · "
COLONS = {"en": ":", "fr": "\u00a0:"}
NO_ORIGIN = {"kind": "", "cited": ""}
CITED = re.compile(r"\b(?:\d{1,2}[A-Z]\d*[a-z]?|F\d+)\b")
"""What a source cites: cases of the rulebook, numbers of public sources."""


def _named_function(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def _plain(name: str) -> str:
    """A name without its accents, which do not count in alphabetical order."""
    return "".join(c for c in normalize("NFD", name.lower()) if not combining(c))


def _points(value: Value) -> Fraction:
    return Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)


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
            "charts": [
                {**self._named(chart), "group": self._group(chart)} for chart in self.about.get("charts", ())
            ],
        }

    def _group(self, chart: Mapping[str, Any]) -> str:
        """Under which heading a chart is listed."""
        groups = self.about.get("chart_groups", {})
        return str(groups[chart["group"]][self.language]) if "group" in chart else ""

    def _named(self, entry: Mapping[str, Any]) -> dict[str, str]:
        return {"id": entry["id"], "name": entry[self.language]}

    def word(self, value: object) -> str:
        """A word of the books in the reader's language; a feature or terrain of the map by its name there."""
        text = self._number(value) if isinstance(value, Fraction) else "" if value is None else str(value)
        if text in self._words:
            return self._words[text]
        for section in ("terrains", "features"):
            if text in self.board.settings.get(section, {}):
                return str(self.board.settings[section][text][self.language])
        return self._towns.get(text, text)

    @cached_property
    def _words(self) -> Mapping[str, str]:
        if not (self.folder.base / WORDS).is_file():
            return {}
        rows = read_table(self.folder, WORDS, ["text", *(f"said_{language}" for language in LANGUAGES)])
        return {row.text("text"): row.text(f"said_{self.language}") for row in rows}

    def _number(self, value: Fraction) -> str:
        """Parts of one stay fractions; beyond one, halves and quarters are decimals."""
        return str(value) if value.denominator not in (2, 4) or abs(value) < 1 else self._decimal(value)

    def _decimal(self, value: Fraction) -> str:
        written = f"{float(value):.2f}".rstrip("0").rstrip(".")
        return written.replace(".", ",") if self.language == "fr" else written

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
        if "found_by" in layer:
            return [f"{layer['id']}-{name}" for name in layer["names"]]
        if "group" in layer:
            return [f for f, about in declared.items() if about.get("group") == layer["group"]]
        return list(layer["features"])

    def _layer(self, layer: Mapping[str, Any]) -> dict[str, Any]:
        features = self._features(layer)
        if "found_by" in layer:
            names = [name[self.language] for name in layer["names"].values()]
            found = [{"id": f, "name": name} for f, name in zip(features, names, strict=True)]
            return {**self._named(layer), "kind": "areas", "features": found}
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
        worked_out = self._worked_out()
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
            "features": [
                *({"id": f, "name": self.word(f)} for f in features),
                *({"id": id_, "name": name} for id_, name, _ in worked_out),
            ],
            "feature": [
                [
                    *(order[f] for f in hex_["features"]),
                    *(
                        len(features) + n
                        for n, (_, _, inside) in enumerate(worked_out)
                        if hex_["hex"] in inside
                    ),
                ]
                for hex_ in hexes
            ],
            "lines": lines,
        }

    def _worked_out(self) -> list[tuple[str, str, set[str]]]:
        """Areas that functions of the game find: identifier, name and hexes."""
        found = []
        for layer in self._layers():
            if "found_by" not in layer:
                continue
            areas = _named_function(layer["found_by"])(layer["with"])
            for id_, name in zip(self._features(layer), layer["names"], strict=True):
                label = f"{layer[self.language]}{SEPARATOR}{layer['names'][name][self.language]}"
                found.append((id_, label, {self.board.number(cell) for cell in areas[name]}))
        return found

    # The books

    def _table(self, name: str) -> Table:
        folder, _, table = name.partition("/")
        if folder not in self._read:
            self._read[folder] = read_tables(self.folder.sub(folder))
        return self._read[folder][table]

    def _records(self, entry: Mapping[str, Any]) -> list[Record]:
        """The rows that a book or a list of events speaks of: its table's, or those with certain cells."""
        wanted = entry.get("where", {}).items()
        return [r for r in self._table(entry["table"]).records if all(str(r[c]) == v for c, v in wanted)]

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
            for record in self._records(book):
                begins = self._begins(setup, book, record)
                if begins is None:
                    continue
                hex_, box = begins
                counter = self._counter(book, record)
                counters.append(counter)
                if hex_:
                    units.append({"id": counter["id"], "hex": hex_})
                else:
                    found = boxes.setdefault(
                        f"{book['side']}/{box}", {"side": book["side"], "name": box, "units": []}
                    )
                    found["units"].append(counter["id"])
        in_order = sorted(boxes.values(), key=lambda box: (box["side"], _plain(box["name"])))
        return {"counters": counters, "units": units, "boxes": in_order}

    def _begins(
        self, setup: Mapping[str, Any], book: Mapping[str, Any], record: Record
    ) -> tuple[str, str] | None:
        """The hex where a counter begins, or the name of its box; None if it is not in play yet."""
        place = _named_function(setup["placed_by"])(setup["start"], record)
        if place is None or ":" not in place or not place.startswith("box:"):
            return (place, "") if place else None
        box = self._table(setup["boxes"]).find(place.removeprefix("box:"))
        name = str(box[f"name_{self.language}"])
        if box["by_place"] != "yes":
            return "", name
        columns = {**setup, **book.get(setup["id"], {})}
        return "", SEPARATOR.join((name, self.word(self._cell(record, columns["place"]))))

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
        own = {"name": cells.get(f"name_{self.language}", ""), "colon": COLONS[self.language]}
        return template.format_map({**cells, **own}).strip()

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
            for record in self._records(book)
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
        if "amounts" in source:
            yield from self._amounts(source, turns)
            return
        for record in self._records(source):
            turn = turns.get(self._cell(record, source["turn"]))
            kind = source.get("always") or self._cell(record, source.get("kind"))
            if turn is None or kind not in self.about["event_kinds"]:
                continue
            if "text" in source:
                text = self._filled(source["text"], record)
                if text and kind in source.get("only", [kind]):
                    yield self._event(source, turn, kind, self._cell(record, source.get("theatre")), text)
                continue
            for unit in self._cell(record, source["unit"]).split():
                if unit in known:
                    counter = self._counter(*known[unit])
                    event = self._event(
                        source, turn, kind, self._cell(record, source.get("theatre")), counter["name"]
                    )
                    place = self._place(self._cell(record, source.get("place")))
                    more = {"face": counter.get("face", ""), "size": counter.get("size", "")}
                    yield {**event, **more, "place": place, "side": source.get("side") or counter["side"]}

    def _event(
        self, source: Mapping[str, Any], turn: int, kind: str, theatre: str, name: str
    ) -> dict[str, Any]:
        about = self.about["event_kinds"][kind]
        return {
            "turn": turn,
            "side": source.get("side", ""),
            "theatre": self.word(theatre),
            "way": about["way"],
            "kind": about[self.language],
            "name": name,
            "face": "",
            "size": "",
            "place": "",
        }

    def _amounts(self, source: Mapping[str, Any], turns: Mapping[str, int]) -> Iterator[dict[str, Any]]:
        """What is produced on a turn, or from one turn to another on every turn that the calendar marks: the
        sums over the rows of one name and theatre."""
        marked = [
            n for n, turn in enumerate(self._calendar()) if "on" not in source or turn[source["on"]] == "yes"
        ]
        sums: dict[tuple[int, str, str], list[Fraction]] = {}
        for record in self._table(source["table"]).records:
            if (side := source.get("side_column")) and self._cell(record, side) != source["side"]:
                continue
            first = turns.get(self._cell(record, source["turn"]), len(turns))
            last = turns.get(self._cell(record, source.get("last", source["turn"])), -1)
            name = self._cell(record, source.get("name")) or source.get("called", "")
            theatre = source.get("theatres", {}).get(name) or self._cell(record, source.get("theatre"))
            points = [_points(record[column]) for column in source["amounts"]]
            for turn in (turn for turn in marked if first <= turn <= last):
                before = sums.get((turn, name, theatre), [Fraction(0)] * len(points))
                sums[turn, name, theatre] = [a + b for a, b in zip(before, points, strict=True)]
        for (turn, name, theatre), points in sums.items():
            told = [
                f"{self._decimal(n)} {self._head(column)}"
                for column, n in zip(source["amounts"], points, strict=True)
                if n
            ]
            if told:
                event = self._event(source, turn, source["always"], theatre, self.word(name))
                yield {**event, "place": ", ".join(told)}

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
        kept = [r for r in self._records(chart) if r[table.key[0]] not in chart.get("without", ())]
        if "across" in chart:
            columns, rows, origins = self._crossed(chart, kept)
        else:
            wanted = [c.format(language=self.language) for c in chart.get("columns", table.columns)]
            shown = [c for c in wanted if c not in chart.get("hidden", ())]
            columns = [self._head(c) for c in shown]
            rows = [[self._listed(record[c]) for c in shown] for record in kept]
            origins = [[self._origin(record)] for record in kept]
        sources = sorted({record.provenance.kind.value for record in kept})
        return {
            **self._named(chart),
            "columns": columns,
            "rows": rows,
            "origins": origins,
            "sources": sources,
        }

    def _listed(self, value: Value) -> str:
        """A cell of a chart; one that holds several words has them between strokes."""
        return ", ".join(map(self.word, value.split("|"))) if isinstance(value, str) else self.word(value)

    @staticmethod
    def _origin(record: Record) -> dict[str, str]:
        """In the shape of wire.ExhibitOrigin."""
        cited = dict.fromkeys(CITED.findall(record.provenance.source))
        return {"kind": record.provenance.kind.value, "cited": ", ".join(cited)}

    def _crossed(
        self, chart: Mapping[str, Any], records: list[Record]
    ) -> tuple[list[str], list[list[str]], list[list[dict[str, str]]]]:
        """A table of two keys as a grid: its heads, its rows, and where each cell comes from."""
        across, down, cell = chart["across"], chart["down"], chart["cell"]
        columns = list(dict.fromkeys(record[across] for record in records))
        lines = list(dict.fromkeys(record[down] for record in records))
        cells = {(record[down], record[across]): record for record in records}
        rows = [
            [
                self.word(line),
                *(self.word(cells[line, c][cell] if (line, c) in cells else "") for c in columns),
            ]
            for line in lines
        ]
        origins = [
            [self._origin(cells[line, c]) if (line, c) in cells else NO_ORIGIN for c in columns]
            for line in lines
        ]
        heads = [f"{self._head(down)} / {self._head(across)}", *(self.word(column) for column in columns)]
        return heads, rows, origins

    def _head(self, column: str) -> str:
        return str(self.about.get("columns", {}).get(column, {}).get(self.language, column))

    def rulings(self) -> list[dict[str, Any]]:
        """In the shape of wire.Ruling."""
        return [ruling._asdict() for ruling in read_rulings(self.folder, self.language)]
