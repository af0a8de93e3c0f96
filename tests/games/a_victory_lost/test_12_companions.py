"""12.2 to 12.4: an HQ belongs to the units stacked with it at the beginning of the combat sequence, not to
those that stand with it when a battle begins."""

from __future__ import annotations

import pytest

from tests.games.a_victory_lost.table import Table
from tests.rules import rule

STRONG = {"su-1gm": "50-9", "su-2gm": "50-9", "su-3gm": "50-9"}


def soviets_attack(units: dict[str, str], terrain: dict[str, str] | None = None, **strengths: str) -> Table:
    given = {**STRONG, **{k.replace("_", "-"): v for k, v in strengths.items()}}
    return Table("soviet-combat", units, terrain=terrain, strengths=given)


@rule("a_victory_lost", "12.4")
def test_an_hq_does_not_follow_a_unit_it_has_met_during_the_sequence() -> None:
    """It comes two hexes with its own stack to a unit that attacks next: there it stays."""
    units = {"su-1gm": "1008", "hq-51a": "1008", "su-2gm": "0808", "ge-6pz": "0908", "ge-62": "0708"}
    table = soviets_attack(units, ge_6pz="9-3/-", ge_62="3/-")
    table.do("target 0908", "join su-1gm", "fight", "roll 6", "advance su-1gm", "on 0808", "bring hq-51a")
    assert table.where("hq-51a") == "0808"
    table.do("target 0708", "join su-2gm", "fight", "roll 6", "advance su-2gm", "on 0608")
    assert table.asked == "choose-target"
    assert table.where("hq-51a") == "0808"


@rule("a_victory_lost", "12.4")
def test_an_hq_left_behind_follows_a_companion_that_attacks_later() -> None:
    units = {"su-1gm": "1008", "su-2gm": "1008", "hq-51a": "1008", "ge-6pz": "0908", "ge-62": "1007"}
    table = soviets_attack(units, ge_6pz="9-3/-", ge_62="3/-")
    table.do("target 0908", "join su-1gm", "fight", "roll 6", "advance su-1gm", "stay", "leave")
    table.do("target 1007", "join su-2gm", "fight", "roll 6", "advance su-2gm", "stay", "bring hq-51a")
    assert table.where("hq-51a") == "1007"


@rule("a_victory_lost", "12.2")
def test_an_hq_stays_while_a_unit_of_its_stack_lives_elsewhere() -> None:
    """One companion has advanced out of its hex, the other dies attacking."""
    units = {"su-1gm": "1008", "su-91": "1008", "hq-51a": "1008", "ge-6pz": "0908", "ge-62": "1009"}
    table = soviets_attack(units, ge_6pz="9-3/-", ge_62="3", su_91="3/-")
    table.do("target 0908", "join su-1gm", "fight", "roll 6", "advance su-1gm", "stay", "leave")
    table.do("target 1009", "join su-91", "fight", "roll 1")
    assert table.where("su-91") == "dead"
    assert table.where("hq-51a") == "1008"
    assert not table.events("hq-displaced")


@rule("a_victory_lost", "12.2")
def test_an_hq_goes_when_the_last_of_its_stack_has_died_in_another_battle() -> None:
    units = {"su-126": "1008", "su-91": "1008", "hq-51a": "1008", "ge-6pz": "0908", "ge-62": "1009"}
    table = soviets_attack(units, ge_6pz="9-3", ge_62="3", su_91="3/-", su_126="3/-")
    table.do("target 0908", "join su-126", "fight", "roll 1")
    assert table.where("su-126") == "dead"
    assert table.where("hq-51a") == "1008"
    table.do("target 1009", "join su-91", "fight", "roll 1")
    assert table.events("hq-displaced")[0]["hex"] == table.cell("1008")


# The other side: ge-6pz can only fall back into the hex of the HQ, which is attacked next.

ROUND_0908 = dict.fromkeys(("0807", "0907", "0909", "1007"), "sea")
DRIVEN = {"ge-6pz": "0908", "hq-4pza": "0808", "su-1gm": "1008", "su-2gm": "0809"}


def driven_in(units: dict[str, str], second: str, **strengths: str) -> Table:
    table = soviets_attack(
        {**DRIVEN, **units}, ROUND_0908, su_1gm="9-9", su_2gm=second, ge_6pz="9-3/9-3", **strengths
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 4", "fall-back ge-6pz 0808", "hold")
    return table.do("target 0808", "join su-2gm", "fight")


def fall_back(table: Table) -> Table:
    while table.asked == "fall-back":
        table.do(sorted(table.options)[0])
    return table


@rule("a_victory_lost", "12.2", "12.3")
def test_an_hq_does_not_retreat_with_a_unit_it_has_met_during_the_sequence() -> None:
    """Its companion dies, the newcomer retreats: the HQ is repositioned."""
    table = driven_in({"ge-62": "0808"}, "20-9", ge_62="1/-").do("roll 4", "lose ge-62")  # 1DR at 5-1
    fall_back(table)
    assert table.where("ge-6pz") not in ("dead", "0808")
    assert table.events("hq-displaced")[0]["hex"] == table.cell("0808")


@rule("a_victory_lost", "12.3")
def test_an_hq_retreats_with_its_companion_not_with_the_newcomer() -> None:
    table = fall_back(driven_in({"ge-62": "0808"}, "12-9", ge_62="1/1").do("roll 4"))  # DR at 3-1
    assert table.where("ge-6pz") not in ("dead", "0808")
    assert table.asked == "hq-goes-with"
    assert table.offered("go-with") == {"ge-62"}
    assert table.refused("go-with ge-6pz") == ("not-its-stack", "12.3")
    assert table.refused("go-with ge-294") == ("not-retreating", "12.3")
    table.do("go-with ge-62")
    assert table.where("hq-4pza") == table.where("ge-62")


@rule("a_victory_lost", "12.2", "12.3", "9.6.1", "9.6.4")
def test_an_hq_that_was_alone_at_the_beginning_is_left_behind_and_may_be_overrun() -> None:
    """A unit driven into its hex retreats again without it; whoever advances overruns it."""
    table = fall_back(driven_in({}, "9-9").do("roll 4"))
    assert table.where("ge-6pz") not in ("dead", "0808")
    assert table.where("hq-4pza") == "0808"
    assert table.asked == "advance-unit"
    table.do("advance su-2gm")
    assert table.events("hq-overrun")
    assert (table.asked, table.actor) == ("reposition-hq", "axis")
    table.do(sorted(table.options)[0])
    assert (table.asked, table.where("su-2gm")) == ("advance-on", "0808")


@rule("a_victory_lost", "12.2")
def test_an_hq_left_alone_stays_if_nobody_advances() -> None:
    table = fall_back(driven_in({}, "9-9").do("roll 4")).do("hold")
    assert table.where("hq-4pza") == "0808"
    assert not table.events("hq-displaced")


@rule("a_victory_lost", "12.2")
def test_an_hq_parted_from_a_companion_goes_when_that_one_dies_too() -> None:
    """It retreats with one of two. That one dies and it stays; then the other dies, in another hex."""
    units = {"ge-6pz": "0908", "ge-62": "0908", "hq-4pza": "0908"}
    units |= {"su-1gm": "1008", "su-2gm": "0809", "su-3gm": "0806"}
    water = dict.fromkeys(("0907", "0909", "1007"), "sea")
    weak = {"ge_6pz": "4-2/4-1", "ge_62": "1/1"}
    table = soviets_attack(units, water, su_1gm="9-9", **weak)
    table.do("target 0908", "join su-1gm", "fight", "roll 4")
    table.do("fall-back ge-6pz 0808", "fall-back ge-62 0807", "go-with ge-6pz", "hold")
    assert table.where("hq-4pza") == "0808"
    table.do("target 0808", "join su-2gm", "fight", "roll 6")
    assert table.where("ge-6pz") == "dead"
    assert table.where("hq-4pza") == "0808"
    assert not table.events("hq-displaced")
    table.do("hold", "target 0807", "join su-3gm", "fight", "roll 6")
    assert table.where("ge-62") == "dead"
    assert table.events("hq-displaced")[0]["hex"] == table.cell("0808")


@rule("a_victory_lost", "12.1", "12.2")
def test_an_overrun_hq_has_done_with_its_stack() -> None:
    """Repositioned once, it is not repositioned again when its companions die elsewhere."""
    units = {"ge-6pz": "0908", "ge-62": "0908", "hq-4pza": "0908"}
    units |= {"su-1gm": "1008", "su-2gm": "0809", "su-3gm": "0806"}
    water = dict.fromkeys(("0907", "0909", "1007"), "sea")
    table = soviets_attack(units, water, su_1gm="9-9", ge_6pz="4-2/4-1", ge_62="1/1")
    table.do("target 0908", "join su-1gm", "fight", "roll 4")
    table.do("fall-back ge-6pz 0808", "fall-back ge-62 0807", "go-with ge-6pz", "hold")
    table.do("target 0808", "join su-2gm", "fight", "roll 6", "advance su-2gm")
    if table.asked == "reposition-hq":
        table.do(sorted(table.options)[0])
    place = table.where("hq-4pza")
    table.do("stay", "target 0807", "join su-3gm", "fight", "roll 6")
    assert table.where("ge-62") == "dead"
    assert len(table.events("hq-displaced")) == 1
    assert table.where("hq-4pza") == place


@rule("a_victory_lost", "12.3")
@pytest.mark.parametrize("hq", ["hq-4pza", "hq-hollidt"])
def test_an_hq_does_not_retreat_with_a_companion_from_another_hex(hq: str) -> None:
    """Parted in one battle, they are not joined again by the next."""
    units = {
        "ge-6pz": "0908",
        "ge-62": "0908",
        hq: "0908",
        "su-1gm": "1008",
        "su-2gm": "0809",
        "su-3gm": "0806",
    }
    water = dict.fromkeys(("0907", "0909", "1007"), "sea")
    table = soviets_attack(units, water, su_1gm="9-9", su_3gm="3-9", ge_6pz="4-2/4-1", ge_62="1/1")
    table.do("target 0908", "join su-1gm", "fight", "roll 4")
    table.do("fall-back ge-6pz 0808", "fall-back ge-62 0807", "go-with ge-6pz", "hold")
    table.do("target 0807", "join su-3gm", "fight", "roll 4")  # DR at 3-1
    fall_back(table)
    assert table.where("ge-62") != "0807"
    assert table.asked != "hq-goes-with"
    assert table.where(hq) == "0808"
