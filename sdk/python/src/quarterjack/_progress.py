"""What a heartbeat says of the work."""

from __future__ import annotations

import re
from typing import Any

_MAX_TEXT = 200
# Control characters, and characters that change the direction of text: the API takes none.
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def progress_of(share: float, text: str = "") -> dict[str, Any]:
    """The body of a heartbeat. A text that is too long is cut: the API counts units of UTF-16."""
    shown = _INVISIBLE.sub(" ", str(text)).encode("utf-16-le", "replace")[: 2 * _MAX_TEXT]
    text = shown.decode("utf-16-le", "ignore")
    return {"progress": min(1.0, max(0.0, share)), **({"text": text} if text else {})}
