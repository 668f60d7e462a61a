import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

import { PACKAGES, SCOPE } from '../package/names.mjs';
import { writeSums } from '../sums';
import { flagsOf, runCommand, UsageError } from '../command';
import { readCheckout, tag, untag } from './checkout';
import { integrityOf, pack, writeTemplates } from './files';
import { publish, published } from './npm-registry';
import { sayAll, takeAll } from './run-steps';
import { type Deps, stepsOf } from './steps';

const USAGE = `Releases the version in package.json: checks, packages, templates, checksums, a tag, and a registry.

  npm run release -- --dry-run
  npm run release -- --registry URL

  --registry URL   where the packages are published, with the credentials that npm has for it
  --dry-run        say each step and what it refuses, and change nothing
  --help           print this help

If a step fails before a package is published, what the steps changed is taken back. After that, a repeated
call goes on: it accepts what the registry has only if the bytes are equal. The tag is not pushed.
Exit codes: 0 done, 1 refused or failed, 2 wrong flags.
`;

const root = process.cwd();

const OPTIONS = {
  registry: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function depsOf(version: string, registry: string): Deps {
  const folder = join(root, 'dist/release', version);
  const names = Object.values(PACKAGES);
  return {
    checkout: readCheckout(root, version),
    names,
    folder: relative(root, folder),
    registry,
    pack: () => pack(root, folder, names, version),
    writeTemplates: () => writeTemplates(root, folder),
    writeSums: () => writeSums(folder),
    discard: () => rmSync(folder, { recursive: true, force: true }),
    integrityOf,
    published: (name) => published(`${name}@${version}`, registry, SCOPE),
    publish: (file) => publish(file, registry, SCOPE),
    tag: (name, commit) => tag(root, name, commit),
    untag: (name) => untag(root, name),
  };
}

async function main(args: string[]): Promise<void> {
  const { registry, 'dry-run': dryRun, help } = flagsOf(args, OPTIONS);
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  if (help) return print(USAGE.trimEnd());
  if (registry === undefined && !dryRun)
    throw new UsageError('--registry is missing; expected the URL of a registry, or --dry-run');
  if (registry !== undefined && !(URL.canParse(registry) && /^https?:/.test(registry)))
    throw new UsageError(`--registry is ${JSON.stringify(registry)}; expected an http or https URL`);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const steps = stepsOf(version, depsOf(version, registry ?? 'the registry'));
  if (dryRun) {
    const refused = sayAll(steps, print);
    print(refused === 0 ? 'dry run: nothing was changed' : `dry run: ${refused} of the steps refuse`);
    if (refused > 0) process.exitCode = 1;
    return;
  }
  await takeAll(steps, print);
  print(`released ${version} to ${registry}; now push its tag: git push origin v${version}`);
}

runCommand('release', main);
