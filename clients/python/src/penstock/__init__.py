"""A client of the Penstock message broker, for asyncio (:class:`AsyncClient`) and for threads (:class:`Client`)."""

from .aio import AsyncClient, Deleted
from .blocking import Client, Subscription
from .bookmark import BEGINNING, NOW, Bookmark
from .commands import Rate
from .engine import Session
from .errors import (
    BackPressureError,
    BrokerError,
    ConnectionLostError,
    ErrorCode,
    PenstockError,
    ProtocolError,
    RequestTimeoutError,
)
from .headers import HeaderValue
from .message import Kind, Message, TopicInfo
from .options import FOR_EVER, ClientOptions, ConnectionEvent
from .payload import Payload
from .publish_file import FilePublishStore
from .publishing import Ack, AckType, PublishStore
from .query import QueryResult, to_arrow, to_pandas
from .stores import BookmarkStore, FileBookmarkStore
from .subscription import AsyncSubscription, Completed, StateBegin, StateEnd

__version__ = "0.2.0"

__all__ = [
    "BEGINNING",
    "FOR_EVER",
    "NOW",
    "Ack",
    "AckType",
    "AsyncClient",
    "AsyncSubscription",
    "BackPressureError",
    "Bookmark",
    "BookmarkStore",
    "BrokerError",
    "Client",
    "ClientOptions",
    "Completed",
    "ConnectionEvent",
    "ConnectionLostError",
    "Deleted",
    "ErrorCode",
    "FileBookmarkStore",
    "FilePublishStore",
    "HeaderValue",
    "Kind",
    "Message",
    "Payload",
    "PenstockError",
    "ProtocolError",
    "PublishStore",
    "QueryResult",
    "Rate",
    "RequestTimeoutError",
    "Session",
    "StateBegin",
    "StateEnd",
    "Subscription",
    "TopicInfo",
    "to_arrow",
    "to_pandas",
]
