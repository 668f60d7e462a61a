import {
  BatchStopJobRunCommand,
  GetJobCommand,
  GetJobRunCommand,
  GetJobRunsCommand,
  GlueClient,
  type JobRun,
  StartJobRunCommand,
} from '@aws-sdk/client-glue';

import { MINUTE_MS } from '../../clock/clock';
import { ERRAND_VARIABLE } from '../../contracts/errand-services';
import type { ErrandEventMessage } from '../../contracts/messages';
import { TARGET_RESOURCES } from '../../contracts/target-resources';
import type { GlueTarget } from '../../domain/target';
import { outputOf } from '../../domain/workflow/output';
import { arnOf } from '../arn';
import { type CallContext, clientIn } from '../call/aws-client';
import {
  errorOfEnd,
  failedProbe,
  failedStart,
  isNamed,
  startedAs,
  stringIn,
  withOwnRetries,
  withoutRoom,
} from './answers';
import type { ErrandEnd, ErrandEvent, ErrandKind, KnownErrand, Probed, Started } from './errand-kind';
import { findSince } from './find-since';
import { variablesOf } from './work-input';

/** Pages of runs that one question reads, the newest first. Each has 200 runs. */
const MAX_PAGES = 5;
const PAGE = 200;

const ARGUMENT = `--${ERRAND_VARIABLE}`;

const { service, prefix } = TARGET_RESOURCES.glue;
/** The name of a job, from its ARN. */
const nameOf = (glueJobArn: string): string => glueJobArn.split(`:${prefix}`)[1] ?? '';

interface Said {
  id: string;
  state: unknown;
  message: string;
}

/** Undefined: it has not ended. */
function endOf({ id, state, message }: Said): ErrandEnd | undefined {
  switch (state) {
    case 'SUCCEEDED':
      return { how: 'succeeded', body: `SUCCEEDED: ${id}`, output: outputOf({ jobRunId: id }) };
    case 'FAILED':
    case 'ERROR':
    case 'TIMEOUT':
    case 'EXPIRED':
      return { how: 'failed', error: errorOfEnd(state, message) };
    case 'STOPPED':
      return { how: 'stopped', error: errorOfEnd(state, message) };
    default:
      return undefined;
  }
}

/**
 * Runs of Glue jobs. A repeated start would be a second run: one that got no answer is asked for, by the
 * argument with the name of the errand. Events tell the id of a run alone.
 */
export const glue: ErrandKind = {
  async start({ target, limitMs, ...start }, { signal, ...context }): Promise<Started> {
    const { glueJobArn, arguments: own = {} } = target as GlueTarget;
    const known = Object.entries(variablesOf(start)).map(([name, value]) => [`--${name}`, value]);
    try {
      const { JobRunId: id } = await clientIn(GlueClient, context).send(
        new StartJobRunCommand({
          JobName: nameOf(glueJobArn),
          Arguments: { ...own, ...(Object.fromEntries(known) as Record<string, string>) },
          Timeout: Math.ceil(limitMs / MINUTE_MS),
        }),
        { abortSignal: signal },
      );
      return startedAs(id);
    } catch (error) {
      return startOfError(error, signal);
    }
  },

  async probe(errand, { signal, ...context }): Promise<Probed> {
    try {
      const run =
        errand.id === undefined ? await find(errand, context, signal) : await get(errand, context, signal);
      if (!run) return { state: 'none' };
      const { Id: id = '', JobRunState: state, ErrorMessage: message = '' } = run;
      const end = endOf({ id, state, message });
      if (!end) return { state: 'running', id };
      return { state: 'ended', end: await endOfMany(end, errand, context, signal) };
    } catch (error) {
      return isNamed(error, 'EntityNotFoundException') ? { state: 'none' } : failedProbe(error);
    }
  },

  async stop(errand, _why, { signal, ...context }): Promise<void> {
    const id = errand.id ?? (await find(errand, context, signal))?.Id;
    if (id === undefined) return;
    const { Errors: errors = [] } = await clientIn(GlueClient, context).send(
      new BatchStopJobRunCommand({ JobName: nameOf(errand.resource), JobRunIds: [id] }),
      { abortSignal: signal },
    );
    const [{ ErrorDetail: error } = {}] = errors;
    if (error) throw new Error(`${error.ErrorCode}: ${error.ErrorMessage}`);
  },

  ofEvent({ detail, region, account: accountId }: ErrandEventMessage): ErrandEvent | undefined {
    const [job, id, message = ''] = [detail.jobName, detail.jobRunId, detail.message].map(stringIn);
    if (job === undefined || id === undefined) return undefined;
    const end = endOf({ id, state: detail.state, message });
    const resource = arnOf({ service, region, accountId, resource: `${prefix}${job}` });
    // Whether Glue runs it again is said by its job alone.
    return end && { resource, id, end, ...(end.how === 'failed' && { mayTellMore: true }) };
  },
};

/** Glue says by errors of status 400 that it had no time. Then it is unknown whether it has started a run. */
function startOfError(error: unknown, signal: AbortSignal): Started {
  if (isNamed(error, 'OperationTimeoutException')) return { how: 'unknown', error: String(error) };
  const failed = failedStart(error, signal);
  return isNamed(error, 'ConcurrentRunsExceededException') ? withoutRoom(failed) : failed;
}

/** The end of a run that may not be the last one of its start. */
async function endOfMany(
  end: ErrandEnd,
  { resource }: KnownErrand,
  context: CallContext,
  abortSignal: AbortSignal,
): Promise<ErrandEnd> {
  if (end.how !== 'failed') return end;
  try {
    const { Job: job } = await clientIn(GlueClient, context).send(
      new GetJobCommand({ JobName: nameOf(resource) }),
      { abortSignal },
    );
    return withOwnRetries(end, 'MaxRetries of the job', job?.MaxRetries);
  } catch {
    // The end is known, and its job adds nothing but a hint: a role of a project may not read it.
    return end;
  }
}

async function get(
  { resource, id }: KnownErrand,
  context: CallContext,
  abortSignal: AbortSignal,
): Promise<JobRun | undefined> {
  const { JobRun: run } = await clientIn(GlueClient, context).send(
    new GetJobRunCommand({ JobName: nameOf(resource), RunId: id }),
    { abortSignal },
  );
  return run;
}

/** Undefined: no run since the start has this name. Throws if there are more runs than are read. */
function find(
  errand: KnownErrand,
  context: CallContext,
  abortSignal: AbortSignal,
): Promise<JobRun | undefined> {
  const { name, resource } = errand;
  const tooMany = `more than ${MAX_PAGES * PAGE} runs of ${resource} have begun since`;
  return findSince(
    errand,
    { maxPages: MAX_PAGES, tooMany },
    ({ Arguments: given }: JobRun) => given?.[ARGUMENT] === name,
    async (NextToken) => {
      const { JobRuns: items = [], NextToken: next } = await clientIn(GlueClient, context).send(
        new GetJobRunsCommand({ JobName: nameOf(resource), MaxResults: PAGE, NextToken }),
        { abortSignal },
      );
      return { items, startsMs: [items.at(-1)?.StartedOn?.getTime()], next };
    },
  );
}
