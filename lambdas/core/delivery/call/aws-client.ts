interface Settings {
  region: string;
  maxAttempts: number;
  requestHandler: object;
  /** SQS only: its client would else call whatever host a queue's URL names. */
  useQueueUrlAsEndpoint: false;
}
type ClientClass<Client> = new (settings: Settings) => Client;

const clients = new Map<unknown, Map<string, unknown>>();

/**
 * The client of a service in a region, made at its first use.
 * Tries once, since trying again is the job's policy; shares no connection, because one that was frozen with its
 * sandbox is dead when it is used again.
 */
export function clientIn<Client>(Class: ClientClass<Client>, region: string): Client {
  const byRegion = clients.get(Class) ?? new Map<string, unknown>();
  clients.set(Class, byRegion);
  const known = byRegion.get(region) as Client | undefined;
  if (known) return known;
  const agent = { keepAlive: false };
  const requestHandler = { connectionTimeout: 3_000, httpAgent: agent, httpsAgent: agent };
  const made = new Class({ region, maxAttempts: 1, requestHandler, useQueueUrlAsEndpoint: false });
  byRegion.set(region, made);
  return made;
}
