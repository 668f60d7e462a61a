import type { Execution, WorkQueue } from '../../../client/browser';

/** A worker, and what it has. */
interface BusyWorker {
  worker: string;
  /** The newest of all its queues. Undefined: it has asked for nothing in the last hour, and works on. */
  lastSeenAt: string | undefined;
  /** Whose work it has asked for or has, by name. */
  queues: Set<string>;
  runs: Execution[];
}

/** Who asked one of the queues in the last hour, and who has work. Those with the most work come first. */
export function workersOf(
  queues: readonly Pick<WorkQueue, 'queue' | 'workers'>[],
  running: readonly Execution[],
): BusyWorker[] {
  const found = new Map<string, BusyWorker>();
  const known = (worker: string, queue: string): BusyWorker => {
    const one = found.get(worker) ?? { worker, lastSeenAt: undefined, queues: new Set(), runs: [] };
    found.set(worker, one);
    one.queues.add(queue);
    return one;
  };
  for (const { queue, workers = [] } of queues)
    for (const { worker, lastSeenAt } of workers) {
      const one = known(worker, queue);
      if (lastSeenAt > (one.lastSeenAt ?? '')) one.lastSeenAt = lastSeenAt;
    }
  for (const run of running) {
    const { worker, queue } = run.detail ?? {};
    if (worker !== undefined && queue !== undefined) known(worker, queue).runs.push(run);
  }
  return [...found.values()].toSorted((a, b) => b.runs.length - a.runs.length);
}
