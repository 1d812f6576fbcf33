"""What ties a log-on to an encrypted connection: a hash of the broker's certificate (RFC 5929, tls-server-end-point)."""

from __future__ import annotations

import hashlib
from typing import Dict, List, Optional, Tuple

_HASHES: Dict[bytes, str] = {
    bytes.fromhex(oid): name
    for oid, name in (
        # By hash alone, as the parameters of RSASSA-PSS name it.
        ("2b0e03021a", "sha256"),  # SHA-1, too weak
        ("608648016503040201", "sha256"),
        ("608648016503040202", "sha384"),
        ("608648016503040203", "sha512"),
        ("608648016503040204", "sha224"),
        # RSA with MD5, SHA-1, SHA-256, SHA-384, SHA-512, SHA-224.
        ("2a864886f70d010104", "sha256"),
        ("2a864886f70d010105", "sha256"),
        ("2a864886f70d01010b", "sha256"),
        ("2a864886f70d01010c", "sha384"),
        ("2a864886f70d01010d", "sha512"),
        ("2a864886f70d01010e", "sha224"),
        # ECDSA with SHA-1, SHA-224, SHA-256, SHA-384, SHA-512.
        ("2a8648ce3d0401", "sha256"),
        ("2a8648ce3d040301", "sha224"),
        ("2a8648ce3d040302", "sha256"),
        ("2a8648ce3d040303", "sha384"),
        ("2a8648ce3d040304", "sha512"),
        # Ed25519, which hashes by SHA-512 itself.
        ("2b6570", "sha512"),
    )
}
_PSS = bytes.fromhex("2a864886f70d01010a")
_SEQUENCE, _OBJECT_ID, _HASH_OF_PSS = 0x30, 0x06, 0xA0


def server_end_point(certificate: Optional[bytes]) -> Optional[bytes]:
    """What both sides have to agree on.

    :param certificate: of the broker, in DER; None if there is none.
    :returns: None if nothing can be bound to it.
    """
    if certificate is None:
        return None
    try:
        name = _hash_of(certificate)
    except (IndexError, ValueError):
        return None
    return None if name is None else hashlib.new(name, certificate).digest()


def _hash_of(certificate: bytes) -> Optional[str]:
    """The hash of its signature, but nothing weaker than SHA-256."""
    algorithm = _members(_members(certificate)[0][1])[1][1]
    members = _members(algorithm)
    tag, oid = members[0]
    if tag != _OBJECT_ID:
        return None
    if oid != _PSS:
        return _HASHES.get(oid)
    for tag, parameter in _members(members[1][1]) if len(members) > 1 else ():
        if tag == _HASH_OF_PSS:
            return _HASHES.get(_members(_members(parameter)[0][1])[0][1])
    # SHA-1, when it names none.
    return "sha256"


def _members(content: bytes) -> List[Tuple[int, bytes]]:
    """Tags and contents of what stands one behind the other in DER."""
    members = []
    at = 0
    while at < len(content):
        tag, length, start = content[at], content[at + 1], at + 2
        if length & 0x80:
            count = length & 0x7F
            length = int.from_bytes(content[start : start + count], "big")
            start += count
        if start + length > len(content):
            raise ValueError("cut off")
        members.append((tag, content[start : start + length]))
        at = start + length
    return members
