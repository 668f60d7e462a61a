import { groupCommit } from '../../../async/group-commit';
import type { Execution, Run } from '../../../domain/execution';
import { executionMapKey, type ExecutionRef } from '../../execution-store';
import type { MarkWrite, RunStore, TaskMark } from '../../run-store';
import type { TableAccess } from '../access';
import { executionOf, executionRowKey } from '../executions/execution-row';
import { isRunning } from '../executions/lease-condition';
import { currentExecution } from '../executions/read-executions';
import { writeMarks } from './write-marks';

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
export function markingOf(access: TableAccess): RunStore['mark'] {
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
