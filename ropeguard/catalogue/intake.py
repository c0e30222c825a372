"""Text to explain, as it comes in: never more than a mebibyte of it, and never binary."""

from __future__ import annotations

from ropeguard.catalogue.raising import error


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


LIMIT = 1 << 20


def read_stream(stream: BinaryIO) -> str:
    """Return the text of `stream`, of which no more than the limit is ever read."""
    data = bytearray()
    while len(data) <= LIMIT:
        piece = stream.read(LIMIT + 1 - len(data))
        if not piece:
            return decode(bytes(data))
        data += piece
    raise error("input-too-large", limit=LIMIT)


def decode(data: bytes) -> str:
    """Return `data` as text; bytes that are no UTF-8 become the replacement character."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return check(data.decode("utf-16", errors="replace"))
    return check(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace"))


def check(text: str) -> str:
    """Return `text` if it is text, and not too long."""
    if len(text) > LIMIT:
        raise error("input-too-large", limit=LIMIT)
    at = text.find("\0")
    if at >= 0:
        raise error("input-binary", place=at)
    return text
