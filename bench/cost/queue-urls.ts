import { DEFAULT_POOL, type Lane, LANES } from '../../lambdas/core/contracts/pools';
import type { QueueUrls } from '../../lambdas/core/queue/sqs/sqs-execution-queue';

export const SCAN_QUEUE = 'scan';
export const SWEEP_QUEUE = 'sweep';
export const queueOf = (lane: Lane): string => `execution-${lane}`;
export const QUEUE_URLS: QueueUrls = {
  [DEFAULT_POOL]: Object.fromEntries(LANES.map((lane) => [lane, queueOf(lane)])),
};
