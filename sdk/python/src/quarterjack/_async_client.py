"""The client for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from ._async import in_thread
from ._async_api import AsyncRoutes
from ._client import Quarterjack
from ._connection import Token
from ._http import Retry

if TYPE_CHECKING:
    from . import _models as models

_END: Any = object()


class AsyncQuarterjack(AsyncRoutes):
    """The same client for asyncio: ``await`` its calls, and iterate its lists by ``async for``.

    Each call runs in a thread of the loop's default executor, so as many run at a time as that has threads.
    The parameters are those of ``Quarterjack``.
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
        self._client = Quarterjack(url, token, project=project, note=note, retry=retry)
        super().__init__(self._client)

    async def close(self) -> None:
        """Close the connections that are kept for a few seconds. The client can go on to be used."""
        self._client.close()

    async def request(self, method: str, path: str, **given: Any) -> Any:
        """Any route by its path: see ``Quarterjack.request``."""
        return await in_thread(self._client.request, method, path, **given)

    async def bulk(
        self, request: models.BulkRequest, *, idempotency_key: str | None = None, note: str | None = None
    ) -> AsyncIterator[models.Bulk]:
        """Do the same with all that a filter selects, page by page: see ``Quarterjack.bulk``."""
        pages = self._client.bulk(request, idempotency_key=idempotency_key, note=note)
        while (page := await in_thread(next, pages, _END)) is not _END:
            yield page

    async def load(self, **filter: Any) -> models.Load:
        """Planned occurrences of all jobs by minute: see ``Quarterjack.load``."""
        return await in_thread(self._client.load, **filter)

    async def wait(
        self, job_id: str, exec_id: str, *, timeout: float | None = None, interval: float = 0.5
    ) -> models.Execution:
        """Poll until an execution, a run or a backfill has ended: see ``Quarterjack.wait``."""
        return await in_thread(self._client.wait, job_id, exec_id, timeout=timeout, interval=interval)
