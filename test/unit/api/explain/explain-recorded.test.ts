import { execIdOfOccurrence } from '../../../../lambdas/core/contracts/tables';
import { putEnded } from '../ended-row';
import {
  codes,
  DAY_MS,
  daily,
  explain,
  HOUR_MS,
  messageOf,
  MINUTE_MS,
  textOf,
  worldWith,
  putRow,
  worldWithKey,
} from './explainer';

const NOTE = { headers: { 'Quarterjack-Note': 'until billing has migrated' } };

describe('an occurrence with a record', () => {
  it('ran in time: with the schedule current, and the execution', async () => {
    const world = await worldWith(daily);
    const dueAtMs = Date.parse('2026-12-02T08:30:00Z');
    const execId = await putEnded(world, 'a', dueAtMs);
    await world.clock.advance(2 * DAY_MS);
    const answered = await explain(world, dueAtMs);
    expect(answered.body).toMatchObject({
      at: '2026-12-02T08:30:00.000Z',
      verdict: 'ran',
      sentence: expect.stringMatching(/Wed 2026-12-02 09:30 ran in time: it began at .* and succeeded\.$/),
      execution: { execId, status: 'succeeded' },
    });
    expect(codes(answered)).toEqual(['planned true', 'deployment true', 'ledger true']);
    expect(textOf(answered, 'planned')).toBe(
      'Wed 2026-12-02 09:30 is an occurrence of generation 1: 30 9 * * MON-FRI in Europe/Berlin.',
    );
    expect(textOf(answered, 'deployment')).toContain('20 ms after its due time');
  });

  it('ran late', async () => {
    const world = await worldWith(daily);
    const dueAtMs = Date.parse('2026-12-02T08:30:00Z');
    await putEnded(world, 'a', dueAtMs, { lateMs: 5 * MINUTE_MS });
    await world.clock.advance(2 * DAY_MS);
    const answered = await explain(world, dueAtMs);
    expect(answered.body.verdict).toBe('late');
    expect(textOf(answered, 'late')).toContain('It began 5 min late, at Wed 2026-12-02 09:35');
  });

  it('misfired: found when, by which grace and policy', async () => {
    const world = await worldWith(daily);
    const dueAtMs = Date.parse('2026-12-02T08:30:00Z');
    const detail = { foundAtMs: dueAtMs + HOUR_MS, graceMs: 60_000, policy: 'skip' } as const;
    await putRow(world, dueAtMs, { status: 'skipped', reason: 'misfire', detail, generation: 1 });
    await world.clock.advance(2 * DAY_MS);
    const answered = await explain(world, dueAtMs);
    expect(answered.body).toMatchObject({
      verdict: 'skipped',
      execution: {
        generation: 1,
        detail: { foundAt: '2026-12-02T09:30:00.000Z', graceSec: 60, policy: 'skip' },
      },
    });
    expect(textOf(answered, 'misfire')).toBe(
      'The deployment found it at Wed 2026-12-02 10:30, 1 h late. The grace is 1 min. ' +
        'The misfire policy skip does not run it.',
    );
  });

  it('was skipped for another execution', async () => {
    const world = await worldWith(daily);
    const dueAtMs = Date.parse('2026-12-02T08:30:00Z');
    const heldBy = '20261201T083000.000Z';
    await putRow(world, dueAtMs, { status: 'skipped', reason: 'overlap', detail: { heldBy } });
    await world.clock.advance(2 * DAY_MS);
    const answered = await explain(world, dueAtMs);
    expect(answered.body).toMatchObject({ verdict: 'skipped', execution: { detail: { heldBy } } });
    expect(answered.body.steps.at(-2)).toMatchObject({ code: 'overlap', evidence: { execId: heldBy } });
  });

  it('was retried by a user, and waits for the rate of its concurrency key', async () => {
    const world = await worldWithKey('mail', { limit: 5, rate: { limit: 1, per: '1h' } });
    const dueAtMs = Date.parse('2026-12-02T08:30:00Z');
    await world.clock.advance(2 * DAY_MS);
    const execId = execIdOfOccurrence(dueAtMs);
    await putRow(world, dueAtMs, { status: 'skipped', reason: 'misfire' });
    await world.call('POST /v1/jobs/{jobId}/executions/{execId}/retry', { jobId: 'a', execId });
    const nowMs = world.clock.nowMs();
    const ref = { userId: 'alice', concurrencyKey: 'mail' };
    const started = { logId: 'l', starts: [{ atMs: nowMs, count: 1, startId: 'other' }] };
    await world.deps.concurrency.logStart(ref, started, { expiresAtSec: 2e9 });
    await world.deps.concurrency.enqueue(
      { ...messageOf(world, execId, dueAtMs), concurrencyKey: 'mail' },
      2e9,
    );
    const { body } = await explain(world, dueAtMs);
    expect(body.sentence).toBe(
      'The occurrence of Wed 2026-12-02 09:30 waits for the rate of its concurrency key mail.',
    );
    expect(textOf({ body } as never, 'concurrency-key')).toContain(
      'as many started in the last 1h as may, 1.',
    );
  });

  it('holds a slot of its concurrency key, and waits for the rate', async () => {
    const world = await worldWithKey('mail', { limit: 5, rate: { limit: 1, per: '12h' } });
    const dueAtMs = Date.parse('2026-12-02T08:30:00Z');
    await world.clock.advance(dueAtMs - world.clock.nowMs());
    const { concurrency } = world.deps;
    const ref = { userId: 'alice', concurrencyKey: 'mail' };
    const starts = [{ atMs: dueAtMs, count: 1, startId: 'other' }];
    await concurrency.logStart(ref, { logId: 'l', starts }, { expiresAtSec: 2e9 });
    const own = { jobKey: world.jobKey('a'), execId: execIdOfOccurrence(dueAtMs), dueAtMs };
    await concurrency.take(ref, { ...own, slot: 0, takeId: 't', takenAtMs: dueAtMs }, { expiresAtSec: 2e9 });
    await world.clock.advance(3 * HOUR_MS);
    const { body } = await explain(world, dueAtMs);
    expect(body).toMatchObject({
      verdict: 'waits',
      sentence: 'The occurrence of Wed 2026-12-02 09:30 waits for the rate of its concurrency key mail.',
    });
  });

  it('was cancelled ahead of its time', async () => {
    const world = await worldWith(daily);
    const execId = '20261202T083000.000Z';
    await world.call('POST /v1/jobs/{jobId}/executions/{execId}/cancel', { jobId: 'a', execId }, {}, NOTE);
    const answered = await explain(world, '2026-12-02T08:30:00Z');
    expect(answered.body.verdict).toBe('skipped');
    expect(textOf(answered, 'cancelled')).toContain('by alice');
    expect(textOf(answered, 'cancelled')).toContain('until billing has migrated');
  });
});

describe('a pause', () => {
  it('skipped it: who paused and resumed the job when, and with which words', async () => {
    const world = await worldWith(daily);
    await world.post('a', 'pause', undefined, NOTE);
    await world.clock.advance(3 * DAY_MS);
    const during = await explain(world, '2026-12-02T08:30:00Z');
    expect(during.body.verdict).toBe('skipped');
    expect(textOf(during, 'paused')).toContain('It still is.');
    await world.post('a', 'resume');
    const after = await explain(world, '2026-12-02T08:30:00Z');
    expect(codes(after)).toEqual(['planned true', 'deployment true', 'paused false', 'ledger false']);
    expect(after.body.steps[2]).toEqual({
      code: 'paused',
      holds: false,
      text:
        'The job was paused by alice at Tue 2026-12-01 09:30:01 with the words “until billing has migrated”, and ' +
        'resumed by alice at Fri 2026-12-04 09:30:01. A resume never runs what was missed.',
      evidence: { text: 'changes 2 and 3 of this job', changes: [2, 3] },
    });
    expect(textOf(after, 'ledger')).toContain('One record covers 3 occurrences');
    expect(after.body.execution).toMatchObject({
      generation: 2,
      detail: { by: { sub: 'alice' }, note: 'until billing has migrated' },
    });
  });

  it('prevents what lies ahead', async () => {
    const world = await worldWith(daily);
    await world.post('a', 'pause');
    const answered = await explain(world, '2026-12-08T08:30:00Z');
    expect(answered.body.verdict).toBe('not-planned');
    expect(codes(answered)).toEqual(['planned true', 'paused false']);
  });
});
