"""Every code that the rules can give has its sentence, and the in-app rulebook has every case."""

from __future__ import annotations

import re
from pathlib import Path

from grognard.files import Folder, read_table
from grognard.files.rulebook import Rulebook
from grognard.kernel.text import Catalogue
from tests.games.a_victory_lost.table import GAME_FOLDER, real_game

SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(GAME_FOLDER.rglob("*.py")))


def test_every_refusal_and_event_has_a_sentence() -> None:
    catalogue = real_game().catalogue
    refusals = set(re.findall(r'refusal\(\s*"([a-z-]+)"', SOURCE))
    events = set(re.findall(r'\.emit\(\s*"([a-z-]+)"', SOURCE))
    assert len(refusals) > 50
    assert len(events) > 30
    refusals |= {"fewer-zones", "towards-supply", "room-first", "too-dear", "bonus-lost"}
    events |= {"supplied", "unsupplied", "isolated"}
    assert {code for code in refusals if not catalogue.has("refusals", code)} == set()
    assert {code for code in events if not catalogue.has("events", code)} == set()
    assert set(catalogue.codes("events")) == events


def test_every_question_has_a_prompt_and_every_verb_a_word() -> None:
    game = real_game()
    for procedure in game.procedures.values():
        for step in procedure.steps.values():
            if step.decision is not None:
                for code in step.decision.prompts:
                    assert game.catalogue.has("prompts", code), code
    common, verbs = Catalogue(), Catalogue((Folder(GAME_FOLDER), "text/verbs.toml"))
    for section in ("verbs", "typed"):
        assert set(verbs.codes(section)) - set(common.codes(section)) == set(game.verbs())


def test_every_chit_and_every_shift_has_a_name() -> None:
    game = real_game()
    for chit in game.chits:
        assert game.catalogue.has("words", chit.id)
    for name, columns in game.data.shifts.items():
        if columns:
            assert game.catalogue.has("shifts", name)


def test_the_rulebook_tells_every_case_in_the_order_of_the_book_in_both_languages() -> None:
    folder = Folder(Path(GAME_FOLDER))
    cases = [row.text("case") for row in read_table(folder, "cases.csv", ("case", "title"))]
    assert len(cases) == 132
    for language in ("en", "fr"):
        book = Rulebook(folder, language)
        assert list(book.articles) == cases
        assert all(article.body for article in book.articles.values())


def test_the_tables_of_the_rulebook_are_the_games_own() -> None:
    game = real_game()
    for language in ("en", "fr"):
        book = Rulebook(Folder(GAME_FOLDER), language)
        for die, row in game.data.crt.rows.items():
            assert f"| {die} | {' | '.join(row)} |" in book.articles["9.4.1"].body
        chits = " | ".join(str(number) for _, number in sorted(game.data.axis_chits.items()))
        assert f"| {chits} |" in book.articles["7.1.2"].body
