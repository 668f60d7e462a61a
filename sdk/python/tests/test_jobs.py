"""Jobs in code, types of payloads, and what runs both."""

import asyncio
import datetime
import enum
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Optional, Union

import quarterjack
from fake_api import FakeApi
from quarterjack import (
    ArgumentError,
    Context,
    FatalError,
    QuarterjackError,
    RetryAfter,
    after,
    at,
    connect_jobs,
    cron,
    event,
    every,
    job,
    serve,
    test_job,
)
from quarterjack import _job_runs
from quarterjack._jobs import jobs_in, manifest_of
from quarterjack._payload import fitted, schema_of


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


@dataclass
class Line:
    sku: str
    count: int = 1


@dataclass
class Order:
    id: str
    lines: list[Line]
    due: datetime.datetime
    size: Size = Size.SMALL
    kind: Literal["new", "old"] = "new"
    price: float = 0.0
    note: Optional[str] = None
    tags: dict[str, str] = field(default_factory=dict)
    extra: Union[int, list[int], None] = None
    mark: Annotated[str, "short"] = ""
    own: Any = None


GOOD = {
    "id": "a",
    "lines": [{"sku": "x"}],
    "due": "2026-12-01T08:30:00Z",
    "size": "l",
    "price": 1,
    "extra": [1],
}


class PayloadTest(unittest.TestCase):
    def test_json_becomes_the_type(self):
        order = fitted(Order, {**GOOD, "unknown": 1})
        due = datetime.datetime(2026, 12, 1, 8, 30, tzinfo=datetime.timezone.utc)
        self.assertEqual(order, Order("a", [Line("x")], due, Size.LARGE, price=1.0, extra=[1]))

    def test_what_does_not_fit_names_the_field(self):
        for changed, message in (
            ({"id": 7}, "id: expected string, not integer"),
            ({"lines": [{"sku": "x", "count": True}]}, "lines.0.count: expected integer, not boolean"),
            ({"lines": {}}, "lines: expected a list"),
            ({"due": "soon"}, "due: expected a date-time"),
            ({"size": "xl"}, "size: expected one of 's', 'l'"),
            ({"kind": 1}, "kind: expected one of 'new', 'old'"),
            ({"tags": {"a": 1}}, "tags.a: expected string, not integer"),
            ({"extra": "x"}, "extra: expected null, not string"),
        ):
            with self.assertRaises(FatalError) as caught:
                fitted(Order, {**GOOD, **changed})
            self.assertEqual(str(caught.exception), f"the payload is invalid: {message}")
        with self.assertRaisesRegex(FatalError, "id: is missing"):
            fitted(Order, {})

    def test_the_schema_says_the_same(self):
        schema = schema_of(Order)
        self.assertEqual(schema["required"], ["id", "lines", "due"])
        self.assertEqual(schema["properties"]["due"], {"type": "string", "format": "date-time"})
        self.assertEqual(schema["properties"]["lines"]["items"]["required"], ["sku"])
        self.assertEqual(schema["properties"]["size"], {"enum": ["s", "l"]})
        self.assertEqual(schema["properties"]["own"], {})
        with self.assertRaises(ArgumentError):
            schema_of(complex)

    def test_models_of_pydantic_where_it_is_installed(self):
        class Model:
            """What pydantic's models have, as far as they are used."""

            @staticmethod
            def model_validate(value):
                if "id" not in value:
                    error = ValueError("1 error")
                    error.errors = lambda **given: [{"loc": ("id",), "msg": "Field required"}]
                    raise error
                return types.SimpleNamespace(**value)

            @staticmethod
            def model_json_schema():
                return {"type": "object"}

        self.assertEqual(fitted(Model, {"id": "a"}).id, "a")
        with self.assertRaisesRegex(FatalError, "id: Field required"):
            fitted(Model, {})
        self.assertEqual(schema_of(Model), {"type": "object"})
        try:
            import pydantic
        except ImportError:
            return

        class Real(pydantic.BaseModel):
            id: str

        self.assertEqual(fitted(Real, {"id": "a"}).id, "a")
        with self.assertRaisesRegex(FatalError, "the payload is invalid: id: Field required"):
            fitted(Real, {})
        self.assertEqual(schema_of(Real)["required"], ["id"])


@job(
    schedule=cron("30 2 * * *", tz="Europe/Berlin"),
    retry={"maxAttempts": 5},
    ordering_key="orders",
    payload=GOOD,
)
def nightly_report(payload: Order, context: Context):
    context.log(f"order {payload.id}")
    context.progress(0.5)
    return {"rows": len(payload.lines)}


class JobTest(unittest.TestCase):
    def test_schedules(self):
        self.assertEqual(every("15m", jitter="1m"), {"type": "interval", "every": "15m", "jitter": "1m"})
        noon = datetime.datetime(2027, 1, 1, 12, tzinfo=datetime.timezone.utc)
        self.assertEqual(at(noon), {"type": "at", "at": "2027-01-01T12:00:00.000Z"})
        self.assertEqual(
            event("paid", where={"a": "b"}), {"type": "event", "name": "paid", "where": {"a": "b"}}
        )
        self.assertEqual(after(nightly_report, on="done")["jobs"], ["nightly-report"])

    def test_the_manifest_has_the_same_bytes_in_any_order(self):
        clean = job(id="clean", schedule=after(nightly_report), paused=True)(lambda: None)
        one, other = (
            manifest_of(jobs_in(given), "shop")
            for given in ([clean, nightly_report], [nightly_report, clean])
        )
        self.assertEqual(json.dumps(one), json.dumps(other))
        self.assertEqual([entry["jobId"] for entry in one["jobs"]], ["clean", "nightly-report"])
        self.assertEqual(one["jobs"][0], {"jobId": "clean", "paused": True, "definition": clean.definition})
        definition = one["jobs"][1]["definition"]
        self.assertEqual((definition["orderingKey"], definition["payload"]), ("orders", GOOD))
        self.assertEqual(one["jobs"][1]["payloadSchema"], schema_of(Order))

    def test_what_no_deployment_takes(self):
        def typed(payload: Order):
            pass

        for wrong in (
            lambda: job(id="Big")(lambda: None),
            lambda: job(id="a", timeout="soon")(lambda: None),
            lambda: job(id="a", tags={"quarterjack/source": "x"})(lambda: None),
            lambda: job(id="a", target={})(lambda: None),
            lambda: job(id="a")(lambda one, two: None),
            lambda: job(schedule=every("1h"))(typed),
            lambda: jobs_in([]),
            lambda: jobs_in([job(id="a")(lambda: None), job(id="a")(lambda: None)]),
        ):
            with self.assertRaises(QuarterjackError):
                wrong()
        self.assertEqual(job(typed).id, "typed")

    def test_a_job_in_a_test(self):
        tested = test_job(nightly_report)
        self.assertEqual(
            (tested.result, tested.log), ({"rows": 1}, [("stdout", "order a"), ("stdout", " 50%")])
        )
        self.assertRegex(str(test_job(nightly_report, payload={}).error), "id: is missing")
        calls = []

        @job
        async def flaky(context):
            await asyncio.sleep(0)
            calls.append(context.attempt)
            if context.attempt < 3:
                raise RetryAfter("5m")

        start = datetime.datetime(2027, 1, 4, tzinfo=datetime.timezone.utc)
        tested = test_job(flaky, now=start, attempts=4)
        self.assertEqual((calls, tested.error), ([1, 2, 3], None))
        self.assertEqual(tested.attempts[2][0] - start, datetime.timedelta(minutes=10))

    def test_a_time_out_stops_a_coroutine_and_is_said_to_a_function(self):
        @job(timeout="0s")
        async def endless():
            await asyncio.Event().wait()

        @job(timeout="0s")
        def waits(context):
            context.wait(60)

        for one in (endless, waits):
            self.assertEqual(str(test_job(one).error), "the attempt timed out")


TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


class RunsTest(unittest.TestCase):
    def test_runs_are_asked_for_with_the_prefix_and_the_cause_of_the_delivery(self):
        @job
        def remind(payload: Line):
            remind.schedule({"sku": "next"}, in_="30m", key="unpaid", priority="high")
            return remind.cancel("other")["outcome"]

        answer = lambda asked: (
            200,
            {"jobId": "x", "execId": "1", "outcome": "unknown", "outcomes": [{}]},
        )  # noqa: E731
        with FakeApi(answer) as api:
            connect_jobs(quarterjack.Quarterjack(api.url, "key"), "prod-")
            self.addCleanup(setattr, _job_runs, "_connected", None)
            remind.trigger({"sku": "a"}, idempotency_key="mine")
            served = serve([remind], prefix="staging-")
            custom = {"job": "staging-remind", "hop": "2", "traceparent": TRACE, "tracestate": "a=1"}
            self.assertEqual(ServeTest.invoke(self, served, {"sku": "b"}, **custom), "unknown")
            remind.schedule_many([{"payload": {"sku": str(n)}, "delay": "1h"} for n in range(101)])
            with self.assertRaisesRegex(
                QuarterjackError, "job remind: the payload is invalid: sku: is missing"
            ):
                remind.schedule({}, in_="1m")
            with self.assertRaises(ArgumentError):
                remind.schedule({"sku": "a"})
        cause = ("quarterjack-hop", "traceparent", "tracestate")
        paths = [(one.path, *(one.headers.get(name) for name in cause)) for one in api.asked]
        runs, later = "/v1/jobs/prod-remind/run", "/v1/jobs/staging-remind/run"
        none, by = (None, None, None), ("2", TRACE, "a=1")
        many = [("/v1/jobs/prod-remind/runs", *none)] * 2
        self.assertEqual(paths, [(runs, *none), (later, *by), (f"{later}s/cancel", *by), *many])
        self.assertEqual(api.asked[0].headers["idempotency-key"], "mine")
        body = {"delay": "30m", "key": "unpaid", "priority": "high", "payload": {"sku": "next"}}
        self.assertEqual(api.asked[1].body, body)

    def test_a_test_records_what_is_asked_for(self):
        @job
        async def remind(payload: Line):
            remind.trigger(Line("next"), key="k")
            remind.schedule(Line("later"), in_="1h", key="gone")
            return remind.cancel("gone")["outcome"]

        tested = test_job(remind, payload={"sku": "a"})
        self.assertEqual(tested.result, "cancelled")
        self.assertEqual(tested.follow_ups, [{"jobId": "remind", "key": "k", "payload": Line("next")}])


class ServeTest(unittest.TestCase):
    def invoke(self, served, event=None, **changed):
        custom = {
            "job": "nightly-report",
            "execution": "e",
            "attempt": "1",
            "fence": "1",
            "due": "2026-12-01T08:30:00.000Z",
        }
        given = {
            name if name.startswith("trace") else f"quarterjack-{name}": value
            for name, value in {**custom, **changed}.items()
        }
        client = types.SimpleNamespace(custom=given)
        context = types.SimpleNamespace(client_context=client, get_remaining_time_in_millis=lambda: 60_000)
        return served.lambda_handler(event, context)

    def test_lambda(self):
        errors = []
        served = serve(
            [nightly_report], project="a b", on_error=lambda error, context: errors.append(context.job_id)
        )
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)
        self.assertEqual(self.invoke(served, GOOD, project="a%20b"), {"rows": 1})
        for changed, name in (
            ({"project": "other"}, "QuarterjackFatalError"),
            ({"project": "a%20b", "attempt": "0"}, "QuarterjackFatalError"),
            ({"project": "a%20b", "due": "x"}, "QuarterjackFatalError"),
            ({"project": "a%20b", "job": "unknown"}, "QuarterjackRetryAfter:60:unknown-job"),
            ({"project": "a%20b"}, "QuarterjackFatalError:bad-payload"),
        ):
            with self.assertRaises(QuarterjackError) as caught:
                self.invoke(served, {}, **changed)
            self.assertEqual(type(caught.exception).__name__, name)
        self.assertEqual(errors, ["nightly-report"])
        envelope = {"quarterjack": {"callback": "https://evil.example"}, "payload": GOOD}
        with self.assertRaisesRegex(QuarterjackError, "no delivery of mode sync"):
            served.lambda_handler(envelope, types.SimpleNamespace(client_context=None))

    def test_prefix_and_wrap(self):
        seen = []

        def wrap(run, context):
            seen.append(context.exec_id)
            return run()

        served = serve(types.SimpleNamespace(a=nightly_report).__dict__, prefix="staging-", wrap=wrap)
        self.assertEqual(self.invoke(served, GOOD, job="staging-nightly-report"), {"rows": 1})
        self.assertEqual(seen, ["e"])


class DefineTest(unittest.TestCase):
    def define(self, text, *flags):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "jobs.py").write_text(text)
            (pathlib.Path(folder) / "pyproject.toml").write_text('[tool.quarterjack]\nsource = "shop"\n')
            command = [sys.executable, "-m", "quarterjack", "define", "jobs.py", *flags]
            package = pathlib.Path(quarterjack.__file__).resolve().parents[1]
            env = {**os.environ, "TOKEN": "secret", "PYTHONPATH": str(package)}
            return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)

    def test_a_module_is_read_without_credentials_and_its_prints_are_no_manifest(self):
        done = self.define(
            "import os, sys\nfrom quarterjack import job\nprint('noise')\nos.write(1, b'more')\n"
            "@job\ndef a(): pass\n_b = job(id='b')(lambda: None)\n"
            "assert 'TOKEN' not in os.environ and os.environ['STAGE'] == 'x=y'\n",
            "--env",
            "STAGE=x=y",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        manifest = json.loads(done.stdout)
        self.assertEqual([entry["jobId"] for entry in manifest["jobs"]], ["a"])
        self.assertIn("does not export, so they do not count: b", done.stderr)
        self.assertEqual(manifest.get("source"), "shop" if sys.version_info >= (3, 11) else None)

    def test_mistakes_are_said(self):
        for text, words in (
            ("1 / 0", "ZeroDivisionError"),
            ("x = 1", "there is no job"),
            ("import no_such", "No module"),
        ):
            done = self.define(text)
            self.assertEqual((done.returncode, done.stdout), (3, ""))
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
