import type { CalendarPointer } from '../../../lambdas/core/domain/calendar';
import { PipelineWorld } from '../../support/pipeline-world';

const DAY_MS = 24 * 60 * 60_000;
/** Jobs that move occurrences need a version for so long, and then kept states do. */
const DECIDES_FOR_MS = 70 * DAY_MS;
const RETENTION_MS = 30 * DAY_MS;

const target = { type: 'http', url: 'https://example.com/hook' };
const schedule = {
  type: 'cron',
  expression: '0 9 * * *',
  exclude: [{ calendar: 'days' }],
  onExcluded: 'next-day',
};
const KEY = { calendarId: 'days' };
const days = (...dates: string[]) => ({ dates });

const putDays = (world: PipelineWorld, ...dates: string[]) =>
  world.clock.settle(world.api('putCalendar', KEY, days(...dates)));

async function createJob(world: PipelineWorld, jobId = 'job'): Promise<void> {
  expect((await world.api('createJob', {}, { jobId, schedule, target })).status).toBe(201);
}

const versionsIn = (world: PipelineWorld) =>
  world.tables.rows('executions', ({ jobId }) => String(jobId).startsWith('#calendar#'));

const pointerIn = (world: PipelineWorld) =>
  world.tables.row('jobs', { userId: 'alice', jobId: '#calendar#days' }) as CalendarPointer | undefined;

const expiryOf = (world: PipelineWorld, version: string): number | undefined => {
  const row = versionsIn(world).find(({ execId }) => execId === version);
  expect(row).toBeDefined();
  return row!.expiresAtSec === undefined ? undefined : (row!.expiresAtSec as number) * 1_000;
};

const lifeOf = (world: PipelineWorld, version: string): number =>
  (expiryOf(world, version) ?? Number.POSITIVE_INFINITY) - world.clock.nowMs();

const usesOfVersions = (world: PipelineWorld) =>
  world.tables.rows('jobs', ({ jobId }) => String(jobId).startsWith('#uses#calendar-version/'));

/** From ten minutes on, no request is at work that has begun before. */
async function auditLater(world: PipelineWorld): Promise<void> {
  await world.clock.advance(11 * 60_000);
  await world.clock.settle(world.audit());
}

test('a replaced version expires when nothing needs it any more, and the present one stays', async () => {
  const world = await PipelineWorld.started();
  await putDays(world, '2026-12-24');
  await createJob(world);
  const first = pointerIn(world)!.version;
  expect(expiryOf(world, first)).toBeUndefined();
  await putDays(world, '2026-12-25');
  const { version } = pointerIn(world)!;
  expect(expiryOf(world, version)).toBeUndefined();
  expect(lifeOf(world, first)).toBeGreaterThan(DECIDES_FOR_MS + RETENTION_MS);
  expect(lifeOf(world, first)).toBeLessThan(DECIDES_FOR_MS + RETENTION_MS + 2 * DAY_MS);
});

test('content that comes back has a version of its own', async () => {
  const world = await PipelineWorld.started();
  await putDays(world, '2026-12-24');
  await putDays(world, '2026-12-25');
  await putDays(world, '2026-12-24');
  const { version } = pointerIn(world)!;
  expect(versionsIn(world)).toHaveLength(3);
  expect(expiryOf(world, version)).toBeUndefined();
  expect((await putDays(world, '2026-12-24')).status).toBe(200);
  expect(pointerIn(world)!.version).toBe(version);
  expect(versionsIn(world)).toHaveLength(3);
});

test('the version of a deleted calendar expires', async () => {
  const world = await PipelineWorld.started();
  await putDays(world, '2026-12-24');
  const { version } = pointerIn(world)!;
  expect((await world.api('deleteCalendar', KEY)).status).toBe(204);
  await auditLater(world);
  expect(usesOfVersions(world)).toEqual([]);
  expect(lifeOf(world, version)).toBeGreaterThan(DECIDES_FOR_MS + RETENTION_MS);
});

test('requests at one time leave one version that stays', async () => {
  const world = await PipelineWorld.started();
  await putDays(world, '2026-12-01');
  await createJob(world);
  for (const first of [2, 6]) {
    const requests = [0, 1, 2, 3].map((after) => putDays(world, `2026-12-0${first + after}`));
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses).toContain(200);
  }
  const staying = versionsIn(world).filter((row) => row.expiresAtSec === undefined);
  expect(staying.map(({ execId }) => execId)).toEqual([pointerIn(world)!.version]);
  expect(versionsIn(world).length).toBeGreaterThan(6);
});

test('a change that hides one that has died lets the version of that one expire', async () => {
  const world = await PipelineWorld.started();
  await putDays(world, '2026-12-24');
  const { version } = pointerIn(world)!;
  let isDead = false;
  world.onCall = (_, { command }, kill) => {
    if (isDead || command !== 'UpdateCommand' || pointerIn(world)!.version === version) return;
    isDead = true;
    kill();
  };
  void world.api('putCalendar', KEY, days('2026-12-25'));
  await world.clock.flush();
  expect([isDead, expiryOf(world, version)]).toEqual([true, undefined]);
  world.onCall = undefined;
  const dead = pointerIn(world)!.version;
  expect((await putDays(world, '2026-12-26')).status).toBe(200);
  for (const replaced of [version, dead])
    expect(lifeOf(world, replaced)).toBeGreaterThan(DECIDES_FOR_MS + RETENTION_MS);
});

/** Whether jobs and pointers find what they name: for ever, but for what a change under way mends. */
function lostVersions(world: PipelineWorld): string[] {
  const pointer = pointerIn(world);
  const named = world.tables
    .rows('jobs', ({ jobId }) => jobId === 'job')
    .flatMap(({ calendars }) => calendars as { version: string }[]);
  const lost = named.filter(({ version }) => lifeOf(world, version) < DECIDES_FOR_MS + RETENTION_MS);
  if (pointer && !pointer.changing && expiryOf(world, pointer.version) !== undefined) lost.push(pointer);
  return lost.map(({ version }) => version);
}

test.each(['putCalendar', 'deleteCalendar'] as const)(
  'no version is lost, and none stays, if the process dies between any two writes of %s',
  async (operation) => {
    let deaths = 0;
    for (let isOver = false; !isOver;) {
      const world = await PipelineWorld.started();
      await putDays(world, '2026-12-24');
      if (operation === 'putCalendar') await createJob(world);
      let writes = 0;
      world.onCall = (stage, { command }, kill) => {
        if (stage !== 'api' || !/^(Put|Update|Delete|BatchWrite)/.test(command)) return;
        expect(lostVersions(world)).toEqual([]);
        if (++writes > deaths) kill();
      };
      const body = operation === 'putCalendar' ? days('2026-12-25') : undefined;
      void world.api(operation, KEY, body).then(() => (isOver = true));
      for (let waits = 0; waits < 40 && !isOver; waits++) await world.clock.advance(50);
      world.onCall = undefined;
      if (!isOver) deaths++;
      expect(lostVersions(world)).toEqual([]);
      // whatever is left, the auditor completes
      await auditLater(world);
      expect(lostVersions(world)).toEqual([]);
      expect(pointerIn(world)?.changing).toBeUndefined();
      const staying = versionsIn(world).filter(({ expiresAtSec }) => expiresAtSec === undefined);
      expect(staying.map(({ execId }) => execId)).toEqual([pointerIn(world)?.version].filter(Boolean));
      expect(usesOfVersions(world)).toEqual([]);
    }
    expect(deaths).toBeGreaterThan(operation === 'putCalendar' ? 6 : 3);
  },
);

test('a job that was saved while its calendar was deleted keeps its version for ever', async () => {
  const world = await PipelineWorld.started();
  await putDays(world, '2026-12-24');
  const { version } = pointerIn(world)!;
  let deletion: Promise<unknown> | undefined;
  world.onCall = (stage, { command, input }) => {
    const { jobId } = (input as { Item?: { jobId?: string } }).Item ?? {};
    if (deletion || stage !== 'api' || command !== 'PutCommand' || !jobId?.startsWith('#uses#')) return;
    const key = { userId: 'alice', ...KEY };
    const { calendars } = world.deps;
    deletion = calendars
      .remove(key, pointerIn(world)!.etag)
      .then(() => calendars.expireVersion(key, version, Math.ceil(world.clock.nowMs() / 1_000)));
  };
  await createJob(world);
  await deletion;
  expect([pointerIn(world), Math.round(lifeOf(world, version) / 60_000)]).toEqual([undefined, 0]);
  world.onCall = undefined;
  await world.clock.settle(world.audit());
  expect(lifeOf(world, version)).toBeGreaterThan(DECIDES_FOR_MS + RETENTION_MS);
});
