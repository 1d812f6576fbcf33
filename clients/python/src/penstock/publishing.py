"""What was published and not acknowledged yet, with and without a publish store. Used in the event loop alone."""

from __future__ import annotations

import asyncio
import struct
from collections import OrderedDict, deque
from dataclasses import dataclass
from enum import IntEnum
from typing import Callable, Deque, Dict, List, Optional

from . import wire
from .bookmark import Bookmark
from .errors import BackPressureError, BrokerError, ErrorCode, PenstockError


class AckType(IntEnum):
    """What an acknowledgement says of a command."""

    RECEIVED = 0
    PROCESSED = 1
    PERSISTED = 2
    COMPLETED = 3
    STATS = 4

    @property
    def mask(self) -> int:
        return 1 << self.value


@dataclass(frozen=True)
class Ack:
    """A message was acknowledged. ``duplicate`` means that it was dropped, as its sequence had been applied before.

    ``bookmark`` is its place in the log, where the broker said it: it does so for the newest message that an
    acknowledgement covers.
    """

    type: AckType
    publisher_sequence: int
    duplicate: bool
    bookmark: Optional[Bookmark]


class Publish:
    """A message on its way."""

    __slots__ = ("ack_type", "command_id", "frame", "future", "sequence", "topic")

    def __init__(self, frame: bytes, topic: str, sequence: int, ack_type: int, future: Optional[asyncio.Future[Ack]]) -> None:
        self.frame = frame
        self.topic = topic
        self.sequence = sequence
        self.ack_type = ack_type
        self.future = future
        self.command_id = 0

    def done(self, ack: Ack) -> None:
        if self.future is not None and not self.future.done():
            self.future.set_result(ack)

    def fail(self, reason: PenstockError) -> bool:
        """Returns whether somebody waits for it."""
        if self.future is None:
            return False
        if not self.future.done():
            self.future.set_exception(reason)
            # Whoever gave it up does not look at it any more.
            self.future.exception()
        return True


class InFlight:
    """Publishes that were sent on a connection, by the acknowledgement that they asked for, in their order."""

    def __init__(self) -> None:
        self._by_type: Dict[int, OrderedDict[int, Publish]] = {ack_type: OrderedDict() for ack_type in AckType}

    def add(self, publish: Publish) -> None:
        self._by_type[publish.ack_type][publish.command_id] = publish

    def __contains__(self, command_id: int) -> bool:
        return any(command_id in waiting for waiting in self._by_type.values())

    def __len__(self) -> int:
        return sum(len(waiting) for waiting in self._by_type.values())

    def covered(self, ack_type: int, command_id: int) -> List[Publish]:
        """Takes out all that an acknowledgement covers, in their order; none if it is of no publish here."""
        waiting = self._by_type[ack_type]
        if command_id not in waiting:
            return []
        covered = []
        while True:
            each, publish = waiting.popitem(last=False)
            covered.append(publish)
            if each == command_id:
                return covered

    def take(self, command_id: int) -> Optional[Publish]:
        for waiting in self._by_type.values():
            publish = waiting.pop(command_id, None)
            if publish is not None:
                return publish
        return None

    def take_before(self, ack_type: int, command_id: int) -> List[Publish]:
        """Takes out those of a type that were sent before a command."""
        waiting = self._by_type[ack_type]
        return [waiting.pop(each) for each in [each for each in waiting if each < command_id]]

    def take_all(self) -> List[Publish]:
        """In the order in which they were sent."""
        publishes = [publish for waiting in self._by_type.values() for publish in waiting.values()]
        for waiting in self._by_type.values():
            waiting.clear()
        return sorted(publishes, key=lambda publish: publish.command_id)


class PublishStore:
    """Keeps what is published until the broker has it for good, in memory: it is sent again on a new connection, and the
    broker applies it once. For one client, which needs a name.

    ``count_max`` and ``length_max`` (bytes) are its bounds; beyond them publishing waits.
    """

    def __init__(self, count_max: int = 65_536, length_max: int = 64 * 1024 * 1024) -> None:
        if count_max < 1 or length_max < 1:
            raise ValueError(f"publish store: out of range: {count_max}, {length_max} (use at least 1)")
        self.count_max = count_max
        self.length_max = length_max
        self.last_sequence = 0
        """The highest sequence that was given to a message; 0 = none yet."""
        self.length = 0
        self._publishes: OrderedDict[int, Publish] = OrderedDict()

    def __len__(self) -> int:
        return len(self._publishes)

    def has_room(self, length: int) -> bool:
        return not self._publishes or (len(self) < self.count_max and self.length + length <= self.length_max)

    def add(self, publish: Publish) -> None:
        self.last_sequence = publish.sequence
        self._publishes[publish.sequence] = publish
        self.length += len(publish.frame)

    def remove(self, sequence: int) -> None:
        publish = self._publishes.pop(sequence, None)
        if publish is not None:
            self.length -= len(publish.frame)

    def contents(self) -> List[Publish]:
        return list(self._publishes.values())

    def renumber(self, last_applied: int) -> None:
        """The broker has applied sequences of the name up to this one: new messages get higher ones."""
        self.last_sequence = max(self.last_sequence, last_applied)

    def close(self) -> None:
        """Ends the use of the store by this program."""


_HELD = frozenset(
    (ErrorCode.BAD_SEQUENCE, ErrorCode.JOURNAL_FULL, ErrorCode.JOURNAL_FAILED, ErrorCode.SHUTTING_DOWN)
)
_HOLD_MIN_S, _HOLD_MAX_S = 0.1, 5.0

Send = Callable[[bytes], None]


class StoredPublishes:
    """Sends the contents of a store in order, again on each connection, until the broker has each message for good."""

    def __init__(self, store: PublishStore, next_command_id: Callable[[], int], on_room: Callable[[], None]) -> None:
        self._store = store
        self._next_command_id = next_command_id
        self._on_room = on_room
        self._send: Optional[Send] = None
        self._unsent: Deque[Publish] = deque()
        self._in_flight = InFlight()
        self._ack_types: Dict[str, AckType] = {}
        self._probe: Optional[Publish] = None
        self._hold: Optional[asyncio.TimerHandle] = None
        self._hold_s = _HOLD_MIN_S

    def __len__(self) -> int:
        return len(self._store)

    def add(self, publish: Publish) -> None:
        self._store.add(publish)
        self._unsent.append(publish)
        self.pump()

    def on_connected(self, send: Send, last_applied: int) -> None:
        """Everything is sent again, in order."""
        self._store.renumber(last_applied)
        self._send = send
        self._ack_types.clear()
        self._rewind()
        self.pump()

    def on_lost(self) -> None:
        self._send = None
        self._in_flight.take_all()
        self._end_hold()

    def fail_all(self, reason: PenstockError) -> None:
        """The client ends: nobody hears of them any more. They stay in the store."""
        self.on_lost()
        for publish in self._store.contents():
            publish.fail(reason)

    def pump(self) -> None:
        """Sends what may be sent: the first message to a topic shows which acknowledgement it has, and is waited for."""
        while self._unsent and self._send is not None and self._probe is None and self._hold is None:
            publish = self._unsent.popleft()
            ack_type = self._ack_types.get(publish.topic)
            if ack_type is None:
                ack_type = AckType.PERSISTED
                self._probe = publish
            publish.ack_type = ack_type
            publish.command_id = self._next_command_id()
            frame = bytearray(publish.frame)
            struct.pack_into("<q", frame, wire.COMMAND_ID_AT, publish.command_id)
            frame[wire.PUBLISH_ACK_TYPES_AT] = ack_type.mask
            self._in_flight.add(publish)
            self._send(bytes(frame))

    def on_ack(self, ack_type: int, command_id: int, ack_of: Callable[[Publish, bool], Ack]) -> bool:
        covered = self._in_flight.covered(ack_type, command_id)
        for publish in covered:
            self._store.remove(publish.sequence)
            if publish is self._probe:
                self._ack_types[publish.topic] = AckType(ack_type)
                self._probe = None
            publish.done(ack_of(publish, publish is covered[-1]))
        if covered:
            self._hold_s = _HOLD_MIN_S
            self._on_room()
            self.pump()
        return bool(covered)

    def on_error(self, command_id: int, error: BrokerError) -> Optional[Publish]:
        """Returns a message that was taken out of the store and refused for good."""
        publish = self._in_flight.take(command_id)
        if publish is None:
            return None
        if error.code in _HELD:
            self._begin_hold()
            return None
        is_probe = publish is self._probe
        if is_probe:
            self._probe = None
        if is_probe and error.code == ErrorCode.NOT_SUPPORTED and publish.topic not in self._ack_types:
            self._ack_types[publish.topic] = AckType.PROCESSED
            self._unsent.appendleft(publish)
            self.pump()
            return None
        self._store.remove(publish.sequence)
        self._on_room()
        self.pump()
        return publish

    def owns(self, command_id: int) -> bool:
        """Whether the command is a message of the store that was sent on this connection."""
        return command_id in self._in_flight

    def _begin_hold(self) -> None:
        if self._hold is None:
            self._hold = asyncio.get_running_loop().call_later(self._hold_s, self._go_on)
            self._hold_s = min(self._hold_s * 2, _HOLD_MAX_S)

    def _go_on(self) -> None:
        self._hold = None
        self._in_flight.take_all()
        self._rewind()
        self.pump()

    def _end_hold(self) -> None:
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None

    def _rewind(self) -> None:
        self._probe = None
        self._in_flight.take_all()
        self._unsent = deque(self._store.contents())


class Room:
    """Those who wait until there is room, in turn."""

    def __init__(self) -> None:
        self._waiting: Deque[asyncio.Future[None]] = deque()

    async def wait(self, has_room: Callable[[], bool], timeout_s: float, what: str) -> None:
        """:raises BackPressureError: if there is none in time."""
        deadline_s = asyncio.get_running_loop().time() + timeout_s
        while not has_room():
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            try:
                await asyncio.wait_for(future, deadline_s - asyncio.get_running_loop().time())
            except asyncio.TimeoutError:
                raise BackPressureError(f"{what}: no room within {timeout_s:g} s (publish more slowly)") from None
        self.wake()

    def wake(self) -> None:
        """One of them looks again."""
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)
                return

    def wake_all(self) -> None:
        waiting, self._waiting = self._waiting, deque()
        for future in waiting:
            if not future.done():
                future.set_result(None)
