"""A scripted API on this machine: it keeps what it was asked, and answers what a test has planned."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Planned = tuple[int, Any] | tuple[int, Any, dict[str, str]] | str


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


class FakeApi:
    """``plan`` gets an answer for each request in turn, or ``lost``: the connection ends without one."""

    def __init__(self, answer: Callable[[Asked], Planned] | None = None) -> None:
        self.asked: list[Asked] = []
        self.plan: list[Planned] = []
        self._answer = answer
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                raw = self.rfile.read(size)
                headers = {name.lower(): value for name, value in self.headers.items()}
                is_json = "json" in headers.get("content-type", "")
                asked = Asked(
                    self.command, self.path, headers, json.loads(raw) if raw and is_json else raw or None
                )
                fake.asked.append(asked)
                planned = (
                    fake.plan.pop(0) if fake.plan else fake._answer(asked) if fake._answer else (200, {})
                )
                if planned == "lost":
                    self.close_connection = True
                    return
                status, body, *more = planned
                text = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
                self.send_response(status)
                for name, value in (more[0] if more else {}).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *args: None  # a client that has gone
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self) -> FakeApi:
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
