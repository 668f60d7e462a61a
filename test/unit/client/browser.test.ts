import { join } from 'node:path';
import vm from 'node:vm';

import { buildSync, type BuildResult } from 'esbuild';

import type * as Client from '../../../client/browser';
import { JOB, json, problem } from './fake-api';

/** The client as a page would load it: one script that defines the global `client`. */
const bundle: BuildResult<{ write: false; metafile: true }> = buildSync({
  absWorkingDir: join(__dirname, '../../..'),
  entryPoints: ['client/browser.ts'],
  bundle: true,
  platform: 'browser',
  target: 'es2023',
  format: 'iife',
  globalName: 'client',
  write: false,
  metafile: true,
});
const [script] = bundle.outputFiles;

test('the bundle for browsers imports nothing from Node.js', () => {
  const inputs = Object.entries(bundle.metafile.inputs);
  expect(inputs.map(([path]) => path)).toContain('client/retrying-fetch.ts');
  expect(inputs.flatMap(([, { imports }]) => imports.filter(({ external }) => external))).toEqual([]);
  expect(script?.text).not.toMatch(/node:|\brequire\(|\bBuffer\b/);
});

test('the bundle for browsers leaves out the deliveries', () => {
  expect(Object.keys(bundle.metafile.inputs).filter((path) => path.includes('deliveries'))).toEqual([]);
});

/** All that a page offers to the client; every other global is the language's own. */
const WEB_GLOBALS = {
  AbortController,
  AbortSignal,
  clearTimeout,
  crypto,
  FormData,
  Headers,
  performance,
  Request,
  Response,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
};

/** Runs the bundle in a page whose `fetch` returns these responses in turn. */
function load(responses: Response[]) {
  const requests: { call: string; key: string | null; body: string }[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const key = request.headers.get('idempotency-key');
    requests.push({ call: `${request.method} ${pathname}${search}`, key, body: await request.text() });
    const response = responses.shift();
    if (!response) throw new Error('one request more than there are responses');
    return response;
  };
  const page = vm.createContext({ ...WEB_GLOBALS, fetch });
  vm.runInContext(script?.text ?? '', page);
  const { Quarterjack, ...exports } = vm.runInContext('client', page) as typeof Client;
  const client = new Quarterjack({ url: 'https://api.test', token: 'a.b.c', retry: { baseDelayMs: 1 } });
  return { client, exports, requests };
}

test('in a browser, a create is retried with the same key', async () => {
  const { client, requests } = load([problem(503), json(201, { jobId: 'a' }, { etag: '"1"' })]);
  expect(await client.jobs.create(JOB)).toMatchObject({ jobId: 'a', etag: '"1"' });
  const [first, second] = requests;
  expect(first).toMatchObject({ call: 'POST /v1/jobs', body: JSON.stringify(JOB) });
  expect(first?.key).toMatch(/^[\da-f-]{36}$/);
  expect(second).toEqual(first);
});

test('in a browser, a list is fetched page by page', async () => {
  const { client, requests } = load([
    json(200, { items: [{ jobId: 'a' }], nextCursor: 'c1' }),
    json(200, { items: [{ jobId: 'b' }], nextCursor: null }),
  ]);
  const ids: string[] = [];
  for await (const { jobId } of client.jobs.list()) ids.push(jobId);
  expect(ids).toEqual(['a', 'b']);
  expect(requests.map(({ call }) => call)).toEqual(['GET /v1/jobs', 'GET /v1/jobs?cursor=c1']);
});

test('in a browser, an execution is retried and polled until it ends', async () => {
  const { client, requests } = load([
    json(202, { execId: 'x', status: 'queued' }),
    json(200, { execId: 'x', status: 'running' }),
    json(200, { execId: 'x', status: 'succeeded' }),
  ]);
  await client.executions.retry('a', 'x');
  const ended = await client.executions.wait('a', 'x', { intervalMs: 1 });
  expect(ended.status).toBe('succeeded');
  expect(requests.map(({ call }) => call)).toEqual([
    'POST /v1/jobs/a/executions/x/retry',
    'GET /v1/jobs/a/executions/x',
    'GET /v1/jobs/a/executions/x',
  ]);
});

test('in a browser, errors have their own classes', async () => {
  const { client, exports } = load([problem(404)]);
  await expect(client.jobs.get('a')).rejects.toBeInstanceOf(exports.NotFoundError);
});

test('in a browser, a wrong argument is named', async () => {
  const { client, exports, requests } = load([]);
  const found = client.executions.lookup('x' as never);
  await expect(found).rejects.toBeInstanceOf(exports.ArgumentError);
  await expect(found).rejects.toThrow('executions is a string; expected a list of objects');
  expect(requests).toEqual([]);
});
