"""Receives deliveries. Needs Python 3.9 or newer, and nothing else."""

import base64
import hashlib
import hmac
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Of this host, as GET /v1/signing-secret?host= returns it; during a rotation both, separated by a space.
SECRETS = os.environ["QUARTERJACK_SECRET"].split()
KEYS = [base64.b64decode(secret.removeprefix("whsec_"), validate=True) for secret in SECRETS]
TOLERANCE_SEC = 300


def mac(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def signed_by(key, message, signatures):
    expected = b"v1," + base64.b64encode(mac(key, message))
    return any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))


def own_headers(headers):
    """The webhook-… and quarterjack-… headers, names in lower case. None if one is given twice."""
    own = {}
    for name, value in headers.items():
        name = name.lower()
        if not name.startswith(("webhook-", "quarterjack-")):
            continue
        if name in own or "\n" in value or "\r" in value:
            return None
        own[name] = value.strip()
    return own


def is_genuine(headers, body):
    own = own_headers(headers)
    if own is None:
        return False
    delivery_id, timestamp = own.get("webhook-id", ""), own.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SEC:
        return False
    signed_body = f"{delivery_id}.{timestamp}.".encode() + body
    names = sorted(name for name in own if name.startswith("quarterjack-"))
    lines = [f"{name}:{own[name]}\n" for name in names if name != "quarterjack-signature"]
    signed_headers = "".join(["v1\n", f"{delivery_id}\n", f"{timestamp}\n", *lines]).encode()
    return any(
        signed_by(key, signed_body, own.get("webhook-signature", ""))
        and signed_by(mac(key, b"quarterjack-headers/1"), signed_headers, own.get("quarterjack-signature", ""))
        for key in KEYS
    )


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        if genuine:
            print(self.headers["quarterjack-job"], body)  # your work; deduplicate by webhook-id
        self.send_response(204 if genuine else 401)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver).serve_forever()
