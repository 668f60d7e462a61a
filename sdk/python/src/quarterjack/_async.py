"""What the calls for asyncio share: they run those of `_api` in threads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Generic, ParamSpec, TypeVar

from ._connection import Listing

T = TypeVar("T")
P = ParamSpec("P")
_END: Any = object()


async def in_thread(call: Callable[P, T], *args: P.args, **given: P.kwargs) -> T:
    return await asyncio.to_thread(call, *args, **given)


class AsyncListing(Generic[T]):
    """A list that is fetched while it is iterated: ``async for``. Each iteration begins at the first page."""

    def __init__(self, sync: Listing[T]) -> None:
        self._sync = sync

    async def pages(self) -> AsyncIterator[dict[str, Any]]:
        pages = self._sync.pages()
        while (page := await in_thread(next, pages, _END)) is not _END:
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page["items"]:
                yield item

    async def to_list(self, most: int | None = None) -> list[T]:
        return await in_thread(self._sync.to_list, most)
