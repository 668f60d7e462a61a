import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';
import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';
import { decodeTraces, type DecodedRequest } from '../../support/otlp-request';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';

let server: LoopbackServer;
let host: Host;
const got: DecodedRequest[] = [];
const delivered: string[] = [];

/** The collector, and the target of jobs. */
beforeAll(async () => {
  server = await listenOnLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') got.push(decodeTraces(Buffer.concat(chunks)));
      else delivered.push(String(request.headers.traceparent));
      response.end('{}');
    });
  });
  host = await Host.start({ port: 0, dataDir: undefined, otlp: server.url });
});
afterAll(async () => {
  await host?.stop();
  server?.stop();
});

const api = (path: string, method: string, body: object = {}, headers: Record<string, string> = {}) =>
  host.fetch(path, {
    method,
    headers: { authorization: `Bearer ${host.run.token}`, 'content-type': 'application/json', ...headers },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  });

test('a workflow from a call by HTTP through a task to its child, at a collector on this machine', async () => {
  const target = { type: 'http', url: `${server.url}/hook` };
  const tasks = { load: { target }, start: { job: 'child', dependsOn: ['load'] } };
  await api('/v1/jobs/child', 'PUT', { schedule: { type: 'none' }, target });
  await api('/v1/jobs/etl', 'PUT', { schedule: { type: 'none' }, workflow: { tasks } });
  const traceparent = `00-${ID}-00f067aa0ba902b7-01`;
  expect((await api('/v1/jobs/etl/run', 'POST', {}, { traceparent })).status).toBe(202);

  const spanOf = (name: string) => got.flatMap(({ spans }) => spans).find((span) => span.name === name);
  await eventually(
    () => spanOf('execute etl') && spanOf('execute child'),
    (both) => both !== undefined,
  );
  const [run, load, start, child] = ['execute etl', 'task load', 'task start', 'execute child'].map(spanOf);
  expect(run).toMatchObject({ traceId: ID, parentSpanId: '00f067aa0ba902b7' });
  for (const task of [load, start]) expect(task).toMatchObject({ traceId: ID, parentSpanId: run!.spanId });
  expect(child!.links).toMatchObject([{ traceId: ID, spanId: start!.spanId }]);
  const calls = got.flatMap(({ spans }) => spans).filter(({ name }) => name === 'POST');
  expect(calls.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`).toSorted()).toEqual(
    delivered.toSorted(),
  );
  expect(got[0]).toMatchObject({
    resource: { 'service.name': 'quarterjack' },
    scope: { name: 'quarterjack' },
  });
});

test('Prometheus reads the metrics of the run', async () => {
  const answer = await host.fetch('/_local/metrics');
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await answer.text()).toMatch(
    /^quarterjack_executions_succeeded_sum\{deployment="Quarterjack-local"\} [1-9]/m,
  );
  // A function writes its metrics after its work.
  const text = await eventually(
    async () => (await host.fetch('/_local/metrics')).text(),
    (metrics) => metrics.includes('quarterjack_otlp_sent_sum'),
  );
  expect(text).toMatch(/^quarterjack_otlp_sent_sum\{[^}]*\} [1-9]/m);
});
