import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App, type AppProps, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';

import cdkJson from '../../cdk.json';
import { type Stage, STAGES } from '../../bench/cost/usage';
import { QuarterjackStack } from '../../lib/quarterjack-stack';
import type { StageConfig } from '../../lib/config/stage-config';
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
let own: string | undefined;

/** Removes what a test file has written: templates, placeholder bundles, and files of its own. */
export function removeSynthesized(): void {
  CloudAssembly.cleanupTemporaryDirectories();
  for (const folder of [stubs, own]) if (folder) rmSync(folder, { recursive: true });
  stubs = own = undefined;
}

/** A folder for files of a test file, which goes with it: files of one worker share this module. */
export const ownFolder = (): string => (own ??= mkdtempSync(join(tmpdir(), 'quarterjack-template-')));

/**
 * Placeholder bundles: the template does not depend on their content, and building real ones takes too long.
 */
export function stubBundles(): string {
  if (stubs) return stubs;
  stubs = mkdtempSync(join(tmpdir(), 'quarterjack-bundles-'));
  for (const stage of [...STAGES, 'watcher', 'follower', 'exporter', 'console', 'provider']) {
    mkdirSync(join(stubs, stage));
    writeFileSync(join(stubs, stage, 'index.mjs'), `export const handler = async () => '${stage}';\n`);
  }
  mkdirSync(join(stubs, 'actions/actions'), { recursive: true });
  writeFileSync(join(stubs, 'actions/actions/kinesis.json'), '{}\n');
  return stubs;
}

/** The app as `cdk synth` creates it: with the context of `cdk.json`, overridden by `context`. */
export function createStack(context: Record<string, unknown> = {}, props: AppProps = {}) {
  const app = appWith(context, props);
  return stackIn(app, loadStageConfig(app.node));
}

/** The app of a configuration that no file of `config/` has. */
export const createStackOf = (config: StageConfig, props: AppProps = {}, context = {}) =>
  stackIn(appWith(context, props), config);

const appWith = (context: Record<string, unknown>, props: AppProps): App =>
  new App({ ...QUICK, ...props, context: { ...cdkJson.context, ...context } });

function stackIn(app: App, config: StageConfig) {
  const stack = new QuarterjackStack(app, `Quarterjack-${config.stage}`, {
    config,
    bundlesDir: stubBundles(),
  });
  return { app, stack, config };
}

const made = new Map<string, Map<string, Resource>>();

/** All resources of the template by logical id. The test files of a worker share those of equal contexts. */
export function resourcesOf(context: Record<string, unknown> = {}): Map<string, Resource> {
  const key = JSON.stringify(context);
  const known = made.get(key) ?? resourcesIn(createStack(context));
  made.set(key, known);
  return known;
}

/** The settings files of templates, by their resources. */
const settingsFiles = new WeakMap<Map<string, Resource>, Record<string, unknown>>();

export function resourcesIn({ app, stack }: { app: App; stack: Stack }): Map<string, Resource> {
  const template = Template.fromStack(stack).toJSON() as { Resources: Record<string, Resource> };
  const resources = new Map(Object.entries(template.Resources));
  settingsFiles.set(resources, settingsIn(app.outdir, resources));
  return resources;
}

/** What the settings file has that the layer of a template deploys. */
export function settingsIn(outdir: string, resources: Map<string, Resource>): Record<string, unknown> {
  const [[, layer] = []] = ofType(resources, 'AWS::Lambda::LayerVersion');
  const asset = String(layer!.Properties.Content.S3Key).replace('.zip', '');
  const file = join(outdir, `asset.${asset}`, 'quarterjack-settings.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

/** What a function gets: its environment, and as texts too what the settings file has. */
export function variablesOf(
  resources: Map<string, Resource>,
  { Properties }: Resource,
  // a test reads what it expects to be there
  // oxlint-disable-next-line typescript/no-explicit-any
): Record<string, any> {
  const { SETTINGS_FILE, ...variables } = Properties.Environment.Variables as Record<string, unknown>;
  if (SETTINGS_FILE === undefined) return variables;
  const settings = Object.entries(settingsFiles.get(resources)!);
  return {
    ...Object.fromEntries(settings.map(([name, value]) => [name, JSON.stringify(value)])),
    ...variables,
  };
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
