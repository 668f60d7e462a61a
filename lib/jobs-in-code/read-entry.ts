import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs';

import { cacheFolder, requireFrom } from './cache-folder';
import type { Manifest } from './manifest';

/** What a function does not bundle either: its runtime has it. */
export const OF_RUNTIME = ['@aws-sdk/*', '@smithy/*'];

const RESULT = 3;
const MAX_BYTES = 1_048_576;
const TIMEOUT_MS = 20_000;
const SHOWN_LINES = 20;

/** Writes what the module defines to the fourth stream, and ends, whatever the module has left open. */
const reader = (entry: string): string => `import { writeSync } from 'node:fs';
import * as entry from ${JSON.stringify(entry)};
const registry = globalThis[Symbol.for('quarterjack.jobs/1')];
const inner = Object(entry.default);
const exported = [...Object.values(entry), ...Object.values(inner)];
const read = registry ? registry.readModule(exported, registry.jobs) : { jobs: [], unexported: [] };
let rest = Buffer.from(JSON.stringify(read));
while (rest.length > 0)
  try {
    rest = rest.subarray(writeSync(${RESULT}, rest));
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
  }
process.exit(0);
`;

interface Esbuild {
  buildSync(options: object): { outputFiles: { text: string }[] };
}

export interface ReadOptions {
  readonly defineEnv?: Readonly<Record<string, string>> | undefined;
  readonly bundling?: BundlingOptions | undefined;
}

/** The jobs of a module, and the ids of those that it does not export. */
export type ReadEntry = Pick<Manifest, 'jobs'> & { readonly unexported: readonly string[] };

/**
 * Runs a module as it is bundled for its function, and reads what it defines. The process has nothing of the
 * environment but `PATH` and what `defineEnv` has, so no credentials. It is no sandbox beyond that. Throws an
 * Error that says what is wrong.
 */
export function readEntry(entry: string, { defineEnv = {}, bundling = {} }: ReadOptions): ReadEntry {
  const file = join(cacheFolder(entry), `read-${process.pid}.mjs`);
  writeFileSync(file, bundleOf(entry, bundling));
  try {
    return jobsOf(entry, run(file, dirname(entry), defineEnv));
  } finally {
    rmSync(file, { force: true });
  }
}

function run(file: string, cwd: string, defineEnv: Readonly<Record<string, string>>) {
  return spawnSync(process.execPath, [file], {
    cwd,
    env: { PATH: process.env.PATH, TZ: 'UTC', QUARTERJACK_DEFINE: '1', ...defineEnv },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: MAX_BYTES,
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
}

function jobsOf(entry: string, { output, error, status, stderr }: ReturnType<typeof run>): ReadEntry {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const said = stderr.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  const fail = (what: string) => new Error(`${entry}: ${what}${said === '' ? '' : `\n${said}`}`);
  if (code === 'ETIMEDOUT') throw fail(`it did not end within ${TIMEOUT_MS / 1_000} s`);
  if (code === 'ENOBUFS') throw fail(`its definitions, or what it prints, have more than ${MAX_BYTES} bytes`);
  if (error) throw fail(error.message);
  const text = output[RESULT] ?? '';
  if (status !== 0) throw fail('the module failed');
  if (text === '') throw fail('it ended before it was read');
  return JSON.parse(text) as ReadEntry;
}

/** By the esbuild of the app, which its function needs too. */
function bundleOf(entry: string, bundling: BundlingOptions): string {
  const { define, loader, tsconfig, externalModules = OF_RUNTIME, nodeModules = [] } = bundling;
  try {
    const { outputFiles } = esbuildFor(entry).buildSync({
      stdin: { contents: reader(entry), resolveDir: dirname(entry), sourcefile: 'read-jobs.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: `node${process.versions.node}`,
      mainFields: ['module', 'main'],
      banner: { js: REQUIRE_IN_ESM },
      external: [...externalModules, ...nodeModules],
      ...(define && { define }),
      ...(loader && { loader }),
      ...(tsconfig !== undefined && { tsconfig }),
      write: false,
      logLevel: 'silent',
    });
    return outputFiles[0]!.text;
  } catch (cause) {
    throw new Error(`${entry}: ${(cause as Error).message}`, { cause });
  }
}

/** Modules of CommonJS in a bundle of ECMAScript ask for those of Node.js so. */
export const REQUIRE_IN_ESM =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

function esbuildFor(entry: string): Esbuild {
  for (const place of [entry, join(process.cwd(), 'app.js')])
    try {
      return requireFrom(place)('esbuild') as Esbuild;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  throw new Error('a JobFunction needs esbuild in the app: npm i -D esbuild');
}
