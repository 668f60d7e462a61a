import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';
import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';

let server: LoopbackServer;
let host: Host;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'history-'));
  server = await listenOnLoopback((_, response) => void response.end('{}'));
  host = await Host.start({ port: 0, dataDir: undefined, exportTo: folder });
});
afterAll(async () => {
  await host?.stop();
  server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const api = async (path: string, method: string, body?: object) =>
  host.fetch(path, {
    method,
    headers: { authorization: `Bearer ${host.run.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const linesIn = (root: string): Record<string, unknown>[] =>
  readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.jsonl.gz'))
    .flatMap((name) =>
      gunzipSync(readFileSync(join(root, name)))
        .toString()
        .trimEnd()
        .split('\n'),
    )
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('what has ended in a local run is found by its tag, and is a line in its folder', async () => {
  const target = { type: 'http', url: `${server.url}/hook` };
  const runTags = ['customer:{{ payload.customer }}'];
  await api('/v1/jobs/charge', 'PUT', { schedule: { type: 'none' }, target, runTags });
  const run = await api('/v1/jobs/charge/run', 'POST', { payload: { customer: 42 }, externalId: 'order-7' });
  expect(run.status).toBe(202);
  const lines = await eventually(
    () => linesIn(folder),
    (found) => found.length > 0,
  );
  const labels = { runTags: ['customer:42'], externalId: 'order-7' };
  expect(lines).toMatchObject([{ jobId: 'charge', status: 'succeeded', statusCode: 200, ...labels }]);
  const found = await (await api('/v1/executions?runTag=customer:42', 'GET')).json();
  expect(found.items).toMatchObject([{ jobId: 'charge', status: 'succeeded', ...labels }]);
});
