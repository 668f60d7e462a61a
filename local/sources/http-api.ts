import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { InvokeOutcome } from '../invoke/environment';
import type { Clock } from '../machine/clock';
import { readBody } from '../machine/read-body';
import { messageOf } from '../run/errors';
import type { HttpApiSpec, RouteSpec } from '../template/stack';
import { httpEvent, joinHeaders, type HttpEventInput } from './http-event';
import { gatewayResponse, type HttpResponse, httpResponse, INTERNAL_SERVER_ERROR } from './http-response';
import { type RouteMatch, type RouteMatcher, routeMatcher } from './http-routes';
import { type Claims, type JwtAuthorizer, scopesOf } from './jwt-authorizer';

/** Limits of API Gateway for a request body, and of Lambda for an event and a response. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

interface HttpApiDeps {
  accountId: string;
  clock: Clock;
  /** The authorizer of a route that has one. */
  authorizer(route: RouteSpec): JwtAuthorizer;
  /** Whether the function's policy lets API Gateway invoke it for this route. */
  mayInvoke(route: RouteSpec): boolean;
  /** `event` is JSON. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
  onError(line: string): void;
}

/** Responds to one request. Never throws. */
type HttpApi = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTP API of API Gateway: routes, JWT authorizers, limits, and the gateway's own error responses. */
export function httpApi(api: HttpApiSpec, deps: HttpApiDeps): HttpApi {
  const match = routeMatcher(api.routes);
  return (request, response) => {
    respond(request, api, match, deps)
      .catch((thrown: unknown): HttpResponse => {
        if (!request.destroyed) deps.onError(`HTTP API: ${messageOf(thrown)}`);
        return INTERNAL_SERVER_ERROR;
      })
      .then((reply) => send(response, reply, request.method === 'HEAD'))
      .catch((thrown: unknown) => {
        deps.onError(`HTTP API: the response of a function cannot be sent: ${messageOf(thrown)}`);
        response.destroy();
      });
  };
}

const TOO_LARGE = gatewayResponse(413, 'Request Entity Too Large');

async function respond(
  request: IncomingMessage,
  api: HttpApiSpec,
  match: RouteMatcher,
  deps: HttpApiDeps,
): Promise<HttpResponse> {
  const { path, query } = splitUrl(request.url ?? '/');
  if (path === undefined) return gatewayResponse(400, 'Bad Request');
  const found = findRoute(request.method ?? '', path, api, match);
  const body = await readBody(request, MAX_BODY_BYTES);
  if (!found) return gatewayResponse(404, 'Not Found');

  const authorization = await authorize(found.route, request, deps);
  if ('rejected' in authorization) return authorization.rejected;
  if (body === undefined) return TOO_LARGE;

  const { accountId, clock } = deps;
  const { authorized } = authorization;
  const nowMs = clock.nowMs();
  const event = JSON.stringify(
    httpEvent({ api, accountId, request, body, path, query, match: found, authorized, nowMs }),
  );
  if (Buffer.byteLength(event) > MAX_EVENT_BYTES) return TOO_LARGE;
  return invoke(found.route, event, deps);
}

/** `path` is decoded; undefined if it cannot be decoded. */
function splitUrl(url: string): { path: string | undefined; query: string } {
  const mark = url.indexOf('?');
  const query = mark < 0 ? '' : url.slice(mark + 1);
  try {
    return { path: decodeURIComponent(mark < 0 ? url : url.slice(0, mark)), query };
  } catch {
    return { path: undefined, query };
  }
}

/** Paths begin with the stage, unless it is `$default`. */
function findRoute(
  method: string,
  path: string,
  api: HttpApiSpec,
  match: RouteMatcher,
): RouteMatch | undefined {
  const stagePrefix = api.stage === '$default' ? '' : `/${api.stage}`;
  const inStage = path === stagePrefix || path.startsWith(`${stagePrefix}/`);
  return inStage ? match(method, path.slice(stagePrefix.length) || '/') : undefined;
}

type Authorization = Pick<HttpEventInput, 'authorized'> | { rejected: HttpResponse };

async function authorize(
  route: RouteSpec,
  request: IncomingMessage,
  { authorizer }: HttpApiDeps,
): Promise<Authorization> {
  if (!route.authorizer) return { authorized: undefined };
  const claims = await authorizer(route)(joinHeaders(request.rawHeaders).authorization);
  if (!claims) return { rejected: gatewayResponse(401, 'Unauthorized', { 'www-authenticate': 'Bearer' }) };
  const scopes = grantedScopes(route, claims);
  if (scopes?.length !== 0) return { authorized: { claims, scopes } };
  const challenge = `Bearer scope="${route.scopes.join(' ')}" error="insufficient_scope"`;
  return { rejected: gatewayResponse(403, 'Forbidden', { 'www-authenticate': challenge }) };
}

/** Those scopes of the token that the route accepts; null if the route requires none. */
function grantedScopes({ scopes }: RouteSpec, claims: Claims): string[] | null {
  if (scopes.length === 0) return null;
  return scopesOf(claims).filter((scope) => scopes.includes(scope));
}

async function invoke(route: RouteSpec, event: string, deps: HttpApiDeps): Promise<HttpResponse> {
  if (!deps.mayInvoke(route)) return INTERNAL_SERVER_ERROR;
  const { functionArn, timeoutMs } = route;
  const timer = new AbortController();
  const outcome = await Promise.race([
    deps.invoke(functionArn, event),
    sleep(timeoutMs, 'timeout' as const, { signal: timer.signal }),
  ]).finally(() => timer.abort());
  if (outcome === 'timeout') return gatewayResponse(503, 'Service Unavailable');
  if (!outcome.ok || (outcome.payload?.length ?? 0) > MAX_EVENT_BYTES) return INTERNAL_SERVER_ERROR;
  return httpResponse(outcome.payload);
}

/** The ARN of requests to a route. Permissions of functions name it as their source. */
export function routeArn(
  { id, stage }: HttpApiSpec,
  routeKey: string,
  { region, accountId }: { region: string; accountId: string },
): string {
  const [method = '', path = ''] = routeKey.split(' ');
  return `arn:aws:execute-api:${region}:${accountId}:${id}/${stage}/${method}${path}`;
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
