import type { Sampling } from '../../lambdas/core/contracts/otlp';
import type { MemoryTablesOptions } from './dynamo/memory-tables';

/** How a `PipelineWorld` differs from the usual one. */
export interface WorldOptions {
  /** @default 180 */
  horizonSec?: number;
  /** See `MemoryTablesOptions`. */
  allOld?: boolean;
  onChange?: MemoryTablesOptions['onChange'];
  /** Which traces are recorded. Absent: none. */
  sampling?: Sampling;
  /** See `MemoryDynamoOptions`. */
  maxAttempts?: number;
  /** Executions above it overflow. Absent: no limit. */
  userSharePerSec?: number;
  /** Executors of each lane that one project may hold. Absent: any number. */
  laneLimit?: number;
  /** Quota of runs under way. Absent: they are not counted. */
  liveRuns?: number;
  /** Batches of each lane at work at once. Absent: any number. */
  executorsPerLane?: number;
  /** See `StoreParts`. */
  packs?: 'read' | 'write';
  /** Absent: `default` alone. No executor of the world receives messages of the others. */
  pools?: readonly string[];
}
