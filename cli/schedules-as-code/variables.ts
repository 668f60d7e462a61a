import { type Document, type LineCounter, type Scalar, visit } from 'yaml';

import { CliError } from '../exit-codes';
import { isObject } from '../is-object';
import { readText } from '../read-definition';
import { type Hide, hiding } from './hidden-values';

/** The value of a variable; undefined if it is not set. */
export type Variables = (name: string) => string | undefined;

/** Variables of a command, and how to show what they went into. */
export interface ShownVariables {
  variables: Variables;
  /** Hides the values from `--env-file` and `--env` that a file has asked for. Those of `--var` are shown. */
  hide: Hide;
}

const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const WHOLE_NAME = new RegExp(`^${NAME}$`);
/** `NAME=value`. */
const ASSIGNMENT = new RegExp(`^(${NAME})=(.*)$`, 's');
/** `$${`, which is a literal `${`, or all that looks like a variable. */
const REFERENCE = /\$\$\{|\$\{([^}]*)(\}?)/g;
/** `NAME` or `NAME:-default`, the inside of a reference. */
const INSIDE = new RegExp(`^(${NAME})(?::-(.*))?$`, 's');
const WHOLE = /^\$\{[^}]*\}$/;
/** What JSON has besides texts, objects, lists and null. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** The program's own credential: a file that could read it could send it to a target, or print it. */
const CREDENTIAL = 'QUARTERJACK_TOKEN';

/** The flags that set variables. */
export interface VariableFlags {
  var?: string[];
  envFile?: string[];
  env?: string[];
}

/**
 * The variables of a command: `--var` first, then the files of `--env-file`, the last one first, then those
 * of the environment that `--env` names. A pull request may change a file, so it reads no other. Throws a
 * `CliError` that names the flag, or the file and line.
 */
export function variablesOf(
  { var: assignments = [], envFile = [], env: passed = [] }: VariableFlags,
  env: Readonly<Record<string, string | undefined>>,
): ShownVariables {
  for (const name of passed)
    if (!WHOLE_NAME.test(name) || name === CREDENTIAL)
      throw new CliError(
        `--env is ${JSON.stringify(name)}; expected the NAME of a variable of letters, digits and _, but not ${CREDENTIAL}`,
      );
  const fromFiles = new Map<string, string>();
  for (const path of envFile)
    for (const [name, value] of readEnvFile(readText(path), path)) fromFiles.set(name, value);
  const given = new Map<string, string>();
  for (const text of assignments) {
    const [, name, value] = ASSIGNMENT.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new CliError(
        `--var is ${JSON.stringify(text)}; expected NAME=value, with a NAME of letters, digits and _`,
      );
    given.set(name, value);
  }
  const fromEnvironment = (name: string) =>
    passed.includes(name) && Object.hasOwn(env, name) ? env[name] : undefined;
  const hidden = new Map<string, string>();
  const variables: Variables = (name) => {
    const shown = given.get(name);
    if (shown !== undefined) return shown;
    const value = fromFiles.get(name) ?? fromEnvironment(name);
    if (value !== undefined) hidden.set(name, value);
    return value;
  };
  return { variables, hide: (text) => hiding(hidden)(text) };
}

/** Lines `NAME=value`. `export`, comments, empty lines and quotes around a value are allowed. */
export function readEnvFile(text: string, path: string): [name: string, value: string][] {
  return text.split(/\r?\n/).flatMap((line, index): [string, string][] => {
    const content = line.trim().replace(/^export\s+/, '');
    if (content === '' || content.startsWith('#')) return [];
    const [, name, value] = ASSIGNMENT.exec(content) ?? [];
    if (name === undefined || value === undefined)
      throw new CliError(`${path}:${index + 1}: expected NAME=value, with a NAME of letters, digits and _`);
    return [[name, value.trim().replace(/^(["'])(.*)\1$/s, '$2')]];
  });
}

/**
 * Replaces the variables in the values of a parsed document, never in its keys. So a value remains one value,
 * whatever it contains. An unquoted scalar that is one variable as a whole becomes a number or a boolean if
 * its value reads so in JSON. Returns what is wrong, one problem each with file and line.
 */
export function substitute(
  document: Document.Parsed,
  {
    lines,
    path,
    variables,
    quoted,
  }: {
    lines: LineCounter;
    path: string;
    variables: Variables;
    /** Gets the variables in quotes that would be numbers or booleans without them. */
    quoted?: Map<Scalar, string>;
  },
): string[] {
  const problems: string[] = [];
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' || !isText(node)) return;
      const text = node.value;
      const replaced = replaceIn(text, variables, (message) =>
        problems.push(`${path}:${lines.linePos(node.range?.[0] ?? 0).line}: ${message}`),
      );
      const isTyped = node.type === 'PLAIN' && WHOLE.test(text);
      if (!isTyped && WHOLE.test(text) && typeof typed(replaced) !== 'string') quoted?.set(node, text);
      Object.assign(node, { value: isTyped ? typed(replaced) : replaced });
    },
  });
  return problems;
}

const isText = (node: Scalar): node is Scalar<string> => typeof node.value === 'string';

const replaceIn = (text: string, variables: Variables, problem: (message: string) => void): string =>
  text.replace(REFERENCE, (found, inside: string | undefined, end: string) => {
    if (inside === undefined) return '${';
    const [, name, fallback] = INSIDE.exec(inside) ?? [];
    if (name === undefined || end === '') {
      problem(
        `${JSON.stringify(found)} is not a variable; expected \${NAME} or \${NAME:-default}, and $\${ for a literal \${`,
      );
      return '';
    }
    const value = variables(name);
    if (fallback !== undefined) return value || fallback;
    if (value === undefined) problem(notSet(name));
    return value ?? '';
  });

const notSet = (name: string): string =>
  name === CREDENTIAL
    ? `the variable ${name} is the credential of this program, and not for files; use another name`
    : `the variable ${name} is not set; set it with --var ${name}=value or --env-file, pass it from the environment with --env ${name}, or write \${${name}:-default}`;

/** A number or a boolean, if the text is one in JSON and no digit gets lost; else the text. */
function typed(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = NUMBER.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(number)) return text;
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number;
}

/** A value as a file spells it: what looks like a variable in its texts is text. */
export function literal(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(literal);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, literal(inner)]));
}
