import { ApiWorld, paths } from '../world';
import {
  codes,
  DAY_MS,
  daily,
  everyMinute,
  explain,
  HOUR_MS,
  messageOf,
  textOf,
  worldWith,
  worldWithKey,
} from './explainer';

describe('what is not planned', () => {
  it.each([
    ['2026-12-05T08:30:00Z', ['planned false']],
    ['2026-12-25T08:30:00Z', ['planned false', 'excluded false']],
    ['2027-06-01T07:30:00Z', ['planned false', 'end-at false']],
  ])('%s: %p', async (at, expected) => {
    const world = await worldWith({ ...daily, exclude: ['2026-12-25'], endAt: '2027-01-01T00:00:00Z' });
    const answered = await explain(world, at);
    expect(answered.body).toMatchObject({ verdict: 'not-planned', execution: null });
    expect(codes(answered)).toEqual(expected);
  });

  it('names the nearest times', async () => {
    const world = await worldWith(daily);
    expect(textOf(await explain(world, '2026-12-05T08:30:00Z'), 'planned')).toContain(
      'The nearest times are Fri 2026-12-04 09:30 and Mon 2026-12-07 09:30.',
    );
  });

  it('has used its runs', async () => {
    const world = await worldWith({ ...everyMinute, maxRuns: 2 });
    expect(codes(await explain(world, '2026-12-01T08:40:00Z'))).toEqual(['planned false', 'max-runs false']);
  });

  it('is before the job was created, or after it was deleted', async () => {
    const world = await worldWith(daily);
    expect(codes(await explain(world, '2026-11-30T08:30:00Z'))).toEqual(['existed false']);
    await world.remove('a');
    const deleted = await explain(world, '2026-12-02T08:30:00Z');
    expect(codes(deleted)).toEqual(['existed false']);
    expect(textOf(deleted, 'existed')).toContain('it was deleted at Tue 2026-12-01 08:30:01 UTC');
  });

  it('was of a schedule that has been replaced', async () => {
    const world = await worldWith(daily);
    await world.patch('a', { schedule: everyMinute });
    await world.patch('a', { schedule: { ...daily, expression: '0 12 * * *' } });
    const answered = await explain(world, '2026-12-02T08:30:00Z');
    expect(codes(answered)).toEqual(['planned false', 'superseded false']);
    expect(answered.body.verdict).toBe('not-planned');
  });
});

describe('an occurrence without a record', () => {
  const due = Date.parse('2026-12-02T08:30:00Z');
  const at = async (world: ApiWorld, ms: number) => world.clock.advance(ms - world.clock.nowMs());

  it('lies ahead', async () => {
    const world = await worldWith(daily);
    const answered = await explain(world, due);
    expect(answered.body).toMatchObject({ verdict: 'will-run', execution: null });
    expect(codes(answered)).toEqual(['planned true', 'deployment true']);
  });

  it('is on its way for two hours, and lost from then on', async () => {
    const world = await worldWith(daily);
    await at(world, due + 2 * HOUR_MS);
    expect((await explain(world, due)).body.verdict).toBe('waits');
    await world.clock.advance(1);
    const lost = await explain(world, due);
    expect(lost.body.verdict).toBe('lost');
    expect(textOf(lost, 'ledger')).toBe('There is no record of it, 2 h after its due time.');
  });

  it('waits for the end of maintenance mode, however long', async () => {
    const world = await worldWith(daily);
    await at(world, due - HOUR_MS);
    await world.call('POST /v1/admin/stop', {}, { reason: 'private words' });
    await at(world, due + DAY_MS);
    const stopped = await explain(world, due);
    expect(stopped.body.verdict).toBe('waits');
    expect(JSON.stringify(stopped.body)).not.toContain('private words');
    expect(textOf(stopped, 'deployment')).toContain('and it still is');
    await world.call('POST /v1/admin/start');
    await world.clock.advance(HOUR_MS);
    expect((await explain(world, due)).body.verdict).toBe('waits');
    await world.clock.advance(2 * HOUR_MS);
    expect((await explain(world, due)).body.verdict).toBe('lost');
  });

  it('waits for its ordering key behind another one', async () => {
    const world = await worldWith(daily, { orderingKey: 'k' });
    const ticket = (execId: string, dueAtMs: number) => ({
      expiresAtSec: 2e9,
      message: { ...messageOf(world, execId, dueAtMs), orderingKey: 'k' },
    });
    const first = '20261202T080000.000Z';
    await world.deps.ordering.enqueue([
      ticket(first, due - HOUR_MS / 2),
      ticket('20261202T083000.000Z', due),
    ]);
    await at(world, due + DAY_MS);
    const answered = await explain(world, due);
    expect(answered.body.verdict).toBe('waits');
    expect(answered.body.steps.at(-2)).toMatchObject({
      code: 'ordering-key',
      evidence: { jobId: 'a', execId: first },
    });
  });

  it('waits for a slot of its concurrency key, however long', async () => {
    const world = await worldWithKey('db', { limit: 1 });
    await world.deps.concurrency.enqueue(
      { ...messageOf(world, '20261202T083000.000Z', due), concurrencyKey: 'db' },
      2e9,
    );
    await at(world, due + DAY_MS);
    const { body } = await explain(world, due);
    expect(body).toMatchObject({
      verdict: 'waits',
      sentence: 'The occurrence of Wed 2026-12-02 09:30 waits for its concurrency key db.',
    });
    expect(body.steps.at(-2)).toMatchObject({ code: 'concurrency-key', holds: false });
  });

  it('waits for the key that its payload makes', async () => {
    const world = await worldWithKey(
      'db.*',
      { limit: 1 },
      {
        concurrencyKey: 'db.{{ payload.tenant }}',
        payload: { tenant: 'acme' },
      },
    );
    await world.deps.concurrency.enqueue(
      { ...messageOf(world, '20261202T083000.000Z', due), concurrencyKey: 'db.acme' },
      2e9,
    );
    await at(world, due + DAY_MS);
    const { body } = await explain(world, due);
    expect(body).toMatchObject({
      verdict: 'waits',
      sentence: expect.stringContaining('waits for its concurrency key db.acme'),
    });
  });

  it('did not begin before the job was deleted', async () => {
    const world = await worldWith(daily);
    await at(world, due + 1_000);
    await world.remove('a');
    const answered = await explain(world, due);
    expect(answered.body.verdict).toBe('skipped');
    expect(codes(answered)).toEqual(['planned true', 'deployment true', 'deleted false', 'ledger false']);
  });
});

describe('evidence that is gone', () => {
  it('is the record, after its retention', async () => {
    const world = await worldWith(daily);
    const due = Date.parse('2026-12-02T08:30:00Z');
    await world.clock.advance(40 * DAY_MS);
    const answered = await explain(world, due);
    expect(answered.body.verdict).toBe('unknown');
    expect(codes(answered)).toEqual(['planned true', 'retention null']);
  });

  it('is a definition that an owner has deleted', async () => {
    const world = await worldWith(daily);
    await world.clock.advance(2 * DAY_MS);
    await world.patch('a', { schedule: everyMinute });
    const params = { jobId: 'a', number: '1' };
    await world.call('DELETE /v1/jobs/{jobId}/changes/{number}', params);
    const answered = await explain(world, '2026-12-02T08:30:00Z');
    expect(answered.body.verdict).toBe('unknown');
    expect(codes(answered)).toEqual(['changes null']);
  });

  it('is a change of a time before retention', async () => {
    const world = await worldWith(daily);
    await world.clock.advance(40 * DAY_MS);
    expect((await explain(world, '2026-11-01T08:30:00Z')).body.verdict).toBe('unknown');
  });
});

describe('the instant', () => {
  it('may be a minute, or the time before jitter', async () => {
    const world = await worldWith({ ...everyMinute, jitter: '30s' });
    const meant = (await explain(world, '2026-12-01T08:40:00Z')).body;
    expect(meant).toMatchObject({ verdict: 'will-run', at: expect.stringMatching(/^2026-12-01T08:40:\d\d/) });
    expect((await explain(world, meant.at)).body.at).toBe(meant.at);
  });

  it.each(['at=', 'at=tomorrow', 'at=2026-12-02T08:30:00'])('is rejected: %p', async (query) => {
    const world = await worldWith(daily);
    const answered = await world.call('GET /v1/jobs/{jobId}/explain', { jobId: 'a' }, undefined, { query });
    expect(answered.status).toBe(400);
    expect(paths(answered)).toEqual(['at']);
  });

  it('of a job that never existed is 404', async () => {
    expect((await explain(new ApiWorld(), '2026-12-02T08:30:00Z')).status).toBe(404);
  });
});
