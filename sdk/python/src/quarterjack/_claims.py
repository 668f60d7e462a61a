"""How a worker asks for the work of a queue."""

from __future__ import annotations

import random
import uuid
from typing import TYPE_CHECKING

from ._lease import Moment, elapsed
from ._work import Event
from .errors import ApiConnectionError, QuarterjackError, RateLimitError, ResponseError, ServerError

if TYPE_CHECKING:
    from ._worker import Worker

_REPEATABLE = 240.0
"""A key of a claim is good for five minutes; what an older one got has lapsed or is lost."""
_SHORT_PAUSE = 1.0
_GOES_ON = (ApiConnectionError, RateLimitError, ServerError, ResponseError)


class Claims:
    """Claims the work of one queue.

    A claim without an answer is repeated under its key: it may have got work.
    """

    def __init__(self, worker: Worker, queue: str, once: bool) -> None:
        self._worker, self._queue, self._once = worker, queue, once
        self._failures = 0
        self._open: tuple[str, int, str, Moment] | None = None

    def next(self, most: int) -> bool:
        """Claim once. False: nothing is due. Raises what no other try can change."""
        worker = self._worker
        clock = worker._options.clock
        if self._open and elapsed(self._open[3], clock.now()) > _REPEATABLE:
            self._open = None
        wait = "0s" if self._once or worker._poll is not None else "20s"
        key, asked, wait, sent_at = self._open = self._open or (str(uuid.uuid4()), most, wait, clock.now())
        body = {"queue": self._queue, "max": asked, "wait": wait}
        if worker._name is not None:
            body["worker"] = worker._name
        begun = clock.now()
        try:
            answer = worker._api.call(
                "POST", "/v1/work/claim", "work", body=body, key=key, stop=worker._stopping
            )
        except _GOES_ON as error:
            if not worker._stopping.is_set():
                self._pause_after(error)
            return True
        self._open, self._failures = None, 0
        answered_at = clock.now()
        for claimed in answer["work"]:
            worker._begin(self._queue, claimed, sent_at, answered_at)
        if answer["work"]:
            return True
        asked_pause = answer.get("retryAfter")
        if self._once and asked_pause is None:
            return False
        worker._draining.wait(self._pause(asked_pause, answered_at.monotonic - begun.monotonic))
        return True

    def _pause(self, asked: float | None, waited: float) -> float:
        """Seconds before the next claim, after an empty answer."""
        jitter, poll = 1 + random.random() / 2, self._worker._poll
        if asked is not None:
            return max(asked, poll or 0) * jitter
        if poll is not None:
            return poll
        return _SHORT_PAUSE * jitter if waited < _SHORT_PAUSE else 0

    def _pause_after(self, error: QuarterjackError) -> None:
        pause = min(30.0, 2.0**self._failures) * (0.5 + random.random() / 2)
        self._failures = min(self._failures + 1, 10)
        self._worker._options.on_event(Event("claim-failed", error=error, seconds=pause))
        self._worker._draining.wait(pause)
