#!/usr/bin/env node
/**
 * Checks the language of the checkout that it is called in. Without paths, it checks every file.
 *
 *     node scripts/lint/language/cli.mjs [--summary] [--rule=term] [paths…]
 *
 * Exit code: 0 without findings, 1 with findings or without a file, 2 for an unknown option.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkSources } from './check.mjs';
import { filesOf, rootOf, selection } from './files.mjs';
import { summaryOf } from './summary.mjs';

const print = (text) => process.stdout.write(`${text}\n`);

function main(args) {
  const options = args.filter((arg) => arg.startsWith('--'));
  const unknown = options.find((option) => !/^--(?:summary|rule=\w+)$/.test(option));
  if (unknown) {
    process.stderr.write(`unknown option ${unknown}: use --summary or --rule=<rule>\n`);
    return 2;
  }
  const rules = options.filter((option) => option.startsWith('--rule=')).map((option) => option.slice(7));
  const places = args.filter((arg) => !arg.startsWith('--'));
  const root = rootOf(process.cwd());
  const isSelected = selection(root, process.cwd(), places);
  // The rule `export` compares all of core, so core is read whatever is selected.
  const paths = filesOf(root).filter((path) => isSelected(path) || path.startsWith('lambdas/core/'));
  const sources = paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]);
  const { findings: all, unused } = checkSources(sources, { isSelected });
  const findings = all.filter(({ rule }) => rules.length === 0 || rules.includes(rule));
  const count = paths.filter(isSelected).length;
  // Only a run over everything can tell that an exception is of no use.
  const idle = places.length === 0 && rules.length === 0 ? unused : [];

  if (options.includes('--summary')) process.stdout.write(summaryOf(findings));
  else for (const { path, line, rule, message } of findings) print(`${path}:${line}: ${rule}: ${message}`);
  for (const { reason } of idle) print(`exceptions.mjs: applies to nothing, remove it: "${reason}"`);
  print(`${findings.length} findings in ${count} files`);
  return findings.length > 0 || idle.length > 0 || count === 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
