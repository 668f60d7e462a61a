import { PermissionError } from '../errors';
import type { ConnectionOptions } from '../options';
import { Worker, type WorkerOptions } from '../worker/worker';
import { httpAnswers, MAX_BODY_BYTES } from './answer-http';
import { variables } from './connections';
import { linesTo } from './observe';
import { CONSOLE, jobsIn, type Jobs, messageOf, runJob } from './run-job';
import { lambdaHandler } from './serve-lambda';
import { nodeHandler } from './serve-node';
import type {
  LambdaContext,
  NodeReply,
  NodeRequest,
  NodeResponse,
  RunOptions,
  ServeOptions,
} from './serve-options';

/** A worker of a queue. By default, URL and token are `QUARTERJACK_URL` and `QUARTERJACK_TOKEN`. */
export type JobWorkerOptions = Omit<WorkerOptions, 'handler' | 'schema' | 'url'> &
  Partial<Pick<ConnectionOptions, 'url'>>;

/** One program for all of its jobs, wherever it runs. */
export interface Served {
  /** A function of AWS Lambda, for targets in mode `sync`. */
  readonly lambda: (event: unknown, context?: LambdaContext) => Promise<unknown>;
  /** A handler for `node:http`, Express and Fastify, which must get the raw body. */
  readonly node: (request: NodeRequest, response: NodeResponse | NodeReply) => Promise<void>;
  /** A handler for what has the `Request` of `fetch`: Next.js, Hono, Bun, Deno, Workers. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** A worker that asks for the work of a queue. Call `start`. */
  worker(options: JobWorkerOptions): Worker;
}

/**
 * What runs jobs, by each way in which they are delivered. `jobs` is a list of them, or a module that exports
 * them. Throws a `QuarterjackError` if there is none, or two have one id.
 *
 *     createServer(serve([nightly, reminder]).node).listen(3000);
 */
export function serve(
  jobs: Iterable<unknown> | Readonly<Record<string, unknown>>,
  options: ServeOptions = {},
): Served {
  const known = jobsIn(jobs);
  const all = { ...fromEnvironment(), ...given(options) };
  return {
    lambda: lambdaHandler(known, all),
    get node() {
      return nodeHandler(httpAnswers(known, all));
    },
    get fetch() {
      return fetchHandler(httpAnswers(known, all));
    },
    worker: (one) => workerOf(known, all, one),
  };
}

function fromEnvironment(): ServeOptions {
  const { QUARTERJACK_SECRET: secret = '', QUARTERJACK_JOB_PREFIX: prefix } = variables();
  return { secret: secret.split(' ').filter(Boolean), ...(prefix && { prefix }) };
}

const given = (options: ServeOptions): ServeOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

const fetchHandler =
  (answer: ReturnType<typeof httpAnswers>) =>
  async (request: Request): Promise<Response> => {
    const isLarge = Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES;
    const whole = isLarge ? undefined : new Uint8Array(await request.arrayBuffer());
    const body = whole && whole.length > MAX_BODY_BYTES ? undefined : whole;
    const { headers, signal } = request;
    const { status, body: text, headers: answered } = await answer({ body, headers, signal });
    return new Response(status === 204 ? null : text, { status, headers: answered });
  };

/** Programs start it without waiting for its end, so it says itself why it has ended. */
class JobWorker extends Worker {
  constructor(private readonly given: WorkerOptions) {
    super(given);
  }

  override start(): Promise<void> {
    const working = super.start();
    working.catch((error: unknown) => {
      const needs = error instanceof PermissionError ? '; its API key needs the role worker' : '';
      CONSOLE.error(`the worker of the queue ${this.given.queue} has ended: ${messageOf(error)}${needs}`);
    });
    return working;
  }
}

function workerOf(jobs: Jobs, options: RunOptions, { url, token, ...rest }: JobWorkerOptions): Worker {
  const { QUARTERJACK_URL, QUARTERJACK_TOKEN } = variables();
  return new JobWorker({
    ...rest,
    url: url ?? QUARTERJACK_URL ?? '',
    token: token ?? QUARTERJACK_TOKEN,
    async handler(
      { jobId, execId, attempt, fence, dueAt, key, payload, deliveryDepth, traceparent, tracestate },
      { signal, log, progress },
    ) {
      const ids = { jobId, execId, attempt, fence, dueAt: new Date(dueAt), key };
      const cause = { deliveryDepth, traceparent, tracestate };
      const by = { signal, log: linesTo(log), progress };
      const ended = await runJob(jobs, { ...ids, ...cause, ...by, payload: payload ?? {} }, options);
      if (ended.outcome === 'done') return ended.value;
      throw ended.error;
    },
  });
}
