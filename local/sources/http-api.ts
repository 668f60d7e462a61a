import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Clock } from '../machine/clock';
import { messageOf } from '../run/errors';
import type { InvokeOutcome } from '../invoke/environment';
import type { HttpApiSpec, RouteSpec } from '../template/stack';
import { httpEvent, joinHeaders, type HttpEventInput } from './http-event';
import { gatewayResponse, type HttpResponse, httpResponse, INTERNAL_SERVER_ERROR } from './http-response';
import { routeMatcher } from './http-routes';
import { type Claims, type JwtAuthorizer, scopesOf } from './jwt-authorizer';

/** Limits of an HTTP API's request, and of the event and answer of a function. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

export interface HttpApiDeps {
  accountId: string;
  clock: Clock;
  /** The authorizer of a route that has one. */
  authorizer(route: RouteSpec): JwtAuthorizer;
  /** Whether the function lets API Gateway in by this route. */
  mayInvoke(route: RouteSpec): boolean;
  /** Takes JSON text. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
  onError(line: string): void;
}

/** Answers one request. Never throws. */
export type HttpApi = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTP API of API Gateway in front of the functions: routes, JWT authorizers, limits, and its own error answers. */
export function httpApi(api: HttpApiSpec, deps: HttpApiDeps): HttpApi {
  const match = routeMatcher(api.routes);
  const stagePrefix = api.stage === '$default' ? '' : `/${api.stage}`;

  const answer = async (request: IncomingMessage): Promise<HttpResponse> => {
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = decodePath(mark < 0 ? url : url.slice(0, mark));
    const query = mark < 0 ? '' : url.slice(mark + 1);
    if (path === undefined) return gatewayResponse(400, 'Bad Request');
    const inStage = path === stagePrefix || path.startsWith(`${stagePrefix}/`);
    const found = inStage ? match(request.method ?? '', path.slice(stagePrefix.length) || '/') : undefined;
    const body = await readBody(request);
    if (!found) return gatewayResponse(404, 'Not Found');

    let authorized: HttpEventInput['authorized'];
    if (found.route.authorizer) {
      const claims = await deps.authorizer(found.route)(joinHeaders(request.rawHeaders).authorization);
      if (!claims) return gatewayResponse(401, 'Unauthorized', { 'www-authenticate': 'Bearer' });
      const scopes = grantedScopes(found.route, claims);
      if (scopes?.length === 0)
        return gatewayResponse(403, 'Forbidden', {
          'www-authenticate': `Bearer scope="${found.route.scopes.join(' ')}" error="insufficient_scope"`,
        });
      authorized = { claims, scopes };
    }
    if (body === undefined) return TOO_LARGE;

    const { accountId, clock } = deps;
    const input = {
      api,
      accountId,
      request,
      body,
      path,
      query,
      match: found,
      authorized,
      nowMs: clock.nowMs(),
    };
    const event = JSON.stringify(httpEvent(input));
    if (Buffer.byteLength(event) > MAX_EVENT_BYTES) return TOO_LARGE;
    return invoke(found.route, event);
  };

  const invoke = async (route: RouteSpec, event: string): Promise<HttpResponse> => {
    if (!deps.mayInvoke(route)) return INTERNAL_SERVER_ERROR;
    const { functionArn, timeoutMs } = route;
    const late = new AbortController();
    const outcome = await Promise.race([
      deps.invoke(functionArn, event),
      sleep(timeoutMs, 'late' as const, { signal: late.signal }),
    ]).finally(() => late.abort());
    if (outcome === 'late') return gatewayResponse(503, 'Service Unavailable');
    if (!outcome.ok || (outcome.payload?.length ?? 0) > MAX_EVENT_BYTES) return INTERNAL_SERVER_ERROR;
    return httpResponse(outcome.payload);
  };

  return (request, response) => {
    answer(request)
      .catch((thrown: unknown): HttpResponse => {
        if (!request.destroyed) deps.onError(`HTTP API: ${messageOf(thrown)}`);
        return INTERNAL_SERVER_ERROR;
      })
      .then((reply) => send(response, reply, request.method === 'HEAD'))
      .catch((thrown: unknown) => {
        deps.onError(`HTTP API: a function's answer cannot be sent: ${messageOf(thrown)}`);
        response.destroy();
      });
  };
}

/** A request's ARN, which permissions of functions name as their source. */
export function routeArn(
  { id, stage }: HttpApiSpec,
  routeKey: string,
  { region, accountId }: { region: string; accountId: string },
): string {
  const [method = '', path = ''] = routeKey.split(' ');
  return `arn:aws:execute-api:${region}:${accountId}:${id}/${stage}/${method}${path}`;
}

const TOO_LARGE = gatewayResponse(413, 'Request Entity Too Large');

/** The token's scopes that the route asks for; null where it asks for none. */
function grantedScopes({ scopes }: RouteSpec, claims: Claims): string[] | null {
  if (scopes.length === 0) return null;
  const has = scopesOf(claims);
  return has.filter((scope) => scopes.includes(scope));
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Undefined where the body is too large; it is read to its end all the same, so that the client sees the answer. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
}

function send(
  response: ServerResponse,
  { status, headers, cookies, body }: HttpResponse,
  isHead: boolean,
): void {
  response.writeHead(status, {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
    ...(status !== 204 && status !== 304 && { 'content-length': String(body.length) }),
    'apigw-requestid': randomUUID(),
  });
  response.end(isHead ? undefined : body);
}
