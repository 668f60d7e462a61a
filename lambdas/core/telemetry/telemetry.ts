import type { MetricName } from '../contracts/metrics';

export type LogFields = Record<string, unknown>;

/** Structured logs. `error` takes the cause, and never swallows it. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, cause: unknown, fields?: LogFields): void;
}

/** Metrics by the names of `contracts/metrics`. Milliseconds and seconds by the name's suffix, counts otherwise. */
export interface Meter {
  count(name: MetricName, value?: number): void;
  record(name: MetricName, value: number): void;
}
