"""Where a program's token comes from: an OAuth issuer, or a secret of AWS."""

from __future__ import annotations

import json
import os
import threading
import time
from typing import Any
from urllib.parse import urlencode

from ._connection import base_url
from ._http import Request, Retry, Transport
from .errors import ArgumentError, AuthenticationError, ResponseError

_MARGIN_SEC = 60.0


class ClientCredentials:
    """The ``token`` of a program that signs in for itself, by OAuth 2.0 client credentials.

    A token is kept until a minute before it expires. ``token_endpoint`` is that of ``sign_in()``. Raises an
    ``AuthenticationError`` if the issuer refuses the client.
    """

    def __init__(
        self, token_endpoint: str, client_id: str, client_secret: str, *, scope: str | None = None
    ) -> None:
        base_url(token_endpoint)
        self._endpoint = token_endpoint
        form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
        self._form = {**form, **({} if scope is None else {"scope": scope})}
        self._transport = Transport(Retry(max_tries=1, timeout=10.0))
        self._lock = threading.Lock()
        self._token, self._until = "", 0.0

    def __call__(self) -> str:
        with self._lock:
            if not self._token or time.monotonic() >= self._until:
                self._token, life = self._fetch()
                self._until = time.monotonic() + life - _MARGIN_SEC
            return self._token

    def forget(self) -> None:
        """Get a new token at the next call: the API has refused the one that is kept."""
        with self._lock:
            self._token = ""

    def _fetch(self) -> tuple[str, float]:
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        data = urlencode(self._form).encode()
        response = self._transport.send(Request("POST", self._endpoint, headers, data))
        try:
            body: Any = json.loads(response.body)
        except ValueError:
            body = None
        body = body if isinstance(body, dict) else {}
        if body.get("error") == "invalid_client":
            detail = f"the issuer refuses the client {self._form['client_id']}, or its secret"
            raise AuthenticationError(response.status, {"title": "Unauthorized", "detail": detail})
        if not 200 <= response.status < 300 or not isinstance(body.get("access_token"), str):
            reason = f" ({body['error']})" if isinstance(body.get("error"), str) else ""
            raise ResponseError(
                f"{self._endpoint} answered {response.status}{reason}, and no token", response.status
            )
        life = body.get("expires_in")
        return body["access_token"], float(life) if isinstance(life, (int, float)) else 0.0


class SecretKey:
    """The ``token`` of a function that the construct lets call the API: a key in AWS Secrets Manager.

    The value is read once, and again after the API has refused it. Needs boto3, which Lambda has.
    """

    def __init__(self, arn: str, *, client: Any = None) -> None:
        self._arn, self._client = arn, client
        self._lock = threading.Lock()
        self._value = ""

    def __call__(self) -> str:
        with self._lock:
            if not self._value:
                self._value = self._read()
            return self._value

    def forget(self) -> None:
        """Read the secret again at the next call: the API has refused the key that is kept."""
        with self._lock:
            self._value = ""

    def _read(self) -> str:
        if self._client is None:
            try:
                import boto3  # type: ignore[import-not-found,import-untyped,unused-ignore]
            except ImportError:
                raise ArgumentError(
                    "token", None, "boto3, to read the key's secret: pip install boto3"
                ) from None
            self._client = boto3.client("secretsmanager")
        value: str = self._client.get_secret_value(SecretId=self._arn)["SecretString"]
        return value


def default_token() -> str | SecretKey | None:
    """By the environment: ``QUARTERJACK_TOKEN``, or the secret that ``QUARTERJACK_KEY_SECRET`` names."""
    arn = os.environ.get("QUARTERJACK_KEY_SECRET")
    return os.environ.get("QUARTERJACK_TOKEN") or (SecretKey(arn) if arn else None)
