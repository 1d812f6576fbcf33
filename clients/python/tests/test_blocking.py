"""The client for threads against a broker."""

from __future__ import annotations

import threading
import unittest
from typing import List

from penstock import AckType, BrokerError, Client, ConnectionLostError, ErrorCode, PenstockError, to_arrow, to_pandas

from .broker_process import BrokerTest

try:
    import pandas
except ImportError:
    pandas = None  # type: ignore[assignment]
try:
    import pyarrow
except ImportError:
    pyarrow = None  # type: ignore[assignment]


class BlockingTest(BrokerTest):
    def setUp(self) -> None:
        self.client = Client.connect(self.broker.endpoint)
        self.addCleanup(self.client.close)

    def test_should_deliver_in_both_ways_when_iterated(self) -> None:
        topic = self.topic()
        self.client.declare_topic(topic, "binary")
        with self.client.subscribe(topic) as one, self.client.subscribe(topic) as many:
            self.client.publish_all(topic, [str(i) for i in range(1_000)])
            self.assertEqual([next(one).text for _ in range(1_000)], [str(i) for i in range(1_000)])
            received: List[str] = []
            for batch in many.batches():
                received += [message.text for message in batch]
                if len(received) == 1_000:
                    break
            self.assertEqual(received, [str(i) for i in range(1_000)])
            self.assertIsNone(one.next(0.01))

    def test_should_publish_from_many_threads_when_they_share_it(self) -> None:
        topic = self.topic()

        def publish(thread: int) -> None:
            for i in range(100):
                self.client.publish(topic, [thread, i], ack=AckType.PROCESSED)

        threads = [threading.Thread(target=publish, args=(thread,)) for thread in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        received = [message.json() for message in self.client.replay(topic, end=self.now())]
        self.assertEqual(len(received), 800)
        for thread in range(8):
            self.assertEqual([i for who, i in received if who == thread], list(range(100)))

    @staticmethod
    def now() -> object:
        from penstock import NOW

        return NOW

    def test_should_do_all_else_when_asked(self) -> None:
        topic = self.topic()
        self.client.declare_topic(topic, key="id")
        self.client.send(topic, {"id": 1, "x": 1}, headers={"a": "b"})
        self.client.flush()
        self.assertEqual(self.client.publish(topic, {"id": 2, "x": 2}).duplicate, False)
        self.assertEqual(self.client.query(topic, order_by="id").rows(), [{"id": 1, "x": 1}, {"id": 2, "x": 2}])
        self.assertEqual([m.json()["id"] for m in self.client.stream_query(topic, order_by="id DESC")], [2, 1])
        self.assertEqual(self.client.delete(topic, "x = 1"), (1, 1))
        self.assertEqual([t.key for t in self.client.topics(topic)], ["id"])
        self.assertTrue(self.client.stat())
        self.assertGreater(self.client.ping(), 0)
        with self.assertRaises(BrokerError) as refused:
            self.client.request(topic, {"id": 1}, timeout_s=5)
        self.assertEqual(refused.exception.code, ErrorCode.NO_RESPONDER)
        self.client.delete_topic(topic)
        self.assertEqual(self.client.topics(topic), [])

    def test_should_answer_requests_when_another_thread_serves(self) -> None:
        topic = self.topic()
        requests = self.client.subscribe(topic)
        server = threading.Thread(target=lambda: self.client.reply(next(requests), {"n": 2}))
        server.start()
        self.assertEqual(self.client.request(topic, {"n": 1}).json(), {"n": 2})
        server.join()

    def test_should_refuse_calls_when_closed(self) -> None:
        client = Client.connect(self.broker.endpoint)
        client.close()
        with self.assertRaises(ConnectionLostError):
            client.flush()
        client.close()

    def test_should_not_wait_for_itself_when_called_in_a_callback(self) -> None:
        failures: List[BaseException] = []

        def on_error(topic: str, error: PenstockError) -> None:
            try:
                client.flush()
            except RuntimeError as e:
                failures.append(e)

        with Client.connect(self.broker.endpoint, on_publish_error=on_error) as client:
            client.send(self.topic(), "{")
            client.flush()
        self.assertIn("do not wait in a callback", str(failures[0]))

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_should_make_a_data_frame_when_pandas_is_there(self) -> None:
        frame = self._records().to_pandas()
        self.assertEqual(list(frame["id"]), [1, 2])

    @unittest.skipIf(pyarrow is None, "pyarrow is not installed")
    def test_should_make_a_table_when_pyarrow_is_there(self) -> None:
        table = self._records().to_arrow()
        self.assertEqual(table.to_pydict(), {"id": [1, 2], "x": [None, 1.5]})

    def test_should_say_what_to_install_when_a_library_is_missing(self) -> None:
        for module, make in ((pandas, to_pandas), (pyarrow, to_arrow)):
            if module is None:
                with self.assertRaisesRegex(PenstockError, "is not installed"):
                    make([])

    def test_should_refuse_tables_when_messages_are_no_objects(self) -> None:
        topic = self.topic()
        self.client.publish(topic, "[1]")
        messages = list(self.client.replay(topic, end=self.now()))
        from penstock.query import rows_of

        with self.assertRaisesRegex(PenstockError, "is no JSON object"):
            rows_of(messages)

    def _records(self):  # type: ignore[no-untyped-def]
        topic = self.topic()
        self.client.declare_topic(topic, key="id")
        self.client.publish_all(topic, [{"id": 1}, {"id": 2, "x": 1.5}])
        return self.client.query(topic, order_by="id")
