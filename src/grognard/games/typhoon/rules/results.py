"""8.4.2 The words of the combat table."""

from __future__ import annotations

from typing import NamedTuple


class Half(NamedTuple):
    """What a result says of one side."""

    steps: int = 0
    retreat: bool = False
    wiped: bool = False
    star: bool = False


def read_half(text: str) -> Half:
    star = text.endswith("*")
    body = text.rstrip("*")
    if body in ("-", "e"):
        return Half(wiped=body == "e", star=star)
    return Half(int(body.rstrip("R") or 0), body.endswith("R"), False, star)


def read_result(text: str) -> tuple[Half, Half]:
    """The attacker's half and the defender's."""
    attacker, defender = text.split("/")
    return read_half(attacker), read_half(defender)
