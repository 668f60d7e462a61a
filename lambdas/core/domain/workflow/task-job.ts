import type { Execution } from '../execution';
import type { SendLane } from '../send-lane';
import type { Job } from '../job';
import { longCallOf } from '../long-call';
import { workFieldsOfTask } from '../work';
import { DEFAULT_TASK_TIMEOUT } from './definition';
import type { Graph } from './graph';
import { keyRoundOf, roundOf } from './marks';
import { laneOf } from './progress';
import { readsOf } from './references';
import type { RunState } from './run-state';

/** What a task without an input gets, if its workflow has parameters. */
const ALL_PARAMS = '{{ params }}';
/** What an item of a task without an input gets. */
const WHOLE_ITEM = '{{ item }}';

/** The lane of a task's messages, and what its row keeps of it. */
export const sendLaneOf = (
  run: Pick<RunState, 'priority' | 'pool'>,
  graph: Graph,
  index: number,
): SendLane => {
  const { target, targets, timeout = DEFAULT_TASK_TIMEOUT } = graph.tasks[index]!.task;
  return {
    ...laneOf(run, graph, index),
    ...longCallOf({ target, targets, timeout }),
    ...workFieldsOfTask({ target, targets }),
  };
};

/**
 * A task as a job, so that the code that delivers, retries and takes over works on it unchanged. It passes no
 * gate: its run has passed those of the job. It is not paused with its job: the run goes on.
 */
export function taskJobOf(
  job: Job,
  { run, deliveryDepth }: { run: RunState } & Pick<Execution, 'deliveryDepth'>,
  graph: Graph,
  index: number,
): Job {
  const { target, targets, forEach, input, retry, timeout } = graph.tasks[index]!.task;
  const { workflow: _, payload: __, target: ___, targets: ____, ...others } = job;
  // What follows the end of the run does not follow the end of a task. Its schema is that of the parameters.
  const {
    concurrencyKey: _____,
    awaitedAtMs: ______,
    onEnd: _______,
    pauseAfter: ________,
    payloadSchema: _________,
    ...rest
  } = others;
  const payload = input ?? (forEach ? WHOLE_ITEM : graph.workflow.params && ALL_PARAMS);
  const depth = deliveryDepth ?? job.deliveryDepth;
  return {
    ...rest,
    ...laneOf(run, graph, index),
    target: target ?? targets?.[0],
    ...(targets && { targets }),
    ...(payload !== undefined && { payload }),
    ...(keyRoundOf(run, index) !== roundOf(run, index) && { deliveryRound: keyRoundOf(run, index) }),
    ...(readsOf(graph).keepsOutput[index] && { keepsOutput: true }),
    templates: true,
    retry: retry ?? job.retry,
    timeout: timeout ?? DEFAULT_TASK_TIMEOUT,
    overlap: 'allow',
    orderingKey: null,
    onFailure: 'continue',
    status: 'active',
    ...(depth !== undefined && { deliveryDepth: depth }),
  };
}
