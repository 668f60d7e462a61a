import type { RequestListener } from 'node:http';

import { listenOnLoopback } from '../../test/support/loopback-server';
import type { ServerIdentity } from './certificate';

/** Connections that may wait to be accepted: a burst of all executors at once. */
const BACKLOG = 4_096;
const SLOW = '/slow?ms=';

/** One call as the target saw it. */
export interface Arrival {
  jobId: string;
  execId: string;
  dueAtMs: number;
  atMs: number;
  /** Arrival minus due time, in milliseconds. */
  latenessMs: number;
}

export interface Receiver {
  url: string;
  /** A target that answers after that time. */
  slowUrl(answersAfterMs: number): string;
  arrivals: Arrival[];
  /** Resolves when there are `count` arrivals, or after `withinMs`. */
  waitFor(count: number, withinMs: number): Promise<void>;
  close(): void;
}

/** How a receiver listens and answers. */
interface ReceiverOptions {
  /** Makes it speak https. */
  identity?: ServerIdentity;
}

/** Whole milliseconds are a tenth of what some benchmarks compare. */
const toTenth = (ms: number): number => Math.round(10 * ms) / 10;

/** A target on loopback that writes down when it was called, and answers 200: at once, or later. */
export async function startReceiver({ identity }: ReceiverOptions = {}): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  let enough: { count: number; done: () => void } | undefined;
  const listener: RequestListener = (request, response) => {
    const atMs = toTenth(performance.timeOrigin + performance.now());
    request.resume();
    request.once('end', () => {
      if (request.url?.startsWith(SLOW))
        setTimeout(() => response.end(), Number(request.url.slice(SLOW.length)));
      else response.end();
      const header = (name: string) => String(request.headers[name]);
      const dueAtMs = Date.parse(header('quarterjack-due'));
      arrivals.push({
        jobId: header('quarterjack-job'),
        execId: header('quarterjack-execution'),
        dueAtMs,
        atMs,
        latenessMs: toTenth(atMs - dueAtMs),
      });
      if (enough && arrivals.length >= enough.count) enough.done();
    });
  };
  const server = await listenOnLoopback(listener, { backlog: BACKLOG, identity });
  return {
    url: `${server.url}/hook`,
    slowUrl: (answersAfterMs) => `${server.url}${SLOW}${answersAfterMs}`,
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
