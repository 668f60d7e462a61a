import { BULK_ACTIONS } from '../../../../lambdas/core/contracts/bulk';
import { T0_MS } from '../../../support/factories';
import type { FakeRandom } from '../../../support/fake-random';
import type { RunPlan } from '../../run-plan';
import { type Action, ASKED_TASKS, type ClientAction, RUN_OPERATIONS, TASK_OPERATIONS } from '../../workload';
import { MINUTE_MS } from '../draws';
import { type Body, given, maybe } from './drawn';
import { CONCURRENCY_KEYS, drawJob, MISFIT, ORDERING_KEYS, TAG } from './draw-job';
import { RULES, TENANT_KEY, TENANTS } from './draw-tenant';
import { CALENDARS, EVENT_KEYS, EVENT_NAMES, REGIONS } from './draw-schedule';
import { drawBackfill } from './draw-backfill';
import { drawCalendar, drawKey, NOTIFICATION, NOTIFICATION_BODY, SECRET_BODY, SECRETS } from './draw-named';
import { drawRuns } from './draw-runs';
import { SECRET } from './draw-target';

export const USER = 'alice';
export const JOBS = Array.from({ length: 5 }, (_, index) => `job-${index}`);
const SECOND_MS = 1_000;
const FIRST_MS = 5 * SECOND_MS;
/** Each job is created early, and is there for most of the run. */
const CREATED_MS = 20 * SECOND_MS;
const OPERATIONS = 118;
/** Requests about tasks of a certain state: mostly there is none. */
const TASK_REQUESTS = 110;
/** Requests that end a task of a run, and when the task is opened again after them. */
const ENDING: readonly Action[] = ['cancel-ready', 'reject-waiting'];
/** A key that was removed is there again, so that jobs that name it can be changed. */
const PUT_AGAIN_MS = 20 * SECOND_MS;
const REOPENED_AFTER_MS = [3 * SECOND_MS, 12 * SECOND_MS];
/** Minutes after the last draw at which users let go of what they hold. */
const CLOSING_MIN = [0.5, 2, 4, 7, 10, 14];
const UNBLOCKS = 4; // each lets one failed execution go by

/** The operations of users, each as likely as others, except where one undoes another. */
const DRAWN: readonly Action[] = [
  ...many(10, ['run', 'pause-run']),
  ...many(6, ['event', 'put', 'ask-backfill', 'bulk', 'calendar', 'batch']),
  ...many(4, ['remove-key', 'forget']),
  ...many(3, ['patch', 'resume', 'retry', 'cancel', 'restore', 'put-key']),
  ...many(2, ['pause', 'delete', 'create', 'resume-run', 'unblock']),
  ...(['approve', 'reject', 'reopen', 'skip', 'cancel-task'] as const),
  'put-secret',
  'remove-secret',
  'remove-calendar',
  'notification',
  'test-notification',
  'remove-notification',
];

/** Their requests about tasks of runs under way. */
const ON_RUNS: readonly Action[] = [
  ...many(6, ['approve-waiting', 'reject-waiting']),
  ...many(4, ['reopen-ended']),
  ...many(2, ['reopen-failed']),
  ...many(3, ['cancel-ready']),
  'skip-ready',
];

function many(times: number, actions: readonly Action[]): Action[] {
  return Array.from({ length: times }, () => actions).flat();
}

interface DrawnTask {
  jobId: string;
  index: number;
  isApproval: boolean;
}

/** Those that jobs name, and what has the limits of derived ones. */
const LIMITED = [...CONCURRENCY_KEYS, ...RULES, TENANT_KEY];

const ON_TASKS: readonly string[] = Object.keys(RUN_OPERATIONS).filter((name) => !name.endsWith('-run'));

/** What operations name that are about no job. */
const NAMES: Partial<Record<Action, readonly string[]>> = {
  bulk: [''],
  unblock: [''],
  'put-key': LIMITED,
  'remove-key': LIMITED,
  calendar: CALENDARS,
  'remove-calendar': CALENDARS,
  'put-secret': [SECRET],
  'remove-secret': [SECRET],
  notification: [NOTIFICATION],
  'test-notification': [NOTIFICATION],
  'remove-notification': [NOTIFICATION],
};
/** Half of these come with a key of their own. */
const KEYED: readonly Action[] = ['create', 'batch', 'run', 'ask-backfill'];
const WITHOUT_BODY: readonly Action[] = [
  ...(['pause', 'resume', 'delete', 'forget', 'test-notification', 'cancel'] as const),
  ...(['remove-key', 'remove-calendar', 'remove-secret', 'remove-notification'] as const),
];

/** Draws the actions of one run. Ids rise with each of them. */
class Drawing {
  private ids = 0;
  /** Whether the last definition of a job that was drawn has a workflow. */
  private readonly flows = new Map<string, boolean>();
  /** Tasks of the definitions that were drawn. */
  private readonly tasks: DrawnTask[] = [];
  readonly actions: ClientAction[] = [];

  constructor(
    private readonly random: FakeRandom,
    private readonly plan: RunPlan,
  ) {}

  add(action: Action, atMs: number, jobId: string, body?: Body, idempotencyKey?: string): void {
    const id = ++this.ids;
    this.actions.push({ id, atMs, action, userId: USER, jobId, body, idempotencyKey });
  }

  /** A definition of a job. It may start and follow the jobs before it, so that no circle is drawn. */
  job(jobId: string, atMs: number): Body {
    const index = JOBS.indexOf(jobId);
    const before = JOBS.slice(0, index);
    const body = drawJob(this.random, {
      userId: USER,
      jobId,
      nowMs: T0_MS + atMs,
      stamp: `s${this.ids + 1}`,
      upstream: before,
      below: before.map((one) => ({ jobId: one, hasWorkflow: this.flows.get(one) === true })),
      others: JOBS.filter((one) => one !== jobId),
    });
    const { tasks } = (body.workflow ?? { tasks: {} }) as { tasks: Record<string, Body> };
    this.flows.set(jobId, body.workflow !== undefined);
    for (const [index, { approval }] of Object.values(tasks).entries())
      this.tasks.push({ jobId, index, isApproval: approval !== undefined });
    return body;
  }

  /** A request about one task of a run under way. The remainder of its id says which one. */
  private ofTask(action: Action, atMs: number): void {
    const isDecision = action === 'approve' || action === 'reject';
    const tasks = this.tasks.filter(({ isApproval }) => isApproval || !isDecision);
    if (tasks.length === 0) return;
    const { jobId, index } = this.random.pick(tasks);
    this.ids += ASKED_TASKS - (this.ids % ASKED_TASKS) + index - 1;
    this.add(action, atMs, jobId, {});
  }

  /** A request about a task of each run. What it ends is opened again soon, while the run goes on. */
  private ofTasks(action: Action, atMs: number): void {
    for (const jobId of JOBS) {
      const body = action === 'reopen-ended' ? { mode: this.random.pick(['from', 'only']) } : {};
      this.add(action, atMs, jobId, body);
      if (!ENDING.includes(action)) continue;
      for (const afterMs of REOPENED_AFTER_MS) this.add('reopen-failed', atMs + afterMs, jobId, {});
    }
  }

  /** One operation of a user. */
  operation(action: Action, atMs: number): void {
    if (ON_TASKS.includes(action)) return this.ofTask(action, atMs);
    // Only a job that has such a task is asked for it.
    if (action in TASK_OPERATIONS) return this.ofTasks(action, atMs);
    const { random } = this;
    const jobId = random.pick(JOBS);
    const key = random.fraction() < 0.5 ? `key-${this.ids}` : undefined;
    const named = NAMES[action];
    const body = this.bodies[action]?.(jobId, atMs) ?? (action.endsWith('-run') ? undefined : {});
    const name = named ? random.pick(named) : action === 'event' ? String(body!.name) : jobId;
    const alwaysKeyed = { event: String(body?.id), bulk: `bulk-${this.ids}` }[action as string];
    const isKeyed = KEYED.includes(action);
    if (action === 'remove-key') this.add('put-key', atMs + PUT_AGAIN_MS, name, drawKey(random));
    this.add(
      action,
      atMs,
      name,
      WITHOUT_BODY.includes(action) ? undefined : body,
      alwaysKeyed ?? (isKeyed ? key : undefined),
    );
  }

  /** Bodies of those operations that have one of their own. */
  private readonly bodies: Partial<Record<Action, (jobId: string, atMs: number) => Body>> = {
    create: (jobId, atMs) => this.job(jobId, atMs),
    put: (jobId, atMs) => {
      const { jobId: _, ...body } = this.job(jobId, atMs);
      return body;
    },
    batch: (jobId, atMs) => {
      const jobs = [...new Set([jobId, this.random.pick(JOBS)])].toSorted();
      return { jobs: jobs.map((one) => this.job(one, atMs)) };
    },
    patch: (jobId, atMs) => this.patch(jobId, atMs),
    event: () => this.event(),
    bulk: (jobId, atMs) => this.bulk(jobId, atMs),
    'ask-backfill': () => drawBackfill(this.random),
    unblock: () => ({ orderingKey: this.random.pick(ORDERING_KEYS) }),
    'put-key': () => drawKey(this.random),
    calendar: () => drawCalendar(this.random),
    'put-secret': () => SECRET_BODY,
    notification: () => NOTIFICATION_BODY,
  };

  private event(): Body {
    const { random } = this;
    const id = `event-${this.ids}`;
    return given({
      name: random.pick(EVENT_NAMES),
      id,
      key: maybe(random, 0.6, () => random.pick(EVENT_KEYS)),
      data: maybe(random, 0.6, () => ({
        region: random.pick(REGIONS),
        stamp: id,
        tenant: TENANTS[this.ids % TENANTS.length],
        ...(this.ids % 4 === 0 && { [MISFIT]: true }),
      })),
    });
  }

  /** Some fields of another definition. What the merged definition does not allow is refused. */
  private patch(jobId: string, atMs: number): Body {
    const { workflow, target, targets, payload, jobId: _, ...fields } = this.job(jobId, atMs);
    const names = Object.keys(fields).filter(() => this.random.fraction() < 0.35);
    const isReplaced = this.random.fraction() < 0.25;
    const what = { workflow: null, target: null, targets: null, ...given({ workflow, target, targets }) };
    return {
      ...Object.fromEntries(names.map((name) => [name, fields[name]])),
      ...(isReplaced && { ...what, payload: payload ?? null, templates: null }),
      ...(isReplaced && workflow !== undefined && { payload: null }),
    };
  }

  private bulk(jobId: string, atMs: number): Body {
    const { random } = this;
    const action = random.pick([...BULK_ACTIONS, 'delete']);
    if (action === 'delete') return { action, filter: { q: jobId }, expect: 1 };
    const filter = random.pick([{ tag: ['team:billing'] }, { q: jobId }, {}]);
    const isEmpty = Object.keys(filter).length === 0;
    const { schedule: _, ...patch } = this.patch(jobId, atMs);
    return given({
      action,
      filter,
      all: isEmpty ? true : undefined,
      patch: action === 'patch' ? { tags: TAG, ...pickPlain(patch) } : undefined,
    });
  }

  /** What all jobs use, before the first of them. */
  begin(): void {
    for (const id of CALENDARS) this.add('calendar', FIRST_MS, id, drawCalendar(this.random));
    for (const key of [...CONCURRENCY_KEYS, ...RULES])
      this.add('put-key', FIRST_MS, key, drawKey(this.random));
    for (const [name, body] of SECRETS) this.add('put-secret', FIRST_MS, name, body);
    if (this.random.fraction() < 0.7) this.operation('notification', FIRST_MS);
    for (const [index, jobId] of JOBS.entries()) {
      const atMs = CREATED_MS + 4 * SECOND_MS * index;
      this.add('create', atMs, jobId, this.job(jobId, atMs), `first-${jobId}`);
    }
  }

  /**
   * Jobs become slow, and nothing stays held or blocked: a run is over once nothing is open. A change of a
   * job is refused while something that it names was removed by force.
   */
  close(): void {
    for (const minutes of CLOSING_MIN) {
      const fromMs = this.plan.quietFromMs + minutes * MINUTE_MS;
      for (const key of LIMITED) this.add('put-key', fromMs - SECOND_MS, key, { limit: 2 });
      this.add('put-secret', fromMs - SECOND_MS, SECRET, SECRET_BODY);
      for (const [index, jobId] of JOBS.entries()) {
        const atMs = fromMs + index * SECOND_MS;
        this.add('patch', atMs, jobId, { schedule: 'rate(20 minutes)', onFailure: 'continue' });
        for (let task = 0; task < 3; task++) this.add('resume-run', atMs + 100 * task, jobId);
        if (minutes > 5) this.add('resume', atMs, jobId); // a pause holds what is due later
        const key = ORDERING_KEYS[index];
        for (let time = 0; key !== undefined && time < UNBLOCKS; time++)
          this.add('unblock', atMs + 100 * time, '', { orderingKey: key });
      }
    }
  }
}

/** Fields that fit each job: a bulk is about jobs of all kinds. */
const pickPlain = ({ overlap, orderingKey, priority, concurrencyKey, pauseAfter, expectEvery }: Body): Body =>
  given({ overlap, orderingKey, priority, concurrencyKey, pauseAfter, expectEvery });

export function drawActions(random: FakeRandom, plan: RunPlan): ClientAction[] {
  const drawing = new Drawing(random, plan);
  drawing.begin();
  for (let count = 0; count < OPERATIONS; count++)
    drawing.operation(random.pick(DRAWN), random.between(45 * SECOND_MS, plan.quietFromMs));
  for (let count = 0; count < TASK_REQUESTS; count++)
    drawing.operation(random.pick(ON_RUNS), random.between(60 * SECOND_MS, plan.quietFromMs));
  for (const one of drawRuns(plan, USER, JOBS))
    drawing.add(one.action, one.atMs, one.jobId, one.body, one.idempotencyKey);
  drawing.close();
  return drawing.actions.sort((a, b) => a.atMs - b.atMs || a.id - b.id);
}
