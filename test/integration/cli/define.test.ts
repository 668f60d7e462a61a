import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

import { CHECKOUT_DIR, CodeProject, makePackage } from '../../support/code-project';

const STRIPS_TYPES = Boolean((process.features as { typescript?: unknown }).typescript);
const TIMEOUT_MS = 120_000;

let tools: string;
let program: string;
let project: CodeProject;
let dir: string;

/** The command line in one file, and the package `quarterjack` as users get it. */
beforeAll(() => {
  tools = mkdtempSync(join(tmpdir(), 'quarterjack-define-tools-'));
  program = join(tools, 'cli/quarterjack.cjs');
  buildSync({
    absWorkingDir: CHECKOUT_DIR,
    entryPoints: ['cli/start.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    outfile: program,
  });
  makePackage(tools);
}, TIMEOUT_MS);
afterAll(() => rmSync(tools, { recursive: true }));

beforeEach(() => {
  project = new CodeProject(tools);
  ({ dir } = project);
});
afterEach(() => project.remove());

const write = (file: string, text: string) => project.write(file, text);
const has = (tool: string) => project.has(tool);

function define(...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: dir, SECRET_OF_DEPLOYER: 'x' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'define', ...args], {
    cwd: dir,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const manifest = (...jobs: object[]) => ({ format: 'quarterjack.jobs/1', source: 'shop', jobs });
const IMPORTS = "import { after, defineJob, every } from 'quarterjack/jobs';\n";
const REPORT = "defineJob({ id: 'report', schedule: every('1h'), run: () => undefined })";
/** What each job has that has no schema. */
const UNSCHEMED = { unchecked: [], schemaFrom: 'none' };
const REPORT_JOB = {
  jobId: 'report',
  definition: { schedule: { type: 'interval', every: '1h' } },
  ...UNSCHEMED,
};

describe('a module of JavaScript', () => {
  test('is printed by the ids of its jobs, with the same bytes each time', () => {
    write(
      'jobs.mjs',
      `${IMPORTS}export const report = ${REPORT};
export const clean = defineJob({ id: 'clean', schedule: after(report), paused: true, timeout: '2m', run() {} });
export default report;
const own = defineJob({ id: 'own', run() {} });
console.log('noise'); console.error('more');
setInterval(() => undefined, 1_000);`,
    );
    const first = define('jobs.mjs');
    expect(JSON.parse(first.stdout)).toEqual(
      manifest(
        {
          jobId: 'clean',
          paused: true,
          definition: { timeout: '2m', schedule: { type: 'after', jobs: ['report'] } },
          ...UNSCHEMED,
        },
        REPORT_JOB,
      ),
    );
    expect(first.stderr).toBe('jobs.mjs does not export these jobs, so they do not count: own\n');
    expect(define('jobs.mjs').stdout).toBe(first.stdout);
  });

  test('is read twice on request, and names the field that differs', () => {
    const module = (made: string) =>
      `${IMPORTS}export const report = defineJob({ id: 'report', tags: { made: ${made} }, run() {} });`;
    write('jobs.mjs', module('String(process.hrtime.bigint())'));
    const { status, stdout, stderr } = define('jobs.mjs', '--check-deterministic');
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(
      /jobs\.mjs differs each time .*:\n {2}report\.definition\.tags\.made: "\d+", then "\d+"/,
    );
    write('jobs.mjs', module("'by hand'"));
    const { status: same, stdout: text } = define('jobs.mjs', '--check-deterministic');
    expect([same, text]).toEqual([0, define('jobs.mjs').stdout]);
  });

  test('brings the JSON Schema of what its jobs take, where its library has one', () => {
    has('zod');
    write(
      'jobs.mjs',
      `${IMPORTS}import * as z from 'zod';
export const receipt = defineJob({ id: 'receipt', schema: z.object({ orderId: z.string().min(3).regex(/^A-/) }), run() {} });
export const due = defineJob({ id: 'due', schema: z.object({ at: z.coerce.date() }), run() {} });`,
    );
    const { stdout, stderr } = define('jobs.mjs');
    const [due, receipt] = (JSON.parse(stdout) as { jobs: object[] }).jobs;
    expect(due).toEqual({ jobId: 'due', definition: { schedule: { type: 'none' } }, ...UNSCHEMED });
    expect(receipt).toMatchObject({
      schemaFrom: 'standard-json-schema',
      unchecked: ['/properties/orderId/pattern'],
      payloadSchema: { properties: { orderId: { type: 'string', minLength: 3 } }, required: ['orderId'] },
    });
    expect(stderr).toContain('The server cannot check these payloads; the program does: due: Date cannot be');
  });

  test('is read in CommonJS too', () => {
    write(
      'jobs.cjs',
      `const { defineJob, every } = require('quarterjack/jobs');\nexports.report = ${REPORT};`,
    );
    expect(JSON.parse(define('jobs.cjs').stdout)).toEqual(manifest(REPORT_JOB));
  });

  test('gets no environment but what --env sets', () => {
    write(
      'jobs.mjs',
      `${IMPORTS}const names = Object.keys(process.env).filter((name) => !name.startsWith('__')).sort();
export const report = defineJob({ id: 'report', payload: { names, stage: process.env.STAGE }, run() {} });`,
    );
    const { stdout } = define('jobs.mjs', '--env', 'STAGE=prod', '--source', 'other');
    const { source, jobs } = JSON.parse(stdout) as {
      source: string;
      jobs: { definition: { payload: object } }[];
    };
    expect(source).toBe('other');
    expect(jobs[0]!.definition.payload).toEqual({
      names: ['PATH', 'QUARTERJACK_DEFINE', 'STAGE', 'TZ'],
      stage: 'prod',
    });
  });

  test.each([
    ['throws', "throw new Error('no DB')", 'the module failed: Error: no DB'],
    ['ends the process', "console.error('bye'); process.exit(0)", 'it ended before it was read\nbye'],
    [
      'defines too much',
      `${IMPORTS}export const a = defineJob({ id: 'a', payload: 'x'.repeat(2e6), run() {} })`,
      'more than 1048576 bytes',
    ],
    [
      'has two jobs of one id',
      `${IMPORTS}export const a = ${REPORT};\nexport const b = ${REPORT};`,
      'two jobs have the id report',
    ],
    ['imports what is not there', "import './gone.mjs'", 'gone.mjs'],
  ])('that %s is wrong, and the message says why', (_, text, message) => {
    write('jobs.mjs', text);
    const { status, stdout, stderr } = define('jobs.mjs');
    expect([status, stdout, stderr]).toEqual([3, '', expect.stringContaining(message)]);
  });

  test('that never ends is ended after 20 s, and its last lines are shown', () => {
    write(
      'jobs.mjs',
      "console.error('waiting for the network');\nawait new Promise(() => setInterval(() => undefined, 1_000));",
    );
    const { status, stderr } = define('jobs.mjs');
    expect(status).toBe(3);
    expect(stderr).toContain('it did not end within 20 s\nwaiting for the network');
  });

  test('goes into a file with --out', () => {
    write('jobs.mjs', `${IMPORTS}export const report = ${REPORT};`);
    expect(define('jobs.mjs', '--out', 'jobs.manifest.json').stdout).toBe('');
    expect(existsSync(join(dir, 'jobs.manifest.json'))).toBe(true);
  });

  test('of a project without the package needs it', () => {
    unlinkSync(join(dir, 'node_modules/quarterjack'));
    write('jobs.mjs', IMPORTS);
    expect(define('jobs.mjs').stderr).toContain('the project has no package quarterjack: npm i quarterjack');
  });
});

/** What Node.js alone reads, and what it does not. */
const PLAIN = `${IMPORTS}const every1: string = '1h';\nexport const report = defineJob({ id: 'report', schedule: every(every1), run: () => undefined });`;
const HARD = `${IMPORTS}import { unit } from './unit';
enum Length { hour = 1 }
export const report = defineJob({ id: 'report', schedule: every(\`\${Length.hour}\${unit}\`), run: () => undefined });`;

describe('a module of TypeScript', () => {
  beforeEach(() => write('unit.ts', "export const unit: string = 'h';"));

  test.each(['tsx', 'esbuild'])('is read by the %s of its project, enums and all', (tool) => {
    has(tool);
    write('jobs.ts', HARD);
    const { stdout, stderr } = define('jobs.ts');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(manifest(REPORT_JOB));
    const cache = join(dir, 'node_modules/.cache/quarterjack');
    expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([]);
  });

  test('is read by Node.js alone, if that can, or needs a tool', () => {
    write('jobs.ts', PLAIN);
    const { status, stdout, stderr } = define('jobs.ts');
    if (STRIPS_TYPES) return expect(JSON.parse(stdout)).toEqual(manifest(REPORT_JOB));
    return expect([status, stderr]).toEqual([3, expect.stringContaining('npm i -D tsx')]);
  });

  test.each([
    ['an enum', `${IMPORTS}enum A { b }\nexport const report = ${REPORT};`, 'jobs.ts'],
    [
      'a name without an extension',
      `import './unit';\n${IMPORTS}export const report = ${REPORT};`,
      'jobs.ts',
    ],
    ['JSX', `${IMPORTS}export const report = ${REPORT};`, 'jobs.tsx'],
  ])('with %s and without a tool says the cure', (_, text, file) => {
    write(file, text);
    const { status, stderr } = define(file);
    expect([status, stderr]).toEqual([3, expect.stringContaining('npm i -D tsx')]);
  });
});
