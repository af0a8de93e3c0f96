"""The in-app rulebook: Markdown in which every case has a heading of its own (`## 10.7 Safe hexes`)."""

from __future__ import annotations

import re
from typing import NamedTuple

from grognard.files import DataError, Folder


class Article(NamedTuple):
    """One case of the rules."""

    case: str
    title: str
    body: str


class Rulebook:
    """The cases in the order of the book."""

    def __init__(self, folder: Folder, language: str) -> None:
        name = f"text/rules.{language}.md"
        self.articles: dict[str, Article] = {}
        self.preface = ""
        found: list[tuple[str, str, int, list[str]]] = []
        preface: list[str] = []
        for number, line in enumerate(folder.text(name).splitlines(), 1):
            heading = re.match(r"##\s+(\d+(?:\.\d+)*)\s+(.+)", line)
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

    def search(self, word: str) -> list[Article]:
        """The cases that mention a word, whatever its capitals."""
        wanted = word.casefold()
        return [a for a in self.articles.values() if wanted in f"{a.title}\n{a.body}".casefold()]
