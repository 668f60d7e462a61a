import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import { isAllowedAddress, isPrivateHost, isReachable, reachTo, type TargetPolicy } from './addresses';

/**
 * The target policy rejects an address of the target. Nothing was sent. A retry fails too unless DNS changes.
 */
export class BlockedTargetError extends Error {
  override readonly name = 'BlockedTargetError';
}

/** All addresses of a name, IPv4 and IPv6. Rejects like `node:dns` if there are none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const resolveBySystem: Resolve = (hostname) => systemLookup(hostname, { all: true });

/**
 * The addresses of a name. All of them must be allowed: one private address among public ones blocks the
 * target, because which of them is called is random. A private host of a pool in a VPC must have addresses in
 * its networks alone. One that a local run names may have any. Throws `BlockedTargetError`, or what `resolve`
 * throws.
 */
export async function resolveChecked(
  hostname: string,
  policy: TargetPolicy,
  resolve: Resolve = resolveBySystem,
): Promise<readonly LookupAddress[]> {
  const found = await resolve(hostname);
  if (found.length === 0) throw new Error(`${hostname} has no address`);
  const host = hostname.replace(/\.+$/, '');
  const reach = reachTo(host, policy);
  if (!reach && isPrivateHost(host, policy)) return found;
  for (const { address } of found) {
    if (!(reach ? isReachable(address, reach) : isAllowedAddress(address, policy))) {
      // Without the address: a user must not learn what a private name server says.
      throw new BlockedTargetError(
        `${hostname} resolves to an address that the target policy does not allow`,
      );
    }
  }
  return found;
}

/**
 * Why a name is rejected when a job is saved; undefined if it is not. A name that cannot be resolved is not
 * rejected: it may exist by the time of a delivery, which checks again.
 */
export async function rejectionOf(
  hostname: string,
  policy: TargetPolicy,
  resolve: Resolve,
): Promise<string | undefined> {
  try {
    await resolveChecked(hostname, policy, resolve);
    return undefined;
  } catch (error) {
    return error instanceof BlockedTargetError ? error.message : undefined;
  }
}

/** Names that one request may ask the name servers for: a batch could aim a thousand at one of them. */
const MAX_NAMES = 20;

/**
 * Resolves each name once and keeps the result. For a single request, because no result expires. Rejects for
 * all names after the first 20: they count as names that cannot be resolved.
 */
export function onceEach(resolve: Resolve): Resolve {
  const resolved = new Map<string, ReturnType<Resolve>>();
  return async (hostname) => {
    const known = resolved.get(hostname);
    if (!known && resolved.size === MAX_NAMES)
      throw new Error(`${hostname} was not looked up: one request may name ${MAX_NAMES} hosts`);
    const addresses = known ?? resolve(hostname);
    resolved.set(hostname, addresses);
    return addresses;
  };
}

/**
 * A `lookup` for `node:http` and `node:https`. The socket connects to the address that was checked, so a name
 * that changes between check and connection has no effect. Node does not call it for literal addresses: call
 * `checkUrl` first.
 */
export function checkedLookup(policy: TargetPolicy, resolve?: Resolve): LookupFunction {
  const find = callbackify(async (hostname: string, family: LookupFamily) => {
    const checked = await resolveChecked(hostname, policy, resolve);
    const found = checked.filter((candidate) => isOfFamily(candidate, family));
    if (found.length === 0) throw new Error(`${hostname} has no address of family ${family}`);
    return found;
  });
  return (hostname, { family, all }, callback) =>
    find(hostname, family, (error, found) => {
      if (error) callback(error, '');
      else if (all) callback(null, found);
      else callback(null, found[0]?.address ?? '', found[0]?.family);
    });
}

type LookupFamily = Parameters<LookupFunction>[1]['family'];

const isOfFamily = ({ family }: LookupAddress, wanted: LookupFamily): boolean =>
  !wanted || wanted === family || wanted === `IPv${family}`;
