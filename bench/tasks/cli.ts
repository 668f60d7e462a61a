/**
 * Measures in a local run how long the next task of a workflow takes to be called. A wait begins with the
 * response to the last call that the task depends on, and ends with the first byte of its own call. Runs
 * follow one after another.
 *
 * `npm run bench:tasks -- [--runs 10] [--length 20] [--json]`
 *
 * `--runs`: of each workflow. `--length`: tasks of the sequence.
 */
import { startSystem } from '../../test/support/local-run';
import { type Call, clientOf } from '../support/client';
import { machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';
import { percentile } from '../support/percentiles';
import { startTaskReceiver, type TaskReceiver } from './receiver';

const RUN_WITHIN_MS = 60_000;
/** What `docs/performance.md` promises, in milliseconds. */
const GOALS = { p50: 50, p99: 150 };
/** The first runs start processes and fill caches. */
const WARM_UP_RUNS = 2;

/** For each task, the tasks that it depends on. */
type Shape = Readonly<Record<string, readonly string[]>>;

const sequenceOf = (length: number): Shape =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [`t${index}`, index === 0 ? [] : [`t${index - 1}`]]),
  );
const DIAMOND: Shape = { a: [], b: ['a'], c: ['a'], d: ['b', 'c'] };

async function save(call: Call, jobId: string, shape: Shape, url: string): Promise<void> {
  const target = { type: 'http', url };
  const tasks = Object.entries(shape).map(([id, dependsOn]) => [id, { target, dependsOn }]);
  const workflow = { tasks: Object.fromEntries(tasks) as object };
  await call('PUT', `/v1/jobs/${jobId}`, { schedule: { type: 'none' }, workflow });
}

/** The waits of one run, in milliseconds: one for each task that depends on others. */
async function waitsOf(call: Call, jobId: string, shape: Shape, receiver: TaskReceiver): Promise<number[]> {
  const { execId } = (await call('POST', `/v1/jobs/${jobId}/run`, {})) as { execId: string };
  const times = await receiver.calls(execId, Object.keys(shape).length, RUN_WITHIN_MS);
  return Object.entries(shape).flatMap(([id, dependsOn]) => {
    if (dependsOn.length === 0) return [];
    return [times.get(id)!.beganMs - Math.max(...dependsOn.map((one) => times.get(one)!.endedMs))];
  });
}

async function measure(call: Call, name: string, shape: Shape, runs: number, receiver: TaskReceiver) {
  await save(call, name, shape, receiver.url);
  const waits: number[] = [];
  for (let index = 0; index < WARM_UP_RUNS + runs; index++) {
    const own = await waitsOf(call, name, shape, receiver);
    if (index >= WARM_UP_RUNS) waits.push(...own);
  }
  const of = (share: number) => Number(percentile(waits, share).toFixed(1));
  return { workflow: name, runs, waits: waits.length, p50: of(0.5), p99: of(0.99), max: of(1) };
}

run('bench:tasks', async () => {
  const { runs, length } = numbersFrom({ runs: 10, length: 20 });
  const before = machine();
  const system = await startSystem('--port', '0', '--ephemeral');
  const receiver = await startTaskReceiver();
  try {
    const call = await clientOf(system, 'bench');
    const measured = [
      await measure(call, `sequence-of-${length}`, sequenceOf(length), runs, receiver),
      await measure(call, 'diamond', DIAMOND, runs, receiver),
    ];
    const isReached = measured.every(({ p50, p99 }) => p50 < GOALS.p50 && p99 < GOALS.p99);
    if (wantsJson()) printJson({ machine: before, measured, isReached });
    else {
      say(`${machineLine(before)}\n`);
      say(
        table(
          ['workflow', 'runs', 'waits', 'p50, ms', 'p99, ms', 'max, ms'],
          measured.map(({ workflow, waits, p50, p99, max }) => [workflow, runs, waits, p50, p99, max]),
        ),
      );
      say(`\np50 below ${GOALS.p50} ms and p99 below ${GOALS.p99} ms: ${isReached ? 'yes' : 'no'}.`);
    }
    if (!isReached) process.exitCode = 1;
  } finally {
    receiver.close();
    await system.end();
  }
});
