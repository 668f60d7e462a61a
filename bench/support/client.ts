import { Agent, request } from 'node:http';

import type { RunningSystem } from '../../test/support/local-run';

export type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

const agent = new Agent({ keepAlive: true });

/**
 * Calls the API of a run as one user, over kept-alive connections. Rejects for every answer but a success.
 */
export async function clientOf(system: RunningSystem, user: string): Promise<Call> {
  const headers = { authorization: `Bearer ${await system.token(user)}`, 'content-type': 'application/json' };
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = request(new URL(path, system.url), { method, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if ((response.statusCode ?? 500) < 300) resolve(text ? JSON.parse(text) : undefined);
          else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${text}`));
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

/** The calls of `count` users, so that no user's jobs exceed the per-user rate limit. */
export const clientsOf = (system: RunningSystem, count: number): Promise<Call[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => clientOf(system, `bench-${index}`)));
