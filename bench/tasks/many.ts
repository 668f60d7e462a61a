import { setTimeout as sleep } from 'node:timers/promises';

import { metricsIn } from '../../local/metrics/emf';
import type { RunningSystem } from '../../test/support/local-run';
import { fanOutItem } from '../cost/scenarios';
import type { Call } from '../support/client';
import type { TaskReceiver } from './receiver';

const ENDS_WITHIN_MS = 600_000;
const POLL_MS = 500;
/** Rechecks come 20 to 30 s after a task was ready. */
const RECHECKED_AFTER_MS = 35_000;

type Tasks = Readonly<Record<string, object>>;

export const saveTasks = (call: Call, jobId: string, tasks: Tasks): Promise<unknown> =>
  call('PUT', `/v1/jobs/${jobId}`, { schedule: { type: 'none' }, workflow: { tasks } });

export const startRun = async (call: Call, jobId: string): Promise<string> =>
  ((await call('POST', `/v1/jobs/${jobId}/run`, {})) as { execId: string }).execId;

/** The status of a run, once it has ended. */
async function endOf(call: Call, jobId: string, execId: string): Promise<string> {
  const untilMs = performance.now() + ENDS_WITHIN_MS;
  while (performance.now() < untilMs) {
    const run = (await call('GET', `/v1/jobs/${jobId}/executions/${execId}`)) as {
      status: string;
      finishedAt?: string | null;
    };
    if (run.finishedAt) return run.status;
    await sleep(POLL_MS);
  }
  throw new Error(`run ${execId} of ${jobId} has not ended in time`);
}

/** A fan-out, whose calls take some time each. Its writes an item are counted without this machine. */
export async function measureFanOut(
  call: Call,
  { items, window, callMs }: { items: number; window: number; callMs: number },
  receiver: TaskReceiver,
) {
  const list = Array.from({ length: items }, (_, index) => index);
  const target = { type: 'http', url: receiver.urlTaking(callMs) };
  await saveTasks(call, 'fan-out', { load: { target, forEach: { items: list, concurrency: window } } });
  const beganMs = performance.now();
  const execId = await startRun(call, 'fan-out');
  const { mostOpen } = await receiver.calls(execId, items, ENDS_WITHIN_MS);
  const status = await endOf(call, 'fan-out', execId);
  const seconds = Number(((performance.now() - beganMs) / 1_000).toFixed(1));
  const writes = Number((await fanOutItem(window)).writeUnits.toFixed(2));
  return { items, window, callMs, seconds, mostOpen, writes, status };
}

/** Runs that start at once, each of several sequences of tasks. */
export async function measureStorm(
  { system, calls }: { system: RunningSystem; calls: readonly Call[] },
  { runs, tasks, length }: { runs: number; tasks: number; length: number },
  receiver: TaskReceiver,
) {
  const target = { type: 'http', url: receiver.urlTaking(0) };
  const own = Object.fromEntries(
    Array.from({ length: tasks }, (_, index) => [
      `t${index}`,
      { target, dependsOn: index % length === 0 ? [] : [`t${index - 1}`] },
    ]),
  );
  await Promise.all(calls.map((call) => saveTasks(call, 'storm', own)));
  const beganMs = performance.now();
  const started = await Promise.all(
    Array.from({ length: runs }, async (_, index) => {
      const call = calls[index % calls.length]!;
      return { call, execId: await startRun(call, 'storm') };
    }),
  );
  // One after another: many questions at once would be a load of their own.
  const statuses: string[] = [];
  for (const { call, execId } of started) statuses.push(await endOf(call, 'storm', execId));
  const seconds = Number(((performance.now() - beganMs) / 1_000).toFixed(1));
  await sleep(RECHECKED_AFTER_MS);
  const succeeded = statuses.filter((status) => status === 'succeeded').length;
  return { runs, tasks, seconds, succeeded, ...metricsOf(system) };
}

/** Sums of the metrics that the functions have printed. */
function metricsOf(system: RunningSystem): { started: number; repaired: number } {
  const data = system
    .output()
    .join('')
    .split('\n')
    .flatMap((line) => metricsIn(line.slice(Math.max(0, line.indexOf('{')))));
  // Each value comes once for each set of dimensions.
  const sumOf = (name: string): number => {
    const bySet = new Map<string, number>();
    for (const { name: own, dimensions, values } of data) {
      if (own !== name) continue;
      const set = Object.keys(dimensions).sort().join();
      bySet.set(set, (bySet.get(set) ?? 0) + values.reduce((sum, value) => sum + value, 0));
    }
    return Math.max(0, ...bySet.values());
  };
  return { started: sumOf('TasksStarted'), repaired: sumOf('RunsRepaired') };
}
