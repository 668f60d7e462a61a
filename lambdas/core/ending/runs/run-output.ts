import { runValues } from '../../delivery/job-templates/run-values';
import type { StageDeps } from '../../deps';
import type { Execution, Run } from '../../domain/execution';
import type { Reason } from '../../domain/reason';
import type { Job } from '../../domain/job';
import { MAX_OUTPUT_BYTES } from '../../domain/workflow/definition';
import type { Graph } from '../../domain/workflow/graph';
import type { endOfRun } from '../../domain/workflow/progress';
import { readsOf } from '../../domain/workflow/references';
import { outputData, type TaskData } from '../../domain/workflow/task-data';
import { Renderer } from '../../templates/render';
import { TemplateError } from '../../templates/template-error';
import { readTaskRows } from './read-task-data';

/** What a run returns, as JSON; or why it cannot. Undefined: its workflow has no output. */
export type RunOutput = { output: string } | { fault: string; reason: Reason } | undefined;

interface EndingRun {
  run: Run;
  graph: Graph;
  end: ReturnType<typeof endOfRun>;
}

/** Renders the output of a run whose tasks have all ended. */
export async function outputOfRun(ending: EndingRun, job: Job, deps: StageDeps): Promise<RunOutput> {
  const { run, graph } = ending;
  if (graph.workflow.output === undefined) return undefined;
  const reads = readsOf(graph).output;
  const [rows, input] = await Promise.all([
    readTaskRows(run, graph, reads.tasks, deps),
    reads.params && run.hasParams ? deps.runInputs.get(run) : undefined,
  ]);
  return renderedOutput(graph, run, job, outputData(ending, rows, input?.params));
}

/** The output that a workflow makes of given data. */
export function renderedOutput(graph: Graph, run: Execution, job: Job, data: TaskData): RunOutput {
  try {
    const output = JSON.stringify(new Renderer(runValues(run, job, data)).json(graph.workflow.output!));
    const bytes = Buffer.byteLength(output);
    if (bytes <= MAX_OUTPUT_BYTES) return { output };
    const fault = `output: has ${bytes} bytes as JSON; at most ${MAX_OUTPUT_BYTES} are allowed`;
    return { fault, reason: 'output-too-large' };
  } catch (error) {
    if (error instanceof TemplateError) return { fault: `output: ${error.message}`, reason: 'bad-input' };
    throw error;
  }
}
