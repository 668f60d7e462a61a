import type { MappingSpec } from '../template/stack';

/** Batches of one mapping at work at once, at most: each may hold a thread of this machine. */
const MOST_OF_A_MAPPING = 16;

/**
 * The mappings with as much concurrency as one machine can give. Those of one function are scaled down together, to one
 * at the least: a priority that has twice the executors of another in AWS has twice as many here.
 */
export function withLocalConcurrency(mappings: readonly MappingSpec[]): MappingSpec[] {
  const widest = new Map<string, number>();
  for (const { functionArn, maxConcurrency } of mappings)
    widest.set(functionArn, Math.max(maxConcurrency, widest.get(functionArn) ?? 0));
  return mappings.map((mapping) => {
    const scale = Math.min(1, MOST_OF_A_MAPPING / widest.get(mapping.functionArn)!);
    return { ...mapping, maxConcurrency: Math.max(1, Math.round(mapping.maxConcurrency * scale)) };
  });
}
