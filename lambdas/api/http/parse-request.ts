import type * as z from 'zod/mini';

import { HISTORY_JOB_ID, JOB_ID } from '../../core/http/fields';
import { READ_ONLY_FIELDS } from '../../core/http/job';
import { HIDDEN, type JobRef } from '../../core/contracts/tables';
import { parseJson } from './json';
import { type FieldError, invalid, invalidField, notFound } from './problem';
import type { ApiRequest } from '../request';
import { suggestedField, suggestedWord } from './suggested';

const MAX_ERRORS = 50;

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
  const errors = parsed.error.issues.flatMap((issue) => errorsOf(issue as Issue));
  throw invalid(
    errors.slice(0, MAX_ERRORS).map(({ path, message, parts, isUnknown }) => ({
      path,
      message:
        message + (isUnknown ? suggestedField(schema, value, parts) : suggestedWord(schema, value, parts)),
    })),
  );
}

/** An error with the parts of its path. */
interface Found extends FieldError {
  parts: readonly PropertyKey[];
  /** The field itself is not known. */
  isUnknown?: boolean;
}

/** The parts of zod's issues that this file reads. */
interface Issue {
  code?: string;
  path: PropertyKey[];
  message: string;
  /** `unrecognized_keys` */
  keys?: string[];
  /** `invalid_union`: the issues of each branch. */
  errors?: Issue[][];
}

function errorsOf(issue: Issue, above: readonly PropertyKey[] = []): Found[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => ({
      path: pathOf([...path, key]),
      message: unknownField(path, key),
      parts: [...path, key],
      isUnknown: true,
    }));
  }
  if (issue.code === 'invalid_union' && issue.errors?.length) {
    const branch = issue.errors.find((issues) => !issues.every(isOfOtherType));
    if (branch) return branch.flatMap((inner) => errorsOf(inner, path));
  }
  return [{ path: pathOf(path), message: plainMessage(issue.message), parts: path }];
}

/** Marks a branch of a union that was not meant: the value is not even of its type. */
const isOfOtherType = ({ code, path }: Issue): boolean => code === 'invalid_type' && path.length === 0;

const unknownField = (parent: readonly PropertyKey[], key: string): string =>
  parent.length === 0 && READ_ONLY_FIELDS.has(key) ? 'is read only' : 'is not a known field';

const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => String(part).slice(0, 80)).join('.') || 'body';

/** Zod reports a missing field as `undefined` of the wrong type. */
const plainMessage = (message: string): string =>
  message.endsWith('received undefined') ? 'is required' : message.replace(/^Invalid input: /, '');
