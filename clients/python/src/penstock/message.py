"""Messages, and how they are read from a Deliver."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from enum import IntEnum
from typing import Any, Dict, List, Optional

from . import headers as header_block
from . import keys
from .bookmark import Bookmark
from .errors import ProtocolError
from .headers import HeaderValue

_RECORD = struct.Struct("<iBBHqqi")
RECORD_HEADER_LENGTH = 48
_PADDING = 0
_HAS_KEY, _HAS_EXPIRATION, _HAS_EXPIRED, _HAS_HEADERS = 1, 2, 4, 8
_NEVER = 2**63 - 1


class Kind(IntEnum):
    """What a delivered record is."""

    PUBLISH = 0
    """A message, or a record that is new, has changed, or matches again."""
    SOW = 1
    """A record of the state, or of the answer to a query."""
    DELTA = 2
    """The key and the fields that differ of a record that has changed."""
    OOF_MATCH = 3
    """A record that no longer matches, as it is now."""
    OOF_DELETED = 4
    """A record that was deleted, as it was before."""
    OOF_EXPIRED = 5
    """A record that has expired, as it was before."""


_KINDS = tuple(Kind)


@dataclass
class TopicInfo:
    """A topic. ``messages`` were published to it since the broker started.

    ``key`` is as in ``declare_topic``: paths of fields, ``*`` when publishers give it, empty without state; of a view
    ``=`` and then the columns that are its key.
    """

    name: str
    format: str
    key: str
    shard: int
    topic_id: int
    messages: int
    _paths: Optional[List[keys.KeyPath]] = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        fields = self.key[1:] if self.key.startswith("=") else self.key
        if self.format == "json" and self.key and not fields.endswith("*"):
            self._paths = keys.parse(fields)


class Message:
    """A message that was delivered. Immutable.

    ``sequence`` is its place in the log of its ``shard``, 0 for a computed row; ``timestamp_ns`` is when the broker
    accepted it, in nanoseconds since 1970 UTC.
    """

    __slots__ = ("_flags", "_topic", "_trailer", "kind", "payload", "sequence", "shard", "timestamp_ns")

    def __init__(
        self,
        payload: bytes,
        sequence: int,
        timestamp_ns: int,
        kind: Kind,
        shard: int,
        topic: TopicInfo,
        flags: int,
        trailer: bytes,
    ) -> None:
        self.payload = payload
        self.sequence = sequence
        self.timestamp_ns = timestamp_ns
        self.kind = kind
        self.shard = shard
        self._topic = topic
        self._flags = flags
        self._trailer = trailer

    @property
    def topic(self) -> str:
        return self._topic.name

    @property
    def text(self) -> str:
        """The payload as text."""
        return self.payload.decode("utf-8")

    def json(self) -> Any:
        """The payload as ``json.loads`` reads it."""
        return json.loads(self.payload)

    @property
    def bookmark(self) -> Bookmark:
        """Its place in the log."""
        return Bookmark.of(self.shard, self.sequence)

    @property
    def time(self) -> datetime:
        """When the broker accepted it, in UTC, to the microsecond."""
        return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=self.timestamp_ns // 1000)

    @property
    def headers(self) -> Dict[str, HeaderValue]:
        """Its headers, read on each call."""
        return header_block.decode(self._trailer[: self._headers_length])

    @property
    def key(self) -> str:
        """The key of its record as queries and deletes take it; empty when the topic has none, or it is not known how it is made."""
        if self._flags & _HAS_KEY:
            end = len(self._trailer) - (8 if self._flags & _HAS_EXPIRATION else 0)
            return self._trailer[self._headers_length : end].decode("utf-8")
        paths = self._topic._paths
        if paths is None:
            return ""
        return keys.text(paths, self.payload, self.headers) or ""

    @property
    def expires_ns(self) -> Optional[int]:
        """When its record expires, in nanoseconds since 1970 UTC, if the message said so; None for the topic's expiration, or never."""
        if not self._flags & _HAS_EXPIRATION:
            return None
        at = int(struct.unpack_from("<q", self._trailer, len(self._trailer) - 8)[0])
        return None if at == _NEVER else at

    @property
    def is_oof(self) -> bool:
        """Whether its record is out of focus: it no longer matches, was deleted or has expired."""
        return self.kind >= Kind.OOF_MATCH

    @property
    def credit_length(self) -> int:
        """What the message costs of a subscription's credit, in bytes."""
        return (RECORD_HEADER_LENGTH + len(self.payload) + len(self._trailer) + 7) & ~7

    @property
    def _headers_length(self) -> int:
        return int(struct.unpack_from("<H", self._trailer)[0]) if self._flags & _HAS_HEADERS else 0

    def __repr__(self) -> str:
        return f"Message({self.topic!r}, {self.kind.name}, {self.shard}:{self.sequence}, {self.payload!r})"


def read_records(frame: bytes, at: int, kind_number: int, shard: int, topic: TopicInfo) -> List[Message]:
    """Reads the records of a Deliver, from their first byte on.

    :raises ProtocolError: if one of them is not whole.
    """
    try:
        kind = _KINDS[kind_number]
    except IndexError:
        raise ProtocolError(f"Deliver: not a kind of record: {kind_number} (use a newer client)") from None
    end = len(frame)
    unpack = _RECORD.unpack_from
    messages: List[Message] = []
    append = messages.append
    if at >= end:
        raise ProtocolError("Deliver: has no record (the broker and this client disagree)")
    while at < end:
        if at + RECORD_HEADER_LENGTH > end:
            raise ProtocolError(f"Deliver: ends within the header of a record: {end - at} bytes are left (it was cut)")
        length, record_type, flags, trailer_length, sequence, timestamp_ns, _ = unpack(frame, at)
        payload_end = at + length - trailer_length
        if length < RECORD_HEADER_LENGTH or at + length > end or payload_end < at + RECORD_HEADER_LENGTH:
            raise ProtocolError(
                f"Deliver: a record does not fit: {length} bytes with a trailer of {trailer_length}"
                f" ({end - at} bytes are left)"
            )
        if record_type != _PADDING:
            trailer = b""
            if trailer_length or flags:
                trailer = frame[payload_end : at + length]
                _check_trailer(flags, trailer)
            append(
                Message(
                    frame[at + RECORD_HEADER_LENGTH : payload_end], sequence, timestamp_ns, kind, shard, topic, flags, trailer
                )
            )
        at += (length + 7) & ~7
    return messages


def _check_trailer(flags: int, trailer: bytes) -> None:
    needed = 8 if flags & _HAS_EXPIRATION else 0
    headers_length = 0
    if flags & _HAS_HEADERS:
        headers_length = int(struct.unpack_from("<H", trailer)[0]) if len(trailer) >= 2 else 2
    if needed + headers_length > len(trailer):
        raise ProtocolError(f"Deliver: a trailer is too short: {len(trailer)} bytes (its flags need {needed + headers_length})")
    if headers_length:
        header_block.decode(trailer[:headers_length])


def credit_length(frame_length: int, at: int) -> int:
    """What a Deliver costs of a subscription's credit: its length from the first record on, the last one's padding included."""
    return (frame_length - at + 7) & ~7

