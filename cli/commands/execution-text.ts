import type { Execution } from '../../client';
import type { Context } from '../context';
import { statusText } from '../terminal/style';
import { actorText } from './actor-text';
import { fields, plain, table } from '../terminal/table';
import { bothTimes, instantText, localText } from '../terminal/times';

interface TableOptions {
  /** Adds a column for the job. */
  withJob?: boolean;
  /** Adds a column for local times in this IANA time zone. */
  zone?: string | undefined;
  /** The same for executions of several jobs: the time zone of each job. */
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
  { style }: Pick<Context, 'style'>,
  { withJob = false, zone, zones = new Map() }: TableOptions,
): string {
  const isLocal = zone !== undefined || executions.some(({ jobId }) => zones.get(jobId) !== undefined);
  return table(
    [
      ...(withJob ? ['JOB'] : []),
      'DUE (UTC)',
      ...(isLocal ? [`DUE (${plain(zone ?? 'LOCAL')})`] : []),
      'STATUS',
      'LATE',
      'ATTEMPTS',
      'EXECUTION',
      'REASON',
    ],
    executions.map((execution) => [
      ...(withJob ? [execution.jobId] : []),
      instantText(execution.dueAt),
      ...(isLocal ? [localText(execution.dueAt, zone ?? zones.get(execution.jobId)) ?? ''] : []),
      statusText(execution.status, style),
      lateness(execution),
      String(execution.attempts.length),
      execution.execId,
      reasonText(execution),
    ]),
  );
}

/** One execution with a table of its attempts. `zone` adds its times on the clocks of this time zone. */
export function executionText(
  execution: Execution,
  { style }: Pick<Context, 'style'>,
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
    ['note', detail?.note && plain(detail.note, 500)],
    ['due', instant(execution.dueAt)],
    ['late', lateness(execution)],
    ['started', instant(execution.startedAt)],
    ['finished', instant(execution.finishedAt)],
    ['next attempt', instant(execution.nextAttemptAt)],
    ['held by', detail?.heldBy],
    ['found', instant(detail?.foundAt)],
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
    both(attempt.startedAt),
    attempt.outcome ?? '',
    String(attempt.statusCode ?? ''),
    plain(attempt.error ?? ''),
  ]);
  return `${head}\n${table(['ATTEMPT', 'FENCE', 'STARTED', 'OUTCOME', 'STATUS', 'ERROR'], rows)}`;
}

const parentText = ({ parent }: Execution): string | undefined =>
  parent && `task ${parent.taskId} of ${parent.jobId} ${parent.execId}`;

function causeText({ cause }: Execution): string | undefined {
  if (!cause) return undefined;
  if (cause.type === 'after') return `${cause.jobId} ${cause.execId} (${cause.status})`;
  return plain(
    [`event ${cause.name}`, cause.eventId, cause.key && `key ${cause.key}`].filter(Boolean).join(' '),
  );
}

/** Why an execution ended as it did, in at most 100 characters: the reason, then the error or response. */
export function reasonText({ reason, skipped, result, status, attempts }: Execution): string {
  const error = status === 'failed' || status === 'retrying' ? attempts.at(-1)?.error : undefined;
  const response = status === 'failed' ? (result?.body ?? undefined) : undefined;
  const parts = [reason, skipped ? skippedText(skipped) : undefined, error ?? response];
  return plain(parts.filter(Boolean).join(': '), 100);
}

const skippedText = ({ from, to, count }: NonNullable<Execution['skipped']>): string =>
  `${count} from ${instantText(from)}Z to ${instantText(to)}Z`;

export const lateness = ({ latenessMs }: Execution): string =>
  latenessMs === null ? '' : `${latenessMs} ms`;
