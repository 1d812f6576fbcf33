"""A publish store in a file: what was published and not acknowledged outlasts the program."""

from __future__ import annotations

import io
import logging
import os
import struct
import zlib
from pathlib import Path
from typing import NamedTuple, Optional, Union

from .errors import PenstockError
from .files import lock, sync_directory
from .publishing import AckType, Publish, PublishStore

log = logging.getLogger("penstock")

_MAGIC = b"PNSTKPUB"
_HEAD = struct.Struct("<8sqI")
"""Magic; the last sequence when the file was begun; checksum of both."""

_MARK = b"\xf1Rec"
_RECORD = struct.Struct("<4sIIBxHqq")
"""Mark; length of the record; checksum of what follows it; type; length of the topic; sequence; all up to here are done with."""
_CHECKED_AT = 12

_MESSAGE, _REMOVED, _RELEASED = 1, 2, 3
_REWRITE_MIN = 1024 * 1024


class _Record(NamedTuple):
    type: int
    sequence: int
    released: int
    topic: str
    frame: bytes
    end: int


class FilePublishStore(PublishStore):
    """Keeps what is published in a file until the broker has it for good, also when the program ends, however it ends. The next
    run sends it again with its publisher sequences, and the broker applies it once.

    A message is in the file when publishing returns. ``sync`` also outlasts a loss of power; then each publish waits for the disk, and
    the client with it. The file is for one client at a time: a lock beside it keeps others out. It grows to about twice what is
    kept, and to a megabyte at least. ``count_max`` and ``length_max`` are its bounds, as of :class:`PublishStore`.

    :raises PenstockError: if the file is in use or damaged.
    """

    def __init__(
        self,
        path: Union[str, "os.PathLike[str]"],
        count_max: int = 65_536,
        length_max: int = 64 * 1024 * 1024,
        sync: bool = False,
    ) -> None:
        super().__init__(count_max, length_max)
        self._path = Path(path)
        self._sync = sync
        self._end = 0
        self._rewrite_at = _REWRITE_MIN
        self._has_failed = False
        self._file: Optional[io.FileIO] = None
        self._lock = lock(self._path, "publish store")
        try:
            if self._path.exists():
                self._open()
                self._read()
            else:
                self._rewrite()
        except BaseException:
            self._release()
            raise

    # What the client does.

    def add(self, publish: Publish) -> None:
        """:raises PenstockError: if it cannot be written; then it is not in the store."""
        self._append(_record(_MESSAGE, publish.sequence, self._released(), publish.topic, publish.frame), self._sync)
        super().add(publish)
        if self._end >= self._rewrite_at:
            self._shorten()

    def remove(self, sequence: int) -> None:
        if sequence not in self._publishes:
            return
        is_first = next(iter(self._publishes)) == sequence
        super().remove(sequence)
        # The next message says of those in front that they are done with.
        if not is_first:
            self._note(_REMOVED, sequence)
        elif not self._publishes:
            self._note(_RELEASED, self.last_sequence)

    def close(self) -> None:
        if self._file is not None:
            self._note(_RELEASED, self.last_sequence)
        self._release()

    def _released(self) -> int:
        return next(iter(self._publishes), self.last_sequence + 1) - 1

    def _note(self, record_type: int, sequence: int) -> None:
        """Something that need not be known: else messages are sent again, and the broker drops them."""
        try:
            self._append(_record(record_type, sequence, self._released(), "", b""), False)
        except PenstockError as e:
            log.warning("%s", e)

    # The file.

    def _append(self, record: bytes, is_to_sync: bool) -> None:
        if self._file is None or self._has_failed:
            raise PenstockError(f"publish store: {'closed' if self._file is None else 'failed before'}: {self._path} (open it again)")
        try:
            self._file.seek(self._end)
            _write(self._file, record)
        except OSError as e:
            self._take_back()
            raise PenstockError(f"publish store: cannot be written: {self._path}: {e.strerror} (make room on its disk)") from e
        if is_to_sync:
            self._sync_file()
        self._end += len(record)

    def _take_back(self) -> None:
        """Of a record that could not be written nothing stays."""
        assert self._file is not None
        try:
            self._file.truncate(self._end)
        except OSError:
            self._has_failed = True

    def _sync_file(self) -> None:
        assert self._file is not None
        try:
            os.fsync(self._file.fileno())
        except OSError as e:
            # Nobody knows what the disk has.
            self._has_failed = True
            raise PenstockError(f"publish store: cannot be synced: {self._path}: {e.strerror} (open it again)") from e

    def _shorten(self) -> None:
        try:
            self._rewrite()
        except OSError as e:
            log.warning("publish store: cannot be made shorter: %s: %s (make room on its disk)", self._path, e.strerror)
            self._rewrite_at = 2 * self._end

    def _rewrite(self) -> None:
        """Writes what is kept into a new file, which takes the place of the old one: there is always a whole one."""
        new = self._path.with_name(self._path.name + ".new")
        descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        with io.FileIO(descriptor, "r+") as file:
            _write(file, _head(self.last_sequence))
            for publish in self._publishes.values():
                _write(file, _record(_MESSAGE, publish.sequence, self._released(), publish.topic, publish.frame))
            end = file.tell()
            os.fsync(descriptor)
        os.replace(new, self._path)
        sync_directory(self._path.parent)
        self._open()
        self._end = end
        self._rewrite_at = max(_REWRITE_MIN, 2 * end)

    def _open(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = io.FileIO(os.open(self._path, os.O_RDWR), "r+")

    def _release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    # What was there before.

    def _read(self) -> None:
        content = self._path.read_bytes()
        if len(content) < _HEAD.size:
            raise self._damaged(0)
        magic, self.last_sequence, checksum = _HEAD.unpack_from(content)
        if magic != _MAGIC or zlib.crc32(content[: _HEAD.size - 4]) != checksum:
            raise self._damaged(0)
        self._end = _HEAD.size
        while self._end < len(content):
            record = _read_record(content, self._end)
            if record is None:
                self._cut(content)
                break
            self._apply(record)
            self._end = record.end
        self._rewrite_at = max(_REWRITE_MIN, 2 * self._end)

    def _apply(self, record: _Record) -> None:
        while self._publishes and next(iter(self._publishes)) <= record.released:
            super().remove(next(iter(self._publishes)))
        if record.type == _MESSAGE:
            super().add(Publish(record.frame, record.topic, record.sequence, AckType.PERSISTED, None))
        elif record.type == _REMOVED:
            super().remove(record.sequence)
        self.last_sequence = max(self.last_sequence, record.sequence)

    def _cut(self, content: bytes) -> None:
        """The program ended while it wrote the last record. Anything else is damage."""
        at = content.find(_MARK, self._end + 1)
        while at >= 0:
            if _read_record(content, at) is not None:
                raise self._damaged(self._end)
            at = content.find(_MARK, at + 1)
        log.warning(
            "publish store: its last message is not whole, and left out: %s, %d bytes at byte %d",
            self._path, len(content) - self._end, self._end,
        )  # fmt: skip
        assert self._file is not None
        self._file.truncate(self._end)

    def _damaged(self, at: int) -> PenstockError:
        return PenstockError(f"publish store: damaged at byte {at}: {self._path} (restore it, or move it away to go on without it)")


def _head(last_sequence: int) -> bytes:
    checked = _HEAD.pack(_MAGIC, last_sequence, 0)[:-4]
    return checked + struct.pack("<I", zlib.crc32(checked))


def _record(record_type: int, sequence: int, released: int, topic: str, frame: bytes) -> bytes:
    name = topic.encode("utf-8")
    length = _RECORD.size + len(name) + len(frame)
    record = _RECORD.pack(_MARK, length, 0, record_type, len(name), sequence, released) + name + frame
    return record[:8] + struct.pack("<I", zlib.crc32(record[_CHECKED_AT:], length)) + record[_CHECKED_AT:]


def _read_record(content: bytes, at: int) -> Optional[_Record]:
    """None if there is no whole one."""
    if at + _RECORD.size > len(content):
        return None
    mark, length, checksum, record_type, topic_length, sequence, released = _RECORD.unpack_from(content, at)
    end = at + length
    if mark != _MARK or end > len(content) or length < _RECORD.size + topic_length:
        return None
    if zlib.crc32(content[at + _CHECKED_AT : end], length) != checksum:
        return None
    topic_end = at + _RECORD.size + topic_length
    return _Record(record_type, sequence, released, content[at + _RECORD.size : topic_end].decode("utf-8"), content[topic_end:end], end)


def _write(file: io.FileIO, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]
