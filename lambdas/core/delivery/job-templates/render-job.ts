import { type Execution, payloadOf } from '../../domain/execution';
import { faultOfKeyValue, type Job, targetsOf } from '../../domain/job';
import { type ActionTarget, type HttpTarget, type Target, withTexts } from '../../domain/target';
import { misfitText } from '../../domain/payload-fit';
import { isHeaderValue, MAX_HEADERS_BYTES, MAX_PAYLOAD_BYTES } from '../../domain/target-limits';
import type { TaskData } from '../../domain/workflow/task-data';
import { hasReferences, secretReferenceTo } from '../../domain/secret-reference';
import { isSecretPart, parseTemplate } from '../../templates/parse';
import { Renderer } from '../../templates/render';
import type { Json } from '../../templates/syntax';
import { TemplateError } from '../../templates/template-error';
import { renderUrl } from './url-template';
import { runValues } from './run-values';

/** The job as its targets get it, or why its templates cannot be rendered. */
export type RenderedJob = { job: Job } | { fault: string };

/**
 * Renders the templates of a job for one execution: payload, and headers and URLs of its targets. A payload
 * that the execution has of its own stays. Every attempt of the execution gets the same bytes. A job without
 * `templates` stays as it is. References to secrets stay too: each call puts in the values.
 *
 * @param execution of a task, its run. What an event gave the run is no payload of the task
 * @param data only for a task: what its templates may name besides
 */
export function renderJob(job: Job, execution: Execution, data?: TaskData): RenderedJob {
  if (!job.templates) return { job };
  const values = runValues(execution, job, data);
  const roots: Record<string, Json> = { ...values.roots };
  const renderer = new Renderer({ ...values, roots });
  try {
    const own = hasTemplates(job, execution, data) && {
      payload: at('payload', () => renderPayload(job.payload as Json, renderer)),
    };
    // For the texts of an errand or action alone: the check of a job lets no other name it.
    roots.payload = payloadOf(givenTo(execution, data), { ...job, ...own }) as Json;
    const targets = targetsOf(job).map((target, index) =>
      renderTarget(target, job.targets ? `targets.${index}` : 'target', renderer),
    );
    return {
      job: {
        ...job,
        target: targets[0]!,
        ...(job.targets && { targets }),
        ...own,
      },
    };
  } catch (error) {
    if (error instanceof TemplateError) return { fault: error.message };
    throw error;
  }
}

/** A task is given no payload: it has its input. */
const givenTo = (execution: Execution, data: TaskData | undefined): Pick<Execution, 'payload'> =>
  data ? {} : execution;

/** Whether the payload is that of the job, or the input of a task. */
const hasTemplates = (job: Job, execution: Execution, data: TaskData | undefined): boolean =>
  job.payload !== undefined && !givenTo(execution, data).payload;

/**
 * As `renderJob`, for the targets. The payload of templates enters here, so it has to fit the schema of the
 * job. Any other one was checked when it was given. A payload without the value of its concurrency key is
 * refused, too.
 */
export async function renderChecked(job: Job, execution: Execution, data?: TaskData): Promise<RenderedJob> {
  const keyFault = faultOfKeyValue(job, execution);
  if (keyFault !== undefined) return { fault: keyFault };
  const rendered = renderJob(job, execution, data);
  const isFromTemplates = job.templates && hasTemplates(job, execution, data);
  if ('fault' in rendered || !job.payloadSchema || !isFromTemplates) return rendered;
  const fault = await misfitText(job, rendered.job.payload, 'payload');
  return fault === undefined ? rendered : { fault };
}

const renderInput = (input: ActionTarget['input'], renderer: Renderer): ActionTarget['input'] =>
  renderPayload(input as Json, renderer) as ActionTarget['input'];

/** A JSON value with its templates rendered, within the size of a payload. */
function renderPayload(payload: Json, renderer: Renderer): Json {
  const rendered = renderer.json(payload);
  const bytes = Buffer.byteLength(JSON.stringify(rendered));
  if (bytes <= MAX_PAYLOAD_BYTES) return rendered;
  throw new TemplateError(`renders to ${bytes} bytes as JSON; at most ${MAX_PAYLOAD_BYTES} are allowed`);
}

function renderTarget(target: Target, path: string, renderer: Renderer): Target {
  if (target.type === 'aws')
    return { ...target, input: at(`${path}.input`, () => renderInput(target.input, renderer)) };
  if (target.type !== 'http')
    return withTexts(target, (text, of) => at(`${path}.${of}`, () => renderer.text(parseTemplate(text))));
  return {
    ...target,
    url: at(`${path}.url`, () => renderUrl(target.url, renderer)),
    headers: renderHeaders(target, path, renderer),
  };
}

function renderHeaders({ headers }: HttpTarget, path: string, renderer: Renderer): Record<string, string> {
  const rendered = Object.entries(headers).map(([name, value]): [name: string, value: string] => [
    name,
    at(`${path}.headers.${name}`, () => headerValue(value, renderer)),
  ]);
  const bytes = rendered.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > MAX_HEADERS_BYTES)
    throw new TemplateError(
      `${path}.headers: render to ${bytes} bytes; at most ${MAX_HEADERS_BYTES} are allowed`,
    );
  return Object.fromEntries(rendered);
}

/** Throws `TemplateError` also if a value that was put in would be read as a reference to a secret. */
function headerValue(template: string, renderer: Renderer): string {
  const parts = parseTemplate(template);
  const text = parts
    .map((part) => (isSecretPart(part) ? secretReferenceTo(part.name) : renderer.text([part])))
    .join('');
  if (
    !hasReferences(
      text,
      parts.filter(isSecretPart).map(({ name }) => name),
    )
  )
    throw new TemplateError('renders to a text that names a secret: only the template itself may');
  if (isHeaderValue(text)) return text;
  throw new TemplateError('renders to characters that are not printable ASCII');
}

/** Runs `render`. A `TemplateError` that it throws gets the field in front of its message. */
function at<T>(field: string, render: () => T): T {
  try {
    return render();
  } catch (error) {
    throw error instanceof TemplateError ? new TemplateError(`${field}: ${error.message}`) : error;
  }
}
