import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { Execution } from '../../lambdas/core/domain/execution';
import { isTaskExecution, taskRefOf } from '../../lambdas/core/domain/workflow/task-id';
import type { TargetResult } from '../../lambdas/core/domain/target-result';
import { executionOf } from '../../lambdas/core/store/dynamo/executions/execution-row';
import { PipelineWorld } from './pipeline-world';
import type { WorldOptions } from './world-options';

const SUCCEEDED: TargetResult = { outcome: 'succeeded', statusCode: 200, body: 'ok' };
export const FAILED: TargetResult = {
  outcome: 'fatal',
  statusCode: 400,
  body: 'no',
  error: 'target answered 400',
};

/** What a task's target does: its result, or how long it works first. */
export type TaskBehaviour = TargetResult | { workMs: number; result?: TargetResult };

const JOB_ID = 'etl';

/** A world with one job that has a workflow. Its targets do what `behave` says, by the ids of tasks. */
export class WorkflowWorld {
  /** Ids of the tasks in the order of their calls; `load.3` for an item. Of plain jobs, their own ids. */
  readonly called: string[] = [];
  readonly behave: Record<string, TaskBehaviour> = {};
  private headers: Record<string, string> = {};

  private constructor(readonly world: PipelineWorld) {
    world.observe = ({ headers }) => {
      this.headers = headers;
      this.called.push(calledIn(headers));
    };
    world.behaviour = async (_, signal, clock) => {
      const behaviour =
        this.behave[calledIn(this.headers)] ?? this.behave[this.headers['quarterjack-task']!] ?? SUCCEEDED;
      if (!('workMs' in behaviour)) return behaviour;
      await clock.sleep(behaviour.workMs, signal);
      if (signal.aborted) return { outcome: 'retriable', error: 'call aborted' };
      return behaviour.result ?? SUCCEEDED;
    };
  }

  static async started(options?: WorldOptions): Promise<WorkflowWorld> {
    return new WorkflowWorld(await PipelineWorld.started(1, 30, options));
  }

  get lastHeaders(): Record<string, string> {
    return this.headers;
  }

  /** Saves the job. A task without `target` gets one; `target: null` makes it a join. */
  async save(tasks: Record<string, object>, fields: object = {}, workflow: object = {}): Promise<void> {
    const response = await this.world.api(
      'putJob',
      { jobId: JOB_ID },
      {
        schedule: { type: 'at', at: new Date(this.world.clock.nowMs() + 86_400_000 * 300).toISOString() },
        workflow: {
          tasks: Object.fromEntries(Object.entries(tasks).map(([id, task]) => [id, taskOf(task)])),
          ...workflow,
        },
        ...fields,
      },
    );
    if (response.status >= 300) throw new Error(JSON.stringify(response.body));
  }

  /** Runs the job, and returns the execId of the run. */
  async run(body?: object): Promise<string> {
    const response = await this.world.api('runJob', { jobId: JOB_ID }, body);
    if (response.status !== 202) throw new Error(JSON.stringify(response.body));
    return (response.body as { execId: string }).execId;
  }

  rows(): Execution[] {
    const jobKey = jobKeyOf({ userId: 'alice', jobId: JOB_ID });
    return this.world.tables
      .rows('executions')
      .filter(({ jobId }) => jobId === jobKey || String(jobId).startsWith(`${jobKey}#`))
      .filter(({ execId }) => !String(execId).startsWith('#'))
      .map((row) => executionOf(row));
  }

  /** The newest run's row. */
  get runRow(): Execution {
    return this.rows()
      .filter(({ execId }) => !isTaskExecution(execId))
      .toSorted((a, b) => (a.execId < b.execId ? 1 : -1))[0]!;
  }

  /** Rows of tasks by their ids; of items as `load.3`. */
  taskRows(): Record<string, Execution> {
    const tasks = this.rows().filter(({ execId }) => isTaskExecution(execId));
    return Object.fromEntries(
      tasks.map((row) => {
        const { task, item } = taskRefOf(row.execId)!;
        return [item === undefined ? task : `${task}.${item}`, row];
      }),
    );
  }

  /** Statuses of all tasks, as the API shows them. */
  async statuses(execId: string): Promise<Record<string, string>> {
    const { body } = await this.world.api('listTasks', { jobId: JOB_ID, execId });
    const { items } = body as { items: { taskId: string; status: string }[] };
    return Object.fromEntries(items.map(({ taskId, status }) => [taskId, status]));
  }

  readonly jobId = JOB_ID;
}

/** The task, the item, or the job without a workflow, that a delivery calls. */
const calledIn = (headers: Record<string, string>): string => {
  const item = headers['quarterjack-item'];
  const task = headers['quarterjack-task'] ?? headers['quarterjack-job']!;
  return task + (item === undefined ? '' : `.${item}`);
};

const TARGET = { type: 'http', url: 'https://example.com/hook' };

const taskOf = ({ target = TARGET, ...task }: { target?: object | null }): object =>
  target === null ? task : { ...task, target };
