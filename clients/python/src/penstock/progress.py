"""How far a subscription to the log has come. Used in the event loop alone."""

from __future__ import annotations

from typing import Dict, List, Optional

from .bookmark import Bookmark
from .message import Message
from .stores import BookmarkStore


class LogProgress:
    """Where a subscription to the log is: what it goes on after, on a new connection or in the next run."""

    def __init__(self, name: str, store: Optional[BookmarkStore], has_moving_end: bool) -> None:
        self.name = name
        self._store = store
        self._has_moving_end = has_moving_end
        self._last: Dict[int, int] = {}
        self._end: Dict[int, int] = {}
        noted = store.last(name) if store is not None and name else None
        if noted is not None:
            self._last.update(noted.sequences)

    @property
    def is_named(self) -> bool:
        """Whether what was processed is noted."""
        return self._store is not None and bool(self.name)

    @property
    def bookmark(self) -> Optional[Bookmark]:
        """What it goes on after; None before it has begun."""
        return Bookmark(dict(self._last)) if self._last else None

    @property
    def end(self) -> Optional[Bookmark]:
        """Where it ends, as the broker has said; None when it has not, or need not."""
        return Bookmark(dict(self._end)) if self._end else None

    def on_begin(self, shard: int, sequence: int, end_sequence: int) -> None:
        if self._has_moving_end and end_sequence >= 0:
            self._end.setdefault(shard, end_sequence)
        if shard not in self._last:
            self._last[shard] = sequence
            self.note(shard, sequence)

    def new_of(self, messages: List[Message]) -> List[Message]:
        """Leaves out those that had come before."""
        shard = messages[0].shard
        last = self._last.get(shard, -1)
        if messages[0].sequence <= last:
            messages = [message for message in messages if message.sequence > last]
        if messages:
            self._last[shard] = messages[-1].sequence
        return messages

    def note(self, shard: int, sequence: int) -> None:
        if self._store is not None and self.name:
            self._store.note(self.name, shard, sequence)
