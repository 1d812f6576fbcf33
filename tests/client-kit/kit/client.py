"""The client under test: a process that reads actions and writes observations, a JSON object a line."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from typing import Any, Dict, List, Optional, Sequence

from .broker import Mismatch

Observation = Dict[str, Any]


class ClientProcess:
    """A driver. Observations are kept by what they are of, in their order."""

    def __init__(self, command: Sequence[str], timeout_s: float) -> None:
        self._command = command
        self._timeout_s = timeout_s
        self._process: Optional[subprocess.Popen[str]] = None
        self._lines: "queue.Queue[Optional[str]]" = queue.Queue()
        self._kept: List[Observation] = []

    def do(self, action: Dict[str, Any]) -> None:
        if self._process is None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(action) + "\n")
            self._process.stdin.flush()
        except OSError as e:
            raise Mismatch(f"the driver has ended: {e}") from None

    def observe(self, of: str, timeout_s: Optional[float] = None) -> Optional[Observation]:
        """The next observation of something; None when none comes in time."""
        deadline_s = time.monotonic() + (self._timeout_s if timeout_s is None else timeout_s)
        while True:
            for at, kept in enumerate(self._kept):
                if kept.get("of") == of:
                    return self._kept.pop(at)
            try:
                line = self._lines.get(timeout=max(0.0, deadline_s - time.monotonic()))
            except queue.Empty:
                return None
            if line is None:
                raise Mismatch("the driver has ended")
            try:
                self._kept.append(json.loads(line))
            except ValueError:
                raise Mismatch(f"the driver printed no JSON: {line!r}") from None

    def left(self) -> List[Observation]:
        """What nobody asked for yet."""
        return list(self._kept)

    def reset(self) -> None:
        """The client is given up, whatever it does; the next script begins anew."""
        self.do({"do": "reset"})
        deadline_s = time.monotonic() + self._timeout_s
        while time.monotonic() < deadline_s:
            observation = self.observe("driver", deadline_s - time.monotonic())
            if observation is not None and observation.get("event") == "reset":
                self._kept.clear()
                return
        raise Mismatch("the driver did not reset")

    def kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
        self._kept.clear()

    def end(self) -> None:
        """Ends the driver: the end of its input tells it to."""
        if self._process is not None and self._process.stdin is not None:
            try:
                self._process.stdin.close()
                self._process.wait(self._timeout_s)
            except (OSError, subprocess.TimeoutExpired):
                pass
        self.kill()

    def _start(self) -> None:
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self._lines = queue.Queue()
        threading.Thread(target=self._read, args=(self._process, self._lines), daemon=True).start()

    @staticmethod
    def _read(process: "subprocess.Popen[str]", lines: "queue.Queue[Optional[str]]") -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put(None)
