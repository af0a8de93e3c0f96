"""What a page needs of a game before it shows a table: map, counters, tables, rulebook. It never changes
while the server runs."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from grognard import board
from grognard.board.board import each
from grognard.board.drawing import Options, draw
from grognard.board.svg import can_draw_pictures, render_png, render_svg
from grognard.board.swatches import legend
from grognard.files import Folder, ProvenanceKind, read_settings
from grognard.files.rulebook import Rulebook
from grognard.kernel import Game, Scenario
from grognard.kernel.events import Family
from grognard.kernel.scenario import FOLDER as SCENARIOS
from grognard.kernel.text import LANGUAGES
from grognard.server.kit_words import kit_words

PICTURE_WIDTHS = (1600, 3200, 6400)
VICTORY = "victory"
"""The table that says what victory is worth; a scenario may have its own."""
ELITE = "elite"
"""Where a game's colours name the units whose symbols are printed light on dark."""
BARE = Options(furniture=False)
"""The map alone: the page has its own title and legend."""


def kit(game: Game[Any], folder: Folder, language: str) -> dict[str, Any]:
    """In the shape of wire.Kit."""
    scene = _outline(game, language)
    book = Rulebook(folder, language)
    about = game.settings.data
    return {
        "id": game.id,
        "title": about["title"][language],
        "subtitle": about["subtitle"][language],
        "credits": about["credits"][language],
        "rules_version": game.rules_version,
        "sides": [{"id": side, "name": about["sides"][side][language]} for side in game.sides],
        **kit_words(game, language),
        "liveries": liveries(folder),
        "turns": _turns(game),
        "scenarios": scenario_lines(game, language),
        "phases": game.phases(language),
        "flat": scene["flat"],
        "hexes": {h["hex"]: {k: v for k, v in h.items() if k != "hex"} for h in scene["hexes"]},
        "map": _map(game, scene, language),
        "legend": legend(game.board, language),
        "counters": _counters(game, folder, language),
        "tables": [_named_table(game, table, language) for table in _tables(game, folder)],
        "rules": [article._asdict() for article in book.articles.values()],
        "rulings": [ruling._asdict() for ruling in book.rulings],
        "words": {
            code: game.catalogue.template("words", code, language) for code in game.catalogue.codes("words")
        },
    }


def liveries(folder: Folder) -> dict[str, dict[str, str]]:
    """The colours of sides and nations."""
    data = read_settings(folder, "livery.toml").data
    return {id_: dress for id_, dress in data.items() if id_ != ELITE}


def _counters(game: Game[Any], folder: Folder, language: str) -> dict[str, dict[str, Any]]:
    """What is printed on the counters, and which of them are drawn as those of elite units."""
    elite = set(read_settings(folder, "livery.toml").data.get(ELITE, []))
    return {
        id_: {**counter, "elite": True} if id_ in elite else counter
        for id_, counter in game.counters(language).items()
    }


def _map(game: Game[Any], scene: Mapping[str, Any], language: str) -> dict[str, Any]:
    base = f"/api/games/{game.id}"
    return {
        "box": scene["box"],
        "frame": scene["frame"],
        "svg": f"{base}/map.svg?lang={language}",
        # Without a picture library the page makes its pictures of the SVG, at these widths.
        "widths": list(PICTURE_WIDTHS),
        "png": [
            {"width": width, "url": f"{base}/map.png?lang={language}&width={width}"}
            for width in (PICTURE_WIDTHS if can_draw_pictures() else ())
        ],
    }


@lru_cache(maxsize=16)
def _outline(game: Game[Any], language: str) -> dict[str, Any]:
    scene = draw(game.board, language, BARE)
    return {key: scene[key] for key in ("flat", "box", "frame", "hexes")}


def _turns(game: Game[Any]) -> list[dict[str, Any]]:
    return [{"turn": t.number, "from": str(t.first_day), "to": str(t.last_day)} for t in game.turns]


def scenario_lines(game: Game[Any], language: str) -> list[dict[str, Any]]:
    """What players want to know of a game's scenarios before they choose one."""
    return [_scenario_line(game, scenario, language) for scenario in game.scenarios.values()]


def _scenario_line(game: Game[Any], scenario: Scenario, language: str) -> dict[str, Any]:
    """In the shape of wire.ScenarioLine."""
    turns, area = game.calendar(scenario.id), game.area(scenario.id)
    return {
        "id": scenario.id,
        "name": scenario.names.get(language, scenario.id),
        "about": scenario.about.get(language, ""),
        "first_turn": scenario.first,
        "last_turn": scenario.last,
        "first_day": str(turns[0].first_day) if turns else "",
        "last_day": str(turns[-1].last_day) if turns else "",
        "minutes": scenario.minutes,
        "difficulty": scenario.difficulty,
        "ours": scenario.provenance is not None and scenario.provenance.kind is ProvenanceKind.RECONSTRUCTED,
        "victory": scenario.victory.get(language, ""),
        "area": [] if area == game.board.everywhere else [game.board.number(cell) for cell in each(area)],
        "options": [
            {
                "id": id_,
                "name": option.names.get(language, id_),
                "case": option.case,
                "default": option.default,
            }
            for id_, option in scenario.options.items()
        ],
    }


def _named_table(game: Game[Any], table: Mapping[str, Any], language: str) -> dict[str, Any]:
    """A table with its columns and its cells in words, where the game has words for them."""
    text = game.catalogue.template
    hidden = {f"name_{other}" for other in LANGUAGES if other != language}
    shown = [n for n, column in enumerate(table["columns"]) if column not in hidden]
    combat = {kind.table for kind in game.events.values() if kind.family is Family.RESULT}
    return {
        "id": table["id"],
        "title": text("tables", table["id"], language),
        "role": "combat" if table["id"] in combat else "",
        "scenario": table["scenario"],
        "columns": [
            {"id": table["columns"][n], "name": text("columns", table["columns"][n], language)} for n in shown
        ],
        "rows": [[text("rows", row[n], language) for n in shown] for row in table["rows"]],
    }


def _tables(game: Game[Any], folder: Folder) -> Iterator[dict[str, Any]]:
    """The game's own tables as they stand in its files; then what victory is worth in scenarios that have a
    table of their own."""
    for path in sorted((folder.base / "tables").glob("*.csv")):
        yield {"id": path.stem, "scenario": "", **_read_table(folder, f"tables/{path.name}")}
    for scenario in game.scenarios.values():
        name = scenario.settings.get("victory_table", str, "") if scenario.settings is not None else ""
        if name:
            found = _read_table(folder, f"{SCENARIOS}/{name}")
            yield {"id": VICTORY, "scenario": scenario.id, **found}


def _read_table(folder: Folder, name: str) -> dict[str, Any]:
    rows = list(csv.reader(io.StringIO(folder.text(name))))
    return {"columns": rows[0], "rows": [row for row in rows[1:] if row]}


@cache
def edition(game: Game[Any]) -> str:
    """Changes whenever a picture of the map would: with the map, its names and the way it is drawn."""
    total = hashlib.sha256(game.data_digest.encode())
    names = [[info.number, sorted(info.names.items())] for info in game.board.info.values()]
    sides = [[n, sorted(s.names.items())] for n, found in game.board.sides.items() for s in found.values()]
    total.update(json.dumps([names, sides, game.board.settings], default=str, sort_keys=True).encode())
    for path in sorted(Path(board.__file__).parent.glob("*.*")):
        total.update(path.read_bytes())
    return total.hexdigest()[:16]


class Pictures:
    """Maps as pictures, drawn once and kept."""

    def __init__(self, cache: Path) -> None:
        self.cache = cache
        self._drawing = Lock()

    def svg(self, game: Game[Any], language: str) -> bytes:
        return self._kept(
            self._svg_name(game, language),
            lambda: render_svg(game.board, language, BARE).encode(),
        )

    def png(self, game: Game[Any], language: str, width: int) -> bytes:
        return self._kept(
            self._png_name(game, language, width), lambda: render_png(game.board, language, width, BARE)
        )

    def ready(self, game: Game[Any], language: str) -> bool:
        """Whether what a page fetches first is there."""
        return (self.cache / self._first_name(game, language)).is_file()

    def prepare(self, game: Game[Any], language: str) -> None:
        """Draw what a page fetches first."""
        if can_draw_pictures():
            self.png(game, language, PICTURE_WIDTHS[0])
        else:
            self.svg(game, language)

    def _first_name(self, game: Game[Any], language: str) -> str:
        if can_draw_pictures():
            return self._png_name(game, language, PICTURE_WIDTHS[0])
        return self._svg_name(game, language)

    def _svg_name(self, game: Game[Any], language: str) -> str:
        return f"{game.id}-{edition(game)}-{language}.svg"

    def _png_name(self, game: Game[Any], language: str, width: int) -> str:
        return f"{game.id}-{edition(game)}-{language}-{width}.png"

    def _kept(self, name: str, make: Callable[[], bytes]) -> bytes:
        path = self.cache / name
        if not path.is_file():
            # One at a time: drawing takes seconds, and two would draw the same.
            with self._drawing:
                if not path.is_file():
                    self.cache.mkdir(parents=True, exist_ok=True)
                    # Another server may share the folder: its half-written file is not ours.
                    partial = path.with_name(f"{name}.{os.getpid()}.part")
                    partial.write_bytes(make())
                    partial.replace(path)
        return path.read_bytes()
