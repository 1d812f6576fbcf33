"""Frames, built and read by nothing but the tables of docs/reference/protocol.md."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional

_HEADING = re.compile(r"### (\w+)(?: \((\d+)\))?$")
_BLOCK = re.compile(r"Block of\s+(\d+)\s+bytes")
_FIXED = re.compile(r"\| (\d+) \| (\w+) \| (u?int)(\d+) \| (\d+) \| (.*) \|$")
_VARIABLE = re.compile(r"\| (\d+) \| (\w+) \| (text|bytes|token) \| (.*) \|$")
_ERROR = re.compile(r"\| (\d+) \| ([A-Z][A-Z_]+) \| .* \|$")
_FORMATS = {("int", 8): "b", ("int", 16): "h", ("int", 32): "i", ("int", 64): "q"}
_SINCE = re.compile(r"Not in versions? 1( and 2)?")

SCHEMA = 8020
VERSION = 3
ACK_TYPES = ("RECEIVED", "PROCESSED", "PERSISTED", "COMPLETED", "STATS")


class Fixed(NamedTuple):
    name: str
    offset: int
    format: str
    since: int


class Variable(NamedTuple):
    name: str
    type: str
    since: int

    @property
    def length_size(self) -> int:
        return 4 if self.type == "bytes" else 2


class Layout:
    """The tables of one message."""

    def __init__(self, name: str, template: int) -> None:
        self.name = name
        self.template = template
        self.fixed: List[Fixed] = []
        self.variable: List[Variable] = []
        self.block_length = 0

    def block_length_of(self, version: int) -> int:
        later = [field.offset for field in self.fixed if field.since > version]
        return min(later, default=self.block_length)


class Frame(NamedTuple):
    name: str
    version: int
    fields: Dict[str, Any]
    raw: bytes


class BadFrame(Exception):
    """A client sent something that the page does not have."""


class Protocol:
    """All tables of the page."""

    def __init__(self, page: Path) -> None:
        self.layouts: Dict[str, Layout] = {}
        self.errors: Dict[str, int] = {}
        self._by_template: Dict[int, Layout] = {}
        layout: Optional[Layout] = None
        section = ""
        for line in page.read_text(encoding="utf-8").splitlines():
            heading = _HEADING.match(line)
            if line.startswith("#"):
                if layout is not None:
                    self._end(layout, section)
                layout, section = None, ""
                if heading and (heading.group(2) or heading.group(1) == "Record"):
                    layout = Layout(heading.group(1), int(heading.group(2) or 0))
            error = _ERROR.match(line)
            if error and layout is None:
                self.errors[error.group(2)] = int(error.group(1))
            if layout is not None:
                section += line + "\n"
        assert "Logon" in self.layouts and "Record" in self.layouts and "BAD_FRAME" in self.errors, page

    def _end(self, layout: Layout, section: str) -> None:
        block = _BLOCK.search(section)
        if block:
            layout.block_length = int(block.group(1))
        for line in section.splitlines():
            fixed, variable = _FIXED.match(line), _VARIABLE.match(line)
            if fixed:
                code = _FORMATS["int", int(fixed.group(4))]
                code = code.upper() if fixed.group(3) == "uint" else code
                layout.fixed.append(Fixed(fixed.group(2), int(fixed.group(1)), code, _since(fixed.group(6))))
            elif variable:
                layout.variable.append(Variable(variable.group(2), variable.group(3), _since(variable.group(4))))
        self.layouts[layout.name] = layout
        if layout.template:
            self._by_template[layout.template] = layout

    def frame(self, name: str, fields: Dict[str, Any], options: Dict[str, Any]) -> bytes:
        """A frame without its length; what is not given is 0 or empty. ``options`` are those of a send step."""
        layout = self.layouts[name]
        version = options.get("version", VERSION)
        unknown = set(fields) - {field.name for field in layout.fixed} - {field.name for field in layout.variable}
        assert not unknown, f"{name} has no fields {unknown}"
        block = bytearray(layout.block_length_of(version))
        for field in layout.fixed:
            if field.offset < len(block):
                struct.pack_into("<" + field.format, block, field.offset, fields.get(field.name, 0))
        block += bytes.fromhex(options.get("moreBlock", ""))
        body = bytearray()
        for variable in layout.variable:
            if variable.since > version:
                continue
            value = fields.get(variable.name, "")
            content = value.encode("utf-8") if isinstance(value, str) else bytes(value)
            body += len(content).to_bytes(variable.length_size, "little") + content
        if "records" in options:
            body += self.records(options["records"])
        body += bytes.fromhex(options.get("moreData", ""))
        header = struct.pack(
            "<HHHH",
            options.get("blockLength", len(block)),
            options.get("template", layout.template),
            options.get("schema", SCHEMA),
            version,
        )
        return header + bytes(block) + bytes(body)

    def records(self, records: List[Dict[str, Any]]) -> bytes:
        """The records of a Deliver, each at a multiple of 8."""
        run = bytearray()
        for record in records:
            run += bytes(-len(run) % 8)
            run += self._record(record)
        return bytes(run)

    def _record(self, record: Dict[str, Any]) -> bytes:
        payload = record.get("payload", "").encode("utf-8")
        if "payloadLength" in record:
            payload = pattern(record["payloadLength"])
        flags, trailer = record.get("flags", 0), bytearray()
        if "headers" in record:
            flags |= 8
            trailer += headers_block(record["headers"])
        if "key" in record:
            flags |= 1
            trailer += record["key"].encode("utf-8")
        if "expiresNs" in record:
            flags |= 2
            trailer += struct.pack("<q", record["expiresNs"])
        trailer += bytes.fromhex(record.get("moreTrailer", ""))
        layout = self.layouts["Record"]
        header = bytearray(48)
        values = {
            "length": record.get("length", 48 + len(payload) + len(trailer)),
            "type": record.get("type", 1),
            "flags": flags,
            "trailerLength": record.get("trailerLength", len(trailer)),
            "sequence": record.get("sequence", 0),
            "timestamp": record.get("timestamp", 0),
            "topicId": record.get("topicId", 0),
            "epoch": 1,
        }
        for field in layout.fixed:
            struct.pack_into("<" + field.format, header, field.offset, values.get(field.name, 0))
        return bytes(header) + payload + bytes(trailer)

    def read(self, raw: bytes) -> Frame:
        """Reads a command.

        :raises BadFrame: if it breaks one of the rules for frames of this version.
        """
        if len(raw) < 8:
            raise BadFrame(f"too short: {len(raw)} bytes")
        block_length, template, schema, version = struct.unpack_from("<HHHH", raw)
        layout = self._by_template.get(template)
        if schema != SCHEMA or not 0 < version <= VERSION or layout is None:
            raise BadFrame(f"schema {schema}, version {version}, template {template}")
        expected = layout.block_length_of(version)
        if block_length != expected:
            raise BadFrame(f"{layout.name}: block of {block_length} bytes, the table of version {version} has {expected}")
        fields: Dict[str, Any] = {}
        for field in layout.fixed:
            if field.offset < block_length:
                fields[field.name] = struct.unpack_from("<" + field.format, raw, 8 + field.offset)[0]
        at = 8 + block_length
        for variable in layout.variable:
            if variable.since > version:
                continue
            size = variable.length_size
            if at + size > len(raw):
                raise BadFrame(f"{layout.name}.{variable.name}: the frame ends before it")
            length = int.from_bytes(raw[at : at + size], "little")
            content = raw[at + size : at + size + length]
            if len(content) != length:
                raise BadFrame(f"{layout.name}.{variable.name}: the frame ends within it")
            fields[variable.name] = content if variable.type == "bytes" else content.decode("utf-8")
            at += size + length
        if at != len(raw):
            raise BadFrame(f"{layout.name}: {len(raw) - at} bytes after the last field")
        self._split_payload(layout, fields, len(raw))
        return Frame(layout.name, version, fields, raw)

    def _split_payload(self, layout: Layout, fields: Dict[str, Any], length: int) -> None:
        if layout.name not in ("Publish", "PublishState"):
            if length > 65_536:
                raise BadFrame(f"{layout.name}: longer than 65,536 bytes: {length}")
            return
        payload = fields["payload"]
        headers_length = fields.get("headersLength", 0)
        if headers_length > len(payload):
            raise BadFrame(f"headersLength: longer than the payload: {headers_length}")
        fields["headers"] = read_headers(payload[len(payload) - headers_length :]) if headers_length else {}
        payload = payload[: len(payload) - headers_length]
        fields["payloadLength"] = len(payload)
        fields["isPattern"] = payload == pattern(len(payload))
        fields["payload"] = payload.decode("utf-8", "replace")


def _since(meaning: str) -> int:
    match = _SINCE.search(meaning)
    return 1 if match is None else 3 if match.group(1) else 2


def pattern(length: int) -> bytes:
    """A long payload: a JSON text of one letter after the other."""
    letters = b"abcdefghijklmnopqrstuvwxyz"
    return b'"' + (letters * (length // 26 + 1))[: length - 2] + b'"' if length >= 2 else b"0" * length


def headers_block(headers: Dict[str, Any]) -> bytes:
    """Texts, integers, and bytes as ``{"hex": "…"}``."""
    block = b""
    for name, value in headers.items():
        encoded = name.encode("ascii")
        if isinstance(value, int):
            kind, content = 2, struct.pack("<q", value)
        else:
            kind, data = (3, bytes.fromhex(value["hex"])) if isinstance(value, dict) else (1, value.encode("utf-8"))
            content = struct.pack("<H", len(data)) + data
        block += struct.pack("<BB", kind, len(encoded)) + encoded + content
    return struct.pack("<H", len(block) + 2) + block


def read_headers(block: bytes) -> Dict[str, Any]:
    """:raises BadFrame: if they break the page's rules."""
    if len(block) < 2 or int.from_bytes(block[:2], "little") != len(block) or not 2 < len(block) <= 16_384:
        raise BadFrame(f"headers: {len(block)} bytes, their length field says {block[:2].hex()}")
    headers: Dict[str, Any] = {}
    at = 2
    while at < len(block):
        kind, name_length = block[at], block[at + 1]
        name = block[at + 2 : at + 2 + name_length].decode("ascii")
        at += 2 + name_length
        if not re.fullmatch(r"[A-Za-z0-9\-_.:/]{1,127}", name) or name in headers:
            raise BadFrame(f"headers: not a name, or twice: {name!r}")
        if kind == 2:
            headers[name] = struct.unpack_from("<q", block, at)[0]
            at += 8
            continue
        length = int.from_bytes(block[at : at + 2], "little")
        content = block[at + 2 : at + 2 + length]
        if len(content) != length or kind not in (1, 3):
            raise BadFrame(f"headers: {name}: type {kind}, ends too early")
        headers[name] = content.decode("utf-8") if kind == 1 else {"hex": content.hex()}
        at += 2 + length
    if len(headers) > 64:
        raise BadFrame(f"headers: {len(headers)}")
    return headers


def ack_mask(names: List[str]) -> int:
    return sum(1 << ACK_TYPES.index(name) for name in names)


def ack_names(mask: int) -> List[str]:
    return [name for number, name in enumerate(ACK_TYPES) if mask >> number & 1]
