"""How many messages a second one Python process receives: Penstock beside NATS and Redis, in one run.

    python3 bench/receive.py [--count N] [--length BYTES] [--rounds N] [--jar FILE] [--nats-server FILE] [--redis-server FILE]

Each round measures each system once, one after the other, in another order. A round starts with a subscriber in a process of its own,
and a publisher in another that sends as fast as it can with the system's own client; what is counted is from the first message to the
last in the subscriber. A system whose server or client is missing is left out, and that is said. The servers listen on loopback, and
keep nothing on disk.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

TOP = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TOP / "clients" / "python" / "src"))

TOPIC = "bench"
Result = Tuple[float, float]
"""Seconds of the clock, and of the processor, from the first message to the last."""


class Meter:
    """Counts messages; a first one starts the clock."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._seen = 0
        self._began = (0.0, 0.0)
        self.result: Optional[Result] = None

    def add(self, count: int) -> bool:
        """Returns whether all have come."""
        if self._seen == 0:
            self._began = (time.perf_counter(), time.process_time())
        self._seen += count
        if self._seen >= self._count:
            self.result = (time.perf_counter() - self._began[0], time.process_time() - self._began[1])
            return True
        return False


# Penstock.


async def penstock_receive(endpoint: str, count: int, ready: Any, by_batch: bool) -> Optional[Result]:
    from penstock import AsyncClient

    meter = Meter(count)
    async with await AsyncClient.connect(endpoint) as client:
        await client.declare_topic(TOPIC, "binary")
        messages = await client.subscribe(TOPIC)
        ready.set()
        if by_batch:
            async for batch in messages.batches():
                for message in batch:
                    message.payload
                if meter.add(len(batch)):
                    return meter.result
        else:
            async for message in messages:
                message.payload
                if meter.add(1):
                    return meter.result
    return None


async def penstock_send(endpoint: str, count: int, payload: bytes) -> None:
    from penstock import AsyncClient

    async with await AsyncClient.connect(endpoint) as client:
        for _ in range(count):
            await client.send(TOPIC, payload)
        await client.flush()


# NATS.


async def nats_receive(endpoint: str, count: int, ready: Any) -> Optional[Result]:
    import nats

    meter = Meter(count)
    done = asyncio.Event()

    async def on_message(message: Any) -> None:
        message.data
        if meter.add(1):
            done.set()

    client = await nats.connect(endpoint)
    await client.subscribe(TOPIC, cb=on_message, pending_msgs_limit=-1, pending_bytes_limit=-1)
    await client.flush()
    ready.set()
    await done.wait()
    await client.close()
    return meter.result


async def nats_send(endpoint: str, count: int, payload: bytes) -> None:
    import nats

    client = await nats.connect(endpoint)
    for _ in range(count):
        await client.publish(TOPIC, payload)
    await client.flush(60)
    await client.close()


# Redis.


async def redis_receive(endpoint: str, count: int, ready: Any) -> Optional[Result]:
    import redis.asyncio

    meter = Meter(count)
    client = redis.asyncio.from_url(endpoint)
    channel = client.pubsub(ignore_subscribe_messages=True)
    await channel.subscribe(TOPIC)
    await channel.get_message(timeout=1)
    ready.set()
    async for message in channel.listen():
        message["data"]
        if meter.add(1):
            break
    await client.aclose()
    return meter.result


async def redis_send(endpoint: str, count: int, payload: bytes) -> None:
    import redis.asyncio

    client = redis.asyncio.from_url(endpoint)
    for start in range(0, count, 500):
        pipeline = client.pipeline(transaction=False)
        for _ in range(min(500, count - start)):
            pipeline.publish(TOPIC, payload)
        await pipeline.execute()
    await client.aclose()


# Rounds.


def receiver(system: str, endpoint: str, count: int, ready: Any, results: Any) -> None:
    calls: Dict[str, Callable[[], Any]] = {
        "penstock, batches": lambda: penstock_receive(endpoint, count, ready, True),
        "penstock, one by one": lambda: penstock_receive(endpoint, count, ready, False),
        "nats-py": lambda: nats_receive(endpoint, count, ready),
        "redis-py": lambda: redis_receive(endpoint, count, ready),
    }
    results.put(asyncio.run(calls[system]()))


def sender(system: str, endpoint: str, count: int, payload: bytes) -> None:
    send = penstock_send if system.startswith("penstock") else nats_send if system == "nats-py" else redis_send
    asyncio.run(send(endpoint, count, payload))


def measure(system: str, endpoint: str, count: int, payload: bytes) -> Optional[Result]:
    ready, results = multiprocessing.Event(), multiprocessing.Queue()
    receiving = multiprocessing.Process(target=receiver, args=(system, endpoint, count, ready, results))
    receiving.start()
    if not ready.wait(30):
        receiving.kill()
        return None
    sending = multiprocessing.Process(target=sender, args=(system, endpoint, count, payload))
    sending.start()
    try:
        return results.get(timeout=120)  # type: ignore[no-any-return]
    except Exception:
        return None
    finally:
        for process in (receiving, sending):
            process.join(10)
            if process.is_alive():
                process.kill()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def start(command: List[str], port: int, folder: str) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline_s = time.monotonic() + 30
    while time.monotonic() < deadline_s and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return process
        except OSError:
            time.sleep(0.05)
    process.kill()
    raise RuntimeError(f"did not start: {' '.join(command)}")


def servers(given: argparse.Namespace, folder: str) -> Tuple[Dict[str, str], List["subprocess.Popen[bytes]"]]:
    """Endpoints of the systems that are there, and their processes. Says which are not."""
    endpoints: Dict[str, str] = {}
    processes = []

    def offer(names: List[str], module: str, program: Optional[str], command: Callable[[str, int], List[str]], scheme: str) -> None:
        if program is None or not os.path.exists(program):
            print(f"{', '.join(names)}: left out: no server (see --help)")
            return
        try:
            __import__(module)
        except ImportError:
            print(f"{', '.join(names)}: left out: no client (pip install {names[0]})")
            return
        port = free_port()
        processes.append(start(command(program, port), port, folder))
        endpoints.update({name: f"{scheme}://127.0.0.1:{port}" for name in names})

    java = shutil.which("java") or "java"
    offer(
        ["penstock, batches", "penstock, one by one"], "penstock", str(given.jar),
        lambda jar, port: [java, "-jar", jar, "serve", "--listen", f"tcp://127.0.0.1:{port}"], "tcp",
    )  # fmt: skip
    offer(["nats-py"], "nats", given.nats_server, lambda nats, port: [nats, "-a", "127.0.0.1", "-p", str(port)], "nats")
    redis_options = ["--bind", "127.0.0.1", "--save", "", "--client-output-buffer-limit", "pubsub 0 0 0"]
    offer(["redis-py"], "redis", given.redis_server, lambda redis, port: [redis, "--port", str(port), *redis_options], "redis")
    return endpoints, processes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200_000, help="messages of a round")
    parser.add_argument("--length", type=int, default=100, help="bytes of a message")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jar", type=Path, default=TOP / "broker-standalone" / "target" / "penstock.jar")
    parser.add_argument("--nats-server", default=shutil.which("nats-server"), help="the program of NATS")
    parser.add_argument("--redis-server", default=shutil.which("redis-server"), help="the program of Redis")
    given = parser.parse_args()
    payload = b"x" * given.length
    rates: Dict[str, List[Result]] = {}
    with tempfile.TemporaryDirectory() as folder:
        endpoints, processes = servers(given, folder)
        try:
            systems = list(endpoints)
            for number in range(given.rounds):
                for system in systems[number % len(systems) :] + systems[: number % len(systems)]:
                    result = measure(system, endpoints[system], given.count, payload)
                    if result is None:
                        print(f"round {number + 1}: {system}: did not end")
                        continue
                    rates.setdefault(system, []).append(result)
                    print(f"round {number + 1}: {system}: {given.count / result[0]:,.0f} messages/s", flush=True)
        finally:
            for process in processes:
                process.terminate()
                process.wait()
    print(f"\nmedians of {given.rounds} rounds, {given.count:,} messages of {given.length} bytes, Python {sys.version.split()[0]}:")
    for system, results in rates.items():
        by_clock = statistics.median(given.count / clock_s for clock_s, _ in results)
        by_cpu = statistics.median(given.count / cpu_s for _, cpu_s in results)
        print(f"  {system:22} {by_clock:>12,.0f} messages/s received {by_cpu:>12,.0f} for a second of the subscriber's processor")
    return 0 if rates else 1


if __name__ == "__main__":
    sys.exit(main())
