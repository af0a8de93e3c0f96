"""3.0 The sequence of play."""

from __future__ import annotations

from tests.games.leningrad.battles import pass_until
from tests.games.leningrad.table import Table
from tests.rules import rule

QUIET = {"1-inf": "0512", "10-rd": "2003"}


def end_turn(table: Table) -> Table:
    """Everybody passes until the next turn begins, or the game is over."""
    turn = table.state.turn
    while table.state.frames and table.state.turn == turn:
        table.do("end")
    return table


@rule("leningrad", "3.0")
def test_a_game_turn_has_its_phases_in_this_order() -> None:
    table = Table(
        "german-regeneration",
        {"1-inf": "0111", "11-inf": "0512", "10-rd": "2003"},
        reduced=["1-inf"],
        air=1,
        forts_ready=1,
    )
    seen = []
    while table.state.turn == 3:
        seen.append((table.turn_phase, table.actor, table.asked))
        table.do("end")
    assert seen == [
        ("german-regeneration", "german", "regenerate"),
        ("german-movement", "german", "pick-unit"),
        ("german-combat", "german", "choose-target"),
        ("german-air-interdiction", "german", "interdict"),
        ("soviet-fortification", "soviet", "fortify"),
        ("soviet-movement", "soviet", "pick-unit"),
        ("soviet-combat", "soviet", "choose-target"),
    ]


@rule("leningrad", "3.0")
def test_the_soviet_combat_phase_follows_soviet_movement() -> None:
    """Ruling: this is step 7, whose heading the book lacks."""
    table = Table(
        "soviet-movement", {"1-inf": "1510", "10-rd": "1508"}, turn=3, strengths={"10-rd": "inf-2-3"}
    )
    table.do("pick 10-rd", "step 1509", "halt", "end")
    assert (table.turn_phase, table.state.turn) == ("soviet-combat", 3)
    table.do("target 1510", "join 10-rd", "fight")
    assert table.actor == "chance"


@rule("leningrad", "3.0")
def test_the_interdiction_phase_is_passed_over_when_all_air_units_are_used() -> None:
    table = Table("german-combat", QUIET, air=0).do("end")
    assert table.turn_phase in ("soviet-fortification", "soviet-movement")
    table = Table("german-combat", QUIET, air=1).do("end")
    assert table.turn_phase == "german-air-interdiction"


@rule("leningrad", "3.0")
def test_interdicting_air_units_come_off_the_map_at_the_end_of_the_turn() -> None:
    table = Table("german-air-interdiction", QUIET, air=1).do("interdict 1510")
    while table.turn_phase != "soviet-combat":
        assert table.state.interdicted
        table.do("end")
    assert table.state.interdicted
    table.do("end")
    assert table.state.turn == 4
    assert not table.state.interdicted
    assert table.state.air_ready == 1


@rule("leningrad", "3.0")
def test_the_game_ends_after_twelve_turns_and_the_winner_is_declared() -> None:
    table = Table("german-movement", QUIET, turn=11)
    end_turn(table)
    assert table.state.turn == 12
    assert table.game.outcome(table.state) is None
    end_turn(table)
    assert table.asked is None
    assert table.state.turn == 12
    assert table.game.outcome(table.state) is not None


@rule("leningrad", "3.0", "4.0")
def test_a_player_moves_as_few_units_as_he_likes_or_all_of_them() -> None:
    none = Table("german-movement", {"1-inf": "0512", "11-inf": "0610", "10-rd": "2003"}).do("end")
    assert none.turn_phase == "german-combat"
    every = Table("german-movement", {"1-inf": "0512", "11-inf": "0610", "10-rd": "2003"})
    every.do("pick 1-inf", "step 0612", "halt", "pick 11-inf", "step 0710", "halt", "end")
    assert (every.where("1-inf"), every.where("11-inf")) == ("0612", "0710")


@rule("leningrad", "3.0")
def test_one_move_is_finished_before_the_next_begins() -> None:
    table = Table("german-movement", {"1-inf": "0512", "11-inf": "0610"}).do("pick 1-inf", "step 0612")
    assert table.refused("pick 11-inf")[0] == "not-now"
    assert table.refused("end")[0] == "not-now"


@rule("leningrad", "3.0")
def test_attacks_come_in_any_order_and_each_result_applies_before_the_next() -> None:
    where = {"1-pz": "1510", "6-pz": "1010", "10-rd": "1509", "90-rd": "1009"}
    for first, second in (("1509", "1009"), ("1009", "1509")):
        table = Table("german-combat", where, strengths={"10-rd": "inf-1-1", "90-rd": "inf-0-1"})
        assert table.offered("target") == {"1009", "1509"}
        near = {"1509": ("1-pz", "10-rd"), "1009": ("6-pz", "90-rd")}
        attacker, defender = near[first]
        table.do(f"target {first}", f"join {attacker}", "fight", "roll 6")  # 7-1: E/-
        assert table.where(defender) == "dead"
        table.do("hold")
        assert table.offered("target") == {second}


@rule("leningrad", "3.0")
def test_the_log_names_every_phase_as_it_begins_and_no_phase_that_is_passed_over() -> None:
    units = {"1-inf": "1512", "10-rd": "0205"}
    table = Table("german-movement", units, turn=3, air=1, forts_ready=1)
    pass_until(table, 4)
    named = [event["word_phase"] for event in table.events("phase")]
    assert named[:6] == [
        *("german-movement", "german-combat", "german-air-interdiction"),
        *("soviet-fortification", "soviet-movement", "soviet-combat"),
    ]
    idle = Table("german-combat", units, turn=3).do("end")
    assert [event["word_phase"] for event in idle.events("phase")] == ["german-combat", "soviet-movement"]
