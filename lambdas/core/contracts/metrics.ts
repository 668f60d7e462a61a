/** Namespace and names of every metric that the stages emit. One list for code, dashboard and alarms. */
export const METRICS_NAMESPACE = 'Quarterjack';

export const Metric = {
  registered: 'JobsRegistered',
  due: 'OccurrencesDue',
  dispatched: 'OccurrencesDispatched',
  misfired: 'OccurrencesMisfired',
  setAside: 'EntriesSetAside',
  cursorLagSec: 'CursorLagSec',
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
} as const;
export type MetricName = (typeof Metric)[keyof typeof Metric];
