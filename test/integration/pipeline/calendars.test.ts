import type { CalendarChangeView } from '../../../lambdas/core/http/openapi/calendar';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The world begins on a Tuesday, at half past eight. */
const TODAY = '2026-12-01';
const at = (time: string): number => Date.parse(`${TODAY}T${time}:00Z`);

const target = { type: 'http', url: 'https://example.com/hook' };
const exclude = [{ calendar: 'freeze' }];
const minutely = { type: 'cron', expression: '* * * * *', exclude };
const freeze = (from: string, to: string) => ({
  dates: [{ from: `${TODAY}T${from}`, to: `${TODAY}T${to}` }],
});

async function putCalendar(world: PipelineWorld, body: object): Promise<CalendarChangeView> {
  const { status, body: answer } = await world.clock.settle(
    world.api('putCalendar', { calendarId: 'freeze' }, body),
  );
  expect(status).toBeLessThan(300);
  return answer as CalendarChangeView;
}

async function createJob(world: PipelineWorld, jobId: string, schedule: object): Promise<void> {
  const { status } = await world.api('createJob', {}, { jobId, schedule, target });
  expect(status).toBe(201);
}

const dueTimes = (world: PipelineWorld): string[] =>
  world.calls.map(({ dueAtMs }) => new Date(dueAtMs).toISOString().slice(0, 16)).sort();

async function worldWith(calendar: object, schedule: object): Promise<PipelineWorld> {
  const world = await PipelineWorld.started();
  await putCalendar(world, calendar);
  await createJob(world, 'job', schedule);
  return world;
}

const job = { userId: 'alice', jobId: 'job' };

test('what a calendar excludes does not run, and the rest does', async () => {
  const world = await worldWith(freeze('08:33', '08:36'), minutely);
  await world.run(8 * MINUTE_MS);
  expect(dueTimes(world)).toEqual(
    ['08:31', '08:32', '08:36', '08:37', '08:38'].map((time) => `${TODAY}T${time}`),
  );
  expect(world.errors()).toEqual([]);
});

test('a changed calendar replans its jobs, whose delays and history stay', async () => {
  const world = await worldWith(freeze('08:33', '08:36'), { ...minutely, maxRuns: 4 });
  const before = (await world.api('getJob', { jobId: 'job' })).body as Record<string, unknown>;
  await world.run(2 * MINUTE_MS + 30_000);
  const answer = await putCalendar(world, freeze('08:34', '08:37'));
  expect(answer).toMatchObject({ replanned: 1, remaining: 0, movedIntoPast: [], changing: false });
  await world.run(10 * MINUTE_MS);
  // four runs: the count goes on
  expect(dueTimes(world)).toEqual(['08:31', '08:32', '08:33', '08:37'].map((time) => `${TODAY}T${time}`));
  const after = (await world.api('getJob', { jobId: 'job' })).body as Record<string, unknown>;
  expect(after).toMatchObject({
    scheduleChangedAt: before.scheduleChangedAt,
    generation: 2,
    changeNumber: 2,
    by: { sub: 'calendar:freeze', name: null, via: 'system' },
  });
  const { body } = await world.api('getJobChange', { jobId: 'job', number: '2' });
  expect(body).toMatchObject({ what: 'replanned', by: { sub: 'calendar:freeze' } });
});

test('an occurrence that is out already ends as superseded if its calendar excludes it before it is called', async () => {
  const world = await worldWith(freeze('12:00', '13:00'), minutely);
  world.on.executor = false;
  await world.run(MINUTE_MS + 20_000); // 08:31 is due
  let isChanged = false;
  // the pointer changes, and the request dies before it replans any job
  world.onCall = (stage, { command, input }, kill) => {
    const sort = (input as { Item?: { jobId?: string } }).Item?.jobId;
    if (stage === 'api' && command === 'PutCommand' && sort === '#calendar#freeze') isChanged = true;
    else if (stage === 'api' && isChanged && command === 'QueryCommand') kill();
  };
  void world.api('putCalendar', { calendarId: 'freeze' }, freeze('08:30', '08:33'));
  await world.clock.flush();
  expect(isChanged).toBe(true);
  world.onCall = undefined;
  world.on.executor = true;
  await world.run(90_000);
  const rows = world.executions(job).filter(({ dueAtMs }) => dueAtMs < at('08:33'));
  expect(rows.map(({ status, reason }) => [status, reason])).toEqual([
    ['skipped', 'superseded'],
    ['skipped', 'superseded'],
  ]);
  // the auditor works off what remains
  await world.clock.settle(world.audit());
  const { body } = await world.api('getJob', { jobId: 'job' });
  expect(body).toMatchObject({ generation: 2, by: { sub: 'calendar:freeze' } });
  expect((await world.api('getCalendar', { calendarId: 'freeze' })).body).toMatchObject({ changing: false });
  await world.run(2 * MINUTE_MS);
  expect(dueTimes(world)).toContain(`${TODAY}T08:34`);
});

describe('a job that moves what is excluded', () => {
  const daily = { type: 'cron', expression: '35 8 * * *', exclude, onExcluded: 'next-day' };
  const none = { dates: ['2020-01-01'] };

  test('does not run again on another day what has run', async () => {
    const world = await worldWith(none, daily);
    await world.run(6 * MINUTE_MS);
    expect(dueTimes(world)).toEqual([`${TODAY}T08:35`]);
    await putCalendar(world, { dates: [{ from: TODAY, to: '2026-12-03' }] });
    // the 2nd and the 3rd move to the 4th. The 1st, which has run, does not.
    const { body } = await world.api('listUpcoming', { jobId: 'job' });
    const [first] = (body as { times: { at: string; note?: string }[] }).times;
    expect(first!.at).toBe('2026-12-04T08:35:00.000Z');
    expect(first!.note).toBe(
      'moved here from 2026-12-02 08:35: freeze (2026-12-01 to 2026-12-03); ' +
        'moved here from 2026-12-03 08:35: freeze (2026-12-01 to 2026-12-03); ' +
        'freeze knows nothing after 2026-12-03',
    );
  });

  test('runs what a change moves later, and lists what it moves into the past', async () => {
    const world = await worldWith(none, daily);
    await putCalendar(world, { dates: [TODAY] });
    await world.run(7 * MINUTE_MS);
    expect(world.calls).toEqual([]);
    await world.clock.advance(DAY_MS);
    await putCalendar(world, none); // the 1st, which was to come on the 2nd, is past
    const past = await worldWith(none, { ...daily, onExcluded: 'previous-day' });
    const { movedIntoPast } = await putCalendar(past, { dates: [TODAY] });
    expect(movedIntoPast).toEqual([
      { jobId: 'job', at: `${TODAY}T08:35:00.000Z`, movedTo: '2026-11-30T08:35:00.000Z' },
    ]);
    await past.run(7 * MINUTE_MS);
    expect(past.calls).toEqual([]);
  });
});

test('a calendar in use is not deleted, and one that is free is', async () => {
  const world = await worldWith(freeze('08:33', '08:36'), minutely);
  const denied = await world.api('deleteCalendar', { calendarId: 'freeze' });
  expect(denied).toMatchObject({
    status: 409,
    body: { detail: 'jobs use the calendar "freeze": "job"; change them first' },
  });
  await world.api('deleteJob', { jobId: 'job' });
  await world.clock.advance(1_000);
  expect((await world.api('deleteCalendar', { calendarId: 'freeze' })).status).toBe(204);
  expect((await world.api('getCalendar', { calendarId: 'freeze' })).status).toBe(404);
  const { body } = await world.api('listAudit');
  const what = (body as { items: { what: string; outcome: string }[] }).items.map((one) => [
    one.what,
    one.outcome,
  ]);
  expect(what).toEqual([
    ['calendar.deleted', 'done'],
    ['calendar.deleted', 'refused'],
    ['calendar.set', 'done'],
  ]);
});

test('a job that is saved while its calendar changes is planned by the new content', async () => {
  const world = await PipelineWorld.started();
  await putCalendar(world, freeze('12:00', '13:00'));
  let isRacing = false;
  world.onCall = (stage, { command, input }) => {
    const { jobId } = (input as { Item?: { jobId?: string } }).Item ?? {};
    if (isRacing || stage !== 'api' || command !== 'PutCommand' || !jobId?.startsWith('#uses#')) return;
    isRacing = true;
    void world.deps.calendars.get({ userId: 'alice', calendarId: 'freeze' }).then(async (pointer) => {
      const content = { weekdays: [], yearly: [], ...freeze('08:31', '08:34') };
      await world.deps.calendars.putVersion(pointer!, 'other', content, 2_000_000_000);
      const changedAtMs = pointer!.changedAtMs + 1;
      await world.deps.calendars.put(
        { ...pointer!, version: 'other', changedAtMs, changing: { from: pointer!.version }, etag: 'other' },
        pointer!.etag,
      );
    });
  };
  await createJob(world, 'job', minutely);
  expect(isRacing).toBe(true);
  await world.run(5 * MINUTE_MS);
  expect(dueTimes(world)).toEqual([`${TODAY}T08:34`, `${TODAY}T08:35`]);
});

test('what an earlier content of a calendar excluded is explained by that content', async () => {
  const world = await worldWith(freeze('08:33', '08:36'), minutely);
  await world.run(5 * MINUTE_MS);
  await putCalendar(world, freeze('12:00', '13:00'));
  const query = new Map([['at', [`${TODAY}T08:34:00.000Z`]]]);
  const { body } = await world.api('explainOccurrence', { jobId: 'job' }, undefined, {}, { query });
  const { verdict, steps } = body as { verdict: string; steps: { code: string; text: string }[] };
  expect(verdict).toBe('not-planned');
  expect(steps.find(({ code }) => code === 'excluded')!.text).toContain('freeze');
});
