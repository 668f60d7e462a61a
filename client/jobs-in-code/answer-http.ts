import { type Delivery, SignatureError, verifiedOf } from '../deliveries/delivery';
import { FenceGuard, StaleFenceError } from '../deliveries/fence-guard';
import { QuarterjackError } from '../errors';
import { FatalError, reasonOf } from '../worker/errors';
import type { Cause } from './connections';
import { observed } from './observe';
import { CONSOLE, type Jobs, messageOf, type Outcome, resultText, runJob } from './run-job';
import type { HttpOptions, RunOptions } from './serve-options';
import { verifyOnWeb } from './verify-on-web';

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface Received {
  headers: Iterable<readonly [string, string]> | object;
  /** Undefined: it has more than `MAX_BODY_BYTES`. */
  body: Uint8Array | undefined;
  signal: AbortSignal;
}

/** Payloads have at most 64 KB. */
export const MAX_BODY_BYTES = 1_048_576;

/** Answers deliveries over HTTP. Throws a `QuarterjackError` without a secret. */
export function httpAnswers(jobs: Jobs, options: HttpOptions) {
  const { secret, fenceStore } = options;
  if (secret === undefined || secret.length === 0)
    throw new QuarterjackError('the signing secret is missing: pass { secret }, or set QUARTERJACK_SECRET');
  const guard = fenceStore && new FenceGuard(fenceStore);
  return async ({ body, headers, signal }: Received): Promise<HttpAnswer> => {
    if (!body) return problem(413, 'Request too large', `a delivery has at most ${MAX_BODY_BYTES} bytes`);
    let delivery: Delivery;
    try {
      delivery = await verifyOnWeb(body, headers, { secret });
      await guard?.admit(delivery);
    } catch (error) {
      if (error instanceof SignatureError) return problem(401, 'Not genuine', error.message);
      if (error instanceof StaleFenceError) return problem(409, 'Stale', error.message);
      CONSOLE.error(`a delivery cannot be checked: ${messageOf(error)}`);
      return problem(500, 'Failed', 'the delivery cannot be checked');
    }
    return answerOf(await outcomeOf(jobs, delivery, { signal, ...traceIn(headers) }, options));
  };
}

async function outcomeOf(
  jobs: Jobs,
  delivery: Delivery,
  received: { signal: AbortSignal } & ReturnType<typeof traceIn>,
  options: RunOptions,
): Promise<Outcome> {
  const { jobId, execId, attempt, fence, dueAt, key, deliveryDepth } = delivery;
  let payload: unknown;
  try {
    payload = delivery.json() ?? {};
  } catch (error) {
    return { outcome: 'fatal', error: new FatalError(messageOf(error), { reason: 'bad-payload' }) };
  }
  const { signal, ...trace } = received;
  const sent = { jobId, execId, attempt, fence, dueAt, key, deliveryDepth, ...trace, payload };
  const delivered = { reporting: verifiedOf(delivery)?.reporting, isProven: true, signal };
  return observed(delivered, options, (by) => runJob(jobs, { ...sent, ...by }, options));
}

/** No signature covers it: it says where a trace goes on, and nothing else. */
function traceIn(headers: Received['headers']): Pick<Cause, 'traceparent' | 'tracestate'> {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const valueOf = (wanted: string): string | undefined => {
    const [, value] = pairs.find(([name]) => String(name).toLowerCase() === wanted) ?? [];
    return typeof value === 'string' ? value : undefined;
  };
  return { traceparent: valueOf('traceparent'), tracestate: valueOf('tracestate') };
}

function answerOf(ended: Outcome): HttpAnswer {
  if (ended.outcome === 'done') {
    const body = resultText(ended.value, { log: CONSOLE });
    if (body === undefined) return { status: 204, headers: {}, body: '' };
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }
  const detail = messageOf(ended.error);
  const reason = reasonOf(ended.error);
  const said: Record<string, string> = reason ? { 'quarterjack-reason': reason } : {};
  if (ended.outcome === 'fatal') return problem(422, 'Fatal', detail, said);
  if (ended.afterMs === undefined) return problem(500, 'Failed', detail);
  return problem(503, 'Try again later', detail, {
    ...said,
    'retry-after': String(Math.ceil(ended.afterMs / 1_000)),
  });
}

/** What is wrong, as RFC 9457 says it. */
export const problem = (
  status: number,
  title: string,
  detail: string,
  headers: Record<string, string> = {},
): HttpAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'application/problem+json' },
  body: JSON.stringify({ type: 'about:blank', title, status, detail }),
});
