/**
 * Measures for how long a revoked API key is accepted by the process that `npm start` runs. Its HTTP API
 * caches the authorizer's results as API Gateway does. Many clients use the key all the time.
 *
 * `npm run bench:revocation -- [--clients 50] [--rounds 2] [--json]`
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { Quarterjack } from '../../client';
import { startSystem } from '../../test/support/local-run';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';

/** docs/api-keys.md promises it. */
const REFUSED_WITHIN_MS = 60_000;
/** How long the clients work before and after the revocation. */
const WARM_UP_MS = 10_000;
const WATCHED_MS = 75_000;
const PAUSE_MS = 50;

interface Round {
  requests: number;
  /** Milliseconds from the response to the revocation until the last response 200. */
  lastAcceptedMs: number;
  /** Responses that are neither 200 nor 401. */
  others: number;
}

async function revoke(url: string, ownerToken: string, clients: number): Promise<Round> {
  const owner = new Quarterjack({ url, token: ownerToken });
  const { key, keyId } = await owner.apiKeys.create({ name: 'bench', role: 'viewer' });
  const startedMs = performance.now();
  const [endMs, revokeMs] = [startedMs + WARM_UP_MS + WATCHED_MS, startedMs + WARM_UP_MS];
  const round: Round = { requests: 0, lastAcceptedMs: 0, others: 0 };
  let revokedMs = Number.POSITIVE_INFINITY;

  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const { status } = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
      round.requests += 1;
      if (status === 200)
        round.lastAcceptedMs = Math.max(round.lastAcceptedMs, performance.now() - revokedMs);
      else if (status !== 401) round.others += 1;
      await sleep(PAUSE_MS);
    }
  };
  const revocation = async (): Promise<void> => {
    await sleep(revokeMs - performance.now());
    await owner.apiKeys.revoke(keyId);
    revokedMs = performance.now();
  };
  await Promise.all([revocation(), ...Array.from({ length: clients }, client)]);
  return round;
}

async function main(): Promise<void> {
  const { clients, rounds } = numbersFrom({ clients: 50, rounds: 2 });
  const system = await startSystem('--port', '0', '--ephemeral');
  try {
    const token = await system.token('alice', 'jobs:read project:admin');
    const measured: Round[] = [];
    for (let index = 0; index < rounds; index++) measured.push(await revoke(system.url, token, clients));
    if (wantsJson()) printJson({ clients, rounds: measured });
    else
      say(
        table(
          ['requests', 'last 200 after (s)', 'other responses'],
          measured.map(({ requests, lastAcceptedMs, others }) => [
            requests,
            (lastAcceptedMs / 1000).toFixed(1),
            others,
          ]),
        ),
      );
    if (measured.some(({ lastAcceptedMs }) => lastAcceptedMs > REFUSED_WITHIN_MS))
      throw new Error(`a revoked key was accepted for longer than ${REFUSED_WITHIN_MS / 1000} s`);
  } finally {
    await system.end();
  }
}

run('bench:revocation', main);
