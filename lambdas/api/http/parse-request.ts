import type * as z from 'zod/mini';

import { faultsOf } from '../../core/contracts/field-faults';
import { HIDDEN, type JobRef } from '../../core/contracts/tables';
import { HISTORY_JOB_ID, JOB_ID } from '../../core/http/fields';
import { READ_ONLY_FIELDS } from '../../core/http/job';
import type { ApiRequest } from '../request';
import { parseJson } from './json';
import { invalid, invalidField, notFound, unsupportedMediaType } from './problem';

/** The JSON body, parsed by a strict schema. Throws `ProblemError` 400 that names each bad field, or 413. */
export function readBody<Schema extends z.ZodMiniType>(
  request: ApiRequest,
  schema: Schema,
  maxBytes?: number,
): z.output<Schema> {
  const body = parseJson(request.body, maxBytes);
  if (body === undefined) throw invalidField('body', 'is required: a JSON object');
  return parseWith(body, schema);
}

/** The JSON body as by `readBody`; without a body, what the schema makes of `{}`. */
export const readOptionalBody = <Schema extends z.ZodMiniType>(
  request: ApiRequest,
  schema: Schema,
): z.output<Schema> => parseWith(parseJson(request.body) ?? {}, schema);

/**
 * The query string, parsed by a strict schema. `repeatable` parameters are lists. Throws `ProblemError` 400.
 */
export function readQuery<Schema extends z.ZodMiniType>(
  request: ApiRequest,
  schema: Schema,
  repeatable: readonly string[] = [],
): z.output<Schema> {
  const repeated = [...request.query].filter(
    ([name, values]) => values.length > 1 && !repeatable.includes(name),
  );
  if (repeated.length > 0)
    throw invalid(repeated.map(([path]) => ({ path, message: 'must be given only once' })));
  const given = [...request.query].map(([name, values]) => [
    name,
    repeatable.includes(name) ? values : values[0],
  ]);
  return parseWith(Object.fromEntries(given), schema);
}

/** The job that the path names. Throws `ProblemError` 404 for an id that no job can have. */
export function requestedJob(request: ApiRequest): JobRef {
  const { jobId } = request.params;
  if (jobId === undefined || !JOB_ID.test(jobId)) throw notFound('job');
  return { userId: request.project, jobId };
}

/** The job whose executions are read: also a hidden one, of a notification or of `onEnd`. */
export function requestedHistory(request: ApiRequest): JobRef {
  const { jobId = '' } = request.params;
  if (!jobId.startsWith(HIDDEN)) return requestedJob(request);
  if (!HISTORY_JOB_ID.test(jobId)) throw notFound('job');
  return { userId: request.project, jobId };
}

/** Parses a value by a schema. Throws `ProblemError` 400 that names each bad field. */
export function parseWith<Schema extends z.ZodMiniType>(value: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = faultsOf(parsed.error, { value, schema, readOnly: READ_ONLY_FIELDS });
  throw invalid(faults.map(({ path, message }) => ({ path, message })));
}

/** Throws `ProblemError` 415 for a body that is compressed, or encoded otherwise. */
export function checkEncoding({ headers, body }: ApiRequest): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (body === undefined || body.length === 0 || encoding === '' || encoding === 'identity') return;
  throw unsupportedMediaType(
    `the body has the Content-Encoding ${JSON.stringify(encoding.slice(0, 40))}; send it as it is`,
    {
      'accept-encoding': 'identity',
    },
  );
}

const MERGE_PATCH = 'application/merge-patch+json';
/** `curl -d` names its body a form, unless it is told otherwise. */
const PATCH_TYPES = ['', 'application/json', MERGE_PATCH, 'application/x-www-form-urlencoded'];

/** Throws `ProblemError` 415 for a patch of another kind than a JSON merge patch. */
export function checkPatchType({ headers }: ApiRequest): void {
  const type = headers['content-type']?.split(';')[0]!.trim().toLowerCase() ?? '';
  if (PATCH_TYPES.includes(type)) return;
  throw unsupportedMediaType(
    `a patch of the type ${JSON.stringify(type.slice(0, 80))} is not known; send ${MERGE_PATCH}`,
    {
      'accept-patch': MERGE_PATCH,
    },
  );
}
