import { type Listing, Quarterjack } from '../../../../client';
import type { Command } from './messages';

const clients = new Map<string, Quarterjack>();
type Args = Record<string, any>;

const METHODS: Readonly<Record<string, (client: Quarterjack, args: Args) => unknown>> = {
  'jobs.create': ({ jobs }, { definition, ...options }) => jobs.create(definition, options),
  'jobs.createBatch': ({ jobs }, args) => jobs.createBatch(args.jobs),
  'jobs.put': ({ jobs }, { jobId, definition, ...options }) => jobs.put(jobId, definition, options),
  'jobs.patch': ({ jobs }, { jobId, changes, ...options }) => jobs.patch(jobId, changes, options),
  'jobs.get': ({ jobs }, { jobId }) => jobs.get(jobId),
  'jobs.list': ({ jobs }, { filter, max }) => all(jobs.list(filter), max),
  'jobs.delete': ({ jobs }, { jobId, ...options }) => jobs.delete(jobId, options),
  'jobs.pause': ({ jobs }, { jobId }) => jobs.pause(jobId),
  'jobs.resume': ({ jobs }, { jobId }) => jobs.resume(jobId),
  'jobs.run': ({ jobs }, { jobId, request, ...options }) => jobs.run(jobId, request, options),
  'jobs.cancelRun': ({ jobs }, { jobId, key }) => jobs.cancelRun(jobId, key),
  'executions.list': ({ executions }, { jobId, filter, max }) => all(executions.list(jobId, filter), max),
  'executions.get': ({ executions }, { jobId, execId }) => executions.get(jobId, execId),
  'executions.wait': ({ executions }, { jobId, execId, ...options }) =>
    executions.wait(jobId, execId, options),
  'executions.cancel': ({ executions }, { jobId, execId }) => executions.cancel(jobId, execId),
  'executions.retry': ({ executions }, { jobId, execId }) => executions.retry(jobId, execId),
  'executions.log': ({ executions }, { jobId, execId, filter }) => executions.log(jobId, execId, filter),
  failures: (client, { filter, max }) => all(client.failures(filter), max),
  sendEvent: (client, { event }) => client.sendEvent(event),
  'apiKeys.create': ({ apiKeys }, { key }) => apiKeys.create(key),
  'apiKeys.list': ({ apiKeys }, { max }) => all(apiKeys.list(), max),
  'apiKeys.revoke': ({ apiKeys }, { keyId }) => apiKeys.revoke(keyId),
  signingSecret: (client, { host }) => client.signingSecret({ host }),
  me: (client) => client.me(),
  version: (client) => client.version(),
  request: (client, { verb, path, query, body }) => client.request(verb, path, { query, body }),
};

const all = <Item>(list: Listing<Item>, max: number | undefined): Promise<Item[]> => list.toArray(max);

export const clientCommands = {
  open({ client, url, token, tokenFrom, project, retry }: Command): void {
    const given = tokenFrom === 'environment' ? process.env.QUARTERJACK_TOKEN : token;
    clients.set(client, new Quarterjack({ url, token: given, project, retry }));
  },
  call({ client, method, args = {} }: Command): unknown {
    const act = METHODS[method];
    const known = clients.get(client);
    if (!act || !known) throw new Error(`unknown method ${method}, or client ${client}`);
    return act(known, args);
  },
};
