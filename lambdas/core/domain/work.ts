import { DAY_MS, MINUTE_MS, SECOND_MS } from '../clock/clock';

/** Name of a project's work queue. It needs no making: the jobs that name it, and their workers, do. */
export const WORK_QUEUE = /^[A-Za-z0-9._-]{1,64}$/;

/** Executions that one claim hands out, at most. */
export const MAX_CLAIMED = 10;
/** How long a claim may wait for work, at most. */
export const MAX_WAIT_MS = 20 * SECOND_MS;
/** Default of `startWithin` for a job without a later occurrence, and its upper bound for the others. */
export const DEFAULT_START_WITHIN_MS = DAY_MS;
/** A claim that is repeated with its `Idempotency-Key` gets the same work for this long. */
export const CLAIM_REPEATABLE_MS = 5 * MINUTE_MS;
