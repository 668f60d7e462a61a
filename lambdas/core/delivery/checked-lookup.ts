import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import { isAllowedAddress, type TargetPolicy } from './addresses';

/**
 * The policy refuses a target: nothing was sent, and another try would be refused too while its name stays as
 * it is.
 */
export class BlockedTargetError extends Error {
  override readonly name = 'BlockedTargetError';
}

/** All addresses of a name, IPv4 and IPv6. Rejects as `node:dns` does where there are none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const resolveBySystem: Resolve = (hostname) => systemLookup(hostname, { all: true });

/**
 * The addresses that a name may be connected at. Each of them must pass: one private address among public
 * ones blocks the target, or its owner would choose by luck which one is called. Throws `BlockedTargetError`, or
 * what `resolve` throws.
 */
export async function resolveChecked(
  hostname: string,
  policy: TargetPolicy,
  resolve: Resolve = resolveBySystem,
): Promise<readonly LookupAddress[]> {
  const found = await resolve(hostname);
  if (found.length === 0) throw new Error(`${hostname} has no address`);
  for (const { address } of found) {
    if (!isAllowedAddress(address, policy)) {
      throw new BlockedTargetError(
        `${hostname} resolves to ${address}, which the target policy does not allow`,
      );
    }
  }
  return found;
}

/**
 * In which words a name is refused as far as can be said now, before anything is to be sent to it; undefined where it is
 * not. One that cannot be resolved is not refused: it may exist by the time of a delivery, which asks again.
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

/** Asks for each name once, however many want to know. Good for a single request: an answer is never asked for again. */
export function onceEach(resolve: Resolve): Resolve {
  const asked = new Map<string, ReturnType<Resolve>>();
  return (hostname) => {
    const answer = asked.get(hostname) ?? resolve(hostname);
    asked.set(hostname, answer);
    return answer;
  };
}

/**
 * A `lookup` for `node:http` and `node:https`: the socket connects to the very address that was checked, so a
 * name that changes between check and connection gains nothing. It is not asked about literal addresses:
 * judge the URL first.
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
