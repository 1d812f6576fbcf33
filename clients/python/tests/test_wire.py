"""Frames, headers, keys and places, without a broker."""

from __future__ import annotations

import random
import struct
import sys
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

from penstock import Bookmark, ErrorCode, Kind, ProtocolError, headers, keys, message, wire
from penstock.bookmark import nanoseconds
from penstock.commands import Rate, lines

TOP = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TOP / "tests" / "client-kit"))

from kit.layouts import Protocol  # noqa: E402

PROTOCOL = Protocol(TOP / "docs" / "reference" / "protocol.md")
NAMES = {
    "Logon": wire.LOGON, "Publish": wire.PUBLISH, "Subscribe": wire.SUBSCRIBE, "Unsubscribe": wire.UNSUBSCRIBE,
    "Flush": wire.FLUSH, "Heartbeat": wire.HEARTBEAT, "Stat": wire.STAT, "Topics": wire.TOPICS,
    "DeclareTopic": wire.DECLARE_TOPIC, "PublishState": wire.PUBLISH_STATE, "Sow": wire.SOW, "SowDelete": wire.SOW_DELETE,
    "SubscribeFrom": wire.SUBSCRIBE_FROM, "Pace": wire.PACE, "ResetPublisher": wire.RESET_PUBLISHER,
    "DeleteTopic": wire.DELETE_TOPIC, "LogonAck": wire.LOGON_ACK, "Ack": wire.ACK, "Error": wire.ERROR,
    "Deliver": wire.DELIVER, "TopicEntry": wire.TOPIC_ENTRY, "StatEntry": wire.STAT_ENTRY, "GroupBegin": wire.GROUP_BEGIN,
    "GroupEnd": wire.GROUP_END, "QueryProgress": wire.QUERY_PROGRESS, "ReplayBegin": wire.REPLAY_BEGIN,
    "AuthResponse": wire.AUTH_RESPONSE, "AuthChallenge": wire.AUTH_CHALLENGE,
    "Explanation": wire.EXPLANATION,
}  # fmt: skip
SINKS = {"OpenSink", "OfferBlock", "BlockData", "CloseSink", "SinkOpened", "BlockGranted", "BlockStored"}


class WireTest(unittest.TestCase):
    def test_should_have_the_layouts_of_the_page_when_compared(self) -> None:
        templates = {name: layout for name, layout in PROTOCOL.layouts.items() if layout.template and name not in SINKS}
        self.assertEqual(set(NAMES), set(templates))
        for name, layout in templates.items():
            self.assertEqual(layout.template, NAMES[name], name)
            self.assertEqual("<" + "".join(field.format for field in layout.fixed), wire.BLOCKS[layout.template], name)
            self.assertEqual(layout.block_length, struct.calcsize(wire.BLOCKS[layout.template]), name)
            if layout.template > 100:
                self.assertEqual(len(layout.variable), wire.TEXTS.get(layout.template, 0), name)

    def test_should_have_the_errors_of_the_page_when_compared(self) -> None:
        for code in ErrorCode:
            self.assertEqual(PROTOCOL.errors[code.name], code.value)
        self.assertEqual(max(PROTOCOL.errors.values()), max(ErrorCode))

    def test_should_write_publishes_that_the_page_reads_when_of_any_content(self) -> None:
        for seed in range(200):
            at = random.Random(seed)
            payload = at.randbytes(at.choice((0, 1, 100, 70_000))) if hasattr(at, "randbytes") else b"x"
            block = headers.encode({"a": "ü", "n": at.randint(-(2**63), 2**63 - 1)} if at.random() < 0.5 else {})
            plain = PROTOCOL.read(wire.publish(seed, 7, 3, b"topic", payload)[4:])
            self.assertEqual((plain.name, plain.fields["commandId"], plain.fields["topic"]), ("Publish", seed, "topic"), seed)
            state = PROTOCOL.read(wire.publish_state(seed, 7, 3, 1, -1, b"t", "ké".encode(), payload, block)[4:])
            self.assertEqual((state.fields["key"], state.fields["expirationMs"]), ("ké", -1), seed)
            self.assertEqual(state.fields["payloadLength"], len(payload), seed)
            self.assertEqual(state.fields["headers"], headers.decode(block), seed)

    def test_should_end_in_a_protocol_error_when_a_frame_is_cut_or_changed_anywhere(self) -> None:
        frames = [
            PROTOCOL.frame("Error", {"code": 9, "name": "BAD_FILTER", "text": "no ü"}, {}),
            PROTOCOL.frame("TopicEntry", {"name": "t", "format": "json", "key": "id"}, {}),
            PROTOCOL.frame("Deliver", {}, {"records": [{"payload": "1", "headers": {"a": "b", "c": 1}, "key": "k"}, {"payload": "2"}]}),
        ]
        topic = message.TopicInfo("t", "json", "*", 0, 0, 0)
        for frame in frames:
            for cut in range(len(frame)):
                self._read(frame[:cut], topic)
            for seed in range(2000):
                at = random.Random(seed)
                changed = bytearray(frame)
                for _ in range(at.randint(1, 4)):
                    changed[at.randrange(len(changed))] = at.randrange(256)
                self._read(bytes(changed), topic)

    @staticmethod
    def _read(frame: bytes, topic: message.TopicInfo) -> None:
        """Anything but a ProtocolError fails the test."""
        try:
            answer = wire.read(frame)
            if answer.template == wire.DELIVER:
                for each in message.read_records(frame, answer.rest, answer.fields[3], 0, topic):
                    _ = each.headers, each.expires_ns, each.credit_length
        except ProtocolError:
            pass

    def test_should_refuse_commands_when_a_text_or_number_does_not_fit(self) -> None:
        with self.assertRaisesRegex(ValueError, "filter: too long: 65535 bytes"):
            wire.command(wire.SUBSCRIBE, (1, 1, 0, 0, 0, 0, 0, 0), (("topic", "t"), ("filter", "x" * 65_535)))
        with self.assertRaisesRegex(ValueError, "too long"):
            wire.command(wire.LOGON, (1, 0), (("a", "x" * 30_000), ("b", "x" * 30_000), ("c", "x" * 30_000)))
        with self.assertRaisesRegex(ValueError, "lone surrogates"):
            wire.text("topic", "\ud800")
        with self.assertRaisesRegex(ValueError, "out of range"):
            wire.command(wire.LOGON, (1, 1 << 40))


class HeadersTest(unittest.TestCase):
    def test_should_give_back_what_was_written_when_of_each_type(self) -> None:
        given = {"region": "EÜ", "attempt": -3, "raw": b"\x00\xff", "empty": ""}
        self.assertEqual(headers.decode(headers.encode(given)), given)
        self.assertEqual(headers.encode({}), b"")

    def test_should_refuse_headers_when_they_break_a_rule(self) -> None:
        for wrong, reason in (
            ({"": "x"}, "not a name"), ({"ü": "x"}, "not a name"), ({"a b": "x"}, "not a name"), ({"a" * 128: "x"}, "not a name"),
            ({"reply-to": 1}, "not a text"), ({"n": 2**63}, "64 bits"), ({"n": 1.5}, "not a text, integer or bytes"),
            ({"n": True}, "not a text, integer or bytes"), ({"n": "x" * 16_380}, "too long"), ({str(i): 1 for i in range(65)}, "too many"),
        ):  # fmt: skip
            with self.assertRaisesRegex(ValueError, reason, msg=str(wrong)[:80]):
                headers.encode(wrong)  # type: ignore[arg-type]


class KeysTest(unittest.TestCase):
    def test_should_write_keys_canonically_when_fields_are_written_otherwise(self) -> None:
        paths = keys.parse("id, /order/qty")
        assert paths is not None
        self.assertEqual(keys.text(paths, b'{"order":{"x":1,"qty":2.50},"id":"\\u00e9"}', {}), '{"id":"é","order":{"qty":2.5}}')
        self.assertIsNone(keys.text(paths, b'{"id":1}', {}))
        self.assertIsNone(keys.text(paths, b'{"id":[1],"order":{"qty":1}}', {}))
        self.assertIsNone(keys.text(paths, b"no json", {}))

    def test_should_order_members_by_their_paths_when_declared_otherwise(self) -> None:
        paths = keys.parse("""z, /o/k , HEADER('r'), "odd ""name", a[1], [/x y/z], b, b""")
        assert paths is not None
        message = b'{"z":1,"o":{"k":2},"odd \\"name":3,"a":[0,4],"x y":{"z":5},"b":6}'
        self.assertEqual(keys.text(paths, message, {"r": "7"}),
            '{"odd \\"name":3,"x y":{"z":5},"a":[null,4],"b":6,"o":{"k":2},"z":1,"HEADER(\'r\')":"7"}')  # fmt: skip
        self.assertIsNone(keys.parse("a b"))
        self.assertIsNone(keys.parse("a,,b"))


class PlacesTest(unittest.TestCase):
    def test_should_read_bookmarks_when_well_formed_alone(self) -> None:
        self.assertEqual(str(Bookmark.parse("1:99, 0:12")), "0:12,1:99")
        self.assertEqual(Bookmark.parse("0:5,0:3").sequences, {0: 3})
        for wrong in ("", "1", "a:1", "0:-1", "0:1,", "0:99999999999999999999", "70000:1"):
            with self.assertRaisesRegex(ValueError, "bookmark: ", msg=wrong):
                Bookmark.parse(wrong)

    def test_should_count_nanoseconds_exactly_when_given_a_time(self) -> None:
        self.assertEqual(nanoseconds(datetime(2026, 5, 1, 9, 30, 0, 123456, tzinfo=timezone.utc)), 1777627800123456000)
        self.assertEqual(nanoseconds(datetime(1970, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))), 0)

    def test_should_refuse_rates_and_keys_when_ambiguous(self) -> None:
        with self.assertRaisesRegex(ValueError, "exactly one"):
            Rate(messages=1, speed=2).fields()
        with self.assertRaisesRegex(ValueError, "line feed"):
            lines(["a\nb"])
        with self.assertRaisesRegex(ValueError, "empty"):
            lines([""])
        with self.assertRaisesRegex(ValueError, "not a list"):
            lines("abc")
        self.assertEqual(Rate(speed=1.5, max_gap_ms=10).fields(), (1500, 10, 3))

    def test_should_name_kinds_as_the_page_does_when_listed(self) -> None:
        self.assertEqual([kind.name for kind in Kind], ["PUBLISH", "SOW", "DELTA", "OOF_MATCH", "OOF_DELETED", "OOF_EXPIRED"])
