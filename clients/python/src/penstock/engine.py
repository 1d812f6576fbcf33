"""The session of a client across connections: logon, answers, reconnects. Used in the event loop alone."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import Optional, Sequence, Tuple

from . import scram, wire
from .binding import server_end_point
from .connection import Connection, address
from .credentials import EXTERNAL, OAUTHBEARER, first_message, token_of
from .errors import BackPressureError, BrokerError, ConnectionLostError, ErrorCode, PenstockError, ProtocolError, RequestTimeoutError
from .message import TopicInfo
from .options import ClientOptions, ConnectionEvent, tell
from .pending import Answer, Pending, PendingCommands
from .publisher import Publisher
from .publishing import AckType, Room
from .subscriptions import Subscriptions

_FINAL = frozenset(
    (ErrorCode.AUTHENTICATION_FAILED, ErrorCode.REPLACED, ErrorCode.NOT_AUTHORIZED, ErrorCode.UNSUPPORTED_VERSION)
)

@dataclass(frozen=True)
class Session:
    """What the broker said at the logon."""

    server: str
    broker: str
    version: int
    session_id: int
    publisher_sequence: int
    heartbeat_interval_ms: int
    message_length_max: int
    shard_count: int


def _closed() -> PenstockError:
    return ConnectionLostError("the client is closed (connect another one)")


class Engine:
    """Sends commands, and gives answers to those who wait for them."""

    def __init__(self, servers: Sequence[str], options: ClientOptions) -> None:
        for server in servers:
            address(server)
        self.options = options
        self.session: Optional[Session] = None
        self._servers = servers
        self._server_at = 0
        self._conn: Optional[Connection] = None
        self._logon: Optional[asyncio.Future[Session]] = None
        self._scram: Optional[scram.ScramClient] = None
        self._proving: Optional[asyncio.Task[None]] = None
        self._is_plain = False
        self._is_bound = False
        self._is_fallen_back = False
        self._is_ready = False
        self._ready_waiters = Room()
        self._closed: Optional[PenstockError] = None
        self._command_id = 0
        self._pending = PendingCommands()
        self.publisher = Publisher(self, options, self.next_command_id)
        self.subscriptions = Subscriptions(self)
        self._reconnecting: Optional[asyncio.Task[None]] = None

    # Connecting.

    async def start(self) -> None:
        """Tries each server once.

        :raises PenstockError: if none can be used.
        """
        for at, server in enumerate(self._servers):
            self._server_at = at
            try:
                await self._connect(server)
                return
            except PenstockError as e:
                is_final = isinstance(e, BrokerError) and e.code in _FINAL
                if at + 1 == len(self._servers) or is_final:
                    self._closed = e
                    raise

    async def _connect(self, server: str) -> None:
        options = self.options
        frame_length_max = options.message_length_max + wire.SHORT_FRAME_MAX
        self._is_ready = False
        # Before there is a connection, which the broker closes if no logon comes.
        bearer = await token_of(options.token, options.connect_timeout_s)
        conn = await Connection.open(
            server, options.connect_timeout_s, frame_length_max, self._on_frame, self._on_lost, options.tls
        )
        if self._closed is not None:
            conn.close()
            raise self._closed
        self._conn = conn
        self._logon = asyncio.get_running_loop().create_future()
        has_proof = bool(options.user and options.password) and not options.allow_plain
        # A password without a user proves nothing.
        has_password = bool(options.user) and not has_proof
        self._is_plain = not has_proof
        self._is_fallen_back = False
        self._proving = None
        bound = server_end_point(conn.certificate) if has_proof and options.channel_binding else None
        self._is_bound = bound is not None
        mechanism = self._mechanism(has_proof, bound is not None)
        texts: Tuple[Tuple[str, str], ...] = (
            ("name", options.name),
            ("user", options.user),
            ("password", options.password if has_password else ""),
            ("mechanism", mechanism),
        )
        try:
            self._check_medium(conn, server, mechanism)
            self._scram = self._new_scram(bound, conn) if has_proof else None
            first = first_message(bearer) if bearer else "" if self._scram is None else self._scram.first()
            texts += (("token", first),)
            # The texts are checked before anything is sent.
            conn.send(bytes(wire.command(wire.LOGON, (self.next_command_id(), options.heartbeat_interval_ms), texts)))
            await asyncio.wait_for(self._logon, options.connect_timeout_s)
        except asyncio.TimeoutError:
            conn.close()
            self._conn = None
            raise ConnectionLostError(
                f"{server}: no answer to the logon within {options.connect_timeout_s:g} s (is this a broker of Penstock?)"
            ) from None
        except BaseException:
            conn.close()
            self._conn = None
            raise
        finally:
            self._logon = None
        self._tell(ConnectionEvent.CONNECTED, server, None)

    def _mechanism(self, has_proof: bool, is_bound: bool) -> str:
        if self.options.external:
            return EXTERNAL
        if self.options.token is not None:
            return OAUTHBEARER
        return "" if not has_proof else scram.BOUND_MECHANISM if is_bound else scram.MECHANISM

    def _check_medium(self, conn: Connection, server: str, mechanism: str) -> None:
        if mechanism == EXTERNAL and not conn.is_encrypted:
            raise ConnectionLostError(
                f"{server}: external, and the connection shows no certificate (connect by tcps, with a certificate in tls)"
            )
        if mechanism == OAUTHBEARER and not conn.is_encrypted and not conn.is_local:
            raise ConnectionLostError(
                f"{server}: a token, and the connection is not encrypted: whoever reads it could log on with it (connect by"
                " tcps, or on this machine)"
            )

    def _new_scram(self, bound: Optional[bytes], conn: Connection) -> scram.ScramClient:
        options = self.options
        if bound is not None:
            return scram.ScramClient(options.user, options.password, flag=scram.BOUND, binding=bound)
        flag = scram.NOT_OFFERED if conn.is_encrypted and options.channel_binding else scram.UNBOUND
        return scram.ScramClient(options.user, options.password, flag=flag)

    def _on_auth_challenge(self, answer: wire.Answer) -> None:
        conn = self._conn
        if self._logon is None or conn is None or self._is_ready:
            raise ProtocolError("the broker answered out of turn: AuthChallenge (the broker and this client disagree)")
        mechanisms, token = answer.texts
        client = self._scram
        mechanism = self._mechanism(False, False)
        if mechanism:
            help_text = (
                "; give tls a certificate that is signed by an authority that the broker trusts" if mechanism == EXTERNAL else ""
            )
            self._give_up(conn, f"the broker does not take {mechanism} (it takes {mechanisms}{help_text})")
        elif client is None or self._is_plain or self._proving is not None:
            self._give_up(conn, f"the broker asks for more than user and password {mechanisms}".rstrip())
        elif mechanisms:
            offered = mechanisms.split(" ")
            if self._is_bound and scram.MECHANISM in offered and scram.BOUND_MECHANISM not in offered:
                # A broker that could have bound it refuses this: somebody between the two has taken its offer away.
                self._is_bound = False
                self._is_fallen_back = True
                self._scram = self._new_scram(None, conn)
                self._respond(conn, (("mechanism", scram.MECHANISM), ("token", self._scram.first())))
                return
            # A broker that keeps no proof of passwords has to see them.
            if self._is_fallen_back or scram.MECHANISM in offered or scram.BOUND_MECHANISM in offered:
                self._give_up(conn, "the broker wants the password in clear, though it could do without")
            elif "PLAIN" not in offered:
                self._give_up(conn, f"the broker takes no password (it takes {mechanisms})")
            elif not conn.is_encrypted:
                self._give_up(
                    conn,
                    "the broker wants the password in clear, and others could read it, or listen in its place (connect by"
                    " tcps, or set allow_plain)",
                )
            else:
                self._is_plain = True
                plain = f"\0{self.options.user}\0{self.options.password}"
                self._respond(conn, (("mechanism", "PLAIN"), ("token", plain)))
        else:
            self._proving = asyncio.get_running_loop().create_task(self._prove(conn, client, token))

    async def _prove(self, conn: Connection, client: scram.ScramClient, challenge: str) -> None:
        try:
            # It takes a while, in which others of the loop go on.
            proof = await asyncio.get_running_loop().run_in_executor(None, client.answer, challenge)
        except ValueError as e:
            self._give_up(conn, str(e))
            return
        if conn is self._conn:
            self._respond(conn, (("mechanism", ""), ("token", proof)))

    def _respond(self, conn: Connection, texts: Sequence[Tuple[str, str]]) -> None:
        conn.send(bytes(wire.command(wire.AUTH_RESPONSE, (self.next_command_id(),), texts)))

    def _give_up(self, conn: Connection, reason: str) -> None:
        error = BrokerError(ErrorCode.AUTHENTICATION_FAILED, "AUTHENTICATION_FAILED", f"logon given up: {reason}", True)
        conn.fail(ConnectionLostError(str(error), error))

    def _on_logon_ack(self, frame: bytes, answer: wire.Answer) -> None:
        if self._logon is None or self._conn is None or self._is_ready:
            raise ProtocolError("the broker answered out of turn: LogonAck (the broker and this client disagree)")
        _, session_id, sequence, interval_ms, length_max, shard_count = answer.fields
        version = int.from_bytes(frame[6:8], "little")
        if self._scram is not None and not self._is_plain:
            if not self._scram.is_proved(answer.texts[1] if len(answer.texts) > 1 else ""):
                self._give_up(self._conn, "the broker did not prove that it knows the user: it cannot be trusted")
                return
        server = self._servers[self._server_at]
        self.session = Session(
            server, answer.texts[0], version, session_id, sequence, interval_ms, length_max, shard_count
        )
        self._conn.begin_heartbeats(max(interval_ms, 1))
        self._is_ready = True
        self._go_on(self._conn)
        if not self._logon.done():
            self._logon.set_result(self.session)

    def _go_on(self, conn: Connection) -> None:
        """On a new connection: subscriptions, commands without an answer and stored messages again, in this order."""
        assert self.session is not None
        self.subscriptions.on_connected(conn)
        self._pending.send_again(conn.send)
        self.publisher.on_connected(conn.send, self.session.publisher_sequence)
        self._ready_waiters.wake_all()

    def _on_lost(self, conn: Connection, reason: ConnectionLostError) -> None:
        if conn is not self._conn:
            return
        self._conn = None
        was_ready, self._is_ready = self._is_ready, False
        if self._logon is not None and not self._logon.done():
            self._logon.set_exception(reason.error if reason.error is not None else reason)
            return
        if not was_ready:
            return
        server = self._servers[self._server_at]
        self._tell(ConnectionEvent.DISCONNECTED, server, reason)
        self.publisher.on_lost(reason)
        self.subscriptions.on_lost()
        is_final = reason.error is not None and reason.error.code in _FINAL
        if self.options.reconnect_timeout_s <= 0 or is_final:
            self._end(reason)
            return
        self._pending.fail_unrepeatable(reason)
        self.subscriptions.end_unrepeatable(reason)
        self._reconnecting = asyncio.get_running_loop().create_task(self._reconnect(reason))

    async def _reconnect(self, reason: PenstockError) -> None:
        loop = asyncio.get_running_loop()
        options = self.options
        deadline_s = loop.time() + options.reconnect_timeout_s
        attempt = 0
        while True:
            self._server_at = (self._server_at + 1) % len(self._servers)
            server = self._servers[self._server_at]
            delay_s = min(options.reconnect_delay_max_s, options.reconnect_delay_min_s * 2.0 ** min(attempt // len(self._servers), 60))
            delay_s *= random.uniform(0.5, 1.0)
            attempt += 1
            if loop.time() + delay_s > deadline_s:
                self._tell(ConnectionEvent.GAVE_UP, server, reason)
                self._end(ConnectionLostError(f"gave up after {options.reconnect_timeout_s:g} s: {reason}"))
                return
            self._tell(ConnectionEvent.RECONNECTING, server, reason)
            await asyncio.sleep(delay_s)
            try:
                await self._connect(server)
                return
            except BrokerError as e:
                reason = e
                if e.code in _FINAL:
                    self._tell(ConnectionEvent.GAVE_UP, server, e)
                    self._end(ConnectionLostError(f"gave up: {e}", e))
                    return
            except PenstockError as e:
                reason = e
                if self._closed is not None:
                    return

    def _end(self, reason: PenstockError) -> None:
        """The client is over."""
        if self._closed is None:
            self._closed = reason
        self._pending.fail_all(reason)
        self.subscriptions.end_all(reason)
        self.publisher.on_end(reason)
        self._ready_waiters.wake_all()

    def begin_close(self) -> None:
        """What was published is still acknowledged, whether the program takes what has come or not."""
        self.subscriptions.begin_close(_closed())

    def close(self) -> None:
        self._end(_closed())
        if self._reconnecting is not None:
            self._reconnecting.cancel()
        conn, self._conn = self._conn, None
        self._is_ready = False
        if conn is not None:
            conn.close()
        if self.options.bookmark_store is not None:
            self.options.bookmark_store.close()
        if self.options.publish_store is not None:
            self.options.publish_store.close()

    @property
    def is_closed(self) -> bool:
        return self._closed is not None

    @property
    def is_connected(self) -> bool:
        return self._is_ready

    @property
    def connection(self) -> Optional[Connection]:
        """The connection, if it is logged on."""
        return self._conn if self._is_ready else None

    def check_open(self) -> None:
        if self._closed is not None:
            raise ConnectionLostError(str(self._closed), getattr(self._closed, "error", None)) from self._closed

    async def ready(self, timeout_s: float) -> Connection:
        """The connection, once there is one."""
        while True:
            self.check_open()
            if self._conn is not None and self._is_ready:
                return self._conn
            try:
                await self._ready_waiters.wait(lambda: self._is_ready or self._closed is not None, timeout_s, "connection")
            except BackPressureError:
                raise ConnectionLostError(f"no connection within {timeout_s:g} s (is a broker there?)") from None

    def _tell(self, event: ConnectionEvent, server: str, reason: Optional[PenstockError]) -> None:
        if self.options.on_connection is not None:
            tell(self.options.on_connection, event, server, reason)

    # Commands.

    def next_command_id(self) -> int:
        self._command_id += 1
        return self._command_id

    async def command(
        self,
        template: int,
        fields: Sequence[int],
        texts: Sequence[Tuple[str, str]] = (),
        *,
        final: AckType = AckType.PROCESSED,
        is_repeatable: bool = True,
    ) -> Answer:
        """Sends a command, whose first field, its id, is added here; waits for the acknowledgement that ends its answer."""
        self.check_open()
        command_id = self.next_command_id()
        frame = bytes(wire.command(template, (command_id, *fields), texts))
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        conn = self.connection
        if conn is None and not is_repeatable:
            raise ConnectionLostError("there is no connection (wait until there is one)")
        self._pending.add(command_id, Pending(frame, final, is_repeatable, future, -1 if conn is None else 0))
        if conn is not None:
            conn.send(frame)
        timeout_s = self.options.request_timeout_s
        try:
            return await asyncio.wait_for(future, timeout_s)
        except asyncio.TimeoutError:
            raise RequestTimeoutError(f"no answer within {timeout_s:g} s (it may have been applied or not)") from None
        finally:
            self._pending.forget(command_id)

    def send_unawaited(self, template: int, fields: Sequence[int]) -> None:
        """Sends a command whose answer nobody waits for; nothing without a connection."""
        conn = self.connection
        if conn is not None:
            command_id = self.next_command_id()
            self.drop_answer(command_id)
            conn.send(bytes(wire.command(template, (command_id, *fields))))

    def drop_answer(self, command_id: int, final: AckType = AckType.PROCESSED) -> None:
        """Nobody hears of the answer to a command, which an acknowledgement ends, or an error."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._pending.add(command_id, Pending(b"", final, False, future, 0))

    # Answers.

    def _on_frame(self, frame: bytes) -> None:
        answer = wire.read(frame)
        if answer.template == wire.DELIVER and self._is_ready:
            self.subscriptions.on_deliver(frame, answer)
        elif answer.template == wire.ERROR:
            self._on_error(answer)
        elif answer.template == wire.LOGON_ACK:
            self._on_logon_ack(frame, answer)
        elif answer.template == wire.AUTH_CHALLENGE:
            self._on_auth_challenge(answer)
        elif answer.template == wire.HEARTBEAT:
            return
        elif not self._is_ready:
            raise ProtocolError(f"the broker answered out of turn: template {answer.template} (it came before the LogonAck)")
        elif answer.template == wire.ACK:
            self._on_ack(answer)
        elif answer.template == wire.TOPIC_ENTRY:
            self._on_topic_entry(answer)
        elif answer.template == wire.STAT_ENTRY:
            self._pending.on_entry(answer.fields[0], (answer.texts[0], answer.fields[1]))
        elif answer.template == wire.GROUP_BEGIN:
            self.subscriptions.on_group_begin(answer)
        elif answer.template == wire.EXPLANATION:
            self.subscriptions.on_explanation(answer)
        elif answer.template == wire.GROUP_END:
            self.subscriptions.on_group_end(answer)
        elif answer.template == wire.REPLAY_BEGIN:
            self.subscriptions.on_replay_begin(answer)

    def _on_topic_entry(self, answer: wire.Answer) -> None:
        command_id, messages, shard, topic_id = answer.fields
        name, topic_format, *key = answer.texts
        topic = TopicInfo(name, topic_format, key[0] if key else "", shard, topic_id, messages)
        if command_id == 0:
            self.subscriptions.on_topic(topic)
        else:
            self._pending.on_entry(command_id, topic)

    def _on_ack(self, answer: wire.Answer) -> None:
        command_id, _, topic_matches, matches, returned, type_number, duplicate, shard, applied = answer.fields
        try:
            ack_type = AckType(type_number)
        except ValueError:
            raise ProtocolError(f"Ack: not a type: {type_number} (use a newer client)") from None
        if self.subscriptions.on_ack(command_id, ack_type):
            return
        if not self._pending.on_ack(command_id, ack_type, (topic_matches, matches, returned)):
            self.publisher.on_ack(command_id, ack_type, duplicate != 0, shard, applied)

    def _on_error(self, answer: wire.Answer) -> None:
        command_id, subscription_id, _, code, fatal = answer.fields
        error = BrokerError(code, answer.texts[0], answer.texts[1], fatal != 0)
        if not self._is_ready:
            if self._conn is not None:
                self._conn.fail(ConnectionLostError(f"the broker refused the logon: {error}", error))
            return
        is_known = self.subscriptions.on_error(command_id, subscription_id, error) or self._pending.fail(command_id, error)
        if not is_known and command_id != 0:
            self.publisher.on_error(command_id, error)
        if error.fatal and self._conn is not None:
            self._conn.fail(ConnectionLostError(f"connection lost: {error}", error))
