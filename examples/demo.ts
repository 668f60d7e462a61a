/**
 * Shows the whole system at work. Starts Quarterjack on a free port, and a receiver. Creates a one-time, an
 * interval and a cron job through the API. Prints each delivery with its lateness, then the history.
 *
 * Exits with code 0 if every delivery arrived with a valid signature, and none early; else with 1.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Webhook } from 'standardwebhooks';

import { type LocalRun, start } from '../local/start';

const SECOND_MS = 1_000;
/** The cron job fires within 60 s, at the next full minute. The rest is for the last deliveries to arrive. */
const TIMEOUT_MS = 75 * SECOND_MS;

interface Delivery {
  jobId: string;
  latenessMs: number;
  signed: boolean;
}

interface Expectation {
  jobId: string;
  what: string;
  schedule: object;
  atLeast: number;
}

const EXPECTATIONS: Expectation[] = [
  { jobId: 'one-time', what: 'once, in 5 seconds', schedule: { type: 'delay', delay: '5s' }, atLeast: 1 },
  { jobId: 'interval', what: 'every 10 seconds', schedule: { type: 'interval', every: '10s' }, atLeast: 3 },
  {
    jobId: 'cron',
    what: 'every full minute, Berlin time',
    schedule: { type: 'cron', expression: '* * * * *', timezone: 'Europe/Berlin' },
    atLeast: 1,
  },
];

async function main(): Promise<boolean> {
  say('Starting Quarterjack on a free port …');
  const run = await start({ port: 0, dataDir: undefined, out: () => undefined });
  const deliveries: Delivery[] = [];
  const client = await clientOf(run);
  const { secret } = (await client('GET', '/v1/signing-secret')) as { secret: string };
  const receiver = await startReceiver(new Webhook(secret), (delivery) => {
    deliveries.push(delivery);
    const { jobId, latenessMs, signed } = delivery;
    say(
      `  → ${jobId.padEnd(9)} ${String(latenessMs).padStart(4)} ms after its time, ${signed ? 'signed' : 'NOT SIGNED'}`,
    );
  });
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    say(`The API listens on ${run.url}; deliveries go to ${url}\n`);
    for (const { jobId, what, schedule } of EXPECTATIONS) {
      await client('POST', '/v1/jobs', {
        jobId,
        schedule,
        target: { type: 'http', url },
        payload: { job: jobId },
      });
      say(`Created ${jobId}: ${what}`);
    }
    say('\nDeliveries as they happen:');
    await until(() => EXPECTATIONS.every(({ jobId, atLeast }) => count(deliveries, jobId) >= atLeast));
    for (const { jobId } of EXPECTATIONS) await client('DELETE', `/v1/jobs/${jobId}`);

    say('\nHistory:');
    for (const { jobId } of EXPECTATIONS) await printHistory(client, jobId);
    return report(deliveries);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
    await run.stop();
  }
}

type Client = (method: string, path: string, body?: unknown) => Promise<unknown>;

async function clientOf(run: LocalRun): Promise<Client> {
  const headers = { authorization: `Bearer ${await run.token('demo')}`, 'content-type': 'application/json' };
  return async (method, path, body) => {
    const response = await fetch(run.url + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
    return text ? JSON.parse(text) : undefined;
  };
}

async function startReceiver(webhook: Webhook, onDelivery: (delivery: Delivery) => void): Promise<Server> {
  const server = createServer((request, response) => {
    const arrivedMs = Date.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.end('thanks');
      const headers = request.headers as Record<string, string>;
      onDelivery({
        jobId: headers['quarterjack-job'] ?? '?',
        latenessMs: arrivedMs - Date.parse(headers['quarterjack-due'] ?? ''),
        signed: verifies(webhook, Buffer.concat(chunks).toString('utf8'), headers),
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function verifies(webhook: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    webhook.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

async function printHistory(client: Client, jobId: string): Promise<void> {
  const { items } = (await client('GET', `/v1/jobs/${jobId}/executions?order=asc`)) as {
    items: { dueAt: string; status: string; latenessMs: number; attempts: unknown[] }[];
  };
  for (const { dueAt, status, latenessMs, attempts } of items.filter((item) => item.status !== 'scheduled')) {
    say(
      `  ${jobId.padEnd(9)} ${dueAt}  ${status.padEnd(9)} ${attempts.length} attempt(s), ${latenessMs ?? '–'} ms late`,
    );
  }
}

function report(deliveries: Delivery[]): boolean {
  const missing = EXPECTATIONS.filter(({ jobId, atLeast }) => count(deliveries, jobId) < atLeast);
  const early = deliveries.filter(({ latenessMs }) => !(latenessMs >= 0));
  const unsigned = deliveries.filter(({ signed }) => !signed);
  for (const { jobId, atLeast } of missing) {
    say(`\nMISSING: ${jobId} arrived ${count(deliveries, jobId)} times, expected at least ${atLeast}`);
  }
  if (early.length > 0) say(`\nEARLY: ${early.length} deliveries came before their time`);
  if (unsigned.length > 0) say(`\nUNSIGNED: ${unsigned.length} deliveries had no valid signature`);
  const ok = missing.length + early.length + unsigned.length === 0;
  if (ok) say(`\nAll arrived: ${deliveries.length} deliveries, none early, every signature valid.`);
  return ok;
}

const count = (deliveries: Delivery[], jobId: string) =>
  deliveries.filter((one) => one.jobId === jobId).length;

async function until(done: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  while (!done() && Date.now() < deadlineMs) await sleep(100);
}

const say = (line: string) => process.stdout.write(`${line}\n`);

main().then(
  (ok) => (process.exitCode = ok ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
