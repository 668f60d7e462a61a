import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import type { ConsoleEnv, EnvOf } from '../../lambdas/core/contracts/env';
import type { ConsoleSignIn } from '../../lambdas/core/contracts/sign-in';
import type { StageConfig } from '../config/stage-config';
import { bundleOf } from './bundle';
import { apiFunctionName } from './deployment-name';
import { LOGGING } from './logging';

export interface ConsoleProps {
  readonly config: StageConfig;
  /** Folder with one folder per stage. That of the console also holds the built files. */
  readonly bundlesDir: string;
  readonly signIn: ConsoleSignIn;
}

/**
 * The web console: a function that serves built files from the origin of the API. It only writes its own log.
 */
export class Console extends Construct {
  readonly files: lambda.Function;

  constructor(scope: Construct, id: string, { config, bundlesDir, signIn }: ConsoleProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    const environment: EnvOf<typeof ConsoleEnv> = { SIGN_IN: Stack.of(this).toJsonString(signIn) };
    this.files = new lambda.Function(this, 'Function', {
      functionName: apiFunctionName(this, 'console'),
      description: 'Serves the files of the web console',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: bundleOf(bundlesDir, 'console'),
      handler: 'index.handler',
      timeout: Duration.seconds(5),
      memorySize: 128,
      environment: { ...environment },
      role,
      logGroup,
      ...LOGGING,
    });
  }
}
