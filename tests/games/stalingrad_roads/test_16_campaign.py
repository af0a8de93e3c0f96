"""16.3, 18 and the campaign: Manstein's offensives, withdrawals, upgrades, special rules, victory."""

from __future__ import annotations

from random import Random

from grognard.games.stalingrad_roads.rules.approval import approve, dismiss, prestige
from grognard.games.stalingrad_roads.rules.manstein import (
    may_storm,
    note_major_city,
    settle_backhand,
    settle_storm,
)
from grognard.games.stalingrad_roads.rules.victory import campaign_lines, decide_in_december, verdict
from grognard.games.stalingrad_roads.rules.withdrawals import candidates, late_withdrawals, upgrade_units
from grognard.games.stalingrad_roads.state import AXIS, ON_POINTS, SOVIET, SUDDEN
from tests.games.stalingrad_roads.table import Table, real_game
from tests.rules import rule

STORM = {"hq-4pza": "0729", "6-pz-1": "0729", "6-pz-2": "0729", "6-pz-3": "0728", "g-23-pz": "0729"}


@rule("stalingrad_roads", "16.2.1", "16.3", "16.3.1")
def test_wintergewitter() -> None:
    held = {"available": ["a-hoth", "a-rudel", "a-goering"]}
    table = Table("axis-supports", STORM, turn=4, held=held)
    assert table.asked == "launch-wintergewitter"
    table.do(
        "storm", "hand-in a-rudel", "hand-in a-goering", "pick-out a-artillery-2", "pick-out a-luftwaffe"
    )
    assert sorted(table.held("available")) == ["a-artillery-2", "a-hoth", "a-luftwaffe"]
    assert table.asked == "deploy-markers"  # nothing is drawn this turn
    assert not may_storm(table.game, table.state)  # once
    for change in ({"6-pz-3": "0901"}, {"g-23-pz": "0901"}):
        apart = Table("axis-supports", STORM | change, turn=4, held=held)
        assert apart.asked != "launch-wintergewitter"
    mixed = {unit: hex_ for unit, hex_ in STORM.items() if unit != "g-23-pz"} | {"r-1arm": "0729"}
    assert Table("axis-supports", mixed, turn=4, held=held).asked == "launch-wintergewitter"
    weak = Table("axis-supports", STORM, turn=4, held=held, reduced=["g-23-pz"])
    assert weak.asked != "launch-wintergewitter"
    late = Table("axis-supports", STORM, turn=7, held=held)
    assert late.asked != "launch-wintergewitter"
    table.state.fortress, table.state.level = table.cell("1334"), 5
    table.state.place(table.unit("g-71"), table.cell("1334"))
    prestige = table.state.manstein
    settle_storm(table.game, table.state)
    settle_storm(table.game, table.state)
    assert table.state.manstein == prestige + 1


@rule("stalingrad_roads", "16.3", "16.3.2")
def test_the_backhand_blow() -> None:
    table = Table("backhand", {"hq-lanz": "1901", "g-44": "1901", "s-45": "2310"}, turn=13)
    assert table.asked == "launch-backhand"
    table.do("backhand")
    assert (table.state.approval, table.state.manstein) == (7, 0)
    table.do("pick-out a-hoth", "pick-out a-luftwaffe", "pick-out a-artillery-2")
    assert len(table.held("available")) == 3
    game, state = table.game, table.state
    for gains, approval, manstein in ((2, 7, 7), (1, 5, 5), (0, 2, 0), (-1, 2, 0)):
        copy = state.clone()
        copy.active, copy.turn = AXIS, 15
        for _ in range(abs(gains)):
            note_major_city(copy, AXIS if gains > 0 else SOVIET)
        settle_backhand(game, copy)
        assert (copy.approval, copy.manstein, copy.backhand) == (approval, manstein, -1)
        assert copy.dismissed == (gains <= 0)
        assert sum(game.held(copy, kind, 4) for kind in range(len(game.supports))) == 0
    early = Table("backhand", {"hq-lanz": "1901"}, turn=6)
    assert early.asked != "launch-backhand"


@rule("stalingrad_roads", "16.2.4", "16.3.2")
def test_manstein_after_the_backhand_blow() -> None:
    table = Table("axis-combat", {"hq-lanz": "1901", "g-44": "1901", "s-45": "2310"}, turn=15)
    game, state = table.game, table.state
    state.backhand, state.manstein, state.approval, state.active = 13, 0, 7, AXIS
    # His marker lies on the turn track: it neither moves nor is he dismissed.
    prestige(game, state, 1, "16.2.3")
    dismiss(game, state)
    assert (state.manstein, state.dismissed) == (0, False)
    failed, won = state.clone(), state.clone()
    settle_backhand(game, failed)
    dismiss(game, failed)
    approve(game, failed, -2, "15.2.1")
    prestige(game, failed, 1, "16.2.3")
    assert (failed.dismissed, failed.approval, failed.manstein, failed.crisis) == (True, 2, 0, False)
    note_major_city(won, AXIS)
    settle_backhand(game, won)
    assert (won.dismissed, won.approval, won.manstein) == (False, 5, 5)
    # Who has come back can be dismissed later as at any time.
    prestige(game, won, -5, "16.2.3")
    dismiss(game, won)
    assert (won.dismissed, won.approval) == (True, 3)


def campaign(phase: str, units: dict[str, str], **more: object) -> Table:
    return Table(phase, units, scenario="campaign", **more)  # type: ignore[arg-type]


@rule("stalingrad_roads", "18.1", "18.1.1", "18.1.2", "S3.15")
def test_withdrawals() -> None:
    base = {"hq-don": "1831", "g-44": "0901"}
    table = campaign("soviet-reinforcements", base | {"s-16-tk": "1831", "s-1-tk": "1831"}, turn=9)
    while table.asked != "retire":
        table.do("end" if "end" in table.options else sorted(table.options)[0])
    assert table.offered("retire") == {"s-16-tk", "s-1-tk"}
    assert table.refused("retire hq-don") == ("not-to-retire", "18.1.1")
    table.do("retire s-16-tk")
    assert table.where("s-16-tk") == "withdrawn"
    nobody = campaign("soviet-reinforcements", base, turn=9)
    assert nobody.state.lost_replacements >> SOVIET & 1
    assert nobody.game.replacement_points(nobody.state, SOVIET) == 0
    assert sum(table.state.retired) == 1  # it is not asked for again
    # An HQ that is not there is not missed.
    headless = campaign("axis-reinforcements", {"g-44": "0901", "s-45": "1335"}, turn=10)
    assert not headless.state.lost_replacements
    great = campaign("soviet-combat", base | {"s-13g": "1831", "s-45": "1831"}, turn=12)
    great.state.soviet_hexes |= great.game.data.stalingrad
    lists = great.game.plan(great.state).withdrawals
    numbers = [n for n, wanted in enumerate(lists) if wanted.after_stalingrad]
    assert sorted(lists[n].divisions for n in numbers) == [9, 28]
    assert {great.game.units[u].id for n in numbers for u in candidates(great.game, great.state, n)} == {
        "s-13g",
        "s-45",
    }
    great.state.turn = 13
    assert late_withdrawals(great.game, great.state) == 37


@rule("stalingrad_roads", "18.2", "18.2.1")
def test_upgrades() -> None:
    table = campaign(
        "soviet-combat",
        {"s-26-tk": "1831", "g-44": "0901"},
        turn=4,
        reduced=["s-26-tk"],
        to_come={"s-1-gtk": 0},
    )
    upgrade_units(table.game, table.state)
    assert (table.where("s-26-tk"), table.where("s-1-gtk")) == ("withdrawn", "1831")
    assert table.steps("s-1-gtk") == 1


@rule("stalingrad_roads", "18.2.1")
def test_any_rifle_division_becomes_guards() -> None:
    units = {"s-119": "1831", "s-45": "1831", "s-14g": "1831", "hq-don": "1831", "g-44": "0901"}
    table = campaign(
        "soviet-reinforcements",
        units,
        turn=5,
        reduced=["s-45"],
        dead=["s-38"],
        reserve=["s-23"],
        to_come={"s-54g": 0},
    )
    while table.asked != "promote":
        table.do(next(o for o in ("end", "pass") if o in table.options))
    assert table.refused("promote s-14g") == ("not-to-promote", "18.2.1")
    assert {"s-119", "s-45", "s-38", "s-23"} <= table.offered("promote")
    table.do("promote s-45")
    assert (table.where("s-45"), table.where("s-54g"), table.steps("s-54g")) == ("withdrawn", "1831", 1)


@rule("stalingrad_roads", "S3.1", "S3.2", "S3.3", "S3.6", "S3.7", "S3.8", "S3.9", "S3.10", "S3.11")
def test_the_special_rules_of_the_campaign() -> None:
    game = real_game()
    state = game.start("campaign")
    plan = game.plan(state)
    assert plan.opens(1) and not plan.opens(2)
    state.turn = 1
    assert game.rail_points(state) == 2
    assert [game.replacement_points(state, side) for side in (AXIS, SOVIET)] == [0, 0]
    state.turn = 2
    assert game.rail_points(state) == 4
    assert game.replacement_points(state, SOVIET) == 2
    assert (1, 2) in plan.offensive_turns
    table = campaign("axis-movement", {"g-44": "1409", "g-71": "1125", "hq-lanz": "1409"}, turn=1)
    assert table.refused("pick g-44") == ("west-frozen", "S3.7")
    table.do("pick g-71")


@rule("stalingrad_roads", "S3.17", "S3.18", "S3.19")
def test_victory_in_the_campaign() -> None:
    units = {"s-45": "1334", "s-95": "1434", "s-138": "0518", "hq-stalingrad": "1235"}
    won = campaign("soviet-combat", units, turn=6)
    decide_in_december(won.game, won.state)
    assert (won.state.ending, won.state.winner) == (SUDDEN, SOVIET)
    held = campaign("axis-combat", {"g-71": "1334", "g-79": "1434", "hq-6a": "1333"}, turn=6)
    decide_in_december(held.game, held.state)
    assert (held.state.ending, held.state.winner) == (SUDDEN, AXIS)
    late = campaign("axis-combat", {"g-71": "1334", "g-79": "1434", "hq-6a": "1333"}, turn=13)
    decide_in_december(late.game, late.state)
    assert (late.state.ending, late.state.points) == (0, -5)
    end = campaign("soviet-combat", units | {"s-284": "1701", "g-44": "2108"}, turn=17)
    lines = campaign_lines(end.game, end.state)
    assert [points for name, points in lines if name == "major-city"] == [5, 5]
    assert [points for name, points in lines if name == "major-city-cut-off"] == [3]
    fed = campaign("soviet-combat", units | {"g-44": "2108", "hq-2a": "2108"}, turn=17)
    assert "major-city-cut-off" not in dict(campaign_lines(fed.game, fed.state))
    end.state.ending = ON_POINTS
    for total, level in (
        *((21, "soviet-strategic"), (15, "soviet-operational"), (10, "soviet-minor"), (9, "draw")),
        *((7, "axis-minor"), (6, "axis-operational"), (5, "axis-strategic")),
    ):
        end.state.points = total
        assert verdict(end.game, end.state).level == level


def test_a_random_campaign_is_played_to_its_end() -> None:
    game = real_game()
    state = game.start("campaign")
    # Without this the Axis has won in December in nearly every random game.
    state.lost_major |= 1 << game.board.cell("0518")
    game.settle(state, "7")
    random = Random(7)
    while game.actor(state) is not None:
        game.apply(state, random.choice(game.options(state)))
        game.settle(state, "7")
    assert game.outcome(state) is not None
    assert state.turn == 17
