import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type * as z from 'zod/mini';

import type { TimeBudget } from '../async/time-budget';
import { type Telemetry, telemetry, timeBudgetOf } from './invocation';

/**
 * A handler that a schedule invokes. An event that does not parse fails the invocation, and so does an error
 * of `work`. The retries of the schedule, or its next run, repeat the work.
 */
export function scheduledHandler<Schema extends z.ZodMiniType, Result>(
  schema: Schema,
  observability: Telemetry,
  work: (event: z.output<Schema>, budget: TimeBudget) => Promise<Result>,
): (event: unknown, context: Context) => Promise<Result> {
  async function handleSchedule(event: unknown, context: Context): Promise<Result> {
    const result = await work(schema.parse(event), timeBudgetOf(context));
    observability.log.info('done', { result });
    return result;
  }
  return middy<unknown, Result, Error, Context>(handleSchedule, { timeoutEarlyInMillis: 0 }).use(
    telemetry(observability),
  );
}
