"""The jobs of the crontab beside this file, as functions of one worker.

Deploy them:  python3 -m quarterjack define jobs.py --source host-1 --out jobs.manifest.json
              quarterjack deploy jobs.manifest.json --queue host-1 --yes
Run them:     python3 jobs.py    (QUARTERJACK_URL, and QUARTERJACK_TOKEN: a key with the role worker)

Cron ran commands; here the work is called. Each run has a record and a log, is retried, and tells of a
failure. No two runs of sync overlap, and a stop of the machine loses none of the night's reports.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from quarterjack import Context, cron, job, serve

SCRIPTS = Path(__file__).parent / "scripts"


@dataclass
class Report:
    region: str = "eu"


@job(schedule=cron("30 2 * * 1-5", tz="Europe/Berlin"), retry={"maxAttempts": 3}, timeout="1h")
def report(payload: Report, context: Context):
    run(context, "report.py", payload.region)


@job(schedule=cron("*/15 * * * *", tz="Europe/Berlin"), overlap="skip", timeout="10m")
def sync(context: Context):
    run(context, "sync.py")


def run(context: Context, script: str, *args: str) -> None:
    """Run a script as cron did. Its output goes to the log, and it ends when the execution is cancelled."""
    command = [sys.executable, str(SCRIPTS / script), *args]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    context.stopped.add(child.terminate)
    assert child.stdout
    for line in child.stdout:
        context.log(line.rstrip("\n"))
    if child.wait() != 0:
        context.raise_if_stopped()
        raise RuntimeError(f"{script} ended with {child.returncode}")


if __name__ == "__main__":
    serve([report, sync]).worker("host-1", concurrency=2).run()
