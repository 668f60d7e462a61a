import { GetTemplateCommand } from '@aws-sdk/client-cloudformation';

import { type Finding, noProblems, onAws, type Step } from '../check';
import { deploy } from '../site/deploy';
import type { AwsSite } from '../site/site';
import { outputsOf, stackOf } from '../site/stacks';
import { until } from '../until';

/** The tag of every resource of a stack. */
const TAG = 'quarterjack:deployment';
/** The list of tagged resources forgets deleted ones after a while. */
const FORGOTTEN_WITHIN_MS = 15 * 60_000;
/** Deleted keys and secrets stay for their recovery window, under names that no later stack uses. */
const PENDING_DELETION = /^arn:[^:]+:(?:kms|secretsmanager):/;
/** The API of a new stack. */
const HEALTHY_WITHIN_MS = 5 * 60_000;

/** Both steps are made with `--redeploy` alone: they delete the stage and all of its data. */
export const REDEPLOY: readonly Step[] = [
  {
    name: 'destroy',
    title: 'Destroy: the stage deletes all that it has made',
    isCondition: true,
    checks: [
      onAws('destroy/allowed', 'The deployed stage keeps no data: its removal is "destroy"', allowed),
      onAws('destroy/stack', 'The stack is destroyed', destroy),
    ],
  },
  {
    name: 'redeploy',
    title: 'Redeploy: the stage can be deployed again',
    checks: [
      onAws('redeploy/nothing-left', 'No resource of the stack is left', nothingLeft),
      onAws('redeploy/deploy', 'The stage is deployed again, and its API is healthy', again),
    ],
  },
];

interface Deployed {
  Resources: Readonly<Record<string, { DeletionPolicy?: string }>>;
}

/** The template that was deployed: what the checkout says may be newer. */
async function allowed({ clients, stackName }: AwsSite): Promise<Finding> {
  const { TemplateBody = '' } = await clients.cloudFormation.send(
    new GetTemplateCommand({ StackName: stackName }),
  );
  const { Resources } = JSON.parse(TemplateBody) as Deployed;
  const kept = Object.entries(Resources).filter(([, { DeletionPolicy = '' }]) =>
    DeletionPolicy.startsWith('Retain'),
  );
  const problems = kept.map(([id]) => `${id} would be kept`);
  return noProblems(problems, 'a deletion of the stack keeps no resource');
}

async function destroy(site: AwsSite): Promise<Finding> {
  const { clients, exec, stage, stackName } = site;
  if (!(await allowed(site)).holds)
    return { holds: false, detail: 'not tried: deploy the stage with -c removal=destroy first' };
  await exec('npx', ['cdk', 'destroy', '-c', `stage=${stage}`, '--force']);
  const status = (await stackOf(clients.cloudFormation, stackName))?.StackStatus;
  return { holds: status === undefined, detail: status ?? 'there is no stack any more' };
}

async function nothingLeft(site: AwsSite): Promise<Finding> {
  const left = await until(
    site,
    () => tagged(site),
    (arns) => arns.length === 0,
    FORGOTTEN_WITHIN_MS,
  );
  return noProblems(
    left.map((arn) => `${arn} is left`),
    'nothing has the tag of the stack, except keys and secrets in their recovery window',
  );
}

async function tagged({ exec, stackName }: AwsSite): Promise<string[]> {
  const output = await exec('aws', [
    ...['resourcegroupstaggingapi', 'get-resources', '--output', 'json'],
    ...['--tag-filters', `Key=${TAG},Values=${stackName}`],
  ]);
  const { ResourceTagMappingList = [] } = JSON.parse(output) as {
    ResourceTagMappingList?: { ResourceARN: string }[];
  };
  return ResourceTagMappingList.map(({ ResourceARN }) => ResourceARN).filter(
    (arn) => !PENDING_DELETION.test(arn),
  );
}

async function again(site: AwsSite): Promise<Finding> {
  const { clients, stackName } = site;
  await deploy(site);
  const { ApiUrl } = await outputsOf(clients.cloudFormation, stackName);
  const health = async () => {
    const response = await fetch(`${ApiUrl}/v1/health`);
    const { status } = (await response.json()) as { status?: string };
    return status ?? String(response.status);
  };
  const status = await until(site, health, (found) => found === 'pass', HEALTHY_WITHIN_MS);
  return { holds: status === 'pass', detail: `health: ${status}; now accept it: without --redeploy` };
}
