import type { RequestListener } from 'node:http';

import { listenOnLoopback } from '../../test/support/loopback-server';
import type { ServerIdentity } from './certificate';

/** Connections that may wait to be accepted: a burst of all executors at once. */
const BACKLOG = 4_096;

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
  arrivals: Arrival[];
  /** Resolves when there are `count` arrivals, or after `withinMs`. */
  waitFor(count: number, withinMs: number): Promise<void>;
  close(): void;
}

/**
 * A target on loopback that answers 200 at once and writes down when it was called. With an identity, it
 * speaks https.
 */
export async function startReceiver(identity?: ServerIdentity): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  let enough: { count: number; done: () => void } | undefined;
  const listener: RequestListener = (request, response) => {
    const atMs = Date.now();
    request.resume();
    request.once('end', () => {
      response.end();
      const header = (name: string) => String(request.headers[name]);
      arrivals.push({
        jobId: header('quarterjack-job'),
        execId: header('quarterjack-execution'),
        latenessMs: atMs - Date.parse(header('quarterjack-due')),
        atMs,
      });
      if (enough && arrivals.length >= enough.count) enough.done();
    });
  };
  const server = await listenOnLoopback(listener, { backlog: BACKLOG, identity });
  return {
    url: `${server.url}/hook`,
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
