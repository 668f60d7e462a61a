import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readEntry, type ReadOptions } from '../../../lib/jobs-in-code/read-entry';
import { CodeProject, makePackage } from '../../support/code-project';

let tools: string;
let project: CodeProject;
beforeAll(() => {
  tools = mkdtempSync(join(tmpdir(), 'quarterjack-tools-'));
  makePackage(tools);
});
afterAll(() => rmSync(tools, { recursive: true }));
beforeEach(() => (project = new CodeProject(tools)));
afterEach(() => project.remove());

const IMPORT = "import { defineJob } from 'quarterjack/jobs';\n";
const read = (text: string, options: ReadOptions = {}) => {
  project.write('src/jobs.ts', IMPORT + text);
  return readEntry(join(project.dir, 'src/jobs.ts'), options);
};
const NIGHTLY = "export const nightly = defineJob({ id: 'nightly', run: () => 1 });\n";

test('its exported jobs count, and the others are named', () => {
  project.write(
    'src/more.ts',
    `${IMPORT}export enum Kind { Big = 'big' }\nexport default defineJob({ id: 'more', run: () => 1 });`,
  );
  const { jobs, unexported } = read(
    `import more, { Kind } from './more';\nconsole.log('noise');\n${NIGHTLY}` +
      "defineJob({ id: 'inner', tags: { kind: Kind.Big }, run: () => 1 });\nexport default { more };",
  );
  expect(jobs.map(({ jobId }) => jobId).toSorted()).toEqual(['more', 'nightly']);
  expect(unexported).toEqual(['inner']);
});

test('it sees PATH, UTC and what it is given, and no credentials', () => {
  process.env.AWS_SECRET_ACCESS_KEY = 'secret';
  try {
    const { jobs } = read(
      "export const a = defineJob({ id: 'a', payload: { names: Object.keys(process.env).sort().join(), tz: process.env.TZ }, run: () => 1 });",
      { defineEnv: { STAGE: 'prod' } },
    );
    expect(jobs[0]!.definition.payload).toEqual({ names: 'PATH,QUARTERJACK_DEFINE,STAGE,TZ', tz: 'UTC' });
  } finally {
    delete process.env.AWS_SECRET_ACCESS_KEY;
  }
});

test('it is read although it leaves a server open, and exits nothing of the synthesis', () => {
  const { jobs } = read(`import { createServer } from 'node:http';\ncreateServer().listen(0);\n${NIGHTLY}`);
  expect(jobs).toHaveLength(1);
});

test.each<[string, string, RegExp]>([
  [
    'throws',
    "console.error('no database');\nthrow new Error('set DB');",
    /jobs\.ts: the module failed\n[^]*no database[^]*set DB/,
  ],
  ['ends its process', 'process.exit(0);', /jobs\.ts: it ended before it was read/],
  [
    'has two jobs of one id',
    `${NIGHTLY}export const again = defineJob({ id: 'nightly', run: () => 2 });`,
    /two jobs have the id nightly/,
  ],
  [
    'has more than a megabyte',
    "export const a = defineJob({ id: 'a', payload: 'x'.repeat(1_100_000), run: () => 1 });",
    /more than 1048576 bytes/,
  ],
  ['imports what is not there', "import './gone';", /jobs\.ts: [^]*Could not resolve "\.\/gone"/],
])('a module that %s fails the synthesis', (_, text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('a module that never ends is killed, and its last lines are shown', () => {
  // It blocks its thread as a loop does, but leaves the processor to other tests.
  const endless =
    "console.error('waiting for the database');\nAtomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
  expect(() => read(endless)).toThrow(/jobs\.ts: it did not end within 20 s\nwaiting for the database/);
}, 60_000);
