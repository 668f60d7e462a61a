import type { FakeRandom } from '../../support/fake-random';
import { T0_MS } from '../../support/factories';
import type { ClientAction } from '../workload';
import type { WriteKill, WriteKind } from '../write-kills';
import { MINUTE_MS, profileOf, withActions, withEachJob } from './draws';

const CALENDARS = ['cal-1', 'cal-2'];
const USERS = ['alice', 'bob'];
/** Before the first job is created. */
const FIRST_MS = 5_000;
const FIRST_ID = 20_000;
const CHANGES = 24;
const KILLS = 40;
const WRITES: readonly WriteKind[] = ['calendar', 'calendar', 'job', 'job', 'entry', 'row', 'message'];

/** Minutes of the run that are excluded: a part of it, or none. */
function drawBody(random: FakeRandom): Record<string, unknown> {
  const local = (ms: number) => new Date(T0_MS + ms).toISOString().slice(0, 19);
  const ranges = Array.from({ length: random.between(0, 2) }, () => {
    const fromMs = random.between(0, 12) * MINUTE_MS;
    return { from: local(fromMs), to: local(fromMs + random.between(20, 240) * 1_000) };
  });
  return { timezone: 'UTC', dates: ranges };
}

function drawSchedule(random: FakeRandom): Record<string, unknown> {
  const exclude =
    random.fraction() < 0.5 ? [{ calendar: 'cal-1' }] : CALENDARS.map((calendar) => ({ calendar }));
  return random.pick([
    { type: 'cron', expression: '* * * * *', exclude },
    { type: 'interval', every: '15s', exclude },
    { type: 'interval', every: '45s', exclude },
    {
      type: 'cron',
      expression: '31-53 8 * * *',
      exclude,
      onExcluded: random.pick(['next-day', 'previous-day']),
    },
  ]);
}

const putAt = (
  random: FakeRandom,
  id: number,
  atMs: number,
  userId: string,
  calendarId: string,
): ClientAction => ({
  id,
  atMs,
  action: 'calendar',
  userId,
  jobId: calendarId,
  body: drawBody(random),
});

/**
 * Calendars change while their jobs fall due. Nodes of the API and the auditor die at each of their writes,
 * and executors freeze between their claim and their reads.
 */
export const calendars = profileOf(({ random, plan, window, freezes, actions }) => {
  const first = USERS.flatMap((userId, user) =>
    CALENDARS.map((id, index) => putAt(random, FIRST_ID + user * 2 + index, FIRST_MS, userId, id)),
  );
  const changes = Array.from({ length: CHANGES }, (_, index) =>
    putAt(
      random,
      FIRST_ID + 100 + index,
      random.between(MINUTE_MS, plan.quietFromMs),
      random.pick(USERS),
      random.pick(CALENDARS),
    ),
  );
  const kills = Array.from({ length: KILLS }, (_, index): WriteKill => ({
    id: 1_000 + index,
    kind: 'kill-at-write',
    fromMs: random.between(MINUTE_MS, plan.healMs),
    stage: random.fraction() < 0.8 ? 'api' : 'auditor',
    write: random.pick(WRITES),
    nth: random.between(1, 3),
    side: random.pick(['before', 'after']),
  }));
  const gated = withEachJob(plan, () => ({
    schedule: drawSchedule(random),
    overlap: 'allow',
    orderingKey: random.pick([null, null, 'key-1']),
  }));
  return {
    faults: [
      window('target-slow', 0.2),
      window('queue-delayed', 0.2),
      ...kills,
      ...freezes(6, 'executor', 8),
    ],
    actions: withActions({ ...plan, actions: gated }, [
      ...first,
      ...changes,
      ...actions(['pause', 'resume', 'resume', 'run'], 12),
    ]),
  };
});
