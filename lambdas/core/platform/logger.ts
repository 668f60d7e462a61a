import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';

import type { Log, LogFields } from '../telemetry/telemetry';

/** A log whose lines name their invocation. */
export interface InvocationLog extends Log {
  begin(context: Context): void;
}

/** JSON lines on stdout, by Powertools. Every line has `service`, the stage. */
export function powertoolsLog(stage: string): InvocationLog {
  const logger = new Logger({ serviceName: stage, jsonReplacerFn: unfolded });
  return {
    begin: (context) => logger.addContext(context),
    info: (message, fields) => logger.info(message, { ...fields }),
    warn: (message, fields) => logger.warn(message, { ...fields }),
    error: (message, cause, fields) => logger.error(message, { ...fields, ...causeFields(cause) }),
  };
}

/** A cause that is no error may be the body of an answer: it is logged as JSON. */
function causeFields(cause: unknown): LogFields {
  if (cause instanceof Error) return { error: cause };
  return { cause: typeof cause === 'object' && cause !== null ? cause : String(cause) };
}

/**
 * Errors as plain objects at any depth, with their causes. Powertools omits `errors` of an `AggregateError`,
 * which alone say what failed.
 */
const unfolded = (_key: string, value: unknown): unknown => {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const errors: unknown = value instanceof AggregateError ? value.errors : undefined;
  return Object.assign({}, value, { name, message, stack, cause, errors });
};
