import type * as z from 'zod/mini';

import { READ_ONLY_FIELDS } from './job';
import { suggestedField, suggestedWord } from './suggested';

/** What is wrong with a field of a value that does not fit its schema. */
export interface FieldFault {
  /** Its parts with dots between them. */
  path: string;
  parts: readonly PropertyKey[];
  /** What is allowed, and what was probably meant. */
  message: string;
  /** The field itself is not known. */
  isUnknown?: boolean;
}

const MAX_FAULTS = 50;

/** What a schema rejects of a value, at most 50 faults, in words for those who wrote it. */
export function faultsOf(
  { issues }: { issues: readonly object[] },
  { value, schema }: { value: unknown; schema: z.ZodMiniType },
): FieldFault[] {
  const faults = issues.flatMap((issue) => errorsOf(issue as Issue)).slice(0, MAX_FAULTS);
  return faults.map((fault) => ({
    ...fault,
    message: fault.message + (fault.isUnknown ? suggestedField : suggestedWord)(schema, value, fault.parts),
  }));
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

function errorsOf(issue: Issue, above: readonly PropertyKey[] = []): FieldFault[] {
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
