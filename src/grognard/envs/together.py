"""Any game of the registry as an environment of PettingZoo's parallel interface: whoever is asked answers in
the same step, so that sides which write in secret do so together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from grognard.envs.environment import TableEnv
from grognard.kernel import Action

Seen = dict[str, dict[str, Any]]


def parallel_env(game: str, seed: int | str | None = None, **settings: Any) -> TogetherEnv:
    """A parallel environment for a game of the registry; see TableEnv for the settings."""
    return TogetherEnv(game, seed, **settings)


class TogetherEnv(ParallelEnv):  # type: ignore[misc] # PettingZoo has no types
    """A table at which all sides that are asked say one word in each step.

    Most questions of a game are put to one side: then the mask of the other is empty, and what it says is not
    heard. Words, arrays, rewards and settings are those of the turn-based environment.
    """

    def __init__(self, game: str, seed: int | str | None = None, **settings: Any) -> None:
        self.table = TableEnv(game, seed, **settings)
        """The same game in turns; its position is ours."""
        self.metadata = {**self.table.metadata, "is_parallelizable": True}
        self.render_mode = self.table.render_mode
        self.possible_agents = list(self.table.possible_agents)
        self.agents: list[str] = []
        self._said: dict[str, Action] = {}
        """What each agent has begun to say."""
        self._choices: dict[str, dict[int, Action]] = {}
        """What each agent that is asked may say."""

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.table.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        return self.table.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, dict[str, Any]]]:
        """Begin a game, as TableEnv.reset does."""
        self.table.reset(seed, options)
        self.agents = list(self.possible_agents)
        self._said = {}
        self._ask()
        return self._seen(), {agent: {} for agent in self.agents}

    def asked(self) -> dict[str, list[int]]:
        """The agents that are asked, and what each of them may say, as in its mask."""
        return {agent: sorted(choices) for agent, choices in self._choices.items()}

    def step(
        self, actions: Mapping[str, int | None]
    ) -> tuple[Seen, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """One word of every agent that is asked. If one of them is illegal, none is heard."""
        if not self.agents:
            raise RuntimeError("reset() comes before step()")
        self._hear(actions)
        self._ask()
        present, table = self.agents, self.table
        rewards, told = dict.fromkeys(present, 0.0), dict[str, Any]()
        over, cut = table.over, False
        if over:
            rewards, told = table.result()
        elif table.cut_off():
            cut, self._choices = True, {}
        seen = self._seen()
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        infos = {agent: dict(told) for agent in present}
        return seen, rewards, dict.fromkeys(present, over), dict.fromkeys(present, cut), infos

    def _hear(self, actions: Mapping[str, int | None]) -> None:
        """Take note of the words, and carry out the actions that they complete."""
        heard: dict[str, Action] = {}
        for agent, choices in self._choices.items():
            word = actions.get(agent)
            said = None if word is None else choices.get(int(word))
            if said is None:
                raise self.table.why_not(agent, self._said.get(agent, ()), word)
            heard[agent] = said
        table = self.table
        table.steps += len(heard)
        self._said = {}
        for agent, said in heard.items():
            side = table.game.sides.index(agent)
            if not table.actions.complete(said):
                self._said[agent] = said
            elif table.takes(side, said):
                # Unless what the side before it said has settled the question.
                table.answer(side, said)

    def _ask(self) -> None:
        sides = self.table.game.sides
        self._choices = {
            sides[side]: self.table.choices(side, self._said.get(sides[side], ()))
            for side in self.table.waits_for()
        }

    def _seen(self) -> Seen:
        return {
            agent: self.table.look(agent, self._said.get(agent, ()), self._choices.get(agent, {}))
            for agent in self.agents
        }

    def render(self) -> str | None:
        shown: str | None = self.table.render()
        return shown

    def save(self) -> str:
        """The game so far, as a save."""
        return self.table.save()

    def close(self) -> None:
        """Nothing is held open."""
