"""5 Weather: five conditions, what lingers, and storms."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.typhoon.data import charts

STORM = "_storm"


class Sky(NamedTuple):
    """The weather of a turn."""

    weather: str
    """5.1.3: dry, rain, frost, snow or arctic."""
    storm: bool = False
    """5.1.6"""
    lingering: bool = False
    """5.1.4: woods keep the effects of rain."""
    refused: bool = False
    """5.1.5: the roll gave frost, and it stayed snow."""

    @property
    def ground(self) -> Sky:
        """What of it matters to movement: the weather, and lingering rain."""
        return _GROUNDS[self.weather, self.lingering]

    def in_hex(self, woods: bool) -> str:
        """The weather whose effects hold in a hex."""
        return "rain" if self.lingering and woods else self.weather


_GROUNDS = {
    (weather, lingering): Sky(weather, lingering=lingering)
    for weather in ("dry", "rain", "frost", "snow", "arctic")
    for lingering in (False, True)
}


def is_automatic(turn: int) -> bool:
    """5.1.2: some turns have their weather without a roll."""
    return charts()["turns"].find(turn)["automatic"] is not None


def sky_of(turn: int, die: int, before: Sky | None) -> Sky:
    """5.1.2: the weather that a roll gives, after that of the turn before."""
    row = charts()["turns"].find(turn)
    if row["automatic"] is not None:
        return _after(str(row["automatic"]), before)
    modified = die + int(str(row["die_modifier"]))
    return _after(str(charts()["weather"].find(row["climate"], modified)["weather"]), before)


def _after(result: str, before: Sky | None) -> Sky:
    weather, storm = result.removesuffix(STORM), result.endswith(STORM)
    if before is None:
        return Sky(weather, storm)
    if weather == "frost" and before.weather == "snow" and not before.refused:
        return Sky("snow", refused=True)
    return Sky(weather, storm, lingering=weather == "dry" and before.weather == "rain")
