import { jobRefOf } from '../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../lambdas/core/domain/execution';
import {
  type ChildTask,
  childRefOf,
  hasEndedForRound,
  markOfChild,
} from '../../../lambdas/core/domain/workflow/children';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { workflowOfBackfill } from '../../../lambdas/core/domain/workflow/backfill';
import { isChild, isInline } from '../../../lambdas/core/domain/workflow/definition';
import { isOpen, type TaskState } from '../../../lambdas/core/domain/workflow/derive';
import { type Graph, graphOf } from '../../../lambdas/core/domain/workflow/graph';
import { indexOfKey, roundOf, statusOfMark } from '../../../lambdas/core/domain/workflow/marks';
import { endOfRun, FINALLY_WITHIN_MS, isReleased } from '../../../lambdas/core/domain/workflow/progress';
import { taskExecId } from '../../../lambdas/core/domain/workflow/task-id';
import { type ExecutionState, groupBy, idOf, type Story } from '../story';
import { flowsOf, tasksOf } from '../story-index';
import { broken, clockTime, open, type Violation } from '../violation';
import { checkAwaits } from './awaits';
import { isHeldUp } from './held-up';
import { PATIENCE } from './occurrences';
import { checkRunCalls } from './run-calls';
import { derivationOf, isStarted, type Started } from './run-states';
import { checkWaits } from './waits';

/** What the marks of runs say, and the rows of their tasks, belong together. */
export function checkRuns(story: Story): Violation[] {
  const flows = flowsOf(story);
  const violations: Violation[] = [];
  for (const [id, states] of story.states) {
    const started = states.filter(isStarted);
    if (started.length === 0) continue;
    const { jobKey, run, backfill } = started[0]!.execution;
    const { jobId } = jobRefOf(jobKey);
    const workflow = backfill ? workflowOfBackfill(jobId, backfill) : flows.get(`${jobKey}#${run.version}`);
    if (!workflow) violations.push(broken('mark-says-row', `${id}: version ${run.version} was never saved`));
    else
      for (const life of livesOf(started))
        violations.push(...checkRun(id, life, graphOf(workflow), story, isLastLife(life, started)));
  }
  return [
    ...violations,
    ...checkRunCalls(flows, story),
    ...checkAwaits(flows, story),
    ...checkWaits(flows, story),
  ];
}

/** The states of a run between two retries by its user. */
const livesOf = (started: readonly Started[]): Started[][] => [
  ...groupBy(started, ({ execution }) => String(execution.userRetries ?? 0)).values(),
];
const isLastLife = (life: readonly Started[], started: readonly Started[]): boolean =>
  life.at(-1) === started.at(-1);

function* checkRun(
  id: string,
  started: readonly Started[],
  graph: Graph,
  story: Story,
  isLast: boolean,
): Generator<Violation> {
  yield* checkMonotone(id, started, graph);
  if (isLast) yield* checkMarks(id, started, graph, story);
  yield* checkRounds(id, started, graph, story);
  yield* checkVersion(id, started);
  const ends = started.filter(({ execution }) => isTerminal(execution.status));
  const times = new Set(ends.map(({ execution }) => execution.finishedAtMs));
  if (times.size > 1) yield broken('ends-once', `${id} has ended ${times.size} times`);
  const [end] = ends;
  if (!end) {
    if (isLast) yield* checkEnds(id, started.at(-1)!, story);
    return;
  }
  // A retried run may end before it has started again: its job is deleted, or its cancel was requested.
  if (!started.some(({ execution }) => execution.status === 'running' && !execution.claimId)) return;
  const derivation = derivationOf(graph, end.execution.run);
  const wanted = endOfRun({ run: end.execution.run, graph }, derivation);
  const what = `${id} ended as ${end.execution.status} at ${clockTime(end.t)}`;
  if (!derivation.allSettled) yield broken('ends-once', `${what}, with open tasks`);
  if (wanted.status !== end.execution.status || wanted.reason !== end.execution.reason)
    yield broken('ends-once', `${what} (${end.execution.reason}), its marks say ${wanted.status}`);
  const next = isLast ? undefined : nextLifeMs(id, end.execution, story);
  yield* checkNoneOutlives(id, end.t, story, next);
}

/** When a user retried the run after this life. */
const nextLifeMs = (id: string, { userRetries = 0 }: Execution, { states }: Story): number | undefined =>
  states.get(id)!.find(({ execution }) => (execution.userRetries ?? 0) > userRetries)?.t;

/** W1. A run ends within its time, and that of its finally tasks, unless it or one before it is paused. */
function* checkEnds(id: string, { execution }: Started, story: Story): Generator<Violation> {
  const { conditions, endMs } = story;
  if (isHeldUp(execution, story.versions.get(execution.jobKey)?.at(-1)?.job, story)) return;
  const { endsWithinMs } = conditions.patience ?? PATIENCE;
  const atMs = execution.run.endsAtMs + FINALLY_WITHIN_MS;
  if (atMs < endMs - endsWithinMs)
    yield open('run-ends', `${id} is ${execution.status}, and its time was over at ${clockTime(atMs)}`);
}

/** W3. A task ends once in each round, and rounds rise by one. */
function* checkRounds(
  id: string,
  started: readonly Started[],
  graph: Graph,
  story: Story,
): Generator<Violation> {
  for (const { id: task, index } of graph.tasks) {
    let before = roundOf(started[0]!.execution.run, index);
    for (const { t, execution } of started) {
      const round = roundOf(execution.run, index);
      if (round !== before && round !== before + 1)
        yield broken('once-a-round', `${id} ${task}: round ${before} → ${round} at ${clockTime(t)}`);
      before = round;
      const states = statesOf(execution, task, round, story);
      const ends = states.filter((state) => isTerminal(state.execution.status));
      const times = new Set(ends.map((state) => state.execution.finishedAtMs));
      if (times.size <= 1) continue;
      yield broken('once-a-round', `${id} ${task} has ended ${times.size} times in round ${round}`);
      break;
    }
  }
}

/** W10. From its start to its end a run has one version, which `by` names the start of. */
function* checkVersion(id: string, started: readonly Started[]): Generator<Violation> {
  for (const [index, { t, execution }] of started.entries()) {
    const before = started[index - 1]?.execution.run;
    if (before && before.by === execution.run.by && before.version !== execution.run.version)
      yield broken('same-version', `${id}: another version of the workflow at ${clockTime(t)}`);
  }
}

/** W8. What is settled stays, and what is ready does not wait again. */
function* checkMonotone(id: string, started: readonly Started[], graph: Graph): Generator<Violation> {
  let before: readonly TaskState[] | undefined;
  let rounds = '';
  for (const { t, execution } of started) {
    const { states } = derivationOf(graph, execution.run);
    const roundsNow = JSON.stringify(execution.run.rounds);
    if (roundsNow !== rounds) before = undefined; // a user has opened tasks again
    rounds = roundsNow;
    for (const [index, state] of states.entries()) {
      const was = before?.[index];
      // What a stop has stopped may yet be blocked or excluded: by what was still open then.
      if (was === undefined || was === state || (was === 'stopped' && !isOpen(state))) continue;
      const isBack = !isOpen(was) || (was === 'ready' && state === 'waiting');
      if (isBack)
        yield broken('monotone', `${id} ${graph.tasks[index]!.id}: ${was} → ${state} at ${clockTime(t)}`);
    }
    before = states;
  }
}

/** W5. A mark says what the row of its task says, and comes after it; what has ended has its mark. */
function* checkMarks(
  id: string,
  started: readonly Started[],
  graph: Graph,
  story: Story,
): Generator<Violation> {
  const last = started.at(-1)!.execution;
  for (const [key, mark] of Object.entries(last.run.marks)) {
    const task = graph.tasks[indexOfKey(key)]!;
    const status = statusOfMark(mark);
    // A task that was skipped while it waited has its row after its mark.
    const hasChild = isChild(task.task);
    if (isInline(task.task) || status === 'excluded' || status === 'skipped') continue;
    const { t: markedAt, execution: marked } = started.find(
      ({ execution: { run } }) => run.marks[key] === mark && run.rounds[key] === last.run.rounds[key],
    )!;
    // So has one that was cancelled before it was released. Its row is a record, and may be missing.
    if (status === 'cancelled' && !isReleased(marked.run, graph, task.index)) continue;
    const rows = hasChild
      ? childStatesOf({ run: last, graph, index: task.index }, story)
      : statesOf(last, task.id, roundOf(last.run, task.index), story);
    const isSaid = rows.some(
      ({ t, execution }) =>
        t <= markedAt && (hasChild ? markOfChild(execution) : execution.status) === statusOfMark(mark),
    );
    if (!isSaid) yield broken('mark-says-row', `${id} ${task.id}: mark ${mark} at ${clockTime(markedAt)}`);
  }
  for (const { id: task, index } of graph.tasks) {
    const row = lastRowOf({ run: last, graph, index }, story);
    const isMarked = last.run.marks[index.toString(36)] !== undefined;
    if (row && isTerminal(row.status) && !isMarked)
      yield open('mark-says-row', `${id} ${task} is ${row.status}, and has no mark`);
  }
}

/** The row that says how a task has ended in its round; of a child, only if it has ended for that round. */
function lastRowOf(task: ChildTask, story: Story): Execution | undefined {
  const { run, graph, index } = task;
  const { id, task: definition } = graph.tasks[index]!;
  if (!isChild(definition)) return statesOf(run, id, roundOf(run.run, index), story).at(-1)?.execution;
  const child = childStatesOf(task, story).at(-1)?.execution;
  const isReady = run.status === 'running' && derivationOf(graph, run.run).states[index] === 'ready';
  return child && isReady && hasEndedForRound(task, child) ? child : undefined;
}

const childStatesOf = (task: ChildTask, { states }: Story): readonly ExecutionState[] =>
  states.get(idOf(childRefOf(task))) ?? [];

const statesOf = (
  { jobKey, execId }: Execution,
  task: string,
  round: number,
  { states }: Story,
): readonly ExecutionState[] =>
  states.get(idOf({ jobKey, execId: taskExecId({ run: execId, task, round }) })) ?? [];

/** W6. When a run ends, no task of it is at work, and none begins afterwards. */
function* checkNoneOutlives(
  id: string,
  endMs: number,
  story: Story,
  untilMs = Number.POSITIVE_INFINITY,
): Generator<Violation> {
  for (const [taskId, states] of tasksOf(story, id)) {
    const atEnd = states.findLast(({ t }) => t <= endMs)?.execution;
    if (atEnd && !isTerminal(atEnd.status))
      yield broken(
        'none-outlives',
        `${taskId} was ${atEnd.status} when its run ended at ${clockTime(endMs)}`,
      );
    const later = states.find(
      ({ t, execution }) => t > endMs && t < untilMs && !isTerminal(execution.status),
    );
    if (later)
      yield broken('none-outlives', `${taskId} is ${later.execution.status} after its run has ended`);
  }
}
