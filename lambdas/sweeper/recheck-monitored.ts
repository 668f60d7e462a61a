import { parseCompactInstant } from '../core/contracts/tables';
import { ensureNextEntry } from '../core/dispatch/next-entry';
import type { OccurrenceEntry } from '../core/domain/entry';
import { decidedAfterMs } from '../core/domain/entry-planning';
import { entryValidity, outdatedOccurrence } from '../core/domain/entry-validity';
import { type Job, plannedSinceMs, plansSinceMs } from '../core/domain/job';
import { CLOCK_SKEW_MS, RECHECK_AFTER_MS } from '../core/domain/timing';
import { endMissed } from '../core/ending/end-missed';
import { limitWithoutStops } from '../core/ending/end-not-started';
import { recordSkippedOccurrence } from '../core/ending/skip-ranges';
import { coveringRow } from '../core/history/coverage';
import { firstRefusal } from '../core/history/first-refusal';
import { begunMs, statesOf } from '../core/history/job-then';
import type { NextRecheck, SweeperDeps } from './recheck';

/**
 * Decides occurrences of a monitor for which no ping has come. One whose time is over has failed, however
 * late it is found: a missed ping is never a misfire. A change of the job ends the wait of those that it
 * finds waiting, and they are skipped. The next entry comes first, so that no end stops the series.
 *
 * @returns when to recheck the entry again; undefined: all are decided
 */
export async function recheckMonitored(
  entry: OccurrenceEntry,
  withoutRow: readonly string[],
  job: Job,
  deps: SweeperDeps,
): Promise<NextRecheck | undefined> {
  await ensureNextEntry(entry, job, deps);
  const { jobKey, revision } = entry;
  const waits: number[] = [];
  for (const execId of withoutRow) {
    const dueAtMs = parseCompactInstant(execId);
    const what = await fateOf(entry, dueAtMs, job, deps);
    if ('waitsUntilMs' in what) waits.push(what.waitsUntilMs);
    else if (what.is === 'missed')
      await endMissed({ jobKey, execId, dueAtMs, revision }, job, 'sweeper', deps);
    else if (what.is === 'skipped')
      await recordSkippedOccurrence({ jobKey, dueAtMs }, what.reason, 'sweeper', deps);
  }
  if (waits.length === 0) return undefined;
  return { pauseMs: Math.min(...waits) - deps.clock.nowMs() + RECHECK_AFTER_MS, rechecks: 0 };
}

type Fate =
  | { waitsUntilMs: number }
  | { is: 'missed' | 'none' }
  | { is: 'skipped'; reason: Parameters<typeof recordSkippedOccurrence>[1] };

async function fateOf(entry: OccurrenceEntry, dueAtMs: number, job: Job, deps: SweeperDeps): Promise<Fate> {
  const { jobKey, revision } = entry;
  if (await coveringRow({ jobKey, dueAtMs }, deps)) return { is: 'none' };
  const isOutdated = entryValidity(entry, job) !== 'current';
  // The change may have shortened the wait. It was planned with the wait that its entry has.
  const plannedMs = isOutdated ? entry.checkAtMs - entry.throughMs : 0;
  const withinMs = Math.max(decidedAfterMs(job), plannedMs);
  const limitMs = await limitWithoutStops({ fromMs: dueAtMs, withinMs }, deps);
  if (isOutdated) {
    const changedAtMs = await seriesEndedAtMs(entry, job, deps);
    const { is } = outdatedOccurrence(dueAtMs, job, deps);
    // What is due after the change is the present series' affair: nothing of it can be under way.
    if (is !== 'replanned' && dueAtMs > changedAtMs) return { is: 'none' };
    if (is !== 'replanned' && limitMs >= changedAtMs) {
      const first = await firstRefusal({ jobKey, revision, dueAtMs, trigger: 'schedule' }, job, deps);
      const now = job.status === 'paused' ? 'paused' : 'superseded';
      return { is: 'skipped', reason: first?.reason ?? now };
    }
  }
  return deps.clock.nowMs() > limitMs + CLOCK_SKEW_MS
    ? { is: 'missed' }
    : { waitsUntilMs: limitMs + CLOCK_SKEW_MS };
}

/**
 * When the series of an outdated entry ended: by the first change after it. A later change hides that one in
 * the job's row, and is no reason to have waited until then.
 */
async function seriesEndedAtMs(
  { jobKey, generation, revision }: OccurrenceEntry,
  job: Job,
  deps: SweeperDeps,
): Promise<number> {
  let endedAtMs = plansSinceMs(job);
  if (job.generation <= generation + 1) return endedAtMs;
  for await (const state of statesOf(jobKey, job, deps)) {
    if (state.revision === revision || state.createdAtMs !== job.createdAtMs) break;
    endedAtMs = state.status === 'paused' ? begunMs(state) : plannedSinceMs(state);
  }
  return endedAtMs;
}
