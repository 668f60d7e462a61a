import Ajv from 'ajv';
import addFormats from 'ajv-formats';

import { ROUTING_KEY_HEADER } from '../../lambdas/core/domain/incident';
import type { Delivery } from '../../lambdas/core/delivery/delivery';
import type { HttpTarget, Target } from '../../lambdas/core/domain/target';
import incidentIo from '../fixtures/notifications/incident-io-alert-event.schema.json';
import pagerDuty from '../fixtures/notifications/pagerduty-events-v2.schema.json';

const ajv = addFormats(new Ajv({ strict: true, strictTypes: false, strictRequired: false }));
const isOfPagerDuty = ajv.compile(pagerDuty);
const isOfIncidentIo = ajv.compile(incidentIo);

/** A service of incidents has received an event: it opens, or resolves, what has this key. */
export interface IncidentRecord {
  src: 'incident';
  type: 'received';
  key: string;
  opens: boolean;
}

export interface IncidentConditions {
  /** From this virtual time on, each project has a notification that keeps incidents. Absent: none has. */
  incidentsFromMs?: number;
}

/** One event as a service has received it, in the words of both. */
export interface IncidentEvent {
  key: string;
  opens: boolean;
  summary?: string;
  severity?: string;
}

/** A service that keeps incidents by their keys. It takes what its schema allows. */
export class FakeIncidents {
  readonly events: IncidentEvent[] = [];
  /** The keys of the incidents that are open. */
  readonly open = new Set<string>();

  /** Takes an event. Throws if it is none of the service's. */
  take(event: IncidentEvent): void {
    this.events.push(event);
    if (event.opens) this.open.add(event.key);
    else this.open.delete(event.key);
  }
}

const HOSTS = ['events.pagerduty.com', 'events.eu.pagerduty.com', 'api.incident.io'];

export const isOfIncidents = (target: Target): target is HttpTarget =>
  target.type === 'http' && HOSTS.includes(new URL(target.url).hostname);

interface OfIncidentIo {
  title: string;
  status: 'firing' | 'resolved';
  deduplication_key: string;
  metadata: { severity: string };
}

interface OfPagerDuty {
  event_action: 'trigger' | 'resolve';
  dedup_key: string;
  payload?: { summary: string; severity: string };
}

/** The event in an exchange with one of the services. Throws if its schema does not allow it. */
export function incidentEventIn(
  { url, headers }: HttpTarget,
  { body }: Pick<Delivery, 'body'>,
): IncidentEvent {
  const given: unknown = JSON.parse(body.toString('utf8'));
  if (new URL(url).hostname === 'api.incident.io') {
    if (!isOfIncidentIo(given)) throw new Error(ajv.errorsText(isOfIncidentIo.errors));
    const { title: summary, status, deduplication_key: key, metadata } = given as unknown as OfIncidentIo;
    return { key, opens: status === 'firing', summary, severity: metadata.severity };
  }
  const event = { routing_key: headers[ROUTING_KEY_HEADER], ...(given as OfPagerDuty) };
  if (!isOfPagerDuty(event)) throw new Error(ajv.errorsText(isOfPagerDuty.errors));
  const { event_action: action, dedup_key: key, payload } = event;
  return {
    key,
    opens: action === 'trigger',
    ...(payload && { summary: payload.summary, severity: payload.severity }),
  };
}
