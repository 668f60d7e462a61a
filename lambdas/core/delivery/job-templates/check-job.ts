import type { JobDefinition } from '../../domain/job';
import { targetsOf } from '../../domain/job';
import { secretNameIn } from '../../domain/secret-reference';
import { type HttpTarget, type Target, withTexts } from '../../domain/target';
import { isSecretUrl } from '../../domain/target-secrets';
import {
  type CheckRules,
  faultsIn,
  faultsOfPart,
  faultsOfText,
  type TemplateFault,
} from '../../templates/check';
import { type Root, type Roots, RUN } from '../../templates/roots';
import type { Json } from '../../templates/syntax';
import { TemplateError } from '../../templates/template-error';
import { checkRenderedUrl, parseUrlTemplate, sampleUrl } from './url-template';

type Templated = Pick<JobDefinition, 'payload' | 'target' | 'targets'>;

const ROOTS: Roots = new Map([['run', RUN]]);

/**
 * The faults of a job's templates: texts of its payload, values of its headers, path and query of its URLs.
 *
 * @param secrets the names of those that may stand in headers and in values of a query
 * @param roots those of the templates; absent: `run` alone
 */
export const faultsOfJob = (
  job: Templated,
  secrets: ReadonlySet<string>,
  roots: Roots = ROOTS,
): TemplateFault[] => [
  ...(job.payload === undefined ? [] : faultsIn(job.payload as Json, 'payload', { roots })),
  ...targetsOf(job).flatMap((target, index) =>
    target.type === 'http'
      ? faultsOfTarget(target, job.targets ? `targets.${index}` : 'target', { roots, secrets })
      : faultsOfErrand(target, { roots }),
  ),
];

type TargetRules = Required<CheckRules>;

function faultsOfTarget(target: HttpTarget, path: string, rules: TargetRules): TemplateFault[] {
  const faults = Object.entries(target.headers).flatMap(([name, value]) =>
    faultsOfText(value, rules).map((message) => ({
      path: `${path}.headers.${name}`,
      message,
    })),
  );
  return [...faults, ...faultsOfUrl(target.url, rules).map((message) => ({ path: `${path}.url`, message }))];
}

/** The faults of what executions of a job are found by. A workflow has no payload that they could name. */
export function faultsOfLabels({
  runTags = [],
  externalId,
  workflow,
}: Pick<JobDefinition, 'runTags' | 'externalId' | 'workflow'>): TemplateFault[] {
  const rules: CheckRules = { roots: workflow ? ROOTS : new Map([...ROOTS, ['payload', PAYLOAD]]) };
  return [
    ...faultsIn(runTags, 'runTags', rules),
    ...(externalId === undefined ? [] : faultsIn(externalId, 'externalId', rules)),
  ];
}

/** Any JSON: what a path finds in it is known when it is rendered. */
const PAYLOAD: Root = { faultOf: () => undefined };

/**
 * Faults in the texts of an errand or an action, which is the only target of its job. They may name its
 * payload.
 */
function faultsOfErrand(target: Target, { roots }: { roots: Roots }): TemplateFault[] {
  const faults: TemplateFault[] = [];
  const rules: CheckRules = { roots: new Map([...roots, ['payload', PAYLOAD]]) };
  if (target.type === 'aws') return faultsIn(target.input as Json, 'target.input', rules);
  withTexts(target, (text, path) => {
    faults.push(...faultsOfText(text, rules).map((message) => ({ path: `target.${path}`, message })));
    return text;
  });
  return faults;
}

function faultsOfUrl(url: string, { roots, secrets }: TargetRules): string[] {
  if (secretNameIn(url) !== undefined) return []; // it is no template
  try {
    const parts = parseUrlTemplate(url);
    checkRenderedUrl(parts, sampleUrl(parts));
    return parts.flatMap(({ part, isQueryValue }) =>
      faultsOfPart(part, { roots, secrets: isQueryValue ? secrets : undefined }),
    );
  } catch (error) {
    if (error instanceof TemplateError) return [error.message];
    throw error;
  }
}

/** A target without faults, with sample values in its URL: for checks of its host and its form. */
export const sampleTarget = <T extends Target>(target: T): T =>
  target.type === 'http' && !isSecretUrl(target)
    ? { ...target, url: sampleUrl(parseUrlTemplate(target.url)) }
    : target;
