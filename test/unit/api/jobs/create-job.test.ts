import { WriteTimeoutError } from '../../../../lambdas/core/errors';
import { aBody, paths, ApiWorld } from '../world';

const T0 = Date.UTC(2026, 11, 1, 8, 30);
const RETRY = { maxAttempts: 3, initialDelay: '10s', maxDelay: '1h', multiplier: 2, maxAge: '24h' };

describe('POST /v1/jobs', () => {
  it('answers 201 with all defaults, Location and ETag', async () => {
    const world = new ApiWorld();
    const { status, headers, body } = await world.create({ jobId: 'report' });
    expect(status).toBe(201);
    expect(headers).toMatchObject({ location: '/v1/jobs/report', 'content-type': 'application/json' });
    expect(headers.etag).toMatch(/^"\w{26}"$/);
    expect(body).toEqual({
      jobId: 'report',
      schedule: { type: 'cron', expression: '0 9 * * *' },
      target: {
        type: 'http',
        url: 'https://example.com/hook',
        method: 'POST',
        headers: {},
        timeout: '30s',
        mode: 'sync',
      },
      templates: false,
      priority: 'medium',
      pool: 'default',
      retry: { ...RETRY, jitter: 'full', on: [408, 425, 429, '5xx'] },
      misfire: { policy: 'fire-once', grace: '60s', catchUpWindow: '1h' },
      overlap: 'allow',
      orderingKey: null,
      onFailure: 'continue',
      timeout: '5m',
      tags: {},
      status: 'active',
      generation: 1,
      createdAt: '2026-12-01T08:30:00.000Z',
      updatedAt: '2026-12-01T08:30:00.000Z',
      scheduleChangedAt: '2026-12-01T08:30:00.000Z',
      by: { sub: 'alice', name: null, via: 'token' },
      changeNumber: 1,
      nextFireAt: '2026-12-01T09:00:00.000Z',
      lastExecution: null,
    });
  });

  it('echoes the given fields, durations and instants as written', async () => {
    const world = new ApiWorld();
    const given = {
      jobId: 'a',
      name: 'Näme ✓',
      schedule: {
        type: 'interval',
        every: 'PT90S',
        anchor: '2026-12-01T00:00:00+01:00',
        endAt: '2027-01-01T00:00:00Z',
      },
      target: {
        type: 'http',
        url: 'https://example.com:8443/x?y=1',
        method: 'PUT',
        headers: { 'X-A': 'b' },
        timeout: 'PT5S',
      },
      payload: { __proto__x: [1, null, { constructor: 'a' }], n: 1.5 },
      priority: 'highest',
      retry: { ...RETRY, initialDelay: '1s', multiplier: 1.5, jitter: 'none', on: [409, '5xx'] },
      misfire: { policy: 'skip', grace: '2m', catchUpWindow: '36h' },
      overlap: 'queue',
      timeout: '840s',
      tags: { team: 'billing' },
    };
    const { status, body } = await world.create(given);
    expect(status).toBe(201);
    expect(body).toMatchObject(given);
  });

  it('keeps the mode of a target that reports, and allows it a week', async () => {
    const world = new ApiWorld();
    const { target } = aBody();
    const long = { ...target, mode: 'async', heartbeatTimeout: '10m' };
    const { status, body } = await world.create({ jobId: 'long', target: long, timeout: '7d' });
    expect([status, body.target, body.timeout]).toEqual([201, expect.objectContaining(long), '7d']);
    const patched = await world.patch('long', { target: { mode: 'sync' } });
    expect(paths(patched)).toContain('target.heartbeatTimeout');
    const shorter = { target: { mode: 'sync', heartbeatTimeout: null }, timeout: '14m' };
    const after = await world.patch('long', shorter);
    expect(after.body.target).toEqual(expect.objectContaining({ ...target, mode: 'sync' }));
  });

  it('accepts AWS targets; a change of type keeps no field of the old type', async () => {
    const world = new ApiWorld();
    const queueUrl = 'https://sqs.eu-central-1.amazonaws.com/111122223333/target-q';
    const functionArn = 'arn:aws:lambda:eu-central-1:111122223333:function:target-f';
    const made = await world.create({ jobId: 'aws', target: { type: 'sqs', queueUrl } });
    expect([made.status, made.body.target]).toEqual([201, { type: 'sqs', queueUrl }]);
    const moved = await world.patch('aws', { target: { type: 'lambda', functionArn } });
    expect([moved.status, moved.body.target]).toEqual([200, { type: 'lambda', functionArn, mode: 'sync' }]);
    const back = await world.patch('aws', { target: aBody().target });
    expect([back.status, back.body.target]).toEqual([200, expect.objectContaining(aBody().target)]);
    expect((await world.patch('aws', { target: { queueUrl } })).status).toBe(400);
  });

  it('accepts several targets, and a single target in their place', async () => {
    const world = new ApiWorld();
    const { target } = aBody();
    const targets = [target, { type: 'http', url: 'https://example.org/other' }];
    const made = await world.create({ jobId: 'many', target: undefined, targets });
    expect(made.status).toBe(201);
    expect(made.body.targets).toEqual(
      targets.map((one) => expect.objectContaining({ ...one, mode: 'sync' })),
    );
    expect(made.body).not.toHaveProperty('target');
    const fewer = await world.patch('many', { targets: [targets[1]] });
    expect([fewer.status, fewer.body.targets]).toEqual([200, [expect.objectContaining(targets[1])]]);
    const one = await world.patch('many', { target });
    expect([one.status, one.body.target]).toEqual([200, expect.objectContaining(target)]);
    expect(one.body).not.toHaveProperty('targets');
  });

  it('keeps payload keys such as __proto__ as data', async () => {
    const world = new ApiWorld();
    const raw = JSON.stringify({ jobId: 'p', ...aBody(), payload: '@' }).replace(
      '"@"',
      '{"__proto__":{"admin":true},"constructor":{"prototype":1}}',
    );
    expect((await world.call('POST /v1/jobs', {}, undefined, { raw })).status).toBe(201);
    const job = await world.jobRow('p');
    expect(JSON.stringify(job?.payload)).toBe('{"__proto__":{"admin":true},"constructor":{"prototype":1}}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('generates a jobId if none is chosen, and answers 409 if the chosen one is taken', async () => {
    const world = new ApiWorld();
    const first = await world.create();
    const second = await world.create();
    expect(first.body.jobId).toMatch(/^[a-z0-9]{26}$/);
    expect(second.body.jobId).not.toBe(first.body.jobId);
    await world.create({ jobId: 'mine', name: 'first' });
    const again = await world.create({ jobId: 'mine', name: 'second' });
    expect(again).toMatchObject({ status: 409, headers: { 'content-type': 'application/problem+json' } });
    expect((await world.get('mine')).body.name).toBe('first');
  });

  it('one-time jobs have their own misfire default, and a row that outlives their history', async () => {
    const world = new ApiWorld();
    const { body } = await world.create({
      jobId: 'once',
      schedule: { type: 'at', at: '2026-12-01T12:00:00Z' },
    });
    expect(body).toMatchObject({ misfire: { policy: 'fire-now' }, nextFireAt: '2026-12-01T12:00:00.000Z' });
    const settledMs = Date.UTC(2026, 11, 1, 12) + 24 * 3_600_000 + 5 * 60_000 + 30 * 86_400_000;
    expect((await world.jobRow('once'))?.expiresAtSec).toBe(settledMs / 1_000);
    await world.create({ jobId: 'often' });
    expect(await world.jobRow('often')).not.toHaveProperty('expiresAtSec');
  });

  it.each([
    ['endAt', { endAt: '2026-12-01T12:00:00Z' }, Date.UTC(2026, 11, 1, 12)],
    ['maxRuns', { maxRuns: 12 }, Date.UTC(2026, 11, 12, 9)],
    ['whichever comes first', { maxRuns: 12, endAt: '2030-01-01T00:00:00Z' }, Date.UTC(2026, 11, 12, 9)],
  ])('a schedule that ends by %s has a row that outlives its history', async (_, limits, endMs) => {
    const world = new ApiWorld();
    const schedule = { type: 'cron', expression: '0 9 * * *', ...limits };
    await world.create({ jobId: 'a', schedule });
    const settledMs = endMs + 24 * 3_600_000 + 5 * 60_000 + 30 * 86_400_000;
    expect((await world.jobRow('a'))?.expiresAtSec).toBe(settledMs / 1_000);
    await world.patch('a', { schedule: { maxRuns: null, endAt: null } });
    expect(await world.jobRow('a')).not.toHaveProperty('expiresAtSec');
  });

  it('a schedule whose last run is more than ten years ahead has a row that stays', async () => {
    const world = new ApiWorld();
    const schedule = { type: 'cron', expression: '0 9 1 1 *', maxRuns: 12 };
    await world.create({ jobId: 'a', schedule });
    expect(await world.jobRow('a')).not.toHaveProperty('expiresAtSec');
  });

  describe('order of writes', () => {
    it('writes the entry of the first occurrence before the job', async () => {
      const world = new ApiWorld();
      const writes: string[] = [];
      world.dynamo.faults = {
        before: ({ command, input }) => {
          if (command !== 'GetCommand' && command !== 'QueryCommand')
            writes.push(`${command} ${String(input.TableName)}`);
        },
      };
      await world.create({ jobId: 'a' });
      expect(writes.findIndex((write) => write.endsWith('Jobs'))).toBe(writes.length - 1);
      expect(world.entries).toHaveLength(1);
      const job = await world.jobRow('a');
      expect(JSON.stringify(world.entries)).toContain(job!.revision);
    });

    it('leaves only an entry without a job if it dies before the job is written', async () => {
      const world = new ApiWorld();
      world.dynamo.faults = {
        before: ({ command, input }) => {
          if (command === 'PutCommand' && input.TableName === 'Jobs')
            throw Object.assign(new Error('gone'), { name: 'TimeoutError' });
        },
      };
      expect(await world.create({ jobId: 'a' })).toMatchObject({
        status: 503,
        headers: { 'retry-after': '2' },
      });
      expect(world.entries).toHaveLength(1);
      world.dynamo.faults = {};
      expect(await world.jobRow('a')).toBeUndefined();
    });

    it('writes no job if its entry could not be written', async () => {
      const world = new ApiWorld();
      const schedule = {
        ...world.deps.schedule,
        putEntries: () => Promise.reject(new WriteTimeoutError('late')),
      };
      const other = new ApiWorld({ schedule });
      expect((await other.create({ jobId: 'a' })).status).toBe(503);
      expect(other.tables.rows('Jobs')).toEqual([]);
    });

    it('gives up the job’s write 10 s after the clock reading of its entry', async () => {
      const world = new ApiWorld();
      world.dynamo.faults = {
        before: async ({ command, input }) => {
          if (command !== 'PutCommand') return;
          await world.clock.sleep(input.TableName === 'Schedule' ? 4_000 : 7_000);
        },
      };
      const creating = world.create({ jobId: 'late' });
      await world.clock.advance(9_999);
      await world.clock.advance(1);
      expect((await creating).status).toBe(503);
      await world.clock.advance(60_000);
      expect(world.log.messages('warn')).toEqual(['a write that had been given up was ended']);
      expect(world.clock.sleeping).toBe(0);
    });

    it('recognises its own job if the SDK repeats the write after a lost response', async () => {
      const world = new ApiWorld({}, { maxAttempts: 2 });
      world.dynamo.faults = {
        after: ({ command, input, attempt }) => {
          if (command !== 'PutCommand' || input.TableName !== 'Jobs' || attempt > 1) return;
          throw Object.assign(new Error('reset'), { name: 'TimeoutError', code: 'ECONNRESET' });
        },
      };
      expect((await world.create({ jobId: 'a' })).status).toBe(201);
    });
  });

  describe('a first occurrence that is near', () => {
    it('is sent by the API if the scanner may have passed its bucket', async () => {
      const world = new ApiWorld();
      await world.create({ jobId: 'soon', schedule: { type: 'delay', delay: '30s' } });
      expect(world.queue.messages).toMatchObject([
        { execId: '20261201T083030.000Z', attempt: 1, trigger: 'schedule' },
      ]);
    });

    it('is left to the scanner beyond the horizon', async () => {
      const world = new ApiWorld();
      await world.create({ jobId: 'later', schedule: { type: 'delay', delay: '10m' } });
      expect(world.queue.messages).toEqual([]);
      expect(world.entries).toHaveLength(1);
    });

    it('is sent with those after it, up to the horizon', async () => {
      const world = new ApiWorld();
      await world.create({ jobId: 'often', schedule: { type: 'interval', every: '30s' } });
      // 08:30:30 to 08:34:59 are sent, and the entry beyond 08:35 waits for the scanner
      expect(world.queue.messages).toHaveLength(9);
      expect(world.entries).toHaveLength(6);
    });

    it('answers 201 if only the send fails: the recheck sends the message', async () => {
      const world = new ApiWorld();
      world.queue.send = () => Promise.reject(new Error('SQS is away'));
      expect((await world.create({ jobId: 'a', schedule: { type: 'delay', delay: '5s' } })).status).toBe(201);
      expect(world.log.lines).toMatchObject([{ level: 'error', cause: { message: 'SQS is away' } }]);
      expect(world.entries).toHaveLength(1);
    });
  });

  it('rejects a time in the past, and names the field', async () => {
    const world = new ApiWorld();
    const past = new Date(T0 - 1).toISOString();
    const { status, body } = await world.create({ schedule: { type: 'at', at: past } });
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({
      path: 'schedule.at',
      message: expect.stringContaining(past) as string,
    });
  });
});
