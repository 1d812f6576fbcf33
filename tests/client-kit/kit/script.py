"""Runs a script: what the broker sends, what it expects, and what the client does and tells."""

from __future__ import annotations

import re
import struct
import time
from typing import Any, Callable, Dict, List

from .broker import Mismatch, ScriptedBroker
from .client import ClientProcess
from .layouts import ACK_TYPES, VERSION, Frame, Protocol, ack_mask, ack_names
from .scram import ScramServer

_VARIABLE = re.compile(r"\$(\w+)(?:\.(\w+))?$")
_EVENTS_LEFT = ("disconnected", "connected", "gaveUp")

Step = Dict[str, Any]


class Script:
    """One script. A step is an object; its first member says what it is."""

    def __init__(self, protocol: Protocol, script: Dict[str, Any], client: ClientProcess, timeout_s: float) -> None:
        self._protocol = protocol
        self._script = script
        self._client = client
        self._broker = ScriptedBroker(protocol, script.get("servers", 1), timeout_s)
        self._saved: Dict[str, Frame] = {}
        self._kinds: Dict[str, Callable[[Step], None]] = {
            "client": self._do,
            "observe": self._observe,
            "observeNothing": self._observe_nothing,
            "accept": lambda step: self._broker.accept(step["accept"]),
            "refuse": lambda step: self._broker.refuse(step["refuse"]),
            "expect": self._expect,
            "expectNothing": self._expect_nothing,
            "expectClose": lambda step: self._broker.wait_for_end(),
            "send": self._send,
            "bytes": lambda step: self._broker.send(bytes.fromhex(step["bytes"])),
            "ack": self._ack,
            "session": self._session,
            "scram": self._scram,
            "close": lambda step: self._broker.close(),
            "wait": lambda step: time.sleep(step["wait"] / 1000),
        }

    def run(self) -> None:
        """:raises Mismatch: naming the step."""
        try:
            for number, step in enumerate(self._script["steps"], 1):
                try:
                    self._kinds[next(iter(step))](step)
                except Mismatch as e:
                    raise Mismatch(f"step {number}, {_short(step)}: {e}; observed meanwhile: {self._client.left()}") from None
            left = [each for each in self._client.left() if each.get("event") not in _EVENTS_LEFT]
            if left:
                raise Mismatch(f"at the end: observed and not expected: {left}")
        finally:
            self._broker.end()

    # The client.

    def _do(self, step: Step) -> None:
        action = dict(step["client"])
        if action.get("do") == "connect":
            action.setdefault("servers", self._broker.servers)
        self._client.do(action)

    def _observe(self, step: Step) -> None:
        expected = step["observe"]
        for each in expected if isinstance(expected, list) else [expected]:
            observed = self._client.observe(each["of"])
            if observed is None:
                raise Mismatch(f"nothing of {each['of']} was observed")
            _match("", each, observed, self._saved)

    def _observe_nothing(self, step: Step) -> None:
        observed = self._client.observe(step["observeNothing"], step.get("ms", 100) / 1000)
        if observed is not None:
            raise Mismatch(f"observed: {observed}")

    # The broker.

    def _expect(self, step: Step) -> None:
        frame = self._broker.receive(step["expect"])
        if frame is None:
            raise Mismatch("nothing came")
        if frame.name != step["expect"]:
            raise Mismatch(f"came instead: {frame.name} {_shown(frame)}")
        if "version" in step and frame.version != step["version"]:
            raise Mismatch(f"came in version {frame.version}")
        expected = dict(step.get("fields", {}))
        asked = expected.pop("asks", None)
        if asked is not None and ack_mask(asked) & ~frame.fields["ackTypes"]:
            raise Mismatch(f"asks for {ack_names(frame.fields['ackTypes'])}, not for {asked}")
        _match("", expected, frame.fields, self._saved)
        if "save" in step:
            self._saved[step["save"]] = frame

    def _expect_nothing(self, step: Step) -> None:
        frame = self._broker.receive("", step.get("expectNothing", 100) / 1000)
        if frame is not None:
            raise Mismatch(f"came: {frame.name} {_shown(frame)}")

    def _send(self, step: Step) -> None:
        fields = {name: self._value(value) for name, value in step.get("fields", {}).items()}
        if step["send"] == "Error" and "code" not in fields:
            fields["code"] = self._protocol.errors[fields["name"]]
        options = {**step, "records": self._value(step["records"])} if "records" in step else step
        frame = self._protocol.frame(step["send"], fields, options)
        data = struct.pack("<i", step.get("length", len(frame))) + frame
        self._broker.send(data[: step["cut"]] if "cut" in step else data, step.get("piece", 0))

    def _ack(self, step: Step) -> None:
        """Those of the named types that the command asked for; or all of them, which is what most commands need."""
        frame = self._saved[step["ack"]]
        asked = ack_names(frame.fields["ackTypes"]) if "ackTypes" in frame.fields else ["COMPLETED"]
        for name in step.get("types", ACK_TYPES):
            if name in asked:
                fields = {"commandId": frame.fields["commandId"], "ackType": ACK_TYPES.index(name), **step.get("fields", {})}
                self._send({"send": "Ack", "fields": fields, "version": step.get("version", VERSION)})

    def _session(self, step: Step) -> None:
        """A client that is logged on: most scripts begin so."""
        given = step["session"]
        answer = {"sessionId": 1, "heartbeatIntervalMs": 10_000, "messageLengthMax": 16_777_216, "shardCount": 1}
        answer.update({"broker": "scripted", **given.get("answer", {})})
        if not given.get("isConnecting"):
            self._do({"client": {"do": "connect", "id": "client", **given.get("client", {})}})
        self._broker.accept(given.get("server", 0))
        self._expect({"expect": "Logon", "fields": given.get("logon", {}), "save": "logon"})
        version = given.get("version", VERSION)
        self._send({"send": "LogonAck", "fields": {"commandId": "$logon.commandId", **answer}, "version": version})
        self._observe({"observe": {"of": "client", "event": "connected"}})

    def _scram(self, step: Step) -> None:
        """The broker's side of SCRAM-SHA-256, after the Logon, up to its last message, which is ``$scram.token``."""
        given = step["scram"]
        logon = self._saved["logon"].fields
        if logon["mechanism"] != "SCRAM-SHA-256" or logon["password"]:
            raise Mismatch(f"mechanism {logon['mechanism']!r}, password {logon['password']!r}")
        server = ScramServer(given["user"], given["password"], given.get("iterations", 4096))
        challenge = given.get("challenge") or server.challenge(logon["token"])
        fields = {"commandId": logon["commandId"], "token": challenge}
        self._send({"send": "AuthChallenge", "fields": fields})
        if given.get("isGivenUp"):
            self._broker.wait_for_end()
            return
        self._expect({"expect": "AuthResponse", "fields": {"mechanism": ""}, "save": "scram"})
        response = self._saved["scram"]
        response.fields["token"] = given.get("last") or server.last(response.fields["token"])

    def _value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._value(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self._value(each) for each in value]
        match = _VARIABLE.match(value) if isinstance(value, str) else None
        if not match:
            return value
        return _saved(self._saved, match)


def _saved(frames: Dict[str, Frame], match: "re.Match[str]") -> Any:
    """``$logon`` is the command id of a saved frame, ``$logon.user`` a field, and ``$p.correlationId`` that header of its."""
    fields = frames[match.group(1)].fields
    name = match.group(2) or "commandId"
    return fields["headers"]["correlation-id"] if name == "correlationId" else fields[name]


def _match(where: str, expected: Any, actual: Any, saved: Dict[str, Frame]) -> None:
    """Members that are expected have to be there, others may. ``{"atLeast": n}``, ``{"not": x}``, ``{"has": text}``, ``{"bits": n}``."""
    if isinstance(expected, dict) and set(expected) <= {"atLeast", "not", "has", "bits"} and expected:
        is_good = all(
            (
                isinstance(actual, int) and actual >= value
                if kind == "atLeast"
                else str(value) in str(actual)
                if kind == "has"
                else isinstance(actual, int) and actual & value == value
                if kind == "bits"
                else actual != _resolved(value, saved)
            )
            for kind, value in expected.items()
        )
        if not is_good:
            raise Mismatch(f"{where or 'it'}: expected {expected}: {actual!r}")
    elif isinstance(expected, dict) and isinstance(actual, dict):
        for name, value in expected.items():
            _match(f"{where}.{name}" if where else name, value, actual.get(name), saved)
    else:
        match = _VARIABLE.match(expected) if isinstance(expected, str) else None
        if match and match.group(1) in saved:
            expected = _saved(saved, match)
        if expected != actual or isinstance(expected, bool) != isinstance(actual, bool):
            raise Mismatch(f"{where or 'it'}: expected {expected!r}: {actual!r}")


def _resolved(value: Any, saved: Dict[str, Frame]) -> Any:
    match = _VARIABLE.match(value) if isinstance(value, str) else None
    return _saved(saved, match) if match else value


def _shown(frame: Frame) -> Dict[str, Any]:
    return {name: value if len(str(value)) < 200 else f"{len(str(value))} characters" for name, value in frame.fields.items()}


def _short(step: Step) -> str:
    text = str(step)
    return text if len(text) < 160 else text[:157] + "…"


def scripts_of(content: List[Dict[str, Any]], file: str) -> List[Dict[str, Any]]:
    """The scripts of a file, each with a name and steps. One with ``each`` is a script for each of its members: what stands
    there takes the place of the step ``{"each": true}``, or is added to a step that has ``"each": true``."""
    scripts = []
    for script in content:
        if not script.get("name") or not script.get("steps"):
            raise ValueError(f"{file}: a script without a name or steps: {str(script)[:80]}")
        if "each" not in script:
            scripts.append(script)
            continue
        for name, variant in script["each"].items():
            steps = []
            for step in script["steps"]:
                if step == {"each": True}:
                    steps += variant if isinstance(variant, list) else [variant]
                else:
                    steps.append({**step, **variant} if step.get("each") else step)
            scripts.append({**script, "name": f"{script['name']}: {name}", "steps": steps})
    return scripts
