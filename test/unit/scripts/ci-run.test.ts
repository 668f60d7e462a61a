import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
/** What the run calls, in place of which something ends at once. */
const PROGRAMS = ['npm', 'npx', 'node', 'chromium', 'zsh', 'fish', 'go', 'python3'];

let dir: string;
let repository: string;
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ci-run-'));
  repository = join(dir, 'repository');
  mkdirSync(join(dir, 'bin'));
  for (const name of PROGRAMS) {
    const script = '#!/bin/sh\n[ "$2" != "$FAILS" ]\n';
    writeFileSync(join(dir, 'bin', name), script, { mode: 0o755 });
  }
  cpSync(join(ROOT, '.ci/run'), join(repository, '.ci/run'));
  writeFileSync(join(repository, '.gitignore'), '.quarterjack/\n');
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'a');
});
afterEach(() => rmSync(dir, { recursive: true }));

const run = (args: string[], fails = 'nothing') =>
  spawnSync(join(repository, '.ci/run'), args, {
    env: { ...process.env, FAILS: fails, PATH: `${join(dir, 'bin')}:${process.env.PATH}` },
  }).status;
const passed = (): string | undefined => {
  const file = join(repository, '.quarterjack/deep-passed');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
};

test('a deep run that passes notes its commit', () => {
  expect(run(['--deep'])).toBe(0);
  expect(passed()).toBe(git('rev-parse', 'HEAD'));
});

test.each([
  ['is not deep', () => expect(run([])).toBe(0)],
  ['failed', () => expect(run(['--deep'], 'test:mutants')).toBe(1)],
  [
    'had uncommitted changes',
    () => {
      writeFileSync(join(repository, 'new.ts'), '');
      expect(run(['--deep'])).toBe(0);
    },
  ],
])('a run that %s notes nothing', (_, act) => {
  act();
  expect(passed()).toBeUndefined();
});
