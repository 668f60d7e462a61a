"""Answers deliveries over HTTP, as an app of WSGI or ASGI, or as a function behind a URL of AWS Lambda."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import math
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from ._attempts import FenceGuard, FenceStore
from ._connection import json_of, passed_on
from ._deliveries import Delivery, Headers, verify_delivery
from ._http import Stop
from .errors import FatalError, QuarterjackError, RetryAfter, SignatureError, StaleFenceError

Answer = tuple[int, dict[str, str], bytes]
MAX_BODY = 1_048_576
"""Payloads have at most 64 kB."""
_REASONS = {200: "OK", 204: "No Content", 401: "Unauthorized", 405: "Method Not Allowed", 409: "Conflict"}
_log = logging.getLogger("quarterjack")


class Receiver:
    """Checks each delivery, and gives it to a function.

        def paid(delivery):
            close_order(delivery.json(), deduplicate_by=delivery.id)

        app = Receiver(paid).wsgi  # for gunicorn; .asgi for uvicorn; .lambda_url for AWS Lambda

    ``secret``: ``whsec_…`` of this host, or both during a rotation; by default those of
    ``QUARTERJACK_SECRET``, with spaces between them. ``fence_store`` refuses what arrives after a later
    attempt. What the function returns is the result, 204 without one. What it raises: ``FatalError`` is 422,
    ``RetryAfter`` 503 with ``Retry-After``, any other exception 500.
    """

    def __init__(
        self,
        handler: Callable[..., Any],
        *,
        secret: str | Sequence[str] | None = None,
        fence_store: FenceStore | None = None,
        _with_stop: bool = False,
    ) -> None:
        given = os.environ.get("QUARTERJACK_SECRET", "").split() if secret is None else secret
        self._secrets = [given] if isinstance(given, str) else list(given)
        if not self._secrets:
            raise QuarterjackError("the signing secret is missing: pass secret, or set QUARTERJACK_SECRET")
        self._handler, self._with_stop = handler, _with_stop
        self._guard = FenceGuard(fence_store) if fence_store else None

    def answer(self, headers: Headers, body: bytes, stop: Stop | None = None) -> Answer:
        """Status, headers and body of the answer to a delivery. Never raises."""
        if len(body) > MAX_BODY:
            return problem(413, "Request too large", f"a delivery has at most {MAX_BODY} bytes")
        try:
            delivery = verify_delivery(headers, body, self._secrets)
            if self._guard:
                self._guard.admit(delivery)
        except SignatureError as error:
            return problem(401, "Not genuine", str(error))
        except StaleFenceError as error:
            return problem(409, "Stale", str(error))
        except Exception:  # of a store
            _log.exception("a delivery cannot be checked")
            return problem(500, "Failed", "the delivery cannot be checked")
        return self._handled(delivery, stop or Stop())

    def _handled(self, delivery: Delivery, stop: Stop) -> Answer:
        token = passed_on.set(delivery._cause)
        try:
            value = self._handler(delivery, stop) if self._with_stop else self._handler(delivery)
            if asyncio.iscoroutine(value):
                value = asyncio.run(value)
        except FatalError as error:
            return problem(422, "Fatal", str(error), _said(error))
        except RetryAfter as error:
            after = str(math.ceil(error.seconds))
            return problem(503, "Try again later", str(error), {**_said(error), "retry-after": after})
        except Exception as error:
            _log.exception("a delivery of %s failed", delivery.job_id)
            return problem(500, "Failed", str(error) or type(error).__name__)
        finally:
            passed_on.reset(token)
        text = result_text(value)
        if text is None:
            return 204, {}, b""
        return 200, {"content-type": "application/json"}, text.encode()

    def wsgi(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """An app of WSGI. Servers join headers that are given twice, which no signature then fits."""
        names = {name[5:].replace("_", "-").lower(): name for name in environ if name.startswith("HTTP_")}
        headers = {name: environ[place].encode("latin-1") for name, place in names.items()}
        length = environ.get("CONTENT_LENGTH") or "0"
        size = min(int(length), MAX_BODY + 1) if length.isdigit() else 0
        status, answered, body = self.answer(headers, environ["wsgi.input"].read(size) if size else b"")
        fields = (
            [*answered.items(), ("content-length", str(len(body)))]
            if status != 204
            else list(answered.items())
        )
        start_response(f"{status} {_REASONS.get(status, 'Answer')}", fields)
        return [body]

    async def asgi(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[dict[str, Any]]],
        send: Callable[[dict[str, Any]], Awaitable[None]],
    ) -> None:
        """An app of ASGI. The function runs in a thread, so it does not hold up others."""
        if scope["type"] == "lifespan":
            while (await receive())["type"] != "lifespan.shutdown":
                await send({"type": "lifespan.startup.complete"})
            return await send({"type": "lifespan.shutdown.complete"})
        if scope["type"] != "http":
            raise QuarterjackError(f"a delivery is a request of http, not of {scope['type']}")
        body, more = b"", True
        while more and len(body) <= MAX_BODY:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body, more = body + message.get("body", b""), message.get("more_body", False)
        stop = Stop()
        gone = asyncio.ensure_future(_until_gone(receive, stop))
        try:
            status, answered, text = await asyncio.to_thread(self.answer, scope["headers"], body, stop)
        finally:
            gone.cancel()
        fields = [(name.encode(), value.encode("latin-1")) for name, value in answered.items()]
        await send({"type": "http.response.start", "status": status, "headers": fields})
        await send({"type": "http.response.body", "body": text})

    def lambda_url(self, event: dict[str, Any], context: object = None) -> dict[str, Any]:
        """A function of AWS Lambda behind a function URL, or behind an HTTP API with payload 2.0."""
        raw = event.get("body") or ""
        body = base64.b64decode(raw) if event.get("isBase64Encoded") else raw.encode()
        status, headers, text = self.answer(event.get("headers") or {}, body)
        return {"statusCode": status, "headers": headers, "body": text.decode()}


async def _until_gone(receive: Callable[[], Awaitable[dict[str, Any]]], stop: Stop) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stop.set()


def _said(error: FatalError | RetryAfter) -> dict[str, str]:
    return {"quarterjack-reason": error.reason} if error.reason else {}


def problem(status: int, title: str, detail: str, headers: dict[str, str] | None = None) -> Answer:
    """What is wrong, as RFC 9457 says it."""
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return status, {**(headers or {}), "content-type": "application/problem+json"}, json.dumps(body).encode()


def result_text(value: object) -> str | None:
    """The result as JSON. One that has no JSON is not kept, and the log says so."""
    if value is None:
        return None
    try:
        return json_of(value)
    except (TypeError, ValueError, QuarterjackError) as error:
        _log.warning("the result has no JSON, and is not kept: %s", error)
        return None
