import { Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';

import { withTimeout } from '../async/with-timeout';
import { type Clock, SECOND_MS } from '../clock/clock';
import type { Resolve } from './checked-lookup';

const GIVE_UP_MS = SECOND_MS;
/** Three tries, because a datagram may be lost and a server may need time. `timeout` is in milliseconds. */
const EACH_SERVER = { timeout: 250, tries: 3 };

interface NameServerDeps {
  clock: Pick<Clock, 'sleep'>;
  /** @default the servers of the system */
  servers?: readonly string[];
}

/**
 * Asks the name servers for the addresses of a name, for at most one second. Deliveries use the system's
 * resolver instead. That one may take many seconds if no server responds, cannot be cancelled, and blocks one
 * of the few threads of the process. Names that only the system's resolver knows, as in `/etc/hosts`, are not
 * found here.
 */
export function askNameServers({ clock, servers }: NameServerDeps): Resolve {
  // Concurrent calls share a resolver, because each has a socket. Later calls make another one, because a
  // resolver keeps the name servers of the network in which it was made.
  let shared: Resolver | undefined;
  let pending = 0;

  async function ask(hostname: string, resolver: Resolver): Promise<LookupAddress[]> {
    const error = () =>
      Object.assign(new Error(`no name server responded in time for ${hostname}`), { code: 'ETIMEOUT' });
    const within = (query: () => Promise<string[]>) => withTimeout(GIVE_UP_MS, query, clock, { error });
    const found = await Promise.allSettled([
      within(() => resolver.resolve4(hostname)).then(ofFamily(4)),
      within(() => resolver.resolve6(hostname)).then(ofFamily(6)),
    ]);
    const addresses = found.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    const [first] = found;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses;
  }

  return async (hostname) => {
    const resolver = (shared ??= resolverFor(servers));
    pending += 1;
    try {
      return await ask(hostname, resolver);
    } finally {
      pending -= 1;
      if (pending === 0) {
        shared = undefined;
        resolver.cancel(); // queries that timed out
      }
    }
  };
}

function resolverFor(servers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver(EACH_SERVER);
  if (servers) resolver.setServers(servers);
  return resolver;
}

const ofFamily =
  (family: 4 | 6) =>
  (addresses: readonly string[]): LookupAddress[] =>
    addresses.map((address) => ({ address, family }));
