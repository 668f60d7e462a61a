import type { IncomingMessage } from 'node:http';

import { accessTokens } from '../../../../../lambdas/core/delivery/call/access-tokens';
import { callWithSecrets } from '../../../../../lambdas/core/delivery/call/call-with-secrets';
import { seal } from '../../../../../lambdas/core/delivery/secrets/seal';
import { secretReader } from '../../../../../lambdas/core/delivery/secrets/secret-values';
import type { HttpTarget } from '../../../../../lambdas/core/domain/target';
import { TABLE_KEYS } from '../../../../support/dynamo/table-keys';
import { MemoryTables } from '../../../../support/dynamo/memory-tables';
import { aTarget } from '../../../../support/factories';
import { FakeClock } from '../../../../support/fake-clock';
import { FakeRandom } from '../../../../support/fake-random';
import { listenOnLoopback, type LoopbackServer } from '../../../../support/loopback-server';
import { memoryStores } from '../../../../support/memory-stores';
import { RecordingLog } from '../../../../support/recording-log';
import { apiSurroundings } from '../../../../support/surroundings';

const PROJECT = 'alice';
const CRM = 'crm-p"assword/with+all';
const keys = apiSurroundings.sealingKeys;

/** A receiver on loopback: a target at `/hook`, a token endpoint at `/token`. */
class Receiver {
  readonly calls: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  /** By path: what is answered. */
  readonly answers: Record<string, (call: Receiver['calls'][number]) => { status: number; body: string }> = {
    '/hook': () => ({ status: 200, body: 'ok' }),
    '/token': () => ({ status: 200, body: JSON.stringify({ access_token: `token-${this.tokens++}`, expires_in: 600 }) }),
  };
  private tokens = 1;
  private server!: LoopbackServer;

  async start(): Promise<string> {
    this.server = await listenOnLoopback((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const call = { url: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() };
        this.calls.push(call);
        const { status, body } = this.answers[request.url!.split('?')[0]!]!(call);
        response.writeHead(status, { 'x-echo': encodeURIComponent(body).slice(0, 99) });
        response.end(body);
      });
    });
    return this.server.url;
  }

  stop = () => this.server.stop();
  callsOf = (path: string) => this.calls.filter(({ url }) => url.startsWith(path));
}

let receiver: Receiver;
let url: string;
beforeEach(async () => {
  receiver = new Receiver();
  url = await receiver.start();
});
afterEach(() => receiver.stop());

/** A process of the executor, over tables that others may share. */
function aProcess(tables = new MemoryTables(TABLE_KEYS), clock = new FakeClock()) {
  const { secrets } = memoryStores(tables, { clock, random: new FakeRandom(1) });
  const http = { policy: 'loopback' as const, nowMs: () => clock.nowMs() };
  const log = new RecordingLog();
  const caller = {
    read: secretReader({ secrets, keys, clock }),
    tokens: accessTokens({ secrets, keys, http, clock, log }),
  };
  let version = 0;
  return {
    tables,
    clock,
    log,
    async put(name: string, value: string, hosts = ['127.0.0.1']) {
      const before = await secrets.get(PROJECT, name);
      const by = { sub: PROJECT, name: null, via: 'token' as const };
      const sealed = await seal(keys, { project: PROJECT, name }, value);
      const row = { project: PROJECT, name, version: `${name}${version++}`, sealed, hosts, updatedAtMs: 0, by };
      await secrets.put(row, before?.version);
    },
    remove: (name: string) => secrets.remove(PROJECT, name),
    call: (target: Partial<HttpTarget>) =>
      callWithSecrets(
        aTarget({ url: `${url}/hook`, ...target }),
        { body: Buffer.from('{}'), headers: { 'webhook-id': 'id-1' } },
        new AbortController().signal,
        http,
        { project: PROJECT, secrets: caller },
      ),
  };
}

const oauth = (more: object = {}): HttpTarget['auth'] => ({
  type: 'oauth2',
  tokenUrl: `${url}/token`,
  clientId: '{{ secrets.client }}',
  clientSecret: '{{ secrets.crm }}',
  clientAuth: 'basic',
  ...more,
});

async function withClient(tables?: MemoryTables, clock?: FakeClock) {
  const process = aProcess(tables, clock);
  await process.put('client', 'client-of-crm');
  await process.put('crm', CRM);
  return process;
}

describe('a call', () => {
  it.each<[string, HttpTarget['auth'], Record<string, string>]>([
    ['bearer', { type: 'bearer', token: '{{ secrets.crm }}' }, { authorization: `Bearer ${CRM}` }],
    [
      'basic',
      { type: 'basic', username: '{{ secrets.client }}', password: '{{ secrets.crm }}' },
      { authorization: `Basic ${Buffer.from(`client-of-crm:${CRM}`).toString('base64')}` },
    ],
    ['header', { type: 'header', name: 'X-Api-Key', value: '{{ secrets.crm }}' }, { 'x-api-key': CRM }],
  ])('carries its secret by %s', async (_, auth, headers) => {
    const { call } = await withClient();
    expect(await call({ auth })).toMatchObject({ outcome: 'succeeded', body: 'ok' });
    expect(receiver.calls).toMatchObject([{ headers: { ...headers, 'webhook-id': 'id-1' } }]);
  });

  it('carries secrets in values of headers and of its query', async () => {
    const { call } = await withClient();
    const target = { url: `${url}/hook?a=1&key={{ secrets.crm }}`, headers: { 'X-Key': 'k={{secrets.crm}};' } };
    expect(await call(target)).toMatchObject({ outcome: 'succeeded' });
    expect(receiver.calls).toMatchObject([
      { url: `/hook?a=1&key=${encodeURIComponent(CRM)}`, headers: { 'x-key': `k=${CRM};` } },
    ]);
  });

  it('may go to a URL that is a secret as a whole', async () => {
    const { put, call } = aProcess();
    await put('hook', `${url}/hook?token=abcdefgh`);
    receiver.answers['/hook'] = ({ url: path }) => ({ status: 404, body: `Cannot POST ${path}` });
    expect(await call({ url: '{{ secrets.hook }}' })).toMatchObject({
      outcome: 'fatal',
      statusCode: 404,
      body: 'Cannot POST [secret hook]',
    });
  });

  it('keeps no secret of a response, also across its chunks and limits', async () => {
    const { call } = await withClient();
    const echoes = ['x'.repeat(250) + CRM, `${'x'.repeat(240)}${Buffer.from(`a:${CRM}`).toString('base64')}`];
    for (const body of echoes) {
      receiver.answers['/hook'] = () => ({ status: 200, body });
      const result = await call({ auth: { type: 'bearer', token: '{{ secrets.crm }}' } });
      expect(result.body).toMatch(/^x{240,250}.{0,4}\[secret?/);
      expect(JSON.stringify(result)).not.toContain(CRM.slice(0, 4));
    }
  });
});

describe('no call is made', () => {
  const bearer = { auth: { type: 'bearer', token: '{{ secrets.crm }}' } } as const;
  afterEach(() => expect(receiver.calls).toEqual([]));

  it('without the secret', async () => {
    expect(await aProcess().call(bearer)).toEqual({
      outcome: 'fatal',
      badInput: true,
      error: 'there is no secret crm in the project',
    });
  });

  it('to a host that the secret does not name', async () => {
    const { put, call } = aProcess();
    await put('crm', CRM, ['example.com', '*.0.0.1']);
    expect(await call(bearer)).toEqual({
      outcome: 'fatal',
      blocked: true,
      error: "the target's host is not one of the hosts of secret crm",
    });
  });

  it('with a secret that no header can carry', async () => {
    const { put, call } = aProcess();
    await put('crm', 'password\r\nx: y');
    expect(await call(bearer)).toMatchObject({ outcome: 'fatal', badInput: true });
  });

  it('to a URL that is no URL, or a secret of several hosts', async () => {
    const { put, call } = aProcess();
    await put('hook', 'no url at all');
    expect(await call({ url: '{{ secrets.hook }}' })).toMatchObject({ badInput: true });
    await put('hook2', `${url}/hook`, ['127.0.0.1', 'example.com']);
    expect(await call({ url: '{{ secrets.hook2 }}' })).toMatchObject({ blocked: true });
  });

  it('if the secret cannot be opened', async () => {
    const { tables, call, put } = aProcess();
    await put('crm', CRM);
    const [row] = tables.rows('executions');
    row!.sealed = String(row!.sealed).replace('s1.v1.', 's1.gone.');
    tables.apply('PutCommand', { TableName: 'executions', Item: row! }, () => false);
    expect(await call(bearer)).toEqual({
      outcome: 'retriable',
      error: 'secret crm could not be read: UnsealError',
    });
  });
});

it('uses a new value within a minute, and a new secret at once', async () => {
  const { put, call, clock } = aProcess();
  const sent = async () => {
    await call({ auth: { type: 'bearer', token: '{{ secrets.crm }}' } });
    return receiver.calls.at(-1)?.headers.authorization;
  };
  expect(await sent()).toBeUndefined();
  await put('crm', 'first-value');
  expect(await sent()).toBe('Bearer first-value');
  await put('crm', 'second-value');
  expect(await sent()).toBe('Bearer first-value');
  await clock.advance(60_000);
  expect(await sent()).toBe('Bearer second-value');
});

describe('OAuth', () => {
  it.each([
    ['basic', { scope: 'read write' }, { grant_type: 'client_credentials', scope: 'read write' }],
    [
      'post',
      { audience: 'https://crm' },
      { grant_type: 'client_credentials', audience: 'https://crm', client_id: 'client-of-crm', client_secret: CRM },
    ],
  ])('proves its client by %s', async (clientAuth, more, form) => {
    const { call } = await withClient();
    expect(await call({ auth: oauth({ clientAuth, ...more }) })).toMatchObject({ outcome: 'succeeded' });
    const [token, hook] = receiver.calls;
    expect(Object.fromEntries(new URLSearchParams(token!.body))).toEqual(form);
    const basic = Buffer.from(`client-of-crm:crm-p%22assword%2Fwith%2Ball`).toString('base64');
    expect(token!.headers.authorization).toBe(clientAuth === 'basic' ? `Basic ${basic}` : undefined);
    expect(hook!.headers.authorization).toBe('Bearer token-1');
  });

  it('keeps a token for all processes until a minute before its end', async () => {
    const first = await withClient();
    const second = aProcess(first.tables, first.clock);
    await Promise.all([first.call({ auth: oauth() }), first.call({ auth: oauth() })]);
    await second.call({ auth: oauth() });
    expect(receiver.callsOf('/token')).toHaveLength(1);
    await first.clock.advance(540_000);
    await second.call({ auth: oauth() });
    expect(receiver.callsOf('/token')).toHaveLength(2);
    await second.call({ auth: oauth({ scope: 'other' }) });
    expect(receiver.callsOf('/token')).toHaveLength(3);
    expect(JSON.stringify(first.tables.rows('executions'))).not.toContain('token-1');
  });

  it('keeps a token without an end for five minutes, less the last one', async () => {
    const { call, clock } = await withClient();
    receiver.answers['/token'] = () => ({ status: 200, body: '{"access_token":"endless-token"}' });
    await call({ auth: oauth() });
    await clock.advance(239_000);
    await call({ auth: oauth() });
    expect(receiver.callsOf('/token')).toHaveLength(1);
    await clock.advance(1_000);
    await call({ auth: oauth() });
    expect(receiver.callsOf('/token')).toHaveLength(2);
  });

  it('fetches a new token after a 401, and calls once more', async () => {
    const { call } = await withClient();
    receiver.answers['/hook'] = ({ headers }) =>
      headers.authorization === 'Bearer token-1'
        ? { status: 401, body: 'expired: token-1' }
        : { status: 200, body: `thanks for ${headers.authorization}` };
    expect(await call({ auth: oauth() })).toMatchObject({
      outcome: 'succeeded',
      body: 'thanks for Bearer token-2'.replace('token-2', '[secret crm]'),
    });
    receiver.answers['/hook'] = () => ({ status: 401, body: 'never' });
    expect(await call({ auth: oauth() })).toMatchObject({ outcome: 'fatal', statusCode: 401, body: 'never' });
    expect(receiver.callsOf('/hook')).toHaveLength(4);
  });

  it.each([
    [400, { outcome: 'fatal', badAuth: true }],
    [401, { outcome: 'fatal', badAuth: true }],
    [408, { outcome: 'retriable' }],
    [429, { outcome: 'retriable' }],
    [302, { outcome: 'retriable' }],
    [503, { outcome: 'retriable' }],
  ])('tells that the token endpoint answered %d, without its secrets', async (status, expected) => {
    const { call } = await withClient();
    receiver.answers['/token'] = ({ headers }) => ({
      status,
      body: JSON.stringify({
        error: 'invalid_client',
        error_description: `${CRM} ${encodeURIComponent(CRM)} ${headers.authorization}`,
      }),
    });
    const result = await call({ auth: oauth() });
    expect(result).toMatchObject({
      ...expected,
      error: expect.stringMatching(
        `^the token endpoint answered ${status}: invalid_client: \\[secret crm\\] \\[secret crm\\] Basic`,
      ),
    });
    expect(result.error).not.toContain(Buffer.from(CRM).toString('base64').slice(4, 16));
    expect(receiver.callsOf('/hook')).toEqual([]);
  });

  it.each([
    ['no JSON', 'hello', { outcome: 'retriable' }],
    ['no token', '{}', { outcome: 'retriable' }],
    ['a token that could not be hidden', '{"access_token":"abc"}', { outcome: 'fatal', badAuth: true }],
    ['another type of token', '{"access_token":"long-enough","token_type":"mac"}', { badAuth: true }],
    ['more than 64 kB', JSON.stringify({ access_token: 'x'.repeat(65_536) }), { outcome: 'retriable' }],
  ])('calls no target after %s', async (_, body, expected) => {
    const { call } = await withClient();
    receiver.answers['/token'] = () => ({ status: 200, body });
    expect(await call({ auth: oauth() })).toMatchObject(expected);
    expect(receiver.callsOf('/hook')).toEqual([]);
  });

  it('gives up a token endpoint that does not answer after 10 s', async () => {
    const { call, clock } = await withClient();
    receiver.answers['/token'] = () => {
      void clock.advance(10_000);
      return { status: 200, body: '' };
    };
    expect(await call({ auth: oauth() })).toEqual({
      outcome: 'retriable',
      error: 'the token endpoint did not respond within 10 s',
    });
  });

  it('sends no secret to a token endpoint that is not one of its hosts, or that the policy rejects', async () => {
    const { call } = await withClient();
    const elsewhere = oauth({ tokenUrl: 'https://example.com/token' });
    expect(await call({ auth: elsewhere })).toMatchObject({ outcome: 'fatal', blocked: true });
    expect(await call({ auth: oauth({ tokenUrl: `${url}/token#x` }) })).toMatchObject({ blocked: true });
    expect(receiver.calls).toEqual([]);
  });
});
