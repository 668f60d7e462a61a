import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { eventually } from '../../support/eventually';
import type { RunningSystem } from '../../support/local-run';
import { type Pasted, pastePages } from './pasted';

const CLOSED = join(__dirname, '../../../.quarterjack/shop-is-closed');

/** What each step of the tutorial prints, and the calls that the shop then has had. */
const STEPS: readonly [step: string, printed: RegExp, calls: readonly string[]][] = [
  ['sign-in', /Signed in/, []],
  ['reminder', /Created remind-42\..* succeeded /s, ['/remind remind-42 attempt 1 200']],
  ['paid', /Created remind-43\..*remind-43 deleted/s, []],
  ['closed', / failed /, ['/remind remind-44 attempt 1 503', '/remind remind-44 attempt 2 503']],
  ['why', /remind-44.*failed/s, []],
  ['retry', / succeeded /, ['/remind remind-44 attempt 1 200']],
  ['calendar', /^(?:(?!Sat |Sun )[^])*Mon [^\n]*09:00(?:(?!Sat |Sun )[^])*Created daily-report\./, []],
  ['backfill', /dates +5\n[^]*dates +5\/5\n/, ['/report daily-report attempt 1 200']],
  ['code', /Nothing to do: 1 unchanged/, []],
  ['change', /target\.timeout +"30s" → "10s"[^]*Done: 1 of 1\./, []],
];

/**
 * What a reader types, for a user of its own, whose project has nothing but the jobs of the tutorial. `npx`
 * takes twice as long as what it starts, so only the commands of the page for programs begin with it.
 */
const asHere = (code: string): string =>
  code
    .replace('--user alice', '--user tutorial')
    .replaceAll('npx @quarterjack/cli', `'${process.execPath}' cli/bin.cjs`);

/** The tutorial, step by step. */
export function describeTutorial(given: () => RunningSystem): void {
  describe('the tutorial', () => {
    let pasted: Pasted;
    beforeAll(async () => {
      rmSync(CLOSED, { force: true });
      pasted = await pastePages(['docs/tutorial.md'], given());
    });
    afterAll(() => pasted?.end());

    test('each of its steps does what it says', async () => {
      const steps = pasted.blocks.filter(({ kind }) => kind !== 'target');
      expect(steps.map(({ kind }) => kind)).toEqual(STEPS.map(([step]) => step));
      for (const [index, [, printed, calls]] of STEPS.entries()) {
        expect(await pasted.shell(asHere(steps[index]!.code))).toMatch(printed);
        for (const call of calls) await eventually(pasted.heard, (text) => text.includes(call));
      }
      expect(pasted.heard().match(/\/report daily-report/g)).toHaveLength(5);
    }, 600_000);

    test('it has no command that is not tested, but for those that start the system', () => {
      expect(pasted.untested).toEqual(['npm ci\nnpm start -- --open\n']);
    });
  });
}
