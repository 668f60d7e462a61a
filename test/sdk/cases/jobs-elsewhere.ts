import type { Driver } from '../suite/driver';
import { ScriptedApi } from '../suite/scripted-api';
import type { Sdk } from '../suite/sdk';
import { newWorkServer, startWorker } from './working';

const CUSTOM = {
  'quarterjack-project': 'shop',
  'quarterjack-job': 'echoes',
  'quarterjack-execution': '20261201T090000.000Z',
  'quarterjack-attempt': '1',
  'quarterjack-fence': '1',
  'quarterjack-due': '2026-12-01T09:00:00.000Z',
};
const JOBS = [
  { id: 'echoes', steps: [{ echo: true }] },
  { id: 'fails', steps: [{ throw: 'disk full' }] },
  { id: 'fatal', steps: [{ fatal: 'no such order' }] },
  { id: 'later', steps: [{ retryAfter: '90s', message: 'rate limited' }] },
  { id: 'typed', typed: true, steps: [{ echo: true }] },
];

const invoke = (driver: Driver, custom: object, more: object = {}) =>
  driver.do({ do: 'invoke', jobs: JOBS, event: { a: 'ü' }, custom: { ...CUSTOM, ...custom }, ...more });

/** Jobs in code that Lambda runs. */
export function lambdaCases(sdk: Sdk): void {
  describe('jobs in code, by Lambda', () => {
    sdk.test('the event is the payload, and the result is returned', async (driver) => {
      expect(await invoke(driver, {})).toEqual({ a: 'ü' });
      expect(await invoke(driver, { 'quarterjack-job': 'shop-echoes' }, { prefix: 'shop-' })).toEqual({
        a: 'ü',
      });
    });

    sdk.test('the name of an error says what may follow', async (driver) => {
      const failed = (job: string) => invoke(driver, { 'quarterjack-job': job });
      const fatal = { errorType: 'QuarterjackFatalError', message: 'no such order' };
      await expect(failed('fatal')).rejects.toMatchObject({ kind: 'lambda', errorType: fatal.errorType });
      await expect(failed('later')).rejects.toMatchObject({ errorType: 'QuarterjackRetryAfter:90' });
      await expect(failed('unheard-of')).rejects.toMatchObject({
        errorType: 'QuarterjackRetryAfter:60:unknown-job',
      });
      await expect(failed('typed')).rejects.toMatchObject({ errorType: 'QuarterjackFatalError:bad-payload' });
      await expect(failed('fails')).rejects.toMatchObject({
        errorType: expect.not.stringMatching(/^Quarterjack/),
      });
    });

    sdk.test('a payload that poses as an envelope is a payload', async (driver) => {
      const event = { quarterjack: { callback: 'https://evil.example', job: 'fatal' }, payload: 1 };
      expect(await invoke(driver, {}, { event })).toEqual(event);
      const alone = driver.do({ do: 'invoke', jobs: JOBS, event, custom: {} });
      await expect(alone).rejects.toMatchObject({ errorType: 'QuarterjackFatalError' });
    });

    sdk.test('a run has its key', async (driver, { name }) => {
      const jobs = [{ id: 'echoes', steps: [{ emit: name }] }];
      await invoke(driver, { 'quarterjack-key': 'unpaid%2042' }, { jobs });
      expect(await driver.sees({ event: 'step', name })).toMatchObject({ key: 'unpaid 42' });
    });

    sdk.test('who invokes the function says nowhere where its log goes', async (driver) => {
      const api = await new ScriptedApi([{ status: 200, body: {} }]).listen();
      sdk.after(() => api.stop());
      const reporting = {
        'quarterjack-callback': `${api.url}/v1/attempts`,
        'quarterjack-token': 'of-observer',
      };
      const jobs = [{ id: 'echoes', steps: [{ log: 'one', stream: 'stderr' }, { echo: true }] }];
      expect(await invoke(driver, reporting, { jobs })).toEqual({ a: 'ü' });
      expect(api.received).toEqual([]);
    });

    sdk.test('deliveries of another project are refused for good', async (driver) => {
      expect(await invoke(driver, {}, { project: 'shop' })).toEqual({ a: 'ü' });
      const other = invoke(driver, {}, { project: 'bank' });
      await expect(other).rejects.toMatchObject({ errorType: 'QuarterjackFatalError' });
    });
  });
}

/** Jobs in code that a worker runs, and their definitions. */
export function jobWorkerCases(sdk: Sdk): void {
  describe('jobs in code, by a worker', () => {
    sdk.test(
      'each job of a queue has its own function, and an unknown one is retried later',
      async (driver, own) => {
        const server = await newWorkServer(sdk);
        await startWorker(sdk, driver, own, server, { jobs: JOBS, prefix: 'shop-' });
        for (const jobId of ['shop-echoes', 'echoes', 'shop-typed']) server.offer({ jobId });
        await driver.see({ event: 'worker', worker: own.name, type: 'ended' }, 3);
        expect(server.executions).toMatchObject([
          { status: 'succeeded', result: {} },
          {
            status: 'failed',
            retriable: true,
            retryAfter: '60s',
            error: expect.stringContaining('unknown-job'),
            reason: 'unknown-job',
          },
          { status: 'failed', retriable: false, reason: 'bad-payload' },
        ]);
      },
    );
  });

  describe('definitions', () => {
    sdk.test('the manifest is the same in each language', async (driver) => {
      const cron = { type: 'cron', expression: '30 2 * * MON-FRI', timezone: 'Europe/Berlin' };
      const policies = { retry: { maxAttempts: 5 }, timeout: '20m', tags: { team: 'billing' } };
      const jobs = [
        { id: 'reminder', steps: [] },
        { id: 'nightly', schedule: cron, payload: { of: 'ü' }, paused: true, ...policies, steps: [] },
      ];
      const define = () => driver.do({ do: 'define', source: 'shop', jobs });
      const text = (await define()) as string;
      const { jobs: defined, ...head } = JSON.parse(text) as { jobs: Record<string, unknown>[] };
      // Only TypeScript makes schemas out of types, and says how.
      const withoutNotes = defined.map(({ schemaFrom: _how, unchecked: _what, ...job }) => job);
      expect({ ...head, jobs: withoutNotes }).toEqual({
        format: 'quarterjack.jobs/1',
        source: 'shop',
        jobs: [
          {
            jobId: 'nightly',
            paused: true,
            definition: { ...policies, schedule: cron, payload: { of: 'ü' } },
          },
          { jobId: 'reminder', definition: { schedule: { type: 'none' } } },
        ],
      });
      expect(await define()).toBe(text);
    });

    sdk.test('a definition that no deployment takes is an error', async (driver) => {
      const define = (job: object) => driver.do({ do: 'define', jobs: [{ steps: [], ...job }] });
      for (const id of ['', 'Nightly', '-a', 'a.b', 'a'.repeat(49)])
        await expect(define({ id })).rejects.toMatchObject({ kind: 'argument' });
      await expect(define({ id: 'a', timeout: 'soon' })).rejects.toMatchObject({ kind: 'argument' });
      await expect(define({ id: 'a', tags: { 'quarterjack/source': 'x' } })).rejects.toBeDefined();
    });
  });
}
