/**
 * How far ahead of their time entries are sent to the queues. At the least: a tick comes anywhere within its
 * minute, and two that are almost two minutes apart must leave no gap. At the most: whoever may act in the scanner's
 * place does so up to three minutes beyond the horizon, and SQS delays a message by 900 s at the longest.
 */
export const HORIZON = { minSec: 120, maxSec: 720, usualSec: 180 } as const;
