"""Makes each call of the client once, against the API that the environment names, and says which are left.

A call that the state of things refuses (404, 409) has reached its route, with a body that the API can read.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

from quarterjack import ConflictError, Listing, NotFoundError, Quarterjack, Retry

# A call that changes a version is not repeated, so its answer has all the time that a busy machine needs.
client = Quarterjack(note="each call once", retry=Retry(timeout=300))
seen: set[str] = set()


def record(prefix: str, group: Any) -> None:
    for name in [one for one in dir(group) if not one.startswith("_")]:
        value = getattr(group, name)
        if callable(value):
            setattr(group, name, recorded(f"{prefix}{name}", value))
        elif not prefix:
            record(f"{name}.", value)


def recorded(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    every.add(name)

    def act(*args: Any, **given: Any) -> Any:
        seen.add(name)
        result = call(*args, **given)
        return result.to_list(3) if isinstance(result, Listing) else result

    return act


every: set[str] = set()
record("", client)


def reach(call: Callable[..., Any], *args: Any, **given: Any) -> None:
    try:
        call(*args, **given)
    except (NotFoundError, ConflictError):
        pass


def until(read: Callable[[], Any], done: Callable[[Any], bool]) -> Any:
    for _ in range(1200):
        value = read()
        if done(value):
            return value
        time.sleep(0.1)
    raise AssertionError(f"last seen: {value}")


TARGET = {"type": "worker", "queue": "nobody-asks"}
CRON = {"type": "cron", "expression": "0 2 * * *", "timezone": "Europe/Berlin"}


def jobs() -> None:
    job = client.jobs.create({"jobId": "a", "schedule": CRON, "target": TARGET, "tags": {"team": "x"}})
    plain = {"schedule": {"type": "none"}, "target": TARGET}
    assert client.jobs.dry_run_batch([{"jobId": "b", **plain}], replace=True)["outcomes"]
    assert client.jobs.create_batch([{"jobId": "b", **plain}])[0]["job"]["jobId"] == "b"
    job = client.jobs.put(
        "a", {"schedule": CRON, "target": TARGET, "payload": {"n": 1}}, if_match=job["etag"]
    )
    assert client.jobs.put("a", {"schedule": CRON, "target": TARGET}, dry_run=True)
    job = client.jobs.patch("a", {"tags": {"team": "y"}}, if_match=job["etag"])
    assert client.jobs.get("a")["etag"] == job["etag"]
    assert client.jobs.list(tag="team:y", kind="worker")[0]["jobId"] == "a"
    assert client.jobs.summaries(tag=["team:y"], history=2)[0]["jobId"] == "a"
    ends = [(datetime.now(timezone.utc) + timedelta(days=days)).isoformat() for days in (2, 3)]
    first, second = [client.jobs.pause("a", until=end)["pausedUntil"] for end in ends]
    assert first < second and "pausedUntil" not in client.jobs.pause("a")
    client.jobs.resume("a")
    run = client.jobs.run("b", {"delay": "1h", "key": "k"})
    assert run["key"] == "k" and client.jobs.cancel_run("b", "k")["outcome"] == "cancelled"
    later = {"delay": "1h"}
    assert len(client.jobs.run_many("b", [{**later, "key": "m"}, {**later, "key": "n"}])) == 2
    reach(client.jobs.ping, "a")
    reach(client.jobs.rotate_ping, "a", now=True)
    assert len(client.jobs.upcoming("a", count=2)) == 2
    assert client.jobs.stats("a", days=1)["jobId"] == "a" and client.jobs.explain("a")["steps"] is not None
    changes = client.changes.list("a")
    number = changes[-1]["number"]
    assert client.changes.get("a", number)["number"] == number
    client.changes.restore("a", number)
    client.changes.delete("a", number)


def executions() -> None:
    ids = ("b", client.jobs.run("b")["execId"])
    client.executions.cancel(*ids)
    assert until(lambda: client.executions.get(*ids), lambda one: one["status"] == "cancelled")
    assert client.wait(*ids)["status"] == "cancelled"
    client.executions.retry(*ids)
    client.executions.cancel(*ids)
    assert client.executions.list("b", order="asc", status=["cancelled"]) is not None
    assert client.executions.list_of_jobs(kind="worker") is not None
    assert client.executions.stats(by="hour", job="b")["buckets"] is not None
    assert client.executions.log(*ids)["items"] == []
    assert (
        client.executions.lookup([{"jobId": "b", "execId": ids[1]}, {"jobId": "b", "execId": "no"}])[1]
        is None
    )
    plan = {"from": "2026-11-01T00:00:00Z", "to": "2026-11-03T00:00:00Z"}
    assert client.backfills.dry_run("a", plan)["count"] > 0
    backfill = client.backfills.start("a", plan)
    assert client.backfills.get("a", backfill["execId"])["status"]
    assert client.backfills.list("a") and client.backfills.list_all()
    reach(client.executions.cancel, "a", backfill["execId"])


def is_run(job: str, execution: str) -> bool:
    """Whether an execution that is claimed has become a run with tasks."""
    try:
        client.tasks.list(job, execution)
    except NotFoundError:
        return False
    return True


def runs() -> None:
    tasks = {"ok": {"approval": {"timeout": "1d"}}, "work": {"dependsOn": ["ok"], "target": TARGET}}
    workflow = {"tasks": tasks}
    assert client.tasks.check({"workflow": workflow})["errors"] == []
    client.jobs.create({"jobId": "w", "schedule": {"type": "none"}, "workflow": workflow})
    ids = ("w", client.jobs.run("w")["execId"])
    until(lambda: is_run(*ids), bool)
    client.runs.pause(*ids)
    client.runs.resume(*ids)
    assert client.tasks.list(*ids, status="waiting") is not None
    assert client.tasks.get(*ids, "ok")["taskId"] == "ok"
    assert client.runs.waiting(kind="approval") is not None
    reach(client.runs.skip, *ids, "work")
    reach(client.runs.reject, *ids, "work", {"comment": "no"})
    reach(client.runs.approve, *ids, "ok", {"comment": "yes"})
    reach(client.runs.retry_task, *ids, "ok", {"mode": "only"})
    reach(client.tasks.items, *ids, "ok")
    reach(client.tasks.item, *ids, "ok", 0)
    reach(client.tasks.log, *ids, "work", limit=5)
    reach(client.tasks.cancel, *ids, "work")
    version = client.tasks.versions("w")[0]["version"]
    assert client.tasks.version("w", version)["version"] == version
    reach(client.executions.cancel, *ids, force=True)


def project() -> None:
    client.calendars.put("de", {"name": "German", "timezone": "Europe/Berlin", "dates": ["2026-12-25"]})
    assert client.calendars.get("de") and client.calendars.list() and client.calendars.delete("de") is None
    client.secrets.put("crm", "a-long-value", ["crm.example.com"])
    assert (
        client.secrets.get("crm")
        and client.secrets.list()
        and client.secrets.delete("crm", force=True) is None
    )
    client.concurrency_keys.put("db", {"limit": 3})
    assert client.concurrency_keys.get("db") and client.concurrency_keys.list()
    client.concurrency_keys.delete("db", force=True)
    own = client.api_keys.create({"name": "ci", "role": "viewer"})
    assert own["key"].startswith("qj_") and client.api_keys.list()
    client.api_keys.revoke(own["keyId"])
    assert client.api_keys.revoke_all_by("python-calls") == []
    hook = {"type": "http", "url": "http://127.0.0.1:9/x"}
    client.notifications.put("ops", {"on": ["failed"], "target": hook})
    assert (
        client.notifications.get("ops") and client.notifications.list() and client.notifications.test("ops")
    )
    client.notifications.delete("ops")
    assert client.work_queues.list() and client.work_queues.get("nobody-asks")["queue"]


def others() -> None:
    assert client.send_event({"name": "paid", "data": {"a": 1}})["runs"] == []
    assert len(client.preview(CRON, count=2, from_="2026-12-01T00:00:00Z")["times"]) == 2
    assert client.upcoming(tag="team:x")["items"] is not None and client.load()["counts"]
    assert client.failures(view="inbox") is not None and client.failure_groups()["groups"] is not None
    until = (datetime.now(timezone.utc) + timedelta(days=1)).isoformat(timespec="seconds")
    reach(client.failure_acks.put, {"fingerprint": "failed/fatal/status/500/none", "until": until})
    reach(client.failure_acks.delete, "failed/fatal/status/500/none")
    assert client.failure_acks.list() is not None
    assert client.ping_key.put({"allowCreate": True})["allowCreate"] and client.ping_key.get()["url"]
    assert client.ping_key.rotate(now=True)["version"] == 2 and client.ping_key.delete() is None
    assert client.audit() and client.ordering_key("k")["orderingKey"] == "k"
    reach(client.unblock, "k")
    assert client.signing_secret(host="x.example")["secret"]
    assert client.rotate_signing_secret(host="x.example")["secret"] and client.end_legacy_signing() is None
    assert client.version()["api"] == "v1" and client.me()["by"] and client.usage()["jobs"]
    assert client.sign_in()["issuer"] and client.open_api()["openapi"] and client.health()
    assert client.request("GET", "/v1/jobs/a")["jobId"] == "a"
    pages = list(client.bulk({"action": "pause", "filter": {"tag": ["team:none"]}, "dryRun": True}))
    assert pages[0]["matched"] == 0
    assert client.admin.stop(reason="a test")["state"] and client.admin.start()["state"]
    assert client.admin.status()["state"]
    reach(client.admin.redrive, "default/medium", 1)
    client.jobs.delete("a")
    client.close()


for part in (jobs, executions, runs, project, others):
    part()
print("left:", *sorted(every - seen))
