"""Leningrad at the terminal, by typed commands."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from grognard.cli.terminal import panels
from grognard.cli.terminal.hexmap import Face, Window, draw
from grognard.cli.terminal.session import Session
from grognard.cli.words import TerminalWords
from grognard.games.listing import game_folder
from grognard.kernel import Game, Match
from grognard.kernel.registry import load_game
from grognard.kernel.text import LANGUAGES, Catalogue
from grognard.players import Player, seat

FOLDER = game_folder("leningrad")


@pytest.fixture(scope="module")
def game() -> Game[Any]:
    return load_game("leningrad")


class Typist:
    """Somebody who types lines, and the page that the answers appear on."""

    def __init__(
        self,
        game: Game[Any],
        next_line: Callable[[Session], str | None],
        language: str = "en",
        opponents: dict[int, Player] | None = None,
        save_to: Path | None = None,
    ) -> None:
        self.page = io.StringIO()
        console = Console(file=self.page, width=100, highlight=False, markup=False, emoji=False)
        match = Match(game, "campaign", seed="typist")
        words = TerminalWords(language)
        self.session = Session(match, FOLDER, opponents or {}, words, console, self.ask, save_to)
        self.next_line = next_line

    def ask(self, prompt: str) -> str | None:
        line = self.next_line(self.session)
        self.page.write(f"{prompt}{line}\n")
        return line

    @property
    def text(self) -> str:
        return self.page.getvalue()


COMBAT = "(to combat)"
"""A line that stands for as many first choices as it takes to come to the combat phase."""


def typed(game: Game[Any], *lines: str, language: str = "en") -> str:
    """The page after these lines, typed by somebody who plays both sides."""
    waiting = list(lines)

    def next_line(session: Session) -> str | None:
        if waiting and waiting[0] == COMBAT:
            state = session.match.state
            asked = session.game.decision(state)
            if asked is not None and asked.name != "choose-target":
                return " ".join(session.game.encode(session.game.options(state)[0]))
            waiting.pop(0)
        return waiting.pop(0) if waiting else None

    typist = Typist(game, next_line, language)
    typist.session.run()
    assert not waiting, "the game ended before the script"
    return typist.text


def answer_to(page: str, line: str) -> str:
    """What was shown between a typed line and the next."""
    found = re.search(rf"> {re.escape(line)}\n(.*?)(?=\n> |\Z)", page, re.DOTALL)
    assert found, f"{line!r} was not typed"
    return found[1]


# Single commands


def test_the_map_shows_hexes_stacks_rivers_and_roads(game: Game[Any]) -> None:
    page = typed(game, "map Riga", "map all", "map 2505")
    assert "@Riga" in answer_to(page, "map Riga")
    whole = answer_to(page, "map all")
    for number in ("0101", "2913", "0113", "2705"):
        assert number in whole
    assert "~~~~" in whole
    assert "_==_" in whole
    assert "G9:" in whole
    assert "S1:?" in whole
    assert "@Lenin" in answer_to(page, "map 2505")
    assert "0113" not in answer_to(page, "map 2505")


def test_a_hex_and_its_stack(game: Game[Any]) -> None:
    shown = answer_to(typed(game, "hex 0312"), "hex 0312")
    assert "Clear" in shown
    assert "5-rd" in shown
    assert "?" in shown


def test_units_of_a_side_or_with_a_word(game: Game[Any]) -> None:
    page = typed(game, "units", "units soviet", "units 245-rd")
    assert "1-pz" in answer_to(page, "units")
    assert "10-rd" not in answer_to(page, "units")
    assert "10-rd" in answer_to(page, "units soviet")
    assert "turn 7" in answer_to(page, "units 245-rd")


def test_going_somewhere_takes_the_cheapest_way_and_undo_takes_it_back(game: Game[Any]) -> None:
    page = typed(game, "reach 1-pz", "go 1-pz 6-pz 0211", "undo", "undo", "undo", "undo", "hex 0111")
    assert ">7" in answer_to(page, "reach 1-pz")
    assert "1 Pz, 6 Pz: 0111 (Tilsit) to 0211" in answer_to(page, "go 1-pz 6-pz 0211")
    stack = answer_to(page, "hex 0111")
    assert "1-pz" in stack
    assert "6-pz" in stack


def test_redo_plays_again_what_was_taken_back(game: Game[Any]) -> None:
    page = typed(game, "redo", "go 1-pz 6-pz 0211", "undo", "redo", "hex 0211", "redo")
    assert "Nothing can be redone" in answer_to(page, "redo")
    assert "1-pz" in answer_to(page, "hex 0211")


def test_refusals_name_the_case_and_the_reason(game: Game[Any]) -> None:
    page = typed(
        game,
        *("why pick 10-rd", "why pick 1-pz", "pick 10-rd", "pick 1-pz", "why step 0909", "why step 0311"),
        *("go 2505", "why go 0211", "step 0909"),
    )
    assert re.match(r"4\.\d: ", answer_to(page, "why pick 10-rd"))
    assert answer_to(page, "pick 10-rd").startswith(answer_to(page, "why pick 10-rd"))
    assert "Nothing forbids it" in answer_to(page, "why pick 1-pz")
    assert "0909" in answer_to(page, "why step 0909")
    assert "0311" in answer_to(page, "why step 0311")
    assert re.search(r"^4\.\d: .*out of reach", answer_to(page, "go 2505"))
    assert "Nothing forbids it" in answer_to(page, "why go 0211")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("dance", "dance"),
        ("pick", "action"),
        ("pick nobody", "nobody"),
        ("step 9999", "9999"),
        ("map Atlantis", "Atlantis"),
        ("go 1-pz Atlantis", "Atlantis"),
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
        *("go 1-pz 6-pz 36-mot 0211", "end", COMBAT),
        *("odds 0312 with all", "odds 0312 with 1-pz air=1", "odds 0312 with 121-inf"),
        *("target 0312", "join 1-pz", "odds", "odds 0312 with all"),
    )
    panel = answer_to(page, "odds 0312 with all")
    assert re.search(r"attack: \d+", panel)
    assert "on average (untried units)" in panel
    assert "Panzer corps in attack (12.1)" in panel
    chances = [int(n) for n in re.findall(r"^  \S+/\S+ +(\d+)%", panel, re.MULTILINE)]
    assert 95 <= sum(chances) <= 105
    assert "air support in attack (13.1)" in answer_to(page, "odds 0312 with 1-pz air=1")
    assert "8.1:" in answer_to(page, "odds 0312 with 121-inf")
    assert "attack: 6\n" in answer_to(page, "odds")


def test_supply_rules_log_and_help(game: Game[Any]) -> None:
    page = typed(game, "supply 23-td", "supply 1-pz", "rules 10.7", "rules", "log", "help", "options")
    assert "23 TD is" in answer_to(page, "supply 23-td")
    assert "source" in answer_to(page, "supply 1-pz")
    assert "Safe hexes" in answer_to(page, "rules 10.7")
    assert len(answer_to(page, "rules").splitlines()) == 105
    assert "Turn 1 begins" in answer_to(page, "log")
    for command in TerminalWords("en").codes("usage"):
        assert command in answer_to(page, "help")


def test_help_has_examples_of_the_game_in_play(game: Game[Any]) -> None:
    page = typed(game, "help")
    first = game.encode(next(iter(game.options(game.start("campaign")))))
    assert " ".join(first) in answer_to(page, "help")


def test_a_sitting_begins_with_what_is_played_and_how_it_is_won(game: Game[Any]) -> None:
    for language in LANGUAGES:
        page = " ".join(typed(game, language=language).split())
        assert game.scenarios["campaign"].names[language] in page
        how = game.catalogue.template("victory", "campaign", language)
        assert how != "campaign"
        assert " ".join(how.split()) in page


def test_french_from_end_to_end(game: Game[Any]) -> None:
    page = typed(
        game,
        *("aide", "carte Riga", "hexagone 0312", "pourquoi prendre 10-rd", "prendre 1-pz", "bouger 0211"),
        *("halte", "annuler", "ravitaillement 1-pz", "règles 10.7", "journal", "quitter"),
        language="fr",
    )
    assert "Commandes" in answer_to(page, "aide")
    assert "rivière" in answer_to(page, "carte Riga")
    assert "Terrain clair" in answer_to(page, "hexagone 0312")
    assert "4.0: " in answer_to(page, "pourquoi prendre 10-rd")
    assert "à 0211" in answer_to(page, "bouger 0211")
    assert "Ligne de ravitaillement tracée" in answer_to(page, "ravitaillement 1-pz")
    assert "Hexagones sûrs" in answer_to(page, "règles 10.7")
    assert "Le tour 1 commence" in answer_to(page, "journal")
    for english in ("Type “help”", "to decide", "select a unit", "Nothing forbids"):
        assert english not in page


# Whole turns


def plan(turns: int) -> Callable[[Session], str | None]:
    """A commander who moves some units towards Leningrad, attacks what he meets with all he has, and takes
    the first choice otherwise. He types everything."""
    marched: set[tuple[int, int]] = set()

    def next_line(session: Session) -> str | None:
        game, state = session.game, session.match.state
        assert game.adviser is not None
        if game.turn(state) > turns:
            return None
        options = game.options(state)
        asked = game.decision(state)
        assert asked is not None
        goal = game.board.cell("2605")
        if asked.name == "pick-unit":
            for action in options:
                if action[0] != "pick" or (game.turn(state), action[1]) in marched:
                    continue
                marched.add((game.turn(state), action[1]))
                ways = game.adviser.reach(state, [action[1]])
                if isinstance(ways, dict) and ways:
                    nearest = min(ways, key=lambda cell: (game.board.distance(cell, goal), cell))
                    return f"go {game.unit_id(action[1])} {game.board.number(nearest)}"
            if ("end",) in options:
                return "end"
        if asked.name == "choose-target" and options[0][0] == "target":
            return f"attack {game.board.number(options[0][1])} with all"
        if len(options) <= panels.FEW:
            return "1"
        return " ".join(game.encode(options[-1]))

    return next_line


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_turns_by_typed_commands(game: Game[Any], language: str, tmp_path: Path) -> None:
    opponents = {1: seat("random", "opponent")}
    save = tmp_path / "game.json"
    typist = Typist(game, plan(3), language, opponents, save)
    typist.session.run()
    match = typist.session.match
    assert game.turn(match.state) == 4
    kinds = {event.kind for event in match.log}
    assert {"moved", "attack", "odds", "result", "revealed"} <= kinds
    assert TerminalWords(language)("play", "turn", turn=3) in typist.text
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
    command = [sys.executable, "-m", "grognard.cli.main", "play", "leningrad"]

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

    first = play("--seed", "7", "--lang", "fr", "--save", str(save), lines="prendre 1-pz\nquitter\n")
    assert first.returncode == 0, first.stderr
    assert "> prendre 1-pz" in first.stdout
    assert "Sélection" in first.stdout
    assert "\x1b" not in first.stdout
    second = play("--load", str(save), "--lang", "en", lines="halt\n")
    assert second.returncode == 0, second.stderr
    assert "Selected: 1 Pz" in second.stdout


def test_play_refuses_what_cannot_be_played() -> None:
    from grognard.cli.main import main

    assert main(["play", "typhoon"]) == 1
    assert main(["play", "leningrad", "--side", "finnish"]) == 2


# Drawing


def test_a_window_never_runs_off_the_map(game: Game[Any]) -> None:
    board = game.board
    sizes = set()
    for number in ("0101", "2913", "1507", "0113", "2901"):
        lines = draw(board, {}, Window(board.cell(number), 9, 5))
        sizes.add(len(lines))
        assert any(number in line.plain for line in lines)
        assert max(len(line.plain) for line in lines) <= 9 * 6 + 2
    assert len(sizes) == 1


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
    verbs = Catalogue((FOLDER, "text/verbs.toml"))
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
