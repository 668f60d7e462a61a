import { execFile } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '../../../cli/bin.cjs');

/** What the command line prints for `jobs get re`, if its API answers so. */
async function completed(answer: RequestListener): Promise<{ code: number | null; printed: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, QUARTERJACK_URL: `http://127.0.0.1:${port}`, QUARTERJACK_TOKEN: 'a.b.c' };
  try {
    return await new Promise((done) => {
      const args = [PROGRAM, 'complete', '--', 'jobs', 'get', 're'];
      const child = execFile(process.execPath, args, { env }, (_error, stdout, stderr) =>
        done({ code: child.exitCode, printed: stdout + stderr }),
      );
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('ids of the API are printed, one a line', async () => {
  const items = [{ jobId: 'report' }, { jobId: 'reset' }];
  const found = await completed((_request, response) =>
    response.end(JSON.stringify({ items, nextCursor: null })),
  );
  expect(found).toEqual({ code: 0, printed: 'report\nreset\n' });
});

test('an API that does not answer holds up no shell', async () => {
  let requests = 0;
  expect(await completed(() => void requests++)).toEqual({ code: 0, printed: '' });
  expect(requests).toBe(1);
});
