import http from 'node:http';
import https from 'node:https';

import { SECOND_MS } from '../../clock/clock';
import type { HttpTarget } from '../../domain/target';
import { BlockedTargetError, checkedLookup, type Resolve } from '../checked-lookup';
import { checkUrl } from '../address-policy';
import type { TargetPolicy } from '../addresses';
import type { Delivery } from '../delivery';
import type { TargetResult } from '../../domain/target-result';

const KEPT_OF_SUCCESS_BYTES = 256;
const KEPT_OF_FAILURE_BYTES = 2_048;
const MAX_HEADER_BYTES = 16_384;
/**
 * How long one address of several is tried before the next. Node's own 250 ms is less than a handshake across an ocean
 * may take, and where there is no IPv6, as in Lambda outside a VPC, no other address can be reached.
 */
const TRY_ADDRESS_MS = 5_000;

/** Statuses that may go away by themselves; other 4xx, and 3xx, are the target's last word. */
const isRetriable = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500;

export interface HttpSettings {
  policy: TargetPolicy;
  /** Hosts that the deployment allows; none: any. */
  allowedHosts?: readonly string[];
  nowMs: () => number;
  /** @default the system's resolver */
  resolve?: Resolve;
}

/**
 * One HTTP exchange: judged, resolved and connected to the same address, no redirect followed, no connection shared.
 * Only the kept part of the answer's body is read. Settles at the latest when `signal` aborts.
 */
export async function callHttp(
  target: HttpTarget,
  delivery: Delivery,
  signal: AbortSignal,
  settings: HttpSettings,
): Promise<TargetResult> {
  const verdict = checkUrl(target.url, settings.policy, settings.allowedHosts);
  if (!verdict.ok) return { outcome: 'fatal', blocked: true, error: `target.url ${verdict.message}` };
  try {
    const { status, headers, body } = await exchange(target, delivery, signal, settings);
    const outcome = outcomeOf(status, target);
    const isFailure = outcome === 'retriable' || outcome === 'fatal';
    return {
      outcome,
      statusCode: status,
      body,
      error: isFailure ? `target answered ${status}` : undefined,
      retryAfterMs: retryAfterMsOf(headers['retry-after'], settings.nowMs()),
    };
  } catch (error) {
    if (error instanceof BlockedTargetError) return { outcome: 'fatal', blocked: true, error: error.message };
    if (signal.aborted) return { outcome: 'retriable', error: 'call aborted' };
    return { outcome: 'retriable', error: saidBy(error) };
  }
}

/** Of a host with several addresses, what each of them came to. */
function saidBy(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  if (errors) return errors.map(saidBy).join('; ');
  return code && !message.includes(code) ? `${code}: ${message}` : message;
}

function outcomeOf(status: number, { mode }: HttpTarget): TargetResult['outcome'] {
  if (status === 202 && mode === 'async') return 'accepted';
  if (status >= 200 && status < 300) return 'succeeded';
  return isRetriable(status) ? 'retriable' : 'fatal';
}

interface Exchanged {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

function exchange(
  target: HttpTarget,
  delivery: Delivery,
  signal: AbortSignal,
  settings: HttpSettings,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const url = new URL(target.url);
    const { Agent, request: ask } = url.protocol === 'https:' ? https : http;
    const request = ask(url, {
      method: target.method,
      headers: { ...target.headers, ...delivery.headers, 'content-length': delivery.body.length },
      agent: new Agent({ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: TRY_ADDRESS_MS }),
      lookup: checkedLookup(settings.policy, settings.resolve),
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const status = response.statusCode ?? 0;
      const keepBytes = status >= 200 && status < 300 ? KEPT_OF_SUCCESS_BYTES : KEPT_OF_FAILURE_BYTES;
      const chunks: Buffer[] = [];
      let bytes = 0;
      const done = () => {
        const body = Buffer.concat(chunks).subarray(0, keepBytes).toString('utf8');
        resolve({ status, headers: response.headers, body });
        request.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= keepBytes) done();
      });
      response.once('end', done);
      response.once('error', reject);
    });
    request.end(delivery.body);
  });
}

/** The one date format that HTTP asks senders to use; `Date.parse` alone accepts almost anything. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** `Retry-After` in seconds or as a date; nonsense and the past count as absent. */
export function retryAfterMsOf(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const askedMs = /^\d{1,9}$/.test(text)
    ? Number(text) * SECOND_MS
    : HTTP_DATE.test(text)
      ? Date.parse(text) - nowMs
      : 0;
  return askedMs > 0 ? askedMs : undefined;
}
