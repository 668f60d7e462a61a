import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

import type { EventBridgeTarget } from '../../domain/target';
import { outputOf } from '../../domain/workflow/output';
import { type AwsCall, isTemporary } from './aws-call';
import { clientIn } from './aws-client';
import { attributesOf, jsonOf } from './message';

/**
 * Puts one event whose detail is the payload. Events have no attributes, so `resources` lists them as
 * `name=value`, where rules can match them.
 */
export const callEventBridge: AwsCall<EventBridgeTarget> = async (
  { eventBusName, source, detailType },
  delivery,
  { signal, ...context },
) => {
  const detail = jsonOf(delivery);
  if (!detail.startsWith('{')) return { outcome: 'fatal', error: 'the detail of an event must be an object' };
  const entry = {
    EventBusName: eventBusName,
    Source: source,
    DetailType: detailType,
    Detail: detail,
    Resources: attributesOf(delivery).map(([name, value]) => `${name}=${value}`),
  };
  const { $metadata, Entries: [put] = [] } = await clientIn(EventBridgeClient, context).send(
    new PutEventsCommand({ Entries: [entry] }),
    { abortSignal: signal },
  );
  const statusCode = $metadata.httpStatusCode;
  const { ErrorCode: code } = put ?? {};
  if (code === undefined) {
    const output = delivery.keepsOutput && outputOf({ messageId: put?.EventId });
    return { outcome: 'succeeded', statusCode, body: put?.EventId, ...(output && { output }) };
  }
  const error = `${code}: ${put?.ErrorMessage ?? ''}`;
  return { outcome: isTemporary(code) ? 'retriable' : 'fatal', statusCode, error };
};
