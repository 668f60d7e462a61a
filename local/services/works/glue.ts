import * as z from 'zod';

import { type AwsReply, type AwsService, awsError, awsJson, readingWith } from '../aws-call';
import type { ExternalResources } from '../external-resources';
import type { AwsEnvironment } from '../../template/resource-type';
import type { EndEvent } from '../step-functions/execution';
import { servedWorks } from './served';
import { endEvent, type Work, type Works } from './works';

const OfJob = z.looseObject({ JobName: z.string() });
const StartJobRun = OfJob.extend({
  Arguments: z.record(z.string(), z.string()).default({}),
  Timeout: z.int().min(1).max(10_080).optional(),
});
const GetJobRun = OfJob.extend({ RunId: z.string() });
const GetJobRuns = OfJob.extend({
  MaxResults: z.int().min(1).max(200).default(200),
  NextToken: z.string().optional(),
});
const BatchStopJobRun = OfJob.extend({ JobRunIds: z.array(z.string()).min(1).max(25) });

const stateOf = ({ ended }: Work): string => ended?.toUpperCase() ?? 'RUNNING';
const messageOf = ({ ended, why }: Work): string | undefined =>
  ended === undefined || ended === 'succeeded' ? undefined : (why ?? 'ended as its script says');

/** As `GetJobRun` answers. */
const described = (work: Work) => ({
  Id: work.id,
  JobName: work.of,
  Attempt: 0,
  StartedOn: work.startedMs / 1_000,
  JobRunState: stateOf(work),
  Arguments: work.request.Arguments,
  Timeout: work.request.Timeout,
  ...(work.stoppedMs !== undefined && { CompletedOn: work.stoppedMs / 1_000 }),
  ...(messageOf(work) !== undefined && { ErrorMessage: messageOf(work) }),
});

/** Events tell neither the arguments of a run nor its name. */
export const glueEventOf = (work: Work, id: string): EndEvent =>
  endEvent(work, id, {
    source: 'aws.glue',
    detailType: 'Glue Job State Change',
    at: work.arn,
    detail: {
      jobName: work.of,
      severity: 'INFO',
      state: stateOf(work),
      jobRunId: work.id,
      message: messageOf(work) ?? 'Job run succeeded',
    },
  });

const reading = readingWith('InvalidInputException');

/** Glue for jobs outside the stack, as far as the stages call it. Each start is another run. */
export function glue(
  works: Works,
  external: ExternalResources,
  { region, accountId }: Pick<AwsEnvironment, 'region' | 'accountId'>,
): AwsService {
  const arnOf = (job: string): string => `arn:aws:glue:${region}:${accountId}:job/${job}`;
  return servedWorks(works, {
    name: 'Glue',
    targetPrefix: 'AWSGlue.',
    actions: actionsOf(works, external, arnOf),
    permissions: (action, { JobName }) => [{ action: `glue:${action}`, resource: arnOf(String(JobName)) }],
  });
}

function actionsOf(
  works: Works,
  external: ExternalResources,
  arnOf: (job: string) => string,
): Readonly<Record<string, (body: unknown) => AwsReply>> {
  const runOf = (job: string, id: string): Work | undefined =>
    works.list().find((work) => work.of === job && work.id === id);
  const notFound = (id: string): AwsReply =>
    awsError(400, 'EntityNotFoundException', `Job run ${id} not found.`);
  return {
    StartJobRun: reading(StartJobRun, (request) => {
      const { JobName: of, Arguments: given } = request;
      const id = `jr_${works.newId().replaceAll('-', '')}`;
      const name = given['--QUARTERJACK_ERRAND'] ?? '';
      const work = works.start({ arn: `${arnOf(of)}/run/${id}`, id, of, name, request });
      if (!work)
        return awsError(400, 'ConcurrentRunsExceededException', `Concurrent runs exceeded for ${of}`);
      external.record(arnOf(of), request);
      return awsJson({ JobRunId: id }, '1.1');
    }),
    // Nothing is run again here.
    GetJob: reading(OfJob, ({ JobName: Name }) => awsJson({ Job: { Name, MaxRetries: 0 } }, '1.1')),
    GetJobRun: reading(GetJobRun, ({ JobName, RunId }) => {
      const work = runOf(JobName, RunId);
      return work ? awsJson({ JobRun: described(work) }, '1.1') : notFound(RunId);
    }),
    GetJobRuns: reading(GetJobRuns, ({ JobName, MaxResults, NextToken = '0' }) => {
      const all = works.list().filter(({ of }) => of === JobName);
      const from = Number(NextToken);
      const page = all.slice(from, from + MaxResults);
      const next = from + page.length;
      return awsJson(
        { JobRuns: page.map(described), ...(next < all.length && { NextToken: String(next) }) },
        '1.1',
      );
    }),
    BatchStopJobRun: reading(BatchStopJobRun, ({ JobName, JobRunIds }) =>
      awsJson(stopRuns(works, JobName, JobRunIds, runOf), '1.1'),
    ),
  };
}

/** Stops what is there, and says of all else that it is not. */
function stopRuns(
  works: Works,
  JobName: string,
  ids: readonly string[],
  runOf: (job: string, id: string) => Work | undefined,
): object {
  const found = ids.map((id) => ({ id, work: runOf(JobName, id) }));
  for (const { work } of found) if (work) works.end(work.arn, 'stopped', 'stopped by a call');
  return {
    SuccessfulSubmissions: found.flatMap(({ id, work }) => (work ? [{ JobName, JobRunId: id }] : [])),
    Errors: found.flatMap(({ id, work }) =>
      work
        ? []
        : [
            {
              ...{ JobName, JobRunId: id },
              ErrorDetail: { ErrorCode: 'EntityNotFoundException', ErrorMessage: 'not found' },
            },
          ],
    ),
  };
}
