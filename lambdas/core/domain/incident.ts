import type { IncidentTarget } from './notification-targets';
import type { HttpTarget, Target } from './target';

export const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What an incident is opened for, and how severe it is unless its notification says otherwise. */
export const INCIDENT_SEVERITIES = {
  failed: 'error',
  skipped: 'warning',
  late: 'warning',
  slow: 'warning',
  quick: 'warning',
} as const satisfies Record<string, Severity>;
export type IncidentKind = keyof typeof INCIDENT_SEVERITIES;
export const INCIDENT_KINDS = Object.keys(INCIDENT_SEVERITIES) as readonly IncidentKind[];

export const isIncidentTarget = (target: Target): target is IncidentTarget =>
  target.type === 'pagerduty' || target.type === 'incident-io';

/** The header that carries the routing key until it goes into the body. */
export const ROUTING_KEY_HEADER = 'x-routing-key';
const TIMEOUT = '30s';
const PAGERDUTY_HOSTS = { us: 'events.pagerduty.com', eu: 'events.eu.pagerduty.com' } as const;

/** The HTTP target that a service of incidents is called as. Its references to secrets are those of a job. */
export function httpTargetOf(target: IncidentTarget): HttpTarget {
  const http = { type: 'http', method: 'POST', timeout: TIMEOUT } as const;
  if (target.type === 'pagerduty') {
    const url = `https://${PAGERDUTY_HOSTS[target.region ?? 'us']}/v2/enqueue`;
    return { ...http, url, headers: { [ROUTING_KEY_HEADER]: target.routingKey } };
  }
  const url = `https://api.incident.io/v2/alert_events/http/${encodeURIComponent(target.sourceId)}`;
  return { ...http, url, headers: {}, auth: { type: 'bearer', token: target.token } };
}

/** Messages of one notification in one minute that are sent one by one. One more is their summary. */
export const MESSAGES_A_MINUTE = 20;
/** The incident of a summary stays open so long after the end of the last minute that had one. */
export const STORM_MINUTES = 10;
