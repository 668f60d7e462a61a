import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App, DefaultStackSynthesizer, type Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

import cdkJson from '../../cdk.json';
import { EVERY_PROJECT, TARGET_RESOURCES } from '../../lambdas/core/contracts/target-resources';
import { loadStageConfig } from '../../lib/config/load-stage-config';
import type { StageConfig } from '../../lib/config/stage-config';
import type { Quarterjack } from '../../lib/quarterjack';
import { QuarterjackStack } from '../../lib/quarterjack-stack';
import { PLACEHOLDERS, type PlainTemplate, withParameters } from './parameters';

/** Names of resources begin with it, and texts of the template have it: there is one in a region. */
export const STACK_NAME = 'quarterjack';

/** What `GET /v1/me` shows. */
const STAGE = 'app';

/** Who issues the tokens: a user pool of the stack, or an issuer of the operator. */
export type Identity = 'own-pool' | 'own-issuer';

export interface TemplateOptions {
  /** The file of `config/` that it is made of. */
  readonly stage: string;
  readonly identity: Identity;
  readonly bundlesDir: string;
}

export interface Asset {
  /** What its key in the bucket ends with, in this template. */
  readonly name: string;
  /** Folder with its files. */
  readonly folder: string;
}

/**
 * Synthesizes a template that needs no bootstrap. `withAssets` gets the folders of its assets, which exist
 * until it returns.
 */
export function synthesizeTemplate<Result>(
  { stage, identity, bundlesDir }: TemplateOptions,
  withAssets: (template: PlainTemplate, assets: readonly Asset[]) => Result,
): Result {
  const outdir = mkdtempSync(join(tmpdir(), 'quarterjack-template-'));
  try {
    const app = new App({
      outdir,
      analyticsReporting: false,
      treeMetadata: false,
      builtinCloudFormationValidation: false,
      context: { ...cdkJson.context, stage },
    });
    const config = configOf(loadStageConfig(app.node), identity);
    const synthesizer = new DefaultStackSynthesizer({
      generateBootstrapVersionRule: false,
      fileAssetsBucketName: PLACEHOLDERS.AssetsBucket,
      bucketPrefix: PLACEHOLDERS.AssetsPrefix,
    });
    const stack = new QuarterjackStack(app, STACK_NAME, { config, bundlesDir, synthesizer });
    allowFunctions(stack);
    app.synth();
    const template = readJson<PlainTemplate>(join(outdir, `${STACK_NAME}.template.json`));
    return withAssets(withParameters(template, identity === 'own-issuer'), assetsIn(outdir));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

function configOf(file: StageConfig, identity: Identity): StageConfig {
  const config: StageConfig = { ...file, stage: STAGE, alarmDestination: PLACEHOLDERS.AlarmEmail };
  const { issuer: _issuer, audience: _audience, jwksUri: _jwksUri, signIn: _signIn, ...withPool } = config;
  return identity === 'own-pool'
    ? withPool
    : { ...withPool, issuer: PLACEHOLDERS.Issuer, audience: [PLACEHOLDERS.Audience] };
}

/** Lets jobs of all projects call functions whose names begin with the parameter. */
function allowFunctions(stack: Stack): void {
  const { deployment } = stack.node.defaultChild as Quarterjack;
  const { service, prefix, action } = TARGET_RESOURCES.lambda;
  const resource = `${prefix}${PLACEHOLDERS.AllowedFunctionPrefix}*`;
  const { partition, region, account } = stack;
  const arn = `arn:${partition}:${service}:${region}:${account}:${resource}`;
  deployment.addedTargets.add(EVERY_PROJECT, arn);
  deployment.stages.executor.permit(new PolicyStatement({ actions: [action], resources: [arn] }));
}

interface AssetManifest {
  readonly files: Record<
    string,
    {
      readonly source: { readonly path: string; readonly packaging: string };
      readonly destinations: Record<string, { readonly objectKey: string }>;
    }
  >;
}

/** The assets of functions and layers. The template itself is one for the CDK, and is none here. */
function assetsIn(outdir: string): Asset[] {
  const { files } = readJson<AssetManifest>(join(outdir, `${STACK_NAME}.assets.json`));
  return Object.values(files)
    .filter(({ source }) => source.packaging === 'zip')
    .flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => ({
        name: objectKey.slice(PLACEHOLDERS.AssetsPrefix.length),
        folder: join(outdir, source.path),
      })),
    );
}

const readJson = <Content>(path: string): Content => JSON.parse(readFileSync(path, 'utf8')) as Content;
