import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import vm from 'node:vm';

import { buildSync } from 'esbuild';

import { constructSuite } from './construct';
import { contentsSuite } from './contents';
import { devSuite } from './dev';
import { jobsSuite } from './jobs';
import { movedSuite } from './moved';
import { programsOf } from './programs';
import { typesSuite } from './types';
import { CHECKOUT_DIR, STRICTEST, type UserFolder, userFolder } from './user-folder';

let packages: string;
let user: UserFolder;
const here = (): UserFolder => user;
const plain = programsOf(here, '--module', 'nodenext', '--types', 'node');
const strict = programsOf(here, ...STRICTEST);

beforeAll(() => {
  packages = mkdtempSync(join(tmpdir(), 'quarterjack-packages-'));
  const build = [join(CHECKOUT_DIR, 'scripts/build-package.mjs'), '--pack', '--out', packages];
  execFileSync(process.execPath, build, { stdio: 'ignore' });
  user = userFolder(packages);
  // All at once: a later install would remove what tests link beside them, and what is behind the links.
  user.install('quarterjack', 'quarterjack-cli', 'quarterjack-cdk');
  for (const types of ['@types', 'undici-types'])
    symlinkSync(join(CHECKOUT_DIR, 'node_modules', types), join(user.dir, 'node_modules', types));
});
afterAll(() => {
  for (const dir of [user.dir, packages]) rmSync(dir, { recursive: true });
});

test('a bundle for browsers has the client without Node.js', async () => {
  user.write(
    'page.js',
    `import { Quarterjack } from 'quarterjack';
globalThis.job = new Quarterjack({ url: 'https://api.test', token: 'a.b.c' }).jobs.get('a');`,
  );
  const options = { absWorkingDir: user.dir, bundle: true, platform: 'browser', write: false } as const;
  const [page] = buildSync({ ...options, entryPoints: ['page.js'] }).outputFiles;
  expect(page?.text).not.toContain('node:');

  const fetch = ({ url }: Request) => Promise.resolve(Response.json({ jobId: url }));
  const context = vm.createContext({
    AbortSignal,
    fetch,
    FormData,
    Headers,
    Request,
    Response,
    setTimeout,
    URL,
    URLSearchParams,
  });
  vm.runInContext(page?.text ?? '', context);
  await expect(context.job).resolves.toMatchObject({ jobId: 'https://api.test/v1/jobs/a' });
});

test('a bundle for browsers that imports a delivery fails', () => {
  user.write('receiver.js', "import { verifyDelivery } from 'quarterjack';\nverifyDelivery();");
  const options = { absWorkingDir: user.dir, bundle: true, platform: 'browser', logLevel: 'silent' } as const;
  expect(() => buildSync({ ...options, entryPoints: ['receiver.js'], write: false })).toThrow(
    'No matching export',
  );
});

plain.add(
  'program.mts',
  `import { type Execution, Quarterjack } from 'quarterjack';
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
test('TypeScript accepts correct calls, and rejects wrong ones', () => {
  expect(plain.faultsOf('program.mts')).toEqual([]);
});

strict.add(
  'worker.ts',
  `import { type StandardSchema, Worker } from 'quarterjack/worker';
declare const schema: StandardSchema<{ table: string }>;
export const worker = new Worker({
  url: '',
  queue: 'warehouse',
  schema,
  handler: async ({ payload, attempt }, { signal, log }) => {
    const table: string = payload.table;
    // @ts-expect-error: the schema has no such field
    payload.rows;
    log(\`\${table} \${attempt} \${signal.aborted}\`, 'stderr');
  },
});
`,
);
test('a worker can be imported and required, and its payload has the type of its schema', () => {
  const program = `try { new Worker({ url: 'http://127.0.0.1:1', queue: 'q', concurrency: 0, handler: () => 1 }); }
catch (error) { console.log(error instanceof QuarterjackError, error.message); }`;
  user.write('worker.mjs', `import { QuarterjackError, Worker } from 'quarterjack/worker';${program}`);
  user.write('worker.cjs', `const { QuarterjackError, Worker } = require('quarterjack/worker');${program}`);
  for (const file of ['worker.mjs', 'worker.cjs'])
    expect(user.run(process.execPath, file)).toBe('true concurrency is 0; expected 1 to 100\n');
  expect(strict.faultsOf('worker.ts')).toEqual([]);
});

describe.each([
  [
    'the checkout',
    'close-of-checkout.ts',
    join(CHECKOUT_DIR, 'docs/quick-start.md'),
    /close\.ts <<'END'\n(.*?)^END$/ms,
  ],
  ['the package', 'close-of-package.ts', 'node_modules/quarterjack/README.md', /```ts\n(.*?)```/s],
])('the first program for a reader of %s', (_, file, readme, block) => {
  const program = () => block.exec(readFileSync(resolve(user.dir, readme), 'utf8'))?.[1] ?? '';
  strict.add(file, program);
  test('compiles under strict settings', () => {
    expect(program()).toContain('new Quarterjack({');
    expect(strict.faultsOf(file)).toEqual([]);
  });
});

test.each(['client', 'cli', 'cdk'])(
  'the README of the %s links to nothing outside, and names no command of a checkout',
  (name) => {
    const readme = readFileSync(join(packages, name, 'README.md'), 'utf8');
    expect(readme).not.toMatch(/\]\((?!https:)|npm (?:ci|start|run)/);
  },
);

strict.add(
  'options.ts',
  `import { Attempt, type Delivery, FenceGuard, Quarterjack, verifyDelivery } from 'quarterjack';
declare const some: { text?: string; number?: number; signal?: AbortSignal; flag?: boolean };
const { text, number, signal, flag } = some;
const client = new Quarterjack({ url: '', token: text, retry: undefined, surroundings: undefined });
declare const delivery: Delivery;
const attempt = Attempt.from(delivery, { origin: '', retry: undefined, surroundings: undefined });
export const all = [
  client.jobs.get('a', { signal }),
  client.jobs.run('a', {}, { signal, idempotencyKey: text }),
  client.jobs.patch('a', {}, { ifMatch: text }),
  client.preview('rate(5 minutes)', { count: number, from: text }),
  client.executions.wait('a', 'b', { timeoutMs: number, intervalMs: number }),
  attempt?.fail('x', { retriable: flag }),
  attempt?.run(() => Promise.resolve(), { everyMs: number }),
  verifyDelivery(text, {}, { secret: '', toleranceSec: number, nowMs: number }),
  verifyDelivery(text, {}, { secret: '', legacy: flag }),
  new FenceGuard().admit(verifyDelivery(text, {}, { secret: '' })),
  verifyDelivery(new Request(''), { secret: '' }).then((sent) => new FenceGuard().admit(sent)),
];
`,
);
test('options can be undefined, as values of the environment are', () => {
  expect(strict.faultsOf('options.ts')).toEqual([]);
});

test('TypeScript for browsers knows the client without Node.js types, and no deliveries', () => {
  user.write(
    'page.ts',
    `import { Quarterjack } from 'quarterjack';
// @ts-expect-error: browsers receive no deliveries
import { verifyDelivery } from 'quarterjack';
export const client = new Quarterjack({ url: 'https://api.test' });
export const first = async (): Promise<string | undefined> => (await client.jobs.list().toArray(1))[0]?.jobId;
`,
  );
  const forBrowsers = ['--module', 'preserve', '--customConditions', 'browser', '--lib', 'es2023,dom'];
  expect(user.typeReport(['page.ts'], ...forBrowsers, '--types', '')).toEqual([]);
});

test('each way of loading the client and a worker gives the same classes', () => {
  user.write(
    'classes.mjs',
    `import { createRequire } from 'node:module';
import * as imported from 'quarterjack';
import { FatalError, QuarterjackError } from 'quarterjack/worker';
const require = createRequire(import.meta.url);
const required = require('quarterjack');
const classes = Object.keys(required).filter((name) => name.endsWith('Error'));
console.log(classes.length > 10, classes.every((name) => required[name] === imported[name]));
console.log(FatalError === require('quarterjack/worker').FatalError, QuarterjackError === imported.QuarterjackError);
`,
  );
  expect(user.run(process.execPath, 'classes.mjs')).toBe('true true\ntrue true\n');
});

test('npm pack in the checkout refuses, and names the right command', () => {
  const { status, stderr } = spawnSync('npm', ['pack', '--pack-destination', user.dir], {
    cwd: CHECKOUT_DIR,
    encoding: 'utf8',
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain('npm run package -- --pack');
});

function expectCommandLine({ run }: UserFolder): void {
  for (const command of ['@quarterjack/cli', 'quarterjack'])
    expect(run('npx', '--no-install', command, '--version')).toBe('0.1.0\n');
  expect(run('npx', '--no-install', 'quarterjack', 'jobs', '--help')).toContain('create');
}

test('the command line runs from its package alone', () => {
  const other = userFolder(packages);
  try {
    other.install('quarterjack-cli');
    expectCommandLine(other);
  } finally {
    rmSync(other.dir, { recursive: true });
  }
});

test('the command line runs beside the client, whose command has the same name', () => {
  expectCommandLine(user);
});

test('npx finds the command line in a checkout, built from its sources', () => {
  const npx = ['--no-install', '@quarterjack/cli', '--version'];
  expect(execFileSync('npx', npx, { cwd: CHECKOUT_DIR, encoding: 'utf8' })).toBe('0.1.0\n');
});

typesSuite(here);
jobsSuite(here, strict);
constructSuite(here);
movedSuite(here, plain, () => join(packages, 'client/bin.js'));
contentsSuite(here);
devSuite(
  () => userFolder(packages),
  () => join(user.dir, 'node_modules/@quarterjack/cli/bin.cjs'),
);
