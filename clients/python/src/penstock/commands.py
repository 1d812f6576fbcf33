"""Requests of subscriptions, replays and queries, and the commands that they become."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Optional, Sequence, Tuple, Union

from . import wire
from .bookmark import BEGINNING, NOW, Bookmark, End, Start, nanoseconds
from .publishing import AckType

AsOf = Union[Bookmark, datetime, int, str]
"""A bookmark, or its text; a time, or its nanoseconds since 1970 UTC."""

_MISSING = {"fail": 0, "beginning": 1, "now": 2}
_OPEN, _AT_NOW, _AT_BOOKMARK, _AT_TIME = range(4)


@dataclass(frozen=True)
class Rate:
    """How fast a replay is: give one of messages a second, bytes a second, and the multiple of the original speed;
    ``max_gap_ms`` bounds pauses of the last, 0 = does not."""

    messages: int = 0
    length: int = 0
    speed: float = 0.0
    max_gap_ms: int = 0

    def fields(self) -> Tuple[int, int, int]:
        """Rate, longest gap and unit."""
        given = [(self.messages, 1), (self.length, 2), (round(self.speed * 1000), 3)]
        chosen = [each for each in given if each[0]]
        if len(chosen) != 1 or chosen[0][0] < 0:
            raise ValueError(f"rate: give exactly one of messages, length and speed, above 0: {self}")
        return chosen[0][0], self.max_gap_ms, chosen[0][1]


def lines(keys: Sequence[str]) -> str:
    """Keys as one text.

    :raises ValueError: if one of them cannot be asked for.
    """
    if isinstance(keys, str):
        raise ValueError(f"keys: not a list: {keys!r} (use [{keys!r}])")
    for key in keys:
        if not key:
            raise ValueError("key: empty (leave it out; no keys at all are all records)")
        if "\n" in key:
            raise ValueError(f"key: has a line feed: {key!r} (delete or find its record by a filter)")
    return "\n".join(keys)


def _top(top: Optional[int]) -> int:
    if top is not None and top < 0:
        raise ValueError(f"top: out of range: {top} (use 0 or more, or None for all)")
    return -1 if top is None else top


def _bits(*options: Tuple[bool, int]) -> int:
    return sum(bit for is_set, bit in options if is_set)


def _check_credit(credit: int) -> None:
    if not 0 <= credit <= 1 << 60:
        raise ValueError(f"credit: out of range: {credit} (use 0 to 2^60 bytes)")


@dataclass(frozen=True)
class SubscribeRequest:
    topic: str
    filter: str
    pattern: bool
    sow: bool
    oof: bool
    delta: bool
    no_empties: bool
    select: str
    conflation_ms: int
    conflation_key: str
    order_by: str
    top: Optional[int]
    skip: int
    batch_size: int
    durable: bool
    credit: int

    def __post_init__(self) -> None:
        _check_credit(self.credit)

    def frame(self, command_id: int, subscription_id: int) -> bytes:
        options = _bits(
            (self.pattern, wire.PATTERN), (self.sow, wire.WITH_SOW), (self.oof, wire.OOF), (self.delta, wire.DELTA),
            (self.no_empties, wire.NO_EMPTIES), (self.durable, wire.DURABLE), (self.credit > 0, wire.CREDIT),
        )  # fmt: skip
        ack_types = AckType.PROCESSED.mask | (AckType.COMPLETED.mask if self.sow else 0)
        return bytes(
            wire.command(
                wire.SUBSCRIBE,
                (command_id, subscription_id, options, ack_types, self.conflation_ms, _top(self.top), self.skip, self.batch_size),
                (
                    ("topic", self.topic),
                    ("filter", self.filter),
                    ("order_by", self.order_by),
                    ("select", self.select),
                    ("conflation_key", self.conflation_key),
                ),
            )
        )


@dataclass(frozen=True)
class ReplayRequest:
    topic: str
    filter: str
    start: Start
    start_included: bool
    end: End
    end_included: bool
    pattern: bool
    live: bool
    missing: str
    rate: Optional[Rate]
    credit: int

    def __post_init__(self) -> None:
        _check_credit(self.credit)
        if self.missing not in _MISSING:
            raise ValueError(f"missing: not known: {self.missing!r} (use one of {sorted(_MISSING)})")
        if self.rate is not None:
            self.rate.fields()
        self._place(self.start)
        self._place(self.end)

    @property
    def has_moving_end(self) -> bool:
        """Whether the end has to be kept for a new connection, as it is not a time."""
        return self.end is not None and self._place(self.end)[0] != _AT_TIME

    def _place(self, place: Union[Start, End]) -> Tuple[int, str, int]:
        """Kind, bookmark and time of a place."""
        if place is None or place is BEGINNING:
            return _OPEN, "", 0
        if place is NOW:
            return _AT_NOW, "", 0
        if isinstance(place, str):
            return _AT_BOOKMARK, str(Bookmark.parse(place)), 0
        if isinstance(place, Bookmark):
            return _AT_BOOKMARK, str(place), 0
        if isinstance(place, (datetime, int)):
            return _AT_TIME, "", nanoseconds(place)
        raise ValueError(f"replay: not a place of the log: {place!r} (use a bookmark, a time, BEGINNING or NOW)")

    def frame(self, command_id: int, subscription_id: int, after: Optional[Bookmark], up_to: Optional[Bookmark]) -> bytes:
        """The command that begins; or that goes on after a place, up to the places where it was to end."""
        start, start_bookmark, start_ns = self._place(self.start)
        end, end_bookmark, end_ns = self._place(self.end)
        start_included, end_included = self.start_included, self.end_included
        if after is not None:
            start, start_bookmark, start_ns, start_included = _AT_BOOKMARK, str(after), 0, False
        if up_to is not None:
            end, end_bookmark, end_ns, end_included = _AT_NOW, str(up_to), 0, False
        options = _bits(
            (self.pattern, wire.FROM_PATTERN), (self.live, wire.FROM_LIVE), (start_included, wire.FROM_START_INCLUDED),
            (end_included, wire.FROM_END_INCLUDED), (self.credit > 0, wire.FROM_CREDIT),
        )  # fmt: skip
        ack_types = AckType.PROCESSED.mask | AckType.COMPLETED.mask
        rate, gap_ms, unit = self.rate.fields() if self.rate is not None else (0, 0, 0)
        return bytes(
            wire.command(
                wire.SUBSCRIBE_FROM,
                (
                    command_id, subscription_id, start_ns, end_ns, rate, gap_ms, unit, options, ack_types, start, end,
                    _MISSING[self.missing],
                ),
                (("topic", self.topic), ("filter", self.filter), ("start", start_bookmark), ("end", end_bookmark)),
            )
        )  # fmt: skip


@dataclass(frozen=True)
class QueryRequest:
    topic: str
    filter: str
    pattern: bool
    order_by: str
    top: Optional[int]
    skip: int
    select: str
    group_by: str
    having: str
    keys: Tuple[str, ...]
    as_of: Optional[AsOf]
    durable: bool
    timeout_ms: int
    batch_size: int
    explain: bool
    join: str

    def frame(self, command_id: int, query_id: int) -> bytes:
        as_of, bookmark, time_ns = 0, "", 0
        if isinstance(self.as_of, str):
            as_of, bookmark = 1, str(Bookmark.parse(self.as_of))
        elif isinstance(self.as_of, Bookmark):
            as_of, bookmark = 1, str(self.as_of)
        elif self.as_of is not None:
            as_of, time_ns = 2, nanoseconds(self.as_of)
        options = _bits(
            (self.pattern, wire.PATTERN), (self.durable, wire.DURABLE), (self.explain, wire.EXPLAIN),
            (bool(self.join.strip()), wire.JOIN),
        )  # fmt: skip
        ack_types = AckType.PROCESSED.mask | AckType.COMPLETED.mask
        return bytes(
            wire.command(
                wire.SOW,
                (
                    command_id, query_id, options, ack_types, _top(self.top), self.skip, self.batch_size, self.timeout_ms, 0,
                    time_ns, as_of,
                ),
                (
                    ("topic", self.topic),
                    ("filter", self.filter),
                    ("order_by", self.order_by),
                    ("select", self.select),
                    ("group_by", self.group_by),
                    ("having", self.having),
                    ("keys", lines(self.keys)),
                    ("as_of", bookmark),
                    ("join", self.join),
                ),
            )
        )  # fmt: skip
