"""Leningrad at the terminal: untried strengths, air support and supply lines. The terminal itself is tested
in tests/cli, on Crossroads."""

from __future__ import annotations

import re
from typing import Any

from grognard.cli.terminal.session import Session
from grognard.games.leningrad import load
from tests.cli.typist import Typist, answer_to

GAME = load()

COMBAT = "(to combat)"
"""A line that stands for as many first choices as it takes to come to the combat phase."""


def typed(*lines: str, language: str = "en") -> str:
    """The page after these lines, typed by somebody who plays both sides."""
    waiting = list(lines)

    def next_line(session: Session) -> str | None:
        if waiting and waiting[0] == COMBAT:
            state: Any = session.match.state
            asked = session.game.decision(state)
            if asked is not None and asked.name != "choose-target":
                return " ".join(session.game.encode(session.game.options(state)[0]))
            waiting.pop(0)
        return waiting.pop(0) if waiting else None

    typist = Typist(GAME, next_line, language)
    typist.session.run()
    assert not waiting, "the game ended before the script"
    return typist.text


def test_untried_strengths_are_not_shown_on_the_map_and_in_stacks() -> None:
    page = typed("map Riga", "map all", "hex 0312", "units 245-rd")
    assert "@Riga" in answer_to(page, "map Riga")
    whole = answer_to(page, "map all")
    for sign in ("0101", "2913", "~~~~", "_==_", "G9:", "S1:?"):
        assert sign in whole
    stack = answer_to(page, "hex 0312")
    assert "5-rd" in stack
    assert "?" in stack
    assert "turn 7" in answer_to(page, "units 245-rd")


def test_a_stack_goes_as_one() -> None:
    page = typed("reach 1-pz", "go 1-pz 6-pz 0211", "undo", "hex 0111")
    assert ">7" in answer_to(page, "reach 1-pz")
    assert "1 Pz, 6 Pz: 0111 (Tilsit) to 0211" in answer_to(page, "go 1-pz 6-pz 0211")
    assert {"1-pz", "6-pz"} <= set(answer_to(page, "hex 0111").split())


def test_odds_show_untried_strengths_shifts_and_air_support() -> None:
    page = typed(
        *("go 1-pz 6-pz 36-mot 0211", "end", COMBAT),
        *("odds 0312 with all", "odds 0312 with 1-pz air=1", "odds 0312 with 121-inf"),
        *("target 0312", "join 1-pz", "odds", "help"),
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
    assert "(air=1)" in answer_to(page, "help")


def test_supply_lines_are_told_in_both_languages() -> None:
    page = typed("supply 23-td", "supply 1-pz")
    assert "23 TD is" in answer_to(page, "supply 23-td")
    assert "source" in answer_to(page, "supply 1-pz")
    page = typed("ravitaillement 1-pz", language="fr")
    assert "Ligne de ravitaillement tracée" in answer_to(page, "ravitaillement 1-pz")
