"""10 The fortress."""

from __future__ import annotations

import pytest

from grognard.board.board import bits
from grognard.games.stalingrad_roads.rules.fortress import (
    airlift_modifier,
    airlift_modifiers,
    end_axis_turn,
    end_soviet_turn,
    garrison_wanted,
)
from grognard.games.stalingrad_roads.rules.pocket import pocket_closed, zone_of_fortress
from tests.games.stalingrad_roads.table import Table
from tests.rules import rule

CITY = {"g-71": "1334", "g-79": "1434"}
RING = {
    "s-13g": "1335",
    "s-39g": "1435",
    "s-45": "1535",
    "s-95": "1534",
    "s-138": "1533",
    "s-284": "1532",
    "s-38": "1431",
    "s-204": "1331",
    "s-29": "1231",
    "s-157": "1232",
    "s-36g": "1233",
    "s-64": "1234",
    "s-99": "1432",
    "s-116": "1332",
}
"""A closed ring round 1333, 1334, 1433, 1434."""


@rule("stalingrad_roads", "10.1", "10.1.1", "10.1.2", "10.1.3", "10.3", "10.3.1", "14.2.1", "14.2.4")
def test_the_declaration() -> None:
    units = CITY | RING | {"hq-6a": "1333"}
    table = Table("fortress", units, unsupplied=["g-71", "g-79"])
    assert table.asked == "declare-fortress"
    assert table.refused("declare 1129") == ("not-fortress-hex", "10.1.2")
    assert table.refused("declare 1335") == ("not-fortress-hex", "10.1.2")
    table.do("declare 1334")
    assert table.where("hq-6a") == "withdrawn"
    assert table.state.level == 10
    assert table.in_set(table.state.enclosed) == {"g-71", "g-79"}
    assert table.held("available") == ["a-alarm"] * 3
    assert table.asked == "choose-effect"
    table.do("suppress rout")
    open_ = dict(units)
    for id_ in ("s-38", "s-204", "s-29", "s-157", "s-99", "s-116"):
        del open_[id_]
    ajar = Table("fortress", open_, unsupplied=["g-71", "g-79"]).do("declare 1334")
    assert ajar.state.level == 11
    fed = Table("fortress", units, unsupplied=["g-71"])
    assert fed.asked != "declare-fortress"
    allied = Table("fortress", RING | {"g-71": "1334", "r-5": "1434"}, unsupplied=["g-71", "r-5"])
    assert allied.asked != "declare-fortress"


@rule("stalingrad_roads", "10.1.4")
def test_relief_takes_the_marker_away() -> None:
    units = {"g-71": "1334", "g-79": "1434", "hq-4pza": "1333"}
    table = Table("axis-supply", units, enclosed=["g-71", "g-79"], fortress="1334", level=6)
    assert table.state.fortress == -1
    assert table.state.enclosed == 0


@rule("stalingrad_roads", "10.1.5")
def test_the_marker_goes_back_towards_the_city() -> None:
    units = {"g-71": "1334", "g-79": "1434", "s-4-tk": "1332", "hq-stalingrad": "1235"}
    table = Table("soviet-movement", units, enclosed=["g-71", "g-79"], fortress="1333", level=6)
    table.state.pinned = 0
    table.state.trios = ()
    table.do("pick s-4-tk", "step 1333")
    assert table.hexes(1 << table.state.fortress) <= {"1334", "1434"}


@rule("stalingrad_roads", "10.2", "10.2.1", "10.2.2")
def test_the_zone() -> None:
    plain = Table("axis-combat", CITY | {"s-45": "1232"}, fortress="1334", level=5)
    zone = plain.hexes(zone_of_fortress(plain.game, plain.state))
    assert {"1334", "1333", "1332", "1434"} <= zone
    assert "1232" not in zone
    airfield = Table("axis-combat", CITY, fortress="1333", level=5)
    assert len(airfield.hexes(zone_of_fortress(airfield.game, airfield.state))) > len(zone)


@rule("stalingrad_roads", "10.2.3", "10.3.2")
@pytest.mark.parametrize(
    ("level", "attack", "defence", "points"),
    [(11, 5, 10, 1), (10, 2, 10, 1), (7, 2, 10, 1), (6, 1, 5, 1), (2, 1, 5, 1), (1, 0, 2, 1)],
)
def test_what_a_level_leaves(level: int, attack: int, defence: int, points: float) -> None:
    units = {"g-100": "1333", "g-71": "1333", "s-45": "1332"}
    table = Table("axis-movement", units, enclosed=["g-100", "g-71"], fortress="1333", level=level)
    from grognard.games.stalingrad_roads.rules.odds import attack_strength, defence_strength

    pair = [table.unit("g-100"), table.unit("g-71")]
    target = table.cell("1332")
    assert attack_strength(table.game, table.state, pair, target) == attack
    assert defence_strength(table.game, table.state, pair) == {10: 12, 5: 6, 2: 2}[defence]
    table.do("pick g-100")
    assert table.left == points
    table.do("step 1433")
    if level <= 6:
        assert table.asked == "pick-unit"


@rule("stalingrad_roads", "10.2.3")
def test_outside_the_zone_they_die() -> None:
    units = CITY | RING | {"g-44": "1129"}
    table = Table("axis-supply", units, enclosed=["g-71", "g-79", "g-44"], fortress="1334", level=6)
    assert (table.where("g-44"), table.where("g-71")) == ("withdrawn", "1334")
    units |= {"hq-4pza": "1125"}
    fed = Table("axis-supply", units, enclosed=["g-71", "g-79", "g-44"], fortress="1334", level=6)
    assert fed.where("g-44") == "1129"
    assert fed.in_set(fed.state.enclosed) == {"g-71", "g-79"}


@rule("stalingrad_roads", "10.2.4")
def test_the_ring_stays() -> None:
    units = CITY | RING | {"s-4-tk": "1332", "s-13-mk": "1332", "hq-stalingrad": "1235"}
    table = Table("soviet-movement", units, enclosed=["g-71", "g-79"], fortress="1333", level=6)
    for unit in ("s-45", "s-95", "s-13g"):
        assert table.refused(f"pick {unit}") == ("secures-pocket", "10.2.4")
    units |= {"g-100": "1333"}
    near = Table("soviet-movement", units, enclosed=["g-71", "g-79", "g-100"], fortress="1333", level=6)
    near.do("pick s-4-tk")
    assert near.refused("gather s-13-mk") == ("secures-pocket", "10.2.4")
    near.do("step 1331", "halt")
    assert near.refused("pick s-13-mk") == ("secures-pocket", "10.2.4")


@rule("stalingrad_roads", "10.2.5")
def test_when_the_pocket_is_closed() -> None:
    closed = Table("axis-combat", CITY | RING)
    assert pocket_closed(closed.game, closed.state)
    ajar = Table("axis-combat", {k: v for k, v in (CITY | RING).items() if v not in ("1332", "1331", "1231")})
    assert not pocket_closed(ajar.game, ajar.state)


@rule("stalingrad_roads", "10.2.6")
def test_the_garrison() -> None:
    table = Table("soviet-end", CITY | RING, turn=3, fortress="1334", level=9, held={"stavka": ["s-vvs"]})
    assert garrison_wanted(table.game, table.state) == 24
    assert table.events("garrison-missing")
    assert table.held("stavka") == []
    assert table.state.no_supports == 4
    half = Table("soviet-combat", CITY | RING, fortress="1334", level=9, soviet_hexes=["1434"])
    assert garrison_wanted(half.game, half.state) == 15
    first = Table("soviet-end", CITY | RING, turn=1, fortress="1334", level=9, held={"stavka": ["s-vvs"]})
    assert first.held("stavka") == ["s-vvs"]


@rule("stalingrad_roads", "10.3.3", "10.3.6", "10.3.7")
def test_what_turns_do_to_the_level() -> None:
    for attacked, level in ((["1334"], 9), (["1334", "1434"], 8)):
        table = Table("soviet-combat", CITY | RING, turn=1, enclosed=CITY, fortress="1334", level=9)
        table.state.fortress_fights = bits(map(table.cell, attacked))
        end_soviet_turn(table.game, table.state)
        assert table.state.level == level
        table.state.fortress_fights = 1 << table.cell("1334")
        end_axis_turn(table.game, table.state)
        assert table.state.level == level - 1
    ajar = {k: v for k, v in (CITY | RING).items() if v not in ("1332", "1331", "1231")}
    open_ = Table("soviet-end", ajar, turn=1, enclosed=CITY, fortress="1334", level=9)
    assert open_.state.level == 10
    fed = Table("axis-end", CITY | {"hq-4pza": "1333"}, turn=1, fortress="1334", level=3)
    assert fed.state.level == 8
    soviet = Table("soviet-end", CITY | {"hq-4pza": "1333"}, turn=1, fortress="1334", level=3)
    assert soviet.events("level")[0]["n"] == 11


@rule("stalingrad_roads", "10.3.4")
def test_the_lowest_level_takes_elite_and_kampfgruppen() -> None:
    table = Table("soviet-combat", {"g-16-pz": "1334"}, enclosed=["g-16-pz"], fortress="1334", level=1)
    assert not table.game.elite(table.state, table.unit("g-16-pz"))
    table.state.level = 2
    assert table.game.elite(table.state, table.unit("g-16-pz"))


@rule("stalingrad_roads", "10.3.5")
def test_surrender() -> None:
    units = {"g-71": "1334", "g-79": "1434", "g-295": "1334", "g-305": "1434", "s-45": "1333", "s-95": "1433"}
    table = Table(
        "fortress",
        units,
        turn=9,
        enclosed=["g-71", "g-79", "g-295", "g-305"],
        reduced=["g-71", "g-79", "g-295"],
        fortress="1334",
        level=1,
    )
    assert table.asked == "give-up"
    assert table.refused("give-up g-305") == ("not-weak", "10.3.5")
    table.do("give-up g-71", "give-up g-79")
    assert (table.where("g-71"), table.where("g-295")) == ("withdrawn", "1334")
    assert table.steps("g-305") == 1
    empty = Table("fortress", {"s-45": "1333", "s-95": "1433"}, turn=9, fortress="1334", level=1)
    assert not empty.events("surrender"), "nobody is left"
    starving = Table("fortress", units, turn=9, enclosed=["g-71", "g-79"], fortress="1334", level=4)
    assert starving.state.level == 2  # without its airfields it falls by two, and holds out
    assert not starving.events("surrender")


@rule("stalingrad_roads", "10.3.3")
def test_which_attacks_wear_the_fortress_down() -> None:
    strong = {"g-71": "1232", "s-4-mk": "1132", "s-13-mk": "1132", "s-1-tk": "1132"}
    table = Table("soviet-combat", strong, enclosed=["g-71"], fortress="1333", level=8)
    table.attack("1232", "s-4-mk", "s-13-mk", "s-1-tk")
    assert table.state.fortress_fights == 1 << table.cell("1232")
    # The same stack once more, in exploitation, is no second one.
    again = Table(
        "soviet-exploitation", strong, enclosed=["g-71"], fortress="1333", level=8, exploiting=strong
    )
    again.state.fortress_fights = 1 << again.cell("1232")
    again.do("end").attack("1232", "s-4-mk", "s-13-mk", "s-1-tk")
    assert again.state.fortress_fights.bit_count() == 1
    weak = {"g-71": "1232", "g-79": "1232", "s-13g": "1132", "s-39g": "1132"}
    poor = Table("soviet-combat", weak, enclosed=["g-71", "g-79"], fortress="1333", level=8)
    poor.attack("1232", "s-13g", "s-39g")
    assert poor.odds("1232", "s-13g", "s-39g").final < 0
    assert poor.state.fortress_fights == 0
    outside = Table("soviet-combat", strong | {"hq-4pza": "1125"})
    outside.attack("1232", "s-4-mk", "s-13-mk", "s-1-tk")
    assert outside.state.fortress_fights == 0
    own = Table("axis-combat", {"g-71": "1232", "s-45": "1132"}, enclosed=["g-71"], fortress="1333", level=11)
    own.attack("1132", "g-71")
    assert own.state.fortress_fights


@rule("stalingrad_roads", "10.4.3")
def test_planes_help_nobody_outside() -> None:
    units = CITY | {"g-44": "1529", "hq-hollidt": "1429", "s-1-tk": "1628", "s-26-tk": "1628"}
    lying = [("stack_resistance", "1334")]
    table = Table("soviet-combat", units, enclosed=CITY, fortress="1334", level=8, flights=lying)
    table.attack("1529", "s-1-tk", "s-26-tk")
    assert table.asked != "defend-with"


@rule("stalingrad_roads", "10.4", "10.4.2")
def test_the_modifiers_of_the_airlift() -> None:
    base = CITY | {"g-100": "1333", "g-94": "1433"}
    table = Table("axis-combat", base | RING, enclosed=base, fortress="1333", level=8, clouds=2)
    assert airlift_modifier(table.game, table.state) == -2
    table.state.soviet_hexes |= 1 << table.cell("1125") | 1 << table.cell("1023") | 1 << table.cell("1333")
    assert dict(airlift_modifiers(table.game, table.state))["airfield"] == -2
    assert airlift_modifier(table.game, table.state) == -4  # not below
    clear = Table(
        "axis-combat", base, enclosed=base, fortress="1333", level=8, clouds=0, laid=[("a-goering", "1333")]
    )
    assert airlift_modifier(clear.game, clear.state) == 2  # not above
    texts = Table("axis-combat", base | RING, fortress="1333", level=8, laid=[("a-luftwaffe", "1333")])
    assert airlift_modifier(texts.game, texts.state) == -1
    sense = Table(
        "axis-combat",
        base | RING,
        fortress="1333",
        level=8,
        laid=[("a-luftwaffe", "1333")],
        options=["sensible_airlift"],
    )
    assert airlift_modifier(sense.game, sense.state) == 1


@rule("stalingrad_roads", "10.4.2")
def test_one_airfield_is_enough_for_the_airlift() -> None:
    """Without Gumrak, or without Pitomnik, the die is thrown with what that costs; without both it is not."""
    for field, change in (("1433", -1), ("1333", -3)):
        held = CITY | RING | {"s-258": field}
        table = Table("fortress", held, turn=3, enclosed=CITY, fortress="1334", level=8)
        assert (table.asked, table.state.level) == ("roll-airlift", 8)
        assert sum(worth for name, worth in airlift_modifiers(table.game, table.state)) == change
    fields = {"s-258": "1433", "s-321": "1333"}
    lost = Table("fortress", CITY | RING | fields, turn=3, enclosed=CITY, fortress="1334", level=8)
    assert lost.state.level == 6


@rule("stalingrad_roads", "10.4.3")
@pytest.mark.parametrize(("plane", "factor"), [("unit_resistance", 6), ("stack_resistance", 12)])
def test_resistance(plane: str, factor: int) -> None:
    units = {"g-71": "1232", "g-79": "1232", "s-4-mk": "1132", "s-13-mk": "1132", "s-1-tk": "1132"}
    table = Table(
        "soviet-combat", units, enclosed=["g-71", "g-79"], fortress="1333", level=8, flights=[(plane, "1232")]
    )
    table.attack("1232", "s-4-mk", "s-13-mk", "s-1-tk")
    plain = table.odds("1232", "s-4-mk").defence
    table.do(f"fly {plane}")
    assert table.events("odds")[-1]["defence"] == plain + factor
    assert table.events("plane-played")


@rule("stalingrad_roads", "10.4.3")
def test_rattenkrieg() -> None:
    units = {"g-71": "1232", "s-4-mk": "1132", "s-13-mk": "1132"}
    table = Table(
        "soviet-combat", units, enclosed=["g-71"], fortress="1333", level=8, flights=[("rattenkrieg", "1232")]
    )
    table.attack("1232", "s-4-mk", "s-13-mk").do("fly rattenkrieg", "finish", "roll 6 6", "rats 5")
    assert table.asked == "lose-step"
    table.do("lose s-4-mk")
    assert (table.steps("g-71"), table.where("g-71"), table.steps("s-4-mk")) == (1, "1232", 1)
    assert table.state.exploiting == 0


@rule("stalingrad_roads", "10.4.3")
def test_sortie_and_mobility() -> None:
    units = {"g-16-pz": "1333", "g-71": "1334", "s-4-mk": "1232", "hq-stalingrad": "1235"}
    enclosed = ["g-16-pz", "g-71"]
    table = Table(
        "axis-movement", units, enclosed=enclosed, fortress="1333", level=8, flights=[("sortie_1", "1334")]
    )
    table.do("activate sortie_1 1333")
    assert table.state.level == 7
    assert table.refused("pick g-71") == ("only-the-sortie", "10.4.3")
    table.do("pick g-16-pz")
    assert table.left == 3
    mobile = Table(
        "axis-movement", units, enclosed=enclosed, fortress="1333", level=8, flights=[("mobility", "1333")]
    )
    mobile.do("activate mobility 1333")
    while mobile.asked != "pick-unit":
        mobile.do("pass")
    mobile.do("pick g-16-pz")
    assert mobile.left == 3


@rule("stalingrad_roads", "10.4.3")
def test_on_a_sortie_one_stack_attacks() -> None:
    units = {"g-16-pz": "1333", "g-71": "1333", "s-45": "1233", "hq-stalingrad": "1535"}
    table = Table("axis-combat", units, enclosed=["g-16-pz", "g-71"], fortress="1333", level=8)
    table.state.sorties = 1 << table.unit("g-16-pz")
    table.do("target 1233", "join g-16-pz")
    assert table.refused("join g-71") == ("only-the-sortie", "10.4.3")


@rule("stalingrad_roads", "10.4.3")
@pytest.mark.parametrize(
    ("plane", "moving", "fighting"),
    [
        ("mobility", True, False),
        ("sortie_1", True, False),
        ("sortie_2", True, False),
        ("last_reserves", False, True),
        ("stack_resistance", False, False),
        ("hube", False, False),
    ],
)
def test_when_a_ju_52_is_played(plane: str, moving: bool, fighting: bool) -> None:
    units = {"g-16-pz": "1333", "s-45": "1233", "hq-stalingrad": "1535"}
    for phase, offered in (("axis-movement", moving), ("axis-combat", fighting)):
        flights = [(plane, "1333")]
        table = Table(phase, units, enclosed=["g-16-pz"], fortress="1333", level=8, flights=flights)
        assert bool(table.offered("activate")) is offered, phase


@rule("stalingrad_roads", "10.3.2")
def test_at_the_lowest_level_three_units_move() -> None:
    units = {"g-71": "1334", "g-79": "1334", "g-94": "1434", "g-100": "1434"}
    table = Table("axis-movement", units, enclosed=units, fortress="1334", level=1)
    table.do("pick g-71", "step 1333")
    for unit in ("g-79", "g-94"):
        while table.asked != "pick-unit":
            table.do("halt")
        table.do(f"pick {unit}", "step 1333" if unit == "g-79" else "step 1433")
    while table.asked != "pick-unit":
        table.do("halt")
    assert table.refused("pick g-100") == ("three-only", "10.3.2")
    table.state.full_power = 1 << table.unit("g-100")
    assert table.refusal("pick g-100") is None, "a Ju 52 moves it besides"


@rule("stalingrad_roads", "10.4.3")
def test_evacuation() -> None:
    base = {"g-71": "1334", "g-79": "1434", "g-100": "1333", "g-94": "1433", "g-16-pz": "1433"}
    weak = ["g-94", "g-16-pz"]
    table = Table("fortress", base | RING, turn=3, enclosed=base, reduced=weak, fortress="1333", level=5)
    table.do("airlift 6", "plane evacuation", "plane mobility", "plane mobility")
    assert table.asked == "station-planes"
    assert table.refused("evacuate g-71") == ("not-evacuable", "10.4.3")
    assert table.refused("evacuate g-16-pz") == ("not-evacuable", "10.4.3"), "no infantry"
    level = table.state.level
    table.do("evacuate g-94")
    assert (table.where("g-94"), table.state.due[table.unit("g-94")]) == ("to come", 5)
    assert table.state.level == level + 1


@rule("stalingrad_roads", "10.4.3")
def test_the_order_of_ju_52_tells_nothing_of_their_events() -> None:
    units = {"g-71": "1334", "g-79": "1434"}
    seen = []
    for one, other in (("hube", "mobility"), ("mobility", "hube")):
        flights = [(one, "1334"), (other, "1434")]
        table = Table("soviet-combat", units, enclosed=units, fortress="1334", level=8, flights=flights)
        seen.append(table.game.view(table.state, 1))
    assert seen[0] == seen[1]
