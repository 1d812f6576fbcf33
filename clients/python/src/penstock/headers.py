"""Headers: named values that travel with a message beside its payload."""

from __future__ import annotations

import struct
from typing import Dict, List, Mapping, Tuple, Union

from .errors import ProtocolError

HeaderValue = Union[str, int, bytes]

CONTENT_TYPE = "content-type"
CORRELATION_ID = "correlation-id"
REPLY_TO = "reply-to"
TRACEPARENT = "traceparent"

_TEXT, _INTEGER, _BYTES = 1, 2, 3
_COUNT_MAX = 64
_LENGTH_MAX = 16_384
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/")
_RESERVED = frozenset((CONTENT_TYPE, CORRELATION_ID, REPLY_TO, TRACEPARENT))


def encode(headers: Mapping[str, HeaderValue]) -> bytes:
    """Returns the block of headers; empty for none.

    :raises ValueError: if a name or value is not one that the protocol has.
    """
    if not headers:
        return b""
    if len(headers) > _COUNT_MAX:
        raise ValueError(f"headers: too many: {len(headers)} (use at most {_COUNT_MAX})")
    parts: List[bytes] = []
    for name, value in headers.items():
        if not 1 <= len(name) <= 127 or not _NAME_CHARACTERS.issuperset(name):
            raise ValueError(f"header: not a name: {name!r} (use 1 to 127 letters, digits and - _ . : /)")
        if name in _RESERVED and not isinstance(value, str):
            raise ValueError(f"header {name}: not a text: {value!r} (give a str)")
        kind, content = _value(name, value)
        parts.append(struct.pack("<BB", kind, len(name)) + name.encode("ascii") + content)
    block = b"".join(parts)
    if len(block) + 2 > _LENGTH_MAX:
        raise ValueError(f"headers: too long: {len(block) + 2} bytes (use at most {_LENGTH_MAX})")
    return struct.pack("<H", len(block) + 2) + block


def _value(name: str, value: HeaderValue) -> Tuple[int, bytes]:
    if isinstance(value, bool):
        raise ValueError(f"header {name}: not a text, integer or bytes: {value!r} (give for example 1)")
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise ValueError(f"header {name}: not an integer of 64 bits: {value} (give it as a text)")
        return _INTEGER, struct.pack("<q", value)
    if isinstance(value, str):
        kind, content = _TEXT, value.encode("utf-8")
    elif isinstance(value, (bytes, bytearray, memoryview)):
        kind, content = _BYTES, bytes(value)
    else:
        raise ValueError(f"header {name}: not a text, integer or bytes: {value!r} (give one of these)")
    if len(content) > _LENGTH_MAX:
        raise ValueError(f"header {name}: too long: {len(content)} bytes (use at most {_LENGTH_MAX} for all headers)")
    return kind, struct.pack("<H", len(content)) + content


def decode(block: bytes) -> Dict[str, HeaderValue]:
    """Reads a block of headers with the two bytes of its length.

    :raises ProtocolError: if it is none.
    """
    headers: Dict[str, HeaderValue] = {}
    if not block:
        return headers
    try:
        end = struct.unpack_from("<H", block)[0]
        if end != len(block):
            raise ProtocolError(f"headers: another length: {end} (the block has {len(block)} bytes)")
        at = 2
        while at < end:
            kind, name_length = struct.unpack_from("<BB", block, at)
            name = _slice(block, at + 2, name_length).decode("ascii")
            at += 2 + name_length
            if kind == _INTEGER:
                headers[name] = struct.unpack_from("<q", block, at)[0]
                at += 8
                continue
            length = struct.unpack_from("<H", block, at)[0]
            content = _slice(block, at + 2, length)
            at += 2 + length
            if kind == _TEXT:
                headers[name] = content.decode("utf-8")
            elif kind == _BYTES:
                headers[name] = content
            else:
                raise ProtocolError(f"header {name}: not a type: {kind} (use a newer client)")
    except (struct.error, UnicodeDecodeError) as e:
        raise ProtocolError(f"headers: not well formed: {e} (the broker and this client disagree)") from e
    return headers


def _slice(block: bytes, start: int, length: int) -> bytes:
    if start + length > len(block):
        raise ProtocolError(f"headers: end within one: {len(block)} bytes (the broker and this client disagree)")
    return block[start : start + length]
