"""How a server is set up, from the environment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class ServerSettings(NamedTuple):
    database: str
    """SQLAlchemy URL: sqlite:///file or postgresql+psycopg://..."""
    cache: Path
    """Where pictures of maps are kept."""
    overrides: Path | None = None
    draw_ahead: bool = True
    """Whether maps are drawn before anybody asks for them."""


def settings_from_environment() -> ServerSettings:
    home = Path(os.environ.get("GROGNARD_HOME", Path.home() / ".grognard"))
    home.mkdir(parents=True, exist_ok=True)
    overrides = os.environ.get("GROGNARD_OVERRIDES")
    return ServerSettings(
        database=database_url(os.environ.get("GROGNARD_DATABASE") or f"sqlite:///{home / 'games.sqlite'}"),
        cache=Path(os.environ.get("GROGNARD_CACHE", home / "maps")),
        overrides=Path(overrides) if overrides else None,
        draw_ahead=os.environ.get("GROGNARD_DRAW_AHEAD") != "no",
    )


def database_url(url: str) -> str:
    """PostgreSQL URLs as people write them, with the driver that we use."""
    for prefix in ("postgresql://", "postgres://"):
        if url.startswith(prefix):
            return "postgresql+psycopg://" + url.removeprefix(prefix)
    return url
