import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { IS_DEEP } from '../support/deep';
import { V8_FLAGS } from '../support/v8-flags.cjs';
import { NEEDS_AUDITOR, REPAIRED_BY_DESIGN } from './auditing';
import { PROFILES } from './profiles/profiles';

/** `npm run test:seeds` sets it: that many seeds of each profile, and nothing else. */
const { QUARTERJACK_SEEDS: only } = process.env;
/**
 * The gate plays many seeds of the profile that draws every feature. It plays two of each other profile: one
 * with the auditor, and one without.
 */
const inGate = (profile: string): number => (profile === 'everything' ? 40 : 2);
/** Seeds of a profile, from 1. */
const seedsOf = (profile: string): number => Number(only ?? (IS_DEEP ? 200 : inGate(profile)));
/** The first and the last seed of each mode. */
const MODES = IS_DEEP ? ['safety:1-200', 'liveness:1001-1100'] : ['safety:1-6', 'liveness:1001-1006'];
/** Every ninth seed is played twice, with the auditor or without: the same seed must give the same log. */
const TWICE_EVERY = 9;
/** Each second seed has no auditor: what it would repair is lost, and breaks an invariant. */
const AUDITOR_OFF_EVERY = 2;
const FILES = 2;
const TIMEOUT_MS = 3_600_000;
const MAIN = join(__dirname, 'main.mjs');
const FOUND = join(__dirname, 'found');

/**
 * Runs that once broke an invariant, as found or shrunk. They are files, because a seed's run changes with
 * the draws.
 */
const found = readdirSync(FOUND).map((file) => join(FOUND, file));
const profiles = [...PROFILES.keys()].map((name) => `${name}:1-${seedsOf(name)}`);
const PLAYED = only === undefined ? [...MODES, ...profiles, ...found] : profiles;

/**
 * A test for each of a half of the modes, profiles and plans: no seed breaks an invariant. The auditor
 * repairs nothing, except by design. They are played in a process of their own, where a seed takes much less
 * CPU than under Jest. Jest runs the files side by side.
 */
export function playSample(file: number): void {
  const played = PLAYED.filter((_, index) => index % FILES === file - 1);
  const titles = played.map((one) => one.replace(`${FOUND}/`, 'found/'));
  let lines: string[];

  beforeAll(async () => {
    lines = await play(played);
  }, TIMEOUT_MS);

  test.each(titles)('%s breaks no invariant', (title) => {
    const name = nameOf(title);
    const [, first = 1, last = 1] = (/:(\d+)-(\d+)$/.exec(title) ?? []).map(Number);
    const own = lines.filter((line) => line.startsWith(`${name}: `) || line.startsWith(`${name}, `));
    const seeds = last - first + 1;
    const repairs = REPAIRED_BY_DESIGN.has(name) ? '\\d+' : '0';
    const audited = `(\\d+) without the auditor, ${repairs} repairs by it`;
    const all = new RegExp(`^${name}: ${seeds} seeds, \\d+ faults, ${audited}, all invariants hold$`);
    expect(own).toEqual([expect.stringMatching(all)]);
    const unaudited = Number(all.exec(own[0]!)![1]);
    if (NEEDS_AUDITOR.has(name)) expect(unaudited).toBe(0);
    else expect(unaudited).toBeGreaterThanOrEqual(Math.floor(seeds / AUDITOR_OFF_EVERY));
    if (last > first) expect(own[0]).toMatch(/ [1-9]\d* faults, /);
  });
}

/** What the command calls a range of seeds, or a file with a plan. */
const nameOf = (played: string): string => /([\w-]+)(?:\.json|:[\d-]+)$/.exec(played)![1]!;

/** The lines that the command prints. Broken seeds are among them, so its exit code is of no interest. */
async function play(played: readonly string[]): Promise<string[]> {
  const args = [...V8_FLAGS, MAIN, '--play', ...played, '--twice-every', String(TWICE_EVERY), '--keep-going'];
  args.push('--auditor-off-every', String(AUDITOR_OFF_EVERY));
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const lines = stdout.trim().split('\n');
  const isWhole = lines.at(-1)!.startsWith(`${nameOf(played.at(-1)!)}: `);
  if (!isWhole) throw new Error(`the simulation has died: ${stderr}`);
  return lines;
}
