"""A game at the terminal, by typed commands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from grognard.board import load_board
from grognard.cli.terminal import panels
from grognard.cli.terminal.hexmap import Face, Window, draw
from grognard.cli.terminal.session import Session
from grognard.cli.words import TerminalWords
from grognard.files import Folder
from grognard.games.listing import game_folder
from grognard.kernel import Game, Match
from grognard.kernel.registry import load_game
from grognard.kernel.text import LANGUAGES, Catalogue
from grognard.players import Player, seat
from tests.cli.typist import NextLine, Typist, answer_to

WAGERS = ("stake amber-3", "stake cobalt-1")
"""Amber goes first."""


@pytest.fixture(scope="module")
def game() -> Game[Any]:
    return load_game("crossroads")


def typed(game: Game[Any], *lines: str, wagers: Sequence[str] = WAGERS, language: str = "en") -> str:
    """The page after these lines, typed in fog by somebody who plays both sides."""
    waiting = [*wagers, *lines]
    typist = Typist(
        game, lambda _: waiting.pop(0) if waiting else None, language=language, options={"fog": True}
    )
    typist.session.run()
    assert not waiting, "the game ended before the script"
    return typist.text


# Single commands


def test_the_map_shows_hexes_stacks_rivers_and_roads(game: Game[Any]) -> None:
    page = typed(game, "map Brumont", "map all", "map 0402", "dig 0102", "map")
    assert "oBrumo" in answer_to(page, "map Brumont")
    whole = answer_to(page, "map all")
    sheet, legend = whole.rsplit("\n~", 1)
    for cell in game.board.cells:
        assert game.board.number(cell) in sheet
    assert "~" in sheet
    assert "=" in sheet
    assert "A1:3" in sheet
    assert "C1:4" in sheet
    assert "F" not in sheet
    assert "F Redoubts" in legend
    assert "A1:3F" in answer_to(page, "map")


def test_the_map_is_shown_around_a_hex(game: Game[Any]) -> None:
    """A terminal too small for all of it shows the part that is asked for."""
    waiting: list[str] = [*WAGERS, "map 0402", "map all"]
    typist = Typist(game, lambda _: waiting.pop(0) if waiting else None)
    typist.session.console.width = 20
    typist.session.run()
    near = answer_to(typist.text, "map 0402")
    assert "@East" in near or "East E" in near
    assert "0101" not in near
    assert "0101" in answer_to(typist.text, "map all")


def test_a_hex_its_sides_and_its_stack(game: Game[Any]) -> None:
    shown = answer_to(typed(game, "hex 0402 0202"), "hex 0402 0202")
    assert "0402 (East End): Clear" in shown
    assert "towards 0302: Road (East road)" in shown
    assert "first-cobalt" in shown
    assert "0202 (Brumont): Clear, Village" in shown
    assert "no units" in shown


def test_units_of_a_side_or_with_a_word(game: Game[Any]) -> None:
    page = typed(game, "units", "units cobalt", "units horse")
    assert "first-amber" in answer_to(page, "units")
    assert "first-cobalt" not in answer_to(page, "units")
    assert "first-cobalt" in answer_to(page, "units cobalt")
    assert "first-amber" not in answer_to(page, "units cobalt")
    assert answer_to(page, "units horse").split()[0] == "cobalt-horse"


def test_going_somewhere_takes_the_cheapest_way_and_undo_takes_it_back(game: Game[Any]) -> None:
    page = typed(game, "reach first-amber", "go first-amber 0302", "undo", "hex 0102")
    # 3.1 Half a point for each of two roads.
    assert ">2½" in answer_to(page, "reach first-amber")
    assert ">2 " in answer_to(page, "reach first-amber")
    told = answer_to(page, "go first-amber 0302")
    assert "1st Amber Foot marches: 0102 (West End), 0202 (Brumont). (3.1)" in told
    assert "1st Amber Foot marches: 0202 (Brumont), 0302. (3.1)" in told
    assert "first-amber" in answer_to(page, "hex 0102")


def test_redo_plays_again_what_was_taken_back(game: Game[Any]) -> None:
    page = typed(game, "redo", "go first-amber 0202", "undo", "redo", "hex 0202", "redo")
    assert "Nothing can be redone" in answer_to(page, "redo")
    assert "first-amber" in answer_to(page, "hex 0202")


def test_refusals_name_the_case_and_the_reason(game: Game[Any]) -> None:
    page = typed(
        game,
        *("why lift first-cobalt", "why lift first-amber", "lift first-cobalt", "lift first-amber"),
        *("why tread 0402", "why tread 0202", "go 0402", "why go 0202", "tread 0402"),
    )
    assert answer_to(page, "why lift first-cobalt") == "3.0: 1st Cobalt Foot is not yours."
    assert answer_to(page, "lift first-cobalt").startswith(answer_to(page, "why lift first-cobalt"))
    assert "Nothing forbids it" in answer_to(page, "why lift first-amber")
    assert "3.1: 0402 (East End) is not adjacent." in answer_to(page, "why tread 0402")
    assert "Nothing forbids it" in answer_to(page, "why tread 0202")
    assert re.search(r"^3\.1: 0402 \(East End\) is out of reach", answer_to(page, "go 0402"))
    assert "Nothing forbids it" in answer_to(page, "why go 0202")
    assert answer_to(page, "tread 0402").startswith(answer_to(page, "why tread 0402"))


def test_a_hex_next_door_is_refused_with_its_own_reason(game: Game[Any]) -> None:
    page = typed(game, "lift first-amber", "tread 0202", "tread 0302", "go 0402", "go 0403")
    assert "3.1: The enemy is at 0402 (East End)." in answer_to(page, "go 0402")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("dance", "dance"),
        ("lift", "action"),
        ("lift nobody", "nobody"),
        ("tread 9999", "9999"),
        ("map Atlantis", "Atlantis"),
        ("go first-amber Atlantis", "Atlantis"),
        ("99", "99"),
        ("supply", "supply"),
        ("attack", "attack"),
        ("odds", "odds"),
        ("rules zeppelin", "zeppelin"),
        ("save", "save"),
        ("undo", "Nothing can be undone"),
    ],
)
def test_nonsense_is_answered_with_a_sentence(game: Game[Any], line: str, word: str) -> None:
    typist = Typist(game, lambda _: None)
    before = typist.session.match.state.fingerprint()
    typist.session.execute(line)
    assert word in typist.text
    assert typist.session.match.state.fingerprint() == before


def test_odds_show_strengths_shifts_and_chances(game: Game[Any]) -> None:
    page = typed(
        game,
        *("dig 0402", "dusk", "dusk", "go first-amber 0302", "dusk"),
        *("odds 0402 with all", "odds 0402 with first-amber", "odds 0402 with amber-wagon"),
        *("assail 0402", "rally first-amber", "odds", "odds 0402 with all"),
        wagers=("stake amber-1", "stake cobalt-3"),
    )
    panel = answer_to(page, "odds 0402 with all")
    assert "attack: 3\n" in panel
    assert "defence: 3\n" in panel
    assert "\u22121  redoubt (5.0)" in panel
    assert "column: 1-2\n" in panel
    chances = [int(n) for n in re.findall(r"^  \S+ +(\d+)%", panel, re.MULTILINE)]
    assert len(chances) == 5
    assert 95 <= sum(chances) <= 105
    assert answer_to(page, "odds 0402 with first-amber") == panel
    assert "4.0:" in answer_to(page, "odds 0402 with amber-wagon")
    assert answer_to(page, "odds") == panel


def test_supply_rules_log_and_help(game: Game[Any]) -> None:
    page = typed(game, "supply first-amber", "rules 3.4", "rules", "rules cup", "log", "help", "options")
    assert "1st Amber Foot is in supply (1.0)" in answer_to(page, "supply first-amber")
    assert "source" in answer_to(page, "supply first-amber")
    assert "Snipers" in answer_to(page, "rules 3.4")
    assert len(answer_to(page, "rules").splitlines()) == 14
    assert "2.2  The cup" in answer_to(page, "rules cup")
    assert "== Turn 1." in answer_to(page, "log")
    for command in TerminalWords("en").codes("usage"):
        assert command in answer_to(page, "help")
    assert "first-amber" in answer_to(page, "options")


def test_help_has_examples_of_the_game_in_play(game: Game[Any]) -> None:
    page = typed(game, "help", wagers=())
    first = game.encode(next(iter(game.options(game.start("morning")))))
    assert " ".join(first) in answer_to(page, "help")


def test_a_sitting_begins_with_what_is_played_and_how_it_is_won(game: Game[Any]) -> None:
    for language in LANGUAGES:
        page = " ".join(typed(game, wagers=(), language=language).split())
        assert game.scenarios["morning"].names[language] in page
        how = game.catalogue.template("victory", "morning", language)
        assert how != "morning"
        assert " ".join(how.split()) in page


def test_what_was_laid_is_not_told_to_the_other_side(game: Game[Any]) -> None:
    """2.1 Between the wagers the other side sits down: it sees its own tokens."""
    page = typed(game, "table", wagers=("table", "stake amber-3", "units"))
    before, after = page.split("> stake amber-3\n")
    assert "Amber 3" in answer_to(before, "table")
    assert "Cobalt 3" not in answer_to(before, "table")
    assert "Amber 3" not in after
    assert "Cobalt 3" in answer_to(after, "table")


def test_french_from_end_to_end(game: Game[Any]) -> None:
    page = typed(
        game,
        *("aide", "carte Brumont", "hexagone 0402", "pourquoi prendre first-cobalt", "prendre first-amber"),
        *(
            "avancer 0202",
            "halte",
            "annuler",
            "ravitaillement first-amber",
            "règles 3.4",
            "journal",
            "quitter",
        ),
        wagers=("miser amber-3", "miser cobalt-1"),
        language="fr",
    )
    assert "Commandes" in answer_to(page, "aide")
    assert "rivière" in answer_to(page, "carte Brumont")
    assert "Clair" in answer_to(page, "hexagone 0402")
    assert "3.0: " in answer_to(page, "pourquoi prendre first-cobalt")
    assert "1er d’infanterie ambre avance" in answer_to(page, "avancer 0202")
    assert "Ligne de ravitaillement tracée" in answer_to(page, "ravitaillement first-amber")
    assert "Les tireurs" in answer_to(page, "règles 3.4")
    assert "== Tour 1." in answer_to(page, "journal")
    for english in ("Type “help”", "to decide", "take up a unit", "Nothing forbids"):
        assert english not in page


# Whole turns


def plan(turns: int) -> NextLine:
    """A commander who moves his units towards the enemy, attacks what he meets with all he has, and takes the
    first choice otherwise. He types everything."""
    marched: set[tuple[int, int]] = set()

    def next_line(session: Session) -> str | None:
        game, state = session.game, session.match.state
        assert game.adviser is not None
        if game.turn(state) > turns:
            return None
        options = game.options(state)
        asked = game.decision(state)
        assert asked is not None
        places = [unit["hex"] for unit in session.table().units if unit["side"] == "cobalt"]
        foes = [game.board.cell(place) for place in places if place is not None]
        if asked.name == "march":
            for action in options:
                if action[0] != "lift" or (game.turn(state), action[1]) in marched:
                    continue
                marched.add((game.turn(state), action[1]))
                ways = game.adviser.reach(state, [action[1]])
                if isinstance(ways, dict) and ways:
                    nearest = min(ways, key=lambda c: min(game.board.distance(c, foe) for foe in foes))
                    return f"go {game.unit_id(action[1])} {game.board.number(nearest)}"
            return "dusk"
        if asked.name == "tread":  # fired at, and missed
            return "rest"
        if asked.name == "choose-target" and options[0][0] == "assail":
            return f"attack {game.board.number(options[0][1])} with all"
        if len(options) <= panels.FEW:
            return "1"
        return " ".join(game.encode(options[-1]))

    return next_line


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_turns_by_typed_commands(game: Game[Any], language: str, tmp_path: Path) -> None:
    opponents: dict[int, Player] = {1: seat("random", "opponent")}
    save = tmp_path / "game.json"
    typist = Typist(game, plan(2), language, opponents, save)
    typist.session.run()
    match = typist.session.match
    assert game.turn(match.state) == 3
    kinds = {event.kind for event in match.log}
    assert {"wagered", "trod", "stormed", "outcome"} <= kinds
    assert TerminalWords(language)("play", "turn", turn=2) in typist.text
    again = Match.load(game, save.read_text(encoding="utf-8"))
    assert again.state.fingerprint() == match.state.fingerprint()


def test_a_game_goes_on_to_its_end_and_says_who_won(game: Game[Any]) -> None:
    opponents: dict[int, Player] = {0: seat("random", "g")}

    def shortest(session: Session) -> str:
        options = session.game.options(session.match.state)
        return " ".join(session.game.encode(options[-1]))

    typist = Typist(game, shortest, opponents=opponents)
    typist.session.run()
    assert typist.session.match.over
    assert "Result: " in typist.text.splitlines()[-1]


def test_play_works_in_a_pipe(tmp_path: Path) -> None:
    save = tmp_path / "piped.json"
    command = [sys.executable, "-m", "grognard.cli.main", "play", "crossroads"]

    def play(*arguments: str, lines: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, *arguments],
            input=lines,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )

    first = play("--seed", "7", "--lang", "fr", "--save", str(save), lines="miser amber-3\nquitter\n")
    assert first.returncode == 0, first.stderr
    assert "> miser amber-3" in first.stdout
    assert "Ambre commence" in first.stdout
    assert "\x1b" not in first.stdout
    second = play("--load", str(save), "--lang", "en", lines="lift first-amber\n")
    assert second.returncode == 0, second.stderr
    assert "1st Amber Foot at 0102 (West End): 3 points left." in second.stdout


def test_play_refuses_what_cannot_be_played() -> None:
    from grognard.cli.main import main

    assert main(["play", "third_front"]) == 1
    assert main(["play", "crossroads", "--side", "finnish"]) == 2


# Drawing


def test_a_window_never_runs_off_the_map(game: Game[Any]) -> None:
    board = game.board
    sizes = set()
    for number in ("0101", "0403", "0202", "0103", "0401"):
        lines = draw(board, {}, Window(board.cell(number), 3, 2))
        sizes.add(len(lines))
        assert any(number in line.plain for line in lines)
        assert max(len(line.plain) for line in lines) <= 3 * 6 + 2
    assert len(sizes) == 1


def test_a_river_runs_along_a_side_and_a_road_through_it(game: Game[Any], tmp_path: Path) -> None:
    shutil.copytree(game_folder("crossroads").base / "map", tmp_path / "map")
    with (tmp_path / "map" / "sides.csv").open("a", encoding="utf-8") as sides:
        sides.write("0101,0102,river,,,found,a test\n0201,0202,road,,,found,a test\n")
    bare = "\n".join(line.plain for line in draw(game.board, {}))
    drawn = "\n".join(line.plain for line in draw(load_board(Folder(tmp_path / "map")), {}))
    assert (bare.count("~~~~"), bare.count("_==_")) == (0, 0)
    assert (drawn.count("~~~~"), drawn.count("_==_")) == (1, 1)


def test_what_is_written_in_a_hex_stays_in_it(game: Game[Any]) -> None:
    board = game.board
    bare = [line.plain for line in draw(board, {})]
    full = [line.plain for line in draw(board, {c: Face("WWWWWWWWWW", "MMMMMMMMMM") for c in board.cells})]
    for before, after in zip(bare, full, strict=True):
        for letter, written in zip(before, after.ljust(len(before)), strict=False):
            if letter in "/\\=_":
                assert written == letter


# TerminalWords


def test_every_verb_and_command_has_one_word_in_each_language(game: Game[Any]) -> None:
    """No word may mean two things, or a typed line would be ambiguous."""
    verbs = Catalogue((game_folder("crossroads"), "text/verbs.toml"))
    for language in LANGUAGES:
        words = TerminalWords(language)
        spoken = [verbs.template("typed", verb, language) for verb in game.verbs()]
        spoken += [word for code in words.codes("commands") for word in words("commands", code).split()]
        assert len(set(spoken)) == len(spoken)
        for verb in game.verbs():
            assert verbs.has("verbs", verb)
            assert verbs.has("typed", verb)


def test_words_of_one_language_do_not_hide_those_of_the_other(game: Game[Any]) -> None:
    """English verbs work whatever the language, so that what a manual shows can be typed."""
    typist = Typist(game, lambda _: None, "fr")
    for verb in game.verbs():
        assert typist.session._dictionary[verb] == verb
