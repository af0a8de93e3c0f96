"""What a position is made of, said once: its copy and its plain values follow from it.

A game's state names its fields in a table instead of writing `clone` and `plain` by hand. The functions are
compiled when the class is made, as `dataclasses` does, and are as fast as written ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Field(NamedTuple):
    """One slot of a position. `{}`, or `{0}` where it is needed twice, stands for its value in each
    expression."""

    name: str
    copied: str
    written: str | None
    """As a plain value; None for what is derived from other fields and no part of the position's identity."""


def value(name: str) -> Field:
    """A number, a word, a truth value, None, or a tuple of these: it never changes, so copies share it."""
    return Field(name, "{}", "{}")


def seldom(name: str) -> Field:
    """A tuple that is empty in most positions, and then not written: they keep the fingerprints that they had
    before there was such a field."""
    return Field(name, "{}", "*({0} and ({0},))")


def octets(name: str) -> Field:
    """A bytearray: a small number for each unit."""
    return Field(name, "{}.copy()", "bytes({})")


def row(name: str) -> Field:
    """A list of plain values."""
    return Field(name, "{}.copy()", "tuple({})")


def numbers(name: str) -> Field:
    """An array of numbers of one size, for thousands of units."""
    return Field(name, "{}[:]", "tuple({})")


def table(name: str) -> Field:
    """A dict of plain values, written in the order of its keys."""
    return Field(name, "{}.copy()", "tuple(sorted({}.items()))")


def derived(name: str, copied: str = "{}.copy()") -> Field:
    """Something worked out from the other fields and kept in step with them."""
    return Field(name, copied, None)


def shared(name: str) -> Field:
    """Something that is the same in every position of a game and never changes."""
    return derived(name, "{}")


def names(fields: Sequence[Field]) -> tuple[str, ...]:
    """For `__slots__`."""
    return tuple(field.name for field in fields)


def compile_fields(cls: type, fields: Sequence[Field]) -> None:
    """Give a class its `clone`, a copy that shares nothing that can change, and its `plain`, everything that
    makes the position what it is."""
    copies = [f"    copy.{f.name} = {f.copied.format(f'self.{f.name}')}" for f in fields]
    parts = [f"        {f.written.format(f'self.{f.name}')}," for f in fields if f.written is not None]
    bodies = {
        "clone": ["    copy = new(type(self))", *copies, "    return copy"],
        "plain": ["    return (", *parts, "    )"],
    }
    made: dict[str, Any] = {"new": object.__new__}
    for name, body in bodies.items():
        exec("\n".join([f"def {name}(self):", *body]), made)
        setattr(cls, name, made[name])
