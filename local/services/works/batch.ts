import * as z from 'zod';

import {
  type AwsReply,
  type AwsService,
  awsError,
  type Permission,
  readingWith,
  restJson,
} from '../aws-call';
import type { ExternalResources } from '../external-resources';
import type { EndEvent } from '../step-functions/execution';
import { servedWorks } from './served';
import { endEvent, placeOf, type Work, type Works } from './works';

const SubmitJob = z.looseObject({
  jobName: z.string(),
  jobQueue: z.string(),
  jobDefinition: z.string(),
  containerOverrides: z.looseObject({ environment: z.array(z.unknown()).optional() }).optional(),
});
const DescribeJobs = z.object({ jobs: z.array(z.string()).min(1).max(100) });
const ListJobs = z.object({
  jobQueue: z.string(),
  filters: z
    .array(z.object({ name: z.literal('JOB_NAME'), values: z.array(z.string()).length(1) }))
    .length(1),
});
const TerminateJob = z.object({ jobId: z.string(), reason: z.string() });

const OPERATIONS: Readonly<Record<string, string>> = {
  '/v1/submitjob': 'SubmitJob',
  '/v1/describejobs': 'DescribeJobs',
  '/v1/listjobs': 'ListJobs',
  '/v1/terminatejob': 'TerminateJob',
};

/** The latest revision of a definition is its first one here. */
const revisionOf = (definition: string): string =>
  /:\d+$/.test(definition) ? definition : `${definition}:1`;

function endOf({ ended, why }: Work) {
  if (ended === undefined) return { status: 'RUNNING' };
  if (ended === 'stopped') return { status: 'FAILED', statusReason: why, isTerminated: true };
  if (ended === 'host-gone')
    return { status: 'FAILED', statusReason: 'Host EC2 (instance i-0123456789abcdef0) terminated.' };
  const exitCode = Number(ended.split('-')[1]);
  return {
    status: exitCode === 0 ? 'SUCCEEDED' : 'FAILED',
    statusReason: 'Essential container in task exited',
    exitCode,
  };
}

/** As `DescribeJobs` answers, and as events tell it. */
function described(work: Work) {
  const { request, startedMs, stoppedMs, id } = work;
  const { exitCode, ...end } = endOf(work);
  const overrides = request.containerOverrides as { environment?: unknown } | undefined;
  return {
    isCancelled: false,
    isTerminated: false,
    ...end,
    jobArn: work.arn,
    jobId: id,
    jobName: work.name,
    jobQueue: request.jobQueue,
    jobDefinition: revisionOf(String(request.jobDefinition)),
    createdAt: startedMs,
    startedAt: startedMs,
    ...(stoppedMs !== undefined && { stoppedAt: stoppedMs }),
    parameters: request.parameters ?? {},
    container: {
      environment: overrides?.environment ?? [],
      logStreamName: `${work.of}/default/${id.replaceAll('-', '')}`,
      ...(exitCode !== undefined && { exitCode }),
    },
  };
}

export const batchEventOf = (work: Work, id: string): EndEvent =>
  endEvent(work, id, {
    source: 'aws.batch',
    detailType: 'Batch Job State Change',
    at: work.arn,
    detail: described(work),
  });

const reading = readingWith('ClientException');

/** Batch for queues outside the stack, as far as the stages call it. Each start is another job. */
export function batch(works: Works, external: ExternalResources): AwsService {
  const actions: Readonly<Record<string, (body: unknown) => AwsReply>> = {
    SubmitJob: reading(SubmitJob, (request) => {
      const { jobName: name, jobDefinition } = request;
      const { region, account } = placeOf(request.jobQueue);
      const id = works.newId();
      const arn = `arn:aws:batch:${region}:${account}:job/${id}`;
      const of = jobDefinition.split('/').at(-1)!.replace(/:\d+$/, '');
      works.start({ arn, id, of, name, request });
      external.record(jobDefinition, request);
      return restJson({ jobArn: arn, jobId: id, jobName: name });
    }),
    DescribeJobs: reading(DescribeJobs, ({ jobs }) =>
      restJson({ jobs: jobs.flatMap((id) => works.byId(id) ?? []).map(described) }),
    ),
    ListJobs: reading(ListJobs, ({ jobQueue, filters: [filter] }) => {
      // As in Batch, the filter takes no account of case.
      const wanted = filter!.values[0]!.toLowerCase();
      const found = works
        .list()
        .filter(({ name, request }) => request.jobQueue === jobQueue && name.toLowerCase() === wanted);
      return restJson({
        jobSummaryList: found
          .map(described)
          .map(({ jobArn, jobId, jobName, status }) => ({ jobArn, jobId, jobName, status })),
      });
    }),
    TerminateJob: reading(TerminateJob, ({ jobId, reason }) => {
      const work = works.byId(jobId);
      if (!work) return awsError(400, 'ClientException', `Job ${jobId} does not exist`);
      works.end(work.arn, 'stopped', reason);
      return restJson({});
    }),
  };
  return {
    ...servedWorks(works, {
      name: 'Batch',
      targetPrefix: 'AWSBatch_V20160810.',
      actions,
      permissions: (action, body) => permissionsOf(works, action, body),
    }),
    operationOf: (method, path) => (method === 'POST' ? OPERATIONS[path] : undefined),
  };
}

function permissionsOf(works: Works, name: string, body: Record<string, unknown>): Permission[] {
  const { jobDefinition, jobQueue, jobId } = body;
  const action = `batch:${name}`;
  const resources = {
    SubmitJob: [jobDefinition, jobQueue],
    DescribeJobs: ['*'],
    ListJobs: ['*'],
    TerminateJob: [
      works.byId(String(jobId))?.arn ?? `arn:aws:batch:us-east-1:000000000000:job/${String(jobId)}`,
    ],
  }[name];
  return (resources ?? []).map((resource) => ({ action, resource: String(resource) }));
}
