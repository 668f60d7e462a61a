import { type Execution, payloadOf } from '../../domain/execution';
import type { Job } from '../../domain/job';
import { type RunLabels, labelsRuns } from '../../domain/run-labels';
import { MAX_RUN_TAGS, RunTag } from '../../http/fields';
import { Renderer } from '../../templates/render';
import type { Json } from '../../templates/syntax';
import { TemplateError } from '../../templates/template-error';
import { renderJob } from './render-job';
import { runValues } from './run-values';

/**
 * What an execution that ends is found by. What its request says comes first, then what the templates of its
 * job say. A template that has no value, or makes a text that is none, is left out and counted: it fails no
 * execution. What an earlier end of the execution has said stays.
 */
export function labelsOf(execution: Execution, job: Job): RunLabels {
  if (!labelsRuns(job)) return {};
  const renderer = new Renderer(labelValues(execution, job));
  const rendered = (job.runTags ?? []).map((template) => labelIn(template, renderer));
  const all = new Set([...(execution.runTags ?? []), ...rendered.filter((tag) => tag !== undefined)]);
  const runTags = [...all].slice(0, MAX_RUN_TAGS);
  const named = execution.externalId === undefined && job.externalId !== undefined;
  const externalId = named ? labelIn(job.externalId!, renderer) : execution.externalId;
  const isUnnamed = named && externalId === undefined;
  const leftOut = rendered.filter((tag) => tag === undefined).length + all.size - runTags.length;
  const tagsLeftOut = leftOut + (isUnnamed ? 1 : 0);
  return {
    ...(runTags.length > 0 && { runTags }),
    ...(externalId !== undefined && { externalId }),
    ...(tagsLeftOut > 0 && { tagsLeftOut }),
  };
}

/** A payload that could not be rendered has no value: its templates are none. */
function labelValues(execution: Execution, job: Job) {
  const values = runValues(execution, job);
  const rendered = renderJob(job, execution);
  const payload = payloadOf(execution, 'fault' in rendered ? {} : rendered.job);
  return {
    ...values,
    roots: { ...values.roots, ...(payload !== undefined && { payload: payload as Json }) },
  };
}

/** Undefined: it cannot be rendered, or is no label. */
function labelIn(template: string, renderer: Renderer): string | undefined {
  try {
    const read = RunTag.safeParse(renderer.text(template));
    return read.success ? read.data : undefined;
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}
