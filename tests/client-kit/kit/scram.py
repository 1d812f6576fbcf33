"""The broker's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), for one user."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os

from .broker import Mismatch


class ScramServer:
    """One conversation."""

    def __init__(self, user: str, password: str, iterations: int) -> None:
        self._user = user
        self._iterations = iterations
        self._salt = os.urandom(16)
        salted = hashlib.pbkdf2_hmac("sha256", password.encode("utf-8"), self._salt, iterations)
        self._client_key = _hmac(salted, b"Client Key")
        self._server_key = _hmac(salted, b"Server Key")
        self._nonce = ""
        self._transcript = ""

    def challenge(self, first: str) -> str:
        """:raises Mismatch: if it is not the first message of the user."""
        header, bare = first[:3], first[3:]
        name, _, nonce = bare.partition(",r=")
        expected = "n=" + self._user.replace("=", "=3D").replace(",", "=2C")
        if header != "n,," or name != expected or len(nonce) < 16:
            raise Mismatch(f"the first message: {first!r}, not n,,{expected},r=…")
        self._nonce = nonce + base64.b64encode(os.urandom(12)).decode()
        challenge = f"r={self._nonce},s={base64.b64encode(self._salt).decode()},i={self._iterations}"
        self._transcript = f"{bare},{challenge},"
        return challenge

    def last(self, answer: str) -> str:
        """:raises Mismatch: if it does not prove the password."""
        without_proof, _, proof = answer.rpartition(",p=")
        if without_proof != f"c=biws,r={self._nonce}":
            raise Mismatch(f"the second message: {without_proof!r}")
        signed = (self._transcript + without_proof).encode("utf-8")
        signature = _hmac(hashlib.sha256(self._client_key).digest(), signed)
        expected = bytes(a ^ b for a, b in zip(self._client_key, signature))
        if base64.b64decode(proof) != expected:
            raise Mismatch("the second message: a wrong proof")
        return "v=" + base64.b64encode(_hmac(self._server_key, signed)).decode()


def _hmac(key: bytes, content: bytes) -> bytes:
    return hmac.new(key, content, hashlib.sha256).digest()
