"""How a server is set up, from the environment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from grognard.server.lines import LineLimits
from grognard.server.mail import MailServer, mail_server
from grognard.server.quotas import USUAL, Quotas


class ServerSettings(NamedTuple):
    database: str
    """SQLAlchemy URL: sqlite:///file or postgresql+psycopg://..."""
    cache: Path
    """Where pictures of maps are kept."""
    overrides: Path | None = None
    draw_ahead: bool = True
    """Whether maps are drawn, and what pages need of the games is made, before anybody asks for it."""
    hosts: tuple[str, ...] | None = None
    """The names by which the server may be addressed, beside this machine's own; None: any."""
    quotas: Quotas | None = None
    """What one address may do; None: anything."""
    lines: LineLimits = LineLimits()
    proxies: tuple[str, ...] = ()
    """Addresses of proxies before this server, which say for whom they ask."""
    helpers: int = 0
    """Processes that think for computers; 0: threads of the server's own process."""
    mail: MailServer | None = None
    """Where letters to players are handed in; None: there are none."""
    url: str = ""
    """The address of this server, for the links in letters."""
    games: tuple[str, ...] = ()
    """The games that can be played here; none named: all that are installed."""
    metrics_word: str = ""
    """Who says this word may read the figures from elsewhere; empty: they are for this machine alone."""


def settings_from_environment() -> ServerSettings:
    home = Path(os.environ.get("GROGNARD_HOME", Path.home() / ".grognard"))
    home.mkdir(parents=True, exist_ok=True)
    overrides = os.environ.get("GROGNARD_OVERRIDES")
    # For measurements: there one address stands for everybody.
    limited = os.environ.get("GROGNARD_LIMITS") != "no"
    return ServerSettings(
        database=database_url(os.environ.get("GROGNARD_DATABASE") or f"sqlite:///{home / 'games.sqlite'}"),
        cache=Path(os.environ.get("GROGNARD_CACHE", home / "maps")),
        overrides=Path(overrides) if overrides else None,
        draw_ahead=os.environ.get("GROGNARD_DRAW_AHEAD") != "no",
        hosts=None if "*" in (names := _words("GROGNARD_HOSTS")) else names,
        quotas=USUAL if limited else None,
        lines=LineLimits() if limited else LineLimits(each=1_000_000),
        proxies=_words("GROGNARD_PROXIES"),
        helpers=int(os.environ.get("GROGNARD_HELPERS") or max(1, (os.cpu_count() or 2) // 2)),
        mail=mail_server(os.environ.get("GROGNARD_MAIL", ""), os.environ.get("GROGNARD_MAIL_FROM", "")),
        url=os.environ.get("GROGNARD_URL", ""),
        games=_words("GROGNARD_GAMES"),
        metrics_word=os.environ.get("GROGNARD_METRICS_WORD", ""),
    )


def _words(variable: str) -> tuple[str, ...]:
    return tuple(os.environ.get(variable, "").replace(",", " ").split())


def database_url(url: str) -> str:
    """PostgreSQL URLs as people write them, with the driver that we use."""
    for prefix in ("postgresql://", "postgres://"):
        if url.startswith(prefix):
            return "postgresql+psycopg://" + url.removeprefix(prefix)
    return url
