"""5 Supports: pools, boxes, secrecy and deployment."""

from __future__ import annotations

from random import Random

from grognard.games.stalingrad_roads.rules.supports import (
    Acquiring,
    Placing,
    must_still_play,
    plan_acquisition,
    why_not_take,
)
from grognard.games.stalingrad_roads.state import AVAILABLE, MAJOR, MINOR_A, SOVIET, STAVKA
from tests.games.stalingrad_roads.table import AXIS, Table, real_game
from tests.games.table_base import shown_part
from tests.rules import rule

UNITS = {"s-45": "1234", "s-51g": "1928", "s-1-tk": "1928", "g-44": "1333", "g-71": "1434", "g-79": "1334"}
UNITS |= {"hq-stalingrad": "1235", "hq-south-west": "1831", "hq-6a": "1333"}


def deploying(side: str, held: dict[str, list[str]], **more: object) -> Table:
    table = Table(f"{side}-supports", UNITS, held=held, **more)  # type: ignore[arg-type]
    while table.actor == "chance":
        table.do(sorted(table.options)[0])
    return table


@rule("stalingrad_roads", "5.1", "5.1.1", "5.1.2", "5.1.3", "5.1.4")
def test_what_is_drawn_is_its_owners_secret() -> None:
    table = Table("axis-supports", UNITS)
    assert table.actor == "chance"
    table.do("draw a-hoth", "draw a-rudel")
    assert sorted(table.held("available")) == ["a-hoth", "a-rudel"]
    own = shown_part(table.game, table.state, "supports:axis", AXIS).groups[0]
    assert sorted(own.pieces) == ["a-hoth", "a-rudel"]
    for viewer in (SOVIET, None):
        other = shown_part(table.game, table.state, "supports:axis", viewer).groups[0]
        assert (list(other.pieces), other.more) == ([], 2)
    assert {e.audience for e in table.state.log or [] if e.kind == "drawn"} == {AXIS}
    # Another face, and nothing that the other side is shown changes.
    changed = table.state.clone()
    hoth, pak = table.game.support_index["a-hoth"], table.game.support_index["a-pak88"]
    table.game.hold(changed, hoth, AVAILABLE, -1)
    table.game.hold(changed, pak, AVAILABLE, 1)
    changed.pool[hoth], changed.pool[pak] = changed.pool[hoth] + 1, changed.pool[pak] - 1
    for viewer in (SOVIET, None):
        assert table.game.view(changed, viewer) == table.game.view(table.state, viewer)


def test_guesses_keep_what_is_known() -> None:
    table = Table("axis-supports", UNITS).do("draw a-hoth", "draw a-rudel")
    seen = set()
    for seed in range(20):
        guess = table.game.imagine(table.state, SOVIET, Random(seed))
        assert table.game.in_box(guess, AVAILABLE) == 2
        assert table.game.view(guess, SOVIET) == table.game.view(table.state, SOVIET)
        seen.add(tuple(guess.held))
    assert len(seen) > 5


@rule("stalingrad_roads", "5.2", "5.2.1")
def test_played_markers_return_in_the_next_support_phase() -> None:
    table = Table(
        "soviet-supports",
        UNITS,
        attached={"s-katyusha": "s-51g", "s-pontoon": "s-1-tk"},
        laid=[("a-luftwaffe", "1434")],
    )
    kinds = {table.game.supports[m.kind].id for m in table.state.markers}
    assert kinds == {"s-pontoon", "a-luftwaffe"}  # one stays, the other is the Axis'
    assert table.in_pool("s-katyusha") == 5


@rule("stalingrad_roads", "5.3.1", "5.3.3")
def test_for_which_boxes_dice_are_thrown() -> None:
    table = Table("soviet-supports", UNITS, offensives={1: "1334"})
    assert plan_acquisition(table.game, table.state) == Acquiring((STAVKA, MINOR_A))
    table.state.major_begun = True
    assert plan_acquisition(table.game, table.state) == Acquiring((MINOR_A,))
    none = Table("soviet-supports", UNITS)
    assert plan_acquisition(none.game, none.state) == Acquiring((STAVKA,))


@rule("stalingrad_roads", "5.5", "5.5.1", "5.5.2", "3.3")
def test_air_stays_on_the_ground_in_a_blizzard() -> None:
    storm = deploying("soviet", {"stavka": ["s-vvs"]}, clouds=2)
    assert storm.refused("take s-vvs stavka") == ("grounded", "5.5.2")
    clear = deploying("soviet", {"stavka": ["s-vvs"]}, clouds=0)
    clear.do("take s-vvs stavka")
    assert "1333" in clear.offered("lay")
    clear.do("lay 1333")
    near = Table("soviet-combat", UNITS | {"s-4-tk": "1332"}, laid=[("s-vvs", "1332")], clouds=0)
    near.do("target 1333", "join s-4-tk", "call-in s-vvs")
    dull = Table("soviet-combat", UNITS | {"s-4-tk": "1332"}, laid=[("s-vvs", "1332")], clouds=1)
    dull.do("target 1333", "join s-4-tk")
    assert dull.refused("call-in s-vvs") == ("not-callable", "5.5.4")


@rule("stalingrad_roads", "5.5.3")
def test_markers_with_units() -> None:
    table = deploying("axis", {"available": ["a-hoth", "a-hollidt", "a-pak88"]})
    table.do("take a-hoth available")
    assert table.refused("attach hq-6a") == ("hq-takes-none", "5.5.3")
    table.do("attach g-44", "take a-hollidt available")
    assert table.refused("attach g-44") == ("one-leader", "5.5.3")
    table.do("attach g-71")
    allied = Table("axis-supports", UNITS | {"r-5": "1133"}, held={"available": ["a-pak88"]})
    while allied.actor == "chance":
        allied.do(sorted(allied.options)[0])
    allied.do("take a-pak88 available")
    assert allied.refused("attach r-5") == ("germans-only", "5.5.3")
    from grognard.games.stalingrad_roads.rules.losses import eliminate

    pooled = table.in_pool("a-hoth")
    eliminate(table.game, table.state, table.unit("g-44"), "8.8.2")
    assert table.in_pool("a-hoth") == pooled + 1


@rule("stalingrad_roads", "5.5.6", "1.6", "1.6.1", "1.6.2", "1.6.3", "11.3", "11.3.1", "11.3.2")
def test_o_markers_keep_to_their_offensive() -> None:
    held = {"minor-a": ["s-breakthrough"], "stavka": ["s-breakthrough", "s-aa"]}
    table = deploying("soviet", held, offensives={1: "1334"}, stalingrad_face=2)
    assert table.refused("take s-breakthrough stavka") == ("offensive-only", "5.5.6")
    table.do("take s-breakthrough minor-a")
    assert "s-45" in table.offered("attach")
    assert table.refused("attach s-51g") == ("out-of-offensive", "5.5.6")
    table.do("put-back", "transfer s-breakthrough minor-a")
    assert table.held("minor-a") == ["s-breakthrough", "s-breakthrough"]
    assert table.refused("transfer s-aa minor-a") == ("not-transferable", "5.5.6")


@rule("stalingrad_roads", "5.5.7")
def test_what_comes_first_comes_first() -> None:
    held = {"minor-a": ["s-tank-brigade"], "stavka": ["s-aa"]}
    table = deploying("soviet", held, offensives={1: "1334"}, stalingrad_face=2)
    table.do("take s-aa stavka", "lay 1234")
    assert table.refused("take s-tank-brigade minor-a") == ("too-late", "5.5.7")


@rule("stalingrad_roads", "1.5", "1.5.1", "1.5.3", "S2.1")
def test_forced_markers_are_played_at_once() -> None:
    table = Table("axis-supports", UNITS).do("draw a-discord", "draw a-hoth", "draw a-hollidt")
    assert table.held("available") == ["a-hoth", "a-hollidt"]
    assert table.events("forced")


@rule("stalingrad_roads", "1.5.2")
def test_generic_use() -> None:
    table = Table("soviet-movement", UNITS, held={"stavka": ["s-vvs"]}, clouds=2)
    table.do("spend s-vvs stavka")
    assert table.state.off_road
    assert table.held("stavka") == []


@rule("stalingrad_roads", "S2.6")
def test_guns_are_shared_between_north_and_south() -> None:
    units = {"s-45": "1928", "s-95": "1525", "s-64": "1234", "hq-south-west": "1928", "hq-stalingrad": "1235"}
    table = Table("soviet-supports", units, turn=1, scenario="uranus")
    guns = ("s-artillery-2",) * 3 + ("s-katyusha",) * 2
    for support in (*guns, *("s-vvs",) * 3, *("s-aa",) * 2):
        table.do(f"choose {support}")
    # Of five, three go to row 15 and north of it, two south of it.
    table.do("take s-artillery-2 major", "attach s-64", "take s-katyusha major", "attach s-64")
    table.do("take s-artillery-2 major")
    assert table.refused("attach s-64") == ("guns-north", "S2.6")
    table.do("attach s-45", "take s-artillery-2 major", "attach s-95", "take s-katyusha major")
    assert table.refused("attach s-64") == ("guns-north", "S2.6")
    table.do("attach s-45")
    assert table.state.guns == (5, 3, 2)


@rule("stalingrad_roads", "S2.2", "S2.3", "S2.7")
def test_the_choices_of_uranus() -> None:
    game = real_game()
    state = game.start("uranus")
    decision = game.decision(state)
    assert decision is not None and decision.name == "choose-supports-axis"
    for support in ("a-hoth", "a-pak88", "a-pak88", "a-luftwaffe"):
        game.apply(state, ("choose", game.support_index[support]), AXIS)
    game.settle(state, "1")
    while (decision := game.decision(state)) is not None and decision.name != "choose-supports-soviet":
        game.apply(state, ("end",))
    for support in ("s-surprise", "s-surprise", "s-vvs", "s-vvs", "s-aa", "s-novikov"):
        game.apply(state, ("choose", game.support_index[support]), SOVIET)
    reason = game.refuse(state, ("choose", game.support_index["s-aa"]), SOVIET)
    assert reason is not None and (reason.code, reason.case) == ("guns-wanted", "S2.3")
    for support in ("s-artillery-2", "s-artillery-2", "s-katyusha", "s-katyusha"):
        game.apply(state, ("choose", game.support_index[support]), SOVIET)
    assert state.guns == (4, 0, 0)
    assert game.in_box(state, AVAILABLE) == 4


@rule("stalingrad_roads", "S2.5", "5.5.7")
def test_on_the_first_turn_what_comes_first_is_played_first() -> None:
    units = {"s-1-tk": "1928", "s-45": "1828", "r-9": "1728", "hq-south-west": "2027", "hq-3rum": "1722"}
    held = {"major": ["s-tank-brigade", "s-artillery-3"]}
    table = Table("soviet-combat", units, scenario="uranus", turn=1, held=held)
    game, state = table.game, table.state
    state.guns = (1, 0, 0)
    guns = Placing(game.support_index["s-artillery-3"], MAJOR)
    brigade = Placing(game.support_index["s-tank-brigade"], MAJOR)
    assert must_still_play(game, state, first=True) and must_still_play(game, state, first=False)
    reason = why_not_take(game, state, guns)
    assert reason is not None and (reason.code, reason.case) == ("others-first-support", "S2.5")
    assert why_not_take(game, state, brigade) is None
    state.stage = 1  # the first are over
    assert not must_still_play(game, state, first=True) and must_still_play(game, state, first=False)
    assert why_not_take(game, state, guns) is None
    late = why_not_take(game, state, brigade)
    assert late is not None and (late.code, late.case) == ("too-late", "5.5.7")
