import type { Operation } from '../../lambdas/core/contracts/routes';
import { execIdOfOccurrence, jobKeyOf } from '../../lambdas/core/contracts/tables';
import { scheduleOf } from '../../lambdas/core/domain/entry-planning';
import type { BatchView } from '../../lambdas/core/http/openapi/answers';
import { isTerminal } from '../../lambdas/core/domain/transitions';
import { runOf, taskRefOf } from '../../lambdas/core/domain/workflow/task-id';
import { FakeRandom } from '../support/fake-random';
import { routeOf } from '../support/route-of';
import type { ApiRecord, EventLog } from './log';
import { tasksUnderWay } from './tasks-under-way';
import { askForBackfill, type Invoking } from './sim-backfills';
import { type Pinged, SimPings } from './sim-pings';
import {
  type Action,
  ASKED_TASKS,
  type ClientAction,
  NAMED_OPERATIONS,
  PROJECT_OPERATIONS,
  RUN_OPERATIONS,
  TASK_OPERATIONS,
} from './workload';
import { callerOf } from '../support/caller';

const OPERATIONS: Record<Exclude<Action, 'backfill' | 'ping'>, Operation> = {
  create: 'createJob',
  put: 'putJob',
  patch: 'patchJob',
  pause: 'pauseJob',
  resume: 'resumeJob',
  delete: 'deleteJob',
  run: 'runJob',
  'cancel-key': 'cancelKeyedRun',
  cancel: 'cancelExecution',
  retry: 'retryExecution',
  unblock: 'unblockOrderingKey',
  event: 'sendEvent',
  calendar: 'putCalendar',
  notification: 'putNotification',
  batch: 'createJobs',
  restore: 'restoreJob',
  forget: 'deleteJobChange',
  bulk: 'bulk',
  'ask-backfill': 'startBackfill',
  ...firstsOf(NAMED_OPERATIONS),
  ...TASK_OPERATIONS,
  ...RUN_OPERATIONS,
  ...PROJECT_OPERATIONS,
};

function firstsOf<Of extends Record<string, readonly [Operation, ...unknown[]]>>(
  of: Of,
): Record<keyof Of, Operation> {
  return Object.fromEntries(Object.entries(of).map(([action, [first]]) => [action, first])) as Record<
    keyof Of,
    Operation
  >;
}

/** What clients of the simulation ask for. */
export const CLIENT_OPERATIONS: readonly Operation[] = [...new Set(Object.values(OPERATIONS))];

/** Their answers name an execution. */
const NAMING: readonly Operation[] = ['runJob', 'startBackfill', 'cancelKeyedRun'];
type Named = { execId?: string; outcome?: string };
/** Requests whose bodies the checker has to know. */
const BODIES_LOGGED: readonly Operation[] = [
  ...(['bulk', 'startBackfill', 'sendEvent', 'unblockOrderingKey'] as const),
  'putNotification',
];
const FINDING_TASKS: readonly string[] = Object.keys(TASK_OPERATIONS);
const ON_RUNS: readonly string[] = Object.keys(RUN_OPERATIONS);
/** The log of these requests has the number of the change in place of an execution. */
const ON_CHANGES: readonly string[] = ['restore', 'forget'];
const ADMIN = ['project:admin'] as const;
const OF_ADMINS: readonly Operation[] = [
  'putNotification',
  'deleteNotification',
  'testNotification',
  'putSecret',
  'deleteSecret',
  'putProjectPingKey',
  'deleteProjectPingKey',
];
/** Requests that remove what jobs use. */
const FORCED: readonly Operation[] = ['deleteConcurrencyKey', 'deleteSecret'];
const RETRIED = ['failed', 'cancelled', 'skipped'];
const RETRY_AFTER_MS = 5_000;
const RETRIES = 3;

function paramsOf(
  { id, action, jobId }: ClientAction,
  execId: string | undefined,
): Record<string, string | undefined> {
  if (['create', 'batch', 'bulk', 'event', 'unblock'].includes(action) || action in PROJECT_OPERATIONS)
    return {};
  if (action === 'notification') return { id: jobId };
  if (action === 'calendar') return { calendarId: jobId };
  if (isNamed(action)) return { [NAMED_OPERATIONS[action][1]]: jobId };
  if (ON_CHANGES.includes(action)) return { jobId, number: execId };
  if (isOnTask(action)) return { jobId, execId: runOf(execId!), taskId: taskRefOf(execId!)!.task };
  return { jobId, execId, ...(ON_RUNS.includes(action) && { taskId: `t${id % ASKED_TASKS}` }) };
}

function createdBy(answer: unknown, userId: string): NonNullable<ApiRecord['created']> {
  const { outcomes } = answer as BatchView;
  return outcomes.flatMap(({ job }) =>
    job ? [{ jobKey: jobKeyOf({ userId, jobId: job.jobId }), createdAtMs: Date.parse(job.createdAt) }] : [],
  );
}

const isOnTask = (action: Action): action is keyof typeof TASK_OPERATIONS => action in TASK_OPERATIONS;
const isNamed = (action: Action): action is keyof typeof NAMED_OPERATIONS => action in NAMED_OPERATIONS;

const headersOf = ({ id, idempotencyKey, traced }: ClientAction): Record<string, string> => ({
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  ...(traced && {
    traceparent: `00-${String(id).padStart(32, '1')}-${String(id).padStart(16, '2')}-0${id % 2}`,
    tracestate: `client=${id}`,
  }),
});

type RequestAction = ClientAction & { action: keyof typeof OPERATIONS };

/** What clients use of the world. */
export type Reachable = Invoking & Pinged;

/** The users of the API. They log each answer, and repeat requests with a key until they know the outcome. */
export class SimClients {
  private requests = 0;
  private readonly pings: SimPings;

  constructor(private readonly world: Reachable) {
    this.pings = new SimPings(world, () => ++this.requests);
  }

  async act(action: ClientAction): Promise<void> {
    if (action.action === 'backfill') return askForBackfill(action, this.world);
    if (action.action === 'ping') return this.pings.send(action);
    // The log names an event where it names the execution of other requests.
    const execId = action.action === 'event' ? String(action.body?.id) : this.executionFor(action);
    const needsOne = ['cancel', 'retry', ...FINDING_TASKS, ...ON_CHANGES, ...ON_RUNS].includes(action.action);
    if (execId === undefined && needsOne) return;
    for (let tries = 0; tries <= RETRIES; tries++) {
      const known = await this.ask({ ...action, action: action.action }, execId);
      if (known || action.idempotencyKey === undefined) return;
      await this.world.time.sleep(RETRY_AFTER_MS);
    }
  }

  /** Whether the client knows the outcome afterwards. */
  private async ask(action: RequestAction, execId: string | undefined): Promise<boolean> {
    const request = ++this.requests;
    const { userId, jobId, body } = action;
    const operation = OPERATIONS[action.action];
    const jobKey = jobKeyOf({ userId, jobId });
    const isLogged =
      BODIES_LOGGED.includes(operation) || body?.key !== undefined || body?.delay !== undefined;
    const asked = body && isLogged ? { body } : {};
    const what = { src: 'api', request, operation, jobKey, execId, ...asked } as const;
    this.log.add({ ...what, type: 'invoke' });
    const outcome = await this.world.api({
      route: routeOf(operation),
      requestId: `request-${request}`,
      ...callerOf(userId, 'jobs:read', 'jobs:write', ...(OF_ADMINS.includes(operation) ? ADMIN : [])),
      params: paramsOf(action, execId),
      query: new Map(FORCED.includes(operation) ? [['force', ['true']]] : []),
      headers: headersOf(action),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!outcome) {
      this.log.add({ ...what, type: 'info' });
      return false;
    }
    const { status, headers, body: answered } = outcome;
    const type = status < 300 ? 'ok' : status < 500 ? 'fail' : 'info';
    const run = NAMING.includes(operation) && type === 'ok' ? (answered as Named).execId : execId;
    const answers = operation === 'cancelKeyedRun' && type === 'ok' ? (answered as Named) : {};
    const created = operation === 'createJobs' && type === 'ok' ? createdBy(answered, userId) : undefined;
    const etag = headers?.etag?.replaceAll('"', '');
    this.log.add({
      ...what,
      type,
      status,
      execId: run,
      etag,
      ...(created && { created }),
      outcome: answers.outcome,
    });
    return type !== 'info';
  }

  private executionFor(action: ClientAction): string | undefined {
    if (action.action === 'cancel') return this.executionToCancel(action);
    if (ON_RUNS.includes(action.action)) return this.runUnderWay(action);
    if (ON_CHANGES.includes(action.action)) return this.changeOf(action);
    if (isOnTask(action.action)) return this.taskOf({ ...action, action: action.action });
    return action.action === 'retry' ? this.executionToRetry(action) : undefined;
  }

  private executionToRetry({ id, userId, jobId }: ClientAction): string | undefined {
    const ended = this.world.tables
      .executionsOf({ userId, jobId })
      .filter(({ status, skipped }) => RETRIED.includes(status) && (skipped?.count ?? 1) === 1);
    return ended.length > 0 ? new FakeRandom(id).pick(ended).execId : undefined;
  }

  /** The number of a change that the job had, also one that was deleted. */
  private changeOf({ id, userId, jobId }: ClientAction): string | undefined {
    const jobKey = jobKeyOf({ userId, jobId });
    const numbers = this.log.records.flatMap((record) =>
      record.src === 'table' && record.type === 'job' && record.jobKey === jobKey && record.job
        ? [record.job.changeNumber ?? 1]
        : [],
    );
    return numbers.length > 0 ? String(new FakeRandom(id).pick(numbers)) : undefined;
  }

  private taskOf({ id, userId, jobId, ...asked }: ClientAction & { action: keyof typeof TASK_OPERATIONS }) {
    const rows = this.world.tables.executionsOf({ userId, jobId });
    const found = tasksUnderWay(asked, rows, this.log.records);
    return found.length > 0 ? new FakeRandom(id).pick(found) : undefined;
  }

  private runUnderWay({ id, userId, jobId }: ClientAction): string | undefined {
    const open = this.world.tables
      .executionsOf({ userId, jobId })
      .filter(({ status, run }) => status === 'running' && run !== undefined);
    return open.length > 0 ? new FakeRandom(id).pick(open).execId : undefined;
  }

  /** One that is not over, else the next planned one. */
  private executionToCancel({ id, userId, jobId }: ClientAction): string | undefined {
    const { tables, time } = this.world;
    const open = tables.executionsOf({ userId, jobId }).filter(({ status }) => !isTerminal(status));
    if (open.length > 0) return new FakeRandom(id).pick(open).execId;
    const job = tables.job({ userId, jobId });
    const dueAtMs = job && scheduleOf(job).next(time.nowMs());
    return dueAtMs === undefined ? undefined : execIdOfOccurrence(dueAtMs);
  }

  private get log(): EventLog {
    return this.world.log;
  }
}
