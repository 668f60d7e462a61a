import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { DefinedJob, serve } from '../../client/jobs-in-code';
import { exportedJobs } from '../../client/jobs-in-code/manifest-job';
import { CliError, explain } from '../exit-codes';
import { watchLoads } from './loaded-files';
import { CURE, type Reader } from './reading';

/** What the package `quarterjack` leaves for programs like this one. */
interface Registry {
  jobs: DefinedJob[];
  serve: typeof serve;
}

export interface LoadedModule {
  /** The jobs that the module exports. */
  jobs: DefinedJob[];
  /** Ids of jobs that it, or what it imports, defines and does not export. */
  unexported: string[];
  serve: typeof serve | undefined;
}

const REGISTRY = Symbol.for('quarterjack.jobs/1');

/**
 * Imports a module of jobs into this process. Throws a `CliError` that says how to mend it. `onFile` gets the
 * files that it consists of, also if it cannot be read.
 */
export async function loadModule(
  path: string,
  reader: Reader,
  onFile?: (file: string) => void,
): Promise<LoadedModule> {
  const exported = await READERS[reader](path, onFile).catch((error: unknown) => {
    throw new CliError(faultText(path, error), undefined, { cause: error });
  });
  const { jobs = [], serve } = (globalThis as { [REGISTRY]?: Registry })[REGISTRY] ?? {};
  try {
    return { ...exportedJobs(exported, jobs), serve };
  } catch (error) {
    throw new CliError(`${path}: ${explain(error)}`, undefined, { cause: error });
  }
}

type OnFile = ((file: string) => void) | undefined;

/** The exports of a module. One of CommonJS also has them in its default export. */
async function imported(path: string, onFile: OnFile): Promise<unknown[]> {
  const tellLoaded = onFile && watchLoads(path, onFile);
  let module: Record<string, unknown>;
  try {
    module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } finally {
    tellLoaded?.();
  }
  const inner = module.default;
  return [
    ...Object.values(module),
    ...(typeof inner === 'object' && inner !== null ? Object.values(inner) : []),
  ];
}

/** As `node --import tsx` does, but later: it need not translate this program too. */
async function byTsx(path: string, onFile: OnFile): Promise<unknown[]> {
  await import(pathToFileURL(createRequire(pathToFileURL(path)).resolve('tsx')).href);
  return imported(path, onFile);
}

interface Esbuild {
  build(options: object): Promise<{ outputFiles: { text: string }[]; metafile: { inputs: object } }>;
}

/** Where esbuild has found faults. */
interface BuildFault {
  errors?: readonly { location: { file: string } | null }[];
}

/** Bundled without its packages, in the cache of the project, from where it finds them. */
async function bundled(path: string, onFile: OnFile): Promise<unknown[]> {
  const { build } = createRequire(pathToFileURL(path))('esbuild') as Esbuild;
  const tell = (file: string) => onFile?.(resolve(file));
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: 'inline',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    metafile: true,
    write: false,
    logLevel: 'silent',
  }).catch((error: BuildFault) => {
    for (const { location } of error.errors ?? []) if (location) tell(location.file);
    throw error;
  });
  for (const file of Object.keys(metafile.inputs)) tell(file);
  const dir = join(projectOf(path), 'node_modules/.cache/quarterjack');
  mkdirSync(dir, { recursive: true });
  const file = join(dir, `jobs-${process.pid}.mjs`);
  writeFileSync(file, outputFiles[0]!.text);
  try {
    return await imported(file, onFile);
  } finally {
    rmSync(file, { force: true });
  }
}

/** The folder of the nearest package.json. */
function projectOf(path: string): string {
  const require = createRequire(pathToFileURL(path));
  const [first = dirname(path)] = require.resolve.paths('x') ?? [];
  return dirname(first);
}

const READERS: Record<Reader, (path: string, onFile: OnFile) => Promise<unknown[]>> = {
  tsx: byTsx,
  esbuild: bundled,
  node: imported,
};

const TYPES_ALONE =
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX ERR_UNKNOWN_FILE_EXTENSION ERR_INVALID_TYPESCRIPT_SYNTAX'.split(' ');

function faultText(path: string, error: unknown): string {
  const { code, message, stack }: NodeJS.ErrnoException =
    error instanceof Error ? error : new Error(String(error));
  if (code !== undefined && TYPES_ALONE.includes(code))
    return `${path}: Node.js alone cannot read this TypeScript, such as an enum or JSX: ${CURE}\n${message}`;
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
    return /'quarterjack/.test(message)
      ? `${path}: the project has no package quarterjack: npm i quarterjack`
      : `${path}: ${message}${/\.[cm]?tsx?$/.test(path) ? `; names without an extension, and paths of tsconfig.json, need: ${CURE}` : ''}`;
  // What a translator finds wrong is in its message; its stack is that of the translator.
  const isTranslators = error instanceof Error && 'errors' in error;
  return `${path}: the module failed: ${isTranslators ? message : (stack ?? message)}`;
}
