import type { MappingSpec } from '../template/stack';

/** Concurrent batches per mapping at most. Each uses a thread of this machine. */
const MAX_LOCAL_CONCURRENCY = 16;

export interface LocalMapping extends MappingSpec {
  /** Batches at once while the processors have room. */
  mostWithRoom: number;
}

/**
 * Scales the concurrency of mappings down to what one machine can provide, but not below one. All mappings of
 * a function are scaled alike: a priority with twice the executors of another in AWS has twice as many here.
 * Proportions matter where the processors are busy. While they have room, each mapping may have the maximum:
 * its batches mostly wait for their times or their targets.
 *
 * The lane for long calls has a function of its own, so it is not scaled with its pool. Its executors mostly
 * wait: with 16 of them, `npm run bench:fairness` measured no delay of other users.
 *
 * @param most batches of a mapping at once while the processors have room
 */
export function withLocalConcurrency(
  mappings: readonly MappingSpec[],
  most = MAX_LOCAL_CONCURRENCY,
): LocalMapping[] {
  const highest = new Map<string, number>();
  for (const { functionArn, maxConcurrency } of mappings)
    highest.set(functionArn, Math.max(maxConcurrency, highest.get(functionArn) ?? 0));
  return mappings.map((mapping) => {
    const { maxConcurrency } = mapping;
    const scale = Math.min(1, MAX_LOCAL_CONCURRENCY / highest.get(mapping.functionArn)!);
    return {
      ...mapping,
      maxConcurrency: Math.max(1, Math.round(maxConcurrency * scale)),
      mostWithRoom: Math.min(maxConcurrency, most),
    };
  });
}
