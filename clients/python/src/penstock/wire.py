"""Frames of the protocol, as bytes with their length before them: commands are made, answers are read.

The layouts are those of docs/reference/protocol.md; a test compares the two.
"""

from __future__ import annotations

import struct
from typing import Dict, List, NamedTuple, Sequence, Tuple

from .errors import ProtocolError

SCHEMA = 8020
VERSION = 3
HEADER_LENGTH = 8
SHORT_FRAME_MAX = 65_536
"""The longest frame of a command, and the most bytes of a publish before its payload."""
TEXT_MAX = 65_534
LENGTH_FIELD = 4

LOGON, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, FLUSH, HEARTBEAT, STAT, TOPICS = range(1, 9)
DECLARE_TOPIC, PUBLISH_STATE, SOW, SOW_DELETE, SUBSCRIBE_FROM, PACE = range(9, 15)
RESET_PUBLISHER, DELETE_TOPIC, AUTH_RESPONSE = 19, 20, 21
LOGON_ACK, ACK, ERROR, DELIVER, TOPIC_ENTRY, STAT_ENTRY = range(101, 107)
GROUP_BEGIN, GROUP_END, QUERY_PROGRESS, REPLAY_BEGIN = range(107, 111)
AUTH_CHALLENGE, EXPLANATION = 114, 115

COMMAND_ID_AT = LENGTH_FIELD + HEADER_LENGTH
"""Where the command id of every command is, in its bytes with the length before them."""
PUBLISH_ACK_TYPES_AT = COMMAND_ID_AT + 16
"""Where the acknowledgements of a Publish and a PublishState are."""

PATTERN, WITH_SOW, OOF, DELTA, NO_EMPTIES, REPLACE, DURABLE, CREDIT, EXPLAIN, JOIN = (1 << bit for bit in range(10))
FROM_PATTERN, FROM_LIVE, FROM_START_INCLUDED, FROM_END_INCLUDED, FROM_CREDIT = (1 << bit for bit in range(5))
PUBLISH_DELTA, PUBLISH_REQUEST = 1, 2
PACE_RATE, PACE_PAUSE, PACE_RESUME, PACE_CREDIT = range(4)

BLOCKS: Dict[int, str] = {
    LOGON: "<qi",
    PUBLISH: "<qqB",
    SUBSCRIBE: "<qqIBiiii",
    UNSUBSCRIBE: "<qqB",
    FLUSH: "<q",
    HEARTBEAT: "<",
    STAT: "<q",
    TOPICS: "<q",
    DECLARE_TOPIC: "<qBq",
    PUBLISH_STATE: "<qqBBqH",
    SOW: "<qqIBiiiiiqB",
    SOW_DELETE: "<qB",
    SUBSCRIBE_FROM: "<qqqqqiBBBBBB",
    PACE: "<qqqiBBB",
    RESET_PUBLISHER: "<qqB",
    DELETE_TOPIC: "<qB",
    AUTH_RESPONSE: "<q",
    LOGON_ACK: "<qqqiii",
    ACK: "<qqqqqBBiq",
    ERROR: "<qqqHB",
    DELIVER: "<qiiB",
    TOPIC_ENTRY: "<qqii",
    STAT_ENTRY: "<qq",
    GROUP_BEGIN: "<qqqii",
    GROUP_END: "<qqqqq",
    QUERY_PROGRESS: "<qqqqq",
    REPLAY_BEGIN: "<qqqiq",
    AUTH_CHALLENGE: "<q",
    EXPLANATION: "<qq",
}
"""The fixed fields of each message in the order of its table."""

TEXTS: Dict[int, int] = {LOGON_ACK: 2, ERROR: 2, TOPIC_ENTRY: 3, STAT_ENTRY: 1, AUTH_CHALLENGE: 2, EXPLANATION: 1}
"""How many texts follow the block of an answer; the others have none."""

_ACK_V1 = "<qqqqqBB"
_TOPIC_ENTRY_TEXTS_V1 = 2
_LOGON_ACK_TEXTS_V2 = 1

_HEADER = struct.Struct("<HHHH")
_FRAME_HEADER = struct.Struct("<iHHHH")
_BLOCKS = {template: struct.Struct(layout) for template, layout in BLOCKS.items()}
_ACK_V1_BLOCK = struct.Struct(_ACK_V1)
_PUBLISH_HEAD = struct.Struct("<iHHHHqqBH")
_STATE_HEAD = struct.Struct("<iHHHHqqBBqHH")
_SHORT = struct.Struct("<H")
_INT = struct.Struct("<I")


class Answer(NamedTuple):
    """A frame of the broker. Fields and texts are in the order of its tables; ``rest`` begins after them."""

    template: int
    fields: Tuple[int, ...]
    texts: Tuple[str, ...]
    rest: int


def text(what: str, value: str) -> bytes:
    """A text as UTF-8.

    :raises ValueError: if it is none, or too long for a frame.
    """
    try:
        content = value.encode("utf-8")
    except UnicodeEncodeError as e:
        raise ValueError(f"{what}: not text: {value!r} (leave out lone surrogates)") from e
    if len(content) > TEXT_MAX:
        raise ValueError(f"{what}: too long: {len(content)} bytes (use at most {TEXT_MAX})")
    return content


def command(template: int, fields: Sequence[int], texts: Sequence[Tuple[str, str]] = ()) -> bytearray:
    """A command other than a publish, with names and values of its texts."""
    block = _BLOCKS[template]
    try:
        parts: List[bytes] = [block.pack(*fields)]
    except struct.error as e:
        raise ValueError(f"command {template}: a number is out of range: {list(fields)} ({e})") from e
    for what, value in texts:
        content = text(what, value)
        parts.append(_SHORT.pack(len(content)))
        parts.append(content)
    body = b"".join(parts)
    length = HEADER_LENGTH + len(body)
    if length > SHORT_FRAME_MAX:
        raise ValueError(f"command {template}: too long: {length} bytes (use at most {SHORT_FRAME_MAX}, texts included)")
    return bytearray(_FRAME_HEADER.pack(length, block.size, template, SCHEMA, VERSION) + body)


def publish(command_id: int, sequence: int, ack_types: int, topic: bytes, payload: bytes) -> bytes:
    """A message without a key, headers and so on."""
    length = 31 + len(topic) + len(payload)
    head = _PUBLISH_HEAD.pack(length, 17, PUBLISH, SCHEMA, VERSION, command_id, sequence, ack_types, len(topic))
    return b"".join((head, topic, _INT.pack(len(payload)), payload))


def publish_state(
    command_id: int,
    sequence: int,
    ack_types: int,
    options: int,
    expiration_ms: int,
    topic: bytes,
    key: bytes,
    payload: bytes,
    headers: bytes,
) -> bytes:
    """A message with any of headers, key, expiration and options."""
    length = 44 + len(topic) + len(key) + len(payload) + len(headers)
    head = _STATE_HEAD.pack(
        length, 28, PUBLISH_STATE, SCHEMA, VERSION, command_id, sequence, ack_types, options, expiration_ms,
        len(headers), len(topic),
    )  # fmt: skip
    content_length = _INT.pack(len(payload) + len(headers))
    return b"".join((head, topic, _SHORT.pack(len(key)), key, content_length, payload, headers))


def read(frame: bytes) -> Answer:
    """Reads a frame that came without its length before it.

    :raises ProtocolError: if it is none that a broker may send.
    """
    if len(frame) < HEADER_LENGTH:
        raise ProtocolError(f"frame: too short: {len(frame)} bytes (is this a broker of Penstock?)")
    block_length, template, schema, version = _HEADER.unpack_from(frame)
    if schema != SCHEMA or version == 0:
        raise ProtocolError(f"frame: of another protocol: schema {schema}, version {version} (is this a broker of Penstock?)")
    block = _BLOCKS.get(template)
    if block is None or (template < LOGON_ACK and template != HEARTBEAT):
        raise ProtocolError(f"frame: not an answer: template {template} (use a newer client)")
    text_count = TEXTS.get(template, 0)
    padding: Tuple[int, ...] = ()
    if version == 1:
        if template == ACK:
            block, padding = _ACK_V1_BLOCK, (0, 0)
        elif template == TOPIC_ENTRY:
            text_count = _TOPIC_ENTRY_TEXTS_V1
    if version < 3 and template == LOGON_ACK:
        text_count = _LOGON_ACK_TEXTS_V2
    at = HEADER_LENGTH + block_length
    if block_length < block.size or at > len(frame):
        raise ProtocolError(
            f"frame: template {template}: the block does not fit: {block_length} of {len(frame) - HEADER_LENGTH} bytes"
            f" (the table has {block.size})"
        )
    texts = []
    for _ in range(text_count):
        value, at = _text(frame, template, at)
        texts.append(value)
    if at != len(frame) and template != DELIVER and version <= VERSION:
        raise ProtocolError(f"frame: template {template}: {len(frame) - at} bytes too many (the broker and this client disagree)")
    return Answer(template, block.unpack_from(frame, HEADER_LENGTH) + padding, tuple(texts), at)


def _text(frame: bytes, template: int, at: int) -> Tuple[str, int]:
    if at + 2 > len(frame):
        raise ProtocolError(f"frame: template {template}: ends before a text: {len(frame)} bytes (it was cut)")
    end = at + 2 + int(_SHORT.unpack_from(frame, at)[0])
    if end > len(frame):
        raise ProtocolError(f"frame: template {template}: ends within a text: {len(frame)} bytes (it was cut)")
    try:
        return frame[at + 2 : end].decode("utf-8"), end
    except UnicodeDecodeError as e:
        raise ProtocolError(f"frame: template {template}: a text is not UTF-8: {e} (the broker is broken)") from e
