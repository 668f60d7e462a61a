import { ROUTES } from '../../core/contracts/routes';
import { ADMIN_GROUP, SCOPE_RESOURCE_SERVER } from '../../core/contracts/user-pool';
import { notFound, problemResponse } from './problem';
import type { ApiRequest, ApiResponse } from '../request';

type Claims = Record<string, unknown>;

const SCOPE_PREFIX = `${SCOPE_RESOURCE_SERVER}/`;

/** The parts of API Gateway's event, payload format 2.0, that the API reads. */
export interface HttpEvent {
  routeKey: string;
  rawQueryString?: string;
  headers?: Record<string, string | undefined>;
  pathParameters?: Record<string, string | undefined>;
  body?: string;
  isBase64Encoded?: boolean;
  requestContext: {
    requestId: string;
    authorizer?: {
      jwt?: { claims?: Claims };
      /** A caller inside the deployment, which invokes the function itself. API Gateway never sends this. */
      internal?: { sub: string; scope: string };
    };
  };
}

export interface HttpResult {
  statusCode: number;
  headers: Record<string, string>;
  body?: string;
}

/** Undefined if the event names no route of the API. */
export function requestOf(event: HttpEvent): ApiRequest | undefined {
  const route = ROUTES.find(({ method, path }) => `${method} ${path}` === event.routeKey);
  if (!route) return undefined;
  const { requestId, authorizer } = event.requestContext;
  const { internal, jwt } = authorizer ?? {};
  const claims = internal ?? jwt?.claims ?? {};
  const sub = internal ? internal.sub : subjectOf(claims);
  return {
    route,
    requestId,
    project: sub,
    by: { sub, name: null, via: internal ? 'system' : 'token' },
    scopes: scopesOf(claims),
    params: Object.fromEntries(
      Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, decodedParam(value)]),
    ),
    query: queryOf(event.rawQueryString ?? ''),
    headers: Object.fromEntries(
      Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    body: event.isBase64Encoded && event.body !== undefined ? Buffer.from(event.body, 'base64') : event.body,
  };
}

/** A claim that is not a string counts as absent. */
const claimText = (claim: unknown): string => (typeof claim === 'string' ? claim : '');

/** API Gateway writes a list in brackets, and its items with spaces in between. */
const LIST = /^\[([^]*)\]$/;
/** Users of the deployment itself, such as the canary, and rows of its own. */
const RESERVED = /^(?:#|quarterjack-)/;

/** A token with several subjects, or with one that is reserved, names no user. */
function subjectOf({ sub }: Claims): string {
  const text = claimText(sub);
  return LIST.test(text) || RESERVED.test(text) ? '' : text;
}

/**
 * The scopes of an access token, from `scope` or `scp`. A Cognito token states its purpose in `token_use`: an
 * ID token (`"id"`) has no scopes here, whatever its other claims say.
 */
function scopesOf({ scope, scp, token_use: use, 'cognito:groups': groups }: Claims): ReadonlySet<string> {
  if (use !== undefined && use !== 'access') return new Set();
  const claim = claimText(scope ?? scp).replace(LIST, '$1');
  const bare = (scope: string) => (scope.startsWith(SCOPE_PREFIX) ? scope.slice(SCOPE_PREFIX.length) : scope);
  const scopes = claim.split(' ').filter(Boolean).map(bare);
  // No client of the user pool may request the scope `admin`: membership in the group gives it.
  const isAdmin = LIST.exec(claimText(groups))?.[1]?.split(' ').includes(ADMIN_GROUP);
  return new Set(isAdmin ? [...scopes, 'admin'] : scopes);
}

/** Safe whether or not API Gateway has decoded it: none of our ids has a percent sign. */
function decodedParam(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return value; // not an encoding, hence not an id: the operation answers 404
  }
}

function queryOf(rawQueryString: string): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

const EVERY_RESPONSE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export function resultOf({ status, headers, body }: ApiResponse): HttpResult {
  return {
    statusCode: status,
    headers: {
      ...EVERY_RESPONSE,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

export const noSuchRoute = (event: HttpEvent): HttpResult =>
  resultOf(problemResponse(notFound('route'), event.requestContext.requestId));
