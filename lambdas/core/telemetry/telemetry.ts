import type { MetricName } from '../contracts/metrics';
import type { Priority } from '../contracts/pools';

export type LogFields = Record<string, unknown>;

/** Structured logs. `error` takes the cause, and never swallows it. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, cause: unknown, fields?: LogFields): void;
}

/** Whose queue a measured execution came by. */
export interface QueueName {
  pool: string;
  priority: Priority;
}

/**
 * Metrics by the names of `contracts/metrics`. Milliseconds and seconds by the name's suffix, counts otherwise. `queue`
 * asks for a copy by pool and priority, which is made where the deployment is configured so.
 */
export interface Meter {
  count(name: MetricName, value?: number, queue?: QueueName): void;
  record(name: MetricName, value: number, queue?: QueueName): void;
}
