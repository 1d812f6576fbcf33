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
    """The records of an answer, in their order, and how many records the broker looked at and found to match.

    ``explanation`` says how it has answered, in lines of text, if the query asked for that with ``explain``; else it is empty.
    """

    def __init__(self, messages: List[Message], topic_matches: int, matches: int, explanation: str = "") -> None:
        self._messages = messages
        self.topic_matches = topic_matches
        self.matches = matches
        self.explanation = explanation

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


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


_decode = json.JSONDecoder(parse_constant=_refuse).decode


def rows_of(messages: Sequence[Message]) -> List[Dict[str, Any]]:
    """The JSON objects of messages, one for each, as ``json.loads`` reads them: of members of the same name the last one counts.

    :raises PenstockError: if one of them is none.
    """
    return [_row_of(message) for message in messages]


def _row_of(message: Message) -> Dict[str, Any]:
    reason = ""
    try:
        row = _decode(message.payload.decode("utf-8"))
        if isinstance(row, dict):
            return row
    except ValueError as e:
        reason = f": {e}"
    except RecursionError:
        reason = ": it is nested too deeply"
    raise PenstockError(
        f"table: message {message.topic} {message.bookmark}: is no JSON object{reason}: {message.payload[:80]!r} (tables are of objects)"
    )


def to_pandas(messages: Sequence[Message]) -> "pandas.DataFrame":
    """A data frame of messages, for example those of ``batches()``, with a row for each message and a column for each member.

    Fields that a message has not are missing values, so that integers of such a column are floats. Objects and arrays stay as
    they are; a column of values of several types is one of objects.
    """
    try:
        import pandas
    except ImportError as e:
        raise PenstockError("pandas: is not installed (pip install pandas)") from e
    rows = rows_of(messages)
    return pandas.DataFrame(rows, index=pandas.RangeIndex(len(rows)))


def to_arrow(messages: Sequence[Message]) -> "pyarrow.Table":
    """An Arrow table of messages, for example those of ``batches()``, with a column for each member.

    Fields that a message has not are null. Objects are structs, arrays are lists. Without any member the table has no rows.

    :raises PenstockError: if the values of a column have no type in common.
    """
    try:
        import pyarrow
    except ImportError as e:
        raise PenstockError("pyarrow: is not installed (pip install pyarrow)") from e
    rows = rows_of(messages)
    columns: Dict[str, Any] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        try:
            columns[name] = pyarrow.array([row.get(name) for row in rows])
        except (pyarrow.ArrowException, OverflowError, UnicodeError) as e:
            raise PenstockError(
                f"arrow: column {name}: {e} (select other fields, or make a table of rows() with a schema)"
            ) from e
    return pyarrow.table(columns)
