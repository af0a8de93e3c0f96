"""5.1 The weather of a turn is given, or rolled for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.typhoon.data import WEATHERS
from grognard.games.typhoon.rules.weather import Sky, is_automatic, sky_of
from grognard.games.typhoon.state import TyphoonState
from grognard.kernel import RETURN, Action, Flow, Verb
from grognard.mechanics.dice import D10, Throw

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


def _settle(state: TyphoonState, sky: Sky, die: int = 0) -> None:
    state.set_sky(sky)
    if sky.weather == "arctic":
        state.arctic_seen = True
    if die:
        state.emit("weather-rolled", "5.1.2", die=die, word_sky=_word(sky))
    else:
        state.emit("weather-given", "5.1.2", word_sky=_word(sky))


def _word(sky: Sky) -> str:
    assert sky.weather in WEATHERS
    storm = "-storm" if sky.storm else ""
    return f"weather-{sky.weather}{storm}"


def begin_weather(game: Typhoon, state: TyphoonState) -> Flow:
    """5.1.2 Some scenarios, and some turns, have their weather without a roll."""
    outline = game.outline(state)
    since = state.turn - outline.first
    before = state.sky if since else None
    if since < len(outline.weather):
        _settle(state, Sky(outline.weather[since]))
        return RETURN
    if is_automatic(state.turn):
        _settle(state, sky_of(state.turn, 0, before))
        return RETURN
    return None


class RollWeather(Throw["Typhoon", TyphoonState]):
    """5.1.2 The Axis player rolls."""

    name = "roll-weather"
    case = "5.1.2"
    verbs = {"sky": Verb(("number",))}
    dice = D10

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        before = state.sky if state.turn > game.outline(state).first else None
        _settle(state, sky_of(state.turn, action[1], before), action[1])
        return None
