import { type Execution, isRun, type ParentTask } from '../../../lambdas/core/domain/execution';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { type ExecutionState, idOf, type Story } from '../story';
import { askedFor } from '../story-index';
import { broken, clockTime, type Violation } from '../violation';

type Child = Execution & { parent: ParentTask };

const isChild = (execution: Execution): execution is Child => execution.parent !== undefined;

/** W13. A child begins while its parent runs, belongs to one task for ever, and does not outlive it. */
export function checkChildren(story: Story): Violation[] {
  const violations: Violation[] = [];
  for (const [id, states] of story.states) {
    const [first] = states;
    if (!first || !isChild(first.execution)) continue;
    const { parent } = first.execution;
    const above = story.states.get(idOf(parent)) ?? [];
    violations.push(...checkBirth(id, first, above), ...checkBelonging(id, parent, states));
    // What its own user has retried runs whatever has become of the run above it.
    const isByUser = askedFor(story, 'retryExecution', first.execution).length > 0;
    if (!isByUser) violations.push(...checkOutlives(id, states, above));
  }
  return violations;
}

const at = (states: readonly ExecutionState[], ms: number): Execution | undefined =>
  states.findLast(({ t }) => t <= ms)?.execution;

function checkBirth(
  id: string,
  { t, execution }: ExecutionState,
  above: readonly ExecutionState[],
): Violation[] {
  if (isTerminal(execution.status)) return []; // it refuses a start that comes later
  const run = at(above, t);
  if (run?.status === 'running' && isRun(run)) return [];
  const is = run ? run.status : 'missing';
  return [broken('children', `${id} began at ${clockTime(t)}, and the run above it was ${is}`)];
}

function checkBelonging(id: string, parent: ParentTask, states: readonly ExecutionState[]): Violation[] {
  const other = states.find(
    ({ execution }) =>
      execution.parent?.execId !== parent.execId ||
      execution.parent.jobKey !== parent.jobKey ||
      execution.parent.task !== parent.task,
  );
  return other ? [broken('children', `${id} has another parent at ${clockTime(other.t)}`)] : [];
}

function checkOutlives(
  id: string,
  states: readonly ExecutionState[],
  above: readonly ExecutionState[],
): Violation[] {
  return above.flatMap(({ t, execution }, index) => {
    const isEnd = isTerminal(execution.status) && !isTerminal(above[index - 1]?.execution.status ?? 'queued');
    const child = isEnd ? at(states, t) : undefined;
    if (!child || isTerminal(child.status)) return [];
    return [broken('children', `${id} was ${child.status} when its run ended at ${clockTime(t)}`)];
  });
}
