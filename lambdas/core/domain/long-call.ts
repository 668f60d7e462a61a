import { SECOND_MS } from '../clock/clock';
import type { ErrandType } from '../contracts/errand-services';
import { parseDuration } from '../schedule/duration';
import { type Job, targetsOf } from './job';
import type { ErrandTarget, Target } from './target';

/**
 * The longest that a call in the lane of a priority may hold its executor: the default `timeout` of an HTTP
 * target.
 */
export const LONGEST_SHORT_CALL_MS = 30 * SECOND_MS;

type Called = Pick<Job, 'target' | 'targets' | 'timeout'>;

/** The time limit that a target has of its own. An action of AWS is no work that is waited for. */
export function ownLimitMs(target: Target): number | undefined {
  if (target.type === 'aws') return LONGEST_SHORT_CALL_MS;
  return target.type === 'http' ? parseDuration(target.timeout) : undefined;
}

/**
 * How long a call of a target takes at most: the time limit of its attempt, and of the target where it has
 * one. A target that reports later has responded by then.
 */
export const callLimitMs = (target: Target, attemptTimeout: string): number =>
  Math.min(ownLimitMs(target) ?? Infinity, parseDuration(attemptTimeout));

/**
 * Whether a call holds its executor until the work is done. An HTTP target holds it until it responds, also
 * with 202. A function holds it until it returns, unless it is durable or its mode is `async`. Other services
 * only accept a message, and a worker is not called.
 */
const isWaitedFor = (target: Target): boolean =>
  target.type === 'http' || (target.type === 'lambda' && target.mode !== 'async' && !target.durable);

/** Whether the calls of an attempt may be long. A job without targets calls nothing. */
export const isLongCall = (job: Called): boolean =>
  targetsOf(job).some(
    (target) => isWaitedFor(target) && callLimitMs(target, job.timeout) > LONGEST_SHORT_CALL_MS,
  );

/** What a message has if its attempt may be long; nothing for all others. */
export const longCallOf = (job: Called): { longCall?: true } => (isLongCall(job) ? { longCall: true } : {});

/** Types of targets that work as errands, whatever else they say. */
const ALWAYS_ERRANDS = { ecs: true, batch: true, glue: true, codebuild: true } as const;

/** The kind of errand that a target works as; undefined: it does not. */
export function errandTypeOf(target: Target | undefined): ErrandType | undefined {
  if (target && target.type in ALWAYS_ERRANDS) return target.type as keyof typeof ALWAYS_ERRANDS;
  if (target?.type === 'stepfunctions' && target.wait) return 'stepfunctions';
  return target?.type === 'lambda' && target.durable ? 'durable' : undefined;
}

/** The longest time that an errand of each kind may have. */
const LONGEST_ERRANDS: Readonly<Record<ErrandType, string>> = {
  stepfunctions: '366d',
  ecs: '30d',
  batch: '30d',
  glue: '7d',
  // 36 hours of work, after 8 in the queue.
  codebuild: '44h',
  durable: '366d',
};

/** The longest `timeout` of a job with this target; undefined: it does not work as an errand. */
export function longestErrandOf(target: Target): string | undefined {
  const type = errandTypeOf(target);
  return type && LONGEST_ERRANDS[type];
}

export const isErrandTarget = (target: Target | undefined): target is ErrandTarget =>
  errandTypeOf(target) !== undefined;

/** What a message has if its attempt may start an errand; nothing for all others. */
export const errandOf = ({ target }: { target?: Target }): { errand?: true } =>
  isErrandTarget(target) ? { errand: true } : {};
