import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Their manifest and lock file. They are installed elsewhere: builds read all files of this folder. */
const manifests = join(dirname(fileURLToPath(import.meta.url)), 'tools');
const folder = join(manifests, '../../../.quarterjack/package-try/tools');
const stamp = join(folder, 'node_modules/.installed');

/** Paths of the programs. Yarn 1 is the yarn of the registry's package. */
export const TOOLS = {
  attw: join(folder, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
  pnpm: join(folder, 'node_modules/pnpm/bin/pnpm.cjs'),
  publint: join(folder, 'node_modules/publint/src/cli.js'),
  verdaccio: join(folder, 'node_modules/verdaccio/bin/verdaccio'),
  yarn: join(folder, 'node_modules/yarn/bin/yarn.js'),
};

/** Installs the programs by their lock file, unless they are there. */
export async function installTools() {
  const lock = readFileSync(join(manifests, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  process.stdout.write('installing the tools ...\n');
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(manifests, file), join(folder, file));
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await promisify(execFile)('npm', ['ci', '--prefix', folder, ...flags]);
  writeFileSync(stamp, lock);
}

/** What publint and arethetypeswrong find in a package, as text. Undefined if they find nothing. */
export async function findingsOf({ tarball, typed }) {
  const run = async (args) => {
    const env = { ...process.env, NO_COLOR: '1' };
    const failed = ({ stdout, stderr }) => ({ stdout: stdout + stderr });
    const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch(failed);
    return stdout;
  };
  // publint ends with 0 after a mere suggestion.
  const published = await run([TOOLS.publint, 'run', tarball]);
  if (!published.includes('All good!')) return published;
  if (!typed) return undefined;
  const types = await run([TOOLS.attw, tarball, '--no-emoji', '--format', 'ascii']);
  return types.includes('No problems found') ? undefined : types;
}
