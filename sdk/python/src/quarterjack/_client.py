"""The client: the generated calls, and those that are several requests."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._api import Routes
from ._connection import Api, Token
from ._http import Retry
from ._tokens import default_token
from .errors import WaitTimeoutError

if TYPE_CHECKING:
    from . import _models as models

_FINAL = ("succeeded", "failed", "cancelled", "skipped")


class Quarterjack(Routes):
    """A client of the HTTPS API. Safe to use by several threads.

        quarterjack = Quarterjack("http://127.0.0.1:8787", token="…")
        job = quarterjack.jobs.create({
            "schedule": {"type": "delay", "delay": "30m"},
            "target": {"type": "http", "url": "https://shop.example/orders/42/close"},
        })
        for execution in quarterjack.executions.list(job["jobId"]):
            print(execution["dueAt"], execution["status"])

    Bodies and answers are dictionaries with the fields of the API reference. ``url`` and ``token`` default
    to ``QUARTERJACK_URL`` and ``QUARTERJACK_TOKEN``, else to the secret that ``QUARTERJACK_KEY_SECRET``
    names. ``token`` may be a function that returns one: ``ClientCredentials`` and ``SecretKey`` make such.
    ``project``: for a token of several. ``note``: why this client makes its changes; kept with each.

    Each creating call has an ``Idempotency-Key``, so its repeats create nothing twice. Pass a key of your own
    if your process may die and call again.
    """

    def __init__(
        self,
        url: str | None = None,
        token: Token = None,
        *,
        project: str | None = None,
        note: str | None = None,
        retry: Retry | None = None,
    ) -> None:
        given = token if token is not None else default_token()
        super().__init__(Api(url, given, project=project, note=note, retry=retry))

    def close(self) -> None:
        """Close the connections that are kept for a few seconds. The client can go on to be used."""
        self._api.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        note: str | None = None,
    ) -> Any:
        """Any route by its path: ``request("GET", "/v1/jobs/a")``. Reads and what has a key are repeated."""
        return self._api.request(method, path, query=query, body=body, key=idempotency_key, note=note)

    def bulk(
        self, request: models.BulkRequest, *, idempotency_key: str | None = None, note: str | None = None
    ) -> Iterator[models.Bulk]:
        """Do the same with all that a filter selects, page by page. A loop that ends early leaves the rest.

        ``delete`` needs ``expect``: the sum of ``matched`` in a dry run.
        """
        key = idempotency_key or str(uuid.uuid4())
        cursor: Any = request.get("cursor")
        while True:
            body = {**request, **({} if cursor is None else {"cursor": cursor})}
            page = self._api.call("POST", "/v1/bulk", "matched", body=body, key=key, note=note)
            yield page
            cursor = page.get("nextCursor")
            if cursor is None:
                return

    def load(self, **filter: Any) -> models.Load:
        """Planned occurrences of all jobs by minute, at most 7 days: the sum of all pages.

        ``filter``: the query of ``GET /v1/load``, such as ``tag="team:billing"``.
        """
        total: Any = None
        while True:
            page = self._api.call("GET", "/v1/load", "counts", query=filter)
            if total is None:
                total = page
            else:
                total["jobs"] += page["jobs"]
                total["counts"] = [one + other for one, other in zip(total["counts"], page["counts"])]
            filter["cursor"] = page.get("nextCursor")
            if filter["cursor"] is None:
                return {**total, "nextCursor": None}  # type: ignore[typeddict-item]

    def wait(
        self, job_id: str, exec_id: str, *, timeout: float | None = None, interval: float = 0.5
    ) -> models.Execution:
        """Poll until an execution, a run or a backfill has ended. Seconds.

        Raises a ``WaitTimeoutError`` if that takes longer than ``timeout``.
        """
        started = time.monotonic()
        while True:
            execution = self.executions.get(job_id, exec_id)
            if execution["status"] in _FINAL:
                return execution
            if timeout is not None and time.monotonic() - started + interval > timeout:
                raise WaitTimeoutError(f"{job_id}/{exec_id} is {execution['status']} after {timeout} s")
            time.sleep(interval)
