import { CliError } from '../../exit-codes';
import type { Import } from '../imported';

const PLACEHOLDER = /\$\{([^{}"\n]+)\}/g;

/**
 * The text of a definition with the values of its placeholders, which SAM and the CDK put in when they
 * deploy. As they do, it replaces text by text. `missing`: the placeholders that have no value, each once.
 */
export function substituted(text: string, given: readonly string[]): { text: string; missing: string[] } {
  const values = new Map(given.map(assignmentOf));
  const names = new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name!));
  for (const name of values.keys())
    if (!names.has(name)) throw new CliError(`--substitute ${name}: the definition has no \${${name}}`);
  return {
    text: text.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole),
    missing: [...names].filter((name) => !values.has(name)),
  };
}

function assignmentOf(given: string): [name: string, value: string] {
  const at = given.indexOf('=');
  if (at > 0) return [given.slice(0, at), given.slice(at + 1)];
  throw new CliError(`--substitute is ${JSON.stringify(given)}; expected NAME=VALUE`);
}

/** A definition whose placeholders have no values is not imported. */
export const withoutValues = (source: string, missing: readonly string[]): Import => ({
  jobs: [],
  refused: missing.map((name) => ({
    source: `${source}: \${${name}}`,
    reason: `it is a placeholder without a value: give it by --substitute '${name}=VALUE'`,
  })),
});
