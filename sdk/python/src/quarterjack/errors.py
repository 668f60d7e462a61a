"""The errors of this package. Their classes differ in what the caller can do about them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_SHORT = re.compile(r"(?=\d)(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?", re.ASCII)
_ISO = re.compile(
    r"P(?=\d|T\d)(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?", re.ASCII
)
_LONGEST_DELAY_SEC = 6 * 3600


def duration_sec(text: object) -> float | None:
    """``60s``, ``1m30s`` or ``PT1M`` in seconds; days are 24 h. None for anything else."""
    match = isinstance(text, str) and (_SHORT.fullmatch(text) or _ISO.fullmatch(text))
    if not match:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)


class QuarterjackError(Exception):
    """Base class of all errors of this package."""


class ArgumentError(QuarterjackError, ValueError):
    """The program has passed something else than the package takes. Nothing was sent.

    ``argument`` is its name. The message shows no value, which may be secret.
    """

    def __init__(self, argument: str, value: object, expected: str) -> None:
        self.argument = argument
        kind = "None" if value is None else "an empty text" if value == "" else type(value).__name__
        super().__init__(f"{argument} is {kind}; expected {expected}")


class ApiConnectionError(QuarterjackError):
    """No response: every allowed try ended in a network failure or a time-out."""


class ResponseError(QuarterjackError):
    """A response that is not one of the API, such as a sign-in page of a proxy."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class WaitTimeoutError(QuarterjackError, TimeoutError):
    """The execution had not ended within the time that ``wait`` was given."""


class ProblemError(QuarterjackError):
    """The API responded with an error: a problem of RFC 9457.

    ``type`` is a URL that says what the problem is, or ``about:blank``. An operator finds the request by
    ``request_id``. ``errors`` are the rejected fields: ``{"path", "message"}``.
    """

    def __init__(self, status: int, body: Any, request_id: str | None = None) -> None:
        known: Mapping[str, Any] = body if isinstance(body, Mapping) else {}
        of_gateway = "type" not in known and (status == 401 or isinstance(known.get("message"), str))
        own_title, own_detail = _OF_GATEWAY.get(status, (None, None)) if of_gateway else (None, None)
        text = body.strip()[:500] if isinstance(body, str) else ""
        details = (known.get("detail"), own_detail, known.get("message"), text)
        self.status = status
        self.type: str = known["type"] if isinstance(known.get("type"), str) else "about:blank"
        self.title: str = known["title"] if isinstance(known.get("title"), str) else own_title or ""
        self.detail: str = next((one for one in details if isinstance(one, str) and one), "no description")
        self.instance: str | None = known.get("instance") if isinstance(known.get("instance"), str) else None
        self.request_id = request_id
        given = known.get("errors")
        self.errors: list[dict[str, Any]] = [
            one
            for one in (given if isinstance(given, list) else [])
            if isinstance(one, dict) and "path" in one
        ]
        super().__init__(f"{self.title or 'Status'} ({status}): {self.detail}")


class ValidationError(ProblemError):
    """400 and 413: the request is invalid. ``errors`` names the fields."""


class AuthenticationError(ProblemError):
    """401: the token is missing, has expired, or is not for this API."""


class PermissionDeniedError(ProblemError):
    """403: the token lacks a scope."""


class NotFoundError(ProblemError):
    """404: the project has no such job or execution."""


class ConflictError(ProblemError):
    """409, 412 and 422: another request came first. Read the current state, then decide."""


class RateLimitError(ProblemError):
    """429, after every allowed try."""


class ServerError(ProblemError):
    """5xx, after every allowed try. Whether the request took effect is unknown."""


_BY_STATUS: dict[int, type[ProblemError]] = {
    400: ValidationError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    413: ValidationError,
    422: ConflictError,
    429: RateLimitError,
}
_OF_GATEWAY: dict[int, tuple[str, str]] = {
    401: ("Unauthorized", "the token is missing, has expired, or is not for this API"),
    404: ("Not found", "the API has no route with this path"),
    413: ("Request too large", "a request has at most 10 MB"),
    429: ("Too many requests", "the API gets more requests than it takes; try again in a second"),
}


def problem_of(status: int, body: Any, request_id: str | None = None) -> ProblemError:
    """The error for a response. ``body`` is the parsed JSON, or the text if it is none."""
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ProblemError)
    return kind(status, body, request_id)


class SignatureError(QuarterjackError):
    """The delivery is not from Quarterjack, was changed on the way, or is too old: answer 401."""


class StaleFenceError(QuarterjackError):
    """The receiver has seen a later attempt of this execution: answer 409."""


class CallbackError(QuarterjackError):
    """The delivery wants its reports at an address that is not the API's: answer 401."""


class FatalError(QuarterjackError):
    """Raised by your code: the execution has failed, and no further attempt can change that.

    With ``reason``, ``bad-payload`` or ``unknown-job``, it ends with that.
    """

    def __init__(self, *args: object, reason: str | None = None) -> None:
        super().__init__(*args)
        self.reason = reason


class RetryAfter(QuarterjackError):
    """Raised by your code: a failure that may be retried, after ``delay`` such as ``5m``: at most ``6h``.

    ``reason`` is as that of a ``FatalError``, once no attempt follows.
    """

    def __init__(self, delay: str, message: str | None = None, *, reason: str | None = None) -> None:
        seconds = duration_sec(delay)
        if seconds is None or seconds > _LONGEST_DELAY_SEC:
            raise ArgumentError("delay", delay, "a duration such as 5m, at most 6h")
        super().__init__(message or f"try again after {delay}")
        self.delay, self.seconds, self.reason = delay, seconds, reason


class ReleaseError(QuarterjackError):
    """Raised by a worker's code before the work begins: it goes back to its queue, and costs no attempt."""


class StoppedError(QuarterjackError):
    """The work has to stop. ``reason``: ``cancelled``, ``lost``, ``timed-out``, ``stopped`` or ``closed``."""

    def __init__(self, reason: str) -> None:
        super().__init__(_STOPPED.get(reason, reason))
        self.reason = reason


_STOPPED = {
    "cancelled": "the execution was cancelled",
    "lost": "the lease of the attempt is lost",
    "timed-out": "the attempt timed out",
    "stopped": "the worker was stopped",
    "closed": "the caller is gone",
}
