import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { IS_DEEP } from '../support/deep';
import { PROFILES } from './profiles/profiles';

/** Seeds of each profile, from 1. */
const SEEDS = IS_DEEP ? 200 : 15;
const FILES = 2;
const TIMEOUT_MS = IS_DEEP ? 3_600_000 : 600_000;
/** More room for short-lived objects: a seed takes a tenth less CPU. */
const FLAGS = ['--max-semi-space-size=64'];
const MAIN = join(__dirname, 'main.mjs');

/**
 * A test for each of a half of the profiles: no seed breaks an invariant. Their seeds are played in a process
 * of their own, where a seed takes much less CPU than under Jest. Jest runs the files side by side.
 */
export function playProfiles(file: number): void {
  const names = [...PROFILES.keys()].filter((_, index) => index % FILES === file - 1);
  let lines: string[];

  beforeAll(async () => {
    lines = await play(names);
  }, TIMEOUT_MS);

  test.each(names)(`profile %s: no seed of ${SEEDS} breaks an invariant`, (name) => {
    const ofProfile = lines.filter((line) => line.startsWith(`${name}: `) || line.startsWith(`${name}, `));
    expect(ofProfile).toEqual([
      expect.stringMatching(new RegExp(`^${name}: ${SEEDS} seeds, [1-9].* faults, .*, all invariants hold$`)),
    ]);
  });
}

/** The lines that the command prints. Broken seeds are among them, so its exit code is of no interest. */
async function play(names: readonly string[]): Promise<string[]> {
  const args = [...FLAGS, MAIN, '--profile', ...names, '--seeds', String(SEEDS), '--keep-going'];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const lines = stdout.trim().split('\n');
  if (!lines.at(-1)!.startsWith(`${names.at(-1)}: `)) throw new Error(`the simulation has died: ${stderr}`);
  return lines;
}
