import type { Reporting } from '../deliveries/delivery';
import { attemptCalls } from '../worker/attempt-calls';
import { Lease } from '../worker/lease';
import { LogSender } from '../worker/log-sender';
import type { LeaseRules } from '../worker/lease-rules';
import { progressOf } from '../worker/progress';
import { workerSurroundings } from '../worker/surroundings';
import { knownConnection } from './connections';
import type { JobContext } from './defined-job';
import { CONSOLE, messageOf, type Outcome } from './run-job';
import type { RunOptions } from './serve-options';

/** What a run is observed by, or does without. */
type Observed = Pick<JobContext, 'signal' | 'log' | 'progress'>;

/** How a run is delivered. */
interface Delivered {
  /** Present if the target has `observe`. */
  reporting: Reporting | undefined;
  /** Whether a signature proves where the reports go. */
  isProven: boolean;
  signal: AbortSignal;
}

/** The executor keeps the lease itself, and its abort is the last word: silence of the API stops nothing. */
const RULES: LeaseRules = {
  graceMs: 0,
  heartbeatEveryMs: 5_000,
  heartbeatWithinMs: 5_000,
  keepsForMs: Number.POSITIVE_INFINITY,
  worksForMs: Number.POSITIVE_INFINITY,
};
/** The response waits so long for what the log still has: afterwards, a platform may stop the process. */
const CLOSE_MS = 5_000;

/**
 * Runs a job while it is observed: its log and its progress go to the API, and the answers of the API abort
 * its signal. Without `observe`, lines go to the console, and a progress to nowhere.
 */
export async function observed(
  { reporting, isProven, signal }: Delivered,
  { origin }: Pick<RunOptions, 'origin'>,
  run: (by: Observed) => Promise<Outcome>,
): Promise<Outcome> {
  if (!reporting || !mayReport(reporting, isProven, origin))
    return run({ signal, log: CONSOLE, progress: (value, text) => void progressOf(value, text) });
  const surroundings = workerSurroundings(knownConnection()?.surroundings);
  const url = reporting.callback.replace(/\/v1\/attempts\/*$/, '');
  const calls = attemptCalls(reporting.token, RULES.heartbeatWithinMs, { url, surroundings });
  const startedAt = surroundings.now();
  const lease = new Lease(calls, RULES, { sentAt: startedAt, answeredAt: startedAt }, surroundings);
  const lines = new LogSender(calls, surroundings, (error) =>
    CONSOLE.warn(`the log of the attempt is not kept: ${messageOf(error)}`),
  );
  void lease.begin();
  try {
    return await run({
      signal: AbortSignal.any([signal, lease.signal]),
      log: linesTo((text, stream) => lines.write(text, stream)),
      progress: (value, text) => lease.tell(progressOf(value, text)),
    });
  } finally {
    await Promise.all([lease.tellNow(), lines.close(CLOSE_MS)]);
    lease.end();
    lines.abandon();
  }
}

/** A log of three levels over one of two streams. */
export const linesTo = (write: (text: string, stream: 'stdout' | 'stderr') => void): JobContext['log'] => ({
  info: (text) => write(String(text), 'stdout'),
  warn: (text) => write(String(text), 'stderr'),
  error: (text) => write(String(text), 'stderr'),
});

/** Lines and progress go to the API alone: who may call a function may name any address in its context. */
function mayReport({ callback }: Reporting, isProven: boolean, origin: RunOptions['origin']): boolean {
  const known = [origin ?? knownConnection()?.url ?? []].flat();
  const given = URL.canParse(callback) ? new URL(callback).origin : undefined;
  if (known.length === 0 && isProven) return given !== undefined;
  if (known.some((one) => URL.canParse(one) && new URL(one).origin === given)) return true;
  const where = known.length === 0 ? 'set QUARTERJACK_URL' : `the API is at ${known.join(', ')}`;
  CONSOLE.warn(`this attempt is not observed: its callback is ${JSON.stringify(callback)}, and ${where}`);
  return false;
}
