"""Places of the log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Dict, Mapping, Union

SHARD_COUNT_MAX = 1 << 16
"""Bookmarks of more shards than this are none."""


@dataclass(frozen=True)
class Bookmark:
    """A place of the log: the last sequence of each shard, written ``0:1234,1:99``."""

    sequences: Mapping[int, int]

    @staticmethod
    def of(shard: int, sequence: int) -> Bookmark:
        """The place of a message."""
        return Bookmark({shard: sequence})

    @staticmethod
    def parse(text: str) -> Bookmark:
        """Reads a bookmark. If a shard occurs more than once its lowest sequence counts."""
        sequences: Dict[int, int] = {}
        for part in text.split(","):
            shard_text, colon, sequence_text = part.strip().partition(":")
            if not colon or not _is_number(shard_text) or not _is_number(sequence_text):
                raise ValueError(f"bookmark: not one: {text!r} (use for example '0:1234' or '0:1234,1:99')")
            shard, sequence = int(shard_text), int(sequence_text)
            if shard >= SHARD_COUNT_MAX or sequence >= 2**63:
                raise ValueError(f"bookmark: out of range: {text!r} (use one that a broker has given)")
            sequences[shard] = min(sequence, sequences.get(shard, sequence))
        return Bookmark(sequences)

    def __str__(self) -> str:
        return ",".join(f"{shard}:{sequence}" for shard, sequence in sorted(self.sequences.items()))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


class _Beginning:
    def __repr__(self) -> str:
        return "BEGINNING"


class _Now:
    def __repr__(self) -> str:
        return "NOW"


BEGINNING = _Beginning()
"""The first message there is."""
NOW = _Now()
"""As a start: the next message. As an end: the newest message when the broker takes the command."""

Start = Union[Bookmark, datetime, int, str, _Beginning, _Now]
"""A bookmark, or its text; a time, or its nanoseconds since 1970 UTC; BEGINNING or NOW."""
End = Union[Bookmark, datetime, int, str, _Now, None]
"""As Start; None for no end."""


def nanoseconds(time: Union[datetime, int]) -> int:
    """Nanoseconds since 1970 UTC. A time without a zone is local time, as everywhere in Python."""
    if isinstance(time, int):
        return time
    delta = time.astimezone(timezone.utc) - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return ((delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds) * 1_000
