import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';
import { meter, TIMES } from '../../support/request-meter';

const SECOND_MS = 1_000;

afterEach(() => jest.restoreAllMocks());

describe('a calendar that changes again and again', () => {
  const JOBS = 5;

  async function used() {
    const world = await PipelineWorld.started(1);
    const set = (day: number) =>
      world.api(
        'putCalendar',
        { calendarId: 'days' },
        { name: 'Days', timezone: 'UTC', dates: [`2027-01-0${day}`] },
      );
    await set(1);
    for (let job = 0; job < JOBS; job++) {
      const schedule = {
        type: 'cron',
        expression: '0 9 * * *',
        timezone: 'UTC',
        exclude: [{ calendar: 'days' }],
      };
      const body = { schedule, target: { type: 'http', url: 'https://example.com/hook' } };
      expect((await world.api('putJob', { jobId: `job-${job}` }, body)).status).toBe(201);
    }
    return { world, set };
  }

  test('is charged for each job that it plans anew', async () => {
    const { world, set } = await used();
    const seen = meter(world);
    for (let day = 2; day < 8; day++) {
      await world.clock.advance(SECOND_MS);
      const { status, body } = await world.clock.settle(set(day));
      expect([status, (body as { replanned: number }).replanned]).toEqual([200, JOBS]);
    }
    expect(seen.units).toBe(6 * JOBS);
    expect(seen.entries()).toBeLessThanOrEqual(seen.units);
  });

  test('leaves them to the auditor if the minute has no room', async () => {
    const { world, set } = await used();
    const seen = meter(world, ['changes']);
    await world.clock.advance(SECOND_MS);
    expect(await set(2)).toMatchObject({ status: 200, body: { replanned: 0, remaining: JOBS } });
    expect(seen.entries()).toBe(0);
    jest.restoreAllMocks();
    await world.clock.settle(world.audit());
    const job = await world.deps.jobs.get({ userId: 'alice', jobId: 'job-0' });
    expect(job?.lastChange).toEqual({ what: 'replanned' });
  });
});

describe('the rule of a concurrency key that changes again and again', () => {
  /** A key with three executions: one runs. */
  async function waiting() {
    const world = await PipelineWorld.started(1);
    world.behaviour = async (_call, signal, clock) => {
      await clock.sleep(600 * SECOND_MS, signal);
      return { outcome: 'succeeded' };
    };
    const set = (limit: number) => world.api('putConcurrencyKey', { key: 'crm' }, { limit });
    await set(1);
    const { jobId } = await world.create(newJobAt(world, { concurrencyKey: 'crm' }));
    for (let run = 0; run < 3; run++) await world.api('runJob', { jobId });
    await world.run(2 * SECOND_MS);
    return { world, set };
  }

  test('counts as a change where it lets executions go', async () => {
    const { world, set } = await waiting();
    const seen = meter(world);
    for (let times = 0; times < TIMES; times++) expect((await set(3)).status).toBe(200);
    expect(seen.units).toBe(TIMES);
    expect(seen.messages).toBeLessThanOrEqual(2 * TIMES);
  });

  test('always holds executions, and lets none go without room in the minute', async () => {
    const { world, set } = await waiting();
    const seen = meter(world, ['changes']);
    expect((await set(3)).status).toBe(429);
    expect(seen).toMatchObject({ writes: 0, messages: 0 });
    expect((await set(1)).status).toBe(200);
    expect(seen.messages).toBe(0);
  });
});
