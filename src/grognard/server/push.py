"""Messages to a browser whose page is closed (RFC 8030), enciphered for it alone (RFC 8291) and signed by
this server (RFC 8292)."""

from __future__ import annotations

import ipaddress
import json
import secrets
import socket
import struct
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD = 4096
"""The size of the one record that a message is."""
PATIENCE = 10.0
KEPT = 2 * 86_400
"""Seconds for which the browser's service keeps a message for a browser that is off."""
SIGNED_FOR = 12 * 3_600


class Subscription(NamedTuple):
    """Where a browser can be reached, and how to write to it."""

    endpoint: str
    p256dh: str
    auth: str


class GoneError(RuntimeError):
    """The browser wants no more messages."""


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def private_key(secret: str) -> ec.EllipticCurvePrivateKey:
    """A server's key, from its secret of 32 bytes in hexadecimal digits."""
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    return ec.derive_private_key(int(secret, 16) % (order - 1) + 1, CURVE)


def enciphered(
    message: bytes,
    to: Subscription,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """A message that the browser alone can read. Key and salt are drawn anew for each."""
    key, salt = key or ec.generate_private_key(CURVE), salt or secrets.token_bytes(16)
    theirs, ours = decoded(to.p256dh), point(key.public_key())
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    seed = _derived(shared, decoded(to.auth), b"WebPush: info\0" + theirs + ours, 32)
    cipher = AESGCM(_derived(seed, salt, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _derived(seed, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack("!LB", RECORD, len(ours)) + ours
    return head + cipher.encrypt(nonce, message + b"\2", None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def authorization(endpoint: str, key: ec.EllipticCurvePrivateKey, contact: str) -> str:
    """By whom a message is sent: signed, for the service of the endpoint, for some hours."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + SIGNED_FOR, "sub": contact}
    text = ".".join(encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={text}.{signature}, k={encoded(point(key.public_key()))}"


def is_public(endpoint: str) -> bool:
    """Whether an address is one of the open network, so that nobody reaches our own through us."""
    parts = urlsplit(endpoint)
    if parts.scheme != "https" or not parts.hostname or parts.username:
        return False
    try:
        found = socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return all(ipaddress.ip_address(entry[4][0]).is_global for entry in found)


class _NoDetours(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def push(
    to: Subscription,
    message: bytes,
    key: ec.EllipticCurvePrivateKey,
    contact: str,
    allowed: Callable[[str], bool] = is_public,
) -> None:
    """Hand a message in; raises GoneError if nobody wants it any more, OSError if it was not taken."""
    if not allowed(to.endpoint):
        raise GoneError
    headers = {
        "Authorization": authorization(to.endpoint, key, contact),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT),
        "Urgency": "normal",
    }
    request = Request(to.endpoint, enciphered(message, to), headers, method="POST")
    try:
        build_opener(_NoDetours).open(request, timeout=PATIENCE).close()
    except HTTPError as error:
        error.close()
        if error.code in (404, 410):
            raise GoneError from None
        raise
