import http from 'node:http';
import https from 'node:https';

import { SECOND_MS } from '../../clock/clock';
import type { HttpTarget } from '../../domain/target';
import { KEPT_BYTES, keptText, type TargetResult } from '../../domain/target-result';
import { checkUrl } from '../address-policy';
import type { TargetPolicy } from '../addresses';
import { BlockedTargetError, checkedLookup, type Resolve } from '../checked-lookup';
import type { Delivery } from '../delivery';

const MAX_HEADER_BYTES = 16_384;
/** Interim responses (1xx) before the response. Each costs CPU, and a target could send them without end. */
const MAX_INTERIM = 20;
/**
 * How long to try one of several addresses before the next. Node's default of 250 ms is less than a handshake
 * across an ocean may take. Without IPv6, as in Lambda outside a VPC, the other addresses cannot be reached
 * at all.
 */
const TRY_ADDRESS_MS = 5_000;

/** Statuses that may be temporary. Other 4xx, and 3xx, are final. */
const isRetriable = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500;

export interface HttpSettings {
  policy: TargetPolicy;
  /** Hosts that the deployment allows. Empty or absent: any. */
  allowedHosts?: readonly string[];
  nowMs: () => number;
  /** @default the system's resolver */
  resolve?: Resolve;
}

/** An HTTP target is not told whose delivery it is: the secret that signs it is the project's own. */
type HttpDelivery = Omit<Delivery, 'project'>;

/**
 * One HTTP exchange. The URL is checked, its name is resolved, and the socket connects to the address that
 * was checked. Follows no redirect and shares no connection. Reads only the kept part of the response body.
 * Settles at the latest when `signal` aborts.
 */
export async function callHttp(
  target: HttpTarget,
  delivery: HttpDelivery,
  signal: AbortSignal,
  settings: HttpSettings,
): Promise<TargetResult> {
  const check = checkUrl(target.url, settings.policy, settings.allowedHosts);
  if (!check.ok) return { outcome: 'fatal', blocked: true, error: `target.url ${check.message}` };
  try {
    const { status, headers, body } = await exchange(target, delivery, signal, settings);
    const outcome = outcomeOf(status, target);
    const hasFailed = outcome === 'retriable' || outcome === 'fatal';
    return {
      outcome,
      statusCode: status,
      body,
      error: hasFailed ? `target answered ${status}` : undefined,
      retryAfterMs: retryAfterMsOf(headers['retry-after'], settings.nowMs()),
    };
  } catch (error) {
    if (error instanceof BlockedTargetError) return { outcome: 'fatal', blocked: true, error: error.message };
    if (signal.aborted) return { outcome: 'retriable', error: 'call aborted' };
    return { outcome: 'retriable', error: textOf(error) };
  }
}

/** Code and message of an error. If several addresses were tried, the errors of all of them. */
function textOf(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  if (errors) return errors.map(textOf).join('; ');
  return code && !message.includes(code) ? `${code}: ${message}` : message;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function outcomeOf(status: number, { mode }: HttpTarget): TargetResult['outcome'] {
  if (status === 202 && mode === 'async') return 'accepted';
  if (isSuccess(status)) return 'succeeded';
  return isRetriable(status) ? 'retriable' : 'fatal';
}

interface HttpResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/**
 * Rejects if there is no whole response. Settles in any case once the socket is gone: Node may report that by
 * no event but `close`.
 */
function exchange(
  target: HttpTarget,
  delivery: HttpDelivery,
  signal: AbortSignal,
  settings: HttpSettings,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const request = requestTo(target, delivery, signal, settings);
    const closed = () => reject(new Error('the connection closed before the response was complete'));
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM)
        request.destroy(new Error(`target sent more than ${MAX_INTERIM} interim responses (1xx)`));
    });
    request.once('upgrade', ({ statusCode: status = 0, headers }, socket) => {
      resolve({ status, headers, body: '' });
      socket.destroy();
    });
    request.once('response', (response) => {
      request.off('close', closed); // it may come before the last bytes have been read
      response.on('error', reject);
      response.once('close', closed);
      readKeptBody(response, (body) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        request.destroy();
      });
    });
    request.once('close', closed);
    request.on('error', reject);
    request.end(delivery.body);
  });
}

function requestTo(
  target: HttpTarget,
  delivery: HttpDelivery,
  signal: AbortSignal,
  settings: HttpSettings,
): http.ClientRequest {
  const url = new URL(target.url);
  const { Agent, request } = url.protocol === 'https:' ? https : http;
  return request(url, {
    method: target.method,
    headers: { ...target.headers, ...delivery.headers, 'content-length': delivery.body.length },
    agent: new Agent({ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: TRY_ADDRESS_MS }),
    lookup: checkedLookup(settings.policy, settings.resolve),
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  });
}

/**
 * Gives the kept part of the body to `done`, as soon as it is there; never, if the body breaks off before.
 * With a promise, `close` would come first.
 */
function readKeptBody(response: http.IncomingMessage, done: (body: string) => void): void {
  const kept = isSuccess(response.statusCode ?? 0) ? 'ofSuccess' : 'ofFailure';
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = () => done(keptText(Buffer.concat(chunks), kept));
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= KEPT_BYTES[kept]) end();
  });
  response.once('end', end);
}

/** The one date format in which HTTP senders write dates. `Date.parse` alone accepts almost any text. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * `Retry-After` in seconds or as a date, in milliseconds. Undefined if it is absent, malformed or in the
 * past.
 */
export function retryAfterMsOf(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const waitMs = /^\d{1,9}$/.test(text)
    ? Number(text) * SECOND_MS
    : HTTP_DATE.test(text)
      ? Date.parse(text) - nowMs
      : 0;
  return waitMs > 0 ? waitMs : undefined;
}
