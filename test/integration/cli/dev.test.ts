import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CodeProject, makePackage } from '../../support/code-project';
import { eventually } from '../../support/eventually';
import { DevRun, loadedBy } from './dev-run';

let tools: string;
let project: CodeProject;
let run: DevRun;

beforeAll(() => {
  tools = mkdtempSync(join(tmpdir(), 'quarterjack-dev-tools-'));
  makePackage(tools);
});
afterAll(() => rmSync(tools, { recursive: true }));

const IMPORTS = "import { defineJob, every } from 'quarterjack/jobs';\n";
/** A job that says a word each second. */
const job = (id: string, text: string) =>
  `export const ${id} = defineJob({ id: '${id}', schedule: every('1s'), run() { ${text} } });\n`;
const says = (text: string) => `console.log(${text});`;

function makeProject(): void {
  project = new CodeProject(tools);
  project.has('tsx');
  project.write('src/word.ts', "export const word: string = 'one';");
  project.write(
    'src/jobs.ts',
    `${IMPORTS}import { word } from './word';\n${job('tick', says('`says ${word}`'))}`,
  );
}

describe('a module of TypeScript', () => {
  beforeAll(async () => {
    makeProject();
    const variables = says('`has ${process.env.TZ} ${process.env.QUARTERJACK_URL} ${process.env.OWN}`');
    project.write('src/more.ts', `${IMPORTS}${job('more', variables)}`);
    run = new DevRun(project.dir, ['src/jobs.ts'], {
      TZ: 'Asia/Tokyo',
      OWN: 'x',
      QUARTERJACK_URL: 'https://prod',
    });
    await run.connection;
  });
  afterAll(async () => {
    await run.end('SIGKILL'); // of a run that a failed test has left
    project.remove();
  });

  test('is served, with a first line that says where, and its jobs fire', async () => {
    const { url, consoleUrl, secret, target } = await run.connection;
    expect([consoleUrl, secret]).toEqual([
      expect.stringMatching(`^${url}/console/`),
      expect.stringMatching(/^whsec_/),
    ]);
    await run.says('says one');
    expect(await run.api('jobs/tick')).toMatchObject({
      target,
      tags: { 'quarterjack/source': 'dev' },
      misfire: { policy: 'skip' },
    });
  });

  test('is swapped when a file that it imports changes', async () => {
    project.write('src/word.ts', "export const word: string = 'two';");
    expect(await run.says('src/jobs.ts: 1 job')).toBe('src/jobs.ts: 1 job, unchanged');
    await run.says('says two');
  });

  test('that is wrong keeps the program that was there', async () => {
    project.write('src/word.ts', 'export const word: string = ;');
    expect(await run.says('src/word.ts:1:')).toContain('ERROR: Unexpected');
    await run.says('The jobs stay as they were.');
    await run.says('says two');
    project.write('src/word.ts', "export const word: string = 'three';");
    await run.says('says three');
  });

  test('gets the environment of the terminal, but for where the API is', async () => {
    const { url } = await run.connection;
    project.write('src/jobs.ts', `export * from './more';`);
    expect(await run.says('src/jobs.ts: 1 job')).toBe('src/jobs.ts: 1 job, 1 added, 1 removed');
    await run.says(`has Asia/Tokyo ${url} x`);
    expect(await run.api('jobs/tick')).toMatchObject({ status: 404 });
  });

  test('leaves jobs of another source alone', async () => {
    const { target } = await run.connection;
    const other = {
      jobId: 'theirs',
      schedule: { type: 'none' },
      target,
      tags: { 'quarterjack/source': 'shop' },
    };
    await run.api('jobs', other);
    project.write('src/jobs.ts', IMPORTS + job('theirs', says('"mine"')) + job('mine', says('"mine"')));
    await run.says('theirs is a job of shop, and not of dev');
    await run.says('The jobs stay as they were.');
    project.write('src/jobs.ts', IMPORTS + job('mine', says('"mine"')));
    await run.says('src/jobs.ts: 1 job, 1 added, 1 removed');
    await run.says('mine');
    expect(await run.api('jobs/theirs')).toMatchObject({
      schedule: { type: 'none' },
      tags: { 'quarterjack/source': 'shop' },
    });
  });

  test('gets a job that it does not know later again: a newer program may', async () => {
    const { execId } = await run.api('jobs/theirs/run', {});
    const attempt = await attemptOf('theirs', execId);
    expect(attempt).toMatchObject({ outcome: 'retriable', error: 'target answered 503' });
  });

  test('may ask for a run of its own job, until four deliveries would follow each other', async () => {
    const again =
      "export const again = defineJob({ id: 'again', retry: { maxAttempts: 1 }, async run() { await again.trigger({}); } });";
    project.write('src/jobs.ts', `${IMPORTS}${again}\n`);
    await run.says('1 added, 1 removed');
    const first = await run.api('jobs/again/run', {});
    expect(await attemptOf('again', first.execId)).toMatchObject({ outcome: 'succeeded' });
    const listed = async (): Promise<any[]> => (await run.api('jobs/again/executions')).items;
    const all = await eventually(listed, (items) => items.some(({ status }) => status === 'failed'));
    const refused = all.find(({ status }) => status === 'failed');
    expect(refused.result.body).toContain('use retry or an interval');
    expect(await listed()).toHaveLength(3);
  });

  test('whose job ends the process is started again', async () => {
    // It leaves once: the next start would wait longer each time.
    const once = `if (existsSync('left')) return; writeFileSync('left', ''); ${says('"leaves now"')} process.exit(7);`;
    project.write(
      'src/jobs.ts',
      `import { existsSync, writeFileSync } from 'node:fs';\n${IMPORTS}${job('leaves', once)}${job('stays', says('"stays"'))}`,
    );
    await run.says('leaves now');
    const said = await run.says('The program of the jobs has ended');
    expect(said).toBe('The program of the jobs has ended (exit code 7). It is started again.');
    await run.says('stays');
  });

  test('whose job never ends is swapped too, and the API answers meanwhile', async () => {
    // Like a loop without an end, it lets nothing else run. It leaves the processor to other tests.
    const blocks = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
    project.write('src/jobs.ts', IMPORTS + job('busy', `${says('"busy for ever"')} ${blocks}`));
    await run.says('busy for ever');
    expect(await run.api('jobs/busy')).toMatchObject({ jobId: 'busy' });
    project.write('src/jobs.ts', IMPORTS + job('calm', says('"calm again"')));
    await run.says('calm again');
  });

  test('leaves nothing after SIGINT', () => expectNothingAfter('SIGINT'));
});

/** Ends a run whose jobs are served. All that it has started goes with it. */
async function expectNothingAfter(signal: NodeJS.Signals): Promise<void> {
  const { url, target } = await run.connection;
  expect(await run.end(signal)).toBe(signal === 'SIGKILL' ? null : 0);
  for (const one of [url, target.url]) await expect(fetch(one)).rejects.toThrow('fetch failed');
}

/** The first attempt of an execution, once it has ended. */
async function attemptOf(jobId: string, execId: string): Promise<unknown> {
  const ask = async () => (await run.api(`jobs/${jobId}/executions/${execId}`)).attempts[0];
  return eventually(ask, (attempt) => Boolean(attempt?.outcome));
}

describe('a run with its jobs', () => {
  beforeEach(() => makeProject());
  afterEach(() => project.remove());

  test('leaves nothing after SIGHUP', async () => {
    run = new DevRun(project.dir, ['src/jobs.ts']);
    await run.says('says one');
    await expectNothingAfter('SIGHUP');
  });

  test('has paused jobs, variables and kept data by its flags; SIGKILL and SIGTERM leave nothing', async () => {
    project.write('dev.env', 'OWN=of-file\nTZ=Europe/Berlin\n');
    const flags = [
      'src/jobs.ts',
      '--no-schedules',
      '--env-file',
      'dev.env',
      '--data',
      'kept',
      '--source',
      'app',
    ];
    project.write('src/jobs.ts', IMPORTS + job('tick', says('`${process.env.OWN} ${process.env.TZ}`')));
    run = new DevRun(project.dir, flags, { TZ: 'Asia/Tokyo' });
    await run.connection;
    expect(await run.api('jobs/tick')).toMatchObject({
      status: 'paused',
      tags: { 'quarterjack/source': 'app' },
    });
    await run.api('jobs/tick/run', {});
    await run.says('of-file Asia/Tokyo');
    project.write('dev.env', 'OWN=changed\n');
    await run.says('1 job, unchanged');
    await run.api('jobs/tick/run', {});
    await run.says('changed Asia/Tokyo');
    await expectNothingAfter('SIGKILL');
    run = new DevRun(project.dir, flags);
    // It answers where it did before.
    await run.says('src/jobs.ts: 1 job, unchanged');
    expect(await run.api('jobs/tick')).toMatchObject({ status: 'paused' });
    await run.api('jobs/tick/run', {});
    await run.says('changed undefined');
    await expectNothingAfter('SIGTERM');
  });

  test('that cannot start says why, and leaves nothing', async () => {
    run = new DevRun(project.dir, ['src/jobs.ts', '--data', 'package.json/data']);
    await expect(run.connection).rejects.toThrow('package.json/data cannot be written');
    expect(await run.end('SIGTERM')).toBe(1);
  });
});

describe('the files of a program, by what reads it', () => {
  const MODULE = `${IMPORTS}import { word } from './word.js';\n${job('tick', says('word'))}`;
  const COMMON =
    "const { defineJob } = require('quarterjack/jobs');\nconst { word } = require('./word.cjs');\n";
  beforeEach(() => {
    project = new CodeProject(tools);
    project.write('word.js', "export const word = 'one';");
    project.write('word.cjs', "exports.word = 'one';");
  });
  afterEach(() => project.remove());

  test.each([
    ['tsx', 'jobs.ts', MODULE, 'word.js'],
    ['esbuild', 'jobs.ts', MODULE, 'word.js'],
    ['node', 'jobs.mjs', MODULE, 'word.js'],
    ['node', 'jobs.cjs', `${COMMON}exports.tick = defineJob({ id: 'tick', run() {} });`, 'word.cjs'],
  ])('%s: %s', async (reader, file, text, imported) => {
    if (reader !== 'node') project.has(reader);
    project.write(file, text);
    const message = await loadedBy(project.dir, file, reader);
    expect(message).toMatchObject({ jobs: [{ jobId: 'tick' }] });
    expect(message.files.toSorted()).toEqual([file, imported].map((name) => join(project.dir, name)));
  });

  test.each(['tsx', 'esbuild', 'node'])('%s: of one that cannot be read', async (reader) => {
    if (reader !== 'node') project.has(reader);
    project.write('jobs.mjs', MODULE);
    project.write('word.js', 'export const word = ;');
    const message = await loadedBy(project.dir, 'jobs.mjs', reader);
    expect(message.error).toContain('jobs.mjs: the module failed');
    expect(message.files).toEqual(expect.arrayContaining([join(project.dir, 'word.js')]));
  });
});
