import { type Cause, waitsFor, waitsForEvent } from '../../../lambdas/core/domain/cause';
import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { jobRefOf } from '../../../lambdas/core/contracts/tables';
import { isSame } from '../same';
import { isTask, type Story, userOf, versionsIn } from '../story';
import { broken, clockTime, type Violation } from '../violation';

/** A cause that comes later than this before the end of the log need not have started its runs. */
const SETTLED_AFTER_MS = 150_000;

/** Each cause has started each job that waited for it once; none has started a job twice. */
export function checkCauses(story: Story): Violation[] {
  const caused = story.end.executions.filter(({ cause }) => cause !== undefined);
  return [...twice(caused), ...afterEnds(story, caused), ...afterEvents(story, caused), ...marks(story)];
}

function* twice(caused: readonly Execution[]): Generator<Violation> {
  const seen = new Map<string, string>();
  for (const { jobKey, execId, cause } of caused) {
    const key = JSON.stringify([jobKey, cause]);
    const other = seen.get(key);
    if (other !== undefined) yield broken('cause', `${jobKey} ${execId} has the cause of ${other}`);
    seen.set(key, execId);
  }
}

/** Each end of an execution whose job is awaited. A user retry has an end of its own. */
function* afterEnds(story: Story, caused: readonly Execution[]): Generator<Violation> {
  for (const states of story.states.values()) {
    let wasTerminal = false;
    for (const { t, execution } of states) {
      const { status, awaited, jobKey, execId, userRetries, fence } = execution;
      const isEnd = isTerminal(status) && !wasTerminal;
      wasTerminal = isTerminal(status);
      if (!isEnd || !awaited || fence === 0 || status === 'skipped' || !isTerminal(status)) continue;
      const { jobId } = jobRefOf(jobKey);
      const cause: Cause = {
        type: 'after',
        jobId,
        execId,
        status,
        ...(userRetries !== undefined && { userRetries }),
      };
      const waits = ({ schedule }: Job) => waitsFor(schedule, cause);
      yield* missing(story, caused, { atMs: t, user: userOf(jobKey), cause, waits });
    }
  }
}

/** Each event that the API has accepted. */
function* afterEvents(story: Story, caused: readonly Execution[]): Generator<Violation> {
  for (const { operation, type, jobKey, execId: eventId, fromMs, untilMs, body } of story.requests) {
    if (operation !== 'sendEvent' || type !== 'ok' || eventId === undefined) continue;
    const name = jobRefOf(jobKey).jobId;
    const key = body?.key as string | undefined;
    const cause: Cause = { type: 'event', name, eventId, ...(key !== undefined && { key }) };
    const waits = ({ schedule }: Job) => waitsForEvent(schedule, name, body?.data);
    yield* missing(story, caused, { atMs: fromMs, untilMs, user: userOf(jobKey), cause, waits });
  }
}

interface Occasion {
  atMs: number;
  /** When it was acknowledged, if a request was. */
  untilMs?: number;
  user: string;
  cause: Cause;
  waits: (job: Job) => boolean;
}

/** The jobs that waited from the cause on, to the end of the log, and have no run of it. */
function* missing(story: Story, caused: readonly Execution[], occasion: Occasion): Generator<Violation> {
  const { atMs, untilMs = atMs, user, cause, waits } = occasion;
  if (untilMs > story.endMs - SETTLED_AFTER_MS) return;
  for (const jobKey of story.versions.keys()) {
    if (userOf(jobKey) !== user) continue;
    const versions = versionsIn(story, jobKey, atMs, story.endMs);
    const waited =
      versions.length > 0 && versions[0]!.fromMs < atMs && versions.every(({ job }) => job && waits(job));
    if (!waited) continue;
    if (caused.some((run) => run.jobKey === jobKey && isSame(run.cause, cause))) continue;
    const isDebounced = versions.every(({ job }) => 'debounce' in (job!.schedule as object));
    if (isDebounced && isMovedBy(cause, jobKey, atMs, story)) continue;
    yield broken('cause', `${jobKey} was not started by ${JSON.stringify(cause)} at ${clockTime(atMs)}`);
  }
}

/**
 * Whether an event has moved a run of its key, or met one that starts later. With `debounce`, a run has the
 * cause of the last event alone.
 */
const isMovedBy = (cause: Cause, jobKey: string, atMs: number, { states, conditions }: Story): boolean =>
  cause.type === 'event' &&
  [...states.values()].some(([first, ...later]) => {
    const { cause: opened } = first!.execution;
    if (first!.execution.jobKey !== jobKey || opened?.type !== 'event') return false;
    if (opened.name !== cause.name || opened.key !== cause.key) return false;
    return [first!, ...later].some(
      ({ t, execution }) =>
        execution.fence === 0 &&
        (isSame(execution.cause, cause) ||
          (t >= atMs && (execution.startAtMs ?? execution.dueAtMs) > atMs - conditions.skewMs)),
    );
  });

/** An execution of a job that was awaited from its claim to its end says so. */
function* marks(story: Story): Generator<Violation> {
  for (const states of story.states.values()) {
    for (const [index, { t, execution }] of states.entries()) {
      const { jobKey, execId, status, fence, awaited } = execution;
      const before = states[index - 1]?.execution;
      if (!isTerminal(status) || status === 'skipped' || fence === 0 || awaited || isTask(execId)) continue;
      if (!before || isTerminal(before.status)) continue;
      // Later writes of a running execution, such as a cancel, keep the fence of its claim. A life that ends
      // before its claim, such as that of a child that could not be started, is not waited for.
      const claimed = states.find(
        ({ execution: one }, at) =>
          at < index &&
          one.status === 'running' &&
          one.fence === fence &&
          one.userRetries === execution.userRetries,
      );
      const versions = claimed ? versionsIn(story, jobKey, claimed.t, t) : [];
      if (versions.length === 0 || versions.some(({ job }) => job?.awaitedAtMs === undefined)) continue;
      yield broken('cause', `${jobKey} ${execId} ended at ${clockTime(t)} as if no job waited for it`);
    }
  }
}
