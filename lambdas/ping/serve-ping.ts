import { isSameKey, pingIdIn, pingKeyOf } from '../core/api-keys/ping-key';
import type { LogLimits } from '../core/attempts/append-lines';
import type { StageDeps } from '../core/deps';
import type { DeploymentSecret } from '../core/delivery/signing/deployment-secret';
import type { Execution } from '../core/domain/execution';
import { monitorTargetOf } from '../core/domain/entry-planning';
import type { Job } from '../core/domain/job';
import type { PingMethod } from '../core/domain/target';
import type { LogStore } from '../core/store/log-store';
import type { PingKeyStore } from '../core/store/ping-key-store';
import { isUuid, type Signal } from './decide-ping';
import { BODY_LIMIT, keepBody } from './keep-body';
import type { RecentPings } from './recent-pings';
import { takePing } from './take-ping';

/** A request to a path of pings, as it came. */
export interface PingRequest {
  method: string;
  key: string;
  signal?: string | undefined;
  rid?: string | undefined;
  body: Uint8Array;
}

export interface PingResponse {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

export interface PingDeps extends StageDeps {
  pingKeys: Pick<PingKeyStore, 'get'>;
  logs: LogStore;
  secret: DeploymentSecret;
  recent: RecentPings;
  logLimits: LogLimits;
}

const MAX_BODY = 1_048_576;
const METHODS: readonly PingMethod[] = ['GET', 'POST'];

/**
 * Answers a request to a ping URL. In this order: what the request says by itself; what this process
 * remembers of the key; one row, to know whose key it is. A client that does not know a key learns
 * nothing of it.
 */
export async function servePing(request: PingRequest, deps: PingDeps): Promise<PingResponse> {
  const { method, body } = request;
  const rid = request.rid?.toLowerCase();
  if (!isMethod(method)) return methodNotAllowed(METHODS);
  const signal = signalOf(request.signal);
  if (!signal)
    return bad(
      `the signal ${JSON.stringify(request.signal)} must be start, fail, log or a code from 0 to 255`,
    );
  if (rid !== undefined && !isUuid(rid)) return bad('rid must be a UUID');
  if (body.length > MAX_BODY) return { status: 413, text: `the body must have at most ${MAX_BODY} bytes\n` };
  const pingId = pingIdIn(request.key);
  if (pingId === undefined) return NOT_FOUND;
  const waitSec = deps.recent.admit(request.key, signal, deps.clock.nowMs());
  if (waitSec !== undefined)
    return { status: 429, text: 'too many pings\n', headers: { 'retry-after': String(waitSec) } };
  const job = await monitorOf(request.key, pingId, deps);
  const target = job && monitorTargetOf(job);
  if (!job || !target) return NOT_FOUND;
  if (!target.methods.includes(method)) return methodNotAllowed(target.methods);
  const { outcome, row } = await takePing(job, { signal, rid, bytes: body.length }, deps);
  if (row && body.length > 0) await keepOrLeave(row, body, deps);
  const headers = { 'ping-body-limit': String(BODY_LIMIT), 'quarterjack-ping': outcome };
  return { status: 200, text: 'OK\n', headers };
}

const NOT_FOUND: PingResponse = { status: 404, text: 'not found\n' };
const bad = (text: string): PingResponse => ({ status: 400, text: `${text}\n` });

const isMethod = (method: string): method is PingMethod => (METHODS as readonly string[]).includes(method);

const methodNotAllowed = (methods: readonly string[]): PingResponse => {
  const allow = methods.join(', ');
  return { status: 405, text: `a ping is ${allow}\n`, headers: { allow } };
};

const HIGHEST_CODE = 255;

/** Undefined: it is none. Without one, a ping says that the job has succeeded. */
function signalOf(text: string | undefined): Signal | undefined {
  if (text === undefined) return { kind: 'success' };
  if (text === 'start' || text === 'fail' || text === 'log') return { kind: text };
  const code = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(code <= HIGHEST_CODE)) return undefined;
  return { kind: code === 0 ? 'success' : 'fail', exitCode: code };
}

/** The job of a key; undefined also if the key is wrong, or of an earlier version. */
async function monitorOf(text: string, pingId: string, deps: PingDeps): Promise<Job | undefined> {
  const key = await deps.pingKeys.get(pingId);
  const job = key && (await deps.jobs.get(key));
  if (!key || !job) return undefined;
  const secret = await deps.secret.get();
  const { version, earlierUntilMs = 0 } = key;
  const versions = deps.clock.nowMs() < earlierUntilMs ? [version, version - 1] : [version];
  const fits = versions.map((one) => isSameKey(text, pingKeyOf(job, one, secret)));
  return fits.includes(true) ? job : undefined;
}

/** The ping counts without its body: what was kept of one that failed is in the log. */
async function keepOrLeave(row: Execution, body: Uint8Array, deps: PingDeps): Promise<void> {
  const { jobKey, execId } = row;
  try {
    await keepBody(row, body, deps.logLimits, deps);
  } catch (error) {
    deps.log.error('the body of a ping was not kept', error, { jobKey, execId });
  }
}
