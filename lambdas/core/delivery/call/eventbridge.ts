import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

import type { TargetResult } from '../../domain/target-result';
import type { EventBridgeTarget } from '../../domain/target';
import type { Delivery } from '../delivery';
import { clientIn } from './aws-client';
import { failureOf, isPassing } from './aws-failure';
import { attributesOf, jsonOf } from './message';

/**
 * Puts one event, its detail the payload. Events have no attributes: `resources` lists them as `name=value`, where rules
 * can match them.
 */
export async function callEventBridge(
  { eventBusName, source, detailType }: EventBridgeTarget,
  delivery: Delivery,
  region: string,
  signal: AbortSignal,
): Promise<TargetResult> {
  const detail = jsonOf(delivery);
  if (!detail.startsWith('{')) return { outcome: 'fatal', error: 'the detail of an event must be an object' };
  const entry = {
    EventBusName: eventBusName,
    Source: source,
    DetailType: detailType,
    Detail: detail,
    Resources: attributesOf(delivery).map(([name, value]) => `${name}=${value}`),
  };
  try {
    const { $metadata, Entries: [put] = [] } = await clientIn(EventBridgeClient, region).send(
      new PutEventsCommand({ Entries: [entry] }),
      { abortSignal: signal },
    );
    const statusCode = $metadata.httpStatusCode;
    const { ErrorCode: code } = put ?? {};
    if (code === undefined) return { outcome: 'succeeded', statusCode, body: put?.EventId };
    const error = `${code}: ${put?.ErrorMessage ?? ''}`;
    return { outcome: isPassing(code) ? 'retriable' : 'fatal', statusCode, error };
  } catch (error) {
    return failureOf(error, signal);
  }
}
