import { createHash } from 'node:crypto';

import { labelsIn, type RunLabels } from '../../core/domain/run-labels';
import { expiresAtSecAfter } from '../../core/domain/timing';
import type { EventBody } from '../../core/http/external-schedule';
import type { RequestKey } from '../../core/store/request-key-store';
import { derivedId, stampOf } from '../http/idempotency-key';
import { canonicalJson } from '../http/json';
import { ProblemError } from '../http/problem';
import type { ApiDeps, ApiRequest } from '../request';

/** An event of a request, and what is known of it from earlier requests. */
export interface ReceivedEvent {
  project: string;
  eventId: string;
  /** Hashes of name and id, and of what the event says. */
  keyHash: string;
  bodyHash: string;
  /** Whether a client can send the event again: the id is not random. */
  isRepeatable: boolean;
  /** When an earlier request sent it. The ids of its runs follow from that. */
  knownAtMs?: number;
}

/**
 * The event of a request. Without an id, the `Idempotency-Key` makes it; without both, it is random. Throws
 * `ProblemError` 422 if another event has the id.
 */
export async function receivedEvent(
  request: ApiRequest,
  body: EventBody,
  { random, requestKeys }: ApiDeps,
): Promise<ReceivedEvent> {
  const stamp = stampOf(request, body);
  const eventId = body.id ?? (stamp ? derivedId(stamp) : random.id());
  const { project } = request;
  const event: ReceivedEvent = {
    project,
    eventId,
    keyHash: hashOf(['event', body.name, eventId]),
    bodyHash: hashOf([body.key ?? null, body.data ?? null, ...labelsSaid(body)]),
    isRepeatable: body.id !== undefined || stamp !== undefined,
  };
  const known = event.isRepeatable ? await requestKeys.get(project, event.keyHash) : undefined;
  return known ? { ...event, knownAtMs: atMsIn(known, event) } : event;
}

/**
 * Puts an event on record that can be sent again. Throws `ProblemError` 422 if another event with its id was
 * faster.
 *
 * @returns when it was first received
 */
export async function recordEvent(
  event: ReceivedEvent,
  { clock, requestKeys, retentionDays }: ApiDeps,
): Promise<number> {
  const nowMs = clock.nowMs();
  if (event.knownAtMs !== undefined) return event.knownAtMs;
  if (!event.isRepeatable) return nowMs;
  const { project: userId, keyHash, bodyHash } = event;
  const expiresAtSec = expiresAtSecAfter(nowMs, retentionDays);
  const key = { userId, keyHash, bodyHash, resultId: String(nowMs), expiresAtSec };
  return atMsIn(await requestKeys.putUnlessKnown(key), event);
}

/**
 * Puts on record that nothing of the event is left to do. Only an event that may have moved runs needs it: a
 * repeat would move them again. Other runs have ids that tell.
 */
export async function finishEvent(
  { project: userId, keyHash, isRepeatable }: ReceivedEvent,
  { clock, requestKeys, retentionDays }: ApiDeps,
): Promise<void> {
  if (!isRepeatable) return;
  const expiresAtSec = expiresAtSecAfter(clock.nowMs(), retentionDays);
  const key = { userId, keyHash: finishedHashOf(keyHash), bodyHash: '', resultId: '' };
  await requestKeys.putUnlessKnown({ ...key, expiresAtSec });
}

export const isFinished = async (
  { project, keyHash, knownAtMs }: ReceivedEvent,
  { requestKeys }: ApiDeps,
): Promise<boolean> =>
  knownAtMs !== undefined && (await requestKeys.get(project, finishedHashOf(keyHash))) !== undefined;

/** Nothing for an event without labels: its hash is that of an earlier version. */
const labelsSaid = (body: EventBody): RunLabels[] => {
  const labels = labelsIn(body);
  return Object.keys(labels).length > 0 ? [labels] : [];
};

const atMsIn = ({ bodyHash, resultId }: RequestKey, event: ReceivedEvent): number => {
  if (bodyHash === event.bodyHash) return Number(resultId);
  throw new ProblemError(
    422,
    'event-id-reused',
    'Event id reused',
    `an event with the id ${JSON.stringify(event.eventId)} and another key or other data was sent before; use a new id`,
  );
};

const finishedHashOf = (keyHash: string): string => hashOf(['finished', keyHash]);

const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('base64url');
