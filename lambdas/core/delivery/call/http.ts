import http from 'node:http';
import https from 'node:https';
import { createSecureContext } from 'node:tls';

import type { PrivateReach } from '../../contracts/target-resources';
import { isRetriedStatus } from '../../domain/retry-policy';
import type { HttpTarget } from '../../domain/target';
import {
  abortedCall,
  blockedCall,
  KEPT_BYTES,
  LOGGED_BYTES,
  reasonSaid,
  type TargetResult,
} from '../../domain/target-result';
import { MAX_OUTPUT_BYTES } from '../../domain/workflow/definition';
import { type Output, outputOfText } from '../../domain/workflow/output';
import { checkUrlOfCall } from '../address-policy';
import { type TargetPolicy, withReach } from '../addresses';
import { BlockedTargetError, checkedLookup, type Resolve } from '../checked-lookup';
import type { Delivery } from '../delivery';
import { NOTHING_HIDDEN, type Redactor } from '../secrets/redactor';
import { TRYING } from './address-attempts';
import { type CallPhase, followPhase } from './call-phase';
import { responseParts } from './response-parts';
import { retryAfterMsOf } from './retry-after';

const MAX_HEADER_BYTES = 16_384;
/** Interim responses (1xx) before the response. Each costs CPU, and a target could send them without end. */
const MAX_INTERIM = 20;
/** Agents keep no connection: each call has its own, to an address that was checked for it. */
const httpAgent = new http.Agent(TRYING);
let httpsAgent: https.Agent | undefined;

/**
 * It keeps what a TLS handshake would make again: the trusted certificates, and the session of each host and
 * port. Such a call takes a third less processor time. The agent is made with the first call by https,
 * because that takes milliseconds.
 */
function agentOf(url: URL, own: https.Agent | undefined): http.Agent {
  if (url.protocol !== 'https:') return httpAgent;
  return own ?? (httpsAgent ??= new https.Agent({ ...TRYING, secureContext: createSecureContext() }));
}

export interface HttpSettings {
  policy: TargetPolicy;
  /** What the pool may call for a project besides. Absent: it is in no VPC. */
  privateAccess?: (project: string) => PrivateReach | undefined;
  /** Hosts that the deployment allows. Empty or absent: any. */
  allowedHosts?: readonly string[];
  nowMs: () => number;
  /** @default the system's resolver */
  resolve?: Resolve;
  /** Makes the connection of a call by https. @default one that proves no client, and trusts public roots */
  agent?: https.Agent;
  /** Takes a connection that was made before the call; undefined: there is none. */
  takeEarly?: ((url: URL) => http.ClientRequest | undefined) | undefined;
}

/** The settings for the calls of one project. */
export const forProject = (settings: HttpSettings, project: string): HttpSettings =>
  settings.privateAccess
    ? { ...settings, policy: withReach(settings.policy, settings.privateAccess(project)) }
    : settings;

/** An HTTP target is not told whose delivery it is: the secret that signs it is the project's own. */
type HttpDelivery = Omit<Delivery, 'project'>;
type Sent = Pick<Delivery, 'body' | 'headers'>;

/**
 * One HTTP exchange. The URL is checked, its name is resolved, and the socket connects to the address that
 * was checked. Follows no redirect and shares no connection, but resumes TLS sessions. Reads only the kept
 * part of the response body, and as much more as `redactor` needs. Settles at the latest when `signal`
 * aborts.
 *
 * @param redactor hides the secrets of the call in its result
 */
export async function callHttp(
  target: HttpTarget,
  delivery: HttpDelivery,
  signal: AbortSignal,
  settings: HttpSettings,
  redactor = NOTHING_HIDDEN,
): Promise<TargetResult> {
  const check = checkUrlOfCall(target.url, settings.policy, settings.allowedHosts);
  if (!check.ok) return blockedCall(`target.url ${check.message}`);
  try {
    const { marginBytes } = redactor;
    const { status, headers, body, isCut, sentAtMs } = await exchange(
      target,
      delivery,
      signal,
      settings,
      (code) => ({
        enough: KEPT_BYTES[keptOf(code)] + marginBytes,
        wanted: readBytesOf(code, target, delivery) + marginBytes,
      }),
    );
    const outcome = outcomeOf(status, target, delivery);
    const hasFailed = outcome === 'retriable' || outcome === 'fatal';
    return {
      outcome,
      statusCode: status,
      ...responseParts(body, keptOf(status), redactor, { isLogged: isLogged(status, target), isCut }),
      ...(hasFailed && {
        error: `target answered ${status}`,
        reason: reasonSaid(headers['quarterjack-reason']),
      }),
      ...(delivery.keepsOutput && outcome === 'succeeded' && { output: outputIn(body, redactor, isCut) }),
      retryAfterMs: retryAfterMsOf(headers['retry-after'], settings.nowMs()),
      sentAtMs,
    };
  } catch (error) {
    if (error instanceof BlockedTargetError) return blockedCall(error.message);
    if (error instanceof AbortedError) return abortedCall(error.phase);
    return { outcome: 'retriable', error: redactor.message(errorText(error)) };
  }
}

/** Code and message of an error. If several addresses were tried, the errors of all of them. */
export function errorText(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  if (errors) return errors.map(errorText).join('; ');
  return code && !message.includes(code) ? `${code}: ${message}` : message;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function outcomeOf(status: number, { mode }: HttpTarget, { retryOn }: HttpDelivery): TargetResult['outcome'] {
  if (status === 202 && mode === 'async') return 'accepted';
  if (isSuccess(status)) return 'succeeded';
  return isRetriedStatus(status, retryOn) ? 'retriable' : 'fatal';
}

/** Which part of a body is kept. */
const keptOf = (status: number): keyof typeof KEPT_BYTES => (isSuccess(status) ? 'ofSuccess' : 'ofFailure');

/** Whether what follows the kept part may go into the log. If it does is decided at the execution's end. */
const isLogged = (status: number, { keepResponse }: HttpTarget): boolean =>
  keepResponse === true || !isSuccess(status);

/** How much of a body is wanted: one byte more than is allowed in the log, or in an output. */
const readBytesOf = (status: number, target: HttpTarget, { keepsOutput }: HttpDelivery): number =>
  Math.max(
    KEPT_BYTES[keptOf(status)] + (isLogged(status, target) ? LOGGED_BYTES + 1 : 0),
    keepsOutput && isSuccess(status) ? MAX_OUTPUT_BYTES + 1 : 0,
  );

function outputIn(body: Buffer, redactor: Redactor, isCut: boolean): Output {
  if (body.length > MAX_OUTPUT_BYTES) return 'too-large';
  const whole = isCut ? body.subarray(0, Math.max(0, body.length - redactor.marginBytes)) : body;
  return outputOfText(redactor.text(whole.toString('utf8')));
}

/** Bytes of a body: it is read until `wanted`. If it breaks off, `enough` are a response. */
interface BodyLimits {
  enough: number;
  wanted: number;
}

interface HttpResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** More of the body may follow. */
  isCut: boolean;
  /** When all of the request had left. */
  sentAtMs?: number | undefined;
}

/**
 * Rejects if there is no whole response. Settles in any case once the socket is gone: Node may report that by
 * no event but `close`. Reads as much of the body as `limitsOf(status)` wants, if it has so much.
 */
export function exchange(
  target: HttpTarget,
  delivery: Sent,
  signal: AbortSignal,
  settings: HttpSettings,
  limitsOf: (status: number) => BodyLimits,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const url = new URL(target.url);
    const request = requestTo(url, target, delivery, settings);
    let sentAtMs: number | undefined;
    request.once('finish', () => (sentAtMs = settings.nowMs()));
    const phase = followPhase(request, url);
    const closed = () => reject(new Error('the connection closed before the response was complete'));
    /** A complete response is the result, whatever follows it. It may not have been read to its end. */
    let isComplete = () => false;
    abortWith(signal, request, () => {
      if (isComplete()) return;
      reject(new AbortedError(phase()));
      request.destroy();
    });
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM)
        request.destroy(new Error(`target sent more than ${MAX_INTERIM} interim responses (1xx)`));
    });
    request.once('upgrade', ({ statusCode: status = 0, headers }, socket) => {
      resolve({ status, headers, body: Buffer.alloc(0), isCut: false });
      socket.destroy();
    });
    request.once('response', (response) => {
      isComplete = () => response.complete;
      request.off('close', closed); // it may come before the last bytes have been read
      readBody(response, limitsOf(response.statusCode ?? 0), (body, isCut) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body, isCut, sentAtMs });
        request.destroy();
      });
      response.on('error', reject);
      response.once('close', closed);
    });
    request.once('close', closed);
    request.on('error', (error) => {
      if (!isComplete()) reject(error);
    });
    request.end(delivery.body);
  });
}

/** The request of a call, up to its body: on a connection that is there, or on its own. */
function requestTo(url: URL, target: HttpTarget, delivery: Sent, settings: HttpSettings) {
  const { method } = target;
  const headers = { ...target.headers, ...delivery.headers, 'content-length': delivery.body.length };
  // A connection that proves a client of its own is not made early.
  const early = settings.agent ? undefined : settings.takeEarly?.(url);
  if (!early) return unsentRequest(url, settings, { method, headers });
  for (const [name, value] of Object.entries(headers)) early.setHeader(name, value);
  return Object.assign(early, { method, path: url.pathname + url.search });
}

/** A request that begins to connect at once. Nothing is sent before its `end`. */
export function unsentRequest(
  url: URL,
  settings: HttpSettings,
  given: http.RequestOptions = { method: 'POST' },
): http.ClientRequest {
  return (url.protocol === 'https:' ? https : http).request(url, {
    ...given,
    agent: agentOf(url, settings.agent),
    lookup: checkedLookup(settings.policy, settings.resolve),
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}

/** The signal of a call aborted before its response was complete. */
class AbortedError extends Error {
  override readonly name = 'AbortError';

  constructor(readonly phase: CallPhase) {
    super(`The operation was aborted, phase: ${phase}`);
  }
}

/** As Node's option `signal` does, for a quarter of the processor time. */
function abortWith(signal: AbortSignal, request: http.ClientRequest, abort: () => void): void {
  if (signal.aborted) return abort();
  signal.addEventListener('abort', abort);
  request.once('close', () => signal.removeEventListener('abort', abort));
}

/**
 * Gives the beginning of the body to `done` as soon as what is wanted is there. If the body breaks off, it
 * does so with enough of it, and never with less. With a promise, `close` would come first.
 */
function readBody(
  response: http.IncomingMessage,
  { enough, wanted }: BodyLimits,
  done: (body: Buffer, isCut: boolean) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = (isCut: boolean) => done(Buffer.concat(chunks), isCut);
  const endIfEnough = () => {
    if (bytes >= enough) end(true);
  };
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= wanted) end(true);
  });
  response.once('end', () => end(false));
  response.once('error', endIfEnough);
  response.once('close', endIfEnough);
}
