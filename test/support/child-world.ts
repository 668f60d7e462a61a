import type { Execution } from '../../lambdas/core/domain/execution';
import type { Call } from './dynamo/memory-dynamo';
import { rowsPut } from './kill-between';
import { ask } from './run-requests';
import { WorkflowWorld } from './workflow-world';

export const TARGET = { type: 'http', url: 'https://example.com/hook' };
/** A job without a workflow. Its calls are seen by its id. */
export const PLAIN = { schedule: { type: 'none' }, target: TARGET };

type Job = Record<string, unknown>;

/** A world with a job `etl` whose task `load` starts the job `child`. */
export async function startedWithChild(
  child: Job,
  etl: { tasks?: Record<string, object>; fields?: object; workflow?: object } = {},
) {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', child);
  await flow.save({ load: { target: null, job: 'child' }, ...etl.tasks }, etl.fields, etl.workflow);
  return flow;
}

/** Saves a job; without a schedule, one that only others start. */
export async function put({ world }: WorkflowWorld, jobId: string, fields: Job): Promise<void> {
  const body = { schedule: { type: 'none' }, ...fields };
  const answer = await world.api('putJob', { jobId }, body);
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
}

/** The definition of a job with a workflow. */
export const workflow = (tasks: Record<string, object>, fields: object = {}): Job => ({
  schedule: { type: 'none' },
  workflow: { tasks, ...fields },
});

/** The executions of a job. */
export const childrenOf = ({ world }: WorkflowWorld, jobId = 'child'): Execution[] =>
  world.executions({ userId: 'alice', jobId });

/** A task of a run, as the API shows it. */
export const taskOf = async (flow: WorkflowWorld, execId: string, taskId = 'load') =>
  (await ask(flow, 'getTask', { execId, taskId })).body;

/** Whether a call puts the row of a child. */
export const putsChild = (call: Call): boolean =>
  rowsPut(call, 'executions').some(({ trigger }) => trigger === 'workflow');
