"""What is Python's own in the client; what all SDKs share is played by the suite of the repository."""

import asyncio
import dataclasses
import os
import threading
import unittest
from datetime import datetime, timezone
from unittest import mock

import quarterjack
from fake_api import FakeApi
from quarterjack import (
    ApiConnectionError,
    ArgumentError,
    AsyncQuarterjack,
    AuthenticationError,
    ClientCredentials,
    ConflictError,
    Quarterjack,
    ResponseError,
    Retry,
    SecretKey,
    WaitTimeoutError,
)

JOB = {"jobId": "a"}
FAST = Retry(base_delay=0.001)


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.api = FakeApi()
        self.addCleanup(self.api.__exit__)
        self.client = Quarterjack(self.api.url, "key", retry=FAST)

    def last(self):
        return self.api.asked[-1]

    def test_a_create_whose_answer_is_lost_is_repeated_under_its_key(self):
        self.api.plan = ["lost", (503, {"title": "Try again"}), (201, JOB, {"ETag": '"1"'})]
        job = self.client.jobs.create({"schedule": "rate(5 minutes)"})
        self.assertEqual(job, {"jobId": "a", "etag": '"1"'})
        keys = {asked.headers["idempotency-key"] for asked in self.api.asked}
        self.assertEqual((len(self.api.asked), len(keys)), (3, 1))

    def test_a_change_that_is_tied_to_an_etag_is_not_repeated(self):
        self.api.plan = ["lost"]
        with self.assertRaises(ApiConnectionError):
            self.client.jobs.put("a", {"schedule": "rate(5 minutes)"}, if_match='"1"')
        self.assertEqual(len(self.api.asked), 1)
        self.assertEqual(self.last().headers["if-match"], '"1"')

    def test_a_retry_of_an_execution_is_repeated_with_a_key_alone(self):
        self.api.plan = [(500, {})]
        with self.assertRaises(quarterjack.ServerError):
            self.client.executions.retry("a", "1")
        self.api.plan = [(500, {}), (202, {"jobId": "a"})]
        self.client.executions.retry("a", "1", idempotency_key="mine")
        self.assertEqual(len(self.api.asked), 3)

    def test_a_delete_whose_first_answer_was_lost_may_find_nothing(self):
        self.api.plan = ["lost", (404, {"title": "Not found"})]
        self.client.jobs.delete("a")
        self.api.plan = [(404, {"title": "Not found"})]
        with self.assertRaises(quarterjack.NotFoundError):
            self.client.jobs.delete("a")

    def test_a_slow_answer_ends_at_the_limit_of_the_whole_exchange(self):
        released = threading.Event()
        self.addCleanup(released.set)

        def slow(asked):
            released.wait(30)
            return 200, JOB

        with FakeApi(slow) as api:
            client = Quarterjack(api.url, "key", retry=Retry(max_tries=1, timeout=0.2))
            with self.assertRaisesRegex(ApiConnectionError, "no response within 0.2 s"):
                client.jobs.get("a")
            released.set()

    def test_lists_read_page_by_page_and_begin_anew(self):
        pages = [
            (200, {"items": [JOB], "nextCursor": "c d"}),
            (200, {"items": [{"jobId": "b"}], "nextCursor": None}),
        ]
        self.api.plan = pages * 2
        jobs = self.client.jobs.list(tag=["team:a", "stage:b"], last_status="failed")
        self.assertEqual([job["jobId"] for job in jobs], ["a", "b"])
        self.assertEqual(self.last().path, "/v1/jobs?tag=team%3Aa&tag=stage%3Ab&lastStatus=failed&cursor=c+d")
        self.assertEqual(jobs.to_list(1), [JOB])

    def test_times_and_names_are_written_as_the_api_reads_them(self):
        self.api.plan = [(200, {"items": [], "nextCursor": None})]
        since = datetime(2026, 12, 1, 8, 30, tzinfo=timezone.utc)
        list(self.client.executions.list("a/ü b", from_=since))
        self.assertEqual(
            self.last().path, "/v1/jobs/a%2F%C3%BC%20b/executions?from=2026-12-01T08%3A30%3A00.000Z"
        )
        with self.assertRaisesRegex(ArgumentError, "a datetime is datetime; expected one with a time zone"):
            list(self.client.executions.list("a", from_=datetime(2026, 12, 1)))

    def test_payloads_may_be_dataclasses_and_notes_are_unicode(self):
        @dataclasses.dataclass
        class Order:
            id: str
            at: datetime

        self.api.plan = [(202, {"jobId": "a", "execId": "1"})]
        order = Order("42", datetime(2026, 12, 1, tzinfo=timezone.utc))
        self.client.jobs.run("a", {"payload": order}, note="größer")
        self.assertEqual(self.last().body, {"payload": {"id": "42", "at": "2026-12-01T00:00:00.000Z"}})
        self.assertEqual(self.last().headers["quarterjack-note"], "gr%C3%B6%C3%9Fer")

    def test_wrong_arguments_send_nothing(self):
        wrong = [
            lambda: Quarterjack("ftp://x"),
            lambda: Quarterjack(self.api.url, 7),
            lambda: Quarterjack(self.api.url, "k\nX: y").jobs.get("a"),
            lambda: Quarterjack(self.api.url, project="ü"),
            lambda: Quarterjack(self.api.url, retry=Retry(max_tries=0)),
            lambda: self.client.jobs.get(""),
            lambda: self.client.jobs.get(".."),
            lambda: self.client.jobs.create({"payload": {1, 2}}),
            lambda: self.client.jobs.create({"payload": float("nan")}),
            lambda: self.client.jobs.create(JOB, note="\ud800"),
            lambda: self.client.request("GET", "/v1/../x"),
            lambda: self.client.request("TRACE", "/v1/jobs"),
        ]
        for one in wrong:
            with self.assertRaises(ArgumentError):
                one()
        self.assertEqual(self.api.asked, [])

    def test_problems_and_pages_of_others(self):
        body = {
            "type": "https://x/conflict",
            "title": "Conflict",
            "detail": "taken",
            "errors": [{"path": "jobId"}],
        }
        self.api.plan = [(409, body, {"Quarterjack-Request-Id": "r1"})]
        with self.assertRaises(ConflictError) as caught:
            self.client.jobs.create({})
        error = caught.exception
        self.assertEqual((error.status, error.type, error.request_id), (409, "https://x/conflict", "r1"))
        self.assertEqual((error.errors, str(error)), ([{"path": "jobId"}], "Conflict (409): taken"))
        self.api.plan = [(401, {"message": "Unauthorized"})]
        with self.assertRaisesRegex(AuthenticationError, "the token is missing, has expired"):
            self.client.me()
        for page in (b"<html>sign in</html>", [], {"other": 1}, None):
            self.api.plan = [(200, page)]
            with self.assertRaisesRegex(ResponseError, "is this the URL of a Quarterjack API"):
                self.client.me()
        self.api.plan = [(302, None, {"Location": "http://127.0.0.1:9/"})]
        with self.assertRaises(quarterjack.ProblemError):
            self.client.me()

    def test_bulk_and_load_add_up_their_pages(self):
        self.api.plan = [(200, {"matched": 2, "nextCursor": "c"}), (200, {"matched": 1, "nextCursor": None})]
        pages = list(self.client.bulk({"action": "pause", "filter": {"tag": ["a:b"]}}))
        self.assertEqual([page["matched"] for page in pages], [2, 1])
        self.assertEqual(len({asked.headers["idempotency-key"] for asked in self.api.asked}), 1)
        self.assertEqual(self.last().body["cursor"], "c")
        first = {"from": "f", "to": "t", "jobs": 1, "counts": [1, 0], "nextCursor": "c"}
        self.api.plan = [(200, first), (200, {**first, "counts": [2, 3], "nextCursor": None})]
        self.assertEqual(self.client.load()["counts"], [3, 3])

    def test_waiting_for_an_execution(self):
        running = {"jobId": "a", "execId": "1", "status": "running"}
        self.api.plan = [(200, running), (200, {**running, "status": "failed"})]
        self.assertEqual(self.client.wait("a", "1", interval=0.001)["status"], "failed")
        self.api.plan = [(200, running)]
        with self.assertRaisesRegex(WaitTimeoutError, "a/1 is running after 0 s"):
            self.client.wait("a", "1", timeout=0)

    def test_connections_are_kept_and_a_dead_one_is_replaced(self):
        ports = set()

        def answer(asked):
            ports.add(asked.headers["host"])
            return 200, JOB

        with FakeApi(answer) as api:
            client = Quarterjack(api.url, "key", retry=FAST)
            client.jobs.get("a")
            kept = client._api._transport._idle[0]
            client.jobs.get("a")
            self.assertIs(client._api._transport._idle[0], kept)
            kept.http.sock.close()
            kept.used_at = -10.0
            self.assertEqual(client.jobs.get("a"), JOB)
            self.assertIsNot(client._api._transport._idle[0], kept)

    def test_a_proxy_of_the_environment_is_asked_in_place_of_the_host(self):
        self.api.plan = [(200, {"by": {}})]
        with mock.patch.dict(os.environ, {"http_proxy": self.api.url, "no_proxy": "localhost"}):
            Quarterjack("http://api.example", "key").me()
        self.assertEqual(
            (self.last().path, self.last().headers["host"]), ("http://api.example/v1/me", "api.example")
        )
        with mock.patch.dict(os.environ, {"http_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.1"}):
            self.api.plan = [(200, {"by": {}})]
            self.client.me()

    def test_no_text_shows_the_token(self):
        self.api.plan = ["lost"]
        with self.assertRaises(ApiConnectionError) as caught:
            self.client.jobs.put("a", {}, if_match='"1"')
        frame = caught.exception.__traceback__
        texts = [str(caught.exception)]
        while frame:
            texts += [repr(value) for value in frame.tb_frame.f_locals.values()]
            frame = frame.tb_next
        self.assertFalse([text for text in texts if "Bearer" in text])


class TokenTest(unittest.TestCase):
    def test_the_environment_names_the_api_and_the_token(self):
        with FakeApi(lambda asked: (200, {"by": {}})) as api:
            with mock.patch.dict(os.environ, {"QUARTERJACK_URL": api.url, "QUARTERJACK_TOKEN": "t1"}):
                Quarterjack().me()
            self.assertEqual(api.asked[0].headers["authorization"], "Bearer t1")
        with mock.patch.dict(os.environ, {}, clear=True), self.assertRaisesRegex(
            ArgumentError, "set QUARTERJACK_URL"
        ):
            Quarterjack()

    def test_a_secret_is_read_again_after_a_401(self):
        class Manager:
            values = ["old", "new"]

            def get_secret_value(self, SecretId):
                assert SecretId == "arn:key"
                return {"SecretString": self.values.pop(0)}

        with FakeApi(
            lambda asked: (200, {"by": {}}) if "new" in asked.headers["authorization"] else (401, {})
        ) as api:
            client = Quarterjack(api.url, SecretKey("arn:key", client=Manager()))
            client.me()
            client.me()
            self.assertEqual(
                [asked.headers["authorization"][7:] for asked in api.asked], ["old", "new", "new"]
            )

    def test_without_boto3_the_error_says_what_to_install(self):
        with mock.patch.dict(os.environ, {"QUARTERJACK_KEY_SECRET": "arn:key"}), mock.patch.dict(
            "sys.modules", boto3=None
        ):
            os.environ.pop("QUARTERJACK_TOKEN", None)
            with self.assertRaisesRegex(ArgumentError, "pip install boto3"):
                Quarterjack("http://127.0.0.1:9").me()

    def test_client_credentials_are_kept_until_they_expire(self):
        with FakeIssuer() as issuer:
            token = ClientCredentials(issuer.url + "/token", "me", "s", scope="a b")
            self.assertEqual([token(), token()], ["t", "t"])
            self.assertEqual(len(issuer.asked), 1)
            token.forget()
            token()
            self.assertEqual(len(issuer.asked), 2)
            issuer.plan = [(400, {"error": "invalid_client"})]
            token.forget()
            with self.assertRaisesRegex(AuthenticationError, "refuses the client me"):
                token()


class FakeIssuer(FakeApi):
    def __init__(self):
        super().__init__(lambda asked: (200, {"access_token": "t", "expires_in": 3600}))


class AsyncTest(unittest.TestCase):
    def test_calls_and_lists_in_an_event_loop(self):
        def answer(asked):
            if asked.path.startswith("/v1/jobs?"):
                return 200, {"items": [JOB], "nextCursor": None if "cursor" in asked.path else "c"}
            return 200, JOB

        async def main(url):
            client = AsyncQuarterjack(url, "key")
            several = await asyncio.gather(*(client.jobs.get(name) for name in "abc"))
            return several, [job async for job in client.jobs.list(limit=1)]

        with FakeApi(answer) as api:
            self.assertEqual(asyncio.run(main(api.url)), ([JOB] * 3, [JOB] * 2))


class PackageTest(unittest.TestCase):
    def test_every_name_of_the_package_exists_and_has_words(self):
        for name in quarterjack.__all__:
            with self.subTest(name):
                self.assertTrue(getattr(quarterjack, name).__doc__)

    def test_both_clients_have_the_same_calls(self):
        with FakeApi() as api:
            sync, aio = Quarterjack(api.url), AsyncQuarterjack(api.url)
            for name, group in vars(sync).items():
                calls = {one for one in dir(group) if not one.startswith("_")}
                self.assertEqual(
                    calls,
                    {one for one in dir(getattr(aio, name, None)) if not one.startswith("_")}
                    if not name.startswith("_")
                    else calls,
                )
            self.assertEqual(*({one for one in dir(each) if not one.startswith("_")} for each in (sync, aio)))


if __name__ == "__main__":
    unittest.main()
