import type { MetricName } from '../contracts/metrics';
import type { Priority } from '../contracts/pools';

export type LogFields = Record<string, unknown>;

/** Structured logs. `error` logs the cause too. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, cause: unknown, fields?: LogFields): void;
}

/** The queue of a measured execution. */
export interface QueueName {
  pool: string;
  priority: Priority;
}

/**
 * Metrics by the names of `contracts/metrics`. The unit follows from the name's suffix, milliseconds or
 * seconds; other names are counts. With `queue`, there is a copy by pool and priority, if the deployment is
 * configured so.
 */
export interface Meter {
  count(name: MetricName, value?: number, queue?: QueueName): void;
  record(name: MetricName, value: number, queue?: QueueName): void;
}
