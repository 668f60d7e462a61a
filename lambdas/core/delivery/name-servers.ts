import { Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';

import { type Clock, SECOND_MS } from '../clock/clock';
import type { Resolve } from './checked-lookup';

const GIVE_UP_MS = SECOND_MS;
/** A datagram gets lost now and then: asked again twice, and what was slow to find the server has by then. */
const EACH_SERVER = { timeout: 250, tries: 3 };

export interface NameServerDeps {
  clock: Pick<Clock, 'sleep'>;
  /** @default those of the system */
  servers?: readonly string[];
}

/**
 * Asks the name servers for the addresses of a name, for a second at most. The system's resolver, which deliveries use, may
 * take many seconds where no server answers, cannot be told to stop, and holds one of the few threads of the process
 * meanwhile. What it alone knows, such as `/etc/hosts`, is not found here.
 */
export function askNameServers({ clock, servers }: NameServerDeps): Resolve {
  // Shared, because each has a socket of its own; made anew, because it goes on with the servers of the network that the
  // machine was in when it was made.
  let shared: Resolver | undefined;
  let waiting = 0;

  async function ask(hostname: string, resolver: Resolver): Promise<LookupAddress[]> {
    const over = new AbortController();
    const givenUp = clock.sleep(GIVE_UP_MS, over.signal).then(() => {
      throw Object.assign(new Error(`no name server told in time where ${hostname} is`), {
        code: 'ETIMEOUT',
      });
    });
    const found = await Promise.allSettled([
      Promise.race([resolver.resolve4(hostname), givenUp]).then(ofFamily(4)),
      Promise.race([resolver.resolve6(hostname), givenUp]).then(ofFamily(6)),
    ]);
    over.abort();
    const addresses = found.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    const [first] = found;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses;
  }

  return async (hostname) => {
    const resolver = (shared ??= madeFor(servers));
    waiting += 1;
    try {
      return await ask(hostname, resolver);
    } finally {
      waiting -= 1;
      if (waiting === 0) {
        shared = undefined;
        resolver.cancel(); // what was given up
      }
    }
  };
}

function madeFor(servers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver(EACH_SERVER);
  if (servers) resolver.setServers(servers);
  return resolver;
}

const ofFamily =
  (family: 4 | 6) =>
  (addresses: readonly string[]): LookupAddress[] =>
    addresses.map((address) => ({ address, family }));
