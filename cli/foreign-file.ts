import { parseAllDocuments } from 'yaml';

import { DOCUMENTS } from './foreign-files/documents';
import { JOBS } from './foreign-files/jobs';
import type { Own, Seen } from './foreign-files/kind';
import { SCHEDULERS } from './foreign-files/schedulers';
import { TEXTS } from './foreign-files/texts';
import { isObject } from './is-object';

/** Files of other systems, by what they are made of. The first row that fits says what a file is. */
const TABLE = [...DOCUMENTS, ...SCHEDULERS, ...TEXTS, ...JOBS];

/** More is not parsed to find out what a file is. */
const MAX_PARSED = 5_000_000;

/**
 * What a file is that a command cannot read, and what to do with it. Undefined: nothing that is known, or
 * what the command itself reads.
 */
export function foreignFile(given: string, path: string, reads: Own): string | undefined {
  // Windows writes UTF-16.
  const text = given.replaceAll('\0', '').replace(/^[\uFEFF\uFFFD]+/, '');
  const file = seen(text);
  if (TABLE.some(({ own, is }) => own === reads && is(file))) return undefined;
  const row = TABLE.find((one) => one.is(file));
  if (row === undefined) return undefined;
  return `${path}: it looks like ${row.what}: ${row.advice.replace('FILE', path === 'stdin' ? '-' : path)}`;
}

function seen(text: string): Seen {
  const values = valuesIn(text);
  const [first] = values;
  return {
    text,
    objects: values.filter(isObject),
    list: values.length === 1 && Array.isArray(first) ? (first as unknown[]) : [],
  };
}

/** The documents of a text, whatever their tags mean. Empty if it is no YAML. */
function valuesIn(text: string): unknown[] {
  if (text.length > MAX_PARSED) return [];
  try {
    const documents = parseAllDocuments(text, { logLevel: 'silent' });
    return 'empty' in documents ? [] : documents.map((document): unknown => document.toJS());
  } catch {
    return []; // aliases that cannot be resolved
  }
}
