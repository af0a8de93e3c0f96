"""A PostgreSQL server of our own, started for the tests and thrown away after them."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

SCRIPT = Path(__file__).parents[2] / "tools" / "ensure-postgres.sh"


class PostgresServer:
    """Listens on a socket in a temporary folder only, so that it is in nobody's way."""

    def __init__(self) -> None:
        programs = Path(
            subprocess.run([SCRIPT], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
        )
        self.folder = Path(tempfile.mkdtemp(prefix="grognard-pg-"))
        self._names = count()
        # PostgreSQL refuses to run as root.
        as_whom: dict[str, Any] = {}
        if os.getuid() == 0:
            user = _plain_user()
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            as_whom = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        data = self.folder / "data"
        subprocess.run(
            [
                programs / "initdb",
                "-D",
                data,
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--no-locale",
                "-N",
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            **as_whom,
        )
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [programs / "postgres", "-D", data, "-k", self.folder, "-c", "listen_addresses="],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **as_whom,
            )
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + 30
        while True:
            try:
                self._run("SELECT 1")
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.05)

    def _run(self, statement: str) -> None:
        with psycopg.connect(
            f"host={self.folder} user=postgres dbname=postgres", autocommit=True
        ) as connection:
            connection.execute(statement.encode())

    def new_database(self) -> str:
        """The URL of a fresh schema: as good as a database of its own, and made in no time."""
        name = f"games_{next(self._names)}"
        self._run(f"CREATE SCHEMA {name}")
        return f"postgresql://postgres@/postgres?host={self.folder}&options=-csearch_path%3D{name}"

    def stop(self) -> None:
        # At once: nobody wants the data any more.
        self._process.send_signal(signal.SIGQUIT)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _plain_user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")
