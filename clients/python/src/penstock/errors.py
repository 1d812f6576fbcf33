"""What can go wrong, as exceptions. All are a :class:`PenstockError`."""

from __future__ import annotations

from enum import IntEnum
from typing import Optional, Union


class ErrorCode(IntEnum):
    """Why the broker refused or ended something. Newer brokers may have codes that are not here."""

    BAD_FRAME = 1
    UNSUPPORTED_VERSION = 2
    UNKNOWN_COMMAND = 3
    NOT_LOGGED_ON = 4
    AUTHENTICATION_FAILED = 5
    NOT_AUTHORIZED = 6
    BAD_TOPIC = 7
    BAD_PATTERN = 8
    BAD_FILTER = 9
    BAD_MESSAGE = 10
    MESSAGE_TOO_LONG = 11
    BAD_FORMAT = 12
    DUPLICATE_SUBSCRIPTION = 13
    UNKNOWN_SUBSCRIPTION = 14
    LIMIT_REACHED = 15
    FELL_BEHIND = 16
    REPLACED = 17
    TIMED_OUT = 18
    SHUTTING_DOWN = 19
    NOT_SUPPORTED = 20
    BAD_TEXT = 21
    INTERNAL_ERROR = 22
    BAD_KEY = 23
    NO_STATE = 24
    BAD_QUERY = 25
    STATE_FULL = 26
    SNAPSHOT_TOO_OLD = 27
    QUERY_CANCELLED = 28
    JOURNAL_FULL = 29
    JOURNAL_FAILED = 30
    BOOKMARK_NOT_FOUND = 31
    UNKNOWN_SINK = 32
    BAD_BLOCK = 33
    SINK_FULL = 34
    SINK_FAILED = 35
    BAD_SEQUENCE = 36
    TOPIC_IN_USE = 37
    NOT_FOUND = 38
    NO_RESPONDER = 39
    BAD_HEADER = 40
    SESSION_REVOKED = 41
    NOT_ENTITLED = 43
    PERMISSIONS_CHANGED = 44


class PenstockError(Exception):
    """The parent of all errors of this package."""


class BrokerError(PenstockError):
    """The broker refused a command, or ended a subscription or the session.

    ``code`` is an :class:`ErrorCode`, or a plain number that this version does not know; ``name`` is the broker's name
    for it, ``text`` says input, reason and remedy, and ``fatal`` that the broker closes the connection.
    """

    def __init__(self, code: int, name: str, text: str, fatal: bool = False) -> None:
        super().__init__(f"{name}: {text}" if text else name)
        self.code: Union[ErrorCode, int] = _known(code)
        self.name = name
        self.text = text
        self.fatal = fatal


class ConnectionLostError(PenstockError):
    """There is no connection: it could not be made, was lost, or the client is closed.

    ``error`` is the broker's, when it said why.
    """

    def __init__(self, text: str, error: Optional[BrokerError] = None) -> None:
        super().__init__(text)
        self.error = error


class ProtocolError(ConnectionLostError):
    """The broker sent something that is no frame of the protocol. The connection is closed."""


class RequestTimeoutError(PenstockError):
    """No answer came in time. The command may have been applied or not."""


class BackPressureError(PenstockError):
    """There was no room in time: the broker or the network is slower than the program."""


def _known(code: int) -> Union[ErrorCode, int]:
    try:
        return ErrorCode(code)
    except ValueError:
        return code
