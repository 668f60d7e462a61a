import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const CHECKOUT_DIR = resolve(__dirname, '../../..');
/** Building, packing and installing on a busy machine. */
jest.setTimeout(120_000);

let dir: string;
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Builds the package, and installs it in a project of its own, without a network: it needs no other package. */
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'quarterjack-package-'));
  execFileSync(process.execPath, [join(CHECKOUT_DIR, 'scripts/build-package.mjs')], { stdio: 'ignore' });
  run('npm', 'pack', '--silent', '--pack-destination', dir, join(CHECKOUT_DIR, 'dist/package'));
  writeFileSync(join(dir, 'package.json'), '{ "name": "user", "private": true }');
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', './quarterjack-0.1.0.tgz');
});
afterAll(() => rmSync(dir, { recursive: true }));

const PROGRAM = `
const client = new Quarterjack({ url: 'http://127.0.0.1:1', retry: { maxTries: 1 } });
client.jobs.get('a').catch((error) => console.log(error instanceof ConnectionError, typeof verifyDelivery));
`;
const NAMES = '{ ConnectionError, Quarterjack, verifyDelivery }';

test('an ES module imports the client', () => {
  writeFileSync(join(dir, 'program.mjs'), `import ${NAMES} from 'quarterjack/client';${PROGRAM}`);
  expect(run(process.execPath, 'program.mjs')).toBe('true function\n');
});

test('a CommonJS module requires it', () => {
  writeFileSync(join(dir, 'program.cjs'), `const ${NAMES} = require('quarterjack/client');${PROGRAM}`);
  expect(run(process.execPath, 'program.cjs')).toBe('true function\n');
});

test('TypeScript knows its types, and what they refuse', () => {
  symlinkSync(join(CHECKOUT_DIR, 'node_modules/@types'), join(dir, 'node_modules/@types'));
  symlinkSync(join(CHECKOUT_DIR, 'node_modules/undici-types'), join(dir, 'node_modules/undici-types'));
  writeFileSync(
    join(dir, 'program.mts'),
    `import { type Execution, Quarterjack } from 'quarterjack/client';
const client = new Quarterjack({ url: 'http://127.0.0.1:1' });
const target = { type: 'http' as const, url: 'https://example.com' };
export async function use(): Promise<Execution[]> {
  const job = await client.jobs.create({ schedule: { type: 'delay', delay: '10m' }, target });
  const priority: 'highest' | 'high' | 'medium' | 'low' | 'lowest' = job.priority;
  // @ts-expect-error: no such priority
  await client.jobs.put(job.jobId, { schedule: 'rate(5 minutes)', target, priority: 'urgent' }, { ifMatch: job.etag });
  // @ts-expect-error: a schedule needs a type
  await client.preview({ expression: '0 9 * * *' });
  for await (const { status } of client.executions.list(job.jobId, { status: 'failed' })) console.log(status, priority);
  return client.executions.list(job.jobId).toArray();
}
`,
  );
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const tsc = join(CHECKOUT_DIR, 'node_modules/typescript/bin/tsc');
  run(process.execPath, tsc, ...flags, '--ignoreConfig', 'program.mts');
});

test('the command line runs', () => {
  expect(run('npx', '--no-install', 'quarterjack', '--version')).toBe('0.1.0\n');
  expect(run('npx', '--no-install', 'quarterjack', 'jobs', '--help')).toContain('create');
});

test('the command line runs from the checkout, from its sources', () => {
  const bin = join(CHECKOUT_DIR, 'cli/bin.cjs');
  expect(run(process.execPath, bin, '--version')).toBe('0.1.0\n');
});
