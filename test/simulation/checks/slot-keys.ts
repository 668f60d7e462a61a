import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import { type ExecutionState, isTask, type Story, versionsIn } from '../story';
import { callsOf } from '../story-index';
import { broken, clockTime, type Violation } from '../violation';
import { OLDEST_READ_MS } from './key-limits';

/** Repeated here, so that the code's own rule is checked too. */
const DERIVED = /^(.+)\{\{ payload\.(\w+) \}\}$/;
const AS_IT_IS = /^[a-z0-9]{1,20}$/;
const HASH_LENGTH = 22;
const WITHOUT_VALUE = /^concurrencyKey: /;

/**
 * An execution is claimed with the concurrency key that a definition of its job said then. Its own payload
 * completes the key or, without one, that of the job. What has no value for its key calls nothing.
 */
export function checkSlotKeys(story: Story): Violation[] {
  return [...story.states].flatMap(([id, states]) => [
    ...firstClaims(states).flatMap((claim) => checkClaim(id, claim, story)),
    ...checkFaults(id, states, story),
  ]);
}

/** The first claim of each life. A task has the gates of its run. A backfill has none: its dates do. */
function firstClaims(states: readonly ExecutionState[]): ExecutionState[] {
  let before: Execution | undefined;
  return states.filter(({ execution }) => {
    const isWithoutGates = isTask(execution.execId) || execution.backfill !== undefined;
    if (isWithoutGates || execution.fence <= (before?.fence ?? 0)) return false;
    const isFirst = !before || (before.userRetries ?? 0) < (execution.userRetries ?? 0);
    before = execution;
    return isFirst;
  });
}

function checkClaim(id: string, { t, execution }: ExecutionState, story: Story): Violation[] {
  const { jobKey, concurrencyKey: key, parent } = execution;
  // Below a run that holds a slot, no slot is asked for.
  if (key === undefined && parent !== undefined) return [];
  const jobs = versionsIn(story, jobKey, t - OLDEST_READ_MS, t).flatMap(({ job }) => job ?? []);
  if (jobs.length === 0 || jobs.some((job) => isKeyOf(job, execution))) return [];
  return [
    broken('slot-key', `${id} was claimed with the key ${key} at ${clockTime(t)}: not that of its job`),
  ];
}

function isKeyOf(job: Job, { concurrencyKey: key, payload }: Execution): boolean {
  const [, beginning, name] = DERIVED.exec(job.concurrencyKey ?? '') ?? [];
  if (beginning === undefined || name === undefined) return key === job.concurrencyKey;
  const of = payload ? payload.value : job.payload;
  const value = (of as Record<string, string> | undefined)?.[name];
  // It needs no slot. Woken for another gate that it holds, it asks for none.
  if (value === undefined) return key === beginning || key === undefined;
  if (AS_IT_IS.test(value)) return key === `${beginning}${value}`;
  return key?.startsWith(beginning) === true && key.length === beginning.length + HASH_LENGTH;
}

/** What says that it had no value for its key had none, and has called nothing in that attempt. */
function checkFaults(id: string, states: readonly ExecutionState[], story: Story): Violation[] {
  const faults = (states.at(-1)?.execution.attempts ?? []).filter(({ error }) =>
    WITHOUT_VALUE.test(error ?? ''),
  );
  return faults.flatMap(({ fence, error }) => {
    const claimed = states.find(({ execution }) => execution.fence === fence)?.execution;
    const key = claimed?.concurrencyKey;
    const isCalled = callsOf(story, id).some((call) => call.fence === fence);
    const isWithout = (story.versions.get(claimed?.jobKey ?? '') ?? []).some(
      ({ job }) => job?.concurrencyKey?.startsWith(`${key}{{`) === true,
    );
    if (isWithout && !isCalled) return [];
    return [broken('slot-key', `${id} fence ${fence} with the key ${key} says ${error}`)];
  });
}
