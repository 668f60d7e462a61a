/** Namespace of every metric that the stages record. */
export const METRICS_NAMESPACE = 'Quarterjack';

/**
 * Dimension of every metric: the stack's name, which separates two stacks in one account. No metric is split
 * by stage, so each is billed once.
 */
export const DEPLOYMENT_DIMENSION = 'deployment';
/** Further dimensions of `METRICS_BY_PRIORITY`, if the stage configuration asks for them. */
export const QUEUE_DIMENSIONS = { pool: 'pool', priority: 'priority' } as const;

/** Names of all metrics, for the code, the dashboard and the alarms. */
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
  arrivedEarlyMs: 'ArrivedEarlyMs',
  requestLatenessMs: 'RequestLatenessMs',
  leaseLost: 'LeasesLost',
  takenOver: 'ExecutionsTakenOver',
  resent: 'MessagesResent',
  didNotRun: 'OccurrencesDidNotRun',
  eventsLost: 'EventsLost',
  tasksStarted: 'TasksStarted',
  tasksFailed: 'TasksFailed',
  taskLatenessMs: 'TaskLatenessMs',
  probesPutOff: 'ProbesPutOff',
  probeFound: 'EndsFoundByProbes',
  lostSight: 'ErrandsLostFromSight',
  errandLagMs: 'ErrandLagMs',
  runsRepaired: 'RunsRepaired',
  endsUnread: 'EndsUnread',
  spansSent: 'OtlpSent',
  spansRejected: 'OtlpRejected',
  spansDropped: 'OtlpDropped',
  canaryRegistrationMs: 'CanaryRegistrationMs',
  canaryDeliveryMs: 'CanaryDeliveryMs',
} as const;
export type MetricName = (typeof Metric)[keyof typeof Metric];

/** Metrics that the executor can also record by pool and priority. */
export const METRICS_BY_PRIORITY = [
  Metric.claimed,
  Metric.succeeded,
  Metric.failed,
  Metric.retried,
  Metric.latenessMs,
] as const satisfies readonly MetricName[];
