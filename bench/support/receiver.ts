import { listenOnLoopback } from '../../test/support/loopback-server';

/** Connections that may wait to be accepted: a burst of all executors at once. */
const BACKLOG = 4_096;
const SLOW = '/slow';

/** One call as the target saw it. */
export interface Arrival {
  jobId: string;
  execId: string;
  /** Arrival minus due time, in milliseconds. */
  latenessMs: number;
  atMs: number;
}

export interface Receiver {
  url: string;
  /** A target that answers later. */
  slowUrl: string;
  arrivals: Arrival[];
  /** Resolves when there are `count` arrivals, or after `withinMs`. */
  waitFor(count: number, withinMs: number): Promise<void>;
  close(): void;
}

/**
 * A target on loopback that writes down when it was called, and answers 200: at once, or at `slowUrl` after
 * `answersAfterMs`.
 */
export async function startReceiver(answersAfterMs = 0): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  let enough: { count: number; done: () => void } | undefined;
  const server = await listenOnLoopback((request, response) => {
    const atMs = Date.now();
    request.resume();
    request.once('end', () => {
      if (request.url === SLOW) setTimeout(() => response.end(), answersAfterMs);
      else response.end();
      const header = (name: string) => String(request.headers[name]);
      arrivals.push({
        jobId: header('quarterjack-job'),
        execId: header('quarterjack-execution'),
        latenessMs: atMs - Date.parse(header('quarterjack-due')),
        atMs,
      });
      if (enough && arrivals.length >= enough.count) enough.done();
    });
  }, BACKLOG);
  return {
    url: `${server.url}/hook`,
    slowUrl: `${server.url}${SLOW}`,
    arrivals,
    waitFor: (count, withinMs) =>
      new Promise((resolve) => {
        if (arrivals.length >= count) return resolve();
        const timer = setTimeout(resolve, withinMs);
        const done = () => {
          clearTimeout(timer);
          resolve();
        };
        enough = { count, done };
      }),
    close: server.stop,
  };
}
