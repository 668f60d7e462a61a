import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import vm from 'node:vm';

import { buildSync } from 'esbuild';

const CHECKOUT_DIR = resolve(__dirname, '../../..');

let dir: string;
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Builds the package, and installs it in a new project without a network: it depends on no other package. */
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'quarterjack-package-'));
  execFileSync(process.execPath, [join(CHECKOUT_DIR, 'scripts/build-package.mjs')], { stdio: 'ignore' });
  run('npm', 'pack', '--silent', '--pack-destination', dir, join(CHECKOUT_DIR, 'dist/package'));
  writeFileSync(join(dir, 'package.json'), '{ "name": "user", "private": true }');
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', './quarterjack-0.1.0.tgz');
});
afterAll(() => rmSync(dir, { recursive: true }));

test('a bundle for browsers has the client without Node.js', async () => {
  writeFileSync(
    join(dir, 'page.js'),
    `import { Quarterjack } from 'quarterjack/client';
globalThis.job = new Quarterjack({ url: 'https://api.test', token: 'a.b.c' }).jobs.get('a');`,
  );
  const options = { absWorkingDir: dir, bundle: true, platform: 'browser', write: false } as const;
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
  writeFileSync(
    join(dir, 'receiver.js'),
    "import { verifyDelivery } from 'quarterjack/client';\nverifyDelivery();",
  );
  const options = { absWorkingDir: dir, bundle: true, platform: 'browser', logLevel: 'silent' } as const;
  expect(() => buildSync({ ...options, entryPoints: ['receiver.js'], write: false })).toThrow(
    'No matching export',
  );
});

test('TypeScript accepts correct calls, and rejects wrong ones', () => {
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
  expect(() => typeCheck('program.mts', '--module', 'nodenext', '--types', 'node')).not.toThrow();
});

test('a worker can be imported and required, and its payload has the type of its schema', () => {
  const program = `try { new Worker({ url: 'http://127.0.0.1:1', queue: 'q', concurrency: 0, handler: () => 1 }); }
catch (error) { console.log(error instanceof QuarterjackError, error.message); }`;
  writeFileSync(
    join(dir, 'worker.mjs'),
    `import { QuarterjackError, Worker } from 'quarterjack/worker';${program}`,
  );
  writeFileSync(
    join(dir, 'worker.cjs'),
    `const { QuarterjackError, Worker } = require('quarterjack/worker');${program}`,
  );
  for (const file of ['worker.mjs', 'worker.cjs'])
    expect(run(process.execPath, file)).toBe('true concurrency is 0; expected 1 to 100\n');
  writeFileSync(
    join(dir, 'worker.ts'),
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
  typeCheck('worker.ts', ...STRICTEST);
});

test.each([
  ['the checkout', join(CHECKOUT_DIR, 'README.md'), /close\.ts <<'END'\n(.*?)^END$/ms],
  ['the package', 'node_modules/quarterjack/README.md', /```ts\n(.*?)```/s],
])('the program in the README of %s compiles under strict settings', (_, readme, block) => {
  const [, program = ''] = block.exec(readFileSync(resolve(dir, readme), 'utf8')) ?? [];
  expect(program).toContain('new Quarterjack({');
  writeFileSync(join(dir, 'close.ts'), program);
  typeCheck('close.ts', ...STRICTEST);
});

test('the README of the package links to nothing outside, and names no command of a checkout', () => {
  const readme = readFileSync(join(dir, 'node_modules/quarterjack/README.md'), 'utf8');
  expect(readme).not.toMatch(/\]\((?!https:)|npm (?:ci|start|run)/);
});

test('options can be undefined, as values of the environment are', () => {
  writeFileSync(
    join(dir, 'options.ts'),
    `import { Attempt, type Delivery, FenceGuard, Quarterjack, verifyDelivery } from 'quarterjack/client';
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
  expect(() => typeCheck('options.ts', ...STRICTEST)).not.toThrow();
});

test('TypeScript for browsers knows the client without Node.js types, and no deliveries', () => {
  writeFileSync(
    join(dir, 'page.ts'),
    `import { Quarterjack } from 'quarterjack/client';
// @ts-expect-error: browsers receive no deliveries
import { verifyDelivery } from 'quarterjack/client';
export const client = new Quarterjack({ url: 'https://api.test' });
export const first = async (): Promise<string | undefined> => (await client.jobs.list().toArray(1))[0]?.jobId;
`,
  );
  const forBrowsers = ['--module', 'preserve', '--customConditions', 'browser', '--lib', 'es2023,dom'];
  expect(() => typeCheck('page.ts', ...forBrowsers, '--types', '')).not.toThrow();
});

describe('quarterjack/cdk', () => {
  /** What the user of a construct has installed. */
  beforeAll(() => {
    for (const peer of ['aws-cdk-lib', 'constructs'])
      symlinkSync(join(CHECKOUT_DIR, 'node_modules', peer), join(dir, 'node_modules', peer));
  });
  const APP = `
const app = new App({ outdir: 'cdk.out' });
const stack = new Stack(app, 'Shop');
const jobs = new Quarterjack(stack, 'Jobs');
const target = jobs.addQueueTarget(new Queue(stack, 'Queue'));
new ScheduledJob(stack, 'Nightly', {
  quarterjack: jobs,
  job: { schedule: { type: 'cron', expression: '0 2 * * *' }, target },
});
app.synth();
`;
  const IMPORTS = [
    ['{ App, Stack }', 'aws-cdk-lib'],
    ['{ Queue }', 'aws-cdk-lib/aws-sqs'],
    ['{ Quarterjack, ScheduledJob }', 'quarterjack/cdk'],
  ];
  const imports = IMPORTS.map(([names, from]) => `import ${names} from '${from}';`).join('\n');

  test('an app of another project synthesizes with the bundles of the package, and without esbuild', () => {
    writeFileSync(join(dir, 'app.mjs'), imports + APP);
    run(process.execPath, 'app.mjs');
    const assets = JSON.parse(readFileSync(join(dir, 'cdk.out/Shop.assets.json'), 'utf8')) as {
      files: Record<string, { source: { path: string; packaging: string } }>;
    };
    const zips = Object.values(assets.files).filter(({ source }) => source.path.endsWith('.zip'));
    expect(zips).toHaveLength(11);
    const listed = execFileSync('python3', [
      '-m',
      'zipfile',
      '-l',
      join(dir, 'cdk.out', zips[0]!.source.path),
    ]);
    expect(String(listed)).toContain('index.mjs');
  });

  test('an app in CommonJS finds it too', () => {
    const required = IMPORTS.map(([names, from]) => `const ${names} = require('${from}');`).join('\n');
    writeFileSync(join(dir, 'app.cjs'), `${required}console.log(typeof Quarterjack, typeof ScheduledJob);`);
    expect(run(process.execPath, 'app.cjs')).toBe('function function\n');
  });

  test('TypeScript knows its properties and the jobs, and rejects others', () => {
    const wrong = `
// @ts-expect-error: no such property
new Quarterjack(stack, 'Typo', { shardCont: 4 });
// @ts-expect-error: no such schedule
new ScheduledJob(stack, 'Bad', { quarterjack: jobs, job: { schedule: { type: 'hourly' }, target } });
jobs.grantManageJobs(null!, { role: 'viewer' });
export const p99 = jobs.metricLateness();
`;
    writeFileSync(join(dir, 'app.mts'), imports + APP + wrong);
    const flags = ['--module', 'nodenext', '--types', 'node', '--skipLibCheck', 'false'];
    expect(() => typeCheck('app.mts', ...flags)).not.toThrow();
  });
});

test('what is installed has less than 4.9 MB, and names the licence of each package in it', () => {
  const folder = join(dir, 'node_modules/quarterjack');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const bytes = files.map((file) => statSync(join(folder, file))).filter((stat) => stat.isFile());
  expect(bytes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(4_900_000);
  const licences = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['commander', 'openapi-fetch', 'zod', '@aws-sdk/client-sqs', 'preact'])
    expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

const STRICTEST = [
  '--module',
  'nodenext',
  '--types',
  'node',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
];

function typeCheck(file: string, ...flags: string[]): void {
  const tsc = join(CHECKOUT_DIR, 'node_modules/typescript/bin/tsc');
  run(process.execPath, tsc, '--noEmit', '--strict', '--target', 'es2023', '--ignoreConfig', ...flags, file);
}

test('modules of each kind import it in an empty folder, and the report names the combination', () => {
  const script = join(CHECKOUT_DIR, 'scripts/package-try/cli.mjs');
  const [major = ''] = process.versions.node.split('.');
  const [tarball, report] = [join(dir, 'quarterjack-0.1.0.tgz'), join(dir, 'report.json')];
  const flags = ['--manager', 'npm', '--node', major, '--tarball', tarball, '--report', report];
  run(process.execPath, script, ...flags);
  const programs = ['client.mjs', 'client.cjs', 'worker.mjs', 'worker.cjs', 'types.mts'];
  const steps = ['install', ...programs, 'quarterjack --version'];
  expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual([
    { manager: 'npm', node: process.version, cdk: false, works: true, steps },
  ]);
});

test('npm pack in the checkout refuses, and names the right command', () => {
  const { status, stderr } = spawnSync('npm', ['pack', '--pack-destination', dir], {
    cwd: CHECKOUT_DIR,
    encoding: 'utf8',
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain('npm run package -- --pack');
});

test('the command line runs', () => {
  expect(run('npx', '--no-install', 'quarterjack', '--version')).toBe('0.1.0\n');
  expect(run('npx', '--no-install', 'quarterjack', 'jobs', '--help')).toContain('create');
});

test('the command line runs from the sources of a checkout', () => {
  expect(run(process.execPath, join(CHECKOUT_DIR, 'cli/bin.cjs'), '--version')).toBe('0.1.0\n');
});
