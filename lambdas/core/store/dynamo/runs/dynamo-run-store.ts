import { isDeepStrictEqual } from 'node:util';

import type { Execution, Run } from '../../../domain/execution';
import type { RunEdit } from '../../../domain/workflow/run-edits';
import type { RunState, RunStop } from '../../../domain/workflow/run-state';
import type { ExecutionRef, Lease } from '../../execution-store';
import { holdsLease } from '../../execution-store';
import type { RunStore, RunWrite } from '../../run-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { executionOf, executionRowKey } from '../executions/execution-row';
import { isNotCancelled, isRunning, underLease } from '../executions/lease-condition';
import { currentExecution } from '../executions/read-executions';
import { allOf, updateOf } from '../expressions';
import { countLive } from './count-live';
import { markingOf } from './mark-tasks';

/** The writes of a run on its own row. */
export const dynamoRunStore = (access: TableAccess): RunStore => ({
  start: (lease, run) => start(access, lease, run),
  mark: markingOf(access),
  stop: (seen, stop) => stopRun(access, seen, stop),
  release: (seen, keys, at) => release(access, seen, keys, at),
  edit: (seen, edit) => editRun(access, seen, edit),
  countLive: (jobKey, dueSinceMs) => countLive(access, jobKey, dueSinceMs),
});

const moved = '#run.#moves = #run.#moves + :one';
const hasNotMoved = '#run.#moves = :seenMoves';
const RUNNING = { ':running': 'running' };

/**
 * Key: the run's. Condition: running under the caller's claim and fence, and no cancel request. From then on
 * no claim holds the row. Cost: 1 write unit. Lost race: `lease-lost`, or `cancel-requested` if the lease
 * holds. An earlier try of this call is recognised by the claim id in `run`.
 */
async function start(
  access: TableAccess,
  lease: Lease,
  run: RunState,
): Promise<{ outcome: 'started'; run: Run } | { outcome: 'lease-lost' | 'cancel-requested' }> {
  const { condition, values } = underLease(lease);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(lease),
    ConditionExpression: allOf(condition, isNotCancelled),
    UpdateExpression: updateOf({ set: ['#run = :run'], remove: ['claimId', 'claimedAtMs', 'heartbeatAtMs'] }),
    ExpressionAttributeValues: { ...values, ':run': run },
    ReturnValues: 'ALL_NEW',
  });
  if (answer.applied) return { outcome: 'started', run: executionOf(answer.row!) as Run };
  const current = await currentExecution(access, lease, answer);
  const isEarlierTry = current?.run?.by === lease.claimId && current.fence === lease.fence;
  if (isEarlierTry) return { outcome: 'started', run: current as Run };
  const isLeased = current !== undefined && holdsLease(current, lease);
  return { outcome: isLeased && current.cancelRequested ? 'cancel-requested' : 'lease-lost' };
}

/**
 * Key: the run's. Condition: running, and its moves as seen. So `open` names every task that may have been
 * sent before, and a process that marks one later sees the stop. Cost: 1 write unit a KB of the row.
 */
async function stopRun(access: TableAccess, seen: Run, stop: RunStop): Promise<RunWrite> {
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: allOf(isRunning, hasNotMoved),
    UpdateExpression: updateOf({ set: ['#run.#stop = :stop', moved] }),
    ExpressionAttributeValues: { ...RUNNING, ':stop': stop, ':one': 1, ':seenMoves': seen.run.moves },
    ReturnValues: 'ALL_NEW',
  });
  return writeOf(access, seen, answer, (run) => isDeepStrictEqual(run.stop, stop));
}

/** Key, condition and cost: as `stopRun`. */
async function release(
  access: TableAccess,
  seen: Run,
  keys: readonly string[],
  at: string,
): Promise<RunWrite> {
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: allOf(isRunning, hasNotMoved),
    UpdateExpression: updateOf({ set: [...keys.map((key) => `#run.#go.#${key} = :at`), moved] }),
    ExpressionAttributeValues: { ...RUNNING, ':at': at, ':one': 1, ':seenMoves': seen.run.moves },
    ReturnValues: 'ALL_NEW',
  });
  return writeOf(access, seen, answer, (run) => keys.every((key) => run.go?.[key] === at));
}

/** Key, condition and cost: as `stopRun`. It replaces whole maps: no other write has come between. */
async function editRun(access: TableAccess, seen: Run, { set, remove = [] }: RunEdit): Promise<RunWrite> {
  const names = Object.keys(set) as (keyof typeof set)[];
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: allOf(isRunning, hasNotMoved),
    UpdateExpression: updateOf({
      set: [...names.map((name) => `#run.#${name} = :${name}`), moved],
      remove: remove.map((name) => `run.#${name}`),
    }),
    ExpressionAttributeValues: {
      ...RUNNING,
      ...Object.fromEntries(names.map((name) => [`:${name}`, set[name]])),
      ':one': 1,
      ':seenMoves': seen.run.moves,
    },
    ReturnValues: 'ALL_NEW',
  });
  return writeOf(
    access,
    seen,
    answer,
    (run) =>
      names.every((name) => isDeepStrictEqual(run[name], set[name])) &&
      remove.every((name) => run[name] === undefined),
  );
}

/** If the SDK retried, an earlier try may have made the write. */
async function writeOf(
  access: TableAccess,
  ref: ExecutionRef,
  answer: Awaited<ReturnType<typeof conditionalUpdate>>,
  isMade: (run: RunState) => boolean,
): Promise<RunWrite> {
  if (answer.applied) return { applied: true, execution: executionOf(answer.row!) };
  const execution: Execution | undefined = await currentExecution(access, ref, answer);
  const applied = answer.retried && execution?.run !== undefined && isMade(execution.run);
  return { applied, execution };
}
