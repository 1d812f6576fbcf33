"""What one subscription or query has delivered and the program has not taken yet. Used in the event loop alone."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, AsyncIterator, Callable, Deque, List, Optional, Union

from . import wire
from .bookmark import Bookmark
from .errors import PenstockError
from .message import Message
from .progress import LogProgress

if TYPE_CHECKING:
    from .subscriptions import Subscriptions

QUEUE_COUNT = 65_536
QUEUE_LENGTH = 16 * 1024 * 1024


@dataclass(frozen=True)
class StateBegin:
    """The state of a topic begins, up to a sequence of its shard. ``again``: all of it had come before; records that do
    not come now are out of focus."""

    topic: str
    shard: int
    sequence: int
    again: bool


@dataclass(frozen=True)
class StateEnd:
    """The state has come: records looked at, records that matched, records delivered."""

    topic_matches: int
    matches: int
    returned: int


@dataclass(frozen=True)
class Completed:
    """Everything has come that was asked for: the state, or the messages that existed."""


Marker = Union[StateBegin, StateEnd, Completed]
OnMarker = Callable[[Marker], None]


@dataclass(frozen=True)
class _Batch:
    messages: List[Message]
    length: int


class _Queue:
    """Batches and markers in their order, with bounds. The last message may go beyond them."""

    def __init__(self, count_max: int, length_max: int) -> None:
        self._count_max = count_max
        self._length_max = length_max
        self._items: Deque[Union[_Batch, Marker]] = deque()
        self.count = 0
        self.length = 0

    def put(self, item: Union[_Batch, Marker]) -> None:
        self._items.append(item)
        if isinstance(item, _Batch):
            self.count += len(item.messages)
            self.length += item.length

    def take(self) -> Union[_Batch, Marker, None]:
        if not self._items:
            return None
        item = self._items.popleft()
        if isinstance(item, _Batch):
            self.count -= len(item.messages)
            self.length -= item.length
        return item

    def take_marker(self) -> Optional[Marker]:
        """The first item, if it is a marker."""
        if not self._items:
            return None
        first = self._items[0]
        if isinstance(first, _Batch):
            return None
        self._items.popleft()
        return first

    def clear(self) -> None:
        self._items.clear()
        self.count = self.length = 0

    @property
    def is_empty(self) -> bool:
        return not self._items

    @property
    def is_full(self) -> bool:
        return self.count >= self._count_max or self.length >= self._length_max

    @property
    def is_half_empty(self) -> bool:
        return self.count * 2 <= self._count_max and self.length * 2 <= self._length_max


class AsyncSubscription:
    """Messages of a subscription. Iterate over it, or over :meth:`batches`; leave it with :meth:`close`.

    At its bounds the client stops reading its connection until the program takes something: acknowledgements and other
    subscriptions of that client wait meanwhile. With ``credit`` only this subscription waits, in the broker.
    """

    def __init__(
        self,
        subscriptions: "Subscriptions",
        subscription_id: int,
        topic: str,
        command: Callable[["AsyncSubscription", int], bytes],
        *,
        credit: int = 0,
        progress: Optional[LogProgress] = None,
        on_marker: Optional[OnMarker] = None,
        is_query: bool = False,
        has_end: bool = False,
        queue_count: int = QUEUE_COUNT,
        queue_length: int = QUEUE_LENGTH,
    ) -> None:
        if queue_count < 1 or queue_length < 1:
            raise ValueError(f"subscription: queue: out of range: {queue_count}, {queue_length} (use at least 1)")
        self.topic = topic
        self._subscriptions = subscriptions
        self._id = subscription_id
        self._command = command
        self._queue = _Queue(queue_count, queue_length)
        self._waiter: Optional[asyncio.Future[None]] = None
        self._credit = credit
        self._is_granting = False
        self._taken_length = 0
        self._progress = progress
        self._on_marker = on_marker
        self._is_query = is_query
        self._has_end = has_end or is_query
        self._is_over = False
        self._reason: Optional[PenstockError] = None
        self._completed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._batch: List[Message] = []
        self._next = 0
        # The program does not take, and so the client does not read.
        self._is_paused = False
        # The program has paused it at the broker.
        self._is_held = False
        self._delivered = 0
        self._has_had_state = False
        self._repeats = 0
        self._stats: Optional[StateEnd] = None
        self._explanation = ""

    # What the program calls.

    @property
    def explanation(self) -> str:
        """How the broker has answered, in lines of text, once a query that asked for it is over; else empty."""
        return self._explanation

    def __aiter__(self) -> "AsyncSubscription":
        return self

    async def __anext__(self) -> Message:
        at = self._next
        if at >= len(self._batch):
            batch = await self._take()
            if batch is None:
                raise StopAsyncIteration
            self._batch, at = batch, 0
        elif at > 0 and self._progress is not None:
            self._note([self._batch[at - 1]])
        self._next = at + 1
        return self._batch[at]

    def _rest(self) -> List[Message]:
        """What came together with the last message, if it need not be taken one by one."""
        if self._progress is not None and self._progress.is_named:
            return []
        rest, self._next = self._batch[self._next :], len(self._batch)
        return rest

    async def batches(self) -> AsyncIterator[List[Message]]:
        """The messages as they came together, which costs much less for each. Do not mix it with single messages."""
        while True:
            batch = await self._take()
            if batch is None:
                return
            self._batch, self._next = batch, len(batch)
            yield batch

    async def next(self, timeout_s: Optional[float] = None) -> Optional[Message]:
        """The next message; None when none comes in time.

        :raises StopAsyncIteration: when the subscription is over.
        """
        if self._next >= len(self._batch):
            if self._progress is not None:
                self._note_all()
            if not await self._arrived(timeout_s):
                return None
        return await self.__anext__()

    async def _arrived(self, timeout_s: Optional[float]) -> bool:
        """Waits for messages, or the end; markers are handed out meanwhile."""
        loop = asyncio.get_running_loop()
        end = None if timeout_s is None else loop.time() + timeout_s
        while True:
            marker = self._queue.take_marker()
            while marker is not None:
                if self._on_marker is not None:
                    self._on_marker(marker)
                marker = self._queue.take_marker()
            if not self._queue.is_empty or self._is_over:
                return True
            try:
                await asyncio.wait_for(self._wait(), None if end is None else end - loop.time())
            except asyncio.TimeoutError:
                return False

    async def completed(self, timeout_s: Optional[float] = None) -> None:
        """Waits until everything has arrived that was asked for: the state, or the messages that existed. Whoever waits
        before taking messages needs a queue, or credit, that has room for them."""
        await asyncio.wait_for(asyncio.shield(self._completed), timeout_s)

    async def close(self) -> None:
        """Ends the subscription: nothing more comes."""
        was_over = self._is_over
        if not was_over and self._is_query:
            self._subscriptions.drop_answers(self)
        self._drop()
        if not was_over:
            await self._subscriptions.unsubscribe(self)

    def _drop(self) -> None:
        self._finish(None)
        self._queue.clear()
        self._let_read()

    async def __aenter__(self) -> "AsyncSubscription":
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    def acknowledge(self) -> None:
        """Of a named subscription: all messages taken so far are processed. Otherwise that of a message is noted when the next one is
        asked for."""
        self._note_all()

    @property
    def bookmark(self) -> Optional[Bookmark]:
        """Of a subscription to the log: up to where messages have arrived; None before it has begun."""
        return self._progress.bookmark if self._progress is not None else None

    async def pause(self) -> None:
        """The broker sends nothing more, but what is on its way. It stays paused on new connections. Not for subscriptions that
        follow state."""
        await self._subscriptions.pace(self, wire.PACE_PAUSE)
        self._is_held = True

    async def resume(self) -> None:
        """Goes on where it was paused."""
        await self._subscriptions.pace(self, wire.PACE_RESUME)
        self._is_held = False

    # Taking.

    async def _take(self) -> Optional[List[Message]]:
        """The next batch; None at the end."""
        if self._progress is not None:
            self._note_all()
        while True:
            item = self._queue.take()
            if isinstance(item, _Batch):
                self._on_taken(item)
                return item.messages
            if item is not None:
                if self._on_marker is not None:
                    self._on_marker(item)
                continue
            if self._is_over:
                if self._reason is not None:
                    raise self._reason
                return None
            await self._wait()

    async def _wait(self) -> None:
        if not self._queue.is_empty or self._is_over:
            return
        if self._waiter is None or self._waiter.done():
            self._waiter = asyncio.get_running_loop().create_future()
        await asyncio.shield(self._waiter)

    def _on_taken(self, batch: _Batch) -> None:
        if self._is_paused and self._queue.is_half_empty:
            self._let_read()
        if self._credit:
            self._taken_length += batch.length
            self._grant()

    def _let_read(self) -> None:
        if self._is_paused:
            self._is_paused = False
            self._subscriptions.resume_reading()

    def _grant(self) -> None:
        if self._is_granting and self._taken_length * 2 >= self._credit and not self._is_over:
            if self._subscriptions.give_credit(self, self._taken_length):
                self._taken_length = 0

    def _note_all(self) -> None:
        """The program asks for more: what it has got was processed."""
        if self._batch and self._next:
            self._note(self._batch[: self._next])
            self._batch, self._next = self._batch[self._next :], 0

    def _note(self, messages: List[Message]) -> None:
        if self._progress is not None:
            # The messages of a batch are of one shard.
            self._progress.note(messages[-1].shard, messages[-1].sequence)

    # What the client calls when something came.

    def _on_messages(self, messages: List[Message], length: int) -> None:
        if self._is_over or not messages:
            return
        if self._progress is not None:
            messages = self._progress.new_of(messages)
            if not messages:
                self._taken_length += length
                self._grant()
                return
        self._delivered += len(messages)
        self._queue.put(_Batch(messages, length))
        if not self._is_paused and self._queue.is_full:
            self._is_paused = True
            self._subscriptions.pause_reading(self)
        self._wake()

    def _on_marker_of(self, marker: Marker) -> None:
        if not self._is_over:
            self._queue.put(marker)
            self._wake()

    def _on_established(self) -> None:
        """It is subscribed on this connection."""
        if self._credit:
            self._is_granting = True
            first = self._credit - self._queue.length
            self._taken_length = 0
            if first > 0:
                self._subscriptions.give_credit(self, first)
            else:
                self._taken_length = first

    def _on_lost(self) -> None:
        self._is_granting = False
        self._is_paused = False

    def _on_completed(self) -> None:
        self._on_marker_of(Completed())
        if not self._completed.done():
            self._completed.set_result(None)
        if self._has_end:
            self._finish(None)

    def _finish(self, reason: Optional[PenstockError]) -> None:
        """Nothing more comes."""
        if self._is_over:
            return
        self._is_over = True
        self._reason = reason
        if not self._completed.done():
            if reason is None:
                self._completed.set_result(None)
            else:
                self._completed.set_exception(reason)
                self._completed.exception()
        self._subscriptions.forget(self)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
