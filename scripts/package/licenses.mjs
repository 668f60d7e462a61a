import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the console is made of; its build lists no inputs. */
export const OF_CONSOLE = ['@preact/signals', 'preact', 'uplot', 'wouter-preact'].map(
  (name) => `node_modules/${name}/`,
);
const RULE = `\n${'-'.repeat(80)}\n\n`;

/**
 * The licences of all packages that bundles contain code from, each text once. `inputs` are the paths of the
 * files in the bundles.
 */
export function licensesOf(root, inputs) {
  const found = inputs.map(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path)?.[1],
  );
  const names = [...new Set(found.filter((one) => one !== undefined))].toSorted((a, b) => (a < b ? -1 : 1));
  const byText = new Map();
  for (const name of names) {
    const text = textOf(root, name);
    byText.set(text, [...(byText.get(text) ?? []), name]);
  }
  return [...byText]
    .map(([text, packages]) => `${packages.map((one) => titleOf(root, one)).join('\n')}\n\n${text}\n`)
    .join(RULE);
}

function titleOf(root, name) {
  const { version, license } = JSON.parse(
    readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
  );
  return `${name} ${version} (${license})`;
}

function textOf(root, name) {
  const directory = join(root, 'node_modules', name);
  const file = readdirSync(directory).find((one) => /^licen[cs]e/i.test(one));
  return file ? readFileSync(join(directory, file), 'utf8').trim() : '';
}
