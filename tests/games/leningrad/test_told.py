"""What happens is told: every kind of event, where it belongs and with its facts."""

from __future__ import annotations

from typing import Any

from tests.games.leningrad.battles import announce, attack, overrun, pass_until
from tests.games.leningrad.table import Table
from tests.rules import rule

STRENGTHS = dict.fromkeys(("10-rd", "90-rd", "125-rd"), "inf-2-3")


def told(table: Table, kind: str, **facts: Any) -> bool:
    """Whether an event was told with these facts, units and hexes by name."""
    unit, cell = table.game.unit_index, table.game.board.cell

    def read(name: str, value: Any) -> Any:
        for words, reader in (("hexes", cell), ("units", unit)):
            if name.startswith(words):
                return tuple(map(reader, value))
        return cell(value) if name.startswith("hex") else unit(value) if name == "unit" else value

    return {name: read(name, value) for name, value in facts.items()} in table.events(kind)


@rule("leningrad", "4.0", "7.0")
def test_moves_and_overruns_are_told() -> None:
    table = Table("german-movement", {"1-pz": "1513", "6-pz": "1513", "10-rd": "1511"}, strengths=STRENGTHS)
    table.do("pick 1-pz", "add 6-pz", "step 1512")
    assert told(table, "moved", units=["1-pz", "6-pz"], hex_from="1513", hex="1512")
    overrun(table, "1511").do("advance 1-pz 1511")
    assert told(table, "overrun", units=["1-pz", "6-pz"], hex="1511", units_target=["10-rd"])
    assert told(table, "advanced", unit="1-pz", hex="1511")


@rule("leningrad", "8.0", "10.1", "10.4", "10.5")
def test_losses_are_told() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "90-rd": "1511"}
    table = attack(Table("german-combat", units, strengths=STRENGTHS), "1511", "1-inf", "1/1")
    assert told(table, "attack", units=["1-inf"], hexes=["1511"], units_target=["10-rd", "90-rd"])
    table.do("lose 90-rd", "lose 1-inf")
    assert told(table, "eliminated", unit="90-rd", hex="1511")
    assert told(table, "reduced", unit="1-inf", hex="1512")
    table = attack(Table("german-combat", units, strengths=STRENGTHS), "1511", "1-inf", "E/-")
    assert told(table, "eliminated", unit="10-rd", hex="1511")
    assert told(table, "eliminated", unit="90-rd", hex="1511")


@rule("leningrad", "10.6", "10.7", "10.9")
def test_retreats_and_who_was_trapped_are_told() -> None:
    units = {"1-inf": "1512", "10-rd": "1511", "21-inf": "1508", "61-inf": "1309", "291-inf": "1709"}
    table = attack(Table("german-combat", units, strengths=STRENGTHS), "1511", "1-inf", "2/-")
    table.do("retreat", "fall-back 10-rd 1510")
    assert told(table, "retreated", unit="10-rd", hex_from="1511", hex="1510")
    assert told(table, "trapped", unit="10-rd", hex="1510")


@rule("leningrad", "13.1", "13.3", "14.1")
def test_air_units_and_untried_units_are_told() -> None:
    units = {"1-inf": "1512", "10-rd": "1511"}
    table = announce(Table("german-combat", units, air=2), "1511", "1-inf").do("commit 1", "reveal 10-rd 0")
    assert table.events("air-support") == [{"count": 1}]
    strength = table.game.data.untried[0]
    assert told(
        table,
        "revealed",
        unit="10-rd",
        attack=strength.attack,
        defence=strength.defence,
        word_kind=strength.kind,
    )
    table = Table("german-air-interdiction", {}, air=2).do("interdict 1511")
    assert told(table, "interdicted", hex="1511")


@rule("leningrad", "15.0", "16.1", "16.6")
def test_forts_entries_and_regenerations_are_told() -> None:
    table = Table("soviet-fortification", {}, forts_ready=1).do("fortify 2506")
    assert told(table, "fort-built", hex="2506")
    table = Table("german-movement", {"1-inf": "1512"}, forts=["1511"]).do("pick 1-inf", "step 1511")
    assert told(table, "fort-destroyed", hex="1511")
    table = Table("german-movement", {}, turn=10, to_come=["12-pz"]).do("enter 12-pz 2213")
    assert told(table, "entered", unit="12-pz", hex="2213")
    table = Table("german-regeneration", {"1-inf": "0112"}, reduced=["1-inf"]).do("regenerate 1-inf")
    assert told(table, "regenerated", unit="1-inf", hex="0112")


@rule("leningrad", "3.0", "18.3")
def test_turns_and_the_verdict_are_told() -> None:
    table = pass_until(Table("soviet-combat", {}, turn=3), 4)
    assert table.events("turn") == [{"turn": 4}]
    table = Table("soviet-combat", {}, turn=12).do("end")
    verdict = table.game.outcome(table.state)
    assert verdict is not None
    german, soviet = (verdict.points[side] for side in table.game.sides)
    assert table.events("verdict") == [{"word_level": verdict.level, "german": german, "soviet": soviet}]
