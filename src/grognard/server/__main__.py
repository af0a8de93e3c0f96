"""`python -m grognard.server`: the table on this machine, set up from the environment alone."""

from __future__ import annotations

import argparse

from grognard.server.serving import serve
from grognard.server.store import NewerDatabaseError


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m grognard.server")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8741)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    print(f"Grognard: http://{options.host}:{options.port}/", flush=True)
    try:
        status = serve(options.host, options.port, options.workers)
    except NewerDatabaseError:
        raise SystemExit(
            "grognard: the database was last used by a newer Grognard than this one. Install that one again, "
            "or name another database with GROGNARD_DATABASE."
        ) from None
    raise SystemExit(status)


if __name__ == "__main__":
    main()
