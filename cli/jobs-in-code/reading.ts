import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';

import { CliError } from '../exit-codes';

/** What reads a module of jobs: a tool that its project has, or Node.js alone. */
export type Reader = 'tsx' | 'esbuild' | 'node';

const JAVASCRIPT = ['.js', '.mjs', '.cjs'];
const TYPESCRIPT = ['.ts', '.mts', '.cts', '.tsx', '.jsx'];

/** What makes TypeScript readable. */
export const CURE = 'npm i -D tsx';

/** What this process can do by itself. */
export interface Machine {
  version: string;
  /** Whether Node.js removes types by itself. */
  stripsTypes: boolean;
}

export const machine = (): Machine => ({
  version: process.versions.node,
  stripsTypes: Boolean((process.features as { typescript?: unknown }).typescript),
});

/**
 * TypeScript is read by the project's own tsx, which reads all of it, else by its esbuild, else by Node.js.
 * Throws a `CliError` that says what to install.
 */
export function readerOf(path: string, { version, stripsTypes }: Machine = machine()): Reader {
  const extension = extname(path);
  if (JAVASCRIPT.includes(extension)) return 'node';
  if (!TYPESCRIPT.includes(extension))
    throw new CliError(
      `${path}: expected a module of TypeScript or JavaScript, such as src/jobs.ts${hintFor(extension)}`,
    );
  if (has('tsx', path)) return 'tsx';
  if (has('esbuild', path)) return 'esbuild';
  if (extension.endsWith('x')) throw new CliError(`${path}: Node.js reads no JSX by itself: ${CURE}`);
  if (stripsTypes) return 'node';
  throw new CliError(
    `${path}: Node.js ${version} reads no TypeScript by itself: ${CURE}, or use Node.js 22.18 or newer`,
  );
}

/** Python prints the manifest of its jobs itself, which the commands take in place of a module. */
const hintFor = (extension: string): string =>
  extension === '.py' ? '; of Python, a manifest: python3 -m quarterjack define jobs.py --out jobs.json' : '';

/** Whether the project of a module has a package. */
function has(name: string, path: string): boolean {
  try {
    createRequire(pathToFileURL(path)).resolve(name);
    return true;
  } catch {
    return false;
  }
}
