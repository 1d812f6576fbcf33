"""The asyncio client against a broker."""

from __future__ import annotations

import asyncio
import unittest
from typing import List

from penstock import (
    NOW, AckType, AsyncClient, AsyncSubscription, Bookmark, BrokerError, Completed, ConnectionLostError, ErrorCode, Kind, Message, Rate,
    RequestTimeoutError, StateBegin, StateEnd,
)  # fmt: skip

from .broker_process import AsyncBrokerTest, free_port


async def take(subscription: AsyncSubscription, count: int) -> List[Message]:
    messages = []
    for _ in range(count):
        message = await subscription.next(10)
        assert message is not None, f"only {len(messages)} of {count} messages came"
        messages.append(message)
    return messages


async def answer_of(query: AsyncSubscription) -> List[Message]:
    return [message async for batch in query.batches() for message in batch]


class ClientTest(AsyncBrokerTest):
    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        self.client = await AsyncClient.connect(self.broker.endpoint)

    async def asyncTearDown(self) -> None:
        await self.client.close()

    async def test_should_deliver_what_was_published_when_subscribed(self) -> None:
        topic = self.topic()
        async with await self.client.subscribe(topic, "price > 10") as orders:
            await self.client.send(topic, {"symbol": "A", "price": 9})
            ack = await self.client.publish(topic, {"symbol": "Ü", "price": 12.5}, headers={"region": "EU", "n": 1, "raw": b"\x00"})
            message = (await take(orders, 1))[0]
            self.assertEqual(message.json(), {"symbol": "Ü", "price": 12.5})
            self.assertEqual(message.headers, {"region": "EU", "n": 1, "raw": b"\x00"})
            self.assertEqual((message.topic, message.kind, message.bookmark), (topic, Kind.PUBLISH, ack.bookmark))
            self.assertIsNone(await orders.next(0.05))

    async def test_should_keep_the_order_when_many_are_published(self) -> None:
        topic = self.topic()
        await self.client.declare_topic(topic, "binary")
        async with await self.client.subscribe(topic) as messages:
            self.assertEqual(await self.client.publish_all(topic, [str(i) for i in range(20_000)]), 20_000)
            count = 0
            async for batch in messages.batches():
                for message in batch:
                    self.assertEqual(message.payload, b"%d" % count)
                    count += 1
                if count == 20_000:
                    break

    async def test_should_take_a_message_of_a_megabyte_when_published(self) -> None:
        topic = self.topic()
        payload = '"' + "x" * 1_000_000 + '"'
        async with await self.client.subscribe(topic) as messages:
            await self.client.publish(topic, payload, headers={"a": "b"})
            message = (await take(messages, 1))[0]
            self.assertEqual((message.text, message.headers), (payload, {"a": "b"}))

    async def test_should_have_the_brokers_code_when_refused(self) -> None:
        topic = self.topic()
        with self.assertRaises(BrokerError) as refused:
            await self.client.subscribe(topic, "price >")
        self.assertEqual(refused.exception.code, ErrorCode.BAD_FILTER)
        self.assertIn("price >", str(refused.exception))
        with self.assertRaises(BrokerError) as refused:
            await self.client.publish(topic, "{")
        self.assertEqual((refused.exception.code, refused.exception.fatal), (ErrorCode.BAD_MESSAGE, False))
        with self.assertRaises(BrokerError) as refused:
            await self.client.publish(topic, "1" * (self.client.session.message_length_max + 1))
        self.assertEqual(refused.exception.code, ErrorCode.MESSAGE_TOO_LONG)
        with self.assertRaises(BrokerError) as refused:
            await self.client.publish("x" * 300, "1")
        self.assertEqual(refused.exception.code, ErrorCode.BAD_TOPIC)
        await self.client.publish(topic, "{}")

    async def test_should_refuse_the_first_of_many_when_it_is_bad(self) -> None:
        with self.assertRaises(BrokerError) as refused:
            await self.client.publish_all(self.topic(), ["1", "{", "2"])
        self.assertEqual(refused.exception.code, ErrorCode.BAD_MESSAGE)

    async def test_should_follow_state_when_subscribed_with_it(self) -> None:
        topic = self.topic()
        await self.client.declare_topic(topic, key="id")
        await self.client.publish_all(topic, [{"id": i, "x": i} for i in range(3)])
        markers: List[object] = []
        options = {"sow": True, "oof": True, "delta": True, "order_by": "id"}
        async with await self.client.subscribe(topic, "x < 9", on_marker=markers.append, **options) as records:
            self.assertEqual([m.kind for m in await take(records, 3)], [Kind.SOW] * 3)
            await self.client.publish(topic, {"id": 1, "x": 5}, delta=True)
            await self.client.publish(topic, {"id": 2, "x": 10})
            self.assertEqual((await self.client.delete(topic, keys=['{"id":0}', '{"id":77}'])), (2, 1))
            changed, gone, deleted = await take(records, 3)
            self.assertEqual((changed.kind, changed.json(), changed.key), (Kind.DELTA, {"id": 1, "x": 5}, '{"id":1}'))
            self.assertEqual((gone.kind, gone.is_oof, gone.key), (Kind.OOF_MATCH, True, '{"id":2}'))
            self.assertEqual((deleted.kind, deleted.json()), (Kind.OOF_DELETED, {"id": 0, "x": 0}))
        begin, end, completed = markers
        assert isinstance(begin, StateBegin) and isinstance(end, StateEnd) and isinstance(completed, Completed)
        self.assertEqual((begin.topic, begin.again, end.returned), (topic, False, 3))

    async def test_should_return_nothing_in_time_when_only_markers_are_left(self) -> None:
        topic = self.topic()
        await self.client.declare_topic(topic, key="id")
        await self.client.publish(topic, {"id": 1})
        markers: List[object] = []
        async with await self.client.subscribe(topic, sow=True, on_marker=markers.append) as records:
            await take(records, 1)
            self.assertIsNone(await asyncio.wait_for(records.next(0.5), 10))
            self.assertEqual([type(marker) for marker in markers], [StateBegin, StateEnd, Completed])

    async def test_should_read_on_when_an_answer_was_left_that_filled_its_queue(self) -> None:
        topic = self.topic()
        await self.client.declare_topic(topic, key="id")
        await self.client.publish_all(topic, [{"id": i} for i in range(100)])
        answer = await self.client.stream_query(topic, queue_count=10)


        async def fill() -> None:
            while not answer._is_paused:
                await asyncio.sleep(0.01)

        await asyncio.wait_for(fill(), 20)
        await answer.close()
        self.assertEqual(len(await self.client.query(topic)), 100)

    async def test_should_report_no_publish_when_a_query_is_left_early(self) -> None:
        topic = self.topic()
        errors: List[object] = []
        client = await AsyncClient.connect(self.broker.endpoint, on_publish_error=lambda *error: errors.append(error))
        try:
            await client.declare_topic(topic, key="id")
            await client.publish_all(topic, [{"id": i, "text": "x" * 10_000} for i in range(2_000)])
            for _ in range(5):
                answer = await client.stream_query(topic, queue_count=10)
                await take(answer, 1)
                await answer.close()
            self.assertEqual(len(await client.query(topic, top=5)), 5)
            await client.flush()
            self.assertEqual(errors, [])
            self.assertEqual(len(client._engine._pending._by_id), 0)
        finally:
            await client.close()

    async def test_should_close_at_once_when_streams_are_unread(self) -> None:
        topic = self.topic()
        await self.client.declare_topic(topic, key="id")
        await self.client.publish_all(topic, [{"id": i, "text": "x" * 10_000} for i in range(2_000)])
        errors: List[object] = []
        # Nothing else ends the waiting within the time of the test.
        client = await AsyncClient.connect(
            self.broker.endpoint,
            close_timeout_s=60.0,
            request_timeout_s=60.0,
            heartbeat_interval_ms=60_000,
            on_publish_error=lambda *error: errors.append(error),
        )
        query = await client.stream_query(topic, queue_count=10)

        async def fill() -> None:
            while not query._is_paused:
                await asyncio.sleep(0.01)

        await asyncio.wait_for(fill(), 20)
        await client.send(topic, {"id": 2_000})
        await asyncio.wait_for(client.close(), 20)
        self.assertEqual(errors, [])
        with self.assertRaisesRegex(ConnectionLostError, "closed"):
            async for _ in query.batches():
                pass
        self.assertEqual(len(await self.client.query(topic, "id = 2000")), 1)

    async def test_should_close_at_once_when_an_answer_has_come_and_is_unread(self) -> None:
        topic = self.topic()
        await self.client.declare_topic(topic, key="id")
        await self.client.publish_all(topic, [{"id": i} for i in range(20)])
        client = await AsyncClient.connect(
            self.broker.endpoint, close_timeout_s=60.0, request_timeout_s=60.0, heartbeat_interval_ms=60_000
        )
        answer = await client.stream_query(topic, queue_count=10)
        await answer.completed(20)
        await asyncio.wait_for(client.close(), 20)
        self.assertEqual([message.json()["id"] for message in await answer_of(answer)], list(range(20)))

    async def test_should_end_what_gets_full_when_it_closes(self) -> None:
        topic = self.topic()
        await self.client.declare_topic(topic, key="id")
        await self.client.publish_all(topic, [{"id": i, "text": "x" * 10_000} for i in range(2_000)])
        client = await AsyncClient.connect(
            self.broker.endpoint, close_timeout_s=60.0, request_timeout_s=60.0, heartbeat_interval_ms=60_000
        )
        client._engine.begin_close()
        answer = await client.stream_query(topic, queue_count=10)
        with self.assertRaisesRegex(ConnectionLostError, "closed"):
            await answer.completed(20)
        await asyncio.wait_for(client.flush(), 20)
        await client.close()

    async def test_should_answer_queries_when_narrowed_in_each_way(self) -> None:
        topic = self.topic()
        await self.client.declare_topic(topic, key="symbol")
        for symbol, price, market in (("A", 7, "x"), ("B", 9, "x"), ("C", 5, "y"), ("D", 8, "y")):
            await self.client.publish(topic, {"symbol": symbol, "price": price, "market": market})
        top = await self.client.query(topic, "price > 5", order_by="price DESC", top=2)
        self.assertEqual([record.json()["symbol"] for record in top], ["B", "D"])
        self.assertEqual((len(top), top.matches, top[0].kind), (2, 3, Kind.SOW))
        self.assertEqual([m.json()["symbol"] for m in await self.client.query(topic, order_by="symbol", skip=3)], ["D"])
        self.assertEqual(len(await self.client.query(topic, top=0)), 0)
        keyed = await self.client.query(topic, keys=['{"symbol":"C"}', '{"symbol":"nobody"}'])
        self.assertEqual([record.key for record in keyed], ['{"symbol":"C"}'])
        groups = await self.client.query(topic, select="market, MAX(price) AS top", group_by="market", having="top > 8")
        self.assertEqual(groups.rows(), [{"market": "x", "top": 9}])
        dearer = f"AS one JOIN {topic} AS other ON /one/market = /other/market"
        pairs = await self.client.query(topic, "/one/price < /other/price", join=dearer, select="/one/symbol, /other/symbol AS dearer",
            order_by="/one/symbol")  # fmt: skip
        self.assertEqual(pairs.rows(), [{"symbol": "A", "dearer": "B"}, {"symbol": "C", "dearer": "D"}])
        with self.assertRaises(BrokerError) as refused:
            await self.client.query(topic, order_by="price SIDEWAYS")
        self.assertEqual(refused.exception.code, ErrorCode.BAD_QUERY)

    async def test_should_show_the_past_when_asked_as_of_a_bookmark(self) -> None:
        topic = self.topic()
        await self.client.declare_topic(topic, key="id")
        first = await self.client.publish(topic, {"id": 1, "x": 1}, ack=AckType.PERSISTED)
        await self.client.publish(topic, {"id": 1, "x": 2}, ack=AckType.PERSISTED)
        assert first.bookmark is not None
        self.assertEqual((await self.client.query(topic, as_of=first.bookmark)).rows(), [{"id": 1, "x": 1}])
        self.assertEqual((await self.client.query(topic)).rows(), [{"id": 1, "x": 2}])

    async def test_should_keep_keys_of_publishers_when_the_topic_takes_them(self) -> None:
        topic = self.topic()
        await self.client.declare_topic(topic, "binary", key="*")
        await self.client.publish(topic, b"\x00\x01", key="k ö", expiration_ms=600_000)
        await self.client.publish(topic, b"2", key="other", expiration_ms=-1)
        records = {record.key: record for record in await self.client.query(topic)}
        self.assertEqual(records["k ö"].payload, b"\x00\x01")
        replayed = {message.key: message for message in await self._all(topic)}
        self.assertAlmostEqual((replayed["k ö"].expires_ns or 0) - replayed["k ö"].timestamp_ns, 600 * 10**9, delta=10**9)
        self.assertIsNone(replayed["other"].expires_ns)
        self.assertEqual(await self.client.delete(topic, keys=["k ö"]), (1, 1))

    async def test_should_replay_a_range_when_given_places(self) -> None:
        topic = self.topic()
        acks = [await self.client.publish(topic, str(i)) for i in range(6)]
        marks = [ack.bookmark for ack in acks]
        times = [message.timestamp_ns for message in await self._all(topic)]

        async def payloads(**places: object) -> List[str]:
            return [message.text for message in await self._all(topic, **places)]

        self.assertEqual(await payloads(), ["0", "1", "2", "3", "4", "5"])
        self.assertEqual(await payloads(start=marks[2]), ["3", "4", "5"])
        self.assertEqual(await payloads(start=str(marks[2]), start_included=True, end=marks[4]), ["2", "3"])
        self.assertEqual(await payloads(end=marks[1], end_included=True), ["0", "1"])
        self.assertEqual(await payloads(start=times[3]), [str(i) for i in range(6) if times[i] >= times[3]])
        with self.assertRaises(BrokerError) as refused:
            await self.client.replay(topic, start=Bookmark.of(0, 1 << 40))
        self.assertEqual(refused.exception.code, ErrorCode.BOOKMARK_NOT_FOUND)
        self.assertEqual(await payloads(start=Bookmark.of(0, 1 << 40), missing="beginning"), ["0", "1", "2", "3", "4", "5"])

    async def _all(self, topic: str, **places: object) -> List[Message]:
        await self.client.flush()
        places.setdefault("end", NOW)
        replay = await self.client.replay(topic, **places)  # type: ignore[arg-type]
        return [message async for message in replay]

    async def test_should_go_on_with_new_messages_when_a_replay_has_no_end(self) -> None:
        topic = self.topic()
        await self.client.publish(topic, "1")
        markers: List[object] = []
        async with await self.client.replay(topic, live=True, rate=Rate(messages=1000), on_marker=markers.append) as replay:
            self.assertEqual([m.text for m in await take(replay, 1)], ["1"])
            await replay.completed(10)
            await self.client.publish(topic, "2")
            self.assertEqual([m.text for m in await take(replay, 1)], ["2"])
            self.assertEqual(markers, [Completed()])

    async def test_should_stop_and_go_on_when_paused_and_resumed(self) -> None:
        topic = self.topic()
        async with await self.client.subscribe(topic) as messages:
            await messages.pause()
            await self.client.publish(topic, "1")
            self.assertIsNone(await messages.next(0.2))
            await messages.resume()
            self.assertEqual((await take(messages, 1))[0].text, "1")

    async def test_should_leave_nothing_at_the_broker_when_a_subscribe_is_cancelled(self) -> None:
        topic = self.topic()
        await self.client.declare_topic(topic, "binary")
        refused: List[str] = []
        async with await AsyncClient.connect(self.broker.endpoint, on_publish_error=lambda *error: refused.append(str(error))) as client:
            before = await self._subscription_count()
            for make in (client.subscribe(topic), client.replay(topic), client.stream_query(topic)):
                subscribing = asyncio.ensure_future(make)
                await asyncio.sleep(0)
                subscribing.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await subscribing
            await client.flush()
            self.assertEqual(await self._subscription_count(), before)
            self.assertEqual(len(client._engine.subscriptions), 0)
            self.assertEqual(refused, [])

    async def _subscription_count(self) -> int:
        return sum(count for name, count in (await self.client.stat()).items() if name.endswith(".subscriptions"))

    async def test_should_follow_topics_of_a_pattern_when_they_are_made_later(self) -> None:
        prefix = self.topic()
        async with await self.client.subscribe(prefix + r"\..*", pattern=True) as messages:
            await self.client.publish(prefix + ".a", "1")
            await self.client.publish(prefix + ".b", "2")
            self.assertEqual([(m.topic, m.text) for m in await take(messages, 2)], [(prefix + ".a", "1"), (prefix + ".b", "2")])
        names = [topic.name for topic in await self.client.topics(prefix)]
        self.assertEqual(names, [prefix + ".a", prefix + ".b"])

    async def test_should_get_a_reply_when_somebody_answers(self) -> None:
        topic = self.topic()
        async with await AsyncClient.connect(self.broker.endpoint) as server, await server.subscribe(topic) as requests:

            async def serve() -> None:
                async for request in requests:
                    if request.json() != "ignore me":
                        await server.reply(request, {"echo": request.json()}, headers={"by": "me"})

            serving = asyncio.ensure_future(serve())
            replies = await asyncio.gather(*(self.client.request(topic, i) for i in range(50)))
            self.assertEqual([reply.json() for reply in replies], [{"echo": i} for i in range(50)])
            self.assertEqual(replies[0].headers["by"], "me")
            with self.assertRaises(RequestTimeoutError):
                await self.client.request(topic, '"ignore me"', timeout_s=0.1)
            serving.cancel()
        with self.assertRaises(BrokerError) as refused:
            await self.client.request(topic, "1")
        self.assertEqual(refused.exception.code, ErrorCode.NO_RESPONDER)
        with self.assertRaisesRegex(ValueError, "not a request"):
            await self.client.reply((await self._all(topic + "2", start=NOW) or await self._one(topic))[0], "1")

    async def _one(self, topic: str) -> List[Message]:
        async with await self.client.subscribe(topic) as messages:
            await self.client.send(topic, "1")
            return await take(messages, 1)

    async def test_should_read_counters_when_asked(self) -> None:
        counters = await self.client.stat()
        self.assertGreater(len(counters), 10)
        prefix = next(iter(counters))
        self.assertIn(prefix, await self.client.stat(prefix))
        self.assertEqual(await self.client.stat("no such counter"), {})
        self.assertGreater(await self.client.ping(), 0)

    async def test_should_fail_everything_when_closed(self) -> None:
        client = await AsyncClient.connect(self.broker.endpoint)
        subscription = await client.subscribe(self.topic())
        await client.close()
        for call in (client.flush(), client.publish("t", "1"), client.subscribe("t"), subscription.next(5)):
            with self.assertRaisesRegex(ConnectionLostError, "closed"):
                await call
        await client.close()

    async def test_should_replace_the_older_client_when_the_name_is_the_same(self) -> None:
        older = await AsyncClient.connect(self.broker.endpoint, name="twin")
        subscription = await older.subscribe(self.topic())
        async with await AsyncClient.connect(self.broker.endpoint, name="twin"):
            with self.assertRaises(ConnectionLostError) as lost:
                await subscription.next(10)
            assert lost.exception.error is not None
            self.assertEqual(lost.exception.error.code, ErrorCode.REPLACED)
        await older.close()

    async def test_should_say_what_is_wrong_when_it_cannot_connect(self) -> None:
        nowhere = f"tcp://127.0.0.1:{free_port()}"
        with self.assertRaisesRegex(ConnectionLostError, "cannot connect"):
            await AsyncClient.connect(nowhere)
        async with await AsyncClient.connect([nowhere, self.broker.endpoint]) as client:
            self.assertEqual(client.session.server, self.broker.endpoint)
        with self.assertRaises(BrokerError) as refused:
            await AsyncClient.connect(self.broker.endpoint, user="eve", password="x")
        self.assertEqual(refused.exception.code, ErrorCode.AUTHENTICATION_FAILED)
        for wrong in ("127.0.0.1:9100", "ipc:/tmp/x", "tcp://host", "tcp://h:99999", "tcp://h:1/path"):
            with self.assertRaisesRegex(ValueError, "not an endpoint", msg=wrong):
                await AsyncClient.connect(wrong)
        with self.assertRaisesRegex(ValueError, "reconnect_timeout_s: out of range"):
            await AsyncClient.connect(nowhere, reconnect_timeout_s=-1)
        with self.assertRaisesRegex(ValueError, "name without a store"):
            await self.client.replay("t", name="fills")


class BoundsTest(AsyncBrokerTest):
    async def test_should_stop_reading_when_the_program_takes_nothing(self) -> None:
        topic = self.topic()
        async with await AsyncClient.connect(self.broker.endpoint) as publisher:
            await publisher.declare_topic(topic, "binary")
            async with await AsyncClient.connect(self.broker.endpoint) as client:
                messages = await client.replay(topic, live=True, queue_count=100)
                await publisher.publish_all(topic, [b"%07d" % i + b"x" * 993 for i in range(30_000)])
                await asyncio.sleep(0.3)
                # No more than the bound and what came with the last read of the socket.
                self.assertLess(messages._queue.count, 3_000)
                self.assertEqual([m.payload[:7] for m in await take(messages, 30_000)], [b"%07d" % i for i in range(30_000)])

    async def test_should_hold_up_nobody_else_when_a_subscription_has_credit(self) -> None:
        topic = self.topic()
        async with await AsyncClient.connect(self.broker.endpoint) as client:
            await client.declare_topic(topic, "binary")
            slow = await client.replay(topic, live=True, credit=20_000)
            fast = await client.subscribe(topic)
            await client.publish_all(topic, [b"%05d" % i for i in range(10_000)])
            self.assertEqual(len(await take(fast, 10_000)), 10_000)
            # Each costs 56 bytes; the last frame may take more than was left.
            self.assertLess(slow._queue.count, 20_000 / 56 + 65_536 / 56)
            self.assertEqual([m.payload for m in await take(slow, 10_000)], [b"%05d" % i for i in range(10_000)])

    async def test_should_bound_publishes_when_acknowledgements_do_not_come_yet(self) -> None:
        async with await AsyncClient.connect(self.broker.endpoint, in_flight_limit=10) as client:
            topic = self.topic()
            await client.declare_topic(topic, "binary")
            self.assertEqual(await client.publish_all(topic, [b"x"] * 1_000), 1_000)
            self.assertEqual(len(client._engine.publisher.in_flight), 0)


if __name__ == "__main__":
    unittest.main()
