"""8.1, 8.2, 8.4.3 Attacks declared while moving."""

from __future__ import annotations

import pytest

from grognard.cli.terminal.parts import part_lines
from grognard.cli.words import TerminalWords
from grognard.kernel.table import Markers
from grognard.kernel.table import Table as Tabled
from tests.games.typhoon.table import Table
from tests.rules import rule

INF, INF2, INF3, PANZER, GUNS = "g-251-inf", "g-102-inf", "g-256-inf", "g-6-pz-pzr-11", "g-harko-2"
RIFLE, RIFLE2, RIFLE3, NKVD, HQ, TANKS = (
    *("s-126-rd", "s-133-rd", "s-174-rd"),
    *("s-34-nkvd-regt", "s-22a", "s-127-tbde"),
)
TRUCK = "s-supply-truck-1"


@rule("typhoon", "8.0", "8.1", "8.1.1")
def test_attacks_are_declared_while_moving_and_must_be_fought() -> None:
    table = Table("axis-movement", {INF: "1508", RIFLE: "1510"})
    table.move(INF, "1509").attack("1510", INF)
    assert table.events("declared")[0]["hexes"] == (table.cell("1510"),)
    assert table.refused("take-back 1510") == ("must-be-fought", "8.1.1")
    assert table.refused(f"pick {INF}")[0] in ("moved-already", "attack-declared")
    table.to_combat()
    assert table.offered("fight") == {"1510"}
    assert "end" not in table.options, "it must be fought"


@rule("typhoon", "8.1.2")
def test_what_is_declared_lies_on_the_table_with_where_it_comes_from() -> None:
    table = Table("axis-movement", {INF: "1509", INF2: "1509", INF3: "1610", RIFLE: "1510"})
    table.attack("1510", INF, INF2, INF3)
    shown = next(p for p in table.game.table(table.state, 1).parts if p.id == "attacks")
    assert isinstance(shown, Markers)
    number = table.game.board.number
    there, first, second = (number(table.cell(hex_)) for hex_ in ("1510", "1509", "1610"))
    assert shown.hexes == [there]
    assert sorted(shown.arrows or ()) == [(first, there), (second, there)], "each hex once"
    [line] = part_lines(table.game, Tabled([], {}, (shown,)), TerminalWords("en"))
    assert line.endswith(f"{there} from {first}, {second}")
    table.state.attacks = tuple(a._replace(fought=True) for a in table.state.attacks)
    shown = next(p for p in table.game.table(table.state, 1).parts if p.id == "attacks")
    assert isinstance(shown, Markers) and not shown.hexes and not shown.arrows


@rule("typhoon", "8.1.1")
@pytest.mark.parametrize(
    ("phase", "able"),
    [
        ("axis-movement", True),
        ("axis-motorised", False),
        ("soviet-motorised", True),
        ("soviet-movement", False),
    ],
)
def test_the_axis_declares_in_its_movement_phase_the_soviets_in_their_motorised_phase(
    phase: str, able: bool
) -> None:
    mine, theirs = ("1509", "1510") if phase.startswith("axis") else ("1510", "1509")
    table = Table(phase, {INF: mine, RIFLE: theirs})
    assert ("1510" in table.offered("target")) == able
    if not able:
        assert table.refused("target 1510") == ("declare-when", "8.1.1")


@rule("typhoon", "8.1.2")
def test_whoever_s_zone_touches_an_attacker_must_be_attacked_by_somebody() -> None:
    table = Table("axis-movement", {INF: "1509", INF2: "1610", RIFLE: "1510", RIFLE2: "1409"})
    table.attack("1510", INF)
    assert table.refused("end") == ("must-attack", "8.1.2")
    assert table.game.prompt(table.state, "en").endswith("before the phase can end (8.1.2): 1409.")
    assert table.offered("take-back") == {"1510"}
    table.do("take-back 1510", "end")
    table = Table("axis-movement", {INF: "1509", INF2: "1408", RIFLE: "1510", RIFLE2: "1409"})
    table.attack("1510", INF).attack("1409", INF2)
    assert "end" in table.options, "another attacker sees to it"
    both = Table("axis-movement", {INF: "1509", RIFLE: "1510", RIFLE2: "1410"})
    both.do("target 1510", f"join {INF}", "widen 1410", "declare", "end")


@rule("typhoon", "8.1.2")
def test_units_without_a_zone_and_bystanders_oblige_nobody() -> None:
    table = Table("axis-movement", {INF: "1509", INF2: "1609", RIFLE: "1510", NKVD: "1410", RIFLE2: "1709"})
    table.attack("1510", INF)
    assert "end" in table.options, "the NKVD regiment has no zone; 1609 does not attack"


@rule("typhoon", "8.1.2", "8.3.6")
@pytest.mark.parametrize(
    ("weather", "free"), [("dry", True), ("rain", True), ("frost", True), ("snow", False)]
)
def test_nobody_need_attack_across_a_major_river_until_it_bears(weather: str, free: bool) -> None:
    units = {INF: "1509", RIFLE: "1510", RIFLE2: "1410"}
    table = Table("axis-movement", units, sides={"1410/1509": "major_river"}, weather=weather)
    table.attack("1510", INF)
    assert ("end" in table.options) == free


@rule("typhoon", "8.1.3", "8.1.4", "8.2", "8.2.1")
def test_attackers_stand_next_to_the_hex_as_many_as_there_are() -> None:
    table = Table("axis-movement", {INF: "1509", INF2: "1410", INF3: "1508", RIFLE: "1510"})
    table.do("target 1510", f"join {INF}")
    assert table.refused(f"join {INF3}") == ("not-next-to-target", "8.1.3")
    table.do(f"join {INF2}", "declare", "end")


@rule("typhoon", "8.1.5", "8.2.4")
def test_nobody_attacks_or_is_attacked_twice() -> None:
    table = Table("axis-movement", {INF: "1509", INF2: "1410", RIFLE: "1510", RIFLE2: "1409"})
    table.attack("1510", INF)
    assert table.refused("target 1510") == ("attacked-already", "8.1.5")
    table.do("target 1409")
    assert table.refused(f"join {INF}") == ("attacks-already", "8.1.5")
    table.do(f"join {INF2}")
    assert table.refused("widen 1510") == ("attacked-already", "8.1.5"), "by another attack"
    assert table.refused("widen 1409") == ("attacked-already", "8.1.5"), "by this one"


@rule("typhoon", "8.2.2")
def test_every_attacker_is_next_to_every_hex() -> None:
    table = Table("axis-movement", {INF: "1509", INF2: "1610", RIFLE: "1510", RIFLE2: "1410"})
    table.do("target 1510", f"join {INF}")
    assert table.offered("widen") == {"1410"}
    table.do(f"join {INF2}")
    assert table.refused("widen 1410") == ("not-next-to-target", "8.2.2")


@rule("typhoon", "8.2.3")
def test_everybody_in_a_hex_is_attacked_together() -> None:
    table = Table("axis-movement", {INF: "1509", RIFLE: "1510", NKVD: "1510", TANKS: "1510"})
    table.attack("1510", INF).fight("1510")
    assert {table.game.units[u].id for u in table.events("attack")[0]["units_target"]} == {RIFLE, NKVD, TANKS}


@rule("typhoon", "8.3.5")
def test_nobody_attacks_where_he_could_not_go_unless_a_zone_comes_from_there() -> None:
    pond = {"1510": "pond"}
    table = Table("axis-movement", {PANZER: "1509", INF: "1410", NKVD: "1510"}, hexes=pond)
    table.do("target 1510")
    assert table.refused(f"join {PANZER}") == ("target-forbidden", "8.3.5")
    table = Table("axis-movement", {PANZER: "1509", RIFLE: "1510"}, hexes=pond)
    table.do("target 1510", f"join {PANZER}")


@rule("typhoon", "8.4.3")
def test_no_attack_below_one_to_four_is_declared() -> None:
    table = Table("soviet-motorised", {"s-1-ski-bn": "1510", HQ: "1510", INF: "1509"})
    table.do("target 1509", "join s-1-ski-bn")
    assert table.refused("declare") == ("odds-too-low", "8.4.3")


@rule("typhoon", "6.5.3")
def test_a_supply_counter_alone_is_lost_when_attacked_or_entered() -> None:
    table = Table("axis-movement", {INF: "1509", TRUCK: "1510"})
    table.attack("1510", INF)
    assert table.where(TRUCK) == "supply pool"
    assert "end" in table.options and not table.state.attacks
    table = Table("axis-movement", {INF: "1509", TRUCK: "1510"}).move(INF, "1510")
    assert table.where(TRUCK) == "supply pool"


@rule("typhoon", "10.1.1", "2.4")
def test_guns_and_headquarters_make_no_attack() -> None:
    table = Table("axis-movement", {INF: "1509", GUNS: "1509", RIFLE: "1510"}).do("target 1510")
    assert table.refused(f"join {GUNS}") == ("guns-support", "10.1.1")
    table = Table("soviet-motorised", {RIFLE: "1510", HQ: "1510", INF: "1509"}).do("target 1509")
    assert table.refused(f"join {HQ}") == ("no-attack", "2.4")


@rule("typhoon", "13.3.2")
def test_an_armoured_train_attacks_along_its_rails() -> None:
    train = "s-16-army-train"
    units = {train: "1510", "s-126-rd": "1409", "g-koch": "1509"}
    table = Table("soviet-motorised", units).do("target 1509")
    assert table.refused(f"join {train}") == ("target-forbidden", "8.3.5")
    table = Table("soviet-motorised", units, sides={"1509/1510": "rail"}).do("target 1509", f"join {train}")


@rule("typhoon", "13.6")
def test_an_attack_releases_a_garrison() -> None:
    table = Table("axis-movement", {INF: "1509", RIFLE: "1510"}, garrison=[RIFLE])
    table.attack("1510", INF)
    assert not table.state.garrison
