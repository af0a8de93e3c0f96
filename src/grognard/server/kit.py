"""What a page needs of a game before it shows a table: map, counters, tables, rulebook. It never changes
while the server runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from grognard.board.board import each
from grognard.board.swatches import legend
from grognard.files import Folder, ProvenanceKind, read_settings
from grognard.files.rulebook import Rulebook
from grognard.kernel import Game, Scenario
from grognard.kernel.events import Family
from grognard.kernel.scenario import FOLDER as SCENARIOS
from grognard.kernel.text import LANGUAGES
from grognard.mechanics.battles import crossed, is_list
from grognard.mechanics.supposing import Supposes
from grognard.server.kit_words import kit_words
from grognard.server.pictures import Pictures

VICTORY = "victory"
"""The table that says what victory is worth; a scenario may have its own."""
ELITE = "elite"
"""Where a game's colours name the units whose symbols are printed light on dark."""


def kit(game: Game[Any], folder: Folder, language: str, pictures: Pictures) -> dict[str, Any]:
    """In the shape of wire.Kit."""
    scene = pictures.maps.outline(game.id, language)
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
        "supposes": isinstance(game.adviser, Supposes),
        "liveries": liveries(folder),
        "turns": _turns(game),
        "scenarios": scenario_lines(game, language),
        "phases": game.phases(language),
        "flat": scene["flat"],
        "hexes": {h["hex"]: {k: v for k, v in h.items() if k != "hex"} for h in scene["hexes"]},
        "map": pictures.about(game.id, language),
        "legend": legend(game.board, language),
        "counters": _counters(game, folder, language),
        "tables": [_named_table(game, table, language) for table in _tables(game, folder)],
        "rules": [article._asdict() for article in book.articles.values()],
        "rulings": [ruling._asdict() for ruling in book.rulings],
        "words": {
            **_features(game, language),
            **{c: game.catalogue.template("words", c, language) for c in game.catalogue.codes("words")},
        },
    }


def _features(game: Game[Any], language: str) -> dict[str, str]:
    """What hexes can have: the legend names only what the map draws."""
    return {word: said[language] for word, said in game.board.settings.get("features", {}).items()}


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
        "victory": scenario.victory.get(language) or _how_to_win(game, scenario.id, language),
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


def _how_to_win(game: Game[Any], scenario: str, language: str) -> str:
    """What the book says of victory, in the game's own few words."""
    if not game.catalogue.has("victory", scenario):
        return ""
    return game.catalogue.template("victory", scenario, language)


def _named_table(game: Game[Any], table: Mapping[str, Any], language: str) -> dict[str, Any]:
    """A table with its columns and its cells in words, where the game has words for them."""
    text = game.catalogue.template
    hidden = {f"name_{other}" for other in LANGUAGES if other != language}
    shown = [n for n, column in enumerate(table["columns"]) if column not in hidden]
    combat = {kind.table for kind in game.events.values() if kind.family is Family.RESULT}
    return {
        "id": table["id"],
        "title": text("tables", table["id"], language),
        "role": "combat" if table["id"] in combat else "victory" if table["id"] == VICTORY else "",
        "scenario": table["scenario"],
        "columns": [
            {"id": table["columns"][n], "name": text("columns", table["columns"][n], language)} for n in shown
        ],
        "rows": [[text("rows", row[n], language) for n in shown] for row in table["rows"]],
    }


def _tables(game: Game[Any], folder: Folder) -> Iterator[dict[str, Any]]:
    """The game's own tables as they stand in its files (of a game with very many those that `tables` in its
    game.toml names); then what victory is worth in scenarios that have a table of their own."""
    wanted = game.settings.data.get("tables")
    combat = {kind.table for kind in game.events.values()}
    for path in sorted((folder.base / "tables").glob("*.csv")):
        if wanted is None or path.stem in wanted:
            found = _read_table(folder, f"tables/{path.name}")
            if path.stem in combat and is_list(found["columns"]):
                columns, rows = crossed(found["columns"], found["rows"])
                found = {"columns": columns, "rows": rows}
            yield {"id": path.stem, "scenario": "", **found}
    for scenario in game.scenarios.values():
        name = scenario.settings.get("victory_table", str, "") if scenario.settings is not None else ""
        if name:
            found = _read_table(folder, f"{SCENARIOS}/{name}")
            yield {"id": VICTORY, "scenario": scenario.id, **found}


def _read_table(folder: Folder, name: str) -> dict[str, Any]:
    rows = list(csv.reader(io.StringIO(folder.text(name))))
    return {"columns": rows[0], "rows": [row for row in rows[1:] if row]}
