"""What a game declares, with its names: verbs, badges, parts, layers, kinds, nations, pieces, guide."""

from __future__ import annotations

from typing import Any

from grognard.kernel import Game


def kit_words(game: Game[Any], language: str) -> dict[str, Any]:
    return {
        "verbs": _verbs(game, language),
        "badges": _badges(game, language),
        "parts": _parts(game, language),
        "layers": _layers(game, language),
        "kinds": _kinds(game, language),
        "nations": {id_: _text(game, "nations", id_, language) for id_ in game.catalogue.codes("nations")},
        "pieces": _pieces(game, language),
        "guide": [
            {
                "id": step.id,
                "text": _text(game, "guide", step.id, language),
                "roles": [role.value for role in step.roles],
                "selected": step.selected,
                "after": None if step.after is None else step.after.value,
                "side": step.side,
                "decisions": list(step.decisions),
                "scenarios": list(step.scenarios),
            }
            for step in game.guide
        ],
    }


def _text(game: Game[Any], section: str, code: str, language: str, default: str | None = None) -> str:
    if default is not None and not game.catalogue.has(section, code):
        return default
    return game.catalogue.template(section, code, language)


def _verbs(game: Game[Any], language: str) -> dict[str, dict[str, Any]]:
    found = {}
    for word in game.verbs():
        gloss = _text(game, "verbs", word, language)
        found[word] = {
            "kinds": list(game.argument_kinds(word)),
            "role": game.role((word,)).value,
            # A button begins with a capital.
            "label": _text(game, "labels", word, language, gloss[:1].upper() + gloss[1:]),
            "labels": _labels_by_question(game, word, language),
            "gloss": gloss,
            "typed": _text(game, "typed", word, language),
        }
    return found


def _labels_by_question(game: Game[Any], word: str, language: str) -> dict[str, str]:
    """Where the same verb leads to different things, the question tells: `verb/decision` in the texts."""
    start = f"{word}/"
    return {
        code.removeprefix(start): _text(game, "labels", code, language)
        for code in game.catalogue.codes("labels")
        if code.startswith(start)
    }


def _badges(game: Game[Any], language: str) -> dict[str, dict[str, str]]:
    return {
        badge.id: {
            "letter": _text(game, "letters", badge.id, language, badge.id[:1].upper()),
            "shape": badge.shape,
            "tone": badge.tone,
            "name": _text(game, "badges", badge.id, language),
        }
        for badge in game.badges
    }


def _parts(game: Game[Any], language: str) -> dict[str, dict[str, str]]:
    """Parts, and their groups and slots as `part/group`."""
    found = {}
    for kind in game.parts:
        found[kind.id] = {
            "name": _text(game, "parts", kind.id, language),
            "about": _text(game, "about", kind.id, language, ""),
            "part": kind.kind,
            "glyph": kind.glyph,
            "tone": kind.tone,
        }
        tones = dict(kind.tones)
        for group in kind.groups:
            found[f"{kind.id}/{group}"] = {
                "name": _text(
                    *(game, "parts", f"{kind.id}/{group}", language),
                    _text(game, "parts", group, language, group),
                ),
                "tone": tones.get(group, "info"),
            }
    return found


def _layers(game: Game[Any], language: str) -> list[dict[str, Any]]:
    return [
        {
            "id": layer.id,
            "name": _text(game, "layers", layer.id, language),
            "short": _text(game, "shorts", layer.id, language),
            "sided": layer.sided,
            "style": layer.style,
        }
        for layer in game.layers
    ]


def _kinds(game: Game[Any], language: str) -> dict[str, dict[str, str]]:
    return {
        kind: {"name": _text(game, "kinds", kind, language), "symbol": game.symbols.get(kind, kind)}
        for kind in game.catalogue.codes("kinds")
    }


def _pieces(game: Game[Any], language: str) -> dict[str, str]:
    """Everything that lies in a pool or a display and is no unit, by its name."""
    found = {}
    for kind in sorted({part.pieces for part in game.parts if part.pieces}):
        for value in game.values(kind):
            word = game.write_argument(kind, value)
            found[word] = game.render_fact(kind, value, language)
    return found
