import { isRun, type Run } from '../../../lambdas/core/domain/execution';
import { derive } from '../../../lambdas/core/domain/workflow/derive';
import type { Graph } from '../../../lambdas/core/domain/workflow/graph';
import type { ExecutionState } from '../story';
import { indexed } from '../story-index';

/** A state of an execution that has become a run. */
export type Started = ExecutionState & { execution: Run };
export const isStarted = (state: ExecutionState): state is Started => isRun(state.execution);

/** The states of a run's tasks by one of its states, which does not change. */
const derived = indexed((run: Run['run']) => indexed((graph: Graph) => derive(graph, run)));
export const derivationOf = (graph: Graph, run: Run['run']) => derived(run)(graph);
