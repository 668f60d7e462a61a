import type { Operation } from '../../lambdas/core/contracts/routes';
import type { FakeRandom } from '../support/fake-random';

/** What is done to a run that is under way, or to one of its tasks, and the operation that does it. */
export const RUN_OPERATIONS = {
  'pause-run': 'pauseRun',
  'resume-run': 'resumeRun',
  skip: 'skipTask',
  'cancel-task': 'cancelTask',
  approve: 'approveTask',
  reject: 'rejectTask',
  reopen: 'retryTask',
} as const satisfies Record<string, Operation>;

/** What is done to something of a project that has a name of its own, and the name of that parameter. */
export const NAMED_OPERATIONS = {
  'put-key': ['putConcurrencyKey', 'key'],
  'remove-key': ['deleteConcurrencyKey', 'key'],
  'put-secret': ['putSecret', 'name'],
  'remove-secret': ['deleteSecret', 'name'],
  'remove-calendar': ['deleteCalendar', 'calendarId'],
  'test-notification': ['testNotification', 'id'],
  'remove-notification': ['deleteNotification', 'id'],
} as const satisfies Record<string, readonly [Operation, string]>;

/** What is done to a task that is found in a run under way, and the operation that does it. */
export const TASK_OPERATIONS = {
  'reopen-failed': 'retryTask',
  /** Its body has the mode. */
  'reopen-ended': 'retryTask',
  'cancel-ready': 'cancelTask',
  'skip-ready': 'skipTask',
  'approve-waiting': 'approveTask',
  'reject-waiting': 'rejectTask',
} as const satisfies Record<string, Operation>;

/** What is done to the project itself. */
export const PROJECT_OPERATIONS = {
  'put-ping-key': 'putProjectPingKey',
  'rotate-ping-key': 'rotateProjectPingKey',
  'remove-ping-key': 'deleteProjectPingKey',
} as const satisfies Record<string, Operation>;

/** A request about a task is about `t` and the remainder of its id, divided by this. */
export const ASKED_TASKS = 8;

export type Action =
  | 'create'
  | 'put'
  | 'patch'
  | 'pause'
  | 'resume'
  | 'delete'
  | 'run'
  | 'cancel-key'
  | 'cancel'
  | 'retry'
  | 'unblock'
  | 'event'
  | 'calendar'
  | 'backfill'
  | 'notification'
  | 'batch'
  | 'restore'
  | 'forget'
  | 'bulk'
  | 'ask-backfill'
  | 'ping'
  | keyof typeof TASK_OPERATIONS
  | keyof typeof NAMED_OPERATIONS
  | keyof typeof PROJECT_OPERATIONS
  | keyof typeof RUN_OPERATIONS;

/**
 * What a client does, drawn before the run. A `cancel` or `retry` finds its execution at its time. A
 * `calendar` has the id of a calendar as its `jobId`, and so has what else is named. A `restore` and a
 * `forget` find a change of their job at their time. A `backfill` is no request of a client: its body is
 * `AskedDates`, and that of a `ping` is `AskedPing`.
 */
export interface ClientAction {
  id: number;
  atMs: number;
  action: Action;
  userId: string;
  jobId: string;
  /** Body of the request. Its payload has the action's id; an event has an `id`. */
  body?: Record<string, unknown>;
  idempotencyKey?: string;
  /** Its request has a trace. */
  traced?: true;
}

const CROWD = 120;
export const USERS = ['alice', 'bob'];
const OVERLAPS = ['allow', 'allow', 'allow', 'skip', 'queue', 'replace'];
const ORDERING_KEYS = [null, null, null, 'key-1', 'key-1'];
const MISFIRES = [undefined, undefined, 'fire-now', 'fire-once', 'fire-all', 'skip'];

/** Draws the clients' actions of one run, in order of time. `startMs`: the wall clock at the beginning. */
export function drawWorkload(
  random: FakeRandom,
  {
    startMs,
    fromMs,
    untilMs,
    crowded,
  }: { startMs: number; fromMs: number; untilMs: number; crowded: boolean },
): ClientAction[] {
  const jobs = Array.from({ length: random.between(3, 8) }, (_, index) => ({
    userId: USERS[index % USERS.length]!,
    jobId: `job-${index}`,
    // One policy for a job's whole life: between executions under different policies nothing is promised.
    overlap: random.pick(OVERLAPS),
    orderingKey: random.pick(ORDERING_KEYS),
  }));
  const times = Array.from({ length: random.between(10, 45) }, () => random.between(fromMs, untilMs));
  const first = jobs.map(() => random.between(fromMs, fromMs + 90_000));
  const actions: ClientAction[] = [];
  const add = (job: (typeof jobs)[number], atMs: number, action: Action): void => {
    const id = actions.length;
    const { userId, jobId, overlap, orderingKey } = job;
    const schedule = drawSchedule(random, startMs + atMs);
    const payload = { userId, jobId, stamp: `s${id}` };
    const definition = { ...drawDefinition(random), overlap, orderingKey, schedule, payload };
    const patch = random.fraction() < 0.5 ? { payload } : { payload, schedule };
    const bodies: Partial<Record<Action, Record<string, unknown>>> = {
      create: { jobId, ...definition },
      put: definition,
      patch,
      run: { payload },
    };
    const keyed = (action === 'create' || action === 'run') && random.fraction() < 0.5;
    const idempotencyKey = keyed ? `key-${id}` : undefined;
    actions.push({ id, atMs, action, userId, jobId, body: bodies[action], idempotencyKey });
  };
  jobs.forEach((job, index) => add(job, first[index]!, 'create'));
  for (const atMs of times) {
    const weighted: Action[] = [
      'create',
      'put',
      'patch',
      'patch',
      'pause',
      'resume',
      'resume',
      'delete',
      'run',
      'run',
      'cancel',
      'cancel',
      'retry',
      'retry',
    ];
    add(random.pick(jobs), atMs, random.pick(weighted));
  }
  if (crowded) actions.push(...drawCrowd(random, actions.length, startMs, fromMs));
  return actions.sort((a, b) => a.atMs - b.atMs || a.id - b.id);
}

/** Many jobs of one user, all due at one full minute. */
function drawCrowd(random: FakeRandom, firstId: number, startMs: number, fromMs: number): ClientAction[] {
  const at = new Date(startMs + random.between(3, 9) * 60_000).toISOString();
  return Array.from({ length: CROWD }, (_, index) => {
    const id = firstId + index;
    const crowd = { userId: 'carol', jobId: `crowd-${index}` };
    const payload = { ...crowd, stamp: `s${id}` };
    const body = { ...drawDefinition(random), jobId: crowd.jobId, schedule: { type: 'at', at }, payload };
    return { id, atMs: fromMs + index * 50, action: 'create', ...crowd, body };
  });
}

function drawSchedule(random: FakeRandom, nowMs: number): Record<string, unknown> {
  const bounds = random.fraction() < 0.15 ? { maxRuns: random.between(1, 6) } : {};
  const end =
    random.fraction() < 0.1 ? { endAt: new Date(nowMs + random.between(60, 600) * 1_000).toISOString() } : {};
  const jitter = random.fraction() < 0.15 ? { jitter: '30s' } : {};
  switch (random.pick(['at', 'at', 'delay', 'interval', 'interval', 'seconds', 'cron', 'cron'] as const)) {
    case 'at':
      return { type: 'at', at: new Date(nowMs + random.between(2_000, 600_000)).toISOString() };
    case 'delay':
      return { type: 'delay', delay: `${random.between(1, 300)}s` };
    case 'interval':
      return {
        type: 'interval',
        every: random.pick(['45s', '1m', '90s', '3m']),
        ...bounds,
        ...end,
        ...jitter,
      };
    case 'seconds':
      return { type: 'interval', every: random.pick(['7s', '15s', '20s', '30s']), ...bounds, ...end };
    case 'cron':
      return {
        type: 'cron',
        expression: random.pick(['* * * * *', '*/2 * * * *', '*/3 * * * *']),
        ...bounds,
        ...end,
        ...jitter,
      };
  }
}

function drawDefinition(random: FakeRandom): Record<string, unknown> {
  const policy = random.pick(MISFIRES);
  return {
    target: { type: 'http', url: 'https://example.com/hook', timeout: random.pick(['10s', '30s', '2m']) },
    timeout: random.pick(['30s', '2m', '5m']),
    priority: random.pick(['high', 'medium', 'medium', 'low']),
    retry: {
      maxAttempts: random.between(1, 4),
      initialDelay: random.pick(['1s', '5s', '10s']),
      maxDelay: random.pick(['10s', '40s']),
      maxAge: random.pick(['2m', '24h', '24h']),
    },
    misfire: { ...(policy && { policy }), grace: '60s', catchUpWindow: random.pick(['2m', '1h']) },
  };
}
