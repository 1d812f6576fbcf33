"""SCRAM-SHA-256, bound to TLS or not (RFC 5802, RFC 7677): proves a password without sending it, and makes the broker prove itself."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
import stringprep
import unicodedata
from typing import Callable, Sequence

MECHANISM = "SCRAM-SHA-256"
BOUND_MECHANISM = "SCRAM-SHA-256-PLUS"
# What a client says of a binding to its connection: that it has none, that it was offered none, or which one.
UNBOUND, NOT_OFFERED, BOUND = "n", "y", "p=tls-server-end-point"
_ITERATIONS_MIN, _ITERATIONS_MAX = 4096, 10_000_000
_CHALLENGE = re.compile(r"r=([\x21-\x2b\x2d-\x7e]+),s=([A-Za-z0-9+/=]+),i=([0-9]{1,8})(?:,.*)?$", re.DOTALL)
_PROHIBITED: Sequence[Callable[[str], bool]] = (
    stringprep.in_table_c21_c22, stringprep.in_table_c3, stringprep.in_table_c4, stringprep.in_table_c5,
    stringprep.in_table_c6, stringprep.in_table_c7, stringprep.in_table_c8, stringprep.in_table_c9,
)  # fmt: skip


def prepared(what: str, text: str) -> str:
    """A name or password in the form that is hashed and compared (SASLprep, RFC 4013).

    :raises ValueError: if it is empty, or has characters that cannot be entered reliably.
    """
    mapped = "".join(" " if stringprep.in_table_c12(c) else c for c in text if not stringprep.in_table_b1(c))
    normal = unicodedata.normalize("NFKC", mapped)
    if not normal:
        raise ValueError(f"{what}: is empty (give a {what})")
    if any(is_in(c) for c in normal for is_in in _PROHIBITED):
        raise ValueError(f"{what}: has control characters or others that are no text (give a {what})")
    return normal


class ScramClient:
    """One conversation.

    :param flag: what it says of a binding.
    :param binding: what it is bound to; with ``BOUND`` alone.
    """

    def __init__(self, user: str, password: str, nonce: str = "", flag: str = UNBOUND, binding: bytes = b"") -> None:
        self._header = f"{flag},,".encode()
        self._binding = binding
        self._password = prepared("password", password).encode("utf-8")
        self._nonce = nonce or base64.b64encode(secrets.token_bytes(18)).decode()
        name = prepared("user", user).replace("=", "=3D").replace(",", "=2C")
        self._bare = f"n={name},r={self._nonce}"
        self._expected = b""

    def first(self) -> str:
        return self._header.decode() + self._bare

    def answer(self, challenge: str) -> str:
        """The second message. Takes about a microsecond for three iterations that the broker asks for.

        :raises ValueError: if the challenge is wrong: the broker cannot be trusted then.
        """
        match = _CHALLENGE.match(challenge)
        wrong = ValueError("the broker's challenge is wrong: it cannot be trusted")
        if match is None or not match.group(1).startswith(self._nonce) or match.group(1) == self._nonce:
            raise wrong
        iterations = int(match.group(3))
        try:
            salt = base64.b64decode(match.group(2), validate=True)
        except binascii.Error:
            raise wrong from None
        if not salt or not _ITERATIONS_MIN <= iterations <= _ITERATIONS_MAX:
            raise wrong
        bound = base64.b64encode(self._header + self._binding).decode()
        without_proof = f"c={bound},r={match.group(1)}"
        signed = f"{self._bare},{challenge},{without_proof}".encode()
        salted = hashlib.pbkdf2_hmac("sha256", self._password, salt, iterations)
        client_key = _hmac(salted, b"Client Key")
        signature = _hmac(hashlib.sha256(client_key).digest(), signed)
        self._expected = _hmac(_hmac(salted, b"Server Key"), signed)
        proof = bytes(a ^ b for a, b in zip(client_key, signature))
        return f"{without_proof},p={base64.b64encode(proof).decode()}"

    def is_proved(self, last: str) -> bool:
        """Whether the broker knows the user."""
        try:
            proof = base64.b64decode(last[2:], validate=True)
        except (binascii.Error, ValueError):
            return False
        return last.startswith("v=") and bool(self._expected) and hmac.compare_digest(proof, self._expected)


def _hmac(key: bytes, content: bytes) -> bytes:
    return hmac.new(key, content, hashlib.sha256).digest()
