"""What is published, as the frame that it becomes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from . import headers as header_block
from . import wire
from .errors import BrokerError, ErrorCode
from .headers import HeaderValue

if TYPE_CHECKING:
    from .engine import Session

Payload = Union[bytes, bytearray, memoryview, str, Mapping[str, Any], Sequence[Any], int, float, bool, None]
"""Bytes and texts are sent as they are; everything else as JSON."""

_NEVER_MS = -1


def payload_bytes(payload: Payload) -> bytes:
    """What is sent for a payload."""
    if isinstance(payload, bytes):
        return payload
    if isinstance(payload, str):
        return payload.encode("utf-8")
    if isinstance(payload, (bytearray, memoryview)):
        return bytes(payload)
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")


def publish_frame(
    session: "Session",
    topic: str,
    payload: Payload,
    ack_types: int,
    headers: Optional[Mapping[str, HeaderValue]],
    key: str,
    expiration_ms: int,
    options: int,
    sequence: int,
) -> bytes:
    """The command that publishes a message, without a command id.

    :raises BrokerError: if the broker of the session would refuse it.
    :raises ValueError: if it cannot be sent.
    """
    content = payload_bytes(payload)
    if len(content) > session.message_length_max:
        raise BrokerError(ErrorCode.MESSAGE_TOO_LONG, "MESSAGE_TOO_LONG",
            f"{len(content)} bytes, the broker takes {session.message_length_max} (publish it in parts)")  # fmt: skip
    topic_bytes = wire.text("topic", topic)
    if len(topic_bytes) > 4096:
        raise ValueError(f"topic: too long: {len(topic_bytes)} bytes (use at most 255)")
    if not headers and not key and not expiration_ms and not options:
        return wire.publish(0, sequence, ack_types, topic_bytes, content)
    block = header_block.encode(headers) if headers else b""
    if block and session.version == 1:
        raise BrokerError(ErrorCode.NOT_SUPPORTED, "NOT_SUPPORTED", "headers: the broker speaks version 1 (leave them out)")
    if not _NEVER_MS <= expiration_ms < 2**63:
        raise ValueError(f"expiration_ms: out of range: {expiration_ms} (use 0 for the topic's, -1 for never)")
    key_bytes = wire.text("key", key)
    if len(key_bytes) > 4096:
        raise ValueError(f"key: too long: {len(key_bytes)} bytes (use at most 1024)")
    return wire.publish_state(0, sequence, ack_types, options, expiration_ms, topic_bytes, key_bytes, content, block)
