import { jobKeyOf, jobRefOf } from '../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../lambdas/core/domain/execution';
import { kindOfEnd } from '../../../lambdas/core/domain/notification';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { isTask, type Story } from '../story';
import { broken, clockTime, type Violation } from '../violation';

const MINUTE_MS = 60_000;
/** What ends sooner after the notification was made may meet a process that does not know of it yet. */
const KNOWN_AFTER_MS = 3 * MINUTE_MS;
/** Rechecks, and the repeats of those that died, take no longer. */
const TOLD_WITHIN_MS = 10 * MINUTE_MS;
/** Between two messages about one job. */
const MIN_INTERVAL_MS = MINUTE_MS;
const TOLD_OF: ReadonlySet<string> = new Set(['failed', 'skipped', 'late', 'recovered']);

/** A message of a notification, and what it says. */
interface Told {
  row: Execution;
  filedMs: number;
  kind: string;
  jobKey: string;
  execId: string;
}

/** Each problem is told, unless a message about its job came within the interval; and none is told twice. */
export function checkNotifications(story: Story): Violation[] {
  const { notifiedFromMs, wildClocks } = story.conditions;
  if (wildClocks || notifiedFromMs === undefined) return [];
  const told = story.messages.flatMap(toldBy);
  return [...twice(told, story), ...lost(told, story), ...undelivered(told, story)];
}

function toldBy({ row, filedMs }: Story['messages'][number]): Told[] {
  const value = row.payload && 'value' in row.payload ? row.payload.value : undefined;
  const { kind, job, execution } = value as {
    kind: string;
    job?: { jobId: string };
    execution?: { execId: string };
  };
  if (!job || !execution || !TOLD_OF.has(kind)) return [];
  const { userId } = jobRefOf(row.jobKey);
  return [{ row, filedMs, kind, jobKey: jobKeyOf({ userId, jobId: job.jobId }), execId: execution.execId }];
}

/** As many messages of a kind as the execution has had ends: a user retry makes another one. */
function* twice(told: readonly Told[], { states }: Story): Generator<Violation> {
  const counts = new Map<string, { count: number; one: Told }>();
  for (const one of told) {
    const name = `${one.kind} ${one.jobKey}#${one.execId}`;
    counts.set(name, { count: (counts.get(name)?.count ?? 0) + 1, one });
  }
  for (const [name, { count, one }] of counts) {
    const of = states.get(`${one.jobKey}#${one.execId}`) ?? [];
    const ends = of.filter(
      ({ execution: { status } }, at) =>
        isTerminal(status) && !isTerminal(of[at - 1]?.execution.status ?? 'queued'),
    );
    const most = one.kind === 'late' ? 1 : ends.length;
    if (count > most) yield broken('notification', `${name} is told ${count} times, and ended ${most} times`);
  }
}

function* lost(told: readonly Told[], story: Story): Generator<Violation> {
  const fromMs = story.records[0]!.t + story.conditions.notifiedFromMs! + KNOWN_AFTER_MS;
  for (const row of story.end.executions) {
    const { jobKey, execId, finishedAtMs = 0 } = row;
    const kind = kindOfEnd(row);
    const isProblem = kind === 'failed' || (kind === 'skipped' && row.skipped === undefined);
    if (!isProblem || isTask(execId)) continue;
    if (finishedAtMs < fromMs || finishedAtMs > story.endMs - TOLD_WITHIN_MS) continue;
    const isTold = told.some(
      (one) =>
        one.jobKey === jobKey &&
        (one.execId === execId ||
          (one.filedMs > finishedAtMs - MIN_INTERVAL_MS && one.filedMs < finishedAtMs + TOLD_WITHIN_MS)),
    );
    if (!isTold)
      yield broken(
        'notification',
        `${jobKey}#${execId} ${kind} at ${clockTime(finishedAtMs)} and was not told`,
      );
  }
}

function* undelivered(told: readonly Told[], { endMs }: Story): Generator<Violation> {
  for (const { row, filedMs } of told)
    if (!isTerminal(row.status) && filedMs < endMs - TOLD_WITHIN_MS)
      yield broken('notification', `the message ${row.execId} is ${row.status}`);
}
