import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What has this program in it: a checkout, or the folder of a package, which has what was built of one. */
export const HOME_DIR = resolve(__dirname, '../..');
export const IS_CHECKOUT = existsSync(join(HOME_DIR, 'bin/app.ts'));

/** Everything that local runs keep: those of a checkout in it, others where they were started. */
const STATE_DIR = join(IS_CHECKOUT ? HOME_DIR : process.cwd(), '.quarterjack');

export const DEFAULT_DATA_DIR = join(STATE_DIR, 'data');
export const ISSUER_DIR = join(STATE_DIR, 'issuer');
export const CACHE_DIR = join(STATE_DIR, 'cache');
export const RUNS_DIR = join(STATE_DIR, 'runs');

/**
 * The folders of the issuer's key and of the files of runs, for a run with its data in `dataDir`. Without a
 * checkout, data in another folder has them beside it, and nothing is kept where the run was started.
 */
export function stateDirs(dataDir: string | undefined): { issuer: string; runs: string } {
  if (IS_CHECKOUT || dataDir === undefined || resolve(dataDir) === DEFAULT_DATA_DIR) {
    ignoreState();
    return { issuer: ISSUER_DIR, runs: RUNS_DIR };
  }
  return { issuer: resolve(dataDir, 'issuer'), runs: resolve(dataDir, 'runs') };
}

/** git has to ignore the folder, wherever it is. */
function ignoreState(): void {
  const ignore = join(STATE_DIR, '.gitignore');
  if (existsSync(ignore)) return;
  mkdirSync(STATE_DIR, { recursive: true, mode: 0o700 });
  writeFileSync(ignore, '*\n');
}
