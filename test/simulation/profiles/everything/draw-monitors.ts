import { FakeRandom } from '../../../support/fake-random';
import type { RunPlan } from '../../run-plan';
import type { ClientAction } from '../../workload';
import { MINUTE_MS } from '../draws';
import { TAG } from './draw-job';
import { CALENDARS } from './draw-schedule';
import { drawCalledTarget } from './draw-target';
import { type Body, given, maybe } from './drawn';

/** Jobs that run elsewhere: one by a schedule, and one in its own rhythm. */
export const MONITORS = ['monitor-0', 'monitor-1'];
const [SCHEDULED] = MONITORS;
/** Drawn apart, so that no other draw changes. */
const APART = 91_000;
/** The part of the seeds that have them. */
const WITH_MONITORS = 0.5;
const SECOND_MS = 1_000;
const CREATED_MS = 25 * SECOND_MS;
const OPERATIONS = 8;
/** When nothing is due any more, when a pause ends, and when the last ping comes: after the last draw. */
const CLOSING_MIN = [0.5, 1.5, 3];
const RESUMED_MIN = 3.5;
const RECOVERED_MIN = 4.5;
/** Within the shortest time-out of a monitor. */
const DURATIONS: readonly Body[] = [{ max: '15s' }, { min: '20s' }, { min: '5s', max: '20s' }];
const NEVER = { type: 'cron', expression: '0 0 1 1 *', timezone: 'UTC' };

type Drawn = Pick<ClientAction, 'action' | 'atMs' | 'jobId' | 'body' | 'idempotencyKey'>;

/** Draws of monitors: what they do, and what was drawn later than that, so that no other draw changes. */
export interface MonitorDraws {
  random: FakeRandom;
  later: FakeRandom;
}

/** Each field that a monitor may have is drawn by itself. */
function drawMonitor({ random, later }: MonitorDraws, jobId: string): Body {
  const expression = random.pick(['* * * * *', '*/2 * * * *']);
  const cron = given({
    type: 'cron',
    expression,
    timezone: maybe(random, 0.5, () => 'UTC'),
    exclude: maybe(random, 0.3, () => [{ calendar: random.pick(CALENDARS) }]),
    maxRuns: maybe(random, 0.1, () => random.between(2, 6)),
  });
  const isScheduled = jobId === SCHEDULED;
  return given({
    jobId,
    schedule: isScheduled ? cron : { type: 'none' },
    target: given({
      type: 'monitor',
      pingWithin: '1m',
      methods: maybe(random, 0.4, () => random.pick([['POST'], ['GET'], ['GET', 'POST']])),
    }),
    timeout: maybe(random, 0.6, () => random.pick(['20s', '45s', '2m'])),
    expectEvery: maybe(random, isScheduled ? 0.3 : 1, () => '5m'),
    tags: maybe(random, 0.4, () => TAG),
    pauseAfter: maybe(random, 0.25, () => ({ failures: random.between(1, 4) })),
    onEnd: maybe(random, 0.3, () => ({ [random.pick(['succeeded', 'failed'])]: drawCalledTarget(random) })),
    runTags: maybe(random, 0.3, () => ['day:{{ run.day }}']),
    externalId: maybe(random, 0.3, () => '{{ run.jobId }}-{{ run.id }}'),
    expectDuration: maybe(later, 0.6, () => later.pick(DURATIONS)),
  });
}

/**
 * The pings of one minute: none, one, or the start and the end of a run, which has an id or not. `asked`: how
 * they are sent.
 */
export function drawMinute(random: FakeRandom, jobId: string, fromMs: number, asked: Body = {}): Drawn[] {
  const ping = (atMs: number, signal: string, rid?: string): Drawn => ({
    ...{ action: 'ping', atMs, jobId },
    body: given({ signal, rid, ...asked }),
  });
  const end = random.pick(['', '', '0', 'fail', '3']);
  const atMs = fromMs + random.between(1, 55) * SECOND_MS;
  switch (random.pick(['none', 'end', 'end', 'run', 'run'] as const)) {
    case 'none':
      return [];
    case 'end':
      return [ping(atMs, end)];
    case 'run': {
      const rid = maybe(random, 0.4, () => uuidOf(random));
      const endMs = atMs + random.between(1, 70) * SECOND_MS;
      return [ping(atMs, 'start', rid), ...(random.fraction() < 0.8 ? [ping(endMs, end, rid)] : [])];
    }
  }
}

const uuidOf = (random: FakeRandom): string =>
  `11111111-1111-4111-8111-${String(random.between(1, 999_999)).padStart(12, '0')}`;

export function drawOperation(draws: MonitorDraws, jobId: string, untilMs: number): Drawn {
  const { random } = draws;
  const action = random.pick([
    ...(['patch', 'patch', 'put', 'pause', 'resume', 'resume'] as const),
    ...(['run', 'retry', 'cancel', 'delete', 'restore'] as const),
  ]);
  const atMs = random.between(MINUTE_MS, untilMs);
  const { jobId: _, ...definition } = drawMonitor(draws, jobId);
  const { tags, timeout, expectEvery, expectDuration, schedule } = definition;
  if (action === 'put') return { action, atMs, jobId, body: definition };
  const patch = given({
    ...{ tags, timeout, expectEvery, expectDuration },
    schedule: jobId === SCHEDULED ? schedule : undefined,
  });
  if (action === 'patch') return { action, atMs, jobId, body: patch };
  return { action, atMs, jobId, ...(action !== 'pause' && action !== 'resume' && { body: {} }) };
}

/** Jobs that run elsewhere, beside all others, in some of the seeds. */
export function drawMonitors(plan: RunPlan): Drawn[] {
  const random = new FakeRandom(APART + plan.seed);
  return random.fraction() < WITH_MONITORS ? actionsOfMonitors(random, plan) : [];
}

/**
 * What their clients do. In the end nothing of them is due, and half of them have a last ping, which recovers
 * what was missed.
 */
export function actionsOfMonitors(random: FakeRandom, { seed, quietFromMs }: RunPlan): Drawn[] {
  const draws = { random, later: new FakeRandom(2 * APART + seed) };
  return MONITORS.flatMap((jobId): Drawn[] => {
    const create: Drawn = { action: 'create', atMs: CREATED_MS, jobId, body: drawMonitor(draws, jobId) };
    const minutes = Math.floor(quietFromMs / MINUTE_MS);
    const pings = Array.from({ length: minutes - 1 }, (_, minute) =>
      drawMinute(random, jobId, (minute + 1) * MINUTE_MS),
    );
    const operations = Array.from({ length: OPERATIONS }, () => drawOperation(draws, jobId, quietFromMs));
    return [
      { ...create, idempotencyKey: `first-${jobId}` },
      ...pings.flat(),
      ...operations,
      ...drawClosing(random, jobId, quietFromMs),
    ];
  });
}

/** After that, nothing of it is due. Half of the monitors have a last ping. */
export function drawClosing(random: FakeRandom, jobId: string, quietFromMs: number): Drawn[] {
  const at = (minutesLater: number) => quietFromMs + minutesLater * MINUTE_MS;
  const isRecovered = random.fraction() < 0.5;
  return [
    ...CLOSING_MIN.map((min): Drawn => ({
      ...{ action: 'patch', atMs: at(min), jobId },
      body: jobId === SCHEDULED ? { schedule: NEVER } : { expectEvery: '25h' },
    })),
    { action: 'resume', atMs: at(RESUMED_MIN), jobId },
    ...(isRecovered
      ? [{ action: 'ping', atMs: at(RECOVERED_MIN), jobId, body: { signal: '' } } as const]
      : []),
  ];
}
