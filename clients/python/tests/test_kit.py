"""The protocol kit fails clients that break the protocol: drivers that do one thing wrong."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from .broker_process import TOP

KIT = TOP / "tests" / "client-kit"
LOGON = "1e0000000c000100541f030001000000000000000000000000000000000000000000"

# Sends what it is given, takes an answer if one comes, and says what it is given.
DRIVER = """
import json, socket, sys
for line in sys.stdin:
    action = json.loads(line)
    if action["do"] == "reset":
        print(json.dumps({"of": "driver", "event": "reset"}), flush=True)
    elif action["do"] == "connect":
        host, port = action["servers"][0][6:].split(":")
        connection = socket.create_connection((host, int(port)))
        connection.sendall(bytes.fromhex(sys.argv[1]))
        connection.settimeout(2)
        if connection.recv(1000):
            print(json.dumps({"of": "client", "event": sys.argv[2]}), flush=True)
"""


class KitTest(unittest.TestCase):
    def run_kit(self, frame: str, event: str = "connected", script: str = "logs on without anything") -> "subprocess.CompletedProcess[str]":
        with tempfile.TemporaryDirectory() as folder:
            driver = Path(folder) / "driver.py"
            driver.write_text(DRIVER, encoding="utf-8")
            client = shlex.join([sys.executable, str(driver), frame, event])
            command = [sys.executable, "-m", "kit", "--timeout", "1.5", "--only", script, "--report", folder, "--client", f"mine={client}"]
            done = subprocess.run(command, cwd=KIT, capture_output=True, text=True, timeout=60)
            report = (Path(folder) / "TEST-client-kit.mine.xml").read_text(encoding="utf-8")
            self.assertIn(f'failures="{done.returncode}"', report)
            return done

    def assert_fails(self, reason: str, frame: str, event: str = "connected", script: str = "logs on without anything") -> None:
        done = self.run_kit(frame, event, script)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(reason, done.stdout)
        self.assertIn("0 passed, 1 failed", done.stdout)

    def test_should_pass_when_the_logon_is_that_of_the_page(self) -> None:
        done = self.run_kit(LOGON)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_should_fail_when_the_frame_breaks_a_rule(self) -> None:
        self.assert_fails("block of 11 bytes", LOGON.replace("0c000100", "0b000100"))
        self.assert_fails("bytes after the last field", "1f" + LOGON[2:] + "00")
        self.assert_fails("schema 8021", LOGON.replace("541f", "551f"))

    def test_should_fail_when_a_field_is_another_one(self) -> None:
        self.assert_fails("clientName: expected ''", "1f000000 0c000100541f0300 0100000000000000 00000000 0100 78 0000 0000 0000 0000")

    def test_should_fail_when_another_frame_comes_or_none(self) -> None:
        self.assert_fails("came instead: Flush", "10000000 08000500541f0300 0100000000000000")
        self.assert_fails("nothing came", "")

    def test_should_fail_when_the_program_sees_something_else(self) -> None:
        self.assert_fails("expected 'connected': 'failed'", LOGON, "failed")


if __name__ == "__main__":
    unittest.main()
