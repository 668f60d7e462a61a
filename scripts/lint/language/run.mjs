/** One run of the language lint over a checkout. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkSources } from './check.mjs';
import { filesOf, rootOf, selection } from './files.mjs';
import { summaryOf } from './summary.mjs';

/**
 * @param args as `cli.mjs` takes them
 * @param cwd a folder of the checkout
 * @param print takes each line of the report
 * @returns 0 without findings, 1 with findings or without a file
 * @throws RangeError for an unknown option
 */
export function run(args, cwd, print) {
  const options = args.filter((arg) => arg.startsWith('--'));
  const unknown = options.find((option) => !/^--(?:summary|rule=\w+)$/.test(option));
  if (unknown) throw new RangeError(`unknown option ${unknown}: use --summary or --rule=<rule>`);
  const rules = options.filter((option) => option.startsWith('--rule=')).map((option) => option.slice(7));
  const places = args.filter((arg) => !arg.startsWith('--'));
  const root = rootOf(cwd);
  const isSelected = selection(root, cwd, places);
  // The rule `export` compares all of core, so core is read whatever is selected.
  const paths = filesOf(root).filter((path) => isSelected(path) || path.startsWith('lambdas/core/'));
  const sources = paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]);
  const { findings: all, unused } = checkSources(sources, { isSelected });
  const findings = all.filter(({ rule }) => rules.length === 0 || rules.includes(rule));
  const count = paths.filter(isSelected).length;
  // Only a run over everything can tell that an exception is of no use.
  const idle = places.length === 0 && rules.length === 0 ? unused : [];

  if (options.includes('--summary')) print(summaryOf(findings).trimEnd());
  else for (const { path, line, rule, message } of findings) print(`${path}:${line}: ${rule}: ${message}`);
  for (const { reason } of idle) print(`exceptions.mjs: applies to nothing, remove it: "${reason}"`);
  print(`${findings.length} findings in ${count} files`);
  return findings.length > 0 || idle.length > 0 || count === 0 ? 1 : 0;
}
