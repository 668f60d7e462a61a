import { ROUTES } from '../../core/contracts/routes';
import { ADMIN_GROUP, SCOPE_RESOURCE_SERVER } from '../../core/contracts/user-pool';
import { notFound, problemResponse } from './problem';
import type { ApiRequest, ApiResponse } from '../request';

type Claims = Record<string, unknown>;

const SCOPE_PREFIX = `${SCOPE_RESOURCE_SERVER}/`;

/** The parts of API Gateway's payload 2.0 that are read here. */
export interface HttpEvent {
  routeKey: string;
  rawQueryString?: string;
  headers?: Record<string, string | undefined>;
  pathParameters?: Record<string, string | undefined>;
  body?: string;
  isBase64Encoded?: boolean;
  requestContext: {
    requestId: string;
    authorizer?: { jwt?: { claims?: Claims } };
  };
}

export interface HttpResult {
  statusCode: number;
  headers: Record<string, string>;
  body?: string;
}

/** Undefined where no route of ours is meant. */
export function requestOf(event: HttpEvent): ApiRequest | undefined {
  const route = ROUTES.find(({ method, path }) => `${method} ${path}` === event.routeKey);
  if (!route) return undefined;
  const { requestId, authorizer } = event.requestContext;
  const claims = authorizer?.jwt?.claims ?? {};
  return {
    operation: route.operation,
    requestId,
    userId: subjectOf(claims),
    scopes: scopesOf(claims),
    params: Object.fromEntries(
      Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, decoded(value)]),
    ),
    query: queryOf(event.rawQueryString ?? ''),
    headers: Object.fromEntries(
      Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    body: event.isBase64Encoded && event.body !== undefined ? Buffer.from(event.body, 'base64') : event.body,
  };
}

/** A claim that is not a text is none. */
const textOf = (claim: unknown): string => (typeof claim === 'string' ? claim : '');

/** API Gateway spells a list in brackets: a token with several subjects has none. */
function subjectOf({ sub }: Claims): string {
  const text = textOf(sub);
  return /^\[.*\]$/.test(text) ? '' : text;
}

/**
 * The scopes of an access token, in `scope` or `scp`. Cognito's tokens say what they are for: one that is for signing in
 * (`token_use: "id"`) allows nothing here, whatever claims it was given.
 */
function scopesOf({ scope, scp, token_use: use, 'cognito:groups': groups }: Claims): ReadonlySet<string> {
  if (use !== undefined && use !== 'access') return new Set();
  const claim = textOf(scope ?? scp).replace(/^\[(.*)\]$/, '$1');
  const bare = (scope: string) => (scope.startsWith(SCOPE_PREFIX) ? scope.slice(SCOPE_PREFIX.length) : scope);
  const scopes = claim.split(' ').filter(Boolean).map(bare);
  // API Gateway writes a list as `[a b]`. No client of the user pool may ask for `admin`.
  const isAdmin = textOf(groups)
    .replaceAll(/[[\],]/g, ' ')
    .split(' ')
    .includes(ADMIN_GROUP);
  return new Set(isAdmin ? [...scopes, 'admin'] : scopes);
}

/** Whether or not the gateway decoded it: no id of ours has a percent sign in it. */
function decoded(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return value; // not an encoding, hence not an id: answered like any that does not exist
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

const EVERY_ANSWER = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export function resultOf({ status, headers, body }: ApiResponse): HttpResult {
  return {
    statusCode: status,
    headers: {
      ...EVERY_ANSWER,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

export const noSuchRoute = (event: HttpEvent): HttpResult =>
  resultOf(problemResponse(notFound('route'), event.requestContext.requestId));
