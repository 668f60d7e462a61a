"""One program for all of its jobs in code, wherever it runs."""

from __future__ import annotations

import logging
import math
import os
import threading
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ._attempts import FenceStore
from ._deliveries import Delivery, decoded_key
from ._http import Stop
from ._connection import cause_of, passed_on
from ._context import Context
from ._jobs import jobs_in
from ._observe import observed
from ._receiver import Receiver, result_text
from ._run import RunOptions, run_job
from .errors import FatalError, QuarterjackError, RetryAfter

if TYPE_CHECKING:
    from ._work import Work
    from ._worker import Worker

_ANSWER = 0.5
"""What is left for the answer when the time of a function ends, in seconds."""
_log = logging.getLogger("quarterjack")


def _to_log(text: str, stream: str) -> None:
    if not _log.hasHandlers():
        _log.addHandler(logging.StreamHandler())
    if _log.level == logging.NOTSET:  # Lambda shows warnings alone otherwise
        _log.setLevel(logging.INFO)
    (_log.info if stream == "stdout" else _log.warning)(text)


class Served:
    """What runs jobs, by each way in which they are delivered: ``serve`` makes it."""

    def __init__(
        self,
        jobs: Any,
        secret: Any,
        fence_store: FenceStore | None,
        project: str | None,
        origins: Sequence[str],
        options: RunOptions,
    ) -> None:
        self.jobs = jobs_in(jobs)
        self._secret, self._store, self._project, self._options = secret, fence_store, project, options
        self._origins = origins

    @cached_property
    def _receiver(self) -> Receiver:
        return Receiver(self._delivered, secret=self._secret, fence_store=self._store, _with_stop=True)

    @property
    def wsgi(self) -> Callable[..., Any]:
        """An app of WSGI: for gunicorn, uWSGI, mod_wsgi."""
        return self._receiver.wsgi

    @property
    def asgi(self) -> Callable[..., Any]:
        """An app of ASGI: for uvicorn, hypercorn, or to mount in FastAPI and Starlette."""
        return self._receiver.asgi

    @property
    def lambda_url(self) -> Callable[..., Any]:
        """A function of AWS Lambda behind a function URL, as a target of HTTP."""
        return self._receiver.lambda_url

    def lambda_handler(self, event: Any, context: Any = None) -> Any:
        """A function of AWS Lambda, as a target in mode ``sync``.

        Whether an invocation is a delivery, and of what, its client context says alone: the event is the
        payload, and a user may have written it.
        """
        client = getattr(context, "client_context", None)
        custom = getattr(client, "custom", None)
        if not isinstance(custom, dict) or not isinstance(custom.get("quarterjack-execution"), str):
            fault = "this invocation is no delivery of mode sync: it has no client context of Quarterjack"
            raise _named("QuarterjackFatalError", fault)
        stopped, left = Stop(), getattr(context, "get_remaining_time_in_millis", None)
        limit = threading.Timer(max(0.0, left() / 1000 - _ANSWER), stopped.set) if left else None
        if limit:
            limit.daemon = True
            limit.start()
        depth = _number(str(custom.get("quarterjack-hop"))) or None
        token = passed_on.set(cause_of(depth, custom))
        try:
            given = self._invoked(custom, event, stopped)
            with observed(given, _reporting_in(custom), self._origins, False):
                value = run_job(self.jobs, given, self._options)
            return value if result_text(value) is not None else None
        except FatalError as error:
            raise _named(f"QuarterjackFatalError{_said(error)}", error) from error
        except RetryAfter as error:
            raise _named(
                f"QuarterjackRetryAfter:{math.ceil(error.seconds)}{_said(error)}", error
            ) from error
        finally:
            passed_on.reset(token)
            if limit:
                limit.cancel()

    def worker(self, queue: str, url: str | None = None, token: Any = None, **options: Any) -> Worker:
        """A worker that asks for the work of a queue. Call ``run``. ``options`` are those of ``Worker``."""
        from ._worker import Worker

        worker = Worker(url, token, **options)
        worker.job(queue=queue)(self._claimed)
        return worker

    def _delivered(self, delivery: Delivery, stopped: Stop) -> Any:
        try:
            payload = delivery.json()
        except QuarterjackError as error:
            raise FatalError(str(error), reason="bad-payload") from error
        ids = (delivery.job_id, delivery.exec_id, delivery.due_at, delivery.attempt, delivery.fence)
        payload = {} if payload is None else payload
        context = Context(*ids, payload, _to_log, stopped, key=delivery.key)
        with observed(context, delivery._reporting, self._origins, delivery.headers_signed):
            return run_job(self.jobs, context, self._options)

    def _claimed(self, work: Work) -> Any:
        payload = {} if work.payload is None else work.payload
        ids = (work.job_id, work.exec_id, work.due_at, work.attempt, work.fence)
        context = Context(*ids, payload, work.log, work.stopped, lambda: work.stop_reason, work.key)
        context.observe(work._write, work._say)
        return run_job(self.jobs, context, self._options)

    def _invoked(self, custom: Mapping[str, Any], payload: Any, stopped: Stop) -> Context:
        text = {
            name: str(custom.get(f"quarterjack-{name}"))
            for name in ("job", "execution", "attempt", "fence", "due")
        }
        attempt, fence, due_at = _number(text["attempt"]), _number(text["fence"]), _time(text["due"])
        fault = "" if attempt and fence and due_at else "the client context of the invocation is not complete"
        given, wanted = custom.get("quarterjack-project"), self._project
        if not fault and wanted is not None and given != quote(wanted, safe="!*'()"):
            fault = f"the delivery is of project {given}; this function serves {quote(wanted)}"
        if fault or not due_at:
            _log.error(fault)
            raise FatalError(fault)
        ids = (text["job"], text["execution"], due_at, attempt, fence)
        key = custom.get("quarterjack-key")
        return Context(
            *ids, payload, _to_log, stopped, key=decoded_key(key) if isinstance(key, str) else None
        )


def serve(
    jobs: Iterable[Any] | Mapping[str, Any] | types.ModuleType,
    *,
    secret: str | Sequence[str] | None = None,
    fence_store: FenceStore | None = None,
    project: str | None = None,
    origin: str | Sequence[str] | None = None,
    prefix: str | None = None,
    wrap: Callable[[Callable[[], Any], Context], Any] | None = None,
    on_error: Callable[[BaseException, Context], None] | None = None,
) -> Served:
    """What runs jobs, by each way in which they are delivered.

        app = serve([nightly_report]).asgi  # or .wsgi, .lambda_handler, .lambda_url, .worker("reports").run()

    ``jobs``: a list, or the module that has them. ``secret`` and ``fence_store``: see ``Receiver``.
    ``project``: the only one whose deliveries a function takes. ``origin``: any URL of the API, or several:
    what a run tells the API goes nowhere else; by default ``QUARTERJACK_URL``. ``prefix``: what deployed
    jobs have before their ids; by default ``QUARTERJACK_JOB_PREFIX``. ``wrap(run, context)`` runs around each
    job, for traces. ``on_error(error, context)`` gets each error before it is reported.
    """
    before = os.environ.get("QUARTERJACK_JOB_PREFIX", "") if prefix is None else prefix
    known = os.environ.get("QUARTERJACK_URL") or () if origin is None else origin
    origins = [known] if isinstance(known, str) else list(known)
    return Served(jobs, secret, fence_store, project, origins, RunOptions(before, wrap, on_error))


def _reporting_in(custom: Mapping[str, Any]) -> tuple[str, str] | None:
    callback, token = custom.get("quarterjack-callback"), custom.get("quarterjack-token")
    return (callback, token) if isinstance(callback, str) and isinstance(token, str) else None


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None


def _said(error: FatalError | RetryAfter) -> str:
    return f":{error.reason}" if error.reason else ""


def _named(name: str, cause: object) -> QuarterjackError:
    """Lambda tells its caller the name of an error, and so what may follow."""
    kind: type[QuarterjackError] = type(name, (QuarterjackError,), {})
    return kind(str(cause))
