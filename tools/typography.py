"""Sets the signs of the words that players read as the two languages want them: typographic apostrophes and
quotes, no-break spaces in French. `make format` runs it; tests/test_language.py says what is still wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src" / "grognard"

FIXED = "\u00a0"

FRENCH_PARAGRAPH = re.compile(r"\*\*(?:Titre|Question \(fr\)|Décision|Motif)\*\*: ")
"""How the French paragraphs of a ruling begin."""

TO_TYPE = re.compile(r"(`[^`]*`|--\w[\w-]*|pip install '[^']*')")
"""What a person types stays as it is."""


def french(text: str) -> str:
    text = re.sub(r"(?<=\w)'(?=\w)", "’", text)
    text = re.sub(rf"[ {FIXED}]+([;:!?%»])(?!\w)", FIXED + r"\1", text)
    text = re.sub(rf"«[ {FIXED}]*", "«" + FIXED, text)
    return re.sub(r"(?<=[\d½}]) (?=(?:PM|PV|km|s)(?!\w))", FIXED, text)


def english(text: str) -> str:
    text = re.sub(r"(?<=\w)'(?=\w)|(?<=s)'(?=\s)", "’", text)
    text = re.sub(r'(?<!\\)"([^"\\]*)(?<!\\)"', r"“\1”", text)
    return re.sub(r"(?<=[\d}]) %", "%", text)


def prose(text: str, language: str) -> str:
    fix: Callable[[str], str] = french if language == "fr" else english
    return "".join(part if TO_TYPE.fullmatch(part) else fix(part) for part in TO_TYPE.split(text))


def settings(line: str) -> str:
    """A line of a TOML file: the strings named en and fr, name_en and name_fr."""
    if line.lstrip().startswith("#") or re.match(r"(?:legend|help|\"plan\?\") =", line):
        return line

    def fixed(match: re.Match[str]) -> str:
        return f'{match[1]} = "{prose(match[3], match[2])}"'

    return re.sub(r'\b((?:\w+_)?(en|fr)) = "((?:[^"\\]|\\.)*)"', fixed, line)


def book(line: str, language: str) -> str:
    """A line of a rulebook or of the rulings."""
    mark = re.match(r"#+ |\*\*[^*]+\*\*: |", line)
    start = mark[0] if mark else ""
    if FRENCH_PARAGRAPH.match(line):
        language = "fr"
    return start + prose(line[len(start) :], language)


def main() -> None:
    for path in sorted([*SOURCES.rglob("*.toml"), *SOURCES.glob("games/**/*.md")]):
        before = path.read_text(encoding="utf-8")
        lines = before.split("\n")
        if path.suffix == ".toml":
            after = "\n".join(settings(line) for line in lines)
        else:
            language = "fr" if ".fr." in path.name else "en"
            after = "\n".join(book(line, language) for line in lines)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"signs set in {path.relative_to(SOURCES.parents[1])}")


if __name__ == "__main__":
    main()
