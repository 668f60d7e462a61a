import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Access } from '../iam/access';
import type { Clock } from '../machine/clock';
import type { DataDir } from '../run/data-dir';
import type { ShutdownStack } from '../run/shutdown-stack';
import { eventRules } from '../sources/event-rules';
import type { AwsEnvironment } from '../template/resource-type';
import type { LocalStack } from '../template/stack';
import { actions } from './actions/actions';
import { authorized } from './authorized';
import type { AwsService } from './aws-call';
import type { AwsEndpoint } from './aws-endpoint';
import type { Callers } from './callers';
import { startDynamoDb } from './dynamodb/dynamodb';
import { afterDisk, edgeOf } from './edge';
import { eventBridge } from './event-bridge';
import { ExternalResources } from './external-resources';
import { startSecretsManager } from './secrets-manager';
import { sns } from './sns';
import { startSqs } from './sqs/sqs';
import { type StandInScripts, startStandIns } from './start-stand-ins';
import { sts } from './sts';

interface ServiceDeps extends Pick<Parameters<typeof startDynamoDb>[1], 'onFailure' | 'onRowWrite'> {
  serve: ReturnType<typeof serviceStarter>;
  access: Access;
  aws: AwsEnvironment;
  clock: Clock;
  callers: Callers;
  data: DataDir;
  standIns: StandInScripts;
  err(line: string): void;
}

/** Makes a service callable at the endpoint, with `around` between, and stops it on shutdown. */
export const serviceStarter =
  (endpoint: AwsEndpoint, access: Access, shutdown: ShutdownStack) =>
  <Service extends AwsService>(service: Service, around = (one: AwsService) => one): Service => {
    endpoint.serve(authorized(around(service), access));
    return shutdown.add(service, (started) => started.stop());
  };

/** The AWS services that functions call, each authorized by the template's policies. `serve` adds others. */
export async function startServices(stack: LocalStack, deps: ServiceDeps) {
  const { access, aws, clock, callers, data, standIns, err, onFailure, onRowWrite } = deps;
  const external = new ExternalResources({ clock, newId: randomUUID, onFirst: err });
  const isAtEdge = edgeOf(stack);
  // A queue ends with this process, and who reads it meets the tables: it need not wait for the disk.
  const sqs = deps.serve(await startSqs(stack.queues, aws, clock));
  const { streams, flushed } = deps.serve(
    await startDynamoDb(stack.tables, {
      ...aws,
      clock,
      storePath: data.storePath,
      isAtEdge,
      err,
      onFailure,
      onRowWrite,
      wanted: (streamArn) => stack.streamMappings.find((one) => one.streamArn === streamArn)?.wanted,
    }),
  );
  const serve = <Service extends AwsService>(service: Service): Service =>
    deps.serve(service, (one) => afterDisk(one, { isAtEdge, flushed }));
  serve(startSecretsManager(stack.secrets, data.path));
  const events = serve(eventBridge(stack.eventBuses, { aws, clock, newId: randomUUID, external }));
  serve(sns(external));
  const folder = stack.functions.map(({ environment }) => environment.ACTIONS_PATH).find(Boolean);
  if (folder !== undefined) serve(actions({ folder, external, aws }));
  const publish = eventRules(stack.eventRules, {
    ...{ access, accountId: aws.accountId },
    send: (queueArn, body) => sqs.send(queueArn, body),
    onError: err,
  });
  const fileOf = (name: string) => (data.storePath === undefined ? undefined : join(data.path, name));
  const started = startStandIns(standIns, {
    ...{ clock, external, serve, fileOf, aws },
    newId: randomUUID,
    publish,
  });
  const isOwnRole = (arn: string) => stack.policies.roles.has(arn);
  serve(sts({ callers, external, clock, isOwnRole, trusts: (arn, caller) => access.trusts(arn, caller) }));
  return { serve, flushed, sqs, streams, events, external, ...started };
}
