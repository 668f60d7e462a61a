import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { readRunFile } from '../../local/run/run-file';
import { apiCaller } from '../support/api-caller';
import { eventually } from '../support/eventually';
import { type RunningSystem, startSystem } from '../support/local-run';
import { listenOnLoopback, type LoopbackServer } from '../support/loopback-server';
import { filesOf, runCommand, runScript } from '../support/programs';

/** Each has characters that every encoding spells in another way. */
const PLANTED = {
  crm: 'Pl4nted"s3cret/of+the&crm=%7E\\end',
  client: 'Pl4nted-cl1ent/of+the&crm',
  token: 'Pl4nted.acc3ss/t0ken+of~the-crm',
};
const SCOPES = 'jobs:read jobs:write project:admin';

const formOf = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
/** How a receiver spells what it was sent. */
const SPELLINGS: Record<string, (text: string) => string> = {
  raw: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64-1': (text) => Buffer.from(`x${text}y`).toString('base64'),
  'base64-2': (text) => Buffer.from(`xx${text}yy`).toString('base64'),
  base64url: (text) => Buffer.from(`{"a":"${text}"}`).toString('base64url'),
  percent: encodeURIComponent,
  form: formOf,
  json: (text) => JSON.stringify(text).slice(1, -1),
};

/** What is searched for: most of each spelling, without the ends that a neighbour may change. */
const SOUGHT = Object.values(PLANTED).flatMap((value) =>
  Object.values(SPELLINGS).flatMap((spell) => {
    const spelled = spell(value);
    const [from, length] = [6, 14]; // behind what a prefix adds; short enough to find halves
    return [spelled, JSON.stringify(spelled).slice(1, -1)].map((text) => text.slice(from, from + length));
  }),
);
const findings = (text: string): string[] => SOUGHT.filter((sought) => text.includes(sought));

let dataDir: string;
let system: RunningSystem;
let receiver: LoopbackServer;
let api: ReturnType<typeof apiCaller>;
let token: string;
const reported: Promise<Response>[] = [];
/** What the receiver has sent back: it has to have every spelling. */
let echoed = '';

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'quarterjack-secrets-'));
  receiver = await listenOnLoopback(respond);
  system = await startSystem('--port', '0', '--data', dataDir);
  token = await system.token('alice', SCOPES);
  api = apiCaller(system.url, token);
});

afterAll(async () => {
  await system?.end();
  receiver.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A target that answers later: it logs what it was sent, and reports it. */
async function report(request: IncomingMessage, status: string, text: string): Promise<Response> {
  const { 'quarterjack-callback': url, 'quarterjack-token': bearer } = request.headers;
  const [action, body] =
    status === '200' ? ['complete', { result: { text } }] : ['fail', { error: text, retriable: false }];
  const post = (path: string, content: object) =>
    fetch(`${String(url)}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(bearer)}`, 'content-type': 'application/json' },
      body: JSON.stringify(content),
    });
  const logged = await post('log', { chunk: 0, lines: [{ stream: 'stdout', text }] });
  return logged.ok ? post(action!, body as object) : logged;
}

/** Echoes the planted values that it may know, in the spelling and by the way that the path names. */
function respond(request: IncomingMessage, response: ServerResponse): void {
  const [, way = '', spelling = 'raw', status = '200'] = request.url!.split('?')[0]!.split('/');
  const spells = spelling === 'all' ? Object.values(SPELLINGS) : [SPELLINGS[spelling]!];
  const { token: fetched, ...stored } = PLANTED;
  const isFetched = request.headers.authorization === `Bearer ${fetched}`;
  const known = [...Object.values(stored), ...(isFetched ? [fetched] : [])];
  const text = spells.flatMap((spell) => known.map(spell)).join(' ');
  echoed += text;
  request.resume();
  if (way === 'token') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ access_token: PLANTED.token, expires_in: 3_600, note: PLANTED.crm }));
  } else if (way === 'oauth-error') {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: PLANTED.client, error_description: text }));
  } else if (way === 'async') {
    response.writeHead(202).end();
    reported.push(report(request, status, text));
  } else {
    const header = encodeURIComponent(text).slice(0, 900);
    const line = text.replaceAll(/[^ -~]/g, '?').slice(0, 900);
    response.writeHead(Number(status), line, { 'x-echo': header, 'retry-after': header });
    const body = (way === 'cut' ? 'x'.repeat(status === '200' ? 245 : 2_030) : '') + text;
    for (let at = 0; at < body.length; at += 7) response.write(body.slice(at, at + 7));
    response.end();
  }
}

const auths = {
  bearer: { type: 'bearer', token: '{{ secrets.crm }}' },
  basic: { type: 'basic', username: '{{ secrets.client }}', password: '{{ secrets.crm }}' },
  header: { type: 'header', name: 'X-Key', value: '{{ secrets.crm }}' },
};
const oauth = (path: string) => ({
  type: 'oauth2',
  tokenUrl: `${receiver.url}${path}`,
  clientId: '{{ secrets.client }}',
  clientSecret: '{{ secrets.crm }}',
});

/** Runs a job at once, and gives its execution when it has ended. */
async function ended(jobId: string, target: object): Promise<Record<string, unknown>> {
  const all = { type: 'http', headers: { 'X-All': '{{ secrets.crm }} {{ secrets.client }}' }, ...target };
  const body = {
    jobId,
    schedule: { type: 'delay', delay: '1h' },
    target: all,
    timeout: '10s',
    retry: { maxAttempts: 1 },
  };
  const created = await api('POST', '/v1/jobs', body);
  expect([created.status, created.body]).toEqual([201, expect.anything()]);
  const run = await api('POST', `/v1/jobs/${jobId}/run`);
  const { execId } = run.body as { execId: string };
  const [execution] = await eventually(
    async () => {
      const { body: row } = await api('GET', `/v1/jobs/${jobId}/executions/${execId}`);
      return row === undefined ? [] : [row as Record<string, unknown>];
    },
    ([row]) => row !== undefined && ['succeeded', 'failed'].includes(String(row.status)),
  );
  return execution!;
}

const quarterjack = (args: string[], stdin?: string) =>
  runCommand(args, { QUARTERJACK_URL: system.url, QUARTERJACK_TOKEN: token }, stdin);

/** Jobs whose receiver, or token endpoint, echoes what it is sent: each way and spelling. */
function everyEcho(): Promise<Record<string, unknown>[]> {
  const echo = (way: string, spelling: string, status: number) =>
    `${receiver.url}/${way}/${spelling}/${status}`;
  const some = ['raw', 'base64-1', 'json'];
  return Promise.all([
    ...Object.keys(SPELLINGS).map((spelling, index) =>
      ended(`ok-${spelling}`, {
        url: `${echo('echo', spelling, 200)}?key={{ secrets.crm }}`,
        auth: Object.values(auths)[index % 3],
      }),
    ),
    ...some.map((spelling) =>
      ended(`cut-${spelling}`, { url: echo('cut', spelling, 200), auth: auths.basic }),
    ),
    ...some.map((spelling) =>
      ended(`complete-${spelling}`, {
        url: echo('async', spelling, 200),
        auth: oauth('/token'),
        mode: 'async',
      }),
    ),
    ...Object.keys(SPELLINGS).map((spelling) =>
      ended(`fetched-${spelling}`, { url: echo('echo', spelling, 200), auth: oauth('/token') }),
    ),
    ended('failed', { url: echo('echo', 'all', 404), auth: auths.bearer }),
    ended('retriable', { url: echo('cut', 'all', 503), auth: auths.header }),
    ended('oauth', { url: echo('echo', 'all', 400), auth: oauth('/token') }),
    ended('oauth-error', { url: echo('echo', 'all', 200), auth: oauth('/oauth-error/all') }),
    ended('fail', { url: echo('async', 'all', 500), auth: oauth('/token'), mode: 'async' }),
  ]);
}

/** The logs of the executions whose targets have written one. */
const logsOf = (executions: readonly Record<string, unknown>[]): Promise<string[]> =>
  Promise.all(
    executions
      .filter(({ jobId }) => /^(?:complete-|fail$)/.test(String(jobId)))
      .map(async ({ jobId, execId }) => {
        const { body } = await api('GET', `/v1/jobs/${String(jobId)}/executions/${String(execId)}/log`);
        expect((body as { items: unknown[] }).items).not.toEqual([]);
        return JSON.stringify(body);
      }),
  );

/** What the API, the pages of the local run and the command line say. */
async function everyOutput(): Promise<string[]> {
  const answers = await Promise.all(
    [
      '/v1/jobs?limit=100',
      '/v1/failures?limit=100',
      '/v1/secrets',
      '/v1/secrets/crm',
      '/v1/signing-secret',
    ].map(async (path) => JSON.stringify((await api('GET', path)).body)),
  );
  const pages = await Promise.all(
    ['dashboard.json', 'events', 'elsewhere', ''].map(async (page) =>
      (await fetch(`${system.url}/_local/${page}`)).text(),
    ),
  );
  const printed = await Promise.all(
    [['secrets', 'list'], ['failures'], ['jobs', 'list'], ['executions', 'list', 'fail']].flatMap((command) =>
      [command, ['--json', ...command]].map(async (args) => {
        const { stdout, stderr } = await quarterjack(args);
        return stdout + stderr;
      }),
    ),
  );
  return [...answers, ...pages, ...printed];
}

test('no planted secret is found anywhere, whatever a receiver and a token endpoint echo', async () => {
  for (const name of ['crm', 'client'] as const) {
    const { stdout } = await quarterjack(
      ['--json', 'secrets', 'set', name, '--host', '127.0.0.1'],
      `${PLANTED[name]}\n`,
    );
    expect(JSON.parse(stdout)).toMatchObject({ name, hosts: ['127.0.0.1'] });
  }
  const executions = await everyEcho();
  for (const answer of reported) expect((await answer).status).toBe(200);
  expect(
    SOUGHT.filter((sought) => !JSON.stringify(echoed).includes(sought) && !echoed.includes(sought)),
  ).toEqual([]);

  const results = executions.map((execution) => JSON.stringify(execution));
  expect(results.filter((text) => !/\[(?:secret|not kept)/.test(text))).toEqual([]);
  expect(executions.filter(({ reason }) => reason === 'bad-auth')).toHaveLength(1);

  const logs = await logsOf(executions);
  for (const text of [...results, ...logs, ...(await everyOutput()), ...system.output()])
    expect(findings(text)).toEqual([]);
  expect(
    filesOf(dataDir).flatMap((path) => findings(readFileSync(path, 'latin1')).map((found) => [path, found])),
  ).toEqual([]);
  expect(filesOf(dataDir).length).toBeGreaterThan(3);
  expect(system.denials()).toEqual([]);
});

test('a new version of the deployment secret opens what was sealed before, and reseal moves it', async () => {
  const { awsEndpointUrl: endpoint, region, operator: credentials, functions } = readRunFile(system.url)!;
  const { environment } = functions.find((one) => 'TICK_SCHEDULE' in one.environment)!;
  const client = new SecretsManagerClient({ endpoint, region, credentials });
  await client.send(
    new PutSecretValueCommand({ SecretId: environment.SIGNING_SECRET_ARN, SecretString: 'n'.repeat(64) }),
  );
  client.destroy();
  const { stdout } = await runScript('scripts/reseal/cli.ts', ['--url', system.url]);
  expect(stdout).toMatch(/^[3-9] rows of 1 projects resealed with version /);
  expect((await runScript('scripts/reseal/cli.ts', ['--url', system.url])).stdout).toMatch(/^0 rows of 1/);
  const target = { url: `${receiver.url}/echo/raw/200`, auth: auths.bearer };
  expect(await ended('after-reseal', target)).toMatchObject({ status: 'succeeded' });
});
