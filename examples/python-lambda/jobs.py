"""Jobs of a function of AWS Lambda. Its handler is ``jobs.served.lambda_handler``."""

from dataclasses import dataclass

from quarterjack import Context, FatalError, cron, job, serve


@dataclass
class Report:
    region: str = "eu"
    pages: int = 10


@job(schedule=cron("30 2 * * MON-FRI", tz="Europe/Berlin"), retry={"maxAttempts": 5}, timeout="10m")
def nightly_report(payload: Report, context: Context):
    if payload.pages < 1:
        raise FatalError("a report has at least one page")  # no further attempt
    for page in range(payload.pages):
        context.raise_if_stopped()  # the time of the attempt, or of the function, is over
        print(f"{payload.region}: page {page + 1}")
    return {"pages": payload.pages}


@job(timeout="1m")
def remind(payload: dict, context: Context):
    """Started by a program: ``quarterjack.jobs.run("remind", {"delay": "30m", "payload": {"order": 42}})``."""
    print(f"order {payload['order']}, due {context.due_at:%H:%M}")


served = serve([nightly_report, remind])
