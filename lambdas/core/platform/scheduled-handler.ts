import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type * as z from 'zod/mini';

import { type InvocationLimits, limitsOf, type Telemetry, telemetry } from './invocation';

/**
 * A handler that a schedule invokes. An event that does not parse, and whatever `work` throws, fail the invocation: the
 * schedule's own retries, or its next run, make up for it.
 */
export function scheduledHandler<Schema extends z.ZodMiniType, Result>(
  schema: Schema,
  observability: Telemetry,
  work: (event: z.output<Schema>, limits: InvocationLimits) => Promise<Result>,
): (event: unknown, context: Context) => Promise<Result> {
  async function handleSchedule(event: unknown, context: Context): Promise<Result> {
    const result = await work(schema.parse(event), limitsOf(context));
    observability.log.info('done', { result });
    return result;
  }
  return middy<unknown, Result, Error, Context>(handleSchedule, { timeoutEarlyInMillis: 0 }).use(
    telemetry(observability),
  );
}
