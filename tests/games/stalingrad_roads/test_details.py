"""Details of single cases: what a rule does at its limits, and what it leaves alone."""

from __future__ import annotations

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.approval import reward_attack
from grognard.games.stalingrad_roads.rules.combat import Battle
from grognard.games.stalingrad_roads.rules.fortress import keep_garrison
from grognard.games.stalingrad_roads.rules.movement import EXPLOITATION, ORDINARY, Move, hq_withdrawals
from grognard.games.stalingrad_roads.rules.reach import threat_reach, way_to, whole_moves
from grognard.games.stalingrad_roads.rules.reaction import Reaction, why_not_react
from grognard.games.stalingrad_roads.rules.sequence import stavka_meets
from grognard.games.stalingrad_roads.rules.supports import Placing, why_not_gun
from grognard.games.stalingrad_roads.rules.tactics import RollEngaged, attacker_attrition
from grognard.games.stalingrad_roads.rules.withdrawals import fits
from grognard.games.stalingrad_roads.state import AXIS, MINOR_A, SOVIET
from tests.games.stalingrad_roads.table import Table, real_game
from tests.rules import rule

PANZERS = {"g-14-pz": "1132", "g-16-pz": "1132", "g-24-pz": "1132", "s-45": "1232", "hq-6a": "1032"}
ATTACK = {"hq-south-west": "1928", "s-1-tk": "1628", "s-26-tk": "1628", "s-4-tk": "1628"}
STORM = {"hq-4pza": "0729", "6-pz-1": "0729", "6-pz-2": "0729", "6-pz-3": "0728", "g-23-pz": "0729"}


@rule("stalingrad_roads", "15.2.2")
def test_three_soviet_steps_raise_approval_once_a_phase() -> None:
    table = Table("axis-combat", {"g-14-pz": "1529", "s-45": "1928"})
    table.state.approval = 4
    for lost, phase, approval in ((2, 1, 4), (3, 1, 5), (3, 1, 5), (3, 2, 6)):
        reward_attack(table.game, table.state, table.cell("1529"), lost, phase)
        assert table.state.approval == approval


@rule("stalingrad_roads", "10.4", "10.4.2")
def test_an_armoured_attack_near_the_pocket_is_relief() -> None:
    for enclosed, relief in ((["g-71"], True), ([], False)):
        table = Table(
            "axis-combat", PANZERS | {"g-71": "1334"}, enclosed=enclosed, fortress="1334", level=8, rivers=2
        )
        table.attack("1232", "g-14-pz", "g-16-pz", "g-24-pz").do("armoured")
        assert table.state.relief == relief


@rule("stalingrad_roads", "10.4.3")
def test_one_sortie_a_turn() -> None:
    units = {"g-16-pz": "1333", "g-71": "1334", "s-4-mk": "1232", "hq-stalingrad": "1235"}
    flights = [("sortie_1", "1334"), ("sortie_2", "1334")]
    table = Table(
        "axis-movement", units, enclosed=["g-16-pz", "g-71"], fortress="1333", level=8, flights=flights
    )
    table.do("activate sortie_1 1333")
    assert table.asked == "fly-to-move"
    assert table.refused("activate sortie_2 1334") == ("no-such-plane", "10.4.3")


@rule("stalingrad_roads", "10.2.6")
def test_without_a_garrison_the_supports_go_back_to_the_pool() -> None:
    units = {"g-71": "1334", "g-79": "1434", "s-45": "1335"}
    table = Table("soviet-combat", units, fortress="1334", level=9, held={"stavka": ["s-vvs", "s-vvs"]})
    pooled = table.in_pool("s-vvs")
    keep_garrison(table.game, table.state)
    assert (table.held("stavka"), table.in_pool("s-vvs")) == ([], pooled + 2)


@rule("stalingrad_roads", "8.15.1")
def test_a_kampfgruppe_of_an_enclosed_unit_is_enclosed() -> None:
    for enclosed in (True, False):
        table = Table(
            "soviet-combat",
            ATTACK | {"g-100": "1529", "hq-6a": "1333"},
            reduced=["g-100"],
            enclosed=["g-100"] if enclosed else [],
            fortress="1430",
            level=8,
            superiority=0,
        )
        table.attack("1529", "s-1-tk", "s-26-tk", "s-4-tk").do("armoured")
        while table.asked != "roll-combat" and table.actor != "chance":
            table.do("pass" if "pass" in table.options else "finish")
        table.do("roll 3 3")
        while table.asked != "raise-kampfgruppe":
            table.do(sorted(table.options)[0])
        table.do("raise", "form kg-inf-1")
        assert ("kg-inf-1" in table.in_set(table.state.enclosed)) == enclosed


@rule("stalingrad_roads", "11.4.2")
def test_where_a_unit_cannot_be_summoned() -> None:
    units = {"s-45": "0619", "g-44": "0518", "hq-stalingrad": "0022", "hq-lanz": "0901"}
    held = {"stavka": ["s-surprise"] * 6 + ["s-vvs"] * 5}
    table = Table("offensives", units, turn=11, reserve=["s-6"], held=held, offensives={1: "1125"}, rivers=2)
    table.state.soviet_hexes |= table.game.data.stalingrad
    while table.asked != "launch-major" and "launch 0518" not in table.options:
        table.do("pass")
    table.do("launch 0518")
    assert "summon s-6 0519" in table.options
    assert table.refused("summon s-6 1928") == ("not-mustered-there", "11.4.2")


@rule("stalingrad_roads", "16.3")
def test_what_manstein_exchanges_comes_from_the_pool() -> None:
    table = Table("axis-supports", STORM, turn=4, held={"available": ["a-hoth", "a-rudel", "a-goering"]})
    table.do("storm")
    before = {kind: table.in_pool(kind) for kind in ("a-rudel", "a-goering", "a-artillery-2")}
    table.do("hand-in a-rudel", "hand-in a-goering", "pick-out a-artillery-2")
    after = {kind: table.in_pool(kind) - number for kind, number in before.items()}
    assert after == {"a-rudel": 1, "a-goering": 1, "a-artillery-2": -1}


@rule("stalingrad_roads", "6.1.1")
def test_supports_given_for_mars_are_gone_and_count_to_twelve() -> None:
    units = {"hq-don": "1831", "s-45": "1631", "g-44": "1630", "hq-6a": "1333"}
    table = Table("mars", units, turn=2, held={"stavka": ["s-vvs", "s-aa", "s-aa"]})
    table.do("spend s-aa stavka")
    assert sorted(table.held("stavka")) == ["s-aa", "s-vvs"]
    table.do("pass", "roll-mars 6 6")
    assert table.state.mars == table.game.data.mars_rolls[12]


@rule("stalingrad_roads", "15.3")
def test_a_crisis_freezes_units_in_cities_for_its_turn() -> None:
    table = Table("axis-movement", {"g-44": "1125", "hq-4pza": "1125"})
    table.state.crisis_effect, table.state.crisis_turn = "city_units_frozen", table.state.turn
    assert table.refused("pick g-44") == ("city-frozen", "15.3")
    table.state.crisis_turn -= 1
    assert table.refusal("pick g-44") is None


@rule("stalingrad_roads", "15.2.1")
def test_only_the_movement_phase_makes_an_hq_pay_for_going_away() -> None:
    table = Table("axis-movement", {"hq-6a": "1332", "g-71": "1334"}, fortress="1334", level=8)
    hq = table.unit("hq-6a")
    for mode, prices in ((ORDINARY, [1]), (EXPLOITATION, [])):
        move = Move((hq,), 4, mode, start=table.cell("1332"))
        assert hq_withdrawals(table.game, table.state, move, table.cell("1330")) == prices


@rule("stalingrad_roads", "4.4.4")
def test_the_reach_of_the_hungry_and_of_the_fed() -> None:
    """Of two units alike, in one hex, the unsupplied one does not go away from the HQ."""
    units = {"alarm-1": "1529", "alarm-2": "1529", "hq-6a": "1333", "s-45": "1928"}
    for hungry in ("alarm-1", "alarm-2"):
        table = Table("axis-movement", units, unsupplied=[hungry])
        found = whole_moves(table.game, table.state, AXIS)
        away = {"1429", "1528", "1629"}
        reached = {id_: table.hexes(found[table.unit(id_)]) & away for id_ in ("alarm-1", "alarm-2")}
        fed = next(id_ for id_ in reached if id_ != hungry)
        assert reached[hungry] < reached[fed]


@rule("stalingrad_roads", "7.3.3")
def test_the_way_by_rail_is_found() -> None:
    table = Table("axis-movement", {"g-44": "1409", "hq-lanz": "1409", "s-45": "1335"}, mud=True)
    unit, goal = table.unit("g-44"), table.cell("2108")
    assert way_to(table.game, table.state, unit, goal) is None
    table.state.rail = 1
    assert way_to(table.game, table.state, unit, goal) == (("entrain", unit), ("detrain", goal))


@rule("stalingrad_roads", "7.1")
def test_nobody_threatens_through_those_in_his_way() -> None:
    table = Table("axis-movement", {"g-44": "1927", "g-71": "1929", "s-45": "1928"})
    reached = table.hexes(threat_reach(table.game, table.state, table.unit("s-45"), 2))
    assert "1928" in reached
    assert not reached & {"1927", "1929"}


@rule("stalingrad_roads", "8.10", "14.1")
def test_who_comes_to_the_rescue() -> None:
    units = {"s-1-tk": "1628", "g-44": "1529", "g-14-pz": "1330", "g-71": "1330", "r-1arm": "1330"}
    table = Table("soviet-combat", units | {"hq-south-west": "1928", "hq-6a": "1333"})
    found = {}
    for panzers in (False, True):
        reaction = Reaction(table.cell("1529"), panzers)
        for id_ in ("g-14-pz", "g-71", "r-1arm", "s-1-tk"):
            reason = why_not_react(table.game, table.state, reaction, table.unit(id_))
            found[id_, panzers] = reason and (reason.code, reason.case)
    only = ("panzers-only", "14.1")
    assert [found[id_, False] for id_ in ("g-14-pz", "g-71", "r-1arm")] == [None] * 3
    assert [found[id_, True] for id_ in ("g-14-pz", "g-71", "r-1arm")] == [None, only, only]
    assert found["s-1-tk", False] == found["s-1-tk", True] == ("not-yours", "8.10")


@rule("stalingrad_roads", "17.1")
def test_only_soviet_reinforcements_come_to_major_cities() -> None:
    table = Table(
        "axis-reinforcements",
        {"s-45": "1335", "hq-lanz": "1409"},
        turn=7,
        to_come={"g-7lw": 7},
        soviet_hexes=["1334", "1434"],
    )
    assert table.asked != "place-in-city"


@rule("stalingrad_roads", "S1.3")
def test_no_stavka_in_wintergewitter() -> None:
    game = real_game()
    for scenario, meets in (("wintergewitter", False), ("campaign", True)):
        state = game.start(scenario)
        state.turn = 5
        assert (stavka_meets(game, state) is None) == meets


@rule("stalingrad_roads", "13.1.1")
def test_a_release_may_be_left_in_the_reserve() -> None:
    units = {"hq-voronezh": "2618", "hq-don": "1831", "g-44": "2617"}
    table = Table("stavka-reserve", units, turn=4, reserve=["s-6", "s-78"])
    table.do("choose-front hq-voronezh", "release 3")
    assert table.asked == "place-released"
    table.do("pass")
    assert table.asked in ("roll-release", "choose-front")
    assert table.where("s-6") == "reserve"


@rule("stalingrad_roads", "4.5.2")
def test_a_gun_east_of_the_don_needs_another_marker() -> None:
    table = Table(
        "soviet-supports",
        {"s-45": "1234", "s-51g": "1928", "g-44": "1334", "g-71": "1434", "hq-stalingrad": "1235"},
        turn=2,
        offensives={1: "1334"},
        stalingrad_face=2,
        held={"minor-a": ["s-artillery-2"]},
    )
    while table.asked != "deploy-markers":
        assert table.actor == "chance"
        table.do(sorted(table.options)[0])
    game, state = table.game, table.state
    gun = Placing(game.support_index["s-artillery-2"], MINOR_A)
    for support, code in (("s-shortage", "no-marker-to-pay"), ("s-artillery-2", None), ("s-aa", None)):
        state.held = bytearray(len(state.held))
        game.hold(state, gun.kind, MINOR_A, 1)
        game.hold(state, game.support_index[support], MINOR_A, 1)
        reason = why_not_gun(game, state, gun, table.unit("s-45"), table.cell("1234"))
        assert (reason and reason.code) == code
        assert (reason and reason.case) == (code and "4.5.2")


@rule("stalingrad_roads", "5.5.6")
def test_one_marker_is_transferred_a_phase() -> None:
    units = {"s-45": "1234", "g-44": "1333", "g-71": "1434", "g-79": "1334", "hq-stalingrad": "1235"}
    held = {"stavka": ["s-breakthrough", "s-breakthrough"]}
    table = Table("soviet-supports", units, held=held, offensives={1: "1334"}, stalingrad_face=2)
    while table.actor == "chance":
        table.do(sorted(table.options)[0])
    table.do("transfer s-breakthrough minor-a")
    assert table.refused("transfer s-breakthrough minor-a") == ("one-transfer", "5.5.6")


@rule("stalingrad_roads", "18.1.1")
def test_who_is_too_weak_to_be_withdrawn() -> None:
    game = real_game()
    state = game.start("campaign")
    weak = 0
    for wanted in game.plan(state).withdrawals:
        if wanted.unit_type not in ("armoured", "panzer"):
            continue
        for unit in each(game.units_of[wanted.side] & ~game.hqs):
            counter = game.units[unit]
            kind = counter.armoured if wanted.unit_type == "armoured" else counter.kind == "panzer"
            assert fits(game, state, wanted, unit) == (kind and counter.attack >= wanted.minimum_attack)
            weak += kind and counter.attack < wanted.minimum_attack
    assert weak


@rule("stalingrad_roads", "8.10.1", "3.2.2")
def test_only_an_engagement_in_mud_is_free_for_the_defender() -> None:
    table = Table("soviet-combat", ATTACK | {"g-44": "1529", "g-71": "1529", "hq-6a": "1333"}, superiority=0)
    table.attack("1529", "s-1-tk", "s-26-tk", "s-4-tk")
    battle = table.battle()
    for defensive in (False, True):
        for one_sided in (False, True):
            state = table.state.clone()
            state.local = battle._replace(tactical="Eng", defensive="Eng", one_sided=one_sided)
            RollEngaged(defensive).apply(table.game, state, SOVIET, ("engaged", 6, 6))
            assert isinstance(state.local, Battle)
            assert (state.local.defender_losses == 0) == (one_sided and not defensive)


@rule("stalingrad_roads", "8.8.1")
def test_an_elite_panzer_that_is_all_the_armour_is_named_once() -> None:
    """Nobody is asked on whom the first step falls where one unit alone may take it."""
    units = {"g-14-pz": "1628", "g-29-mot": "1628", "s-45": "1529", "hq-6a": "1333"}
    table = Table("axis-combat", units, rivers=2).attack("1529", "g-14-pz", "g-29-mot")
    table.do("use-elite g-14-pz", "armoured")
    assert [id_ for id_ in units if table.game.units[table.unit(id_)].black] == ["g-14-pz"]
    table.state.local = table.state.local._replace(attacker_losses=1)
    losses = attacker_attrition(table.game, table.state)
    assert losses is not None and losses.first == (table.unit("g-14-pz"),)
