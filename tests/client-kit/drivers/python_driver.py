"""Drives the Python client for the kit: actions on standard input, observations on standard output, a JSON object a line."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional, Set

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "clients" / "python" / "src"))

import penstock  # noqa: E402
from penstock.subscription import Marker  # noqa: E402

Action = Dict[str, Any]

_PLACES = {"beginning": penstock.BEGINNING, "now": penstock.NOW}


def tell(of: str, event: str, **more: Any) -> None:
    print(json.dumps({"of": of, "event": event, **more}), flush=True)


def failure(error: BaseException) -> Dict[str, Any]:
    code = getattr(error, "code", None)
    if isinstance(error, penstock.BrokerError):
        kind = "broker"
    elif isinstance(error, penstock.ConnectionLostError):
        kind = "connection"
        code = error.error.code if error.error is not None else None
    elif isinstance(error, (penstock.RequestTimeoutError, asyncio.TimeoutError)):
        kind = "timeout"
    else:
        kind = "argument"
    name = code.name if isinstance(code, penstock.ErrorCode) else None
    return {"error": kind, "code": name, "text": str(error)}


def header_in(value: Any) -> Any:
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


def header_out(value: Any) -> Any:
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def pattern(length: int) -> bytes:
    letters = b"abcdefghijklmnopqrstuvwxyz"
    return b'"' + (letters * (length // 26 + 1))[: length - 2] + b'"'


def options(action: Action, *names: str) -> Dict[str, Any]:
    """The members of an action as parameters: ``orderBy`` is ``order_by``."""
    given = {}
    for name in names:
        member = "".join(part.capitalize() if at else part for at, part in enumerate(name.split("_")))
        if member in action:
            given[name] = action[member]
    return given


def place(value: Any) -> Any:
    if isinstance(value, dict):
        return int(value["timeNs"])
    return _PLACES.get(value, value)


class Driver:
    def __init__(self) -> None:
        self._client: Optional[penstock.AsyncClient] = None
        self._subscriptions: Dict[str, penstock.AsyncSubscription] = {}
        self._last: Dict[str, penstock.Message] = {}
        self._tasks: List[asyncio.Task[None]] = []
        self._replays: Set[str] = set()
        self._takers: List[asyncio.Task[None]] = []
        self._bookmarks = penstock.BookmarkStore()

    def start(self, action: Action) -> None:
        """Each action runs beside the others; those of one kind on the client keep their order, as each sends at once."""
        self._tasks.append(asyncio.ensure_future(self._run(action)))

    async def _run(self, action: Action) -> None:
        try:
            await getattr(self, "do_" + action["do"])(action)
        except (penstock.PenstockError, ValueError, asyncio.TimeoutError) as e:
            tell(action.get("id", "client"), "failed", **failure(e))

    @property
    def client(self) -> penstock.AsyncClient:
        assert self._client is not None
        return self._client

    async def do_connect(self, action: Action) -> None:
        more: Dict[str, Any] = options(action, "name", "user", "password", "token", "heartbeat_interval_ms", "message_length_max")
        if action.get("publishStore"):
            more["publish_store"] = penstock.PublishStore()
        if action.get("bookmarkStore"):
            more["bookmark_store"] = self._bookmarks
        more["reconnect_timeout_s"] = penstock.FOR_EVER if action.get("reconnect") else action.get("reconnectMs", 0) / 1000
        more["connect_timeout_s"] = action.get("connectTimeoutMs", 5000) / 1000
        self._client = await penstock.AsyncClient.connect(
            action["servers"],
            request_timeout_s=action.get("requestTimeoutMs", 10_000) / 1000,
            close_timeout_s=0.5,
            reconnect_delay_min_s=0.02,
            reconnect_delay_max_s=0.1,
            on_connection=self._on_connection,
            on_publish_error=lambda topic, error: tell("client", "publishRefused", **failure(error)),
            **more,
        )

    def _on_connection(self, event: penstock.ConnectionEvent, server: str, reason: Optional[penstock.PenstockError]) -> None:
        names = {
            penstock.ConnectionEvent.CONNECTED: "connected",
            penstock.ConnectionEvent.DISCONNECTED: "disconnected",
            penstock.ConnectionEvent.GAVE_UP: "gaveUp",
        }
        if event in names:
            tell("client", names[event], **(failure(reason) if reason is not None else {}))

    async def do_close(self, action: Action) -> None:
        for task in self._takers:
            task.cancel()
        await self.client.close()
        tell("client", "closed")

    async def do_publish(self, action: Action) -> None:
        payload = pattern(action["payloadLength"]) if "payloadLength" in action else action["payload"]
        more: Dict[str, Any] = options(action, "key", "expiration_ms", "delta")
        if "headers" in action:
            more["headers"] = {name: header_in(value) for name, value in action["headers"].items()}
        if "ack" not in action:
            await self.client.send(action["topic"], payload, **more)
            return
        ack = await self.client.publish(
            action["topic"], payload, ack=penstock.AckType[action["ack"].upper()], **options(action, "sequence"), **more
        )
        bookmark = str(ack.bookmark) if ack.bookmark is not None else None
        tell(action["id"], "acknowledged", duplicate=ack.duplicate, bookmark=bookmark)

    async def do_subscribe(self, action: Action) -> None:
        of = action["id"]
        subscription = await self.client.subscribe(
            action["topic"],
            on_marker=lambda marker: self._on_marker(of, marker),
            **options(action, "filter", "pattern", "sow", "oof", "delta", "no_empties", "select", "conflation_ms",
                "conflation_key", "order_by", "top", "skip", "batch_size", "durable", "credit"),
        )  # fmt: skip
        self._take(of, subscription)

    async def do_replay(self, action: Action) -> None:
        of = action["id"]
        self._replays.add(of)
        more = options(action, "filter", "pattern", "live", "missing", "credit", "name", "start_included", "end_included")
        if "end" in action:
            more["end"] = place(action["end"])
        subscription = await self.client.replay(
            action["topic"], start=place(action.get("start", "beginning")), on_marker=lambda marker: self._on_marker(of, marker), **more
        )
        self._take(of, subscription)

    def _take(self, of: str, subscription: penstock.AsyncSubscription) -> None:
        self._subscriptions[of] = subscription
        tell(of, "subscribed")
        self._takers.append(asyncio.ensure_future(self._messages(of, subscription)))

    async def _messages(self, of: str, subscription: penstock.AsyncSubscription) -> None:
        try:
            async for message in subscription:
                self._last[of] = message
                self._tell_message(of, message)
        except penstock.PenstockError as e:
            tell(of, "ended", **failure(e))

    @staticmethod
    def _tell_message(of: str, message: penstock.Message) -> None:
        payload: Dict[str, Any] = {"payload": message.payload.decode("utf-8", "replace")}
        if len(message.payload) > 1000:
            payload = {"payloadLength": len(message.payload), "isPattern": message.payload == pattern(len(message.payload))}
        tell(
            of, "message", topic=message.topic, kind=message.kind.name, bookmark=str(message.bookmark), key=message.key,
            headers={name: header_out(value) for name, value in message.headers.items()},
            timestampNs=message.timestamp_ns, creditLength=message.credit_length, **payload,
        )  # fmt: skip

    def _on_marker(self, of: str, marker: Marker) -> None:
        if isinstance(marker, penstock.StateBegin):
            tell(of, "stateBegin", topic=marker.topic, sequence=marker.sequence)
        elif isinstance(marker, penstock.StateEnd):
            tell(of, "stateEnd", matches=marker.matches, returned=marker.returned)
        elif of in self._replays:
            tell(of, "completed")

    async def do_unsubscribe(self, action: Action) -> None:
        await self._subscriptions[action["of"]].close()
        if "id" in action:
            tell(action["id"], "done")

    async def do_pause(self, action: Action) -> None:
        await self._subscriptions[action["of"]].pause()
        tell(action["id"], "done")

    async def do_resume(self, action: Action) -> None:
        await self._subscriptions[action["of"]].resume()
        tell(action["id"], "done")

    async def do_query(self, action: Action) -> None:
        result = await self.client.query(
            action["topic"],
            **options(action, "filter", "join", "pattern", "order_by", "top", "skip", "select", "group_by", "having", "keys", "as_of",
                "durable", "timeout_ms", "batch_size"),
        )  # fmt: skip
        for message in result:
            self._tell_message(action["id"], message)
        tell(action["id"], "answer", matches=result.matches, returned=len(result))

    async def do_delete(self, action: Action) -> None:
        deleted = await self.client.delete(action["topic"], **options(action, "filter", "keys"))
        tell(action["id"], "deleted", deleted=deleted.deleted)

    async def do_declare(self, action: Action) -> None:
        await self.client.declare_topic(action["topic"], action.get("format", "json"), **options(action, "key", "expiration_ms"))
        tell(action["id"], "done")

    async def do_deleteTopic(self, action: Action) -> None:
        await self.client.delete_topic(action["topic"])
        tell(action["id"], "done")

    async def do_resetPublisher(self, action: Action) -> None:
        await self.client.reset_publisher(action["name"], user=action.get("user", ""), to=action.get("to", 0))
        tell(action["id"], "done")

    async def do_topics(self, action: Action) -> None:
        topics = await self.client.topics(action.get("prefix", ""))
        tell(action["id"], "topics", topics=[{"name": each.name, "format": each.format, "messages": each.messages} for each in topics])

    async def do_stat(self, action: Action) -> None:
        tell(action["id"], "stat", stat=await self.client.stat(action.get("prefix", "")))

    async def do_flush(self, action: Action) -> None:
        await self.client.flush()
        tell(action["id"], "done")

    async def do_request(self, action: Action) -> None:
        timeout_s = action.get("timeoutMs", 10_000) / 1000
        reply = await self.client.request(action["topic"], action["payload"], timeout_s=timeout_s)
        tell(action["id"], "reply", payload=reply.text)

    async def do_reply(self, action: Action) -> None:
        await self.client.reply(self._last[action["to"]], action["payload"])

    async def reset(self) -> None:
        for task in self._tasks + self._takers:
            task.cancel()
        client, self._client = self._client, None
        if client is not None:
            client._engine.close()
        await asyncio.sleep(0)
        self.__init__()  # type: ignore[misc]
        tell("driver", "reset")


async def main() -> None:
    loop = asyncio.get_running_loop()
    lines: "asyncio.Queue[str]" = asyncio.Queue()

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, "")

    threading.Thread(target=read, daemon=True).start()
    driver = Driver()
    while True:
        line = await lines.get()
        if not line:
            return
        action = json.loads(line)
        if action["do"] == "reset":
            await driver.reset()
        else:
            driver.start(action)


if __name__ == "__main__":
    asyncio.run(main())
