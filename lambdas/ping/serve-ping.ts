import { pingIdIn, SLUG } from '../core/api-keys/ping-key';
import type { LogLimits } from '../core/attempts/append-lines';
import type { StageDeps } from '../core/deps';
import type { Execution } from '../core/domain/execution';
import type { PingMethod } from '../core/domain/target';
import type { LogStore } from '../core/store/log-store';
import { isUuid, type Signal } from './decide-ping';
import { asMonitor, type FindingDeps, type Monitor, monitorOfKey, namedBySlug } from './find-monitor';
import { BODY_LIMIT, keepBody } from './keep-body';
import type { Made, MakeMonitor } from './make-monitor';
import type { RecentPings } from './recent-pings';
import { bad, methodNotAllowed, NOT_FOUND, type PingResponse, tooMany } from './responses';
import { takePing } from './take-ping';

/** A request to a path of pings, as it came. */
export interface PingRequest {
  method: string;
  /** A monitor's key; its project's, if there is a slug. */
  key: string;
  /** The jobId of a monitor. */
  slug?: string | undefined;
  /** Whether a monitor is made where none has the slug. */
  creates?: boolean;
  signal?: string | undefined;
  rid?: string | undefined;
  body: Uint8Array;
}

export interface PingDeps extends StageDeps, Omit<FindingDeps, 'clock' | 'jobs'> {
  logs: LogStore;
  makeMonitor: MakeMonitor;
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
  const { method, key, slug, body } = request;
  const rid = request.rid?.toLowerCase();
  if (!isMethod(method)) return methodNotAllowed('a ping is', METHODS);
  const signal = signalOf(request.signal);
  if (!signal)
    return bad(
      `the signal ${JSON.stringify(request.signal)} must be start, fail, log or a code from 0 to 255`,
    );
  if (rid !== undefined && !isUuid(rid)) return bad('rid must be a UUID');
  if (body.length > MAX_BODY) return { status: 413, text: `the body must have at most ${MAX_BODY} bytes\n` };
  // Nothing is kept of what has not the form of a slug or a key, for it may be long.
  if (slug !== undefined && !SLUG.test(slug))
    return bad(
      `the slug ${JSON.stringify(slug)} must be 1 to 64 of a-z 0-9 _ -, and begin with a letter or a digit`,
    );
  if (pingIdIn(key, slug === undefined ? 'qjp' : 'qjs') === undefined) return NOT_FOUND;
  const named = [key, slug ?? ''].join('/');
  const waitSec = deps.recent.admit(named, signal, deps.clock.nowMs());
  if (waitSec !== undefined) return tooMany('too many pings', waitSec);
  const found = await findOrMake(request, signal, deps);
  if ('status' in found) return found;
  const { job, target, isNew } = found;
  if (!target.methods.includes(method)) return methodNotAllowed('a ping is', target.methods);
  const { outcome, row } = await takePing(job, { signal, rid, bytes: body.length }, deps);
  if (row && body.length > 0) await keepOrLeave(row, body, deps);
  const headers = { 'ping-body-limit': String(BODY_LIMIT), 'quarterjack-ping': outcome };
  return isNew ? { status: 201, text: 'Created\n', headers } : { status: 200, text: 'OK\n', headers };
}

/** The monitor that a request names, or the answer if there is none. */
async function findOrMake(
  { key, slug, creates = false }: PingRequest,
  signal: Signal,
  deps: PingDeps,
): Promise<(Monitor & { isNew: boolean }) | PingResponse> {
  if (slug === undefined) {
    const monitor = await monitorOfKey(key, 'qjp', deps);
    return monitor ? { ...monitor, isNew: false } : NOT_FOUND;
  }
  const named = await namedBySlug(key, slug, deps);
  const known = named?.job && asMonitor(named.job);
  if (known) return { ...known, isNew: false };
  if (!creates || signal.kind === 'log' || !named?.key.allowCreate) return NOT_FOUND;
  const made = named.job ? OTHER_JOB : await deps.makeMonitor(key, slug);
  if (made.outcome === 'full') return tooMany('too many new monitors', made.waitSec);
  if (made.outcome === 'other-job') return { status: 409, text: 'the slug is that of another job\n' };
  if (made.outcome === 'rejected') return bad('the monitor cannot be made');
  const job = made.outcome === 'refused' ? undefined : (await namedBySlug(key, slug, deps))?.job;
  const monitor = job && asMonitor(job);
  return monitor ? { ...monitor, isNew: made.outcome === 'created' } : NOT_FOUND;
}

const OTHER_JOB: Made = { outcome: 'other-job' };

const isMethod = (method: string): method is PingMethod => (METHODS as readonly string[]).includes(method);

const HIGHEST_CODE = 255;

/** Undefined: it is none. Without one, a ping says that the job has succeeded. */
function signalOf(text: string | undefined): Signal | undefined {
  if (text === undefined) return { kind: 'success' };
  if (text === 'start' || text === 'fail' || text === 'log') return { kind: text };
  const code = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(code <= HIGHEST_CODE)) return undefined;
  return { kind: code === 0 ? 'success' : 'fail', exitCode: code };
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
