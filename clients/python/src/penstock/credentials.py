"""How a client proves who it is without a password: by the certificate of its connection, or by a token."""

from __future__ import annotations

import asyncio
import inspect
import os
import re
from pathlib import Path
from typing import Awaitable, Callable, Optional, Union

from .errors import ConnectionLostError

EXTERNAL = "EXTERNAL"
OAUTHBEARER = "OAUTHBEARER"

TokenSource = Callable[[], Union[str, Awaitable[str]]]
Token = Union[str, "os.PathLike[str]", TokenSource]
"""A token, the file that has it, or what gives it. Files and callables are asked anew at each logon."""

# RFC 6750, section 2.1.
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")


def checked(token: str) -> str:
    """The token, without the line's end that files have.

    :raises ValueError: if it is none. The token is not in the text.
    """
    stripped = token.strip()
    if not _TOKEN.fullmatch(stripped):
        wrong = "is empty" if not stripped else "has characters that no token has"
        raise ValueError(f"token: {wrong} (give it as the issuer has given it out)")
    return stripped


async def token_of(source: Optional[Token], timeout_s: float) -> str:
    """The token for the next logon; empty without a source. A callable that is no coroutine runs on a thread of its own.

    :raises ConnectionLostError: if there is none in time: the client may try again, as if there was no connection.
    """
    if source is None:
        return ""
    try:
        return checked(await asyncio.wait_for(_ask(source), timeout_s))
    except asyncio.TimeoutError:
        raise ConnectionLostError(f"token: none within {timeout_s:g} s (is its issuer there?)") from None
    except asyncio.CancelledError:
        raise
    except Exception as e:
        reason = str(e) if isinstance(e, ValueError) else f"token: there is none: {e or type(e).__name__}"
        raise ConnectionLostError(reason) from e


async def _ask(source: Token) -> str:
    if isinstance(source, str):
        return source
    loop = asyncio.get_running_loop()
    if isinstance(source, os.PathLike):
        return await loop.run_in_executor(None, Path(source).read_text, "utf-8")
    if inspect.iscoroutinefunction(source):
        return await source()  # type: ignore[no-any-return]
    given = await loop.run_in_executor(None, source)
    return await given if inspect.isawaitable(given) else _text(given)


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise ValueError(f"token: no text: {type(given).__name__} (return it as str)")
    return given


def first_message(token: str) -> str:
    """What the client says first by OAUTHBEARER (RFC 7628)."""
    return f"n,,\x01auth=Bearer {token}\x01\x01"
