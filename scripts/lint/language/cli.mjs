#!/usr/bin/env node
/**
 * Checks the language of the checkout that it is called in. Without paths, it checks every file.
 *
 *     node scripts/lint/language/cli.mjs [--summary] [--rule=term] [paths…]
 *
 * Exit code: 0 without findings, 1 with findings or without a file, 2 for an unknown option.
 */
import { run } from './run.mjs';

try {
  process.exitCode = run(process.argv.slice(2), process.cwd(), (line) => process.stdout.write(`${line}\n`));
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
