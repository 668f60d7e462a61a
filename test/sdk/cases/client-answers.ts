import { EXECUTION, JOB, problem } from '../suite/samples';
import type { ApiAnswer } from '../suite/scripted-api';
import type { Sdk } from '../suite/sdk';
import { scripted } from './client-repeats';

const ONCE = { retry: { maxTries: 1, timeoutMs: 20_000 } };

const BY_STATUS: readonly [kind: string, statuses: readonly number[]][] = [
  ['validation', [400, 413]],
  ['authentication', [401]],
  ['permission', [403]],
  ['not-found', [404]],
  ['conflict', [409, 412, 422]],
  ['rate-limit', [429]],
  ['server', [500, 502, 503]],
  ['problem', [418]],
];

/** How answers are read. */
export function answerCases(sdk: Sdk): void {
  describe('answers to the client', () => {
    sdk.test('each status is the error that says what to do', async (driver, own) => {
      const cases = BY_STATUS.flatMap(([kind, statuses]) => statuses.map((status) => ({ kind, status })));
      const { call } = await scripted(
        sdk,
        driver,
        own,
        cases.map(({ status }) => problem(status)),
        ONCE,
      );
      for (const { kind, status } of cases)
        await expect(call('jobs.get', { jobId: 'a' })).rejects.toMatchObject({
          ...{ kind, status, requestId: 'request-1', detail: `what is wrong with ${status}` },
          type: `https://quarterjack.dev/problems/kind-${status}`,
        });
    });

    sdk.test('an invalid field has its path and message', async (driver, own) => {
      const errors = [{ path: 'schedule.expression', message: 'has 6 fields' }];
      const { call } = await scripted(sdk, driver, own, [problem(400, { errors })]);
      await expect(call('jobs.create', { definition: { schedule: 'x' } })).rejects.toMatchObject({ errors });
    });

    sdk.test('an error of the gateway has no problem, and is the same kind', async (driver, own) => {
      const script: ApiAnswer[] = [
        { status: 401, body: { message: 'Unauthorized' } },
        { status: 502, text: '<html>Bad gateway</html>' },
      ];
      const { call } = await scripted(sdk, driver, own, script, ONCE);
      await expect(call('me')).rejects.toMatchObject({ kind: 'authentication', status: 401 });
      await expect(call('me')).rejects.toMatchObject({ kind: 'server', status: 502 });
    });

    sdk.test('a page of a proxy is no answer of the API', async (driver, own) => {
      const { call } = await scripted(
        sdk,
        driver,
        own,
        [{ status: 200, text: '<html>Sign in</html>' }],
        ONCE,
      );
      await expect(call('jobs.get', { jobId: 'a' })).rejects.toMatchObject({ kind: 'response' });
      await expect(call('jobs.list')).rejects.toMatchObject({ kind: 'response' });
    });

    sdk.test('JSON without what identifies a job is no answer of the API', async (driver, own) => {
      const { call } = await scripted(sdk, driver, own, [{ status: 200, body: {} }], ONCE);
      await expect(call('jobs.get', { jobId: 'a' })).rejects.toMatchObject({ kind: 'response' });
    });

    sdk.test('fields, values and types of a newer server are kept', async (driver, own) => {
      const job = {
        ...JOB,
        status: 'dreaming',
        flavour: { of: ['a', 1, null, { deep: true }] },
        schedule: { type: 'tide', port: 'Hamburg', offsets: [1, 2.5] },
        retry: { ...JOB.retry, jitter: 'gauss', budget: 0.1 },
        target: { ...JOB.target, priority: { level: 9007199254740991 } },
      };
      const { call } = await scripted(sdk, driver, own, [
        { status: 200, headers: { etag: '"1"' }, body: job },
      ]);
      expect(await call('jobs.get', { jobId: 'nightly' })).toEqual({ ...job, etag: '"1"' });
    });

    sdk.test('unknown fields and statuses of an execution are kept in lists', async (driver, own) => {
      const items = [{ ...EXECUTION, status: 'floating', mood: 'fine', attempts: [] }];
      const page: ApiAnswer = { status: 200, body: { items, nextCursor: null, total: 1 } };
      const { call } = await scripted(sdk, driver, own, [page]);
      expect(await call('executions.list', { jobId: 'nightly' })).toEqual(items);
    });

    sdk.test('a redirect takes the token nowhere', async (driver, own) => {
      const other = await scripted(sdk, driver, { name: `${own.name}-other` }, [{ status: 200, body: JOB }]);
      const script: ApiAnswer[] = [{ status: 302, headers: { location: `${other.api.url}/v1/jobs/a` } }];
      const { call } = await scripted(sdk, driver, own, script, ONCE);
      await expect(call('jobs.get', { jobId: 'a' })).rejects.toBeDefined();
      expect(other.api.received).toEqual([]);
    });
  });
}

/** Pages and filters. */
export function listCases(sdk: Sdk): void {
  describe('lists of the client', () => {
    const pageOf = (ids: readonly string[], nextCursor: string | null): ApiAnswer => ({
      status: 200,
      body: { items: ids.map((jobId) => ({ ...JOB, jobId })), nextCursor },
    });

    sdk.test('a list ends where the cursor is null, not at an empty page', async (driver, own) => {
      const script = [pageOf(['a', 'b'], 'c/1+&=ü'), pageOf([], 'c2'), pageOf(['c'], null)];
      const { api, call } = await scripted(sdk, driver, own, script);
      const jobs = (await call('jobs.list', { filter: { limit: 2 } })) as { jobId: string }[];
      expect(jobs.map(({ jobId }) => jobId)).toEqual(['a', 'b', 'c']);
      const queries = api.received.map(({ url }) =>
        Object.fromEntries(new URL(url, 'http://x').searchParams),
      );
      expect(queries).toEqual([
        { limit: '2' },
        { limit: '2', cursor: 'c/1+&=ü' },
        { limit: '2', cursor: 'c2' },
      ]);
    });

    sdk.test('a list that is not read to its end asks for no further page', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, [pageOf(['a', 'b'], 'more')]);
      expect(await call('jobs.list', { max: 2 })).toHaveLength(2);
      expect(api.received).toHaveLength(1);
    });

    sdk.test('a page that fails ends the list with its error', async (driver, own) => {
      const { call } = await scripted(sdk, driver, own, [pageOf(['a'], 'more'), problem(403)]);
      await expect(call('jobs.list')).rejects.toMatchObject({ kind: 'permission' });
    });

    sdk.test('several values of a filter are several parameters', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, [
        { status: 200, body: { items: [], nextCursor: null } },
      ]);
      await call('executions.list', { jobId: 'a', filter: { status: ['failed', 'skipped'], order: 'asc' } });
      const { pathname, searchParams } = new URL(api.received[0]!.url, 'http://x');
      expect(pathname).toBe('/v1/jobs/a/executions');
      expect([searchParams.getAll('status'), searchParams.get('order')]).toEqual([
        ['failed', 'skipped'],
        'asc',
      ]);
    });
  });
}
