"""Brokers that are killed and come back, and programs that start again."""

from __future__ import annotations

import asyncio
import os
import tempfile
import unittest
from pathlib import Path
from typing import List, Optional

from penstock import (
    FOR_EVER, NOW, AckType, AsyncClient, BackPressureError, BookmarkStore, BrokerError, ConnectionEvent, ConnectionLostError, ErrorCode, FileBookmarkStore, PenstockError,
    PublishStore,
)  # fmt: skip

from .broker_process import JAR, AsyncTest, BrokerProcess


@unittest.skipUnless(JAR.exists(), f"no jar: {JAR}")
class ReconnectTest(AsyncTest):
    broker: BrokerProcess

    @classmethod
    def setUpClass(cls) -> None:
        cls.broker = BrokerProcess()
        cls.addClassCleanup(cls.broker.end)

    def setUp(self) -> None:
        if not self.broker.is_up:
            self.broker.start()

    async def restart(self) -> None:
        self.broker.kill()
        await asyncio.get_running_loop().run_in_executor(None, self.broker.start)

    async def test_should_apply_each_message_once_when_the_broker_is_killed_meanwhile(self) -> None:
        count = 3_000
        store = PublishStore()
        options = {"reconnect_timeout_s": FOR_EVER, "reconnect_delay_max_s": 0.2}
        async with await AsyncClient.connect(self.broker.endpoint, name="once", publish_store=store, **options) as client:
            await client.declare_topic("orders")
            replay = await client.replay("orders")
            futures = []

            async def publish() -> None:
                for i in range(count):
                    futures.append(await client.start_publish("orders", str(i)))
                    if i % 100 == 0:
                        await asyncio.sleep(0.01)

            publishing = asyncio.ensure_future(publish())
            for _ in range(2):
                await asyncio.sleep(0.15)
                await self.restart()
            await publishing
            acks = await asyncio.wait_for(asyncio.gather(*futures), 30)
            self.assertEqual([ack.publisher_sequence for ack in acks], list(range(1, count + 1)))
            self.assertTrue(all(ack.type == AckType.PERSISTED for ack in acks))
            self.assertEqual(len(store), 0)
            received = [int((await replay.__anext__()).text) for _ in range(count)]
            self.assertEqual(received, list(range(count)))
            everything = await client.replay("orders", end=NOW)
            self.assertEqual([int(m.text) async for m in everything], list(range(count)))

    async def test_should_fail_and_tell_when_it_does_not_reconnect(self) -> None:
        events: List[ConnectionEvent] = []
        client = await AsyncClient.connect(self.broker.endpoint, on_connection=lambda event, *_: events.append(event))
        subscription = await client.subscribe("t")
        self.broker.kill()
        with self.assertRaises(ConnectionLostError):
            await subscription.next(10)
        with self.assertRaises(ConnectionLostError):
            await client.publish("t", "1")
        self.assertEqual(events, [ConnectionEvent.CONNECTED, ConnectionEvent.DISCONNECTED])
        await client.close()

    async def test_should_reconnect_when_the_programs_callbacks_raise(self) -> None:
        events: List[ConnectionEvent] = []

        def on_connection(event: ConnectionEvent, server: str, reason: Optional[PenstockError]) -> None:
            events.append(event)
            raise RuntimeError(f"a callback that fails when {event.value}")

        with self.assertLogs("penstock", "ERROR") as logged:
            client = await AsyncClient.connect(
                self.broker.endpoint, reconnect_timeout_s=FOR_EVER, reconnect_delay_max_s=0.2, on_connection=on_connection
            )
            subscription = await client.subscribe("callbacks")
            await self.restart()
            await client.declare_topic("callbacks", "binary")
            await client.publish("callbacks", "1")
            message = await subscription.next(20)
            assert message is not None
            self.assertEqual(message.text, "1")
            await client.close()
        self.assertEqual(events[:2] + events[-1:], [ConnectionEvent.CONNECTED, ConnectionEvent.DISCONNECTED, ConnectionEvent.CONNECTED])
        self.assertIn("a callback that fails when disconnected", "".join(logged.output))

    async def test_should_fail_the_rest_when_the_callback_for_refused_messages_raises(self) -> None:
        told: List[str] = []

        def on_publish_error(topic: str, reason: PenstockError) -> None:
            told.append(topic)
            raise RuntimeError("a callback that fails")

        with self.assertLogs("penstock", "ERROR"):
            client = await AsyncClient.connect(self.broker.endpoint, on_publish_error=on_publish_error)
            await client.send("refused", "{")
            await client.flush()
            self.assertEqual(told, [""])
            waiting = await client.start_publish("refused", "1")
            self.assertEqual((await waiting).type, AckType.PROCESSED)
            await client.close()

    async def test_should_end_alone_when_its_bookmark_cannot_be_noted(self) -> None:
        class FailingStore(BookmarkStore):
            def note(self, name: str, shard: int, sequence: int) -> None:
                raise OSError(28, "No space left on device")

        async with await AsyncClient.connect(self.broker.endpoint, bookmark_store=FailingStore()) as client:
            await client.declare_topic("unnoted", "binary")
            others = await client.subscribe("unnoted")
            with self.assertRaisesRegex(PenstockError, "unnoted: its bookmark cannot be noted: .*No space left"):
                await (await client.replay("unnoted", name="mine")).next(20)
            await client.publish("unnoted", "1")
            self.assertIsNotNone(await others.next(20))

    async def test_should_refuse_a_second_subscription_of_a_name_while_the_first_stands(self) -> None:
        async with await AsyncClient.connect(self.broker.endpoint, bookmark_store=BookmarkStore()) as client:
            await client.declare_topic("twice", "binary")
            first = await client.replay("twice", name="mine")
            with self.assertRaisesRegex(ValueError, r"^replay: name in use by another subscription of this client: 'mine' \(close that"):
                await client.replay("twice", name="mine")
            await client.replay("twice", name="other")
            await client.publish("twice", "1")
            self.assertIsNotNone(await first.next(20))
            await first.close()
            second = await client.replay("twice", name="mine")
            with self.assertRaises(BrokerError):
                await client.replay("twice", "price >", name="wrong")
            with self.assertRaises(BrokerError):
                await client.replay("twice", "price >", name="wrong")
            self.assertTrue(second._progress is not None and second._progress.is_named)

    async def test_should_wait_within_bounds_when_there_is_no_broker(self) -> None:
        store = PublishStore(count_max=5)
        client = await AsyncClient.connect(
            self.broker.endpoint, name="desk", publish_store=store, reconnect_timeout_s=FOR_EVER, publish_timeout_s=0.1
        )
        self.broker.kill()
        futures = [await client.start_publish("t", str(i)) for i in range(5)]
        with self.assertRaises(BackPressureError):
            await client.start_publish("t", "5")
        await asyncio.get_running_loop().run_in_executor(None, self.broker.start)
        self.assertEqual(len(await asyncio.wait_for(asyncio.gather(*futures), 20)), 5)
        await client.close()

    async def test_should_go_on_where_it_was_when_the_program_starts_again(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bookmarks"
            async with await AsyncClient.connect(self.broker.endpoint) as publisher:
                await publisher.publish_all("fills", [str(i) for i in range(10)], ack=AckType.PERSISTED)
            first = await self.run_program(path, 4)
            # The fourth was not processed yet when the program ended: nobody had asked for the next one.
            self.assertEqual(first, ["0", "1", "2", "3"])
            self.assertEqual(await self.run_program(path, 7), ["3", "4", "5", "6", "7", "8", "9"])
            await self.restart()
            self.assertEqual(await self.run_program(path, 1), ["9"])
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)

    async def run_program(self, path: Path, count: int) -> List[str]:
        store = FileBookmarkStore(path)
        async with await AsyncClient.connect(self.broker.endpoint, name="desk", bookmark_store=store) as client:
            fills = await client.replay("fills", name="fills")
            return [(await fills.__anext__()).text for _ in range(count)]


@unittest.skipUnless(JAR.exists(), f"no jar: {JAR}")
class MemoryTopicTest(AsyncTest):
    broker: BrokerProcess

    @classmethod
    def setUpClass(cls) -> None:
        cls.broker = BrokerProcess(with_journal=False)
        cls.addClassCleanup(cls.broker.end)

    async def test_should_be_told_that_a_topic_is_in_memory_when_it_asks_for_persisted(self) -> None:
        async with await AsyncClient.connect(self.broker.endpoint) as client:
            with self.assertRaises(BrokerError) as refused:
                await client.publish("t", "1", ack=AckType.PERSISTED)
            self.assertEqual(refused.exception.code, ErrorCode.NOT_SUPPORTED)
            await client.publish("t", "2")
            self.assertEqual([m.text async for m in await client.replay("t", end=NOW)], ["2"])

    async def test_should_store_until_processed_when_a_topic_is_in_memory(self) -> None:
        async with await AsyncClient.connect(self.broker.endpoint, name="desk", publish_store=PublishStore()) as client:
            acks = await asyncio.gather(*(client.publish("u", str(i)) for i in range(100)))
            self.assertEqual({ack.type for ack in acks}, {AckType.PROCESSED})
            await client.flush()
            self.assertEqual([int(m.text) async for m in await client.replay("u", end=NOW)], list(range(100)))


class FileBookmarkStoreTest(unittest.TestCase):
    def test_should_keep_what_was_noted_when_opened_again(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "marks"
            store = FileBookmarkStore(path, batch=2, sync=True)
            store.note("a", 0, 1)
            self.assertFalse(path.exists())
            store.note("a", 1, 7)
            self.assertTrue(path.exists())
            store.note("b", 0, 9)
            with self.assertRaisesRegex(PenstockError, "in use"):
                FileBookmarkStore(path)
            store.close()
            again = FileBookmarkStore(path)
            self.assertEqual(str(again.last("a")), "0:1,1:7")
            self.assertEqual(str(again.last("b")), "0:9")
            self.assertIsNone(again.last("c"))
            again.close()

    def test_should_say_so_when_the_file_is_damaged(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "marks"
            store = FileBookmarkStore(path)
            store.note("a", 0, 1)
            store.close()
            content = bytearray(path.read_bytes())
            content[12] ^= 1
            path.write_bytes(bytes(content))
            with self.assertRaisesRegex(PenstockError, "damaged"):
                FileBookmarkStore(path)
