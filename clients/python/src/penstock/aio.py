"""The client for asyncio."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import commands, wire
from . import headers as header_block
from .bookmark import BEGINNING, End, Start
from .engine import Engine, Session
from .errors import ConnectionLostError, PenstockError
from .headers import HeaderValue
from .message import Message, TopicInfo
from .options import ClientOptions, servers_of
from .payload import Payload, publish_frame
from .progress import LogProgress
from .publishing import Ack, AckType, Publish
from .query import QueryResult
from .replies import Replies
from .subscription import QUEUE_COUNT, QUEUE_LENGTH, AsyncSubscription, OnMarker

_REPEATS_MAX = 3


class Deleted(NamedTuple):
    """How many records matched, or how many keys were given, and how many records were deleted."""

    matches: int
    deleted: int


class AsyncClient:
    """A client of a broker, for the event loop in which it was connected. Make it with :meth:`connect`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._replies = Replies(self)

    @classmethod
    async def connect(
        cls, servers: Union[str, Sequence[str]] = "tcp://127.0.0.1:9100", options: Optional[ClientOptions] = None, **more: Any
    ) -> "AsyncClient":
        """Connects and logs on. Each server is tried once, in their order.

        :param servers: an endpoint, several with commas between them, or a list.
        :param options: how the client behaves; or give its fields by name: ``connect(server, name="desk")``.
        :raises ConnectionLostError: if there is no broker.
        :raises BrokerError: if it refuses the client.
        """
        if options is not None and more:
            raise ValueError(f"connect: options and {sorted(more)} (give either)")
        engine = Engine(servers_of(servers), options if options is not None else ClientOptions(**more))
        await engine.start()
        return cls(engine)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Sends what was published, waits for acknowledgements, at most ``close_timeout_s``, and disconnects."""
        if self._engine.is_closed:
            self._engine.close()
            return
        self._engine.begin_close()
        try:
            await asyncio.wait_for(self._drain(), self._engine.options.close_timeout_s)
        except (asyncio.TimeoutError, PenstockError):
            pass
        self._engine.close()
        self._replies.end()

    async def _drain(self) -> None:
        if self._engine.publisher.stored is not None:
            await self._stored_everything()
        if self._engine.is_connected:
            await self.flush()
            if self._replies.topic:
                await self.delete_topic(self._replies.topic)

    @property
    def session(self) -> Session:
        """What the broker said at the last logon."""
        assert self._engine.session is not None
        return self._engine.session

    @property
    def is_connected(self) -> bool:
        return self._engine.is_connected

    # Publishing.

    async def publish(
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
        """Publishes a message, and waits for its acknowledgement: one round trip, unless several tasks publish.

        With a publish store the acknowledgement is ``PERSISTED``, or ``PROCESSED`` for a topic in memory.

        :param headers: named texts, integers and bytes.
        :param key: of the record, on a topic whose publishers give it.
        :param expiration_ms: the broker deletes the record after this time; 0 = the topic's, -1 = never.
        :param delta: the payload has only the fields that change, and those of the key.
        :param sequence: the publisher's own number of the message; 0 = none, or the next one of the store.
        :raises BrokerError: if the broker refuses it.
        """
        return await (await self.start_publish(topic, payload, ack=ack, headers=headers, key=key,
            expiration_ms=expiration_ms, delta=delta, sequence=sequence))  # fmt: skip

    async def start_publish(
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
    ) -> "asyncio.Future[Ack]":
        """As :meth:`publish`, but returns a future as soon as there is room for the message."""
        future: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
        options = wire.PUBLISH_DELTA if delta else 0
        frame = publish_frame(self.session, topic, payload, ack.mask, headers, key, expiration_ms, options, sequence)
        await self._engine.publisher.publish(Publish(frame, topic, sequence, ack, future))
        return future

    async def send(
        self,
        topic: str,
        payload: Payload,
        *,
        headers: Optional[Mapping[str, HeaderValue]] = None,
        key: str = "",
        expiration_ms: int = 0,
        delta: bool = False,
    ) -> None:
        """Publishes a message without an acknowledgement; waits only for room. ``on_publish_error`` is told when the broker refuses it."""
        options = wire.PUBLISH_DELTA if delta else 0
        frame = publish_frame(self.session, topic, payload, 0, headers, key, expiration_ms, options, 0)
        await self._engine.publisher.publish(Publish(frame, topic, 0, -1, None))

    async def publish_all(self, topic: str, payloads: Iterable[Payload], *, ack: AckType = AckType.PROCESSED) -> int:
        """Publishes messages in their order, and waits for all acknowledgements. Returns how many were taken.

        :raises BrokerError: the first one; others may have been refused as well.
        """
        futures = [await self.start_publish(topic, payload, ack=ack) for payload in payloads]
        for result in await asyncio.gather(*futures, return_exceptions=True):
            if isinstance(result, BaseException):
                raise result
        return len(futures)

    async def flush(self) -> None:
        """Waits until the broker has applied all that was published before; with a store until it has it for good."""
        if self._engine.publisher.stored is not None:
            await asyncio.wait_for(self._stored_everything(), self._engine.options.request_timeout_s)
        else:
            await self._engine.command(wire.FLUSH, (), final=AckType.COMPLETED, is_repeatable=False)

    async def _stored_everything(self) -> None:
        stored, room = self._engine.publisher.stored, self._engine.publisher.room
        assert stored is not None
        await room.wait(lambda: len(stored) == 0 or self._engine.is_closed, 1e9, "flush")
        self._engine.check_open()

    async def ping(self) -> float:
        """How long the broker takes to answer, in seconds."""
        loop = asyncio.get_running_loop()
        started_s = loop.time()
        await self._engine.command(wire.FLUSH, (), final=AckType.COMPLETED, is_repeatable=False)
        return loop.time() - started_s

    # Subscribing.

    async def subscribe(
        self,
        topic: str,
        filter: str = "",
        *,
        pattern: bool = False,
        sow: bool = False,
        oof: bool = False,
        delta: bool = False,
        no_empties: bool = False,
        select: str = "",
        conflation_ms: int = 0,
        conflation_key: str = "",
        order_by: str = "",
        top: Optional[int] = None,
        skip: int = 0,
        batch_size: int = 0,
        durable: bool = False,
        credit: int = 0,
        on_marker: Optional[OnMarker] = None,
        queue_count: int = QUEUE_COUNT,
        queue_length: int = QUEUE_LENGTH,
    ) -> AsyncSubscription:
        """Subscribes from now on; with ``sow`` first the state, then every change from there on.

        :param pattern: the topic is a regular expression over whole names.
        :param oof: also records that no longer match, were deleted or have expired.
        :param delta: only the key and the changed fields of records that matched before.
        :param no_empties: with ``delta`` or ``select``: leave out fields that are null or empty.
        :param select: only these fields, and those of the key.
        :param conflation_ms: each record at most once in so many milliseconds.
        :param top: with ``sow``: at most so many records of the state; None for all.
        :param credit: in bytes: how much the broker may send ahead of what the program takes; 0 = without credit.
        :param on_marker: told in turn with the messages where the state begins and ends, and when all of it has come.
        :param queue_count, queue_length: what the client keeps for the program at most, in messages and bytes.
        """
        request = commands.SubscribeRequest(topic, filter, pattern, sow, oof, delta, no_empties, select, conflation_ms,
            conflation_key, order_by, top, skip, batch_size, durable, credit)  # fmt: skip
        subscription = AsyncSubscription(
            self._engine.subscriptions, self._engine.subscriptions.next_id(), topic, lambda it, command_id: request.frame(command_id, it._id),
            credit=credit, on_marker=on_marker, queue_count=queue_count, queue_length=queue_length,
        )  # fmt: skip
        await self._engine.subscriptions.subscribe(subscription)
        return subscription

    async def replay(
        self,
        topic: str,
        filter: str = "",
        *,
        start: Start = BEGINNING,
        start_included: bool = False,
        end: End = None,
        end_included: bool = False,
        name: str = "",
        pattern: bool = False,
        live: bool = False,
        missing: str = "fail",
        rate: Optional[commands.Rate] = None,
        credit: int = 0,
        on_marker: Optional[OnMarker] = None,
        queue_count: int = QUEUE_COUNT,
        queue_length: int = QUEUE_LENGTH,
    ) -> AsyncSubscription:
        """Subscribes to the log from a place on, and goes on with new messages unless there is an end.

        :param start: ``BEGINNING``, ``NOW``, a bookmark, or a time.
        :param end: ``NOW``, a bookmark, or a time; None to go on.
        :param name: with a bookmark store: goes on after the last message that was processed under this name, and
            begins at ``start`` when the name is new. One subscription of a client may have it at a time.
        :param live: new messages at once, not only when they are on stable storage.
        :param on_marker: told in turn with the messages when all that existed have come.
        :param missing: when the bookmark is not in the log: ``fail``, or begin at the ``beginning`` or ``now``.
        """
        store = self._engine.options.bookmark_store
        if name and store is None:
            raise ValueError(f"replay: name without a store: {name!r} (connect with bookmark_store)")
        if name and self._engine.subscriptions.has_named(name):
            raise ValueError(
                f"replay: name in use by another subscription of this client: {name!r} (close that one first, or use another name)"
            )
        request = commands.ReplayRequest(topic, filter, start, start_included, end, end_included, pattern, live, missing,
            rate, credit)  # fmt: skip
        progress = LogProgress(name, store, request.has_moving_end)
        subscription = AsyncSubscription(
            self._engine.subscriptions, self._engine.subscriptions.next_id(), topic,
            lambda it, command_id: request.frame(command_id, it._id, progress.bookmark, progress.end),
            credit=credit, progress=progress, on_marker=on_marker, has_end=end is not None, queue_count=queue_count, queue_length=queue_length,
        )  # fmt: skip
        await self._engine.subscriptions.subscribe(subscription)
        return subscription

    # State.

    async def query(self, topic: str, filter: str = "", **more: Any) -> QueryResult:
        """The records of a topic with state that match, as one answer. Takes the options of :meth:`stream_query`."""
        for attempt in range(_REPEATS_MAX + 1):
            subscription = await self.stream_query(topic, filter, **more)
            messages: List[Message] = []
            try:
                async for batch in subscription.batches():
                    messages += batch
                stats = subscription._stats
                return QueryResult(
                    messages, stats.topic_matches if stats else 0, stats.matches if stats else 0, subscription.explanation
                )
            except ConnectionLostError:
                if self._engine.is_closed or attempt == _REPEATS_MAX:
                    raise
            finally:
                await subscription.close()
        raise AssertionError("unreachable")

    async def stream_query(
        self,
        topic: str,
        filter: str = "",
        *,
        pattern: bool = False,
        order_by: str = "",
        top: Optional[int] = None,
        skip: int = 0,
        select: str = "",
        group_by: str = "",
        having: str = "",
        keys: Sequence[str] = (),
        as_of: Optional[commands.AsOf] = None,
        durable: bool = False,
        timeout_ms: int = 0,
        batch_size: int = 0,
        explain: bool = False,
        join: str = "",
        queue_count: int = QUEUE_COUNT,
        queue_length: int = QUEUE_LENGTH,
    ) -> AsyncSubscription:
        """A query whose records are taken one by one, or in batches, while they come.

        :param top: at most so many records; None for all.
        :param skip: leave out so many first.
        :param select: fields, expressions and aggregates; empty = whole records.
        :param keys: only these records; each a message with the key's fields, or the key that publishers gave.
        :param as_of: the state as it was after the message of a bookmark, or at a time.
        :param durable: answer once all of it is on stable storage.
        :param timeout_ms: the broker gives up after this time; 0 = its own limit.
        :param join: another topic whose records are paired with those of the topic, such as
            ``LEFT JOIN customers ON /orders/customer = /customers/id``; then there is a select list.
        :param explain: the broker says at the end how it has answered, see :attr:`AsyncSubscription.explanation`.
        """
        request = commands.QueryRequest(topic, filter, pattern, order_by, top, skip, select, group_by, having, tuple(keys),
            as_of, durable, timeout_ms, batch_size, explain, join)  # fmt: skip
        subscription = AsyncSubscription(
            self._engine.subscriptions, self._engine.subscriptions.next_id(), topic, lambda it, command_id: request.frame(command_id, it._id),
            is_query=True, queue_count=queue_count, queue_length=queue_length,
        )  # fmt: skip
        await self._engine.subscriptions.subscribe(subscription)
        return subscription

    async def delete(self, topic: str, filter: str = "", *, keys: Sequence[str] = ()) -> Deleted:
        """Deletes records by a filter, ``TRUE`` for all, or by keys; give exactly one of them."""
        if bool(filter) == bool(keys):
            raise ValueError("delete: give a filter or keys, and not both (filter='TRUE' deletes everything)")
        mask = AckType.STATS.mask
        answer = await self._engine.command(
            wire.SOW_DELETE, (mask,), (("topic", topic), ("filter", filter), ("keys", commands.lines(keys))),
            final=AckType.STATS, is_repeatable=False,
        )  # fmt: skip
        return Deleted(answer.counts[1], answer.counts[2])

    # Topics and the broker.

    async def declare_topic(self, topic: str, format: str = "json", key: str = "", expiration_ms: int = 0) -> None:
        """Creates a topic, unless it exists in the same form. ``key``: fields, ``*`` when publishers give it, empty = no state."""
        texts = (("topic", topic), ("format", format), ("key", key))
        await self._engine.command(wire.DECLARE_TOPIC, (AckType.PROCESSED.mask, expiration_ms), texts)

    async def delete_topic(self, topic: str) -> None:
        """Deletes a topic with its state. For administrators."""
        await self._engine.command(wire.DELETE_TOPIC, (AckType.PROCESSED.mask,), (("topic", topic),), is_repeatable=False)

    async def reset_publisher(self, name: str, *, user: str = "", to: int = 0) -> None:
        """Makes sequences of a publisher above ``to`` count as not applied. For administrators."""
        texts = (("name", name), ("user", user))
        await self._engine.command(wire.RESET_PUBLISHER, (to, AckType.PROCESSED.mask), texts, is_repeatable=False)

    async def topics(self, prefix: str = "") -> List[TopicInfo]:
        """The broker's topics whose names begin so."""
        answer = await self._engine.command(wire.TOPICS, (), (("prefix", prefix),), final=AckType.COMPLETED)
        return [entry for entry in answer.entries if isinstance(entry, TopicInfo)]

    async def stat(self, prefix: str = "") -> Dict[str, int]:
        """The broker's counters whose names begin so."""
        answer = await self._engine.command(wire.STAT, (), (("prefix", prefix),), final=AckType.COMPLETED)
        return {entry[0]: entry[1] for entry in answer.entries if isinstance(entry, tuple)}

    # Requests and replies.

    async def request(
        self,
        topic: str,
        payload: Payload,
        *,
        timeout_s: float = 10.0,
        headers: Optional[Mapping[str, HeaderValue]] = None,
    ) -> Message:
        """Publishes a request, and waits for the first reply.

        :raises BrokerError: ``NO_RESPONDER`` when the topic has no subscription.
        :raises RequestTimeoutError: when no reply comes in time.
        """
        return await self._replies.request(topic, payload, timeout_s, headers or {})

    async def reply(self, request: Message, payload: Payload, *, headers: Optional[Mapping[str, HeaderValue]] = None) -> None:
        """Answers a request.

        :raises ValueError: if the message is none.
        """
        of_request = request.headers
        topic, correlation_id = of_request.get(header_block.REPLY_TO), of_request.get(header_block.CORRELATION_ID)
        if not isinstance(topic, str):
            raise ValueError(f"reply: not a request: {request!r} (it has no header {header_block.REPLY_TO})")
        all_headers = dict(headers or {})
        if correlation_id is not None:
            all_headers[header_block.CORRELATION_ID] = correlation_id
        frame = publish_frame(self.session, topic, payload, 0, all_headers, "", 0, 0, 0)
        await self._engine.publisher.publish(Publish(frame, topic, -1, -1, None))
