"""The attacks of a combat phase, chosen together: each stack attacks once, each hex is attacked once."""

from __future__ import annotations

from typing import NamedTuple

from grognard.staff.plan import PlacementPlan

ROUNDS = 3
"""How often everybody is asked whether he had better attack elsewhere."""


class Attack(NamedTuple):
    """One attack and what it is expected to bring."""

    value: float
    cell: int
    stacks: tuple[int, ...]


class Packing:
    """The attacks that the stacks of a plan could make between them from where they stand."""

    def __init__(self, plan: PlacementPlan, spare: float) -> None:
        """`spare`: what a unit must add to an attack to be in it."""
        self._plan, self._spare = plan, spare
        self._able: dict[int, list[int]] = {}
        for target in plan.targets:
            near = set(plan.contact[target.cell])
            able = [s for s in range(len(plan.stacks)) if plan.place(s) in near]
            if able:
                self._able[target.number] = able
        self._choices: dict[int, int] = {}
        for stacks in self._able.values():
            for stack in stacks:
                self._choices[stack] = self._choices.get(stack, 0) + 1
        self._memo: dict[tuple[int, tuple[int, ...]], float] = {}

    def value(self, number: int, stacks: list[int]) -> float:
        """What an attack is expected to bring; 0 if it cannot be made or is not worth making."""
        if not stacks:
            return 0.0
        key = (number, tuple(sorted(stacks)))
        found = self._memo.get(key)
        if found is None:
            plan, target = self._plan, self._plan.targets[number]
            units = sum(len(plan.stacks[s]) for s in stacks)
            worth = plan.blow(target, key[1]) - self._spare * units
            found = self._memo[key] = max(0.0, worth)
        return found

    def attacks(self, floor: float) -> list[Attack]:
        """The best set of attacks found, each worth so much at least, the most promising first."""
        chosen = self._pack()
        for _ in range(ROUNDS):
            if not self._improve(chosen):
                break
        found = [
            Attack(self.value(number, stacks), self._plan.targets[number].cell, tuple(sorted(stacks)))
            for number, stacks in chosen.items()
        ]
        return sorted((a for a in found if a.value > floor), key=lambda a: (-a.value, a.cell))

    def _pack(self) -> dict[int, list[int]]:
        """Attack after attack, each the best for those who are left."""
        chosen: dict[int, list[int]] = {}
        used: set[int] = set()
        while True:
            best: tuple[float, int, list[int]] | None = None
            for number in sorted(self._able):
                if number in chosen:
                    continue
                target = self._plan.targets[number]
                free = [s for s in self._able[number] if s not in used]
                free.sort(
                    key=lambda s: (self._choices[s], -self._plan.bears(s, self._plan.place(s), target), s)
                )
                for count in range(1, len(free) + 1):
                    value = self.value(number, free[:count])
                    if value > 0 and (best is None or value > best[0]):
                        best = (value, number, free[:count])
            if best is None:
                return chosen
            chosen[best[1]] = best[2]
            used.update(best[2])

    def _improve(self, chosen: dict[int, list[int]]) -> bool:
        """Let single stacks change sides while that helps."""
        better = False
        for stack in sorted(self._choices):
            now = next((number for number, stacks in chosen.items() if stack in stacks), None)
            others = [s for s in chosen[now] if s != stack] if now is not None else []
            leaving = self.value(now, others) - self.value(now, chosen[now]) if now is not None else 0.0
            gain, best = max(
                ((leaving + self._joining(stack, n, chosen), -n) for n in self._open(stack, now)),
                default=(0.0, 0),
            )
            if max(gain, leaving) <= 1e-9:
                continue
            better = True
            if now is not None:
                chosen[now] = others
            if gain >= leaving:
                chosen[-best] = [*chosen.get(-best, []), stack]
        for number in [n for n, stacks in chosen.items() if not stacks]:
            del chosen[number]
        return better

    def _open(self, stack: int, now: int | None) -> list[int]:
        return [n for n, able in self._able.items() if n != now and stack in able]

    def _joining(self, stack: int, number: int, chosen: dict[int, list[int]]) -> float:
        there = chosen.get(number, [])
        return self.value(number, [*there, stack]) - self.value(number, there)
