import type { MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';

import type { InvocationEvents } from '../events/batched-events';
import type { InvocationLog } from './logger';
import type { InvocationMeter } from './meter';

/** What every handler is made with. */
export interface Telemetry {
  log: InvocationLog;
  meter: InvocationMeter;
  /** Of stages that end executions. */
  events?: Pick<InvocationEvents, 'flush'>;
}

/** What is left of an invocation; a stage stops in time and leaves the rest to the next one. */
export interface InvocationLimits {
  /** Milliseconds that this invocation may still run. */
  remainingMs(): number;
}

export const limitsOf = (context: Pick<Context, 'getRemainingTimeInMillis'>): InvocationLimits => ({
  remainingMs: () => context.getRemainingTimeInMillis(),
});

/** Ties log lines to the invocation, and sends its events and metrics at the end, whether it came off or not. */
export function telemetry({
  log,
  meter,
  events,
}: Telemetry): MiddlewareObj<unknown, unknown, Error, Context> {
  const flush = async () => {
    await events?.flush(); // what it gives up is a metric
    try {
      meter.flush();
    } catch (error) {
      log.error('metrics could not be written', error); // work that is done stays done
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
