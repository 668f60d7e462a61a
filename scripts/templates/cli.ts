import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { SCRIPT, writeTemplates } from './write-templates';

const USAGE = `Writes two CloudFormation templates that are deployed without the CDK, with their assets and a
script. See docs/without-cdk.md.

  npm run templates -- --out DIR [--stage NAME]

  --out DIR      the folder to write, which is empty or has those of an earlier call
  --stage NAME   the file of config/ that they are made of (default: dev)
  --help         print this help

Exit codes: 0 written, 1 failed, 2 wrong flags.
`;

class UsageError extends Error {}

const ROOT = join(__dirname, '../..');
/** CloudFormation takes a longer template from S3 alone. */
const MAX_DIRECT_BYTES = 51_200;

function main(args: string[]): void {
  const { help, out, stage } = flags(args);
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

function flags(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        out: { type: 'string' },
        stage: { type: 'string', default: 'dev' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(`${(cause as Error).message.split('. ')[0]}; see --help`, { cause });
  }
}

try {
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`templates: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
