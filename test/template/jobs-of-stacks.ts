import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';

import type { QuarterjackAttributes } from '../../lib';
import { ofType, ownFolder, type Resource } from './synth';

export const ENTRY = resolve(__dirname, '../../examples/jobs-in-code/jobs.ts');
export const ARN = 'arn:aws:lambda:eu-central-1:111122223333:function';
export const ROLE = 'arn:aws:iam::111122223333:role';
export const ATTRIBUTES: QuarterjackAttributes = {
  url: 'https://jobs.example.com',
  project: 'shop',
  executorRoleArn: `${ROLE}/executor`,
  providerArn: `${ARN}:provider`,
  providerRoleArn: `${ROLE}/provider`,
  targetNamePrefix: 'shop-',
};

export type Resources = Map<string, Resource & { DependsOn?: string[] }>;
export const only = (
  resources: Resources,
  type: string,
  fits: (resource: Resource) => boolean = () => true,
) => {
  const found = ofType(resources, type).filter(([, resource]) => fits(resource));
  expect(found).toHaveLength(1);
  return found[0] as [string, Resource & { DependsOn?: string[] }];
};
export const isOfJobs = ({ Properties }: Resource) => String(Properties.Description).startsWith('Jobs of ');

let manifests = 0;
export const manifestOf = (jobs: object[], more: object = {}): string => {
  const file = join(ownFolder(), `manifest-${manifests++}.json`);
  writeFileSync(file, JSON.stringify({ format: 'quarterjack.jobs/1', jobs, ...more }));
  return file;
};
export const job = (jobId: string, definition: object = {}) => ({
  jobId,
  definition: { schedule: { type: 'none' }, ...definition },
});
/** The jobs that a resource takes to S3. */
export function deployedBy(stack: Stack, { Properties }: Resource) {
  const [, hash] = /([0-9a-f]{64})\.json/.exec(JSON.stringify(Properties.Manifest))!;
  const text = readFileSync(join(Stage.of(stack)!.outdir, `asset.${hash}.json`), 'utf8');
  return (JSON.parse(text) as { jobs: { jobId: string; definition: Record<string, any> }[] }).jobs;
}

export const resourcesOf = (stack: Stack): Resources => {
  const { Resources = {} } = Template.fromStack(stack).toJSON() as { Resources?: Record<string, Resource> };
  return new Map(Object.entries(Resources));
};
