"""`grognard serve`: the table in the browser, on this machine."""

from __future__ import annotations

import argparse
import os
import socket
import threading
import webbrowser
from typing import Any

from grognard.cli.arguments import add_language, add_overrides, command
from grognard.cli.words import TerminalWords

PORT = 8741


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "serve", words, run, game=False)
    parser.add_argument("--host", default="127.0.0.1", help=words("options", "host"))
    parser.add_argument("--port", type=int, default=PORT, help=words("options", "port"))
    parser.add_argument("--workers", type=int, default=1, help=words("options", "servers"))
    parser.add_argument("--database", metavar="URL", help=words("options", "database"))
    parser.add_argument("--open", action="store_true", help=words("options", "open"))
    add_overrides(parser, words)
    add_language(parser, words)


def run(options: argparse.Namespace) -> int:
    words = TerminalWords(options.lang)
    try:
        from grognard.server.serving import serve
        from grognard.server.store import NewerDatabaseError
    except ModuleNotFoundError as error:
        print(words("errors", "no-server", module=error.name))
        return 1
    if options.database:
        os.environ["GROGNARD_DATABASE"] = options.database
    if options.overrides:
        os.environ["GROGNARD_OVERRIDES"] = str(options.overrides)
    _draw_maps(words, options.lang)
    port = options.port if _free(options.host, options.port) else _any_port(options.host)
    address = f"http://{options.host}:{port}/"
    print(words("serve", "ready", address=address), flush=True)
    if options.open and _has_screen():
        # The browser is asked a moment later, when the server listens.
        threading.Timer(1.5, webbrowser.open, (address,)).start()
    try:
        return serve(options.host, port, options.workers)
    except NewerDatabaseError:
        print(words("errors", "newer-database"))
        return 1


def _draw_maps(words: TerminalWords, language: str) -> None:
    """Have the maps ready before anybody looks: they are drawn once and kept."""
    from grognard.kernel.registry import game_ids, load_game
    from grognard.server.pictures import Maps, Pictures
    from grognard.server.settings import settings_from_environment

    settings = settings_from_environment()
    games = {id_: load_game(id_, settings.overrides) for id_ in game_ids()}
    pictures = Pictures(settings.cache, Maps(games, settings.overrides))
    for id_, game in games.items():
        if not pictures.ready(id_, language):
            print(words("serve", "drawing", title=game.settings.data["title"][language]), flush=True)
            pictures.prepare(id_, language)


def _free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _any_port(host: str) -> int:
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def _has_screen() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.name == "nt") or (
        os.uname().sysname == "Darwin"
    )
