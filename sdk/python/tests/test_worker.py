"""Python's own of workers: threads, coroutines, signals, types of payloads."""

import asyncio
import dataclasses
import os
import signal
import threading
import unittest

from fake_api import FakeApi
from quarterjack import ArgumentError, QuarterjackError, Retry, StoppedError, Worker
from quarterjack._lease import Clock, LeaseRules, LeaseState, Moment, elapsed, next_step
from quarterjack._log import LogBuffer

EMPTY = (200, {"work": []})


def claimed(payload, number=1, queue="q", timeout="60s"):
    return {
        "token": f"{queue}-{number}",
        "jobId": "load",
        "execId": str(number),
        "attempt": 1,
        "fence": number,
        "dueAt": "2026-12-01T02:00:00.000Z",
        "claimedAt": "2026-12-01T02:00:00.000Z",
        "deadline": "2026-12-01T02:05:00.000Z",
        "heartbeatTimeout": timeout,
        "payload": payload,
    }


class Queue(FakeApi):
    """Hands out its work, and keeps the reports by execution."""

    def __init__(self, *payloads, timeout="60s"):
        super().__init__(self.answer)
        self.waiting = [
            claimed(payload, number, timeout=timeout) for number, payload in enumerate(payloads, 1)
        ]
        self.reports = {}
        self.cancelled = threading.Event()
        self.reported = threading.Event()

    def answer(self, asked):
        if asked.path == "/v1/work/claim":
            most = asked.body["max"]
            given, self.waiting = self.waiting[:most], self.waiting[most:]
            return 200, {"work": given}
        if asked.path == "/v1/attempts/heartbeat":
            return 200, {"status": "running", "cancelRequested": self.cancelled.is_set()}
        if asked.path == "/v1/attempts/log":
            return 200, {"bytes": 1}
        self.reports[asked.headers["authorization"][7:]] = (asked.path.rsplit("/")[-1], asked.body)
        self.reported.set()
        return 200, {"status": "ok"}


@dataclasses.dataclass
class Order:
    id: str
    amount: int = 1


class WorkerTest(unittest.TestCase):
    def start(self, *payloads, timeout="60s", **options):
        queue = Queue(*payloads, timeout=timeout)
        self.addCleanup(queue.__exit__)
        return queue, Worker(queue.url, "key", retry=Retry(base_delay=0.01), **options)

    def test_threads_run_side_by_side_and_a_coroutine_in_one_loop(self):
        queue, worker = self.start(1, 2, 3, concurrency=3)
        together = threading.Barrier(3, timeout=20)
        loops = set()

        @worker.job(queue="q")
        async def load(work):
            loops.add(asyncio.get_running_loop())
            await asyncio.to_thread(together.wait)
            return work.payload

        worker.run(once=True)
        self.assertEqual(
            {name: body["result"] for name, (_, body) in queue.reports.items()},
            {"q-1": 1, "q-2": 2, "q-3": 3},
        )
        self.assertEqual(len(loops), 1)

    def test_a_payload_has_its_type_and_a_misfit_is_fatal(self):
        queue, worker = self.start({"id": "a", "amount": 2}, {"amount": "x"})
        seen = []

        @worker.job(queue="q", payload=Order)
        def load(work):
            seen.append(work.payload)

        worker.run(once=True)
        self.assertEqual(seen, [Order("a", 2)])
        path, body = queue.reports["q-2"]
        self.assertEqual((path, body["retriable"]), ("fail", False))
        self.assertEqual(body["error"], "the payload is invalid: id: is missing")
        self.assertEqual(body["reason"], "bad-payload")

    def test_a_cancelled_coroutine_is_cancelled_and_a_thread_learns_of_it_by_an_exception(self):
        for is_coroutine in (True, False):
            queue, worker = self.start("x", timeout="9s")
            queue.cancelled.set()
            events = []

            async def wait_async(work, events=events):
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    events.append(work.stop_reason)
                    raise

            def wait_thread(work, events=events):
                try:
                    work.wait(60)
                except StoppedError as error:
                    events.append(error.reason)
                    raise

            worker.job(queue="q")(wait_async if is_coroutine else wait_thread)
            worker.run(once=True)
            self.assertEqual(events, ["cancelled"])
            self.assertEqual(queue.reports["q-1"][1]["error"], "the execution was cancelled")

    def test_sigterm_drains(self):
        queue, worker = self.start("x")

        @worker.job(queue="q")
        def load(work):
            os.kill(os.getpid(), signal.SIGTERM)
            worker._draining.wait(20)
            work.progress(0.4, "page 4 of 10")
            return "done"

        before = signal.getsignal(signal.SIGTERM)
        worker.run()
        self.assertEqual(queue.reports["q-1"], ("complete", {"result": "done"}))
        self.assertEqual(signal.getsignal(signal.SIGTERM), before)
        beats = [asked.body for asked in queue.asked if asked.path == "/v1/attempts/heartbeat"]
        self.assertEqual(beats, [{"progress": 0.4, "text": "page 4 of 10"}])

    def test_run_async_and_stop_of_its_task(self):
        queue, worker = self.start("x")

        @worker.job(queue="q")
        async def load(work):
            started.set()
            await asyncio.Event().wait()

        async def main():
            task = asyncio.create_task(worker.run_async(signals=False))
            await started.wait()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await asyncio.to_thread(queue.reported.wait, 20)

        started = asyncio.Event()
        asyncio.run(main())
        self.assertEqual(queue.reports["q-1"][1]["error"], "the worker was stopped")

    def test_several_queues(self):
        with FakeApi(lambda asked: EMPTY if asked.path.endswith("claim") else (200, {})) as api:
            worker = Worker(api.url, "key")
            worker.job(queue="a")(lambda work: None)
            worker.job(queue="b", concurrency=4)(lambda work: None)
            worker.run(once=True)
            self.assertEqual(
                {(one.body["queue"], one.body["max"]) for one in api.asked}, {("a", 1), ("b", 4)}
            )

    def test_wrong_use(self):
        for options in ({"concurrency": 0}, {"concurrency": 101}, {"grace": -1}, {"poll": 0.5}):
            with self.assertRaises(ArgumentError):
                Worker("http://127.0.0.1:9", "key", **options)
        worker = Worker("http://127.0.0.1:9", "key")
        with self.assertRaisesRegex(QuarterjackError, "the worker has no handler"):
            worker.run()
        worker.job(queue="q")(len)
        with self.assertRaises(ArgumentError):
            worker.job(queue="q")

    def test_what_on_event_raises_changes_nothing(self):
        queue, worker = self.start("x", on_event=lambda event: 1 / 0)
        worker.job(queue="q")(lambda work: work.payload)
        with self.assertLogs("quarterjack", "ERROR"):
            worker.run(once=True)
        self.assertEqual(queue.reports["q-1"][0], "complete")


class RulesTest(unittest.TestCase):
    def test_what_is_stopped_ends_before_the_lease(self):
        rules = LeaseRules(60, 3600, 5)
        self.assertEqual((rules.keeps_for, rules.heartbeat_every, rules.works_for), (53, 20, 3593))
        self.assertEqual(LeaseRules(60, 20, 5).works_for, 15)
        state = LeaseState(0, 0, float("inf"), False, False)
        self.assertEqual(next_step(state, rules), ("wait", 1.0))
        self.assertEqual(next_step(LeaseState(20, 20, 20, False, False), rules)[0], "heartbeat")
        self.assertEqual(next_step(LeaseState(53, 53, 1, True, False), rules)[0], "lost")
        self.assertEqual(next_step(LeaseState(1, 3593, 1, False, False), rules)[0], "timed-out")

    def test_a_machine_that_slept_and_a_clock_that_was_set_back(self):
        start = Moment(10, 1000)
        self.assertEqual(elapsed(start, Moment(11, 1060)), 60)
        self.assertEqual(elapsed(start, Moment(11, 0)), 1)
        self.assertLess(elapsed(Clock().now(), Clock().now()), 1)

    def test_chunks_of_a_log(self):
        buffer = LogBuffer()
        buffer.add("t", "stdout", "😀" * 10_000)
        self.assertEqual([len(line["text"]) for line in buffer.take()[1]], [8192, 1808])
        for _ in range(10_001):
            buffer.add("t", "stdout", "")
        self.assertTrue(buffer.has_chunk)
        self.assertEqual([len(buffer.take()[1]), len(buffer.take()[1])], [10_000, 1])
        buffer.add("t", "stdout", "x" * (6 * 1024 * 1024))
        self.assertGreater(buffer.dropped, 0)


if __name__ == "__main__":
    unittest.main()
