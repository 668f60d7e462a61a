import type { Clock } from '../clock/clock';
import type { Random } from '../clock/random';
import type { DocumentClient } from '../store/dynamo/access';
import { dynamoApiKeyStore } from '../store/dynamo/dynamo-api-key-store';
import type { Packs } from '../store/dynamo/entries';
import { dynamoScheduleStore } from '../store/dynamo/dynamo-schedule-store';
import { dynamoAwaitStore } from '../store/dynamo/dynamo-await-store';
import { dynamoAuditStore } from '../store/dynamo/dynamo-audit-store';
import { dynamoCallLoadStore } from '../store/dynamo/dynamo-call-load-store';
import { dynamoCalendarStore } from '../store/dynamo/dynamo-calendar-store';
import { dynamoChangeStore } from '../store/dynamo/dynamo-change-store';
import { dynamoBackfillStore } from '../store/dynamo/dynamo-backfill-store';
import { dynamoDebounceStore } from '../store/dynamo/dynamo-debounce-store';
import { dynamoConcurrencyStore } from '../store/dynamo/dynamo-concurrency-store';
import { dynamoExecutionStore } from '../store/dynamo/executions/dynamo-execution-store';
import { dynamoRunLabelStore } from '../store/dynamo/dynamo-run-label-store';
import { dynamoRunKeyStore } from '../store/dynamo/dynamo-run-key-store';
import { dynamoRequestKeyStore } from '../store/dynamo/dynamo-request-key-store';
import { dynamoEndsJournal } from '../store/dynamo/dynamo-ends-journal';
import { dynamoErrandStore } from '../store/dynamo/dynamo-errand-store';
import { dynamoFlowStore } from '../store/dynamo/dynamo-flow-store';
import { dynamoLogStore } from '../store/dynamo/dynamo-log-store';
import { dynamoJobStore } from '../store/dynamo/jobs/dynamo-job-store';
import { dynamoAlertStore } from '../store/dynamo/dynamo-alert-store';
import { dynamoNotificationStore } from '../store/dynamo/dynamo-notification-store';
import { dynamoPingKeyStore } from '../store/dynamo/dynamo-ping-key-store';
import { dynamoOrderingStore } from '../store/dynamo/dynamo-ordering-store';
import { dynamoOverlapLockStore } from '../store/dynamo/dynamo-overlap-lock-store';
import { dynamoFailureAckStore } from '../store/dynamo/dynamo-failure-ack-store';
import { dynamoFanOutStore } from '../store/dynamo/runs/dynamo-fan-out-store';
import { dynamoRunInputStore } from '../store/dynamo/runs/dynamo-run-input-store';
import { dynamoRunStore } from '../store/dynamo/runs/dynamo-run-store';
import { dynamoSecretStore } from '../store/dynamo/dynamo-secret-store';
import { dynamoWaitingStore } from '../store/dynamo/dynamo-waiting-store';
import { dynamoUsesStore } from '../store/dynamo/dynamo-uses-store';
import { dynamoUsageStore } from '../store/dynamo/dynamo-usage-store';
import { dynamoUserStore } from '../store/dynamo/dynamo-user-store';
import { dynamoWorkStore } from '../store/dynamo/dynamo-work-store';
import type { AwaitStore } from '../store/await-store';
import type { AuditStore } from '../store/audit-store';
import type { AlertStore } from '../store/alert-store';
import type { ApiKeyStore } from '../store/api-key-store';
import type { CallLoadStore } from '../store/call-load-store';
import type { CalendarStore } from '../store/calendar-store';
import type { ChangeStore } from '../store/change-store';
import type { BackfillStore } from '../store/backfill-store';
import type { DebounceStore } from '../store/debounce-store';
import type { ConcurrencyStore } from '../store/concurrency-store';
import type { EndsJournal } from '../store/ends-journal';
import type { ErrandStore } from '../store/errand-store';
import type { ExecutionEnds } from '../store/execution-ends';
import type { ExecutionStore } from '../store/execution-store';
import type { FailureAckStore } from '../store/failure-ack-store';
import type { FanOutStore } from '../store/fan-out-store';
import type { FlowStore } from '../store/flow-store';
import type { JobStore } from '../store/job-store';
import type { LogStore } from '../store/log-store';
import type { NotificationStore } from '../store/notification-store';
import type { OrderingStore } from '../store/ordering-store';
import type { OverlapLockStore } from '../store/overlap-lock-store';
import type { PingKeyStore } from '../store/ping-key-store';
import type { RequestKeyStore } from '../store/request-key-store';
import type { RunLabelStore } from '../store/run-label-store';
import type { RunKeyStore } from '../store/run-key-store';
import type { RunInputStore } from '../store/run-input-store';
import type { RunStore } from '../store/run-store';
import type { ScheduleStore } from '../store/schedule-store';
import type { SecretStore } from '../store/secret-store';
import type { UsageStore } from '../store/usage-store';
import type { WaitingStore } from '../store/waiting-store';
import type { UserStore } from '../store/user-store';
import type { UsesStore } from '../store/uses-store';
import type { WorkStore } from '../store/work-store';
import { cachedFlows, cachedItems } from '../store/unchanging-rows';

/** Where the stores find their rows. */
export interface StoreParts {
  documents: DocumentClient;
  /** A client for heartbeats alone, which makes one try. */
  heartbeats: DocumentClient;
  /** Names of the tables. */
  tables: { jobs: string; executions: string; schedule: string };
  clock: Clock;
  random: Random;
  /** What becomes of next entries that could share a row. Absent: each has its own, and no pack exists. */
  packs?: Packs;
}

export interface Stores {
  jobs: JobStore;
  overlapLocks: OverlapLockStore;
  users: UserStore;
  requestKeys: RequestKeyStore;
  debounces: DebounceStore;
  runKeys: RunKeyStore;
  backfills: BackfillStore;
  usage: UsageStore;
  callLoads: CallLoadStore;
  secrets: SecretStore;
  uses: UsesStore;
  calendars: CalendarStore;
  notifications: NotificationStore;
  alerts: AlertStore;
  apiKeys: ApiKeyStore;
  pingKeys: PingKeyStore;
  audit: AuditStore;
  failureAcks: FailureAckStore;
  changes: ChangeStore;
  executions: ExecutionStore & ExecutionEnds;
  /** The store of executions, under the name by which `core/ending` knows it. */
  ends: ExecutionEnds;
  journal: EndsJournal;
  runLabels: RunLabelStore;
  errands: ErrandStore;
  runs: RunStore;
  flows: FlowStore;
  runInputs: RunInputStore;
  fanOuts: FanOutStore;
  waiting: WaitingStore;
  awaits: AwaitStore;
  schedule: ScheduleStore;
  ordering: OrderingStore;
  concurrency: ConcurrencyStore;
  work: WorkStore;
  logs: LogStore;
}

/** All stores, without decorators, each over the table that has its rows. */
export function storesOf({ documents, heartbeats, tables, clock, random, packs }: StoreParts): Stores {
  const access = (table: string) => ({ documents, table, clock, random });
  const jobs = access(tables.jobs);
  const schedule = access(tables.schedule);
  const executionRows = access(tables.executions);
  const executions = dynamoExecutionStore({ ...executionRows, heartbeats });
  return {
    jobs: dynamoJobStore(jobs),
    overlapLocks: dynamoOverlapLockStore(jobs),
    users: dynamoUserStore(jobs),
    requestKeys: dynamoRequestKeyStore(jobs),
    debounces: dynamoDebounceStore(executionRows),
    runKeys: dynamoRunKeyStore(executionRows),
    backfills: dynamoBackfillStore(executionRows),
    usage: dynamoUsageStore(jobs),
    callLoads: dynamoCallLoadStore(jobs),
    secrets: dynamoSecretStore(executionRows, jobs),
    uses: dynamoUsesStore(jobs),
    calendars: dynamoCalendarStore(jobs, executionRows),
    notifications: dynamoNotificationStore(jobs),
    alerts: dynamoAlertStore(jobs),
    apiKeys: dynamoApiKeyStore(jobs),
    pingKeys: dynamoPingKeyStore(jobs),
    audit: dynamoAuditStore(access(tables.executions)),
    failureAcks: dynamoFailureAckStore(executionRows),
    changes: dynamoChangeStore(access(tables.executions)),
    executions,
    ends: executions,
    journal: dynamoEndsJournal(executionRows),
    runLabels: dynamoRunLabelStore(executionRows),
    errands: dynamoErrandStore(executionRows),
    runs: dynamoRunStore(executionRows),
    flows: cachedFlows(dynamoFlowStore(executionRows)),
    runInputs: dynamoRunInputStore(executionRows),
    fanOuts: cachedItems(dynamoFanOutStore(executionRows)),
    waiting: dynamoWaitingStore(executionRows),
    awaits: dynamoAwaitStore(executionRows),
    schedule: dynamoScheduleStore({ ...schedule, packs }),
    ordering: dynamoOrderingStore(schedule),
    concurrency: dynamoConcurrencyStore(jobs, schedule),
    work: dynamoWorkStore(schedule),
    logs: dynamoLogStore(executionRows),
  };
}
