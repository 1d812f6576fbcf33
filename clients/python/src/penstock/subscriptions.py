"""The subscriptions of a client, on whatever connection. Used in the event loop alone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Dict, List, Optional, Sequence, Tuple

from . import wire
from .connection import Connection
from .errors import BrokerError, ConnectionLostError, ErrorCode, PenstockError, ProtocolError, RequestTimeoutError
from .message import TopicInfo, credit_length, read_records
from .publishing import AckType
from .subscription import AsyncSubscription, StateBegin, StateEnd

if TYPE_CHECKING:
    from .engine import Engine

_REPEATS_MAX = 3


class Subscriptions:
    """Makes subscriptions, also again, and gives them what comes for them."""

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine
        self._last_id = 0
        self._by_id: Dict[int, AsyncSubscription] = {}
        self._by_command: Dict[int, AsyncSubscription] = {}
        self._established: Dict[int, asyncio.Future[None]] = {}
        self._topics: Dict[Tuple[int, int], TopicInfo] = {}
        self._full_count = 0
        self._closing: Optional[PenstockError] = None

    def __len__(self) -> int:
        return len(self._by_id)

    # Connections.

    def on_connected(self, conn: Connection) -> None:
        """Makes all of them again."""
        self._topics.clear()
        for subscription in list(self._by_id.values()):
            self._send(conn, subscription)
            if subscription._is_held and not subscription._is_over:
                self._engine.send_unawaited(wire.PACE, _pace_fields(subscription, wire.PACE_PAUSE))

    def on_lost(self) -> None:
        self._full_count = 0
        self._by_command.clear()
        for subscription in self._by_id.values():
            subscription._on_lost()

    def end_unrepeatable(self, reason: PenstockError) -> None:
        """There will be another connection, for which some are not fit: queries with a part of their answer, and what was tried too
        often, as it may be what makes the broker fail."""
        for subscription in list(self._by_id.values()):
            subscription._repeats += 1
            is_partial = subscription._is_query and subscription._delivered > 0
            if is_partial or (subscription._id in self._established and subscription._repeats > _REPEATS_MAX):
                self.end(subscription, reason)

    def end_all(self, reason: PenstockError) -> None:
        for subscription in list(self._by_id.values()):
            self.end(subscription, reason)

    # What the program does.

    def next_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def has_named(self, name: str) -> bool:
        """Whether a subscription has a name, and has not ended."""
        return any(each._progress is not None and each._progress.name == name for each in self._by_id.values())

    async def subscribe(self, subscription: AsyncSubscription) -> None:
        """Waits until it is subscribed; of a query, until the broker has taken it. Whoever waits no more has no subscription."""
        self._engine.check_open()
        timeout_s = self._engine.options.request_timeout_s
        self._by_id[subscription._id] = subscription
        established: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._established[subscription._id] = established
        try:
            conn = self._engine.connection
            if conn is not None:
                self._send(conn, subscription)
            await asyncio.wait_for(established, timeout_s)
        except asyncio.TimeoutError:
            self._abandon(subscription)
            raise RequestTimeoutError(f"no answer within {timeout_s:g} s (is the broker busy?)") from None
        except BaseException:
            self._abandon(subscription)
            raise
        finally:
            self._established.pop(subscription._id, None)

    def _send(self, conn: Connection, subscription: AsyncSubscription) -> None:
        command_id = self._engine.next_command_id()
        try:
            frame = subscription._command(subscription, command_id)
        except ValueError as e:
            self.end(subscription, PenstockError(str(e)))
            return
        self._by_command[command_id] = subscription
        conn.send(frame)

    def _abandon(self, subscription: AsyncSubscription) -> None:
        """Ends a subscription without waiting, unless it has ended; the broker may have it, or be about to."""
        if not subscription._is_over:
            self.drop_answers(subscription)
            subscription._drop()
            self._engine.send_unawaited(wire.UNSUBSCRIBE, (subscription._id, AckType.PROCESSED.mask))

    def begin_close(self, reason: PenstockError) -> None:
        """The client closes, and waits for acknowledgements: a full subscription ends, now or once it is full, as it would have the
        client read nothing. What has come for it can still be taken."""
        self._closing = reason
        for subscription in list(self._by_id.values()):
            if subscription._is_paused:
                self._end_full(subscription, reason)
        # Queries that are over, but not taken, hold up reading, too.
        self._full_count = 0
        conn = self._engine.connection
        if conn is not None:
            conn.resume()

    def _end_full(self, subscription: AsyncSubscription, reason: PenstockError) -> None:
        subscription._is_paused = False
        self.drop_answers(subscription)
        self.end(subscription, reason)
        self._engine.send_unawaited(wire.UNSUBSCRIBE, (subscription._id, AckType.PROCESSED.mask))

    def drop_answers(self, subscription: AsyncSubscription) -> None:
        """Nobody hears any more of the commands that began it. The answer to a query ends when it is complete, or cancelled."""
        final = AckType.COMPLETED if subscription._is_query else AckType.PROCESSED
        for command_id in self._commands_of(subscription):
            self._engine.drop_answer(command_id, final)

    def end(self, subscription: AsyncSubscription, reason: PenstockError) -> None:
        """It has ended at the broker, or was not made."""
        subscription._finish(reason)
        established = self._established.get(subscription._id)
        if established is not None and not established.done():
            established.set_exception(reason)

    def forget(self, subscription: AsyncSubscription) -> None:
        self._by_id.pop(subscription._id, None)
        for command_id in self._commands_of(subscription):
            del self._by_command[command_id]

    def _commands_of(self, subscription: AsyncSubscription) -> List[int]:
        return [each for each, other in self._by_command.items() if other is subscription]

    async def unsubscribe(self, subscription: AsyncSubscription) -> None:
        if self._engine.connection is None:
            return
        try:
            await self._engine.command(wire.UNSUBSCRIBE, (subscription._id, AckType.PROCESSED.mask), is_repeatable=False)
        except BrokerError as e:
            # A query, or a subscription with an end, may be over by itself.
            if e.code != ErrorCode.UNKNOWN_SUBSCRIPTION:
                raise
        except ConnectionLostError:
            pass

    async def pace(self, subscription: AsyncSubscription, action: int) -> None:
        await self._engine.command(wire.PACE, _pace_fields(subscription, action))

    def give_credit(self, subscription: AsyncSubscription, length: int) -> bool:
        """Returns whether there is a connection to give it on."""
        conn = self._engine.connection
        if conn is None:
            return False
        fields = (self._engine.next_command_id(), subscription._id, length, 0, 0, 0, wire.PACE_CREDIT)
        conn.send(bytes(wire.command(wire.PACE, fields)))
        return True

    def pause_reading(self, subscription: AsyncSubscription) -> None:
        """A subscription is full."""
        if self._closing is not None:
            self._end_full(subscription, self._closing)
            return
        self._full_count += 1
        conn = self._engine.connection
        if conn is not None:
            conn.pause()

    def resume_reading(self) -> None:
        """A subscription has room again."""
        self._full_count -= 1
        conn = self._engine.connection
        if self._full_count <= 0 and conn is not None:
            self._full_count = 0
            conn.resume()

    # What the broker sends.

    def on_topic(self, topic: TopicInfo) -> None:
        """The broker describes a topic that it is about to deliver from."""
        at = topic.shard, topic.topic_id
        if len(self._topics) >= self._engine.options.topic_limit and at not in self._topics:
            raise ProtocolError(f"the broker delivers from too many topics: {len(self._topics)} (raise topic_limit)")
        self._topics[at] = topic

    def _topic(self, shard: int, topic_id: int) -> TopicInfo:
        topic = self._topics.get((shard, topic_id))
        if topic is None:
            raise ProtocolError(f"the broker delivered from a topic that it had not described: {topic_id} of shard {shard}")
        return topic

    def on_deliver(self, frame: bytes, answer: wire.Answer) -> None:
        subscription_id, shard, topic_id, kind = answer.fields
        topic = self._topic(shard, topic_id)
        messages = read_records(frame, answer.rest, kind, shard, topic)
        subscription = self._by_id.get(subscription_id)
        if subscription is not None:
            subscription._on_messages(messages, credit_length(len(frame), answer.rest))

    def on_replay_begin(self, answer: wire.Answer) -> None:
        _, subscription_id, sequence, shard, end_sequence = answer.fields
        subscription = self._by_id.get(subscription_id)
        if subscription is None or subscription._progress is None:
            return
        try:
            subscription._progress.on_begin(shard, sequence, end_sequence)
        except Exception as e:
            # The store may be the program's own.
            reason = PenstockError(f"{subscription.topic}: its bookmark cannot be noted: {e}")
            reason.__cause__ = e
            self.end(subscription, reason)
            self._engine.send_unawaited(wire.UNSUBSCRIBE, (subscription._id, AckType.PROCESSED.mask))

    def on_group_begin(self, answer: wire.Answer) -> None:
        command_id, query_id, sequence, shard, topic_id = answer.fields
        topic = self._topic(shard, topic_id)
        subscription = self._by_id.get(query_id)
        if subscription is not None:
            subscription._explanation = ""
            is_again = command_id == 0 or subscription._has_had_state
            subscription._on_marker_of(StateBegin(topic.name, shard, sequence, is_again))

    def on_explanation(self, answer: wire.Answer) -> None:
        subscription = self._by_id.get(answer.fields[1])
        if subscription is not None:
            subscription._explanation += answer.texts[0]

    def on_group_end(self, answer: wire.Answer) -> None:
        subscription = self._by_id.get(answer.fields[1])
        if subscription is not None:
            subscription._has_had_state = True
            subscription._stats = StateEnd(*answer.fields[2:])
            subscription._on_marker_of(subscription._stats)

    def on_ack(self, command_id: int, ack_type: AckType) -> bool:
        """Returns whether it was of a command that began a subscription."""
        subscription = self._by_command.get(command_id)
        if subscription is None:
            return False
        if ack_type == AckType.PROCESSED:
            subscription._repeats = 0
            subscription._on_established()
            established = self._established.get(subscription._id)
            if established is not None and not established.done():
                established.set_result(None)
        elif ack_type == AckType.COMPLETED:
            subscription._on_completed()
        return True

    def on_error(self, command_id: int, subscription_id: int, error: BrokerError) -> bool:
        """Returns whether it was about a subscription, which has ended."""
        subscription: Optional[AsyncSubscription] = self._by_command.get(command_id)
        if subscription is None and command_id == 0 and subscription_id != 0:
            subscription = self._by_id.get(subscription_id)
        if subscription is not None:
            self.end(subscription, error)
        return subscription is not None


def _pace_fields(subscription: AsyncSubscription, action: int) -> Sequence[int]:
    return subscription._id, 0, 0, 0, AckType.PROCESSED.mask, action
