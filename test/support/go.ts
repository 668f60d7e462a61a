import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { REPOSITORY } from '../../scripts/package/names.mjs';

export const GO_SDK_DIR = resolve(__dirname, '../../sdk/go');
export const GO_MODULE = `${REPOSITORY.replace('https://', '')}/sdk/go`;

const hasGo = spawnSync('go', ['version']).status === 0;

/** A test that needs Go. It need not be on the machine: then the name of the test says that it is not run. */
export const withGo = (name: string, run: () => Promise<void>, timeoutMs?: number): void =>
  hasGo
    ? test(name, run, timeoutMs)
    : test.skip(`${name} (not run: there is no go on this machine)`, run, timeoutMs);

/** Nothing is fetched from a network. */
const GO_ENV = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };

/** Runs `go` in a folder, and resolves to what it prints. Rejects with it if it fails. */
export async function go(args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd, env: { ...process.env, ...GO_ENV, ...env }, maxBuffer: 1 << 26 };
  const ran = promisify(execFile)('go', args, options);
  const { stdout } = await ran.catch((error: Error & { stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}`, { cause: error });
  });
  return stdout;
}

/** A program of a user, in a folder of its own that the caller removes. Builds it, and returns its path. */
export async function goProgram(code: string): Promise<{ dir: string; program: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'quarterjack-go-'));
  const [, version] = /^go (\S+)$/m.exec(readFileSync(join(GO_SDK_DIR, 'go.mod'), 'utf8'))!;
  writeFileSync(
    join(dir, 'go.mod'),
    `module example.com/user\n\ngo ${version}\n\nrequire ${GO_MODULE} v0.1.0\n\nreplace ${GO_MODULE} => ${GO_SDK_DIR}\n`,
  );
  writeFileSync(join(dir, 'main.go'), code);
  await go(['build', '-o', 'program', '.'], dir);
  return { dir, program: join(dir, 'program') };
}
