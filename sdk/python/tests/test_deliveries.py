"""What Python has of its own for deliveries: headers of its frameworks, apps of WSGI and ASGI, Lambda."""

import asyncio
import base64
import email.message
import hashlib
import hmac
import io
import json
import time
import unittest
import wsgiref.validate

from fake_api import FakeApi
from quarterjack import (
    Attempt,
    CallbackError,
    ConflictError,
    Delivery,
    FatalError,
    FenceGuard,
    MemoryFenceStore,
    Quarterjack,
    QuarterjackError,
    Receiver,
    RetryAfter,
    SignatureError,
    StaleFenceError,
    verify_delivery,
)

KEY = b"0123456789abcdef0123456789abcdef"
SECRET = "whsec_" + base64.b64encode(KEY).decode()


def sign(key, text):
    return "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()


def headers_of(body=b"", fence=1, key=KEY, **more):
    now = str(int(time.time()))
    own = {
        "quarterjack-job": "load",
        "quarterjack-execution": "20261201T083000.000Z",
        "quarterjack-attempt": "1",
        "quarterjack-fence": str(fence),
        "quarterjack-due": "2026-12-01T08:30:00.000Z",
        **{name.replace("_", "-"): value for name, value in more.items()},
    }
    lines = ["v1\n", "id\n", f"{now}\n", *(f"{name}:{own[name]}\n" for name in sorted(own))]
    by_headers = sign(
        hmac.new(key, b"quarterjack-headers/1", hashlib.sha256).digest(), "".join(lines).encode()
    )
    signed = {
        "webhook-signature": sign(key, f"id.{now}.".encode() + body),
        "quarterjack-signature": by_headers,
    }
    return {"webhook-id": "id", "webhook-timestamp": now, **own, **signed}


class VerifyTest(unittest.TestCase):
    def test_headers_as_frameworks_have_them(self):
        given = headers_of(b"{}")
        message = email.message.Message()
        for name, value in given.items():
            message[name.title()] = value
        forms = [given, list(given.items()), message, [(n.encode(), v.encode()) for n, v in given.items()]]
        forms.append({name.upper(): [value] for name, value in given.items()})
        for form in forms:
            delivery = verify_delivery(form, b"{}", SECRET)
            self.assertEqual((delivery.job_id, delivery.json(), delivery.due_at.hour), ("load", {}, 8))
        message["Webhook-Id"] = "id"
        with self.assertRaisesRegex(SignatureError, "webhook-id is given twice"):
            verify_delivery(message, b"{}", SECRET)

    def test_what_is_not_genuine_and_what_is_wrong_use(self):
        for changed in (
            {"quarterjack-fence": "2"},
            {"quarterjack-new": "x"},
            {"webhook-timestamp": "0"},
            {"webhook-signature": "v1"},
            {"webhook-id": ""},
            {"quarterjack-job": "a\nb:c"},
            {"quarterjack-due": ["x", "y"]},
        ):
            with self.assertRaises(SignatureError, msg=changed):
                verify_delivery({**headers_of(), **changed}, b"", SECRET)
        for wrong in (
            lambda: verify_delivery(headers_of(), {}, SECRET),
            lambda: verify_delivery(None, b"", SECRET),
            lambda: verify_delivery(headers_of(), b"", "secret"),
            lambda: verify_delivery(headers_of(), b"", []),
            lambda: verify_delivery(headers_of(b"x"), b"x", SECRET).json(),
        ):
            with self.assertRaises(QuarterjackError):
                wrong()

    def test_a_guard_takes_proven_deliveries_alone(self):
        guard = FenceGuard(MemoryFenceStore(1))
        guard.admit(verify_delivery(headers_of(fence=2), None, SECRET))
        with self.assertRaises(StaleFenceError):
            guard.admit(verify_delivery(headers_of(fence=1), None, SECRET))
        guard.admit(verify_delivery(headers_of(fence=2), None, SECRET))
        made = Delivery("id", "a", "b", 1, 9, None, None, None, b"", True)
        with self.assertRaisesRegex(QuarterjackError, "takes the result of verify_delivery"):
            guard.admit(made)


class AttemptTest(unittest.TestCase):
    def delivery(self, api):
        more = {"quarterjack_callback": api.url + "/v1/attempts", "quarterjack_token": "t"}
        return verify_delivery(headers_of(**more), b"", SECRET)

    def test_reports_go_to_the_api_alone(self):
        with FakeApi() as api:
            delivery = self.delivery(api)
            with self.assertRaises(CallbackError):
                Attempt.of(delivery, "https://api.example.com")
            attempt = Attempt.of(delivery, ["https://api.example.com", api.url + "/x"])
            self.assertEqual(attempt.run(lambda stop: "done"), "done")
            self.assertEqual(
                (api.asked[0].path, api.asked[0].body), ("/v1/attempts/complete", {"result": "done"})
            )
            self.assertNotIn("'t'", repr(delivery))

    def test_a_cancelled_attempt_stops_and_fails_and_a_replaced_one_reports_nothing(self):
        def work(stop):
            stop.wait(20)
            raise RuntimeError("gave up")

        for status, body, last in ((200, {"cancelRequested": True}, "fail"), (409, {}, "heartbeat")):
            with FakeApi() as api:
                api.plan = [(status, body)]
                with self.assertRaisesRegex(RuntimeError, "gave up"):
                    Attempt.of(self.delivery(api), api.url).run(work, every=0.01)
                self.assertEqual(api.asked[-1].path, f"/v1/attempts/{last}")
        with FakeApi(lambda asked: (409, {})) as api, self.assertRaises(ConflictError):
            Attempt.of(self.delivery(api), api.url).complete()


class ReceiverTest(unittest.TestCase):
    def wsgi(self, app, body, headers, method="POST"):
        environ = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        environ |= {
            "REQUEST_METHOD": method,
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
        }
        environ |= {"SCRIPT_NAME": "", "PATH_INFO": "/", "SERVER_NAME": "x", "SERVER_PORT": "1"}
        environ |= {"wsgi.version": (1, 0), "wsgi.errors": io.StringIO(), "wsgi.multithread": True}
        environ |= {
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "wsgi.url_scheme": "http",
            "QUERY_STRING": "",
        }
        environ |= {"SERVER_PROTOCOL": "HTTP/1.1"}
        answered = []
        chunks = wsgiref.validate.validator(app)(environ, lambda *args: answered.append(args))
        text = b"".join(chunks)
        chunks.close()
        return int(answered[0][0][:3]), dict(answered[0][1]), text

    def asgi(self, app, body, headers):
        sent = []

        async def main():
            messages = [{"type": "http.request", "body": body, "more_body": False}]

            async def receive():
                if messages:
                    return messages.pop()
                await asyncio.Event().wait()

            async def send(message):
                sent.append(message)

            pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
            await app({"type": "http", "headers": pairs}, receive, send)

        asyncio.run(main())
        return sent[0]["status"], {n.decode(): v.decode() for n, v in sent[0]["headers"]}, sent[1]["body"]

    def url(self, app, body, headers):
        event = {"headers": headers, "body": base64.b64encode(body).decode(), "isBase64Encoded": True}
        answer = app(event)
        return answer["statusCode"], answer["headers"], answer["body"].encode()

    def test_what_a_function_does_is_the_answer_in_each_form(self):
        def act(delivery):
            kind = delivery.json()
            if kind == "fatal":
                raise FatalError("no such table")
            if kind == "later":
                raise RetryAfter("5m")
            if kind == "fail":
                raise RuntimeError("boom")
            return {"rows": 7} if kind == "result" else None

        receiver = Receiver(act, secret=[SECRET])
        wanted = {'"none"': 204, '"result"': 200, '"fatal"': 422, '"later"': 503, '"fail"': 500}
        for play, app in (
            (self.wsgi, receiver.wsgi),
            (self.asgi, receiver.asgi),
            (self.url, receiver.lambda_url),
        ):
            for text, status in wanted.items():
                with self.subTest(app=app, text=text):
                    body = text.encode()
                    if status == 500:
                        with self.assertLogs("quarterjack"):
                            given = play(app, body, headers_of(body))
                    else:
                        given = play(app, body, headers_of(body))
                    self.assertEqual(given[0], status)
                    if status == 200:
                        self.assertEqual(json.loads(given[2]), {"rows": 7})
                    if status == 503:
                        self.assertEqual(given[1]["retry-after"], "300")
            self.assertEqual(play(app, b"{}", headers_of(b"[]"))[0], 401)

    def test_coroutines_fences_and_large_bodies(self):
        async def act(delivery):
            await asyncio.sleep(0)
            return delivery.fence

        receiver = Receiver(act, secret=SECRET, fence_store=MemoryFenceStore())
        self.assertEqual(self.asgi(receiver.asgi, b"", headers_of(fence=2))[2], b"2")
        self.assertEqual(self.wsgi(receiver.wsgi, b"", headers_of(fence=1))[0], 409)
        self.assertEqual(self.asgi(receiver.asgi, b"x" * 1_100_000, headers_of())[0], 413)

    def test_calls_pass_on_the_depth_and_the_trace_of_their_delivery(self):
        trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        with FakeApi(lambda asked: (200, {"eventId": "e"})) as api:
            client = Quarterjack(api.url, "key")

            def act(delivery):
                client.send_event({"name": "paid"})

            receiver = Receiver(act, secret=SECRET)
            headers = {**headers_of(b"", quarterjack_hop="2"), "traceparent": trace}
            for play, app in (
                (self.wsgi, receiver.wsgi),
                (self.asgi, receiver.asgi),
                (self.url, receiver.lambda_url),
            ):
                self.assertEqual(play(app, b"", headers)[0], 204)
            no_header = {**headers, "traceparent": "\u0142"}
            self.assertEqual(self.url(receiver.lambda_url, b"", no_header)[0], 204)
            client.send_event({"name": "paid"})
        caused = [(one.headers.get("quarterjack-hop"), one.headers.get("traceparent")) for one in api.asked]
        self.assertEqual(caused, [*[("2", trace)] * 3, ("2", None), (None, None)])

    def test_a_secret_is_needed(self):
        with self.assertRaisesRegex(QuarterjackError, "set QUARTERJACK_SECRET"):
            Receiver(len)


if __name__ == "__main__":
    unittest.main()
