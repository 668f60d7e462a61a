import { isDeepStrictEqual } from 'node:util';

import { groupCommit } from '../../../async/group-commit';
import { compactInstant, EXECUTIONS_KEY } from '../../../contracts/tables';
import type { Execution, Run } from '../../../domain/execution';
import type { RunEdit } from '../../../domain/workflow/run-edits';
import type { RunState, RunStop } from '../../../domain/workflow/run-state';
import { executionMapKey, type ExecutionRef, holdsLease, type Lease } from '../../execution-store';
import type { MarkWrite, RunStore, RunWrite, TaskMark } from '../../run-store';
import type { Row, TableAccess } from '../access';
import { QueryCommand } from '../commands';
import { conditionalUpdate } from '../conditional-write';
import {
  executionOf,
  executionRowKey,
  isNotCancelled,
  isRunning,
  underLease,
} from '../executions/execution-row';
import { currentExecution } from '../executions/read-executions';
import { allOf, namesIn, updateOf } from '../expressions';
import { writeMarks } from './write-marks';

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

/** An expression has at most 4 KB, and a mark takes about 100 bytes of one. */
const MOST_MARKS = 25;

interface Marking {
  run: ExecutionRef;
  task: TaskMark;
}

/**
 * Marks tasks of runs. Marks of one run that fall together in this process are one write.
 *
 * Key: the run's. Condition: running, each task is in its round and has no mark. Marks do not ask for the
 * moves seen, so the ends of many tasks do not conflict. Cost: 1 write unit a KB of the row: about 120 marks
 * fit into the first. Lost race: the row as it is; a process that marked the same end wrote the same mark.
 * What may still be marked of a refused write is written again.
 */
function markingOf(access: TableAccess): RunStore['mark'] {
  const mark = groupCommit<Marking, MarkWrite>({
    commit: (marks) =>
      markTasks(
        access,
        marks[0]!.run,
        marks.map(({ task }) => task),
      ),
    clash: (one, other) => one.task.key === other.task.key,
    most: MOST_MARKS,
  });
  return (run: Pick<Run, 'jobKey' | 'execId'>, task) => mark(executionMapKey(run), { run, task });
}

async function markTasks(
  access: TableAccess,
  run: ExecutionRef,
  tasks: readonly TaskMark[],
): Promise<MarkWrite[]> {
  const answers = new Map<TaskMark, MarkWrite>();
  for (let open = tasks; open.length > 0;) {
    const answer = await writeTogether(access, run, open);
    const execution = answer.applied ? executionOf(answer.row!) : await currentExecution(access, run, answer);
    // If the SDK retried, an earlier try may have made the write.
    const isMade = ({ key, mark }: TaskMark) =>
      answer.applied || (answer.retried && execution?.run?.marks[key] === mark);
    const made = open.filter(isMade);
    const left = open.filter((task) => !made.includes(task) && mayMark(execution, task));
    // Each refusal has a reason in the row, unless that has changed since: then all are refused.
    const again = left.length < open.length ? left : [];
    for (const task of open.filter((one) => !again.includes(one)))
      answers.set(task, {
        applied: made.includes(task),
        execution,
        made: task === made.at(-1) ? made.map(({ key }) => key) : [],
      });
    open = again;
  }
  return tasks.map((task) => answers.get(task)!);
}

const mayMark = (execution: Execution | undefined, { key, round }: TaskMark): boolean =>
  execution?.status === 'running' &&
  execution.run !== undefined &&
  execution.run.marks[key] === undefined &&
  execution.run.rounds[key] === round;

function writeTogether(access: TableAccess, run: ExecutionRef, tasks: readonly TaskMark[]) {
  const rounds = tasks.map(({ key, round }, at) =>
    round === undefined ? `attribute_not_exists(#run.#rounds.#${key})` : `#run.#rounds.#${key} = :round${at}`,
  );
  return writeMarks(access, {
    key: executionRowKey(run),
    marks: Object.fromEntries(tasks.map(({ key, mark }) => [`#run.#marks.#${key}`, mark])),
    conditions: [isRunning, 'attribute_exists(#run)', ...rounds],
    set: ['#run.#moves = #run.#moves + :one'],
    values: {
      ':running': 'running',
      ':one': 1,
      ...Object.fromEntries(
        tasks.flatMap(({ round }, at) => (round === undefined ? [] : [[`:round${at}`, round] as const])),
      ),
    },
  });
}

const SORT = `#${EXECUTIONS_KEY.sort}`;
/** As `countsAsLive`: a backfill is none. */
const IS_LIVE = `${isRunning} AND attribute_exists(#run) AND attribute_not_exists(#backfill)`;
const LIVE_FROM = `#${EXECUTIONS_KEY.partition} = :jobKey AND ${SORT} >= :from`;
/** Pages of 1 MB that one count reads. */
const COUNTED_PAGES = 4;

/**
 * Key: the job's executions from an instant on, newest first. Cost: half a read unit each 4 KB of their rows.
 * At most 4 MB are read, so runs behind thousands of newer executions are not counted.
 */
async function countLive(access: TableAccess, jobKey: string, dueSinceMs: number): Promise<number> {
  let count = 0;
  let start: Row | undefined;
  for (let page = 0; page < COUNTED_PAGES; page++) {
    const answer = await access.documents.send(
      new QueryCommand({
        TableName: access.table,
        KeyConditionExpression: LIVE_FROM,
        FilterExpression: IS_LIVE,
        ExpressionAttributeNames: namesIn(LIVE_FROM, IS_LIVE, SORT),
        ExpressionAttributeValues: {
          ':running': 'running',
          ':jobKey': jobKey,
          ':from': compactInstant(dueSinceMs),
        },
        ScanIndexForward: false,
        ProjectionExpression: SORT,
        ExclusiveStartKey: start,
      }),
    );
    count += answer.Count ?? 0;
    start = answer.LastEvaluatedKey;
    if (!start) break;
  }
  return count;
}
