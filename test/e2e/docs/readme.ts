import { eventually } from '../../support/eventually';
import type { RunningSystem } from '../../support/local-run';
import { type Pasted, pastePages } from './pasted';

/** Separates the output of the parts. */
const MARK = '== the next part ==';

/** The parts of the README and of the page for programs, pasted one after the other. */
export function describeReadme(given: () => RunningSystem): void {
  describe('the README', () => {
    let pasted: Pasted;
    beforeAll(async () => {
      pasted = await pastePages(['README.md', 'docs/quick-start.md'], given());
    });
    afterAll(() => pasted?.end());

    test('the parts work when they are pasted one after the other', async () => {
      const parts = pasted.blocks.filter(({ kind }) => kind === 'bash').map(({ code }) => code);
      const [commandLine, http, client] = (await pasted.shell(parts.join(`\necho '${MARK}'\n`))).split(
        `${MARK}\n`,
      );
      expect(commandLine).toMatch(/Signed in.*Monday through Friday.*Created hello\..* succeeded /s);
      expect(http).toContain('"trigger":"manual"');
      expect(client).toMatch(/^fires at \d{4}-/);
      for (const request of ['POST /hook hello attempt 1', 'POST /report report attempt 1', 'POST /close '])
        await eventually(pasted.heard, (text) => text.includes(request));
    }, 300_000);
  });
}
