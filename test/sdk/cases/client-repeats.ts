import type { Driver } from '../suite/driver';
import { EXECUTION, JOB, problem } from '../suite/samples';
import { type ApiAnswer, ScriptedApi } from '../suite/scripted-api';
import type { Own, Sdk } from '../suite/sdk';

const QUICK = { baseDelayMs: 1, maxDelayMs: 5_000, timeoutMs: 20_000 };
const created: ApiAnswer = { status: 201, headers: { etag: '"1"' }, body: JOB };
const DEFINITION = { schedule: 'every 5m', target: { type: 'http', url: 'https://shop.example/hook' } };

/** Opens a client of a scripted API. */
export async function scripted(
  sdk: Sdk,
  driver: Driver,
  { name: client }: Own,
  script: ConstructorParameters<typeof ScriptedApi>[0],
  options: object = {},
) {
  const api = await new ScriptedApi(script).listen();
  sdk.after(() => api.stop());
  await driver.do({ do: 'open', client, url: api.url, token: 'the-key', retry: QUICK, ...options });
  const call = (method: string, args: object = {}) => driver.do({ do: 'call', client, method, args });
  return { api, call };
}

const keysOf = ({ received }: ScriptedApi) => received.map(({ headers }) => headers['idempotency-key']);

/** Which calls are repeated, and how. */
export function repeatCases(sdk: Sdk): void {
  describe('repeats of the client', () => {
    sdk.test('all tries of a create have one key, and two creates have two', async (driver, own) => {
      const script: ApiAnswer[] = [problem(503), 'cut', created];
      const { api, call } = await scripted(sdk, driver, own, script);
      expect(await call('jobs.create', { definition: DEFINITION })).toMatchObject({ jobId: 'nightly' });
      await call('jobs.create', { definition: DEFINITION });
      const [first, second, third, other] = keysOf(api);
      expect(first).toMatch(/^[!-~]{16,255}$/);
      expect([second, third]).toEqual([first, first]);
      expect(other).not.toBe(first);
      expect(JSON.parse(api.received[0]!.body)).toEqual(DEFINITION);
    });

    sdk.test('a key of the caller is sent as it is', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, [created]);
      await call('jobs.create', { definition: DEFINITION, idempotencyKey: 'order-42' });
      expect(keysOf(api)).toEqual(['order-42']);
    });

    sdk.test('after 429, the next try comes after Retry-After', async (driver, own) => {
      const late = { ...problem(429), headers: { 'retry-after': '1' } };
      const { api, call } = await scripted(sdk, driver, own, [late, { status: 200, body: JOB }]);
      expect(await call('jobs.get', { jobId: 'nightly' })).toMatchObject({ jobId: 'nightly' });
      const [first, second] = api.received;
      expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(990);
    });

    sdk.waits('Retry-After may be a date', async (driver, own) => {
      let isFirst = true;
      const { api, call } = await scripted(sdk, driver, own, () => {
        if (!isFirst) return { status: 200, body: JOB };
        isFirst = false;
        return { ...problem(503), headers: { 'retry-after': new Date(Date.now() + 2_500).toUTCString() } };
      });
      await call('jobs.get', { jobId: 'nightly' });
      const [first, second] = api.received;
      expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(1_000);
    });

    sdk.test('429 is an error after every try', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, [problem(429)], {
        retry: { ...QUICK, maxTries: 3 },
      });
      await expect(call('jobs.get', { jobId: 'a' })).rejects.toMatchObject({
        kind: 'rate-limit',
        status: 429,
      });
      expect(api.received).toHaveLength(3);
    });

    sdk.test('a change with an ETag is not repeated if its answer is lost', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, ['cut']);
      const change = call('jobs.put', { jobId: 'a', definition: DEFINITION, ifMatch: '"7"' });
      await expect(change).rejects.toMatchObject({ kind: 'connection' });
      expect(api.received.map(({ headers }) => headers['if-match'])).toEqual(['"7"']);
    });

    sdk.test('a change with an ETag is repeated after 429: that did nothing', async (driver, own) => {
      const answers: ApiAnswer[] = [problem(429), { status: 200, headers: { etag: '"8"' }, body: JOB }];
      const { api, call } = await scripted(sdk, driver, own, answers);
      const job = await call('jobs.put', { jobId: 'a', definition: DEFINITION, ifMatch: '"7"' });
      expect(job).toMatchObject({ jobId: 'nightly', etag: '"8"' });
      expect(api.received).toHaveLength(2);
    });

    sdk.test('a retry of an execution is not repeated if its answer is lost', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, ['cut', { status: 200, body: EXECUTION }]);
      const retry = call('executions.retry', { jobId: 'a', execId: '20261201T013000.000Z' });
      await expect(retry).rejects.toMatchObject({ kind: 'connection' });
      expect(api.received).toHaveLength(1);
    });

    sdk.test('a delete whose answer was lost is a success', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, ['cut', problem(404)]);
      expect(await call('jobs.delete', { jobId: 'a' })).toBeNull();
      expect(api.received).toHaveLength(2);
    });

    sdk.test('a server that never answers is a failed connection after every try', async (driver, own) => {
      const retry = { maxTries: 2, baseDelayMs: 1, maxDelayMs: 10, timeoutMs: 300 };
      const { api, call } = await scripted(sdk, driver, own, ['hang'], { retry });
      await expect(call('jobs.get', { jobId: 'a' })).rejects.toMatchObject({ kind: 'connection' });
      expect(api.received).toHaveLength(2);
    });
  });
}
