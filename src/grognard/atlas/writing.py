"""Writing a drafted map so that it can be read, compared and corrected by hand, and is always the same."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grognard.atlas.build import Draft

HEX_COLUMNS = ("hex", "terrain", "features", "name_en", "name_fr", "provenance", "source")
SIDE_COLUMNS = ("a", "b", "feature", "name_en", "name_fr", "provenance", "source")
COPIED = ("grid", "georeference", "terrains", "features", "groups", "labels")


def write_map(draft: Draft, settings: Mapping[str, Any], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "map.toml").write_text(map_toml(settings), encoding="utf-8", newline="\n")
    (out / "hexes.csv").write_text(hexes_csv(draft), encoding="utf-8", newline="\n")
    (out / "sides.csv").write_text(sides_csv(draft), encoding="utf-8", newline="\n")


def hexes_csv(draft: Draft) -> str:
    rows = [
        (
            draft.frame.number(hex_),
            entry.terrain,
            "|".join(sorted(entry.features)),
            entry.name_en,
            entry.name_fr,
            entry.credit.provenance,
            entry.credit.source,
        )
        for hex_, entry in draft.hexes.items()
    ]
    return _csv(HEX_COLUMNS, sorted(rows))


def sides_csv(draft: Draft) -> str:
    rows = []
    for (side, feature), entry in draft.sides.items():
        a, b = sorted(draft.frame.number(hex_) for hex_ in side)
        credit = entry.credit
        rows.append((a, b, feature, entry.name_en, entry.name_fr, credit.provenance, credit.source))
    return _csv(SIDE_COLUMNS, sorted(rows))


def map_toml(settings: Mapping[str, Any]) -> str:
    """The part of the settings that belongs to the map, without what only the maker needs."""
    lines = [f"{key} = {_value(settings[key])}" for key in ("title_en", "title_fr")]
    for key in COPIED:
        if key in settings:
            _table([key], settings[key], lines)
    return "\n".join(lines) + "\n"


def _table(path: list[str], value: Any, lines: list[str]) -> None:
    name = ".".join(path)
    if isinstance(value, list):
        for item in value:
            lines += ["", f"[[{name}]]"]
            lines += [f"{key} = {_value(item[key])}" for key in item]
        return
    plain = [key for key, inner in value.items() if not _is_table(inner)]
    if plain:
        lines += ["", f"[{name}]"]
        lines += [f"{key} = {_value(value[key])}" for key in plain]
    for key, inner in value.items():
        if _is_table(inner):
            _table([*path, key], inner, lines)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A JSON string is a TOML string too, as long as no control character needs its own escape.
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return repr(value)


def _csv(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()
