import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request as the target saw it: from its first byte to the answer, or to the end of its connection. */
export interface Delivery {
  job: string;
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

/**
 * A target that outlives whatever calls it. `/<answer>/<ms>` answers with that status after so many milliseconds;
 * `/flaky/<ms>` with 503 to the first attempt.
 */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const header = (name: string) => String(request.headers[`quarterjack-${name}`]);
    const delivery: Delivery = {
      job: header('job'),
      execution: header('execution'),
      attempt: Number(header('attempt')),
      fence: Number(header('fence')),
      dueMs: Date.parse(header('due')),
      beginMs: Date.now(),
    };
    deliveries.push(delivery);
    response.once('close', () => (delivery.endMs ??= Date.now()));
    request.resume();
    const [, answer, ms] = (request.url ?? '').split('/');
    const status = answer === 'flaky' ? (delivery.attempt === 1 ? 503 : 200) : Number(answer);
    void sleep(Number(ms)).then(() => {
      delivery.endMs ??= Date.now();
      if (response.destroyed) return;
      delivery.answered = status;
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliveries,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
