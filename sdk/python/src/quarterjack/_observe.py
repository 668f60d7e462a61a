"""A run whose target has ``observe``: its log and its progress go to the API, which says when to stop."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import Any

from ._attempts import origin_of
from ._connection import Api
from ._context import Context
from ._http import Retry, Stop
from ._lease import Clock, Lease, LeaseRules
from ._log import Line, LogSender
from .errors import QuarterjackError

_CLOSE = 5.0
"""The answer waits so long for what the log still has: afterwards, a platform may stop the process."""
_log = logging.getLogger("quarterjack")


class _Rules(LeaseRules):
    """The executor keeps the lease itself, so silence of the API stops nothing. Seconds."""

    grace = 0.0  # type: ignore[assignment]
    keeps_for = works_for = inf  # type: ignore[assignment]
    heartbeat_every = heartbeat_within = 5.0  # type: ignore[assignment]


_RULES = _Rules(inf, inf, 0.0)
_ONCE = Retry(max_tries=1, timeout=_RULES.heartbeat_within)


@contextmanager
def observed(
    context: Context, reporting: tuple[str, str] | None, origins: Sequence[str], proven: bool
) -> Iterator[None]:
    """``proven``: a signature says where the reports go. ``origins``: URLs of the API, if these are known."""
    if reporting is None or not _may_report(reporting[0], origins, proven):
        yield
        return
    calls = _Calls(*reporting)
    clock = Clock()
    now = clock.now()
    lease = Lease(calls.heartbeat, _RULES, now, now, clock)
    lines = LogSender(calls.log, clock, lambda error: _log.warning("the log is not kept: %s", error))
    context.observe(lines.write, lease.say)
    lease.stopped.add(lambda: context.stop(lease.reason or "lost"))
    lease.begin()
    try:
        yield
    finally:
        last = threading.Thread(target=lease.say_now, name="quarterjack-progress", daemon=True)
        last.start()
        lines.close(_CLOSE)
        last.join(_CLOSE)
        lease.end()
        lines.abandon()
        calls.close()


class _Calls:
    """What the token of an observer may call: it can neither complete nor fail the attempt."""

    def __init__(self, callback: str, token: str) -> None:
        url = callback.rstrip("/")
        self._once, self._api = Api(url, token, retry=_ONCE), Api(url, token)

    def heartbeat(self, ended: Stop, progress: dict[str, Any]) -> bool:
        answer = self._once.call("POST", "/heartbeat", "status", body=progress, stop=ended)
        return answer.get("cancelRequested") is True

    def log(self, number: int, lines: list[Line], abandoned: Stop) -> bool:
        body = {"chunk": number, "lines": lines}
        return self._api.call("POST", "/log", "bytes", body=body, stop=abandoned).get("truncated") is True

    def close(self) -> None:
        self._once.close()
        self._api.close()


def _may_report(callback: str, origins: Sequence[str], proven: bool) -> bool:
    """Reports go to the API alone: who may invoke a function may name any address in its context."""
    given = origin_of(callback)
    if given and (proven if not origins else given in [origin_of(one) for one in origins]):
        return True
    where = f"the API is at {', '.join(origins)}" if origins else "set QUARTERJACK_URL"
    _log.warning("this attempt is not observed: its callback is %r, and %s", callback, where)
    return False
