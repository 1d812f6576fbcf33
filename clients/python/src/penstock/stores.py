"""What lets a program go on after a reconnect or a restart: where named subscriptions are."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import Dict, Optional, Union

from .bookmark import Bookmark
from .errors import PenstockError
from .files import lock, sync_directory

_NAMES_MAX = 65_536


class BookmarkStore:
    """Notes how far named subscriptions have come, in memory. One client at a time."""

    def __init__(self) -> None:
        self._sequences: Dict[str, Dict[int, int]] = {}

    def last(self, name: str) -> Optional[Bookmark]:
        """The place up to which messages were processed; None for a new name."""
        sequences = self._sequences.get(name)
        return Bookmark(dict(sequences)) if sequences else None

    def note(self, name: str, shard: int, sequence: int) -> None:
        """All messages of a shard up to this one were processed."""
        if name not in self._sequences and len(self._sequences) >= _NAMES_MAX:
            raise PenstockError(f"bookmark store: too many names: {len(self._sequences)} (use another store)")
        self._sequences.setdefault(name, {})[shard] = sequence

    def flush(self) -> None:
        """Makes what was noted outlast the program, where the store does."""

    def close(self) -> None:
        """Ends the use of the store by this program."""
        self.flush()


class FileBookmarkStore(BookmarkStore):
    """Notes how far named subscriptions have come, in a file.

    It writes when there are ``batch`` notes, and when the client closes: into a new file that then takes the place of
    the old one, so the file is always whole. After a crash of the program at most the last ``batch`` messages come again. ``sync``
    also outlasts a loss of power. The file is for one program at a time: a lock beside it keeps others out.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], batch: int = 256, sync: bool = False) -> None:
        super().__init__()
        if batch < 1:
            raise ValueError(f"bookmark store: batch: out of range: {batch} (use at least 1)")
        self._path = Path(path)
        self._batch = batch
        self._sync = sync
        self._noted = 0
        self._lock = lock(self._path, "bookmark store")
        try:
            self._read()
        except BaseException:
            os.close(self._lock)
            raise

    def note(self, name: str, shard: int, sequence: int) -> None:
        super().note(name, shard, sequence)
        self._noted += 1
        if self._noted >= self._batch:
            self.flush()

    def flush(self) -> None:
        if not self._noted:
            return
        content = json.dumps(self._sequences, separators=(",", ":")).encode("utf-8")
        new = self._path.with_name(self._path.name + ".new")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(b"%08x " % zlib.crc32(content) + content + b"\n")
            file.flush()
            if self._sync:
                os.fsync(file.fileno())
        os.replace(new, self._path)
        if self._sync:
            sync_directory(self._path.parent)
        self._noted = 0

    def close(self) -> None:
        if self._lock >= 0:
            self.flush()
            os.close(self._lock)
            self._lock = -1

    def _read(self) -> None:
        try:
            line = self._path.read_bytes()
        except FileNotFoundError:
            return
        checksum, _, content = line.rstrip(b"\n").partition(b" ")
        if b"%08x" % zlib.crc32(content) != checksum:
            raise PenstockError(f"bookmark store: damaged: {self._path} (restore it, or remove it to begin anew)")
        for name, sequences in json.loads(content).items():
            self._sequences[name] = {int(shard): int(sequence) for shard, sequence in sequences.items()}
