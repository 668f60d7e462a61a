"""One attempt of a worker, from the answer of its claim to the report of its outcome."""

from __future__ import annotations

import asyncio
import inspect
import queue
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ._connection import Api, cause_of, passed_on
from ._context import Context
from ._http import Retry, Stop
from ._lease import Clock, Lease, LeaseRules, Moment, elapsed
from ._log import TEMPORARY, Line, LogSender
from ._payload import fitted
from .errors import (
    ConflictError,
    FatalError,
    QuarterjackError,
    ReleaseError,
    RetryAfter,
    StoppedError,
    duration_sec,
)

_LOG_BEFORE_REPORT = 10.0
_LOG_AFTER_REPORT = 30.0
_REPORT_RETRY = 2.0
_MAX_ERROR = 4_000


def time_of(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


@dataclass(frozen=True)
class Event:
    """What a worker tells while it runs: ``type`` is one of these.

    ``started`` · ``ended``, with ``outcome``: ``succeeded``, ``failed``, ``released``, ``lost`` (another
    worker takes over) or ``unreported`` · ``claim-failed``, which is tried again · ``log-failed``: the rest
    of the log of this attempt is not kept.
    """

    type: str
    work: Work | None = None
    outcome: str | None = None
    error: BaseException | str | None = None
    retriable: bool | None = None
    stopped: str | None = None
    """Why the handler was asked to stop, if it was."""
    seconds: float = 0.0
    """How long the attempt took; of a failed claim, the pause before the next."""
    dropped_log_lines: int = 0


class Work(Context):
    """An execution that a worker has claimed: what its handler gets."""

    def __init__(self, claimed: dict[str, Any], lease: Lease, log: LogSender) -> None:
        due_at, payload = time_of(claimed["dueAt"]), claimed.get("payload")
        ids = (claimed["jobId"], claimed["execId"], due_at, claimed["attempt"], claimed["fence"])
        super().__init__(*ids, payload, log.write, key=claimed.get("key"))
        self.claimed = {name: value for name, value in claimed.items() if name != "token"}
        """All that the API says of it, but for its token."""
        self.stopped = lease.stopped
        self._lease = lease
        self.observe(log.write, lease.say)

    @property
    def stop_reason(self) -> str | None:
        """``cancelled``, ``lost``, ``timed-out`` or ``stopped``."""
        return self._lease.reason

    def stop(self, reason: str) -> None:
        """Ask the work to stop."""
        self._lease.stop(reason)

    def heartbeat(self) -> None:
        """Send a heartbeat now. The worker also sends them by itself."""
        self._lease.heartbeat()


@dataclass(frozen=True)
class RunOptions:
    """What the attempts of a worker share."""

    url: str
    retry: Retry
    grace: float
    clock: Clock
    on_event: Callable[[Event], None]
    loop: Callable[[], asyncio.AbstractEventLoop]


class WorkRun:
    """One attempt under its lease."""

    def __init__(
        self,
        claimed: dict[str, Any],
        sent_at: Moment,
        answered_at: Moment,
        handler: Callable[[Work], Any],
        kind: Any,
        options: RunOptions,
    ) -> None:
        self._handler, self._kind, self._options = handler, kind, options
        timeout = duration_sec(claimed["heartbeatTimeout"]) or 60.0
        whole = (time_of(claimed["deadline"]) - time_of(claimed["claimedAt"])).total_seconds()
        rules = LeaseRules(timeout, whole, options.grace)
        once = Retry(1, options.retry.base_delay, options.retry.max_delay, rules.heartbeat_within)
        self._once = Api(options.url, claimed["token"], retry=once)
        self._api = Api(options.url, claimed["token"], retry=options.retry)
        self.lease = Lease(self._heartbeat, rules, sent_at, answered_at, options.clock)
        self._log = LogSender(self._send_log, options.clock, self._log_failed)
        self.work = Work(claimed, self.lease, self._log)
        self._started_at = options.clock.now()

    def release(self) -> None:
        """Give the work back unstarted."""
        self._ended(self._send("/v1/work/release", {}, "released"))

    def run(self) -> None:
        """Run the handler under the lease, and report its outcome. Never raises."""
        if not self.lease.begin():
            self.lease.end()
            return self._ended("lost")
        self._options.on_event(Event("started", self.work))
        value, error = self._handle()
        self.lease.review()
        path, body, outcome = _report(value, error, self.lease.reason)
        if path:
            self.lease.say_now()
            self._log.close(_LOG_BEFORE_REPORT)
        outcome = self._send(path, body, outcome)
        self.lease.end()
        if not self.lease.is_gone:
            self._log.close(_LOG_AFTER_REPORT)
        self._log.abandon()
        self._ended(outcome, body.get("error"), body.get("retriable"))

    def _handle(self) -> tuple[Any, BaseException | None]:
        claimed = self.work.claimed
        token = passed_on.set(cause_of(claimed.get("deliveryDepth"), claimed))
        try:
            self.work.payload = fitted(self._kind, self.work.payload)
            value = self._handler(self.work)
            return (self._await(value) if inspect.iscoroutine(value) else value), None
        except (Exception, asyncio.CancelledError) as error:
            return None, error
        finally:
            passed_on.reset(token)

    def _await(self, coroutine: Any) -> Any:
        """Run a coroutine in the loop of the worker, and cancel it when it has to stop."""
        loop = self._options.loop()
        ended: queue.SimpleQueue[asyncio.Task[Any]] = queue.SimpleQueue()
        task: list[asyncio.Task[Any]] = []

        def start() -> None:
            task.append(loop.create_task(coroutine))
            task[0].add_done_callback(ended.put)
            self.lease.stopped.add(cancel)

        def cancel() -> None:
            try:
                loop.call_soon_threadsafe(task[0].cancel)
            except RuntimeError:
                pass  # the loop has ended, and the work with it

        loop.call_soon_threadsafe(start)
        done = ended.get()
        if done.cancelled():
            raise StoppedError(self.lease.reason) if self.lease.reason else QuarterjackError(
                "it was cancelled"
            )
        return done.result()

    def _heartbeat(self, ended: Stop, progress: dict[str, Any]) -> bool:
        answer = self._once.call("POST", "/v1/attempts/heartbeat", "status", body=progress, stop=ended)
        return answer.get("cancelRequested") is True

    def _send_log(self, number: int, lines: list[Line], abandoned: Stop) -> bool:
        body = {"chunk": number, "lines": lines}
        return (
            self._api.call("POST", "/v1/attempts/log", "bytes", body=body, stop=abandoned).get("truncated")
            is True
        )

    def _log_failed(self, error: QuarterjackError) -> None:
        self._options.on_event(Event("log-failed", self.work, error=error))

    def _send(self, path: str, body: dict[str, Any], outcome: str) -> str:
        """Repeat the report while the lease lasts. A result that the API does not take is left out."""
        while path:
            try:
                self._api.call("POST", path, "status", body=body)
                return outcome
            except ConflictError:
                return "lost"
            except TEMPORARY:
                if self.lease.may_be_lost:
                    return "unreported"
                Stop().wait(_REPORT_RETRY)
            except QuarterjackError:
                if "result" not in body:
                    return "unreported"
                body = {}
        return "lost"

    def _ended(self, outcome: str, error: str | None = None, retriable: bool | None = None) -> None:
        self._once.close()
        self._api.close()
        seconds = elapsed(self._started_at, self._options.clock.now())
        stopped, dropped = self.lease.reason, self._log.dropped
        self._options.on_event(
            Event("ended", self.work, outcome, error, retriable, stopped, seconds, dropped)
        )


def _report(value: Any, error: BaseException | None, stopped: str | None) -> tuple[str, dict[str, Any], str]:
    """Path, body and outcome of the report; no path: the lease lapses, and another worker takes over.

    A result counts even if the handler was asked to stop. An error after the lease was lost is the stop.
    """
    if error is None:
        return "/v1/attempts/complete", {} if value is None else {"result": value}, "succeeded"
    if stopped == "lost":
        return "", {}, "lost"
    if isinstance(error, ReleaseError):
        return "/v1/work/release", {}, "released"
    text = (str(error) or stopped or f"the handler raised {type(error).__name__}")[:_MAX_ERROR]
    later = {"retryAfter": error.delay} if isinstance(error, RetryAfter) else {}
    reason = error.reason if isinstance(error, (FatalError, RetryAfter)) else None
    said = {"reason": reason} if reason else {}
    return (
        "/v1/attempts/fail",
        {"error": text, "retriable": not isinstance(error, FatalError), **later, **said},
        "failed",
    )
