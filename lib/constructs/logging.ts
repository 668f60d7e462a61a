import { LoggingFormat, SystemLogLevel } from 'aws-cdk-lib/aws-lambda';

/**
 * How each function logs. Lambda's own records of invocations that succeed would cost as much as the lines of
 * the functions, so they are left out. Those of time-outs and errors have the level WARN, and stay.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 */
export const LOGGING = {
  loggingFormat: LoggingFormat.JSON,
  systemLogLevelV2: SystemLogLevel.WARN,
} as const;
