import type { Dependency, Task, Workflow } from '../../lambdas/core/domain/workflow/definition';
import { graphOf } from '../../lambdas/core/domain/workflow/graph';
import type { RunState } from '../../lambdas/core/domain/workflow/run-state';
import { aTarget, T0_MS } from './factories';

/** A task with a target; `dependsOn` takes ids too. */
export const aTask = ({
  dependsOn = [],
  ...task
}: Partial<Omit<Task, 'dependsOn'>> & { dependsOn?: readonly (string | Dependency)[] } = {}): Task => ({
  dependsOn: dependsOn.map((one) => (typeof one === 'string' ? { task: one, if: 'succeeded' } : one)),
  join: 'all',
  target: aTarget(),
  ...task,
});

export const aWorkflow = (tasks: Record<string, Task>, overrides: Partial<Workflow> = {}): Workflow => ({
  tasks,
  onTaskFailure: 'continue',
  ...overrides,
});

export const aGraph = (...of: Parameters<typeof aWorkflow>) => graphOf(aWorkflow(...of));

/** A run that has just started. */
export const aRunState = (overrides: Partial<RunState> = {}): RunState => ({
  version: 'k3J9xQ2m1pZr8sT0vWyA1B',
  number: 1,
  by: 'claim-1',
  jobCreatedAtMs: T0_MS - 3_600_000,
  startedAtMs: T0_MS,
  endsAtMs: T0_MS + 3_600_000,
  touchedAtMs: T0_MS,
  moves: 0,
  marks: {},
  rounds: {},
  priority: 'medium',
  pool: 'default',
  ...overrides,
});
