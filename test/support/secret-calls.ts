import type { IncomingMessage } from 'node:http';

import { accessTokens } from '../../lambdas/core/delivery/call/access-tokens';
import { callWithSecrets } from '../../lambdas/core/delivery/call/call-with-secrets';
import { tlsAgents } from '../../lambdas/core/delivery/call/tls-agents';
import { pemContentOf } from '../../lambdas/core/delivery/secrets/pem';
import { seal } from '../../lambdas/core/delivery/secrets/seal';
import { secretReader } from '../../lambdas/core/delivery/secrets/secret-values';
import type { HttpTarget } from '../../lambdas/core/domain/target';
import { TABLE_KEYS } from './dynamo/table-keys';
import { MemoryTables } from './dynamo/memory-tables';
import { aTarget } from './factories';
import { FakeClock } from './fake-clock';
import { FakeRandom } from './fake-random';
import { listenOnLoopback, type LoopbackServer } from './loopback-server';
import { memoryStores } from './memory-stores';
import { RecordingLog } from './recording-log';
import { apiSurroundings } from './surroundings';

const PROJECT = 'alice';
export const CRM = 'crm-p"assword/with+all';
const keys = apiSurroundings.sealingKeys;

/** A receiver on loopback: a target at `/hook`, a token endpoint at `/token`. */
export class Receiver {
  readonly calls: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  /** By path: what is answered. */
  readonly answers: Record<string, (call: Receiver['calls'][number]) => { status: number; body: string }> = {
    '/hook': () => ({ status: 200, body: 'ok' }),
    '/token': () => ({
      status: 200,
      body: JSON.stringify({ access_token: `token-${this.tokens++}`, expires_in: 600 }),
    }),
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

/** A process of the executor, over tables that it may share. */
export function aProcess(url: string, tables = new MemoryTables(TABLE_KEYS), clock = new FakeClock()) {
  const random = new FakeRandom(1);
  const { secrets } = memoryStores(tables, { clock, random });
  const http = { policy: 'loopback' as const, nowMs: () => clock.nowMs() };
  const log = new RecordingLog();
  const caller = {
    read: secretReader({ secrets, keys, clock }),
    tokens: accessTokens({ secrets, keys, http, clock, random, log }),
    agents: tlsAgents(),
  };
  let version = 0;
  return {
    tables,
    clock,
    log,
    async put(name: string, value: string, hosts = ['127.0.0.1'], kind: 'text' | 'pem' = 'text') {
      const before = await secrets.get(PROJECT, name);
      const by = { sub: PROJECT, name: null, via: 'token' as const };
      const sealed = await seal(keys, { project: PROJECT, name }, value, random);
      const row = {
        project: PROJECT,
        name,
        version: `${name}${version++}`,
        sealed,
        hosts,
        ...(kind === 'pem' && { pem: pemContentOf(value) }),
        updatedAtMs: 0,
        by,
      };
      await secrets.put(row, before?.version);
    },
    remove: (name: string) => secrets.remove(PROJECT, name),
    call: (target: Partial<HttpTarget>, signal = new AbortController().signal) =>
      callWithSecrets(
        aTarget({ url: `${url}/hook`, ...target }),
        { project: PROJECT, body: Buffer.from('{}'), headers: { 'webhook-id': 'id-1' } },
        signal,
        http,
        caller,
      ),
  };
}

export const oauth = (url: string, more: object = {}): HttpTarget['auth'] => ({
  type: 'oauth2',
  tokenUrl: `${url}/token`,
  clientId: '{{ secrets.client }}',
  clientSecret: '{{ secrets.crm }}',
  clientAuth: 'basic',
  ...more,
});

export async function withClient(url: string, tables?: MemoryTables, clock?: FakeClock) {
  const process = aProcess(url, tables, clock);
  await process.put('client', 'client-of-crm');
  await process.put('crm', CRM);
  return process;
}
