"""A batch as one HTML page that needs nothing else: no network, no other file."""

from __future__ import annotations

import base64
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from grognard.kernel import Game
from grognard.lab.charts import band_chart, histogram, rate_bar
from grognard.lab.history import first_day
from grognard.lab.mapping import MapPicture, overlay
from grognard.lab.run import Batch
from grognard.lab.standings import table
from grognard.lab.statistics import ChiSquare, Rate
from grognard.lab.summary import (
    MEASURES,
    NOBODY,
    Column,
    Dated,
    Fate,
    Summary,
    fronts,
    open_for_reading,
    summarise,
)
from grognard.lab.words import LabWords, markdown

UNUSUAL = 0.01
"""A p-value below which the report says that results do not fit."""


def write_report(batch: Batch, language: str, out: Path | None = None) -> Path:
    path = out or batch.folder / f"report.{language}.html"
    draft = path.with_suffix(".new")
    draft.write_text(Report(batch, language).page(), encoding="utf-8")
    draft.replace(path)
    return path


class Report:
    """The page, section by section."""

    def __init__(self, batch: Batch, language: str) -> None:
        self.batch = batch
        self.words = LabWords(language)
        self.language = language
        self.game: Game[Any]
        self.game, history = open_for_reading(batch)
        self.summary: Summary = summarise(batch, self.game, history)
        names = self.game.settings.get("sides", dict)
        self.sides = {side: str(names[side][language]) for side in self.game.sides}
        self.place = {side: place for place, side in enumerate(self.game.sides)}

    def page(self) -> str:
        spec, words = self.batch.spec, self.words
        title = words("report", "title", game=self.game.settings.get("title", dict)[self.language])
        sections = [
            ("results", self._results()),
            ("turns", self._turns()),
            ("front", self._front()),
            ("dated", self._dated()),
            ("combats", self._combats()),
            ("fates", self._fates()),
        ]
        links = "".join(f'<li><a href="#{id_}">{self._w(id_, "heading")}</a></li>' for id_, _ in sections)
        body = "".join(
            f'<section id="{id_}"><h2>{self._w(id_, "heading")}</h2>{content}</section>'
            for id_, content in sections
        )
        now = (self.game.rules_version, self.game.digest(spec.scenario))
        changed = now != (spec.rules, spec.data)
        warning = f'<p class="warn">{self._w("method", "changed")}</p>' if changed else ""
        return (
            f'<!doctype html>\n<html lang="{self.language}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(title)}</title><style>\n{_letters()}{_file('report.css')}</style></head>\n"
            f"<body><header><h1>{escape(title)}</h1>{self._intro()}{warning}"
            f'<nav aria-label="{self._w("report", "contents")}"><ul>{links}</ul></nav></header>\n'
            f"<main>{body}</main>\n<footer><h3>{self._w('method', 'heading')}</h3>"
            f"<p>{_code(self._w('method', 'text'))}</p></footer>\n"
            f"<script>\n{_file('report.js')}</script></body></html>\n"
        )

    def _w(self, section: str, code: str, **facts: Any) -> str:
        return escape(self.words(section, code, **facts))

    def _intro(self) -> str:
        told, *more, made = (escape(line) for line in self._about())
        return f'<p>{told}</p>{"".join(f"<p>{line}</p>" for line in more)}<p class="note">{made}</p>'

    def _about(self) -> list[str]:
        """What was played, line by line."""
        spec, words = self.batch.spec, self.words
        players = ", ".join(
            words("report", "plays", player=player, side=self.sides[side])
            for player, side in zip(spec.players, self.game.sides, strict=True)
        )
        if spec.swap:
            players += f" ({words('report', 'swapped')})"
        scenario = self.game.scenarios[spec.scenario].names[self.language]
        lines = [
            words(
                "report",
                "intro",
                games=self.summary.games,
                scenario=scenario,
                players=players,
                seed=spec.seed,
            )
        ]
        if spec.options:
            lines.append(words("report", "options", options=", ".join(spec.options)))
        if self.batch.overrides is not None:
            values = "; ".join(self.batch.own_values()) or words("report", "nothing-own")
            lines.append(words("report", "own", folder=self.batch.overrides, values=values))
        lines.append(
            words(
                "report",
                "made-of",
                rules=spec.rules,
                data=spec.data,
                doctrine=spec.doctrine,
                program=spec.program,
                version=spec.version,
                seconds=words.number(self.summary.seconds, 2),
                decisions=words.number(self.summary.decisions),
            )
        )
        return lines

    def notes(self) -> str:
        """The page's tables in plain text: who won, and what history dates."""
        words = self.words
        scores, dated = table(self.summary.standings, self.sides, words), self._dated_table()
        parts = ["\n".join(self._about()), markdown(scores[0], scores[1:])]
        parts.append(markdown(dated[0], dated[1:]) if self.summary.dated else words("dated", "none"))
        return "\n\n".join(parts)

    def _key(self) -> str:
        items = "".join(
            f'<li><span class="swatch side{self.place[side]}"></span>{escape(name)}</li>'
            for side, name in self.sides.items()
        )
        return f'<ul class="key">{items}</ul>'

    # Who wins

    def _results(self) -> str:
        summary, words = self.summary, self.words
        names = {**self.sides, NOBODY: words("results", "nobody")}
        wins = "".join(
            self._rate(names[side], found, f"side{self.place[side]}" if side in self.place else "")
            for side, found in summary.wins.items()
        )
        levels = "".join(
            self._rate(self._level(level), found, self._side_of_level(level))
            for level, found in summary.levels.items()
        )
        first, second = list(self.sides.values())[:2]
        heading = self._w("results", "balance", first=first, second=second)
        heaps = [
            (f"side{self.place[name]}" if name in self.place else "", values)
            for name, values in summary.balance.items()
        ]
        chart = histogram(heaps, heading, self.language)
        length = self._w("results", "length", mean=words.number(summary.length.mean, 1))
        return (
            f'<p class="note">{self._w("results", "note")}</p><div class="grid">'
            f'<div><h3>{self._w("results", "winner")}</h3><div class="rates">{wins}</div>'
            f'<h3 style="margin-top:1rem">{self._w("results", "level")}</h3><div class="rates">{levels}</div>'
            f"<p>{length}</p></div>"
            f"<figure><h3>{heading}</h3>{chart}{self._key()}</figure></div>{self._standings()}"
        )

    def _standings(self) -> str:
        head, *body = table(self.summary.standings, self.sides, self.words)
        heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in body
        )
        return (
            f"<h3>{self._w('standings', 'heading')}</h3>"
            f'<div class="wide" tabindex="0"><table class="standings"><thead><tr>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>"
        )

    def _rate(self, name: str, found: Rate, side: str) -> str:
        words = self.words
        of, between = escape(words.of(found)), escape(words.between(found.interval))
        return (
            f'<div class="rate"><span class="label">{escape(name)}</span>{rate_bar(found, side)}'
            f'<span class="figure">{words.per_cent(found.share)} <small>{of} · {between}</small></span></div>'
        )

    def _level(self, level: str) -> str:
        words = self.game.catalogue.template("words", level, self.language)
        return words[:1].upper() + words[1:]

    def _side_of_level(self, level: str) -> str:
        return next((f"side{place}" for side, place in self.place.items() if level.startswith(side)), "")

    # Turn by turn

    def _turns(self) -> str:
        figures = []
        for measure in MEASURES:
            heading = self._w("turns", measure)
            series = {self.place[side]: line for side, line in self.summary.turns[measure].items() if line}
            chart = band_chart(series, heading, self.words("turns", "turn"), self.language)
            if chart:
                figures.append(f"<figure><h3>{heading}</h3>{chart}</figure>")
        note = f'<p class="note">{self._w("turns", "note")}</p>'
        return f'{note}{self._key()}<div class="grid two">{"".join(figures)}</div>'

    # The front

    def _front(self) -> str:
        picture = MapPicture(self.game.board, self.language)
        found = fronts(self.batch, self.game)
        pen = picture.width / 350
        layers = []
        for front in found:
            label = escape(self._turn_label(front.turn, front.games), quote=True)
            drawing = overlay(picture, front, self.game.sides)
            now = ' class="now"' if front is found[-1] else ""
            layers.append(f'<g data-turn="{front.turn}" data-label="{label}"{now}>{drawing}</g>')
        last = len(found) - 1
        latest = escape(self._turn_label(found[-1].turn, found[-1].games))
        title = escape(self.words("front", "heading"), quote=True)
        size = f'width="{picture.width:.0f}" height="{picture.height:.0f}"'
        lines = f".casing{{stroke-width:{2.4 * pen:.0f}}}.median{{stroke-width:{pen:.0f}}}"
        return (
            f'<p class="note">{self._w("front", "note")}</p><div class="controls layers show-front">'
            f'<label>{self._w("front", "which")} <input id="turn" type="range" min="0" max="{last}" '
            f'value="{last}" step="1"></label>'
            f'<output id="told" for="turn">{latest}</output>'
            f'<label><input type="radio" name="layer" value="front" checked> '
            f"{self._w('front', 'layer-front')}</label>"
            f'<label><input type="radio" name="layer" value="held"> {self._w("front", "layer-held")}</label>'
            f'<label><input type="checkbox" id="large"> {self._w("front", "enlarge")}</label>'
            '</div><div class="map layers show-front" tabindex="0"><div>'
            f'<img alt="{title}" src="{picture.source}" {size}>'
            f'<svg viewBox="{picture.view}" aria-hidden="true"><style>{lines}</style>{"".join(layers)}</svg>'
            f"</div></div>{self._scale()}"
        )

    def _scale(self) -> str:
        shades = "".join(f'<i class="heat{level}"></i>' for level in range(5))
        return (
            f'<ul class="key layers key-front show-front"><li>5 % <span class="scale">{shades}</span> 100 % '
            f"({self._w('front', 'share')})</li></ul>"
            f'<div class="layers key-held show-front">{self._key()}</div>'
        )

    def _turn_label(self, turn: int, games: int) -> str:
        words = self.words
        if not turn:
            return words("front", "set-up")
        day = first_day(self.game, turn)
        dated = f" {words('front', 'from-day', day=words.day(day))}" if day else ""
        label = words("front", "turn", turn=turn) + dated
        if games < self.summary.games:
            label += f", {words('front', 'games', games=games)}"
        return label

    # Dated events

    def _dated(self) -> str:
        if not self.summary.dated:
            return f"<p>{self._w('dated', 'none')}</p>"
        rows = "".join(self._dated_row(line) for line in self.summary.dated)
        heads = "".join(
            f"<th>{self._w('dated', code)}</th>" for code in ("event", "history", "happened", "median")
        )
        turns = f"<th>{escape(self.words('turns', 'turn').capitalize())}</th>"
        colon = "\N{NO-BREAK SPACE}:" if self.language == "fr" else ":"
        sources = "".join(
            f"<li>{escape(line.event.names[self.language])}{colon} {escape(line.event.source)}</li>"
            for line in self.summary.dated
        )
        return (
            f'<p class="note">{self._w("dated", "note")}</p><table class="dated"><thead><tr>{heads}{turns}'
            f"</tr></thead><tbody>{rows}</tbody></table>"
            f"<details><summary>{self._w('dated', 'sources')}</summary><ul>{sources}</ul></details>"
        )

    def _dated_row(self, line: Dated) -> str:
        words, event = self.words, line.event
        history = self._in_history(line)
        median = '<td class="figure none">–</td>'
        if line.median is not None:
            label = escape(words("dated", "median").lower(), quote=True)
            turn = self._w("dated", "turn", turn=words.short(line.median))
            half = f"<small>({escape(self._middle_half(line))})</small>"
            median = f'<td class="figure" data-label="{label}">{turn} {half}</td>'
        between = escape(words.between(line.happened.interval))
        share = f"{words.per_cent(line.happened.share)} <small>({between})</small>"
        played = self.game.scenarios[self.batch.spec.scenario]
        boxes = "".join(self._box(line, turn) for turn in range(played.first, played.last + 1))
        return (
            f'<tr><td class="what">{escape(event.names[self.language])}</td>'
            f'<td>{escape(history)}</td><td class="figure">{share}</td>{median}'
            f'<td class="when"><span class="strip">{boxes}</span></td></tr>'
        )

    def _in_history(self, line: Dated) -> str:
        words, event = self.words, line.event
        if event.day is None:
            return words("dated", "never")
        return f"{words.day(event.day)} ({words('dated', 'turn', turn=event.turn)})"

    def _middle_half(self, line: Dated) -> str:
        if line.half is None:
            return "–"
        low, high = map(self.words.short, line.half)
        return self.words("dated", "from-to", low=low, high=high)

    def _dated_table(self) -> list[list[str]]:
        """History beside the games, the head of the columns first."""
        words = self.words
        codes = ("event", "history", "median", "middle-half", "happened")
        lines = [[words("dated", code) for code in codes]]
        for line in self.summary.dated:
            median = "–" if line.median is None else words("dated", "turn", turn=words.short(line.median))
            share = f"{words.per_cent(line.happened.share)} ({words.of(line.happened)})"
            name = line.event.names[self.language]
            lines.append([name, self._in_history(line), median, self._middle_half(line), share])
        return lines

    def _box(self, line: Dated, turn: int) -> str:
        hits = line.turns.get(turn, 0)
        share = hits / line.happened.trials
        shade = f' style="background:rgb(20 80 122 / {0.12 + 0.88 * share:.2f})"' if hits else ""
        styles = " ".join(
            [*(["history"] if turn == line.event.turn else []), *(["dark"] if share > 0.45 else [])]
        )
        title = escape(self.words("dated", "cell", turn=turn, hits=hits), quote=True)
        return f'<b class="{styles}" title="{title}"{shade}>{turn}</b>'

    # Combats

    def _combats(self) -> str:
        combats, words = self.summary.combats, self.words
        if not combats.number:
            return f"<p>{self._w('combats', 'none')}</p>"
        sides = ", ".join(f"{self.sides[side]} {count}" for side, count in sorted(combats.by_side.items()))
        told = [self._w("combats", "number", number=combats.number, sides=sides), self._fit(combats.table)]
        if combats.dice is not None:
            faces = ", ".join(f"{face}: {count}" for face, count in combats.faces.items())
            value = words.number(combats.dice.value, 1)
            told.append(self._w("combats", "fair", faces=faces, value=value, p=words.p_value(combats.dice.p)))
        columns = "".join(self._column(column) for column in combats.columns)
        return (
            "".join(f"<p>{line}</p>" for line in told)
            + f'<p class="note">{self._w("combats", "note")}</p><div class="columns">{columns}</div>'
        )

    def _fit(self, test: ChiSquare | None) -> str:
        if test is None:
            return self._w("combats", "untested")
        facts = {
            "value": self.words.number(test.value, 1),
            "freedom": test.freedom,
            "p": self.words.p_value(test.p),
        }
        if test.p >= UNUSUAL:
            return self._w("combats", "fits", **facts)
        return self._w("combats", "misfits", odds=round(1 / max(test.p, 1e-9)), **facts)

    def _column(self, column: Column) -> str:
        words = self.words
        rows = []
        for result, (count, chance) in column.results.items():
            share = count / column.number
            mark = "" if chance is None else f'<i class="mark" style="left:{100 * chance:.1f}%"></i>'
            expected = "" if chance is None else f" / {words.number(100 * chance)}"
            rows.append(
                f'<span>{escape(result)}</span><span class="track"><i class="fill" '
                f'style="width:{100 * share:.1f}%"></i>{mark}</span>'
                f"<small>{words.number(100 * share)}{expected} %</small>"
            )
        tested = words("combats", "few")
        if column.test is not None:
            tested = f"p = {words.p_value(column.test.p)}"
        return (
            f"<div><h3>{escape(column.odds)} <small>({column.number}; {escape(tested)})</small></h3>"
            f'<div class="results">{"".join(rows)}</div></div>'
        )

    # Survival

    def _fates(self) -> str:
        parts = [f'<p class="note">{self._w("fates", "note")}</p>']
        for side, name in self.sides.items():
            fates = [fate for fate in self.summary.fates if fate.side == side]
            fates.sort(key=lambda fate: (fate.survived.share, fate.died or 99))
            rows = "".join(self._fate(fate) for fate in fates)
            parts.append(f'<h3>{escape(name)}</h3><div class="fates">{rows}</div>')
        return "".join(parts)

    def _fate(self, fate: Fate) -> str:
        words = self.words
        name = self.game.unit_name(self.game.unit_index(fate.unit), self.language)
        told = words("fates", "alive")
        if fate.died is not None:
            told = words("fates", "died", turn=words.short(fate.died))
        title = ""
        if fate.never_came:
            title = f' title="{escape(words("fates", "never-came", games=fate.never_came), quote=True)}"'
        return (
            f'<div class="fate"{title}><span>{escape(name)}</span>'
            f"{rate_bar(fate.survived, f'side{self.place[fate.side]}')}"
            f'<span class="share">{words.per_cent(fate.survived.share)}</span>'
            f"<small>{escape(told)}</small></div>"
        )


def _letters() -> str:
    """The face of the headings, which is the map's."""
    data = (files("grognard.board") / "fonts" / "alegreya-map-bold.woff2").read_bytes()
    source = f"url(data:font/woff2;base64,{base64.b64encode(data).decode()})"
    return f'@font-face {{ font-family: "Alegreya Map"; font-weight: 700; src: {source}; }}\n'


def _file(name: str) -> str:
    return (files("grognard.lab") / name).read_text(encoding="utf-8")


def _code(text: str) -> str:
    """Words between back quotes as code."""
    parts = text.split("`")
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))
