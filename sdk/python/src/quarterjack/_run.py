"""What runs jobs in code, however they are delivered, and in a test without a server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

from ._connection import instant
from ._context import Context
from ._job_runs import prefix_of_run, recorded_runs
from ._jobs import Job
from .errors import FatalError, RetryAfter


@dataclass
class RunOptions:
    prefix: str = ""
    wrap: Callable[[Callable[[], Any], Context], Any] | None = None
    on_error: Callable[[BaseException, Context], None] | None = None


def run_job(jobs: Mapping[str, Job], context: Context, options: RunOptions) -> Any:
    """Run the job that the context names. Raises what it raises."""
    prefix = options.prefix
    own = jobs.get(context.job_id[len(prefix) :]) if context.job_id.startswith(prefix) else None
    if own is None:  # a program that is older or newer than the job may be replaced soon
        known = ", ".join(prefix + id for id in jobs)
        fault = f"unknown-job: {context.job_id} is none of this program, which has: {known}"
        raise RetryAfter("60s", fault, reason="unknown-job")
    limit = threading.Timer(own.timeout, context.stop, ("timed-out",))
    limit.daemon = True
    limit.start()
    token = prefix_of_run.set(prefix)
    try:
        return options.wrap(lambda: own.run(context), context) if options.wrap else own.run(context)
    except BaseException as error:
        if options.on_error:
            try:
                options.on_error(error, context)
            except Exception as own_error:
                context.log(f"on_error failed: {own_error}", "stderr")
        raise
    finally:
        prefix_of_run.reset(token)
        limit.cancel()


@dataclass
class Tested:
    """How a job has ended in a test, and what it did."""

    result: Any = None
    error: BaseException | None = None
    attempts: list[tuple[datetime, BaseException | None]] = field(default_factory=list)
    """When each was made, after a ``RetryAfter`` that much later, and what it raised."""
    log: list[tuple[str, str]] = field(default_factory=list)
    """Stream and text of each line."""
    follow_ups: list[dict[str, Any]] = field(default_factory=list)
    """The runs of jobs in code that it has asked for: none is executed."""


def test_job(own: Job, *, payload: Any = None, now: datetime | None = None, attempts: int = 1) -> Tested:
    """Run a job without a server: as an attempt does, and again if it may be retried."""
    tested = Tested()
    due_at = at_ = now or datetime.now(timezone.utc)
    start = own.definition.get("payload", {}) if payload is None else payload
    for attempt in range(1, attempts + 1):
        write = lambda text, stream: tested.log.append((stream, text))  # noqa: E731
        context = Context(own.id, instant(due_at), due_at, attempt, attempt, start, write)
        token = recorded_runs.set(tested.follow_ups)
        try:
            tested.result = run_job({own.id: own}, context, RunOptions())
            tested.attempts.append((at_, None))
            tested.error = None
            return tested
        except Exception as error:
            tested.error = error
            tested.attempts.append((at_, error))
            if isinstance(error, FatalError):
                return tested
            if isinstance(error, RetryAfter):
                at_ += timedelta(seconds=error.seconds)
        finally:
            recorded_runs.reset(token)
    return tested


test_job.__test__ = False  # type: ignore[attr-defined]  # pytest would take it for a test
