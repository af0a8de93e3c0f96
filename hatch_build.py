"""Puts the page into what is built: the wheel and the source archive carry it, so that those who install them
need no Node.

A page that is as new as its sources is used as it is; that is the case in a source archive. Else it is built,
with the machine's Node or, where there is none, with that of the package index, which the build asks for."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "tools"))

import page


class PageHook(BuildHookInterface):  # type: ignore[type-arg, unused-ignore]
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if page.is_fresh() or page.node_here() else [page.WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # An editable install uses the tree itself: `make page` builds the page there.
        if version != "editable":
            page.build()
