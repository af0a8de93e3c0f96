"""3 Weather: snow or mud, clouds, and whether the water is frozen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grognard.games.stalingrad_roads.data import (
    ALL_FROZEN,
    BLIZZARD,
    CLEAR_SKY,
    OPEN,
    OVERCAST,
    RIVERS_FROZEN,
    Sky,
)
from grognard.games.stalingrad_roads.state import RoadsState
from grognard.kernel import Action, Flow, Verb
from grognard.mechanics.dice import TWO_D6, Throw

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

CLOUDS = {CLEAR_SKY: "clear-sky", OVERCAST: "overcast", BLIZZARD: "blizzard"}
WATER = {OPEN: "open-water", RIVERS_FROZEN: "rivers-frozen", ALL_FROZEN: "all-frozen"}


def set_weather(game: StalingradRoads, state: RoadsState, sky: Sky) -> None:
    """3.4 A thaw before FEB IV leaves the great rivers open on the next turn even in hard frost."""
    rivers = sky.rivers
    if rivers == ALL_FROZEN and state.mud_before:
        rivers = RIVERS_FROZEN
    state.mud, state.rivers, state.clouds = sky.mud, rivers, sky.clouds
    state.mud_before = sky.mud and state.turn < game.data.turn_of["FEB IV"]


class RollWeather(Throw["StalingradRoads", RoadsState]):
    """3.1.1 Two dice against the column of the turn; the first turn's weather is the scenario's."""

    name = "roll-weather"
    case = "3.1.1"
    verbs = {"weather": Verb(("number", "number"))}
    dice = TWO_D6

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        plan = game.plan(state)
        return state.turn not in plan.fixed_weather or plan.roll_clouds

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        set_weather(game, state, game.plan(state).fixed_weather[state.turn])
        self._tell(state, ())
        return None

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        column = game.data.weather_column[state.turn]
        sky = game.data.weather[column][action[1] + action[2]]
        if state.turn in game.plan(state).fixed_weather:
            sky = game.plan(state).fixed_weather[state.turn]._replace(clouds=sky.clouds)
        set_weather(game, state, sky)
        self._tell(state, (action[1], action[2]))
        return None

    def _tell(self, state: RoadsState, dice: tuple[int, ...]) -> None:
        facts: dict[str, Any] = {
            "word_ground": "mud" if state.mud else "snow",
            "word_clouds": CLOUDS[state.clouds],
            "word_water": WATER[state.rivers],
        }
        if dice:
            state.emit("weather-rolled", "3.1.2", dice=dice, **facts)
        else:
            state.emit("weather-given", "3.1.2", **facts)
