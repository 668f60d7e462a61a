import type { Execution } from '../../domain/execution';
import { type Job, targetsOf } from '../../domain/job';
import type { HttpTarget, Target } from '../../domain/target';
import { isHeaderValue, MAX_HEADERS_BYTES, MAX_PAYLOAD_BYTES } from '../../domain/target-limits';
import { Renderer } from '../../templates/render';
import type { Json } from '../../templates/syntax';
import { TemplateError } from '../../templates/template-error';
import { renderUrl } from './url-template';
import { runValues } from './run-values';

/** The values of the secrets that templates may name. */
export type SecretValues = ReadonlyMap<string, string>;
export const NO_SECRETS: SecretValues = new Map();

/** The job as its targets get it, or why its templates cannot be rendered. */
export type RenderedJob = { job: Job } | { fault: string };

/**
 * Renders the templates of a job for one execution: payload, and headers and URLs of its targets. A payload
 * that the execution has of its own stays. Every attempt of the execution gets the same bytes. A job without
 * `templates` stays as it is.
 */
export function renderJob(job: Job, execution: Execution, secrets: SecretValues = NO_SECRETS): RenderedJob {
  if (!job.templates) return { job };
  const renderer = new Renderer(runValues(execution, job));
  try {
    const targets = targetsOf(job).map((target, index) =>
      renderTarget(target, job.targets ? `targets.${index}` : 'target', renderer, secrets),
    );
    const hasPayload = job.payload !== undefined && !execution.payload;
    return {
      job: {
        ...job,
        target: targets[0]!,
        ...(job.targets && { targets }),
        ...(hasPayload && { payload: at('payload', () => renderPayload(job.payload as Json, renderer)) }),
      },
    };
  } catch (error) {
    if (error instanceof TemplateError) return { fault: error.message };
    throw error;
  }
}

function renderPayload(payload: Json, renderer: Renderer): Json {
  const rendered = renderer.json(payload);
  const bytes = Buffer.byteLength(JSON.stringify(rendered));
  if (bytes <= MAX_PAYLOAD_BYTES) return rendered;
  throw new TemplateError(`renders to ${bytes} bytes as JSON; at most ${MAX_PAYLOAD_BYTES} are allowed`);
}

function renderTarget(target: Target, path: string, renderer: Renderer, secrets: SecretValues): Target {
  if (target.type !== 'http') return target;
  return {
    ...target,
    url: at(`${path}.url`, () => renderUrl(target.url, renderer, secrets)),
    headers: renderHeaders(target, path, renderer, secrets),
  };
}

function renderHeaders(
  { headers }: HttpTarget,
  path: string,
  renderer: Renderer,
  secrets: SecretValues,
): Record<string, string> {
  const rendered = Object.entries(headers).map(([name, value]): [name: string, value: string] => [
    name,
    at(`${path}.headers.${name}`, () => headerValue(renderer.text(value, { secrets }))),
  ]);
  const bytes = rendered.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > MAX_HEADERS_BYTES)
    throw new TemplateError(
      `${path}.headers: render to ${bytes} bytes; at most ${MAX_HEADERS_BYTES} are allowed`,
    );
  return Object.fromEntries(rendered);
}

function headerValue(text: string): string {
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
