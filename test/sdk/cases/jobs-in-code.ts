import { text } from 'node:stream/consumers';
import { connect } from 'node:net';

import type { Driver } from '../suite/driver';
import {
  RECEIVER_SECRETS,
  receiverRequests,
  requestOf,
  statusOverSocket,
} from '../../support/receiver-requests';
import { ScriptedApi } from '../suite/scripted-api';
import type { Own, Sdk } from '../suite/sdk';
import { SECRET, type SignedDelivery, signedDelivery } from '../suite/signed';

interface Answered {
  status: number;
  headers: Record<string, string>;
  body: any;
}

/** Sends a delivery to a served program. */
async function deliver(
  url: string,
  { headers, body }: SignedDelivery,
  signal?: AbortSignal,
): Promise<Answered> {
  const init = { method: 'POST', headers, ...(body !== '' && { body }), signal };
  const response = await fetch(`${url}/hook`, init);
  const answered = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const read: unknown = isJson ? JSON.parse(answered) : answered;
  return { status: response.status, headers: Object.fromEntries(response.headers), body: read };
}

/** Does the same for each way in which the SDK serves. */
async function served(
  driver: Driver,
  { name }: Own,
  options: object,
  act: (url: string, as: string) => Promise<void>,
): Promise<void> {
  const { serves } = await driver.sees({ event: 'ready' });
  for (const as of serves as string[]) {
    const { url } = await driver.do({
      do: 'serve',
      name: `${name}-${as}`,
      as,
      secrets: [SECRET],
      ...options,
    });
    await act(url, as);
  }
  expect(serves).not.toEqual([]);
}

const JOBS = [
  { id: 'echoes', steps: [{ echo: true }] },
  { id: 'quiet', steps: [] },
  { id: 'fails', steps: [{ throw: 'disk full' }] },
  { id: 'fatal', steps: [{ fatal: 'no such order' }] },
  { id: 'later', steps: [{ retryAfter: '90s', message: 'rate limited' }] },
  { id: 'typed', typed: true, steps: [{ echo: true }] },
];

const PROBLEM = { 'content-type': expect.stringContaining('application/problem+json') };

/** Deliveries to the handlers of jobs in code. */
export function servedCases(sdk: Sdk): void {
  describe('jobs in code, served', () => {
    sdk.test('a result is the body of 200, and none is 204', (driver, own) =>
      served(driver, own, { jobs: JOBS }, async (url) => {
        const payload = { text: 'Grüße 日本 🎉', list: [1, 2.5, null, true] };
        const body = JSON.stringify(payload);
        const json = { 'content-type': expect.stringContaining('application/json') };
        expect(await deliver(url, signedDelivery({ jobId: 'echoes', body }))).toMatchObject({
          ...{ status: 200, headers: json, body: payload },
        });
        expect(await deliver(url, signedDelivery({ jobId: 'quiet', body }))).toMatchObject({ status: 204 });
        expect((await deliver(url, signedDelivery({ jobId: 'echoes' }))).body).toEqual({});
      }),
    );

    sdk.test('an unknown job may come soon: 503, and when to try again', (driver, own) =>
      served(driver, own, { jobs: JOBS }, async (url) => {
        const answered = await deliver(url, signedDelivery({ jobId: 'unheard-of' }));
        expect(answered).toMatchObject({ status: 503, headers: { ...PROBLEM, 'retry-after': '60' } });
        expect(answered.headers['quarterjack-reason']).toBe('unknown-job');
        expect(answered.body.detail).toContain('unknown-job');
        expect(answered.body.detail).toContain('echoes');
      }),
    );

    sdk.test('an error is 500, a fatal one 422, and one that asks for time 503', (driver, own) =>
      served(driver, own, { jobs: JOBS }, async (url) => {
        const answered = (jobId: string) => deliver(url, signedDelivery({ jobId, body: '{}' }));
        expect(await answered('fails')).toMatchObject({
          status: 500,
          headers: PROBLEM,
          body: { detail: 'disk full' },
        });
        const fatal = await answered('fatal');
        expect(fatal).toMatchObject({ status: 422, body: { detail: 'no such order' } });
        expect(fatal.headers).not.toHaveProperty('quarterjack-reason');
        const headers = { 'retry-after': '90' };
        expect(await answered('later')).toMatchObject({
          status: 503,
          headers,
          body: { detail: 'rate limited' },
        });
      }),
    );

    sdk.test('a payload that does not fit its type, or is no JSON, fails for good', (driver, own) =>
      served(driver, own, { jobs: JOBS }, async (url) => {
        const answered = (body: string) => deliver(url, signedDelivery({ jobId: 'typed', body }));
        for (const body of [
          '{}',
          '{"orderId":7}',
          '{"orderId":"A","amount":"x"}',
          '[]',
          '"text"',
          '{not json',
        ])
          expect([body, await answered(body)]).toMatchObject([
            body,
            { status: 422, headers: { 'quarterjack-reason': 'bad-payload' } },
          ]);
        expect(await answered('{"orderId":"A","amount":2}')).toMatchObject({
          ...{ status: 200, body: { orderId: 'A', amount: 2 } },
        });
        expect(await answered('{"orderId":"A"}')).toMatchObject({ status: 200, body: { orderId: 'A' } });
      }),
    );

    sdk.test('a deployed job may have a prefix', (driver, own) =>
      served(driver, own, { jobs: JOBS, prefix: 'shop-' }, async (url) => {
        const statusOf = async (jobId: string) => (await deliver(url, signedDelivery({ jobId }))).status;
        expect([await statusOf('shop-quiet'), await statusOf('quiet')]).toEqual([204, 503]);
      }),
    );

    sdk.test('with a fence store, what arrives after a later attempt is 409', (driver, own) =>
      served(driver, own, { jobs: JOBS, fences: true }, async (url) => {
        const statusOf = async (fence: number) =>
          (await deliver(url, signedDelivery({ jobId: 'quiet', fence }))).status;
        expect([await statusOf(3), await statusOf(2), await statusOf(3)]).toEqual([204, 409, 204]);
      }),
    );

    sdk.test('a handler gets what the delivery says of itself', (driver, own) =>
      served(driver, own, { jobs: [{ id: own.name, steps: [{ emit: 'got' }] }] }, async (url, as) => {
        const body = JSON.stringify({ as });
        const further = { 'quarterjack-key': 'unpaid%2042' };
        await deliver(url, signedDelivery({ jobId: own.name, attempt: 4, fence: 9, body, further }));
        const events = await driver.see({ event: 'step', jobId: own.name, name: 'got' }, 1);
        expect(events.at(-1)).toMatchObject({
          ...{ execId: '20261201T090000.000Z', attempt: 4, fence: 9, payload: { as } },
          ...{ dueAt: '2026-12-01T09:00:00.000Z', key: 'unpaid 42' },
        });
      }),
    );

    observedCases(sdk);

    hostileCases(sdk);
  });
}

function observedCases(sdk: Sdk): void {
  sdk.test(
    'what is observed has its log and its progress at the API, and stops when that says so',
    (driver, own) => {
      const jobs = [
        {
          id: own.name,
          steps: [{ log: 'one' }, { progress: 0.5, text: 'half' }, { untilStopped: 'return' }],
        },
      ];
      return served(driver, own, { jobs }, async (url) => {
        const api = await new ScriptedApi(({ url: path }) =>
          path === '/v1/attempts/log'
            ? { status: 200, body: { bytes: 3, truncated: false } }
            : { status: 200, body: { status: 'running', cancelRequested: true } },
        ).listen();
        sdk.after(() => api.stop());
        const further = {
          'quarterjack-callback': `${api.url}/v1/attempts`,
          'quarterjack-token': 'of-observer',
        };
        expect((await deliver(url, signedDelivery({ jobId: own.name, further }))).status).toBe(204);
        const events = await driver.see({ event: 'stopping', jobId: own.name }, 1);
        expect(events.at(-1)).toMatchObject({ reason: 'cancelled' });
        const sent = api.received.map(({ url: path, body }) => [path, JSON.parse(body)]);
        expect(sent).toContainEqual(['/v1/attempts/heartbeat', { progress: 0.5, text: 'half' }]);
        expect(sent).toContainEqual([
          '/v1/attempts/log',
          expect.objectContaining({ lines: [expect.objectContaining({ stream: 'stdout', text: 'one' })] }),
        ]);
        expect(new Set(sent.map(([path]) => path as string)).size).toBe(2);
        const tokens = new Set(api.received.map(({ headers }) => headers.authorization));
        expect([...tokens]).toEqual(['Bearer of-observer']);
      });
    },
  );
}

function hostileCases(sdk: Sdk): void {
  sdk.test('what is not genuine is 401, whatever its bytes', (driver, own) =>
    served(
      driver,
      own,
      { jobs: [{ id: 'report', steps: [] }], secrets: RECEIVER_SECRETS.split(' ') },
      async (url) => {
        const port = Number(new URL(url).port);
        const seen: Record<string, number> = {};
        for (const request of receiverRequests)
          seen[request.name] = await statusOverSocket(port, requestOf(request, Date.now()));
        expect(seen).toEqual(Object.fromEntries(receiverRequests.map(({ name, status }) => [name, status])));
      },
    ),
  );

  sdk.test('more than a megabyte is 413', (driver, own) =>
    served(driver, own, { jobs: JOBS }, async (url) => {
      const port = Number(new URL(url).port);
      expect(await statusOfLarge(port)).toBe(413);
      expect((await deliver(url, signedDelivery({ jobId: 'quiet' }))).status).toBe(204);
    }),
  );

  sdk.waits('a job that takes longer than its time-out is stopped', (driver, own) =>
    served(
      driver,
      own,
      { jobs: [{ id: own.name, timeout: '1s', steps: [{ untilStopped: 'throw' }] }] },
      async (url) => {
        expect((await deliver(url, signedDelivery({ jobId: own.name }))).status).toBe(500);
        expect(await driver.sees({ event: 'stopping', jobId: own.name })).toMatchObject({
          reason: 'timed-out',
        });
      },
    ),
  );
}

/** Says that a body of 2 MB comes, and sends what the server takes of it. */
async function statusOfLarge(port: number): Promise<number> {
  const { headers } = signedDelivery({ jobId: 'quiet', body: '{}' });
  const bytes = Buffer.alloc(2_000_000, ' ');
  const lines = [...headers, ['Content-Length', String(bytes.length)], ['Connection', 'close']];
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined); // the server may close before it has read all
  socket.write(
    `POST /hook HTTP/1.1\r\nHost: a\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
  );
  socket.write(bytes);
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(await text(socket))?.[1]);
}
