import { setFlagsFromString } from 'node:v8';

import { Access, type Decision } from './iam/access';
import { assertDeployable } from './iam/assert-deployable';
import { type Functions, startFunctions } from './invoke/start-functions';
import { openIssuer } from './issuer/issuer';
import { type RunTokens, runTokens } from './issuer/run-tokens';
import { signInPages } from './issuer/sign-in/sign-in';
import { callbackUrlsOf, machineClientsOf } from './issuer/trust-local-issuer';
import { systemClock } from './machine/clock';
import { stateDirs } from './machine/paths';
import { AwsMetrics } from './metrics/aws-metrics';
import { dashboardPage } from './metrics/dashboard';
import { collectMetrics } from './metrics/emf';
import { MetricStore } from './metrics/metric-store';
import { prometheusText } from './metrics/prometheus';
import { listenerOf, localPages } from './pages/local-pages';
import { machinePage } from './pages/machine-page';
import { type DataDir, openDataDir } from './run/data-dir';
import { writeRunFile } from './run/run-file';
import { ShutdownStack } from './run/shutdown-stack';
import { withStandIns } from './run/stand-ins';
import type { TargetsBeside } from './run/targets-beside';
import { HEALTH_PATH, waitUntilHealthy } from './run/wait-until-healthy';
import { startAwsEndpoint } from './services/aws-endpoint';
import { Callers, type Credentials } from './services/callers';
import { cloudWatch } from './services/cloudwatch';
import type { RowWrite } from './services/dynamodb/dynamodb';
import { lambdaService } from './services/lambda';
import { portOpener } from './services/port-endpoint';
import { scheduler } from './services/scheduler';
import type { Sqs } from './services/sqs/sqs';
import { serviceStarter, startServices } from './services/start-services';
import type { StandInScripts } from './services/start-stand-ins';
import { startMappings } from './sources/event-source-mapping';
import { httpApi } from './sources/http-api';
import { routeMatcher } from './sources/http-routes';
import { listen } from './sources/http-server';
import { type LocalMapping, withLocalConcurrency } from './sources/local-concurrency';
import { startSchedules } from './sources/schedules';
import { startStreamMappings } from './sources/stream-mapping';
import { type Assembly, readAssembly } from './template/assembly';
import { readStack } from './template/read-stack';
import type { AwsEnvironment } from './template/resource-type';
import type { FunctionSpec, LocalStack, ScheduleSpec } from './template/stack';
import { synthesize } from './template/synthesize';
import { withFlags } from './template/with-flags';

const REGION = 'us-east-1';
const ACCOUNT_ID = '000000000000';
const PLACE = { region: REGION, accountId: ACCOUNT_ID };

export interface StartOptions extends TargetsBeside, StandInScripts {
  /** Port of the HTTP API; 0 selects a free port. */
  port: number;
  /** Address to listen on. @default 127.0.0.1 */
  host?: string;
  /** Undefined keeps no data after the run. */
  dataDir: string | undefined;
  strictTargets?: boolean;
  /** Where projects come from: `sub`, `groups` or `claim:<name>`. By default as the `local` stage says. */
  projects?: string | undefined;
  /** Folder of a cloud assembly to run. By default one is synthesized from the checkout. */
  assembly?: string | undefined;
  /** Executors that each priority of the default pool may have, 2 to 256. @default as the stage says */
  executors?: number | undefined;
  /** Base URL of a collector, such as `http://127.0.0.1:4318`. By default no trace is recorded. */
  otlp?: string | undefined;
  /** See `TemplateFlags`. */
  exportTo?: string | undefined;
  verbose?: boolean;
  /** Let functions call AWS services by HTTP. @default by messages, which take less processor time */
  awsHttp?: boolean;
  /** Start the batches of a queue one after another, as Lambda does. @default all that may run, at once */
  lambdaRamp?: boolean;
  /** Called when a part of the start begins: `starting the tables and queues`. */
  onStep?(what: string): void;
  /** Receives lines for the terminal. @default stdout */
  out?(line: string): void;
  /** Receives error lines for the terminal. @default stderr */
  err?(line: string): void;
  /** Called once if an embedded service dies. The run is useless then and should be stopped. */
  onFailure?(error: Error): void;
  /** Called for every written row, in the order of the writes and before its writer has the response. */
  onRowWrite?(write: RowWrite): void;
}

export interface LocalRun extends RunTokens {
  /** Base URL of the HTTP API. */
  url: string;
  /** Address of the console, with the code that the sign-in page asks for. Undefined: there is none. */
  consoleUrl: string | undefined;
  awsEndpointUrl: string;
  region: string;
  /** Credentials for the AWS endpoint that do not belong to a function. */
  operator: Credentials;
  dataDir: string;
  /** Folder of the functions' logs. */
  logDir: string;
  stack: LocalStack;
  /** What the sign-in page asks for. */
  signInCode: string;
  /**
   * Ends an execution environment of a function, even during an invocation. Takes any unique part of the
   * logical id. False if the function has no environment at the moment.
   */
  killWorker(functionLogicalId: string): boolean;
  /** All distinct access decisions so far. */
  decisions(): Decision[];
  stop(): Promise<void>;
}

/**
 * Runs the stack of an assembly in one process on 127.0.0.1. Resolves when the API reports that it is
 * healthy. Throws a `LocalRunError` for what its user can fix.
 */
export async function start(options: StartOptions): Promise<LocalRun> {
  // Lambda runs in UTC, and threads share the time zone of their process.
  process.env.TZ = 'UTC';
  // An idle run would collect the small heaps of its threads again and again: 0.3 s of CPU in a minute.
  setFlagsFromString('--no-memory-reducer-for-small-heaps');
  const shutdown = new ShutdownStack();
  try {
    return await startSteps(options, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

/** One line per step, together with its undo. Shutdown runs the undos from the bottom to the top. */
async function startSteps(options: StartOptions, shutdown: ShutdownStack): Promise<LocalRun> {
  const clock = systemClock;
  const { out, err, onFailure, onRowWrite, verbose, onStep, ramp } = withDefaults(options);

  // The data directory, the two ports, and the stack, whose template contains their URLs.
  const data = shutdown.add(openDataDir(options.dataDir), (dir) => dir.release());
  const server = shutdown.add(await listen(options.port, options.host), stop);
  const assembly = await assemblyOf(options, onStep);
  const callers = new Callers();
  const endpoint = shutdown.add(await startAwsEndpoint(callers, err), stop);
  const aws = { ...PLACE, apiUrl: server.url, awsUrl: endpoint.url, startedMs: clock.nowMs() };
  const stack = withStandIns(readStack(assembly, aws), { url: server.url, beside: options, out });
  const access = accessOf(stack, err);

  onStep('starting the tables and queues');
  const given = { access, aws, clock, callers, data, standIns: options, onFailure, onRowWrite, err };
  const atEndpoint = serviceStarter(endpoint, access, shutdown);
  const services = await startServices(stack, { ...given, serve: atEndpoint });
  const { serve, flushed, sqs, external, startDurable, working } = services;

  // The functions, and the metrics of what they do.
  const metrics = new MetricStore(clock.nowMs());
  const awsMetrics = new AwsMetrics(metrics, clock);
  serve(cloudWatch(metrics));
  const mappings = withLocalConcurrency(stack.mappings, options.executors);
  const logs = { logDir: data.logDir, verbose, out, err, onLine: collectMetrics(metrics) };
  const reach = { ...aws, openPort: options.awsHttp ? undefined : portOpener(endpoint.respond) };
  const deps = { callers, logs, clock, awsMetrics, mappings, sendToQueue: queueSender(sqs, access) };
  onStep('starting the functions');
  const functions = shutdown.add(await startFunctions(stack.functions, { ...deps, aws: reach }), stop);
  warmUpApi(stack, functions);
  serve(lambdaService(stack.functions, { ...functions, flushed, external, startDurable }));

  // The event sources: HTTP requests first, then queues and schedules.
  const issuer = await openIssuer(stateDirs(options.dataDir).issuer);
  const mayInvoke = gatewayPermission(access, aws);
  const api = httpApi(stack.httpApi, { ...aws, ...functions, clock, mayInvoke, flushed, onError: err });
  const dashboard = dashboardPage(stack, metrics, clock);
  const pageData = pageDataOf(services, issuer, metrics);
  const pages = localPages({ ...pageData, dashboard, machines: machinePage(working) }, err);
  const clients = { callbackUrls: callbackUrlsOf(stack), machineClients: machineClientsOf(stack) };
  const signIn = signInPages({ ...clients, issuer, nowMs: clock.nowMs, origin: server.url, onError: err });
  server.serve(listenerOf(pages, signIn.listener, awsMetrics.measureRequests(stack.httpApi.id, api)));
  shutdown.add(server, stop); // again, so that running requests end before what they use
  onStep('waiting for the API');
  await waitUntilHealthy(server.url);
  shutdown.add(awsMetrics.sampleQueues(stack.queues, sqs.queue), stop);
  shutdown.add(startSources(stack, mappings, { ...functions, ...services, ...deps, ...aws, ramp }), stop);
  const invokeScheduled = scheduleInvoker(functions, access);
  const schedules = shutdown.add(startSchedules(stack.schedules, { clock, invoke: invokeScheduled }), stop);
  serve(scheduler(schedules));

  const run = { url: server.url, awsEndpointUrl: endpoint.url, region: REGION, operator: callers.issue() };
  const runFile = { ...run, pid: process.pid, logDir: data.logDir, ...namesOf(stack) };
  shutdown.add(writeRunFile(runFile, stateDirs(options.dataDir).runs), (file) => file.remove());
  const consoleUrl = consoleUrlOf(stack, server.url, signIn.code);
  const tokens = { ...runTokens(issuer, clock), signInCode: signIn.code, consoleUrl };
  return { ...run, ...tokens, ...controlOf(functions, access, shutdown), ...dirsOf(data), stack };
}

/** What the pages show, beside the dashboard and the machines. */
const pageDataOf = (
  { events, external }: Pick<Awaited<ReturnType<typeof startServices>>, 'events' | 'external'>,
  issuer: Awaited<ReturnType<typeof openIssuer>>,
  metrics: MetricStore,
) => ({
  events: events.received,
  external: () => external.sent(),
  keySet: () => issuer.keySet,
  metrics: () => prometheusText(metrics),
});

/** The readers of queues and streams. */
function startSources(stack: LocalStack, mappings: readonly LocalMapping[], deps: SourcesDeps) {
  const { functions, streamMappings } = stack;
  const queues = startMappings(mappings, { ...deps, queueOf: deps.sqs.queue });
  const streams = startStreamMappings(streamMappings, { ...deps, functions, onError: deps.logs.err });
  return { stop: () => Promise.all([queues.stop(), streams.stop()]) };
}

type SourcesDeps = Omit<Parameters<typeof startMappings>[1], 'queueOf'> &
  Omit<Parameters<typeof startStreamMappings>[1], 'functions' | 'onError'> & {
    sqs: Sqs;
    logs: { err(line: string): void };
  };

const assemblyOf = async (options: StartOptions, onProgress: (what: string) => void): Promise<Assembly> =>
  withFlags(readAssembly(options.assembly ?? (await synthesize({ onProgress }))), options);

/** The access decisions of a stack that AWS would deploy. */
function accessOf(stack: LocalStack, err: (line: string) => void): Access {
  // A version or alias stands behind the name of a function.
  const isOwn = (arn: string) => arn.split(/[:/]/).some((part) => part.startsWith(`${stack.stackName}-`));
  const access = new Access(stack.policies, ACCOUNT_ID, err, isOwn);
  assertDeployable(stack, access, ACCOUNT_ID);
  return access;
}

const controlOf = (functions: Functions, access: Access, shutdown: ShutdownStack) => ({
  killWorker: functions.kill,
  decisions: () => access.decisions(),
  stop: () => shutdown.run(),
});

/** What tools need to find the resources of the stack. */
const namesOf = ({ stackName, functions }: LocalStack) => ({
  stackName,
  functions: functions.map(({ name, environment }) => ({ name, environment })),
});

const dirsOf = ({ path, logDir }: DataDir) => ({ dataDir: path, logDir });

/** The code is behind `#`, so that no server and no log gets it. */
const consoleUrlOf = ({ httpApi }: LocalStack, url: string, code: string): string | undefined =>
  httpApi.routes.some(({ routeKey }) => routeKey === 'GET /console')
    ? `${url}/console/#run_code=${code}`
    : undefined;

const stop = (started: { stop(): unknown }): unknown => started.stop();

function withDefaults(options: StartOptions) {
  const out = options.out ?? ((line: string) => void process.stdout.write(`${line}\n`));
  const err = options.err ?? ((line: string) => void process.stderr.write(`${line}\n`));
  const onFailure = options.onFailure ?? ((error: Error) => err(error.message));
  const { onRowWrite, verbose = false, onStep = (what: string) => out(`${what} ...`) } = options;
  return { out, err, onFailure, onRowWrite, verbose, onStep, ramp: options.lambdaRamp ?? false };
}

/** The start waits for the API, so its function starts before all others. */
function warmUpApi({ httpApi }: LocalStack, functions: Functions): void {
  const health = routeMatcher(httpApi.routes)('GET', HEALTH_PATH);
  if (health) functions.warmUp(health.route.functionArn);
}

/** Sends a message to a queue under the role of a function, if the role permits it. */
const queueSender =
  (sqs: Sqs, access: Access) =>
  async (from: FunctionSpec, queueArn: string, body: string): Promise<void> => {
    if (access.allows(from, 'sqs:SendMessage', queueArn)) await sqs.send(queueArn, body);
  };

/** Whether the policy of a function lets API Gateway invoke it, for a route or an authorizer. */
const gatewayPermission =
  (access: Access, aws: AwsEnvironment) =>
  (functionArn: string, sourceArn: string): boolean =>
    access.allowsService('apigateway.amazonaws.com', {
      action: 'lambda:InvokeFunction',
      resource: functionArn,
      context: { 'aws:sourceaccount': aws.accountId, 'aws:sourcearn': sourceArn },
    });

/** Invokes the function of a schedule under the role of the schedule, if the role permits it. */
const scheduleInvoker =
  ({ invokeAsync }: Functions, access: Access) =>
  (schedule: ScheduleSpec, event: string): void => {
    const { functionArn } = schedule;
    if (access.allows(schedule, 'lambda:InvokeFunction', functionArn)) invokeAsync(functionArn, event);
  };
