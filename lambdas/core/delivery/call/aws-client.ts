import type { AssumedRole } from './assumed-roles';

/** Where a call goes, and under which role; undefined: the role of the function. */
export interface CallContext {
  region: string;
  role: AssumedRole | undefined;
}

interface Settings {
  region: string;
  maxAttempts: number;
  requestHandler: object;
  credentials?: AssumedRole['credentials'];
  /** Only for SQS: otherwise its client calls whatever host the URL of a queue names. */
  useQueueUrlAsEndpoint: false;
}
type ClientClass<Client> = new (settings: Settings) => Client;

/** A client without a connection is small, but there may be any number of projects. */
const MAX_CLIENTS = 200;

const clients = new Map<unknown, Map<string, unknown>>();

/**
 * The client of a service in a region, for one role, made at its first use. It tries once, because the job's
 * retry policy decides on another try. It keeps no connection open: a connection that was frozen with its
 * sandbox is dead afterwards.
 */
export function clientIn<Client>(Class: ClientClass<Client>, { region, role }: CallContext): Client {
  const ofClass = clients.get(Class) ?? new Map<string, unknown>();
  clients.set(Class, ofClass);
  const key = role ? `${region} ${role.id}` : region;
  const known = ofClass.get(key) as Client | undefined;
  if (known) return known;
  if (ofClass.size >= MAX_CLIENTS) ofClass.clear();
  const agent = { keepAlive: false };
  const made = new Class({
    region,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 3_000, httpAgent: agent, httpsAgent: agent },
    ...(role && { credentials: role.credentials }),
    useQueueUrlAsEndpoint: false,
  });
  ofClass.set(key, made);
  return made;
}
