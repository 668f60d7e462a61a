import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { buildSync } from 'esbuild';
import { Webhook } from 'standardwebhooks';

import { eventually } from '../../support/eventually';

const CHECKOUT_DIR = resolve(__dirname, '../../..');
const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const page = readFileSync(join(CHECKOUT_DIR, 'docs/deliveries.md'), 'utf8');

const programOf = (name: string): string =>
  new RegExp(`<!-- receiver: ${name} -->\\s*\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(page)![1]!;

let dir: string;
let children: ChildProcess[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'quarterjack-receivers-'));
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill();
  rmSync(dir, { recursive: true });
});

interface Sent {
  body: string;
  headers: Record<string, string>;
}

/** A delivery as an executor sends it. A job without payload sends an empty body without content type. */
function deliveryOf(body: string, { secret = SECRET, ageSec = 0 } = {}): Sent {
  const at = new Date(Date.now() - ageSec * 1_000);
  return {
    body,
    headers: {
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
      'quarterjack-job': 'report',
      'quarterjack-execution': '20261201T090000.000Z',
      'quarterjack-attempt': '1',
      'quarterjack-fence': '1',
      'quarterjack-due': '2026-12-01T09:00:00.000Z',
    },
  };
}

const OTHER = `whsec_${Buffer.from('another secret of 32 characters!').toString('base64')}`;
const CASES: [name: string, status: number, sent: () => Sent][] = [
  ['a payload', 204, () => deliveryOf('{ "text": "Grüße" }')],
  ['no payload', 204, () => deliveryOf('')],
  ['another secret', 401, () => deliveryOf('{}', { secret: OTHER })],
  ['another body', 401, () => ({ ...deliveryOf('{}'), body: '{ }' })],
  ['an old delivery', 401, () => deliveryOf('{}', { ageSec: 301 })],
];

/** The program as CommonJS, with the client and what it imports. */
function bundled(name: string, code: string): string {
  const outfile = join(dir, `${name}.cjs`);
  buildSync({
    stdin: { contents: code, loader: 'ts', resolveDir: CHECKOUT_DIR },
    alias: { 'quarterjack/client': join(CHECKOUT_DIR, 'client/index.ts') },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    outfile,
  });
  return outfile;
}

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

/** Statuses of a receiver that listens, one for each case. */
async function statusesAt(port: number): Promise<number[]> {
  const statuses: number[] = [];
  for (const [, , sent] of CASES) {
    const { body, headers } = sent();
    const init = { method: 'POST', headers, ...(body === '' ? {} : { body: Buffer.from(body) }) };
    statuses.push((await fetch(`http://127.0.0.1:${port}/hook`, init)).status);
  }
  return statuses;
}

async function started(command: string, args: string[], port: number): Promise<void> {
  const env = { ...process.env, NODE_OPTIONS: '', QUARTERJACK_SECRET: SECRET };
  children.push(spawn(command, args, { env, stdio: 'ignore' }));
  await eventually(
    () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      ),
    (isUp) => isUp,
  );
}

const EXPECTED = CASES.map(([, status]) => status);

test('Fastify', async () => {
  const port = await freePort();
  const file = bundled('fastify', programOf('fastify').replace('9000', String(port)));
  await started(process.execPath, [file], port);
  expect(await statusesAt(port)).toEqual(EXPECTED);
}, 60_000);

test('Python', async () => {
  // Without Python the receiver cannot run.
  if (spawnSync('python3', ['--version']).status !== 0) return;
  const port = await freePort();
  const file = join(dir, 'receiver.py');
  writeFileSync(file, programOf('python').replace('9000', String(port)));
  await started('python3', [file], port);
  expect(await statusesAt(port)).toEqual(EXPECTED);
}, 60_000);

test('Next.js', async () => {
  process.env.QUARTERJACK_SECRET = SECRET;
  const { POST } = require(bundled('next', programOf('next'))) as {
    POST(request: Request): Promise<Response>;
  };
  const statuses = CASES.map(async ([, , sent]) => {
    const { body, headers } = sent();
    const init = { method: 'POST', headers, ...(body === '' ? {} : { body }) };
    return (await POST(new Request('http://127.0.0.1/hook', init))).status;
  });
  expect(await Promise.all(statuses)).toEqual(EXPECTED);
});

test.each([true, false])('Lambda function URL, base64: %p', async (isBase64Encoded) => {
  process.env.QUARTERJACK_SECRET = SECRET;
  const { handler } = require(bundled('lambda', programOf('lambda'))) as {
    handler(event: object): Promise<{ statusCode: number }>;
  };
  const statuses = CASES.map(async ([, , sent]) => {
    const { body, headers } = sent();
    const text = isBase64Encoded ? Buffer.from(body).toString('base64') : body;
    return (await handler({ headers, isBase64Encoded, ...(body === '' ? {} : { body: text }) })).statusCode;
  });
  expect(await Promise.all(statuses)).toEqual(EXPECTED);
});
