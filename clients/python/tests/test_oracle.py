"""The same broker through the Java client's command line: payloads, keys, headers and bookmarks have to be the same."""

from __future__ import annotations

import base64
import random
from typing import Any, Dict, List

from penstock import NOW, Client, HeaderValue, Kind

from .broker_process import BrokerTest, cli

_KINDS = {Kind.PUBLISH: "message", Kind.SOW: "state"}


def shown(headers: Dict[str, HeaderValue]) -> str:
    """As the command line shows headers."""
    values = (base64.b64encode(value).decode() if isinstance(value, bytes) else value for value in headers.values())
    return ", ".join(f"{name}={value}" for name, value in zip(headers, values))


def value(at: random.Random) -> Any:
    """Numbers near the bounds of their ways to be written, and texts that need escapes."""
    return at.choice(
        (
            at.randint(-5, 5), at.randint(-(2**63), 2**63 - 1), float(at.randint(-5, 5)), at.uniform(-1, 1), 10.0 ** at.randint(-12, 22),
            2.0**53 + at.randint(0, 99) * 2, True, False, "", "é", "a\"b\\c\n\t\u0001", "\U0001f600", "x" * at.randint(0, 20),
        )
    )  # fmt: skip


class OracleTest(BrokerTest):
    def test_should_show_what_the_java_client_shows_when_python_published(self) -> None:
        topic = self.topic()
        at = random.Random(22)
        with Client.connect(self.broker.endpoint) as client:
            client.declare_topic(topic, key="HEADER('region'), /o/k, id")
            for i in range(300):
                headers: Dict[str, HeaderValue] = {"region": at.choice(("EU", "", "ü")), "n": at.randint(-(2**63), 2**63 - 1)}
                if i % 3 == 0:
                    headers["raw"] = at.getrandbits(64).to_bytes(8, "big")
                client.publish(topic, {"x": i, "o": {"j": 1, "k": value(at)}, "id": value(at)}, headers=headers)
            replayed = list(client.replay(topic, end=NOW))
            records = list(client.query(topic))
        java = cli(self.broker, "subscribe", topic, "--from", "beginning", "--to", "now", "--long", "--kinds", "--keys", "--headers")
        self.assertEqual(len(java), 300)
        for line, message in zip(java, replayed):
            columns = line.split("\t")
            mine = [_KINDS[message.kind], message.key, shown(message.headers), str(message.bookmark), message.text]
            for each in mine:
                self.assertIn(each, columns, f"{line!r}: {message!r}")
        state = cli(self.broker, "sow", topic, "--keys", "--headers")
        self.assertEqual(sorted(state), sorted("\t".join((m.key, shown(m.headers), m.text)) for m in records))

    def test_should_find_each_record_by_its_key_when_asked_for(self) -> None:
        topic = self.topic()
        at = random.Random(7)
        with Client.connect(self.broker.endpoint) as client:
            client.declare_topic(topic, key="id")
            client.publish_all(topic, [{"id": value(at), "n": i} for i in range(200)])
            for record in client.query(topic):
                self.assertEqual([found.payload for found in client.query(topic, keys=[record.key])], [record.payload], record.key)

    def test_should_deliver_what_the_java_client_published_when_subscribed(self) -> None:
        topic = self.topic()
        lines: List[str] = ['{"id":1, "text":"ü"}', "[1,2.50,1e3]", '"€"', "null"]
        with Client.connect(self.broker.endpoint) as client, client.subscribe(topic) as messages:
            cli(self.broker, "publish", topic, "--header", "from=java", lines=lines)
            received = [next(messages) for _ in lines]
            self.assertEqual([message.text for message in received], lines)
            self.assertEqual({shown(message.headers) for message in received}, {"from=java"})

    def test_should_answer_the_java_client_when_it_asks(self) -> None:
        topic = self.topic()
        import threading

        with Client.connect(self.broker.endpoint) as client, client.subscribe(topic) as requests:
            server = threading.Thread(target=lambda: client.reply(next(requests), {"price": 10.5}))
            server.start()
            self.assertEqual(cli(self.broker, "request", topic, '{"symbol":"A"}'), ['{"price":10.5}'])
            server.join()
