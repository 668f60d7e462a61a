import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const CHECKOUT_DIR = resolve(__dirname, '../../..');

export const STRICTEST = [
  '--module',
  'nodenext',
  '--types',
  'node',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
];

/** A folder of a user, in which packages of this checkout get installed. */
export interface UserFolder {
  dir: string;
  /** Runs a program there, and returns what it printed. */
  run(command: string, ...args: string[]): string;
  write(file: string, text: string): void;
  /** Installs packages there by the names of their tarballs, without a network: none has dependencies. */
  install(...names: string[]): void;
  /** What the TypeScript of the checkout says of files there: a line for each fault. */
  typeReport(files: readonly string[], ...flags: string[]): string[];
}

/** An empty project. `packages` is where the tarballs are. */
export function userFolder(packages: string): UserFolder {
  const dir = mkdtempSync(join(tmpdir(), 'quarterjack-user-'));
  const write: UserFolder['write'] = (file, text) => writeFileSync(join(dir, file), text);
  write('package.json', '{ "name": "user", "private": true }');
  const run: UserFolder['run'] = (command, ...args) =>
    execFileSync(command, args, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    dir,
    run,
    write,
    install(...names) {
      const flags = ['--offline', '--legacy-peer-deps', '--no-audit', '--no-fund'];
      run('npm', 'install', ...flags, ...names.map((name) => join(packages, `${name}-0.1.0.tgz`)));
    },
    typeReport(files, ...flags) {
      const tsc = join(CHECKOUT_DIR, 'node_modules/typescript/bin/tsc');
      const all = ['--noEmit', '--strict', '--target', 'es2023', '--ignoreConfig', ...flags, ...files];
      const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, ...all], {
        cwd: dir,
        encoding: 'utf8',
      });
      const lines = `${stdout}${stderr}`.split(/\n(?=\S|$)/).filter((line) => line !== '');
      return status === 0 || lines.length > 0 ? lines : [`tsc has ended with ${status}`];
    },
  };
}
