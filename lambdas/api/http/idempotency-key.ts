import { createHash } from 'node:crypto';

import { IDEMPOTENCY_KEY } from '../../core/http/fields';
import type { IdempotencyStamp } from '../../core/domain/job';
import { canonicalJson } from './json';
import { invalidField } from './problem';
import type { ApiRequest } from '../request';

const HEADER = 'idempotency-key';
const DERIVED_ID_LENGTH = 26;

export const REPLAYED = { 'idempotency-replayed': 'true' };

/**
 * Hashes of the request's `Idempotency-Key` and body; undefined without the header. A key belongs to one
 * project, one actor and one route, path parameters included. Each item of a batch has its own key: the
 * header and the item's `index`. Quotes around the key, as in a structured field, do not count. Throws
 * `ProblemError` 400.
 */
export function stampOf(request: ApiRequest, body: unknown, index?: number): IdempotencyStamp | undefined {
  const header = request.headers[HEADER]?.trim();
  if (header === undefined) return undefined;
  const key = header.replace(/^"(.*)"$/, '$1');
  if (!IDEMPOTENCY_KEY.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
  const { project, by, route, params } = request;
  // Where each subject is a project alone, keys are what they were before there were actors.
  const actor = by.via !== 'token' || by.sub !== project ? [by.sub, by.via] : [];
  return {
    keyHash: hashOf([project, ...actor, route.operation, { ...params }, key, index ?? null]),
    bodyHash: hashOf(body),
  };
}

/** The jobId of a job that was created with a key and without a chosen id. */
export const derivedId = ({ keyHash }: IdempotencyStamp): string =>
  createHash('sha256').update(keyHash).digest('hex').slice(0, DERIVED_ID_LENGTH);

const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('base64url');
