import { jobKeyOf, jobRefOf } from '../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../lambdas/core/domain/execution';
import { kindOfEnd } from '../../../lambdas/core/domain/notification';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { isTask, type Story } from '../story';
import { broken, clockTime, type Violation } from '../violation';

const MINUTE_MS = 60_000;
/** The notification is set within this, by whatever clock. */
const KNOWN_AFTER_MS = 10_000;
/** Rechecks, and the repeats of those that died, take no longer. */
const SENT_WITHIN_MS = 10 * MINUTE_MS;
/** Between two messages about one job. */
const MIN_INTERVAL_MS = MINUTE_MS;
const SENT_ABOUT: ReadonlySet<string> = new Set(['failed', 'skipped', 'late', 'recovered']);

/** A message of a notification, and what it says. */
interface Sent {
  row: Execution;
  filedMs: number;
  kind: string;
  jobKey: string;
  execId: string;
}

/** Each problem has a message, unless one about its job came within the interval. None has two. */
export function checkNotifications(story: Story): Violation[] {
  const { notifiedFromMs, wildClocks } = story.conditions;
  if (wildClocks || notifiedFromMs === undefined) return [];
  const sent = story.messages.flatMap(messageIn);
  return [...twice(sent, story), ...lost(sent, story), ...undelivered(sent, story)];
}

function messageIn({ row, filedMs }: Story['messages'][number]): Sent[] {
  const value = row.payload && 'value' in row.payload ? row.payload.value : undefined;
  const { kind, job, execution } = value as {
    kind: string;
    job?: { jobId: string };
    execution?: { execId: string };
  };
  if (!job || !execution || !SENT_ABOUT.has(kind)) return [];
  const { userId } = jobRefOf(row.jobKey);
  return [{ row, filedMs, kind, jobKey: jobKeyOf({ userId, jobId: job.jobId }), execId: execution.execId }];
}

/** As many messages of a kind as the execution has had ends: a user retry makes another one. */
function* twice(sent: readonly Sent[], { states }: Story): Generator<Violation> {
  const counts = new Map<string, { count: number; one: Sent }>();
  for (const one of sent) {
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
    if (count > most) yield broken('notification', `${name} has ${count} messages, and ended ${most} times`);
  }
}

function* lost(sent: readonly Sent[], story: Story): Generator<Violation> {
  const fromMs = story.records[0]!.t + story.conditions.notifiedFromMs! + KNOWN_AFTER_MS;
  for (const row of story.end.executions) {
    const { jobKey, execId, finishedAtMs = 0 } = row;
    const kind = kindOfEnd(row);
    const isProblem = kind === 'failed' || (kind === 'skipped' && row.skipped === undefined);
    if (!isProblem || isTask(execId)) continue;
    if (finishedAtMs < fromMs || finishedAtMs > story.endMs - SENT_WITHIN_MS) continue;
    const isSent = sent.some(
      (one) =>
        one.jobKey === jobKey &&
        (one.execId === execId ||
          (one.filedMs > finishedAtMs - MIN_INTERVAL_MS && one.filedMs < finishedAtMs + SENT_WITHIN_MS)),
    );
    if (!isSent)
      yield broken(
        'notification',
        `${jobKey}#${execId} ${kind} at ${clockTime(finishedAtMs)} and has no message`,
      );
  }
}

function* undelivered(sent: readonly Sent[], { endMs }: Story): Generator<Violation> {
  for (const { row, filedMs } of sent)
    if (!isTerminal(row.status) && filedMs < endMs - SENT_WITHIN_MS)
      yield broken('notification', `the message ${row.execId} is ${row.status}`);
}
