import * as z from 'zod/mini';

import { ScannerEnv, TickEnv } from './env';

/**
 * Only in a local run, whose queues are in memory: when they began. What was sent before is gone. In AWS,
 * queues keep their messages.
 */
const ofLocalRuns = { QUEUES_SINCE_MS: z.optional(z.coerce.number().check(z.int(), z.gte(0))) };
export const LocalTickEnv = z.extend(TickEnv, ofLocalRuns);
export const LocalScannerEnv = z.extend(ScannerEnv, ofLocalRuns);
