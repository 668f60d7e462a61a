interface Settings {
  region: string;
  maxAttempts: number;
  requestHandler: object;
  /** Only for SQS: otherwise its client calls whatever host the URL of a queue names. */
  useQueueUrlAsEndpoint: false;
}
type ClientClass<Client> = new (settings: Settings) => Client;

const clients = new Map<unknown, Map<string, unknown>>();

/**
 * The client of a service in a region, made at its first use. It tries once, because the job's retry policy
 * decides on another try. It keeps no connection open: a connection that was frozen with its sandbox is dead
 * afterwards.
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
