import type { Quarterjack } from '../../client';
import { plural } from '../terminal/plural';
import { plain } from '../terminal/table';
import { type Check, ok, problem, warning } from './check';

const HOUR_MS = 3_600_000;
/** A job that is due is dispatched within seconds. */
const OVERDUE_MS = 180_000;
const NEARLY_USED = 0.9;
const MOST_NAMED = 3;
/** One page of the API. */
const MOST_JOBS = 500;

/** What a reader of the project can see of its work. */
export async function checkProject(client: Quarterjack, nowMs: number): Promise<Check[]> {
  return [
    await checkOverdue(client, nowMs),
    await checkFailures(client, nowMs),
    await checkQueues(client),
    await checkUsage(client),
  ];
}

/** A due time that has passed is a sign of a stopped scheduler, also without the scope `admin`. */
async function checkOverdue({ jobs }: Quarterjack, nowMs: number): Promise<Check> {
  const active = await jobs.summaries({ status: 'active', limit: MOST_JOBS }).toArray(MOST_JOBS);
  const overdue = active.filter(
    ({ nextFireAt }) => nextFireAt && Date.parse(nextFireAt) < nowMs - OVERDUE_MS,
  );
  if (overdue.length === 0) return ok('due jobs', `none of ${active.length} is overdue`);
  const named = overdue.slice(0, MOST_NAMED).map(({ jobId, nextFireAt }) => `${jobId} since ${nextFireAt}`);
  return problem(
    'due jobs',
    `${plural(overdue.length, 'job')} overdue: ${named.join(', ')}`,
    'the scheduler stands still or is far behind: ask an operator for quarterjack doctor',
  );
}

async function checkFailures(client: Quarterjack, nowMs: number): Promise<Check> {
  const from = new Date(nowMs - HOUR_MS).toISOString();
  const { groups } = await client.failureGroups({ from, view: 'inbox' });
  if (groups.length === 0) return ok('failures', 'none in the last hour');
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const causes = groups
    .slice(0, MOST_NAMED)
    .map(({ count: many, reason, errorClass, statusCode, host }) =>
      [`${many}×`, plain(String(statusCode ?? errorClass ?? reason ?? 'unknown')), host && plain(host)]
        .filter(Boolean)
        .join(' '),
    );
  return warning(
    'failures',
    `${count} in the last hour: ${causes.join(', ')}${groups.length > MOST_NAMED ? ', …' : ''}`,
    'quarterjack failures groups --since 1h, and quarterjack why JOB',
  );
}

async function checkQueues({ workQueues }: Quarterjack): Promise<Check> {
  const waiting = (await workQueues.list().toArray(MOST_JOBS)).filter((queue) => queue.waiting > 0);
  for (const { queue, waiting: count } of waiting) {
    const { workers } = await workQueues.get(queue);
    if (workers.length === 0)
      return warning(
        'workers',
        `${count} wait in ${plain(queue)}, which no worker asks`,
        `start one: quarterjack work --queue ${plain(queue)} -- COMMAND`,
      );
  }
  return ok('workers', waiting.length === 0 ? 'nothing waits for one' : 'each queue with work has one');
}

async function checkUsage(client: Quarterjack): Promise<Check> {
  const usage = Object.entries(await client.usage());
  const full = usage.filter(([, { used, allowed }]) => used >= allowed * NEARLY_USED);
  if (full.length === 0) return ok('quotas', `all below ${NEARLY_USED * 100} %`);
  return warning(
    'quotas',
    full.map(([name, { used, allowed }]) => `${name} ${used} of ${allowed}`).join(', '),
    'requests are refused with 429 beyond it: ask an operator for more, or use less',
  );
}
