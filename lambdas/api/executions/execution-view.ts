import type { AttemptView, ExecutionView } from '../../core/http/answers';
import { jobRefOf } from '../../core/contracts/tables';
import type { AttemptRecord, Execution } from '../../core/domain/execution';
import type { ExecutionStatus } from '../../core/domain/transitions';
import { instantText, optionalInstant } from '../http/instants';

/** A stored execution, or one that is derived from an entry and has no row yet. */
export type AnyExecution = Omit<Execution, 'status'> & { status: ExecutionStatus };

export const executionView = (execution: AnyExecution): ExecutionView => ({
  jobId: jobRefOf(execution.jobKey).jobId,
  execId: execution.execId,
  trigger: execution.trigger,
  dueAt: instantText(execution.dueAtMs),
  status: execution.status,
  reason: execution.reason ?? null,
  skipped: skippedView(execution),
  latenessMs: execution.latenessMs ?? null,
  startedAt: optionalInstant(execution.startedAtMs),
  finishedAt: optionalInstant(execution.finishedAtMs),
  heartbeatAt: optionalInstant(execution.heartbeatAtMs),
  attempts: [
    ...execution.attempts.map(attemptView),
    ...(execution.lateResults ?? []).map((record) => ({ ...attemptView(record), late: true as const })),
  ],
  targets: targetsView(execution),
  result: execution.result
    ? { statusCode: execution.result.statusCode ?? null, body: execution.result.body ?? null }
    : null,
  ...(execution.orderingKey !== undefined && { orderingKey: execution.orderingKey }),
  ...(execution.blocksKey && { blocksKey: true }),
});

/** A row that stands for one occurrence only says nothing more by its bounds. */
const skippedView = ({ skipped }: AnyExecution): ExecutionView['skipped'] =>
  skipped && skipped.count > 1
    ? { from: instantText(skipped.fromMs), to: instantText(skipped.toMs), count: skipped.count }
    : null;

/** As far as the row knows of them: all, once an attempt has ended or was left to targets that report. */
function targetsView({ status, attempts, delegatedTo }: AnyExecution): ExecutionView['targets'] {
  const places = [...attempts.map(({ target }) => target), ...(delegatedTo?.targets ?? [])];
  return Array.from({ length: Math.max(0, ...places) + 1 }, (_, index) => {
    const hasSucceeded = attempts.some((one) => one.target === index && one.outcome === 'succeeded');
    return { index, status: hasSucceeded ? 'succeeded' : status };
  });
}

const attemptView = (record: AttemptRecord): AttemptView => ({
  attempt: record.attempt,
  fence: record.fence,
  startedAt: instantText(record.startedAtMs),
  finishedAt: instantText(record.finishedAtMs),
  outcome: record.outcome,
  target: record.target,
  statusCode: record.statusCode ?? null,
  error: record.error ?? null,
});
