import type { Sdk } from '../suite/sdk';
import { problem } from '../suite/samples';
import { CLAIM, COMPLETE, FAIL, HEARTBEAT, newWorkServer, startWorker, working } from './working';

const TEXT = { text: 'Grüße, 日本語 🎉 \u0000 " \\ \u2028', big: 9007199254740991, small: 0.1, none: null };
const unavailable = () => Response.json(problem(503).body, { status: 503 });

/** What a worker claims and reports. */
export function outcomeCases(sdk: Sdk): void {
  describe('outcomes of workers', () => {
    sdk.test('a result is reported as the handler returned it', async (driver, own) => {
      const { offer, ended } = await working(sdk, driver, own, [{ emit: 'got' }, { echo: true }]);
      const execution = offer({ payload: TEXT });
      const [end] = await ended();
      expect(end).toMatchObject({ outcome: 'succeeded', droppedLogLines: 0 });
      expect(execution).toMatchObject({ status: 'succeeded', result: TEXT });
      const ids = { jobId: own.name, execId: '20261201T020000.0', attempt: 1, fence: 1 };
      const got = await driver.sees({ event: 'step', jobId: own.name, name: 'got' });
      expect(got).toMatchObject({ ...ids, dueAt: '2026-12-01T02:00:00.000Z', payload: TEXT });
      expect((await driver.sees({ event: 'worker', worker: own.name, type: 'started' })).fence).toBe(1);
    });

    sdk.test('an error may be retried, a fatal one not, and one may ask for time', async (driver, own) => {
      const server = await newWorkServer(sdk);
      const failures = { plain: { throw: 'disk full' }, fatal: { fatal: 'no such table' } };
      const later = { retryAfter: '5m', message: 'rate limited' };
      const jobs = Object.entries({ ...failures, later }).map(([id, step]) => ({ id, steps: [step] }));
      await startWorker(sdk, driver, own, server, { jobs });
      for (const { id } of jobs) server.offer({ jobId: id });
      await driver.see({ event: 'worker', worker: own.name, type: 'ended' }, 3);
      expect(server.executions).toMatchObject([
        { status: 'failed', error: 'disk full', retriable: true },
        { status: 'failed', error: 'no such table', retriable: false },
        { status: 'failed', error: 'rate limited', retriable: true, retryAfter: '5m' },
      ]);
    });

    sdk.test('released work is offered again', async (driver, own) => {
      const { offer, ended } = await working(sdk, driver, own, [{ gate: own.name }, { release: 'not here' }]);
      const execution = offer();
      await driver.sees({ event: 'worker', worker: own.name, type: 'started' });
      void driver.do({ do: 'drain', worker: own.name });
      await driver.do({ do: 'open-gate', gate: own.name });
      expect((await ended())[0]).toMatchObject({ outcome: 'released' });
      expect(execution).toMatchObject({ status: 'waiting', releases: 1 });
    });

    sdk.test('a claim without an answer is repeated, and gets the same work', async (driver, own) => {
      const server = await newWorkServer(sdk);
      server.faults.push({ path: CLAIM, isLost: true });
      const execution = server.offer({ jobId: own.name, payload: 1 });
      await startWorker(sdk, driver, own, server, { steps: [{ echo: true }] });
      await driver.sees({ event: 'worker', worker: own.name, type: 'ended' });
      expect(execution).toMatchObject({ status: 'succeeded', result: 1, fence: 1, lapses: 0 });
      const [first, second] = server.requests.filter(({ path }) => path === CLAIM);
      expect(second).toEqual(first);
      expect(first!.key).toMatch(/^[!-~]{16,255}$/);
    });

    sdk.test('a report is repeated until it arrives', async (driver, own) => {
      const { server, offer, ended } = await working(sdk, driver, own, [{ return: 7 }]);
      server.faults.push({ path: COMPLETE, answer: unavailable() });
      const execution = offer();
      expect((await ended())[0]).toMatchObject({ outcome: 'succeeded' });
      expect(execution).toMatchObject({ status: 'succeeded', result: 7, lapses: 0 });
      expect(server.count(COMPLETE)).toBe(2);
    });

    sdk.test('a report whose answer was lost does no harm', async (driver, own) => {
      const { server, offer, ended } = await working(sdk, driver, own, [{ return: 7 }]);
      server.faults.push({ path: COMPLETE, isLost: true });
      const execution = offer();
      await ended();
      expect(execution).toMatchObject({ status: 'succeeded', result: 7 });
      expect(server.count(FAIL)).toBe(0);
    });

    sdk.test('a result that the API does not take is left out', async (driver, own) => {
      const { server, offer, ended } = await working(sdk, driver, own, [{ return: 'too much' }]);
      server.faults.push({ path: COMPLETE, answer: Response.json(problem(400).body, { status: 400 }) });
      const execution = offer();
      expect((await ended())[0]).toMatchObject({ outcome: 'succeeded' });
      expect(execution.status).toBe('succeeded');
      expect(execution).not.toHaveProperty('result');
    });

    sdk.test('fields of a newer server disturb no work', async (driver, own) => {
      const { server, offer, ended } = await working(sdk, driver, own, [{ echo: true }]);
      server.more = { trigger: 'tide', region: { name: 'moon' }, hints: [1, null] };
      const execution = offer({ payload: { a: 1 } });
      expect((await ended())[0]).toMatchObject({ outcome: 'succeeded' });
      expect(execution).toMatchObject({ status: 'succeeded', result: { a: 1 } });
    });

    sdk.test('as many as allowed run at a time, and no more', async (driver, own) => {
      const steps = [{ emit: 'running' }, { gate: own.name }];
      const { server, offer, ended, step } = await working(sdk, driver, own, steps, { concurrency: 3 });
      for (let count = 0; count < 5; count++) offer();
      await step('running', 3);
      expect(server.executions.filter(({ status }) => status === 'waiting')).toHaveLength(2);
      await driver.do({ do: 'open-gate', gate: own.name });
      await ended(5);
      expect(server.executions.every(({ status }) => status === 'succeeded')).toBe(true);
    });

    sdk.test('a worker names itself, its queue and how much it takes', async (driver, own) => {
      const options = { concurrency: 20, name: 'host-1/4711' };
      const { server } = await working(sdk, driver, own, [], options);
      await server.until(() => server.count(CLAIM) > 0);
      const [{ body, token }] = server.requests as [HeldRequest];
      expect(body).toEqual({ queue: 'q', max: 10, wait: '20s', worker: 'host-1/4711' });
      expect([token, server.count(HEARTBEAT)]).toEqual(['the-key', 0]);
    });
  });
}

type HeldRequest = Awaited<ReturnType<typeof newWorkServer>>['requests'][0];
