"""11 Air power on the table: readiness, missions laid in secret, air combat, anti-aircraft fire."""

from __future__ import annotations

import json
from random import Random

import pytest

from grognard.games.typhoon.rules.dogfight import end_support, support_flight
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import AIR_FLYING, AXIS, CLOSE_SUPPORT, SOVIET, Mission
from grognard.kernel.actions import EVERYONE
from tests.games.typhoon.sky import AirTable
from tests.rules import rule

INITIATIVE = (
    *("axis-local", "axis-local", "axis", "axis", "axis", "axis"),
    *("nobody", "soviet", "soviet", "soviet-local"),
)
"""What each die of initiative says."""


def division(table: AirTable, side: str) -> str:
    return next(u.id for u in table.game.units if u.side == side and u.division)


# 11.1 Readiness


@rule("typhoon", "11.1.3", "11.1.2")
def test_units_that_have_flown_roll_before_those_that_are_damaged() -> None:
    table = AirTable(
        "readiness-phase", ["stuka"], boxes={"mig": "damaged", "me109": "flown", "il2": "destroyed"}
    )
    assert (table.asked, table.actor) == ("roll-readiness", "chance")
    table.play("maintain 7", "maintain 3")
    assert [table.where(name) for name in ("me109", "mig", "stuka", "il2")] == [
        *("ready", "flown", "ready", "destroyed")
    ]
    assert table.asked != "roll-readiness", "the damaged unit does not roll twice"


@rule("typhoon", "11.1.3")
def test_a_unit_that_fails_stays_where_it_is() -> None:
    table = AirTable("readiness-phase", boxes={"me109": "flown"}).play("maintain 8")
    assert table.where("me109") == "flown"


@rule("typhoon", "11.1.4", "11.1.3")
def test_in_a_storm_everybody_rolls_but_the_decoys() -> None:
    table = AirTable("readiness-phase", ["me109", "bluff"], sky=Sky("snow", storm=True))
    assert table.where("me109") == "flown"
    table.play("maintain 5")
    assert (table.where("me109"), table.where("bluff")) == ("flown", "ready"), "snow and storm add three"


@rule("typhoon", "15.1.5", "14.3.5")
def test_a_point_of_type_v_rebuilds_one_air_unit_at_once() -> None:
    table = AirTable("", boxes={"mig": "destroyed", "il2": "destroyed", "stuka": "destroyed"})
    table.state.air_steps = 1
    table.begin("readiness-phase")
    assert (table.asked, table.actor) == ("rebuild-flyer", "soviet")
    assert table.no("rebuild stuka") == ("flyer-not-destroyed", "15.1.5")
    table.play("rebuild mig")
    assert table.where("mig") == "ready" and table.asked != "rebuild-flyer"
    assert table.state.air_steps == 0


# 11.4 Interdiction


@rule("typhoon", "11.1.6", "11.1.7", "11.4.1")
def test_the_axis_lays_up_to_three_units_anywhere() -> None:
    table = AirTable("interdiction-phase", ["me109", "stuka", "heinkel", "bluff", "mig"])
    assert (table.asked, table.actor) == ("lay-interdiction", "axis")
    assert table.no("fly stuka") == ("no-mission-hex", "11.1.7")
    table.play("aim M3010")
    assert table.no("done") == ("mission-empty", "11.1.6")
    assert table.no("fly mig") == ("not-your-flyer", "11.1.5")
    assert table.no("fly il2") == ("not-your-flyer", "11.1.5")
    assert table.no("fly me110") == ("not-ready", "11.1.5")
    table.play("fly me109", "fly stuka", "fly bluff")
    assert table.no("fly heinkel") == ("mission-full", "11.1.6")
    assert table.no("fly stuka")[0] == "one-mission"
    assert table.no("aim M3010") == ("mission-there", "11.1.6")
    table.play("aim P2010", "fly heinkel")
    assert table.no("aim P2012") == ("nobody-ready", "11.1.5")
    table.play("done")
    assert table.where("stuka") == "flying" and table.asked == "lay-opposition"


@rule("typhoon", "11.1.8", "11.4", "11.4.1", "11.4.5", "11.4.2")
def test_an_unopposed_mission_places_a_marker_for_the_turn() -> None:
    table = AirTable("interdiction-phase", ["me109", "bluff"]).play(
        "aim M3010", "fly me109", "fly bluff", "done"
    )
    assert table.state.interdicted == (table.game.board.cell("M3010"),)
    assert table.where("me109") == table.where("bluff") == "flown"
    table.begin("end-phase")
    assert not table.state.interdicted


@rule("typhoon", "11.1.6")
def test_a_mission_without_units_is_not_left_so_by_default() -> None:
    table = AirTable("interdiction-phase", ["me109", "stuka", "heinkel"])

    def default() -> tuple[object, ...] | None:
        return table.game.default_answer(table.state, AXIS)

    assert default() == ("done",)
    assert table.play("aim M3010") and default() is None
    assert table.play("fly me109") and default() == ("done",)
    assert table.play("aim P2010") and default() is None, "the second is empty"
    assert table.play("fly stuka") and default() == ("done",)


@rule("typhoon", "11.4.1")
def test_decoys_alone_interdict_nothing() -> None:
    table = AirTable("interdiction-phase", ["bluff"]).play("aim M3010", "fly bluff", "done")
    assert table.state.interdicted == () and table.where("bluff") == "flown"


@rule("typhoon", "11.4.1", "11.1.7")
def test_soviet_fighters_oppose_where_the_axis_is() -> None:
    table = AirTable("interdiction-phase", ["me109", "stuka", "mig", "il2", "sbluff"])
    table.play("aim M3010", "fly stuka", "done")
    assert (table.asked, table.actor) == ("lay-opposition", "soviet")
    assert table.no("aim M3011") == ("no-interdiction-there", "11.4.1")
    table.play("aim M3010")
    assert table.no("fly il2") == ("fighters-oppose", "11.4.1")
    table.play("fly mig", "fly sbluff", "done")
    assert table.asked == "roll-initiative"


@rule("typhoon", "11.2.3")
@pytest.mark.parametrize(("die", "word"), list(enumerate(INITIATIVE, start=1)))
def test_it_is_told_what_the_die_of_initiative_says(die: int, word: str) -> None:
    table = AirTable("interdiction-phase", ["me109", "mig"]).play("aim M3010", "fly me109", "done")
    table.play("aim M3010", "fly mig", "done", f"initiative {die}")
    assert table.events("initiative")[-1]["word_result"] == f"initiative-{word}"


@rule("typhoon", "13.7.2", "11.1.7")
def test_moscow_s_fighters_oppose_near_moscow_alone() -> None:
    table = AirTable("interdiction-phase", ["stuka", "moscow"]).play("aim P2010", "fly stuka", "done")
    assert table.no("aim P2010") == ("beyond-moscow", "13.7.2")
    table.state.moscow_flies = True
    table.play("aim P2010", "fly moscow")
    table = AirTable("interdiction-phase", ["stuka", "moscow", "mig"]).play("aim P2010", "fly stuka", "done")
    table.play("aim P2010")
    assert table.no("fly moscow") == ("beyond-moscow", "13.7.2")


# 11.2 Air combat


def dogfight(axis: list[str], soviet: list[str], die: int, *actions: str) -> AirTable:
    """An interdiction in M3010 that is opposed, up to the die of initiative."""
    table = AirTable("interdiction-phase", [*axis, *soviet])
    table.play("aim M3010", *(f"fly {name}" for name in axis), "done")
    table.play("aim M3010", *(f"fly {name}" for name in soviet), "done")
    return table.play(f"initiative {die}", *actions)


@rule("typhoon", "11.2", "11.2.1", "11.2.3")
def test_on_a_seven_the_bombers_pass_and_fighters_go_home() -> None:
    table = dogfight(["me109", "stuka"], ["mig"], 7)
    assert table.where("mig") == "flown"
    assert table.state.interdicted, "the bombers got through"
    alone = dogfight(["me109"], ["mig"], 7)
    assert not alone.state.interdicted, "fighters do not go on"


@rule("typhoon", "11.2.3")
def test_units_are_turned_up_before_pairs_are_formed() -> None:
    table = dogfight(["me109", "bluff"], ["mig"], 3)
    assert [event["flyers"] for event in table.events("turned-up")] == [
        tuple(sorted((table.flyer("me109"), table.flyer("bluff")))),
        (table.flyer("mig"),),
    ]
    assert table.where("bluff") == "flown"


@rule("typhoon", "11.2.3")
def test_the_initiative_engages_every_fighter_before_a_bomber() -> None:
    table = dogfight(["me109", "me109b", "stuka"], ["mig", "migb"], 3)
    assert (table.asked, table.actor) == ("pair-fighters", "axis")
    table.play("engage me109 mig")
    assert table.no("engage me109 migb") == ("not-free", "11.2.3")
    table.play("engage me109b mig")
    assert table.actor == "soviet", "a fighter that nobody engaged finds its own target"
    assert table.order("migb stuka") in table.offered("engage"), "both Axis fighters are engaged"


@rule("typhoon", "11.2.3")
def test_a_bomber_is_safe_while_a_fighter_is_free() -> None:
    table = support(["me109", "me109b"], ["mig", "il2"], 3)
    assert table.no("engage me109 il2") == ("fighters-first", "11.2.3")
    assert table.no("engage me109 pe2") == ("not-on-mission", "11.2.3")
    table.play("engage me109 mig", "engage me109b il2")


def support(axis: list[str], soviet: list[str], die: int | None = None, active: int = AXIS) -> AirTable:
    """Close air support for a combat in N3029, laid by both sides."""
    table = AirTable("", attacks={"N3029": []}, active=active)
    s, g = table.state, table.game
    target = g.board.cell("N3029")
    hands = [tuple(sorted(map(table.flyer, names))) for names in (axis, soviet)]
    s.missions = (Mission(target, CLOSE_SUPPORT, (hands[0], hands[1])),)
    for n in (*hands[0], *hands[1]):
        s.air[n] = AIR_FLYING
    table.begin("air-mission", support_flight(s, (target,)))
    return table if die is None else table.play(f"initiative {die}")


@rule("typhoon", "11.2.2", "11.2.3")
def test_fire_is_simultaneous() -> None:
    """The MiG is destroyed and still hits."""
    table = dogfight(["me109"], ["mig"], 3, "engage me109 mig", "open-fire me109")
    assert table.asked == "roll-fire"
    table.play("shoot 1")
    assert table.where("mig") == "flying", "nothing happens before all have fired"
    table.play("shoot 1")
    assert (table.where("mig"), table.where("me109")) == ("destroyed", "damaged")


@rule("typhoon", "11.2.2", "11.4.1")
def test_a_fighter_on_interdiction_may_hold_fire_and_go_on() -> None:
    table = dogfight(["me109"], ["mig"], 3, "engage me109 mig")
    assert (table.asked, table.actor) == ("declare-fire", "axis")
    assert table.no("hold-fire stuka")[0] == "must-fire"
    table.play("hold-fire me109", "shoot 10")
    assert len(table.events("shot")) == 1, "only the MiG has fired"
    assert table.state.interdicted and table.where("mig") == "flown"
    fired = dogfight(["me109"], ["mig"], 3, "engage me109 mig", "open-fire me109", "shoot 10", "shoot 10")
    assert not fired.state.interdicted, "who fired flies no mission"


@rule("typhoon", "11.2.3")
def test_a_fighter_attacked_by_two_fires_at_each() -> None:
    table = dogfight(
        ["me109"], ["mig", "migb"], 8, "engage mig me109", "engage migb me109", "open-fire me109"
    )
    table.play("shoot 10", "shoot 10", "shoot 10", "shoot 10")
    shots = {(event["flyer"], event["flyer_target"]) for event in table.events("shot")}
    lone, first, second = (table.flyer(name) for name in ("me109", "mig", "migb"))
    assert shots == {(first, lone), (second, lone), (lone, first), (lone, second)}


@rule("typhoon", "11.2.3")
def test_a_local_advantage_lets_fighters_fire_at_a_new_target_without_reply() -> None:
    table = support(["me109"], ["mig", "il2"], 1)
    table.play("engage me109 mig", "shoot 1", "shoot 10")
    assert (table.asked, table.actor) == ("fire-again", "axis")
    assert table.no("engage me109 mig") == ("not-on-mission", "11.2.3")
    table.play("engage me109 il2", "shoot 1")
    assert table.where("il2") == "destroyed" and table.where("me109") == "flown"
    plain = support(["me109"], ["mig", "il2"], 3).play("engage me109 mig", "shoot 1", "shoot 10")
    assert plain.asked != "fire-again", "without the advantage there is no second round"
    busy = support(["me109"], ["mig", "il2"], 1).play("engage me109 mig", "shoot 10", "shoot 10")
    assert busy.asked != "fire-again", "its target is still there"


# 11.3 Anti-aircraft fire, 11.5 Close air support


def with_guns(names: list[str], unit: str, number: str) -> AirTable:
    table = AirTable("interdiction-phase", names, units={unit: number})
    return table.play("aim N3029", *(f"fly {name}" for name in names), "done")


@rule("typhoon", "11.3", "11.3.1", "11.3.3")
def test_each_unit_on_a_mission_is_fired_at_once() -> None:
    guns = division(AirTable(), "soviet")
    table = with_guns(["stuka", "heinkel"], guns, "N3030")
    assert (table.asked, table.actor) == ("go-on", "axis")
    table.play("end", "flak 10", "flak 10")
    assert table.state.interdicted
    assert len(table.events("flak")) == 2
    far = with_guns(["stuka"], guns, "N3031")
    assert far.state.interdicted and not far.events("flak"), "two hexes away nobody fires"


@rule("typhoon", "11.3.3", "11.3.4")
@pytest.mark.parametrize(("die", "box"), [(1, "destroyed"), (2, "damaged"), (3, "flown")])
def test_who_is_hit_does_not_carry_out_the_mission(die: int, box: str) -> None:
    guns = division(AirTable(), "soviet")
    table = with_guns(["heinkel"], guns, "N3029").play("end", f"flak {die}")
    assert table.where("heinkel") == box and not table.state.interdicted
    through = with_guns(["heinkel"], guns, "N3029").play("end", "flak 5")
    assert through.where("heinkel") == "flown" and through.state.interdicted


@rule("typhoon", "11.2.3")
def test_units_may_turn_back_before_the_guns() -> None:
    guns = division(AirTable(), "soviet")
    table = with_guns(["heinkel"], guns, "N3029")
    assert table.no("turn-back stuka") == ("not-on-mission", "11.2.3")
    table.play("turn-back heinkel")
    assert table.where("heinkel") == "flown" and not table.state.interdicted


@rule("typhoon", "11.5.3", "11.5.4", "11.5")
@pytest.mark.parametrize(
    ("axis", "soviet", "active", "modifier"),
    [
        (["stuka"], [], AXIS, -2),
        (["stuka", "heinkel"], [], AXIS, -3),
        (["stuka"], [], SOVIET, 2),
        ([], ["il2"], AXIS, 2),
        (["me109"], [], AXIS, 0),
        (["bluff"], [], AXIS, 0),
    ],
)
def test_what_support_does_to_the_die(axis: list[str], soviet: list[str], active: int, modifier: int) -> None:
    table = support(axis, soviet, active=active)
    told = table.events("supported")
    assert (told[0]["modifier"] if told else 0) == modifier
    assert {table.where(name) for name in (*axis, *soviet)} == {"flown"}, "11.5.4e"


@rule("typhoon", "11.1.2")
def test_units_laid_for_a_combat_that_was_not_fought_have_flown() -> None:
    table = support(["stuka", "me109"], ["mig"])
    end_support(table.game, table.state)
    assert {table.where(name) for name in ("stuka", "me109", "mig")} == {"flown"} and not table.state.missions


# Both lay for the same combat


def laying(*ready: str) -> AirTable:
    """The question of close air support at the start of a combat phase: two combats, one of two hexes."""
    table = AirTable("", ready, attacks={"N3029": [], "N3033 N3034": []})
    return table.begin("lay-support")


def lay(table: AirTable, side: int, *actions: str) -> None:
    """What a side writes, whoever the kernel names first."""
    for text in actions:
        action = table.game.decode(table.order(text).split())
        assert isinstance(action, tuple) and table.game.refuse(table.state, action, side) is None, text
        table.game.apply(table.state, action, side)


@rule("typhoon", "11.5.4", "11.1.8", "11.1.7", "11.5.1")
def test_both_sides_lay_for_the_same_combat_without_seeing_each_other() -> None:
    table = laying("stuka", "bluff", "mig", "il2")
    assert table.asked == "lay-support"
    assert sorted(table.game.must_act(table.state)) == [AXIS, SOVIET]
    lay(table, SOVIET, "aim N3029", "fly mig", "fly il2", "done")
    assert not table.state.missions and table.where("mig") == "ready", "nothing is on the table yet"
    assert sorted(table.game.must_act(table.state)) == [AXIS]
    lay(table, AXIS, "aim N3029", "fly bluff", "aim N3034", "fly stuka", "done")
    board, n = table.game.board, table.flyer
    assert {m.cell: m.units for m in table.state.missions} == {
        board.cell("N3029"): ((n("bluff"),), tuple(sorted((n("mig"), n("il2"))))),
        board.cell("N3034"): ((n("stuka"),), ()),
    }
    assert {table.where(name) for name in ("stuka", "bluff", "mig", "il2")} == {"flying"}


@rule("typhoon", "11.5.1", "11.5.2", "11.1.7", "8.2.2")
def test_support_goes_to_declared_combats_and_one_combat_is_one_mission() -> None:
    table = laying("stuka", "heinkel")
    assert table.no("aim N3030") == ("no-combat-there", "11.5.1")
    table.play("aim N3033", "fly stuka")
    assert table.no("aim N3034") == ("mission-there", "11.1.6")


@rule("typhoon", "13.7.2")
def test_moscow_s_corps_supports_near_moscow_alone() -> None:
    table = laying("moscow")
    assert table.actor == "soviet" and table.offered("aim") == set()
    assert table.no("aim N3029") == ("beyond-moscow", "13.7.2")
    table = laying("moscow", "il2")
    table.play("aim N3029")
    assert table.no("fly moscow") == ("beyond-moscow", "13.7.2")


# What is hidden stays hidden


def heard(table: AirTable, viewer: int | None) -> str:
    """All that a side, or a spectator, is told of a position and of what has happened."""
    game, state = table.game, table.state
    who = EVERYONE if viewer is None else viewer
    events = [str(event) for event in state.log or () if event.audience in (EVERYONE, who)]
    asked = [] if viewer is None else game.shown_actors(state, viewer)
    told = "" if viewer is None else game.prompt(state, "en", viewer)
    return json.dumps([game.view(state, viewer), events, asked, told], default=str)


HANDS = [("stuka", "me109"), ("bluff", "heinkel"), ("me110", "bluff")]


@rule("typhoon", "11.1.7", "11.5.4")
def test_which_units_lie_face_down_reaches_nobody_else() -> None:
    """Other units of the same number in the same hexes: nothing that the Soviets or a spectator get changes,
    while the Axis writes and when all lie on the table."""
    told: list[list[str]] = []
    for hand in HANDS:
        table = laying("stuka", "me109", "bluff", "heinkel", "me110", "mig")
        found = []
        for text in ("aim N3029", *(f"fly {name}" for name in hand), "done"):
            lay(table, AXIS, text)
            found += [heard(table, SOVIET), heard(table, None)]
        lay(table, SOVIET, "aim N3029", "fly mig", "done")
        found += [heard(table, SOVIET), heard(table, None)]
        told.append(found)
    assert told[0] == told[1] == told[2]
    mine = laying("stuka", "me109", "mig")
    lay(mine, AXIS, "aim N3029", "fly stuka", "done")
    lay(mine, SOVIET, "done")
    assert heard(mine, AXIS) != heard(mine, SOVIET), "their owner sees them"


@rule("typhoon", "11.1.7")
def test_nothing_shows_that_a_side_writes_at_all() -> None:
    quiet, busy = laying("stuka", "mig"), laying("stuka", "mig")
    lay(busy, AXIS, "aim N3029", "fly stuka", "done")
    lay(quiet, AXIS, "done")
    assert heard(quiet, SOVIET) == heard(busy, SOVIET)


@rule("typhoon", "11.1.7", "11.4.1")
def test_the_faces_of_an_interdiction_are_hidden_until_it_is_flown() -> None:
    told = []
    for hand in HANDS:
        table = AirTable("interdiction-phase", ["stuka", "me109", "bluff", "heinkel", "me110", "mig"])
        table.play("aim M3010", *(f"fly {name}" for name in hand), "done")
        told.append([heard(table, SOVIET), heard(table, None)])
        table.play("aim M3010", "fly mig", "done")
        told[-1] += [heard(table, SOVIET), heard(table, None)]
    assert told[0] == told[1] == told[2]


@rule("typhoon", "11.1.7")
def test_what_a_side_imagines_keeps_the_number_of_units_and_nothing_else() -> None:
    table = AirTable("interdiction-phase", ["stuka", "me109", "bluff", "heinkel", "me110", "mig"])
    table.play("aim M3010", "fly stuka", "fly bluff", "done")
    guesses = {table.game.imagine(table.state, SOVIET, Random(n)).missions[0].units[AXIS] for n in range(30)}
    assert len(guesses) > 3 and {len(guess) for guess in guesses} == {2}
    own = {table.game.imagine(table.state, AXIS, Random(n)).missions[0].units[AXIS] for n in range(5)}
    assert own == {table.state.missions[0].units[AXIS]}
