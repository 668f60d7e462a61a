import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { listenOnLoopback, workAskedFor } from '../../support/loopback-server';

/** One request as the target saw it: from its first byte to the answer, or to the end of its connection. */
export interface Delivery {
  job: string;
  /** A task has `run/task`. */
  execution: string;
  attempt: number;
  fence: number;
  dueMs: number;
  beginMs: number;
  endMs?: number;
  answered?: number;
}

export interface Receiver {
  url: string;
  readonly deliveries: readonly Delivery[];
  stop(): void;
}

const executionOf = (headers: IncomingHttpHeaders): string => {
  const task = headers['quarterjack-task'];
  return [headers['quarterjack-execution'], ...(task === undefined ? [] : [task])].join('/');
};

/**
 * A target that outlives whatever calls it. It does what its path asks for, see `workAskedFor`.
 */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = await listenOnLoopback((request, response) => {
    const header = (name: string) => String(request.headers[`quarterjack-${name}`]);
    const delivery: Delivery = {
      job: header('job'),
      execution: executionOf(request.headers),
      attempt: Number(header('attempt')),
      fence: Number(header('fence')),
      dueMs: Date.parse(header('due')),
      beginMs: Date.now(),
    };
    deliveries.push(delivery);
    response.once('close', () => (delivery.endMs ??= Date.now()));
    request.resume();
    const { status, ms } = workAskedFor(request.url, delivery.attempt);
    void sleep(ms).then(() => {
      delivery.endMs ??= Date.now();
      if (response.destroyed) return;
      delivery.answered = status;
      response.writeHead(status).end();
    });
  });
  return {
    url: server.url,
    deliveries,
    stop: server.stop,
  };
}
