import {
  BatchGetBuildsCommand,
  type Build,
  CodeBuildClient,
  ListBuildsForProjectCommand,
  StartBuildCommand,
  StopBuildCommand,
} from '@aws-sdk/client-codebuild';

import { MINUTE_MS } from '../../clock/clock';
import type { ErrandEventMessage } from '../../contracts/messages';
import { TARGET_RESOURCES } from '../../contracts/target-resources';
import type { CodeBuildTarget } from '../../domain/target';
import { outputOf } from '../../domain/workflow/output';
import { arnOf } from '../arn';
import { type CallContext, clientIn } from '../call/aws-client';
import {
  errorOfEnd,
  failedProbe,
  failedStart,
  isNamed,
  probedOf,
  refusedInput,
  startedAs,
  stringIn,
  withOwnRetries,
} from './answers';
import type { ErrandEnd, ErrandEvent, ErrandKind, KnownErrand, Probed, Started } from './errand-kind';
import { findSince } from './find-since';
import { environmentOf, errandInEnvironment } from './work-input';

/** Pages of builds that one question reads, the newest first. Each has at most 100 builds. */
const MAX_PAGES = 3;
/** What CodeBuild takes as the limit of a build, in minutes. */
const [MIN_LIMIT, MAX_LIMIT] = [5, 2_160];
/** What CodeBuild allows for the value of a variable. */
const MAX_VALUE_LENGTH = 5_500;

const { service, prefix } = TARGET_RESOURCES.codebuild;
/** The name of a project, from its ARN. */
const nameOf = (projectArn: string): string => projectArn.split(`:${prefix}`)[1] ?? '';

interface Said {
  id: string;
  status: unknown;
  message: string;
  /** Where its logs are. */
  logs: string | undefined;
}

/** Undefined: it has not ended. */
function endOf({ logs, ...said }: Said): ErrandEnd | undefined {
  const end = outcomeOf(said);
  return end && { ...end, ...(logs !== undefined && { logs }) };
}

function outcomeOf({ id, status, message }: Omit<Said, 'logs'>): ErrandEnd | undefined {
  switch (status) {
    case 'SUCCEEDED':
      return { how: 'succeeded', body: `SUCCEEDED: ${id}`, output: outputOf({ buildId: id }) };
    case 'FAILED':
    case 'FAULT':
    case 'TIMED_OUT':
      return { how: 'failed', error: errorOfEnd(status, message) };
    case 'STOPPED':
      return { how: 'stopped', error: errorOfEnd(status, message) };
    default:
      return undefined;
  }
}

/** The phase of a build that did not succeed, with what is said of it. */
function messageIn(phases: readonly { phaseType?: string; phaseStatus?: string; said: string }[]): string {
  const failed = phases.find(({ phaseStatus }) => phaseStatus !== undefined && phaseStatus !== 'SUCCEEDED');
  return failed ? [failed.phaseType, failed.said].filter(Boolean).join(': ') : '';
}

function endOfBuild(build: Build): ErrandEnd | undefined {
  const { id = '', buildStatus: status, phases = [], logs, autoRetryConfig } = build;
  const end = endOf({
    id,
    status,
    logs: logs?.deepLink,
    message: messageIn(
      phases.map(({ phaseType, phaseStatus, contexts = [] }) => ({
        ...{ phaseType, phaseStatus },
        said: contexts
          .map(({ statusCode, message }) => [statusCode, message].filter(Boolean).join(': '))
          .join('; '),
      })),
    ),
  });
  return end && withOwnRetries(end, 'autoRetryLimit of the project', autoRetryConfig?.autoRetryLimit);
}

/**
 * Builds of CodeBuild projects. For five minutes, the name is the token of a start; later it is asked for.
 */
export const codebuild: ErrandKind = {
  async start({ target, name, limitMs, ...start }, { signal, ...context }): Promise<Started> {
    const { projectArn, environment } = target as CodeBuildTarget;
    const variables = environmentOf({ name, ...start }, environment);
    const long = variables.find(({ value }) => value.length > MAX_VALUE_LENGTH);
    if (long)
      return refusedInput(
        `${long.name} has ${long.value.length} characters; CodeBuild allows ${MAX_VALUE_LENGTH} for a variable`,
      );
    try {
      const { build } = await clientIn(CodeBuildClient, context).send(
        new StartBuildCommand({
          projectName: nameOf(projectArn),
          idempotencyToken: name,
          environmentVariablesOverride: variables.map((one) => ({ ...one, type: 'PLAINTEXT' })),
          timeoutInMinutesOverride: Math.min(MAX_LIMIT, Math.max(MIN_LIMIT, Math.ceil(limitMs / MINUTE_MS))),
        }),
        { abortSignal: signal },
      );
      return startedAs(build?.id);
    } catch (error) {
      return startOfError(error, signal);
    }
  },

  async probe(errand, { signal, ...context }): Promise<Probed> {
    try {
      const build =
        errand.id === undefined
          ? await find(errand, context, signal)
          : (await buildsOf([errand.id], context, signal))[0];
      return build ? seenOf(build, build.id!) : { state: 'none' };
    } catch (error) {
      return failedProbe(error);
    }
  },

  probeMany: (errands, { signal, ...context }) =>
    probedOf(errands, (ids) => buildsOf(ids, context, signal), { idOf: ({ id }) => id, seen: seenOf }),

  async stop(errand, _why, { signal, ...context }): Promise<void> {
    const id = errand.id ?? (await find(errand, context, signal))?.id;
    if (id === undefined) return;
    await clientIn(CodeBuildClient, context).send(new StopBuildCommand({ id }), { abortSignal: signal });
  },

  ofEvent({ detail, region, account: accountId }: ErrandEventMessage): ErrandEvent | undefined {
    const { environment, phases, logs } = (detail['additional-information'] ?? {}) as {
      environment?: { 'environment-variables'?: unknown };
      phases?: Record<string, unknown>[];
      logs?: { 'deep-link'?: unknown };
    };
    const project = stringIn(detail['project-name']);
    const [, id] = stringIn(detail['build-id'])?.split(':build/') ?? [];
    const name = errandInEnvironment(environment?.['environment-variables']);
    if (project === undefined || id === undefined || name === undefined) return undefined;
    const message = messageIn(Array.isArray(phases) ? phases.map(phaseInEvent) : []);
    const end = endOf({
      ...{ id, status: detail['build-status'], message },
      logs: stringIn(logs?.['deep-link']),
    });
    const resource = arnOf({ service, region, accountId, resource: `${prefix}${project}` });
    // Whether CodeBuild builds it again is said by the build alone.
    return end && { name, resource, id, end, ...(end.how === 'failed' && { mayTellMore: true }) };
  },
};

const phaseInEvent = (phase: Record<string, unknown>) => {
  const contexts = phase['phase-context'];
  return {
    phaseType: stringIn(phase['phase-type']),
    phaseStatus: stringIn(phase['phase-status']),
    said: Array.isArray(contexts)
      ? contexts.filter((one) => typeof one === 'string' && one !== ': ').join('; ')
      : '',
  };
};

/** A token that was used with other parameters has started a build. */
function startOfError(error: unknown, signal: AbortSignal): Started {
  const said = error instanceof Error ? error.message : '';
  if (isNamed(error, 'InvalidInputException') && /idempoten|token/i.test(said)) return { how: 'started' };
  return failedStart(error, signal);
}

function seenOf(build: Build, id: string): Probed {
  const end = endOfBuild(build);
  return end ? { state: 'ended', end } : { state: 'running', id };
}

async function buildsOf(ids: string[], context: CallContext, abortSignal: AbortSignal): Promise<Build[]> {
  const { builds = [] } = await clientIn(CodeBuildClient, context).send(new BatchGetBuildsCommand({ ids }), {
    abortSignal,
  });
  return builds;
}

/** Undefined: no build since the start has this name. Throws if there are more builds than are read. */
function find(
  errand: KnownErrand,
  context: CallContext,
  abortSignal: AbortSignal,
): Promise<Build | undefined> {
  const { name, resource } = errand;
  return findSince(
    errand,
    { maxPages: MAX_PAGES, tooMany: `more builds of ${resource} have begun since than are read` },
    ({ environment }: Build) => errandInEnvironment(environment?.environmentVariables) === name,
    async (nextToken) => {
      const { ids = [], nextToken: next } = await clientIn(CodeBuildClient, context).send(
        new ListBuildsForProjectCommand({
          projectName: nameOf(resource),
          sortOrder: 'DESCENDING',
          nextToken,
        }),
        { abortSignal },
      );
      const items = ids.length > 0 ? await buildsOf(ids, context, abortSignal) : [];
      return { items, startsMs: items.map(({ startTime }) => startTime?.getTime()), next };
    },
  );
}
