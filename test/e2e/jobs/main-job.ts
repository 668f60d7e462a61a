import { Webhook } from 'standardwebhooks';

import { apiCaller } from '../../support/api-caller';
import { eventually } from '../../support/eventually';
import type { RunningSystem } from '../../support/local-run';
import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';

interface Arrival {
  atMs: number;
  headers: Record<string, string>;
  body: string;
}

const arrivals: Arrival[] = [];
/** What the receiver answers to the nth call of a job, by its path. */
const behaviours: Record<string, (call: number) => number> = {
  '/flaky': (call) => (call === 1 ? 503 : 200),
  '/gone': () => 410,
};
/** Long enough for the first request to a run that has just started, also on a slow machine. */
const LEAD_MS = 15_000;
let run: RunningSystem;
let receiver: LoopbackServer;
let api: ReturnType<typeof apiCaller>;

const arrivalsOf = (jobId: string) =>
  arrivals.filter((arrival) => arrival.headers['quarterjack-job'] === jobId);
const create = (jobId: string, schedule: unknown, path = '/hook', more: object = {}) =>
  api('POST', '/v1/jobs', { jobId, schedule, target: { type: 'http', url: receiver.url + path }, ...more });

/** A job: created, delivered, retried, in the history. */
export function describeMainJob(given: () => RunningSystem): void {
  describe('a job', () => {
    beforeAll(async () => {
      const calls = new Map<string, number>();
      receiver = await listenOnLoopback((request, response) => {
        const atMs = Date.now();
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const path = request.url ?? '';
          const call = (calls.get(path) ?? 0) + 1;
          calls.set(path, call);
          arrivals.push({
            atMs,
            headers: request.headers as Record<string, string>,
            body: Buffer.concat(chunks).toString(),
          });
          response.writeHead(behaviours[path]?.(call) ?? 200).end('thanks');
        });
      });
      run = given();
      api = apiCaller(run.url, await run.token('alice'));
    });

    afterAll(async () => {
      receiver.stop();
    });

    test('a one-time job: created, delivered on time and signed, in the history', async () => {
      const at = new Date(Date.now() + LEAD_MS).toISOString();
      const created = await create('once', { type: 'at', at }, '/hook', { payload: { invoice: 42 } });
      expect(created.status).toBe(201);
      expect(created.headers.get('location')).toBe('/v1/jobs/once');
      expect(created.body).toMatchObject({ jobId: 'once', status: 'active', nextFireAt: at });

      const [arrival] = await eventually(
        () => arrivalsOf('once'),
        (seen) => seen.length === 1,
      );
      expect(arrival!.atMs).toBeGreaterThanOrEqual(Date.parse(at));
      expect(arrival!.body).toBe('{"invoice":42}');
      expect(arrival!.headers).toMatchObject({
        'quarterjack-attempt': '1',
        'quarterjack-fence': '1',
        'quarterjack-due': at,
      });
      const { body } = await api('GET', '/v1/signing-secret');
      expect(new Webhook(body.secret).verify(arrival!.body, arrival!.headers)).toEqual({ invoice: 42 });

      const history = await eventually(
        () => api('GET', '/v1/jobs/once/executions'),
        ({ body: page }) => page.items[0]?.status === 'succeeded',
      );
      expect(history.body.items).toEqual([
        expect.objectContaining({
          dueAt: at,
          trigger: 'schedule',
          result: { statusCode: 200, body: 'thanks' },
        }),
      ]);
      expect((await api('GET', '/v1/jobs/once')).body).toMatchObject({
        status: 'completed',
        nextFireAt: null,
      });
    });

    test('an interval job keeps its spacing, until it is deleted', async () => {
      await create('heartbeat', { type: 'interval', every: '2s' });
      const seen = await eventually(
        () => arrivalsOf('heartbeat'),
        (found) => found.length >= 3,
      );
      const dues = seen.map((arrival) => Date.parse(arrival.headers['quarterjack-due']!));
      // On a busy machine, one may arrive before the one that was due before it.
      const inOrder = dues.toSorted((one, other) => one - other);
      expect(inOrder[1]! - inOrder[0]!).toBe(2_000);
      expect((await api('DELETE', '/v1/jobs/heartbeat')).status).toBe(204);
      const after = Date.now();
      await create('marker', { type: 'delay', delay: '5s' });
      await eventually(
        () => arrivalsOf('marker'),
        (found) => found.length === 1,
      );
      expect(arrivalsOf('heartbeat').filter(({ atMs }) => atMs > after + 500)).toEqual([]);
      expect((await api('GET', '/v1/jobs/heartbeat')).status).toBe(404);
      expect((await api('GET', '/v1/jobs/heartbeat/executions')).body.items.length).toBeGreaterThanOrEqual(3);
    });

    test('a target that fails once gets the same execution again, with a higher fence', async () => {
      const retry = { maxAttempts: 3, initialDelay: '1s', maxDelay: '2s', multiplier: 2, maxAge: '1h' };
      await create('flaky', { type: 'delay', delay: '1s' }, '/flaky', { retry });
      const [first, second] = await eventually(
        () => arrivalsOf('flaky'),
        (found) => found.length === 2,
      );
      expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
      expect(second!.headers).toMatchObject({ 'quarterjack-attempt': '2', 'quarterjack-fence': '2' });
      const { body } = await eventually(
        () => api('GET', '/v1/jobs/flaky/executions'),
        (answer) => answer.body.items[0]?.status === 'succeeded',
      );
      expect(body.items[0].attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
        'retriable',
        'succeeded',
      ]);
    });

    test('of several targets each has its outcome in the history, and a retry calls only those that are open', async () => {
      const targets = ['/hook', '/gone'].map((path) => ({ type: 'http', url: receiver.url + path }));
      const schedule = { type: 'delay', delay: '1s' };
      expect((await api('POST', '/v1/jobs', { jobId: 'both', schedule, targets })).status).toBe(201);
      const ended = () =>
        eventually(
          () => api('GET', '/v1/jobs/both/executions'),
          ({ body }) => body.items[0]?.status === 'failed',
        );
      const [execution] = (await ended()).body.items;
      expect(execution.targets.map(({ status }: { status: string }) => status)).toEqual([
        'succeeded',
        'failed',
      ]);
      expect(execution.attempts).toMatchObject([{ statusCode: 200 }, { statusCode: 410 }]);
      expect((await api('POST', `/v1/jobs/both/executions/${execution.execId}/retry`)).status).toBe(202);
      await eventually(
        () => arrivalsOf('both'),
        (found) => found.length === 3,
      );
      const again = (await ended()).body.items[0];
      expect(again.attempts.map(({ target }: { target: number }) => target)).toEqual([0, 1, 1]);
    });

    test('two hundred jobs due in the same second all arrive, each once', async () => {
      const at = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 30_000).toISOString();
      const target = { type: 'http', url: `${receiver.url}/hook` };
      const crowd = Array.from({ length: 200 }, (_, index) => ({
        jobId: `crowd-${index}`,
        schedule: { type: 'at', at },
        target,
      }));
      const answers = await Promise.all(
        [crowd.slice(0, 100), crowd.slice(100)].map((jobs) => api('POST', '/v1/jobs/batch', { jobs })),
      );
      const outcomes = answers.flatMap(({ body }) => body.outcomes as { status: number }[]);
      expect(outcomes).toHaveLength(200);
      expect(outcomes.filter(({ status }) => status !== 201)).toEqual([]);
      const ours = () =>
        arrivals.filter(({ headers: seen }) => seen['quarterjack-job']?.startsWith('crowd-'));
      await eventually(ours, (found) => found.length >= 200);
      expect(new Set(ours().map(({ headers: seen }) => seen['webhook-id'])).size).toBe(200);
      expect(ours().every(({ atMs }) => atMs >= Date.parse(at))).toBe(true);
    });

    test('the roles of the template allowed all of it', () => {
      expect(run.denials()).toEqual([]);
    });

    test('bad input names the field; another user sees nothing; no token, no answer', async () => {
      const bad = await create('bad', { type: 'cron', expression: '61 * * * *' });
      expect(bad.status).toBe(400);
      expect(bad.headers.get('content-type')).toContain('application/problem+json');
      expect(bad.body.errors).toEqual([expect.objectContaining({ path: 'schedule.expression' })]);

      await create('mine', { type: 'delay', delay: '1h' });
      const other = await apiCaller(run.url, await run.token('bob'))('GET', '/v1/jobs/mine');
      const missing = await apiCaller(run.url, await run.token('bob'))('GET', '/v1/jobs/none');
      expect([other.status, missing.status]).toEqual([404, 404]);
      expect((await apiCaller(run.url, 'nonsense')('GET', '/v1/jobs')).status).toBe(401);
      expect((await fetch(`${run.url}/v1/health`)).status).toBe(200);
    });
  });
}
