import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

import type { LambdaTarget } from '../../domain/target';
import { keptText } from '../../domain/target-result';
import { outputOfText } from '../../domain/workflow/output';
import type { Delivery } from '../delivery';
import type { AwsCall } from './aws-call';
import { clientIn } from './aws-client';
import { attributesOf, jsonOf } from './message';

/**
 * Invokes a function. Mode `sync`: the event is the payload, and the client context has the attributes. An
 * error of the function is retriable. Mode `async`: Lambda accepts the event and responds at once. The event
 * has the token for the report.
 */
export const callLambda: AwsCall<LambdaTarget> = async (
  { functionArn, mode },
  delivery,
  { signal, ...context },
) => {
  const input =
    mode === 'async'
      ? { InvocationType: 'Event' as const, Payload: Buffer.from(envelopeOf(delivery)) }
      : {
          InvocationType: 'RequestResponse' as const,
          Payload: Buffer.from(jsonOf(delivery)),
          ClientContext: contextOf(delivery),
        };
  const output = await clientIn(LambdaClient, context).send(
    new InvokeCommand({ FunctionName: functionArn, ...input }),
    { abortSignal: signal },
  );
  const { StatusCode: statusCode, FunctionError: failed } = output;
  if (mode === 'async') return { outcome: 'accepted', statusCode };
  const body = keptText(output.Payload ?? '', failed ? 'ofFailure' : 'ofSuccess');
  if (failed) return { outcome: 'retriable', statusCode, body, error: `the function failed: ${failed}` };
  const text = Buffer.from(output.Payload ?? 'null').toString('utf8');
  return {
    outcome: 'succeeded',
    statusCode,
    body,
    ...(delivery.keepsOutput && { output: outputOfText(text) }),
  };
};

/** The function gets this as `context.clientContext`. */
const contextOf = (delivery: Delivery): string =>
  Buffer.from(JSON.stringify({ custom: Object.fromEntries(attributesOf(delivery)) })).toString('base64');

const envelopeOf = (delivery: Delivery): string =>
  JSON.stringify({
    quarterjack: {
      ...Object.fromEntries(attributesOf(delivery)),
      callback: delivery.headers['quarterjack-callback'],
      token: delivery.headers['quarterjack-token'],
    },
    payload: JSON.parse(jsonOf(delivery)) as unknown,
  });
