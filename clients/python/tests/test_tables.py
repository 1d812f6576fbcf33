"""Rows of messages, and tables of them."""

from __future__ import annotations

import unittest
from typing import Any, List

from penstock import Kind, Message, PenstockError, TopicInfo, to_arrow, to_pandas
from penstock.query import rows_of

try:
    import pandas
except ImportError:
    pandas = None  # type: ignore[assignment]
try:
    import pyarrow
except ImportError:
    pyarrow = None  # type: ignore[assignment]

TOPIC = TopicInfo("t", "binary", "", 0, 1, 0)


def messages(*payloads: bytes) -> List[Message]:
    return [Message(payload, at + 1, 0, Kind.SOW, 0, TOPIC, 0, b"") for at, payload in enumerate(payloads)]


class RowsTest(unittest.TestCase):
    def test_should_keep_what_json_says_when_messages_are_objects(self) -> None:
        rows = rows_of(messages(b"{}", b' {"a":1,"b":null,"c":[1,{"d":2}]} ', '{"a":"ü","a":2.5}'.encode("utf-8")))
        self.assertEqual(rows, [{}, {"a": 1, "b": None, "c": [1, {"d": 2}]}, {"a": 2.5}])
        self.assertEqual(rows_of([]), [])

    def test_should_name_the_message_when_it_is_no_object(self) -> None:
        for payload in (b"", b"  ", b"1", b"null", b'"x"', b"[1]", b"{", b"{}{}", b'{"a":1},{"b":2}', b'{"a":NaN}', b'{"a":-Infinity}',
                        b"\xff", b"\x00{}", b"\xef\xbb\xbf{}", "{}".encode("utf-16"), b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"):  # fmt: skip
            with self.assertRaisesRegex(PenstockError, r"^table: message t 0:2: is no JSON object", msg=payload[:80]) as refused:
                rows_of(messages(b"{}", payload))
            self.assertLess(len(str(refused.exception)), 400)

    def test_should_not_take_pieces_for_objects_when_messages_fit_together(self) -> None:
        for payloads in ((b'{"a":[1', b"2]}"), (b'{"a":1},{"b":[1', b"2]}"), (b'{"a":"', b'"}'), (b'{"a":1},{"b":2}', b"")):
            with self.assertRaisesRegex(PenstockError, "0:1: is no JSON object", msg=payloads):
                rows_of(messages(*payloads))


@unittest.skipIf(pandas is None, "pandas is not installed")
class PandasTest(unittest.TestCase):
    def test_should_have_a_column_for_each_member_when_messages_differ(self) -> None:
        frame = to_pandas(messages(b'{"a":1}', b"{}", b'{"b":[1,2],"c":{"d":1}}', b'{"a":"x","b":null}'))
        self.assertEqual(list(frame.columns), ["a", "b", "c"])
        self.assertEqual(len(frame), 4)
        self.assertEqual([frame["a"][0], frame["a"][3]], [1, "x"])
        self.assertTrue(frame["a"].isna()[1])
        self.assertEqual((frame["b"][2], frame["c"][2]), ([1, 2], {"d": 1}))

    def test_should_have_as_many_rows_as_messages_when_they_have_no_members(self) -> None:
        self.assertEqual(to_pandas(messages(b"{}", b"{}")).shape, (2, 0))
        self.assertEqual(to_pandas([]).shape, (0, 0))


@unittest.skipIf(pyarrow is None, "pyarrow is not installed")
class ArrowTest(unittest.TestCase):
    def test_should_have_a_column_for_each_member_when_messages_differ(self) -> None:
        table = to_arrow(messages(b'{"a":1}', b"{}", b'{"b":[1,2],"c":{"d":1}}', b'{"a":2.5,"b":null}'))
        expected: Any = {"a": [1.0, None, None, 2.5], "b": [None, None, [1, 2], None], "c": [None, None, {"d": 1}, None]}
        self.assertEqual(table.to_pydict(), expected)

    def test_should_have_no_column_when_messages_have_no_members(self) -> None:
        self.assertEqual(to_arrow(messages(b"{}", b"{}")).num_columns, 0)
        self.assertEqual(to_arrow([]).num_rows, 0)

    def test_should_name_the_column_when_its_values_have_no_common_type(self) -> None:
        for last in (b'{"id":2,"a":"x"}', b'{"id":2,"a":[1]}', b'{"id":2,"a":99999999999999999999}', b'{"id":2,"a":"\\ud800"}'):
            with self.assertRaisesRegex(PenstockError, r"^arrow: column a: .*\(select other fields, or make a table of rows\(\) with a schema\)$"):
                to_arrow(messages(b'{"id":1,"a":1}', last))


if __name__ == "__main__":
    unittest.main()
