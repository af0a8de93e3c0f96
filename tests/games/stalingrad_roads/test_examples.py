"""The worked examples of the rulebook, each with its own units and hexes."""

from __future__ import annotations

import pytest

from grognard.board.board import bits
from grognard.games.stalingrad_roads.rules.approval import fall_of_approval
from grognard.games.stalingrad_roads.rules.fortress import airlift_modifier, end_soviet_turn
from grognard.games.stalingrad_roads.rules.losses import eliminate
from grognard.games.stalingrad_roads.rules.supports import acquisition_modifier, markers_won
from grognard.games.stalingrad_roads.state import AXIS, MINOR_A, MINOR_B, SOVIET, STAVKA
from tests.games.stalingrad_roads.table import Table
from tests.games.table_base import shown_part
from tests.rules import rule


@rule("stalingrad_roads", "1.2", "1.2.1", "1.2.2", "1.2.3", "1.2.4", "4.5.1")
@pytest.mark.parametrize("hq", ["1310", "1510"])
def test_example_1_command_radius(hq: str) -> None:
    units = {"hq-lanz": hq, "g-298": "1614", "s-172": "1611", "s-350": "1713"}

    def lanz(rivers: int = 0, hq: str = hq) -> set[str]:
        return Table("axis-combat", units | {"hq-lanz": hq}, rivers=rivers).radius("hq-lanz")

    open_water = lanz()
    assert not open_water & {"1511", "1613"}
    assert "1614" not in open_water
    assert "1515" in open_water
    assert "1614" in lanz(rivers=2)
    assert "1614" in lanz(hq="1409")
    # The half hexes need the city: the same road hexes do not help the HQ outside it.
    far = Table("axis-combat", {"hq-lanz": "1310"}).radius("hq-lanz")
    near = Table("axis-combat", {"hq-lanz": "1409"}).radius("hq-lanz")
    assert len(near) > len(far)


@rule("stalingrad_roads", "4.1.1", "4.2.2", "4.2.3", "4.3", "4.3.1", "4.3.2")
def test_example_2_supply() -> None:
    units = {"hq-lanz": "1801", "i-156vi": "1701", "s-172": "1702", "g-44": "1803", "g-298": "2001"}
    units |= {"s-350": "1902", "s-6": "1904", "s-78": "1704"}
    table = Table("axis-supply", units)
    assert table.supplied_hqs(AXIS) == {"hq-lanz"}
    assert "2001" not in table.radius("hq-lanz")
    assert table.supplied("i-156vi", "g-298", "g-44") == {"i-156vi", "g-298"}
    if table.asked == "lay-pontoon":
        table.do("end")
    assert table.in_set(table.state.unsupplied & table.game.units_of[AXIS]) == {"g-44"}
    # Without the division in 1701 the HQ has no line.
    del units["i-156vi"]
    assert Table("axis-supply", units).where("hq-lanz") == "hq box"


@rule("stalingrad_roads", "5.3", "5.3.2", "5.3.5")
def test_example_3_acquisition_of_soviet_supports() -> None:
    table = Table(
        "soviet-supports",
        {"s-13g": "1335", "g-44": "1334"},
        turn=11,
        offensives={0: "0518", 1: "1333", 2: "2108"},
    )
    game, state = table.game, table.state
    state.gone_west = True
    assert acquisition_modifier(game, state) == -3
    assert markers_won(game, 8 - 3, STAVKA) == 3
    assert markers_won(game, 5 - 3, MINOR_A) == 0
    assert markers_won(game, 7 - 3, MINOR_B) == 1


@rule("stalingrad_roads", "5.5.7", "S2.3", "S2.4", "S2.5")
def test_example_4_surprise_attack() -> None:
    table = Table(
        "soviet-supports",
        {
            **dict.fromkeys(("s-1-tk", "s-26-tk", "s-8-kk"), "1927"),
            **dict.fromkeys(("s-47g", "s-50g", "s-119"), "1827"),
            "hq-south-west": "1928",
            "hq-3rum": "1324",
            "r-5": "1727",
            "s-4-mk": "1034",
        },
        turn=1,
        scenario="uranus",
    )
    for support in (
        *("s-artillery-2", "s-artillery-3", "s-katyusha", "s-katyusha", "s-surprise", "s-surprise"),
        *("s-tank-brigade", "s-tank-brigade", "s-breakthrough", "s-novikov"),
    ):
        table.do(f"choose {support}")
    assert len(table.held("major")) == 10
    table.do("take s-tank-brigade major", "attach s-1-tk")
    table.do("take s-surprise major", "attach s-26-tk", "approach 1827")
    assert table.where("s-1-tk") == table.where("s-47g") == "1827"
    table.do("target 1727")
    assert table.refused("join s-47g") == ("not-in-surprise", "5.5.7")
    table.do("join s-1-tk", "join s-26-tk", "join s-8-kk", "fight")
    assert table.battle().odds == 5
    table.do("armoured", "roll 3 4")
    assert table.battle().exploitation == 3
    table.do("advance s-1-tk 1727", "advance s-26-tk 1727", "advance s-8-kk 1727")
    assert {table.where(u) for u in ("s-1-tk", "s-26-tk", "s-8-kk")} == {"1727"}
    while table.asked == "mark-exploiters":
        table.do("finish")
    table.do("take s-tank-brigade major", "attach s-4-mk", "take s-surprise major", "attach s-4-mk", "keep")
    # Then the others; of those under a surprise marker only a leader's stack may have one.
    table.do("take s-artillery-2 major")
    assert table.refused("attach s-1-tk") == ("surprised-takes-none", "5.5.7")
    table.do("attach s-47g", "take s-novikov major", "attach s-1-tk")
    assert table.refused("take s-surprise major") == ("not-available", "5.5.1")


EXAMPLE_5 = {
    **dict.fromkeys(("s-51g", "s-4-tk", "s-3-gkk"), "1729"),
    **dict.fromkeys(("s-1-tk", "s-26-tk", "s-8-kk"), "1528"),
    "s-27g": "1730",
    "r-6": "1628",
    "r-13": "1628",
    "r-15": "1629",
    "hq-3rum": "1324",
    "hq-6a": "1333",
}
ATTACKERS = ("s-51g", "s-4-tk", "s-3-gkk", "s-1-tk", "s-26-tk", "s-8-kk")


def example_5() -> Table:
    return Table("soviet-combat", EXAMPLE_5, turn=1, reduced=["r-13"]).attack("1628", *ATTACKERS)


@rule(
    "stalingrad_roads", "8.2", "8.2.1", "8.5.4", "8.5.8", "8.6", "8.6.1", "8.6.2", "8.8.1", "8.10.3", "8.11.1"
)
def test_example_5_combat() -> None:
    table = example_5()
    odds = table.odds("1628", *ATTACKERS)
    assert (odds.attack, odds.defence, odds.initial, odds.final) == (34, 4, 7, 5)
    table.do("armoured", "use-elite s-51g")
    # A 6 in column 6/1 is an E, which the elite bonus makes an E2, and the weak Romanians an E3.
    table.do("roll 3 3")
    assert table.offered("apply") == {"E", "E2"}
    table.do("apply E2")
    battle = table.battle()
    assert (battle.attacker_losses, battle.defender_losses) == (1, 2)
    assert (battle.exploitation, battle.defensive) == (3, "DR2")
    # Both were declared: the other side says who takes the first step.
    assert table.actor == "axis"
    assert table.offered("lose") == {"s-51g", "s-4-tk", "s-1-tk", "s-26-tk"}
    assert table.refused("lose s-8-kk") == ("first-loss", "8.8.1")
    table.do("lose s-26-tk")
    assert table.steps("s-26-tk") == 1
    # One step each: one division dies, the other is reduced.
    assert table.where("r-13") == "dead"
    assert table.steps("r-6") == 1


@rule("stalingrad_roads", "8.12", "8.12.1", "8.12.2", "8.12.5", "8.12.6")
def test_example_6_retreat_after_combat() -> None:
    table = example_5().do("armoured", "finish", "roll 3 3", "lose s-26-tk")
    assert table.asked == "fall-back"
    # Away from all attackers it cannot go; 1728 is no nearer to an HQ; friends are in 1629 alone.
    assert table.offered("fall-back") == {"r-6 1629"}
    assert table.refused("fall-back r-6 1728") == ("priority-3", "8.12.5")
    assert table.refused("fall-back r-6 1627") == ("priority-5", "8.12.5")
    assert table.refused("fall-back r-6 1529") == ("priority-5", "8.12.5")
    table.do("fall-back r-6 1629")
    assert table.offered("fall-back") == {"r-6 1530"}
    assert table.refused("fall-back r-6 1630") == ("priority-4", "8.12.5")
    table.do("fall-back r-6 1530")
    assert table.where("r-6") == "1530"


@rule("stalingrad_roads", "8.14", "8.14.1", "8.14.2", "8.14.3")
def test_example_5_step_7_exploitation_points() -> None:
    table = example_5().do("armoured", "use-elite s-51g", "roll 3 3", "apply E2", "lose s-26-tk")
    table.do("fall-back r-6 1629", "fall-back r-6 1530", "hold")
    assert table.asked == "mark-exploiters"
    for unit in ("s-4-tk", "s-3-gkk", "s-1-tk", "s-26-tk", "s-8-kk"):
        table.do(f"exploit {unit}")
    # Five halves are spent: half a point is left, too little for the Guards division.
    assert table.asked != "mark-exploiters"
    assert table.in_set(table.state.exploiting) == {"s-4-tk", "s-3-gkk", "s-1-tk", "s-26-tk", "s-8-kk"}


EXAMPLE_7 = {
    **dict.fromkeys(("7-pz-1", "7-pz-2", "g-294", "g-336"), "2110"),
    **dict.fromkeys(("das-reich-1", "das-reich-2", "das-reich-3"), "2210"),
    **dict.fromkeys(("gd-1", "gd-2"), "2010"),
    "gd-3": "2008",
    **dict.fromkeys(("s-6", "s-172", "s-350"), "2111"),
    "hq-voronezh": "2213",
    "hq-lanz": "2108",
}


@rule("stalingrad_roads", "1.1.5", "1.11.5", "8.4", "8.4.1", "8.4.4", "8.9", "8.9.1", "14.1")
def test_example_7_combat_by_divided_divisions() -> None:
    table = Table("axis-combat", EXAMPLE_7, turn=14, rivers=2, superiority=0b1101)
    germans = (
        "7-pz-1",
        "7-pz-2",
        "g-294",
        "g-336",
        "das-reich-1",
        "das-reich-2",
        "das-reich-3",
        "gd-1",
        "gd-2",
    )
    table.attack("2111", *germans)
    assert not table.state.unsupplied & table.game.units_of[1]
    odds = table.odds("2111", *germans)
    assert odds.defence == 10
    assert odds.final == 3
    table.do("armoured", "use-elite gd-1")
    table.do("roll 4 4")
    # E, whatever the elite bonus, because the whole block is E; overwhelming attack makes it E2, and the
    # rout takes the loss away.
    assert table.battle().exploitation == 2
    assert table.battle().attacker_losses == 0
    table.do("lose s-172", "lose s-350")
    assert table.asked == "fall-back"
    assert table.offered("fall-back") == {"s-172 2112", "s-350 2112", "s-6 2112"}
    for unit in ("s-172", "s-350", "s-6"):
        table.do(f"fall-back {unit} 2112")
        assert f"{unit} 2212" in table.offered("fall-back")
        table.do(f"fall-back {unit} 2212")
    table.do("hold")
    table.do("exploit das-reich-1", "exploit 7-pz-2", "exploit gd-1", "exploit gd-2")
    assert table.in_set(table.state.exploiting) == {
        *("das-reich-1", "das-reich-2", "das-reich-3", "7-pz-1", "7-pz-2", "gd-1", "gd-2")
    }


@rule("stalingrad_roads", "9.2", "9.2.1", "9.2.2", "7.1.9")
def test_example_8_exploitation() -> None:
    units = {"s-4-tk": "1628", "s-26-tk": "1628", "hq-south-west": "1928", "hq-6a": "1333"}
    table = Table("soviet-exploitation", units, turn=1, exploiting=["s-4-tk", "s-26-tk"])
    table.do("pick s-4-tk")
    assert table.left == 2
    table.do("step 1529", "step 1429", "step 1330", "step 1331")
    assert table.where("s-4-tk") == "1331"
    assert table.state.soviet_hexes >> table.cell("1331") & 1
    # The marsh south of 1330 takes a whole point by road, and only half a point is left.
    table.do("pick s-26-tk", "step 1529", "step 1429", "step 1330")
    assert table.left == 0.5
    assert table.refused("step 1229") == ("too-dear", "7.1.4")


@rule("stalingrad_roads", "10.3.1", "10.3.3", "10.4", "10.4.1", "10.4.2")
def test_example_9_supply_of_the_fortress_and_airlift() -> None:
    from tests.games.stalingrad_roads.test_10_fortress import CITY, RING

    table = Table(
        "fortress",
        {"g-71": "1334", "g-79": "1434", "g-100": "1333", "g-94": "1433", "s-13g": "1335", "hq-lanz": "0901"},
        turn=2,
        clouds=0,
        enclosed=["g-71", "g-79", "g-100", "g-94"],
        fortress="1333",
        level=9,
        laid=[("s-vvs", "1335"), ("s-aa", "1335")],
    )
    # On NOV IV the Soviets have attacked two stacks at 1/1 or better: from 10 to 9.
    attacked = Table("soviet-combat", {**CITY, **RING}, turn=2, fortress="1333", level=10)
    attacked.state.fortress_fights = bits(map(attacked.cell, ("1334", "1433")))
    end_soviet_turn(attacked.game, attacked.state)
    assert attacked.state.level == 9
    assert airlift_modifier(table.game, table.state) == 2
    table.do("airlift 2")
    assert table.state.level == 8
    table.do("plane mobility", "plane stack_resistance")
    assert table.asked == "station-planes"
    table.do("station mobility 1333", "station stack_resistance 1334")
    assert len(table.state.flights) == 2
    # The Soviets see where they lie, not what they are.
    assert set(shown_part(table.game, table.state, "ju52", SOVIET).hexes) == {"1333", "1334"}
    seen = shown_part(table.game, table.state, "flights", SOVIET).groups[0]
    assert (seen.pieces, seen.more) == ([], 2)
    known = shown_part(table.game, table.state, "flights", AXIS).groups[0]
    assert sorted(known.pieces) == ["mobility", "stack_resistance"]


@rule("stalingrad_roads", "10.2.3", "10.4.3")
def test_example_10_combat_against_enclosed_units() -> None:
    table = Table(
        "soviet-combat",
        {
            "g-29-mot": "1232",
            "g-14-pz": "1232",
            "s-4-mk": "1132",
            "s-13-mk": "1132",
            "s-38": "1231",
            "s-204": "1231",
            "hq-stalingrad": "1235",
        },
        enclosed=["g-29-mot", "g-14-pz"],
        fortress="1333",
        level=8,
        flights=[("stack_resistance", "1232")],
        rivers=1,
    )
    table.attack("1232", "s-4-mk", "s-13-mk", "s-38", "s-204")
    before = table.odds("1232", "s-4-mk", "s-13-mk", "s-38", "s-204")
    assert (before.attack, before.defence, before.final) == (20, 9, 1)
    table.do("fly stack_resistance", "finish")
    assert table.battle().odds == 0
    table.do("pass", "roll 4 6")
    assert table.battle().defensive == "S"
    table.do("lose g-29-mot", "stand", "lose g-14-pz")
    assert (table.where("g-29-mot"), table.where("g-14-pz")) == ("1232", "1232")


@rule("stalingrad_roads", "13.1", "13.1.1")
def test_example_12_release_of_the_reserve() -> None:
    table = Table(
        "stavka-reserve",
        {"hq-stalingrad": "1235", "hq-voronezh": "2618"},
        turn=4,
        reserve=["s-4-mk", "s-6", "s-8-kk"],
    )
    table.do("choose-front hq-stalingrad", "release 1")
    assert table.state.local.left == 2
    table.do("deploy s-4-mk 1235")
    assert table.asked == "choose-front"
    table.do("choose-front hq-voronezh", "release 4")
    assert table.state.local.left == 2
    table.do("deploy s-6 2618", "deploy s-8-kk 2618")
    assert table.where("s-4-mk") == "1235"


@rule("stalingrad_roads", "5.4", "5.4.1", "14.2.4", "15.1", "15.1.3", "15.1.5", "15.2", "15.2.1", "15.3")
@rule("stalingrad_roads", "16.2", "16.2.2", "16.2.3", "17.3.2")
def test_example_13_approval_and_manstein() -> None:
    from tests.games.stalingrad_roads.test_10_fortress import CITY, RING

    units = (
        CITY
        | RING
        | {"s-4-tk": "1330", "hq-6a": "1333", "hq-4pza": "1032", "hq-4rum": "0729", "hq-3rum": "1430"}
    )
    del units["s-204"]
    table = Table("soviet-movement", units, turn=1)
    game, state = table.game, table.state
    assert (state.approval, state.manstein) == (7, 5)
    table.do("pick s-4-tk", "step 1331")
    assert state.approval == 6  # Kalach
    eliminate(game, state, table.unit("hq-3rum"), "8.8.2")
    assert state.approval == 5
    declared = Table("fortress", units | {"s-204": "1331"}, turn=1, unsupplied=CITY)
    game, state = declared.game, declared.state
    state.approval = 5
    declared.do("declare 1334", "suppress rout")
    assert (state.approval, state.manstein) == (4, 4)
    state.active = AXIS
    fall_of_approval(game, state)
    assert state.approval == 3
    assert game.axis_supports(state) == 2
    # Two HQs leave the neighbourhood of Stalingrad.
    leaving = Table(
        "axis-movement",
        {**CITY, "hq-4pza": "0931", "hq-4rum": "0729"},
        turn=1,
        enclosed=CITY,
        fortress="1334",
        level=10,
    )
    leaving.state.approval, leaving.state.manstein = 3, 4
    for hq in ("hq-4pza", "hq-4rum"):
        leaving.do(f"pick {hq}")
        here = leaving.state.where[leaving.unit(hq)]
        distance = leaving.game.board.distance
        away = next(
            step
            for step in sorted(leaving.offered("step"))
            if distance(leaving.cell(step), leaving.state.fortress) > distance(here, leaving.state.fortress)
            and leaving.game.data.on_way >> leaving.cell(step) & 1
        )
        leaving.do(f"step {away}", "halt")
    assert leaving.state.approval == 1
    leaving.state.turn = 2
    assert leaving.game.replacement_points(leaving.state, AXIS) == 1
    # Kotelnikovo falls: a crisis.
    taken = Table("soviet-movement", {"s-4-tk": "0730", "hq-stalingrad": "1235"}, turn=2)
    taken.state.approval, taken.state.manstein = 1, 4
    taken.do("pick s-4-tk", "step 0729", "halt")
    assert taken.state.approval == 0
    taken.do("crisis 3 4")
    assert (taken.state.approval, taken.state.manstein) == (6, 3)
    assert taken.state.demand == (2, 1)
    assert (taken.state.crisis_effect, taken.state.crisis_turn) == ("city_units_frozen", 2)
    frozen = Table("axis-movement", {"g-44": "1125", "g-71": "1126"}, turn=2)
    frozen.state.crisis_effect, frozen.state.crisis_turn = "city_units_frozen", 2
    assert frozen.refused("pick g-44") == ("city-frozen", "15.3")
    frozen.do("pick g-71")


@rule("stalingrad_roads", "5.3.4", "5.5.6", "11.4", "11.4.1", "11.4.2", "11.4.3")
def test_example_11_launching_a_major_offensive() -> None:
    stavka = [
        *["s-surprise"] * 2,
        *["s-artillery-2"] * 3,
        "s-reserves",
        "s-tank-brigade",
        "s-vvs",
        "s-shortage",
    ]
    units = {"s-45": "0619", "g-44": "0518", "hq-stalingrad": "0022", "hq-lanz": "0901"}
    table = Table(
        "offensives",
        units,
        turn=11,
        reserve=["s-6"],
        held={"stavka": stavka, "minor-a": ["s-maskirovka", "s-tank-brigade", "s-tank-brigade"]},
        offensives={1: "1125"},
        rivers=2,
    )
    table.state.soviet_hexes |= table.game.data.stalingrad
    before = {kind: table.in_pool(kind) for kind in ("s-surprise", "s-shortage", "s-vvs", "s-maskirovka")}
    assert table.asked == "play-maskirovka"
    table.do("mask minor-a stavka", "move-over s-tank-brigade", "move-over s-tank-brigade")
    assert len(table.held("stavka")) == 11
    table.do("launch 0518")
    assert table.in_pool("s-shortage") == before["s-shortage"] + 1
    assert table.refused("end")[0] == "not-now"
    for support in (*["s-surprise"] * 2, *["s-artillery-2"] * 2, *["s-tank-brigade"] * 3):
        table.do(f"keep-for {support}")
    table.do("give s-artillery-2", "give s-reserves", "obtain s-surprise")
    assert table.refused("give s-vvs") == ("not-mustered", "11.4.2")  # two go for one
    table.do("summon s-6 0519", "pay-for s-vvs")
    assert table.where("s-6") == "0519"  # next to the enemy, which is allowed here
    assert table.held("stavka") == []
    assert sorted(table.held("major")) == sorted(
        ["s-surprise"] * 3 + ["s-artillery-2"] * 2 + ["s-tank-brigade"] * 3
    )
    assert table.state.gone_west
    # No dice for the STAVKA box on such a turn.
    assert [frame[2].boxes for frame in table.state.frames if frame[0] == "acquisition"] == [(MINOR_A,)]


@rule("stalingrad_roads", "11.4.1")
def test_too_few_supports_launch_nothing() -> None:
    for supports, asked in ((["s-vvs"] * 10, "place-offensives"), (["s-vvs"] * 9, "roll-acquisition")):
        table = Table(
            "offensives",
            {"s-45": "0619", "g-44": "0518"},
            turn=11,
            held={"stavka": [*supports, "s-shortage"]},
            soviet_hexes=["1334", "1434"],
        )
        # Whether they hold Maskirovka is asked whether they do or not: the other side learns nothing.
        assert table.options == {"pass"}
        table.do("pass")
        assert table.asked == asked
