import { INCIDENT_KINDS, type Severity } from '../../domain/incident';

/** What a message to a service of incidents has: the format `json`, and a severity. */
export interface IncidentMessage {
  kind: string;
  notification: string;
  project: string;
  headline: string;
  facts: readonly (readonly [string, string])[];
  job?: { jobId: string };
  execution?: { execId: string; finishedAt: string | null; dueAt: string };
  problems?: { since: string; count: number };
  severity: Severity;
  url: string;
}

interface Incident {
  key: string;
  isOpen: boolean;
}

/** PagerDuty takes no longer summary. */
const MAX_SUMMARY = 1_024;

/**
 * The headline of an open incident. A message about its end may have to open it again: then it says what is
 * so, and not what it was about.
 */
function headlineOf({ kind, headline, job }: IncidentMessage): string {
  const isProblem = [...INCIDENT_KINDS, 'summary', 'test'].includes(kind);
  if (isProblem) return headline;
  return job ? `Job ${job.jobId} has problems` : 'More messages in a minute than are sent one by one';
}

/** An event of Events API v2, without its routing key. */
export function pagerDutyEvent(message: IncidentMessage, { key, isOpen }: Incident): object {
  if (!isOpen) return { event_action: 'resolve', dedup_key: key };
  const { kind, notification, project, facts, job, execution, problems, severity, url } = message;
  const timestamp = execution?.finishedAt ?? problems?.since;
  return {
    event_action: 'trigger',
    dedup_key: key,
    client: 'Quarterjack',
    client_url: url,
    payload: {
      summary: headlineOf(message).slice(0, MAX_SUMMARY),
      source: job?.jobId ?? notification,
      severity,
      ...(timestamp !== undefined && { timestamp }),
      group: project,
      class: kind,
      custom_details: Object.fromEntries(facts),
    },
  };
}

/** An alert event of incident.io, of an alert source of type HTTP. */
export function incidentIoEvent(message: IncidentMessage, { key, isOpen }: Incident): object {
  const { kind, notification, project, headline, facts, job, execution, severity, url } = message;
  return {
    title: isOpen ? headlineOf(message) : headline,
    status: isOpen ? 'firing' : 'resolved',
    deduplication_key: key,
    description: facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    source_url: url,
    metadata: {
      kind,
      notification,
      project,
      severity,
      ...(job && { jobId: job.jobId }),
      ...(execution && { execId: execution.execId }),
    },
  };
}
