import { createHmac, timingSafeEqual } from 'node:crypto';

import type { DeploymentSecret } from '../../core/delivery/signing/deployment-secret';
import { canonicalJson } from './idempotency-key';
import { invalidField } from './problem';
import type { ApiRequest } from '../request';

/** What a cursor is good for: the same user, the same route, the same query. */
const scopeOf = ({ userId, operation, params, query }: ApiRequest): string => {
  const filters = [...query].filter(([name]) => name !== 'cursor' && name !== 'limit');
  return canonicalJson([userId, operation, { ...params }, Object.fromEntries(filters)]);
};

/** Makes a list position into an opaque text that only the same user and query can use. */
export async function sealCursor(
  position: string,
  request: ApiRequest,
  secret: DeploymentSecret,
): Promise<string> {
  const payload = Buffer.from(JSON.stringify({ after: position })).toString('base64url');
  return `${payload}.${await signatureOf(payload, request, secret)}`;
}

/**
 * The position in a cursor that `sealCursor` made for the same query. Throws `ProblemError` 400 for any other
 * text.
 */
export async function openCursor(
  cursor: string | undefined,
  request: ApiRequest,
  secret: DeploymentSecret,
): Promise<string | undefined> {
  if (cursor === undefined) return undefined;
  const [payload = '', signature = ''] = cursor.split('.', 2);
  const given = Buffer.from(signature);
  const expected = Buffer.from(await signatureOf(payload, request, secret));
  if (
    given.length !== expected.length ||
    !timingSafeEqual(given, expected) ||
    cursor.split('.').length !== 2
  ) {
    throw invalidField('cursor', 'is not a nextCursor of this list with these filters');
  }
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { after: string }).after;
}

async function signatureOf(payload: string, request: ApiRequest, secret: DeploymentSecret): Promise<string> {
  const key = createHmac('sha256', await secret.get())
    .update('list-cursor')
    .digest();
  return createHmac('sha256', key)
    .update(`${scopeOf(request)}\n${payload}`)
    .digest('base64url');
}
