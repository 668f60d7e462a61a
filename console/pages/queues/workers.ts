import type { Execution, WorkQueueDetail } from '../../../client/browser';
import { groupBy } from '../../parts/group-by';

/** A worker of a queue, and what it has of it. */
interface BusyWorker {
  worker: string;
  /** Undefined: it has asked for nothing in the last hour, and works on. */
  lastSeenAt: string | undefined;
  runs: Execution[];
}

/** Who asked a queue in the last hour, and who has work of it. Those with the most work come first. */
export function workersOf(
  seen: readonly WorkQueueDetail['workers'][number][],
  running: readonly Execution[],
): BusyWorker[] {
  const runs = groupBy(running, ({ detail }) => detail?.worker);
  runs.delete(undefined);
  const times = new Map(seen.map(({ worker, lastSeenAt }) => [worker, lastSeenAt]));
  const names = [...new Set([...times.keys(), ...runs.keys()])] as string[];
  return names
    .map((worker) => ({ worker, lastSeenAt: times.get(worker), runs: runs.get(worker) ?? [] }))
    .toSorted((a, b) => b.runs.length - a.runs.length);
}
