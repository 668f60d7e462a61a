import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { buildSync } from 'esbuild';

import { eventually } from '../../support/eventually';
import { go, withGo } from '../../support/go';
import {
  joinedHeaders,
  RECEIVER_SECRETS,
  receiverRequests,
  requestOf,
  type SentRequest,
  statusOverSocket,
} from '../../support/receiver-requests';

const CHECKOUT_DIR = resolve(__dirname, '../../..');
const RECEIVERS_DIR = join(CHECKOUT_DIR, 'examples/receivers');
const TIMEOUT_MS = 120_000;

let dir: string;
let children: ChildProcess[];
const { QUARTERJACK_SECRET: before } = process.env;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'quarterjack-receivers-'));
  children = [];
  process.env.QUARTERJACK_SECRET = RECEIVER_SECRETS;
  jest.spyOn(console, 'log').mockImplementation(); // receivers print what they get
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const child of children) child.kill();
  rmSync(dir, { recursive: true });
  if (before === undefined) delete process.env.QUARTERJACK_SECRET;
  else process.env.QUARTERJACK_SECRET = before;
});

/** The program as CommonJS, with the client and its framework. */
function bundled(path: string): string {
  const outfile = join(dir, 'receiver.cjs');
  buildSync({
    entryPoints: [join(RECEIVERS_DIR, path)],
    alias: { quarterjack: join(CHECKOUT_DIR, 'client/index.ts') },
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

/** Starts a receiver, and expects that it responds to each request of the list as it should. */
async function expectStatuses(command: string, args: string[], more: object = {}): Promise<void> {
  const port = await freePort();
  const env = { ...process.env, NODE_OPTIONS: '', PORT: String(port), ...more };
  children.push(spawn(command, args, { env, stdio: 'ignore' }));
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  await eventually(isUp, (up) => up, TIMEOUT_MS);
  await expectEach((sent) => statusOverSocket(port, sent));
}

async function expectEach(statusOf: (sent: SentRequest) => Promise<number>): Promise<void> {
  const statuses: Record<string, number> = {};
  for (const request of receiverRequests)
    statuses[request.name] = await statusOf(requestOf(request, Date.now()));
  expect(statuses).toEqual(Object.fromEntries(receiverRequests.map(({ name, status }) => [name, status])));
}

test.each(['express/receiver.mjs', 'fastify/receiver.ts'])(
  '%s',
  (path) => expectStatuses(process.execPath, [bundled(path)]),
  TIMEOUT_MS,
);

/** Python need not be on the machine: then its receiver is not run, and the name of the test says so. */
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;
const ifInstalled = (isInstalled: boolean) => (isInstalled ? test : test.skip);

ifInstalled(hasPython)(
  `python/receiver.py${hasPython ? '' : ' (not run: there is no python3 from 3.10 on)'}`,
  () =>
    expectStatuses('python3', [join(RECEIVERS_DIR, 'python/receiver.py')], {
      PYTHONPATH: join(CHECKOUT_DIR, 'sdk/python/src'),
    }),
  TIMEOUT_MS,
);

withGo(
  'go/main.go',
  async () => {
    const program = join(dir, 'receiver');
    await go(['build', '-o', program, '.'], join(RECEIVERS_DIR, 'go'));
    await expectStatuses(program, []);
  },
  TIMEOUT_MS,
);

/** Next.js itself is not installed: its route gets the same `Request` as any function of fetch. */
test('nextjs/route.ts', async () => {
  const { POST } = require(bundled('nextjs/route.ts')) as { POST(request: Request): Promise<Response> };
  await expectEach(async ({ headers, body }) => {
    const init = { method: 'POST', headers, ...(body === '' ? {} : { body }) };
    return (await POST(new Request('http://127.0.0.1/hook', init))).status;
  });
});

/** A function URL joins doubled headers by commas. */
test.each([true, false])('lambda/handler.ts, base64: %p', async (isBase64Encoded) => {
  const { handler } = require(bundled('lambda/handler.ts')) as {
    handler(event: object): Promise<{ statusCode: number }>;
  };
  await expectEach(async (sent) => {
    const body = isBase64Encoded ? Buffer.from(sent.body).toString('base64') : sent.body;
    const event = { headers: joinedHeaders(sent, ','), isBase64Encoded };
    return (await handler({ ...event, ...(sent.body === '' ? {} : { body }) })).statusCode;
  });
});
