"""Telling people that it is their move: a message to the browser soon, a letter later and once a day at most.

A notice says which table waits: nothing that could not be seen there by anybody. It is not sent to a seat
that somebody is looking at.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from smtplib import SMTPException
from typing import Any

from grognard.server import mail, push
from grognard.server.addresses import MAIL, PUSH, Address, AddressBook, Wait
from grognard.server.room import HUMAN, Room
from grognard.server.rooms import Rooms
from grognard.server.settings import ServerSettings
from grognard.server.words import PageWords

EVERY = 30.0
"""Seconds between two looks at who is waited for."""
PUSH_GRACE = 60.0
MAIL_GRACE = 900.0
"""Seconds for which somebody is waited for before he is told: he may be on his way."""

_log = logging.getLogger(__name__)


class Postman:
    def __init__(
        self,
        rooms: Rooms,
        settings: ServerSettings,
        at_home: Callable[[str], bool] = lambda table: True,
        allowed: Callable[[str], bool] = push.is_public,
    ) -> None:
        self._rooms, self._at_home, self.allowed = rooms, at_home, allowed
        self.book = AddressBook(rooms.store)
        self.mail, self._url = settings.mail, settings.url.rstrip("/")
        self._key = push.private_key(rooms.store.key("push"))

    @property
    def push_key(self) -> str:
        """What a browser needs to know of this server before it takes messages from it."""
        return push.encoded(push.point(self._key.public_key()))

    async def go_round(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.look(time.time())
            except Exception:
                _log.warning("notices could not be sent", exc_info=True)

    async def look(self, now: float) -> int:
        """Tell those who are due; how many notices were sent."""
        for table in await asyncio.to_thread(self.book.to_look_at):
            if self._at_home(table):
                await self._note(table, now)
        sent = 0
        for wait in await asyncio.to_thread(self.book.to_push, now - PUSH_GRACE):
            if self._at_home(wait.table_id):
                sent += await self._push(wait, now)
        if self.mail is not None:
            for address in await asyncio.to_thread(self.book.to_mail, now, MAIL_GRACE):
                sent += await self._mail(address, now)
        return sent

    async def _note(self, table: str, now: float) -> None:
        try:
            room = await self._rooms.room(table)
        except Exception:
            _log.warning("a table could not be opened", extra={"table": table}, exc_info=True)
            return
        names, match = room.game.sides, room.match
        people = [n for n, side in enumerate(names) if _sits(room, side)]
        asked = {names[n]: not room.over and n in room.asked for n in people}
        first, seen = match.before.length, list(match.journal[: match.moments[-1]])

        def came_back(side: str, earlier: int) -> bool:
            """Whether a side has answered since, and then another one."""
            answers = [names[answer.side] == side for answer in seen[max(0, earlier - first) :]]
            return True in answers and not all(answers[answers.index(True) :])

        await asyncio.to_thread(self.book.looked_at, room.row, asked, first + len(seen), came_back, now)

    async def _push(self, wait: Wait, now: float) -> int:
        room = await self._rooms.room(wait.table_id)
        side = room.game.sides.index(wait.side)
        here = side in self._rooms.here(room)
        if here or side not in room.asked or not await asyncio.to_thread(self.book.pushed, wait, now):
            return 0
        sent = 0
        for address in await asyncio.to_thread(self.book.of_seat, wait.table_id, wait.side, PUSH):
            words = PageWords(address.language)
            message = {
                "title": words("notices", "push-title"),
                "text": words("notices", "push-text", table=self._title(room, address.language)),
                "link": f"/t/{room.row.id}",
                "tag": room.row.id,
            }
            to = push.Subscription(**json.loads(address.target))
            try:
                await asyncio.to_thread(
                    push.push, to, json.dumps(message).encode(), self._key, self._contact(), self.allowed
                )
                sent += 1
            except push.GoneError:
                await asyncio.to_thread(self.book.remove, address.id)
            except OSError as error:
                _log.warning("a push message was not taken: %s", type(error).__name__)
        return sent

    async def _mail(self, address: Address, now: float) -> int:
        waiting = await asyncio.to_thread(self.book.waiting, address)
        lines = [line for wait in waiting if (line := await self._line(wait, address.language))]
        if not lines or not await asyncio.to_thread(self.book.claim, address, now):
            return 0
        words = PageWords(address.language)
        text = words("notices", "mail-text", count=len(lines), tables="\n\n".join(lines))
        if await self._send(address, words("notices", "mail-subject", count=len(lines)), text):
            return 1
        await asyncio.to_thread(self.book.unclaim, address, now)
        return 0

    async def _line(self, wait: Wait, language: str) -> str:
        """A table that waits; empty if somebody is there, or it waits no longer."""
        room = await self._rooms.room(wait.table_id)
        side = room.game.sides.index(wait.side)
        if side not in room.asked or side in self._rooms.here(room):
            return ""
        link = f"{self._url}/t/{room.row.id}"
        return PageWords(language)("notices", "mail-line", table=self._title(room, language), link=link)

    def _title(self, room: Room, language: str) -> str:
        game = room.game
        name = game.settings.data["title"][language]
        words = PageWords(language)
        facts: dict[str, Any] = {"game": name, "turn": game.turn(room.shown.state)}
        if room.row.name:
            return words("notices", "title-named", name=room.row.name, **facts)
        return words("notices", "title", **facts)

    async def ask_whether_it_is_theirs(self, address: Address) -> bool:
        """Ask the owner of a mail address to confirm it; whether the letter was taken."""
        words = PageWords(address.language)
        link = self.link(address)
        return await self._send(
            address, words("notices", "confirm-subject"), words("notices", "confirm-text", link=link), False
        )

    def link(self, address: Address) -> str:
        return f"{self._url}/api/addresses/{address.id}/{self.book.word(address.id)}"

    async def _send(self, address: Address, subject: str, text: str, foot: bool = True) -> bool:
        if self.mail is None or address.kind != MAIL:
            return False
        link = self.link(address)
        if foot:
            text += "\n\n" + PageWords(address.language)("notices", "mail-foot", link=link)
        message = mail.letter(self.mail.sender, address.target, subject, text + "\n", f"{link}/stop")
        try:
            await asyncio.to_thread(mail.send, self.mail, message)
        except (OSError, SMTPException) as error:
            _log.warning("a letter was not taken: %s", type(error).__name__)
            return False
        return True

    def _contact(self) -> str:
        return f"mailto:{self.mail.sender}" if self.mail else self._url or "mailto:nobody@localhost"


def _sits(room: Room, side: str) -> bool:
    """Whether a person sits there."""
    return room.places[side].kind == HUMAN and room.places[side].taken
