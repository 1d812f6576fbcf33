"""One connection to a broker: it cuts the stream into frames, and sees to heartbeats. Used in the event loop alone."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from typing import Callable, List, Optional, Tuple, cast
from urllib.parse import urlsplit

from . import wire
from .errors import ConnectionLostError, ProtocolError

_BUFFER_LENGTH = 256 * 1024
_BUFFER_KEPT_MAX = 4 * 1024 * 1024
_HEARTBEATS_MISSED_MAX = 3
_WRITE_HIGH = 1024 * 1024
HEARTBEAT = bytes(wire.command(wire.HEARTBEAT, ()))

OnFrame = Callable[[bytes], None]
OnLost = Callable[["Connection", ConnectionLostError], None]


def address(server: str) -> Tuple[str, int]:
    """Host and port of an endpoint.

    :raises ValueError: if it is not one.
    """
    parts = urlsplit(server)
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme not in ("tcp", "tcps") or not parts.hostname or port is None or parts.path or parts.query:
        raise ValueError(f"server: not an endpoint: {server!r} (use one such as tcp://127.0.0.1:9100)")
    return parts.hostname, port


def _default_tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


class Connection(asyncio.BufferedProtocol):
    """Frames of one connection. ``on_lost`` is called once, unless :meth:`close` was called before."""

    def __init__(self, frame_length_max: int, on_frame: OnFrame, on_lost: OnLost) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: Optional[asyncio.Transport] = None
        self._frame_length_max = frame_length_max
        self._on_frame = on_frame
        self._on_lost = on_lost
        self._buffer = bytearray(_BUFFER_LENGTH)
        self._view = memoryview(self._buffer)
        self._length = 0
        self._out: List[bytes] = []
        self._is_flush_due = False
        self._room: Optional[asyncio.Future[None]] = None
        self._is_over = False
        self._is_reading = True
        self._interval_s = 0.0
        self._sent_s = self._received_s = self._loop.time()
        self._timer: Optional[asyncio.TimerHandle] = None

    @staticmethod
    async def open(
        server: str,
        timeout_s: float,
        frame_length_max: int,
        on_frame: OnFrame,
        on_lost: OnLost,
        tls: Optional[ssl.SSLContext] = None,
    ) -> Connection:
        """Connects; with TLS, done with its handshake, if the address says so.

        :raises ConnectionLostError: if that fails, or takes longer.
        """
        host, port = address(server)
        loop = asyncio.get_running_loop()
        context = (tls or _default_tls()) if server.startswith("tcps:") else None
        try:
            _, protocol = await asyncio.wait_for(
                loop.create_connection(
                    lambda: Connection(frame_length_max, on_frame, on_lost), host, port, ssl=context
                ),
                timeout_s,
            )
        except ssl.SSLCertVerificationError as e:
            raise ConnectionLostError(
                f"{server}: the broker's certificate is not trusted: {e.verify_message} (give its authority in tls)"
            ) from e
        except ssl.SSLError as e:
            raise ConnectionLostError(f"{server}: no TLS: {e.reason or e} (does the broker speak TLS there?)") from e
        except asyncio.TimeoutError:
            raise ConnectionLostError(f"{server}: no connection within {timeout_s} s (is the broker there?)") from None
        except OSError as e:
            raise ConnectionLostError(f"{server}: cannot connect: {e.strerror or e} (is the broker there?)") from e
        return protocol

    @property
    def is_encrypted(self) -> bool:
        """Whether nobody between the two can read what is sent."""
        return self._transport is not None and self._transport.get_extra_info("ssl_object") is not None

    @property
    def is_local(self) -> bool:
        """Whether the broker is on this machine."""
        peer = None if self._transport is None else self._transport.get_extra_info("peername")
        try:
            return peer is not None and ipaddress.ip_address(peer[0].partition("%")[0]).is_loopback
        except ValueError:
            return False

    @property
    def certificate(self) -> Optional[bytes]:
        """The broker's certificate in DER; None if it is not encrypted."""
        tls = None if self._transport is None else self._transport.get_extra_info("ssl_object")
        return None if tls is None else tls.getpeercert(binary_form=True)

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=_WRITE_HIGH)
        endpoint = self._transport.get_extra_info("socket")
        if endpoint is not None:
            endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._view[self._length :]

    def buffer_updated(self, nbytes: int) -> None:
        self._received_s = self._loop.time()
        self._length += nbytes
        try:
            self._take_frames()
        except ConnectionLostError as e:
            self.fail(e)

    def eof_received(self) -> bool:
        self.fail(ConnectionLostError("connection lost: the broker closed it (see the broker's log)"))
        return False

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self.fail(ConnectionLostError(f"connection lost: {exc or 'it was closed'} (see the broker's log)"))

    def pause_writing(self) -> None:
        if self._room is None:
            self._room = self._loop.create_future()

    def resume_writing(self) -> None:
        room, self._room = self._room, None
        if room is not None and not room.done():
            room.set_result(None)

    # Frames.

    def _take_frames(self) -> None:
        buffer, view, end = self._buffer, self._view, self._length
        at = 0
        while end - at >= wire.LENGTH_FIELD and not self._is_over:
            length = int.from_bytes(buffer[at : at + 4], "little", signed=True)
            if not 0 <= length <= self._frame_length_max:
                raise ProtocolError(
                    f"frame: length out of range: {length} (0 to {self._frame_length_max}; is this a broker of Penstock?)"
                )
            frame_end = at + 4 + length
            if frame_end > end:
                self._provide(4 + length)
                break
            self._on_frame(bytes(view[at + 4 : frame_end]))
            at = frame_end
        buffer = self._buffer
        if at:
            rest = end - at
            buffer[:rest] = buffer[at:end]
            self._length = rest
            if not rest and len(buffer) > _BUFFER_KEPT_MAX:
                self._replace(_BUFFER_LENGTH)

    def _provide(self, length: int) -> None:
        if length > len(self._buffer):
            self._replace(length)

    def _replace(self, length: int) -> None:
        former = self._buffer
        self._buffer = bytearray(length)
        self._buffer[: self._length] = former[: self._length]
        self._view = memoryview(self._buffer)

    def send(self, frame: bytes) -> None:
        """Sends a frame with its length before it, with all others of this turn of the loop."""
        if self._is_over:
            return
        self._out.append(frame)
        if not self._is_flush_due:
            self._is_flush_due = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._is_flush_due = False
        if self._out and self._transport is not None and not self._is_over:
            self._transport.write(self._out[0] if len(self._out) == 1 else b"".join(self._out))
            self._sent_s = self._loop.time()
        self._out.clear()

    @property
    def has_room(self) -> bool:
        """Whether more may be sent at once."""
        return self._room is None and len(self._out) < 4096

    async def room(self) -> None:
        """Waits until there is room, or the connection is over."""
        if len(self._out) >= 4096:
            await asyncio.sleep(0)
        while self._room is not None and not self._is_over:
            await asyncio.shield(self._room)

    # Reading and heartbeats.

    @property
    def is_over(self) -> bool:
        return self._is_over

    @property
    def is_reading(self) -> bool:
        return self._is_reading

    def pause(self) -> None:
        """Reads no further: the medium pushes back on the broker."""
        if self._is_reading and not self._is_over and self._transport is not None:
            self._is_reading = False
            self._transport.pause_reading()

    def resume(self) -> None:
        if not self._is_reading and not self._is_over and self._transport is not None:
            self._is_reading = True
            self._received_s = self._loop.time()
            self._transport.resume_reading()

    def begin_heartbeats(self, interval_ms: int) -> None:
        self._interval_s = interval_ms / 1000
        self._beat()

    def _beat(self) -> None:
        if self._is_over:
            return
        now_s = self._loop.time()
        if not self._is_reading:
            # Time in which this side does not read does not count.
            self._received_s = now_s
        if now_s - self._received_s >= _HEARTBEATS_MISSED_MAX * self._interval_s:
            silence_s = _HEARTBEATS_MISSED_MAX * self._interval_s
            self.fail(ConnectionLostError(f"connection lost: nothing came for {silence_s:g} s (is the broker alive?)"))
            return
        if now_s - self._sent_s >= self._interval_s:
            self.send(HEARTBEAT)
            self._sent_s = now_s
        next_s = min(self._sent_s + self._interval_s, self._received_s + _HEARTBEATS_MISSED_MAX * self._interval_s)
        self._timer = self._loop.call_at(max(next_s, now_s + 0.001), self._beat)

    # The end.

    def fail(self, reason: ConnectionLostError) -> None:
        """Ends the connection, and says why."""
        if not self._is_over:
            self._end(abort=True)
            self._on_lost(self, reason)

    def close(self) -> None:
        """Sends what is left, and ends the connection. ``on_lost`` is not called."""
        if not self._is_over:
            self._flush()
            self._end(abort=False)

    def _end(self, abort: bool) -> None:
        self._is_over = True
        self._out.clear()
        self.resume_writing()
        if self._timer is not None:
            self._timer.cancel()
        if self._transport is not None:
            if abort:
                self._transport.abort()
            else:
                self._transport.close()
