import type { Call } from '../support/client';
import { percentile } from '../support/percentiles';
import { saveTasks, startRun } from './many';
import type { TaskReceiver } from './receiver';

const RUN_WITHIN_MS = 60_000;
/** The first runs start processes and fill caches. */
const WARM_UP_RUNS = 2;

/** For each task, the tasks that it depends on. */
type Shape = Readonly<Record<string, readonly string[]>>;

export const sequenceOf = (length: number): Shape =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [`t${index}`, index === 0 ? [] : [`t${index - 1}`]]),
  );
export const DIAMOND: Shape = { a: [], b: ['a'], c: ['a'], d: ['b', 'c'] };

/** The waits of one run, in milliseconds: one for each task that depends on others. */
async function waitsOf(call: Call, jobId: string, shape: Shape, receiver: TaskReceiver): Promise<number[]> {
  const execId = await startRun(call, jobId);
  const { ended } = await receiver.calls(execId, Object.keys(shape).length, RUN_WITHIN_MS);
  return Object.entries(shape).flatMap(([id, dependsOn]) => {
    if (dependsOn.length === 0) return [];
    return [ended.get(id)!.beganMs - Math.max(...dependsOn.map((one) => ended.get(one)!.endedMs))];
  });
}

/** How long tasks wait for their calls, in runs that follow one another. */
export async function measureWaits(
  call: Call,
  { name, shape, runs }: { name: string; shape: Shape; runs: number },
  receiver: TaskReceiver,
) {
  const target = { type: 'http', url: receiver.urlTaking(0) };
  await saveTasks(
    call,
    name,
    Object.fromEntries(Object.entries(shape).map(([id, dependsOn]) => [id, { target, dependsOn }])),
  );
  const waits: number[] = [];
  for (let index = 0; index < WARM_UP_RUNS + runs; index++) {
    const own = await waitsOf(call, name, shape, receiver);
    if (index >= WARM_UP_RUNS) waits.push(...own);
  }
  const of = (share: number) => Number(percentile(waits, share).toFixed(1));
  return { workflow: name, runs, waits: waits.length, p50: of(0.5), p99: of(0.99), max: of(1) };
}
