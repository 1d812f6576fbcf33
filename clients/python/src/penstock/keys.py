"""The text of a record's key, by which queries and deletes name it."""

from __future__ import annotations

import json
import math
import re
from typing import Dict, List, Mapping, Optional, Tuple

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
_PLAIN_NAME = re.compile(r"[\w$@:]+\Z")
_INTEGER_LIMIT = 2**63
_INDEX_MAX = 64
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED = re.compile(r'["\\\x00-\x1f]')


class KeyPath:
    """A field, or a header, of a key, and how it is written: ``/order/legs[0]``, ``/"odd name"``, ``HEADER('region')``."""

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
    # In the text of a key the fields are in the order of their paths, whatever the order in which they were declared.
    by_text = {path.written: path for path in paths}
    return [by_text[written] for written in sorted(by_text, key=lambda written: written.encode("utf-16-be", "surrogatepass"))]


def _path(match: "re.Match[str]") -> KeyPath:
    if match.group("header") is not None:
        name = match.group("name").replace("''", "'")
        return KeyPath(f"HEADER('{name}')", (), name)
    steps: List[object] = []
    if match.group("path") is not None:
        for quoted, plain, indexes in _STEP.findall(match.group("path")):
            steps.append(quoted.replace('""', '"') if quoted else plain)
            steps.extend(int(index) for index in re.findall(r"\d+", indexes))
        return _field(steps)
    if match.group("bracket") is not None:
        steps = []
        for name, indexes in re.findall(r"/([^/\[]*)((?:\[\d+\])*)", match.group("bracket")):
            steps.append(name)
            steps.extend(int(index) for index in re.findall(r"\d+", indexes))
        return _field(steps)
    name = match.group("bare")
    if name.startswith('"'):
        name = name[1:-1].replace('""', '"')
    return _field([name, *(int(index) for index in re.findall(r"\d+", match.group("indexes")))])


def _field(steps: List[object]) -> KeyPath:
    written = ""
    for step in steps:
        if isinstance(step, int):
            written += f"[{step}]"
        else:
            name = str(step)
            quoted = name.replace('"', '""')
            written += f"/{name}" if _PLAIN_NAME.match(name) else f'/"{quoted}"'
    return KeyPath(written, tuple(steps))


def text(paths: List[KeyPath], payload: bytes, headers: Mapping[str, HeaderValue]) -> Optional[str]:
    """The key of a JSON message; None when one of its fields is missing, or is no text, number, boolean or null."""
    try:
        message = json.loads(payload, object_pairs_hook=_first_counts)
    except (ValueError, RecursionError):
        return None
    root: Dict[str, object] = {}
    for path in paths:
        if path.header:
            value: object = headers.get(path.header, _MISSING)
            steps: Tuple[object, ...] = (path.written,)
        else:
            value, steps = _find(message, path.steps), path.steps
        written = _scalar(value)
        if written is None or not _put(root, steps, written):
            return None
    return _write(root)


class _Written(str):
    """A value that is written already."""


_MISSING = object()
_NULL = _Written("null")


def _first_counts(pairs: List[Tuple[str, object]]) -> object:
    return dict(reversed(pairs))


def _find(value: object, steps: Tuple[object, ...]) -> object:
    for step in steps:
        if isinstance(step, int):
            if not isinstance(value, list) or step >= len(value):
                return _MISSING
            value = value[step]
        else:
            value = value.get(step, _MISSING) if isinstance(value, dict) else _MISSING
    return value


def _scalar(value: object) -> Optional[_Written]:
    if value is None:
        return _NULL
    if isinstance(value, bool):
        return _Written("true" if value else "false")
    if isinstance(value, str):
        # What is half of a character reads as U+FFFD.
        return _quoted(_SURROGATE.sub("\ufffd", value))
    if isinstance(value, int) and -_INTEGER_LIMIT <= value < _INTEGER_LIMIT:
        return _Written(value)
    if isinstance(value, (int, float)):
        return _double(value)
    return None


def _put(root: Dict[str, object], steps: Tuple[object, ...], value: _Written) -> bool:
    """Puts a value where its path says; elements of an array before it are null."""
    at: object = root
    for number, step in enumerate(steps):
        following = steps[number + 1] if number + 1 < len(steps) else None
        inner: object = value if following is None else ([] if isinstance(following, int) else {})
        if isinstance(step, int):
            if not isinstance(at, list) or step > _INDEX_MAX:
                return False
            at += [_NULL] * (step + 1 - len(at))
            if at[step] is _NULL:
                at[step] = inner
            at = at[step]
        else:
            if not isinstance(at, dict):
                return False
            at = at.setdefault(str(step), inner)
    return True


def _write(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quoted(name)}:{_write(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_write(inner) for inner in value) + "]"
    return str(value)


def _quoted(text: str) -> _Written:
    """Nothing is escaped but what has to be, and that in one way: quotes and backslashes by a backslash, control characters by \\u."""
    if not _ESCAPED.search(text):
        return _Written(f'"{text}"')
    return _Written('"' + _ESCAPED.sub(lambda found: _escape(found.group()), text) + '"')


def _escape(character: str) -> str:
    return "\\" + character if character in '"\\' else f"\\u{ord(character):04x}"


def _double(number: float) -> Optional[_Written]:
    """An integer where it is one; else the shortest digits that read as it, without an exponent from 1e-6 to below 1e15."""
    try:
        value = float(number)
    except OverflowError:
        return None
    if not math.isfinite(value):
        return None
    if value.is_integer() and -_INTEGER_LIMIT <= value < _INTEGER_LIMIT:
        return _Written(int(value))
    sign = "-" if value < 0 else ""
    digits, point = _digits(repr(abs(value)))
    if point > 15 or point <= -6:
        fraction = "." + digits[1:] if len(digits) > 1 else ""
        return _Written(f"{sign}{digits[0]}{fraction}e{point - 1}")
    if point <= 0:
        return _Written(f"{sign}0.{'0' * -point}{digits}")
    return _Written(f"{sign}{digits[:point]}.{digits[point:]}")


def _digits(shortest: str) -> Tuple[str, int]:
    """The significant digits of a number as Python writes it, and how many of them are before the point."""
    mantissa, _, exponent = shortest.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    return digits.rstrip("0"), point
