"""What receivers do with a delivery: refuse a stale one, and report on work that goes on after a 202."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from ._connection import Api
from ._deliveries import Delivery, is_proven
from ._http import Retry, Stop
from ._progress import progress_of
from .errors import CallbackError, ConflictError, QuarterjackError, StaleFenceError, StoppedError

T = TypeVar("T")


class FenceStore(Protocol):
    """Stores the highest fence of each execution; several processes need a shared one.

    In SQL, use an upsert that keeps the greater number.
    """

    def raise_fence(self, id: str, fence: int) -> bool:
        """Store ``fence``, unless a higher one is stored for ``id``: then return False. Must be atomic."""
        ...


class MemoryFenceStore:
    """For one process: holds the latest executions in memory, until the process ends."""

    def __init__(self, most: int = 100_000) -> None:
        self._most, self._lock = most, threading.Lock()
        self._fences: dict[str, int] = {}

    def raise_fence(self, id: str, fence: int) -> bool:
        with self._lock:
            if fence < self._fences.get(id, 0):
                return False
            self._fences.pop(id, None)
            self._fences[id] = fence
            if len(self._fences) > self._most:
                del self._fences[next(iter(self._fences))]
            return True


class FenceGuard:
    """Rejects a delivery if a later attempt of its execution has arrived already.

    Call ``admit`` before you act on a delivery, and again before a write that cannot be undone.
    """

    def __init__(self, store: FenceStore | None = None) -> None:
        self._store = store or MemoryFenceStore()

    def admit(self, delivery: Delivery) -> None:
        """Raise a ``StaleFenceError`` if the fence is lower than an earlier one."""
        if not is_proven(delivery) or not delivery.headers_signed:
            raise QuarterjackError("admit takes the result of verify_delivery with signed headers")
        if not self._store.raise_fence(delivery.id, delivery.fence):
            raise StaleFenceError(f"fence {delivery.fence} of {delivery.id} is lower than an earlier one")


class Attempt:
    """An attempt that the target has accepted with 202, and reports on later (``mode: "async"``).

    Every call raises a ``ConflictError`` if the attempt has ended, or a later one has replaced it: stop then.
    """

    def __init__(self, callback: str, token: str, retry: Retry | None = None) -> None:
        self._api = Api(callback.rstrip("/"), token, retry=retry)

    @classmethod
    def of(
        cls, delivery: Delivery, origin: str | Sequence[str], *, retry: Retry | None = None
    ) -> Attempt | None:
        """From the result of ``verify_delivery``; None if its target is not async.

        ``origin`` is any URL of the API, or several: reports and their token go nowhere else.
        """
        if not is_proven(delivery):
            raise QuarterjackError("Attempt.of takes the result of verify_delivery")
        if delivery._reporting is None:
            return None
        callback, token = delivery._reporting
        allowed = [origin_of(one) for one in ([origin] if isinstance(origin, str) else origin)]
        if not allowed or None in allowed:
            raise QuarterjackError("origin must be the http or https URL of the API")
        if origin_of(callback) not in allowed:
            raise CallbackError(f"the callback {callback!r} is outside {', '.join(map(str, allowed))}")
        return cls(callback, token, retry)

    def heartbeat(self, share: float | None = None, text: str = "") -> bool:
        """Report that the work goes on, and how far it is, from 0 to 1. True: cancellation was requested."""
        body = {} if share is None else progress_of(share, text)
        return bool((self._api.call("POST", "/heartbeat", body=body) or {}).get("cancelRequested"))

    def complete(self, result: object = None) -> None:
        """Report success. The API keeps the beginning of ``result``."""
        self._api.call("POST", "/complete", body={} if result is None else {"result": result})

    def fail(self, error: str, *, retriable: bool = True, retry_after: str | None = None) -> None:
        """Report failure. Without ``retriable``, no further attempt follows."""
        later = {} if retry_after is None else {"retryAfter": retry_after}
        self._api.call("POST", "/fail", body={"error": error[:2000], "retriable": retriable, **later})

    def run(self, work: Callable[[Stop], T], *, every: float = 30.0) -> T:
        """Run ``work`` under heartbeats, then report how it ended.

        Its argument is set when it has to stop.
        """
        stop, ended = Stop(), Stop()
        lost: list[Exception] = []

        def keep() -> None:
            while not ended.wait(every):
                try:
                    if not self.heartbeat():
                        continue
                    lost.append(StoppedError("cancelled"))
                except QuarterjackError as error:
                    lost.append(error)
                stop.set()
                return

        threading.Thread(target=keep, name="quarterjack-attempt", daemon=True).start()
        try:
            result = work(stop)
            self.complete(result)
            return result
        except Exception as error:
            if not isinstance(error, ConflictError) and not any(
                isinstance(one, ConflictError) for one in lost
            ):
                self.fail(str(error) or type(error).__name__)
            raise
        finally:
            ended.set()


def origin_of(url: object) -> str | None:
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
        if not parts or parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            return None
        default = 443 if parts.scheme == "https" else 80
        return f"{parts.scheme}://{parts.hostname}:{parts.port or default}"
    except ValueError:
        return None
