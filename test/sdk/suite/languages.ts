import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { buildSync } from 'esbuild';

export const CHECKOUT_DIR = resolve(__dirname, '../../..');

export type Language = 'typescript' | 'python' | 'go';

/** How the driver of an SDK is started. */
export interface Start {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

interface SdkOfLanguage {
  /** Why the machine cannot run it; undefined if it can. */
  missing: string | undefined;
  /** Builds the driver into a folder. */
  build(dir: string): Start;
}

const has = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

/** Throws with what a program of a build said, if it failed. */
function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, env: { ...process.env, ...OFFLINE } });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${String(stderr)}${String(stdout)}`);
}

/** The SDK of Go has no dependencies, so that a build needs no network. */
const OFFLINE = { GOFLAGS: '-mod=mod', GOPROXY: 'off' };

/** What users of Python install, so that a file that the wheel lacks is noticed. */
function unpackedWheel(dir: string): string {
  run('python3', [join(CHECKOUT_DIR, 'sdk/python/build_dist.py'), '--out', dir], dir);
  const wheel = readdirSync(dir).find((name) => name.endsWith('.whl'));
  const packages = join(dir, 'packages');
  run('python3', ['-m', 'zipfile', '-e', join(dir, wheel ?? ''), packages], dir);
  return packages;
}

export const LANGUAGES: Readonly<Record<Language, SdkOfLanguage>> = {
  typescript: {
    missing: undefined,
    build(dir) {
      const outfile = join(dir, 'driver.cjs');
      buildSync({
        absWorkingDir: CHECKOUT_DIR,
        entryPoints: ['test/sdk/drivers/typescript/main.ts'],
        bundle: true,
        platform: 'node',
        format: 'cjs',
        mainFields: ['module', 'main'],
        logLevel: 'error',
        outfile,
      });
      return { command: process.execPath, args: [outfile], env: {} };
    },
  },
  python: {
    missing: has('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))')
      ? undefined
      : 'there is no python3 of 3.10 or newer on this machine',
    build(dir) {
      const given = process.env.QUARTERJACK_PYTHONPATH;
      return {
        command: 'python3',
        args: [join(CHECKOUT_DIR, 'sdk/python/tests/driver.py')],
        env: { PYTHONPATH: given ?? unpackedWheel(dir) },
      };
    },
  },
  go: {
    missing: has('go', 'version') ? undefined : 'there is no go on this machine',
    build(dir) {
      const command = join(dir, 'driver');
      run('go', ['build', '-o', command, './internal/driver'], join(CHECKOUT_DIR, 'sdk/go'));
      return { command, args: [], env: {} };
    },
  },
};
