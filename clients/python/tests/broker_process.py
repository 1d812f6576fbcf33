"""Brokers for tests: processes of the runnable jar."""

from __future__ import annotations

import asyncio
import atexit
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from typing import List, Optional, Sequence

TOP = Path(__file__).resolve().parents[3]
JAR = Path(os.environ.get("PENSTOCK_JAR", TOP / "broker-standalone" / "target" / "penstock.jar"))
JAVA = os.environ.get("PENSTOCK_JAVA") or shutil.which("java") or "java"
_FAST_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
_START_TIMEOUT_S = 60


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class BrokerProcess:
    """A broker, with a journal in a folder of its own, that can be killed and started again at the same place."""

    def __init__(self, with_journal: bool = True, scheme: str = "tcp", settings: Sequence[str] = ()) -> None:
        self._folder = tempfile.mkdtemp(prefix="penstock-python-")
        self._settings = (f"journal.directory={self._folder}/journal", "journal.sync=os") if with_journal else ()
        self._settings += tuple(settings)
        self.endpoint = f"{scheme}://127.0.0.1:{free_port()}"
        self._process: Optional["subprocess.Popen[str]"] = None
        self.start()

    def start(self) -> None:
        command = [JAVA, *_FAST_START, "-jar", str(JAR), "serve", "--listen", self.endpoint]
        for setting in self._settings:
            command += ["--set", setting]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        done = threading.Event()
        is_up: List[bool] = []
        process = self._process

        def read() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("listening on "):
                    is_up.append(True)
                    done.set()
            done.set()

        threading.Thread(target=read, daemon=True).start()
        if not done.wait(_START_TIMEOUT_S) or not is_up:
            self.end()
            raise RuntimeError(f"the broker did not start: {' '.join(command)}")

    @property
    def is_up(self) -> bool:
        return self._process is not None

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    def end(self) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


def cli(broker: BrokerProcess, *arguments: str, lines: Sequence[str] = ()) -> List[str]:
    """Runs a command of the Java client, and returns what it printed."""
    command = [JAVA, *_FAST_START, "-jar", str(JAR), *arguments, "--broker", broker.endpoint]
    done = subprocess.run(command, input="".join(line + "\n" for line in lines), capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(arguments)}: exit code {done.returncode}: {done.stderr}")
    return done.stdout.splitlines()


class BrokerTest(unittest.TestCase):
    """Tests with one broker for all of them. Topics have names of their own."""

    broker: BrokerProcess

    @classmethod
    def setUpClass(cls) -> None:
        if not JAR.exists():
            raise unittest.SkipTest(f"no jar: {JAR} (build it: mvn package -pl broker-standalone -am)")
        if not hasattr(BrokerTest, "broker"):
            BrokerTest.broker = BrokerProcess()
            atexit.register(BrokerTest.broker.end)

    def topic(self) -> str:
        return self.id().rpartition(".")[2]


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    """Coroutines as tests, without asyncio's slow mode."""

    async def asyncSetUp(self) -> None:
        asyncio.get_running_loop().set_debug(False)


class AsyncBrokerTest(BrokerTest, AsyncTest):
    """The same with coroutines as tests."""
