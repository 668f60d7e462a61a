import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';

import { apiCaller } from '../../support/api-caller';
import { eventually } from '../../support/eventually';
import type { RunningSystem } from '../../support/local-run';
import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';

interface Accepted {
  callback: string;
  token: string;
  attempt: string;
}

/** A name of this machine that is not a loopback name: as a service of docker compose has one. */
export const APP = hostname().toLowerCase();

const accepted: Accepted[] = [];
let run: RunningSystem;
let worker: LoopbackServer;
let api: ReturnType<typeof apiCaller>;

/** As a worker does it: to the address and with the token that came with the delivery, and nothing else. */
async function report({ callback, token }: Accepted, what: string, body?: unknown) {
  const answer = await fetch(`${callback}/${what}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

const latest = async () => {
  const { items } = (await api('GET', '/v1/jobs/long/executions')).body as {
    items: Record<string, unknown>[];
  };
  return items[0];
};

/** A target that answers 202 and reports later, and one that is called by its name. */
export function describeLongJob(given: () => RunningSystem): void {
  describe('a long job', () => {
    beforeAll(async () => {
      worker = await listenOnLoopback((request, response) => {
        accepted.push({
          callback: String(request.headers['quarterjack-callback']),
          token: String(request.headers['quarterjack-token']),
          attempt: String(request.headers['quarterjack-attempt']),
        });
        response.writeHead(202).end();
      });
      run = given();
      api = apiCaller(run.url, await run.token('alice'));
    });

    afterAll(async () => {
      worker.stop();
    });

    test('a target that answers 202 keeps its execution by heartbeats, gives up, and completes the next attempt', async () => {
      const target = { type: 'http', url: `${worker.url}/`, mode: 'async', heartbeatTimeout: '5m' };
      const retry = { maxAttempts: 2, initialDelay: '1s', maxDelay: '1s' };
      const body = { jobId: 'long', schedule: { type: 'delay', delay: '2s' }, target, retry, timeout: '2h' };
      const created = await api('POST', '/v1/jobs', body);
      expect(created.status).toBe(201);

      const [first] = await eventually(
        () => accepted,
        (seen) => seen.length === 1,
      );
      expect(first!.callback).toBe(`${run.url}/v1/attempts`);
      expect(await report(first!, 'heartbeat')).toEqual({
        status: 200,
        body: { status: 'running', cancelRequested: false },
      });
      expect(await latest()).toMatchObject({ status: 'running', attempts: [] });
      const failed = await report(first!, 'fail', { error: 'disk full', retriable: true });
      expect(failed).toEqual({ status: 200, body: { status: 'retrying' } });

      const [, second] = await eventually(
        () => accepted,
        (seen) => seen.length === 2,
      );
      expect(second!.attempt).toBe('2');
      expect(await report(first!, 'complete', { result: 'too late' })).toMatchObject({ status: 409 });
      const completed = await report(second!, 'complete', { result: { rows: 7 } });
      expect(completed).toEqual({ status: 200, body: { status: 'succeeded' } });
      expect(await latest()).toMatchObject({
        status: 'succeeded',
        result: { body: '{"rows":7}' },
        attempts: [
          { attempt: 1, outcome: 'retriable', error: 'disk full' },
          { attempt: 2, outcome: 'succeeded' },
          { attempt: 1, outcome: 'succeeded', late: true },
        ],
      });
      expect(await report({ ...second!, token: `${second!.token}x` }, 'heartbeat')).toMatchObject({
        status: 401,
      });
    });

    test('a job calls an app by its name and http, as the flag allows; another name is rejected', async () => {
      const bodies: string[] = [];
      const app = createServer((request, response) => {
        void text(request).then((body) => bodies.push(`${request.headers.host}: ${body}`) && response.end());
      });
      await new Promise<void>((listening) => app.listen(0, listening));
      const { port } = app.address() as AddressInfo;
      const job = (host: string) => ({
        schedule: { type: 'delay', delay: '1s' },
        target: { type: 'http', url: `http://${host}:${port}/` },
        payload: { from: 'job' },
      });
      expect(await api('POST', '/v1/jobs', job(APP))).toMatchObject({ status: 201 });
      await eventually(
        () => bodies,
        (seen) => seen.length === 1,
      );
      expect(bodies).toEqual([`${APP}:${port}: {"from":"job"}`]);
      const refused = await api('POST', '/v1/jobs', job('another'));
      expect(refused).toMatchObject({ status: 400 });
      expect(JSON.stringify(refused.body)).toContain('npm start -- --private-host another allows this host');
      app.closeAllConnections();
      app.close();
    });
  });
}
