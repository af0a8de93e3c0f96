"""Teach a very small program to attack better in the first turn of Leningrad.

    pip install "grognard[research]"
    python examples/train_small.py            # a few minutes on one core
    python examples/train_small.py --quick    # a taste, about half a minute

The learner plays the Germans against a Soviet side that answers at random. A game is stopped when the German
half of turn 1 is over and scored: a point for each Soviet unit destroyed, half a point off for each German
step lost. The policy is linear: a few numbers describe each legal word, weights (eight for each verb) make a
score of them, and a softmax of the scores is sampled. The weights are learnt by REINFORCE, the plainest of
policy gradients.

It is measured on games that it has not trained on, beside two others: a German who answers at random, and one
who does so but attacks nobody. Beating random says little, since random Germans throw their divisions away;
the second shows whether it has learnt more than to leave the enemy alone. (He loses steps all the same: too
many divisions begin on one hex, and those that stay there are destroyed.)
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import sqrt
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.envs import TableEnv, env

ME, THEM = "german", "soviet"
STEP_PRICE = 0.5
DISCOUNT = 0.97
BATCH = 16
"""Games between two changes of the weights."""
RATE = 0.05
UNKNOWN = 2.0
"""What a defender whose strength nobody knows is taken for."""

Floats = NDArray[np.float64]


class Scene:
    """The legal words of one observation, described in a few numbers each."""

    FEATURES = ("bias", "odds", "enemies there", "friends near", "enemies near", "rough", "strength", "steps")

    def __init__(self, table: TableEnv) -> None:
        observer, board = table.observer, table.game.board
        self.verbs = sorted({block.verb for block in table.actions.blocks})
        self._plane = {name: n for n, name in enumerate(observer.plane_names)}
        self._unit = {name: n for n, name in enumerate(observer.unit_names)}
        self._my_phases = [
            n for n, name in enumerate(observer.global_names) if name.startswith(f"phase:{ME}")
        ]
        self._terrain = {name: n for n, name in enumerate(observer.terrain_names)}
        around = {
            observer.grid[cell]: tuple(zip(*(observer.grid[n] for n in board.adjacent[cell]), strict=True))
            for cell in board.cells
        }
        # What a word means never changes: verb, unit and hex are looked up once.
        self.meaning: list[tuple[int, int | None, Any, Any]] = []
        for word in range(table.actions.size):
            spelt = table.actions.spell(word)
            kind = next(b.kind for b in table.actions.blocks if b.start <= word < b.start + b.size)
            unit = table.game.unit_index(spelt[1]) if kind == "unit" else None
            hex_ = observer.grid[board.cell(spelt[1])] if kind == "hex" else None
            self.meaning.append((self.verbs.index(spelt[0]), unit, hex_, around.get(hex_) if hex_ else None))

    def my_turn(self, seen: dict[str, Any]) -> bool:
        return bool(seen["observation"]["globals"][self._my_phases].any())

    def describe(self, seen: dict[str, Any]) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
        """The legal words, the verb of each, and their features."""
        arrays = seen["observation"]
        planes, units, plane, column = arrays["planes"], arrays["units"], self._plane, self._unit
        attack, friends = planes[plane[f"{ME}:attack"]], planes[plane[f"{ME}:units"]]
        enemies = planes[plane[f"{THEM}:units"]]
        defence = planes[plane[f"{THEM}:defence"]] + UNKNOWN * planes[plane[f"{THEM}:untried"]]
        rough = sum(arrays["terrain"][self._terrain[f"terrain:{name}"]] for name in ("marsh", "hill"))
        hand = float((units[:, column["attack"]] * units[:, column["in_hand"]]).sum())
        asked = float((defence * planes[plane["asked_about"]]).sum())
        words = seen["action_mask"].nonzero()[0]
        features = np.zeros((len(words), len(self.FEATURES)))
        verbs = np.zeros(len(words), np.intp)
        for n, word in enumerate(words):
            verb, unit, hex_, near = self.meaning[word]
            verbs[n] = verb
            row = features[n]
            row[0] = 1.0
            if hex_ is not None:
                there, about = float(defence[hex_]), float(attack[near].sum())
                row[1] = odds(hand if self.verbs[verb] == "overrun" else about, there) if there else 0.0
                row[2] = enemies[hex_] / 2
                row[3] = friends[near].sum() / 4
                row[4] = enemies[near].sum() / 4
                row[5] = rough[hex_]
            else:
                row[1] = odds(hand, asked) if asked else 0.0
            if unit is not None:
                row[6] = units[unit, column["attack"]] / 4
                row[7] = units[unit, column["steps"]] / 2
        return words, verbs, features


def odds(attack: float, defence: float) -> float:
    """From -1 (hopeless) to 1 (four to one and more)."""
    return float(np.clip(np.log2((attack + 0.5) / (defence + 0.5)) / 2, -1, 1))


def toll(seen: dict[str, Any], table: TableEnv) -> Floats:
    """Soviet units destroyed so far, and German steps still there."""
    units, column = seen["observation"]["units"], table.observer.unit_names.index
    dead = units[:, column("dead")] * units[:, column(f"side:{THEM}")]
    steps = units[:, column("steps")] * units[:, column(f"side:{ME}")]
    return np.array([dead.sum(), steps.sum()], float)


WORTH = np.array([1.0, STEP_PRICE])


class Choice(NamedTuple):
    """A decision taken: what was described, the chances given, and what was chosen."""

    verbs: NDArray[np.intp]
    features: Floats
    chances: Floats
    chosen: int
    before: float
    """The score when it was taken."""


Policy = Callable[[NDArray[np.intp], Floats], Floats]
"""Verbs and features of the legal words in, the chance of each out."""


def play(
    table: TableEnv, scene: Scene, policy: Policy, random: np.random.Generator
) -> tuple[list[Choice], Floats]:
    """One game: the learner's choices, and the toll it took: Soviet units, German steps (below 0 if lost)."""
    table.reset()
    choices: list[Choice] = []
    first = toll(table.observe(ME), table)
    while not (table.terminations[ME] or table.truncations[ME]):
        seen, *_ = table.last()
        if not scene.my_turn(seen):
            break
        if table.agent_selection != ME:
            table.step(int(random.choice(table.words())))
            continue
        now = float(WORTH @ (toll(seen, table) - first))
        words, verbs, features = scene.describe(seen)
        chances = policy(verbs, features)
        chosen = int(random.choice(len(words), p=chances))
        choices.append(Choice(verbs, features, chances, chosen, now))
        table.step(int(words[chosen]))
    return choices, toll(table.observe(ME), table) - first


def softmax(weights: Floats) -> Policy:
    def policy(verbs: NDArray[np.intp], features: Floats) -> Floats:
        logits = (weights[verbs] * features).sum(axis=1)
        raised: Floats = np.exp(logits - logits.max())
        chances: Floats = raised / raised.sum()
        return chances

    return policy


def anything(verbs: NDArray[np.intp], features: Floats) -> Floats:
    return np.full(len(verbs), 1 / len(verbs))


def peaceful(scene: Scene) -> Policy:
    """Anything but an attack."""
    attacks = [scene.verbs.index(verb) for verb in ("overrun", "target")]

    def policy(verbs: NDArray[np.intp], features: Floats) -> Floats:
        quiet = ~np.isin(verbs, attacks)
        return anything(verbs, features) if not quiet.any() else quiet / quiet.sum()

    return policy


def gradient(choices: list[Choice], returns: Floats, shape: tuple[int, ...]) -> Floats:
    """What makes good choices likelier: the usual sum of return times gradient of the log chance."""
    total = np.zeros(shape)
    for choice, worth in zip(choices, returns, strict=True):
        pull = -choice.chances
        pull[choice.chosen] += 1
        np.add.at(total, choice.verbs, worth * pull[:, None] * choice.features)
    return total


def returns_of(choices: list[Choice], end: float) -> Floats:
    """For each choice, the gain in score from then on, the later the less."""
    scores = [*(choice.before for choice in choices), end]
    found, later = np.zeros(len(choices)), 0.0
    for n in reversed(range(len(choices))):
        later = scores[n + 1] - scores[n] + DISCOUNT * later
        found[n] = later
    return found


def train(table: TableEnv, scene: Scene, games: int, random: np.random.Generator) -> Floats:
    weights = np.zeros((len(scene.verbs), len(scene.FEATURES)))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    began, decisions, recent = process_time(), 0, []
    for batch in range(1, games // BATCH + 1):
        games_played = [play(table, scene, softmax(weights), random) for _ in range(BATCH)]
        played = [(choices, float(WORTH @ taken)) for choices, taken in games_played]
        recent += [end for _, end in played]
        returns = [returns_of(choices, end) for choices, end in played if choices]
        all_returns = np.concatenate(returns)
        decisions += len(all_returns)
        centre, spread = all_returns.mean(), all_returns.std() + 1e-6
        slope = sum(
            gradient(choices, (found - centre) / spread, weights.shape)
            for (choices, _), found in zip([p for p in played if p[0]], returns, strict=True)
        ) / len(all_returns)
        # Adam: a step of about the same length for every weight.
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights += RATE * (mean / (1 - 0.9**batch)) / (np.sqrt(square / (1 - 0.99**batch)) + 1e-8)
        if batch % max(1, games // BATCH // 8) == 0:
            seconds = process_time() - began
            print(
                f"  {batch * BATCH:5d} games, {decisions:7d} decisions, {seconds:4.0f} s of processor time:"
                f" score {np.mean(recent):+.2f} in training",
                flush=True,
            )
            recent = []
    return weights


def measure(name: str, table: TableEnv, scene: Scene, policy: Policy, games: int) -> None:
    random = np.random.default_rng(99)
    attacks = {scene.verbs.index(verb) for verb in ("overrun", "fight")}
    tolls, fought = [], 0
    for _ in range(games):
        choices, taken = play(table, scene, policy, random)
        tolls.append(taken)
        fought += sum(int(choice.verbs[choice.chosen]) in attacks for choice in choices)
    ends = np.array(tolls) @ WORTH
    units, steps = np.mean(tolls, axis=0)
    print(
        f"  {name:10s} {ends.mean():+6.2f} ± {1.96 * ends.std() / sqrt(games):.2f}"
        f"   Soviet units destroyed {units:5.2f}, German steps lost {-steps:5.2f},"
        f" German attacks {fought / games:5.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=1280, help="games to train on (1280)")
    parser.add_argument("--test-games", type=int, default=200, help="games to measure on (200)")
    parser.add_argument("--quick", action="store_true", help="320 games to train on, 60 to measure on")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    games, tests = (320, 60) if options.quick else (options.games, options.test_games)

    table = env("leningrad", seed=f"train {options.seed}", max_turns=1)
    scene = Scene(table)
    print(f"Training on {games} games of one turn:")
    weights = train(table, scene, games, np.random.default_rng(options.seed))

    print(f"Score in {tests} games of other seeds, with 95 % intervals:")
    rivals = (("random", anything), ("peaceful", peaceful(scene)), ("learnt", softmax(weights)))
    for name, policy in rivals:
        fresh = env("leningrad", seed=f"test {options.seed}", max_turns=1)
        measure(name, fresh, scene, policy, tests)

    print("What it looks at most:")
    for flat in np.argsort(-np.abs(weights), axis=None)[:10]:
        verb, feature = np.unravel_index(flat, weights.shape)
        word = scene.verbs[verb] or "(second word)"
        print(f"  {word:13s} {scene.FEATURES[feature]:14s} {weights[verb, feature]:+.2f}")


if __name__ == "__main__":
    main()
