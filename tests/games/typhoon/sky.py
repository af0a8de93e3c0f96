"""A table of the air war for tests: a scenario's position, with the air units and land units a test names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from grognard.board.board import bits
from grognard.games.typhoon.game import Typhoon
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import AIR_GONE, AIR_NAMES, AIR_READY, AXIS, GONE, Declared, TyphoonState
from grognard.kernel.agenda import advance
from tests.games.table_base import TableBase
from tests.games.typhoon.table import real_game

SHORT = {
    "me109": "g-ii-jg-51",
    "me109b": "g-i-jg-51",
    "me110": "g-ii-zg-26",
    "stuka": "g-i-stg-1",
    "heinkel": "g-ii-kg-53",
    "mig": "s-10-iap",
    "migb": "s-129-iap",
    "il2": "s-74-shap",
    "pe2": "s-134-bap",
    "moscow": "s-moscow-6-iak-16",
    "bluff": "g-decoy-1",
    "sbluff": "s-decoy-1",
}
"""Short names of air units."""


class AirTable(TableBase[Typhoon, TyphoonState]):
    """The campaign without its units but for those named, in one phase with nothing after it."""

    def __init__(
        self,
        phase: str = "",
        ready: Iterable[str] = (),
        *,
        boxes: Mapping[str, str] | None = None,
        units: Mapping[str, str] | None = None,
        attacks: Mapping[str, Iterable[str]] | None = None,
        turn: int = 10,
        sky: Sky | None = None,
        scenario: str = "campaign",
        active: int = AXIS,
    ) -> None:
        """`ready` are air units that are ready, `boxes` those elsewhere; `attacks` maps target hexes (one, or
        several with a space) to attackers."""
        self.game = g = real_game()
        self.state = s = g.set_up(scenario, {})
        for unit in range(len(g.units)):
            s.place(unit, GONE)
        for n in range(len(g.flyers)):
            s.air[n] = AIR_GONE
        for name in ready:
            s.air[self.flyer(name)] = AIR_READY
        for name, box in (boxes or {}).items():
            s.air[self.flyer(name)] = AIR_NAMES.index(box)
        for id_, number in (units or {}).items():
            unit = g.unit_index(id_)
            s.place(unit, g.board.cell(number))
            s.steps[unit] = g.units[unit].steps or 1
        s.attacks = tuple(
            Declared(
                tuple(g.board.cell(number) for number in targets.split()),
                tuple(g.unit_index(id_) for id_ in attackers),
            )
            for targets, attackers in (attacks or {}).items()
        )
        s.garrison = 0
        s.turn, s.active = turn, active
        s.set_sky(sky or Sky("dry"))
        s.log = []
        s.frames = []
        if phase:
            self.begin(phase)

    def begin(self, procedure: str, local: Any = None) -> AirTable:
        """Play a procedure, and nothing after it."""
        self.state.push(procedure, local)
        advance(self.game.procedures, self.game, self.state)
        return self

    def flyer(self, name: str) -> int:
        return self.game.flyer_index[SHORT.get(name, name)]

    def where(self, name: str) -> str:
        """The box of an air unit."""
        return (*AIR_NAMES, "flying", "to come", "gone")[self.state.air[self.flyer(name)]]

    def order(self, text: str) -> str:
        """An action with short names written out."""
        return " ".join(SHORT.get(word, word) for word in text.split())

    def play(self, *actions: str) -> AirTable:
        return self.do(*(self.order(action) for action in actions))

    def no(self, text: str) -> tuple[str, str]:
        return self.refused(self.order(text))

    @property
    def seen(self) -> set[int]:
        """The hexes where air units lie."""
        return {mission.cell for mission in self.state.missions}

    def cells(self, *numbers: str) -> int:
        return bits(self.game.board.cell(number) for number in numbers)
