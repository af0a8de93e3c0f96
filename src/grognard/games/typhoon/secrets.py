"""What a side imagines of what it may not know: air units face down (11.1.7) and the plan marker (17.3.1)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from grognard.games.typhoon.state import AIR_FLYING, AIR_READY, PLAN_MARKERS, SOVIET, TyphoonState

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


def guess(game: Typhoon, copy: TyphoonState, side: int, random: Random) -> None:
    """The other side's units on missions are any of those that it has, its plan any of the five markers.
    Units turned up for the mission in progress are no secret."""
    other = 1 - side
    flying = [n for mission in copy.missions for n in mission.units[other]]
    if flying:
        ready = [n for n, box in enumerate(copy.air) if box == AIR_READY and game.flyers[n].side == other]
        bag = sorted((*flying, *ready))
        random.shuffle(bag)
        missions = []
        for mission in copy.missions:
            hand = tuple(sorted(bag.pop() for _ in mission.units[other]))
            pair = (hand, mission.units[side]) if other == 0 else (mission.units[side], hand)
            missions.append(mission._replace(units=pair))
        copy.missions = tuple(missions)
        for n in (*flying, *ready):
            copy.air[n] = AIR_READY
        for mission in copy.missions:
            for n in mission.units[other]:
                copy.air[n] = AIR_FLYING
    if side == SOVIET and not copy.plan_known:
        copy.plan = random.choice(PLAN_MARKERS)
