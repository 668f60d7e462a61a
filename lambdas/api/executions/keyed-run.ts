import { DAY_MS, instantText } from '../../core/clock/clock';
import { isOfDeletedJob } from '../../core/domain/eligibility';
import { isUnstarted } from '../../core/domain/work';
import type { Execution } from '../../core/domain/execution';
import type { Job } from '../../core/domain/job';
import { APPLIED_WITHIN_MS, expiresAtSecAfter } from '../../core/domain/timing';
import { isTerminal } from '../../core/domain/transitions';
import type { Params } from '../../core/domain/workflow/params';
import { endExecution } from '../../core/ending/end-execution';
import { attemptEntry, attemptMessage, sendOrLeave } from '../../core/queue/attempt-entries';
import type { NamedRun, RunKeyRef } from '../../core/store/run-key-store';
import { startDeadline, withinDeadline } from '../../core/store/write-deadline';
import { conflict, runStarted } from '../http/problem';
import type { ApiDeps } from '../request';
import { isRetained } from './execution-view';
import { putExternalId, putParams } from './new-run';
import { ensureStarted, startRun } from './start-run';

const MAX_TRIES = 5;
/** The row of a run that was named so long ago has come, or never comes. */
export const NAMED_WITHIN_MS = 2 * APPLIED_WITHIN_MS;
/** What a run may wait for after its due time: gates, retries, the pause of its job. */
const KEPT_MS = 400 * DAY_MS;

/** The run that a key names, and that name. Either may be gone, and the row may not be written yet. */
export async function namedRunOf(
  ref: RunKeyRef,
  { runKeys, executions }: Pick<ApiDeps, 'runKeys' | 'executions'>,
): Promise<{ named: NamedRun | undefined; run: Execution | undefined }> {
  const named = await runKeys.get(ref);
  return { named, run: named && (await executions.get({ jobKey: ref.jobKey, execId: named.execId })) };
}

export type KeyedRun = Execution & { key: string };

interface HowToStart {
  onExisting: 'keep' | 'replace';
  params: Params | undefined;
  /** Counts the run, once, before anything is written. Throws `ProblemError` 429. */
  charge: () => Promise<void>;
}

type Started = { run: Execution; created: boolean };

/**
 * Starts a run under a key, unless a run has that key: then that one is kept, or replaced. A key that names
 * a run names another one only once the first has ended for good. So at most one run of a key is alive.
 *
 * Order of writes: the mark of an ended run that its key is free → the key → entry, row and message of the
 * run. A key may name a run without a row: the request that named it is writing it, or has died. Then the
 * next request writes that very row.
 */
export async function startKeyedRun(
  asked: KeyedRun,
  { onExisting, params, charge }: HowToStart,
  job: Job,
  deps: ApiDeps,
): Promise<Started> {
  let isCharged = false;
  const chargeOnce = async () => {
    if (!isCharged) await charge();
    isCharged = true;
  };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const deadline = startDeadline(deps.clock);
    const { named, run: seen } = await namedRunOf(asked, deps);
    const keyed = named && seen && (await ownerOfKey(seen, job, chargeOnce, deps));
    if (keyed === 'changed') continue;
    if (keyed) {
      const kept =
        onExisting === 'keep'
          ? keyed
          : await replaceRun(keyed, named, { asked, params, charge: chargeOnce }, job, deps);
      if (!kept) continue;
      if (kept === keyed) await ensureStarted(keyed, job, deps);
      return { run: kept, created: false };
    }
    await chargeOnce();
    // Another request may be about to write the row of the run that it has named.
    const isUnwritten = named && !seen && deadline.nowMs - named.namedAtMs < NAMED_WITHIN_MS;
    if (isUnwritten && params)
      throw conflict('another request with the same key is served now; repeat the request');
    const run = isUnwritten ? { ...asked, execId: named.execId } : asked;
    const to = namedFrom(run, deadline.nowMs, deps);
    if ((await deps.runKeys.put(asked, to, named)) !== 'done') continue;
    const started = await startRun(run, params, job, deps, deadline);
    // Another request has written the row first: it is to be replaced now.
    if (started.created || onExisting === 'keep') return started;
  }
  throw conflict('other requests with the same key keep coming first; repeat the request');
}

/**
 * The run that has its key still. Undefined: the key is free, and the run that had it is marked as such. One
 * of a job that was deleted ends here, so that it does not keep the key from the job that has the id now.
 */
async function ownerOfKey(
  seen: Execution,
  job: Job,
  charge: () => Promise<void>,
  deps: ApiDeps,
): Promise<Execution | 'changed' | undefined> {
  const nowMs = deps.clock.nowMs();
  if (!isTerminal(seen.status)) {
    if (!isOfDeletedJob(seen, job) || !isUnstarted(seen)) return seen;
    await charge();
    const end = { status: 'skipped', reason: 'deleted' } as const;
    const precondition = { kind: 'waiting' } as const;
    await endExecution({ execution: seen, end, precondition, job: undefined, by: 'other' }, deps);
    return 'changed';
  }
  if (seen.keyFreed || !isRetained(seen, nowMs)) return undefined;
  if (nowMs < keptUntilMs(seen)) return seen;
  await charge();
  return (await deps.executions.freeKey(seen)) === 'done' ? undefined : 'changed';
}

/** Until when the key of an ended run is taken. What has not run frees it at once. */
const keptUntilMs = ({ status, finishedAtMs = 0, keyTtlMs = 0 }: Execution): number =>
  status === 'succeeded' || status === 'failed' ? finishedAtMs + keyTtlMs : 0;

const namedFrom = (
  { execId, dueAtMs }: Execution,
  namedAtMs: number,
  { retentionDays }: ApiDeps,
): NamedRun & { expiresAtSec: number } => ({
  execId,
  namedAtMs,
  expiresAtSec: expiresAtSecAfter(Math.max(dueAtMs, namedAtMs) + KEPT_MS, retentionDays),
});

/**
 * Changes time, payload and all else that a run was asked for. Order of writes: the key → the parameters →
 * the entry of the new time → the row → the message. The key is kept longer if the run is due later. The
 * parameters stand beside those before, until the row names them. Undefined: it has changed since. Throws
 * `ProblemError` 409 if it has started.
 */
async function replaceRun(
  seen: Execution,
  named: NamedRun,
  { asked, params, charge }: Pick<HowToStart, 'params' | 'charge'> & { asked: KeyedRun },
  job: Job,
  deps: ApiDeps,
): Promise<Execution | undefined> {
  if (!isUnstarted(seen)) throw runStarted(whyNot(seen));
  await charge();
  const deadline = startDeadline(deps.clock);
  const { dueAtMs, startAtMs = dueAtMs } = asked;
  const to = namedFrom({ ...seen, dueAtMs }, deadline.nowMs, deps);
  if (dueAtMs > seen.dueAtMs && (await deps.runKeys.put(asked, to, named)) !== 'done') return undefined;
  const { delayedOf, payload, keyTtlMs, priority, tags, runTags, externalId, ...rest } = asked;
  const { userRequest, deliveryDepth, trace, hasParams } = rest;
  const paramsId = params && deps.random.id();
  const given = { delayedOf, payload, hasParams, paramsId, keyTtlMs, priority, tags, runTags, externalId };
  const change = { startAtMs, ...given, userRequest, deliveryDepth, trace };
  await putExternalId({ ...seen, externalId }, deps);
  if (params) await putParams({ ...seen, paramsId }, params, deadline, deps);
  await deps.schedule.putEntries([await attemptEntry({ ...seen, startAtMs }, deps)], deadline.leftMs());
  const outcome = await withinDeadline(
    deadline,
    (options) => deps.executions.replaceDelayed(seen, change, options),
    deps,
  );
  if (outcome !== 'done') return undefined;
  const { heldAtMs: _, ...kept } = seen;
  const moved = { ...kept, ...change, dueAtMs: startAtMs, timesMoved: (seen.timesMoved ?? 0) + 1 };
  await sendOrLeave(attemptMessage(moved, { attempt: seen.attempt, startAtMs }, job), deps);
  return moved;
}

const whyNot = (seen: Execution): string =>
  isTerminal(seen.status)
    ? `the run of the key has ended, and the key is taken until ${instantText(keptUntilMs(seen))}`
    : 'the run of the key has started';

/**
 * Keeps the key of a run that its user retries, for as long as that may take. Throws `ProblemError` 409 if
 * the key is free for another run.
 */
export async function keepKeyOf(seen: Execution, deps: ApiDeps): Promise<void> {
  if (seen.key === undefined) return;
  const ref = { jobKey: seen.jobKey, key: seen.key };
  const named = await deps.runKeys.get(ref);
  const isFree = seen.keyFreed || (named && named.execId !== seen.execId);
  if (isFree || (await deps.runKeys.put(ref, namedFrom(seen, deps.clock.nowMs(), deps), named)) !== 'done')
    throw conflict('the key of the run is free for another run; run the job again');
}
