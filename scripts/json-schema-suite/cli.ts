import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { FORMATS } from '../../lambdas/core/json-schema/formats';
import { flagsOf, runCommand, UsageError } from '../command';
import { countPassed, LEAST_PASSED, type SuiteFile } from './count-passed';

const USAGE = `Checks payload schemas against the official suite of JSON Schema, draft 2020-12.

  npm run json-schema-suite -- --suite DIR

  --suite DIR   a checkout of https://github.com/json-schema-org/JSON-Schema-Test-Suite
  --help        print this help

Exit codes: 0 all pass, 1 some fail, or fewer pass than docs/payload-schemas.md says, 2 wrong flags.
`;

function main(args: string[]): void {
  const { help, suite } = flagsOf(args, OPTIONS);
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  if (!suite) throw new UsageError('--suite is missing; expected a folder');
  const root = join(suite, 'tests/draft2020-12');
  const names = [
    ...readdirSync(root).filter((name) => name.endsWith('.json')),
    ...Object.keys(FORMATS).map((format) => `optional/format/${format}.json`),
  ].filter((name) => existsSync(join(root, name)));
  const files = names.map((name): SuiteFile => ({
    name,
    groups: JSON.parse(readFileSync(join(root, name), 'utf8')) as SuiteFile['groups'],
  }));
  const { passed, unsupported, failed } = countPassed(files);
  for (const line of [
    ...failed,
    `${passed} passed, ${failed.length} failed, ${unsupported} use other keywords`,
  ])
    process.stdout.write(`${line}\n`);
  if (failed.length > 0 || passed < LEAST_PASSED) process.exitCode = 1;
}

const OPTIONS = {
  suite: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

runCommand('json-schema-suite', main);
