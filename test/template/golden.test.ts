import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Golden, goldenOf } from './golden';
import { createStack } from './synth';

// One deployment alone: what is reviewed here, line by line, is what `prod` becomes. Another one would show
// each change twice. The other files have the rules for all sizes.
const DIRECTORY = join(__dirname, '../fixtures/golden-template');
const current = goldenOf(createStack({ stage: 'prod' }).stack);

/** One file per part: a diff then shows which part has changed, and parallel changes rarely conflict. */
function write(golden: Golden): void {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  for (const [part, resources] of Object.entries(golden))
    writeFileSync(join(DIRECTORY, `${part}.json`), `${JSON.stringify(resources, undefined, 1)}\n`);
}

if (process.env.QUARTERJACK_GOLDEN === 'write') write(current);

const kept = readdirSync(DIRECTORY).map((file) => file.replace('.json', ''));

describe('the template of prod equals the reviewed one; `npm run golden` accepts a change', () => {
  test('the parts', () => {
    expect(kept.toSorted()).toEqual(Object.keys(current).toSorted());
  });

  test.each(kept)('%s', (part) => {
    const golden: unknown = JSON.parse(readFileSync(join(DIRECTORY, `${part}.json`), 'utf8'));
    expect(current[part]).toEqual(golden);
  });
});
