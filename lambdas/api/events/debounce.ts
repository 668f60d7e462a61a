import { DAY_MS } from '../../core/clock/clock';
import { jobKeyOf } from '../../core/contracts/tables';
import type { EventCause } from '../../core/domain/cause';
import type { Execution } from '../../core/domain/execution';
import type { Job } from '../../core/domain/job';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { causedRun, type CausedRun, createdAtMsOf, startRuns } from '../../core/ending/start-runs';
import { attemptEntry, attemptMessage, sendOrLeave } from '../../core/queue/attempt-entries';
import { parseDuration } from '../../core/schedule/duration';
import { conflict } from '../http/problem';
import { startDeadline, withinDeadline } from '../../core/store/write-deadline';
import type { ApiDeps } from '../request';

const MAX_TRIES = 5;
/** A run starts at the latest this long after the event that opened it, however many follow. */
const MAX_POSTPONED_MS = DAY_MS;

export interface DebouncedEvent {
  cause: EventCause;
  /** When it was first received. */
  atMs: number;
  /** The schedule's: `30s`. */
  debounce: string;
  payload: Execution['payload'];
  deliveryDepth: number | undefined;
}

/**
 * Opens a run that starts after the debounce time, or moves the open run of the event's key. A moved run has
 * the payload of this event. Throws `ProblemError` 409 if other events of the key are faster every time.
 */
export async function openOrMoveRun(job: Job, event: DebouncedEvent, deps: ApiDeps): Promise<CausedRun> {
  const { cause, atMs, payload, deliveryDepth } = event;
  const ref = { jobKey: jobKeyOf(job), key: cause.key ?? '' };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const open = await deps.debounces.get(ref);
    const dueAtMs = deps.clock.nowMs() + parseDuration(event.debounce);
    const fresh = causedRun(job, cause, { atMs, dueAtMs, payload, deliveryDepth }, deps);
    const { execId } = fresh.run;
    if (open !== undefined && open !== execId) {
      const moved = await moveRun({ ...fresh.run, execId: open }, job, deps);
      if (moved) return { job, run: moved };
    }
    // Another process has named the open run, or this very event has: then its request may have died.
    const expiresAtSec = expiresAtSecAfter(dueAtMs, deps.retentionDays);
    const isNamed =
      open === execId || (await deps.debounces.replace(ref, { execId, expiresAtSec }, open)) === 'done';
    if (!isNamed) continue;
    await startRuns([fresh], deps);
    return fresh;
  }
  throw conflict('other events with the same name and key keep coming first; repeat the request');
}

/**
 * Order of writes: the entry of the new start → the row → the message. The claim by an earlier message is
 * refused, because the row starts later.
 *
 * @param to the open run, as it shall be
 * @returns the run; undefined if it has started or ended
 */
async function moveRun(to: Execution, job: Job, deps: ApiDeps): Promise<Execution | undefined> {
  const deadline = startDeadline(deps.clock);
  const startAtMs = Math.min(to.dueAtMs, createdAtMsOf(to) + MAX_POSTPONED_MS);
  const entry = await attemptEntry({ ...to, startAtMs }, deps);
  await deps.schedule.putEntries([entry], deadline.leftMs());
  const change = { startAtMs, cause: to.cause as EventCause, payload: to.payload };
  const outcome = await withinDeadline(
    deadline,
    (options) => deps.executions.moveQueued(to, change, options),
    deps,
  );
  if (outcome !== 'done') return laterStart(to, startAtMs, deps);
  const moved = { ...to, startAtMs, dueAtMs: startAtMs };
  const start = { attempt: 1, startAtMs: Math.max(startAtMs, deps.clock.nowMs()) };
  await sendOrLeave(attemptMessage(moved, start, job), deps);
  return moved;
}

/** The run, if a later event has moved it further already: it covers this event too. */
async function laterStart(
  { jobKey, execId }: Execution,
  startAtMs: number,
  { executions }: ApiDeps,
): Promise<Execution | undefined> {
  const row = await executions.get({ jobKey, execId });
  return row?.status === 'queued' && row.fence === 0 && (row.startAtMs ?? 0) > startAtMs ? row : undefined;
}
