"""The calls of the API: token, project, notes, keys of creates, problems, and lists read by pages."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from datetime import datetime, timezone
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from ._http import Request, Response, Retry, Stop, Transport
from .errors import ArgumentError, NotFoundError, ResponseError, problem_of

T = TypeVar("T")
Token = str | Callable[[], str] | None
_VISIBLE = re.compile(r"[\x21-\x7e]{1,8192}")
_LINE = re.compile(r"[\x20-\x7e]{1,1024}")
passed_on: ContextVar[Mapping[str, str] | None] = ContextVar("passed_on", default=None)
"""Headers of the requests of this code: which delivery led to them. The API ends loops by its depth."""
_PATH = re.compile(r"/v1(/[^/?#\\\s]+)+")


def cause_of(depth: int | None, given: Mapping[str, Any]) -> dict[str, str]:
    """What requests pass on of a delivery: its depth, and its trace, which no signature covers."""
    trace = {name: given.get(name) for name in ("traceparent", "tracestate")}
    cause = {name: one for name, one in trace.items() if isinstance(one, str) and _LINE.fullmatch(one)}
    return cause if depth is None else {**cause, "Quarterjack-Hop": str(depth)}


def instant(moment: datetime) -> str:
    """RFC 3339 in UTC with milliseconds. Raises an ``ArgumentError`` without a time zone."""
    if moment.tzinfo is None:
        raise ArgumentError("a datetime", moment, "one with a time zone")
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def json_of(value: object) -> str:
    """JSON; datetimes become instants, and dataclasses and models of pydantic objects."""

    def other(one: Any) -> object:
        if isinstance(one, datetime):
            return instant(one)
        if hasattr(one, "model_dump"):
            return one.model_dump(mode="json")
        if dataclasses.is_dataclass(one) and not isinstance(one, type):
            return {field.name: getattr(one, field.name) for field in dataclasses.fields(one)}
        raise TypeError(f"a {type(one).__name__} has no JSON")

    return json.dumps(value, default=other, allow_nan=False, separators=(",", ":"))


def segment(name: str, value: object) -> str:
    """A part of a path, escaped."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ArgumentError(name, value, "a text")
    return quote(value, safe="", errors="surrogatepass")


def visible(name: str, value: object) -> str:
    if not isinstance(value, str) or not _VISIBLE.fullmatch(value):
        raise ArgumentError(name, value, "a text of visible ASCII characters")
    return value


def base_url(given: str | None) -> str:
    url = os.environ.get("QUARTERJACK_URL") if given is None else given
    if (
        not isinstance(url, str)
        or urlsplit(url).scheme not in ("http", "https")
        or not urlsplit(url).hostname
    ):
        raise ArgumentError("url", url, "the URL of the API, such as https://host; or set QUARTERJACK_URL")
    return url.rstrip("/")


class Listing(Generic[T]):
    """A list that is fetched while it is iterated. Each iteration begins at the first page.

    ``pages()`` gives the pages as the API does, ``to_list()`` the whole list or its beginning.
    """

    def __init__(self, fetch: Callable[[str | None], dict[str, Any]]) -> None:
        self._fetch = fetch

    def pages(self) -> Iterator[dict[str, Any]]:
        cursor: str | None = None
        while True:
            page = self._fetch(cursor)
            yield page
            cursor = page.get("nextCursor")
            if cursor is None:
                return

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page["items"]

    def to_list(self, most: int | None = None) -> list[T]:
        items: list[T] = []
        for item in self if most is None or most > 0 else ():
            items.append(item)
            if len(items) == most:
                break
        return items


class Api:
    """What the groups of calls share. Safe to use by several threads."""

    def __init__(
        self,
        url: str | None,
        token: Token,
        *,
        project: str | None = None,
        note: str | None = None,
        retry: Retry | None = None,
    ) -> None:
        self.url = base_url(url)
        self.headers = {"Accept": "application/json", "User-Agent": "quarterjack-python/1"}
        if project is not None:
            self.headers["Quarterjack-Project"] = visible("project", project)
        if token is not None and not isinstance(token, str) and not callable(token):
            raise ArgumentError("token", token, "a text or a function")
        self._token, self._note = token, note
        self._transport = Transport(retry or Retry())

    def call(
        self,
        method: str,
        path: str,
        expect: str = "",
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        key: str | bool | None = None,
        note: str | None = None,
        if_match: str | None = None,
        repeatable: bool | None = None,
        stop: Stop | None = None,
    ) -> Any:
        """The body of the response. ``key``: a create's; True makes one. ``expect``: a field of the body."""
        headers = dict(self.headers)
        headers.update(passed_on.get() or {})
        if key is not None and key is not False:
            headers["Idempotency-Key"] = str(uuid.uuid4()) if key is True else visible("idempotency_key", key)
        if if_match is not None:
            headers["If-Match"] = visible("if_match", if_match)
        text = self._note if note is None else note
        if text is not None and method != "GET":
            headers["Quarterjack-Note"] = _note(text)
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            try:
                data = json_of(body).encode("ascii")
            except (TypeError, ValueError, RecursionError) as error:
                raise ArgumentError("the body", body, f"what has JSON ({error})") from error
        again = repeatable if repeatable is not None else if_match is None
        url = self.url + path + _query(query or {})
        return _read(self._send(Request(method, url, headers, data, again), stop), url, expect)

    def _send(self, request: Request, stop: Stop | None) -> Response:
        token = self._token
        response = self._transport.send(_signed(request, token() if callable(token) else token), stop)
        if response.status == 401 and hasattr(token, "forget"):
            token.forget()  # type: ignore[union-attr]  # the kept one was revoked: a new one may do
            response = self._transport.send(_signed(request, token()), stop)  # type: ignore[operator,misc]
        return response

    def close(self) -> None:
        self._transport.close()

    def listing(self, path: str, query: Mapping[str, object]) -> Listing[Any]:
        return Listing(lambda cursor: self.call("GET", path, "items", query={**query, "cursor": cursor}))

    def delete(self, path: str, **given: Any) -> None:
        """404 after a lost answer is a success: an earlier try has deleted it."""
        try:
            self.call("DELETE", path, **given)
        except NotFoundError as error:
            if getattr(error, "tries", 1) == 1:
                raise

    def request(self, method: str, path: str, **given: Any) -> Any:
        """Any route by its path. Raises an ``ArgumentError`` for what is no path of the API."""
        if method not in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            raise ArgumentError("method", method, "one of GET, POST, PUT, PATCH, DELETE")
        parts = path.split("/") if isinstance(path, str) else []
        if not isinstance(path, str) or not _PATH.fullmatch(path) or "." in parts or ".." in parts:
            raise ArgumentError("path", path, "one such as /v1/jobs/report")
        given.setdefault("repeatable", method == "GET" or given.get("key") is not None)
        return self.call(method, path, **given)


def _signed(request: Request, token: str | None) -> Request:
    if token is None:
        return request
    return dataclasses.replace(
        request, headers={**request.headers, "Authorization": f"Bearer {visible('token', token)}"}
    )


def _note(text: object) -> str:
    try:
        return quote(text, safe="")  # type: ignore[type-var]
    except (TypeError, UnicodeEncodeError):
        raise ArgumentError("note", text, "a text without halves of surrogate pairs") from None


def _query(given: Mapping[str, object]) -> str:
    pairs: list[tuple[str, str]] = []
    for name, value in given.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(one, bool):
                pairs.append((name, "true" if one else "false"))
            elif one is not None:
                pairs.append((name, instant(one) if isinstance(one, datetime) else str(one)))
    return "?" + urlencode(pairs, errors="surrogatepass") if pairs else ""


def _read(response: Response, url: str, expect: str) -> Any:
    text = response.body.decode("utf-8", "replace")
    request_id = response.headers.get("quarterjack-request-id") or response.headers.get("apigw-requestid")
    body: Any
    try:
        body = json.loads(text) if text else None
    except ValueError:
        body = text
    if not 200 <= response.status < 300:
        error = problem_of(response.status, body, request_id)
        error.tries = response.tries  # type: ignore[attr-defined]
        raise error
    fault = "is not JSON" if isinstance(body, str) and not text.startswith('"') else ""
    if expect and not fault:
        fields: dict[str, Any] = body if isinstance(body, dict) else {}
        fault = "is not an object" if fields is not body else "" if expect in fields else f"has no {expect}"
        if expect == "items" and not isinstance(fields.get(expect), list):
            fault = fault or "has no list items"
    if fault:
        shown, place = json.dumps(text[:80]), url.partition("?")[0]
        raise ResponseError(
            f"the response from {place} ({response.status}) {fault}: {shown}; "
            "is this the URL of a Quarterjack API?",
            response.status,
        )
    if isinstance(body, dict) and "etag" in response.headers:
        body = {**body, "etag": response.headers["etag"]}
    return body
