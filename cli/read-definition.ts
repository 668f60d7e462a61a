import { readFileSync } from 'node:fs';

import { type Document, LineCounter, parseDocument, type YAMLParseError, type YAMLWarning } from 'yaml';

import { CliError } from './exit-codes';
import { foreignFile } from './foreign-file';
import type { Own } from './foreign-files/kind';
import { type Io, readStdin } from './io';
import { isObject } from './is-object';
import { Positions } from './positions';

/** Reads the definition of one job, in JSON or YAML, from a file, or from stdin for `-`. */
export const readDefinition = async (path: string, io: Io): Promise<Record<string, unknown>> =>
  (await readPlaced(path, io)).value;

/** Reads a definition with the positions of its fields. */
export const readPlaced = async (path: string, io: Io): Promise<PlacedDefinition> =>
  path === '-' ? parsePlaced(await readStdin(io), 'stdin') : parsePlaced(readText(path), path);

/** Parses a definition in YAML or JSON. Throws a `CliError` that names the lines. */
export const parseDefinition = (text: string, path: string, reads?: Own): Record<string, unknown> =>
  parsePlaced(text, path, reads).value;

interface PlacedDefinition {
  value: Record<string, unknown>;
  positions: Positions;
}

function parsePlaced(text: string, path: string, reads: Own = 'jobs'): PlacedDefinition {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const positions = new Positions(document, lines, path);
  const problems = [
    ...yamlProblems([...document.errors, ...document.warnings], lines, path),
    ...positions.repeated().map(({ at, message, where }) => `${where}: ${at.join('.')}: ${message}`),
  ];
  const value: unknown = problems.length > 0 ? undefined : valueOf(document, path);
  // A file of another system is told as such, and not by its first odd line.
  const foreign = foreignFile(text, path, reads);
  if (foreign !== undefined) throw new CliError(foreign);
  if (problems.length > 0) throw new CliError(problems.join('\n'));
  if (isObject(value)) return { value, positions };
  throw new CliError(`${path}: expected an object with the fields of a job`);
}

const PROBLEMS: Partial<Record<string, (message: string) => string>> = {
  MULTIPLE_DOCS: () => 'a second document (---) begins: give each a file of its own',
  TAG_RESOLVE_FAILED: (message) =>
    `${/!\S*/.exec(message)?.[0] ?? 'a tag'} is a tag that only another program knows: write the value itself`,
};

/** What is wrong with the syntax of a file, with its lines. */
export const yamlProblems = (
  found: readonly (YAMLParseError | YAMLWarning)[],
  lines: LineCounter,
  path: string,
): string[] =>
  found.map(({ code, pos, message }) => {
    const text = PROBLEMS[code]?.(message) ?? message;
    return `${path}:${lines.linePos(pos[0]).line}: ${text}`;
  });

/** The value of a parsed document. Throws a `CliError` if its aliases multiply it, or form a circle. */
export function valueOf(document: Document.Parsed, path: string): unknown {
  try {
    const value: unknown = document.toJS();
    JSON.stringify(value); // throws for a circle: the value is to be sent as JSON
    return value;
  } catch (cause) {
    const [reason] = (cause as Error).message.split('\n');
    throw new CliError(`${path}: its aliases (*) cannot be resolved: ${reason}`, undefined, { cause });
  }
}

export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CliError(
      `${path}: ${(cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : (cause as Error).message}`,
      undefined,
      { cause },
    );
  }
}
