"""kill -9 at random moments: does anything acknowledged get lost?

    python -m bench.kill_test --database sqlite --games 200
    python -m bench.kill_test --database postgresql --games 200
    python -m bench.kill_test --games 400 --kills 500 --between 10 40 --workers 2 --computers

Scripted games are played over HTTP, on this machine only, while the server is killed and started again. Each
game compares what the server has with what the server had acknowledged, every time it comes back and at the
end. The first difference stops everything. With --workers several servers are behind one address, and one of
them is killed now and then instead of all; with --computers every other game is played against the computer,
processes that think are killed too, and a computer that does not go on stops everything as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path

from tests.server.killing import Ordeal
from tests.server.postgres import PostgresServer


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--answers", type=int, default=40, help="answers in each game")
    parser.add_argument("--together", type=int, default=20, help="games played at the same time")
    parser.add_argument("--kills", type=int, default=60, help="kills at most")
    parser.add_argument("--between", type=int, nargs=2, default=(50, 300), help="answers between kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after so long no more is begun")
    parser.add_argument("--workers", type=int, default=1, help="servers behind one address")
    parser.add_argument("--computers", action="store_true", help="every other game against the computer")
    options = parser.parse_args()
    postgres = PostgresServer() if options.database == "postgresql" else None
    try:
        with tempfile.TemporaryDirectory() as folder:
            url = postgres.new_database() if postgres else f"sqlite:///{folder}/games.sqlite"
            ordeal = Ordeal(url, Path(folder), options.seed, "leningrad", options.workers, options.computers)
            between = (options.between[0], options.between[1])
            how_many = (options.games, options.answers, options.together, options.kills)
            run = ordeal.run(*how_many, between, options.seconds)
            try:
                told = asyncio.run(run)
            finally:
                ordeal.server.stop()
            print(json.dumps({"database": options.database, "lost": 0, **told}))
    finally:
        if postgres:
            postgres.stop()


if __name__ == "__main__":
    main()
