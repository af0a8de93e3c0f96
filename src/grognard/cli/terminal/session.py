"""A person at the terminal: lines typed, carried out by the match, and what comes of them shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from rich.console import Console
from rich.markdown import Markdown

from grognard.cli.rules import ruling_text
from grognard.cli.terminal import panels
from grognard.cli.terminal.hexmap import ACROSS, DOWN, Window, draw
from grognard.cli.terminal.parts import part_lines
from grognard.cli.terminal.story import outcome_line, story, visible
from grognard.cli.words import TerminalWords, unaccented
from grognard.files import Folder
from grognard.files.rulebook import Rulebook
from grognard.hexes import UnknownHexError
from grognard.kernel import Action, Match, Order, Phase, Refusal, Role, SaveError
from grognard.kernel.doctrine import Intent
from grognard.kernel.table import Attack, Table
from grognard.kernel.text import LANGUAGES, Catalogue
from grognard.players import Player
from grognard.players.advice import AdviceWords, Suggester, plan_text, suggestion_text

T = TypeVar("T")
Progress = Callable[[float], None]

LOG_LINES = 20
ROOM_FOR_WORDS = 14
"""Lines of the terminal kept for what is not map."""


class Quit(Exception):  # noqa: N818 (leaving is no error)
    """The person has had enough."""


class Mistyped(Exception):  # noqa: N818 (a sentence for the person, never a failure of ours)
    """What was typed means nothing here; the message says why."""


class Session:
    """One match at one terminal. `ask` returns the next line typed, or None when there is no more."""

    def __init__(
        self,
        match: Match[Any],
        folder: Folder,
        opponents: Mapping[int, Player],
        words: TerminalWords,
        console: Console,
        ask: Callable[[str], str | None],
        save_to: Path | None = None,
    ) -> None:
        self.match = match
        self.game = match.game
        self.folder = folder
        self.opponents = dict(opponents)
        self.words = words
        self.console = console
        self.ask = ask
        self.save_to = save_to
        self.verbs = Catalogue((folder, "text/verbs.toml"))
        self.sides = [s for s in range(len(self.game.sides)) if s not in self.opponents]
        self.centre = self._first_centre()
        self.random = Random(match.seed)
        self.teacher = False
        """Whether the computer tells its plans before the game is over."""
        self.plans: list[tuple[int, int, Intent]] = []
        """Turn, side and intent of every plan that the computer has made at this sitting."""
        self._suggesters: dict[int, Suggester] = {}
        self._told = 0
        self._phase: Phase | None = None
        self._dictionary = self._spell()
        self.commands: dict[str, Callable[[list[str]], None]] = {
            "map": self.show_map,
            "hex": self.show_hex,
            "units": self.show_units,
            "table": lambda _: self.show_table(),
            "reach": self.show_reach,
            "go": self.go,
            "attack": self.attack,
            "odds": self.show_odds,
            "why": self.explain,
            "supply": self.show_supply,
            "log": self.show_log,
            "rules": self.show_rules,
            "options": lambda _: self.show_choices(),
            "hint": lambda _: self.show_hint(),
            "plan?": lambda _: self.show_intent(),
            "undo": lambda _: self.undo(),
            "redo": lambda _: self.redo(),
            "save": self.save,
            "help": lambda _: self.show_help(),
            "quit": self.quit,
        }

    def _spell(self) -> dict[str, str]:
        """Every word that may open a line, with the command or verb it means: ours in the reader's language,
        and the English ones in any."""
        found: dict[str, str] = {}
        for language in (self.words.language, *LANGUAGES):
            words = TerminalWords(language)
            for code in words.codes("commands"):
                for word in words("commands", code).split():
                    found.setdefault(unaccented(word), code)
            for verb in self.game.verbs():
                found.setdefault(unaccented(self.verbs.template("typed", verb, language)), verb)
        return found

    # The course of a sitting

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        self._tell_victory()
        self.say(self.words("play", "welcome"))
        try:
            while not self.match.over:
                self.tell_news()
                side = self.game.actor(self.match.state)
                assert side is not None
                if side in self.opponents:
                    self._opponent(side)
                else:
                    self._turn_of_a_person(side)
            self.tell_news()
            self.say(outcome_line(self.game, self.match.state, self.words))
            self.tell_plans()
        except Quit:
            pass
        self._keep()

    def _opponent(self, side: int) -> None:
        state = self.match.state
        shown = self.game.imagine(state, side, self.random) if self.game.hidden_information else state.clone()
        player = self.opponents[side]
        before = player.intent

        def think(watch: Progress | None) -> Action:
            player.watch = watch
            return player.choose(self.game, shown, side)

        action = self._while_thinking(side, think)
        if player.intent is not None and player.intent is not before:
            self.plans.append((self.game.turn(state), side, player.intent))
        refused = self.match.act(side, action)
        assert refused is None, refused

    def _while_thinking(self, side: int, think: Callable[[Progress | None], T]) -> T:
        """Let the computer think for a side, with a sign at the terminal of how far it has come."""
        if not self.console.is_terminal:
            return think(None)
        name = panels.side_name(self.game, self.game.sides[side], self.words)
        with self.console.status(self.words("play", "thinking", side=name)) as status:
            return think(
                lambda share: status.update(
                    self.words("play", "thinking-far", side=name, share=round(100 * share))
                )
            )

    def _turn_of_a_person(self, side: int) -> None:
        state = self.match.state
        decision, phase = self.game.decision(state), self.game.phase(state)
        assert decision is not None
        if phase != self._phase:
            self._phase = phase
            self.show_map([])
            self.show_table()
            self._keep()
        self.say("")
        self.say(panels.heading(self.game, state, self.table(side), self.words), style="bold")
        self.say(f"{self.game.prompt(state, self.words.language)} ({decision.case})")
        self.show_choices()
        before = len(self.match.journal), self.match.state.fingerprint()
        while (len(self.match.journal), self.match.state.fingerprint()) == before:
            line = self.ask("> ")
            if line is None:
                raise Quit
            self.execute(line)

    def execute(self, line: str) -> None:
        """Carry out one line. Whatever is wrong with it is said, and nothing changes."""
        typed = line.split()
        if not typed:
            return
        try:
            if typed[0].isdigit() and len(typed) == 1:
                self._choose(int(typed[0]))
                return
            code = self._dictionary.get(unaccented(typed[0]))
            if code is None:
                raise Mistyped(self.words("play", "unknown", word=typed[0]))
            if code in self.commands:
                self.commands[code](typed[1:])
            else:
                self._act(self._read([code, *typed[1:]]))
        except Mistyped as mistake:
            self.say(str(mistake), style="yellow")

    # Acting

    def _side(self) -> int:
        side = self.game.actor(self.match.state)
        assert side is not None
        return side

    def _choices(self) -> list[Action]:
        """What the side may answer, and what else stands open to it."""
        side = self._side()
        return [*self.game.options(self.match.state, side), *self.game.standing(self.match.state, side)]

    def _act(self, action: Action) -> None:
        refused = self.match.act(self._side(), action)
        if refused is not None:
            raise Mistyped(self.game.explain(refused, self.words.language))

    def _read(self, typed: list[str]) -> Action:
        action = self.game.decode(typed)
        if isinstance(action, Refusal):
            raise Mistyped(self.game.explain(action, self.words.language))
        return action

    def _choose(self, number: int) -> None:
        options = self._choices()
        if len(options) > panels.FEW or not 1 <= number <= len(options):
            raise Mistyped(self.words("play", "no-number", number=number))
        self._act(options[number - 1])

    def go(self, typed: list[str]) -> None:
        """`go 0310` walks the stack in hand; `go 1-pz 6-pz 0310` takes one up first and sets it down."""
        if not typed:
            raise Mistyped(self.words("usage", "go"))
        units, goal = [self._unit(word) for word in typed[:-1]], self._cell(typed[-1])
        way = self._ways(units).get(goal)
        if way is None:
            raise Mistyped(self._why_out_of_reach(goal))
        if not units:
            for cell in way:
                # A stack that cannot go on has been set down already.
                if (word := self.game.word_for(self.match.state, Role.STEP)) is not None:
                    self._act((word, cell))
            return
        order = {
            "order": Order.MOVE,
            "units": typed[:-1],
            "path": [self.game.board.number(cell) for cell in way],
        }
        self._order(order)

    def attack(self, typed: list[str]) -> None:
        """`attack 0310 0311 with 1-pz 6-pz`, or `with all`."""
        targets, units, extras = self._targets_and_units(typed)
        if not targets:
            raise Mistyped(self.words("usage", "attack"))
        order = {
            "order": Order.ATTACK,
            "targets": [self.game.board.number(cell) for cell in targets],
            "units": [self.game.unit_id(unit) for unit in units or self._able(targets)],
            "extras": extras,
        }
        self._order(order)

    def _order(self, order: dict[str, Any]) -> None:
        refused = self.match.order(self._side(), order)
        if refused is not None:
            raise Mistyped(self.game.explain(refused, self.words.language))

    def undo(self) -> None:
        if not self.match.undo(self._side()):
            raise Mistyped(self.words("play", "no-undo"))
        self._told = min(self._told, len(self.match.log))

    def redo(self) -> None:
        if not self.match.redo(self._side()):
            raise Mistyped(self.words("play", "no-redo"))

    # Asking

    def explain(self, typed: list[str]) -> None:
        """`why step 0909`: the reason why not, with its case, or that nothing forbids it."""
        if not typed:
            raise Mistyped(self.words("usage", "why"))
        code = self._dictionary.get(unaccented(typed[0]), typed[0])
        if code == "go" and len(typed) > 1:
            units, goal = [self._unit(word) for word in typed[1:-1]], self._cell(typed[-1])
            allowed = goal in self._ways(units)
            self.say(self.words("play", "allowed") if allowed else self._why_out_of_reach(goal))
            return
        refused = self.game.refuse(self.match.state, self._read([code, *typed[1:]]), self._side())
        if refused is None:
            self.say(self.words("play", "allowed"))
        else:
            self.say(self.game.explain(refused, self.words.language))

    def show_odds(self, typed: list[str]) -> None:
        """`odds 0310 with 1-pz`; alone, for the battle being prepared."""
        targets, units, options = self._targets_and_units(typed)
        begun = self._begun(self.match.state)
        targets = targets or list(begun.targets)
        units = units or list(begun.units) or self._able(targets)
        if not targets or self.game.adviser is None:
            raise Mistyped(self.words("usage", "odds"))
        forecast = self.game.adviser.forecast(self.match.state, targets, units, options)
        if isinstance(forecast, Refusal):
            raise Mistyped(self.game.explain(forecast, self.words.language))
        for line in panels.forecast_lines(self.game, forecast, self.words):
            self.say(line)

    def show_supply(self, typed: list[str]) -> None:
        if len(typed) != 1 or self.game.adviser is None:
            raise Mistyped(self.words("usage", "supply"))
        unit = self._unit(typed[0])
        supply = self.game.adviser.supply(self.match.state, unit)
        for line in panels.supply_lines(self.game, unit, supply, self.words):
            self.say(line)

    def show_hint(self) -> None:
        """What the computer would do in the person's place. Nothing changes."""
        side = self._side()
        if side not in self._suggesters:
            self._suggesters[side] = Suggester(self.game, side, self.match.seed)
        suggester, match = self._suggesters[side], self.match
        found = self._while_thinking(side, lambda watch: suggester.suggest(match.state, match.journal, watch))
        text = suggestion_text(self.game, found.actions, self.words.language)
        self.say(self.words("play", "hint", text=text))
        plan = None if found.intent is None else plan_text(self.game, found.intent, self.words.language)
        if plan is not None:
            self.say(plan)
        lines = [panels.typed(self.verbs, self.game.encode(a), self.words.language) for a in found.actions]
        self.say(self.words("play", "hint-type", lines=", ".join(lines)), style="dim")

    def show_intent(self) -> None:
        """What the computer is trying to do, if it tells."""
        if not self.opponents:
            raise Mistyped(self.words("play", "plan-nobody"))
        if not self.teacher:
            raise Mistyped(self.words("play", "plan-secret"))
        for side in self.opponents:
            own = [plan for plan in self.plans if plan[1] == side]
            text = plan_text(self.game, own[-1][2], self.words.language) if own else None
            self.say(text or AdviceWords(self.words.language)("plans", "none"))

    def tell_plans(self) -> None:
        """After the game: what the computer was trying to do, turn by turn."""
        lines = [
            f"{self.words('play', 'turn', turn=turn)}: {text}"
            for turn, _, intent in self.plans
            if (text := plan_text(self.game, intent, self.words.language))
        ]
        if lines:
            self.say(self.words("play", "plans-head"), style="bold")
        for line in dict.fromkeys(lines):
            self.say(f"   {line}")

    def _targets_and_units(self, typed: Sequence[str]) -> tuple[list[int], list[int], dict[str, int]]:
        """Hexes, then "with" and units, then extras, each with its number: `name=1`."""
        targets: list[int] = []
        units: list[int] = []
        options: dict[str, int] = {}
        behind = False
        for word in typed:
            key, equals, value = word.partition("=")
            code = self._dictionary.get(unaccented(word))
            if equals and value.isdigit():
                options[key] = int(value)
            elif code == "with":
                behind = True
            elif code == "all":
                units = self._able(targets)
            elif behind:
                units.append(self._unit(word))
            else:
                targets.append(self._cell(word))
        return targets, units, options

    def _able(self, targets: Sequence[int]) -> list[int]:
        """Everybody who could join an attack on these hexes now, or the one being put together."""
        state = self.match.state.clone()
        joining = self._joining(state)
        if joining:
            return [*self._begun(state).units, *joining]
        for number, cell in enumerate(targets):
            word = self.game.word_for(state, Role.WIDEN if number else Role.AIM)
            if word is None or self.game.refuse(state, (word, cell)) is not None:
                return []
            self.game.apply(state, (word, cell))
        return self._joining(state)

    def _begun(self, state: Any) -> Attack:
        """The attack being put together; one on nothing by nobody, if there is none."""
        hand = self.game.hand(state)
        return hand.attack if hand is not None and hand.attack is not None else Attack((), ())

    def _joining(self, state: Any) -> list[int]:
        return [action[1] for action in self.game.with_role(self.game.options(state), Role.JOIN)]

    def _ways(self, units: Sequence[int]) -> dict[int, tuple[int, ...]]:
        if self.game.adviser is None:
            raise Mistyped(self.words("usage", "go"))
        ways = self.game.adviser.reach(self.match.state, units)
        if isinstance(ways, Refusal):
            raise Mistyped(self.game.explain(ways, self.words.language))
        return {cell: way.cells for cell, way in ways.items()}

    def _why_out_of_reach(self, goal: int) -> str:
        """The rule that forbids the step if the goal is next door, else that it is too far."""
        word = self.game.word_for(self.match.state, Role.STEP)
        refused = None if word is None else self.game.refuse(self.match.state, (word, goal))
        if refused is not None and self._next_to_hand(goal):
            return self.game.explain(refused, self.words.language)
        asked = self.game.decision(self.match.state)
        case = refused.case if refused else asked.case if asked else ""
        name = self.game.hex_name(goal, self.words.language)
        return f"{case}: {self.words('play', 'out-of-reach', hex=name)}"

    def _next_to_hand(self, goal: int) -> bool:
        """Whether a hex is next to a unit that has been taken up."""
        hand, board = self.game.hand(self.match.state), self.game.board
        held = {self.game.unit_id(unit) for unit in hand.units} if hand is not None else set()
        places = [unit["hex"] for unit in self.table().units if unit["id"] in held]
        return any(place is not None and goal in board.adjacent[board.cell(place)] for place in places)

    # Showing

    def say(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, soft_wrap=True)

    def table(self, side: int | None = None) -> Table:
        return self.game.table(self.match.state, self._viewer() if side is None else side)

    def show_table(self) -> None:
        """What lies on the table besides units."""
        for line in part_lines(self.game, self.table(), self.words):
            self.say(line)

    def _viewer(self) -> int:
        """Through whose eyes a person looks: his own side's, or that of the side on move if he has both."""
        actor = self.game.actor(self.match.state)
        return actor if actor in self.sides and actor is not None else self.sides[0]

    def tell_news(self) -> None:
        """What has been logged since the last time."""
        fresh = visible(self.match.log[self._told :], self.sides)
        self._told = len(self.match.log)
        for line in story(self.game, fresh, self.words.language):
            self.say(line)

    def show_choices(self) -> None:
        options = [self.game.encode(action) for action in self._choices()]
        for line in panels.choice_lines(self.game, self.verbs, options, self.words):
            self.say(line)

    def show_map(self, typed: list[str]) -> None:
        """`map`, `map 2505` to look elsewhere, `map all` for the whole sheet."""
        if typed and self._dictionary.get(unaccented(typed[0])) == "all":
            self._print_map(panels.faces(self.game, self.table(), self.words), whole=True)
            return
        if typed:
            self.centre = self._cell(typed[0])
        self._print_map(panels.faces(self.game, self.table(), self.words))

    def _print_map(self, faces: Mapping[int, Any], whole: bool = False) -> None:
        size = self.console.size
        rows = size.height - ROOM_FOR_WORDS if self.console.is_terminal else 26
        window = Window(self.centre, max(3, (size.width - 2) // ACROSS), max(3, rows // DOWN))
        for line in draw(self.game.board, faces, None if whole else window):
            self.console.print(line, soft_wrap=True)
        self.say(panels.legend(self.game, self.words), style="dim")

    def show_hex(self, typed: list[str]) -> None:
        if not typed:
            raise Mistyped(self.words("usage", "hex"))
        table = self.table()
        for word in typed:
            for line in panels.hex_lines(self.game, table, self._cell(word), self.words):
                self.say(line)

    def show_units(self, typed: list[str]) -> None:
        """`units`: everybody of my side; `units soviet` or another word: those whose line has it."""
        mine = self.game.sides[self._viewer()]
        wanted = unaccented(typed[0]) if typed else ""
        for unit in self.table().units:
            side = panels.side_name(self.game, unit["side"], self.words)
            line = panels.unit_line(self.game, unit, self.words)
            if (wanted in unaccented(f"{side} {line}")) if wanted else unit["side"] == mine:
                self.say(line)

    def show_reach(self, typed: list[str]) -> None:
        """`reach` for the stack in hand, `reach 1-pz` for a unit not taken up yet."""
        if self.game.adviser is None:
            raise Mistyped(self.words("usage", "reach"))
        units = [self._unit(word) for word in typed]
        ways = self.game.adviser.reach(self.match.state, units)
        if isinstance(ways, Refusal):
            raise Mistyped(self.game.explain(ways, self.words.language))
        if ways:
            self.centre = next(iter(ways))
        self._print_map(panels.reach_faces(self.game, self.table(), ways, self.words))

    def show_log(self, typed: list[str]) -> None:
        count = int(typed[0]) if typed and typed[0].isdigit() else LOG_LINES
        lines = list(story(self.game, visible(self.match.log, self.sides), self.words.language))
        for line in lines[-count:]:
            self.say(line)

    def show_rules(self, typed: list[str]) -> None:
        """`rules 10.7` reads a case, `rules retreat` finds the cases that mention a word."""
        book = Rulebook(self.folder, self.words.language)
        if not typed:
            for article in book.articles.values():
                self.say(f"{article.case:>5}  {article.title}")
            return
        if typed[0] in book.articles:
            article = book.articles[typed[0]]
            self.say(f"{article.case}  {article.title}", style="bold")
            self.console.print(Markdown(article.body))
            for ruling in book.rulings_of(article.case):
                self.console.print(Markdown(ruling_text(ruling, self.words)))
            return
        found = book.search(" ".join(typed))
        if not found:
            raise Mistyped(self.words("rules", "not-found", word=" ".join(typed)))
        for article in found:
            self.say(f"{article.case:>5}  {article.title}")

    def show_help(self) -> None:
        self.say(self.words("play", "help-head"), style="bold")
        for code in self.commands:
            word = self.words("commands", code).split()[0]
            self.say(f"  {word:<15} {self.words('usage', code)}{self._extras_of(code)}")
        self.say(self.words("play", "help-tail", examples=", ".join(self._examples())))

    def _examples(self) -> list[str]:
        """One answer of each of the first verbs that may be given now, as it is typed."""
        found: dict[str, str] = {}
        for action in self._choices():
            words = self.game.encode(action)
            found.setdefault(words[0], panels.typed(self.verbs, words, self.words.language))
        return list(found.values())[:2]

    def _tell_victory(self) -> None:
        """What is played, and how it is won."""
        scenario, language = self.game.scenario(self.match.state), self.words.language
        self.say(scenario.names[language], style="bold")
        how = scenario.victory.get(language) or self.game.catalogue.template("victory", scenario.id, language)
        if how != scenario.id:
            self.say(how)

    def _extras_of(self, code: str) -> str:
        """What may be added to an attack in this game, as it is typed."""
        typed = ", ".join(f"{extra.id}=1" for extra in self.game.extras)
        return f" ({typed})" if typed and code in ("odds", "attack") else ""

    # Ending

    def save(self, typed: list[str]) -> None:
        path = Path(typed[0]) if typed else self.save_to
        if path is None:
            raise Mistyped(self.words("usage", "save"))
        try:
            path.write_text(self.match.save(), encoding="utf-8")
        except (OSError, SaveError) as error:
            raise Mistyped(str(error)) from None
        self.say(self.words("play", "saved", file=path))

    def quit(self, typed: list[str]) -> None:
        raise Quit

    def _keep(self) -> None:
        """A game with a file to go to is written at every phase and at the end."""
        if self.save_to is not None:
            self.save_to.write_text(self.match.save(), encoding="utf-8")

    # Words for hexes and units

    def _cell(self, word: str) -> int:
        try:
            return self.game.board.cell(word)
        except UnknownHexError:
            found = [c for c, i in self.game.board.info.items() if _means(word, i.names.values())]
            if len(found) == 1:
                return found[0]
            raise Mistyped(self.words("play", "no-hex", word=word)) from None

    def _unit(self, word: str) -> int:
        try:
            return self.game.unit_index(word.lower())
        except KeyError:
            raise Mistyped(self.words("play", "no-unit", word=word)) from None

    def _first_centre(self) -> int:
        """The middle of one's own units on the map."""
        mine = {self.game.sides[s] for s in self.sides}
        table = self.game.table(self.match.state, self.sides[0] if self.sides else None)
        cells = [
            self.game.board.cell(unit["hex"])
            for unit in table.units
            if unit["hex"] is not None and unit["side"] in mine
        ] or list(self.game.board.cells)
        return min(cells, key=lambda c: sum(self.game.board.distance(c, other) for other in cells))


def _means(word: str, names: Any) -> bool:
    return unaccented(word) in {unaccented(name) for name in names}
