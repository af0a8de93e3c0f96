"""Crossroads on every door: nothing outside its folder knows it, and everything of it is shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grognard.cli.terminal.parts import part_lines
from grognard.cli.words import TerminalWords
from grognard.games.listing import game_folder, listed_games
from grognard.kernel.table import part_key
from grognard.kernel.text import LANGUAGES
from grognard.server.kit import kit
from grognard.server.pictures import Maps, Pictures
from tests.crossroads.table import Table, game

PARTS = ["redoubts", "lanes", "villages", "spades", "murk", "tokens", "heart", "reserve", "snipers"]


def busy() -> Table:
    """A position in which every part has something to show."""
    table = Table(fog=True)
    table.wager()
    table.do(0, "dig", "0102")
    table.walk(0, "first-amber", "0202")
    table.state.shooters |= 1 << game().unit_index("first-cobalt")
    return table


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def pictures(folder: Path) -> Pictures:
    return Pictures(folder, Maps({"crossroads": game()}))


def test_the_list_of_games_takes_its_title_from_the_game() -> None:
    line = next(entry for entry in listed_games() if entry.id == "crossroads")
    assert (line.title["en"], line.title["fr"], line.state) == ("Crossroads", "Le Carrefour", "playable")
    assert line.about["fr"] == "Un matin à Brumont"


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_declared_has_its_name_in_the_kit(language: str, tmp_path: Path) -> None:
    found = kit(game(), game_folder("crossroads"), language, pictures(tmp_path))
    assert {id_ for id_ in found["parts"] if "/" not in id_} == set(PARTS)
    for section in ("parts", "badges", "verbs"):
        for id_ in found[section]:
            assert game().catalogue.has(section, id_), f"{section}.{id_} has no name"
    assert {layer["id"] for layer in found["layers"]} == {"sight", "prize"}
    assert set(found["liveries"]) == set(game().sides)
    assert {kind["symbol"] for kind in found["kinds"].values()} == {"infantry", "cavalry", "motorised"}
    assert found["pieces"]["amber-1"]
    assert [step["id"] for step in found["guide"]] == ["wager", "lift", "tread", "assail"]
    assert [scenario["id"] for scenario in found["scenarios"]] == ["morning", "skirmish"]
    json.dumps(found)


def test_the_kit_is_in_another_language_in_every_text_that_has_one(tmp_path: Path) -> None:
    english, french = (
        set(strings(kit(game(), game_folder("crossroads"), lang, pictures(tmp_path))["parts"]))
        for lang in LANGUAGES
    )
    assert "Redoubts" in english - french
    assert "Redoutes" in french - english


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_prints_every_part(language: str) -> None:
    table = busy()
    lines = "\n".join(part_lines(game(), game().table(table.state, 0), TerminalWords(language)))
    for id_ in PARTS:
        assert game().catalogue.template("parts", id_, language) in lines, id_
    # 2.1 Of the other side's tokens there is the number only.
    assert "Amber 1" in lines or "Ambre 1" in lines
    assert "Cobalt 1" not in lines


def test_every_part_shown_was_declared() -> None:
    declared = {
        (kind.id if not kind.sides else f"{kind.id}:{side}")
        for kind in game().parts
        for side in (kind.sides or ("",))
    }
    shown = {part_key(part) for part in game().table(busy().state, None).parts}
    # An area may belong to one side though it is declared for all.
    assert {key.split(":")[0] for key in shown} == set(PARTS)
    assert declared - {"lanes"} <= shown


def test_the_environment_has_planes_numbers_and_tokens() -> None:
    envs = pytest.importorskip("grognard.envs", reason="research is an extra")
    env = envs.env("crossroads", seed=1).unwrapped
    env.reset(seed=1)
    observer = env.observer
    assert any("redoubts" in name for name in observer.plane_names)
    assert any("heart" in name for name in observer.global_names)
    assert any("tokens" in name for name in observer.global_names)
    assert {"shaken", "marched", "stormer"} <= set(observer.unit_names)


def test_the_lab_plays_and_reports(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="the lab is an extra")
    from grognard.lab.report import write_report
    from grognard.lab.run import run_batch

    batch = run_batch(tmp_path / "batch", "crossroads", 6, ["greedy", "random"], "tests")
    page = write_report(batch, "fr").read_text(encoding="utf-8")
    assert "Ambre" in page
    assert "Cobalt" in page
