"""The log of one attempt: lines that wait, and chunks that are sent again until they arrive."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from datetime import datetime, timezone

from ._connection import instant
from ._http import Stop
from ._lease import Clock, elapsed
from .errors import ApiConnectionError, QuarterjackError, RateLimitError, ServerError

Line = dict[str, str]
MAX_CHUNK_BYTES = 65_536
_MAX_CHUNK_LINES = 10_000
_MAX_LINE = 16_384
_MAX_WAITING_BYTES = 5 * 1024 * 1024
_MAX_WAITING_LINES = 100_000
_RETRY = 2.0
TEMPORARY = (ApiConnectionError, RateLimitError, ServerError)


class LogBuffer:
    """Lines that wait to be sent, in chunks of the size that the API accepts. Not thread-safe."""

    def __init__(self) -> None:
        self.dropped = 0
        self._waiting: deque[tuple[Line, int]] = deque()
        self._bytes = 0
        self._chunks = 0

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def has_chunk(self) -> bool:
        return self._bytes >= MAX_CHUNK_BYTES or len(self._waiting) >= _MAX_CHUNK_LINES

    def add(self, at: str, stream: str, text: str) -> None:
        for part in _parts(text):
            size = len(part.encode("utf-8", "surrogatepass"))
            if len(self._waiting) >= _MAX_WAITING_LINES or self._bytes + size > _MAX_WAITING_BYTES:
                self.dropped += 1
            else:
                self._waiting.append(({"at": at, "stream": stream, "text": part}, size))
                self._bytes += size

    def take(self) -> tuple[int, list[Line]]:
        """The next chunk: its number, and its lines. There has to be one."""
        lines: list[Line] = []
        size = 0
        while (
            self._waiting and len(lines) < _MAX_CHUNK_LINES and size + self._waiting[0][1] <= MAX_CHUNK_BYTES
        ):
            line, own = self._waiting.popleft()
            lines.append(line)
            size += own
        self._bytes -= size
        self._chunks += 1
        return self._chunks - 1, lines

    def clear(self) -> None:
        self._waiting.clear()
        self._bytes = 0


def _parts(text: str) -> Iterator[str]:
    """A line in parts of the longest length: UTF-16 units count, as in the API."""
    if len(text) <= _MAX_LINE // 2 or len(text.encode("utf-16-le", "surrogatepass")) // 2 <= _MAX_LINE:
        yield text
        return
    part, size = [], 0
    for character in text:
        own = 2 if ord(character) > 0xFFFF else 1
        if size + own > _MAX_LINE:
            yield "".join(part)
            part, size = [], 0
        part.append(character)
        size += own
    yield "".join(part)


class LogSender:
    """Sends the log of one attempt, chunk by chunk, each under its number until it arrives."""

    def __init__(
        self,
        send: Callable[[int, list[Line], Stop], bool],
        clock: Clock,
        failed: Callable[[QuarterjackError], None],
    ) -> None:
        self._send, self._clock, self._failed = send, clock, failed
        self._buffer = LogBuffer()
        self._changed = threading.Condition()
        self._abandoned = Stop()
        self._started_at = clock.now()
        self._closing = self._running = False
        self.is_full = False
        """Nothing more is kept: the limit is reached, or the attempt has ended."""

    @property
    def dropped(self) -> int:
        return self._buffer.dropped

    def write(self, text: str, stream: str) -> None:
        at = instant(datetime.fromtimestamp(self._clock.now().wall, timezone.utc))
        with self._changed:
            if self.is_full:
                return
            self._buffer.add(at, stream, text)
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="quarterjack-log", daemon=True).start()
            if self._buffer.has_chunk:
                self._changed.notify_all()

    def close(self, within: float) -> None:
        """Send what waits, for at most ``within`` seconds."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._running, within)

    def abandon(self) -> None:
        """Drop what waits, and end the request under way."""
        self._stop()
        self._abandoned.set()

    def _stop(self) -> None:
        with self._changed:
            self.is_full = True
            self._buffer.clear()
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                early = elapsed(self._started_at, self._clock.now()) < 60
                self._changed.wait_for(self._is_due, 1.0 if early else 5.0)
                if not len(self._buffer):
                    self._running = False
                    self._changed.notify_all()
                    return
                number, lines = self._buffer.take()
            self._send_chunk(number, lines)

    def _is_due(self) -> bool:
        return self._closing or self._buffer.has_chunk or self.is_full

    def _send_chunk(self, number: int, lines: list[Line]) -> None:
        while not self.is_full:
            try:
                if self._send(number, lines, self._abandoned):
                    self._stop()
                return
            except TEMPORARY:
                if self._abandoned.wait(_RETRY):
                    return
            except QuarterjackError as error:
                self._stop()
                if not self._abandoned.is_set():
                    self._failed(error)
