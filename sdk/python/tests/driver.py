"""The driver of this SDK for the suite of the repository: see ``test/sdk/README.md``."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import quarterjack as q
from quarterjack._jobs import jobs_in, manifest_of
from quarterjack._lease import Clock, Moment

_out = threading.Lock()
_KINDS: list[tuple[str, type[Exception]]] = [
    ("validation", q.ValidationError),
    ("authentication", q.AuthenticationError),
    ("permission", q.PermissionDeniedError),
    ("not-found", q.NotFoundError),
    ("conflict", q.ConflictError),
    ("rate-limit", q.RateLimitError),
    ("server", q.ServerError),
    ("problem", q.ProblemError),
    ("connection", q.ApiConnectionError),
    ("response", q.ResponseError),
    ("argument", q.ArgumentError),
    ("signature", q.SignatureError),
    ("stale-fence", q.StaleFenceError),
]
_FILTERS = {"from": "from_"}


class LambdaError(Exception):
    """What a Lambda handler has raised."""


def instant(moment: datetime) -> str:
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write(message: dict[str, Any]) -> None:
    line = json.dumps({name: value for name, value in message.items() if value is not None or name == "ok"})
    with _out:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def error_of(error: BaseException) -> dict[str, Any]:
    if isinstance(error, LambdaError):
        thrown = error.args[0]
        return {"kind": "lambda", "message": str(thrown), "errorType": type(thrown).__name__}
    kind = next((name for name, of in _KINDS if isinstance(error, of)), "other")
    text = str(error) if kind != "other" else "".join(traceback.format_exception(error))
    problem = isinstance(error, q.ProblemError)
    fields = {"status": getattr(error, "status", None), "type": getattr(error, "type", None)}
    more = {"detail": error.detail, "requestId": error.request_id, "errors": error.errors} if problem else {}
    return {name: value for name, value in {"kind": kind, "message": text, **fields, **more}.items() if value}


# --- client

_clients: dict[str, q.Quarterjack] = {}


def retry_of(given: dict[str, Any] | None) -> q.Retry | None:
    if given is None:
        return None
    names = {"baseDelayMs": "base_delay", "maxDelayMs": "max_delay", "timeoutMs": "timeout"}
    seconds = {own: given[name] / 1000 for name, own in names.items() if name in given}
    return q.Retry(max_tries=given.get("maxTries", 5), **seconds)


def open_client(given: dict[str, Any]) -> None:
    token = None if given.get("tokenFrom") == "environment" else given.get("token")
    own = q.Quarterjack(given["url"], token, project=given.get("project"), retry=retry_of(given.get("retry")))
    _clients[given["client"]] = own


def snake(name: str) -> str:
    text = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return _FILTERS.get(text, text)


def listed(listing: Any, most: int | None) -> list[Any]:
    return listing.to_list(most)


def options(args: dict[str, Any], *names: str) -> dict[str, Any]:
    return {snake(name): args[name] for name in names if name in args}


def filters(args: dict[str, Any]) -> dict[str, Any]:
    return {snake(name): value for name, value in (args.get("filter") or {}).items()}


_METHODS: dict[str, Callable[[q.Quarterjack, dict[str, Any]], Any]] = {
    "jobs.create": lambda c, a: c.jobs.create(a["definition"], **options(a, "idempotencyKey", "note")),
    "jobs.createBatch": lambda c, a: c.jobs.create_batch(a["jobs"]),
    "jobs.put": lambda c, a: c.jobs.put(a["jobId"], a["definition"], **options(a, "ifMatch")),
    "jobs.patch": lambda c, a: c.jobs.patch(a["jobId"], a["changes"], **options(a, "ifMatch")),
    "jobs.get": lambda c, a: c.jobs.get(a["jobId"]),
    "jobs.list": lambda c, a: listed(c.jobs.list(**filters(a)), a.get("max")),
    "jobs.delete": lambda c, a: c.jobs.delete(a["jobId"], **options(a, "ifMatch")),
    "jobs.pause": lambda c, a: c.jobs.pause(a["jobId"]),
    "jobs.resume": lambda c, a: c.jobs.resume(a["jobId"]),
    "jobs.run": lambda c, a: c.jobs.run(a["jobId"], a.get("request"), **options(a, "idempotencyKey")),
    "jobs.cancelRun": lambda c, a: c.jobs.cancel_run(a["jobId"], a["key"]),
    "executions.list": lambda c, a: listed(c.executions.list(a["jobId"], **filters(a)), a.get("max")),
    "executions.get": lambda c, a: c.executions.get(a["jobId"], a["execId"]),
    "executions.wait": lambda c, a: c.wait(
        a["jobId"], a["execId"], timeout=a["timeoutMs"] / 1000 if "timeoutMs" in a else None
    ),
    "executions.cancel": lambda c, a: c.executions.cancel(a["jobId"], a["execId"]),
    "executions.retry": lambda c, a: c.executions.retry(a["jobId"], a["execId"]),
    "executions.log": lambda c, a: c.executions.log(a["jobId"], a["execId"], **filters(a)),
    "failures": lambda c, a: listed(c.failures(**filters(a)), a.get("max")),
    "sendEvent": lambda c, a: c.send_event(a["event"]),
    "apiKeys.create": lambda c, a: c.api_keys.create(a["key"]),
    "apiKeys.list": lambda c, a: listed(c.api_keys.list(), a.get("max")),
    "apiKeys.revoke": lambda c, a: c.api_keys.revoke(a["keyId"]),
    "signingSecret": lambda c, a: c.signing_secret(host=a.get("host")),
    "me": lambda c, a: c.me(),
    "version": lambda c, a: c.version(),
    "request": lambda c, a: c.request(a["verb"], a["path"], query=a.get("query"), body=a.get("body")),
}


def call(given: dict[str, Any]) -> Any:
    return _METHODS[given["method"]](_clients[given["client"]], given.get("args") or {})


# --- deliveries

_guards: dict[str, q.FenceGuard] = {}


def verified(given: dict[str, Any]) -> q.Delivery:
    body = base64.b64decode(given["bodyBase64"])
    times = {
        "tolerance": given.get("toleranceSec"),
        "now": given["nowMs"] / 1000 if "nowMs" in given else None,
    }
    more = {name: value for name, value in times.items() if value is not None}
    return q.verify_delivery([tuple(pair) for pair in given["headers"]], body, given["secrets"], **more)


def verify(given: dict[str, Any]) -> dict[str, Any]:
    one = verified(given)
    read = {
        "id": one.id,
        "jobId": one.job_id,
        "execId": one.exec_id,
        "attempt": one.attempt,
        "fence": one.fence,
    }
    given = {"target": one.target, "key": one.key}
    more = {name: value for name, value in given.items() if value is not None}
    return {**read, "dueAt": instant(one.due_at), **more, "body": one.text}


def admit(given: dict[str, Any]) -> None:
    guard = _guards.setdefault(given["guard"], q.FenceGuard())
    guard.admit(verified(given))


# --- steps

_gates: dict[str, threading.Event] = {}


def gate(name: str) -> threading.Event:
    return _gates.setdefault(name, threading.Event())


def play(steps: Iterable[dict[str, Any]], context: q.Context) -> Any:
    """Play the steps of a handler: a ``Work``, or the context of a job."""
    for step in steps:
        if "return" in step:
            return step["return"]
        if step.get("echo"):
            return context.payload
        act(step, context)
    return None


def act(step: dict[str, Any], context: q.Context) -> None:
    if "log" in step:
        context.log(step["log"], step.get("stream", "stdout"))
    if "emit" in step:
        ids = {"jobId": context.job_id, "execId": context.exec_id, "attempt": context.attempt}
        more = {"fence": context.fence, "dueAt": instant(context.due_at), "payload": plain(context.payload)}
        key = {} if context.key is None else {"key": context.key}
        write({"event": "step", "name": step["emit"], **ids, **more, **key})
    if "gate" in step:
        gate(step["gate"]).wait()
    if step.get("heartbeat") and isinstance(context, q.Work):
        context.heartbeat()
    if "progress" in step:
        context.progress(step["progress"], step.get("text", ""))
    if "untilStopped" in step:
        context.stopped.wait()
        ids = {"jobId": context.job_id, "execId": context.exec_id}
        write({"event": "stopping", **ids, "reason": context.stop_reason})
        if step["untilStopped"] == "throw":
            context.raise_if_stopped()
    if "throw" in step:
        raise RuntimeError(step["throw"])
    if "fatal" in step:
        raise q.FatalError(step["fatal"])
    if "release" in step:
        raise q.ReleaseError(step["release"])
    if "retryAfter" in step:
        raise q.RetryAfter(step["retryAfter"], step.get("message"))


# --- jobs in code


@dataclass
class Order:
    orderId: str
    amount: int = 1


def plain(payload: Any) -> Any:
    return vars(payload) if isinstance(payload, Order) else payload


def defined(given: dict[str, Any]) -> q.Job:
    steps = given.get("steps", [])
    names = {"id", "steps", "typed"}

    def run(payload: Any, context: q.Context) -> Any:
        return plain(play(steps, context))

    def run_typed(payload: Order, context: q.Context) -> Any:
        return plain(play(steps, context))

    run_typed.__annotations__["payload"] = Order
    fields = {name: value for name, value in given.items() if name not in names}
    return q.job(id=given["id"], **fields)(run_typed if given.get("typed") else run)


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


class _ThreadingWsgi(ThreadingMixIn, WSGIServer):
    daemon_threads = True


def serve(given: dict[str, Any]) -> dict[str, str]:
    store = q.MemoryFenceStore() if given.get("fences") else None
    jobs = [defined(one) for one in given["jobs"]]
    served = q.serve(jobs, secret=given["secrets"], prefix=given.get("prefix"), fence_store=store)
    server: Any
    if given["as"] == "wsgi":
        server = make_server("127.0.0.1", 0, served.wsgi, server_class=_ThreadingWsgi, handler_class=_Quiet)
    else:
        server = asgi_server(served.asgi)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return {"url": f"http://127.0.0.1:{server.server_address[1]}"}


def asgi_server(app: Any) -> ThreadingHTTPServer:
    """As little of a server of ASGI as its app needs: one loop for each request."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            asyncio.run(self.play(body))

        async def play(self, body: bytes) -> None:
            headers = [
                (name.lower().encode(), value.encode("latin-1")) for name, value in self.headers.items()
            ]
            messages = [{"type": "http.request", "body": body[:100], "more_body": True}]
            messages.append({"type": "http.request", "body": body[100:], "more_body": False})

            async def receive() -> dict[str, Any]:
                if messages:
                    return messages.pop(0)
                while True:  # the peer has closed, when nothing more can be read
                    await asyncio.sleep(0.02)
                    try:
                        self.connection.setblocking(False)
                        if self.connection.recv(1) == b"":
                            return {"type": "http.disconnect"}
                    except BlockingIOError:
                        pass
                    except OSError:
                        return {"type": "http.disconnect"}
                    finally:
                        self.connection.setblocking(True)

            async def send(message: dict[str, Any]) -> None:
                if message["type"] == "http.response.start":
                    self.send_response(message["status"])
                    for name, value in message["headers"]:
                        self.send_header(name.decode(), value.decode("latin-1"))
                    self.end_headers()
                else:
                    self.wfile.write(message["body"])

            try:
                await app({"type": "http", "headers": headers}, receive, send)
            except OSError:
                pass  # the caller has gone

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    return server


def invoke(given: dict[str, Any]) -> Any:
    class Client:
        custom = given.get("custom")

    class Invocation:
        client_context = Client()

    jobs = [defined(one) for one in given["jobs"]]
    served = q.serve(jobs, project=given.get("project"), prefix=given.get("prefix"))
    try:
        return served.lambda_handler(given.get("event"), Invocation())
    except Exception as error:
        raise LambdaError(error) from error


def define(given: dict[str, Any]) -> str:
    jobs = jobs_in([defined(one) for one in given["jobs"]])
    return json.dumps(manifest_of(jobs, given.get("source")), indent=2, ensure_ascii=False) + "\n"


# --- workers

_workers: dict[str, q.Worker] = {}
_offset = 0.0


class _Clock(Clock):
    def now(self) -> Moment:
        return Moment(time.monotonic(), time.time() + _offset)


def set_clock(given: dict[str, Any]) -> None:
    global _offset
    _offset = given["wallOffsetMs"] / 1000


def told(name: str) -> Callable[[q.Event], None]:
    def tell(event: q.Event) -> None:
        message: dict[str, Any] = {"event": "worker", "worker": name, "type": event.type}
        if event.work:
            message |= {"jobId": event.work.job_id, "execId": event.work.exec_id}
            if event.type == "started":
                message |= {"attempt": event.work.attempt, "fence": event.work.fence}
        if event.type == "ended":
            message |= {"outcome": event.outcome, "error": event.error, "retriable": event.retriable}
            message |= {"stopped": event.stopped, "droppedLogLines": event.dropped_log_lines}
        elif isinstance(event.error, BaseException):
            message["error"] = error_of(event.error)
        write(message)

    return tell


def work(given: dict[str, Any]) -> None:
    name = given["worker"]
    more = {
        "concurrency": given.get("concurrency", 1),
        "name": given.get("name"),
        "retry": retry_of(given.get("retry")),
    }
    more |= {"grace": given.get("graceMs", 5000) / 1000, "on_event": told(name), "clock": _Clock()}
    if "jobs" in given:
        served = q.serve([defined(one) for one in given["jobs"]], prefix=given.get("prefix"))
        worker = served.worker(given["queue"], given["url"], given["token"], **more)
    else:
        worker = q.Worker(given["url"], given["token"], **more)
        worker.job(queue=given["queue"])(lambda own: play(given["steps"], own))
    _workers[name] = worker
    if given.get("sigterm"):
        _main.append(lambda: run(worker, name, True))
        os.kill(os.getpid(), signal.SIGUSR1)  # signals are the main thread's
    else:
        threading.Thread(target=run, args=(worker, name, False), daemon=True).start()


def run(worker: q.Worker, name: str, exits: bool) -> None:
    error = None
    try:
        worker.run()
    except Exception as caught:
        error = error_of(caught)
    write({"event": "worker", "worker": name, "type": "over", "error": error})
    if exits:
        os._exit(0)


_COMMANDS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "open": open_client,
    "call": call,
    "verify": verify,
    "admit": admit,
    "open-gate": lambda given: gate(given["gate"]).set(),
    "serve": serve,
    "invoke": invoke,
    "define": define,
    "work": work,
    "drain": lambda given: _workers[given["worker"]].drain(),
    "stop": lambda given: _workers[given["worker"]].stop(),
    "clock": set_clock,
}
_main: list[Callable[[], None]] = []


def answer(line: str) -> None:
    given = json.loads(line)
    try:
        write({"n": given["n"], "ok": _COMMANDS[given["do"]](given)})
    except BaseException as error:
        write({"n": given["n"], "error": error_of(error)})


def read() -> None:
    for line in sys.stdin:
        if line.strip():
            threading.Thread(target=answer, args=(line,), daemon=True).start()
    os._exit(0)


def main() -> None:
    asked = threading.Event()
    signal.signal(signal.SIGUSR1, lambda number, frame: asked.set())
    write({"event": "ready", "language": "python", "protocol": 1, "serves": ["wsgi", "asgi"]})
    threading.Thread(target=read, daemon=True).start()
    while True:
        asked.wait(0.2)
        if asked.is_set():
            asked.clear()
            _main.pop()()


if __name__ == "__main__":
    main()
