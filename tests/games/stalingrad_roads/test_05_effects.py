"""5, 10.4.3 What supports and Ju 52 events do, each of them; markers that must be used (16.3)."""

from __future__ import annotations

import pytest

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.manstein import settle_storm
from grognard.games.stalingrad_roads.rules.reinforcements import arrival_hexes, hurry, receive_reserves
from grognard.games.stalingrad_roads.rules.tactics import attacker_attrition, counterattack
from grognard.games.stalingrad_roads.state import AVAILABLE, AXIS, SOVIET
from tests.games.stalingrad_roads.table import Table, real_game
from tests.rules import rule

STRONG = {
    "g-14-pz": "1529",
    "g-44": "1529",
    "s-45": "1629",
    "s-1-tk": "1629",
    "s-26-tk": "1629",
    "hq-6a": "1333",
    "hq-don": "1831",
}
FIGHT = {"g-14-pz": "1529", "g-44": "1529", "s-45": "1629", "hq-6a": "1333", "hq-don": "1831"}


@rule("stalingrad_roads", "5.5.4", "8.5.6")
@pytest.mark.parametrize(
    ("support", "attack", "columns"),
    [
        ("a-nebelwerfer", 0, 1),
        ("a-artillery-2", 0, 1),
        ("a-tiger", 2, 0),
        ("a-assault-guns", 1, 0),
    ],
)
def test_axis_markers_in_attack(support: str, attack: int, columns: int) -> None:
    plain = Table("axis-combat", FIGHT).odds("1629", "g-14-pz", "g-44")
    helped = Table("axis-combat", FIGHT, attached={support: "g-14-pz"}).odds("1629", "g-14-pz", "g-44")
    assert helped.attack == plain.attack + attack
    assert sum(shift.columns for shift in helped.shifts) == columns


@rule("stalingrad_roads", "5.5.4", "8.5.2")
@pytest.mark.parametrize(
    ("support", "points"), [("a-assault-guns", 1), ("a-tiger", 1), ("a-pak88", 2), ("a-artillery-2", 2)]
)
def test_axis_markers_in_defence(support: str, points: int) -> None:
    units = FIGHT | {"s-51g": "1629"}
    plain = Table("soviet-combat", units).odds("1529", "s-51g")
    helped = Table("soviet-combat", units, attached={support: "g-44"}).odds("1529", "s-51g")
    assert helped.defence == plain.defence + points


@rule("stalingrad_roads", "5.5.4")
def test_tigers_ignore_a_loss_and_paks_choose_one() -> None:
    tiger = Table("axis-combat", FIGHT, attached={"a-tiger": "g-14-pz"}, superiority=0)
    tiger.attack("1629", "g-14-pz", "g-44").do("finish")
    battle = tiger.battle()._replace(attacker_losses=1)
    tiger.state.local = battle
    assert attacker_attrition(tiger.game, tiger.state) is None
    tiger.state.local = battle._replace(attacker_losses=2)
    losses = attacker_attrition(tiger.game, tiger.state)
    assert losses is not None and losses.owed == 1
    units = FIGHT | {"s-1-tk": "1629"}
    pak = Table("soviet-combat", units, attached={"a-pak88": "g-44"}, superiority=0)
    pak.attack("1529", "s-1-tk", "s-45").do("pass")
    pak.state.local = pak.battle()._replace(attacker_losses=1)
    losses = attacker_attrition(pak.game, pak.state)
    assert losses is not None and losses.first == (pak.unit("s-1-tk"),)


@rule("stalingrad_roads", "5.5.2", "8.10.1")
def test_a_counterattack_marker_is_an_r_more() -> None:
    units = STRONG | {"g-16-pz": "1429"}
    table = Table("soviet-combat", units, laid=[("a-counterattack", "1529")])
    table.attack("1529", "s-45", "s-1-tk", "s-26-tk").do("answer a-counterattack")
    reaction = counterattack(table.game, table.state)
    assert reaction is not None and reaction.target == table.cell("1529")


@rule("stalingrad_roads", "5.5.2")
def test_rudel_stops_an_armoured_attack() -> None:
    units = {"g-44": "1529", "s-1-tk": "1629", "s-26-tk": "1629", "hq-6a": "1333", "hq-don": "1831"}
    for laid, offered in (((), True), ((("a-rudel", "1529"),), False)):
        table = Table("soviet-combat", units, laid=laid)
        table.attack("1529", "s-1-tk", "s-26-tk")
        if laid:
            table.do("answer a-rudel")
        assert ("armoured" in table.options) == offered


@rule("stalingrad_roads", "5.5.2")
def test_flak_drives_off_one_marker_of_aircraft() -> None:
    units = FIGHT | {"s-51g": "1629"}
    laid = [("a-luftwaffe", "1629"), ("s-aa", "1629")]
    table = Table("axis-combat", units, laid=laid, clouds=0)
    table.do("target 1629", "join g-14-pz", "join g-44", "call-in a-luftwaffe", "fight")
    assert table.offered("answer") == {"s-aa"}
    guns = table.state.clone()
    table.do("pass")
    called = table.events("odds")[-1]["attack"]
    guns.log = []
    table.state = guns
    table.do("answer s-aa")
    assert table.events("odds")[-1]["attack"] == called - 2
    # Nothing flies, nothing is shot at.
    quiet = Table("axis-combat", units, laid=[("s-aa", "1629")], clouds=0)
    quiet.attack("1629", "g-14-pz", "g-44")
    assert quiet.asked != "defend-with"


@rule("stalingrad_roads", "5.5.1", "10.2.3")
def test_surrender_takes_a_step_of_everybody() -> None:
    units = {"g-44": "1529", "g-14-pz": "1529", "s-45": "1629", "hq-don": "1831"}
    table = Table(
        "soviet-supports", units, turn=3, unsupplied=["g-44", "g-14-pz"], held={"stavka": ["s-surrender"]}
    )
    while table.actor == "chance":
        table.do(sorted(table.options)[0])
    table.do("take s-surrender stavka")
    assert table.offered("lay") == {"1529"}
    table.do("lay 1529")
    assert (table.steps("g-44"), table.steps("g-14-pz")) == (1, 1)


@rule("stalingrad_roads", "10.4")
def test_a_raid_succeeds_from_four_up() -> None:
    units = {"s-45": "1629", "hq-don": "1831", "g-44": "1023"}
    for die, raided in ((3, False), (4, True)):
        table = Table("soviet-supports", units, turn=5, held={"stavka": ["s-raid"]})
        while table.actor == "chance":
            table.do(sorted(table.options)[0])
        table.do("take s-raid stavka", "lay 1023", f"raid {die}")
        assert table.state.raided == raided


@rule("stalingrad_roads", "5.5.1", "13.1")
def test_reserves_bring_a_unit_of_the_stavka() -> None:
    units = {"s-45": "1629", "hq-don": "1831"}
    table = Table("soviet-supports", units, reserve=["s-38"], held={"stavka": ["s-reserves"]})
    while table.actor == "chance":
        table.do(sorted(table.options)[0])
    table.do("take s-reserves stavka", "lay 1831", "commit s-38")
    assert table.where("s-38") == "1831"
    # Armour would cost two.
    for reserve, offered in ((["s-38", "s-4-mk"], {"s-38"}), (["s-4-mk"], set())):
        table = Table("soviet-supports", units, reserve=reserve, held={"stavka": ["s-reserves"]})
        while table.actor == "chance":
            table.do(sorted(table.options)[0])
        if not offered:
            assert table.refused("take s-reserves stavka") == ("nowhere", "5.5.6")
            continue
        table.do("take s-reserves stavka", "lay 1831")
        assert table.offered("commit") == offered


@rule("stalingrad_roads", "8.6.1", "5.5.3")
@pytest.mark.parametrize("leader", ["s-lelyushenko", "s-novikov"])
def test_soviet_leaders_lend_the_elite_bonus(leader: str) -> None:
    plain = Table("soviet-combat", STRONG).attack("1529", "s-1-tk", "s-26-tk", "s-45")
    assert "use-elite s-45" not in plain.options
    led = Table("soviet-combat", STRONG, attached={leader: "s-45"})
    assert "use-elite s-45" in led.attack("1529", "s-1-tk", "s-26-tk", "s-45").options


# Ju 52 (10.4.3)

CITY = ["g-71", "g-79"]


def in_the_pocket(phase: str, plane: str, **more: object) -> Table:
    units = {"g-71": "1334", "g-79": "1333", "s-45": "1434", "s-4-mk": "1233", "hq-stalingrad": "1235"}
    units |= {"s-13-mk": "1233"}
    return Table(phase, units, enclosed=CITY, fortress="1333", level=8, flights=[(plane, "1333")], **more)  # type: ignore[arg-type]


@rule("stalingrad_roads", "10.4.3")
def test_hube_strengthens_everybody_and_goes() -> None:
    table = in_the_pocket("soviet-combat", "hube")
    pooled = table.state.planes[table.game.plane_index["hube"]]
    table.attack("1333", "s-4-mk", "s-13-mk").do("fly hube")
    assert table.state.hube
    assert table.events("odds")[-1]["defence"] == 12
    assert table.state.planes[table.game.plane_index["hube"]] == pooled, "it does not come back"


@rule("stalingrad_roads", "10.4.3")
def test_last_reserves_attack_in_full() -> None:
    table = in_the_pocket("axis-combat", "last_reserves")
    before = table.odds("1233", "g-79").attack
    table.do("activate last_reserves 1333")
    assert table.state.level == 7
    assert table.odds("1233", "g-79").attack > before


@rule("stalingrad_roads", "10.4.3")
def test_a_sortie_of_two_stacks() -> None:
    table = in_the_pocket("axis-movement", "sortie_2")
    table.do("activate sortie_2 1333", "activate sortie_2 1334")
    assert table.in_set(table.state.sorties) == set(CITY)
    assert table.state.level == 7


@rule("stalingrad_roads", "10.4.3", "10.2.3")
def test_the_support_event_brings_guns_into_the_fortress() -> None:
    without = in_the_pocket("axis-supports", "mobility", held={"available": ["a-pak88", "a-alarm"]})
    deploy(without)
    assert without.refused("take a-pak88 available") == ("nowhere", "5.5.6")
    table = in_the_pocket("axis-supports", "support", held={"available": ["a-pak88", "a-alarm"]})
    deploy(table)
    table.do("take a-pak88 available", "attach g-71")
    assert table.events("plane-played")
    assert not table.state.flights
    table.do("take a-alarm available")
    assert not {"1333", "1334"} & table.offered("lay")
    alarm = in_the_pocket("axis-supports", "support", held={"available": ["a-alarm"]})
    deploy(alarm)
    alarm.do("take a-alarm available")
    assert {"1333", "1334"} <= alarm.offered("lay")
    alarm.do("lay 1334")
    raised = [u for u in each(alarm.state.enclosed) if alarm.game.units[u].kind == "alarm"]
    assert [alarm.state.where[u] for u in raised] == [alarm.cell("1334")]


def deploy(table: Table) -> None:
    while table.actor == "chance":
        table.do(sorted(table.options)[0])


@rule("stalingrad_roads", "10.2.3")
def test_an_option_has_the_fortress_stand() -> None:
    table = in_the_pocket("axis-movement", "mobility", options=["fortress_stands"])
    table.do("pass")
    assert table.refused("pick g-71") == ("fortress-stands", "10.2.3")
    moved = in_the_pocket("axis-movement", "mobility", options=["fortress_stands"])
    moved.do("activate mobility 1333")
    while moved.asked != "pick-unit":
        moved.do("pass")
    assert "pick g-79" in moved.options


# Manstein's markers (16.3)


@rule("stalingrad_roads", "16.3")
def test_chosen_markers_must_be_used() -> None:
    units = {"hq-4pza": "0729", "6-pz-1": "0729", "6-pz-2": "0729", "6-pz-3": "0728", "g-23-pz": "0729"}
    table = Table("axis-supports", units, turn=4, held={"available": ["a-hoth", "a-rudel"]})
    table.do(
        "storm", "hand-in a-rudel", "hand-in a-hoth", "pick-out a-artillery-2", "pick-out a-counterattack"
    )
    assert table.refused("end") == ("must-play-chosen", "16.3")
    table.do("take a-artillery-2 available", "attach g-23-pz")
    table.do("take a-counterattack available", "lay 0729", "end")
    assert not table.state.owed
    # One that nobody could use goes back at the end of the turn.
    table.game.hold(table.state, table.game.support_index["a-tiger"], AVAILABLE, 1)
    table.state.owed = (table.game.support_index["a-tiger"],)
    pooled = table.in_pool("a-tiger")
    settle_storm(table.game, table.state)
    assert table.in_pool("a-tiger") == pooled + 1
    assert table.held("available") == []


# Arrivals that depend on the enemy (17.1, 17.2.1)


@rule("stalingrad_roads", "17.1")
def test_who_finds_the_enemy_at_his_entry_goes_to_the_reserve() -> None:
    game = real_game()
    state = game.set_up("campaign", {})
    state.turn, state.active = 10, SOVIET
    unit = game.unit_index("s-167")
    state.due[unit] = 10
    assert arrival_hexes(game, state, unit)
    german = game.unit_index("g-44")
    for number in ("2717", "2719", "2721"):
        state.place(german, game.board.cell(number))
        german += 1
    state.place(german, game.board.cell("2715"))
    assert arrival_hexes(game, state, unit) == []
    receive_reserves(game, state)
    assert state.where[unit] == -3, "the STAVKA reserve"
    held = game.unit_index("s-121")
    state = game.set_up("campaign", {})
    state.soviet_hexes = 0
    assert arrival_hexes(game, state, held) == []


@rule("stalingrad_roads", "17.2.1")
def test_an_army_falls_back_sooner_with_the_enemy_behind_it() -> None:
    game = real_game()
    state = game.set_up("campaign", {})
    state.turn = 6
    unit = game.unit_index("g-68")
    hurry(game, state)
    assert state.due[unit] == 9
    state.place(game.unit_index("s-45"), game.board.cell("2714"))
    hurry(game, state)
    assert state.due[unit] == 7
    assert game.side(unit) == AXIS
