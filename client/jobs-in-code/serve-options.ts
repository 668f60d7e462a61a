import type { FenceStore } from '../deliveries/fence-guard';
import type { JobContext } from './defined-job';

/** What the programs of a deployment share. */
export interface RunOptions {
  /** What deployed jobs have before their ids. Default: `QUARTERJACK_JOB_PREFIX`, or nothing. */
  prefix?: string | undefined;
  /**
   * Where the API is, such as `https://api.example.com`: what `observe` sends goes to this origin only.
   * Several, if the API has several addresses. Default: that of `connectJobs`, or `QUARTERJACK_URL`.
   */
  origin?: string | readonly string[] | undefined;
  /** Runs around each job: for traces, and what a job finds in an `AsyncLocalStorage`. */
  wrap?: ((run: () => Promise<unknown>, context: JobContext) => Promise<unknown>) | undefined;
  /** Gets each error of a job, before it is reported. */
  onError?: ((error: unknown, context: JobContext) => void | Promise<void>) | undefined;
}

export interface HttpOptions extends RunOptions {
  /**
   * `whsec_…` of the host that is called; both secrets during a rotation. Default: `QUARTERJACK_SECRET`, with
   * spaces between several.
   */
  secret?: string | readonly string[] | undefined;
  /** Refuses what arrives after a later attempt. Several processes need a store that they share. */
  fenceStore?: FenceStore | undefined;
}

export interface LambdaOptions extends RunOptions {
  /** Refuses the deliveries of another project: a caller that may invoke a function may name any. */
  project?: string | undefined;
}

export type ServeOptions = HttpOptions & LambdaOptions;

/** The part of Lambda's context that is read here. */
export interface LambdaContext {
  clientContext?: unknown;
  getRemainingTimeInMillis?(): number;
}

/** The part of a request of `node:http`, Express or Fastify that is read here. */
export interface NodeRequest {
  headers: object;
  /** What a parser of the framework has read. It has to be raw. */
  body?: unknown;
  /** Fastify: the request of `node:http`. */
  raw?: unknown;
}

/** The part of a response of `node:http` or Express that is written here. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
  once(event: 'close', act: () => void): unknown;
  readonly writableFinished: boolean;
}

/** Fastify's reply. */
export interface NodeReply {
  raw: NodeResponse;
  hijack(): unknown;
}
