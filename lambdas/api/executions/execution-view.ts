import { instantText, SECOND_MS } from '../../core/clock/clock';
import type { AttemptView, ExecutionView } from '../../core/http/openapi/execution';
import type { RunView } from '../../core/http/openapi/workflow-answers';
import type { RunState } from '../../core/domain/workflow/run-state';
import type { Sampling } from '../../core/contracts/otlp';
import { jobRefOf } from '../../core/contracts/tables';
import type { Cause } from '../../core/domain/cause';
import { isSampled, spanOfExecution, traceOfExecution } from '../../core/delivery/trace-ids';
import { type AttemptRecord, type Execution, isPlanned, type ParentTask } from '../../core/domain/execution';
import { excerptOf, failedHostOf, fingerprintOf, fingerprintText } from '../../core/domain/fingerprint';
import { retriedAtMs } from '../../core/domain/timing';
import { type ExecutionStatus, isTerminal } from '../../core/domain/transitions';
import type { ApiDeps } from '../request';
import { errandView, pastErrandView } from './errand-view';

/** A stored execution, or one that is derived from its job's schedule and has no row yet. */
export type AnyExecution = Omit<Execution, 'status'> & { status: ExecutionStatus };

/** Shows executions, one after another. */
export async function executionViews({
  secret,
  sampling = null,
}: Pick<ApiDeps, 'secret' | 'sampling'>): Promise<(execution: AnyExecution) => ExecutionView> {
  const keys = { secret: await secret.get(), sampling };
  return (execution) => viewOf(execution, keys);
}

export const executionView = async (
  execution: AnyExecution,
  deps: Pick<ApiDeps, 'secret' | 'sampling'>,
): Promise<ExecutionView> => (await executionViews(deps))(execution);

interface TraceKeys {
  secret: Buffer;
  sampling: Sampling | null;
}

const viewOf = (execution: AnyExecution, keys: TraceKeys): ExecutionView => ({
  jobId: jobRefOf(execution.jobKey).jobId,
  execId: execution.execId,
  trigger: execution.trigger as ExecutionView['trigger'], // a task is no execution of its own for users
  ...(execution.cause && { cause: causeView(execution.cause) }),
  ...(execution.parent && { parent: parentView(execution.parent) }),
  dueAt: instantText(execution.dueAtMs),
  status: execution.status,
  reason: execution.reason ?? null,
  skipped: skippedView(execution),
  latenessMs: execution.latenessMs ?? null,
  startedAt: optionalInstant(execution.startedAtMs),
  ...retriedView(execution),
  finishedAt: optionalInstant(execution.finishedAtMs),
  heartbeatAt: optionalInstant(execution.heartbeatAtMs),
  ...progressView(execution),
  ...pingView(execution),
  ...(execution.pace && { pace: execution.pace }),
  nextAttemptAt: optionalInstant(nextAttemptMs(execution)),
  ...errandView(execution),
  attempts: attemptViews(execution),
  targets: targetsView(execution),
  ...(execution.run && { workflow: runView(execution, execution.run) }),
  result: execution.result
    ? { statusCode: execution.result.statusCode ?? null, body: execution.result.body ?? null }
    : null,
  ...(execution.key !== undefined && { key: execution.key }),
  ...(execution.tags && { tags: execution.tags }),
  ...runLabelsView(execution),
  ...(execution.heldAtMs !== undefined && { heldAt: instantText(execution.heldAtMs) }),
  ...(execution.orderingKey !== undefined && { orderingKey: execution.orderingKey }),
  ...(execution.concurrencyKey !== undefined && { concurrencyKey: execution.concurrencyKey }),
  by: execution.userRequest?.by ?? null,
  trace: traceView(execution, keys),
  ...(execution.generation !== undefined && { generation: execution.generation }),
  ...detailView(execution),
  ...failureView(execution),
  ...(execution.blocksKey && { blocksKey: true }),
});

/** An occurrence has no trace before its first claim: that says which. What has ended before has none. */
function traceView(execution: AnyExecution, { secret, sampling }: TraceKeys): ExecutionView['trace'] {
  const { status, trigger, fence } = execution;
  if (fence === 0 && (isPlanned(trigger) || isTerminal(status))) return null;
  const trace = traceOfExecution(execution, secret, sampling);
  const spanId = spanOfExecution(execution, secret);
  return { traceId: trace.traceId, spanId, sampled: isSampled(trace), joined: trace.joined };
}

const runLabelsView = ({
  runTags,
  externalId,
  tagsLeftOut,
}: AnyExecution): Pick<ExecutionView, 'runTags' | 'externalId' | 'tagsLeftOut'> => ({
  ...(runTags && { runTags: [...runTags] }),
  ...(externalId !== undefined && { externalId }),
  ...(tagsLeftOut !== undefined && { tagsLeftOut }),
});

/** When the next attempt starts; undefined if none waits for its time. */
export const nextAttemptMs = ({
  status,
  startAtMs,
  heldAtMs,
}: Pick<AnyExecution, 'status' | 'startAtMs' | 'heldAtMs'>): number | undefined =>
  isTerminal(status) || heldAtMs !== undefined ? undefined : startAtMs;

/** What the row alone says of a run. */
export const runView = ({ status }: Pick<AnyExecution, 'status'>, run: RunState): RunView => ({
  version: run.version,
  number: run.number,
  phase: phaseOf(status, run),
  startedAt: instantText(run.startedAtMs),
  endsAt: instantText(run.endsAtMs),
  heldAt: optionalInstant(status === 'running' ? run.heldAtMs : undefined),
  stopping: run.stop ? { reason: run.stop.why, at: instantText(run.stop.atMs) } : null,
  moves: run.moves,
});

const phaseOf = (status: ExecutionStatus, { stop, heldAtMs }: RunState): RunView['phase'] => {
  if (status !== 'running') return 'ended';
  if (stop) return 'stopping';
  return heldAtMs === undefined ? 'running' : 'held';
};

/** What the row says of the progress of its last attempt. */
export function progressView({ progress }: Pick<AnyExecution, 'progress'>): Pick<ExecutionView, 'progress'> {
  if (!progress) return {};
  const { atMs, ...said } = progress;
  return { progress: { ...said, at: instantText(atMs) } };
}

const pingView = ({ ping }: AnyExecution): Pick<ExecutionView, 'ping'> => {
  if (!ping) return {};
  const { atMs, ...said } = ping;
  return { ping: { ...said, at: instantText(atMs) } };
};

function retriedView(execution: AnyExecution): Pick<ExecutionView, 'retriedAt'> {
  const atMs = retriedAtMs(execution);
  return atMs === undefined ? {} : { retriedAt: instantText(atMs) };
}

type FailureView = Pick<ExecutionView, 'host' | 'fingerprint' | 'failedTask' | 'excerpt'>;

function failureView(execution: AnyExecution): FailureView {
  const host = failedHostOf(execution);
  const fingerprint = fingerprintOf(execution);
  const excerpt = excerptOf(execution);
  return {
    ...(host !== undefined && { host }),
    ...(fingerprint && { fingerprint: fingerprintText(fingerprint) }),
    ...(execution.failedTask && { failedTask: execution.failedTask.taskId }),
    ...(excerpt !== undefined && { excerpt }),
  };
}

const parentView = ({ jobKey, execId, task }: ParentTask): ExecutionView['parent'] => ({
  jobId: jobRefOf(jobKey).jobId,
  execId,
  taskId: task,
});

function causeView(cause: Cause): ExecutionView['cause'] {
  if (cause.type === 'event') {
    const { name, eventId, key } = cause;
    return { type: 'event', name, eventId, ...(key !== undefined && { key }) };
  }
  const { jobId, execId, status } = cause;
  return { type: 'after', jobId, execId, status };
}

/** Who cancelled it and what the last actor wrote, or why it was skipped. */
function detailView({
  status,
  reason,
  userRequest,
  worker,
  detail = {},
}: AnyExecution): Pick<ExecutionView, 'detail'> {
  const isCancelled = status === 'cancelled' && reason === 'cancelled-by-user';
  const { heldBy, foundAtMs, graceMs, policy, queue, offeredAtMs } = detail;
  const by = isCancelled ? userRequest?.by : detail.by;
  const note = userRequest?.note ?? detail.note;
  const shown = {
    ...(by && { by }),
    ...(note !== undefined && { note }),
    ...(heldBy !== undefined && { heldBy }),
    ...(foundAtMs !== undefined && { foundAt: instantText(foundAtMs) }),
    ...(graceMs !== undefined && { graceSec: graceMs / SECOND_MS }),
    ...(policy && { policy }),
    ...(queue !== undefined && { queue }),
    ...(offeredAtMs !== undefined && { offeredAt: instantText(offeredAtMs) }),
    ...(worker !== undefined && { worker }),
  };
  return Object.keys(shown).length > 0 ? { detail: shown } : {};
}

/** A range of one occurrence is left out: its bounds repeat `dueAt`. */
const skippedView = ({ skipped }: AnyExecution): ExecutionView['skipped'] =>
  skipped && skipped.count > 1
    ? { from: instantText(skipped.fromMs), to: instantText(skipped.toMs), count: skipped.count }
    : null;

/**
 * The targets that the row knows: all of them, once an attempt has ended or its lease is delegated to
 * targets.
 */
function targetsView({ status, attempts, delegatedTo }: AnyExecution): ExecutionView['targets'] {
  const indexes = [...attempts.map(({ target }) => target), ...(delegatedTo?.targets ?? [])];
  return Array.from({ length: Math.max(0, ...indexes) + 1 }, (_, index) => {
    const hasSucceeded = attempts.some((one) => one.target === index && one.outcome === 'succeeded');
    return { index, status: hasSucceeded ? 'succeeded' : status };
  });
}

/** Attempts that have ended, and results that came late. */
export const attemptViews = ({ attempts, lateResults = [] }: AnyExecution): AttemptView[] => [
  ...attempts.map(attemptView),
  ...lateResults.map((record) => ({ ...attemptView(record), late: true as const })),
];

const attemptView = (record: AttemptRecord): AttemptView => ({
  attempt: record.attempt,
  fence: record.fence,
  startedAt: instantText(record.startedAtMs),
  finishedAt: instantText(record.finishedAtMs),
  outcome: record.outcome,
  target: record.target,
  statusCode: record.statusCode ?? null,
  error: record.error ?? null,
  ...(record.worker !== undefined && { worker: record.worker }),
  ...(record.errand && { errand: pastErrandView(record.errand) }),
});

const optionalInstant = (ms: number | undefined): string | null =>
  ms === undefined ? null : instantText(ms);

/** DynamoDB may remove a row days after its expiry. The API treats an expired row as removed. */
export const isRetained = ({ expiresAtSec }: { expiresAtSec?: number }, nowMs: number): boolean =>
  expiresAtSec === undefined || expiresAtSec * SECOND_MS > nowMs;
