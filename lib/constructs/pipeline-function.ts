import { join } from 'node:path';

import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type * as z from 'zod/mini';

import type { EnvOf, MetersEnv } from '../../lambdas/core/contracts/env';
import type { Binding } from './binding';

/** What all functions of a stack have in common. */
export interface FunctionDefaults {
  /** Folder with one folder per stage, each holding the stage's bundle as `index.mjs`. */
  readonly bundlesDir: string;
  readonly logRetention: RetentionDays;
  /** Concurrency set aside, by stage; none of it by default. */
  readonly reservedConcurrency?: Readonly<Partial<Record<string, number>>>;
}

export interface PipelineFunctionProps<Env extends z.ZodMiniObject> extends FunctionDefaults {
  /** Folder of the stage under `lambdas/`. */
  readonly stage: string;
  readonly description: string;
  readonly timeout: Duration;
  readonly memoryMb: number;
  /** The environment that the function parses at its start. */
  readonly env: Env;
  /** All that the function uses; exactly the variables of `env`, but for those that every function is given. */
  readonly uses: Binding & { readonly env: Omit<EnvOf<Env>, keyof MetersEnv> };
  /** Default: Lambda's own, which ends chains of a message that comes round about 16 times. */
  readonly recursiveLoop?: lambda.RecursiveLoop;
}

export interface Consumption {
  /** Messages that one invocation takes at most. */
  readonly batchSize: number;
  /** Invocations at once, at least 2. */
  readonly maxConcurrency: number;
}

/** A stage of the pipeline as a function with a role, a log group and a bundle of its own. */
export class PipelineFunction<Env extends z.ZodMiniObject = z.ZodMiniObject> extends Construct {
  readonly lambda: lambda.Function;

  constructor(scope: Construct, id: string, props: PipelineFunctionProps<Env>) {
    super(scope, id);
    refuseUnreadVariables(props);

    // Logs can be made again by running it; they go with the stack, so that a new one starts clean.
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    for (const statement of props.uses.statements) role.addToPolicy(statement);

    this.lambda = new lambda.Function(this, 'Function', {
      description: props.description,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: lambda.Code.fromAsset(join(props.bundlesDir, props.stage)),
      handler: 'index.handler',
      timeout: props.timeout,
      memorySize: props.memoryMb,
      reservedConcurrentExecutions: props.reservedConcurrency?.[props.stage],
      environment: { ...metersEnv(this), ...props.uses.env },
      role,
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      tracing: lambda.Tracing.ACTIVE,
      recursiveLoop: props.recursiveLoop,
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resources to name: PutTraceSegments and PutTelemetryRecords take * alone.',
    });
  }

  /** Feeds the function from a queue; what it reports as failed, and no more, comes again. */
  consume(queue: Queue, { batchSize, maxConcurrency }: Consumption): void {
    this.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        resources: [queue.queueArn],
      }),
    );
    new lambda.EventSourceMapping(this, `From${queue.node.scope?.node.id}`, {
      target: this.lambda,
      eventSourceArn: queue.queueArn,
      batchSize,
      // No batching window: a message turns up in the second it is due, and waiting for company would make it late.
      reportBatchItemFailures: true,
      // Not reserved concurrency: that would throttle batches already received and use up their receive counts.
      maxConcurrency,
    });
  }

  /** The function's name, and leave to invoke it. */
  invoking<Variable extends string>(variable: Variable): Binding<Variable> {
    const { functionName, functionArn } = this.lambda;
    const statement = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] });
    return { env: { [variable]: functionName } as Record<Variable, string>, statements: [statement] };
  }

  /** For a function that a schedule invokes: a run that could not start within a minute gives way to the next. */
  dropAfterOneMinute(): void {
    this.lambda.configureAsyncInvoke({ maxEventAge: Duration.minutes(1), retryAttempts: 0 });
  }
}

/** What the function's metrics say they are of. */
const metersEnv = (construct: Construct): MetersEnv => ({ DEPLOYMENT: Stack.of(construct).stackName });

/** `tsc` finds what is missing, but lets through what is too much. */
function refuseUnreadVariables({ stage, env, uses }: PipelineFunctionProps<z.ZodMiniObject>): void {
  const unread = Object.keys(uses.env).filter((name) => !(name in env.shape));
  if (unread.length > 0) throw new Error(`the ${stage} function does not read ${unread.join(', ')}`);
}
