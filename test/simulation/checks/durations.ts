import { jobKeyOf, jobRefOf, notificationJobIdOf } from '../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../lambdas/core/domain/execution';
import { parseDuration } from '../../../lambdas/core/schedule/duration';
import { idOf, isTask, type Story, versionsIn } from '../story';
import { broken, clockTime, type Violation } from '../violation';

const MINUTE_MS = 60_000;
/** A process may have read the job so long before it ends an execution. */
const READ_BEFORE_MS = 2 * MINUTE_MS;
/** The notification is set within this, by whatever clock. */
const KNOWN_AFTER_MS = 10_000;
/** Rechecks, and the repeats of those that died, take no longer. */
const SENT_WITHIN_MS = 10 * MINUTE_MS;
/** Between two messages about one job. */
const MIN_INTERVAL_MS = MINUTE_MS;
const NOTIFICATION = notificationJobIdOf('paces');

/**
 * A success is slow or quick exactly by the bounds of its job. Each such success has one message, unless one
 * about its job came within the interval.
 */
export function checkDurations(story: Story): Violation[] {
  const { pacedFromMs, wildClocks } = story.conditions;
  if (wildClocks) return [];
  return [...mistaken(story), ...(pacedFromMs === undefined ? [] : unsent(story, pacedFromMs))];
}

function* mistaken(story: Story): Generator<Violation> {
  for (const row of story.end.executions) {
    if (row.status !== 'succeeded') {
      if (row.pace) yield broken('notification', `${idOf(row)} is ${row.status}, and ${row.pace}`);
      continue;
    }
    const expected = paceBy(row, story);
    if (expected !== 'unknown' && expected !== row.pace)
      yield broken('notification', `${idOf(row)} is ${row.pace}, and by its job's bounds ${expected}`);
  }
}

/** `unknown`: the bounds changed meanwhile, or what counts is a life that the row does not show alone. */
function paceBy(row: Execution, story: Story): Execution['pace'] | 'unknown' {
  const { startedAtMs, finishedAtMs = 0, backfill, userRetries, execId, jobKey, attempts, ping } = row;
  if (isTask(execId) || backfill || startedAtMs === undefined) return undefined;
  if (userRetries !== undefined) return 'unknown';
  const { skewMs } = story.conditions;
  const seen = versionsIn(story, jobKey, startedAtMs - READ_BEFORE_MS, finishedAtMs + skewMs);
  const bounds = new Set(seen.map(({ job }) => JSON.stringify(job?.expectDuration ?? null)));
  if (bounds.size !== 1 || seen.some(({ job }) => !job)) return 'unknown';
  const { expectDuration } = seen[0]!.job!;
  if (!expectDuration) return undefined;
  const [first] = attempts;
  // Without a record of attempt 1, that was given back before it began.
  const begunMs = first && first.attempt > 1 ? first.startedAtMs : startedAtMs;
  const tookMs = ping ? (ping.durationMs ?? Number.NaN) : finishedAtMs - begunMs;
  const { min, max } = expectDuration;
  if (max !== undefined && tookMs > parseDuration(max)) return 'slow';
  // By clocks that disagree, what took no time may end before it has begun.
  return min !== undefined && tookMs < parseDuration(min) ? 'quick' : undefined;
}

interface Message {
  filedMs: number;
  of: string;
  kind: string;
  jobKey: string;
}

function messagesOf({ messages }: Story): { about: Message[]; hasSummary: boolean } {
  const about: Message[] = [];
  let hasSummary = false;
  for (const { row, filedMs } of messages) {
    const { userId, jobId } = jobRefOf(row.jobKey);
    if (jobId !== NOTIFICATION || !row.payload) continue;
    const { kind, job, execution } = row.payload.value as {
      kind: string;
      job?: { jobId: string };
      execution?: { execId: string };
    };
    if (kind === 'summary') hasSummary = true;
    if (!job || !execution) continue;
    const jobKey = jobKeyOf({ userId, jobId: job.jobId });
    about.push({ filedMs, kind, jobKey, of: idOf({ jobKey, execId: execution.execId }) });
  }
  return { about, hasSummary };
}

function* unsent(story: Story, pacedFromMs: number): Generator<Violation> {
  const { about, hasSummary } = messagesOf(story);
  const seen = new Set<string>();
  for (const { of, kind } of about) {
    if (kind === 'recovered') continue;
    const states = story.states.get(of) ?? [];
    const had = states.filter(({ execution }) => execution.pace === kind);
    if (had.length === 0) yield broken('notification', `${of} was never ${kind}, and has a message`);
    const fences = new Set(had.map(({ execution }) => execution.fence));
    if (seen.has(`${kind} ${of}`) && fences.size < 2)
      yield broken('notification', `${of} has two messages that it is ${kind}`);
    seen.add(`${kind} ${of}`);
  }
  // What was told in the time that a restore has forgotten is told again, or is not.
  const knownMs = story.records[0]!.t + pacedFromMs + KNOWN_AFTER_MS;
  const fromMs = Math.max(knownMs, story.restored?.atMs ?? 0);
  for (const row of hasSummary ? [] : story.end.executions) {
    const { finishedAtMs = 0, pace, jobKey } = row;
    if (!pace || finishedAtMs < fromMs || finishedAtMs > story.endMs - SENT_WITHIN_MS) continue;
    const isSent = about.some(
      (one) =>
        one.of === idOf(row) ||
        (one.jobKey === jobKey &&
          one.filedMs > finishedAtMs - MIN_INTERVAL_MS &&
          one.filedMs < finishedAtMs + SENT_WITHIN_MS),
    );
    if (!isSent)
      yield broken(
        'notification',
        `${idOf(row)} was ${pace} at ${clockTime(finishedAtMs)}, without a message`,
      );
  }
}
