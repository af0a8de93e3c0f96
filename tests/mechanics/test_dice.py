"""Dice of any kind, and tables read with modified rolls."""

from __future__ import annotations

from pathlib import Path

from grognard.files import Folder
from grognard.mechanics.dice import D6, D10, TWO_D6, Dice
from grognard.mechanics.odds import CombatTable


def test_two_dice_add_up_and_seven_is_likeliest() -> None:
    assert list(TWO_D6.totals) == list(range(2, 13))
    ways = TWO_D6.ways()
    assert sum(ways.values()) == 36
    assert max(ways, key=lambda total: ways[total]) == 7
    assert ways[2] == ways[12] == 1


def test_a_die_of_ten_may_count_from_0() -> None:
    assert list(D10.totals) == list(range(1, 11))
    assert list(Dice(1, 10, 0).totals) == list(range(10))


def test_chance_answers_with_every_face() -> None:
    assert D6.outcomes("roll") == tuple((("roll", n), 1) for n in range(1, 7))
    both = TWO_D6.outcomes("roll")
    assert len(both) == 36
    assert (("roll", 6, 1), 1) in both


def test_modified_rolls_have_rows_of_their_own_and_no_end(tmp_path: Path) -> None:
    rows = "".join(f"{die},{result},rulebook,9\n" for die, result in zip(range(4), "ABCD", strict=True))
    (tmp_path / "crt.csv").write_text("die,1-1,provenance,source\n" + rows)
    crt = CombatTable(Folder(tmp_path), "crt.csv", Dice(1, 2), frozenset("ABCD"), beyond=1)
    assert [crt.result(0, roll) for roll in range(-2, 6)] == list("AAABCDDD")
