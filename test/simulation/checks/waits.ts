import type { Execution } from '../../../lambdas/core/domain/execution';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import type { Workflow } from '../../../lambdas/core/domain/workflow/definition';
import { graphOf } from '../../../lambdas/core/domain/workflow/graph';
import { type ExecutionState, idOf, type Story } from '../story';
import { broken, clockTime, type Violation } from '../violation';
import { isEarly } from './run-calls';
import { isStarted, type Started } from './run-states';

/** A child begins no sooner than its task is to, and no limit ends it before it is reached. */
export function checkWaits(flows: ReadonlyMap<string, Workflow>, story: Story): Violation[] {
  const { skewMs } = story.conditions;
  const violations: Violation[] = [];
  for (const [id, states] of story.states) {
    const { t, execution } = states[0]!;
    const { parent } = execution;
    if (!parent) continue;
    const runs = (story.states.get(idOf(parent)) ?? []).filter(isStarted);
    const run = runs.findLast((one) => one.t <= t)?.execution.run;
    const workflow = run && flows.get(`${parent.jobKey}#${run.version}`);
    const graph = workflow && graphOf(workflow);
    const index = graph?.indexOf.get(parent.task);
    if (!graph || index === undefined || isTerminal(execution.status)) continue;
    if (isEarly(runs, index, graph, { begunMs: t, skewMs }))
      violations.push(broken('not-before', `${id} began at ${clockTime(t)}, before its task was to`));
    violations.push(...checkLimits(id, states, runs, skewMs));
  }
  return violations;
}

/** A child that was cancelled as timed out had reached its limit, or the run above it had reached its own. */
function* checkLimits(
  id: string,
  states: readonly ExecutionState[],
  runs: readonly Started[],
  skewMs: number,
): Generator<Violation> {
  for (const { t, execution } of states) {
    if (execution.status !== 'cancelled' || execution.reason !== 'timed-out') continue;
    const hasStopped = runs.some((run) => run.t <= t && run.execution.run.stop?.why === 'timed-out');
    if (!hasStopped && isWithin(execution, t + skewMs))
      yield broken('not-before', `${id} was ended at ${clockTime(t)}, before its time was over`);
  }
}

const isWithin = ({ parent }: Execution, ms: number): boolean =>
  parent?.untilMs === undefined || ms < parent.untilMs;
