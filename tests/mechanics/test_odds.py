"""Odds, columns and combat tables."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.files import DataError, Folder
from grognard.mechanics.dice import Dice
from grognard.mechanics.odds import CombatTable, halved_odds, odds_name, rung, whole_odds

strengths = st.integers(1, 500)


@given(strengths, strengths)
def test_odds_are_the_ratio_rounded_in_the_defenders_favour(attack: int, defence: int) -> None:
    ratio = Fraction(attack, defence)
    expected = f"{floor(ratio)}-1" if ratio >= 1 else f"1-{ceil(1 / ratio)}"
    assert odds_name(whole_odds(attack, defence)) == expected


@given(strengths, strengths, st.integers(1, 20))
def test_odds_rise_with_the_attack_fall_with_the_defence_and_scale(a: int, d: int, times: int) -> None:
    assert whole_odds(a + 1, d) >= whole_odds(a, d) >= whole_odds(a, d + 1)
    assert whole_odds(a * times, d * times) == whole_odds(a, d)


@pytest.mark.parametrize(
    ("attack", "defence", "name"),
    [
        (1, 1, "1-1"),
        (2, 3, "1-2"),
        (19, 10, "1-1"),
        (20, 10, "2-1"),
        (1, 4, "1-4"),
        (10, 31, "1-4"),
        (99, 10, "9-1"),
    ],
)
def test_odds_by_hand(attack: int, defence: int, name: str) -> None:
    assert odds_name(whole_odds(attack, defence)) == name


CRT = "die,1-2,1-1,2-1,provenance,source\n1,A,B,C,rulebook,9\n2,D,E,F,rulebook,9\n"
RESULTS = frozenset("ABCDEF")


def table(folder: Path, text: str = CRT) -> CombatTable:
    (folder / "crt.csv").write_text(text)
    return CombatTable(Folder(folder), "crt.csv", Dice(1, 2), RESULTS)


def test_odds_beyond_the_printed_columns_are_read_on_the_last_one(tmp_path: Path) -> None:
    crt = table(tmp_path)
    assert crt.columns == [-1, 0, 1]
    assert [crt.result(odds, 1) for odds in range(-4, 5)] == list("AAAABCCCC")
    assert [crt.result(odds, 2) for odds in range(-4, 5)] == list("DDDDEFFFF")
    assert [crt.column(odds) for odds in (-9, -1, 0, 1, 9)] == [-1, -1, 0, 1, 1]


@given(st.integers(-30, 30))
def test_a_column_is_always_a_printed_one(odds: int) -> None:
    crt = CombatTable.__new__(CombatTable)
    crt.columns = [-3, -2, -1, 0, 1]
    assert crt.column(odds) in crt.columns


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("2,D,E,F,", "2,D,E,", 3, "5 cells"),
        ("2,D,E,F,rulebook,9\n", "", None, "no row for a die of 2"),
        ("2,D", "3,D", 3, "between 1 and 2"),
        (",F,", ",Z,", 3, "not 'Z'"),
        (",F,", ",,", 3, "'2-1' is empty"),
        ("1-1,2-1", "2-1,1-1", 1, "not in order"),
        ("1-1,2-1", "1-1,3-1", 1, "not in order"),
        ("1-2", "1-0", 1, "not odds"),
        ("1-2", "2-3", 1, "not odds"),
        ("1-2", "-2", 1, "not odds"),
        ("1-2,1-1,2-1,", "", 1, "no odds"),
        ("\n1,A,B,C,rulebook,9\n2,D,E,F,rulebook,9\n", "\n", 1, "no rows"),
        ("rulebook", "hearsay", 2, "not 'hearsay'"),
    ],
)
def test_a_bad_combat_table_is_refused(
    tmp_path: Path, old: str, new: str, line: int | None, reason: str
) -> None:
    text = CRT.replace(old, new, 1)
    if new == "" and old.startswith("1-2"):
        text = "die,provenance,source\n1,rulebook,9\n2,rulebook,9\n"
    assert text != CRT
    with pytest.raises(DataError) as caught:
        table(tmp_path, text)
    assert (caught.value.line, reason in caught.value.reason) == (line, True)


@given(
    st.fractions(min_value=Fraction(1, 12), max_value=99),
    st.fractions(min_value=Fraction(1, 12), max_value=99),
)
def test_odds_of_exact_fractions(attack: Fraction, defence: Fraction) -> None:
    times = attack.denominator * defence.denominator
    assert whole_odds(attack, defence) == whole_odds(int(attack * times), int(defence * times))
    assert halved_odds(attack, defence) == halved_odds(int(attack * times), int(defence * times))


@pytest.mark.parametrize(
    ("attack", "defence", "place"),
    [
        (Fraction(7, 2), 7, 0),
        (3, 7, -1),
        (7, 7, 1),
        (10, 7, 1),
        (Fraction(21, 2), 7, 2),
        (34, 9, 3),
        (99, 1, 3),
    ],
)
def test_a_ladder_may_have_any_rungs(attack: int | Fraction, defence: int, place: int) -> None:
    ladder = [Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2)]
    assert rung(attack, defence, ladder) == place
