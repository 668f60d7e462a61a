import type * as z from 'zod/mini';

import { JOB_ID } from '../../core/http/fields';
import { READ_ONLY_FIELDS } from '../../core/http/job';
import type { JobRef } from '../../core/contracts/tables';
import { parseJson } from './json';
import { type FieldError, invalid, invalidField, notFound } from './problem';
import type { ApiRequest } from '../request';

const MAX_ERRORS = 50;

/** The JSON body, by a strict schema. Throws `ProblemError` 400 naming each bad field, or 413. */
export function readBody<Schema extends z.ZodMiniType>(
  request: ApiRequest,
  schema: Schema,
  maxBytes?: number,
): z.output<Schema> {
  const body = parseJson(request.body, maxBytes);
  if (body === undefined) throw invalidField('body', 'is required: a JSON object');
  return check(body, schema);
}

/** The same for calls whose body may be left out. */
export const readOptionalBody = <Schema extends z.ZodMiniType>(
  request: ApiRequest,
  schema: Schema,
): z.output<Schema> => check(parseJson(request.body) ?? {}, schema);

/** The query string, by a strict schema. `repeatable` parameters come as lists. Throws `ProblemError` 400. */
export function readQuery<Schema extends z.ZodMiniType>(
  request: ApiRequest,
  schema: Schema,
  repeatable: readonly string[] = [],
): z.output<Schema> {
  const twice = [...request.query].filter(
    ([name, values]) => values.length > 1 && !repeatable.includes(name),
  );
  if (twice.length > 0) throw invalid(twice.map(([path]) => ({ path, message: 'is given more than once' })));
  const given = [...request.query].map(([name, values]) => [
    name,
    repeatable.includes(name) ? values : values[0],
  ]);
  return check(Object.fromEntries(given), schema);
}

/** The job that the path names. An id that no job can have is one that does not exist. */
export function requestedJob(request: ApiRequest): JobRef {
  const { jobId } = request.params;
  if (jobId === undefined || !JOB_ID.test(jobId)) throw notFound('job');
  return { userId: request.userId, jobId };
}

/** Parses a value that is not from the wire itself, such as a merged document. Throws `ProblemError` 400. */
export function check<Schema extends z.ZodMiniType>(value: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.flatMap((issue) => errorsOf(issue as Issue)).slice(0, MAX_ERRORS));
}

/** The parts of zod's issues that are read here. */
interface Issue {
  code?: string;
  path: PropertyKey[];
  message: string;
  /** `unrecognized_keys` */
  keys?: string[];
  /** `invalid_union`: the issues of each branch. */
  errors?: Issue[][];
}

function errorsOf(issue: Issue, above: readonly PropertyKey[] = []): FieldError[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => ({
      path: pathOf([...path, key]),
      message: unknownField(path, key),
    }));
  }
  if (issue.code === 'invalid_union' && issue.errors?.length) {
    const branch = issue.errors.find((issues) => !issues.every(isOfAnotherKind));
    if (branch) return branch.flatMap((inner) => errorsOf(inner, path));
  }
  return [{ path: pathOf(path), message: plain(issue.message) }];
}

/** The branch of a union that was not meant: what was given is not even of its type. */
const isOfAnotherKind = ({ code, path }: Issue): boolean => code === 'invalid_type' && path.length === 0;

const unknownField = (parent: readonly PropertyKey[], key: string): string =>
  parent.length === 0 && READ_ONLY_FIELDS.has(key) ? 'is read only' : 'is not a known field';

const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => String(part).slice(0, 80)).join('.') || 'body';

/** Zod's own sentences name types; where a field is missing, that is what to say. */
const plain = (message: string): string =>
  message.endsWith('received undefined') ? 'is required' : message.replace(/^Invalid input: /, '');
