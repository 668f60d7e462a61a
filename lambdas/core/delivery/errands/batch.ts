import {
  BatchClient,
  DescribeJobsCommand,
  type JobDetail,
  ListJobsCommand,
  SubmitJobCommand,
  type SubmitJobCommandInput,
  TerminateJobCommand,
} from '@aws-sdk/client-batch';

import { SECOND_MS } from '../../clock/clock';
import type { ErrandEventMessage } from '../../contracts/messages';
import type { BatchTarget } from '../../domain/target';
import { type CallContext, clientIn } from '../call/aws-client';
import {
  failedProbe,
  failedStart,
  isOfRevision,
  probedOf,
  refusedInput,
  startedAs,
  stringIn,
} from './answers';
import { endOfJob } from './batch-end';
import type { ErrandEvent, ErrandKind, ErrandStart, KnownErrand, Probed, Started } from './errand-kind';
import { environmentOf, faultOfOverrides } from './work-input';

/** What Batch allows for a job in all, as JSON. */
const MAX_JOB_BYTES = 30 * 1_024;
/** The shortest limit of an attempt that Batch takes. */
const MIN_LIMIT_SEC = 60;

function jobOf(
  target: BatchTarget,
  start: Pick<ErrandStart, 'name' | 'input' | 'run' | 'limitMs'>,
): { job: SubmitJobCommandInput } | { fault: string } {
  const { jobDefinitionArn, jobQueueArn, environment, parameters, command, vcpus, memory } = target;
  const resources = [
    ...(vcpus === undefined ? [] : [{ type: 'VCPU' as const, value: String(vcpus) }]),
    ...(memory === undefined ? [] : [{ type: 'MEMORY' as const, value: String(memory) }]),
  ];
  const containerOverrides = {
    environment: environmentOf(start, environment),
    ...(command && { command }),
    ...(resources.length > 0 && { resourceRequirements: resources }),
  };
  const job = {
    jobName: start.name,
    jobQueue: jobQueueArn,
    jobDefinition: jobDefinitionArn,
    containerOverrides,
    ...(parameters && { parameters }),
    timeout: { attemptDurationSeconds: Math.max(MIN_LIMIT_SEC, Math.ceil(start.limitMs / SECOND_MS)) },
  };
  const fault = faultOfOverrides(containerOverrides);
  if (fault !== undefined) return { fault };
  const bytes = Buffer.byteLength(JSON.stringify(job));
  return bytes <= MAX_JOB_BYTES
    ? { job }
    : {
        fault: `payload, parameters and environment make a job of ${bytes} bytes; Batch allows ${MAX_JOB_BYTES}`,
      };
}

/**
 * Jobs of Batch. A repeated start would be a second job. So one that got no answer is asked for by the name
 * of the errand, which is that of the job.
 */
export const batch: ErrandKind = {
  async start({ target, ...start }, { signal, ...context }): Promise<Started> {
    const made = jobOf(target as BatchTarget, start);
    if ('fault' in made) return refusedInput(made.fault);
    try {
      const { jobId: id } = await clientIn(BatchClient, context).send(new SubmitJobCommand(made.job), {
        abortSignal: signal,
      });
      return startedAs(id);
    } catch (error) {
      return failedStart(error, signal);
    }
  },

  async probe(errand, { signal, ...context }): Promise<Probed> {
    try {
      const jobId = errand.id ?? (await find(errand, context, signal));
      if (jobId === undefined) return { state: 'none' };
      const [job] = await jobsOf([jobId], context, signal);
      return job ? seenOf(job, jobId) : { state: 'none' };
    } catch (error) {
      return failedProbe(error);
    }
  },

  probeMany: (errands, { signal, ...context }) =>
    probedOf(errands, (ids) => jobsOf(ids, context, signal), { idOf: ({ jobId }) => jobId, seen: seenOf }),

  async stop(errand, reason, { signal, ...context }): Promise<void> {
    const jobId = errand.id ?? (await find(errand, context, signal));
    if (jobId === undefined) return;
    await clientIn(BatchClient, context).send(new TerminateJobCommand({ jobId, reason }), {
      abortSignal: signal,
    });
  },

  ofEvent({ detail }: ErrandEventMessage): ErrandEvent | undefined {
    const [name, resource, id] = [detail.jobName, detail.jobDefinition, detail.jobId].map(stringIn);
    const end = endOfJob(detail);
    return name !== undefined && resource !== undefined && id !== undefined && end
      ? { name, resource, id, end }
      : undefined;
  },

  isSame: isOfRevision,
};

function seenOf(job: JobDetail, id: string): Probed {
  const end = endOfJob(job);
  return end ? { state: 'ended', end } : { state: 'running', id };
}

async function jobsOf(jobs: string[], context: CallContext, abortSignal: AbortSignal): Promise<JobDetail[]> {
  const describe = new DescribeJobsCommand({ jobs });
  return (await clientIn(BatchClient, context).send(describe, { abortSignal })).jobs ?? [];
}

/** Undefined: the queue lists no such job. The filter takes any status, and no account of case. */
async function find(
  { name, runsIn: jobQueue }: KnownErrand,
  context: CallContext,
  abortSignal: AbortSignal,
): Promise<string | undefined> {
  const { jobSummaryList: found = [] } = await clientIn(BatchClient, context).send(
    new ListJobsCommand({ jobQueue, filters: [{ name: 'JOB_NAME', values: [name] }] }),
    { abortSignal },
  );
  return found.find(({ jobName }) => jobName === name)?.jobId;
}
