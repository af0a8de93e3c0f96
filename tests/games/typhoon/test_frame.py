"""The frame of the campaign without its land war, now and then from September to Christmas. Whatever is
answered at random, options are what is not refused, and nobody gets stuck."""

from __future__ import annotations

from random import Random

from grognard.games.typhoon.rules.calendar import open_turn
from grognard.games.typhoon.state import AIR_FLYING, AXIS, SOVIET
from grognard.kernel.agenda import advance
from tests.games.typhoon.table import real_game

PHASES = (
    ("table-phase", SOVIET),
    ("readiness-phase", AXIS),
    ("withdrawals", AXIS),
    ("preparations", AXIS),
    ("regrouping", AXIS),
    ("interdiction-phase", AXIS),
    ("engineer-phase", AXIS),
    ("withdrawals", SOVIET),
    ("preparations", SOVIET),
    ("engineer-phase", SOVIET),
    ("end-phase", AXIS),
)
MANY = 12
"""After so many answers in a phase it is ended where that can be done."""


def test_the_frame_of_the_campaign() -> None:
    game, seed = real_game(), "frame"
    random = Random(seed)
    state = game.set_up("campaign", {})
    for turn in range(1, 44, 7):
        state.turn = turn
        state.conversion = game.outline(state).conversion
        state.marched = state.arrived = 0
        open_turn(game, state)
        for phase, side in PHASES:
            state.active, state.moved, state.refitting = side, 0, 0
            state.push(phase)
            advance(game.procedures, game, state)
            game.settle(state, seed)
            count = 0
            while game.actor(state) is not None:
                options = game.options(state)
                ends = [option for option in options if option[0] in ("end", "done")]
                action = ends[0] if ends and count > MANY else random.choice(options)
                assert game.refuse(state, action) is None, action
                game.apply(state, action)
                game.settle(state, seed)
                count += 1
            assert not state.missions and AIR_FLYING not in state.air
        assert not state.interdicted
