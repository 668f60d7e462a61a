import type { Execution } from '../../client';
import type { Context } from '../context';
import { statusText } from '../terminal/style';
import { actorText } from './actor-text';
import { singleLine } from '../terminal/printable';
import { plain, texts } from '../terminal/table';
import { bothTimes, instantText, spanText, timeText } from '../terminal/times';

/** Enough of an id is left to name the execution by. */
export const EXECUTION_COLUMN = texts('EXECUTION', '20261201T090000.000Z…'.length);
export const ATTEMPT_COLUMNS = [
  'ATTEMPT',
  { head: 'FENCE', spare: 2 },
  { head: 'STARTED', spare: 1 },
  'OUTCOME',
  'STATUS',
  texts('ERROR'),
];

interface TableOptions {
  /** Adds a column for the job. */
  withJob?: boolean;
  /** Whose clocks show the due times: an IANA name. Undefined: UTC. */
  zone?: string | undefined;
  /** The zones of several jobs, by jobId. */
  zones?: ReadonlyMap<string, string | undefined>;
}

/** Prints a list of executions. The options apply to the table, not to JSON. */
export const printExecutions = (
  context: Context,
  executions: Execution[],
  options: TableOptions = {},
): void =>
  context.print(executions, () =>
    executions.length === 0 ? 'No executions.\n' : executionTable(executions, context, options),
  );

function executionTable(
  executions: readonly Execution[],
  { style, table }: Pick<Context, 'style' | 'table'>,
  { withJob = false, zone, zones = new Map() }: TableOptions,
): string {
  return table(
    [
      ...(withJob ? ['JOB'] : []),
      { head: 'DUE', spare: 1 },
      'STATUS',
      { head: 'LATE', spare: 2 },
      { head: 'ATTEMPTS', spare: 3 },
      EXECUTION_COLUMN,
      texts('REASON'),
    ],
    executions.map((execution) => [
      ...(withJob ? [execution.jobId] : []),
      timeText(execution.dueAt, zone ?? zones.get(execution.jobId)),
      statusText(execution.status, style),
      lateness(execution),
      attemptsText(execution),
      execution.execId,
      reasonText(execution),
    ]),
  );
}

/** A run has tasks, which make attempts; so has a backfill. */
const attemptsText = ({ workflow, attempts }: Execution): string =>
  workflow ? '–' : String(attempts.length);

/** One execution with a table of its attempts. `zone` adds its times on the clocks of this time zone. */
export function executionText(
  execution: Execution,
  { style, table, fields }: Pick<Context, 'style' | 'table' | 'fields'>,
  zone?: string,
): string {
  const both = (value: string) => (zone === undefined ? `${instantText(value)}Z` : bothTimes(value, zone));
  const instant = (value: string | null | undefined) => (value ? both(value) : undefined);
  const { result, detail } = execution;
  const head = fields([
    ['job', style.strong(execution.jobId)],
    ['execution', execution.execId],
    ['status', statusText(execution.status, style)],
    ['reason', execution.reason ?? undefined],
    ['trigger', execution.trigger],
    ['cause', causeText(execution)],
    ['parent', parentText(execution)],
    ['by', execution.by ? actorText(execution.by) : undefined],
    ['note', detail?.note && plain(detail.note)],
    ['due', instant(execution.dueAt)],
    ['late', lateness(execution)],
    ['started', instant(execution.startedAt)],
    ['retried', instant(execution.retriedAt)],
    ['finished', instant(execution.finishedAt)],
    ['took', tookText(execution)],
    ['progress', progressText(execution)],
    ['next attempt', instant(execution.nextAttemptAt)],
    ['runs at', errandText(execution)],
    ['AWS console', linksIn(execution)?.consoleUrl],
    ['logs', linksIn(execution)?.logsUrl],
    ['trouble', troubleText(execution)],
    ['steps', stepsText(execution)],
    ['held by', detail?.heldBy],
    ['found', instant(detail?.foundAt)],
    ['run tags', execution.runTags && plain(execution.runTags.join(', '))],
    ['external id', execution.externalId && plain(execution.externalId)],
    ['concurrency', execution.concurrencyKey && plain(execution.concurrencyKey)],
    ['left out', leftOutText(execution)],
    ['trace', traceText(execution)],
    ['skipped', execution.skipped ? skippedText(execution.skipped) : undefined],
    [
      'result',
      result ? plain([result.statusCode, result.body].filter((one) => one !== null).join(' ')) : undefined,
    ],
  ]);
  if (execution.attempts.length === 0) return head;
  const rows = execution.attempts.map((attempt) => [
    String(attempt.attempt),
    String(attempt.fence),
    timeText(attempt.startedAt, zone),
    attempt.outcome ?? '',
    String(attempt.statusCode ?? ''),
    singleLine(attempt.error ?? ''),
  ]);
  return `${head}\n${table(ATTEMPT_COLUMNS, rows)}`;
}

const leftOutText = ({ tagsLeftOut: count }: Execution): string | undefined =>
  count === undefined ? undefined : `${count} of the run tags and external ids of its job`;

/** Since the last retry by a user. */
function tookText({ startedAt, retriedAt, finishedAt, pace }: Execution): string | undefined {
  const begunAt = retriedAt ?? startedAt;
  if (!begunAt || !finishedAt) return undefined;
  const took = spanText(Date.parse(finishedAt) - Date.parse(begunAt));
  const compared = pace ? `, ${pace === 'slow' ? 'longer' : 'less'} than expected` : '';
  return `${took}${retriedAt ? ' since it was retried' : ''}${compared}`;
}

/** How far its last attempt is, as that has last said. */
export const progressText = ({ progress }: Pick<Execution, 'progress'>): string | undefined =>
  progress &&
  [`${Math.floor(progress.value * 100)} %`, plain(progress.text ?? '')].filter(Boolean).join(' · ');

/** What a state machine does for it, until that has been seen to end. */
const errandText = ({ errand }: Execution): string | undefined =>
  errand && plain(`${errand.id ?? errand.name} (${errand.state})`);

/** What a durable function has done in the last attempt, step by step, unless another one runs. */
function stepsText({ attempts, errand }: Execution): string | undefined {
  if (errand) return undefined;
  const steps = attempts.at(-1)?.errand?.steps;
  return steps && plain(steps.map((step) => `${step.name} ${step.state}${stepTook(step)}`).join(', '));
}

const stepTook = ({ startedAt, endedAt }: { startedAt?: string; endedAt?: string }): string =>
  startedAt && endedAt ? ` (${spanText(Date.parse(endedAt) - Date.parse(startedAt))})` : '';

/** What its service answers instead, if that has not said how the work is. */
const troubleText = ({ errand }: Execution): string | undefined =>
  errand?.trouble && `${singleLine(errand.trouble.error)} (since ${instantText(errand.trouble.since)}Z)`;

/** Links of the work that an AWS service does for it, or has done last. */
const linksIn = ({ errand, attempts }: Execution): { consoleUrl?: string; logsUrl?: string } | undefined =>
  errand ?? attempts.findLast((one) => one.errand)?.errand;

/** A deployment of an earlier version says nothing of it. */
const traceText = ({ trace }: Partial<Pick<Execution, 'trace'>>): string | undefined =>
  trace ? trace.traceId + (trace.joined ? ' (of its request)' : '') : undefined;

const parentText = ({ parent }: Execution): string | undefined =>
  parent && `task ${parent.taskId} of ${parent.jobId} ${parent.execId}`;

function causeText({ cause }: Execution): string | undefined {
  if (!cause) return undefined;
  if (cause.type === 'after') return `${cause.jobId} ${cause.execId} (${cause.status})`;
  return plain(
    [`event ${cause.name}`, cause.eventId, cause.key && `key ${cause.key}`].filter(Boolean).join(' '),
  );
}

/** Why an execution ended as it did, on one line: the reason, then the error or response. */
export function reasonText({ reason, skipped, result, status, attempts }: Execution): string {
  const error = status === 'failed' || status === 'retrying' ? attempts.at(-1)?.error : undefined;
  const response = status === 'failed' ? (result?.body ?? undefined) : undefined;
  const parts = [reason, skipped ? skippedText(skipped) : undefined, error ?? response];
  return singleLine(parts.filter(Boolean).join(': '));
}

const skippedText = ({ from, to, count }: NonNullable<Execution['skipped']>): string =>
  `${count} from ${instantText(from)}Z to ${instantText(to)}Z`;

export const lateness = ({ latenessMs }: Execution): string =>
  latenessMs === null ? '' : spanText(latenessMs);
