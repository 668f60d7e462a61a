import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { DAY_MS } from '../machine/clock';
import { CACHE_DIR, HOME_DIR, IS_CHECKOUT } from '../machine/paths';
import { sourceHash } from '../machine/source-hash.cjs';
import { LocalRunError, messageOf } from '../run/errors';
import { acquireLock } from '../run/process-lock';

/** The sources of an assembly. A change in any of them requires a new one. */
const SOURCES = [
  'bin',
  'client',
  'config',
  'console',
  'lib',
  'lambdas',
  'local/machine/source-hash.cjs',
  'scripts',
  'cdk.json',
  'package-lock.json',
  'tsconfig.json',
];
const APP = 'bin/app.ts';
/** The latest assemblies are always kept. */
const KEPT_ASSEMBLIES = 6;
/** Older assemblies are kept for a day after their last use, since a run reads its assembly until it ends. */
const KEPT_FOR_MS = DAY_MS;
/** How long to wait for the synthesis of another run: five minutes. A busy machine needs more than one. */
const LOCK_ATTEMPTS = 3_000;
const LOCK_RETRY_MS = 100;

export interface Synthesis {
  /** Called when a part of the work begins. */
  onProgress?(what: string): void;
  /** Fields of a stage's configuration, or another `stage`. A package has no assembly of other settings. */
  settings?: Readonly<Record<string, unknown>>;
}

/**
 * Synthesizes the `local` stage with its bundles, unless an assembly of the same sources and settings exists;
 * a package has one. Returns the folder of the assembly, which all runs share. Throws a `LocalRunError` with
 * the output of a failed build.
 */
export async function synthesize({
  onProgress = () => undefined,
  settings = {},
}: Synthesis = {}): Promise<string> {
  if (!IS_CHECKOUT) return join(HOME_DIR, 'assembly');
  const parent = join(CACHE_DIR, 'assemblies');
  mkdirSync(parent, { recursive: true });
  onProgress('comparing the sources with the last build');
  const directory = join(parent, sourceHash(HOME_DIR, SOURCES, JSON.stringify(settings)));
  if (existsSync(directory)) return touch(directory);

  // Bundles are written to a shared folder, so two runs must not build at the same time.
  const lock = await waitForLock(join(CACHE_DIR, 'synthesis.lock'));
  try {
    if (existsSync(directory)) return touch(directory);
    onProgress('building the functions and the stack; later starts reuse them');
    const unfinished = `${directory}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    await runApp({
      CDK_OUTDIR: unfinished,
      CDK_CONTEXT_JSON: JSON.stringify({
        ...cdkContext(),
        stage: 'local',
        ...settings,
      }),
      // Template tests validate the template; here validation would only cost seconds.
      CDK_VALIDATION: 'false',
    });
    renameSync(unfinished, directory);
    prune(parent);
    return directory;
  } finally {
    lock.release();
  }
}

/** Context of `cdk.json`. The CDK command line would pass it, but the app runs without the command line. */
function cdkContext(): Record<string, unknown> {
  const { context } = JSON.parse(readFileSync(join(HOME_DIR, 'cdk.json'), 'utf8')) as {
    context?: Record<string, unknown>;
  };
  return context ?? {};
}

async function waitForLock(path: string): Promise<{ release(): void }> {
  for (let left = LOCK_ATTEMPTS; ; left--)
    try {
      return acquireLock(
        path,
        (pid) => `another run (process ${pid}) has been building the stack for five minutes`,
      );
    } catch (error) {
      if (!(error instanceof LocalRunError) || left === 0) throw error;
      await sleep(LOCK_RETRY_MS);
    }
}

/** Runs the CDK app, which also bundles the functions. */
function runApp(variables: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', APP], {
      cwd: HOME_DIR,
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', (error) => reject(new LocalRunError(`cannot run ${APP}: ${messageOf(error)}`)));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve();
      reject(new LocalRunError(`${APP} failed (${signal ?? `exit code ${code}`}):\n${output.trim()}`));
    });
  });
}

/** Marks an assembly as used. */
function touch(directory: string): string {
  const now = new Date();
  utimesSync(directory, now, now);
  return directory;
}

function prune(parent: string): void {
  const byAge = readdirSync(parent)
    .map((name) => ({ path: join(parent, name), usedAtMs: statSync(join(parent, name)).mtimeMs }))
    .sort((a, b) => b.usedAtMs - a.usedAtMs);
  for (const { path, usedAtMs } of byAge.slice(KEPT_ASSEMBLIES))
    if (usedAtMs < Date.now() - KEPT_FOR_MS) rmSync(path, { recursive: true, force: true });
}
