"""Any game of the registry as an environment of PettingZoo's turn-based interface (AEC)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from secrets import token_hex
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from grognard.envs.actions import ActionTable
from grognard.envs.observation import Observer
from grognard.envs.picture import picture
from grognard.kernel import CHANCE, Action, Answer, Game, IllegalActionError, Match, Refusal, refusal
from grognard.kernel.registry import load_game

RENDER_MODES = ("human", "ansi")


class Parts(NamedTuple):
    """What all environments of one game share: nothing in it changes."""

    game: Game[Any]
    actions: ActionTable
    observer: Observer
    space: spaces.Dict


@cache
def parts_of(game_id: str, override: Path | None) -> Parts:
    game = load_game(game_id, override)
    actions = ActionTable(game)
    observer = Observer(game, actions)
    return Parts(game, actions, observer, observer.space())


def env(game: str, seed: int | str | None = None, **settings: Any) -> TableEnv:
    """An environment for a game of the registry; see TableEnv for the settings."""
    return TableEnv(game, seed, **settings)


class TableEnv(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """A table at which two agents, named by their sides, answer the decisions of a game.

    Chance is answered by the environment out of its seed. An agent sees what its side may know. All rewards
    are given at the end of a game: 1 for a victory, -1 for a defeat, 0 for a draw, less for a victory of a
    lower level if the game has levels.
    """

    def __init__(
        self,
        game: str,
        seed: int | str | None = None,
        *,
        scenario: str | None = None,
        switches: dict[str, Any] | None = None,
        max_steps: int | None = None,
        max_turns: int | None = None,
        graded: bool = True,
        override: Path | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`seed` names the first game and all that follow it; without one, chance decides. `scenario` and
        `switches` say how a game begins. A game is cut off after `max_steps` words or when turn `max_turns`
        is over. Without `graded`, every victory counts 1. `override` is a folder of own data files."""
        super().__init__()
        self._source = (game, override)
        self._parts = parts_of(*self._source)
        sides = self._parts.game.sides
        self.metadata = {
            "name": f"{game}_v{self._parts.game.rules_version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        self.render_mode = render_mode
        self.possible_agents = list(sides)
        self.agents: list[str] = []
        self.scenario = scenario or next(iter(self._parts.game.scenarios))
        self.switches = dict(switches or {})
        self.max_steps = max_steps
        self.max_turns = max_turns
        self.graded = graded
        self._spaces = {side: spaces.Discrete(self._parts.actions.size) for side in sides}
        self._seed = str(seed) if seed is not None else token_hex(8)
        self._episode = -1
        self._state: Any = None
        self._said: Action = ()
        self._choices: dict[int, Action] = {}
        self.steps = 0
        """Words said so far in this game."""
        self.journal: list[Answer] = []
        """The players' whole actions so far, and whose they were."""

    # What is fixed

    @property
    def game(self) -> Game[Any]:
        return self._parts.game

    @property
    def actions(self) -> ActionTable:
        """What the numbers of the action space mean."""
        return self._parts.actions

    @property
    def observer(self) -> Observer:
        """What the rows of the arrays mean."""
        return self._parts.observer

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._parts.space

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        return self._spaces[agent]

    # Play

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. A seed begins a new series of games; without one the series goes on. Options that we
        know are `scenario` and `switches`; they hold for this game and those after it."""
        if seed is not None:
            self._seed, self._episode = str(seed), -1
        self._episode += 1
        options = options or {}
        self.scenario = options.get("scenario", self.scenario)
        self.switches = dict(options.get("switches", self.switches))
        self._state = self.game.start(self.scenario, self.switches)
        self.game.settle(self._state, self.game_seed)
        self._said = ()
        self.steps = 0
        self.journal = []
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._ask()

    @property
    def game_seed(self) -> str:
        """The seed of the game in progress, with which its save can be replayed."""
        return f"{self._seed}/{self._episode}"

    def step(self, action: int | None) -> None:
        """Say one word for the agent that is asked."""
        if self._state is None:
            raise RuntimeError("reset() comes before step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        said = self._choices.get(int(action)) if action is not None else None
        if said is None:
            raise self.why_not(agent, self._said, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.steps += 1
        if self.actions.complete(said):
            self.answer(self.game.sides.index(agent), said)
            said = ()
        self._said = said
        self._ask()
        if self._state.over:
            self._finish()
        elif self.cut_off():
            self.truncations = dict.fromkeys(self.agents, True)
            self._choices = {}
            self._deads_step_first()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def answer(self, side: int, action: Action) -> None:
        """Carry out what a side has said."""
        self.game.apply(self._state, action, side)
        self.game.settle(self._state, self.game_seed)
        self.journal.append(Answer(side, action))

    @property
    def over(self) -> bool:
        return bool(self._state.over)

    def waits_for(self) -> list[int]:
        """The sides that are asked: several where they write in secret."""
        return sorted(side for side in self.game.must_act(self._state) if side != CHANCE)

    def takes(self, side: int, action: Action) -> bool:
        """Whether a side may do this now."""
        return side in self.game.must_act(self._state) and self.game.refuse(self._state, action, side) is None

    def choices(self, side: int, said: Action) -> dict[int, Action]:
        """What a side that is asked may say next, and what it will have said then."""
        options = [*self.game.options(self._state, side), *self.game.standing(self._state, side)]
        return self.actions.choices(options, said)

    def _ask(self) -> None:
        """Turn to the agent on move and list what it may say. Sides that write in secret are asked one after
        the other, in the order of the sides; none of them sees what another has written."""
        actor = self.game.actor(self._state)
        self._choices = {}
        if actor is not None:
            self.agent_selection = self.game.sides[actor]
            self._choices = self.choices(actor, self._said)

    def cut_off(self) -> bool:
        """Whether the game has gone on for as long as it may."""
        return (self.max_steps is not None and self.steps >= self.max_steps) or (
            self.max_turns is not None and self.game.turn(self._state) > self.max_turns
        )

    def result(self) -> tuple[dict[str, float], dict[str, Any]]:
        """What each agent is given for a game that is over, and what is told of its end."""
        outcome = self.game.outcome(self._state)
        assert outcome is not None
        weight = self.game.levels.get(outcome.level, 1.0) if self.graded else 1.0
        winner = None if outcome.winner is None else self.game.sides[outcome.winner]
        told = {"winner": winner, "level": outcome.level, "points": dict(outcome.points)}
        given = {
            agent: 0.0 if winner is None else weight if agent == winner else -weight
            for agent in self.possible_agents
        }
        return given, told

    def _finish(self) -> None:
        given, told = self.result()
        for agent in self.agents:
            self.terminations[agent] = True
            self.infos[agent] = dict(told)
            self.rewards[agent] = given[agent]
        self._deads_step_first()

    def why_not(self, agent: str, said: Action, word: Any) -> IllegalActionError:
        """The error for a word that is masked, with the rule that forbids it."""
        whole = None if word is None else self.actions.after(said, int(word))
        reason: Refusal | None = None
        if whole is not None and self.actions.complete(whole):
            reason = self.game.refuse(self._state, whole, self.game.sides.index(agent))
        error = IllegalActionError(reason or refusal("malformed", "", word=str(word)))
        error.add_note(f"{agent}, word {word}: {self.game.explain(error.reason, 'en')}")
        return error

    # What is seen

    def words(self) -> list[int]:
        """What the agent that is asked may say now, as in its mask, without the cost of its arrays."""
        return sorted(self._choices)

    def observe(self, agent: str) -> dict[str, Any]:
        """The arrays of an agent. Only the one that is asked has anything in its mask, and knows what it has
        begun to say."""
        if self._state is None:
            raise RuntimeError("reset() comes before observe()")
        asked = bool(self._choices) and agent == self.agent_selection
        return self.look(agent, self._said, self._choices) if asked else self.look(agent)

    def look(
        self, agent: str, said: Action = (), choices: Mapping[int, Action] = MappingProxyType({})
    ) -> dict[str, Any]:
        """The arrays of an agent that has said something and may go on in these ways."""
        mask: NDArray[np.int8] = np.zeros(self.actions.size, np.int8)
        if choices:
            mask[list(choices)] = 1
        seen = self.observer.see(self._state, self.game.sides.index(agent), said)
        return {"observation": seen, "action_mask": mask}

    def render(self) -> str | None:
        """The table in letters: printed for people ("human"), returned otherwise ("ansi")."""
        shown = picture(self.game, self._state, self.observer.grid)
        if self.render_mode != "human":
            return shown
        print(shown)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    # Keeping

    def save(self) -> str:
        """The game so far as a save that the page, the terminal and `grognard replay` can open."""
        match = Match(self.game, self.scenario, self.switches, self.game_seed)
        for side, action in self.journal:
            reason = match.act(side, action)
            assert reason is None, reason
        return match.save()

    def __getstate__(self) -> dict[str, Any]:
        # The game itself is large, never changes and can be loaded again by name.
        return {name: value for name, value in self.__dict__.items() if name != "_parts"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._parts = parts_of(*self._source)
