"""The lease of one attempt: when heartbeats are sent, and when the work has to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from ._http import Stop
from .errors import AuthenticationError, ConflictError, NotFoundError, QuarterjackError, ValidationError

_SAFETY = 2.0
"""Between the end of what was stopped and the end of its lease."""
_LONGEST_WAIT = 1.0
"""A sleeping machine fires no timer, so the clocks are read again at least this often."""
_RETRY = 1.0
_PROGRESS_EVERY = 5.0
"""Between two heartbeats of which the second one has a new progress: each costs a write."""
_FIRST_TRIES = 3
_JUMP = 1.0


@dataclass(frozen=True)
class Moment:
    """One instant on two clocks, in seconds.

    The monotonic one never jumps, but may stand still while the machine sleeps. The wall clock goes on
    meanwhile, but may be set.
    """

    monotonic: float
    wall: float


class Clock:
    def now(self) -> Moment:
        return Moment(time.monotonic(), time.time())


def elapsed(start: Moment, end: Moment) -> float:
    """Seconds between two moments, those included during which the machine slept.

    A wall clock that was set ahead looks the same: a lease then seems older than it is, the safe side.
    """
    monotonic, wall = end.monotonic - start.monotonic, end.wall - start.wall
    return wall if wall - monotonic > _JUMP else monotonic


@dataclass(frozen=True)
class LeaseRules:
    """Times in seconds. What they stop ends at least 2 s before another worker can get the lease.

    An attempt shorter than 28 s keeps back a quarter of its time for that.
    """

    heartbeat_timeout: float
    attempt_timeout: float
    asked_grace: float

    @property
    def grace(self) -> float:
        """From the stop of the work until its lease may be over."""
        return min(self.asked_grace, self.heartbeat_timeout / 3)

    @property
    def keeps_for(self) -> float:
        """The work is stopped this long after the last acknowledged heartbeat was sent."""
        return max(0.0, self.heartbeat_timeout - self.grace - _SAFETY)

    @property
    def heartbeat_every(self) -> float:
        return min(self.heartbeat_timeout / 3, self.keeps_for / 2)

    @property
    def heartbeat_within(self) -> float:
        """Limit of one heartbeat's request."""
        return max(1.0, min(10.0, self.heartbeat_timeout / 6))

    @property
    def works_for(self) -> float:
        """The work is stopped this long after it was claimed."""
        return self.attempt_timeout - min(self.grace + _SAFETY, self.attempt_timeout / 4)


@dataclass(frozen=True)
class LeaseState:
    """What is known of a lease at one moment, in seconds since something happened."""

    since_kept: float
    """Since the last acknowledged heartbeat was sent; before the first, since the claim was sent."""
    since_claimed: float
    since_tried: float
    """Since the last heartbeat was tried; infinite before the first."""
    is_trying: bool
    is_stopped: bool
    has_progress: bool = False
    """The next heartbeat has something to say."""


def next_step(state: LeaseState, rules: LeaseRules) -> tuple[str, float]:
    """What to do next: ``lost``, ``timed-out``, ``heartbeat``, or ``wait`` with the seconds."""
    if state.since_kept >= rules.keeps_for:
        return "lost", 0
    if not state.is_stopped and state.since_claimed >= rules.works_for:
        return "timed-out", 0
    until_keep = max(rules.heartbeat_every - state.since_kept, _RETRY - state.since_tried)
    until_said = _PROGRESS_EVERY - state.since_tried if state.has_progress else inf
    until_heartbeat = min(until_keep, until_said)
    if not state.is_trying and until_heartbeat <= 0:
        return "heartbeat", 0
    until_timeout = inf if state.is_stopped else rules.works_for - state.since_claimed
    until_try = inf if state.is_trying else until_heartbeat
    return "wait", min(rules.keeps_for - state.since_kept, until_timeout, until_try, _LONGEST_WAIT)


class Lease:
    """Keeps the lease of one attempt by heartbeats, and sets ``stopped`` when the work has to stop."""

    def __init__(
        self,
        heartbeat: Callable[[Stop, dict[str, Any]], bool],
        rules: LeaseRules,
        sent_at: Moment,
        answered_at: Moment,
        clock: Clock,
    ) -> None:
        self.rules, self.clock = rules, clock
        self.stopped = Stop()
        self.reason: str | None = None
        self.is_gone = False
        """The API has said that the attempt has ended, or that another one has replaced it."""
        self._heartbeat = heartbeat
        self._kept_at, self._claimed_at = sent_at, answered_at
        self._tried_at: Moment | None = None
        self._cancelled = False
        self._progress: dict[str, Any] = {}
        self._ended = Stop()
        self._changed = threading.Condition()
        self._trying = False

    @property
    def may_be_lost(self) -> bool:
        """Whether another worker may have the lease by now."""
        age = elapsed(self._kept_at, self.clock.now())
        return self.is_gone or age >= self.rules.keeps_for + self.rules.grace

    def begin(self) -> bool:
        """False if the lease is lost before the work begins.

        After a claim that took long, it is kept first.
        """
        for tries in range(_FIRST_TRIES):
            if not self._is_old() or self.stopped.is_set():
                break
            if tries > 0:
                self.stopped.wait(_RETRY)
            self.heartbeat()
        if self._is_old():
            self.stop("lost")
        if self.stopped.is_set():
            return False
        threading.Thread(target=self._keep, name="quarterjack-lease", daemon=True).start()
        return True

    def stop(self, reason: str) -> None:
        """Ask the work to stop. The lease is kept until ``end``."""
        with self._changed:
            self.reason = self.reason or reason
        self.stopped.set()

    def review(self) -> None:
        """Stop the work if its time is over: a process that was frozen may learn of it late."""
        step, _ = next_step(self._state(), self.rules)
        if step in ("lost", "timed-out"):
            self.stop(step)

    def heartbeat(self) -> None:
        """Send a heartbeat now, or wait for the one under way. Its failure is left to the next one."""
        with self._changed:
            if self._trying:
                self._changed.wait_for(lambda: not self._trying)
                return
            self._trying = True
        self._try()

    def say(self, progress: dict[str, Any]) -> None:
        """Send it with a heartbeat soon. A later one takes its place."""
        with self._changed:
            self._progress = progress

    def say_now(self) -> None:
        """Send the progress that waits, if there is one."""
        with self._changed:
            self._changed.wait_for(lambda: not self._trying)
        if self._progress and not self.is_gone:
            self.heartbeat()

    def end(self) -> None:
        """End the heartbeats."""
        self._ended.set()
        with self._changed:
            self._changed.notify_all()

    def _is_old(self) -> bool:
        return elapsed(self._kept_at, self.clock.now()) >= self.rules.heartbeat_every

    def _keep(self) -> None:
        while not (self._ended.is_set() or self.is_gone or self._cancelled):
            step, seconds = next_step(self._state(), self.rules)
            if step in ("lost", "timed-out"):
                self.stop(step)
            if step == "lost":
                return
            with self._changed:
                if step == "heartbeat" and not self._trying:
                    self._trying = True
                    threading.Thread(target=self._try, name="quarterjack-heartbeat", daemon=True).start()
                elif step == "wait" and not self._ended.is_set():
                    self._changed.wait(seconds)

    def _state(self) -> LeaseState:
        now = self.clock.now()
        tried = inf if self._tried_at is None else elapsed(self._tried_at, now)
        kept, claimed = elapsed(self._kept_at, now), elapsed(self._claimed_at, now)
        has_progress = bool(self._progress)
        return LeaseState(kept, claimed, tried, self._trying, self.stopped.is_set(), has_progress)

    def _try(self) -> None:
        sent_at = self._tried_at = self.clock.now()
        with self._changed:
            progress, self._progress = self._progress, {}
        try:
            cancelled = self._heartbeat(self._ended, progress)
            progress = {}
            self._kept_at = sent_at
            if cancelled:
                self._cancelled = True  # from now on, the API lets the lease expire
                self.stop("cancelled")
        except (ConflictError, AuthenticationError, NotFoundError):
            if not self._ended.is_set():
                self.is_gone = True
                self.stop("lost")
        except ValidationError:
            progress = {}  # an API of an earlier version takes none: the next one has to do without
        except QuarterjackError:
            pass  # the next one may arrive
        finally:
            with self._changed:
                self._progress = self._progress or progress
                self._trying = False
                self._changed.notify_all()
