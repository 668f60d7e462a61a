import type { Run } from '../../../lambdas/core/domain/execution';
import { isFanOut, type Workflow } from '../../../lambdas/core/domain/workflow/definition';
import { type Graph, graphOf } from '../../../lambdas/core/domain/workflow/graph';
import { readySinceMs } from '../../../lambdas/core/domain/workflow/progress';
import { runOf, taskRefOf } from '../../../lambdas/core/domain/workflow/task-id';
import { parseDuration } from '../../../lambdas/core/schedule/duration';
import { idOf, isTask, type Story } from '../story';
import { broken, clockTime, type Violation } from '../violation';
import { tenuresOf } from './leases';
import { derivationOf, isStarted, type Started } from './run-states';

/** W2 and W9. A task is called only if its run allowed that at some moment between its claim and the call. */
export function checkRunCalls(flows: ReadonlyMap<string, Workflow>, story: Story): Violation[] {
  const { skewMs } = story.conditions;
  return story.calls.flatMap((call) => {
    const { jobKey, execId, fence, t } = call;
    if (!isTask(execId)) return [];
    const tenure = tenuresOf(story.states.get(idOf(call)) ?? []).find((one) => one.fence === fence);
    if (!tenure) return []; // `checkLeases` reports it
    const runs = (story.states.get(idOf({ jobKey, execId: runOf(execId) })) ?? []).filter(isStarted);
    const first = runs.findLastIndex((state) => state.t <= tenure.fromMs);
    const seen = runs.filter((state, index) => index >= Math.max(0, first) && state.t <= t);
    const answers = seen.map(({ execution }) => {
      const workflow = flows.get(`${jobKey}#${execution.run.version}`);
      const graph = workflow && graphOf(workflow);
      const index = graph && indexIfAllowed(execId, execution, graph);
      if (!graph || index === undefined) return 'stopped';
      if (derivationOf(graph, execution.run).states[index] !== 'ready') return 'not-before';
      return isEarly(runs, index, graph, { begunMs: tenure.fromMs, skewMs }) ? 'not-before' : 'called';
    });
    if (answers.includes('called')) return [];
    const invariant = answers.includes('not-before') ? 'not-before' : 'stopped';
    return [broken(invariant, `${idOf(call)} fence ${fence} called at ${clockTime(t)}`)];
  });
}

/**
 * The index of a task whose run allows its call: the run goes on, and the task has no mark in this round. It
 * reads the bare row: a fault in the code under test must not blind the checker.
 */
function indexIfAllowed(execId: string, { status, run, cancelRequested }: Run, graph: Graph) {
  const { task: id, round, item } = taskRefOf(execId)!;
  const index = graph.indexOf.get(id);
  if (status !== 'running' || index === undefined) return undefined;
  const { task } = graph.tasks[index]!;
  const key = index.toString(36);
  const presentRound = Number.parseInt(run.rounds[key] ?? '1', 10);
  const isPast = presentRound !== round || run.marks[key] !== undefined;
  const forced = task.finally === undefined || cancelRequested?.force === true || run.stop?.force === true;
  const isStopped = forced && (cancelRequested !== undefined || run.stop !== undefined);
  const isPaused = run.heldAtMs !== undefined && (!run.stop || run.stop.why === 'task-failed');
  return isPast || isStopped || isPaused || isFanOut(task) !== (item !== undefined) ? undefined : index;
}

/** Whether a task with a delay began sooner after it had become ready, in the round that it was in. */
export function isEarly(
  runs: readonly Started[],
  index: number,
  graph: Graph,
  { begunMs, skewMs }: { begunMs: number; skewMs: number },
): boolean {
  const { delay } = graph.tasks[index]!.task;
  if (delay === undefined) return false;
  const before = runs.filter(({ t }) => t <= begunMs);
  const round = before.at(-1)?.execution.run.rounds[index.toString(36)];
  const ready = before.find(
    ({ execution: { run } }) =>
      run.rounds[index.toString(36)] === round && derivationOf(graph, run).states[index] === 'ready',
  );
  if (!ready) return true;
  // The write of a mark may take a while, and the delay counts from the time that it names.
  const readyMs = Math.min(ready.t, readySinceMs({ run: ready.execution.run, graph }, index));
  return begunMs < readyMs + parseDuration(delay) - skewMs;
}
