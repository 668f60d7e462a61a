import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type * as z from 'zod/mini';

import { type EnvOf, type MetersEnv, SETTINGS, SETTINGS_FILE } from '../../lambdas/core/contracts/env';
import type { Pollers } from '../config/pools';
import type { Vpc } from '../config/private-networks';
import { acknowledgeAll, acknowledgePatterns, type Binding } from './binding';
import { bundleOf } from './bundle';
import { deploymentOf } from './deployment-name';
import { LOGGING } from './logging';
import type { SettingsFile } from './settings-file';

/** Properties that all functions of a stack share. */
export interface FunctionDefaults {
  /** Folder with a folder or a zip archive for each stage, which holds the stage's bundle as `index.mjs`. */
  readonly bundlesDir: string;
  readonly logRetention: RetentionDays;
  /** The log group of all of them. @default each has one of its own */
  readonly logGroup?: LogGroup | undefined;
  /** The file of the settings that are not in the environment. */
  readonly settings: SettingsFile;
  /** Whether Lambda records traces of invocations in X-Ray. */
  readonly isTraced: boolean;
  /** Reserved concurrency by stage. @default none */
  readonly reservedConcurrency?: Readonly<Partial<Record<string, number>>>;
}

export interface PipelineFunctionProps<Env extends z.ZodMiniObject> extends FunctionDefaults {
  /** Folder of the stage under `lambdas/`. */
  readonly stage: string;
  /** @default CloudFormation makes one */
  readonly functionName?: string;
  readonly description: string;
  readonly timeout: Duration;
  readonly memoryMb: number;
  /** Schema of the environment that the function parses at its start. */
  readonly env: Env;
  /**
   * Everything the function uses: exactly the variables of `env`, except those that every function gets, and
   * those of the settings file.
   */
  readonly uses: Binding & { readonly env: Omit<EnvOf<Env>, keyof MetersEnv> };
  /** A role that has all of it already. @default a role of its own */
  readonly role?: IRole | undefined;
  /** @default Lambda's own: it stops a message that passes through the same function about 16 times */
  readonly recursiveLoop?: lambda.RecursiveLoop;
  /** Where it runs. @default in no VPC */
  readonly vpc?: Vpc | undefined;
  /** Whether queues invoke an alias, whose versions can take over by and by. @default false */
  readonly hasAlias?: boolean;
}

interface Consumption {
  /** Maximum number of messages per invocation. */
  readonly batchSize: number;
  /** Maximum number of concurrent invocations, at least 2. Not beside `pollers`. */
  readonly maxConcurrency?: number;
  /** Event pollers that are kept ready: they start more batches at once, and bound them. */
  readonly pollers?: Pollers;
}

/** A stage of the pipeline: a function with its own role, log group and bundle. */
export class PipelineFunction<Env extends z.ZodMiniObject = z.ZodMiniObject> extends Construct {
  readonly lambda: lambda.Function;
  /** What queues invoke, if it is not the function itself. */
  readonly alias: lambda.Alias | undefined;
  /** The permissions of its own role. */
  private readonly permissions = new PolicyDocument();

  constructor(scope: Construct, id: string, props: PipelineFunctionProps<Env>) {
    super(scope, id);
    rejectUnreadVariables(props);

    // Logs are deleted with the stack, so that a new stack of the same name starts clean.
    const logGroup =
      props.logGroup ??
      new LogGroup(this, 'Logs', { retention: props.logRetention, removalPolicy: RemovalPolicy.DESTROY });
    const role = props.role ?? this.addRole(props, logGroup);
    if (props.role && logGroup !== props.logGroup) logGroup.grantWrite(role);

    const readsSettings = Object.keys(props.env.shape).some((name) => name in SETTINGS);
    this.lambda = new lambda.Function(this, 'Function', {
      functionName: props.functionName,
      description: props.description,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: bundleOf(props.bundlesDir, props.stage),
      handler: 'index.handler',
      timeout: props.timeout,
      memorySize: props.memoryMb,
      reservedConcurrentExecutions: props.reservedConcurrency?.[props.stage],
      environment: {
        ...metersEnv(this),
        ...props.uses.env,
        ...(readsSettings && { [SETTINGS_FILE]: props.settings.path }),
      },
      layers: readsSettings ? [props.settings.layer] : [],
      role,
      logGroup,
      ...LOGGING,
      tracing: props.isTraced ? lambda.Tracing.ACTIVE : undefined,
      recursiveLoop: props.recursiveLoop,
    });
    // The construct would need the VPC itself, and the zones of its subnets.
    if (props.vpc) (this.lambda.node.defaultChild as lambda.CfnFunction).vpcConfig = props.vpc;
    this.alias = props.hasAlias
      ? new lambda.Alias(this, 'Alias', { aliasName: 'live', version: this.lambda.currentVersion })
      : undefined;
  }

  /** Its permissions are a part of the role: a policy beside it would be one more resource. */
  private addRole({ isTraced, uses, vpc }: PipelineFunctionProps<Env>, logGroup: LogGroup): Role {
    const logging = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Uses: this.permissions },
    });
    this.permit(...uses.statements, logging);
    acknowledgePatterns(role, uses.statements);
    if (vpc) acknowledgeAll(role, 'EC2 describes network interfaces and subnets with * alone.');
    if (isTraced)
      acknowledgeAll(
        role,
        'X-Ray has no resource ARNs: PutTraceSegments and PutTelemetryRecords accept only *.',
      );
    return role;
  }

  /** Adds to the permissions of its own role. */
  permit(...statements: PolicyStatement[]): void {
    this.permissions.addStatements(...statements);
  }

  /**
   * Adds the queue as an event source; `uses` has the permission. Only the messages that the function reports
   * as failed are redelivered.
   */
  consume(queue: Queue, { batchSize, maxConcurrency, pollers }: Consumption): void {
    new lambda.EventSourceMapping(this, `From${queue.node.scope?.node.id}`, {
      target: this.alias ?? this.lambda,
      eventSourceArn: queue.queueArn,
      batchSize,
      // No batching window: a message becomes visible in the second in which it is due, and a window would
      // delay it.
      reportBatchItemFailures: true,
      // Not reserved concurrency: it throttles batches that are already received, which uses up their receive
      // counts.
      maxConcurrency,
      provisionedPollerConfig: pollers && { minimumPollers: pollers.min, maximumPollers: pollers.max },
    });
  }

  /** Binds the function's name and permission to invoke it. */
  invoking<Variable extends string>(variable: Variable): Binding<Variable> {
    const { functionName, functionArn } = this.lambda;
    const statement = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] });
    return { env: { [variable]: functionName } as Record<Variable, string>, statements: [statement] };
  }

  /**
   * For a function on a schedule: a run that cannot start within a minute is dropped in favor of the next
   * one.
   */
  dropAfterOneMinute(): void {
    this.lambda.configureAsyncInvoke({ maxEventAge: Duration.minutes(1), retryAttempts: 0 });
  }
}

/** Variables that every function gets: the dimension of its metrics. */
const metersEnv = (construct: Construct): MetersEnv => ({ DEPLOYMENT: deploymentOf(construct) });

/** `tsc` reports a missing variable, but accepts one too many. */
function rejectUnreadVariables({ stage, env, uses }: PipelineFunctionProps<z.ZodMiniObject>): void {
  const unread = Object.keys(uses.env).filter((name) => !(name in env.shape));
  if (unread.length > 0) throw new Error(`the ${stage} function does not read ${unread.join(', ')}`);
}
