import { isFanOut } from './definition';
import { derive, isOpen } from './derive';
import type { Graph } from './graph';
import { keyOfTask, keyRoundOf, markOf, MAX_ROUNDS, roundOf, roundText } from './marks';
import type { RunState } from './run-state';

/**
 * What runs again. `failed`: all that has failed or was cancelled, and what follows on it. `from`: the named
 * tasks, and what follows on them. `only`: the named ones. `all`: everything.
 */
export const RETRY_MODES = ['failed', 'from', 'only', 'all'] as const;
export type RetryMode = (typeof RETRY_MODES)[number];

export interface Reopening {
  mode: RetryMode;
  /** Ids. With `failed`: only these of them. Empty: all that the mode means. */
  tasks: readonly string[];
  /** Ids of tasks that count as skipped from now on. */
  skip: readonly string[];
}

/** The maps of a run whose tasks are opened again, or why that is not possible. */
export type Reopened = { conflict: string } | Pick<RunState, 'marks' | 'rounds' | 'go'>;

/**
 * Opens tasks of a run again: their marks go, and their rounds rise. The rows of earlier rounds stay as they
 * are. With `failed`, targets get the delivery ids of before: one that had done the work may say so.
 * A task that may be at work because of how an opened one has ended is a conflict.
 *
 * @param at.hasEnded the run has ended: nothing of it is at work, and what was stopped may begin now
 */
export function reopened(
  graph: Graph,
  run: RunState,
  asked: Reopening,
  { nowMs, hasEnded }: { nowMs: number; hasEnded: boolean },
): Reopened {
  const { states, allSettled } = derive(graph, run);
  const named = indexesOf(graph, asked.tasks);
  const start = graph.tasks
    .map(({ index }) => index)
    .filter((index) => mayOpen(states[index]!, asked.mode) && (named.size === 0 || named.has(index)));
  const following = withFollowers(graph, start);
  const opened = asked.mode === 'only' ? new Set(start) : following;
  const open = [...following].find((index) => states[index] === 'ready');
  if (open !== undefined && !hasEnded)
    return { conflict: `the task ${graph.tasks[open]!.id} may be at work because of how those have ended` };
  const after = new Set(
    start.flatMap((index) => [...withFollowers(graph, [index])].filter((one) => one !== index)),
  );
  /** A fan-out that failed by itself runs only its failed items again. */
  const keptBy = (index: number): number | undefined =>
    asked.mode === 'failed' && isFanOut(graph.tasks[index]!.task) && !after.has(index)
      ? roundOf(run, index)
      : undefined;
  const [marks, rounds, go] = [{ ...run.marks }, { ...run.rounds }, run.go && { ...run.go }];
  for (const index of opened) {
    const key = keyOfTask(index);
    if (marks[key] === undefined) continue;
    const round = roundOf(run, index) + 1;
    if (round > MAX_ROUNDS)
      return { conflict: `the task ${graph.tasks[index]!.id} has had ${MAX_ROUNDS} rounds` };
    delete marks[key];
    if (go) delete go[key];
    // In a child that has succeeded nothing would run again: the task gets another one.
    const { job, forEach } = graph.tasks[index]!.task;
    // So it does in the children of a fan-out all of whose items are to run again.
    const isAnew = states[index] === 'succeeded' || (forEach !== undefined && after.has(index));
    const keeps = asked.mode === 'failed' && !(job !== undefined && isAnew);
    rounds[key] = roundText(round, keeps ? keyRoundOf(run, index) : round, keptBy(index));
  }
  for (const index of indexesOf(graph, asked.skip)) {
    const key = keyOfTask(index);
    if (marks[key] === undefined) marks[key] = markOf('skipped', nowMs, run);
  }
  const isNothing = start.length === 0 && asked.skip.length === 0 && (allSettled || !hasEnded);
  if (isNothing) return { conflict: 'none of these tasks has ended so that it could run again' };
  return { marks, rounds, ...(go && { go }) };
}

const indexesOf = (graph: Graph, ids: readonly string[]): ReadonlySet<number> =>
  new Set(ids.flatMap((id) => graph.indexOf.get(id) ?? []));

function mayOpen(state: ReturnType<typeof derive>['states'][number], mode: RetryMode): boolean {
  if (mode === 'failed') return state === 'failed' || state === 'cancelled';
  return !isOpen(state);
}

/** The tasks, and all that depends on them, directly or not; finally tasks follow on every other task. */
function withFollowers(graph: Graph, start: readonly number[]): Set<number> {
  const all = new Set(start);
  for (const index of graph.order) {
    const { task, dependsOn } = graph.tasks[index]!;
    if (dependsOn.some((one) => all.has(one.index)) || (task.finally && hasMain(graph, all))) all.add(index);
  }
  return all;
}

const hasMain = (graph: Graph, indexes: ReadonlySet<number>): boolean =>
  [...indexes].some((index) => !graph.tasks[index]!.task.finally);

/** The maps of a run for another version of its workflow: by the ids of tasks. Removed tasks drop out. */
export function translated(
  run: Pick<RunState, 'marks' | 'rounds'>,
  from: Graph,
  to: Graph,
): Pick<RunState, 'marks' | 'rounds' | 'go'> {
  const byNewKey = (map: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      from.tasks.flatMap(({ id, index }) => {
        const value = map[keyOfTask(index)];
        const now = to.indexOf.get(id);
        return value === undefined || now === undefined ? [] : [[keyOfTask(now), value] as const];
      }),
    );
  const go = to.workflow.maxParallel === undefined ? undefined : {};
  return { marks: byNewKey(run.marks), rounds: byNewKey(run.rounds), ...(go && { go }) };
}
