import { EXECUTION, JOB } from '../suite/samples';
import { ScriptedApi } from '../suite/scripted-api';
import type { Sdk } from '../suite/sdk';
import { scripted } from './client-repeats';

const TEXT = 'Grüße, 日本語 🎉 \u0000 " \\ \u2028';

/** What requests contain. */
export function requestCases(sdk: Sdk): void {
  describe('requests of the client', () => {
    sdk.test('texts of every language arrive as they are', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, [
        { status: 201, headers: { etag: '"1"' }, body: { ...JOB, name: TEXT } },
      ]);
      const definition = {
        schedule: 'every 5m',
        name: TEXT,
        target: { type: 'http', url: 'https://a.example/' },
      };
      expect(await call('jobs.create', { definition, note: 'wegen Grüße' })).toMatchObject({ name: TEXT });
      const [{ body, headers }] = api.received as [ScriptedApi['received'][0]];
      expect(JSON.parse(body)).toEqual(definition);
      expect(headers['quarterjack-note']).toBe('wegen%20Gr%C3%BC%C3%9Fe');
    });

    sdk.test('a name in a path cannot leave its place', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, [{ status: 200, body: JOB }]);
      await call('jobs.get', { jobId: 'a/../b?c=d#e%2F ü' });
      expect(api.received[0]!.url.toUpperCase()).toBe(
        '/V1/JOBS/A%2F..%2FB%3FC%3DD%23E%252F%20%C3%BC'.toUpperCase(),
      );
    });

    sdk.test(
      'an empty id, or one of dots alone, is an error before anything is sent',
      async (driver, own) => {
        const { api, call } = await scripted(sdk, driver, own, [{ status: 200, body: JOB }]);
        for (const jobId of ['', '.', '..'])
          await expect(call('jobs.delete', { jobId })).rejects.toMatchObject({ kind: 'argument' });
        await expect(call('executions.get', { jobId: 'a', execId: '' })).rejects.toMatchObject({
          kind: 'argument',
        });
        expect(api.received).toEqual([]);
      },
    );

    sdk.test('the token and the project are in each request', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, [{ status: 200, body: EXECUTION }], {
        project: 'shop',
      });
      await call('executions.get', { jobId: 'a', execId: 'b' });
      expect(api.received[0]!.headers).toMatchObject({
        authorization: 'Bearer the-key',
        'quarterjack-project': 'shop',
      });
    });

    sdk.test('the token may come from the environment', async (_, { name: client }) => {
      const driver = sdk.newDriver({ QUARTERJACK_TOKEN: 'of-the-environment' });
      const api = await new ScriptedApi([{ status: 200, body: JOB }]).listen();
      sdk.after(() => api.stop());
      await driver.do({ do: 'open', client, url: api.url, tokenFrom: 'environment' });
      await driver.do({ do: 'call', client, method: 'jobs.get', args: { jobId: 'a' } });
      expect(api.received[0]!.headers.authorization).toBe('Bearer of-the-environment');
    });

    sdk.test('any route can be called by its path', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, [{ status: 200, body: { deep: [1] } }]);
      const args = {
        verb: 'POST',
        path: '/v1/schedules/preview',
        body: { schedule: 'every 5m' },
        query: { a: 'b c' },
      };
      expect(await call('request', args)).toEqual({ deep: [1] });
      const [{ method, url, body }] = api.received as [ScriptedApi['received'][0]];
      expect([method, new URL(url, 'http://x').searchParams.get('a')]).toEqual(['POST', 'b c']);
      expect(JSON.parse(body)).toEqual({ schedule: 'every 5m' });
    });

    sdk.test('a path that is none of the API gets no token', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, [{ status: 200, body: {} }]);
      for (const path of [
        'https://evil.example/v1/jobs',
        '//evil.example/v1',
        '/v1/../x',
        '@evil.example/v1',
      ])
        await expect(call('request', { verb: 'GET', path })).rejects.toMatchObject({ kind: 'argument' });
      expect(api.received).toEqual([]);
    });

    sdk.test('a change that removes a field sends null', async (driver, own) => {
      const { api, call } = await scripted(sdk, driver, own, [
        { status: 200, headers: { etag: '"2"' }, body: JOB },
      ]);
      await call('jobs.patch', { jobId: 'a', changes: { orderingKey: null, tags: { a: null, b: 'c' } } });
      expect(api.received[0]!.method).toBe('PATCH');
      expect(JSON.parse(api.received[0]!.body)).toEqual({ orderingKey: null, tags: { a: null, b: 'c' } });
    });

    sdk.test('wait ends when the execution has ended', async (driver, own) => {
      let count = 0;
      const { api, call } = await scripted(sdk, driver, own, () => ({
        status: 200,
        body: { ...EXECUTION, status: ++count < 3 ? 'running' : 'succeeded' },
      }));
      expect(await call('executions.wait', { jobId: 'a', execId: 'b' })).toMatchObject({
        status: 'succeeded',
      });
      expect(api.received).toHaveLength(3);
    });
  });
}
