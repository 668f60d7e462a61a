/**
 * An address that has confirmed to get the messages of a project's notifications. No job has such a target.
 */
export interface EmailTarget {
  type: 'email';
  to: string;
}

/** Opens and resolves incidents of PagerDuty, by its Events API v2. No job has such a target. */
export interface PagerDutyTarget {
  type: 'pagerduty';
  routingKey: string;
  /** Absent: `us`. */
  region?: 'us' | 'eu';
}

/** Opens and resolves alerts of incident.io. No job has such a target. */
export interface IncidentIoTarget {
  type: 'incident-io';
  /** The alert source, of type HTTP. */
  sourceId: string;
  token: string;
}

/** A service that keeps incidents. */
export type IncidentTarget = PagerDutyTarget | IncidentIoTarget;

/** Targets of notifications alone. */
export type NotificationOnlyTarget = EmailTarget | IncidentTarget;
