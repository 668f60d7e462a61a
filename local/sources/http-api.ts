import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { InvokeOutcome } from '../invoke/environment';
import type { Clock } from '../machine/clock';
import { readBody } from '../machine/read-body';
import { messageOf } from '../run/errors';
import type { HttpApiSpec, RouteSpec } from '../template/stack';
import { isPreflight, NO_CONTENT, withCors } from './cors';
import { authorizerEvent, httpEvent, joinHeaders, type HttpEventInput } from './http-event';
import { gatewayResponse, type HttpResponse, httpResponse, INTERNAL_SERVER_ERROR } from './http-response';
import { type RouteMatch, type RouteMatcher, routeMatcher } from './http-routes';
import { requestAuthorizers } from './request-authorizer';

/** Limits of API Gateway for a request body, and of Lambda for an event and a response. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

interface HttpApiDeps {
  region: string;
  accountId: string;
  clock: Clock;
  /** Whether its policy lets API Gateway invoke a function. `sourceArn`: of a route or an authorizer. */
  mayInvoke(functionArn: string, sourceArn: string): boolean;
  /** `event` is JSON. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
  /** Resolves when all that a response may tell of is on disk. */
  flushed(): Promise<void>;
  onError(line: string): void;
}

/** Responds to one request. Never throws. */
type HttpApi = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTP API of API Gateway: routes, Lambda authorizers, limits, and the gateway's own error responses. */
export function httpApi(api: HttpApiSpec, deps: HttpApiDeps): HttpApi {
  const gateway: Gateway = {
    ...deps,
    api,
    match: routeMatcher(api.routes),
    authorize: requestAuthorizers({
      ...deps,
      mayInvoke: ({ id, functionArn }) => deps.mayInvoke(functionArn, authorizerArn(api, id, deps)),
    }),
  };
  return (request, response) => {
    const requestId = randomUUID();
    respond(request, requestId, gateway)
      .then((reply) => deps.flushed().then(() => reply))
      .catch((thrown: unknown): HttpResponse => {
        if (!request.destroyed) deps.onError(`HTTP API: ${messageOf(thrown)}`);
        return INTERNAL_SERVER_ERROR;
      })
      .then((reply) => send(response, { ...reply, requestId }, request.method === 'HEAD'))
      .catch((thrown: unknown) => {
        deps.onError(`HTTP API: the response of a function cannot be sent: ${messageOf(thrown)}`);
        response.destroy();
      });
  };
}

const TOO_LARGE = gatewayResponse(413, 'Request Entity Too Large');

interface Gateway extends HttpApiDeps {
  api: HttpApiSpec;
  match: RouteMatcher;
  authorize: ReturnType<typeof requestAuthorizers>;
}

async function respond(request: IncomingMessage, requestId: string, gateway: Gateway): Promise<HttpResponse> {
  const { api, accountId, clock } = gateway;
  const { path, query } = splitUrl(request.url ?? '/');
  if (path === undefined || isGivenTwice('host', request)) return gatewayResponse(400, 'Bad Request');
  const found = findRoute(request.method ?? '', path, gateway);
  const body = await readBody(request, MAX_BODY_BYTES);
  const toPage = (reply: HttpResponse) => (api.cors ? withCors(reply, request, api.cors) : reply);
  if (!found)
    return api.cors && isPreflight(request) ? toPage(NO_CONTENT) : gatewayResponse(404, 'Not Found');

  const input = { api, accountId, requestId, request, path, query, match: found };
  const authorization = await authorize({ ...input, nowMs: clock.nowMs() }, gateway);
  if ('rejected' in authorization) return authorization.rejected;
  if (body === undefined) return TOO_LARGE;

  const event = JSON.stringify(httpEvent({ ...input, nowMs: clock.nowMs() }, body, authorization.context));
  if (Buffer.byteLength(event) > MAX_EVENT_BYTES) return TOO_LARGE;
  return toPage(await invoke(found.route, event, gateway));
}

const isGivenTwice = (name: string, { rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length > 1;

/** A proxy may send the whole URL (RFC 9112, section 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** `path` is decoded; undefined if it cannot be decoded. */
function splitUrl(target: string): { path: string | undefined; query: string } {
  const url = target.replace(ORIGIN, '').replace(/^(?!\/)/, '/');
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
  { api, match }: Pick<Gateway, 'api' | 'match'>,
): RouteMatch | undefined {
  const stagePrefix = api.stage === '$default' ? '' : `/${api.stage}`;
  const inStage = path === stagePrefix || path.startsWith(`${stagePrefix}/`);
  return inStage ? match(method, path.slice(stagePrefix.length) || '/') : undefined;
}

/** What the authorizer says; undefined if the route has none. */
type Authorization = { context: unknown } | { rejected: HttpResponse };

const UNAUTHORIZED = gatewayResponse(401, 'Unauthorized', { 'www-authenticate': 'Bearer' });
const FORBIDDEN = gatewayResponse(403, 'Forbidden');

async function authorize(input: HttpEventInput, gateway: Gateway): Promise<Authorization> {
  const { routeKey, authorizer } = input.match.route;
  if (!authorizer) return { context: undefined };
  const arn = routeArn(gateway.api, routeKey, gateway);
  const outcome = await gateway.authorize({
    authorizer,
    headers: joinHeaders(input.request.rawHeaders),
    event: (identity) => JSON.stringify(authorizerEvent(input, arn, identity)),
  });
  if (outcome === 'missing') return { rejected: UNAUTHORIZED };
  if (outcome === 'failed') return { rejected: INTERNAL_SERVER_ERROR };
  return outcome.isAuthorized ? { context: outcome.context } : { rejected: FORBIDDEN };
}

async function invoke(
  { routeKey, functionArn, timeoutMs }: RouteSpec,
  event: string,
  deps: Gateway,
): Promise<HttpResponse> {
  if (!deps.mayInvoke(functionArn, routeArn(deps.api, routeKey, deps))) return INTERNAL_SERVER_ERROR;
  const outcome = await within(timeoutMs, deps.invoke(functionArn, event));
  if (outcome === 'timeout') return gatewayResponse(503, 'Service Unavailable');
  if (!outcome.ok || (outcome.payload?.length ?? 0) > MAX_EVENT_BYTES) return INTERNAL_SERVER_ERROR;
  return httpResponse(outcome.payload);
}

/** Waits for `work`, at most `ms`. An abort of a timer of `node:timers/promises` would make an error. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | 'timeout'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(resolve, ms, 'timeout');
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

type Account = Pick<HttpApiDeps, 'region' | 'accountId'>;

/** The ARN of requests to a route. Permissions of functions name it as their source. */
function routeArn({ id, stage }: HttpApiSpec, routeKey: string, { region, accountId }: Account): string {
  const [method = '', path = ''] = routeKey.split(' ');
  return `arn:aws:execute-api:${region}:${accountId}:${id}/${stage}/${method}${path}`;
}

/** The ARN of an authorizer, as the source of its invocations. */
const authorizerArn = ({ id }: HttpApiSpec, authorizerId: string, { region, accountId }: Account): string =>
  `arn:aws:execute-api:${region}:${accountId}:${id}/authorizers/${authorizerId}`;

function send(
  response: ServerResponse,
  { status, headers, cookies, body, requestId }: HttpResponse & { requestId: string },
  isHead: boolean,
): void {
  response.writeHead(status, {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
    // A function may have left out the body of a HEAD, and its length with it.
    ...(status !== 204 &&
      status !== 304 &&
      !(isHead && body.length === 0) && { 'content-length': String(body.length) }),
    'apigw-requestid': requestId,
  });
  response.end(isHead ? undefined : body);
}
