"""Requests of a client, and the topic of its own that replies come to."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional

from . import headers as header_block
from . import wire
from .errors import ConnectionLostError, PenstockError, RequestTimeoutError
from .headers import HeaderValue
from .message import Message
from .payload import publish_frame
from .publishing import Ack, AckType, Publish
from .subscription import AsyncSubscription

if TYPE_CHECKING:
    from .aio import AsyncClient

_REQUESTS_MAX = 65_536


class Replies:
    """Requests that wait for replies. The topic and its subscription are made with the first of them."""

    def __init__(self, client: "AsyncClient") -> None:
        self.topic = ""
        self._client = client
        self._waiting: Dict[str, asyncio.Future[Message]] = {}
        self._opening: Optional[asyncio.Future[None]] = None
        self._taking: Optional[asyncio.Task[None]] = None

    async def request(self, topic: str, payload: Any, timeout_s: float, headers: Mapping[str, HeaderValue]) -> Message:
        if len(self._waiting) >= _REQUESTS_MAX:
            raise PenstockError(f"request: too many wait for replies: {len(self._waiting)} (wait for some)")
        await self._open()
        correlation_id = secrets.token_hex(8)
        reply: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[correlation_id] = reply
        try:
            all_headers = {**headers, header_block.REPLY_TO: self.topic, header_block.CORRELATION_ID: correlation_id}
            session, ack_types = self._client.session, AckType.PROCESSED.mask
            frame = publish_frame(session, topic, payload, ack_types, all_headers, "", 0, wire.PUBLISH_REQUEST, 0)
            taken: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
            deadline_s = asyncio.get_running_loop().time() + timeout_s
            await self._client._engine.publisher.publish(Publish(frame, topic, -1, AckType.PROCESSED, taken))
            done, _ = await asyncio.wait((reply, taken), timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if taken in done and not reply.done():
                taken.result()
                await asyncio.wait((reply,), timeout=max(0.0, deadline_s - asyncio.get_running_loop().time()))
            if not reply.done():
                raise RequestTimeoutError(f"{topic}: no reply within {timeout_s:g} s (does somebody answer?)")
            return reply.result()
        finally:
            self._waiting.pop(correlation_id, None)

    async def _open(self) -> None:
        if self._opening is None:
            self._opening = asyncio.ensure_future(self._make())
        opening = self._opening
        try:
            await asyncio.shield(opening)
        except PenstockError:
            if self._opening is opening:
                self._opening = None
            raise

    async def _make(self) -> None:
        topic = "_reply." + secrets.token_hex(16)
        await self._client.declare_topic(topic, "binary")
        subscription = await self._client.subscribe(topic)
        self.topic = topic
        self._taking = asyncio.ensure_future(self._take(subscription))

    async def _take(self, subscription: AsyncSubscription) -> None:
        reason: PenstockError = ConnectionLostError("the client is closed (connect another one)")
        try:
            async for message in subscription:
                future = self._waiting.get(str(message.headers.get(header_block.CORRELATION_ID, "")))
                if future is not None and not future.done():
                    future.set_result(message)
        except PenstockError as e:
            reason = e
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(reason)
        self._opening = None

    def end(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
