import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CHECKOUT_DIR = resolve(__dirname, '../..');

interface Output {
  stdout: string;
  stderr: string;
}

/** The command line as a user runs it, with the address and the token that `env` gives. */
export const runCommand = (args: string[], env: NodeJS.ProcessEnv, stdin = ''): Promise<Output> =>
  new Promise((done, reject) => {
    const child = execFile(
      process.execPath,
      [join(CHECKOUT_DIR, 'cli/bin.cjs'), ...args],
      {
        cwd: CHECKOUT_DIR,
        env: { ...process.env, NODE_OPTIONS: '', ...env },
      },
      (error, stdout, stderr) =>
        error && typeof error.code !== 'number' ? reject(error) : done({ stdout, stderr }),
    );
    child.stdin!.end(stdin);
  });

/** A script of the checkout, as `npm run` starts it. */
export const runScript = (script: string, args: string[]): Promise<Output> =>
  new Promise((done, reject) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', join(CHECKOUT_DIR, script), ...args],
      { cwd: CHECKOUT_DIR, env: { ...process.env, NODE_OPTIONS: '' } },
      (error, stdout, stderr) => (error ? reject(new Error(stderr)) : done({ stdout, stderr })),
    );
  });

/** All files below a directory. */
export function filesOf(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? filesOf(path) : [path];
  });
}
