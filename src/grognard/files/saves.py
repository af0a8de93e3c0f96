"""Saved games as files: their shape, before any game looks at them."""

from __future__ import annotations

import json
from typing import Any

FORMAT = 2
OLDER = 1
"""Saves of this format do not say who answered: it was always the one side that was asked."""


NO_SAVE = "not-a-save"


class SaveError(ValueError):
    """A save that cannot be used, with the reason, and its kind for those who say it in other words."""

    def __init__(self, reason: str, code: str = "save-unfit") -> None:
        super().__init__(reason)
        self.code = code


def read_save(text: str) -> dict[str, Any]:
    """The parts of a save, checked for shape only."""
    try:
        head = json.loads(text)
    except json.JSONDecodeError as error:
        raise SaveError(f"not a save: {error.msg} on line {error.lineno}", NO_SAVE) from None
    except (ValueError, RecursionError):  # numbers or nestings that no save has
        raise SaveError("not a save", NO_SAVE) from None
    shape = {
        "format": int,
        "game": str,
        "rules": str,
        "data": str,
        "scenario": str,
        "options": dict,
        "seed": str,
        "hash": str,
        "actions": list,
    }
    if not isinstance(head, dict):
        raise SaveError("not a save", NO_SAVE)
    for key, kind in shape.items():
        if not isinstance(head.get(key), kind):
            raise SaveError(f"not a save: {key!r} is missing or of the wrong kind", NO_SAVE)
    if not _is_text(head["seed"]):
        raise SaveError("not a save: 'seed' is not text", NO_SAVE)
    if head["format"] not in (OLDER, FORMAT):
        raise SaveError(f"save format {head['format']} is not supported (this is format {FORMAT})", NO_SAVE)
    return head


def _is_text(word: str) -> bool:
    """Whether a string can be written down: JSON lets halves of characters through."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True
