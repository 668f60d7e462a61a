"""What a job in code does with its runs: ask for them, later or now, and cancel them by their keys."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from ._connection import Listing, instant, json_of
from ._payload import fitted
from .errors import ArgumentError, FatalError, QuarterjackError

if TYPE_CHECKING:
    from . import _models as models
    from ._client import Quarterjack

_MOST_AT_ONCE = 100
_connected: tuple[Quarterjack, str | None] | None = None
prefix_of_run: ContextVar[str | None] = ContextVar("prefix_of_run", default=None)
recorded_runs: ContextVar[list[dict[str, Any]] | None] = ContextVar("recorded_runs", default=None)
"""In a test, runs are recorded, and none of them is executed."""


def connect_jobs(client: Quarterjack, prefix: str | None = None) -> None:
    """Say how jobs in code reach the API, in place of ``QUARTERJACK_URL`` and ``QUARTERJACK_TOKEN``.

    ``prefix``: what deployed jobs have before their ids; by default ``QUARTERJACK_JOB_PREFIX``. A job that
    runs has the prefix that it was served with.
    """
    global _connected
    _connected = (client, prefix)


class JobRuns:
    """The runs of a job in code. Within a run, requests pass on the depth of its delivery, against loops."""

    id: str
    kind: Any

    def schedule(
        self,
        payload: Any = None,
        *,
        in_: str | None = None,
        at: str | datetime | None = None,
        key: str | None = None,
        on_existing: Literal["keep", "replace"] | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> models.Execution:
        """Ask for one run at a later time: ``in_="30m"``, or ``at``. Within 400 days.

        While a run with the ``key`` has not ended, there is no other one: ``created`` of the answer is False
        then, or ``on_existing="replace"`` changes its time and payload. ``fields``: ``keyTtl``, ``priority``,
        ``tags``, ``runTags`` and ``externalId``.
        """
        if (in_ is None) == (at is None):
            raise ArgumentError("in_ and at", (in_, at), "one of both")
        time = {"delay": in_} if in_ is not None else {"at": instant(at) if isinstance(at, datetime) else at}
        asked = {"key": key, "onExisting": on_existing, **fields}
        return self._run({**time, **asked}, payload, idempotency_key)

    def trigger(
        self,
        payload: Any = None,
        *,
        key: str | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> models.Execution:
        """Start a run now. Without a payload, it gets that of the job."""
        return self._run({"key": key, **fields}, payload, idempotency_key)

    def schedule_many(self, runs: Sequence[Mapping[str, Any]]) -> Sequence[models.RunOutcome]:
        """Ask for many runs, 100 a request: ``{"payload", "delay" or "at", "key"}``.

        Each has an outcome: one that is refused does not stop the others.
        """
        bodies = [{**one, **self._checked(one.get("payload"))} for one in runs]
        outcomes: list[models.RunOutcome] = []
        for first in range(0, len(bodies), _MOST_AT_ONCE):
            some: Any = bodies[first : first + _MOST_AT_ONCE]
            outcomes += self._client().jobs.run_many(self._job_id(), some)
        return outcomes

    def cancel(self, key: str) -> models.CancelledRun:
        """Cancel the run that has a key. ``outcome`` says what has become of it."""
        recorded = recorded_runs.get()
        if recorded is None:
            return self._client().jobs.cancel_run(self._job_id(), key)
        own = [one for one in recorded if (one["jobId"], one.get("key")) == (self._job_id(), key)]
        recorded[:] = [one for one in recorded if one not in own]
        return {"outcome": "cancelled" if own else "unknown"}

    def list(self, **filter: Any) -> Listing[models.Execution]:
        """Its runs and planned executions, newest first."""
        return self._client().executions.list(self._job_id(), **filter)

    def _run(self, asked: Mapping[str, Any], payload: Any, idempotency_key: str | None) -> models.Execution:
        body: Any = {name: value for name, value in asked.items() if value is not None}
        body |= self._checked(payload)
        recorded = recorded_runs.get()
        if recorded is None:
            return self._client().jobs.run(self._job_id(), body, idempotency_key=idempotency_key)
        run: Any = {"jobId": self._job_id(), **body}
        recorded.append(run)
        return run

    def _checked(self, payload: Any) -> dict[str, Any]:
        """The payload as it was given: the run checks it again."""
        if payload is None:
            return {}
        try:
            fitted(self.kind, json.loads(json_of(payload)))
        except FatalError as error:
            raise QuarterjackError(f"job {self.id}: {error}") from error
        return {"payload": payload}

    def _job_id(self) -> str:
        own = prefix_of_run.get()
        if own is None:
            given = _connected[1] if _connected else None
            own = os.environ.get("QUARTERJACK_JOB_PREFIX", "") if given is None else given
        return own + self.id

    def _client(self) -> Quarterjack:
        from ._client import Quarterjack

        return _connected[0] if _connected else Quarterjack()
