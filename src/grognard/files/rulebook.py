"""The in-app rulebook: Markdown in which every case has a heading of its own (`## 10.7 Safe hexes`); and the
rulings: what we decided where the published rules are silent or contradict themselves, in both languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from grognard.files.tables import DataError, Folder, read_table


class Article(NamedTuple):
    """One case of the rules."""

    case: str
    title: str
    body: str


class Ruling(NamedTuple):
    """One decision of ours: the cases that it reads, and why it reads them so."""

    cases: tuple[str, ...]
    title: str
    question: str
    ruling: str
    reason: str


RULINGS = "rulings.md"
TO_COME = "to_come.csv"
CASE = r"S?\d+(?:(?:\.\d+)+|[A-Z]\d*[a-z]?)?"
"""The number of a case: `10.7` or `34A4`. Special rules of scenarios, which a book does not number, begin
with an S: `S2.3`."""

_RULING_PARTS = {
    "en": ("Question", "Ruling", "Reason"),
    "fr": ("Titre", "Question (fr)", "Décision", "Motif"),
}
"""The labels of a ruling's paragraphs by language. The English title is the heading itself."""

RULING_MARKS = {"en": "ruling", "fr": "décision"}
"""The word in brackets that marks a ruling in the text of the rules: `(ruling)`, `(décision, 4.2)`."""


def read_rulings(folder: Folder, language: str) -> list[Ruling]:
    """The rulings of a game in the order of its file. A heading `## 3.0, 7.1.2: Title?` names the cases; both
    languages stand under it, so that one cannot be changed without the other in sight."""
    found: list[Ruling] = []
    for number, heading, parts in _rulings(folder):
        named = re.match(rf"({CASE}(?:, {CASE})*): (.+)", heading)
        if not named:
            raise DataError(folder.label(RULINGS), number, f"no case and title in {heading!r}")
        for label in (label for labels in _RULING_PARTS.values() for label in labels):
            if not parts.get(label):
                raise DataError(folder.label(RULINGS), number, f"{heading!r} has no {label!r}")
        texts = [parts[label] for label in _RULING_PARTS[language]]
        if language == "en":
            texts.insert(0, named[2])
        found.append(Ruling(tuple(named[1].split(", ")), *texts))
    return found


def marked_cases(article: Article, language: str) -> list[str]:
    """The cases whose rulings the text of a case refers to, one for each mark: its own, unless the mark names
    another."""
    marks = re.findall(rf"\({RULING_MARKS[language]}\b(?:, ({CASE}))?", article.body)
    return [other or article.case for other in marks]


def _rulings(folder: Folder) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Line, heading and labelled paragraphs of each ruling."""
    if not (folder.base / RULINGS).exists():
        return
    heading, at, parts = "", 0, dict[str, str]()
    for number, line in enumerate(folder.text(RULINGS).splitlines(), 1):
        if line.startswith("## "):
            if heading:
                yield at, heading, parts
            heading, at, parts = line[3:].strip(), number, {}
        elif heading and line.strip():
            part = re.match(r"\*\*(.+?)\*\*: (.+)", line)
            if not part or part[1] in parts:
                raise DataError(
                    folder.label(RULINGS), number, "a paragraph of a ruling begins with its label, once"
                )
            parts[part[1]] = part[2]
    if heading:
        yield at, heading, parts


def _cases_to_come(folder: Folder) -> frozenset[str]:
    """The cases of the book that a game does not play yet."""
    if not (folder.base / TO_COME).is_file():
        return frozenset()
    return frozenset(row.text("case") for row in read_table(folder, TO_COME, ("case",), ("case",), more=True))


class Rulebook:
    """The cases in the order of the book."""

    def __init__(self, folder: Folder, language: str) -> None:
        name = f"text/rules.{language}.md"
        self.articles: dict[str, Article] = {}
        self.preface = ""
        found: list[tuple[str, str, int, list[str]]] = []
        preface: list[str] = []
        for number, line in enumerate(folder.text(name).splitlines(), 1):
            heading = re.match(rf"##\s+({CASE})\s+(.+)", line)
            if heading:
                found.append((heading[1], heading[2].strip(), number, []))
            elif found:
                found[-1][3].append(line)
            elif not line.startswith("# "):
                preface.append(line)
        for case, title, number, lines in found:
            if case in self.articles:
                raise DataError(folder.label(name), number, f"case {case} is told twice")
            self.articles[case] = Article(case, title, "\n".join(lines).strip())
        self.preface = "\n".join(preface).strip()
        self.language = language
        # Rulings on cases that are still to come wait for their rules.
        self._to_come = _cases_to_come(folder)
        self.rulings = [r for r in read_rulings(folder, language) if not set(r.cases) <= self._to_come]

    def rulings_of(self, case: str) -> list[Ruling]:
        return [ruling for ruling in self.rulings if case in ruling.cases]

    def unpaired(self) -> list[str]:
        """Marks that lead to no ruling, and rulings to which too few marks lead: a case has a mark for each
        of its rulings, and a ruling of several cases is marked in one of them at least."""
        marks = Counter(case for a in self.articles.values() for case in marked_cases(a, self.language))
        owed = Counter(ruling.cases[0] for ruling in self.rulings if len(ruling.cases) == 1)
        lost = [f"case {case} is marked and has no ruling" for case in marks if not self.rulings_of(case)]
        for case, number in owed.items():
            if marks[case] < number:
                lost.append(f"case {case} has {number} rulings and {marks[case]} marks")
        for ruling in self.rulings:
            known = {*self.articles, *self._to_come}
            if unknown := [case for case in ruling.cases if case not in known]:
                lost.append(f"ruling {ruling.title!r} reads cases not in the rules: {', '.join(unknown)}")
            if len(ruling.cases) > 1 and not any(marks[case] > owed[case] for case in ruling.cases):
                lost.append(f"ruling {ruling.title!r} is marked nowhere")
        return lost

    def search(self, word: str) -> list[Article]:
        """The cases that mention a word, whatever its capitals."""
        wanted = word.casefold()
        return [a for a in self.articles.values() if wanted in f"{a.title}\n{a.body}".casefold()]
