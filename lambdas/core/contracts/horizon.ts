/**
 * Lead: how many milliseconds before its time a message is to become visible in its queue. Messages of one
 * batch become visible up to a second earlier, and an executor waits for at most two.
 */
export const LEAD = { minMs: 200, maxMs: 1_000, usualMs: 300 } as const;

/** Longest delay of a message in SQS, in seconds. */
export const MAX_DELAY_SEC = 900;
/** Entries up to this many seconds beyond the horizon may be dispatched ahead of the scanner. */
const MAX_BEYOND_SEC = 180;

/**
 * Horizon: how many seconds before its time an entry is sent to the queues. At least two minutes: a tick
 * comes at any time within its minute, and two ticks may be almost two minutes apart.
 */
export const HORIZON = { minSec: 120, maxSec: MAX_DELAY_SEC - MAX_BEYOND_SEC, usualSec: 180 } as const;
