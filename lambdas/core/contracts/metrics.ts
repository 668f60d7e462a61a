/** Namespace and names of every metric that the stages emit. One list for code, dashboard and alarms. */
export const METRICS_NAMESPACE = 'Quarterjack';

/**
 * Dimensions. `deployment` (the stack's name) is on every metric: two stacks in one account stay apart, and since no
 * metric is split by stage, each costs once. `QUEUE_DIMENSIONS` are on the copies by pool and priority, where the stage
 * configuration asks for them.
 */
export const DEPLOYMENT_DIMENSION = 'deployment';
export const QUEUE_DIMENSIONS = { pool: 'pool', priority: 'priority' } as const;

export const Metric = {
  registered: 'JobsRegistered',
  due: 'OccurrencesDue',
  dispatched: 'OccurrencesDispatched',
  misfired: 'OccurrencesMisfired',
  quarantined: 'EntriesQuarantined',
  cursorLagSec: 'CursorLagSec',
  sweepLagSec: 'SweepLagSec',
  claimed: 'ExecutionsClaimed',
  claimLost: 'ClaimsLost',
  succeeded: 'ExecutionsSucceeded',
  failed: 'ExecutionsFailed',
  skipped: 'ExecutionsSkipped',
  retried: 'AttemptsRetried',
  latenessMs: 'LatenessMs',
  leaseLost: 'LeasesLost',
  takenOver: 'ExecutionsTakenOver',
  resent: 'MessagesResent',
  didNotRun: 'OccurrencesDidNotRun',
  eventsLost: 'EventsLost',
  canaryRegistrationMs: 'CanaryRegistrationMs',
  canaryDeliveryMs: 'CanaryDeliveryMs',
} as const;
export type MetricName = (typeof Metric)[keyof typeof Metric];

/** Metrics that the executor also knows by pool and priority. */
export const METRICS_BY_PRIORITY = [
  Metric.claimed,
  Metric.succeeded,
  Metric.failed,
  Metric.retried,
  Metric.latenessMs,
] as const satisfies readonly MetricName[];
