import { isDeepStrictEqual } from 'node:util';

import * as z from 'zod';

import type { AwsEnvironment } from '../../template/resource-type';
import { type AwsReply, type AwsService, awsError, awsJson, readingWith } from '../aws-call';
import type { ExternalResources } from '../external-resources';
import type { EndEvent } from '../step-functions/execution';
import { servedWorks } from './served';
import { endEvent, variableIn, type Work, type Works } from './works';

/** How long CodeBuild remembers the token of a start. */
const TOKEN_MS = 300_000;
const PAGE = 100;

const StartBuild = z.looseObject({
  projectName: z.string(),
  idempotencyToken: z.string().max(64).optional(),
  environmentVariablesOverride: z
    .array(z.object({ name: z.string(), value: z.string(), type: z.literal('PLAINTEXT') }))
    .default([]),
  timeoutInMinutesOverride: z.int().min(5).max(2_160).optional(),
});
const BatchGetBuilds = z.object({ ids: z.array(z.string()).min(1).max(100) });
const ListBuildsForProject = z.object({
  projectName: z.string(),
  sortOrder: z.enum(['ASCENDING', 'DESCENDING']).default('DESCENDING'),
  nextToken: z.string().optional(),
});
const StopBuild = z.object({ id: z.string() });

const statusOf = ({ ended }: Work): string => ended?.toUpperCase().replace('-', '_') ?? 'IN_PROGRESS';
const isGood = ({ ended }: Work): boolean => ended === undefined || ended === 'succeeded';
const SAID = { code: 'COMMAND_EXECUTION_ERROR', message: 'ended as its script says' };

/** Where CodeBuild would have its logs: a stand-in writes none. */
const logsOf = ({ of, id, arn }: Work): string =>
  `https://console.aws.amazon.com/cloudwatch/home?region=${arn.split(':')[3]}#logEvent:group=/aws/codebuild/${of};` +
  `stream=${id.split(':')[1]}`;

/** As `BatchGetBuilds` answers. */
const described = (work: Work) => ({
  id: work.id,
  arn: work.arn,
  projectName: work.of,
  startTime: work.startedMs / 1_000,
  ...(work.stoppedMs !== undefined && { endTime: work.stoppedMs / 1_000 }),
  buildStatus: statusOf(work),
  buildComplete: work.ended !== undefined,
  environment: { environmentVariables: work.request.environmentVariablesOverride },
  logs: { deepLink: logsOf(work) },
  phases: [
    { phaseType: 'SUBMITTED', phaseStatus: 'SUCCEEDED' },
    ...(isGood(work)
      ? []
      : [
          {
            phaseType: 'BUILD',
            phaseStatus: statusOf(work),
            contexts: [{ statusCode: SAID.code, message: work.why ?? SAID.message }],
          },
        ]),
  ],
});

export const buildEventOf = (work: Work, id: string): EndEvent =>
  endEvent(work, id, {
    source: 'aws.codebuild',
    detailType: 'CodeBuild Build State Change',
    at: work.arn,
    detail: {
      'build-status': statusOf(work),
      'project-name': work.of,
      'build-id': work.arn,
      'current-phase': 'COMPLETED',
      version: '1',
      'additional-information': {
        'build-complete': true,
        logs: { 'deep-link': logsOf(work) },
        environment: {
          type: 'LINUX_CONTAINER',
          'environment-variables': work.request.environmentVariablesOverride,
        },
        phases: [
          { 'phase-type': 'SUBMITTED', 'phase-status': 'SUCCEEDED' },
          ...(isGood(work)
            ? []
            : [
                {
                  'phase-type': 'BUILD',
                  'phase-status': statusOf(work),
                  'phase-context': [`${SAID.code}: ${work.why ?? SAID.message}`],
                },
              ]),
        ],
      },
    },
  });

const reading = readingWith('InvalidInputException');

/** CodeBuild for projects outside the stack, as far as the stages call it. A token lives for five minutes. */
export function codebuild(
  works: Works,
  external: ExternalResources,
  { region, accountId, clock }: Pick<AwsEnvironment, 'region' | 'accountId'> & { clock: { nowMs(): number } },
): AwsService {
  const arnOf = (resource: string): string => `arn:aws:codebuild:${region}:${accountId}:${resource}`;
  return servedWorks(works, {
    name: 'CodeBuild',
    targetPrefix: 'CodeBuild_20161006.',
    actions: {
      StartBuild: reading(StartBuild, (request) => startBuild(request, { works, external, arnOf, clock })),
      ...readActions(works),
    },
    permissions(action, body) {
      const { projectName, id, ids = [] } = body as { projectName?: string; id?: string; ids?: string[] };
      const builds = [...ids, ...(id === undefined ? [] : [id])];
      const projects = [
        ...(projectName === undefined ? [] : [projectName]),
        ...builds.map((one) => one.split(':')[0]!),
      ];
      return [...new Set(projects)].map((project) => ({
        action: `codebuild:${action}`,
        resource: arnOf(`project/${project}`),
      }));
    },
  });
}

interface Starting {
  works: Works;
  external: ExternalResources;
  arnOf(resource: string): string;
  clock: { nowMs(): number };
}

function startBuild(
  request: z.output<typeof StartBuild>,
  { works, external, arnOf, clock }: Starting,
): AwsReply {
  const { projectName: of, idempotencyToken: token, environmentVariablesOverride: variables } = request;
  const known = works
    .list()
    .find(
      (work) =>
        token !== undefined &&
        work.request.idempotencyToken === token &&
        work.startedMs > clock.nowMs() - TOKEN_MS,
    );
  if (known)
    return isDeepStrictEqual(known.request, request)
      ? awsJson({ build: described(known) }, '1.1')
      : awsError(400, 'InvalidInputException', 'The idempotency token was used with other parameters.');
  const id = `${of}:${works.newId()}`;
  const name = variableIn(variables, 'QUARTERJACK_ERRAND');
  const work = works.start({ arn: arnOf(`build/${id}`), id, of, name, request });
  if (!work)
    return awsError(400, 'AccountLimitExceededException', 'Cannot have more builds in queue for the account');
  external.record(arnOf(`project/${of}`), request);
  return awsJson({ build: described(work) }, '1.1');
}

const readActions = (works: Works): Readonly<Record<string, (body: unknown) => AwsReply>> => ({
  BatchGetBuilds: reading(BatchGetBuilds, ({ ids }) =>
    awsJson(
      {
        builds: ids.flatMap((id) => works.byId(id) ?? []).map(described),
        buildsNotFound: ids.filter((id) => !works.byId(id)),
      },
      '1.1',
    ),
  ),
  ListBuildsForProject: reading(ListBuildsForProject, ({ projectName, sortOrder, nextToken = '0' }) => {
    const newest = works.list().filter(({ of }) => of === projectName);
    const all = sortOrder === 'DESCENDING' ? newest : newest.toReversed();
    const from = Number(nextToken);
    const page = all.slice(from, from + PAGE);
    const next = from + page.length;
    return awsJson(
      { ids: page.map(({ id }) => id), ...(next < all.length && { nextToken: String(next) }) },
      '1.1',
    );
  }),
  StopBuild: reading(StopBuild, ({ id }) => {
    const work = works.byId(id);
    const stopped = work && works.end(work.arn, 'stopped', 'stopped by a call');
    return stopped
      ? awsJson({ build: described(stopped) }, '1.1')
      : awsError(400, 'ResourceNotFoundException', `Build ${id} does not exist`);
  }),
});
