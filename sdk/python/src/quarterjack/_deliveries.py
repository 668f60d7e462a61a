"""Deliveries: both signatures, and what the headers say."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from ._connection import cause_of
from .errors import QuarterjackError, SignatureError

Headers = Mapping[str, Any] | Iterable[tuple[Any, Any]]
_OURS = ("webhook-", "quarterjack-")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SIGNATURE = re.compile(r"[A-Za-z0-9]+,[A-Za-z0-9+/=_-]+")
_PURPOSE = b"quarterjack-headers/1"
_PROOF = object()


@dataclass(frozen=True)
class Delivery:
    """A delivery that is proven to be for this receiver. Only ``verify_delivery`` makes one."""

    id: str
    """Identifies the execution, and is the same on every attempt: deduplicate by it."""
    job_id: str
    exec_id: str
    attempt: int
    fence: int
    """Rises with every claim of the execution: see ``FenceGuard``."""
    due_at: datetime
    target: int | None
    """Index of the target, if the job has several."""
    depth: int | None
    """How many deliveries led to this one, itself included."""
    body: bytes
    headers_signed: bool
    """False with ``legacy`` alone: then only ``id`` and ``body`` are proven."""
    key: str | None = None
    """The key of the run, if it has one."""
    _reporting: tuple[str, str] | None = field(default=None, repr=False)
    _cause: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    _proof: object = field(default=None, repr=False, compare=False)

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """The payload; None if the job has none. Raises a ``QuarterjackError`` for what is no JSON."""
        try:
            return json.loads(self.body) if self.body else None
        except (ValueError, RecursionError) as error:
            raise QuarterjackError(f"the body of the delivery is not JSON: {error}") from error


def verify_delivery(
    headers: Headers,
    body: bytes | str | None,
    secret: str | Sequence[str],
    *,
    legacy: bool = False,
    tolerance: float = 300.0,
    now: float | None = None,
) -> Delivery:
    """Check both signatures of a delivery in constant time, and read its headers.

    ``headers`` are those of the request as they arrived: a mapping, or pairs of name and value. ``body`` is
    raw: one that was parsed and written again does not verify. ``secret`` is ``whsec_…`` of this host, the
    field ``secret`` of ``signing_secret(host=…)``; both during a rotation. ``tolerance``: seconds. ``legacy``
    accepts what a legacy secret of the project proves alone. Raises a ``SignatureError`` for what is not
    genuine.
    """
    data = b"" if body is None else body.encode() if isinstance(body, str) else body
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise QuarterjackError("the body must be raw, as bytes or text, and not parsed")
    data = bytes(data)
    keys = _keys(secret)
    pairs = _pairs(headers)
    read = _own_headers(pairs)
    id_, timestamp = _required(read, "webhook-id"), _required(read, "webhook-timestamp")
    _check_age(timestamp, tolerance, time.time() if now is None else now)
    given = _signatures("webhook-signature", _required(read, "webhook-signature"))
    by_body = [_signed_by(key, f"{id_}.{timestamp}.".encode() + data, given) for key in keys]
    if not any(by_body):
        raise SignatureError("no signature of the delivery matches the secret")
    name = "quarterjack-signature"
    given = [] if legacy and not read.get(name) else _signatures(name, _required(read, name))
    names = sorted(one for one in read if one.startswith("quarterjack-") and one != name)
    lines = ["v1\n", f"{id_}\n", f"{timestamp}\n", *(f"{one}:{read[one]}\n" for one in names)]
    signed = "".join(lines).encode("utf-8", "surrogateescape")
    # One secret must have made both: two secrets may belong to two parties.
    proven = [of_body & _signed_by(_mac(key, _PURPOSE), signed, given) for key, of_body in zip(keys, by_body)]
    if not any(proven) and not legacy:
        raise SignatureError(
            "no signature of the quarterjack-… headers matches; a legacy secret needs legacy=True"
        )
    trace = {name: _text(value) for name, value in pairs if name.startswith("trace") and _is_text(value)}
    return _delivery(id_, {**trace, **read}, data, any(proven))


def _delivery(id_: str, read: Mapping[str, str], data: bytes, signed: bool) -> Delivery:
    callback, token = read.get("quarterjack-callback"), read.get("quarterjack-token")
    due = _required(read, "quarterjack-due")
    try:
        due_at = datetime.fromisoformat(due.replace("Z", "+00:00"))
    except ValueError:
        due_at = None
    if due_at is None or due_at.tzinfo is None:
        raise SignatureError(f"quarterjack-due is {due!r}; expected a time")
    depth = _number(read, "quarterjack-hop", 1) if "quarterjack-hop" in read else None
    return Delivery(
        id=id_,
        job_id=_required(read, "quarterjack-job"),
        exec_id=_required(read, "quarterjack-execution"),
        attempt=_number(read, "quarterjack-attempt", 1),
        fence=_number(read, "quarterjack-fence", 1),
        due_at=due_at,
        target=_number(read, "quarterjack-target", 0) if "quarterjack-target" in read else None,
        depth=depth,
        body=data,
        headers_signed=signed,
        key=decoded_key(_required(read, "quarterjack-key")) if "quarterjack-key" in read else None,
        _reporting=(callback, token) if callback and token else None,
        _cause=cause_of(depth, read),
        _proof=_PROOF,
    )


def decoded_key(text: str) -> str:
    """Only what is signed can be encoded in another way: then it is kept as it is."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text


def _mac(key: bytes, signed: bytes) -> bytes:
    return hmac.new(key, signed, hashlib.sha256).digest()


def _signed_by(key: bytes, signed: bytes, given: list[bytes]) -> bool:
    """Compares every pair, so that the time taken tells nothing."""
    expected = _mac(key, signed)
    return any([hmac.compare_digest(expected, one) for one in given])


def _base64(text: str) -> bytes:
    """Of either alphabet, up to the first ``=``; other characters are left out."""
    kept = re.sub(r"[^A-Za-z0-9+/]", "", text.replace("-", "+").replace("_", "/").partition("=")[0])
    kept = kept[:-1] if len(kept) % 4 == 1 else kept
    return base64.b64decode(kept + "=" * (-len(kept) % 4))


def _keys(secret: str | Sequence[str]) -> list[bytes]:
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    keys = [_base64(one[6:]) if isinstance(one, str) and one.startswith("whsec_") else b"" for one in secrets]
    if not keys or not all(keys):
        raise QuarterjackError("the signing secret must be one or several of 'whsec_' followed by base64")
    return keys


def _pairs(headers: Any) -> list[tuple[str, Any]]:
    """Names in lower case, each with its value."""
    try:
        items = headers.items() if hasattr(headers, "items") else headers
        return [(_text(name).lower(), value) for name, value in items]
    except (TypeError, ValueError):
        raise QuarterjackError(
            "the headers of the request are missing: pass them, or pairs of them"
        ) from None


def _own_headers(pairs: list[tuple[str, Any]]) -> dict[str, str]:
    """The ``webhook-…`` and ``quarterjack-…`` headers; none is given twice."""
    read: dict[str, str] = {}
    for name, value in pairs:
        if not name.startswith(_OURS):
            continue
        if not _NAME.fullmatch(name):
            raise SignatureError(f"{name!r} is not the name of a header")
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        if not values:
            continue
        if len(values) > 1 or name in read:
            raise SignatureError(f"{name} is given twice")
        text = _text(values[0]) if _is_text(values[0]) else "\0"
        if _CONTROL.search(text):
            raise SignatureError(f"{name} is not the text of a header")
        read[name] = text.strip(" ")
    return read


def _is_text(value: Any) -> bool:
    return isinstance(value, (str, bytes))


def _text(value: Any) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value + ""


def _required(read: Mapping[str, str], name: str) -> str:
    if not read.get(name):
        raise SignatureError(f"the delivery has no header {name}")
    return read[name]


def _number(read: Mapping[str, str], name: str, least: int) -> int:
    text = _required(read, name)
    if not re.fullmatch(r"\d{1,15}", text, re.ASCII) or int(text) < least:
        raise SignatureError(f"{name} is {text!r}; expected a whole number from {least}")
    return int(text)


def _signatures(name: str, value: str) -> list[bytes]:
    parts = value.split(" ")
    if not all(_SIGNATURE.fullmatch(one) for one in parts):
        raise SignatureError(f"{name} is malformed, or given twice")
    return [_base64(one[3:]) for one in parts if one.startswith("v1,")]


def _check_age(timestamp: str, tolerance: float, now: float) -> None:
    if not re.fullmatch(r"\d{1,12}", timestamp, re.ASCII):
        raise SignatureError(f"webhook-timestamp is {timestamp!r}; expected seconds since 1970")
    age = now - int(timestamp)
    if abs(age) > tolerance:
        when = "past" if age > 0 else "future"
        raise SignatureError(
            f"webhook-timestamp is {abs(age):.0f} s in the {when}; at most {tolerance:g} s is allowed"
        )


def is_proven(delivery: object) -> bool:
    """Whether ``verify_delivery`` made it."""
    return isinstance(delivery, Delivery) and delivery._proof is _PROOF
