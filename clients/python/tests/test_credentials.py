"""Log-ons by certificate and by bearer token, against a broker that knows both."""

from __future__ import annotations

import base64
import hashlib
import json
import queue
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, List, Optional
from unittest import mock

from penstock import FOR_EVER, Client, ClientOptions, ConnectionEvent, PenstockError, credentials

from .broker_process import _FAST_START, JAR, JAVA, BrokerProcess
from .test_tls import FOREIGN, OWN

# A key of an issuer, which is used nowhere else.
MODULUS = int(
    "bc2cc18af598d655e276c35d1cb4653a0cc551e6094455e8cb142e3345b8497e2b8fa79da0663b4c307467e31d22bca4e7a017750c543d"
    "d128e5bc7eed70c61d6c8e9629d13bb181c762ec2d8445e0c6b8aeeaaf8ea35c7d480a10334c0c9956e424842f5c91d27e711423208044"
    "bc37b51baf769e9892ffeb1246797c0fdd13fa5bebd2144d82d081cf0f73a4c2803bd40c4902d071d2cf290dad2134e5aa6ee7aa059d58"
    "4b6b2a9cb4b1b86ab4d430f81e4b213c2353d708d96d283172b691afaa840f6695273a8c5219fe9c011cc0b6db024cb414f9731d2e1393"
    "f51dd596986e2c1b3437d9f741c8cbac5cf8db755bb6a0376001a1ea7a35d72f56eaaab3",
    16,
)
EXPONENT = int(
    "269c2c4e1ddc71460804844b6ba35c0dd0270089e9a6dad5bc2d74d95259e0c2819fa52dc386966e289709e5e0c98ad96f293b06ea33b2"
    "c762d3d89c568dc828ab688a4924445244a5ab97783366bf1b2733c4b5a6d7c017789b8ffd668243483fe17a39d98d961a198b9f3580fc"
    "197e78aba891f732a91ed795d55e01e5a35fa6ed950b88e54df57dc4cf019f8d18ebebfb971e78d0055d4410bc83139da90299df3403ce"
    "4308565050564db4a5110e41da678dca9d4a1730074c1b82c99f171b4cbfa936640ff3f8978076b8f76be4faed24959d715c15d7fac75c"
    "d3d2956c3acb4f75a95361f3f5254f7d62740e91ee17951df02630c9204214cc72fcfd39",
    16,
)
ISSUER = "https://id.example.com"


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _number(value: int) -> str:
    return _base64(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def token(user: str, valid_for_s: float = 3600, exponent: int = EXPONENT) -> str:
    """A JSON web token, signed by RS256."""
    claims = {"iss": ISSUER, "aud": "penstock", "sub": user, "exp": time.time() + valid_for_s}
    parts = ({"alg": "RS256", "kid": "k", "typ": "JWT"}, claims)
    signed = ".".join(_base64(json.dumps(part).encode()) for part in parts)
    digest = bytes.fromhex("3031300d060960864801650304020105000420") + hashlib.sha256(signed.encode()).digest()
    length = (MODULUS.bit_length() + 7) // 8
    padded = b"\0\1" + b"\xff" * (length - 3 - len(digest)) + b"\0" + digest
    return f"{signed}.{_base64(pow(int.from_bytes(padded, 'big'), exponent, MODULUS).to_bytes(length, 'big'))}"


class CredentialsTest(unittest.TestCase):
    folder: Path
    broker: BrokerProcess

    @classmethod
    def setUpClass(cls) -> None:
        if not JAR.exists():
            raise unittest.SkipTest(f"no jar: {JAR} (build it: mvn package -pl broker-standalone -am)")
        cls.folder = Path(tempfile.mkdtemp(prefix="penstock-python-credentials-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        own, foreign = cls.folder / "own.pem", cls.folder / "foreign.pem"
        own.write_text(OWN)
        foreign.write_text(FOREIGN)
        keys = cls.folder / "keys.json"
        key = {"kty": "RSA", "kid": "k", "alg": "RS256", "use": "sig", "n": _number(MODULUS), "e": "AQAB"}
        keys.write_text(json.dumps({"keys": [key]}))
        users = cls.folder / "users"
        command = ["user", "add", "feed", "--file", str(users), "--certificate", "CN=two", "--no-password"]
        subprocess.run([JAVA, *_FAST_START, "-jar", str(JAR), *command], check=True, capture_output=True, timeout=60)
        cls.broker = BrokerProcess(
            with_journal=False,
            scheme="tcps",
            settings=(
                f"tls.certificate={own}",
                f"tls.trust={foreign}",
                "tls.clientCertificates=optional",
                f"security.users={users}",
                f"security.tokens.keys={keys}",
                f"security.tokens.issuer={ISSUER}",
                "security.tokens.audience=penstock",
                "security.tokens.skewMs=0",
            ),
        )
        cls.addClassCleanup(cls.broker.end)

    def tls(self, certificate: Optional[str] = None) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=str(self.folder / "own.pem"))
        if certificate is not None:
            context.load_cert_chain(self.folder / certificate)
        return context

    def use(self, certificate: Optional[str] = None, **options: Any) -> None:
        with Client.connect(self.broker.endpoint, tls=self.tls(certificate), **options) as client:
            client.publish("t", "{}")
            client.flush()

    def test_should_log_on_by_the_certificate_when_it_is_a_users(self) -> None:
        self.use("foreign.pem", external=True)
        with self.assertRaisesRegex(PenstockError, "does not take EXTERNAL .*give tls a certificate"):
            self.use(external=True)
        # Without being asked for, the certificate only opens the connection.
        with self.assertRaisesRegex(PenstockError, "refused"):
            self.use("foreign.pem")

    def test_should_log_on_by_a_token_when_its_issuer_has_signed_it(self) -> None:
        self.use(token=token("tom"))
        with self.assertRaisesRegex(PenstockError, "refused"):
            self.use(token=token("tom", exponent=EXPONENT + 2))
        with self.assertRaisesRegex(PenstockError, "refused"):
            self.use(token=token("tom", valid_for_s=-60))

    def test_should_take_the_token_from_where_it_is(self) -> None:
        file = self.folder / "token"
        file.write_text(token("tom") + "\n")
        self.use(token=file)
        file.write_text("\n")
        with self.assertRaisesRegex(PenstockError, "token: is empty"):
            self.use(token=file)
        with self.assertRaisesRegex(PenstockError, "token: there is none: .*no-such-file"):
            self.use(token=self.folder / "no-such-file")

        async def fetch() -> str:
            return token("tom")

        self.use(token=fetch)
        self.use(token=lambda: token("tom"))
        self.use(token=lambda: fetch())

        def fail() -> str:
            raise OSError("the issuer is down")

        with self.assertRaisesRegex(PenstockError, "token: there is none: the issuer is down"):
            self.use(token=fail)

    def test_should_ask_anew_when_the_token_has_expired(self) -> None:
        asked: List[float] = []
        events: "queue.Queue[ConnectionEvent]" = queue.Queue()

        def fetch() -> str:
            asked.append(time.monotonic())
            if len(asked) == 2:
                # An issuer that is down for a moment ends nothing.
                raise OSError("the issuer is down")
            return token("tom", 10 if len(asked) == 1 else 3600)

        options = ClientOptions(
            token=fetch,
            tls=self.tls(),
            reconnect_timeout_s=FOR_EVER,
            on_connection=lambda event, server, error: events.put(event),
        )
        with Client.connect(self.broker.endpoint, options) as client:
            seen: List[ConnectionEvent] = []
            while seen.count(ConnectionEvent.CONNECTED) < 2:
                seen.append(events.get(timeout=60))
            client.publish("t", "{}")
        self.assertIn(ConnectionEvent.DISCONNECTED, seen)
        self.assertEqual(len(asked), 3)


class CheckedTest(unittest.TestCase):
    """What needs no broker."""

    def test_should_refuse_what_says_twice_who_the_client_is(self) -> None:
        for options in ({"user": "ann", "token": "t"}, {"user": "ann", "external": True}, {"token": "t", "external": True}):
            with self.assertRaisesRegex(ValueError, "not together with"):
                ClientOptions(**options)  # type: ignore[arg-type]

    def test_should_refuse_texts_that_are_no_tokens_and_show_none(self) -> None:
        for wrong in ("", " ", "a b", "a\nb", "a,b", "a\x01b", "tökén", "=a"):
            with self.assertRaisesRegex(ValueError, "token: ") as raised:
                ClientOptions(token=wrong)
            self.assertNotIn(wrong.strip() or "\0", str(raised.exception))
        self.assertEqual(credentials.checked(" a.b-c_d~e+f/g==\n"), "a.b-c_d~e+f/g==")
        self.assertNotIn("secret", repr(ClientOptions(token="secret")))

    def test_should_send_neither_token_nor_logon_when_the_medium_proves_nothing(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            received: "queue.Queue[bytes]" = queue.Queue()

            def serve() -> None:
                while True:
                    try:
                        peer, _ = server.accept()
                    except OSError:
                        return
                    with peer:
                        received.put(peer.recv(4096))

            threading.Thread(target=serve, daemon=True).start()
            endpoint = f"tcp://127.0.0.1:{server.getsockname()[1]}"
            with self.assertRaisesRegex(PenstockError, "shows no certificate"):
                Client.connect(endpoint, external=True)
            self.assertEqual(received.get(timeout=20), b"")
            with mock.patch("penstock.connection.Connection.is_local", False):
                with self.assertRaisesRegex(PenstockError, "whoever reads it could log on with it"):
                    Client.connect(endpoint, token="secret")
            self.assertEqual(received.get(timeout=20), b"")

    def test_should_say_so_when_the_token_does_not_come_in_time(self) -> None:
        over = threading.Event()
        self.addCleanup(over.set)

        def wait() -> str:
            over.wait(60)
            return "late"

        began_s = time.monotonic()
        with self.assertRaisesRegex(PenstockError, "token: none within 0.2 s"):
            Client.connect("tcp://127.0.0.1:1", token=wait, connect_timeout_s=0.2)
        self.assertLess(time.monotonic() - began_s, 30)


if __name__ == "__main__":
    unittest.main()
