"""Encrypted connections, and log-ons that are bound to them, against a broker and against somebody between the two."""

from __future__ import annotations

import shutil
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Callable, List, Optional

from penstock import Client, PenstockError, wire

from .broker_process import _FAST_START, JAR, JAVA, BrokerProcess

# Certificates for 127.0.0.1 that have signed themselves, with their keys. They are used nowhere else, and end in a hundred years.
OWN = """\
-----BEGIN CERTIFICATE-----
MIIBhDCCASqgAwIBAgIUQi1LA8w/I3OxKiwvbovyyMJfqEIwCgYIKoZIzj0EAwIw
DjEMMAoGA1UEAwwDb25lMCAXDTI2MTEyNjE5MzgwOVoYDzIxMjYxMTAyMTkzODA5
WjAOMQwwCgYDVQQDDANvbmUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR2bhe7
HXJy1BrMVkz72ZZ5qK0cSNplIUfvVUj8vv4kXlD9ofHSj+14CiUGlVrTNadTwJ2H
xmEs+Znb4oA3lJhuo2QwYjAdBgNVHQ4EFgQUHmTMr8dtD0/oYbmlK990hVD8UJUw
HwYDVR0jBBgwFoAUHmTMr8dtD0/oYbmlK990hVD8UJUwDwYDVR0TAQH/BAUwAwEB
/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUCIQCaGwHmpJ1M8vMH
OZEXOfusI8QLd0Og5ocPUx+h/dgzXQIgV3AxvR3bpLopYuTtITkqgmuBZue9QVAC
nfVH3EoLFq8=
-----END CERTIFICATE-----
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVNH4YkYEEb9J3kH7
j5pAwRNGR9tYQ7aMoA1CRvKXb/ChRANCAAR2bhe7HXJy1BrMVkz72ZZ5qK0cSNpl
IUfvVUj8vv4kXlD9ofHSj+14CiUGlVrTNadTwJ2HxmEs+Znb4oA3lJhu
-----END PRIVATE KEY-----
"""
FOREIGN = """\
-----BEGIN CERTIFICATE-----
MIIBhDCCASqgAwIBAgIUBkowCzFvAXY0WFv6HW70HKfps8EwCgYIKoZIzj0EAwIw
DjEMMAoGA1UEAwwDdHdvMCAXDTI2MTEyNjE5MzgwOVoYDzIxMjYxMTAyMTkzODA5
WjAOMQwwCgYDVQQDDAN0d28wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASWcTwQ
KXOtStIQ16lWnv/5zmY/hTi3x7R0cknbK/QauoQwbv8wzJxaaVnnFO1N9SX5awgI
edIcdg5fz/zuVbS7o2QwYjAdBgNVHQ4EFgQUdIyAwpKzg03tsnMHyl28TxF/w+kw
HwYDVR0jBBgwFoAUdIyAwpKzg03tsnMHyl28TxF/w+kwDwYDVR0TAQH/BAUwAwEB
/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUCIGlH+hlUEFlpF3gv
tRhSCaB/mj2OK025KyDC2U3CuSX1AiEAzxCEfCfOLfdstNRppD/oAJQNsZX/hiMU
ZkDBMevkzLQ=
-----END CERTIFICATE-----
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgp8Z6mhby1wyd4Ndt
HVwCrzbioAANVDEmM3yJchlmEL2hRANCAASWcTwQKXOtStIQ16lWnv/5zmY/hTi3
x7R0cknbK/QauoQwbv8wzJxaaVnnFO1N9SX5awgIedIcdg5fz/zuVbS7
-----END PRIVATE KEY-----
"""

Answer = Callable[[bytes], Optional[bytes]]


class Relay:
    """Decrypts what a client sends, and encrypts it again for the broker: somebody between the two with a certificate that the
    client trusts. ``answer`` may answer the client's first frame in the broker's place."""

    def __init__(self, broker: str, folder: Path, answer: Answer = lambda frame: None) -> None:
        certificate = folder / "relay.pem"
        certificate.write_text(FOREIGN)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate)
        self._broker = ("127.0.0.1", int(broker.rpartition(":")[2]))
        self._answer = answer
        self._server = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"tcps://127.0.0.1:{self._server.getsockname()[1]}"
        self.client_frames: List[bytes] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                raw, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(raw,), daemon=True).start()

    def _serve(self, raw: socket.socket) -> None:
        try:
            with self._context.wrap_socket(raw, server_side=True) as client:
                self._relay(client)
        except OSError:
            raw.close()

    def _relay(self, client: ssl.SSLSocket) -> None:
        first = _frame(client)
        self.client_frames.append(first)
        answer = self._answer(first)
        if answer is not None:
            client.sendall(struct.pack("<i", len(answer)) + answer)
            self.client_frames.append(_frame(client))
            return
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname = False
        trusting.verify_mode = ssl.CERT_NONE
        with trusting.wrap_socket(socket.create_connection(self._broker)) as broker:
            broker.sendall(struct.pack("<i", len(first)) + first)
            while True:
                frame = _frame(broker)
                client.sendall(struct.pack("<i", len(frame)) + frame)
                frame = _frame(client)
                broker.sendall(struct.pack("<i", len(frame)) + frame)

    def close(self) -> None:
        self._server.close()


def _frame(end: socket.socket) -> bytes:
    return _bytes(end, struct.unpack("<i", _bytes(end, 4))[0])


def _bytes(end: socket.socket, count: int) -> bytes:
    content = b""
    while len(content) < count:
        part = end.recv(count - len(content))
        if not part:
            raise OSError("closed")
        content += part
    return content


class TlsTest(unittest.TestCase):
    folder: Path
    broker: BrokerProcess

    @classmethod
    def setUpClass(cls) -> None:
        if not JAR.exists():
            raise unittest.SkipTest(f"no jar: {JAR} (build it: mvn package -pl broker-standalone -am)")
        cls.folder = Path(tempfile.mkdtemp(prefix="penstock-python-tls-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        own = cls.folder / "own.pem"
        own.write_text(OWN)
        (cls.folder / "foreign.pem").write_text(FOREIGN)
        password = cls.folder / "password"
        password.write_text("geheim\n")
        users = cls.folder / "users"
        command = ["user", "add", "ann", "--file", str(users), "--password-file", str(password), "--iterations", "4096"]
        subprocess.run([JAVA, *_FAST_START, "-jar", str(JAR), *command], check=True, capture_output=True, timeout=60)
        settings = (f"tls.certificate={own}", f"security.users={users}")
        cls.broker = BrokerProcess(with_journal=False, scheme="tcps", settings=settings)
        cls.addClassCleanup(cls.broker.end)

    def trusting(self, name: str) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.folder / name))

    def relay(self, answer: Answer = lambda frame: None) -> Relay:
        relay = Relay(self.broker.endpoint, self.folder, answer)
        self.addCleanup(relay.close)
        return relay

    def connect(self, endpoint: str, trusted: str, password: str = "geheim", **options: bool) -> None:
        with Client.connect(endpoint, user="ann", password=password, tls=self.trusting(trusted), **options) as client:
            client.publish("t", "{}")
            client.flush()

    def test_should_log_on_when_the_broker_is_trusted(self) -> None:
        self.connect(self.broker.endpoint, "own.pem")
        self.connect(self.broker.endpoint, "own.pem", channel_binding=False)
        with self.assertRaisesRegex(PenstockError, "refused"):
            self.connect(self.broker.endpoint, "own.pem", password="falsch")

    def test_should_not_connect_when_the_broker_is_not_trusted_or_speaks_no_tls(self) -> None:
        with self.assertRaisesRegex(PenstockError, "is not trusted"):
            self.connect(self.broker.endpoint, "foreign.pem")
        with self.assertRaisesRegex(PenstockError, "is not trusted"):
            Client.connect(self.broker.endpoint)
        with socket.create_server(("127.0.0.1", 0)) as server:
            threading.Thread(target=lambda: server.accept()[0].sendall(b"HTTP/1.1 400\r\n\r\n"), daemon=True).start()
            with self.assertRaisesRegex(PenstockError, "no TLS"):
                self.connect(f"tcps://127.0.0.1:{server.getsockname()[1]}", "own.pem")

    def test_should_not_be_let_in_when_somebody_decrypts_between_the_two(self) -> None:
        relay = self.relay()
        with self.assertRaisesRegex(PenstockError, "refused"):
            self.connect(relay.endpoint, "foreign.pem")
        # The relay as such works.
        self.connect(relay.endpoint, "foreign.pem", channel_binding=False)

    def test_should_say_that_no_binding_was_offered_when_somebody_takes_the_offer_away(self) -> None:
        relay = self.relay(lambda frame: _challenge(frame, "SCRAM-SHA-256 PLAIN"))
        with self.assertRaises(PenstockError):
            self.connect(relay.endpoint, "foreign.pem")
        self.assertIn(b"p=tls-server-end-point,,n=ann,", relay.client_frames[0])
        self.assertIn(b"y,,n=ann,", relay.client_frames[1])
        self.assertNotIn(b"geheim", b"".join(relay.client_frames))


def _challenge(logon: bytes, mechanisms: str) -> bytes:
    """A frame that lists mechanisms, as of a broker that does not take the one that was asked for."""
    text = mechanisms.encode()
    # Header: length of the fields, template, schema, version; the command's id is the first field of both frames.
    header = struct.pack("<HHHH", 8, wire.AUTH_CHALLENGE, *struct.unpack_from("<HH", logon, 4))
    return header + logon[8:16] + struct.pack("<H", len(text)) + text + struct.pack("<H", 0)


if __name__ == "__main__":
    unittest.main()
