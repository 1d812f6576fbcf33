"""The text of a record's key, by which queries and deletes name it."""

from __future__ import annotations

import json
import re
from typing import List, Mapping, Optional, Tuple

from .headers import HeaderValue

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<header>HEADER\(\s*'(?P<name>(?:[^']|'')*)'\s*\))
      | \[(?P<bracket>/[^\]]*(?:\[\d+\])?)\]
      | (?P<path>(?:/(?:"(?:[^"]|"")*"|[^/,"\[\s]+)(?:\[\d+\])*)+)
      | (?P<bare>"(?:[^"]|"")*"|[^\s,/"\[]+)(?P<indexes>(?:\[\d+\])*)
    )\s*(?:,|$)""",
    re.VERBOSE | re.IGNORECASE,
)
_STEP = re.compile(r"""/(?:"((?:[^"]|"")*)"|([^/"\[]+))((?:\[\d+\])*)""")
_INTEGER_LIMIT = 2**63


class KeyPath:
    """A field, or a header, of a key."""

    __slots__ = ("header", "steps", "written")

    def __init__(self, written: str, steps: Tuple[object, ...], header: str = "") -> None:
        self.written = written
        self.steps = steps
        self.header = header


def parse(key: str) -> Optional[List[KeyPath]]:
    """Reads what a TopicEntry says; None when this version does not know how it is written."""
    paths: List[KeyPath] = []
    at = 0
    while at < len(key):
        match = _TOKEN.match(key, at)
        if match is None or match.end() == at:
            return None
        paths.append(_path(match))
        at = match.end()
    return paths


def _path(match: "re.Match[str]") -> KeyPath:
    if match.group("header") is not None:
        name = match.group("name").replace("''", "'")
        return KeyPath(f"HEADER('{name}')", (), name)
    if match.group("path") is not None:
        steps: List[object] = []
        for quoted, plain, indexes in _STEP.findall(match.group("path")):
            steps.append(quoted.replace('""', '"') if quoted else plain)
            steps.extend(int(index) for index in re.findall(r"\d+", indexes))
        return KeyPath("", tuple(steps))
    if match.group("bracket") is not None:
        return KeyPath("", tuple(match.group("bracket")[1:].split("/")))
    name = match.group("bare")
    if name.startswith('"'):
        name = name[1:-1].replace('""', '"')
    return KeyPath("", (name, *(int(index) for index in re.findall(r"\d+", match.group("indexes")))))


def text(paths: List[KeyPath], payload: bytes, headers: Mapping[str, HeaderValue]) -> Optional[str]:
    """The key of a JSON message; None when one of its fields is missing."""
    try:
        message = json.loads(payload, object_pairs_hook=_first_counts)
    except ValueError:
        return None
    root: List[Tuple[str, object]] = []
    for path in paths:
        if path.header:
            value: object = headers.get(path.header)
            if not isinstance(value, (str, int)):
                return None
            _put(root, (path.written,), value)
            continue
        value = message
        for step in path.steps:
            if isinstance(step, int):
                value = value[step] if isinstance(value, list) and step < len(value) else _MISSING
            else:
                value = value.get(step, _MISSING) if isinstance(value, dict) else _MISSING
        if value is _MISSING or isinstance(value, (dict, list)):
            return None
        _put(root, path.steps, value)
    return _write(root)


class _Missing:
    pass


_MISSING = _Missing()


def _first_counts(pairs: List[Tuple[str, object]]) -> object:
    return dict(reversed(pairs))


def _put(members: List[Tuple[str, object]], steps: Tuple[object, ...], value: object) -> None:
    name = str(steps[0])
    if len(steps) == 1:
        members.append((name, value))
        return
    for existing, inner in members:
        if existing == name and isinstance(inner, list):
            _put(inner, steps[1:], value)
            return
    children: List[Tuple[str, object]] = []
    members.append((name, children))
    _put(children, steps[1:], value)


def _write(value: object) -> str:
    if isinstance(value, list):
        return "{" + ",".join(f"{_name(name)}:{_write(inner)}" for name, inner in value) + "}"
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int) and -_INTEGER_LIMIT <= value < _INTEGER_LIMIT:
        return str(value)
    return _double(float(value))  # type: ignore[arg-type]


def _name(name: str) -> str:
    return json.dumps(name)


def _double(value: float) -> str:
    """The shortest digits that read as the value; without an exponent from 1e-6 to below 1e15."""
    if value != value or value in (float("inf"), float("-inf")):
        return "null"
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    digits, point = _digits(repr(abs(value)))
    if point > 15 or point <= -6:
        fraction = "." + digits[1:] if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{point - 1}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    whole = digits[:point].ljust(point, "0")
    return f"{sign}{whole}.{digits[point:]}" if len(digits) > point else sign + whole


def _digits(shortest: str) -> Tuple[str, int]:
    """The significant digits of a number as Python writes it, and how many of them are before the point."""
    mantissa, _, exponent = shortest.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    return digits.rstrip("0"), point
