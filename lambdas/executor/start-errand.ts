import { hash } from 'node:crypto';

import { withTimeout } from '../core/async/with-timeout';
import type { KeptLease } from '../core/attempts/keep-lease';
import { settleAttempt, type SettledStatus } from '../core/attempts/settle';
import { DAY_MS, SECOND_MS } from '../core/clock/clock';
import { jobRefOf } from '../core/contracts/tables';
import { resourcesOf } from '../core/delivery/errands/errand-calls';
import type { ErrandStart, Started } from '../core/delivery/errands/errand-kind';
import { errandNameOf } from '../core/delivery/errands/errand-name';
import { renderChecked } from '../core/delivery/job-templates/render-job';
import { deliveryIdOf } from '../core/delivery/delivery';
import { openTargets } from '../core/domain/attempt-records';
import { type Errand, ERRAND_RULES } from '../core/domain/errand';
import { FIRST_PROBE_MS } from '../core/domain/probes';
import { errandsOf, type Execution, payloadOf } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { errandTypeOf, isErrandTarget } from '../core/domain/long-call';
import type { ErrandTarget } from '../core/domain/target';
import { blockedCall, type TargetResult } from '../core/domain/target-result';
import { expiresAtSecAfter } from '../core/domain/timing';
import { limitEntry } from '../core/queue/attempt-entries';
import { parseDuration } from '../core/schedule/duration';
import { errandIn, type ErrandRow } from '../core/store/errand-store';
import type { ExecutorDeps } from './deps';

/** A start is given up after this. With all its tries it takes less time than a lease lasts. */
const START_WITHIN_MS = 6 * SECOND_MS;
const TRIES = 3;
/** The row of an errand outlives that of its execution: a user may retry it as long as that is kept. */
const KEPT_LONGER_MS = 7 * DAY_MS;

interface Starting {
  execution: Execution;
  handle: KeptLease;
  job: Job;
}

/**
 * Starts the errand of a claimed execution, and delegates the lease to it. Its name is written down before.
 * So the executor of a takeover finds what was started, or starts it again under the name that makes it the
 * same. Order of writes: the row of the errand → its start → the entry of the first probe → the delegation.
 *
 * An errand of an earlier attempt may differ from what the job asks for now. It is not started again: the
 * watcher probes for it first.
 *
 * @returns undefined: the execution has no errand, and its job asks for none
 */
export async function startErrand(
  starting: Starting,
  deps: ExecutorDeps,
): Promise<SettledStatus | undefined> {
  const { execution, handle, job } = starting;
  const { target } = job;
  const name = errandNameOf(execution);
  if (name === undefined) return undefined;
  const asksForNone = job.targets || !isErrandTarget(target);
  // A target that it takes the place of may have succeeded in an earlier attempt.
  if (asksForNone || openTargets(execution, job).length === 0) {
    const row = await deps.errands.get(name);
    if (row) return adopt(starting, row, deps);
    return asksForNone ? undefined : settleAttempt({ execution, job, handle, errand: 'ended' }, [], deps);
  }
  const rendered = await renderChecked(job, execution);
  if ('fault' in rendered)
    return settle(starting, { outcome: 'fatal', reason: 'bad-input', error: rendered.fault }, deps);
  // A target keeps its type when its templates are rendered.
  const called = rendered.job.target as ErrandTarget;
  const { userId: project } = jobRefOf(execution.jobKey);
  const fault = deps.errandStarts.faultOf(called, project);
  if (fault !== undefined) return settle(starting, blockedCall(fault), deps);
  const input = inputOf(rendered.job, execution);
  const start = startOf(execution, called, { name, input, limitMs: parseDuration(job.timeout) });
  const { row, isNew } = await writeDown(starting, start, deps);
  if (!isNew && !isSameStart(row, start, deps)) return adopt(starting, row, deps);
  const started = await startUnderLease(starting, start, { project, isNew }, deps);
  if (started === 'lease-lost') return started;
  if (started.how === 'refused') return settle(starting, started.result, deps, 'ended');
  return delegateStarted(starting, { row, isNew, started }, deps);
}

/** Events may come from now on. Those that tell no name need the id of the errand, if it is known. */
async function delegateStarted(
  starting: Starting,
  { row, isNew, started }: { row: ErrandRow; isNew: boolean; started: Exclude<Started, { how: 'refused' }> },
  deps: ExecutorDeps,
): Promise<SettledStatus> {
  const id = started.how === 'started' ? started.id : undefined;
  const { resource, name, expiresAtSec } = row;
  if (id !== undefined && ERRAND_RULES[row.type].isKnownById)
    await deps.errands.keepId({ resource, id }, name, expiresAtSec);
  const isKnown = started.how === 'started';
  const probeAtMs = isNew && isKnown ? row.firstStartAtMs + FIRST_PROBE_MS : deps.clock.nowMs();
  const more = isKnown ? { ...(id !== undefined && { id }) } : { unresolved: true as const };
  return delegate(starting, { ...errandIn(row), ...more }, probeAtMs, deps);
}

const inputOf = (job: Job, execution: Execution): string => JSON.stringify(payloadOf(execution, job)) ?? '{}';

function startOf(
  { jobKey, execId, dueAtMs }: Execution,
  target: ErrandTarget,
  given: Pick<ErrandStart, 'name' | 'input' | 'limitMs'>,
): ErrandStart {
  const run = { deliveryId: deliveryIdOf(jobKey, execId), jobKey, execId, dueAtMs };
  return { type: errandTypeOf(target)!, ...given, ...resourcesOf(target), target, run };
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** What its service gets, in short: it tells one start from another. A table returns fields in any order. */
const hashOf = ({ target, input }: ErrandStart): string =>
  hash(
    'sha256',
    JSON.stringify([input, target], (_, value: unknown) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(byName)) : value,
    ),
    'hex',
  );

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function writeDown(
  { execution, job }: Starting,
  start: ErrandStart,
  deps: ExecutorDeps,
): Promise<{ row: ErrandRow; isNew: boolean }> {
  const { jobKey, execId } = execution;
  const nowMs = deps.clock.nowMs();
  return deps.errands.put({
    name: start.name,
    jobKey,
    execId,
    type: start.type,
    resource: start.resource,
    ...(start.runsIn !== undefined && { runsIn: start.runsIn }),
    count: errandsOf(execution),
    firstStartAtMs: nowMs,
    inputHash: hashOf(start),
    expiresAtSec: expiresAtSecAfter(nowMs + parseDuration(job.timeout) + KEPT_LONGER_MS, deps.retentionDays),
  });
}

/** Whether another start would be that of the errand that may run. */
const isSameStart = (row: ErrandRow, start: ErrandStart, { clock }: ExecutorDeps): boolean =>
  row.lostSightAtMs === undefined &&
  row.type === start.type &&
  row.resource === start.resource &&
  row.runsIn === start.runsIn &&
  clock.nowMs() < row.firstStartAtMs + ERRAND_RULES[row.type].repeatableForMs &&
  row.inputHash === hashOf(start);

/**
 * A start that gets no answer is made again, unless its kind would then do another errand. No cancellation
 * cuts it short, for then it would be unknown whether the errand runs. It is made as long as the lease holds.
 * A refusal says nothing of an earlier start.
 */
async function startUnderLease(
  { handle }: Starting,
  start: ErrandStart,
  { project, isNew }: { project: string; isNew: boolean },
  { errandStarts, clock }: ExecutorDeps,
): Promise<Started | 'lease-lost'> {
  let answer: Started = { how: 'unknown', error: 'not started' };
  const most = ERRAND_RULES[start.type].repeatableForMs > 0 ? TRIES : 1;
  for (let tries = 0; tries < most && answer.how === 'unknown'; tries++) {
    // Asked of the clock, not of a timer: after a freeze the timers may not have fired yet.
    if (handle.lostBy()) return tries === 0 ? 'lease-lost' : answer;
    try {
      answer = await withTimeout(
        START_WITHIN_MS,
        (signal) => errandStarts.start(start, project, signal),
        clock,
      );
    } catch (error) {
      answer = { how: 'unknown', error: String(error) };
    }
    const mayRun = answer.how === 'refused' && (tries > 0 || !isNew);
    if (mayRun) return { how: 'unknown', error: 'refused after an earlier start' };
  }
  return answer;
}

/** The watcher probes for the errand, and lets it go on if it runs. */
const adopt = (starting: Starting, row: ErrandRow, deps: ExecutorDeps): Promise<SettledStatus> =>
  delegate(
    starting,
    { ...errandIn(row), unresolved: true, ...(row.lostSightAtMs !== undefined && { again: true }) },
    deps.clock.nowMs(),
    deps,
  );

async function delegate(
  { execution, job, handle }: Starting,
  errand: Errand,
  probeAtMs: number,
  deps: ExecutorDeps,
): Promise<SettledStatus> {
  const timeoutMs = parseDuration(job.timeout);
  const delegatedTo = { heartbeatWithinMs: timeoutMs, endsAtMs: errand.firstStartAtMs + timeoutMs, errand };
  const outcome = await handle.write(async () => {
    await deps.schedule.putEntries([await limitEntry(execution, probeAtMs, deps)]);
    return deps.executions.delegateLease(handle.lease, delegatedTo, deps.clock.nowMs(), []);
  });
  return outcome === 'lease-lost' ? outcome : 'running';
}

const settle = (
  { execution, job, handle }: Starting,
  result: TargetResult,
  deps: ExecutorDeps,
  errand?: 'ended',
): Promise<SettledStatus> =>
  settleAttempt(
    { execution, job, handle, errand },
    [{ target: 0, result, startedAtMs: execution.claimedAtMs ?? deps.clock.nowMs() }],
    deps,
  );
