import * as z from 'zod/mini';

import { jsonVariable } from './env-json';
import { LANE_QUEUES, PRIORITIES, type Priority, type QueuesByUrl, queueUrlsOf } from './pools';

// Variables of functions about queues: see `env.ts`.

const text = z.string().check(z.minLength(1));

const LANES_HAVE = z._default(z.enum(LANE_QUEUES), 'own');
/** URLs of the execution queues by pool and lane, given as `QueuesByUrl`. */
export const EXECUTION_QUEUES = z.pipe(
  jsonVariable(z.strictObject({ url: text, pools: z.array(text).check(z.minLength(1)), queues: LANES_HAVE })),
  z.transform((queues: QueuesByUrl, { issues }) => {
    const urls = queueUrlsOf(queues);
    if (urls) return urls;
    issues.push({ code: 'custom', message: 'expected the URL of the first queue', input: queues });
    return z.NEVER;
  }),
);
/** Per-user rate limit of each pool: executions of a project a second above it go to the overflow queue. */
export const USER_RATE_LIMITS = jsonVariable(z.record(z.string(), z.int().check(z.gte(1))));
/**
 * Executors that one project may hold in the lane of each priority, from the most urgent on, by pool. Its
 * calls above that go to the overflow queue.
 */
export const LANE_LIMITS = jsonVariable(
  z.record(
    z.string(),
    z.pipe(
      z.array(z.int().check(z.gte(1))).check(z.length(PRIORITIES.length)),
      z.transform(
        (limits: number[]) =>
          Object.fromEntries(PRIORITIES.map((priority, index) => [priority, limits[index]!])) as Record<
            Priority,
            number
          >,
      ),
    ),
  ),
);
