// What a worker does with a job. Both kinds have the same four calls: on a job, wait for arrivals, take their
// lateness, stop.
import { fork } from 'node:child_process';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

import { arrivals } from './arrivals.mjs';

/** The worker's function does nothing. */
export async function aFunction() {
  const seen = arrivals();
  return {
    name: 'a function',
    onJob: async ({ dueMs }) => seen.add(Date.now() - dueMs),
    waitFor: seen.waitFor,
    take: async () => seen.take(),
    stop: () => undefined,
  };
}

/**
 * What Quarterjack's executor does: an HTTP request to another process, signed by Standard Webhooks, and a
 * record of the attempt in the peer's own store. An answer that is no success fails the job, which the peer's
 * retry policy then repeats. Unlike Quarterjack's, the requests share connections.
 */
export async function aSignedCall() {
  const receiver = fork(join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, 'receiver.mjs'));
  const [{ port }] = await once(receiver, 'message');
  const agent = new Agent({ keepAlive: true });
  const secret = randomBytes(32);

  const call = ({ dueMs, ...data }) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(data);
      const id = randomUUID();
      const timestamp = Math.floor(Date.now() / 1_000);
      const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
        'due-ms': String(dueMs),
      };
      const options = { port, host: '127.0.0.1', path: '/hook', method: 'POST', headers, agent };
      const sent = request(options, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode));
        response.once('error', reject);
      });
      sent.once('error', reject);
      sent.end(body);
    });

  const ask = async (question) => {
    const id = randomUUID();
    receiver.send({ id, ...question });
    for (;;) {
      const [answer] = await once(receiver, 'message');
      if (answer.id === id) return answer.late;
    }
  };

  return {
    name: 'a signed call, recorded',
    /** A worker needs many at once to be busy. */
    waits: true,
    async onJob(data, peer) {
      const startedAtMs = Date.now();
      const status = await call(data);
      await peer.record({ id: randomUUID(), job: data.index, startedAtMs, finishedAtMs: Date.now(), status });
      if (status >= 300) throw new Error(`the target answered ${status}`);
    },
    waitFor: (count, withinMs) => ask({ count, withinMs }),
    take: () => ask({}),
    stop() {
      agent.destroy();
      receiver.disconnect();
    },
  };
}
