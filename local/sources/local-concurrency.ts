import type { MappingSpec } from '../template/stack';

/** Maximum number of concurrent batches per mapping. Each uses a thread of this machine. */
const MAX_LOCAL_CONCURRENCY = 16;

/**
 * Scales the concurrency of mappings down to what one machine can provide, but not below one. All mappings of
 * a function are scaled alike: a priority with twice the executors of another in AWS has twice as many here.
 */
export function withLocalConcurrency(mappings: readonly MappingSpec[]): MappingSpec[] {
  const highest = new Map<string, number>();
  for (const { functionArn, maxConcurrency } of mappings)
    highest.set(functionArn, Math.max(maxConcurrency, highest.get(functionArn) ?? 0));
  return mappings.map((mapping) => {
    const scale = Math.min(1, MAX_LOCAL_CONCURRENCY / highest.get(mapping.functionArn)!);
    return { ...mapping, maxConcurrency: Math.max(1, Math.round(mapping.maxConcurrency * scale)) };
  });
}
