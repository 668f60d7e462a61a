import type { JobDefinition } from '../../domain/job';
import { targetsOf } from '../../domain/job';
import type { HttpTarget, Target } from '../../domain/target';
import {
  type CheckRules,
  faultsIn,
  faultsOfPart,
  faultsOfText,
  type TemplateFault,
} from '../../templates/check';
import { RUN } from '../../templates/roots';
import type { Json } from '../../templates/syntax';
import { TemplateError } from '../../templates/template-error';
import { checkRenderedUrl, parseUrlTemplate, sampleUrl } from './url-template';

type Templated = Pick<JobDefinition, 'payload' | 'target' | 'targets'>;

const ROOTS = new Map([['run', RUN]]);
const RULES: CheckRules = { roots: ROOTS };

/**
 * The faults of a job's templates: texts of its payload, values of its headers, path and query of its URLs.
 *
 * @param secretNames the secrets that may stand in headers and in values of a query
 */
export const faultsOfJob = (job: Templated, secretNames: ReadonlySet<string>): TemplateFault[] => [
  ...(job.payload === undefined ? [] : faultsIn(job.payload as Json, 'payload', RULES)),
  ...targetsOf(job).flatMap((target, index) =>
    target.type === 'http'
      ? faultsOfTarget(target, job.targets ? `targets.${index}` : 'target', secretNames)
      : [],
  ),
];

function faultsOfTarget(target: HttpTarget, path: string, secrets: ReadonlySet<string>): TemplateFault[] {
  const faults = Object.entries(target.headers).flatMap(([name, value]) =>
    faultsOfText(value, { roots: ROOTS, secrets }).map((message) => ({
      path: `${path}.headers.${name}`,
      message,
    })),
  );
  return [
    ...faults,
    ...faultsOfUrl(target.url, secrets).map((message) => ({ path: `${path}.url`, message })),
  ];
}

function faultsOfUrl(url: string, secrets: ReadonlySet<string>): string[] {
  try {
    const parts = parseUrlTemplate(url);
    checkRenderedUrl(parts, sampleUrl(parts));
    return parts.flatMap(({ part, isQueryValue }) =>
      faultsOfPart(part, { roots: ROOTS, secrets: isQueryValue ? secrets : undefined }),
    );
  } catch (error) {
    if (error instanceof TemplateError) return [error.message];
    throw error;
  }
}

/** A target without faults, with sample values in its URL: for checks of its host and its form. */
export const sampleTarget = (target: Target): Target =>
  target.type === 'http' ? { ...target, url: sampleUrl(parseUrlTemplate(target.url)) } : target;
