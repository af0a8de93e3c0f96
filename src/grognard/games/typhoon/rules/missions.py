"""11.1.6 to 11.1.8 Air missions are laid in secret: interdiction, its opposition, close air support.

Each is a sealed question: a side names a hex and then the units that fly there, as often as it likes. When
all who write have finished, the units lie face down, and everybody sees how many there are in each hex.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from grognard.board.board import bits, each
from grognard.games.typhoon.derived import Flyer
from grognard.games.typhoon.rules.air import in_range, why_not_interdict, why_not_oppose, why_not_support
from grognard.games.typhoon.state import (
    AIR_FLYING,
    AXIS,
    CLOSE_SUPPORT,
    INTERDICTION,
    SOVIET,
    Mission,
    TyphoonState,
)
from grognard.kernel import Action, Flow, Refusal, Role, Sealed, Verb, ask, procedure, refusal, step

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

DONE: Action = ("done",)
CASES = {"not-ready": "11.1.5", "axis-interdicts": "11.4", "fighters-oppose": "11.4.1"}
"""The cases of refusals; of the others 11.1.6."""


def flights(written: tuple[Action, ...]) -> dict[int, list[int]]:
    """The hexes that a side has named and the units that it sends to each."""
    found: dict[int, list[int]] = {}
    cell = -1
    for action in written:
        if action[0] == "aim":
            cell = action[1]
            found[cell] = []
        elif action[0] == "fly":
            found[cell].append(action[1])
    return found


class LayMissions(Sealed["Typhoon", TyphoonState]):
    """A hex, then up to three units for it, decoys among them; then another hex, or nothing more."""

    case = "11.1.7"
    verbs = {
        "aim": Verb(("hex",), Role.PLACE),
        "fly": Verb(("flyer",), Role.JOIN),
        "done": Verb((), Role.END),
    }
    purpose: ClassVar[int]
    where: ClassVar[tuple[str, str]]
    """The refusal of a hex that is no place for such a mission, and its case."""

    def places(self, game: Typhoon, state: TyphoonState) -> int:
        """The hexes where such missions may be laid, as a set."""
        raise NotImplementedError

    def why_not_fly(self, flyer: Flyer, place: int, laid: int) -> str | None:
        """Why a unit may not be sent, or None."""
        raise NotImplementedError

    def together(self, game: Typhoon, state: TyphoonState, cell: int) -> int:
        """The hexes that are one mission with this one: those of one combat (8.2.2)."""
        return 1 << cell

    # What a side may write

    def _free(
        self, game: Typhoon, state: TyphoonState, side: int, sent: Mapping[int, list[int]]
    ) -> list[int]:
        """Units that could still be sent somewhere."""
        gone = {n for units in sent.values() for n in units}
        return [
            n
            for n, flyer in enumerate(game.flyers)
            if flyer.side == side and n not in gone and self.why_not_fly(flyer, state.air[n], 0) is None
        ]

    def finished(self, game: Typhoon, state: TyphoonState, side: int, written: tuple[Action, ...]) -> bool:
        if written:
            return written[-1] == DONE
        return not self.places(game, state) or not self._free(game, state, side, {})

    def _why_not_aim(
        self, game: Typhoon, state: TyphoonState, side: int, sent: Mapping[int, list[int]], cell: int
    ) -> Refusal | None:
        if not self.places(game, state) >> cell & 1:
            return refusal(*self.where, hex=cell)
        if any(self.together(game, state, cell) >> other & 1 for other in sent):
            return refusal("mission-there", "11.1.6", hex=cell)
        free = self._free(game, state, side, sent)
        if not free:
            return refusal("nobody-ready", "11.1.5")
        if any(in_range(game.board, game.flyers[n], cell, state.moscow_flies) for n in free):
            return None
        return refusal("beyond-moscow", "13.7.2", hex=cell)

    def _why_not_send(
        self, game: Typhoon, state: TyphoonState, side: int, sent: Mapping[int, list[int]], n: int
    ) -> Refusal | None:
        flyer = game.flyers[n]
        if flyer.side != side:
            return refusal("not-your-flyer", "11.1.5", flyer=n)
        if not sent:
            return refusal("no-mission-hex", "11.1.7", flyer=n)
        cell, laid = list(sent.items())[-1]
        if any(n in units for units in sent.values()):
            return refusal("one-mission", "11.1.6", flyer=n)
        reason = self.why_not_fly(flyer, state.air[n], len(laid))
        if reason is not None:
            return refusal(reason, CASES.get(reason, "11.1.6"), flyer=n)
        if not in_range(game.board, flyer, cell, state.moscow_flies):
            return refusal("beyond-moscow", "13.7.2", hex=cell)
        return None

    def why_not(
        self, game: Typhoon, state: TyphoonState, side: int, written: tuple[Action, ...], action: Action
    ) -> Refusal | None:
        sent = flights(written)
        if action[0] == "fly":
            return self._why_not_send(game, state, side, sent, action[1])
        if sent and not list(sent.values())[-1]:
            return refusal("mission-empty", "11.1.6")
        if action == DONE:
            return None
        return self._why_not_aim(game, state, side, sent, action[1])

    def choices(
        self, game: Typhoon, state: TyphoonState, side: int, written: tuple[Action, ...]
    ) -> list[Action]:
        sent = flights(written)
        found: list[Action] = [
            ("fly", n)
            for n, flyer in enumerate(game.flyers)
            if flyer.side == side and self._why_not_send(game, state, side, sent, n) is None
        ]
        if sent and not list(sent.values())[-1]:
            return found
        free = self._free(game, state, side, sent)
        if free:
            named = 0
            for cell in sent:
                named |= self.together(game, state, cell)
            anywhere = any(in_range_of_all(game, state, n) for n in free)
            found += [
                ("aim", cell)
                for cell in each(self.places(game, state) & ~named)
                if anywhere or in_range(game.board, game.flyers[free[0]], cell, state.moscow_flies)
            ]
        return [*found, DONE]

    def default(self, game: Typhoon, state: TyphoonState, side: int) -> Action | None:
        sent = flights(state.written(side))
        return None if sent and not list(sent.values())[-1] else DONE

    # What comes of it

    def reveal(self, game: Typhoon, state: TyphoonState, answers: Mapping[int, tuple[Action, ...]]) -> Flow:
        """11.1.7 The units lie in their hexes, face down."""
        laid: dict[int, list[tuple[int, ...]]] = {m.cell: list(m.units) for m in state.missions}
        for side, written in sorted(answers.items()):
            for cell, units in sorted(flights(written).items()):
                mission = next((c for c in laid if self.together(game, state, c) >> cell & 1), cell)
                laid.setdefault(mission, [(), ()])[side] = tuple(sorted(units))
                for n in units:
                    state.air[n] = AIR_FLYING
                state.emit("mission-laid", "11.1.7", word_side=game.sides[side], hex=cell, n=len(units))
        state.missions = tuple(
            Mission(cell, self.purpose, (axis, soviet)) for cell, (axis, soviet) in sorted(laid.items())
        )
        return None


def in_range_of_all(game: Typhoon, state: TyphoonState, n: int) -> bool:
    """Whether a unit may fly anywhere (11.1.7)."""
    return state.moscow_flies or not game.flyers[n].moscow


class LayInterdiction(LayMissions):
    """11.4.1a The Axis sends units against any hexes it likes."""

    name = "lay-interdiction"
    purpose = INTERDICTION
    where = ("outside-area", "11.1.7")

    def writers(self, game: Typhoon, state: TyphoonState) -> tuple[int, ...]:
        return (AXIS,)

    def places(self, game: Typhoon, state: TyphoonState) -> int:
        outline = game.outline(state)
        return 0 if "MTSENSK_AREA" in outline.special else outline.area

    def why_not_fly(self, flyer: Flyer, place: int, laid: int) -> str | None:
        return why_not_interdict(flyer, place, laid)


class LayOpposition(LayMissions):
    """11.4.1b Soviet fighters go where the Axis interdicts."""

    name = "lay-opposition"
    purpose = INTERDICTION
    where = ("no-interdiction-there", "11.4.1")

    def writers(self, game: Typhoon, state: TyphoonState) -> tuple[int, ...]:
        return (SOVIET,)

    def places(self, game: Typhoon, state: TyphoonState) -> int:
        return bits(mission.cell for mission in state.missions)

    def why_not_fly(self, flyer: Flyer, place: int, laid: int) -> str | None:
        return why_not_oppose(flyer, place, laid)


class LaySupport(LayMissions):
    """11.5.4a Both sides send units to hexes of declared combats, neither seeing the other's."""

    name = "lay-support"
    case = "11.5.4"
    purpose = CLOSE_SUPPORT
    where = ("no-combat-there", "11.5.1")

    def writers(self, game: Typhoon, state: TyphoonState) -> tuple[int, ...]:
        return (AXIS, SOVIET)

    def places(self, game: Typhoon, state: TyphoonState) -> int:
        return bits(cell for attack in state.attacks if not attack.fought for cell in attack.targets)

    def together(self, game: Typhoon, state: TyphoonState, cell: int) -> int:
        return bits(c for attack in state.attacks if cell in attack.targets for c in attack.targets)

    def why_not_fly(self, flyer: Flyer, place: int, laid: int) -> str | None:
        return why_not_support(flyer, place, laid)


LAY_SUPPORT = procedure("lay-support", "11.5.4", step("lay", ask(LaySupport()), "11.5.4"))
"""What a combat phase begins with."""
