import { compactInstant, minuteOf, minuteStartMs } from '../contracts/tables';
import type { Actor } from './actor';

/** What is put on record. A new kind of change is added here. */
export const AUDITED = [
  'api-key.created',
  'api-key.revoked',
  'signing-secret.rotated',
  'signing-secret.legacy-ended',
  'ping-key.set',
  'ping-key.rotated',
  'ping-key.deleted',
  'monitor.created',
  'secret.set',
  'secret.deleted',
  'calendar.set',
  'calendar.deleted',
  'notification.set',
  'notification.deleted',
  'concurrency-key.set',
  'concurrency-key.deleted',
  'failure.acknowledged',
  'failure.ack-removed',
  'queue.redriven',
  'job-change.deleted',
  'approval.overridden',
  'request.denied',
] as const;
export type Audited = (typeof AUDITED)[number];

/**
 * `attempted`: written before the change, and still so after a crash or a time-out: the change may have been
 * made. `done`: the change was made. `refused`: nothing was changed.
 */
export const AUDIT_OUTCOMES = ['attempted', 'done', 'refused'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** One change of a project's access or settings, or one request that was denied. */
export interface AuditRecord {
  /** Sorts by time. The same id is the same record: a later write replaces the earlier one. */
  id: string;
  atMs: number;
  by: Actor;
  what: Audited;
  outcome: AuditOutcome;
  /** What was changed: a key's id, a secret's name, a queue; of a denied request, its route. */
  resource: string;
  /** More about it, for people. */
  detail?: string;
  /** What the actor wrote about it. */
  note?: string;
  /** Seconds: end of retention. */
  expiresAtSec: number;
}

/** The project of the deployment's own records: changes by operators, and denials without a project. */
export const DEPLOYMENT_AUDIT = '';

/** Number of records that a project keeps of the denials of one minute. */
export const DENIALS_A_MINUTE = 64;

/** Unique, with a random part. */
export const auditIdOf = (atMs: number, random: string): string => `${compactInstant(atMs)}-${random}`;

/**
 * Id of a denial. It begins with the start of the minute: denials that share minute and slot share a record.
 *
 * @param slot from 0 to `DENIALS_A_MINUTE` - 1
 */
export const denialIdOf = (project: string, atMs: number, slot: number): string => {
  const ofDeployment = project === DEPLOYMENT_AUDIT ? 'deployment-' : '';
  return auditIdOf(minuteStartMs(minuteOf(atMs)), `denied-${ofDeployment}${slot}`);
};
