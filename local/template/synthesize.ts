import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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

import { CACHE_DIR, CHECKOUT_DIR } from '../machine/paths';
import { LocalRunError, messageOf } from '../run/errors';
import { takeLock } from '../run/process-lock';

/** What an assembly is made of. A change in any of it makes a new one. */
const SOURCES = ['bin', 'config', 'lib', 'lambdas', 'scripts', 'cdk.json', 'package-lock.json'];
const APP = 'bin/app.ts';
/** Assemblies kept in any case, and how long the others are: a run reads from its own for as long as it lasts. */
const KEPT_ASSEMBLIES = 6;
const KEPT_FOR_MS = 24 * 3_600_000;
const OTHER_SYNTH_ATTEMPTS = 600;

export interface SynthesizeOptions {
  /** Target policy of a deployed stack. */
  strictTargets: boolean;
  onProgress(line: string): void;
}

/**
 * Synthesizes the `local` stage of the app, with its functions bundled, unless an assembly of the same sources is there.
 * Gives the assembly's folder. Throws a `LocalRunError` with what the build printed.
 */
export async function synthesize({ strictTargets, onProgress }: SynthesizeOptions): Promise<string> {
  const parent = join(CACHE_DIR, 'assemblies');
  mkdirSync(parent, { recursive: true });
  const directory = join(parent, sourceHash(strictTargets));
  if (existsSync(directory)) return touch(directory);

  // The bundles go to one place, so two runs must not build at once.
  const lock = await waitForLock(join(CACHE_DIR, 'synthesis.lock'));
  try {
    if (existsSync(directory)) return touch(directory);
    onProgress('building the functions and the stack ...');
    const unfinished = `${directory}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    await runApp({
      CDK_OUTDIR: unfinished,
      CDK_CONTEXT_JSON: JSON.stringify({
        ...cdkContext(),
        stage: 'local',
        strictTargets: String(strictTargets),
      }),
      // The template is checked where it is tested; here it only costs seconds.
      CDK_VALIDATION: 'false',
    });
    renameSync(unfinished, directory);
    prune(parent);
    return directory;
  } finally {
    lock.release();
  }
}

function sourceHash(strictTargets: boolean): string {
  const hash = createHash('sha256').update(JSON.stringify({ strictTargets, node: process.version }));
  const add = (path: string): void => {
    const full = join(CHECKOUT_DIR, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) for (const name of readdirSync(full).sort()) add(join(path, name));
    else hash.update(`\0${path}\0`).update(readFileSync(full));
  };
  for (const source of SOURCES) add(source);
  return hash.digest('hex').slice(0, 32);
}

/** The CDK's command line would read it; the app is run without. */
function cdkContext(): Record<string, unknown> {
  const { context } = JSON.parse(readFileSync(join(CHECKOUT_DIR, 'cdk.json'), 'utf8')) as {
    context?: Record<string, unknown>;
  };
  return context ?? {};
}

async function waitForLock(path: string): Promise<{ release(): void }> {
  for (let left = OTHER_SYNTH_ATTEMPTS; ; left--)
    try {
      return takeLock(path, (pid) => `another run (process ${pid}) has been building the stack for minutes`);
    } catch (error) {
      if (!(error instanceof LocalRunError) || left === 0) throw error;
      await sleep(100);
    }
}

/** The app bundles the functions itself. */
function runApp(variables: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', APP], {
      cwd: CHECKOUT_DIR,
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
