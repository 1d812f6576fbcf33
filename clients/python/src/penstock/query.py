"""The answer to a query, and tables of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Sequence, overload

from .errors import PenstockError
from .message import Message

if TYPE_CHECKING:
    import pandas
    import pyarrow


class QueryResult(Sequence[Message]):
    """The records of an answer, in their order, and how many records the broker looked at and found to match."""

    def __init__(self, messages: List[Message], topic_matches: int, matches: int) -> None:
        self._messages = messages
        self.topic_matches = topic_matches
        self.matches = matches

    @overload
    def __getitem__(self, index: int) -> Message: ...

    @overload
    def __getitem__(self, index: slice) -> List[Message]: ...

    def __getitem__(self, index: Any) -> Any:
        return self._messages[index]

    def __len__(self) -> int:
        return len(self._messages)

    def __iter__(self) -> Iterator[Message]:
        return iter(self._messages)

    def rows(self) -> List[Dict[str, Any]]:
        """The JSON objects of the records."""
        return rows_of(self._messages)

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame with a column for each member, which needs pandas."""
        return to_pandas(self._messages)

    def to_arrow(self) -> "pyarrow.Table":
        """An Arrow table with a column for each member, which needs pyarrow."""
        return to_arrow(self._messages)

    def __repr__(self) -> str:
        return f"QueryResult({len(self)} records of {self.matches} that match)"


def rows_of(messages: Sequence[Message]) -> List[Dict[str, Any]]:
    """The JSON objects of messages.

    :raises PenstockError: if one of them is none.
    """
    try:
        # One call of the parser for all of them.
        rows = json.loads(b"[" + b",".join([message.payload for message in messages]) + b"]")
    except ValueError as e:
        raise PenstockError(f"table: a message is not JSON: {e} (tables are of JSON objects)") from e
    for message, row in zip(messages, rows):
        if not isinstance(row, dict):
            raise PenstockError(f"table: a message is not a JSON object: {message.payload[:80]!r} (tables are of objects)")
    return list(rows)


def to_pandas(messages: Sequence[Message]) -> "pandas.DataFrame":
    """A data frame of messages, for example those of ``batches()``."""
    try:
        import pandas
    except ImportError as e:
        raise PenstockError("pandas: is not installed (pip install pandas)") from e
    return pandas.DataFrame.from_records(rows_of(messages))


def to_arrow(messages: Sequence[Message]) -> "pyarrow.Table":
    """An Arrow table of messages, for example those of ``batches()``."""
    try:
        import pyarrow
    except ImportError as e:
        raise PenstockError("pyarrow: is not installed (pip install pyarrow)") from e
    rows = rows_of(messages)
    names: Dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return pyarrow.table({name: [row.get(name) for row in rows] for name in names})
