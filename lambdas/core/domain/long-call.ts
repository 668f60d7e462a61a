import { SECOND_MS } from '../clock/clock';
import { parseDuration } from '../schedule/duration';
import { type Job, targetsOf } from './job';
import type { Target } from './target';

/**
 * The longest that a call in the lane of a priority may hold its executor: the default `timeout` of an HTTP
 * target.
 */
export const LONGEST_SHORT_CALL_MS = 30 * SECOND_MS;

type Called = Pick<Job, 'target' | 'targets' | 'timeout'>;

/**
 * Whether an attempt may hold an executor for longer than that, by its time limits. An HTTP target holds it
 * until it responds, also with 202. A function holds it until it returns, unless its mode is `async`. Other
 * services only accept a message, and a worker is not called.
 */
const isLong = (target: Target, jobTimeout: string): boolean => {
  if (target.type !== 'http' && (target.type !== 'lambda' || target.mode === 'async')) return false;
  if (target.type === 'http' && parseDuration(target.timeout) <= LONGEST_SHORT_CALL_MS) return false;
  return parseDuration(jobTimeout) > LONGEST_SHORT_CALL_MS;
};

/** Whether the calls of an attempt may be long. A job without targets calls nothing. */
export const isLongCall = (job: Called): boolean =>
  targetsOf(job).some((target) => isLong(target, job.timeout));

/** What a message has if its attempt may be long; nothing for all others. */
export const longCallOf = (job: Called): { longCall?: true } => (isLongCall(job) ? { longCall: true } : {});
