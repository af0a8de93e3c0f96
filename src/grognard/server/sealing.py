"""Saves that only this database's servers can open: in a game with hidden facts a save in the middle of it
holds what the computer hides. When the game is over it is given open.

The text is enciphered with a stream of HMAC-SHA256 over a counter and signed with another key, both derived
from the server's own and a fresh number: the primitives of the standard library, put together as usual.
"""

from __future__ import annotations

import hmac
import json
import secrets
import zlib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from hashlib import sha256
from typing import Any

from grognard.kernel import SaveError

MARK = "sealed"
LONGEST = 8_000_000
"""Bytes of a save when it is opened."""


def seal(text: str, key: str, **head: Any) -> str:
    nonce = secrets.token_bytes(16)
    plain = zlib.compress(text.encode(), 9)
    body = nonce + _mixed(plain, key, nonce)
    signed = b64encode(body + _tag(body, key)).decode()
    return json.dumps({**head, MARK: signed}, ensure_ascii=False, indent=1) + "\n"


def unseal(text: str, key: str) -> str:
    """The save in a sealed one; a save that is not sealed, as it is."""
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        return text  # whoever reads saves says what is wrong with it
    if not isinstance(head, dict) or not isinstance(head.get(MARK), str):
        return text
    try:
        raw = b64decode(head[MARK], validate=True)
    except (Base64Error, ValueError):
        raise SaveError("not a save", "not-a-save") from None
    body, tag = raw[:-32], raw[-32:]
    if len(body) < 16 or not hmac.compare_digest(tag, _tag(body, key)):
        raise SaveError(
            "this save was changed, or sealed by another server: only that one can open it", "save-sealed"
        )
    unpacker = zlib.decompressobj()
    plain = unpacker.decompress(_mixed(body[16:], key, body[:16]), LONGEST)
    if unpacker.unconsumed_tail:
        raise SaveError("not a save", "not-a-save")
    return plain.decode()


def _derived(key: str, use: str) -> bytes:
    return hmac.new(bytes.fromhex(key), use.encode(), sha256).digest()


def _tag(body: bytes, key: str) -> bytes:
    return hmac.new(_derived(key, "sign"), body, sha256).digest()


def _mixed(data: bytes, key: str, nonce: bytes) -> bytes:
    own = _derived(key, "cipher")
    blocks = (len(data) + 31) // 32
    stream = b"".join(hmac.new(own, nonce + n.to_bytes(8, "big"), sha256).digest() for n in range(blocks))
    width = len(data)
    mixed = int.from_bytes(data, "big") ^ int.from_bytes(stream[:width], "big")
    return mixed.to_bytes(width, "big")
