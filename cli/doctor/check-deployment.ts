import type { DeploymentStatus, Quarterjack } from '../../client';
import { plain } from '../terminal/table';
import { type Check, ok, problem, unknown, warning } from './check';

/** A scan or sweep starts each minute. One that is this far behind has missed some. */
const LAG = { lateSec: 120, standsSec: 300 };
/** Messages are sent ahead of their time, and stay for seconds where executors are free. */
const OLD_SEC = 300;
/** A lane that stands still has the same messages after this time, and none in work. */
const READ_AGAIN_MS = 5_000;

interface DeploymentDeps {
  client: Quarterjack;
  url: string;
  sleep(ms: number): Promise<unknown>;
}

/** Scheduler, lanes and dead letters, as operators see them. What seems wrong is read twice. */
export async function checkDeployment({ client, url, sleep }: DeploymentDeps): Promise<Check[]> {
  const first = await client.admin.status();
  const isSuspect = idleLanes(first).length > 0 || isLate(first.scan) || isLate(first.sweep);
  if (isSuspect) await sleep(READ_AGAIN_MS);
  const status = isSuspect ? await client.admin.status() : first;
  const stuck = idleLanes(status).filter((lane) => idleLanes(first).some(({ name }) => name === lane.name));
  return [
    schedulerCheck(status),
    lagCheck('scan', first.scan, status.scan),
    lagCheck('sweep', first.sweep, status.sweep),
    ...laneChecks(status, stuck),
    ...deadLetterChecks(status),
    unknown(
      'alarms',
      'CloudWatch has them',
      `see the dashboard: ${plain(new URL(status.dashboardUrl, url).href)}`,
    ),
  ];
}

type Cursors = DeploymentStatus['scan'];
const isLate = ({ lagSec }: Cursors): boolean => (lagSec ?? 0) > LAG.lateSec;

type Queue = DeploymentStatus['queues'][number];

/** Something waits there, and nothing is in work. */
const idleLanes = ({ queues }: DeploymentStatus): Queue[] =>
  queues.filter(({ waiting, inFlight }) => waiting > 0 && inFlight === 0);

function schedulerCheck({ state, stoppedAt, stoppedBy, tick }: DeploymentStatus): Check {
  if (state === 'stopped')
    return problem(
      'scheduler',
      `in maintenance mode since ${stoppedAt ?? 'an unknown time'}, by ${plain(stoppedBy ?? 'an operator')}`,
      'when the maintenance is done: quarterjack admin start',
    );
  if (tick === 'off')
    return problem('scheduler', 'the tick is off: nothing is scanned', 'quarterjack admin start turns it on');
  return ok('scheduler', 'runs');
}

const LAGGING = {
  scan: ['jobs become due late', 'the scanner'],
  sweep: ['lost work is found late', 'the sweeper'],
} as const;

/** One that is late and gets closer is catching up, for example after a stop. */
function lagCheck(name: keyof typeof LAGGING, before: Cursors, { lagSec, shards }: Cursors): Check {
  const title = `${name} lag`;
  const [effect, stage] = LAGGING[name];
  if (lagSec === null) return unknown(title, 'no shard has begun', 'ask again after the first minute');
  if (lagSec <= LAG.lateSec) return ok(title, `${lagSec} s`);
  const behind = shards.filter((one) => (one.lagSec ?? 0) > LAG.lateSec).map(({ shard }) => shard);
  const text = `${lagSec} s, shards ${behind.join(', ')}: ${effect}`;
  if (lagSec < (before.lagSec ?? 0))
    return warning(title, `${text}; it is catching up`, 'ask again in a minute');
  const advice = `see the logs of the tick and of ${stage}, and docs/runbook.md`;
  return lagSec > LAG.standsSec ? problem(title, text, advice) : warning(title, text, advice);
}

function laneChecks({ queues }: DeploymentStatus, stuck: readonly Queue[]): Check[] {
  if (stuck.length > 0)
    return stuck.map(({ name, waiting, oldestSec }) =>
      problem(
        'lanes',
        `${plain(name)} stands still: ${waiting} wait${oldestSec ? `, the oldest for ${oldestSec} s` : ''}, and none is in work`,
        'see whether its function is throttled or its trigger disabled: docs/runbook.md, Backlog',
      ),
    );
  const old = queues.filter(({ waiting, oldestSec }) => waiting > 0 && (oldestSec ?? 0) > OLD_SEC);
  if (old.length > 0)
    return old.map(({ name, waiting, oldestSec }) =>
      warning(
        'lanes',
        `${plain(name)} is behind: ${waiting} wait, the oldest for ${oldestSec} s`,
        'raise the executors of its pool, or see which job fills it: quarterjack executions list --status queued',
      ),
    );
  return [ok('lanes', `${queues.length} queues, all in motion`)];
}

function deadLetterChecks({ queues }: DeploymentStatus): Check[] {
  const dead = queues.filter((queue) => queue.dead > 0);
  if (dead.length === 0) return [ok('dead letters', 'none')];
  return dead.map((queue) =>
    problem(
      'dead letters',
      `${queue.dead} of ${plain(queue.name)}`,
      `find the cause in the logs, then: quarterjack admin redrive ${plain(queue.name)}`,
    ),
  );
}
