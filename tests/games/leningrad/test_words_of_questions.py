"""Questions say what can be answered, and why something else cannot."""

from __future__ import annotations

from grognard.kernel.text import LANGUAGES
from grognard.mechanics.supposing import Supposes
from tests.games.leningrad.table import Table
from tests.games.leningrad.test_07_overrun import panzer
from tests.games.leningrad.test_10_results import SOVIET_DEFENCE, german_attack
from tests.rules import rule


def said(table: Table, *words: str) -> bool:
    """Whether the question on the table cites these cases, in both languages."""
    texts = [table.game.prompt(table.state, language) for language in LANGUAGES]
    return all(word in text for text in texts for word in words)


@rule("leningrad", "17.2")
def test_the_surprised_are_told_that_they_must_march() -> None:
    table = Table("soviet-movement", {"10-rd": "1512", "1-inf": "1508"}, turn=1)
    assert [(e.kind, e.case) for e in table.state.log or []] == [("phase", "4.0"), ("bound-to-march", "17.2")]
    assert said(table, "(17.2)")
    table.do("pick 10-rd")
    assert said(table, "(17.2)")
    table.do("step 1511", "step 1510", "step 1509")
    moves = [e.case for e in table.state.log or [] if e.kind == "moved"]
    assert moves == ["17.2"] * 3
    assert not said(table, "(17.2)")


@rule("leningrad", "17.3")
def test_the_surprised_are_told_that_they_must_attack() -> None:
    table = Table("soviet-combat", {"10-rd": "1511", "1-inf": "1512"}, turn=1, strengths={"10-rd": "inf-2-3"})
    told = [(event.kind, event.case) for event in table.state.log or []]
    assert told == [("phase", "8.0"), ("bound-to-attack", "17.3")]
    assert said(table, "(17.3)")
    table.do("target 1512", "join 10-rd", "fight")
    assert next(e.case for e in table.state.log or [] if e.kind == "attack") == "17.3"


@rule("leningrad", "17.0")
def test_later_nobody_is_told_so() -> None:
    table = Table("soviet-movement", {"10-rd": "1512", "1-inf": "1508"}, turn=2).do("pick 10-rd", "step 1511")
    assert [e.case for e in table.state.log or []] == ["4.0", "4.0"]
    assert not said(table, "17.2")
    assert not said(Table("soviet-combat", {"10-rd": "1511", "1-inf": "1512"}, turn=2), "17.3")


@rule("leningrad", "10.1", "10.7")
def test_a_result_that_can_only_be_taken_in_steps_says_why() -> None:
    around = {"21-inf": "1510", "61-inf": "1410", "291-inf": "1610"}
    assert said(german_attack("1/-", {**SOVIET_DEFENCE, **around}), "(10.7)")
    assert not said(german_attack("1/-", SOVIET_DEFENCE), "10.7")


@rule("leningrad", "7.6")
def test_an_overrun_that_succeeded_is_followed_and_paid_in_steps() -> None:
    table = panzer().do("overrun 1509", "roll 1", "lose 10-rd")
    assert said(table, "(7.6)")
    table.do("lose 1-pz")
    assert table.asked == "advance"
    assert said(table, "(7.6)", "1509")


@rule("leningrad", "10.5", "14.1")
def test_the_adviser_says_what_a_strength_counts_and_why() -> None:
    units = {"1-inf": "1512", "1-pz": "1513", "10-rd": "1511", "90-rd": "1510"}
    table = Table("german-combat", units, reduced=["1-inf"], strengths={"10-rd": "inf-2-3"})
    adviser, unit = table.game.adviser, table.game.unit_index
    assert isinstance(adviser, Supposes)
    attack, defence = adviser.strengths(table.state, unit("1-inf"))
    assert (attack.printed, attack.counted, attack.reasons) == (4, 2, (("reduced", "10.5"),))
    assert defence == attack
    attack, _ = adviser.strengths(table.state, unit("1-pz"))
    assert attack.printed == attack.counted and not attack.reasons
    attack, defence = adviser.strengths(table.state, unit("10-rd"))
    assert (attack.counted, defence.counted) == (2, 3)
    attack, _ = adviser.strengths(table.state, unit("90-rd"))
    assert attack.counted is None and attack.reasons


@rule("leningrad", "4.6", "8.1")
def test_an_attack_is_supposed_from_hexes_that_can_be_reached_and_have_room() -> None:
    units = dict.fromkeys(("1-pz", "6-pz", "8-pz", "1-inf"), "1513") | {"11-inf": "1510", "10-rd": "1509"}
    table = Table("german-movement", units, strengths={"10-rd": "inf-2-3"})
    adviser, unit, cell = table.game.adviser, table.game.unit_index, table.game.board.cell
    assert isinstance(adviser, Supposes)
    places = adviser.approaches(table.state, cell("1509"))
    # Who is in contact stays; the others come as far as their points go, three to a hex.
    assert places[unit("11-inf")] == cell("1510")
    assert set(places) == {unit(u) for u in units if u != "10-rd"}
    assert max(list(places.values()).count(c) for c in places.values()) <= 3
    far = Table("german-movement", {**units, "1-inf": "2913"}, strengths={"10-rd": "inf-2-3"})
    assert unit("1-inf") not in adviser.approaches(far.state, cell("1509"))
