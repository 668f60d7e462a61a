import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Golden, goldenOf } from './golden';
import { makeStack } from './synth';

const DIRECTORY = join(__dirname, '../fixtures/golden-template');
const current = goldenOf(makeStack({ stage: 'prod' }).stack);

/** One file for each part, so that a change shows where it is, and two changes seldom meet. */
function write(golden: Golden): void {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  for (const [part, resources] of Object.entries(golden))
    writeFileSync(join(DIRECTORY, `${part}.json`), `${JSON.stringify(resources, undefined, 1)}\n`);
}

if (process.env.QUARTERJACK_GOLDEN === 'write') write(current);

const kept = readdirSync(DIRECTORY).map((file) => file.replace('.json', ''));

describe('the template of prod is the one that was looked at; a change that is meant is kept by `npm run golden`', () => {
  test('part by part', () => {
    expect(kept.toSorted()).toEqual(Object.keys(current).toSorted());
  });

  test.each(kept)('%s', (part) => {
    const golden: unknown = JSON.parse(readFileSync(join(DIRECTORY, `${part}.json`), 'utf8'));
    expect(current[part]).toEqual(golden);
  });
});
