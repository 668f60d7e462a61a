import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

import type { TargetResult } from '../../domain/target-result';
import type { LambdaTarget } from '../../domain/target';
import type { Delivery } from '../delivery';
import { clientIn } from './aws-client';
import { failureOf } from './aws-failure';
import { attributesOf, jsonOf } from './message';

const KEPT_OF_SUCCESS_BYTES = 256;
const KEPT_OF_FAILURE_BYTES = 2_048;

/**
 * Invokes a function. Mode `sync`: the event is the payload, the client context tells the rest; an error of the function
 * may be tried again. Mode `async`: Lambda takes the event and answers at once; the event carries the token to report by.
 */
export async function callLambda(
  { functionArn, mode }: LambdaTarget,
  delivery: Delivery,
  region: string,
  signal: AbortSignal,
): Promise<TargetResult> {
  const client = clientIn(LambdaClient, region);
  const input =
    mode === 'async'
      ? { InvocationType: 'Event' as const, Payload: Buffer.from(envelopeOf(delivery)) }
      : {
          InvocationType: 'RequestResponse' as const,
          Payload: Buffer.from(jsonOf(delivery)),
          ClientContext: contextOf(delivery),
        };
  try {
    const output = await client.send(new InvokeCommand({ FunctionName: functionArn, ...input }), {
      abortSignal: signal,
    });
    const { StatusCode: statusCode, FunctionError: failed } = output;
    if (mode === 'async') return { outcome: 'accepted', statusCode };
    const said = Buffer.from(output.Payload ?? []);
    const body = said.subarray(0, failed ? KEPT_OF_FAILURE_BYTES : KEPT_OF_SUCCESS_BYTES).toString('utf8');
    if (failed) return { outcome: 'retriable', statusCode, body, error: `the function failed: ${failed}` };
    return { outcome: 'succeeded', statusCode, body };
  } catch (error) {
    return failureOf(error, signal);
  }
}

/** Lambda hands this to the function as `context.clientContext`. */
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
