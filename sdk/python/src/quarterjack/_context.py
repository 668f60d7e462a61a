"""What a job can use while it works."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from ._http import Stop
from ._progress import progress_of
from .errors import StoppedError


class Context:
    """What a job can use while it works. ``stopped`` is set when it has to stop; ``stop_reason`` says why.

    A function that is a coroutine is cancelled then. Another one has to return soon: call
    ``raise_if_stopped()`` between its steps, or wait by ``wait(seconds)``.
    """

    def __init__(
        self,
        job_id: str,
        exec_id: str,
        due_at: datetime,
        attempt: int,
        fence: int,
        payload: Any,
        write: Callable[[str, str], None],
        outer: Stop | None = None,
        why: Callable[[], str | None] = lambda: None,
        key: str | None = None,
    ) -> None:
        self.job_id, self.exec_id, self.due_at = job_id, exec_id, due_at
        self.attempt = attempt
        """Counts from 1. A retry that a user asks for starts again at 1."""
        self.fence = fence
        """Rises with each attempt: a write with a lower one than the last is late."""
        self.payload = payload
        self.key = key
        """The key of the run, if it has one."""
        self.stopped = Stop()
        self._write = write
        self._say: Callable[[dict[str, Any]], None] | None = None
        self._reason: str | None = None
        if outer:
            outer.add(lambda: self.stop(why() or "closed"))

    @property
    def stop_reason(self) -> str | None:
        """``cancelled``, ``lost``, ``timed-out``, ``stopped``, or ``closed``: the caller is gone."""
        return self._reason

    def stop(self, reason: str) -> None:
        """Ask the work to stop."""
        self._reason = self._reason or reason
        self.stopped.set()

    def raise_if_stopped(self) -> None:
        """Raise a ``StoppedError`` if the work has to stop."""
        if self.stopped.is_set():
            raise StoppedError(self.stop_reason or "stopped")

    def wait(self, seconds: float) -> None:
        """Sleep, but raise a ``StoppedError`` at once when the work has to stop."""
        self.stopped.wait(seconds)
        self.raise_if_stopped()

    def observe(
        self, write: Callable[[str, str], None], say: Callable[[dict[str, Any]], None] | None
    ) -> None:
        """Give lines and progress to the API, in place of the process."""
        self._write, self._say = write, say

    def log(self, text: object, stream: str = "stdout") -> None:
        """Write a line: to the log of the attempt if it is observed, else to the log of the process.

        ``stream`` is ``stdout`` or ``stderr``. Never waits, and never fails.
        """
        self._write(str(text), stream)

    def progress(self, share: float, text: str = "") -> None:
        """Say how far the work is, from 0 to 1: the execution shows it if the target has ``observe``.

        Else it is a line of the log. Raises a ``StoppedError`` if the work has to stop.
        """
        if self._say:
            self._say(progress_of(share, text))
        else:
            self.log(f"{min(1.0, max(0.0, share)):4.0%} {text}".rstrip())
        self.raise_if_stopped()
