"""Sends messages, and tells those who wait what became of them. Used in the event loop alone."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Callable, Optional

from . import wire
from .bookmark import Bookmark
from .errors import BrokerError, ErrorCode, PenstockError
from .options import ClientOptions, log, tell
from .publishing import Ack, AckType, InFlight, Publish, Room, StoredPublishes

if TYPE_CHECKING:
    from .engine import Engine

class Publisher:
    """Publishes of a client, with and without its store."""

    def __init__(self, engine: "Engine", options: ClientOptions, next_command_id: Callable[[], int]) -> None:
        self._engine = engine
        self._options = options
        self._next_command_id = next_command_id
        self.room = Room()
        self.in_flight = InFlight()
        self.stored: Optional[StoredPublishes] = None
        if options.publish_store is not None:
            self.stored = StoredPublishes(options.publish_store, next_command_id, self.room.wake_all)

    async def publish(self, publish: Publish) -> None:
        """Sends a message, or puts it into the store. Waits for room, or for a connection. One of a negative sequence goes past the
        store."""
        if self.stored is not None and publish.sequence >= 0:
            await self._store(publish, self.stored)
            return
        timeout_s = self._options.publish_timeout_s
        conn = await self._engine.ready(timeout_s)
        limit = self._options.in_flight_limit
        if publish.ack_type >= 0 and len(self.in_flight) >= limit:
            await self.room.wait(lambda: len(self.in_flight) < limit or self._engine.is_closed, timeout_s, "publish")
            conn = await self._engine.ready(timeout_s)
        if not conn.has_room:
            await conn.room()
            conn = await self._engine.ready(timeout_s)
        publish.command_id = self._next_command_id()
        frame = bytearray(publish.frame)
        struct.pack_into("<q", frame, wire.COMMAND_ID_AT, publish.command_id)
        if publish.sequence < 0:
            publish.sequence = 0
        if publish.ack_type >= 0:
            self.in_flight.add(publish)
        conn.send(bytes(frame))

    async def _store(self, publish: Publish, stored: StoredPublishes) -> None:
        store = self._options.publish_store
        assert store is not None
        self._engine.check_open()
        length = len(publish.frame)
        if not store.has_room(length):
            has_room = lambda: store.has_room(length) or self._engine.is_closed  # noqa: E731
            await self.room.wait(has_room, self._options.publish_timeout_s, "publish store")
            self._engine.check_open()
        sequence = publish.sequence or store.last_sequence + 1
        if sequence <= store.last_sequence:
            raise ValueError(f"publish: sequence: not above the last one: {sequence} (use at least {store.last_sequence + 1})")
        publish.sequence = sequence
        frame = bytearray(publish.frame)
        struct.pack_into("<q", frame, wire.COMMAND_ID_AT + 8, sequence)
        publish.frame = bytes(frame)
        stored.add(publish)

    def on_connected(self, send: Callable[[bytes], None], last_applied: int) -> None:
        if self.stored is not None:
            self.stored.on_connected(send, last_applied)
        self.room.wake_all()

    def on_lost(self, reason: PenstockError) -> None:
        for publish in self.in_flight.take_all():
            self._fail(publish, reason)
        if self.stored is not None:
            self.stored.on_lost()

    def on_end(self, reason: PenstockError) -> None:
        self.on_lost(reason)
        if self.stored is not None:
            self.stored.fail_all(reason)
        self.room.wake_all()

    def on_ack(self, command_id: int, ack_type: AckType, is_duplicate: bool, shard: int, sequence: int) -> None:
        def ack_of(publish: Publish, is_newest: bool) -> Ack:
            bookmark = Bookmark.of(shard, sequence) if is_newest and sequence else None
            return Ack(ack_type, publish.sequence, is_duplicate, bookmark)

        covered = self.in_flight.covered(ack_type, command_id)
        for publish in covered:
            publish.done(ack_of(publish, publish is covered[-1]))
        if covered:
            self.room.wake()
        elif self.stored is not None:
            self.stored.on_ack(ack_type, command_id, ack_of)

    def on_error(self, command_id: int, error: BrokerError) -> None:
        if self.stored is not None and self.stored.owns(command_id):
            refused = self.stored.on_error(command_id, error)
            if refused is not None:
                self._fail(refused, error)
            return
        if error.code == ErrorCode.JOURNAL_FAILED:
            # It also covers all earlier ones that are not on stable storage.
            for publish in self.in_flight.take_before(AckType.PERSISTED, command_id):
                self._fail(publish, error)
        refused = self.in_flight.take(command_id)
        self._fail(refused if refused is not None else Publish(b"", "", 0, 0, None), error)
        self.room.wake()

    def _fail(self, publish: Publish, reason: PenstockError) -> None:
        if publish.fail(reason):
            return
        if self._options.on_publish_error is not None:
            tell(self._options.on_publish_error, publish.topic, reason)
        else:
            log.warning("a message was not published: %s", reason)
