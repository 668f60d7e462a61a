import type { Operation } from '../../lambdas/core/contracts/routes';
import { execIdOfOccurrence, jobKeyOf } from '../../lambdas/core/contracts/tables';
import { scheduleOf } from '../../lambdas/core/domain/entry-planning';
import { isTerminal } from '../../lambdas/core/domain/transitions';
import type { IncomingRequest } from '../../lambdas/api/admit';
import type { ApiResponse } from '../../lambdas/api/request';
import { FakeRandom } from '../support/fake-random';
import { routeOf } from '../support/route-of';
import type { EventLog } from './log';
import type { FakeClock } from '../support/fake-clock';
import type { RecordedTables } from './recorded-tables';
import { askForBackfill, type Invoking } from './sim-backfills';
import { type Action, type ClientAction, RUN_ACTIONS } from './workload';
import { callerOf } from '../support/caller';

const OPERATIONS: Record<Exclude<Action, 'backfill'>, Operation> = {
  create: 'createJob',
  put: 'putJob',
  patch: 'patchJob',
  pause: 'pauseJob',
  resume: 'resumeJob',
  delete: 'deleteJob',
  run: 'runJob',
  cancel: 'cancelExecution',
  retry: 'retryExecution',
  unblock: 'unblockOrderingKey',
  event: 'sendEvent',
  calendar: 'putCalendar',
  notification: 'putNotification',
  'pause-run': 'pauseRun',
  'resume-run': 'resumeRun',
  skip: 'skipTask',
  'cancel-task': 'cancelTask',
  approve: 'approveTask',
  reject: 'rejectTask',
  reopen: 'retryTask',
};
const ON_RUNS: readonly Action[] = RUN_ACTIONS;
const ADMIN = ['project:admin'] as const;
const RETRIED = ['failed', 'cancelled', 'skipped'];
/** Ids of tasks are `t0` to `t7`. */
const MOST_TASKS = 8;
const RETRY_AFTER_MS = 5_000;
const RETRIES = 3;

function paramsOf(
  { id, action, jobId }: ClientAction,
  execId: string | undefined,
): Record<string, string | undefined> {
  if (action === 'create') return {};
  if (action === 'notification') return { id: jobId };
  if (action === 'calendar') return { calendarId: jobId };
  return { jobId, execId, ...(ON_RUNS.includes(action) && { taskId: `t${id % MOST_TASKS}` }) };
}

type RequestAction = ClientAction & { action: keyof typeof OPERATIONS };

/** What clients use of the world. There is no answer if the API's node died. */
export interface Reachable extends Invoking {
  time: FakeClock;
  log: EventLog;
  tables: RecordedTables;
  api(request: IncomingRequest): Promise<ApiResponse | undefined>;
}

/** The users of the API. They log each answer, and repeat requests with a key until they know the outcome. */
export class SimClients {
  private requests = 0;

  constructor(private readonly world: Reachable) {}

  async act(action: ClientAction): Promise<void> {
    if (action.action === 'backfill') return askForBackfill(action, this.world);
    // The log names an event where it names the execution of other requests.
    const execId = action.action === 'event' ? String(action.body?.id) : this.executionFor(action);
    const needsOne = ['cancel', 'retry', ...ON_RUNS].includes(action.action);
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
    const { userId, jobId, body, idempotencyKey } = action;
    const operation = OPERATIONS[action.action];
    const what = { src: 'api', request, operation, jobKey: jobKeyOf({ userId, jobId }), execId } as const;
    this.log.add({ ...what, type: 'invoke' });
    const outcome = await this.world.api({
      route: routeOf(operation),
      requestId: `request-${request}`,
      ...callerOf(userId, 'jobs:read', 'jobs:write', ...(operation === 'putNotification' ? ADMIN : [])),
      params: paramsOf(action, execId),
      query: new Map(),
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!outcome) {
      this.log.add({ ...what, type: 'info' });
      return false;
    }
    const { status, headers, body: answered } = outcome;
    const type = status < 300 ? 'ok' : status < 500 ? 'fail' : 'info';
    const run = operation === 'runJob' && type === 'ok' ? (answered as { execId: string }).execId : execId;
    this.log.add({ ...what, type, status, execId: run, etag: headers?.etag?.replaceAll('"', '') });
    return type !== 'info';
  }

  private executionFor(action: ClientAction): string | undefined {
    if (action.action === 'cancel') return this.executionToCancel(action);
    if (ON_RUNS.includes(action.action)) return this.runUnderWay(action);
    return action.action === 'retry' ? this.executionToRetry(action) : undefined;
  }

  private executionToRetry({ id, userId, jobId }: ClientAction): string | undefined {
    const ended = this.world.tables
      .executionsOf({ userId, jobId })
      .filter(({ status, skipped }) => RETRIED.includes(status) && (skipped?.count ?? 1) === 1);
    return ended.length > 0 ? new FakeRandom(id).pick(ended).execId : undefined;
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
