import { QuarterjackError } from '../errors';
import type { ConnectionOptions } from '../options';
import { Quarterjack } from '../quarterjack';

/** How the jobs of this process reach the API. */
export interface JobConnection extends ConnectionOptions {
  /** What deployed jobs have before their ids. Default: `QUARTERJACK_JOB_PREFIX`, or nothing. */
  prefix?: string | undefined;
}

/** What a job in code calls of the API. Tests have another one. */
export interface RunCalls {
  jobs: Pick<Quarterjack['jobs'], 'run' | 'runMany' | 'cancelRun'>;
  executions: Pick<Quarterjack['executions'], 'list' | 'wait'>;
}

/** Where calls of a job in code go: within a run, with the depth of its delivery. */
export interface Scope {
  api(): RunCalls;
  prefix: string;
}

/** What a delivery says of the deliveries that led to it. */
export interface Cause {
  deliveryDepth?: number | undefined;
  traceparent?: string | undefined;
  tracestate?: string | undefined;
}

const PLACE = Symbol.for('quarterjack.connection/1');
const place = globalThis as { [PLACE]?: JobConnection };

/**
 * Says how jobs in code reach the API, in place of `QUARTERJACK_URL` and `QUARTERJACK_TOKEN`. It is called
 * once, before the first job is scheduled or served.
 */
export function connectJobs(connection: JobConnection): void {
  place[PLACE] = connection;
}

/** What a deployment sets. Some platforms have no `process`. */
export const variables = (): Record<string, string | undefined> =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};

/** A client whose requests say which delivery led to them: nothing in a request can take that away. */
export function clientWith({ deliveryDepth, traceparent, tracestate }: Cause): Quarterjack {
  const { surroundings, ...connection } = connected();
  const send = surroundings?.fetch ?? ((request: Request) => fetch(request));
  return new Quarterjack({
    ...connection,
    surroundings: {
      ...surroundings,
      fetch(request) {
        if (deliveryDepth !== undefined) request.headers.set('quarterjack-hop', String(deliveryDepth));
        if (traceparent !== undefined) request.headers.set('traceparent', traceparent);
        if (tracestate !== undefined) request.headers.set('tracestate', tracestate);
        return send(request);
      },
    },
  });
}

/** Undefined if nothing says where the API is. */
export function knownConnection(): ConnectionOptions | undefined {
  const { QUARTERJACK_URL: url, QUARTERJACK_TOKEN: token } = variables();
  return place[PLACE] ?? (url ? { url, token } : undefined);
}

function connected(): ConnectionOptions {
  const connection = knownConnection();
  if (connection) return connection;
  throw new QuarterjackError(
    'the URL of the API is missing: set QUARTERJACK_URL and QUARTERJACK_TOKEN, or call connectJobs',
  );
}

interface Storage<Value> {
  getStore(): Value | undefined;
  run<Result>(value: Value, act: () => Result): Result;
}

interface AsyncHooks {
  AsyncLocalStorage: new () => Storage<Scope>;
}

/** Undefined on a platform that cannot say in which run a call is made. */
const scopes = ((): Storage<Scope> | undefined => {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const hooks = process?.getBuiltinModule?.('async_hooks') as AsyncHooks | undefined;
  return hooks && new hooks.AsyncLocalStorage();
})();

/** Calls of jobs in code within `act` go to `scope`. */
export const within = <Result>(scope: Scope, act: () => Result): Result =>
  scopes ? scopes.run(scope, act) : act();

/** The scope of the run that makes this call; without one, that of the process. */
export const currentScope = (): Scope =>
  scopes?.getStore() ?? {
    api: () => clientWith({}),
    prefix: place[PLACE]?.prefix ?? variables().QUARTERJACK_JOB_PREFIX ?? '',
  };
