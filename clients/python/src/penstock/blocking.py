"""The client for threads. Any thread may call it; its event loop runs in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any, AsyncIterator, Callable, Coroutine, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, TypeVar, Union

from .aio import AsyncClient, Deleted
from .bookmark import Bookmark
from .engine import Session
from .errors import ConnectionLostError
from .headers import HeaderValue
from .message import Message, TopicInfo
from .options import ClientOptions
from .payload import Payload
from .publishing import Ack, AckType
from .query import QueryResult
from .subscription import AsyncSubscription

T = TypeVar("T")


class _Loop:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="penstock-client", daemon=True)
        self._thread.start()

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Waits for a coroutine. When the waiting thread is interrupted, the coroutine is cancelled."""
        if threading.current_thread() is self._thread:
            coroutine.close()
            raise RuntimeError("client: called in its own thread (do not wait in a callback)")
        if self._loop.is_closed():
            coroutine.close()
            raise ConnectionLostError("the client is closed (connect another one)")
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except FutureTimeoutError as e:
            raise e
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()


class Subscription:
    """Messages of a subscription: iterate over it, or over :meth:`batches`. See :class:`AsyncSubscription`."""

    def __init__(self, loop: _Loop, subscription: AsyncSubscription) -> None:
        self._loop = loop
        self._subscription = subscription
        # What came together is handed over together, and kept here.
        self._taken: Deque[Message] = deque()

    async def _take(self, timeout_s: Optional[float]) -> Optional[List[Message]]:
        """None at the end; nothing when nothing came in time."""
        try:
            first = await self._subscription.next(timeout_s)
        except StopAsyncIteration:
            return None
        return [] if first is None else [first, *self._subscription._rest()]

    def __iter__(self) -> "Subscription":
        return self

    def __next__(self) -> Message:
        if not self._taken:
            messages = self._loop.call(self._take(None))
            if not messages:
                raise StopIteration
            self._taken.extend(messages)
        return self._taken.popleft()

    def next(self, timeout_s: Optional[float] = None) -> Optional[Message]:
        """The next message; None when none comes in time, or the subscription is over."""
        if not self._taken:
            messages = self._loop.call(self._take(timeout_s))
            self._taken.extend(messages or ())
        return self._taken.popleft() if self._taken else None

    def batches(self) -> Iterator[List[Message]]:
        """The messages as they came together, which costs much less for each. Do not mix it with single messages."""
        batches: AsyncIterator[List[Message]] = self._subscription.batches()
        while True:
            batch = self._loop.call(self._next_batch(batches))
            if batch is None:
                return
            yield batch

    @staticmethod
    async def _next_batch(batches: AsyncIterator[List[Message]]) -> Optional[List[Message]]:
        try:
            return await batches.__anext__()
        except StopAsyncIteration:
            return None

    def completed(self, timeout_s: Optional[float] = None) -> None:
        """Waits until everything has arrived that was asked for. See :meth:`AsyncSubscription.completed`."""
        self._loop.call(self._subscription.completed(timeout_s))

    def acknowledge(self) -> None:
        """Of a named subscription: all messages taken so far are processed."""
        self._loop.call(self._acknowledge())

    async def _acknowledge(self) -> None:
        self._subscription.acknowledge()

    @property
    def topic(self) -> str:
        return self._subscription.topic

    @property
    def bookmark(self) -> Optional[Bookmark]:
        """Of a subscription to the log: up to where messages have arrived."""
        return self._subscription.bookmark

    def pause(self) -> None:
        """The broker sends nothing more, but what is on its way."""
        self._loop.call(self._subscription.pause())

    def resume(self) -> None:
        """Goes on where it was paused."""
        self._loop.call(self._subscription.resume())

    def close(self) -> None:
        """Ends the subscription: nothing more comes."""
        self._loop.call(self._subscription.close())

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class Client:
    """A client of a broker for threads. Methods and options are those of :class:`AsyncClient`, and wait."""

    def __init__(self, loop: _Loop, client: AsyncClient) -> None:
        self._loop = loop
        self._client = client

    @classmethod
    def connect(
        cls, servers: Union[str, Sequence[str]] = "tcp://127.0.0.1:9100", options: Optional[ClientOptions] = None, **more: Any
    ) -> "Client":
        """Connects and logs on. See :meth:`AsyncClient.connect`."""
        loop = _Loop()
        try:
            return cls(loop, loop.call(AsyncClient.connect(servers, options, **more)))
        except BaseException:
            loop.stop()
            raise

    def close(self) -> None:
        """Sends what was published, waits for acknowledgements, at most ``close_timeout_s``, and disconnects."""
        try:
            self._loop.call(self._client.close())
        except ConnectionLostError:
            return
        self._loop.stop()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def session(self) -> Session:
        """What the broker said at the last logon."""
        return self._client.session

    @property
    def is_connected(self) -> bool:
        return self._client.is_connected

    def publish(
        self,
        topic: str,
        payload: Payload,
        *,
        ack: AckType = AckType.PROCESSED,
        headers: Optional[Mapping[str, HeaderValue]] = None,
        key: str = "",
        expiration_ms: int = 0,
        delta: bool = False,
        sequence: int = 0,
    ) -> Ack:
        """Publishes a message, and waits for its acknowledgement."""
        return self._loop.call(
            self._client.publish(
                topic, payload, ack=ack, headers=headers, key=key, expiration_ms=expiration_ms, delta=delta, sequence=sequence
            )
        )

    def send(
        self,
        topic: str,
        payload: Payload,
        *,
        headers: Optional[Mapping[str, HeaderValue]] = None,
        key: str = "",
        expiration_ms: int = 0,
        delta: bool = False,
    ) -> None:
        """Publishes a message without an acknowledgement; waits only for room."""
        self._loop.call(
            self._client.send(topic, payload, headers=headers, key=key, expiration_ms=expiration_ms, delta=delta)
        )

    def publish_all(self, topic: str, payloads: Iterable[Payload], *, ack: AckType = AckType.PROCESSED) -> int:
        """Publishes messages in their order, and waits for all acknowledgements."""
        return self._loop.call(self._client.publish_all(topic, payloads, ack=ack))

    def flush(self) -> None:
        """Waits until the broker has applied all that was published before."""
        self._loop.call(self._client.flush())

    def ping(self) -> float:
        """How long the broker takes to answer, in seconds."""
        return self._loop.call(self._client.ping())

    def subscribe(self, topic: str, filter: str = "", **more: Any) -> Subscription:
        """Subscribes from now on, or to the state and then every change. See :meth:`AsyncClient.subscribe`."""
        return self._subscription(self._client.subscribe, topic, filter, more)

    def replay(self, topic: str, filter: str = "", **more: Any) -> Subscription:
        """Subscribes to the log from a place on. See :meth:`AsyncClient.replay`."""
        return self._subscription(self._client.replay, topic, filter, more)

    def stream_query(self, topic: str, filter: str = "", **more: Any) -> Subscription:
        """A query whose records are taken while they come. See :meth:`AsyncClient.stream_query`."""
        return self._subscription(self._client.stream_query, topic, filter, more)

    def _subscription(
        self, begin: Callable[..., Coroutine[Any, Any, AsyncSubscription]], topic: str, filter: str, more: Dict[str, Any]
    ) -> Subscription:
        return Subscription(self._loop, self._loop.call(begin(topic, filter, **more)))

    def query(self, topic: str, filter: str = "", **more: Any) -> QueryResult:
        """The records of a topic with state that match. See :meth:`AsyncClient.stream_query` for the options."""
        return self._loop.call(self._client.query(topic, filter, **more))

    def delete(self, topic: str, filter: str = "", *, keys: Sequence[str] = ()) -> Deleted:
        """Deletes records by a filter, ``TRUE`` for all, or by keys."""
        return self._loop.call(self._client.delete(topic, filter, keys=keys))

    def declare_topic(self, topic: str, format: str = "json", key: str = "", expiration_ms: int = 0) -> None:
        """Creates a topic, unless it exists in the same form."""
        self._loop.call(self._client.declare_topic(topic, format, key, expiration_ms))

    def delete_topic(self, topic: str) -> None:
        """Deletes a topic with its state. For administrators."""
        self._loop.call(self._client.delete_topic(topic))

    def reset_publisher(self, name: str, *, user: str = "", to: int = 0) -> None:
        """Makes sequences of a publisher above ``to`` count as not applied. For administrators."""
        self._loop.call(self._client.reset_publisher(name, user=user, to=to))

    def topics(self, prefix: str = "") -> List[TopicInfo]:
        """The broker's topics whose names begin so."""
        return self._loop.call(self._client.topics(prefix))

    def stat(self, prefix: str = "") -> Dict[str, int]:
        """The broker's counters whose names begin so."""
        return self._loop.call(self._client.stat(prefix))

    def request(
        self, topic: str, payload: Payload, *, timeout_s: float = 10.0, headers: Optional[Mapping[str, HeaderValue]] = None
    ) -> Message:
        """Publishes a request, and waits for the first reply."""
        return self._loop.call(self._client.request(topic, payload, timeout_s=timeout_s, headers=headers))

    def reply(self, request: Message, payload: Payload, *, headers: Optional[Mapping[str, HeaderValue]] = None) -> None:
        """Answers a request."""
        self._loop.call(self._client.reply(request, payload, headers=headers))
