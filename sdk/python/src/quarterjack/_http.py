"""HTTP as this package needs it: no redirects, one limit for the whole exchange, tries that are repeated."""

from __future__ import annotations

import email.utils
import http.client
import os
import random
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from .errors import ApiConnectionError, ArgumentError

_IDLE_SEC = 4.0
_MAX_IDLE = 10
_FAULTS = (OSError, http.client.HTTPException, ValueError)


@dataclass(frozen=True)
class Retry:
    """How often a call is tried, and how long each try may take. Seconds."""

    max_tries: int = 5
    base_delay: float = 0.2
    """The longest pause before the second try. It doubles with each further one."""
    max_delay: float = 30.0
    """No pause is longer, even if the API asks for more."""
    timeout: float = 30.0


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    """With the token, which no text shows."""
    body: bytes | None = field(default=None, repr=False)
    repeatable: bool = False
    """Whether a second try does no harm, also if the first one took effect."""


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    tries: int = 1


class Stop:
    """An event that also ends what waits for a response, or for time to pass."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        return self._event.wait(seconds if seconds is None else max(0.0, seconds))

    def set(self) -> None:
        with self._lock:
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def add(self, callback: Callable[[], None]) -> None:
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return
        callback()

    def remove(self, callback: Callable[[], None]) -> None:
        with self._lock:
            self._callbacks = [one for one in self._callbacks if one != callback]


class _Connection:
    """One connection to a host, by way of the proxy that the environment names."""

    def __init__(self, url: str, timeout: float) -> None:
        parts = urlsplit(url)
        secure, host = parts.scheme == "https", parts.hostname or ""
        port = parts.port or (443 if secure else 80)
        proxy = None if proxy_bypass(host) else getproxies().get(parts.scheme)
        via = urlsplit(proxy if "://" in proxy else f"http://{proxy}") if proxy else None
        to, at = (via.hostname or "", via.port or 80) if via else (host, port)
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self.http = kind(to, at, timeout=timeout)
        if via and secure:
            self.http.set_tunnel(host, port)
        self.absolute = via is not None and not secure
        self.used_at = 0.0

    def is_alive(self) -> bool:
        sock = self.http.sock
        if sock is None or time.monotonic() - self.used_at > _IDLE_SEC:
            return False
        return not select.select([sock], [], [], 0)[0]  # readable while idle: the other side has closed it

    def exchange(self, request: Request, timeout: float, stop: Stop | None) -> Response:
        self.http.timeout = timeout
        if self.http.sock is None:
            self.http.connect()
        sock: Any = self.http.sock
        sock.settimeout(timeout)

        def close() -> None:
            try:  # of the plain socket: a thread that waits for its data wakes up
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
            except OSError:
                pass  # it is closed already

        limit = threading.Timer(timeout, close)
        limit.daemon = True
        limit.start()
        if stop:
            stop.add(close)
        try:
            target = request.url if self.absolute else request.url[request.url.index("/", 8) :]
            self.http.request(request.method, target, request.body, dict(request.headers))
            answer = self.http.getresponse()
            body = answer.read()
        finally:
            limit.cancel()
            if stop:
                stop.remove(close)
        self.used_at = time.monotonic()
        return Response(answer.status, {name.lower(): value for name, value in answer.getheaders()}, body)


@dataclass
class Transport:
    """Sends requests to one origin. Connections of repeatable requests are kept for a few seconds."""

    retry: Retry = field(default_factory=Retry)
    sleep: Callable[[float, Stop | None], None] = lambda seconds, stop: _sleep(seconds, stop)
    random: Callable[[], float] = random.random

    def __post_init__(self) -> None:
        for name, least in (("max_tries", 1), ("base_delay", 0), ("max_delay", 0), ("timeout", 0.001)):
            value: Any = getattr(self.retry, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value < least:
                raise ArgumentError(f"retry.{name}", value, f"a number from {least}")
        self._idle: list[_Connection] = []
        self._pid = os.getpid()

    def send(self, request: Request, stop: Stop | None = None) -> Response:
        """The last response. Raises an ``ApiConnectionError`` if there is none."""
        for tries in range(1, self.retry.max_tries + 1):
            last = tries == self.retry.max_tries
            response = None
            try:
                response = self._once(request, stop)
            except ApiConnectionError:
                if last or not request.repeatable or (stop and stop.is_set()):
                    raise
            if response:
                again = response.status == 429 or (request.repeatable and response.status >= 500)
                if last or not again:
                    return replace(response, tries=tries)
            asked = _retry_after(response.headers.get("retry-after", "")) if response else 0.0
            most = min(self.retry.max_delay, self.retry.base_delay * 2 ** (tries - 1))
            self.sleep(min(self.retry.max_delay, asked + self.random() * most), stop)
        raise AssertionError("the last try returns or raises")

    def _once(self, request: Request, stop: Stop | None) -> Response:
        if self._pid != os.getpid():  # connections of the parent process belong to it
            self._idle, self._pid = [], os.getpid()
        connection = None
        started = time.monotonic()
        try:
            if request.repeatable:
                connection = self._kept()
            connection = connection or _Connection(request.url, self.retry.timeout)
            response = connection.exchange(request, self.retry.timeout, stop)
        except _FAULTS as error:
            if connection:
                connection.http.close()
            late = time.monotonic() - started >= self.retry.timeout
            reason = (
                f"no response within {self.retry.timeout} s" if late else str(error) or type(error).__name__
            )
            raise ApiConnectionError(f"{request.method} {request.url}: {reason}") from error
        if connection.http.sock is not None and len(self._idle) < _MAX_IDLE:
            self._idle.append(connection)
        else:
            connection.http.close()
        return response

    def close(self) -> None:
        """Close the connections that are kept. The next request makes another one."""
        while self._idle and self._pid == os.getpid():
            self._idle.pop().http.close()

    def __del__(self) -> None:
        if hasattr(self, "_idle"):
            self.close()

    def _kept(self) -> _Connection | None:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread took it
                return None
            if connection.is_alive():
                return connection
            connection.http.close()
        return None


def _sleep(seconds: float, stop: Stop | None) -> None:
    if stop and stop.wait(seconds):
        raise ApiConnectionError("the call was given up")
    if not stop:
        time.sleep(seconds)


def _retry_after(text: str) -> float:
    """Seconds from a number or an HTTP date; 0 for anything else."""
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return 0.0
