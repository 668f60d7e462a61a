import { setTimeout as sleep } from 'node:timers/promises';

import { listenOnLoopback } from '../../test/support/loopback-server';

/** A call of a task, by the clock of this process. */
export interface TaskCall {
  beganMs: number;
  endedMs: number;
}

/** The calls of a run: those that have ended, by task or `task.item`, and how many were open at once. */
export interface RunCalls {
  ended: ReadonlyMap<string, TaskCall>;
  mostOpen: number;
}

export interface TaskReceiver {
  /** The URL of a target that takes so long to respond. */
  urlTaking(ms: number): string;
  /** The calls of a run, once `count` of them have ended. Throws after `withinMs`. */
  calls(execId: string, count: number, withinMs: number): Promise<RunCalls>;
  close(): void;
}

const POLL_MS = 2;

class OwnCalls implements RunCalls {
  readonly ended = new Map<string, TaskCall>();
  mostOpen = 0;
  private open = 0;

  begin(): void {
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
  }

  end(name: string, call: TaskCall): void {
    this.open -= 1;
    this.ended.set(name, call);
  }
}

/** A target on loopback that answers 200, and writes down when each task was called. */
export async function startTaskReceiver(): Promise<TaskReceiver> {
  const runs = new Map<string, OwnCalls>();
  const server = await listenOnLoopback((request, response) => {
    const beganMs = performance.now();
    const { headers } = request;
    const execId = String(headers['quarterjack-execution']);
    const item = headers['quarterjack-item'];
    const name = String(headers['quarterjack-task']) + (item === undefined ? '' : `.${String(item)}`);
    const calls = runs.get(execId) ?? new OwnCalls();
    runs.set(execId, calls);
    calls.begin();
    const takesMs = Number(new URL(request.url!, server.url).searchParams.get('ms'));
    const respond = () => {
      response.end();
      calls.end(name, { beganMs, endedMs: performance.now() });
    };
    request.resume();
    request.once('end', () => (takesMs > 0 ? void setTimeout(respond, takesMs) : respond()));
  });
  return {
    urlTaking: (ms) => `${server.url}/hook?ms=${ms}`,
    async calls(execId, count, withinMs) {
      const untilMs = performance.now() + withinMs;
      while (performance.now() < untilMs) {
        const calls = runs.get(execId);
        if (calls?.ended.size === count) return calls;
        await sleep(POLL_MS);
      }
      throw new Error(`run ${execId}: ${runs.get(execId)?.ended.size ?? 0} of ${count} calls in time`);
    },
    close: server.stop,
  };
}
