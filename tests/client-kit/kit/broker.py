"""The scripted broker's side of connections: sockets, and frames on them."""

from __future__ import annotations

import socket
import struct
import time
from typing import List, Optional

from .layouts import BadFrame, Frame, Protocol

_HEARTBEAT = "Heartbeat"
_FRAME_LENGTH_MAX = 32 * 1024 * 1024


class Mismatch(Exception):
    """The client did something else than the script says."""


class ScriptedBroker:
    """Servers for one script, and the connection that is talked over. One thread."""

    def __init__(self, protocol: Protocol, server_count: int, timeout_s: float) -> None:
        self._protocol = protocol
        self._timeout_s = timeout_s
        self._listeners: List[socket.socket] = []
        self._conn: Optional[socket.socket] = None
        self._received = b""
        for _ in range(server_count):
            listener = socket.create_server(("127.0.0.1", 0))
            listener.settimeout(timeout_s)
            self._listeners.append(listener)
        self.servers = [f"tcp://127.0.0.1:{listener.getsockname()[1]}" for listener in self._listeners]

    def accept(self, server: int = 0) -> None:
        self.close()
        try:
            self._conn, _ = self._listeners[server].accept()
        except socket.timeout:
            raise Mismatch(f"no connection to server {server} within {self._timeout_s} s") from None
        self._conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""

    def refuse(self, server: int) -> None:
        """Nobody listens there any more."""
        self._listeners[server].close()

    def send(self, data: bytes, piece: int = 0) -> None:
        conn = self._connection()
        try:
            if piece:
                for start in range(0, len(data), piece):
                    conn.sendall(data[start : start + piece])
                    time.sleep(0.001)
            else:
                conn.sendall(data)
        except OSError as e:
            raise Mismatch(f"the client closed the connection: {e}") from None

    def receive(self, wanted: str, timeout_s: Optional[float] = None) -> Optional[Frame]:
        """The next frame, heartbeats left out unless one is wanted; None when none comes in time.

        :raises Mismatch: when the client closes instead.
        """
        deadline_s = time.monotonic() + (self._timeout_s if timeout_s is None else timeout_s)
        while True:
            frame = self._take()
            if frame is not None:
                if frame.name != _HEARTBEAT or wanted == _HEARTBEAT:
                    return frame
                continue
            data = self._read(deadline_s)
            if data is None:
                return None
            if not data:
                raise Mismatch(f"the client closed the connection instead of {wanted or 'waiting'}")
            self._received += data

    def wait_for_end(self) -> None:
        deadline_s = time.monotonic() + self._timeout_s
        while True:
            data = self._read(deadline_s)
            if data is None:
                raise Mismatch(f"the client did not close the connection within {self._timeout_s} s")
            if not data:
                return

    def _take(self) -> Optional[Frame]:
        if len(self._received) < 4:
            return None
        length = struct.unpack_from("<i", self._received)[0]
        if not 0 <= length <= _FRAME_LENGTH_MAX:
            raise Mismatch(f"the client sent a frame of {length} bytes")
        if len(self._received) < 4 + length:
            return None
        raw, self._received = self._received[4 : 4 + length], self._received[4 + length :]
        try:
            return self._protocol.read(raw)
        except (BadFrame, UnicodeDecodeError, IndexError) as e:
            raise Mismatch(f"the client sent a bad frame: {e}: {raw[:64].hex()}") from None

    def _read(self, deadline_s: float) -> Optional[bytes]:
        conn = self._connection()
        left_s = deadline_s - time.monotonic()
        if left_s <= 0:
            return None
        conn.settimeout(left_s)
        try:
            return conn.recv(1 << 20)
        except socket.timeout:
            return None
        except ConnectionError:
            return b""
        finally:
            conn.settimeout(None)

    def _connection(self) -> socket.socket:
        if self._conn is None:
            raise Mismatch("there is no connection")
        return self._conn

    def close(self) -> None:
        """Ends the connection, after what was sent."""
        if self._conn is not None:
            self._conn.close()
            self._conn = None

    def end(self) -> None:
        self.close()
        for listener in self._listeners:
            listener.close()
