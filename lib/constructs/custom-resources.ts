import { createHash } from 'node:crypto';

import { Aws, type CfnResource, CustomResource, Duration, Names, Stack } from 'aws-cdk-lib';
import { Grant, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct, type IDependable } from 'constructs';

import {
  JOB_RESOURCE,
  type JobProperties,
  JOBS_RESOURCE,
  type JobsProperties,
  KEY_RESOURCE,
  type KeyProperties,
} from '../../lambdas/core/contracts/custom-resources';
import { ProviderEnv } from '../../lambdas/core/contracts/env';
import { type FunctionDefaults, PipelineFunction } from './pipeline-function';

/** The function that makes jobs and keys, as their resources need it. */
export interface Provider {
  readonly arn: string;
  /** What must exist before the first resource, and be deleted after the last one. */
  readonly needs: readonly IDependable[];
  /** Lets it write a secret. */
  admitTo(secret: Secret): void;
  /** Lets it read the manifests of jobs in code. */
  letReadManifests(): void;
}

export const PUT_SECRET = 'secretsmanager:PutSecretValue';

/** The API is asked for minutes, if it is busy: the provider's time, and CloudFormation's. */
const PROVIDER_TIMEOUT = Duration.minutes(5);
const SERVICE_TIMEOUT = Duration.minutes(10);

/** The provider of a deployment, below a construct of the deployment. */
export function ownProvider(
  scope: Construct,
  { defaults, api }: { defaults: FunctionDefaults; api: PipelineFunction },
): Provider & { role: IRole } {
  const provider = new PipelineFunction(scope, 'Provider', {
    ...defaults,
    stage: 'provider',
    description: 'Makes jobs and keys as stacks define them',
    timeout: PROVIDER_TIMEOUT,
    memoryMb: 256,
    env: ProviderEnv,
    uses: api.invoking('API_FUNCTION'),
  });
  const { s3Bucket } = (provider.lambda.node.defaultChild as CfnFunction).code as CfnFunction.CodeProperty;
  return {
    arn: provider.lambda.functionArn,
    role: provider.lambda.role!,
    needs: [provider, api],
    admitTo: ({ secretArn }) =>
      provider.lambda.addToRolePolicy(new PolicyStatement({ actions: [PUT_SECRET], resources: [secretArn] })),
    // Those of all stacks, and of their former versions, are where the code of this function is.
    letReadManifests: () =>
      provider.lambda.addToRolePolicy(
        new PolicyStatement({
          actions: ['s3:GetObject'],
          resources: [`arn:${Aws.PARTITION}:s3:::${s3Bucket}/*`],
        }),
      ),
  };
}

/** Jobs and keys as stacks define them. */
export class CustomResources<P extends Provider = Provider> extends Construct {
  readonly provider: P;
  /** Programs and their jobs, by the stack that has them. */
  private readonly claimed = new WeakMap<Stack, Set<string>>();

  constructor(scope: Construct, id: string, providerIn: (scope: Construct) => P) {
    super(scope, id);
    this.provider = providerIn(this);
  }

  /** A job that exists as long as the resource. */
  addJob(scope: Construct, properties: JobProperties): CustomResource {
    return this.add(scope, JOB_RESOURCE, { ...properties });
  }

  /**
   * The jobs of a program. Its logical id is made of the program, and not of the path of the construct: one
   * that moves keeps its jobs.
   */
  addJobs(scope: Construct, properties: JobsProperties, jobIds: readonly string[]): CustomResource {
    const stack = Stack.of(scope);
    const { Project, Source } = properties;
    const program = JSON.stringify([this.node.path, stack.resolve(Project), Source]);
    const id = `QuarterjackJobs${createHash('sha256').update(program).digest('hex').slice(0, 12)}`;
    this.claim(
      stack,
      id,
      `${scope.node.path}: the stack has jobs of the source ${Source} already; set source`,
    );
    for (const jobId of jobIds)
      this.claim(
        stack,
        `${Project}/${jobId}`,
        `${scope.node.path}: the stack has a job ${jobId} already; set prefix`,
      );
    this.provider.letReadManifests();
    const resource = this.add(scope, JOBS_RESOURCE, { ...properties });
    (resource.node.defaultChild as CfnResource).overrideLogicalId(id);
    return resource;
  }

  /**
   * An API key in a new secret, both in this stack, that the function may read. It gets the secret's ARN in
   * its environment. The value is known only once the resource exists, so the function reads it when it runs.
   * Returns its permission.
   */
  addKey(properties: Omit<KeyProperties, 'SecretArn'>, reader: LambdaFunction, variable: string): Grant {
    const id = Names.uniqueResourceName(reader, {});
    const scope = new Construct(this, id);
    const secret = new Secret(scope, 'Secret', { description: `API key of Quarterjack: ${properties.Name}` });
    this.provider.admitTo(secret);
    reader.addEnvironment(variable, secret.secretArn);
    const key = this.add(scope, KEY_RESOURCE, { ...properties, SecretArn: secret.secretArn });
    key.node.addDependency(secret);
    return Grant.addToPrincipal({
      grantee: reader,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [secret.secretArn],
    });
  }

  private claim(stack: Stack, name: string, fault: string): void {
    const names = this.claimed.get(stack) ?? new Set();
    if (names.has(name)) throw new Error(fault);
    this.claimed.set(stack, names.add(name));
  }

  private add(
    scope: Construct,
    resourceType: string,
    properties: Record<string, string> & { Project: string },
  ): CustomResource {
    const resource = new CustomResource(scope, 'Resource', {
      serviceToken: this.provider.arn,
      serviceTimeout: SERVICE_TIMEOUT,
      resourceType,
      properties,
    });
    const isHere = Stack.of(scope) === Stack.of(this);
    // Another stack depends on the whole of this one, by the ARN of the provider.
    if (isHere) resource.node.addDependency(...this.provider.needs);
    return resource;
  }
}
