#!/usr/bin/env node
/**
 * Checks the language of the checkout that it is called in: `node scripts/lint/language/cli.mjs [--summary] [paths…]`.
 * Without paths, all files. Exit code 1 where there is a finding.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkSources } from './check.mjs';
import { filesOf, rootOf, selection } from './files.mjs';
import { summaryOf } from './summary.mjs';

const args = process.argv.slice(2);
const options = new Set(args.filter((arg) => arg.startsWith('--')));
const rules = [...options].filter((option) => option.startsWith('--rule=')).map((option) => option.slice(7));
const root = rootOf(process.cwd());
const isSelected = selection(
  root,
  process.cwd(),
  args.filter((arg) => !arg.startsWith('--')),
);

// The rule for exports compares all of core, so core is read whatever is selected.
const paths = filesOf(root).filter((path) => isSelected(path) || path.startsWith('lambdas/core/'));
const sources = paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]);
const findings = checkSources(sources, isSelected).filter(
  ({ rule }) => rules.length === 0 || rules.includes(rule),
);

if (options.has('--summary')) process.stdout.write(summaryOf(findings));
else
  for (const { path, line, rule, message } of findings)
    process.stdout.write(`${path}:${line}: ${rule}: ${message}\n`);

const count = paths.filter(isSelected).length;
process.stdout.write(`${findings.length} findings in ${count} files\n`);
process.exitCode = findings.length > 0 || count === 0 ? 1 : 0;
