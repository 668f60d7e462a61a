import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

import { flagsOf, runCommand, UsageError } from '../command';
import { SCRIPT, writeTemplates } from './write-templates';

const USAGE = `Writes two CloudFormation templates that are deployed without the CDK, with their assets and a
script. See docs/without-cdk.md.

  npm run templates -- --out DIR [--stage NAME]

  --out DIR      the folder to write, which is empty or has those of an earlier call
  --stage NAME   the file of config/ that they are made of (default: dev)
  --help         print this help

Exit codes: 0 written, 1 failed, 2 wrong flags.
`;

const ROOT = join(__dirname, '../..');
/** CloudFormation takes a longer template from S3 alone. */
const MAX_DIRECT_BYTES = 51_200;

function main(args: string[]): void {
  const { help, out, stage } = flagsOf(args, OPTIONS);
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  if (!out) throw new UsageError('--out is missing; expected a folder');
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-lambdas.mjs')], { stdio: 'inherit' });
  const bytes = writeTemplates({ out: resolve(out), stage, bundlesDir: join(ROOT, 'dist/lambdas') });
  for (const [path, size] of bytes) {
    const way = path.endsWith('.json') && size > MAX_DIRECT_BYTES ? ', which go by S3' : '';
    process.stdout.write(`${path}: ${size.toLocaleString('en')} bytes${way}\n`);
  }
  process.stdout.write(`deploy them with ${join(out, SCRIPT)} --help\n`);
}

const OPTIONS = {
  out: { type: 'string' },
  stage: { type: 'string', default: 'dev' },
  help: { type: 'boolean', default: false },
} as const;

runCommand('templates', main);
