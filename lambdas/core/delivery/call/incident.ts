import { createHash } from 'node:crypto';

import { isIncidentOpen } from '../../domain/alert';
import { httpTargetOf, ROUTING_KEY_HEADER, STORM_MINUTES } from '../../domain/incident';
import type { IncidentTarget } from '../../domain/notification-targets';
import type { HttpTarget } from '../../domain/target';
import type { TargetResult } from '../../domain/target-result';
import type { AlertStore } from '../../store/alert-store';
import { isStormy } from '../../store/stormy';
import type { Delivery } from '../delivery';
import { type IncidentMessage, incidentIoEvent, pagerDutyEvent } from './incident-events';

/** What a call of a service of incidents works with. */
export interface IncidentCalls {
  alerts: Pick<AlertStore, 'get' | 'minute'>;
  nowMs(): number;
  /** Name of the deployment, which is part of each key. */
  deployment: string;
  /** One HTTP exchange, with the secrets that the target names. */
  send(target: HttpTarget, delivery: Delivery): Promise<TargetResult>;
}

/** The state of an incident may change while it is sent: each change is sent in the same attempt. */
const MAX_EXCHANGES = 4;

/**
 * Tells a service the state of one incident as it is now, whatever the message once was about. An attempt of
 * an old message thus opens nothing that is over, and resolves nothing that is open again. The alert is read
 * before the call and after it. If the state is another by then, it is sent too: the last word is right,
 * in whatever order messages arrive. An attempt that dies in between is repeated. Cost: 2 read units.
 */
export async function callIncident(
  target: IncidentTarget,
  delivery: Delivery,
  signal: AbortSignal,
  calls: IncidentCalls,
): Promise<TargetResult> {
  const message = JSON.parse(delivery.body.toString('utf8')) as IncidentMessage;
  const key = incidentKeyOf(message, delivery.project, calls);
  const tell = (isOpen: boolean, of = key) =>
    calls.send(httpTargetOf(target), { ...delivery, body: bodyOf(target, message, { key: of, isOpen }) });
  if (message.kind === 'test') {
    const opened = await tell(true, `${key}-test`);
    return opened.outcome === 'succeeded' ? tell(false, `${key}-test`) : opened;
  }
  let sent: boolean | undefined;
  let result: TargetResult = { outcome: 'retriable', error: 'the incident keeps changing' };
  for (let exchanges = 0; exchanges < MAX_EXCHANGES && !signal.aborted; exchanges++) {
    const isOpen = await isOpenNow(message, delivery.project, calls);
    if (typeof isOpen === 'string') return { outcome: 'retriable', error: isOpen };
    if (isOpen === sent) return result;
    result = await tell(isOpen);
    if (result.outcome !== 'succeeded') return result;
    sent = isOpen;
  }
  return { outcome: 'retriable', error: 'the incident keeps changing' };
}

/** One for each notification and job; a summary has that of the notification. */
export function incidentKeyOf(
  { notification, job }: Pick<IncidentMessage, 'notification' | 'job'>,
  project: string,
  { deployment }: Pick<IncidentCalls, 'deployment'>,
): string {
  const parts = JSON.stringify([deployment, project, notification, job?.jobId ?? null]);
  return `qj-${createHash('sha256').update(parts).digest('hex').slice(0, 40)}`;
}

/** Whether an incident is to be open; a text says why that is not known. */
async function isOpenNow(
  { notification, job }: IncidentMessage,
  project: string,
  { alerts, nowMs }: Pick<IncidentCalls, 'alerts' | 'nowMs'>,
): Promise<boolean | string> {
  try {
    if (job) return isIncidentOpen(await alerts.get({ project, notification, jobId: job.jobId }));
    return await isStormy({ project, notification }, nowMs(), STORM_MINUTES, { alerts });
  } catch (error) {
    return `the alert could not be read: ${(error as Error).name}`;
  }
}

function bodyOf(
  target: IncidentTarget,
  message: IncidentMessage,
  incident: { key: string; isOpen: boolean },
): Buffer {
  const event = target.type === 'pagerduty' ? pagerDutyEvent : incidentIoEvent;
  return Buffer.from(JSON.stringify(event(message, incident)), 'utf8');
}

/** The exchange as it leaves: the routing key stands in the body, where Events API v2 has it. */
export function withRoutingKey(
  target: HttpTarget,
  delivery: Delivery,
): { target: HttpTarget; delivery: Delivery } {
  const { [ROUTING_KEY_HEADER]: routingKey, ...headers } = target.headers;
  if (routingKey === undefined) return { target, delivery };
  const event = JSON.parse(delivery.body.toString('utf8')) as object;
  const body = Buffer.from(JSON.stringify({ routing_key: routingKey, ...event }), 'utf8');
  return { target: { ...target, headers }, delivery: { ...delivery, body } };
}
