import { execFile, type PromiseWithChild } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import type { RunningSystem } from '../../support/local-run';

const EXAMPLES_DIR = resolve(__dirname, '../../../examples');
/** The code that the examples share, and the demo, which starts its own local run. */
const EXCLUDED = ['example.ts', 'demo.ts'];
/** It waits a minute for a probe, in a system of its own. */
const LONG = 'nightly-etl.ts';

const names = readdirSync(EXAMPLES_DIR).filter(
  (name) => name.endsWith('.ts') && ![...EXCLUDED, LONG].includes(name),
);
let system: RunningSystem;

/** Runs an example as a reader would. An example exits with code 1 if its feature did not work. */
function run(name: string, token: string): PromiseWithChild<{ stderr: string }> {
  const env = { ...process.env, NODE_OPTIONS: '', QUARTERJACK_URL: system.url, QUARTERJACK_TOKEN: token };
  return promisify(execFile)(process.execPath, ['--import', 'tsx', join(EXAMPLES_DIR, name)], { env });
}

/** Each example but the long one. */
export function describeExamples(given: () => RunningSystem): void {
  describe('an example', () => {
    beforeAll(() => {
      system = given();
    });

    test('there is an example for each kind of schedule', () => {
      expect(names).toEqual(
        expect.arrayContaining(['order-timeout.ts', 'leaderboard.ts', 'release.ts', 'heartbeat.ts']),
      );
    });

    test.each(names)('%s', async (name) => {
      await expect(run(name, await system.token(name))).resolves.toMatchObject({ stderr: '' });
    });
  });
}

/** The long example runs beside all other tests. Returns what adds its test, which belongs after them. */
export function beginLongExample(given: () => RunningSystem): () => void {
  let long: ReturnType<typeof run> | undefined;
  beforeAll(async () => {
    system = given();
    long = run(LONG, await system.token(LONG));
    long.catch(() => undefined); // its test gets the error
  });
  afterAll(() => void long?.child.kill());
  return () =>
    test(`the example ${LONG}`, async () => {
      await expect(long).resolves.toMatchObject({ stderr: '' });
    });
}
