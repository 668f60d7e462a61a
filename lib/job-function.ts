import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Annotations, Duration, Names, Stack } from 'aws-cdk-lib';
import type { IGrantable, IPrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type IFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';

import type { DeployedJob } from '../lambdas/core/contracts/custom-resources';
import { checkProject } from './check-value';
import type { IQuarterjack } from './deployment-attributes';
import { jobFaults, secondsOf } from './job-faults';
import { cacheFolder } from './jobs-in-code/cache-folder';
import { handlerFile, PREFIX_VARIABLE, PROJECT_VARIABLE } from './jobs-in-code/handler-file';
import {
  deployedJobs,
  idFaults,
  type Manifest,
  manifestFaults,
  readManifest,
  sourceOfPackage,
} from './jobs-in-code/manifest';
import { readEntry, REQUIRE_IN_ESM } from './jobs-in-code/read-entry';

/** Jobs in code, and the function that runs them. */
export interface JobFunctionProps {
  /** The deployment that runs the jobs. */
  readonly quarterjack: IQuarterjack;
  /** The module that exports the jobs, such as `src/jobs.ts`. @default none: then `function` is required */
  readonly entry?: string;
  /**
   * A file that `quarterjack define` has printed. With it, the module is not run at synthesis.
   * @default what the module defines
   */
  readonly manifest?: string;
  /** A function of yours that serves the jobs of `manifest`, in any language. @default one made of `entry` */
  readonly function?: IFunction;
  /**
   * The program that owns the jobs. Another name is another program, which takes none of these jobs over.
   * @default that of the manifest, else `quarterjack.source` of package.json, else the name of the stack
   */
  readonly source?: string;
  /** What ids of jobs begin with, such as `staging-`. @default none */
  readonly prefix?: string;
  /** The project of the jobs. @default the project of the deployment */
  readonly project?: string;
  /** All variables that the module has at synthesis, but for `PATH`. @default none */
  readonly defineEnv?: Readonly<Record<string, string>>;
  /** Memory of the function, in MiB. @default 256 */
  readonly memorySize?: number;
  /** Variables of the function. @default none but its own */
  readonly environment?: Readonly<Record<string, string>>;
  /** How the function is bundled. @default as a module of ECMAScript */
  readonly bundling?: BundlingOptions;
  /** So many jobs may go in one deployment, also if these are most of them. @default 0 */
  readonly allowRemovals?: number;
}

const MAX_ID = 64;
const PREFIX = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,31})?$/;
const SOURCE = /^[^\p{C}]{1,200}$/u;
const DEFAULT_MEMORY_MIB = 256;
const DEFAULT_TIMEOUT = '5m';
/** The longest call that is waited for. */
const MAX_CALL_SEC = 14 * 60;
/** What a function has beyond the longest of its jobs. */
const SPARE_SEC = 10;
const MAX_FUNCTION_SEC = 15 * 60;

/**
 * The jobs of a module, with the function that runs them:
 *
 *     new JobFunction(this, 'Jobs', { quarterjack, entry: 'src/jobs.ts' });
 *
 * The stack adds, changes and removes the jobs, all or none of them. A rollback of the stack puts them back.
 * Throws one Error that lists what is wrong with them.
 */
export class JobFunction extends Construct implements IGrantable {
  /** The function that runs the jobs. */
  readonly function: IFunction;
  /** Ids of the jobs in their project. Empty if the stack is not bundled, and never was. */
  readonly jobIds: readonly string[];
  /** The role of the function. */
  readonly grantPrincipal: IPrincipal;

  constructor(scope: Construct, id: string, props: JobFunctionProps) {
    super(scope, id);
    const { quarterjack, prefix = '', project = quarterjack.project } = props;
    checkProject(this, project);
    const { manifest, isKnown } = this.manifestOf(props);
    const source = this.sourceOf(props, manifest);
    const jobs = deployedJobs(manifest, { prefix, source });
    this.jobIds = jobs.map(({ jobId }) => jobId);
    if (isKnown) this.check([...manifestFaults(manifest), ...idFaults(this.jobIds)]);
    const seconds = jobs.map(({ definition }) => secondsOf(definition.timeout ?? DEFAULT_TIMEOUT));
    this.function = props.function ?? this.addFunction(props, project, isKnown ? seconds : []);
    this.grantPrincipal = this.function.grantPrincipal;
    const target = { ...quarterjack.addLambdaTarget(this.function, { project }), observe: true };
    this.check(
      jobs.flatMap(({ jobId, definition }, at) =>
        [
          ...jobFaults({ ...definition, target }, { ...quarterjack.jobRules, project }),
          ...tooLong(seconds[at], definition.timeout),
        ].map((fault) => `${jobId}: ${fault}`),
      ),
    );
    this.addJobs(props, jobs, {
      Project: project,
      Source: source,
      Target: Stack.of(this).toJsonString(target),
    });
  }

  private check(faults: readonly string[]): void {
    if (faults.length > 0)
      throw new Error(`${this.node.path}: its jobs are not valid:\n  ${faults.join('\n  ')}`);
  }

  private refuse(name: string, given: unknown, expected: string): never {
    throw new Error(`${this.node.path}: ${name} is ${JSON.stringify(given)}; expected ${expected}`);
  }

  /** `isKnown`: false if nothing was read. Then the stack is not bundled, nor is its template deployed. */
  private manifestOf(props: JobFunctionProps): { manifest: Manifest; isKnown: boolean } {
    const { entry, manifest, defineEnv, bundling } = props;
    if ((entry === undefined) === (props.function === undefined))
      throw new Error(`${this.node.path}: expected one of entry and function`);
    if (props.function && manifest === undefined)
      throw new Error(`${this.node.path}: expected a manifest, beside a function of yours`);
    for (const [name, path] of Object.entries({ entry, manifest }))
      if (path !== undefined && !existsSync(path)) this.refuse(name, path, 'a file');
    if (manifest !== undefined) return { manifest: readManifest(manifest), isKnown: true };
    const path = resolve(entry!);
    const last = join(cacheFolder(path), `manifest-${hashOf(path)}.json`);
    if (!Stack.of(this).bundlingRequired)
      return existsSync(last)
        ? { manifest: JSON.parse(readFileSync(last, 'utf8')) as Manifest, isKnown: true }
        : { manifest: { jobs: [] }, isKnown: false };
    const { jobs, unexported } = readEntry(path, { defineEnv, bundling });
    if (unexported.length > 0)
      Annotations.of(this).addWarningV2(
        'quarterjack:unexported-jobs',
        `${entry} does not export these jobs, so they do not count: ${unexported.join(', ')}`,
      );
    writeFileSync(last, JSON.stringify({ jobs }));
    return { manifest: { jobs }, isKnown: true };
  }

  private sourceOf({ entry, source, prefix = '' }: JobFunctionProps, manifest: Manifest): string {
    if (!PREFIX.test(prefix))
      this.refuse(
        'prefix',
        prefix,
        'at most 32 letters, digits, ".", "_" or "-", the first a letter or digit',
      );
    const ofPackage = entry === undefined ? undefined : sourceOfPackage(resolve(entry));
    const name = source ?? manifest.source ?? ofPackage ?? Stack.of(this).stackName;
    if (!SOURCE.test(name)) this.refuse('source', name, '1 to 200 visible characters');
    // Two prefixes are two programs: neither removes what the other one has deployed.
    return prefix === '' ? name : `${name}/${prefix}`;
  }

  private addFunction(
    { quarterjack, entry, prefix = '', memorySize, environment, bundling }: JobFunctionProps,
    project: string,
    seconds: readonly (number | undefined)[],
  ): IFunction {
    const longest = Math.max(
      ...seconds.map((one) => one ?? MAX_FUNCTION_SEC),
      seconds.length === 0 ? Infinity : 1,
    );
    const format = bundling?.format ?? OutputFormat.ESM;
    const fn = new NodejsFunction(this, 'Function', {
      ...(quarterjack.targetNamePrefix !== undefined && {
        functionName: this.nameAfter(quarterjack.targetNamePrefix),
      }),
      entry: handlerFile(resolve(entry!)),
      handler: 'handler',
      description: `Jobs of ${this.node.path}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memorySize ?? DEFAULT_MEMORY_MIB,
      timeout: Duration.seconds(Math.min(longest + SPARE_SEC, MAX_FUNCTION_SEC)),
      // An invocation that waits for no answer is refused, and Lambda would try it again.
      retryAttempts: 0,
      maxEventAge: Duration.minutes(1),
      environment: {
        ...environment,
        [PROJECT_VARIABLE]: project,
        ...(prefix !== '' && { [PREFIX_VARIABLE]: prefix }),
      },
      bundling: {
        format,
        mainFields: ['module', 'main'],
        ...(format === OutputFormat.ESM && { banner: REQUIRE_IN_ESM }),
        ...bundling,
      },
    });
    quarterjack.grantManageJobs(fn, { project, role: 'operator' });
    return fn;
  }

  /** A name of its own, among those that another app's deployment lets its jobs call. */
  private nameAfter(prefix: string): string {
    return prefix + Names.uniqueResourceName(this, { maxLength: MAX_ID - prefix.length, separator: '-' });
  }

  private addJobs(
    { quarterjack, allowRemovals = 0 }: JobFunctionProps,
    jobs: readonly DeployedJob[],
    properties: { Project: string; Source: string; Target: string },
  ): void {
    if (!Number.isSafeInteger(allowRemovals) || allowRemovals < 0)
      this.refuse('allowRemovals', allowRemovals, 'a whole number from 0 on');
    const folder = mkdtempSync(join(tmpdir(), 'quarterjack-jobs-'));
    const file = join(folder, 'jobs.json');
    writeFileSync(file, JSON.stringify({ jobs }));
    const asset = new Asset(this, 'Manifest', { path: file });
    rmSync(folder, { recursive: true });
    const resource = quarterjack.customResources.addJobs(
      this,
      { ...properties, Manifest: asset.httpUrl, AllowRemovals: String(allowRemovals) },
      this.jobIds,
    );
    // Code comes first, and jobs second, in a rollback too.
    resource.node.addDependency(this.function);
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

function tooLong(seconds: number | undefined, timeout: unknown): string[] {
  return seconds === undefined || seconds <= MAX_CALL_SEC
    ? []
    : [
        `timeout is ${String(timeout)}: a function is waited for 14m at most; longer work needs a worker, or a durable function`,
      ];
}
