import { createHash } from 'node:crypto';

import { IDEMPOTENCY_KEY } from '../../core/http/fields';
import type { IdempotencyStamp } from '../../core/domain/job';
import { invalidField } from './problem';
import type { ApiRequest } from '../request';

const HEADER = 'idempotency-key';
const DERIVED_ID_LENGTH = 26;

export const REPLAYED = { 'idempotency-replayed': 'true' };

/**
 * What the request's `Idempotency-Key` stands for, undefined where it bears none. The key is the user's own,
 * and good for one route (path parameters included); each item of a batch has one of its own, by its `index`. A
 * structured-field string in quotes is the same as the bare text. Throws `ProblemError` 400.
 */
export function stampOf(request: ApiRequest, body: unknown, index?: number): IdempotencyStamp | undefined {
  const header = request.headers[HEADER]?.trim();
  if (header === undefined) return undefined;
  const key = header.replace(/^"(.*)"$/, '$1');
  if (!IDEMPOTENCY_KEY.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
  const { userId, operation, params } = request;
  return {
    keyHash: hashOf([userId, operation, { ...params }, key, index ?? null]),
    bodyHash: hashOf(body),
  };
}

/** The jobId of a job that was made with a key and without an id of its own. */
export const derivedId = ({ keyHash }: IdempotencyStamp): string =>
  createHash('sha256').update(keyHash).digest('hex').slice(0, DERIVED_ID_LENGTH);

const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('base64url');

/** JSON without the freedom of order and blanks: equal values, equal text. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const object = value as Record<string, unknown>;
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`);
  return `{${members.join()}}`;
}
