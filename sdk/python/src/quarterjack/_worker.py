"""Workers: processes that claim the executions of work queues and run a handler for each of them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ._claims import Claims
from ._connection import Api, Token, base_url
from ._http import Retry, Stop
from ._lease import Clock, Moment
from ._tokens import default_token
from ._work import Event, RunOptions, Work, WorkRun
from .errors import (
    ArgumentError,
    QuarterjackError,
)

Handler = Callable[[Work], Any]
H = TypeVar("H", bound=Handler)
_MAX_CLAIMED = 10
_log = logging.getLogger("quarterjack")


class Worker:
    """Claims executions of work queues, runs a handler for each, and keeps their leases by heartbeats.

        worker = Worker(concurrency=4)  # by QUARTERJACK_URL and QUARTERJACK_TOKEN

        @worker.job(queue="warehouse")
        def load(work):
            work.log(f"loading {work.payload['table']}")
            return {"rows": 7}

        worker.run()  # until SIGTERM or Ctrl-C: it then waits for what runs

    Each execution has a thread of its own. Handlers that are coroutine functions run in one event loop:
    that of ``run_async``, or one of the worker. ``concurrency``: executions of a queue at a time, 1 to 100.
    ``grace``: seconds that a handler needs to stop. ``poll``: ask for work at this distance in seconds, in
    place of waiting at the API; cheaper, and later. ``on_event`` gets an ``Event``; it must not block.
    """

    def __init__(
        self,
        url: str | None = None,
        token: Token = None,
        *,
        concurrency: int = 1,
        name: str | None = None,
        project: str | None = None,
        grace: float = 5.0,
        poll: float | None = None,
        on_event: Callable[[Event], None] | None = None,
        retry: Retry | None = None,
        clock: Clock | None = None,
    ) -> None:
        _check("concurrency", concurrency, 1, 100)
        _check("grace", grace, 0, 1200)
        if poll is not None:
            _check("poll", poll, 1, 3600)
        retry = retry or Retry()
        self._api = Api(url, token if token is not None else default_token(), project=project, retry=retry)
        self._name, self._poll, self._concurrency = name, poll, concurrency
        self._handlers: dict[str, tuple[Handler, Any, int]] = {}
        self._draining, self._stopping, self._over = Stop(), Stop(), threading.Event()
        self._runs: dict[WorkRun, str] = {}
        self._changed = threading.Condition()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._started = False
        self._error: BaseException | None = None
        self._on_event = on_event
        self._options = RunOptions(
            base_url(url), retry, grace, clock or Clock(), self._tell, self._event_loop
        )

    def job(self, *, queue: str, payload: Any = None, concurrency: int | None = None) -> Callable[[H], H]:
        """Make a function the handler of a queue. It gets the ``Work``; what it returns is the result.

        ``payload``: a dataclass, or a model of pydantic, that the payload has to fit. An exception is a
        failure that may be retried, a ``FatalError`` one that may not.
        """
        if not isinstance(queue, str) or not queue or queue in self._handlers:
            raise ArgumentError("queue", queue, "the name of a queue that has no handler yet")
        most = self._concurrency if concurrency is None else concurrency
        _check("concurrency", most, 1, 100)

        def add(handler: H) -> H:
            if not callable(handler):
                raise ArgumentError("handler", handler, "a function")
            self._handlers[queue] = (handler, payload, most)
            return handler

        return add

    def run(self, *, once: bool = False, signals: bool = True) -> None:
        """Work until ``drain`` or ``stop``; with ``once``, until nothing is due.

        Raises if the API does not let it claim, once what runs has ended. In the main thread, the first
        SIGTERM or SIGINT drains, the second stops.
        """
        with self._signals(signals):
            self._work(once)
            while not self._over.wait(0.5):  # a wait without a limit takes no signals on some systems
                pass
        if self._error:
            raise self._error

    async def run_async(self, *, once: bool = False, signals: bool = True) -> None:
        """The same in an event loop, in which the handlers that are coroutine functions run.

        A call that is cancelled stops what runs.
        """
        self._loop = asyncio.get_running_loop()
        with self._signals(signals):
            self._work(once)
            try:
                while not await asyncio.to_thread(self._over.wait, 0.5):
                    pass
            finally:
                self._give_up()
        if self._error:
            raise self._error

    @contextlib.contextmanager
    def _signals(self, wanted: bool) -> Iterator[None]:
        before: dict[int, Any] = {}
        if wanted and threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                before[number] = signal.signal(number, self._signalled)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def drain(self, *, wait: bool = True) -> None:
        """Claim nothing more, and wait for what runs.

        A claim under way may take 20 s; its work is released.
        """
        self._draining.set()
        if self._started and wait:
            self._over.wait()

    def stop(self, *, wait: bool = True) -> None:
        """Stop what runs, and wait for its end. It is reported as a failure that may be retried."""
        self._give_up()
        if self._started and wait:
            self._over.wait()

    def _tell(self, event: Event) -> None:
        try:
            if self._on_event:
                self._on_event(event)
        except Exception:
            _log.exception("on_event failed")

    def _give_up(self) -> None:
        self._draining.set()
        self._stopping.set()
        with self._changed:
            runs = list(self._runs)
        for run in runs:
            run.lease.stop("stopped")

    def _signalled(self, number: int, frame: object) -> None:
        # Not in the handler of the signal: a lock that is held by this thread would never be free.
        act = self._give_up if self._draining.is_set() else self._draining.set
        threading.Thread(target=act, daemon=True).start()

    def _event_loop(self) -> asyncio.AbstractEventLoop:
        with self._changed:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="quarterjack-loop", daemon=True).start()
            return self._loop

    def _work(self, once: bool) -> None:
        if not self._handlers:
            raise QuarterjackError("the worker has no handler: decorate one with worker.job(queue=…)")
        if self._started:
            raise QuarterjackError("the worker was started before")
        self._started = True
        loops = [threading.Thread(target=self._claims, args=(queue, once)) for queue in self._handlers]
        for one in loops:
            one.daemon = True
            one.start()
        threading.Thread(target=self._finish, args=(loops,), daemon=True).start()

    def _finish(self, loops: list[threading.Thread]) -> None:
        for one in loops:
            one.join()
        with self._changed:
            self._changed.wait_for(lambda: not self._runs)
        self._api.close()
        self._over.set()

    def _claims(self, queue: str, once: bool) -> None:
        claims = Claims(self, queue, once)
        try:
            while not self._draining.is_set():
                with self._changed:
                    self._changed.wait_for(lambda: self._free(queue) > 0 or self._draining.is_set())
                    free = self._free(queue)
                if not self._draining.is_set() and not claims.next(min(free, _MAX_CLAIMED)) and once:
                    return
        except BaseException as error:
            self._error = self._error or error
            self._draining.set()

    def _free(self, queue: str) -> int:
        return self._handlers[queue][2] - sum(1 for one in self._runs.values() if one == queue)

    def _begin(self, queue: str, claimed: dict[str, Any], sent_at: Moment, answered_at: Moment) -> None:
        handler, kind, _ = self._handlers[queue]
        run = WorkRun(claimed, sent_at, answered_at, handler, kind, self._options)
        with self._changed:
            self._runs[run] = queue
        threading.Thread(
            target=self._run_one, args=(run,), name=f"quarterjack-{run.work.job_id}", daemon=True
        ).start()
        if self._stopping.is_set():
            run.lease.stop("stopped")

    def _run_one(self, run: WorkRun) -> None:
        try:
            run.release() if self._draining.is_set() else run.run()
        finally:
            with self._changed:
                del self._runs[run]
                self._changed.notify_all()


def _check(name: str, value: object, least: float, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise ArgumentError(name, value, f"a number from {least} to {most}")
