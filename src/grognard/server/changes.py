"""What has changed between two sights of a table, for whoever has seen the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MANY = 4
"""So many units that have changed alike are told together."""


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """From one state as it was sent to the next: keys that changed, units and parts that changed. What has
    not changed is not there at all."""
    found: dict[str, Any] = {"from": old["version"], "to": new["version"]}
    changed = {key: value for key, value in new.items() if key != "view" and old[key] != value}
    if changed:
        found["set"] = changed
    before, now = old["view"], new["view"]
    units = _units(before["units"], now["units"])
    alike = _alike(units) if len(units) >= MANY else []
    if alike:
        found["alike"] = alike
    if units:
        found["units"] = units
    lying = {key(part): part for part in before["parts"]}
    parts = {key(part): part for part in now["parts"] if lying.pop(key(part), None) != part}
    parts |= dict.fromkeys(lying)
    if parts:
        found["parts"] = parts
    if before["scores"] != now["scores"]:
        found["scores"] = now["scores"]
    return found


def _units(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Units that have changed; one that is seen no longer is null."""
    if len(old) == len(new):
        # Most are the same, and games that remember what they have shown show the very same again.
        pairs = [(one, other) for one, other in zip(old, new, strict=True) if one is not other]
        old, new = [one for one, _ in pairs], [other for _, other in pairs]
    shown = {unit["id"]: unit for unit in old}
    found: dict[str, Any] = {}
    for unit in new:
        known = shown.pop(unit["id"], None)
        if known != unit:
            found[unit["id"]] = _changed(known, unit)
    return found | dict.fromkeys(shown)


def _alike(units: dict[str, Any]) -> list[tuple[Any, list[str]]]:
    """Take out of the changes of units those that many have in common, as when a phase ends: what has
    changed, and of which units."""
    together: dict[str, list[str]] = {}
    for id_, change in units.items():
        if change is not None and "id" not in change:
            together.setdefault(repr(change), []).append(id_)
    many = [(units[ids[0]], ids) for ids in together.values() if len(ids) >= MANY]
    for _, ids in many:
        for id_ in ids:
            del units[id_]
    return many


def _changed(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> Mapping[str, Any]:
    """A unit that is new, whole; of one that was there before what has changed, without its id."""
    if old is None or old.keys() != new.keys():
        return new
    return {key: value for key, value in new.items() if old[key] != value}


def key(part: Mapping[str, Any]) -> str:
    """What a part is called among the changes (kernel.table.part_key)."""
    return f"{part['id']}:{part['side']}" if "side" in part else str(part["id"])
