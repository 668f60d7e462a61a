import { join } from 'node:path';

import { build } from 'esbuild';

const ROOT = join(__dirname, '../..');

/**
 * The modules whose closures are counted, and how many files each reaches at the most, itself included. A
 * number may only fall: what a module does not reach, its reader need not know. A job is checked
 * when it is saved, so the number of `create-job` grows with each type of target.
 */
export const MOST_FILES: Readonly<Record<string, number>> = {
  'lambdas/core/dispatch/dispatch.ts': 74,
  'lambdas/scanner/scan-shards.ts': 90,
  'lambdas/core/attempts/claim.ts': 69,
  'lambdas/core/attempts/to-deliver.ts': 89,
  'lambdas/core/attempts/settle.ts': 73,
  'lambdas/core/ending/end-execution.ts': 63,
  'lambdas/executor/execute-batch.ts': 145,
  'lambdas/sweeper/sweep-shards.ts': 128,
  'lambdas/api/jobs/create-job.ts': 207,
};

/**
 * The files that each module reaches by imports of values, itself first. Imports of types are gone when code
 * runs, so they do not count. Neither do packages and `import()`.
 */
export async function closuresOf(entries: readonly string[]): Promise<Map<string, string[]>> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...entries],
    outdir: 'closures', // nothing is written there
    write: false,
    bundle: true,
    metafile: true,
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
  return new Map(entries.map((entry) => [entry, reachedFrom(entry, metafile.inputs)]));
}

type Inputs = Awaited<ReturnType<typeof build<{ metafile: true }>>>['metafile']['inputs'];

function reachedFrom(entry: string, inputs: Inputs): string[] {
  const reached = new Set([entry]);
  for (const file of reached) {
    for (const { path, kind, external } of inputs[file]!.imports)
      if (kind === 'import-statement' && !external) reached.add(path);
  }
  return [...reached];
}
