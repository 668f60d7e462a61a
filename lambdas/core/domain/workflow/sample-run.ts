import type { Json } from '../../templates/syntax';
import type { Execution, Run } from '../execution';
import { isAlarmed, isStarted, isTimed, type Task } from './definition';
import { segmentsIn } from './fan-out';
import type { Graph } from './graph';
import { keyOfTask, markOf } from './marks';
import type { RunState } from './run-state';

/** What a run that has never been is to be shown with. */
export interface Sample {
  jobKey: string;
  execId: string;
  dueAtMs: number;
  /** What the targets return, by the ids of tasks. */
  outputs: Readonly<Record<string, Json>>;
}

/** A run in which all tasks but the finally tasks have succeeded at once, and the rows of its tasks. */
export function sampleRun(
  graph: Graph,
  { jobKey, execId, dueAtMs, outputs }: Sample,
): { run: Run; rows: Map<number, Execution> } {
  const origin = { startedAtMs: dueAtMs };
  const main = graph.tasks.filter(({ task }) => !task.finally);
  const state: RunState = {
    version: '',
    number: 1,
    by: '',
    jobCreatedAtMs: 0,
    startedAtMs: dueAtMs,
    endsAtMs: dueAtMs,
    touchedAtMs: dueAtMs,
    moves: 0,
    marks: Object.fromEntries(
      main.map(({ index }) => [keyOfTask(index), markOf('succeeded', dueAtMs, origin)]),
    ),
    rounds: {},
    priority: 'medium',
    pool: '',
  };
  const row = (id: string, fields: Partial<Execution>): Execution => ({
    jobKey,
    execId: id,
    trigger: 'schedule',
    dueAtMs,
    status: 'succeeded',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    fence: 1,
    startedAtMs: dueAtMs,
    finishedAtMs: dueAtMs,
    attempts: [],
    ...fields,
  });
  const rows = main
    .filter(({ task }) => isStarted(task))
    .map(({ id, index }): [number, Execution] => [
      index,
      row(`${execId}/${id}`, Object.hasOwn(outputs, id) ? { output: JSON.stringify(outputs[id]) } : {}),
    ]);
  return { run: { ...row(execId, { status: 'running' }), run: state }, rows: new Map(rows) };
}

/** Lets a switch of a sample run take a branch, by its index. */
export function letTake({ run }: Run, index: number, branch: number): void {
  run.marks[keyOfTask(index)] = markOf('succeeded', run.startedAtMs, run, branch);
}

/**
 * How many writes a run costs in which every task succeeds at its first attempt. Those of children not.
 *
 * @param items how many items its fan-outs have, by the indexes of their tasks; others count as none
 */
export const writesOf = (graph: Graph, items: ReadonlyMap<number, number>): number =>
  graph.tasks.reduce((sum, { task, index }) => sum + writesOfTask(task, items.get(index) ?? 0), WRITES_A_RUN);

function writesOfTask(task: Task, items: number): number {
  if (task.await) return WRITES_AN_AWAIT;
  if (isTimed(task) && !isAlarmed(task)) return WRITES_A_CALL + WRITES_A_WAIT;
  const writes = task.job === undefined ? WRITES_A_CALL : WRITES_A_CHILD;
  const alarm = isAlarmed(task) ? WRITES_AN_ALARM : 0;
  if (!task.forEach) return isStarted(task) ? alarm + writes : 1;
  if (items === 0) return alarm + WRITES_A_FAN_OUT;
  const dispensed = Math.max(0, items - (task.forEach.concurrency ?? items));
  return alarm + WRITES_A_FAN_OUT + WRITES_A_SEGMENT * segmentsIn(items) + writes * items + dispensed;
}

/** What writes cost on demand, in us-east-1: docs/cost.md. */
export const dollarsOf = (writes: number): number => Number((writes * USD_PER_WRITE).toPrecision(12));
const USD_PER_WRITE = 0.625e-6;

/** Its entry, claim, start and end; claim, end and mark. */
const WRITES_A_RUN = 4;
const WRITES_A_CALL = 3;
/** Its entry, row and mark; its own writes count with its job. */
const WRITES_A_CHILD = 3;
/** Its head, its row and its mark; the items and the sum of a segment. */
const WRITES_A_FAN_OUT = 3;
const WRITES_A_SEGMENT = 2;
/** Its entry, and its row. */
const WRITES_A_WAIT = 2;
/** The entry at which it begins. */
const WRITES_AN_ALARM = 1;
/** The row by which it is asked, the entry at which it asks again, its own row, and its mark. */
const WRITES_AN_AWAIT = 4;
