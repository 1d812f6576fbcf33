"""Commands that wait for their answers. Used in the event loop alone."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Tuple, Union

from .errors import ConnectionLostError, PenstockError
from .message import TopicInfo
from .publishing import AckType

_REPEATS_MAX = 3

Entry = Union[TopicInfo, Tuple[str, int]]


@dataclass
class Answer:
    """What came for a command. ``counts`` are records looked at, records that matched, and those returned."""

    entries: List[Entry] = field(default_factory=list)
    counts: Tuple[int, int, int] = (0, 0, 0)


@dataclass
class Pending:
    """A command; ``final`` is the acknowledgement that ends its answer, ``repeats`` how often it was sent again."""

    frame: bytes
    final: AckType
    is_repeatable: bool
    future: asyncio.Future[Answer]
    repeats: int
    answer: Answer = field(default_factory=Answer)


class PendingCommands:
    """Commands by their ids, in the order in which they were sent."""

    def __init__(self) -> None:
        self._by_id: Dict[int, Pending] = {}

    def __contains__(self, command_id: int) -> bool:
        return command_id in self._by_id

    def add(self, command_id: int, pending: Pending) -> None:
        self._by_id[command_id] = pending

    def forget(self, command_id: int) -> None:
        self._by_id.pop(command_id, None)

    def on_entry(self, command_id: int, entry: Entry) -> None:
        if command_id in self._by_id:
            self._by_id[command_id].answer.entries.append(entry)

    def on_ack(self, command_id: int, ack_type: AckType, counts: Tuple[int, int, int]) -> bool:
        """Returns whether it was of a command here."""
        pending = self._by_id.get(command_id)
        if pending is None:
            return False
        if ack_type in (AckType.STATS, pending.final):
            pending.answer.counts = counts
        if ack_type == pending.final:
            del self._by_id[command_id]
            if not pending.future.done():
                pending.future.set_result(pending.answer)
        return True

    def fail(self, command_id: int, reason: PenstockError) -> bool:
        """Returns whether there was such a command."""
        pending = self._by_id.pop(command_id, None)
        if pending is not None and not pending.future.done():
            pending.future.set_exception(reason)
        return pending is not None

    def fail_all(self, reason: PenstockError) -> None:
        for command_id in list(self._by_id):
            self.fail(command_id, reason)

    def fail_unrepeatable(self, reason: PenstockError) -> None:
        """Those that may have been applied, and would take effect twice."""
        for command_id, pending in list(self._by_id.items()):
            if not pending.is_repeatable:
                self.fail(command_id, reason)

    def send_again(self, send: Callable[[bytes], None]) -> None:
        """On a new connection; one that was sent too often fails, as it may be what makes the broker fail."""
        for command_id, pending in list(self._by_id.items()):
            if not pending.is_repeatable:
                # Sent on this connection already.
                continue
            pending.repeats += 1
            pending.answer = Answer()
            if pending.repeats > _REPEATS_MAX:
                self.fail(command_id, ConnectionLostError("connection lost: again and again while it waited for its answer"))
            else:
                send(pending.frame)
