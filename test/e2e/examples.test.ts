import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { type RunningSystem, startSystem } from '../support/local-run';

const EXAMPLES_DIR = resolve(__dirname, '../../examples');
/** What they share, and the demo, which starts a system of its own. */
const NOT_BY_THEMSELVES = ['example.ts', 'demo.ts'];

const names = readdirSync(EXAMPLES_DIR).filter(
  (name) => name.endsWith('.ts') && !NOT_BY_THEMSELVES.includes(name),
);
let run: RunningSystem;
beforeAll(async () => {
  run = await startSystem('--port', '0', '--ephemeral');
}, 120_000);
afterAll(() => run?.end(), 30_000);

test('there is one for each kind of schedule', () => {
  expect(names).toEqual(
    expect.arrayContaining(['order-timeout.ts', 'leaderboard.ts', 'release.ts', 'heartbeat.ts']),
  );
});

/** As its reader would run it. Each judges itself, and ends with 1 where what it shows is not so. */
test.each(names)(
  '%s',
  async (name) => {
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      QUARTERJACK_URL: run.url,
      QUARTERJACK_TOKEN: await run.token(name),
    };
    const example = promisify(execFile)(process.execPath, ['--import', 'tsx', join(EXAMPLES_DIR, name)], {
      env,
    });
    await expect(example).resolves.toMatchObject({ stderr: '' });
  },
  90_000,
);
