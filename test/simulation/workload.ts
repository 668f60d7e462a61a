import type { FakeChance } from '../support/fake-chance';

export const ACTIONS = [
  'create',
  'put',
  'patch',
  'pause',
  'resume',
  'delete',
  'run',
  'cancel',
  'retry',
] as const;
export type Action = (typeof ACTIONS)[number];

/** What a client does, decided before the run begins; only the execution that a `cancel` or `retry` means is found at the time. */
export interface ClientAction {
  id: number;
  atMs: number;
  action: Action;
  userId: string;
  jobId: string;
  /** Body of the request; its payload is stamped with the action's id. */
  body?: Record<string, unknown>;
  idempotencyKey?: string;
}

const CROWD = 120;
const USERS = ['alice', 'bob'];
const OVERLAPS = ['allow', 'allow', 'allow', 'skip', 'queue', 'replace'];
const ORDERING_KEYS = [null, null, null, 'key-1', 'key-1'];
const MISFIRES = [undefined, undefined, 'fire-now', 'fire-once', 'fire-all', 'skip'];

/** Draws the clients' actions of one run, in order of time. `startMs` is the world's wall clock at its beginning. */
export function drawWorkload(
  chance: FakeChance,
  {
    startMs,
    fromMs,
    untilMs,
    crowded,
  }: { startMs: number; fromMs: number; untilMs: number; crowded: boolean },
): ClientAction[] {
  const jobs = Array.from({ length: chance.between(3, 8) }, (_, index) => ({
    userId: USERS[index % USERS.length]!,
    jobId: `job-${index}`,
    // One for a job's whole life: neighbouring executions under different policies promise nothing to each other.
    overlap: chance.pick(OVERLAPS),
    orderingKey: chance.pick(ORDERING_KEYS),
  }));
  const times = Array.from({ length: chance.between(10, 45) }, () => chance.between(fromMs, untilMs));
  const first = jobs.map(() => chance.between(fromMs, fromMs + 90_000));
  const actions: ClientAction[] = [];
  const add = (job: (typeof jobs)[number], atMs: number, action: Action): void => {
    const id = actions.length;
    const { userId, jobId, overlap, orderingKey } = job;
    const schedule = drawSchedule(chance, startMs + atMs);
    const payload = { userId, jobId, stamp: `s${id}` };
    const definition = { ...drawDefinition(chance), overlap, orderingKey, schedule, payload };
    const patch = chance.fraction() < 0.5 ? { payload } : { payload, schedule };
    const bodies: Partial<Record<Action, Record<string, unknown>>> = {
      create: { jobId, ...definition },
      put: definition,
      patch,
      run: { payload },
    };
    const keyed = (action === 'create' || action === 'run') && chance.fraction() < 0.5;
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
    add(chance.pick(jobs), atMs, chance.pick(weighted));
  }
  if (crowded) actions.push(...drawCrowd(chance, actions.length, startMs, fromMs));
  return actions.sort((a, b) => a.atMs - b.atMs || a.id - b.id);
}

/** Many jobs of one user that are all due at one full minute. */
function drawCrowd(chance: FakeChance, firstId: number, startMs: number, fromMs: number): ClientAction[] {
  const at = new Date(startMs + chance.between(3, 9) * 60_000).toISOString();
  return Array.from({ length: CROWD }, (_, index) => {
    const id = firstId + index;
    const crowd = { userId: 'carol', jobId: `crowd-${index}` };
    const payload = { ...crowd, stamp: `s${id}` };
    const body = { ...drawDefinition(chance), jobId: crowd.jobId, schedule: { type: 'at', at }, payload };
    return { id, atMs: fromMs + index * 50, action: 'create', ...crowd, body };
  });
}

function drawSchedule(chance: FakeChance, nowMs: number): Record<string, unknown> {
  const bounds = chance.fraction() < 0.15 ? { maxRuns: chance.between(1, 6) } : {};
  const end =
    chance.fraction() < 0.1 ? { endAt: new Date(nowMs + chance.between(60, 600) * 1_000).toISOString() } : {};
  const jitter = chance.fraction() < 0.15 ? { jitter: '30s' } : {};
  switch (chance.pick(['at', 'at', 'delay', 'interval', 'interval', 'seconds', 'cron', 'cron'] as const)) {
    case 'at':
      return { type: 'at', at: new Date(nowMs + chance.between(2_000, 600_000)).toISOString() };
    case 'delay':
      return { type: 'delay', delay: `${chance.between(1, 300)}s` };
    case 'interval':
      return {
        type: 'interval',
        every: chance.pick(['45s', '1m', '90s', '3m']),
        ...bounds,
        ...end,
        ...jitter,
      };
    case 'seconds':
      return { type: 'interval', every: chance.pick(['7s', '15s', '20s', '30s']), ...bounds, ...end };
    case 'cron':
      return {
        type: 'cron',
        expression: chance.pick(['* * * * *', '*/2 * * * *', '*/3 * * * *']),
        ...bounds,
        ...end,
        ...jitter,
      };
  }
}

function drawDefinition(chance: FakeChance): Record<string, unknown> {
  const policy = chance.pick(MISFIRES);
  return {
    target: { type: 'http', url: 'https://example.com/hook', timeout: chance.pick(['10s', '30s', '2m']) },
    timeout: chance.pick(['30s', '2m', '5m']),
    priority: chance.pick(['high', 'medium', 'medium', 'low']),
    retry: {
      maxAttempts: chance.between(1, 4),
      initialDelay: chance.pick(['1s', '5s', '10s']),
      maxDelay: chance.pick(['10s', '40s']),
      maxAge: chance.pick(['2m', '24h', '24h']),
    },
    misfire: { ...(policy && { policy }), grace: '60s', catchUpWindow: chance.pick(['2m', '1h']) },
  };
}
