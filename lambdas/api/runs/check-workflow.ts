import type { WorkflowCheckView } from '../../core/http/openapi/workflow-answers';
import { JobBody } from '../../core/http/job';
import { CheckWorkflowBody } from '../../core/http/workflow-queries';
import { execIdOfOccurrence, jobKeyOf } from '../../core/contracts/tables';
import { renderJob } from '../../core/delivery/job-templates/render-job';
import { runValues } from '../../core/delivery/job-templates/run-values';
import type { Job } from '../../core/domain/job';
import { FIRST_CHANGE } from '../../core/domain/job-revision';
import type { Execution } from '../../core/domain/execution';
import { branchTaken } from '../../core/domain/workflow/conditions';
import { renderedOutput } from '../../core/ending/runs/run-output';
import { itemsMadeBy } from '../../core/ending/runs/fan-outs/list-items';
import { hasWork } from '../../core/domain/workflow/definition';
import { type Graph, graphOf, levelsOf } from '../../core/domain/workflow/graph';
import { faultsOfParams, type Params } from '../../core/domain/workflow/params';
import type { RunTask } from '../../core/domain/workflow/run-task';
import { dollarsOf, letTake, sampleRun, writesOf } from '../../core/domain/workflow/sample-run';
import { outputData, taskData } from '../../core/domain/workflow/task-data';
import { taskJobOf } from '../../core/domain/workflow/task-job';
import type { Json } from '../../core/templates/syntax';
import { Renderer } from '../../core/templates/render';
import { TemplateError } from '../../core/templates/template-error';
import { checkDefinition, definitionOf } from '../jobs/definition';
import { type FieldError, invalid, ProblemError } from '../http/problem';
import { parseWith, readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 200 with the faults of a workflow, or with what its tasks would get: by given parameters, a due time and
 * outputs of tasks. It is checked as in a job, and nothing is written. `unrendered` says which inputs need an
 * output that was not given.
 */
export async function checkWorkflow(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const body = readBody(request, CheckWorkflowBody);
  const job = await checkedJob(request, body, deps);
  if (Array.isArray(job)) {
    const faulty: WorkflowCheckView = {
      errors: job,
      levels: [],
      rendered: {},
      unrendered: {},
      estimate: null,
    };
    return { status: 200, body: faulty };
  }
  const graph = graphOf(job.workflow!.content!);
  const params = (body.params ?? {}) as Params;
  const errors = [
    ...faultsOfParams(graph.workflow.params, params),
    ...faultsOfOutputs(graph, body.outputs ?? {}),
  ];
  if (errors.length > 0) throw invalid(errors);
  const dueAtMs = body.dueAt ?? deps.clock.nowMs();
  const { items, ...views } = renderTasks(graph, job, {
    params,
    outputs: (body.outputs ?? {}) as Record<string, Json>,
    dueAtMs,
  });
  const writes = writesOf(graph, items);
  const view: WorkflowCheckView = {
    errors: [],
    levels: levelsOf(graph.workflow),
    ...views,
    estimate: { writes, dollars: dollarsOf(writes) },
  };
  return { status: 200, body: view };
}

/** A job with this workflow, or the faults of the workflow. */
async function checkedJob(
  request: ApiRequest,
  { workflow, schedule = { type: 'none' } }: { workflow?: unknown; schedule?: unknown },
  deps: ApiDeps,
): Promise<Job | FieldError[]> {
  try {
    const definition = definitionOf(parseWith({ schedule, workflow }, JobBody));
    const checked = await checkDefinition(definition, request, deps);
    const nowMs = deps.clock.nowMs();
    return {
      ...checked,
      userId: request.project,
      jobId: 'workflow',
      status: 'active',
      generation: 1,
      changeNumber: FIRST_CHANGE,
      revision: '',
      etag: '',
      createdAtMs: 0,
      updatedAtMs: nowMs,
      scheduleChangedAtMs: nowMs,
      activeSinceMs: nowMs,
    };
  } catch (error) {
    if (error instanceof ProblemError && error.errors) return [...error.errors];
    throw error;
  }
}

const faultsOfOutputs = (graph: Graph, outputs: object): FieldError[] =>
  Object.keys(outputs)
    .filter((id) => !graph.indexOf.has(id))
    .map((id) => ({ path: `outputs.${id}`, message: 'is the output of no task' }));

interface Given {
  params: Params;
  outputs: Record<string, Json>;
  dueAtMs: number;
}

function renderTasks(
  graph: Graph,
  job: Job,
  { params, outputs, dueAtMs }: Given,
): Pick<WorkflowCheckView, 'rendered' | 'unrendered' | 'output'> & { items: Map<number, number> } {
  const execId = execIdOfOccurrence(dueAtMs);
  const { run, rows } = sampleRun(graph, { jobKey: jobKeyOf(job), execId, dueAtMs, outputs });
  const rendered: WorkflowCheckView['rendered'] = {};
  const unrendered: WorkflowCheckView['unrendered'] = {};
  const items = new Map<number, number>();
  for (const index of graph.order) {
    const { id, task } = graph.tasks[index]!;
    if (task.switch) takeBranch({ run, graph, index }, job, rows, params);
    if (!hasWork(task)) continue;
    const data = taskData({ run, graph, index }, rows, params);
    if (task.forEach) {
      const listed = itemsMadeBy(task.forEach, run, job, data);
      if ('fault' in listed) {
        unrendered[id] = listed.fault;
        continue;
      }
      items.set(index, listed.items.length);
      const count = listed.items.length;
      const row = rows.get(index);
      if (row) row.items = { count, succeeded: count, failed: 0, cancelled: 0 };
      if (listed.items.length === 0) continue;
      data.item = { value: listed.items[0]!, index: 0 };
    }
    const made = renderJob(taskJobOf(job, run, graph, index), run, data);
    if ('fault' in made) unrendered[id] = made.fault.replace(/^payload: /, 'input: ');
    else rendered[id] = made.job.payload ?? null;
  }
  const data = outputData({ run, graph, end: { status: 'succeeded', failedTasks: [] } }, rows, params);
  const made = graph.workflow.output === undefined ? undefined : renderedOutput(graph, run, job, data);
  const output = made && 'output' in made && { output: JSON.parse(made.output) as unknown };
  return { rendered, unrendered, items, ...output };
}

/** A switch whose value is not known takes no branch. */
function takeBranch(task: RunTask, job: Job, rows: ReadonlyMap<number, Execution>, params: Params): void {
  const { run, graph, index } = task;
  try {
    const renderer = new Renderer(runValues(run, job, taskData(task, rows, params)));
    letTake(run, index, branchTaken(graph.tasks[index]!.task.switch!, renderer));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
  }
}
