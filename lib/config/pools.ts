import * as z from 'zod';

import {
  DEFAULT_POOL,
  type Lane,
  LANES,
  type LaneQueues,
  MAX_POOLS,
  PRIORITIES,
  queuedLanes,
} from '../../lambdas/core/contracts/pools';
import { PrivateCidrs, Vpc } from './private-networks';
import { int, isObject } from './values';

/**
 * Names of queues begin with that of the deployment, and have at most 80 characters. Those of dead letters
 * have `dead` in place of the pool.
 */
const POOL_NAME = /^(?!dead$)[a-z][a-z0-9]{0,9}$/;
const POOL_NAME_EXPECTED =
  'expected a name of at most 10 of a-z and 0-9, beginning with a letter, not "dead"';

/** More would need a batching window, which delays. */
const MAX_BATCH = 10;

/** Lambda accepts a maximum concurrency of 2 to 1,000 for an event source mapping. */
const concurrency = int(2, 1000);

/**
 * Event pollers of one queue that AWS keeps ready, by its provisioned mode.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
const Pollers = z
  .strictObject({ min: int(2, 200), max: int(2, 2000) })
  .refine(({ min, max }) => min <= max, { path: ['max'], message: 'expected at least the value of min' });
export type Pollers = z.output<typeof Pollers>;

/** Batches that one event poller may have at work. */
export const BATCHES_PER_POLLER = 10;

/** Executors of each lane. A configuration without `long` gives that lane as many as the overflow. */
const MaxConcurrency = z
  .strictObject({
    ...(Object.fromEntries(LANES.map((lane) => [lane, concurrency])) as Record<Lane, typeof concurrency>),
    long: concurrency.optional(),
  })
  .transform(({ long, ...lanes }) => ({ ...lanes, long: long ?? lanes.overflow }));

const Pool = z
  .strictObject({
    /** Memory of an executor. It mostly waits; ten signed calls at once fit into 256 MB. */
    memoryMb: int(128, 10_240),
    /** Timeout of an executor. A synchronous attempt may take 14 minutes; a lower value cuts it off. */
    timeoutSec: int(60, 900),
    /** Messages that an executor takes at once. One: it works on nothing else. */
    batchSize: int(1, MAX_BATCH).default(MAX_BATCH),
    /**
     * Executors that run at once: per priority, for the overflow, and for long calls. Each takes up to
     * `batchSize` messages.
     */
    maxConcurrency: MaxConcurrency,
    /**
     * Queues with event pollers of their own, by priority. Pollers take the place of `maxConcurrency` there:
     * AWS refuses both. Each allows ten executors at once.
     */
    provisionedPollers: z
      .strictObject(
        Object.fromEntries(LANES.map((lane) => [lane, Pollers.optional()])) as Record<
          Lane,
          z.ZodOptional<typeof Pollers>
        >,
      )
      .default({}),
    /**
     * Per-user rate limit: executions per second that use the priority queues. The rest goes to the overflow.
     */
    userSharePerSec: int(1, 1_000_000),
    /**
     * Percent of the executors of a priority that slow calls of one project may hold. Those above it go to
     * the overflow. 100: no limit.
     */
    userLanePercent: int(1, 100).default(25),
    /** The VPC of its executors. Absent: they are in none. */
    vpc: Vpc.optional(),
    /** The networks in which `allowedPrivateHosts` may be for its executors. */
    privateCidrs: PrivateCidrs.optional(),
  })
  .superRefine(({ maxConcurrency, vpc, privateCidrs }, context) => {
    if (privateCidrs && !vpc)
      context.addIssue({ code: 'custom', path: ['vpc'], message: 'required, because privateCidrs is set' });
    for (const [index, priority] of PRIORITIES.entries()) {
      const above = PRIORITIES[index - 1];
      if (above && maxConcurrency[priority] > maxConcurrency[above])
        context.addIssue({
          code: 'custom',
          path: ['maxConcurrency', priority],
          message: `expected at most ${maxConcurrency[above]}, the value of ${above}`,
        });
    }
  });

/** What a pool leaves out is as in `default`, but for its VPC: each pool says for itself where it is. */
function withDefaults(pools: unknown): unknown {
  if (!isObject(pools) || !isObject(pools[DEFAULT_POOL])) return pools;
  const { vpc: _, privateCidrs: _of, ...defaults } = pools[DEFAULT_POOL];
  return Object.fromEntries(
    Object.entries(pools).map(([name, pool]) => [name, isObject(pool) ? { ...defaults, ...pool } : pool]),
  );
}

/** The pools by name. There is always one named `default`. */
export const Pools = z.preprocess(
  withDefaults,
  z
    .object({ [DEFAULT_POOL]: Pool })
    .catchall(Pool)
    .superRefine((pools, context) => {
      const names = Object.keys(pools);
      for (const name of names.filter((one) => !POOL_NAME.test(one)))
        context.addIssue({ code: 'custom', path: [name], message: POOL_NAME_EXPECTED });
      if (names.length > MAX_POOLS)
        context.addIssue({ code: 'custom', message: `expected at most ${MAX_POOLS} pools` });
    }),
);
export type Pools = z.output<typeof Pools>;

/** Executors that one queue of a pool may start at once. */
export function executorsOf({ maxConcurrency, provisionedPollers }: Pools[string], lane: Lane): number {
  const pollers = provisionedPollers[lane];
  return pollers ? pollers.max * BATCHES_PER_POLLER : maxConcurrency[lane];
}

/** With a lower limit, two slow calls of a project would be too many for a small lane. */
const LOWEST_LANE_LIMIT = 2;

/** Executors of each priority's lane that the calls of one project may hold, from the most urgent on. */
export const laneLimitsOf = (pool: Pools[string]): number[] =>
  PRIORITIES.map((priority) =>
    Math.max(LOWEST_LANE_LIMIT, Math.floor((executorsOf(pool, priority) * pool.userLanePercent) / 100)),
  );

/** A pool has two executor functions: long calls have one of their own, so that they occupy no other. */
export type Calls = 'short' | 'long';

/** The lanes whose queues an executor function reads. */
export const lanesOf = (calls: Calls, queues: LaneQueues): Lane[] =>
  queuedLanes(queues).filter((lane) => (lane === 'long') === (calls === 'long'));
