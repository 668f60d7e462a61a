import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

import type { LambdaTarget } from '../../domain/target';
import { keptText, reasonSaid, type TargetResult } from '../../domain/target-result';
import { outputOfText } from '../../domain/workflow/output';
import type { Delivery } from '../delivery';
import type { AwsCall } from './aws-call';
import { clientIn } from './aws-client';
import { attributesOf, jsonOf } from './message';

/**
 * Invokes a function. Mode `sync`: the event is the payload, and the client context has the attributes, with
 * `observe` also the token. An error of the function is retriable, unless its type says more. Mode `async`:
 * Lambda accepts the event and responds at once. The event has the token for the report.
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
  if (failed)
    return { ...asErrorSays(output.Payload), statusCode, body, error: `the function failed: ${failed}` };
  const text = Buffer.from(output.Payload ?? 'null').toString('utf8');
  return {
    outcome: 'succeeded',
    statusCode,
    body,
    ...(delivery.keepsOutput && { output: outputOfText(text) }),
  };
};

const MAX_ERROR_BYTES = 262_144;
const ERROR_TYPE = /^Quarterjack(?:FatalError|RetryAfter:(\d{1,9}))(?::([^]*))?$/;

/** What the type of an error asks for: no further attempt, or none for so many seconds; then the reason. */
function asErrorSays(
  payload: Uint8Array = new Uint8Array(),
): Pick<TargetResult, 'outcome' | 'reason' | 'retryAfterMs'> {
  const type =
    payload.length > MAX_ERROR_BYTES ? undefined : errorTypeIn(Buffer.from(payload).toString('utf8'));
  const [known, seconds, word] = ERROR_TYPE.exec(type ?? '') ?? [];
  const reason = reasonSaid(word);
  if (seconds !== undefined) return { outcome: 'retriable', reason, retryAfterMs: Number(seconds) * 1_000 };
  return { outcome: known === undefined ? 'retriable' : 'fatal', reason };
}

function errorTypeIn(text: string): string | undefined {
  try {
    const { errorType } = JSON.parse(text) as { errorType?: unknown };
    return typeof errorType === 'string' ? errorType : undefined;
  } catch {
    return undefined; // a runtime that ended gives no JSON, or JSON that is no object
  }
}

/** What a function gets beside the attributes, the first of them first if not all of it has room. */
const FURTHER = ['quarterjack-key', 'quarterjack-callback', 'quarterjack-token'];
/** Bytes of a client context that Lambda takes. Ids of projects and jobs may be long. */
const MAX_CONTEXT_BYTES = 3_583;

/** The function gets this as `context.clientContext`. One that has no room for its token is not observed. */
function contextOf(delivery: Delivery): string {
  const given = (names: readonly string[]) =>
    names.flatMap((name) => (delivery.headers[name] === undefined ? [] : [[name, delivery.headers[name]]]));
  const contextWith = (names: readonly string[]) => {
    const custom: unknown = Object.fromEntries([...attributesOf(delivery), ...given(names)]);
    return Buffer.from(JSON.stringify({ custom })).toString('base64');
  };
  const [whole, ...shorter] = [FURTHER, FURTHER.slice(0, 1), []].map(contextWith);
  return [whole!, ...shorter].find(({ length }) => length <= MAX_CONTEXT_BYTES) ?? whole!;
}

const envelopeOf = (delivery: Delivery): string =>
  JSON.stringify({
    quarterjack: {
      ...Object.fromEntries(attributesOf(delivery)),
      'quarterjack-key': delivery.headers['quarterjack-key'],
      callback: delivery.headers['quarterjack-callback'],
      token: delivery.headers['quarterjack-token'],
    },
    payload: JSON.parse(jsonOf(delivery)) as unknown,
  });
