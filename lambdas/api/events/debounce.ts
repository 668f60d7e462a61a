import { DAY_MS } from '../../core/clock/clock';
import { jobKeyOf } from '../../core/contracts/tables';
import type { EventCause } from '../../core/domain/cause';
import type { Execution } from '../../core/domain/execution';
import type { Job } from '../../core/domain/job';
import type { RunLabels } from '../../core/domain/run-labels';
import { expiresAtSecAfter } from '../../core/domain/timing';
import {
  causedRun,
  type CausedRun,
  createdAtMsOf,
  startRuns,
  startSeenRuns,
} from '../../core/ending/start-runs';
import { attemptEntry, attemptMessage, sendOrLeave } from '../../core/queue/attempt-entries';
import { parseDuration } from '../../core/schedule/duration';
import { conflict } from '../http/problem';
import { startDeadline, withinDeadline } from '../../core/store/write-deadline';
import { putExternalId } from '../executions/new-run';
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
  trace: Execution['trace'];
  labels: RunLabels;
}

/**
 * Opens a run that starts after the debounce time, or moves the open run of the event's key. A moved run has
 * the payload of this event. Throws `ProblemError` 409 if other events of the key are faster every time.
 *
 * Order of writes: the name of the open run → its entry, row and message. A run that is named has no row yet
 * while the request that named it writes, or once that has died. Then the next event writes that row, so
 * events that come together start one run.
 */
export async function openOrMoveRun(job: Job, event: DebouncedEvent, deps: ApiDeps): Promise<CausedRun> {
  const { cause, debounce, ...sent } = event;
  const ref = { jobKey: jobKeyOf(job), key: cause.key ?? '' };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const dueAtMs = deps.clock.nowMs() + parseDuration(debounce);
    const fresh = causedRun(job, cause, { ...sent, dueAtMs }, deps);
    const { execId } = fresh.run;
    const open = fresh.run.status === 'skipped' ? execId : await deps.debounces.get(ref);
    if (open !== undefined && open !== execId) {
      const found = await moveRun({ ...fresh.run, execId: open }, job, deps);
      if (found.is === 'moved') return { job, run: found.run };
      if (found.is === 'unwritten' && (await startSeenRuns([{ job, run: found.run }], deps)) > 0)
        return { job, run: found.run };
      if (found.is !== 'over') continue; // another event has written it meanwhile
    }
    // Another process has named the open run, or this very event has: then its request may have died.
    const expiresAtSec = expiresAtSecAfter(dueAtMs, deps.retentionDays);
    const isNamed =
      open === execId || (await deps.debounces.replace(ref, { execId, expiresAtSec }, open)) === 'done';
    if (!isNamed) continue;
    await putExternalId(fresh.run, deps);
    await startRuns([fresh], deps);
    return fresh;
  }
  throw conflict('other events with the same name and key keep coming first; repeat the request');
}

/**
 * `unwritten`: the run was named, and has no row. `written`: it had none when it was to be moved. `over`: it
 * has started, or its last start is past.
 */
type OpenRun = { is: 'moved' | 'unwritten'; run: Execution } | { is: 'written' | 'over' };

/**
 * Order of writes: its external id → the entry of the new start → the row → the message. The claim by an
 * earlier message is refused, because the row starts later and was moved. What that message took at a gate
 * for the earlier payload does not count.
 *
 * @param to the open run, as it shall be
 */
async function moveRun(to: Execution, job: Job, deps: ApiDeps): Promise<OpenRun> {
  const deadline = startDeadline(deps.clock);
  const lastStartMs = createdAtMsOf(to) + MAX_POSTPONED_MS;
  const startAtMs = Math.min(to.dueAtMs, lastStartMs);
  const moved = { ...to, startAtMs, dueAtMs: startAtMs };
  await putExternalId(moved, deps);
  const entry = await attemptEntry(moved, deps);
  await deps.schedule.putEntries([entry], deadline.leftMs());
  const { payload, runTags, externalId } = to;
  const cause = to.cause as EventCause;
  // A job that is deleted by now may have opened it: from this event on, it is of the present one.
  const change = { startAtMs, cause, jobCreatedAtMs: job.createdAtMs, payload, runTags, externalId };
  const written = await withinDeadline(
    deadline,
    (options) => deps.executions.moveQueued(to, change, options),
    deps,
  );
  if (written === 'lease-lost') {
    const row = await deps.executions.get(to);
    // What was named so long ago may have ended, and its row may have expired.
    if (!row) return deps.clock.nowMs() < lastStartMs ? { is: 'unwritten', run: moved } : { is: 'over' };
    // An earlier request of this event has moved it and died: it covers the event, though it has begun.
    if (row.status !== 'queued') return isOf(row, to) ? { is: 'moved', run: row } : { is: 'over' };
    // A later event that has moved the run further covers this event too.
    return (row.startAtMs ?? 0) > startAtMs ? { is: 'moved', run: row } : { is: 'written' };
  }
  const start = { attempt: 1, startAtMs: Math.max(startAtMs, deps.clock.nowMs()) };
  // Its ordering key is that of its row: the job may have another one since.
  await sendOrLeave(attemptMessage(written, start, job), deps);
  return { is: 'moved', run: written };
}

const isOf = ({ cause }: Execution, { cause: other }: Execution): boolean =>
  cause?.type === 'event' && other?.type === 'event' && cause.eventId === other.eventId;
