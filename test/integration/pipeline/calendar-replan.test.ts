import { IS_DEEP } from '../../support/deep';
import { PipelineWorld } from '../../support/pipeline-world';
import { SEND } from '../../support/stage-nodes';

/** Two pages of a replan; `npm run test:deep` plays fifty. */
const JOBS = IS_DEEP ? 10_000 : 210;
const MINUTE_MS = 60_000;
const TIMEOUT_MS = 900_000;
/** The world begins then, at half past eight. */
const TODAY = '2026-12-01';
const freeze = (from: string, to: string) => ({
  timezone: 'UTC',
  dates: [{ from: `${TODAY}T${from}`, to: `${TODAY}T${to}` }],
});
const BEFORE = freeze('08:35', '08:38');
const AFTER = freeze('08:40', '08:43');
/** Minutes at which the jobs are due: the first is excluded before the change alone, the last after it. */
const MINUTES = ['36', '39', '41'];
const EXCLUDED_AFTER = '41';

const minuteOf = (index: number): string => MINUTES[index % MINUTES.length]!;
const idOf = (index: number): string => `j${String(index).padStart(5, '0')}`;
const isWrite = (command: string): boolean =>
  command === SEND || /^(Put|Update|Delete|BatchWrite)/.test(command);

async function worldWith(jobs: number): Promise<PipelineWorld> {
  const world = await PipelineWorld.started();
  await world.clock.settle(world.api('putCalendar', { calendarId: 'freeze' }, BEFORE));
  const target = { type: 'http', url: 'https://example.com/hook' };
  for (let index = 0; index < jobs; index++) {
    const expression = `${minuteOf(index)} 8 1 12 *`;
    const schedule = { type: 'cron', expression, exclude: [{ calendar: 'freeze' }] };
    const answer = await world.api('createJob', {}, { jobId: idOf(index), schedule, target });
    expect(answer.status).toBe(201);
  }
  return world;
}

/**
 * Changes the calendar. The first process dies before its first write, the next one before its second, and
 * so on: a repeated request, and at times the auditor. Returns how many died.
 */
async function changeWithKills(world: PipelineWorld): Promise<number> {
  let kills = 0;
  for (let isDone = false; !isDone;) {
    let [writes, isDead, isOver] = [0, false, false];
    world.onCall = (stage, { command }, kill) => {
      if ((stage !== 'api' && stage !== 'auditor') || isDead || !isWrite(command)) return;
      if (++writes <= kills) return;
      isDead = true;
      kill();
    };
    const work: Promise<unknown> =
      kills % 8 === 7 ? world.audit() : world.api('putCalendar', { calendarId: 'freeze' }, AFTER);
    void work.then(() => (isOver = true));
    await world.clock.flush();
    while (!isDead && !isOver) await world.clock.advance(50);
    world.onCall = undefined;
    if (isDead) kills++;
    const { body } = await world.api('getCalendar', { calendarId: 'freeze' });
    isDone = (body as { changing: boolean }).changing === false && isOver;
  }
  return kills;
}

test(
  `a calendar of ${JOBS} jobs changes, though each process that replans them dies: nothing is lost or run twice`,
  async () => {
    const world = await worldWith(JOBS);
    expect(await changeWithKills(world)).toBeGreaterThan(30);
    await world.clock.settle(world.audit());
    expect(world.clock.nowMs()).toBeLessThan(Date.parse(`${TODAY}T08:36:00Z`));
    await world.run(15 * MINUTE_MS);
    const calls = new Map<string, number>();
    for (const row of world.tables.rows('executions')) {
      const { jobId, attempts = [] } = row as { jobId: string; attempts?: unknown[] };
      if (row.dueAtMs !== undefined) calls.set(jobId, (calls.get(jobId) ?? 0) + attempts.length);
    }
    const wrong = Array.from({ length: JOBS }, (_, index) => index).filter((index) => {
      const expected = minuteOf(index) === EXCLUDED_AFTER ? 0 : 1;
      return (calls.get(`alice/${idOf(index)}`) ?? 0) !== expected;
    });
    expect(wrong).toEqual([]);
    expect(world.calls).toHaveLength(Math.ceil((JOBS * 2) / 3));
    expect(new Set(world.calls.map(({ dueAtMs }) => new Date(dueAtMs).getUTCMinutes()))).toEqual(
      new Set([36, 39]),
    );
  },
  TIMEOUT_MS,
);

test('a change of a calendar replans the jobs beyond its first page too, and leaves none to the auditor', async () => {
  const world = await worldWith(201);
  const { body } = await world.clock.settle(world.api('putCalendar', { calendarId: 'freeze' }, AFTER));
  expect(body).toMatchObject({ replanned: 201, remaining: 0, changing: false });
});
