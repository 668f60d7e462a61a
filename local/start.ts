import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { ISSUER_DIR } from './machine/paths';
import { systemClock } from './machine/clock';
import { openDataDir, openEphemeralDir } from './run/data-dir';
import { LocalRunError } from './run/errors';
import { listen } from './sources/http-server';
import { AsyncInvoker } from './invoke/async-invoker';
import { Invoker } from './invoke/invoker';
import { Access, type Decision, SECURE } from './iam/access';
import { refuseUndeployable } from './iam/deployable';
import { dashboardPage, readDashboard } from './metrics/dashboard';
import { metricsIn } from './metrics/emf';
import { MetricStore } from './metrics/metric-store';
import { Published } from './metrics/aws-metrics';
import { LOCAL_PREFIX, localPages } from './pages/local-pages';
import { LOCAL_AUDIENCE, LOCAL_ISSUER, openIssuer } from './issuer/issuer';
import type { AwsService } from './services/aws-call';
import { startAwsEndpoint } from './services/aws-endpoint';
import { Callers, type Credentials } from './services/callers';
import { startDynamoDb } from './services/dynamodb/dynamodb';
import type { RowWrite } from './services/dynamodb/write-observer';
import { guarded } from './services/authorized';
import { Elsewhere } from './services/external-resources';
import { eventBridge } from './services/event-bridge';
import { lambdaService } from './services/lambda';
import { scheduler } from './services/scheduler';
import { startSecretsManager } from './services/secrets-manager';
import { sns } from './services/sns';
import { startSqs } from './services/sqs/sqs';
import { stepFunctions } from './services/step-functions';
import { startMapping } from './sources/event-source-mapping';
import { withLocalConcurrency } from './sources/local-concurrency';
import { httpApi, routeArn } from './sources/http-api';
import { jwtAuthorizer } from './sources/jwt-authorizer';
import { startSchedules } from './sources/schedules';
import { writeRunFile } from './run/run-file';
import { Stopping } from './run/shutdown-stack';
import { readAssembly } from './template/assembly';
import { readStack } from './template/read-stack';
import type { LocalStack, RouteSpec } from './template/stack';
import { synthesize } from './template/synthesize';

const REGION = 'us-east-1';
const ACCOUNT_ID = '000000000000';
const HEALTH_PATH = '/v1/health';
const HEALTH_LIMIT_MS = 30_000;
/** How long batches at work may take to end, once the run is to stop. */
const GRACE_MS = 3_000;

export interface StartOptions {
  /** Of the HTTP API; 0 takes a free one. */
  port: number;
  /** Absent: nothing is kept. */
  dataDir: string | undefined;
  strictTargets?: boolean;
  /** Cloud assembly to run; synthesized from the checkout without it. */
  assembly?: string | undefined;
  verbose?: boolean;
  /** Where lines for the terminal go; by default to stdout and stderr. */
  out?(line: string): void;
  err?(line: string): void;
  /** Called once if an embedded service dies; the run is of no use then, and ought to be stopped. */
  onFailure?(error: Error): void;
  /** Called for every row written, in the order of the tables. Requests to the tables go one at a time then. */
  onRowWrite?(write: RowWrite): void;
}

export interface LocalRun {
  /** Base URL of the HTTP API. */
  url: string;
  awsEndpointUrl: string;
  region: string;
  /** Credentials for the AWS endpoint that belong to no function. */
  operator: Credentials;
  dataDir: string;
  stack: LocalStack;
  token(user: string, scope?: string): Promise<string>;
  /**
   * Ends one execution environment of a function in the middle of its work. A part of the logical id that no other
   * function has will do. False where the function has no environment just now.
   */
  killWorker(functionLogicalId: string): boolean;
  /** What functions and services asked to be allowed so far, and what the template's policies answered. */
  decisions(): Decision[];
  stop(): Promise<void>;
}

/**
 * Runs the stack of an assembly: embedded services, the HTTP API, pollers and schedules, in one process on 127.0.0.1.
 * Resolves once the API says that it is healthy. Throws a `LocalRunError` for what its user can put right.
 */
export async function start(options: StartOptions): Promise<LocalRun> {
  // Threads share the time zone of their process, and Lambda's is UTC.
  process.env.TZ = 'UTC';
  const stopping = new Stopping();
  try {
    return await startWith(options, stopping);
  } catch (error) {
    await stopping.run();
    throw error;
  }
}

async function startWith(options: StartOptions, stopping: Stopping): Promise<LocalRun> {
  const out = options.out ?? ((line) => void process.stdout.write(`${line}\n`));
  const err = options.err ?? ((line) => void process.stderr.write(`${line}\n`));
  const clock = systemClock;

  const data = options.dataDir === undefined ? openEphemeralDir() : openDataDir(options.dataDir);
  stopping.add(() => data.release());
  const server = await listen(options.port);
  stopping.add(() => server.stop());
  const assemblyDir =
    options.assembly ??
    (await synthesize({ strictTargets: options.strictTargets ?? false, onProgress: out }));
  const assembly = readAssembly(assemblyDir);

  const callers = new Callers();
  const endpoint = await startAwsEndpoint(callers, err);
  stopping.add(() => endpoint.stop());
  const place = { region: REGION, accountId: ACCOUNT_ID, apiUrl: server.url, awsUrl: endpoint.url };
  const stack = readStack(assembly, place);
  const access = new Access(stack.policies, ACCOUNT_ID, err);
  refuseUndeployable(stack, access, ACCOUNT_ID);

  const onFailure = options.onFailure ?? ((error) => err(error.message));
  const run = async <Service extends AwsService>(starting: Service | Promise<Service>): Promise<Service> => {
    const service = await starting;
    stopping.add(() => service.stop());
    endpoint.serve(guarded(service, access));
    return service;
  };
  const sqs = await run(startSqs(stack.queues, place, clock));
  const { onRowWrite } = options;
  await run(
    startDynamoDb(stack.tables, { ...place, storePath: data.storePath, clock, onFailure, onRowWrite }),
  );
  await run(startSecretsManager(stack.secrets, data.path));
  const elsewhere = new Elsewhere({ clock, newId: randomUUID, onFirst: err });
  const events = eventBridge(stack.eventBuses, { place, clock, newId: randomUUID, elsewhere });
  await run(events);
  await run(sns(elsewhere));
  await run(stepFunctions(elsewhere, clock));

  const mappings = withLocalConcurrency(stack.mappings);
  const mappedConcurrency = new Map<string, number>();
  for (const { functionArn, maxConcurrency } of mappings)
    mappedConcurrency.set(functionArn, (mappedConcurrency.get(functionArn) ?? 0) + maxConcurrency);
  const metrics = new MetricStore(clock.nowMs());
  const onLine = (line: string): void => metricsIn(line).forEach((datum) => metrics.put(datum));
  const logTarget = { logDir: data.logDir, verbose: options.verbose ?? false, out, err, onLine };
  const invoker = await Invoker.create(stack.functions, { callers, place, logTarget, mappedConcurrency });
  stopping.add(() => invoker.stop());
  invoker.warmUp();
  const published = new Published(metrics, clock);
  const invoke = (functionArn: string, event: string) =>
    published.invocation(invoker.spec(functionArn).name, () => invoker.invoke(functionArn, event));
  const asyncInvoker = new AsyncInvoker({
    clock,
    invoke,
    spec: (functionArn) => invoker.spec(functionArn),
    async sendToQueue(from, queueArn, body) {
      const needs = [{ action: 'sqs:SendMessage', resource: queueArn, context: SECURE }];
      if (!access.refusal(from, needs)) await sqs.send(queueArn, body);
    },
    onError: err,
  });
  stopping.add(() => asyncInvoker.stop());
  const invokeLater = (functionArn: string, event: string) => asyncInvoker.invoke(functionArn, event);
  await run(lambdaService(stack.functions, { invoke, invokeLater, elsewhere }));

  const issuer = await openIssuer(ISSUER_DIR);
  const authorizer = authorizers(stack, (trusted) => jwtAuthorizer({ ...trusted, key: issuer, clock }), out);
  const mayInvoke = ({ functionArn, routeKey }: RouteSpec) =>
    access.allowsService('apigateway.amazonaws.com', {
      action: 'lambda:InvokeFunction',
      resource: functionArn,
      context: {
        'aws:sourceaccount': ACCOUNT_ID,
        'aws:sourcearn': routeArn(stack.httpApi, routeKey, place),
      },
    });
  const gateway = { accountId: ACCOUNT_ID, clock, authorizer, mayInvoke, invoke, onError: err };
  const api = httpApi(stack.httpApi, gateway);
  const graphs = stack.dashboards.flatMap(readDashboard);
  const pages = localPages({
    data: {
      'dashboard.json': dashboardPage(stack.stackName, graphs, metrics, clock),
      events: () => ({ events: events.seen() }),
      elsewhere: () => ({ sent: elsewhere.sent() }),
    },
    onError: err,
  });
  server.serve((request, response) => {
    if (request.url?.startsWith(LOCAL_PREFIX)) return pages(request, response);
    published.request(stack.httpApi.id, response);
    api(request, response);
  });
  // A second time, since requests must end before what they need does.
  stopping.add(() => server.stop());
  await waitUntilHealthy(`${server.url}${HEALTH_PATH}`);

  const sampling = published.queues(stack.queues, (arn) => sqs.queue(arn));
  stopping.add(() => sampling.stop());

  const pollers = mappings.map((mapping) =>
    startMapping(mapping, { queue: sqs.queue(mapping.queueArn), region: REGION, invoke }),
  );
  stopping.add(() => Promise.race([Promise.all(pollers.map((poller) => poller.stop())), sleep(GRACE_MS)]));
  const schedules = startSchedules(stack.schedules, {
    clock,
    invoke({ name, roleArn, functionArn }, event) {
      const needs = [{ action: 'lambda:InvokeFunction', resource: functionArn, context: SECURE }];
      if (!access.refusal({ roleArn, name }, needs)) asyncInvoker.invoke(functionArn, event);
    },
  });
  stopping.add(() => schedules.stop());
  await run(scheduler(schedules));
  const operator = callers.issue();
  const here = { url: server.url, awsEndpointUrl: endpoint.url, region: REGION, operator };
  const runFile = writeRunFile({ ...here, pid: process.pid, stackName: stack.stackName });
  stopping.add(() => runFile.remove());

  return {
    ...here,
    dataDir: data.path,
    stack,
    token: (user, scope = 'jobs:read jobs:write') =>
      issuer.token({ user, scope, ttlSec: 3600, nowMs: clock.nowMs() }),
    decisions: () => access.decisions(),
    killWorker: (functionLogicalId) => invoker.kill(functionLogicalId),
    stop: () => stopping.run(),
  };
}

type Trusted = NonNullable<RouteSpec['authorizer']>;

/** One authorizer for each that the template names. Tokens of an issuer elsewhere cannot be had here, so ours stand in. */
function authorizers<T>(stack: LocalStack, make: (trusted: Trusted) => T, out: (line: string) => void) {
  const made = new Map<string, T>();
  for (const { authorizer } of stack.httpApi.routes) {
    if (!authorizer || made.has(authorizer.issuer)) continue;
    if (authorizer.issuer === LOCAL_ISSUER) {
      made.set(authorizer.issuer, make(authorizer));
      continue;
    }
    out(`tokens of ${LOCAL_ISSUER} stand in for those of ${authorizer.issuer}`);
    made.set(authorizer.issuer, make({ issuer: LOCAL_ISSUER, audience: [LOCAL_AUDIENCE] }));
  }
  return ({ authorizer }: RouteSpec): T => {
    const one = made.get(authorizer?.issuer ?? '');
    if (one === undefined) throw new Error('the route has no authorizer');
    return one;
  };
}

async function waitUntilHealthy(url: string): Promise<void> {
  const untilMs = performance.now() + HEALTH_LIMIT_MS;
  let last = 'no answer';
  while (performance.now() < untilMs) {
    const response = await fetch(url);
    last = `${response.status} ${await response.text()}`;
    if (response.status === 200) return;
    if (response.status < 500) break;
    await sleep(200);
  }
  throw new LocalRunError(`GET ${HEALTH_PATH} did not answer 200: ${last}`);
}
