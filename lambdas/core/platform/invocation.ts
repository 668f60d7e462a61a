import type { MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';

import type { TimeBudget } from '../async/time-budget';
import type { InvocationEvents } from '../events/batched-events';
import type { InvocationLog } from './logger';
import type { InvocationMeter } from './meter';

/** What every handler needs to report its work. */
export interface Telemetry {
  log: InvocationLog;
  meter: InvocationMeter;
  /** Only for stages that end executions. */
  events?: Pick<InvocationEvents, 'flush'>;
}

export const timeBudgetOf = (context: Pick<Context, 'getRemainingTimeInMillis'>): TimeBudget => ({
  remainingMs: () => context.getRemainingTimeInMillis(),
});

/**
 * Adds the invocation to its log lines. Sends its events and metrics at its end, whether it succeeded or
 * failed.
 */
export function telemetry({
  log,
  meter,
  events,
}: Telemetry): MiddlewareObj<unknown, unknown, Error, Context> {
  const flush = async () => {
    await events?.flush(); // it counts the events that it drops
    try {
      meter.flush();
    } catch (error) {
      log.error('metrics could not be written', error); // the work is done, so the invocation does not fail
    }
  };
  return {
    before: function beginLog({ context }) {
      log.begin(context);
    },
    after: flush,
    onError: async function flushAfterError({ error }) {
      log.error('invocation failed', error);
      await flush();
    },
  };
}
