"""What stores do with their files."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import PenstockError


def lock(path: Path, what: str) -> int:
    """Keeps other programs from a file. Returns what is to be closed to let them.

    :raises PenstockError: if it is in use.
    """
    descriptor = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        # Windows: there the program sees to it.
        pass
    except OSError:
        os.close(descriptor)
        raise PenstockError(f"{what}: in use: {path} (use another file, or end that program)") from None
    return descriptor


def sync_directory(path: Path) -> None:
    """Makes names of files outlast a loss of power."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
