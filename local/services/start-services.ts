import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Access } from '../iam/access';
import type { Clock } from '../machine/clock';
import type { DataDir } from '../run/data-dir';
import type { ShutdownStack } from '../run/shutdown-stack';
import { eventRules } from '../sources/event-rules';
import type { AwsEnvironment } from '../template/resource-type';
import type { LocalStack } from '../template/stack';
import { authorized } from './authorized';
import type { AwsService } from './aws-call';
import type { AwsEndpoint } from './aws-endpoint';
import type { Callers } from './callers';
import { DURABLE_FUNCTIONS } from './durable/durable-execution';
import { durableFunctions, durableStarter } from './durable/durable-functions';
import { startDynamoDb } from './dynamodb/dynamodb';
import { ecs } from './ecs/ecs';
import type { TaskScript } from './ecs/scripts';
import { EcsTasks } from './ecs/tasks';
import { eventBridge } from './event-bridge';
import { ExternalResources } from './external-resources';
import { startSecretsManager } from './secrets-manager';
import { sns } from './sns';
import { startSqs } from './sqs/sqs';
import { MachineExecutions } from './step-functions/machine-executions';
import type { Script } from './step-functions/scripts';
import { stepFunctions } from './step-functions/step-functions';
import { sts } from './sts';

interface ServiceDeps extends Pick<Parameters<typeof startDynamoDb>[1], 'onFailure' | 'onRowWrite'> {
  serve: ReturnType<typeof serviceStarter>;
  access: Access;
  aws: AwsEnvironment;
  clock: Clock;
  callers: Callers;
  data: DataDir;
  /** How their work goes. */
  standIns: {
    stateMachines?: readonly Script[];
    durableFunctions?: readonly Script[];
    ecsTasks?: readonly TaskScript[];
  };
  err(line: string): void;
}

/** Makes a service callable at the endpoint, and stops it on shutdown. */
export const serviceStarter =
  (endpoint: AwsEndpoint, access: Access, shutdown: ShutdownStack) =>
  <Service extends AwsService>(service: Service): Service => {
    endpoint.serve(authorized(service, access));
    return shutdown.add(service, (started) => started.stop());
  };

/** The AWS services that functions call, each authorized by the policies of the template. */
export async function startServices(stack: LocalStack, deps: ServiceDeps) {
  const { serve, access, aws, clock, callers, data, standIns, err, onFailure, onRowWrite } = deps;
  const external = new ExternalResources({ clock, newId: randomUUID, onFirst: err });
  const sqs = serve(await startSqs(stack.queues, aws, clock));
  const { streams } = serve(
    await startDynamoDb(stack.tables, {
      ...aws,
      clock,
      storePath: data.storePath,
      err,
      onFailure,
      onRowWrite,
      wanted: (streamArn) => stack.streamMappings.find((one) => one.streamArn === streamArn)?.wanted,
    }),
  );
  serve(startSecretsManager(stack.secrets, data.path));
  const events = serve(eventBridge(stack.eventBuses, { aws, clock, newId: randomUUID, external }));
  serve(sns(external));
  const publish = eventRules(stack.eventRules, {
    ...{ access, accountId: aws.accountId },
    send: (queueArn, body) => sqs.send(queueArn, body),
    onError: err,
  });
  const fileOf = (name: string) => (data.storePath === undefined ? undefined : join(data.path, name));
  const { stateMachines = [], durableFunctions: functions = [], ecsTasks = [] } = standIns;
  const standIn = { clock, newId: randomUUID, publish };
  const machines = new MachineExecutions({
    ...standIn,
    scripts: stateMachines,
    path: fileOf('state-machines.jsonl'),
  });
  serve(stepFunctions(machines, external));
  const durable = new MachineExecutions({
    ...standIn,
    scripts: functions,
    path: fileOf('durable-executions.jsonl'),
    ways: DURABLE_FUNCTIONS,
  });
  serve(durableFunctions(durable));
  const tasks = new EcsTasks({ ...standIn, scripts: ecsTasks, path: fileOf('ecs-tasks.jsonl') });
  serve(ecs(tasks, external));
  const isOwnRole = (arn: string) => stack.policies.roles.has(arn);
  serve(sts({ callers, external, clock, isOwnRole, trusts: (arn, caller) => access.trusts(arn, caller) }));
  const startDurable = durableStarter(durable, external);
  return { sqs, streams, events, external, startDurable, executions: [machines, durable], tasks };
}
