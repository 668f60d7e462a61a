import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { faultText, programFile } from '../../../local/machine/program.cjs';
import { sourceHash } from '../../../local/machine/source-hash.cjs';

const CHECKOUT_DIR = join(__dirname, '../../..');
const node = promisify(execFile);
const ask = `require('./local/machine/program.cjs').programFile('local/cli.ts').then(console.log)`;
const askElsewhere = () => node(process.execPath, ['-e', ask], { cwd: CHECKOUT_DIR });

test('processes that start at the same time get one bundle, and a later start reuses it', async () => {
  const files = (await Promise.all([askElsewhere(), askElsewhere()])).map(({ stdout }) => stdout.trim());
  const [file] = files;
  expect(new Set(files).size).toBe(1);
  const { mtimeMs } = statSync(file!);
  const onBuild = jest.fn();
  expect(await programFile('local/cli.ts', onBuild)).toBe(file);
  expect(onBuild).not.toHaveBeenCalled();
  expect(statSync(file!).mtimeMs).toBe(mtimeMs);
});

test('a bundle runs without a loader for TypeScript, and finds the files beside its sources', async () => {
  const file = await programFile('local/cli.ts');
  const { stdout } = await node(process.execPath, [file, '--help'], { cwd: '/' });
  expect(stdout).toContain('--ephemeral');
  expect(readFileSync(file, 'utf8')).toContain(JSON.stringify(join(CHECKOUT_DIR, 'local/pages')));
});

test('an entry with an error is rejected with its place', async () => {
  const fault: unknown = await programFile('test/support/local/no-such-file.ts').catch(
    (error: unknown) => error,
  );
  expect(faultText(fault)).toMatch(/no-such-file\.ts[^]*\n {4}at /);
});

test('what is installed beside sources requires no new bundle, and a changed source does', () => {
  const root = mkdtempSync(join(tmpdir(), 'quarterjack-sources-'));
  try {
    const modules = ensured(join(root, 'client/generator/node_modules'));
    writeFileSync(join(root, 'client/index.ts'), 'one');
    const before = sourceHash(root, ['client']);
    writeFileSync(join(modules, 'index.js'), 'installed');
    expect(sourceHash(root, ['client'])).toBe(before);
    writeFileSync(join(root, 'client/index.ts'), 'two');
    expect(sourceHash(root, ['client'])).not.toBe(before);
  } finally {
    rmSync(root, { recursive: true });
  }
});

/** A checkout with the starters of the programs, and with this code of one. */
function checkoutWith(code: string, packages: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'quarterjack-checkout-')));
  for (const path of ['cli/bin.cjs', 'local/main.cjs', 'local/machine', 'package-lock.json'])
    cpSync(join(CHECKOUT_DIR, path), join(root, path), { recursive: true });
  for (const path of ['cli/start.ts', 'local/cli.ts', 'client/index.ts'])
    writeFileSync(join(ensured(join(root, dirname(path))), basename(path)), code);
  const modules = ensured(join(root, 'node_modules'));
  for (const [name, text] of Object.entries(packages))
    writeFileSync(join(ensured(join(modules, name)), 'index.js'), text);
  if (!('esbuild' in packages))
    symlinkSync(join(CHECKOUT_DIR, 'node_modules/esbuild'), join(modules, 'esbuild'));
  return root;
}

function ensured(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

const NO_ESBUILD = { esbuild: 'throw new Error("Cannot find module \'esbuild\'")' };

test.each<[string, string, string, Record<string, string>]>([
  ['cli/bin.cjs', '@scope/new', "import { a } from '@scope/new/part'; console.log(a);", {}],
  ['local/main.cjs', 'new', "import { a } from 'new'; console.log(a);", {}],
  ['cli/bin.cjs', 'old', "import { a } from 'old'; console.log(a);", { old: 'export const b = 1;' }],
  ['local/main.cjs', 'esbuild', '', NO_ESBUILD],
])('%s names the package %s that npm ci installs', async (starter, name, code, packages) => {
  const root = checkoutWith(code, packages);
  try {
    const ended = node(process.execPath, [join(root, starter), '--help'], { cwd: '/' });
    const stderr = await ended.then(
      () => 'it ran',
      (error: { stderr: string }) => error.stderr,
    );
    expect(stderr).toBe(
      `quarterjack: packages are missing, or not those of package-lock.json (${name}); run npm ci in ${root}\n`,
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});
