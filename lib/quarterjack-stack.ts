import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import type { StageConfig } from './config/stage-config';
import type { Identity } from './constructs/identity';
import { outputNameOf } from './constructs/machine-clients';
import { Quarterjack } from './quarterjack';

export interface QuarterjackStackProps extends StackProps {
  readonly config: StageConfig;
  /** Folder with one folder per stage, each holding the stage's bundle as `index.mjs`. */
  readonly bundlesDir: string;
}

/** A stack that is Quarterjack alone, with its outputs. */
export class QuarterjackStack extends Stack {
  constructor(scope: Construct, id: string, { config, bundlesDir, ...props }: QuarterjackStackProps) {
    super(scope, id, {
      description: 'Quarterjack, a serverless distributed job scheduler',
      terminationProtection: config.removal === 'protect',
      ...props,
    });
    // CDK leaves the id Default out of logical ids. Another id would replace every table.
    const quarterjack = new Quarterjack(this, 'Default', { ...config, bundlesDir });
    for (const [name, value] of Object.entries(outputsOf(quarterjack)))
      if (value !== undefined) new CfnOutput(this, name, { value });
  }
}

/** With a configured issuer, the operator knows their ids. */
const machineClientsOf = ({ userPool, machineClients }: Identity): Record<string, string> =>
  userPool
    ? Object.fromEntries(
        machineClients.map(({ name, clientId }) => [`MachineClient${outputNameOf(name)}`, clientId]),
      )
    : {};

/** `ApiUrl` has no trailing slash, so that `$ApiUrl/v1/jobs` is a path of the API. */
function outputsOf({ url, consoleUrl, eventBus, executorRole, deployment }: Quarterjack) {
  const { http, identity, alarms } = deployment;
  return {
    ApiUrl: url,
    ConsoleUrl: consoleUrl,
    UserPoolId: identity.userPool?.pool.userPoolId,
    ClientId: identity.userPool?.client.userPoolClientId,
    SignInUrl: identity.userPool?.signInUrl,
    EventBusName: eventBus.eventBusName,
    // For policies of resources outside the stack that have to let the executor in.
    ExecutorRoleArn: executorRole.roleArn,
    // For `cdk deploy --rollback-trigger-alarm-arns`.
    RollbackAlarmArns: alarms.onBadVersions.map(({ alarmArn }) => alarmArn).join(','),
    ...machineClientsOf(identity),
    DomainTarget: http.domain?.regionalDomainName,
    DomainHostedZoneId: http.domain?.regionalHostedZoneId,
  };
}
