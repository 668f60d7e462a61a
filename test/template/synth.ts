import 'aws-cdk-lib/testhelpers/jest-autoclean';

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App, type AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';

import cdkJson from '../../cdk.json';
import { type Stage, STAGES } from '../../bench/cost/usage';
import { QuarterjackStack } from '../../lib/quarterjack-stack';
import { loadStageConfig } from '../../lib/config/load-stage-config';

export { type Stage, STAGES };

export interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, any>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** For tests that only read templates. The validation takes three seconds; one test turns it on. */
export const QUICK: AppProps = {
  builtinCloudFormationValidation: false,
  treeMetadata: false,
  stackTraces: false,
  analyticsReporting: false,
};

let stubs: string | undefined;
afterAll(() => {
  if (stubs) rmSync(stubs, { recursive: true });
});

/**
 * Placeholder bundles: the template does not depend on their content, and building real ones takes too long.
 */
export function stubBundles(): string {
  if (stubs) return stubs;
  stubs = mkdtempSync(join(tmpdir(), 'quarterjack-bundles-'));
  for (const stage of [...STAGES, 'console', 'provider']) {
    mkdirSync(join(stubs, stage));
    writeFileSync(join(stubs, stage, 'index.mjs'), `export const handler = async () => '${stage}';\n`);
  }
  return stubs;
}

/** The app as `cdk synth` creates it: with the context of `cdk.json`, overridden by `context`. */
export function createStack(context: Record<string, unknown> = {}, props: AppProps = {}) {
  const app = new App({
    ...QUICK,
    ...props,
    context: { ...cdkJson.context, ...context },
  });
  const config = loadStageConfig(app.node);
  const stack = new QuarterjackStack(app, `Quarterjack-${config.stage}`, {
    config,
    bundlesDir: stubBundles(),
  });
  return { app, stack, config };
}

/** All resources of the template by logical id. */
export function resourcesOf(context: Record<string, unknown> = {}): Map<string, Resource> {
  const template = Template.fromStack(createStack(context).stack).toJSON() as {
    Resources: Record<string, Resource>;
  };
  return new Map(Object.entries(template.Resources));
}

export const ofType = (
  resources: Map<string, Resource>,
  type: string,
): [logicalId: string, resource: Resource][] =>
  [...resources].filter(([, resource]) => resource.Type === type);

/** The logical id that a `Ref` or `Fn::GetAtt` points to. */
export function targetOf(value: unknown): string {
  const { Ref, 'Fn::GetAtt': attribute } = value as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  const id = Ref ?? attribute?.[0];
  if (!id) throw new Error(`${JSON.stringify(value)} refers to no resource`);
  return id;
}

/** The function of a stage of the pipeline; of the executors, that of the pool `default` for short calls. */
export function functionOf(
  resources: Map<string, Resource>,
  stage: Stage | 'longExecutor',
): [logicalId: string, resource: Resource] {
  const prefix = `Stages${stage.charAt(0).toUpperCase()}${stage.slice(1)}Function`;
  const found = ofType(resources, 'AWS::Lambda::Function').find(([id]) => id.startsWith(prefix));
  if (!found) throw new Error(`the template has no ${stage} function`);
  return found;
}

/** The function that serves the files of the console: no stage of the pipeline. */
export const consoleFunctionId = (resources: Map<string, Resource>): string | undefined =>
  ofType(resources, 'AWS::Lambda::Function').find(([id]) => id.startsWith('ConsoleFunction'))?.[0];
