import { SIGNED_SERVICES } from '../../../../lambdas/core/contracts/target-resources';
import type { FakeRandom } from '../../../support/fake-random';
import { type Body, given, maybe } from './drawn';

/** A pool beside the default one. Executors of its own serve it. */
export const OTHER_POOL = 'other';
/** Queues that workers of the simulation claim from; no worker claims from the third. */
export const SERVED_QUEUES = ['q1', 'q2'];
const DESERTED_QUEUE = 'q3';
export const HOST = 'example.com';
export const SECRET = 'crm';
const REFERENCE = `{{ secrets.${SECRET} }}`;
export const PEM_SECRET = 'client';
const PEM = `{{ secrets.${PEM_SECRET} }}`;

const ACCOUNT = 'eu-central-1:111122223333';
const MACHINE = {
  type: 'stepfunctions',
  stateMachineArn: `arn:aws:states:${ACCOUNT}:stateMachine:target-flow`,
};
const AWS: readonly Body[] = [
  { type: 'sqs', queueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/target-queue' },
  { type: 'sns', topicArn: `arn:aws:sns:${ACCOUNT}:target-topic` },
  { type: 'eventbridge', eventBusName: 'target-bus', source: 'shop', detailType: 'paid' },
  MACHINE,
];

const DURABLE = {
  type: 'lambda',
  functionArn: `arn:aws:lambda:${ACCOUNT}:function:target-orders:live`,
  durable: true,
};
const TASK = {
  type: 'ecs',
  taskDefinitionArn: `arn:aws:ecs:${ACCOUNT}:task-definition/target-report`,
  clusterArn: `arn:aws:ecs:${ACCOUNT}:cluster/target-jobs`,
  container: 'app',
};

const BATCH = {
  type: 'batch',
  jobDefinitionArn: `arn:aws:batch:${ACCOUNT}:job-definition/target-report`,
  jobQueueArn: `arn:aws:batch:${ACCOUNT}:job-queue/target-spot`,
};
const GLUE = { type: 'glue', glueJobArn: `arn:aws:glue:${ACCOUNT}:job/target-etl` };
const BUILD = { type: 'codebuild', projectArn: `arn:aws:codebuild:${ACCOUNT}:project/target-site` };

const AUTHS: readonly Body[] = [
  { type: 'bearer', token: REFERENCE },
  { type: 'basic', username: REFERENCE, password: REFERENCE },
  { type: 'header', name: 'x-api-key', value: REFERENCE },
  { type: 'oauth2', tokenUrl: `https://${HOST}/token`, clientId: REFERENCE, clientSecret: REFERENCE },
  ...SIGNED_SERVICES.map((service) => ({ type: 'aws', service, region: 'eu-central-1' })),
];

const METHODS = ['GET', 'PUT', 'PATCH', 'DELETE'];
const DRAWN_TYPES = ['http', 'http', 'http', 'http', 'http', 'lambda', 'lambda', 'aws', 'aws'] as const;

function drawAuth(random: FakeRandom): Body {
  const auth = random.pick(AUTHS);
  if (auth.type !== 'oauth2') return auth;
  return given({
    ...auth,
    scope: maybe(random, 0.5, () => 'jobs'),
    audience: maybe(random, 0.5, () => 'crm'),
    clientAuth: maybe(random, 0.5, () => 'post'),
  });
}

/** How a target that is called reports: at once, observed or not, or later by its token. */
function drawMode(random: FakeRandom): Body {
  if (random.fraction() > 0.35) return given({ observe: maybe(random, 0.55, () => true) });
  return given({
    mode: 'async',
    heartbeatTimeout: maybe(random, 0.7, () => random.pick(['20s', '40s', '2m'])),
  });
}

/** A target of any type that is called. */
export function drawCalledTarget(random: FakeRandom): Body {
  const type = random.pick(DRAWN_TYPES);
  if (type === 'aws') return random.pick(AWS);
  if (type === 'lambda')
    return { type, functionArn: `arn:aws:lambda:${ACCOUNT}:function:target-work`, ...drawMode(random) };
  const http = given({
    type,
    url: `https://${HOST}/${random.pick(['hook', 'other'])}`,
    method: maybe(random, 0.45, () => random.pick(METHODS)),
    headers: maybe(random, 0.4, () => ({ 'x-team': 'billing' })),
    auth: maybe(random, 0.4, () => drawAuth(random)),
    timeout: maybe(random, 0.4, () => random.pick(['10s', '2m'])),
    ...drawMode(random),
    keepResponse: maybe(random, 0.45, () => true),
    tls: maybe(random, 0.45, () => ({ certificate: PEM, key: PEM, ca: PEM })),
  });
  // No draw of its own: what seeds draw beside it stays.
  return http.timeout === undefined && http.tls === undefined ? http : { ...http, cloudEvents: true };
}

/** What no worker claims ends by its limit, long before the run does. */
function drawWorkerTarget(random: FakeRandom): Body {
  const isServed = random.fraction() < 0.85;
  return given({
    type: 'worker',
    queue: isServed ? random.pick(SERVED_QUEUES) : DESERTED_QUEUE,
    heartbeatTimeout: maybe(random, 0.6, () => random.pick(['15s', '40s'])),
    startWithin: maybe(random, isServed ? 0.65 : 1, () => random.pick(['20s', '90s'])),
  });
}

/** A call of an action of AWS. */
const drawAction = (random: FakeRandom): Body =>
  given({
    type: 'aws',
    action: 'kinesis:PutRecord',
    input: { StreamName: 'target-orders', PartitionKey: random.pick(['a', 'b']), Data: 'x' },
    region: maybe(random, 0.5, () => 'us-west-2'),
  });

/** A target, or several of them. A worker or an action is never one of several. */
export function drawTargets(random: FakeRandom): { target: Body } | { targets: Body[] } {
  if (random.fraction() < 0.2)
    return { targets: Array.from({ length: random.between(1, 3) }, () => drawCalledTarget(random)) };
  const kind = random.fraction();
  if (kind >= 0.94) return { target: drawAction(random) };
  const target = kind < 0.3 ? drawWorkerTarget(random) : drawCalledTarget(random);
  return { target: target.type === 'stepfunctions' ? { ...target, wait: false } : target };
}

/** A task of ECS or a job of Batch with some of what a job may say, a run of Glue, or a build. */
function drawWork(random: FakeRandom): Body {
  const environment = maybe(random, 0.5, () => ({ MODE: 'full' }));
  const ofContainer = {
    environment,
    fatalExitCodes: maybe(random, 0.3, () => [2, 3]),
    command: maybe(random, 0.3, () => ['make', 'report']),
    memory: maybe(random, 0.3, () => 512),
  };
  return given(
    random.pick<Body>([
      { ...TASK, ...ofContainer, cpu: maybe(random, 0.3, () => 256) },
      {
        ...BATCH,
        ...ofContainer,
        vcpus: maybe(random, 0.3, () => 1),
        parameters: maybe(random, 0.3, () => ({ day: '7' })),
      },
      { ...GLUE, arguments: maybe(random, 0.5, () => ({ '--day': '7' })) },
      { ...BUILD, environment },
    ]),
  );
}

/** The one target of a job, which may wait for what it starts. */
export function drawTargetsOfJob(random: FakeRandom): ReturnType<typeof drawTargets> {
  const drawn = drawTargets(random);
  if (!('target' in drawn)) return drawn;
  if (drawn.target.type !== 'stepfunctions' && random.fraction() > 0.14) return drawn;
  const fatalErrors = maybe(random, 0.3, () => ['failed']);
  const wait = random.fraction() < 0.7;
  return {
    target: random.pick([
      given({ ...MACHINE, wait, fatalErrors: wait ? fatalErrors : undefined }),
      given({ ...DURABLE, fatalErrors }),
      drawWork(random),
    ]),
  };
}
