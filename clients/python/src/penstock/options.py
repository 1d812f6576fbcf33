"""The settings of a client."""

from __future__ import annotations

import logging
import math
import ssl
from dataclasses import dataclass, field
from enum import Enum
from typing import Callable, Optional, Sequence, Union

from .credentials import Token, checked
from .errors import PenstockError
from .publishing import PublishStore
from .stores import BookmarkStore

FOR_EVER = math.inf

log = logging.getLogger("penstock")


class ConnectionEvent(Enum):
    """What happens to a client's connection."""

    CONNECTED = "connected"
    DISCONNECTED = "disconnected"
    RECONNECTING = "reconnecting"
    GAVE_UP = "gave up"


OnConnection = Callable[[ConnectionEvent, str, Optional[PenstockError]], None]
"""Called with the event, the server, and the reason if there is one."""
OnPublishError = Callable[[str, PenstockError], None]
"""Called with the topic, if it is known, and the error of a message that nobody waits for."""


def tell(callback: Callable[..., None], *arguments: object) -> None:
    """Calls what the program gave. What it raises is logged, and the client goes on."""
    try:
        callback(*arguments)
    except Exception:
        log.exception("a callback of the program raised: %r", callback)


@dataclass(frozen=True)
class ClientOptions:
    """How a client behaves.

    :param name: unique while connected: a newer client of the same name replaces this one. Empty = anonymous.
    :param user: for brokers that know users.
    :param password: of the user. It is proved without being sent, but for brokers at ``tcps`` addresses that keep no proof of it.
    :param allow_plain: send user and password in clear, whoever can read them, or listens in the broker's place; for brokers of
        versions before 3.
    :param tls: of servers at ``tcps`` addresses: whom to trust, and the certificate to show. Else the authorities of the system.
    :param token: logs on by a bearer token and not by a password: the token, the path of a file that has it, or a function or
        coroutine function that gives it. Files and functions are asked anew at each logon. It is sent over ``tcps``, or on this
        machine, alone.
    :param external: logs on by the certificate of ``tls``, and not by a password, at ``tcps`` addresses.
    :param channel_binding: whether the proof of the password is bound to the broker's certificate. Without it a device between
        the two can decrypt, and encrypt again.
    :param heartbeat_interval_ms: asked for; 0 = the broker's.
    :param connect_timeout_s: the longest wait for the connection, and then for the logon.
    :param request_timeout_s: the longest wait for the answer to a command.
    :param publish_timeout_s: how long a publish waits for room.
    :param close_timeout_s: how long closing waits for what was published.
    :param message_length_max: in bytes, of payloads received.
    :param topic_limit: the most topics that the broker may deliver from.
    :param in_flight_limit: the most publishes that wait for an acknowledgement; further ones wait for room.
    :param reconnect_timeout_s: how long the client may be without a connection before it gives up; 0 = it does not reconnect,
        FOR_EVER = it never gives up.
    :param reconnect_delay_min_s: before the first attempt, half to all of it at random; it doubles with each round.
    :param reconnect_delay_max_s: that it grows to.
    :param publish_store: keeps what is published until the broker has it for good. Needs a name.
    :param bookmark_store: notes how far named subscriptions have come.
    :param on_connection: told what happens to the connection. What it raises is logged.
    :param on_publish_error: told of refused messages that nobody waits for; else they are logged. What it raises is logged.
    """

    name: str = ""
    user: str = ""
    password: str = field(default="", repr=False)
    allow_plain: bool = False
    tls: Optional[ssl.SSLContext] = field(default=None, repr=False)
    token: Optional[Token] = field(default=None, repr=False)
    external: bool = False
    channel_binding: bool = True
    heartbeat_interval_ms: int = 0
    connect_timeout_s: float = 5.0
    request_timeout_s: float = 10.0
    publish_timeout_s: float = 10.0
    close_timeout_s: float = 5.0
    message_length_max: int = 16 * 1024 * 1024
    topic_limit: int = 1024 * 1024
    in_flight_limit: int = 16 * 1024
    reconnect_timeout_s: float = 0.0
    reconnect_delay_min_s: float = 0.1
    reconnect_delay_max_s: float = 10.0
    publish_store: Optional[PublishStore] = None
    bookmark_store: Optional[BookmarkStore] = None
    on_connection: Optional[OnConnection] = None
    on_publish_error: Optional[OnPublishError] = None

    def __post_init__(self) -> None:
        for name, least, most in (
            ("heartbeat_interval_ms", 0, 3_600_000),
            ("connect_timeout_s", 0.001, math.inf),
            ("request_timeout_s", 0.001, math.inf),
            ("publish_timeout_s", 0, math.inf),
            ("close_timeout_s", 0, math.inf),
            ("message_length_max", 1, 1 << 30),
            ("topic_limit", 1, 1 << 31),
            ("in_flight_limit", 1, 1 << 24),
            ("reconnect_timeout_s", 0, math.inf),
            ("reconnect_delay_min_s", 0.001, self.reconnect_delay_max_s),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise ValueError(f"{name}: out of range: {value} (use {least} to {most})")
        self._check_proof()
        if self.publish_store is not None and not self.name:
            raise ValueError("name: is empty (name a client that has a publish store: the broker knows its messages by it)")

    def _check_proof(self) -> None:
        given = [name for name in ("user", "token", "external") if getattr(self, name) not in ("", None, False)]
        if len(given) > 1:
            raise ValueError(f"{given[0]}: not together with {given[1]} (give one: each says who the client is)")
        if isinstance(self.token, str):
            checked(self.token)


def servers_of(servers: Union[str, Sequence[str]]) -> Sequence[str]:
    """One endpoint, several with commas between them, or a list.

    :raises ValueError: if there is none.
    """
    each = [part.strip() for part in servers.split(",")] if isinstance(servers, str) else list(servers)
    if not each:
        raise ValueError("servers: none is given (use for example tcp://127.0.0.1:9100)")
    return each
