"""The attacks of a combat sequence, chosen together: each unit attacks once, each hex is attacked once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.odds import attack_strength, total_attack
from grognard.games.a_victory_lost.rules.zones import zone
from grognard.games.a_victory_lost.staff.outlook import Outlook


class Blow(NamedTuple):
    """One attack and what it is expected to bring."""

    value: float
    cell: int
    units: tuple[int, ...]


class Assault:
    """The attacks that some units could make between them from where they stand."""

    def __init__(self, view: Outlook, ready: Sequence[int], barred: int = 0) -> None:
        """`barred` are hexes that have been attacked already (9.1.4)."""
        self.view = view
        game, state = view.game, view.state
        self._own = zone(game, state, view.side) | state.fighters[view.side]
        self._able: dict[int, list[int]] = {}
        for unit in ready:
            for cell in each(game.contact[state.where[unit]] & view.foes & ~barred):
                self._able.setdefault(cell, []).append(unit)
        self._choices: dict[int, int] = {}
        for units in self._able.values():
            for unit in units:
                self._choices[unit] = self._choices.get(unit, 0) + 1
        self._memo: dict[tuple[int, int], float] = {}

    def value(self, cell: int, units: Sequence[int]) -> float:
        """What an attack is expected to bring; 0 if it cannot be made or is not worth making."""
        members = 0
        for unit in units:
            members |= 1 << unit
        found = self._memo.get((cell, members))
        if found is None:
            found = self._memo[cell, members] = max(0.0, self._expected(cell, units)) if units else 0.0
        return found

    def _expected(self, cell: int, units: Sequence[int]) -> float:
        view = self.view
        game, state, lore = view.game, view.state, view.lore
        price = min(view.weight(u, state.steps[u]) - view.weight(u, state.steps[u] - 1) for u in units)
        total = total_attack(game, state, units, cell)
        members = state.fighters_at(cell)
        column = lore.column(total, view.stack(members).defence, lore.shift[cell])
        if column < 0:
            return 0.0
        ways = game.contact[cell] & view.ground & ~self._own
        driven = view.numbers["driven"]
        value = view.battle(members, column, not ways, view.prize(cell), driven)
        if ways.bit_count() == 1:
            trapped = view.battle(members, column, True, view.prize(cell), driven)
            value += view.common["nearly_shut"] * (trapped - value)
        return view.numbers["attack"] * value - view.toll(column) * price - view.common["bother"] * len(units)

    def blows(self) -> list[Blow]:
        """The best set of attacks found, the most promising first."""
        chosen = self._pack()
        self._improve(chosen)
        found = [Blow(self.value(cell, units), cell, tuple(sorted(units))) for cell, units in chosen.items()]
        floor = self.view.numbers["floor"]
        return sorted((b for b in found if b.value > floor), key=lambda b: (-b.value, b.cell))

    def _pack(self) -> dict[int, list[int]]:
        """Attack after attack, each the best for those who are left."""
        chosen: dict[int, list[int]] = {}
        used: set[int] = set()
        while True:
            best: tuple[float, int, list[int]] | None = None
            for cell in sorted(self._able):
                if cell in chosen:
                    continue
                free = [u for u in self._able[cell] if u not in used]
                free.sort(key=lambda u: (self._choices[u], -self._bears(u, cell), u))
                for count in range(1, len(free) + 1):
                    value = self.value(cell, free[:count])
                    if value > 0 and (best is None or value > best[0]):
                        best = (value, cell, free[:count])
            if best is None:
                return chosen
            chosen[best[1]] = best[2]
            used.update(best[2])

    def _bears(self, unit: int, cell: int) -> int:
        view = self.view
        strength = attack_strength(view.game, view.state, unit)
        return strength // 2 if (view.state.where[unit], cell) in view.game.data.rivers else strength

    def _improve(self, chosen: dict[int, list[int]]) -> None:
        """Let single units change sides while that helps."""
        for _ in range(3):
            better = False
            for unit in sorted(self._choices):
                now = next((cell for cell, units in chosen.items() if unit in units), None)
                others = [u for u in chosen[now] if u != unit] if now is not None else []
                leaving = self.value(now, others) - self.value(now, chosen[now]) if now is not None else 0.0
                best, gain = None, 1e-9
                for cell in sorted(self._able):
                    if cell == now or unit not in self._able[cell]:
                        continue
                    with_it = [*chosen.get(cell, []), unit]
                    more = leaving + self.value(cell, with_it) - self.value(cell, chosen.get(cell, []))
                    if more > gain:
                        best, gain = cell, more
                if best is None and now is not None and leaving > 1e-9:
                    chosen[now] = others
                    better = True
                elif best is not None:
                    if now is not None:
                        chosen[now] = others
                    chosen[best] = [*chosen.get(best, []), unit]
                    better = True
            for cell in [c for c, units in chosen.items() if not units]:
                del chosen[cell]
            if not better:
                return
