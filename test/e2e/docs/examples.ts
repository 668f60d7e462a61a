import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import type { RunningSystem } from '../../support/local-run';

const EXAMPLES_DIR = resolve(__dirname, '../../../examples');
/** The code that the examples share, and the demo, which starts its own local run. */
const EXCLUDED = ['example.ts', 'demo.ts'];

const names = readdirSync(EXAMPLES_DIR).filter((name) => name.endsWith('.ts') && !EXCLUDED.includes(name));
let run: RunningSystem;

/** Each example, as a reader runs it. */
export function describeExamples(given: () => RunningSystem): void {
  describe('an example', () => {
    beforeAll(async () => {
      run = given();
    });

    test('there is an example for each kind of schedule', () => {
      expect(names).toEqual(
        expect.arrayContaining(['order-timeout.ts', 'leaderboard.ts', 'release.ts', 'heartbeat.ts']),
      );
    });

    /** Runs each example as a reader would. An example exits with code 1 if its feature did not work. */
    test.each(names)('%s', async (name) => {
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
    });
  });
}
