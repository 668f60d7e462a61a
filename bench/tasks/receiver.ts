import { setTimeout as sleep } from 'node:timers/promises';

import { listenOnLoopback } from '../../test/support/loopback-server';

/** A call of a task, by the clock of this process. */
interface TaskCall {
  beganMs: number;
  endedMs: number;
}

export interface TaskReceiver {
  url: string;
  /** The calls of a run by the ids of tasks, once there are `count` of them. Throws after `withinMs`. */
  calls(execId: string, count: number, withinMs: number): Promise<ReadonlyMap<string, TaskCall>>;
  close(): void;
}

const POLL_MS = 2;

/** A target on loopback that answers 200 at once, and writes down when each task was called. */
export async function startTaskReceiver(): Promise<TaskReceiver> {
  const runs = new Map<string, Map<string, TaskCall>>();
  const server = await listenOnLoopback((request, response) => {
    const beganMs = performance.now();
    const header = (name: string) => String(request.headers[name]);
    request.resume();
    request.once('end', () => {
      const tasks = runs.get(header('quarterjack-execution')) ?? new Map<string, TaskCall>();
      runs.set(header('quarterjack-execution'), tasks);
      response.end();
      tasks.set(header('quarterjack-task'), { beganMs, endedMs: performance.now() });
    });
  });
  return {
    url: `${server.url}/hook`,
    async calls(execId, count, withinMs) {
      const untilMs = performance.now() + withinMs;
      while (performance.now() < untilMs) {
        const calls = runs.get(execId);
        if (calls?.size === count) return calls;
        await sleep(POLL_MS);
      }
      throw new Error(`run ${execId}: ${runs.get(execId)?.size ?? 0} of ${count} tasks were called in time`);
    },
    close: server.stop,
  };
}
