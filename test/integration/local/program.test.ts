import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { programFile } from '../../../local/machine/program.cjs';

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
  await expect(programFile('test/support/local/no-such-file.ts')).rejects.toThrow('no-such-file.ts');
});
