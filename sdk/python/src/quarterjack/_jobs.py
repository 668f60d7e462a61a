"""Jobs in code: functions with a schedule."""

from __future__ import annotations

import asyncio
import inspect
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, get_type_hints, overload

from ._connection import instant
from ._context import Context
from ._job_runs import JobRuns
from ._payload import fitted, schema_of
from .errors import (
    ArgumentError,
    FatalError,
    QuarterjackError,
    duration_sec,
)

FORMAT = "quarterjack.jobs/1"
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,47}")
_RESERVED = "quarterjack/"
_DEPLOYED = ("target", "targets", "workflow", "jobId")
registry: list[Job] = []
"""All jobs of this process: ``define`` names those that no module exports."""


def cron(expression: str, tz: str | None = None, **options: Any) -> dict[str, Any]:
    """A cron expression, in UTC without a time zone: ``cron("30 2 * * *", tz="Europe/Berlin")``."""
    zone = {} if tz is None else {"timezone": tz}
    return {"type": "cron", "expression": expression, **zone, **options}


def every(interval: str, **options: Any) -> dict[str, Any]:
    """A fixed distance: ``every("15m")``."""
    return {"type": "interval", "every": interval, **options}


def at(time: str | datetime, tz: str | None = None, **options: Any) -> dict[str, Any]:
    """One time: ``at("2027-01-01T09:00:00", tz="Europe/Berlin")``, or a datetime with a time zone."""
    zone = {} if tz is None else {"timezone": tz}
    return {"type": "at", "at": time if isinstance(time, str) else instant(time), **zone, **options}


def event(name: str, **options: Any) -> dict[str, Any]:
    """Each event of this name: ``event("order.paid", where={"country": "DE"})``. Its data are the payload."""
    return {"type": "event", "name": name, **options}


def after(jobs: Job | Sequence[Job], **options: Any) -> dict[str, Any]:
    """Ends of other jobs: ``after(nightly)`` for its successes, ``after([a, b], on="done")`` for each end."""
    return {
        "type": "after",
        "jobs": [one.id for one in ([jobs] if isinstance(jobs, Job) else jobs)],
        **options,
    }


class Job(JobRuns):
    """A job in code: what ``@job`` makes of a function. Call it to call the function itself."""

    def __init__(
        self, function: Callable[..., Any], id: str | None, definition: dict[str, Any], paused: bool | None
    ) -> None:
        self.id = function.__name__.strip("_").replace("_", "-").lower() if id is None else id
        self.function, self.definition, self.paused = function, definition, paused
        if not isinstance(self.id, str) or not _ID.fullmatch(self.id):
            raise ArgumentError(
                "id", self.id, "1 to 48 characters of a-z, 0-9 and '-', the first none of '-'"
            )
        timeout = definition.get("timeout", "5m")
        seconds = duration_sec(timeout)
        if seconds is None:
            raise ArgumentError("timeout", timeout, "a duration such as 5m")
        self.timeout = seconds
        self.kind, self._parameters = _payload_of(function)
        self._check()
        registry.append(self)

    def __call__(self, *args: Any, **given: Any) -> Any:
        return self.function(*args, **given)

    def _check(self) -> None:
        reserved = [tag for tag in self.definition.get("tags", {}) if tag.startswith(_RESERVED)]
        wrong = [name for name in self.definition if name in _DEPLOYED]
        if reserved or wrong:
            raise QuarterjackError(f"job {self.id}: set by deploying: {', '.join(reserved + wrong)}")
        schedule = self.definition["schedule"]
        by_clock = isinstance(schedule, str) or schedule.get("type") not in ("none", "event")
        if "payload" not in self.definition and not by_clock:
            return
        if self.definition.get("templates") is not True:
            try:
                fitted(self.kind, self.definition.get("payload", {}))
            except FatalError as error:
                raise QuarterjackError(f"job {self.id}: its own payload: {error}") from error

    def run(self, context: Context) -> Any:
        """Run the function, with its payload as the type that it says. A coroutine gets a loop of its own."""
        context.payload = fitted(self.kind, context.payload)
        given: dict[str, Any] = {}
        for name in self._parameters:
            given[name] = context if name in ("context", "ctx") else context.payload
        value = self.function(**given)
        return asyncio.run(_until_stopped(value, context)) if inspect.iscoroutine(value) else value


@overload
def job(function: Callable[..., Any]) -> Job:
    ...


@overload
def job(
    *,
    id: str | None = None,
    schedule: str | dict[str, Any] | None = None,
    payload: Any = None,
    retry: dict[str, Any] | None = None,
    timeout: str | None = None,
    tags: dict[str, str] | None = None,
    paused: bool | None = None,
    **fields: Any,
) -> Callable[[Callable[..., Any]], Job]:
    ...


def job(
    function: Callable[..., Any] | None = None,
    *,
    id: str | None = None,
    schedule: str | dict[str, Any] | None = None,
    payload: Any = None,
    retry: dict[str, Any] | None = None,
    timeout: str | None = None,
    tags: dict[str, str] | None = None,
    paused: bool | None = None,
    **fields: Any,
) -> Any:
    """Make a function a job.

        @job(schedule=cron("30 2 * * MON-FRI", tz="Europe/Berlin"), retry={"maxAttempts": 5}, timeout="10m")
        def nightly_report(payload: Report, context: Context):
            context.log(f"the report of {payload.region}")
            return {"rows": 7}

    The parameter ``context`` gets the ``Context``, another one the payload: as a dataclass, or as a model of
    pydantic, if that is its type. Without ``id``, the job is named as the function, with ``-`` for ``_``.
    ``payload`` is what an execution gets that brings none. ``fields`` are the other fields of a job, such as
    ``ordering_key`` or ``misfire``.
    """
    camel = {
        re.sub(r"_([a-z])", lambda match: match[1].upper(), name): value for name, value in fields.items()
    }
    known = {"retry": retry, "timeout": timeout, "tags": tags}
    definition = {**{name: value for name, value in known.items() if value is not None}, **camel}
    definition["schedule"] = {"type": "none"} if schedule is None else schedule
    if payload is not None:
        definition["payload"] = payload

    def make(function: Callable[..., Any]) -> Job:
        return Job(function, id, definition, paused)

    return make if function is None else make(function)


def _payload_of(function: Callable[..., Any]) -> tuple[Any, list[str]]:
    """The type of the payload, and the names of the parameters."""
    names = list(inspect.signature(function).parameters)
    own = [name for name in names if name not in ("context", "ctx")]
    if len(own) > 1:
        raise ArgumentError("the function", function, "one with parameters for payload and context, not more")
    try:
        hints = get_type_hints(function)
    except NameError as error:
        raise QuarterjackError(f"{function.__name__}: the type of the payload is unknown: {error}") from error
    return (hints.get(own[0]) if own else None), names


async def _until_stopped(coroutine: Any, context: Context) -> Any:
    loop = asyncio.get_running_loop()
    task = loop.create_task(coroutine)

    def cancel() -> None:
        try:
            loop.call_soon_threadsafe(task.cancel)
        except RuntimeError:
            pass  # the loop has ended, and the work with it

    context.stopped.add(cancel)
    try:
        return await task
    except asyncio.CancelledError:
        context.raise_if_stopped()
        raise QuarterjackError("the job was cancelled by itself") from None


def jobs_in(given: Iterable[Any] | Mapping[str, Any] | types.ModuleType) -> dict[str, Job]:
    """The jobs of a list, or of a module, by their ids."""
    values = vars(given) if isinstance(given, types.ModuleType) else given
    found: dict[str, Job] = {}
    for one in list(values.values() if isinstance(values, Mapping) else values):
        if not isinstance(one, Job):
            continue
        if found.setdefault(one.id, one) is not one:
            raise QuarterjackError(f"two jobs have the id {one.id}")
    if not found:
        raise QuarterjackError("there is no job: pass what @job has made, or the module that has it")
    return found


def manifest_of(jobs: Mapping[str, Job], source: str | None = None) -> dict[str, Any]:
    """The jobs as one document, which ``quarterjack deploy`` takes, in the order of their ids."""
    listed = []
    for id in sorted(jobs):
        one = jobs[id]
        entry: dict[str, Any] = {"jobId": id, **({} if one.paused is None else {"paused": one.paused})}
        entry["definition"] = one.definition
        schema = None if "payloadSchema" in one.definition else schema_of(one.kind)
        if schema is not None:
            entry["payloadSchema"] = schema
        if schema is not None or "payloadSchema" in one.definition:
            entry["schemaFrom"] = "given"
        listed.append(entry)
    return {"format": FORMAT, **({} if source is None else {"source": source}), "jobs": listed}
